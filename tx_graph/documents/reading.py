"""Drafts: sections as the readers of Markdown and reStructuredText gather them, and the document that they make."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from tx_graph.code.languages import LANGUAGES
from tx_graph.code.symbols import SECTION, Extent, Symbol
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.labels import is_unicode
from tx_graph.documents.document import Block, BlockKind, Format, Link, LinkKind, ReadDocument, ReadSection, format_of
from tx_graph.graph.edges import PREDICATES, predicate_of

_KEPT = frozenset("Lu Ll Lt Lm Lo Nl Nd Mn Mc Me Pc".split())
"""General categories of what is a letter, mark, digit or connector."""
_CIRCLED = (range(0x24B6, 0x24EA), range(0x1F130, 0x1F14A), range(0x1F150, 0x1F16A), range(0x1F170, 0x1F18A))
"""Symbols that Unicode calls alphabetic."""
_ASCII = {code: None for code in range(128) if not chr(code).isalnum() and chr(code) not in "_-"} | {ord(" "): "-"}


def slug_of(heading: str) -> str:
    """Return the slug of a heading's plain text, as if it were the only heading; it may be empty."""
    low = heading.lower()
    if low.isascii():
        return low.translate(_ASCII)
    return "".join(
        "-" if char == " " else char
        for char in low
        if char in " -" or unicodedata.category(char) in _KEPT or any(ord(char) in circled for circled in _CIRCLED)
    )


class Slugs:
    """Gives the headings of one document their slugs, in the order of the source, each once."""

    def __init__(self) -> None:
        # What has no letters is called by its number alone; the empty name is the document's own.
        self._numbers = {"": 0}

    def give(self, heading: str) -> str:
        """Return the slug of the next heading, with a number if it was given before."""
        first = slug = slug_of(heading)
        while slug in self._numbers:
            self._numbers[first] += 1
            slug = f"{first}-{self._numbers[first]}"
        self._numbers[slug] = 0
        return slug


_OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z\d+-]*:|//")


def may_be_here(target: str) -> bool:
    """Return whether a destination is a path or a part of a page: not a URL, an address of mail, or nothing."""
    return bool(target.strip("#")) and not _OUTSIDE.match(target)


_LONGEST = 200  # characters; nobody calls a file or symbol by more
_ENDINGS = "|".join(
    re.escape(ending.removeprefix("."))
    for ending in sorted(
        {ending for language in LANGUAGES.values() for ending in language.extensions.split()}.union(
            """.adoc .bat .cfg .cmake .conf .css .csv .dart .env .erl .fs .gradle .graphql .hcl .hs .html .ini .ipynb
            .jl .json .jsonc .less .lock .md .mdx .mjs .ml .nix .pl .pm .proto .ps1 .r .rst .sass .scss .sol .sql
            .svelte .svg .template .tf .tmpl .toml .tsv .txt .xml .yaml .yml .zig .zsh""".split()
        ),
        key=len,
        reverse=True,
    )
)
_SEGMENT = r"[\w@.+~-]*[\w+]"
_LINES = r"(?::\d+(?:-\d+)?(?::\d+)?|\#L\d+(?:-L?\d+)?)?"
_IDENTIFIER = r"[^\W\d]\w*"
_QUALIFIED = rf"{_IDENTIFIER}(?:(?:\.|::|\#){_IDENTIFIER})*"

