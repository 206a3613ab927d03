"""Finds secrets in texts, and takes them out. Why this detector: docs/decisions/0024.

The rules are those of Kingfisher's catalog, the few in `rules.yml`, and our own for what people say
(`core/suspicions.py`); nothing is ever asked of a provider.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.suspicions import Suspicion, apart, is_wordless, replaced, spoken

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


_PRIVATE_KEY = "private-key"


def private_keys(text: str) -> list[Suspicion]:
    """Return where `text` has private keys in PEM, in order, or parts of them beside one of their two marks."""
    if _MARK not in text:
        return []
    found = []
    for begin in _BEGIN.finditer(text):
        end = _END.search(text, begin.end(), begin.end() + _LONGEST)
        found.append(Suspicion(_PRIVATE_KEY, begin.start(), end.end() if end else _body_end(text, begin.end())))
    found += [_to_end(text, end) for end in _END.finditer(text)]
    return sorted(one for one in found if _BODY.search(text, one.start, one.end))


def _to_end(text: str, end: re.Match[str]) -> Suspicion:
    """Return the lines of a key above its last one, and that; where it is all one line, what that has of it."""
    start, is_key = text.rfind("\n", 0, end.start()) + 1, _LAST
    if begin := _BEGIN.search(text, start, end.start()):
        return Suspicion(_PRIVATE_KEY, begin.start(), end.end())
    is_alone = _EMPTY.search(text[start : end.start()])
    while is_alone and start > 0 and end.start() - start < _LONGEST:
        above = text.rfind("\n", 0, start - 1) + 1
        if not (is_key.search(text[above : start - 1]) or _RUN.search(text[above : start - 1])):
            break
        start, is_key = above, _RUN
    return Suspicion(_PRIVATE_KEY, start, end.end())


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
_LEAST = 8  # characters below which a text holds no secret that any rule of Kingfisher knows
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
"""What a terminal takes for colours and titles: coloured matches would hide a key by cutting it in two."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONG = re.compile(r"[A-Za-z0-9_.+/=-]{16,4000}")
_PART = re.compile(r"[A-Za-z0-9]{10,4000}")
_HEX = re.compile(r"[0-9a-fA-F]{1,4000}")


INSTALL_DETECTOR = "Run: pip install 'tx-graph[transcripts]'"


class Clean(NamedTuple):
    """A text without secrets, and how many there were."""

    text: str
    secrets: int


def suspicions(text: str) -> list[Suspicion]:
    """Return where `text` may have secrets, in order: what our own rules say, or else Kingfisher, if it is installed.

    That is asked only where a part of the text could be a vendor's key: opening it takes 0.3 s, the first time 4 s.
    """
    found = apart([*spoken(text), *private_keys(text)])
    runs = () if found else _LONG.findall(text)
    if any(any(map(str.isdigit, run)) and any(map(_could_be_key, _PART.findall(run))) for run in runs):
        return apart(_scanned(text))
    return found


def _could_be_key(part: str) -> bool:
    return not _HEX.fullmatch(part) and is_wordless(part)


def redacted(text: str) -> Clean:
    """Return `text` as Unicode without NUL and colours of terminals, with `[redacted: kind]` in the place of secrets.

    Kingfisher looks at all of it.
    """
    text = sound(text)
    found = apart([*_scanned(text), *private_keys(text), *spoken(text)])
    return Clean(replaced(text, found), len(found))


@cache
def has_detector() -> bool:
    """Whether Kingfisher is installed: where it has no wheel, our own rules go on alone."""
    return find_spec("kingfisher_sdk") is not None


def _scanned(text: str) -> list[Suspicion]:
    """Return what Kingfisher finds, nothing where it is not installed."""
    if len(text) < _LEAST or not has_detector():
        return []
    # The line end keeps what begins the text from being read as a mark of its encoding.
    data = b"\n" + text.encode(errors="replace")
    found = [
        (one.location["start_offset"], one.location["end_offset"], one.rule_id.rpartition(".")[2])
        for one in _scanner().scan(data)
    ]
    if text.isascii():
        return [Suspicion(kind, start - 1, end - 1) for start, end, kind in found]
    places = ((kind, [len(data[1:to].decode(errors="ignore")) for to in ends]) for *ends, kind in found)
    return [Suspicion(kind, *ends) for kind, ends in places]


@cache
def _scanner() -> Scanner:
    """Return the detector, opened once in a process; it may be used by several threads."""
    from kingfisher_sdk import Rules, Scanner

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
