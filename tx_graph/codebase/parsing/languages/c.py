"""C: the functions, structs, unions, enums and typedefs that its files define."""

from __future__ import annotations

from tx_graph.codebase.parsing.languages import cpp
from tx_graph.codebase.parsing.languages.c_declarations import symbols
from tx_graph.codebase.parsing.languages.macros import is_cpp, without_macros
from tx_graph.codebase.parsing.languages.preprocessor import NEVER_IN_C, one_reading
from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree


def read(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; a header with C++ in it is read as such."""
    reading = one_reading(text, NEVER_IN_C)
    if is_cpp(reading):
        return cpp.read(text, language)
    return parse_masked(reading, without_macros(reading), "c")


READER = Reader(symbols=symbols, parse=read)
