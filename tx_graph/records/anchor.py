"""Anchors: what ties a learning to the code it is about, and whether that still holds."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar, Protocol

from tx_graph.code.languages import has_sections
from tx_graph.code.symbols import fqname, is_section
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.errors import UsageError
from tx_graph.core.globs import alternatives
from tx_graph.core.shape import Answer, NodeReference, reference_to


class AnchorType(StrEnum):
    """How an anchor finds its place."""

    GLOB = "glob"
    HASH = "hash"
    SYMBOL = "symbol"
    LINES = "lines"


class Drift(StrEnum):
    """What changed in anchored code, mildest first."""

    FORMAT = "format"
    COMMENT = "comment"
    BODY = "body"
    SIGNATURE = "signature"

    @property
    def counts(self) -> bool:
        """Whether what was learned may be wrong now: format and comments change no program."""
        return self in (Drift.BODY, Drift.SIGNATURE)


class Reason(StrEnum):
    """Why an anchor is invalid."""

    FILE_DELETED = "file_deleted"
    SYMBOL_MISSING = "symbol_missing"
    CONTENT_MISSING = "content_missing"
    PATTERN_MATCHES_NOTHING = "pattern_matches_nothing"
    OUTSIDE_REPOSITORY = "outside_repository"
    INVALIDATED = "invalidated"
    """Somebody said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """What anchored code was like when somebody last vouched for it; empty where there was nothing to take.

    `content` is the SHA-256 of the exact text, line ends apart. The others are of the code in canonical form: `tokens`
    of all of it, `unnamed` of all but the symbol's own name, `signature` of the declaration's head, `comments` of what
    comments and documentation strings say. `sketch` tells similar code (see `anchors/fingerprints.py`). `commit` is the
    full name of the commit that was checked out then.
    """

    JSON: ClassVar = "content tokens? unnamed? signature? comments? sketch? commit?"

    content: str
    tokens: str = ""
    unnamed: str = ""
    signature: str = ""
    comments: str = ""
    sketch: str = ""
    commit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalidation:
    """Somebody's word that an anchor holds no more: why, and when, as a UTC time."""

    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor(Answer):
    """Ties a learning to a file, a symbol or section, some lines, or every file a glob matches.

    `path` is repository-relative (the pattern itself for a glob), `symbol` the qualified name inside the file, of a
    document's section its slug with the sign (`#setup`), `lines`
    the first and last line counted from 1 and, in an anchor by lines, `text` what they held. Globs have no
    fingerprints, and an anchor written by hand may lack them: it holds as long as its place exists. A `pinned` anchor
    is exempt from verification. A `fallback`, which is a whole file or a glob, counts only where the others of its
    learning are lost.
    """

    path: str
    type: AnchorType
    symbol: str | None = None
    lines: tuple[int, int] | None = None
    text: str | None = None
    fingerprints: Fingerprints | None = field(default=None, repr=False)
    pinned: bool = False
    invalidated: Invalidation | None = None
    fallback: bool = False

    @property
    def spec(self) -> str:
        """The anchor as one writes it: `src/auth.ts::login`, `docs/auth.md#setup` or `src/auth.ts:L10-L20`."""
        if self.type is AnchorType.SYMBOL:
            return fqname(self.path, self.symbol or "")
        if self.lines is not None:
            return f"{self.path}:L{self.lines[0]}-L{self.lines[1]}"
        return self.path

    @property
    def key(self) -> tuple[str, str]:
        """What makes two anchors of one learning the same."""
        return (self.type, self.spec)

    JSON: ClassVar = (
        "anchor=spec path type symbol lines=span content_hash=fingerprints.content pinned fallback invalidated "
        "node=reference text fingerprints"
    )

    @property
    def is_section(self) -> bool:
        """Whether it ties to a section of a document."""
        return is_section(self.symbol or "")

    @property
    def span(self) -> str | None:
        """Its lines as one writes them: `10-20`."""
        return f"{self.lines[0]}-{self.lines[1]}" if self.lines else None

    @property
    def reference(self) -> NodeReference | None:
        """The file, symbol or section that it is about; None for a glob, which is about many."""
        if self.type is AnchorType.GLOB:
            return None
        if self.type is AnchorType.SYMBOL:
            return reference_to("section" if self.is_section else "symbol", self.spec)
        return reference_to("file", self.path, line=self.lines[0] if self.lines else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorRequest:
    """An anchor somebody asks for; the path is still as typed, the type None when it is to be inferred."""

    path: str
    symbol: str | None = None
    lines: tuple[int, int] | None = None
    type: AnchorType | None = None
    fallback: bool = False

    @property
    def tail(self) -> str:
        """What stands behind the path: `::login`, `#setup`, `:L10-L20` or nothing."""
        if self.lines:
            return f":L{self.lines[0]}-L{self.lines[1]}"
        return fqname("", self.symbol) if self.symbol else ""

    @property
    def is_section(self) -> bool:
        """Whether it names a section of a document."""
        return is_section(self.symbol or "")

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""
        return f"{self.path}{self.tail}"

    def inferred_type(self, *, exists: bool) -> AnchorType:
        """Return the type that the request has by what it names; a path that `exists` is no glob."""
        if self.symbol:
            return AnchorType.SYMBOL
        if self.lines:
            return AnchorType.LINES
        return AnchorType.GLOB if looks_like_glob(self.path) and not exists else AnchorType.HASH


class HasSpec(Protocol):
    """What bears the place of an anchor."""

    @property
    def spec(self) -> str:
        """The anchor as one writes it."""


AnchorSpec = str | HasSpec
"""What names a learning's anchor, as one writes it (`src/auth.py::login`, or its file alone), or the anchor itself."""


def spec_of(named: AnchorSpec | None) -> str | None:
    """Return an anchor as one writes it; None stays None, and means all of them."""
    return named if named is None or isinstance(named, str) else named.spec


def can_be_fallback(kind: AnchorType, lines: tuple[int, int] | None) -> bool:
    """Whether an anchor is to a whole file or a glob, which outlives what stands in it."""
    return kind is AnchorType.GLOB or (kind is AnchorType.HASH and lines is None)


def distinct_anchors(anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """Return the anchors in order; of two for the same place, as a merge can leave them, the later one stays."""
    by_key = {anchor.key: anchor for anchor in anchors}
    return tuple(by_key[key] for key in sorted(by_key))


_SLUG_ENDS = frozenset("./\\*?: ")  # in no slug: what has one of these behind its `#` is a path
_LINES = re.compile(r"L?(\d{1,9})(?:-L?(\d{1,9}))?")
_SPEC = re.compile(r"(?P<path>.+?)(?:::(?P<symbol>.+?))?(?::(?P<lines>L?\d{1,9}(?:-L?\d{1,9})?))?", re.DOTALL)


def parse_lines(text: str) -> tuple[int, int]:
    """Return the first and last line of `10-20`, `L10-L20` or `10`."""
    match = _LINES.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"'{text}' is not a range of lines.", hint="Write it as 10-20 or L10-L20.")
    first, last = int(match[1]), int(match[2] or match[1])
    if not 1 <= first <= last:
        raise UsageError(f"'{text}' is not a range of lines: lines count from 1, first to last.")
    return first, last


def parse_anchor(spec: str) -> AnchorRequest:
    """Return the anchor that `PATH[::SYMBOL][:L1-L2]` asks for; `PATH:10`, as compilers print it, means a line too.

    Behind the path of a document `#part` names a section; every other `#` belongs to a path.
    """
    match = _SPEC.fullmatch(re.sub("^(file|symbol):(?=.)", "", spec.strip()))
    if match is None:
        raise UsageError("An anchor needs a path.", hint="Write it as PATH, PATH::SYMBOL or PATH:L10-L20.")
    lines = parse_lines(match["lines"]) if match["lines"] else None
    path, symbol = match["path"], match["symbol"]
    document, sign, part = path.rpartition("#")
    if symbol is None and has_sections(document) and part and _SLUG_ENDS.isdisjoint(part):
        path, symbol = document, f"{sign}{part}"
    if lines and symbol:
        raise UsageError(
            f"'{spec}' names both a symbol and lines.",
            hint="Use PATH::SYMBOL or PATH:L10-L20; add both as two anchors.",
        )
    return AnchorRequest(path=path, symbol=symbol, lines=lines)


def looks_like_glob(path: str) -> bool:
    """Whether `path` has characters that a glob gives a meaning to."""
    return any(character in path for character in "*?[") or len(alternatives(path)) > 1


def leads_outside(path: str) -> bool:
    """Whether a path as a record holds it leads out of the repository by its letters alone."""
    return path.startswith("/") or posixpath.normpath(path).split("/")[0] == ".." or path[1:3] in (":/", ":\\")
