"""Grammars: which ast-grep grammar reads a language."""

from __future__ import annotations

from tx_graph.domain.languages import language_of

__all__ = ["grammar_of", "language_of"]

_GRAMMARS = {
    "python": "python",
    "javascript": "javascript",
    "jsx": "javascript",
    "typescript": "typescript",
    "tsx": "tsx",
}


def grammar_of(language: str) -> str:
    """Return ast-grep's grammar for a language.

    The table is a whitelist: ast-grep panics with a BaseException when asked for a grammar it does not know.

    Raises:
        KeyError: No grammar reads the language by itself (Vue is read by those of its scripts).
    """
    return _GRAMMARS[language]
