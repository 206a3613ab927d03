"""Bash and the shells that it can stand in for: the functions that their scripts declare."""

from __future__ import annotations

from tx_graph.codebase.parsing.outline import each, function_form, outlined, within
from tx_graph.codebase.parsing.reader import Reader

FORMS = {
    **each("function_definition", function_form()),
    **each("if_statement elif_clause else_clause case_statement case_item list", within),
    **each("compound_statement subshell do_group for_statement while_statement redirected_statement ERROR", within),
}

READER = Reader(symbols=outlined(FORMS))
