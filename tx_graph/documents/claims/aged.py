"""Passages of prose whose code changed much since they were written: nothing in them is known to be untrue."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import ClassVar

from tx_graph.code.languages import language_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.shape import Answer
from tx_graph.documents.claims.ground import Ground, Said
from tx_graph.documents.document import format_of
from tx_graph.history.departed import Moment, last_written

_MUCH = 0.5
_LEAST_LINES = 10  # of shorter files a line more is much


@dataclass(frozen=True, slots=True, kw_only=True)
class AgedPassage(Answer):
    """A paragraph that names a file of code, of whose lines a share of `changed`, in [0, 1], is another than then.

    `written` is the last commit that wrote a line of it, `line` where it begins.
    """

    document: str
    line: int
    path: str
    changed: float
    written: Moment

    JSON: ClassVar = "document line path changed commit=written.commit commit_subject=written.subject"


def aged(ground: Ground, said: Iterable[Said]) -> list[AgedPassage]:
    """Return the passages whose code changed much, most of all first."""
    passages: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    lines: dict[str, list[str]] = {}
    for one in said:
        paths = {place for place in one.claim.places if place in ground.files}
        if paths and not one.prose.is_translated and not one.learning:
            lines[one.prose.path] = one.prose.lines
            first = one.claim.line
            while first > 1 and one.prose.lines[first - 2].strip():
                first -= 1
            passages[one.prose.path, first] |= {path for path in paths if language_of(path) and not format_of(path)}
    if not lines:
        return []
    written = last_written(ground.root, lines, ground.lacking)
    found = []
    for (document, first), paths in passages.items():
        moments = [written.get((document, line)) for line in _paragraph(lines[document], first)]
        last = max(filter(None, moments), key=lambda one: one.time) if all(moments) else None  # None: not committed
        changes = [(path, _changed(ground, last.commit, path)) for path in paths] if last else []
        found += [
            AgedPassage(document=document, line=first, path=path, changed=round(changed, 2), written=last)
            for path, changed in changes
            if last and changed >= _MUCH
        ]
    return sorted(found, key=lambda one: (-one.changed, one.document, one.line, one.path))


def _paragraph(lines: list[str], first: int) -> Iterator[str]:
    for line in lines[first - 1 :]:
        if not line.strip():
            return
        yield line


def _changed(ground: Ground, commit: str, path: str) -> float:
    """Return which share of a file's lines is not the same as in a commit, 0 where that does not have it."""
    then, now = ground.past.at(commit, path), ground.tree.read(path)
    if then is None or now is None:
        return 0.0
    before, after = (Counter(filter(None, map(bytes.strip, data.split(b"\n")))) for data in (then, now))
    most = max(before.total(), after.total())
    return 1 - (before & after).total() / most if most >= _LEAST_LINES else 0.0
