"""Java: what google-java-format may change."""

from __future__ import annotations

import textwrap

from tx_graph.codebase.parsing.canonical.lexing import BRACED, between
from tx_graph.codebase.parsing.canonical.parts import Part, Rules, Source
from tx_graph.codebase.parsing.canonical.shapes import sorted_parts, unbracketed, unlisted, without

_BLOCK_QUOTES = '"""'


def _string(text: str) -> str | None:
    """Return a string; the indentation that all lines of a text block share is none of its content."""
    if not text.startswith(_BLOCK_QUOTES):
        return text
    first, _, rest = text[3:-3].partition("\n")
    lines = [line.rstrip() for line in textwrap.dedent(f"{rest}|").removesuffix("|").split("\n")]
    return f"{_BLOCK_QUOTES}{first.strip()}\n" + "\n".join(lines) + _BLOCK_QUOTES


def _modifiers(part: Part, source: Source) -> None:
    """Let the order of modifiers count for nothing; annotations keep theirs."""
    del source
    words = [one for one in part.parts or () if one.parts is None]
    for one, text in zip(words, sorted(one.text for one in words), strict=True):
        one.text = text


def _enum_body(part: Part, source: Source) -> None:
    """Drop a comma after the last constant, and a semicolon that nothing comes after."""
    del source
    parts = [one for one in part.parts or () if one.kind != "enum_body_declarations" or len(one.parts or ()) != 1]
    part.parts = [one for index, one in enumerate(parts) if one.text != "," or parts[index + 1].kind == "enum_constant"]


RULES = Rules(
    spellings={"string_literal": _string},
    shapes={
        "program": sorted_parts("import_declaration"),
        "parenthesized_expression": unbracketed,
        "class_body": without(";"),
        "interface_body": without(";"),
        "block": without(";"),
        "modifiers": _modifiers,
        "enum_body": _enum_body,
    },
    every=unlisted,
    between=between(BRACED),
)
