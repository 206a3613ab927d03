"""How serious a finding is, by the category of its learning and the path of its code, and whether it is new."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from tx_graph.anchors.sources import Sources
from tx_graph.anchors.verdict import Judgement
from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.settings import OF_CATEGORY, Config
from tx_graph.records.learning_store import Label


class Severity(StrEnum):
    """What a finding does: it fails the gate, it is told, or it is only counted."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


_KEYS = {Severity.ERROR: "verify.error", Severity.WARNING: "verify.warn", Severity.OFF: "verify.off"}


class Severities:
    """What the settings say: where several fit the most serious counts, where none does it is an error."""

    def __init__(self, config: Config) -> None:
        self._of = {severity: config.texts(key) for severity, key in _KEYS.items()}

    def of(self, learning: Label, judgement: Judgement) -> Severity:
        """Return how serious a finding is."""
        paths = PathMatcher({judgement.anchor.path, judgement.place.path})
        category = f"{OF_CATEGORY}{learning.category}"
        for severity, selectors in self._of.items():
            if any(one == category or paths.matching(one) for one in selectors):
                return severity
        return Severity.ERROR


class Finding(NamedTuple):
    """What makes a finding the same as one of before: what says so of which code, as it was at that time."""

    uid: str
    type: str
    anchor: str
    verdict: str
    code: str


def finding_of(learning: Label, judgement: Judgement, sources: Sources) -> Finding:
    """Return what identifies a finding: code that changed once more makes another one of it."""
    anchor, code = judgement.anchor, judgement.reason or ""
    source = sources.get(judgement.place.path) if judgement.drift else None
    if source is not None:
        tokens = source.code_of(judgement.lines) if judgement.lines else (source.text,)
        code = hashlib.sha256("\0".join(tokens).encode("utf-8", "surrogatepass")).hexdigest()
    return Finding(learning.uid, anchor.type, anchor.spec, judgement.standing, code)


_VERSION = 1


def read_baseline(file: Path) -> frozenset[Finding]:
    """Return the findings that a file says are known."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(told, Mapping) or told.get("version") != _VERSION:
            raise UsageError(f"{file} is no baseline of this version.", hint=_AGAIN)
        return frozenset(Finding(**{name: str(one[name]) for name in Finding._fields}) for one in told["findings"])
    except FileNotFoundError:
        raise NotFound(f"There is no baseline {file}.", hint=_AGAIN) from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.", hint=_AGAIN) from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{file} is no baseline: {error}.", hint=_AGAIN) from error


_AGAIN = "'tx graph:verify --baseline FILE --write-baseline' writes it."


def write_baseline(file: Path, findings: Collection[Finding]) -> None:
    """Write the findings that are known from here on, one a line, for git to merge."""
    lines = ",\n".join(json.dumps(one._asdict(), ensure_ascii=False) for one in sorted(findings))
    try:
        file.write_text(f'{{"version": {_VERSION}, "findings": [\n{lines}\n]}}\n', encoding="utf-8", newline="\n")
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}.") from error
