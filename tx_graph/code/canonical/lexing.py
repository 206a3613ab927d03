"""Literals: numbers and strings that mean the same, spelled the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from tx_graph.code.canonical.shapes import MARK, Part, Source
from tx_graph.code.tree import pairs

_MOST_STEPS = 20_000_000  # a fifth of a second: characters looked at in vain for the ends of comments without one
_SHORT = 40  # characters of a string that begins at an escaped quote, so probably in one that nothing closes


def _closed(quote: str, inside: str) -> str:
    piece = rf"(?:{inside}|\\.)"
    return rf"{quote}(?:(?<!\\{quote}){piece}*?|(?<=\\{quote}){piece}{{0,{_SHORT}}}?){quote}"


_QUOTED = "|".join(_closed(quote, rf"[^{quote}\\\n]") for quote in "\"'")
_TRIPLE = "|".join(_closed(quote * 3, r"[^\\]") for quote in "\"'")
_TICKED = _closed("`", r"[^`\\]")
_TAG = re.compile(r"\$\w*\$")
_SLASHES = r"//[^\n]*|/\*.*?\*/"
_DIRECTIVE = r"(?<![^\n])[ \t]*\#(?:/\*.*?\*/|[^\n\\]|\\.)*"
_NONE = r"(?!)"
_SEPARABLE = "_)]*&%-\"'"  # signs after which a blank can separate: `*.b` is not `* .b`
_TAB = 8  # columns, as everything that reads indentation counts them


class Family:
    """Languages that look alike, by what comments, strings and lines for a preprocessor match.

    In `lined` ones, line breaks and indentation count. `spaced` are the signs that a blank before them gives another
    meaning, as in `a .b` of style sheets. `blocks` is how comments of several lines begin and end.
    """

    def __init__(
        self,
        comment: str,
        string: str,
        *,
        lined: bool = False,
        spaced: str = "",
        directive: str = _NONE,
        blocks: str = "",
    ) -> None:
        self.lined, self.spaced, self._blocks, self._has_tags = lined, spaced, pairs(blocks).items(), "$" in string
        self.lexeme = re.compile(
            rf"(?P<comment>{comment})|(?P<string>{string})|(?P<directive>{directive})"
            rf"|[@$]*\d[\w.]*|[@$]*\w+|[()\[\]{{}},;]|(?:(?!{comment})[^\w\s()\[\]{{}},;\"'`])+|[^\w\s]",
            re.DOTALL,
        )

    def found(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the lexemes of a stretch; one in which many comments begin that never end is read without comments."""
        last = ((one, max(text.rfind(closing, start, end), start)) for one, closing in self._blocks)
        steps = max((text.count(one, place, end) * (end - place) for one, place in last), default=0)
        tags = len(set(_TAG.findall(text, start, end))) if self._has_tags else 0
        family = PLAIN if max(steps, tags * (end - start)) > _MOST_STEPS else self
        return family.lexeme.finditer(text, start, end)


