"""PHP: what its files declare."""

from __future__ import annotations

import re

from tx_graph.codebase.parsing.masking import blanked, parse_masked, without
from tx_graph.codebase.parsing.outline import PLACE, each, function_form, outlined, type_form, within
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree

_OPENING = r"<\?(?:php\b|=)"
_CODE = re.compile(_OPENING, re.IGNORECASE)
_MARKUP = re.compile(
    rf"""
    '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*"
    | /\*.*?\*/ | (?://|\#(?!\[))(?:(?!\?>)[^\n])*
    | <<<\s*(?P<quote>["']?)(?P<end>\w+)(?P=quote)\r?\n.*?\n\s*(?P=end)\b
    | (?P<mask>\?>.*?(?:{_OPENING}|\Z))
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
"""Markup between code, and everything in which `?>` would not end the code."""


def read(text: str, language: str) -> Tree:
    """Return the tree of a file's code; the grammar knows nothing of markup around it."""
    del language
    first = _CODE.search(text)
    start = first.start() if first else len(text)
    code = without(_MARKUP, text[start:]) if "?>" in text else text[start:]
    return parse_masked(text, blanked(text[:start]) + code, "php")


FORMS = {
    **each("class_declaration", type_form("class")),
    **each("interface_declaration", type_form("interface")),
    **each("trait_declaration", type_form("trait")),
    **each("enum_declaration", type_form("enum")),
    **each("function_definition method_declaration", function_form()),
    **each("namespace_definition declare_statement compound_statement", within),
    **each("return_statement object_creation_expression", within),
    **each("anonymous_class", type_form(PLACE)),
    **each("if_statement else_clause else_if_clause try_statement ERROR", within),
}

READER = Reader(symbols=outlined(FORMS), parse=read)
