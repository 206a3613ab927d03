"""Go: what gofmt may change."""

from __future__ import annotations

from tx_graph.codebase.parsing.canonical import literals
from tx_graph.codebase.parsing.canonical.lexing import BRACED, between
from tx_graph.codebase.parsing.canonical.parts import Part, Rules, Source
from tx_graph.codebase.parsing.canonical.shapes import sorted_parts, unbracketed, unlisted, without, without_kinds

_SEPARATED = (
    "source_file",
    "statement_list",
    "block",
    "field_declaration_list",
    "const_declaration",
    "var_declaration",
    "var_spec_list",
    "type_declaration",
    "interface_type",
    "import_declaration",
    "expression_case",
    "default_case",
    "type_case",
    "communication_case",
)


def _imports(part: Part, source: Source) -> None:
    """Let the order of imports count for nothing."""
    without(";")(part, source)
    sorted_parts("import_spec")(part, source)


def _separated(part: Part, source: Source) -> None:
    without(";")(part, source)
    without_kinds("empty_statement")(part, source)


RULES = Rules(
    spellings=dict.fromkeys(("int_literal", "float_literal", "imaginary_literal"), literals.lower),
    shapes={
        **dict.fromkeys(_SEPARATED, _separated),
        "import_spec_list": _imports,
        "parenthesized_expression": unbracketed,
        "parenthesized_type": unbracketed,
    },
    every=unlisted,
    verbatim=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    comments=frozenset({"comment"}),
    code_comments=("//go:", "//export ", "// +build ", "//line "),
    between=between(BRACED),
)