BRACED = Family(_SLASHES, rf"{_TRIPLE}|{_QUOTED}|{_TICKED}", directive=_DIRECTIVE, blocks="/*=*/")
STYLES = Family(r"(?<!\S)//[^\n]*|/\*.*?\*/", rf"{_QUOTED}|url\([^\n)]*\)", spaced=".#[:*&(+-@%", blocks="/*=*/")
QUERIES = Family(r"--[^\n]*|/\*.*?\*/", r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\$(\w*)\$.*?\$\1\$", blocks="/*=*/")
DASHED = Family(r"--\[\[.*?\]\]|--[^\n]*|\{-.*?-\}", _QUOTED, lined=True, blocks="--[[=]] {-=-}")
SCHEMAS = Family(r"#[^\n]*", rf"{_TRIPLE}|{_QUOTED}")
PARENTHESISED = Family(r";[^\n]*", _closed('"', r'[^"\\]'))
HASHED = Family(r"(?<![^\s])#[^\n]*", rf"{_TRIPLE}|{_QUOTED}", lined=True)
SEMICOLONS = Family(r"(?<![^\s])[;#][^\n]*", _QUOTED, lined=True)
PLAIN = Family(_NONE, _NONE, lined=True)


def lexed(source: Source, start: int, end: int, family: Family) -> list[Part]:
    """Return the words and signs of a stretch of text; its comments become remarks."""
    parts: list[Part] = []
    position = start
    for match in family.found(source.text, start, end):
        first, last = match.span()
        if match["comment"]:
            source.remarks.append((first, last))
            continue
        if match["directive"]:
            parts += _directive(source, first, last, family)
            continue
        spaced = match[0][0] in family.spaced and first > position and parts
        if spaced and ((before := parts[-1].text[-1]).isalnum() or before in _SEPARABLE):
            parts.append(Part("", first, first + 1, f"{MARK}space"))
        position = last
        parts.append(Part("", first, last, match[0]))
    return [*stepped(parts, source.text)] if family.lined else parts


def _directive(source: Source, start: int, end: int, family: Family) -> Iterator[Part]:
    """Yield a line for a preprocessor as one leaf, in which any white space is one blank."""
    written, position = "", start
    for match in family.found(source.text, source.text.index("#", start) + 1, end):
        if match["comment"]:
            source.remarks.append(match.span())
            continue
        if match[0] == "\\":
            continue
        blank = " " if match.start() > position and written else ""
        written, position = f"{written}{blank}{match[0]}", match.end()
    yield Part("", start, end, f"#{written}")


def stepped(parts: Iterable[Part], text: str, joined: Collection[int] = ()) -> Iterator[Part]:
    """Yield leaves with marks between lines that say how many levels the next one is further in or out.

    A mark reaches from one line into the next, so that it belongs to passages that have both. Lines that begin at the
    places `joined` go on with what is before them, without a mark.
    """
    levels = [0]
    before, line, position = -1, 0, 0
    for part in parts:
        line, position = text.rfind("\n", position, part.start) + 1 or line, max(position, part.start)
        if line > before and line in joined:
            before = line
        elif line > before:
            indented = text[line : part.start]
            blanks = indented[: len(indented) - len(indented.lstrip())] if indented.strip() else indented
            width = len(blanks.expandtabs(_TAB))
            closed = 0
            while levels and levels[-1] > width:
                levels.pop()
                closed += 1
            opened = not levels or levels[-1] < width
            if opened:
                levels.append(width)
            mark = "-" * closed + "+" * opened
            if before >= 0:
                yield Part("", before, part.start + 1, f"{MARK}line{mark}")
            before = line
        yield part


_QUOTES = "\"'"
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_PREFIX = re.compile(r"[A-Za-z]*")
_HEXADECIMAL = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]{0,100}\}|.)", re.DOTALL)


def python_number(text: str) -> str:
    """Return a number of Python in lower case, with a digit on either side of its point."""
    number = text.lower()
    return _TRAILING_POINT.sub(".0", f"0{number}" if number.startswith(".") else number)


def python_string(text: str) -> str | None:
    """Return a Python string; None for one with holes in it."""
    head = _PREFIX.match(text)
    prefix = head[0].lower() if head else ""
    if "f" in prefix or "t" in prefix:
        return None
    quote = 3 if text.startswith(('"""', "'''"), len(prefix)) else 1
    content = text[len(prefix) + quote : -quote]
    return python_start(text[: len(prefix) + quote]) + python_content(content, prefix) + '"' * quote


def python_start(text: str) -> str:
    """Return what a Python string begins with: its prefix and its quotes."""
    prefix = text.rstrip("\"'")
    return "".join(sorted(prefix.lower().replace("u", ""))) + '"' * (len(text) - len(prefix))


def python_content(content: str, prefix: str) -> str:
    """Return the content of a Python string; of a raw one as it is."""
    if "\\" not in content or "r" in prefix.lower():
        return content
    return _HEXADECIMAL.sub(_python_escape, content)


def _python_escape(match: re.Match[str]) -> str:
    escape = match[0]
    if escape[1] in "'\"":
        return escape[1]
    return escape.upper() if escape.startswith(r"\N{") else escape.lower() if len(escape) > 2 else escape  # noqa: PLR2004


def javascript_string(text: str) -> str:
    r"""Return a string of JavaScript with one kind of quotes and none escaped; the type `string` stays as it is."""
    if text[0] not in _QUOTES:
        return text
    content = _ESCAPED.sub(lambda match: match[1] if match[1] in _QUOTES else match[0], text[1:-1])
    return f'"{content}"'


_TRAILING_POINT = re.compile(r"\.(?=[ej]|$)")
_POWER = re.compile(r"^([+-]?[\d.]+)e[+]?(\d)")
_NO_POWER = re.compile(r"^([+-]?[\d.]+)e[+-]?0+$")
_LEADING_POINT = re.compile(r"^([+-])?\.")
_ZEROS_AFTER = re.compile(r"(\.\d(?:0*+[^\D0])*+)0++(?=e|$)")
_ONLY_ZEROS = re.compile(r"\.(?:0*)(?=e|$)")


def plain_number(text: str) -> str:
    """Return a number without a plus, a zero or a point too many, and with a digit before its point."""
    number = text.lower()
    if number.startswith(("0x", "0b", "0o")):
        return number
    number = _NO_POWER.sub(r"\1", _POWER.sub(r"\1e\2", number))
    number = _LEADING_POINT.sub(r"\g<1>0.", number)
    return _ONLY_ZEROS.sub("", _ZEROS_AFTER.sub(r"\1", number))
