"""Prose: Markdown and plain text as words, with what their lines are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.code.canonical.lexing import stepped
from tx_graph.code.canonical.markup import embedded, marked
from tx_graph.code.canonical.shapes import MARK, Part, Source

_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})")
_WORD = re.compile(r"\w*")
_FORMATTED = {
    **dict.fromkeys(("js", "jsx", "mjs", "cjs", "javascript"), "jsx"),
    **dict.fromkeys(("ts", "typescript", "mts"), "ts"),
    **{name: name for name in ("tsx", "json", "jsonc", "json5", "css", "html")},
    **dict.fromkeys(("yaml", "yml"), "yaml"),
}
"""The languages that prettier formats in documents too, with an extension of their files."""
_UNDERLINE = re.compile(r"[ \t]*(=+|-+)[ \t]*")
_RULE = re.compile(r"[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_RULER = re.compile(r":?-+:?")
_TABLE_CELL = re.compile(r"\|")
_EMPHASIS = re.compile(r"(?<![\w*_\\])(\*\*|__|\*|_)(?=\S)|(?<=[^\s\\])(\*\*|__|\*|_)(?![\w*_])")
_HEADING = re.compile(r"[ \t]*(#{1,6})(?=[ \t])")
_TRAILING_HASHES = re.compile(r"[ \t]+#+[ \t]*$")
_CODE = re.compile(r"(`+).+?\1")
_PIECE = re.compile(r"\S+")
_STRUCTURE = re.compile(r"[ \t]*(?:[-*+][ \t]|\d+[.)][ \t]|#{1,6}[ \t]|\||`{3}|~{3}|<|>|\[[^\]]*\]:)")


def worded(source: Source, start: int, end: int) -> list[Part]:
    """Return the words of a text; in fenced code, lines stay as they are."""
    return [*stepped(_lines(source, start, end), source.text)]


def _lines(source: Source, start: int, end: int) -> Iterator[Part]:
    fence, blank, plain = "", False, False
    lines = [*_numbered(source.text, start, end)]
    fenced = _fenced(source, lines)
    for index, (at, line) in enumerate(lines):
        if at in fenced:
            yield from fenced[at]
            continue
        opening = _FENCE.match(line)
        if fence:
            closes = bool(opening) and line.strip().startswith(fence) and not line.strip(fence[0] + " \t")
            fence = "" if closes else fence
            yield from (
                [Part("", at, at + len(line), MARK + "fence" if closes else line.strip())] if line.strip() else []
            )
            continue
        if not line.strip():
            blank = True
            continue
        fence = opening[1] if opening else ""
        was_plain, plain = plain, not _STRUCTURE.match(line)
        if blank and plain and was_plain:
            yield Part("", at, at + 1, f"{MARK}paragraph")
        blank = False
        below = lines[index + 1][1] if index + 1 < len(lines) else ""
        yield from _words(line, at, below, after_text=was_plain)


def _fenced(source: Source, lines: list[tuple[int, str]]) -> dict[int, list[Part]]:
    """Return the code in fences that name a language, by the offsets of its lines."""
    found: dict[int, list[Part]] = {}
    opened: tuple[str, re.Match[str] | None, int] | None = None
    for index, (at, line) in enumerate(lines):
        opening = _FENCE.match(line)
        if opened is None:
            opened = (opening[1], _WORD.search(line, opening.end()), index) if opening else None
        elif opening and line.strip().startswith(opened[0]) and not line.strip(opened[0][0] + " \t"):
            extension = _FORMATTED.get(opened[1][0].lower() if opened[1] else "")
            inside = lines[opened[2] + 1 : index]
            code = _read(source, inside[0][0], at, extension) if extension and inside else None
            if code:
                found |= {place: [] for place, _ in inside} | {inside[0][0]: code}
            opened = None
    return found


def _read(source: Source, start: int, end: int, extension: str) -> list[Part] | None:
    return marked(source, start, end) if extension == "html" else embedded(source, start, end, f"a.{extension}")


def _numbered(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    for line in text[start:end].split("\n"):
        yield start, line
        start += len(line) + 1


def _words(line: str, at: int, below: str, *, after_text: bool) -> Iterator[Part]:
    if after_text and _UNDERLINE.fullmatch(line):
        return
    if _RULE.fullmatch(line):
        yield Part("", at, at + len(line), "---")
        return
    underline = _UNDERLINE.fullmatch(below)
    if underline and not _STRUCTURE.match(line):
        yield Part("", at, at + 1, "#" if underline[1][0] == "=" else "##")
    code = _TRAILING_HASHES.sub("", line) if _HEADING.match(line) else line
    if "|" in code:
        code = _TABLE_CELL.sub(" | ", code)
        yield from (Part("", at, at + len(line), _spelled(piece)) for piece in code.strip(" |").split())
        return
    spans = [one.span() for one in _CODE.finditer(code)] if "`" in code else []
    for match in _PIECE.finditer(code):
        first, last = match.span()
        is_code = any(first < end and last > start for start, end in spans)
        yield Part("", at + first, at + last, match[0] if is_code else _spelled(match[0]))


def _spelled(word: str) -> str:
    if _RULER.fullmatch(word) and len(word) > 1:
        return word.replace("-", "") + "-"
    if word in {"*", "+"}:
        return "-"
    return _EMPHASIS.sub(_emphasised, word)


def _emphasised(match: re.Match[str]) -> str:
    return "_" * len(match[1] or match[2])
