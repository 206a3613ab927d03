"""The blocks of code in a page of documentation, found as the site that shows the page finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]

COMMONMARK = MarkdownIt("commonmark").enable("table")
_NAMED_BEFORE = re.compile(r"`(?P<name>[^`\s]*[./][^`\s]*)`(?: \(executable\))?:?$")
_NAMED_INSIDE = re.compile(r"(?:#|//) (?P<name>[^\s*]*[./][^\s*]*)\n")
_DIRECTIVE = re.compile(r"\{(?P<name>[\w-]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of code, where it stands and what it is."""

    page: str
    """The page's path from the root of the repository."""
    line: int
    """The line of the page on which the block's first line stands, from 1."""
    language: str
    """The word behind the fence; empty where there is none."""
    text: str
    file: str = ""
    """The file that this is the content of, where the page names one."""

    def place(self, line: int = 0) -> str:
        """Return `docs/page.md:12` for a line of the block, counted from 0."""
        return f"{self.page}:{self.line + line}"


def pages() -> list[Path]:
    """Return every page of documentation, the README first."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of code of a page, from top to bottom."""
    return list(_blocks(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8"), 1))


def blocks_in(text: str, *, page: str = "page.md") -> list[Block]:
    """Return the blocks of code in a text."""
    return list(_blocks(page, text, 1))


def _blocks(page: str, text: str, first_line: int) -> Iterator[Block]:
    tokens = COMMONMARK.parse(text)
    for number, token in enumerate(tokens):
        if token.type not in ("fence", "code_block") or token.map is None:
            continue
        line = first_line + token.map[0] + (token.type == "fence")
        if _DIRECTIVE.match(token.info):
            yield from _inside(page, token, line)
        else:
            language = (token.info.split() or [""])[0]
            file = _file_of(token.content, _text_before(tokens, number))
            yield Block(page=page, line=line, language=language, text=token.content, file=file)


def _inside(page: str, directive: Token, line: int) -> Iterator[Block]:
    """Yield what stands inside a directive of the site's, such as a note: its body is Markdown again."""
    found = _DIRECTIVE.match(directive.info)
    if found and found["name"] in ("code", "code-block"):
        yield Block(page=page, line=line, language="{code}", text=directive.content)
    else:
        yield from _blocks(page, directive.content, line)


def _text_before(tokens: list[Token], number: int) -> str:
    """Return the paragraph right before a token, empty where something else stands there."""
    before = tokens[max(number - 2, 0) : number]
    return before[0].content if [one.type for one in before] == ["inline", "paragraph_close"] else ""


def _file_of(text: str, before: str) -> str:
    named = _NAMED_BEFORE.search(before) or _NAMED_INSIDE.match(text)
    return named["name"] if named else ""
