"""Python: what black may change, and documentation strings, which are comments."""

from __future__ import annotations

from tx_graph.codebase.parsing.canonical import literals, python_strings
from tx_graph.codebase.parsing.canonical.lexing import HASHED, between
from tx_graph.codebase.parsing.canonical.parts import Part, Rules, Source, bare
from tx_graph.codebase.parsing.canonical.shapes import called, unbracketed

_TUPLE = "tuple"
_SEVERAL = 2
"""Elements that make a tuple without a comma after them."""
_TUPLES = ("tuple", "expression_list", "pattern_list", "tuple_pattern")
_INDEXED = frozenset({"subscript", "type_parameter"})
_STATEMENT = "expression_statement"
_BRACKETS = frozenset(")]}")
_HASHED = between(HASHED)


def _tuple(part: Part, source: Source) -> None:
    """Take the brackets off a tuple and the comma after its last element, unless that makes it one."""
    del source
    parts = part.parts or []
    part.kind = _TUPLE
    if len(parts) > _SEVERAL and parts[0].text == "(" and parts[-1].text == ")":
        parts = parts[1:-1]
    part.parts = parts[:-1] if len(parts) > _SEVERAL and parts[-1].text == "," else parts


def _listed(part: Part, source: Source) -> None:
    """Drop the comma before a closing bracket; `a[1,]` needs it."""
    del source
    parts = part.parts
    if (
        part.kind in _TUPLES
        or not parts
        or len(parts) <= _SEVERAL
        or parts[-1].text not in _BRACKETS
        or parts[-2].text != ","
    ):
        return
    commas = sum(one.text == "," for one in parts)
    if part.kind not in _INDEXED or commas > 1:
        del parts[-2]


def _block(part: Part, source: Source) -> None:
    """Take out what only documents, and what only ends a statement."""
    kept: list[Part] = []
    for one in part.parts or ():
        if one.kind == _STATEMENT and _documents(one):
            source.remark(one.start, one.end)
        elif one.text != ";":
            kept.append(one)
    part.parts = kept


def _documents(statement: Part) -> bool:
    value = bare(statement)
    return value.kind == "string" and value.parts is None and not value.text.startswith(("b", "rb", "br"))


def _class(part: Part, source: Source) -> None:
    """Let a class without bases have no brackets."""
    del source
    part.parts = [one for one in part.parts or () if one.kind != "argument_list" or len(one.parts or ()) > _SEVERAL]


def _imported(part: Part, source: Source) -> None:
    del source
    parts = [one for one in part.parts or () if one.text not in {"(", ")"}]
    part.parts = parts[:-1] if parts[-1].text == "," else parts


def _passed_over(source: Source, start: int, end: int) -> list[Part]:
    """Return what the grammar passed over, without the backslash that continues a line."""
    return [part for part in _HASHED(source, start, end) if part.text != "\\"]


def _generic(part: Part, source: Source) -> None:
    """Let a type with parameters look as it does where an expression may stand."""
    name, *parameters = part.parts or []
    part.kind = "subscript"
    part.parts = [name, *(inner for one in parameters for inner in one.parts or [one])]
    _listed(part, source)


def _named(part: Part, source: Source) -> None:
    """Let `x := a if b else c` name the whole; without brackets around it, the grammar names `a` alone."""
    del source
    named, *rest = part.parts or [part]
    if named.kind == "named_expression" and named.parts and len(named.parts) > 1:
        value = named.parts[-1]
        whole = Part(part.kind, value.start, part.end, parts=[value, *rest])
        part.kind, part.parts = named.kind, [*named.parts[:-1], whole]


RULES = Rules(
    spellings={
        "string": literals.python_string,
        "integer": literals.python_number,
        "float": literals.python_number,
    },
    shapes={
        **dict.fromkeys(("module", "block"), _block),
        **dict.fromkeys(_TUPLES, _tuple),
        "parenthesized_expression": unbracketed,
        "conditional_expression": _named,
        "parenthesized_list_splat": unbracketed,
        "class_definition": _class,
        "import_from_statement": _imported,
        "with_clause": _imported,
        "string": python_strings.with_holes,
        "concatenated_string": python_strings.side_by_side,
        "generic_type": _generic,
        "union_type": called("binary_operator"),
        "member_type": called("attribute"),
        "splat_type": called("list_splat"),
    },
    every=_listed,
    comments=frozenset({"comment", "line_continuation"}),
    nothing=frozenset({"line_continuation"}),
    between=_passed_over,
    verbatim=frozenset({"ERROR", "string", "string_content", "format_specifier"}),
)
