"""Python: what black may change, and documentation strings, which are comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from tx_graph.code.canonical import lexing as literals
from tx_graph.code.canonical.lexing import HASHED, lexed
from tx_graph.code.canonical.shapes import Part, Rules, Source, bare, called, unbracketed

_PREFIX = re.compile(r"[a-z]*")
_SHORTEST_LONG = 6  # characters of an empty string in three quotes


def with_holes(part: Part, source: Source) -> None:
    """Spell what is between the holes like a string; a hole with `=` shows how it is written."""
    parts = part.parts or []
    prefix = parts[0].text if parts else ""
    for one in parts:
        if one.kind == "string_start":
            one.text = literals.python_start(one.text)
        elif one.kind == "string_end":
            one.text = '"' * len(one.text)
        elif one.kind == "string_content":
            one.text, one.parts = literals.python_content(source.text[one.start : one.end], prefix), None
        elif any(inner.text == "=" for inner in one.parts or ()):
            one.text, one.parts = source.text[one.start : one.end], None


def side_by_side(part: Part, source: Source) -> None:
    """Make one string of several, as formatters break long ones; not of strings in three quotes or unlike prefixes."""
    strings = part.parts or []
    begins = {_begin(one).replace("f", "") for one in strings}
    begin = next(iter(begins), "")
    if len(begins) != 1 or begin.endswith('"""'):
        return
    part.kind = "string"
    if all(one.parts is None for one in strings):
        source.seams[part.start, part.end] = [(one.text, one.start, one.end, True) for one in strings]
        part.text, part.parts = f'{begin}{"".join(one.text[len(begin) : -1] for one in strings)}"', None
        return
    part.parts = [Part("string_start", part.start, part.start, f"f{begin}")]
    pieces = [piece for one in strings for piece in _pieces(one, begin)]
    for are_contents, run in groupby(pieces, key=lambda piece: piece.parts is None):
        parts = list(run)
        if are_contents and len(parts) > 1:  # contents that follow one another become one
            first, last = parts[0], parts[-1]
            source.seams[first.start, last.end] = [(one.text, one.start, one.end, True) for one in parts]
            parts = [Part(first.kind, first.start, last.end, "".join(one.text for one in parts))]
        part.parts += parts
    part.parts.append(Part("string_end", part.end, part.end, '"'))


def _begin(string: Part) -> str:
    """Return a string's prefix and the quotes that open it."""
    if string.parts:
        return string.parts[0].text
    match = _PREFIX.match(string.text)
    prefix = match[0] if match else ""
    quoted = string.text[len(prefix) :]
    is_long = quoted.startswith('"""') and len(quoted) >= _SHORTEST_LONG
    return prefix + ('"""' if is_long else '"')


def _pieces(string: Part, begin: str) -> Sequence[Part]:
    """Return what is between a string's quotes, as it is written in a string with holes."""
    if string.parts:
        return string.parts[1:-1]
    content = string.text[len(begin) : -1].replace("{", "{{").replace("}", "}}")
    return [Part("string_content", string.start, string.end, content)] if content else []


_SEVERAL = 2  # elements that make a tuple without a comma after them
_TUPLES = ("tuple", "expression_list", "pattern_list", "tuple_pattern")
_INDEXED = frozenset({"subscript", "type_parameter"})
_BRACKETS = frozenset(")]}")


def _tuple(part: Part, source: Source) -> None:
    """Take the brackets off a tuple and the comma after its last element, unless that makes it one."""
    parts = part.parts or []
    part.kind = "tuple"
    if len(parts) > _SEVERAL and parts[0].text == "(" and parts[-1].text == ")":
        parts = parts[1:-1]
    part.parts = parts[:-1] if len(parts) > _SEVERAL and parts[-1].text == "," else parts


def _listed(part: Part, source: Source) -> None:
    """Drop the comma before a closing bracket; `a[1,]` needs it."""
    parts = part.parts
    if part.kind not in _TUPLES and parts and len(parts) > _SEVERAL and parts[-1].text in _BRACKETS:
        is_needed = part.kind in _INDEXED and sum(one.text == "," for one in parts) == 1
        if parts[-2].text == "," and not is_needed:
            del parts[-2]


def _block(part: Part, source: Source) -> None:
    """Take out what only documents, and what only ends a statement."""
    kept: list[Part] = []
    for one in part.parts or ():
        value = bare(one) if one.kind == "expression_statement" else None
        if value and value.kind == "string" and value.parts is None and not value.text.startswith(("b", "rb", "br")):
            source.remarks.append((one.start, one.end))
        elif one.text != ";":
            kept.append(one)
    part.parts = kept


def _class(part: Part, source: Source) -> None:
    """Let a class without bases have no brackets."""
    part.parts = [one for one in part.parts or () if one.kind != "argument_list" or len(one.parts or ()) > _SEVERAL]


def _imported(part: Part, source: Source) -> None:
    parts = [one for one in part.parts or () if one.text not in {"(", ")"}]
    part.parts = parts[:-1] if parts[-1].text == "," else parts


def _passed_over(source: Source, start: int, end: int) -> list[Part]:
    """Return what the grammar passed over, without the backslash that continues a line."""
    return [part for part in lexed(source, start, end, HASHED) if part.text != "\\"]


def _generic(part: Part, source: Source) -> None:
    """Let a type with parameters look as it does where an expression may stand."""
    name, *parameters = part.parts or []
    part.kind = "subscript"
    part.parts = [name, *(inner for one in parameters for inner in one.parts or [one])]
    _listed(part, source)


def _named(part: Part, source: Source) -> None:
    """Let `x := a if b else c` name the whole; without brackets around it, the grammar names `a` alone."""
    named, *rest = part.parts or [part]
    if named.kind == "named_expression" and named.parts and len(named.parts) > 1:
        value = named.parts[-1]
        whole = Part(part.kind, value.start, part.end, parts=[value, *rest])
        part.kind, part.parts = named.kind, [*named.parts[:-1], whole]


RULES = Rules(
    spellings={"string": literals.python_string, "integer": literals.python_number, "float": literals.python_number},
    shapes={
        **dict.fromkeys(("module", "block"), _block),
        **dict.fromkeys(_TUPLES, _tuple),
        "parenthesized_expression": unbracketed,
        "conditional_expression": _named,
        "parenthesized_list_splat": unbracketed,
        "class_definition": _class,
        "import_from_statement": _imported,
        "with_clause": _imported,
        "string": with_holes,
        "concatenated_string": side_by_side,
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
