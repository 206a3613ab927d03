"""Readers: how a language is read; each language family's module has one as `READER`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tx_graph.code.imports import NO_SURFACE, Specifier, Surface
from tx_graph.code.languages import LANGUAGES
from tx_graph.code.symbols import Extent, Symbol

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_LONGEST = 200
"""Characters of a signature that people still read."""
_MOST_READ = 4 * _LONGEST
"""Characters of source that a signature is made of; it may be written over many indented lines."""
_COMMENT_SIGNS = ("#", "//", "/*")
_OPENINGS = ("=>", "{", ":", "=")
"""What opens a body; the longer first."""
_WRAPPED = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")
"""What brackets that were written over several lines have too much on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A parsed source file.

    `outside` holds imports that stand outside the parsed code, such as Vue's `<script src>`.
    """

    text: str
    root: SgNode
    outside: tuple[Specifier, ...] = ()


def parse(text: str, language: str) -> Tree:
    """Return the tree of a text in a language that has a grammar of its own."""
    return parse_as(text, LANGUAGES[language].grammar)


def parse_as(text: str, grammar: str) -> Tree:
    """Return the tree of a text by a grammar that ast-grep has; it panics with a BaseException at others."""
    from ast_grep_py import SgRoot

    return Tree(text=text, root=SgRoot(text, grammar).root())


def decoded(source: bytes) -> str:
    """Return a file's text: UTF-8 with or without a mark, UTF-16 with one; what is neither is replaced."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace")
    return source.decode("utf-8-sig", errors="replace")


def span_of(node: SgNode) -> tuple[int, int]:
    """Return where a node begins and ends in the text, in characters."""
    span = node.range()
    return span.start.index, span.end.index


def first_line(node: SgNode) -> int:
    """Return the line a node starts on, from 1."""
    return node.range().start.line + 1


def last_line(node: SgNode) -> int:
    """Return the line of a node's last character, from 1."""
    span = node.range()
    ends_before_line = span.end.column == 0 and span.end.line > span.start.line
    return span.end.line + (0 if ends_before_line else 1)


def declared(path: str, name: str, kind: str, first: SgNode, last: SgNode, body: SgNode | None, head: str) -> Symbol:
    """Return what a declaration says that begins and ends with these nodes; one without a body is all head."""
    start, end = span_of(first)[0], span_of(last)[1]
    return Symbol(
        path=path,
        name=name,
        kind=kind,
        line_start=first_line(first),
        line_end=last_line(last),
        signature=head,
        extent=Extent(start, span_of(body)[0] if body else end, end),
    )


def signature(tree: Tree, node: SgNode, body: SgNode | None) -> str:
    """Return the text of a declaration up to its body on one line, cut after 200 characters.

    What only opens the body (`{`, `:`, `=>`, `=`) is left out, as are comments, and decorators
    when `node` starts after them.
    """
    start, end = span_of(node)
    if body:
        end = span_of(body)[0]
    text = tree.text[start : min(end, start + _MOST_READ)]
    waiting = [node]
    while waiting and any(sign in text for sign in _COMMENT_SIGNS):
        inner = waiting.pop()
        first, last = (place - start for place in span_of(inner))
        if not any(sign in text[first:last] for sign in _COMMENT_SIGNS):
            continue
        if inner.kind().endswith("comment"):
            text = f"{text[:first]}{' ' * (last - first)}{text[last:]}"
        else:
            waiting += inner.children()
    line = " ".join(text.split())
    if "\n" in text:
        line = _WRAPPED.sub("", line)
    if opening := next(filter(line.endswith, _OPENINGS), ""):
        line = line.removesuffix(opening).rstrip()
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def numbered(symbols: Iterable[Symbol]) -> Iterator[Symbol]:
    """Yield the symbols with names that are unique in the file: the second of a name gets `#2`, and so on."""
    seen: dict[str, int] = {}
    for symbol in symbols:
        seen[symbol.name] = count = seen.get(symbol.name, 0) + 1
        yield symbol if count == 1 else replace(symbol, name=f"{symbol.name}#{count}")


def around(tree: Tree, *words: re.Pattern[str], leaves: Collection[str] = ()) -> Iterator[SgNode]:
    """Yield the nodes in which one of the words stands, in source order, each before those inside it.

    Nodes of the kinds `leaves` are not looked into. Most trees have few such nodes, so that this costs a tenth of
    what a search of the whole tree costs. Words should start with plain letters: `re` finds those fastest.
    """
    places = sorted(match.start() for word in words for match in word.finditer(tree.text))
    waiting = tree.root.children()[::-1] if places else []
    while waiting:
        node = waiting.pop()
        start, end = span_of(node)
        if start > places[-1]:
            break
        if places[bisect_left(places, start)] < end:
            yield node
            if node.kind() not in leaves:
                waiting += reversed(node.children())


_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Return as many blanks, with the line breaks where they were."""
    return _VISIBLE.sub(" ", text)


def without(pattern: re.Pattern[str], text: str) -> str:
    """Return a text in which every match is blanked, or only its group `mask` where the pattern has one."""
    group = "mask" if "mask" in pattern.groupindex else 0

    def masked(match: re.Match[str]) -> str:
        start, end = (place - match.start() for place in match.span(group))
        return match[0][:start] + blanked(match[group]) + match[0][end:] if match[group] else match[0]

    return pattern.sub(masked, text)


def parse_masked(text: str, masked: str, grammar: str) -> Tree:
    """Return the tree of a masked text over the text as it was written."""
    return replace(parse_as(masked, grammar), text=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a language is read: text and language to tree, path and tree to declarations, tree to imports.

    Where `specifiers` is left out, imports are not read; where `surface` is, they are resolved by paths alone. A text
    without `import_word` imports nothing, so nobody looks; None: every text may.
    """

    symbols: Callable[[str, Tree], Iterator[Symbol]]
    specifiers: Callable[[Tree], Iterator[Specifier]] = lambda _: iter(())
    surface: Callable[[Tree], Surface] = lambda _: NO_SURFACE
    import_word: re.Pattern[str] | None = None
    parse: Callable[[str, str], Tree] = parse
