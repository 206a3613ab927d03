"""C++: the functions, classes, namespaces and types that its files define."""

from __future__ import annotations

from tx_graph.codebase.parsing.languages.c_declarations import symbols
from tx_graph.codebase.parsing.languages.macros import without_class_macros, without_macros
from tx_graph.codebase.parsing.languages.preprocessor import one_reading
from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree


def read(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; signatures have its macros."""
    del language
    reading = one_reading(text)
    return parse_masked(reading, without_class_macros(without_macros(reading)), "cpp")


READER = Reader(symbols=symbols, parse=read)
