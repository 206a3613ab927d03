"""Trees of texts by the names of their files: those of the languages that are read, and of grammars beyond them."""

from __future__ import annotations

from tx_graph.codebase.parsing import reader_of, why_unable
from tx_graph.codebase.parsing.canonical.grammars import grammar_of
from tx_graph.codebase.parsing.tree import Tree, parse_as
from tx_graph.domain.languages import language_of


def tree_of(path: str, text: str) -> Tree | None:
    """Return the tree of a text, None where nothing can be parsed or no grammar is known for it."""
    if why_unable():
        return None
    language = language_of(path)
    if language:
        return reader_of(language).parse(text, language)
    grammar = grammar_of(path)
    return parse_as(text, grammar) if grammar else None
