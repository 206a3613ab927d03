"""Style sheets: what prettier may change."""

from __future__ import annotations

import re

from tx_graph.codebase.parsing.canonical import literals
from tx_graph.codebase.parsing.canonical.lexing import STYLES, between
from tx_graph.codebase.parsing.canonical.parts import Part, Rules, Source
from tx_graph.codebase.parsing.canonical.shapes import without

_NUMBER = re.compile(r"([+-]?)([\d.]+(?:[eE][+-]?\d+)?)(.*)", re.DOTALL)


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text)
    return f"{match[1]}{literals.plain_number(match[2])}{match[3].lower()}" if match else text


def _property(text: str) -> str:
    return text if text.startswith("--") else text.lower()


def _important(text: str) -> str:
    return "".join(text.split()).lower()


def _attribute(part: Part, source: Source) -> None:
    """Put quotes around the value that an attribute is compared with."""
    del source
    for one in part.parts or ():
        if one.kind == "plain_value":
            one.text = f'"{one.text}"'


RULES = Rules(
    spellings={
        "integer_value": _number,
        "float_value": _number,
        "color_value": literals.lower,
        "string_value": literals.javascript_string,
        "property_name": _property,
        "important": _important,
    },
    shapes={
        "block": without(";"),
        "declaration": without(";"),
        "attribute_selector": _attribute,
    },
    comments=frozenset({"comment", "js_comment"}),
    between=between(STYLES),
)