_PATH = re.compile(
    rf"(?!-)(?P<path>(?:\.{{0,2}}/)?(?:(?:{_SEGMENT}/)+{_SEGMENT}|[\w.+~-]*[\w+]\.(?:{_ENDINGS})))"
    rf"(?:(?P<symbol>::{_IDENTIFIER}(?:(?:::|\.){_IDENTIFIER})*)(?:\(\))?|{_LINES})"
)
_CALL = re.compile(rf"(?P<name>{_QUALIFIED})!?\([^()]*\)")
_SYMBOL = re.compile(_QUALIFIED)
_DOTTED = re.compile(r"[^\W\d]\w+(?:(?:\.|::|\#)[^\W\d]\w+)+")  # shorter parts would make a name of every abbreviation
_TWO_WORDS = re.compile(
    r"(?=[^\W\d])(?:[A-Z]?[a-z\d]+(?:[A-Z][a-z\d]*)+|[A-Z]{2,}[a-z]{2,}\w*|_*[^\W_]+(?:_+[^\W_]+)+_*)"
)
"""CamelCase with two humps, and snake_case."""
_BOTH_PLAIN = re.compile(r"[^\W\d_]+/[^\W\d_]+(?:/[^\W\d_]+)?")  # `and/or`: as a path it would be a directory
_VERSION = re.compile(r"[vV]?\d+(?:[.\-]\w+)*\+?")
_FILES = frozenset("README LICENSE CHANGELOG CONTRIBUTING AUTHORS CODEOWNERS NOTICE COPYING".split())
_LITERALS = frozenset("True False None Null Nil Self String Number Boolean Integer Object Array".split())
_OPENING = "([{<\"'“\u2018*`|"
_CLOSING = ".,;:!?]}>\"'”’…*`|"

_LOWER = b"abcdefghijklmnopqrstuvwxyz0123456789" + bytes(range(0x80, 0x100))
_UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WHITE = b" \t\n\x0b\x0c\r\0"


def _shapes(*kinds: tuple[bytes, bytes]) -> bytes:
    """Return the table that writes one sign for each of some characters."""
    signs = {char: kind[0] for chars, kind in kinds for char in chars}
    return bytes(signs.get(char, char) for char in range(0x100))


_SEPARATED = _shapes((_LOWER + _UPPER, b"a"), (b"_/.:#", b"."), (_WHITE, b" "))
_SEPARATOR = re.compile(rb"\.(?:a(?<=a\.a)|\.a(?<=a\.\.a))")
_HUMPED = _shapes((_LOWER, b"a"), (_UPPER, b"A"), (_WHITE, b" "))
_HUMP = re.compile(rb"A(?:(?<=aA)|Aaa)")
_CALLED = re.compile(rb"\(\)")


@lru_cache(maxsize=65_536)
def code_target(code: str) -> str:
    """Return the file or symbol that inline code may name, without line numbers and arguments; else nothing."""
    if len(code) > _LONGEST:
        return ""
    if code.isidentifier():
        if code.isalpha() and (code.islower() or code.isupper()):
            return code if code in _FILES else ""  # else a keyword, a value or the name of an option
        return "" if code in _LITERALS else code
    if path := _path(code):
        return path
    if "(" in code:
        call = _CALL.fullmatch(code)
        return call["name"] if call else ""
    return code if _SYMBOL.fullmatch(code) else ""


def names_in(text: str) -> list[tuple[int, str]]:
    """Return what looks like names of files and symbols in running text, each with the number of lines before it.

    Names are looked for by their shapes, in bytes: that takes a tenth of what a regular expression does.
    """
    data = text.encode()
    separated, humped = data.translate(_SEPARATED), data.translate(_HUMPED)
    words: set[tuple[int, int]] = set()
    for shapes, sign in ((separated, _SEPARATOR), (humped, _HUMP), (separated, _CALLED)):
        found = sign.search(shapes)
        while found:
            place = found.start()
            end = separated.find(b" ", place)
            end = len(data) if end < 0 else end
            start = separated.rfind(b" ", max(place - _LONGEST, 0), place) + 1
            if end - start <= _LONGEST:
                words.add((start, end))
            found = sign.search(shapes, end)
    names = []
    line = place = 0
    for start, end in sorted(words):
        if name := _name_of(data[start:end].decode()):
            line += data.count(b"\n", place, start)
            place = start
            names.append((line, name))
    return names


@lru_cache(maxsize=65_536)
def _name_of(word: str) -> str:
    # Without what punctuation is around it; the brackets of a call stay.
    name = word.lstrip(_OPENING).rstrip(_CLOSING)
    while name.endswith(")") and name.count(")") > name.count("("):
        name = name[:-1].rstrip(_CLOSING)
    name = name.removesuffix("'s").removesuffix("’s")
    if name.isalpha() and (name.islower() or name.istitle() or name.isupper()):
        return ""
    if path := _path(name):
        return "" if _BOTH_PLAIN.fullmatch(name) else path
    if name.endswith(")"):
        call = _CALL.fullmatch(name)
        return call["name"] if call else ""
    is_symbol = _TWO_WORDS.fullmatch(name) or _DOTTED.fullmatch(name)
    return name if is_symbol and (not name.isupper() or "_" in name) else ""


