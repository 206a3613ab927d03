"""Pure rules about what documents state of themselves: front matter, keyed lines and the status of decisions."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from tx_graph.documents.document import BlockKind, Format, ReadDocument, ReadSection, Statement
from tx_graph.graph.edges import PREDICATES, predicate_of

_LAYOUT = frozenset(
    """layout template permalink url uri link slug id uid uuid key sidebar nav navigation navbar navtitle weight order
    position pos index toc tocdepth outline hide hidden draft drafts published publish unlisted listed prev next
    image images cover thumbnail banner hero icon logo logos avatar color colors colour theme css cssclass cssclasses
    class classes style styles script scripts js head meta robots canonical canonical_url redirect redirects
    redirect_from redirect_to aliases alias name title titles linktitle link_title short_title subtitle headline h1
    titletemplate pagetitle page_title page_type lang locale language comments comment search footer header features
    actions editlink edit_url custom_edit_url sitemap jupyter jupytext kernelspec orphan html_meta substitutions myst
    math mathjax katex latex mermaid highlight cascade outputs build menu menus series_order excerpt_separator
    grand_parent has_children has_toc full_width wide width cols columns ishomepage home lastupdated last_updated_at
    contributors_list pagefind tableofcontents collapsible collapsed expanded exclude noindex include includes
    feed rss render jsx esm format output pdf geometry fontsize documentclass bibliography csl reference_section_title
    globs alwaysapply allowed_tools model tools argument_hint disable_model_invocation""".split()
)
"""Of generators of sites, notebooks, pandoc, and of what agents are told about files."""
_LAYOUT_BEGINNINGS = (
    *("sidebar_", "nav_", "toc_", "hide_", "show_", "enable_", "disable_", "pagination_", "og_", "og:", "twitter_"),
    *("redirect_", "css_", "js_", "html_", "meta_", "menu_", "page_", "header_", "footer_", "image_", "cover_", "seo_"),
)
_LAYOUT_TYPES = frozenset("doc docs page pages post posts blog default list single home section landing".split())
_BUMPS = frozenset({"patch", "minor", "major"})  # what a changeset says of a package
_STATES = frozenset(
    "deprecated experimental stable beta alpha archived obsolete approved accepted rejected internal public required "
    "breaking reviewed implemented superseded".split()
)
"""What may be true or false of a document; any other switch is one of a generator."""
_TRUTHS = frozenset({"true", "false", "yes", "no", "on", "off"})
_COUNTS = frozenset(
    "version year number priority effort score estimate level phase milestone release adr rfc pep since until "
    "issue pr ticket".split()
)
"""What may be a bare number; under any other key it says where a page comes among its like."""

_ASIDES = frozenset(
    """note notes example examples warning tip tips caution important attention danger error hint info see usage todo
    fixme hack xxx ps nb tldr tl_dr update edit question answer q a input output result results step figure fig table
    listing source code default defaults returns return raises args arguments parameters yields""".split()
)
"""How a remark begins, `Note: …`, and not what something has."""

PEOPLE = frozenset(
    """author authors decider deciders decision_maker decision_makers owner owners maintainer maintainers reviewer
    reviewers approver approvers consulted informed stakeholder stakeholders participant participants contributor
    contributors assignee assignees editor editors driver drivers champion champions shepherd shepherds sponsor
    sponsors responsible accountable proposer proposers lead leads attendees""".split()
)
_LISTS = PEOPLE | frozenset(  # commas part their values
    "tags tag labels label keywords categories topics areas components scopes teams platforms languages".split()
)
_TIMES = frozenset(
    """date created created_at creation_date updated updated_at last_updated last_update last_modified modified decided
    decided_on decision_date start_date accepted_on proposed_on review_date last_reviewed reviewed_on date_created
    date_updated date_accepted expires valid_until""".split()
)
STATUS = "status"
STATUS_HEADINGS = frozenset({"status", "decision_status", "current_status"})
HEADINGS = _TIMES | PEOPLE | {"tags", "categories", "labels"}
"""Headings of decision records under which nothing but a value stands."""
_ANCHORS = (_TIMES | PEOPLE | {STATUS, "technical_story", "rfc_pr", "tracking_issue", "feature_name", "supersedes"}) - {
    "lead",
    "leads",
    "contributors",
    "driver",
    "drivers",
}


POINTING = frozenset(
    """next previous prev home toc index back top see see_further ref refs reference references cf example examples
    mentions link links read_more read_also further_reading""".split()
)

"""Predicates of links that only lead readers on, and say nothing of either end."""


def is_layout(key: str) -> bool:
    """Whether a key of front matter, in snake_case, says only how or where a page is shown."""
    return not key or key in _LAYOUT or key.startswith(_LAYOUT_BEGINNINGS)


def is_setting(predicate: str, value: str) -> bool:
    """Whether what front matter says under a key is a setting of a generator: a switch, a place in an order."""
    low = value.lower()
    if low in _TRUTHS:
        return predicate not in _STATES
    if low.replace(".", "", 1).lstrip("-").isdigit():
        return predicate not in _COUNTS and predicate not in _TIMES and predicate not in PREDICATES
    return low in _LAYOUT_TYPES if predicate == "type" else low in _BUMPS


LONGEST = 300  # characters; what is longer is prose and says more than one thing
_LONGEST_IN_LINE = 160
_MOST_WORDS = 20
_MOST_PARTS = 30
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPTY_LINK = re.compile(r"\[\s*\](?:\([^()]*\)|\[[^\[\]]*\])")
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_LINK = re.compile(r"\[([^\[\]]+)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_MAIL = re.compile(r"[<(][^<>()\s](?=[^<>()\s]*?@[^<>()\s])[^<>()\s]++[>)]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
_URL = re.compile(r"<?(?:[a-z][a-z0-9+.-]{1,15}://|www\.|mailto:)\S*>?", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\{.*\}|<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|[A-Z]?\.{3}|…|.*(?:YYYY|NNNN|\$\{|\{\{).*", re.DOTALL
)
_NOTHING = frozenset("none n/a na nil null ~ - -- — tbd tba todo ? ?? unknown empty undefined".split())
_COMMAS = re.compile(r"(?:(?<!\s)\s+)?[,;]\s*")
_ANDS = re.compile(r"(?:(?<!\s)\s+)?[,;]\s*(?:and\s+)?|(?<!\s)\s+(?:and|&)\s+")


def plain(text: str) -> str:
    """Return a line as its readers see it, without markup, comments and addresses of mail."""
    text = _COMMENT.sub("", text)
    if "[" in text:
        text = _EMPTY_LINK.sub("", _IMAGE.sub("", text))
        text = _LINK.sub(r"\1", _WIKI.sub(r"\1", text))
    text = _TAG.sub(" ", _MAIL.sub("", text)) if "<" in text or "@" in text else text
    text = _EMPHASIS.sub(r"\2", text).replace("`", "")
    return " ".join(html.unescape(text).split()).strip("*\\| ")


def values_of(predicate: str, written: str, *, longest: int = _LONGEST_IN_LINE) -> Iterator[str]:
    """Yield the values that a text behind a key gives; none where it is a placeholder, a bare address or prose."""
    if len(written) > longest * 4 or is_blank(_COMMENT.sub("", written).strip().strip("\"'`*")):
        return
    text = plain(written)
    parts = (_ANDS if predicate in PEOPLE else _COMMAS).split(text) if predicate in _LISTS else [text]
    for part in parts if len(parts) <= _MOST_PARTS else ():
        value = part.strip(" ,;").removesuffix(".") if part.count(".") == 1 else part.strip(" ,;")
        is_slot = value.lower() == predicate.replace("_", " ")
        is_short = len(value) <= longest and (longest >= LONGEST or value.count(" ") < _MOST_WORDS)
        if not is_slot and not is_blank(value) and is_short:
            yield value


def is_blank(value: str) -> bool:
    """Whether a value says nothing: `N/A`, a placeholder, a bare address."""
    if value.lower() in _NOTHING or not any(map(str.isalnum, value)):
        return True
    return bool(_PLACEHOLDER.fullmatch(value) or _URL.fullmatch(value))


_PLACES = re.compile(
    r"(?:^|/)(?:adrs?|(?:arch(?:itecture|itectural)?[-_ ]?)?decisions?(?:[-_ ]?(?:records?|logs?))?)/", re.IGNORECASE
)
_NO_RECORDS = frozenset({"readme", "index", "_index", "template", "contributing", "changelog", "toc", "summary"})
_TEMPLATE = re.compile(r"(?:^|[-_. /])templates?(?=[-_. /]|$)", re.IGNORECASE)
_NAMED = re.compile(r"adrs?[-_ ]?(?P<number>\d{1,5})(?!\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<written>\d{1,5})(?=[-_. ])")
_YEAR = re.compile(r"(?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])(?!\d*[a-z])")
_TITLED = re.compile(r"(?:ADR[- #]?(?P<adr>\d{1,5})\b|(?P<bare>\d{1,5})[.:)](?=\s))[\s.:)–—-]*", re.IGNORECASE)
_HEADING = re.compile(r"(?:ADR|Decision)[- #]?\d{1,5}\b\s*[:.)–—-]\s*\S", re.IGNORECASE)
_REFERENCE = re.compile(r"\bADR[- #]?0*(\d{1,5})\b", re.IGNORECASE)


def is_template(path: str) -> bool:
    """Whether a document is there to be copied, so that what it says holds of nothing."""
    return bool(_TEMPLATE.search(posixpath.splitext(path)[0]))


def is_decision(path: str, title: str) -> bool:
    """Whether a document records a decision: by where it lies, by its name, or by its title."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if stem.lower() in _NO_RECORDS or is_template(path):
        return False
    return bool(_PLACES.search(path) or _NAMED.match(stem) or (title[:3].upper() == "ADR" and _TITLED.match(title)))


