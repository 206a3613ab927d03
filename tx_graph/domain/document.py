"""Documents as they are read: a tree of sections with the links, names and typed lines that stand in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Format(StrEnum):
    """How a document is written."""

    MARKDOWN = "markdown"
    RST = "rst"
    TEXT = "text"


class LinkKind(StrEnum):
    """How something points at something else.

    `link` is a destination as Markdown and reStructuredText write it (`other.md#part`, `#part`, `../src/auth.py`),
    `label` a name that some document gives to a place (reStructuredText's `:ref:`), `wiki` is what stands in
    `[[…]]` or as a bare value in a typed line or in front matter: a page by its name or path, wherever it lies.
    `code` is inline code that may name a file or symbol, and `name` such a name in running text.
    """

    LINK = "link"
    LABEL = "label"
    WIKI = "wiki"
    CODE = "code"
    NAME = "name"


class BlockKind(StrEnum):
    """What a block of a section is; `code`, `table` and `html` are not to be torn apart."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"
    HTML = "html"


class Block(NamedTuple):
    """A block by its place in the text of its section: characters from `start` up to, but not including, `end`.

    A tuple, as links are: documents have many of both, and tuples are made several times as fast as dataclasses.
    """

    kind: BlockKind
    start: int
    end: int


class Link(NamedTuple):
    """What a section points at, as it is written.

    `target` is the destination without its title and not percent-decoded, `text` the words that carry it. A
    `predicate` makes it a typed one: `depends_on` of a line `- depends_on:: [[auth]]`, normalised to snake_case.
    `line` counts from 1.
    """

    kind: LinkKind
    target: str
    line: int
    text: str = ""
    predicate: str = ""


class Field(NamedTuple):
    """What the front matter of a document says under one key: one value, or each of a list, as it is written."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSection:
    """One section: its heading, and its own text up to the next heading of any level.

    The first section of a document stands for the document itself: level 0, no slug, and as its text what comes
    before the first heading, without front matter. `parent` is a place among the document's sections, None for the
    first. `slug` is GitHub's, unique in the document (`usage-1` for a repeat); `labels` are other names by which
    links reach the section. Lines count from 1; `line_end` is the last one of its own text.
    """

    level: int
    title: str
    slug: str
    parent: int | None
    text: str
    line_start: int
    line_end: int
    labels: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A document as it was read: its sections in the order of the source, and what could not be made sense of.

    `title` is that of the front matter, else the first heading of the highest level, else empty. `fields` are what the
    front matter says besides, `aliases` by what other names it calls the document.
    """

    format: Format
    title: str
    sections: tuple[ReadSection, ...]
    problems: tuple[str, ...] = field(default=())
    fields: tuple[Field, ...] = ()
    aliases: tuple[str, ...] = ()
