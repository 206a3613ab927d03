"""C++: the functions, classes, namespaces and types that its files define."""

from __future__ import annotations

from tx_graph.codebase.parsing.c_declarations import symbols
from tx_graph.codebase.parsing.macros import readable_cpp
from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree


def read(text: str, language: str) -> Tree:
    """Return the tree of a file."""
    del language
    return parse_masked(text, readable_cpp(text), "cpp")


READER = Reader(symbols=symbols, parse=read)
