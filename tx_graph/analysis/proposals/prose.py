"""Prose: a commit message, a comment or a page taken apart into paragraphs, without what machines read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff]")
"""Characters that a terminal obeys, that show text in another order than it has, or that are no text."""
_MARKUP_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TRAILER = re.compile(
    r"""\s*(?:
        [A-Z]\w+(?:-\w+)+:\s                                          # Signed-off-by: and its many relatives
      | (?:closes?|fix(?:es|ed)?|resolves?|refs?|references?|see(?:\s+also)?|part\s+of|follow-?up(?:\s+to)?|related\s+to
          |reverts?|bug|issue|ticket|pr|re|cc|link|url|thanks\s+to|reported|reviewed|approved|acked|tested|signed
          |assisted|differential\s+revision|backport(?:\s+of)?|cherry[- ]picked\s+from|introduced\s+in|discussion)
        (?:\s*:)?\s*(?:in\s+|by\s+|commit\s+)?
        (?:\#\d|[\w.-]+/[\w.-]+\#\d|GH-?\d|https?://|<?[\w.+-]+@|[0-9a-f]{7,40}\b|[A-Z]{2,}-\d).{0,90}$
      | (?:reported|suggested|assisted|reviewed|pointed\s+out|inspired|helped|spotted|found|analyzed|noticed|mentioned
          |approved|tested|acked)\s*-?by:?\s
      | (?:cc|thanks(?:\s+to)?):\s
      | \(cherry\ picked\ from | git-svn-id: | \[skip\ ci\] | \N{ROBOT FACE} | generated\ with\ \[
      | \#\ conflicts | conflicts:$ | https?://\S+$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BULLET = re.compile(r"\s{0,6}(?:[-*+\u2022]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_HEADING = re.compile(r"#{1,6}\s+\S|\*\*[^*]{1,60}\*\*:?$|[A-Z]\w+(?: \w+)?:$")
_UNDERLINE = re.compile(r"[=\-~^*_]{3,}$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TABLE = re.compile(r"\s*\|.*\||\s*\+[-=+]+\+")
_DEAF = re.compile(r"test plan|how to test|checklist|screenshots?|type of change|related issues?", re.IGNORECASE)
"""Headings of sections that forms ask for, and that explain nothing."""
_INDENT = 4
"""Blanks from which on a line is no prose."""
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


class Kind(Enum):
    """What a paragraph is."""

    PROSE = auto()
    LIST = auto()
    CODE = auto()
    HEADING = auto()


class Paragraph(NamedTuple):
    """A piece of a text: prose and headings on one line, each item of a list on its own, code as it was written."""

    kind: Kind
    text: str


def clean(text: str) -> str:
    """Return somebody else's text with Unix line ends and without characters that are not meant to be read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)
    return _UNSEEN.sub("", _MARKUP_COMMENT.sub("", text)).strip("\n")


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a text that `clean` returned; trailers are cut out wherever they stand."""
    return [*_without_deaf_sections(one for block in _blocks(text) for one in _pieces(block))]


def words(text: str) -> list[str]:
    """Return the words of a text; numbers and signs are none."""
    return _WORD.findall(text)


def is_trailer(line: str) -> bool:
    """Whether a line is for machines, or says who had a hand in it."""
    return bool(_TRAILER.match(line))


def joined(lines: Iterable[str]) -> str:
    """Return wrapped lines as one."""
    return " ".join(" ".join(lines).split())


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the runs of lines between blank ones; what stands in a fence is one of its own."""
    block: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            if not fenced and block:
                yield block
                block = []
            fenced = not fenced
        elif not line.strip() and not fenced:
            if block:
                yield block
            block = []
            continue
        block.append(line.rstrip())
        if block[1:] and not fenced and _FENCE.match(line):
            yield block
            block = []
    if block:
        yield block


def _pieces(block: list[str]) -> Iterator[Paragraph]:
    """Yield what a block is made of: lists often follow prose without a blank line."""
    if _FENCE.match(block[0]) or all(map(_is_code, block)):
        yield Paragraph(Kind.CODE, "\n".join(block))
        return
    kept = [line for line in _without_trailers(block) if not _UNDERLINE.match(line.strip())]
    start = next((index for index, line in enumerate(kept) if _starts_item(line)), len(kept))
    if len(kept[:start]) == 1 and _HEADING.match(kept[0].strip()):
        yield Paragraph(Kind.HEADING, kept[0].strip("#* :"))
    elif start:
        yield Paragraph(Kind.PROSE, joined(line.lstrip("> ") for line in kept[:start]))
    if start < len(kept):
        yield Paragraph(Kind.LIST, "\n".join(_items(kept[start:])))


def _without_trailers(block: list[str]) -> Iterator[str]:
    """Yield the lines that are for people; what a trailer is continued with, indented, goes with it."""
    dropping = False
    for line in block:
        dropping = is_trailer(line) or (dropping and line.startswith((" ", "\t")))
        if not dropping:
            yield line


def _starts_item(line: str) -> bool:
    return bool(_BULLET.match(line) or _TABLE.match(line))


def _items(lines: Iterable[str]) -> list[str]:
    items: list[str] = []
    for line in lines:
        if _starts_item(line) or not items:
            items.append(line.strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}"
    return items


def _is_code(line: str) -> bool:
    return line.startswith(" " * _INDENT) or bool(_TABLE.match(line))


def _without_deaf_sections(found: Iterable[Paragraph]) -> Iterator[Paragraph]:
    deaf = False
    for one in found:
        if one.kind is Kind.HEADING:
            deaf = bool(_DEAF.search(one.text))
        if not deaf and one.text:
            yield one
