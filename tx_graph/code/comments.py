"""Comments: what a source file says to people, found by the parser, so that strings are none."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING

from tx_graph.code.canonical import family_of, tree_of
from tx_graph.code.canonical.lexing import PLAIN, lexed
from tx_graph.code.canonical.shapes import Source, Span
from tx_graph.code.parsing import symbols_in
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Tree, span_of
from tx_graph.core.dataclass import dataclass

if TYPE_CHECKING:
    from ast_grep_py import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A block of comment: its words without the signs of comments, and its first and last line, counted from 1.

    `symbol` is the declaration it stands in or right above, None outside all of them; `code` the lines to look at when
    there is none: the comment and the code that follows it.
    """

    path: str
    text: str
    lines: tuple[int, int]
    symbol: str | None = None
    code: tuple[int, int] = (1, 1)


_KINDS = ("comment", "line_comment", "block_comment", "js_comment", "html_comment")
_SIGNS = re.compile(
    r"^\s*(?:/\*+!?|\*+/|\*+(?!\S)|\*(?=\s|$)|//+!?|\#+!?|--+(?:\[=*\[)?|;+|%+|<!--+|dnl\b|rem\b)?[ \t]?", re.IGNORECASE
)
_CLOSING = re.compile(r"(?<!\s)\s*+(?:(?<!\*)\*++/|(?<!-)--++>|-\}|\]=*+\]|#\})\s*+$")
_SEEN = re.compile(r"[^\n]")
_LARGEST_SYMBOL = 150  # lines of a declaration beyond which a comment inside is not about all of it
_CODE_BELOW = 3  # lines of code that a comment outside of all declarations is taken to be about


def read_comments(path: str, text: str) -> list[Comment]:
    """Return the blocks of comment in a text with Unix line ends; nothing where what a comment looks like is unknown.

    Line comments below each other are one block; one behind code stands alone.
    """
    tree = tree_of(path, text)
    spans: list[Span] = []
    if tree and not tree.is_bare:
        for kind in _KINDS:
            with suppress(RuntimeError):  # the grammar has no such kind
                spans += map(span_of, tree.root.find_all(kind=kind))
    elif (family := family_of(path)) is not PLAIN:
        source = Source(text=text)
        lexed(source, 0, len(text), family)
        spans = source.remarks
    if not spans:
        return []
    symbols = symbols_in(path, tree)
    lines = text.split("\n")
    found = []
    for block, (first, last) in _blocks(text, lines, sorted(spans)):
        below = next((number for number in range(last + 1, len(lines) + 1) if lines[number - 1].strip()), last)
        end = below  # of the code that the comment is about: at a blank line, or after a few
        while end < min(len(lines), below + _CODE_BELOW - 1) and lines[end].strip():
            end += 1
        said = "\n".join(_SIGNS.sub("", _CLOSING.sub("", line)).rstrip() for line in block.split("\n"))
        found.append(
            Comment(
                path=path,
                text=said.strip("\n"),
                lines=(first, last),
                symbol=_symbol_at(symbols, (first, last), below),
                code=(first, max(end, last)),
            )
        )
    return found


_NO_CODE = re.compile("comment|string|quoted|heredoc|regex|text")
"""In the kind of a node that no name in it means anything to a program, unless a node inside says otherwise."""


def code_with(names: Collection[str], text: str, tree: Tree) -> str:
    """Return a text, given its tree, with blanks in place of comments and strings in which one of these names stands.

    What is in braces in a string is code; so is all that the grammar was not shown: preprocessors, templates.
    """
    if tree.is_bare:
        return text
    pattern = "|".join(map(re.escape, names))
    innermost: Rule = {"regex": pattern, "not": {"has": {"regex": pattern}}}
    pieces, position = list[str](), 0
    for node in tree.root.find_all({"rule": innermost}):
        start, end = span_of(node)
        said = text[start:end]
        if start >= position and _NO_CODE.search(node.kind()) and said == node.text():
            pieces += [text[position:start], _SEEN.sub(" ", said)]
            position = end
    return "".join([*pieces, text[position:]])


def _blocks(text: str, lines: Sequence[str], spans: Iterable[Span]) -> Iterator[tuple[str, Span]]:
    """Yield each block's text and lines; comments that fill lines below each other are one."""
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    block: list[str] = []
    first = last = 0
    for start, end in spans:
        top, bottom = bisect_right(starts, start), bisect_right(starts, max(start, end - 1))
        piece = text[start:end].rstrip("\n")  # some grammars count the line end in
        fills = lines[top - 1].lstrip().startswith(piece.split("\n", 1)[0].strip()[:2])
        if block and fills and top == last + 1:
            block.append(piece)
        else:
            if block:
                yield "\n".join(block), (first, last)
            block, first = [piece], top
        last = bottom if fills else -1
        if not fills:
            yield piece, (top, bottom)
            block = []
    if block:
        yield "\n".join(block), (first, last)


def _symbol_at(symbols: Sequence[Symbol], place: Span, below: int) -> str | None:
    """Return the innermost declaration around a comment, or the one that it stands right above."""
    first, last = place
    above = [one for one in symbols if one.line_start in (below, last) and below == last + 1]
    around = [one for one in symbols if one.line_start <= first and last <= one.line_end]
    near = above or sorted(around, key=lambda one: one.line_end - one.line_start)
    if not near or near[0].line_end - near[0].line_start > _LARGEST_SYMBOL:
        return None
    return near[0].name
