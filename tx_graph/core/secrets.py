"""Takes secrets out of texts before anything is stored of them. Why this detector: docs/decisions/0024.

All rules are those of Kingfisher's catalog and the few in `rules.yml`; nothing is ever asked of a provider.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.errors import UsageError

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner


_MARK = "PRIVATE KEY"
_BEGIN = re.compile(r"-----BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST = 64_000  # characters between the two marks of a key: RSA with 16,384 bits takes 13,000
_BESIDE = r"^[\s0-9>|:→+-]*"  # what a listing puts before a line
_RUN = re.compile(rf"[A-Za-z0-9+/=]{{20,}}|^[A-Z][A-Za-z-]+: |{_BESIDE}$")
"""What a line of a key has: much Base64, or a header such as `Proc-Type:`, or nothing."""
_EMPTY = re.compile(rf"{_BESIDE}$")
_LAST = re.compile(rf"{_BESIDE}[A-Za-z0-9+/=]{{1,76}}\s*$")
"""What the last line before the end mark has, which may be short."""
_BODY = re.compile(r"[A-Za-z0-9+/=]{20,}")  # what makes it a key, and no talk of one


class Span(NamedTuple):
    """A part of a text, from `start` up to but not including `end`."""

    start: int
    end: int


def private_keys(text: str) -> list[Span]:
    """Return where `text` has private keys in PEM, in order, or parts of them beside one of their two marks."""
    if _MARK not in text:
        return []
    found = []
    for begin in _BEGIN.finditer(text):
        end = _END.search(text, begin.end(), begin.end() + _LONGEST)
        found.append(Span(begin.start(), end.end() if end else _body_end(text, begin.end())))
    found += [_to_end(text, end) for end in _END.finditer(text)]
    return sorted(span for span in found if _BODY.search(text, *span))


def _to_end(text: str, end: re.Match[str]) -> Span:
    """Return the lines of a key above its last one, and that; where it is all one line, what that has of it."""
    start, is_key = text.rfind("\n", 0, end.start()) + 1, _LAST
    if begin := _BEGIN.search(text, start, end.start()):
        return Span(begin.start(), end.end())
    is_alone = _EMPTY.search(text[start : end.start()])
    while is_alone and start > 0 and end.start() - start < _LONGEST:
        above = text.rfind("\n", 0, start - 1) + 1
        if not (is_key.search(text[above : start - 1]) or _RUN.search(text[above : start - 1])):
            break
        start, is_key = above, _RUN
    return Span(start, end.end())


def _body_end(text: str, start: int) -> int:
    """Return where the lines of a key end that begins at `start` and has no last line."""
    place = start
    while place < len(text):
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        if not _RUN.search(text[place:stop]):
            break
        place = stop + 1
    return min(place, len(text))


_RULES = Path(__file__).with_name("rules.yml")
_LEAST = 8  # characters below which a text holds no secret that any rule knows
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


def redacted(text: str) -> Clean:
    """Return `text` as Unicode without NUL and colours of terminals, with `[redacted: rule]` in the place of secrets.

    The first time in a process takes 0.3 s, the first time ever 4 s.
    """
    text = sound(text)
    if len(text) < _LEAST:
        return Clean(text, 0)
    # The line end keeps what begins the text from being read as a mark of its encoding.
    data = b"\n" + text.encode()
    found = [
        _Secret(one.location["start_offset"], one.location["end_offset"], one.rule_id.rpartition(".")[2])
        for one in _scanner().scan(data)
    ]
    for start, end in private_keys(text):
        before = len(text[:start].encode()) + 1
        found.append(_Secret(before, before + len(text[start:end].encode()), _PRIVATE_KEY))
    # Places that do not overlap, in order; of several rules the one that begins first names the place.
    merged: list[_Secret] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if merged and secret.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(secret.end, merged[-1].end))
        elif secret.end > secret.start:
            merged.append(secret)
    parts, place = [], 0
    for secret in merged:
        parts += [data[place : secret.start], f"[redacted: {secret.rule}]".encode()]
        place = secret.start + len(data[secret.start : secret.end].rstrip())
    return Clean(b"".join([*parts, data[place:]])[1:].decode(), len(merged))


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