def number_of(path: str, title: str) -> str:
    """Return the number of a decision record as it is written, `0003`; empty for one that has none, such as a date."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if named := _NAMED.match(stem):
        return named["number"]
    if (numbered := _NUMBERED.match(stem)) and not _YEAR.match(stem):
        return numbered["written"]
    titled = _TITLED.match(title)
    return (titled["adr"] or titled["bare"]) if titled else ""


def number_names(number: str) -> tuple[str, ...]:
    """Return what people call the record of a number: `ADR-3`, `ADR 0003` and the like."""
    written = dict.fromkeys((str(int(number)), number))
    return tuple(f"ADR{mark}{one}" for one in written for mark in "- ")


def without_number(title: str) -> str:
    """Return a title without the number that it begins with."""
    found = _TITLED.match(title)
    return title[found.end() :] if found else title


def referred_number(text: str) -> int | None:
    """Return the number of the only record that a text refers to as `ADR-3`, `ADR 0003`; None if there is none."""
    found = {int(number) for number in _REFERENCE.findall(text)}
    return found.pop() if len(found) == 1 else None


def decisions_within(title: str, headings: Sequence[tuple[str, int | None]]) -> list[int | None]:
    """Return for each section, given as (title, place of its parent), the place of the decision that it is part of.

    Some documents hold several records: each has a heading such as `ADR-3: Use SQLite` and is an entity of its own.
    None where a section speaks of the document; a document's own title is none of them.
    """
    records = {place for place, (text, _) in enumerate(headings) if _HEADING.match(text)}
    if len(records) == 1 and headings[next(iter(records))][0] == title:
        records = set()
    found: list[int | None] = []
    for place, (_, parent) in enumerate(headings):
        found.append(place if place in records else None if parent is None else found[parent])
    return found


_PROSE = (BlockKind.PARAGRAPH, BlockKind.ITEM)
_STATUS_MOST_WORDS = 8
_LONGEST = 500
_STATUS_MOST_LINES = 50
_RELATED = re.compile(
    r"(?P<verb>(?:partially\s+)?(?P<stem>supers\w+|superc\w+|replac\w+|obsolet\w+|amend\w+|deprecat\w+|updat\w+|extend\w+|"
    r"clarif\w+|refin\w+)(?:\s+(?:by|in|with))?)[\s:]+(?=[\[`<#(]|ADR|\d+\b)",
    re.IGNORECASE,
)
_STILL_SAID = re.compile(r"(?<![^\W\d_])[^\W\d_]+ed\b", re.IGNORECASE)
_STATUS_ITEM = re.compile(r"(?<![ \t>])[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]+")


def status_said(written: str) -> Iterator[tuple[str, str]]:
    """Yield what a text behind `Status` says, as (predicate, value): the status, and what record it leads to."""
    written = written[:_LONGEST]
    related = _RELATED.search(written)
    before = written[: related.start()] if related else written
    words = plain(before).strip(" ,;.(–—-")
    if not words and related and (still := _STILL_SAID.search(related["verb"])):
        words = still[0]  # what was superseded is said to be so; what supersedes another one is not
    if words.count(" ") < _STATUS_MOST_WORDS:
        yield from ((STATUS, value) for value in values_of(STATUS, words))
    if related and (number := referred_number(written[related.end() :])) is not None:
        yield predicate_of(related["verb"]), f"ADR-{number}"


_MARK = r"(?:\*{1,3}|_{1,2})?"
_ITEM = r"(?:[-*+•]|\d{1,9}[.)])[ \t]+"
_LINE = re.compile(
    rf"""
    (?P<indent>[ \t>]*) (?P<item>{_ITEM})? (?:\[[ xX]\][ \t]+)? (?P<bracket>[(\[])? {_MARK}
    (?P<key>[^\W\d_][\w/-]*(?:[ \t][\w/-]+){{0,3}}) [ \t]?{_MARK}[ \t]? (?P<colons>::?) {_MARK}
    (?:[ \t]+(?P<value>\S.*))? [ \t]*
    """,
    re.VERBOSE,
)
_NESTED = re.compile(rf"[ \t>]*{_ITEM}(\S.*)")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(?:```|~~~)")
_CLOSING = {"(": ")", "[": "]"}
_LONGEST_LINE = 1_000
_MOST_LINES = 60  # of a block: what is longer lists something else


class KeyedLine(NamedTuple):
    """A line with a key in snake_case, and the texts that stand behind it: one, or the items below."""

    predicate: str
    is_marked: bool
    values: tuple[str, ...]


def marked_lines(section: ReadSection) -> Iterator[KeyedLine]:
    """Yield the lines `key:: value` of a section, wherever they stand in running text."""
    for block in section.blocks if "::" in section.text else ():
        text = section.text[block.start : block.end]
        is_code = False
        for line in text.split("\n") if block.kind in _PROSE and "::" in text else ():
            if _FENCE.match(line):
                is_code = not is_code
            elif not is_code and (keyed := _keyed(line)) and keyed.is_marked and keyed.predicate not in _ASIDES:
                yield keyed


def head_lines(section: ReadSection) -> Iterator[KeyedLine]:
    """Yield the lines `Key: value` that stand together with one that speaks of the document, as `Author` does."""
    runs: list[list[KeyedLine]] = [[]]
    for block in section.blocks:
        if block.kind is not BlockKind.HTML:
            lines = _of_block(block.kind, section.text[block.start : block.end])
            runs[-1] += lines
            runs += [] if lines else [[]]
    for run in runs:
        if any(line.predicate in _ANCHORS for line in run):
            yield from (line for line in run if line.predicate not in _ASIDES and not line.is_marked)


def _of_block(kind: BlockKind, text: str) -> list[KeyedLine]:
    """Return the keyed lines of a block in which every line is one, or goes on with the one before."""
    lines = text.split("\n")
    if kind not in _PROSE or len(lines) > _MOST_LINES:
        return []
    found: list[KeyedLine] = []
    for line in lines:
        if keyed := _keyed(line):
            found.append(keyed)
        elif line.strip(" \t>"):
            if not found:
                return []
            before, nested = found[-1], _NESTED.match(line)
            if nested and before.predicate in _LISTS:  # an item of the list that it begins
                found[-1] = before._replace(values=(*before.values, nested[1]))
            elif before.values and before.values[-1].rstrip().endswith(",") and not nested:
                more = f"{before.values[-1].rstrip()} {line.strip()}"
                found[-1] = before._replace(values=(*before.values[:-1], more))
            else:
                return []
    return [line for line in found if line.values]


def _keyed(line: str) -> KeyedLine | None:
    found = _LINE.fullmatch(line) if ":" in line and len(line) <= _LONGEST_LINE else None
    if not found:
        return None
    value = (found["value"] or "").rstrip()
    if found["bracket"]:
        closing = _CLOSING[found["bracket"]]
        if not value.endswith(closing) or closing in value[:-1]:
            return None  # the beginning of a link or a remark
        value = value[:-1]
    return KeyedLine(predicate_of(found["key"]), found["colons"] == "::", (value,) if value else ())


MOST = 200  # statements of one document: more is data, not what a document says of itself
_MOST_WORDS_OF_STATUS = 4  # of a status in what is no record: more are prose, as that of a parameter `status`
_CERTAIN, _LIKELY = 1.0, 0.9  # confidence: in front matter and in the status of a decision; in any other line
_KEY = re.compile(r"[^\W\d_][\w .-]*")  # what is none, as `@scope/package`, is data
_Said = tuple[int, str, str, float]


def statements_of(path: str, document: ReadDocument) -> tuple[Statement, ...]:
    """Return what a document states with literal values, each once, in source order; a template states nothing."""
    if is_template(path):
        return ()
    statements = (
        Statement(*one)
        for one in _said(path, document)
        # unless links of the same section say it already
        if all(link.predicate != one[1] for link in document.sections[one[0]].links)
    )
    return tuple(islice({one[:3]: one for one in statements}.values(), MOST))


def _said(path: str, document: ReadDocument) -> Iterator[_Said]:
    for key, values in document.fields:
        predicate = predicate_of(key) if _KEY.fullmatch(key) else ""
        if predicate == STATUS:
            yield from ((0, *said, _CERTAIN) for value in values for said in status_said(value))
        elif not is_layout(predicate):
            for value in (one for written in values for one in values_of(predicate, written, longest=LONGEST)):
                if not is_setting(predicate, value):
                    yield 0, predicate, value, _CERTAIN
    headings = [(section.title, section.parent) for section in document.sections]
    within = decisions_within(document.title, headings)
    is_record = is_decision(path, document.title)
    # The section whose heading is the title: the first one of the highest level.
    top = min((section.level for section in document.sections[1:] if section.title), default=0)
    title = next((place for place, one in enumerate(document.sections) if place and one.level == top), 0)
    for place, section in enumerate(document.sections):
        if place in (0, title, within[place]):
            yield from _in_lines(place, head_lines(section))
        if document.format is not Format.RST:  # two colons begin a literal block there
            yield from _in_lines(place, marked_lines(section))
        yield from _under_heading(place, section, is_record=is_record or within[place] is not None)


def _in_lines(place: int, lines: Iterator[KeyedLine]) -> Iterator[_Said]:
    for predicate, _, values in lines:
        for written in values:
            if predicate == STATUS:
                yield from ((place, *said, _CERTAIN) for said in status_said(written))
            elif predicate != "title":
                yield from ((place, predicate, value, _LIKELY) for value in values_of(predicate, written))


def _under_heading(place: int, section: ReadSection, *, is_record: bool) -> Iterator[_Said]:
    """Yield what a heading such as `Status`, `Status: accepted` or `Deciders` says with the little that is below it."""
    key, _, rest = section.title.partition(":")
    predicate = predicate_of(key)
    if place and predicate in STATUS_HEADINGS:
        said: list[tuple[str, str]] = list(status_said(rest)) if rest.strip() else []
        prose = (block for block in section.blocks if block.kind in _PROSE and not rest.strip())
        lines = (line for block in prose for line in section.text[block.start : block.end].split("\n"))
        for line in islice(lines, _STATUS_MOST_LINES):  # the first that gives a status, and what follows
            has_status = any(key == STATUS for key, _ in said)
            more = status_said(_STATUS_ITEM.sub("", line, count=1))
            said += [one for one in more if not (has_status and one[0] == STATUS)]
        yield from ((place, *one, _CERTAIN) for one in said if is_record or one[1].count(" ") < _MOST_WORDS_OF_STATUS)
    elif place and is_record and predicate in HEADINGS:
        for block in section.blocks:
            if block.kind in _PROSE:
                written = section.text[block.start : block.end].lstrip(" \t-*+•>")
                yield from ((place, predicate, value, _LIKELY) for value in values_of(predicate, written))
