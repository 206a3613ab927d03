"""Markdown for people at a terminal, by rich: imported only where stdout is one."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import groupby
from typing import ClassVar

from markdown_it import MarkdownIt
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import Heading, Markdown
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

from tx_graph.anchors.verdict import Standing
from tx_graph.core.text import inert
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import has_style, printable, reading_width, styled, wrapped

_PARSER = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"]).disable("reference")
"""Leaves tags and definitions of links where they stand: a text about `Vec<String>` must not lose half of it."""
_MARKS = {r"\*\*(.+?)\*\*": "bold", r"`([^`]+)`": "cyan"}
_HOLDS = re.compile(rf"(?<= · )(?:{'|'.join(map(re.escape, Standing))})(?= ·| \(|$)")
_CONTENT = re.compile(r"\*\*|- `[^`]+\.(?:md|markdown)[:`]|(?:.* · )?(?:section|document|learning) ·")
"""What stands above a quote of Markdown: a learning, a section, a task, a document. Others are of code, by lines."""
_IN_COLUMNS = re.compile(r"^[|]|[^.?!\s] {2,}\S", re.MULTILINE)
"""What the middle of a table or of code has, shown without the line that began it: there each line is one."""
_THEME = Theme({"markdown.code": "cyan", "markdown.h1": "bold underline", "markdown.h2": "bold", "markdown.h3": "bold"})
_LEAST = 20


class _LeftHeading(Heading):
    """A heading that begins where the text does, without a frame."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Document(Markdown):
    """Markdown as a terminal has it here."""

    elements: ClassVar = Markdown.elements | {"heading_open": _LeftHeading}


def rendered(text: str, width: int) -> list[str]:
    """Return Markdown that somebody wrote in lines of at most `width` columns; nothing in it steers the terminal."""
    document = _Document("", hyperlinks=False, code_theme="ansi_dark")
    document.parsed = _PARSER.parse(inert(text))
    for block in document.parsed:
        for token in block.children or ():
            token.content = inert(token.content)  # what was an entity
            if token.type == "softbreak" and _IN_COLUMNS.search(block.content):
                token.type = "hardbreak"
    lines = _lines(document, width)
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        lines.pop()
    return lines or wrapped(text, width)  # an empty fence, say


def page(text: str) -> str:
    """Return a page of ours as a terminal shows it: without marks, wrapped, quotes behind a bar."""
    return "\n".join(_page(text.replace("Quoted lines (>)", "Quoted lines (│)", 1), max(_LEAST, reading_width())))


def _page(text: str, width: int) -> Iterator[str]:
    head = ""
    for is_quote, group in groupby(text.split("\n"), lambda line: line.startswith(">")):
        lines = list(group)
        if not is_quote:
            head = lines[-1]
            for line in lines:
                yield from _told(line, width)
            continue
        quote = [line[1:].removeprefix(" ") for line in lines]
        names = [quote.pop(0)] if head.startswith("**`") else []  # the headings above what a section says
        body = rendered("\n".join(quote), width - 2) if _CONTENT.match(head) else wrapped("\n".join(quote), width - 2)
        shown = [*_lines(Text("\n".join(names), "dim"), width - 2), *body] if names else body
        yield from (f"{styled('│', dim=True)} {line}".rstrip() for line in shown)


def _told(line: str, width: int) -> Iterator[str]:
    """Yield a line of our own: verdicts with their signs, names and headings in bold where there are styles."""
    if line.startswith("#") and has_style():
        yield from _lines(
            Text(line.lstrip("# ").replace("`", ""), "bold underline" if line[1] == " " else "bold"), width
        )
        return
    told = Text()
    at = 0
    for found in _HOLDS.finditer(line) if line.startswith(("**", "`")) else ():
        told.append(line[at : found.start()])
        told.append(words.signed(found[0]), words.COLOURS[Standing(found[0])])
        at = found.end()
    told.append(line[at:])
    for pattern, style in _MARKS.items() if has_style() else ():
        told.highlight_regex(pattern, style)
        for found in [*re.finditer(pattern, told.plain)][::-1]:
            told = Text.assemble(told[: found.start()], told[found.start(1) : found.end(1)], told[found.end() :])
    yield from _lines(
        Padding(told[2:], (0, 0, 0, 2)) if line.startswith("- ") else told, width, "- " * line.startswith("- ")
    )


def _lines(shown: RenderableType, width: int, mark: str = "") -> list[str]:
    """Return what rich makes of something, in the colours of the terminal; only these are control characters."""
    console = Console(file=io.StringIO(), width=max(_LEAST, width), theme=_THEME, legacy_windows=False)
    colours, lines = ColorSystem.STANDARD if has_style() else None, []
    for line in console.render_lines(shown, pad=False):
        parts = [(printable(part.text), part.style) for part in line if not part.control]
        lines.append(
            "".join(style.render(text, color_system=colours) if style else text for text, style in parts).rstrip()
        )
    if mark and lines:
        lines[0] = mark + lines[0].removeprefix(" " * len(mark))
    return lines