def _path(text: str) -> str:
    found = _PATH.fullmatch(text) if "/" in text or "." in text else None
    if not found or _VERSION.fullmatch(text) or not any(map(str.isalpha, text)):
        return ""
    return found["path"] + (found["symbol"] or "")


def is_path(text: str) -> bool:
    """Return whether a text is a path of a file, or one with a part of it: `docs/adr/003.md#decision`."""
    name = text.partition("#")[0]
    return len(name) <= _LONGEST and bool(_path(name))


_MARKS = r"(?:\*\*|__|\*|_)?"
_START = rf"[ \t>]*(?:(?:[-*+•]|\d{{1,9}}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[(\[:]?{_MARKS}"
_WORDS = r"[^\W\d_][\w-]*(?:[ \t][\w-]+){0,2}"
_KEYED = re.compile(rf"{_START}(?P<key>{_WORDS})[ \t]?{_MARKS}(?P<colons>::?){_MARKS}[ \t]+(?P<value>\S)")
_UNKEYED = re.compile(
    rf"{_START}(?:[\w ]{{1,40}}[,;–—-][ \t]+)?(?P<key>{_WORDS})[ \t]?{_MARKS}:?[ \t]+(?P<value>[\[`<])"
)
"""As records of decisions write it: `Accepted, superseded by [ADR 7](007.md)`."""
_ONE = re.compile(
    r"""
    (?P<linked> !?\[\[[^\[\]\n]+\]\]
      | !?\[ (?:[^\[\]\n]|\[[^\[\]\n]*\])* \] (?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])?
      | <a\b[^<>]*>[^<>]*</a> | <[^<>\s]+>
      | :[\w:+.-]+:`[^`\n]+` | `[^`\n]+`_ )
    | (?P<ticks>``?) (?P<code>[^`\n]+) (?P=ticks)
    | (?P<bare> [^\s,;`\[\]()<>]+ )
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"[ \t]*(?:,|;|&|\+|\band\b|\bor\b)[ \t]*(?:and\b[ \t]*)?")
_STATUS = "status"
_COLON = re.compile(r":(?::|(?:[^\n]{0,80}[ \t]|[*_]{0,2})$|[*_ \t]{1,4}(?:[`:\[<]|[^\s:]{0,80}[./]\w))", re.MULTILINE)
"""What stands before a link, which may be the next text, or before a path."""
_LAST_WORDS = frozenset({_STATUS}.union(predicate.rpartition("_")[2] for predicate in PREDICATES))
_LONGEST_WORD = 40


class TypedLine(NamedTuple):
    """What a line says: a predicate, and where its targets are, from `start` up to, but not including, `end`.

    `names` are the targets that are no links, as (kind, target, place): bare paths and inline code.
    """

    predicate: str
    start: int
    end: int
    names: tuple[tuple[LinkKind, str, int], ...] = ()


def texts_with_keys(texts: str) -> Iterator[int]:
    """Yield which of some texts, one a line, may hold the key of a typed line; the value may be in the next one.

    This is quick and says yes too often: whether the line is one, `typed_line` tells.
    """
    number = at = 0
    for colon in _COLON.finditer(texts):
        place = colon.start()
        before = texts[max(place - _LONGEST_WORD, 0) : place].split()
        if colon[0] == "::" or (before and before[-1].strip("*_").lower() in _LAST_WORDS):
            number += texts.count("\n", at, place)
            at = place
            yield number


def typed_line(line: str, *, under_status: bool = False) -> TypedLine | None:
    """Return what a line says of relations, None for any other line.

    `key:: target` may have any key of up to three words, `Key: target` only a known predicate. The value has to begin
    with a link or a path; more of them may follow, parted by commas. Under a heading `Status` no colon is needed.
    """
    keyed = _KEYED.match(line)
    if keyed:
        key = predicate_of(keyed["key"])
        if keyed["colons"] == "::" or key in PREDICATES:
            return _with_targets(key, line, keyed.start("value"))
        under_status = key == _STATUS
    if not under_status:
        return None
    found = _UNKEYED.match(line, keyed.start("value") if keyed else 0)
    key = predicate_of(found["key"]) if found else ""
    return _with_targets(key, line, found.start("value")) if found and key in PREDICATES else None


def _with_targets(predicate: str, line: str, start: int) -> TypedLine | None:
    """Return a line whose value begins with links and paths, parted by commas; None where it does not."""
    names: list[tuple[LinkKind, str, int]] = []
    place = end = start
    while found := _ONE.match(line, place):
        bare = (found["bare"] or "").rstrip(".")
        if found["bare"] and not is_path(bare):
            break
        if bare:
            names.append((LinkKind.WIKI, bare, found.start()))
        elif found["code"] and (target := code_target(found["code"])):
            names.append((LinkKind.CODE, target, found.start()))
        end = found.end()
        after = _NEXT.match(line, end)
        if not after:
            break
        place = after.end()
    return TypedLine(predicate, start, end, tuple(names)) if end > start else None


Found = tuple[int, LinkKind, str, str, str]
"""A link where it was found: an offset in the source, and kind, target, text and predicate. Bare tuples, since there
are ten thousand of them in a megabyte."""


@dataclass(slots=True)
class Draft:
    """A section in the making. It begins at `start` and goes on to where the next one does; level 0 is the document."""

    level: int
    start: int
    title: str = ""
    slug: str = ""
    labels: list[str] = field(default_factory=list)


def line_starts(lines: Iterable[str]) -> list[int]:
    """Return where each line begins in the text that they make, and where one more would."""
    return [0, *accumulate(len(line) + 1 for line in lines)]


def parents(levels: Iterable[int]) -> list[int | None]:
    """Return for each section the place of the one it belongs to: the nearest before it of a lesser level."""
    found: list[int | None] = []
    open_sections: list[tuple[int, int]] = []
    for place, level in enumerate(levels):
        while open_sections and open_sections[-1][0] >= level:
            open_sections.pop()
        found.append(open_sections[-1][1] if open_sections else None)
        open_sections.append((level, place))
    return found


def title_of(headings: Iterable[tuple[int, str]]) -> str:
    """Return the first of the headings, given as level and text, that has the highest level; empty without any."""
    telling = [(level, text) for level, text in headings if text]
    return min(telling, key=lambda one: one[0])[1] if telling else ""


def with_predicates(found: Iterable[Found], lines: Sequence[tuple[int, TypedLine]]) -> list[Found]:
    """Return links with the predicates of the typed lines that they stand in, and what else these lines name.

    The lines come in order, each with the place where it begins.
    """
    if not lines:
        return list(found)
    starts = [place for place, _ in lines]
    result = [(place + at, kind, name, "", line.predicate) for place, line in lines for kind, name, at in line.names]
    for link in found:
        place, kind, target, text, _ = link
        begin, line = lines[max(bisect_right(starts, place) - 1, 0)]
        if not begin <= place < begin + line.end:
            result.append(link)
        elif kind is not LinkKind.NAME:  # its names were found above, and its key is none
            result.append((place, kind, target, text, line.predicate if place >= begin + line.start else ""))
    return result


def links_of(found: Sequence[Found], source: str | bytes, *, start: int, line: int) -> Iterator[Link]:
    """Yield the links of a section that begins at `start` in `line`, found in this order, each once.

    What is typed is not repeated as a plain link.
    """
    seen = {(kind, target, "") for _, kind, target, _, predicate in found if predicate}
    line_end: Any = "\n" if isinstance(source, str) else b"\n"
    for place, kind, target, text, predicate in found:
        key = (kind, target, predicate)
        if key not in seen:
            seen.add(key)
            line += source.count(line_end, start, place)
            start = place
            yield Link(kind, target, line, text, predicate)


TITLED = re.compile(r"(?P<text>(?:.*\S)?)\s*<(?P<target>[^<>]+)>\Z", re.DOTALL)
_IN_ROLE = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#|/)[^\W\d][\w$]*)*")
_LABELS = frozenset("ref numref".split())
_PAGES = frozenset("doc download".split())
_LITERAL_ROLES = frozenset("code literal file samp".split())
_NOT_NAMES = frozenset(
    """abbr abbreviation command cve cwe dfn emphasis enumref eq envvar ghc gh guilabel index issue kbd keyword
    mailheader makevar manpage math menuselection mimetype newsgroup option pep pr pull program regexp rfc strong sub
    subscript sup superscript t term title title-reference token user commit""".split()
)


def by_role(place: int, role: str, body: str) -> Found | None:
    """Return what a role points at, given without its domain; None for one that names no place here."""
    titled = TITLED.match(body)
    text, target = (titled["text"], titled["target"]) if titled else ("", body)
    if role in _LABELS:
        return (place, LinkKind.LABEL, target, text, "")
    if role in _PAGES:
        return (place, LinkKind.LINK, target, text, "") if may_be_here(target) else None
    if role in _NOT_NAMES:
        return None
    if role in _LITERAL_ROLES:
        name = code_target(target)
    else:
        qualified = _IN_ROLE.match(target.lstrip("~.!"))
        name = qualified[0] if qualified else ""
    return (place, LinkKind.CODE, name, text, "") if name else None


_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_PARAGRAPH_ENDS = re.compile(r"\n(?:[ \t]*\n)+")


def read_plain(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    start = _BLANK_LINES.match(text).end()  # type: ignore[union-attr]  # it may match nothing
    own = text[start:].rstrip()
    line = 1 + text.count("\n", 0, start) if own else 1
    lines = own.split("\n")
    starts = line_starts(lines)
    names = [(starts[number], LinkKind.NAME, name, "", "") for number, name in names_in(own)]
    candidates = ((number, typed_line(lines[number])) for number in dict.fromkeys(texts_with_keys(own)))
    typed = [(starts[number], found) for number, found in candidates if found]
    ends = [(0, 0), *(end.span() for end in _PARAGRAPH_ENDS.finditer(own)), (len(own), len(own))]
    paragraphs = (Block(BlockKind.PARAGRAPH, start, end) for (_, start), (end, _) in pairwise(ends) if end)
    section = ReadSection(
        level=0,
        title="",
        slug="",
        parent=None,
        text=own,
        line_start=line,
        line_end=line + own.count("\n"),
        blocks=tuple(paragraphs),
        links=tuple(links_of(sorted(with_predicates(names, typed)), own, start=0, line=line)),
    )
    return ReadDocument(format=Format.TEXT, title="", sections=(section,))


def read_document(path: str, text: str) -> ReadDocument:
    """Return what a document says; a path that is none is read as plain text.

    Line ends become Unix ones and a byte order mark goes before anything is read, so offsets are those of the texts
    of the sections, not of the file; line numbers are the same in both. Nothing here raises, whatever the text is.
    """
    clean = text.removeprefix("\ufeff")
    if "\r" in clean:
        clean = clean.replace("\r\n", "\n").replace("\r", "\n")
    if not is_unicode(clean):
        clean = clean.encode("utf-8", "replace").decode()
    kind = format_of(path)
    if kind is Format.MARKDOWN:
        from tx_graph.documents.markdown import read_markdown

        return read_markdown(clean)
    if kind is Format.RST:
        from tx_graph.documents.rst import read_rst

        return read_rst(clean)
    return read_plain(clean)


def sections_in(path: str, text: str) -> tuple[Symbol, ...]:
    """Return the sections of a document, each with those below it, by their slugs (`#setup`); lines end as on Unix.

    The extent is that of the text: a heading is the name of what it stands above, as a slug is.
    """
    sections = read_document(path, text).sections
    starts = line_starts(text.split("\n"))
    ends = [section.line_end for section in sections]
    for place in range(len(sections) - 1, 0, -1):  # a section ends where the last one below it does
        if parent := sections[place].parent:
            ends[parent] = max(ends[parent], ends[place])
    found = []
    for section, end in zip(sections[1:], ends[1:], strict=True):
        heading = next((block.end for block in section.blocks if block.kind is BlockKind.HEADING), 0)
        body = starts[min(section.line_start + section.text.count("\n", 0, heading), len(starts) - 1)]
        found.append(
            Symbol(
                path=path,
                name=f"{SECTION}{section.slug}",
                kind="section",
                line_start=section.line_start,
                line_end=end,
                signature=section.title,
                extent=Extent(body, body, starts[min(end, len(starts) - 1)]),
            )
        )
    return tuple(found)
