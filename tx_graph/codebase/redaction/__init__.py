"""Takes secrets out of texts before anything is stored of them. Why this detector: docs/decisions/0024.

All rules are those of Kingfisher's catalog and the few in `rules.yml`; nothing is ever asked of a provider.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.codebase.redaction.private_keys import private_keys
from tx_graph.errors import UsageError

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

_RULES = Path(__file__).with_name("rules.yml")
_LEAST = 8
"""Characters below which a text holds no secret that any rule knows."""
_PRIVATE_KEY = "private-key"
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
"""What a terminal takes for colours and titles: coloured matches would hide a key by cutting it in two."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class Clean(NamedTuple):
    """A text without secrets, and how many there were."""

    text: str
    secrets: int


class _Secret(NamedTuple):
    """A place in the UTF-8 of a text, and the name of the rule that found it."""

    start: int
    end: int
    rule: str


class Redactor:
    """Finds secrets and puts `[redacted: rule]` in their place. Opening it takes 0.3 s, the first time ever 4 s."""

    def clean(self, text: str) -> Clean:
        """Return `text` as Unicode without NUL, colours of terminals, and secrets.

        Raises:
            UsageError: The detector is not installed.
        """
        text = sound(text)
        if len(text) < _LEAST:
            return Clean(text, 0)
        # The line end keeps what begins the text from being read as a mark of its encoding.
        data = b"\n" + text.encode()
        found = [*self._detected(data), *_parts_of_keys(text)]
        return Clean(_without(data, found)[1:].decode(), len(_merged(found))) if found else Clean(text, 0)

    def _detected(self, data: bytes) -> Iterable[_Secret]:
        for one in _scanner().scan(data):
            place = one.location
            yield _Secret(place["start_offset"], place["end_offset"], one.rule_id.rpartition(".")[2])


@cache
def _scanner() -> Scanner:
    """Return the detector, opened once in a process; it may be used by several threads."""
    try:
        from kingfisher_sdk import Rules, Scanner
    except ImportError:
        raise UsageError(
            "Transcripts are not read: what finds secrets in them is not installed.",
            hint="Install kingfisher-secret-scanner, where it has a wheel for this platform.",
        ) from None
    return Scanner(Rules([_RULES]))


def sound(text: str) -> str:
    """Return `text` with Unix line ends and without NUL, lone surrogates and what steers terminals."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if "\0" in text:
        text = text.replace("\0", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _parts_of_keys(text: str) -> Iterable[_Secret]:
    for start, end in private_keys(text):
        before = len(text[:start].encode()) + 1
        yield _Secret(before, before + len(text[start:end].encode()), _PRIVATE_KEY)


def _merged(found: Iterable[_Secret]) -> list[_Secret]:
    """Return places that do not overlap, in order; of several rules the one that begins first names the place."""
    merged: list[_Secret] = []
    for one in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if merged and one.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(one.end, merged[-1].end))
        elif one.end > one.start:
            merged.append(one)
    return merged


def _without(data: bytes, found: Iterable[_Secret]) -> bytes:
    parts, place = [], 0
    for one in _merged(found):
        parts += [data[place : one.start], f"[redacted: {one.rule}]".encode()]
        place = one.start + len(data[one.start : one.end].rstrip())
    return b"".join([*parts, data[place:]])
