"""Documents as trees of sections: what is one, what reading it brings, and how its parts are named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from tx_graph.code.languages import MARKUP
from tx_graph.core.dataclass import dataclass
from tx_graph.graph.edges import NodeId, Relation


class Format(StrEnum):
    """How a document is written."""

    MARKDOWN = "markdown"
    RST = "rst"
    TEXT = "text"


_ENDINGS = {**MARKUP, Format.TEXT: "txt text"}
_BY_ENDING = {ending: Format(written) for written, endings in _ENDINGS.items() for ending in endings.split()}
_NAMES = frozenset(
    """architecture authors bugs changelog changes code_of_conduct contributing contributors copying copyright credits
    design faq governance hacking history install installing licence license maintainers news notice patents readme
    roadmap security support thanks todo upgrading usage""".split()
)
"""Files that people write without an ending. Lower case would be a command (`install`), but for `readme`."""
_FOR_MACHINES = re.compile(
    r"""
    cmakelists | robots | humans | ads | app-ads | sources | top_level | entry_points | dependency_links
    | namespace_packages | manifest | wordlist | stopwords | versions? | meson_options | .*\.lock
    | (?:.*[-_.])? (?:requirements|constraints|excludes?|allowlist|blocklist|whitelist|blacklist|ignore) (?:[-_.].*)?
    """,
    re.VERBOSE,
)
"""Names of text files that programs read, without their ending."""
_DATA = frozenset(
    """__snapshots__ constraints corpora corpus data fixture fixtures golden requirements snapshots test-data test_data
    testdata""".split()
)
"""Directories whose text files are data; Markdown in them may well be for people."""


ANALYSIS = "documents"  # what reading documents is called among analyses
VERSION = 2
"""Of the way in which documents are read and cut: with another one than the last time all are read again."""


_CHRONICLE = re.compile(
    r"(?:^|[/_. -])(?:changelogs?|changes?|history|historical|news|releases?|release[-_]?notes?|whats[-_]?new"
    r"|what's-new|migrat\w*"
    r"|upgrad\w*|blogs?|posts?|adrs?|decisions?|rfcs?|[jkpst]eps?|(?:sw|k|e|b|fl)ips?|notes|enhancements?|proposals?|archive[ds]?|legacy|old|outdated|obsolete|retired|removed|attic|roadmap"
    r"|todo|authors"
    r"|contributors|credits|copying|(?:licen[cs]es?|notice)(?![_ -])|changesets?|newsfragments|upcoming\w*|deprecat\w*"
    r"|versioned_\w+"
    r"|meeting\w*|minutes|design[-_]docs?|refactor(?:ing)?|(?<![_.-])designs?(?=/)|plans?|planning|journal|(?:dev|work)[-_]?logs?|postmortems?|announce\w*"
    r"|(?:analys[ei]s|assessments?|audits?|brainstorms?|briefs?|critiques?|done|epics?|findings|hand(?:off|over)s?|ideas?"
    r"|issues"
    r"|interviews|journey|logs?|pocs?|prds?|reports?|research|retro\w*|roadmaps|skipped|specs|spikes?|sprints?|stories|tickets?)"
    r"(?=/(?!(?:.*/)?readme))|handoff(?=\.)"
    r"|(?<=[^/][_-])(?:assessment|audit|findings|remediation|reports?|summary)(?=[_.-])"
    r"|(?-i:COMPLETED?(?=_)|(?<=[A-Z\d][_-])(?:ANALYSIS|COMPLET(?:ED?|ION)|PROGRESS|RESULTS|STATUS)(?=[_.-]))"
    r"|(?:docs?|documentation|website|content|site)/(?:\S*[/_.-])?v\d+|v?\d+(?:\.(?:\d+|x))+"
    r"|guides/[\d.]+|\d{4}-\d\d(?:-\d\d)?\w*|20\d{6}\w*)(?:[/_. -]|$)",
    re.IGNORECASE,
)
"""Paths of what tells of the past, or of what is to come: it was true when it was written."""


def tells_of_the_past(path: str) -> bool:
    """Whether a document is a chronicle, a record or a plan: that something in it is not so any more is no news."""
    return bool(_CHRONICLE.search(path))


def format_of(path: str) -> Format | None:
    """Return how a document is written, None for a path that is no document."""
    directory, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem:
        low = name.lower()
        is_written_so = name.isupper() or low == "readme" or name == low.capitalize()
        return Format.TEXT if is_written_so and low.partition("-")[0] in _NAMES else None
    found = _BY_ENDING.get(ending.lower())
    if found is not Format.TEXT:
        return found
    is_data = _FOR_MACHINES.fullmatch(stem.lower()) or not _DATA.isdisjoint(directory.lower().split("/"))
    return None if is_data else found


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
    """A block by its place in the text of its section. A tuple, as links are: documents have many, made fast."""

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


class ReadSection(NamedTuple):
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


class ReadDocument(NamedTuple):
    """A document as it was read: its sections in the order of the source, and what could not be made sense of.

    `title` is that of the front matter, else the first heading of the highest level, else empty. `fields` are what the
    front matter says besides, `aliases` by what other names it calls the document.
    """

    format: Format
    title: str
    sections: tuple[ReadSection, ...]
    problems: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    aliases: tuple[str, ...] = ()


HEADINGS_PART = " › "  # stands between the titles that lead down to a section


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A section, or a part of a long one, that has text: what search returns. `document` is the path."""

    node: NodeId
    ref: str
    document: str
    title: str
    headings: tuple[str, ...]
    text: str
    content_hash: str
    line_start: int
    line_end: int


class SectionEdge(NamedTuple):
    """An edge of a section; weight in (0, 1]. `origin`: `structure`, `link`, a model, `agent` or `vectors`."""

    source: NodeId
    target: NodeId
    relation: Relation
    weight: float = 1.0
    description: str = ""
    origin: str = "structure"


def section_key(path: str, slug: str, part: int = 0) -> str:
    """Return how a section is named, `docs/a.md#setup`; a part of it is `docs/a.md#setup~2`."""
    return f"{path}#{slug}~{part}" if part else f"{path}#{slug}"


class Statement(NamedTuple):
    """That something has a value: `status`, `Accepted`; by the place of its section, confidence in (0, 1]."""

    section: int
    predicate: str
    value: str
    confidence: float


MARK = "^"  # stands between the subject of a relation note and its predicate
_NOTE = re.compile(r"(?P<subject>.*[^^])\^(?P<predicate>[^\s^#/]+?)(?:-(?P<number>[1-9]\d{0,8}))?", re.DOTALL)


class NoteName(NamedTuple):
    """How a relation note is named: `number` counts from 1 those of one subject with the same predicate."""

    subject: str
    predicate: str
    number: int = 1

    @property
    def ref(self) -> str:
        """Its reference; a document as subject keeps the mark of its sections, `docs/a.md#^depends_on`."""
        repeated = f"-{self.number}" if self.number > 1 else ""
        return f"{self.subject}{MARK}{self.predicate}{repeated}"


def note_named(text: str) -> NoteName | None:
    """Return what a reference names if it is that of a relation note."""
    found = _NOTE.fullmatch(text.strip())
    return found and NoteName(found["subject"], found["predicate"], int(found["number"] or 1))


def numbers(predicates: Iterable[str]) -> Sequence[int]:
    """Return for each predicate how often it has come by then."""
    seen: dict[str, int] = {}
    found = []
    for predicate in predicates:
        seen[predicate] = seen.get(predicate, 0) + 1
        found.append(seen[predicate])
    return found
