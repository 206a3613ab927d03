"""Bash and the shells that it can stand in for: the functions that their scripts declare."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

from tx_graph.code.outline import each, function_form, outlined, within
from tx_graph.code.symbols import Extent, Symbol
from tx_graph.code.tree import Reader, Tree, first_line, last_line

_HEAD = re.compile(
    r"^(?P<head>function[ \t]+(?P<word>[^\s(){}]+)(?:[ \t]*\([ \t]*\))?(?=\s*\{)"
    r"|(?P<name>[^\s(){}=;&|<>\"'$#]+)[ \t]*\([ \t]*\))\s*[{(]",
    re.MULTILINE,
)
"""A function that begins a line, as those do that are in no other."""
_END = re.compile(r"^[})]", re.MULTILINE)

FORMS = {
    **each("function_definition", function_form()),
    **each("if_statement elif_clause else_clause case_statement case_item list", within),
    **each("compound_statement subshell do_group for_statement while_statement redirected_statement ERROR", within),
}

_outlined = outlined(FORMS)


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions of a script.

    Expansions such as `${answer#*{}` can make the grammar lose its way for the rest of a file; then lines tell.
    """
    found = [*_outlined(path, tree)]
    known = {symbol.line_start for symbol in found}
    by_lines = [*_by_lines(path, tree.text)]
    unknown = [symbol.line_start for symbol in by_lines if symbol.line_start not in known]
    yield from by_lines if unknown and not _quoted(tree).issuperset(unknown) else found


def _quoted(tree: Tree) -> set[int]:
    """Return the lines in which other languages stand, such as awk; what looks like a function there is none."""
    quotes = tree.root.find_all({"rule": {"any": [{"kind": "heredoc_body"}, {"kind": "raw_string"}]}})
    return {line for quote in quotes for line in range(first_line(quote), last_line(quote) + 1)}


def _by_lines(path: str, text: str) -> Iterator[Symbol]:
    """Yield the functions that begin a line; the next bracket that begins a line ends them."""
    brackets = [bracket.start() for bracket in _END.finditer(text)]
    line, position = 1, 0
    for head in _HEAD.finditer(text):
        line, position = line + text.count("\n", position, head.start()), head.start()
        end = _end_of_line(text, head.end())
        after = bisect(brackets, head.end())
        if after < len(brackets) and not text[head.end() : end].rstrip().endswith(("}", ")")):
            end = brackets[after]
        yield Symbol(
            path=path,
            name=head["word"] or head["name"],
            kind="function",
            line_start=line,
            line_end=line + text.count("\n", position, end),
            signature=" ".join(head["head"].split()),
            extent=Extent(head.start(), head.end("head"), min(end + 1, len(text))),
        )


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return end if end >= 0 else len(text)


READER = Reader(symbols=symbols)
