"""C: the functions, structs, unions, enums and typedefs that its files define."""

from __future__ import annotations

from tx_graph.codebase.parsing import cpp
from tx_graph.codebase.parsing.c_declarations import symbols
from tx_graph.codebase.parsing.macros import is_cpp, readable_c
from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree


def read(text: str, language: str) -> Tree:
    """Return the tree of a file; a header with C++ in it is read as such."""
    readable = readable_c(text)
    return cpp.read(text, language) if is_cpp(readable) else parse_masked(text, readable, "c")


READER = Reader(symbols=symbols, parse=read)
