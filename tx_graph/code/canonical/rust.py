"""Rust: what rustfmt may change."""

from __future__ import annotations

import re
from functools import partial

from tx_graph.code.canonical.lexing import BRACED, lexed
from tx_graph.code.canonical.shapes import (
    Part,
    Rules,
    Source,
    all_of,
    bare,
    rebracket,
    sorted_parts,
    unbracketed,
    unlisted,
    without_first,
)

_LEAVING = frozenset({"return_expression", "break_expression", "continue_expression"})
_LEAVING_WORDS = frozenset({"return", "break", "continue"})
_TUPLES = frozenset({"tuple_expression", "tuple_pattern", "tuple_type", "token_tree", "token_tree_pattern"})
"""What a comma at the end means something in."""
_STANDARD = re.compile(
    r"(?:std::|core::|alloc::)?(?:vec|print|println|eprint|eprintln|format|write|writeln|panic|dbg|todo|unreachable"
    r"|unimplemented|assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|matches|format_args)"
)
"""Macros whose arguments may end with a comma."""
_ITEM_ENDS = ("_item", "_declaration", "macro_definition", "empty_statement")
_SORTED = sorted_parts("use_declaration", "mod_item")


def _called(part: Part, source: Source) -> None:
    """Leave the brackets around a field that is called: `(a.b)()` calls no method."""
    target = part.parts[0] if part.parts else part
    if target.kind == "parenthesized_expression" and bare(target).kind == "field_expression":
        rebracket(target)


def _unlisted(part: Part, source: Source) -> None:
    """Drop a comma at the end of a list, but not in a tuple of one."""
    if part.kind not in _TUPLES or (
        part.kind.startswith("tuple") and sum(one.text == "," for one in part.parts or ()) > 1
    ):
        unlisted(part, source)


def _statement(part: Part, source: Source) -> None:
    """Drop the semicolon after what leaves the block anyway."""
    parts = part.parts or []
    if len(parts) == 2 and (bare(parts[0]).kind in _LEAVING or bare(parts[0]).text in _LEAVING_WORDS):  # noqa: PLR2004
        parts.pop()


def _block(part: Part, source: Source) -> None:
    """Drop semicolons that follow what needs none; one after an expression says that it has no value."""
    kept: list[Part] = []
    for one in part.parts or ():
        if one.kind == "empty_statement" and kept:
            before = kept[-1]
            has_value = before.text not in {"{", ";"} and not before.kind.endswith(_ITEM_ENDS)
            if before.kind == "expression_statement":
                has_value = bool(before.parts) and (before.parts or [before])[-1].text != ";"
            if not has_value:
                continue
        kept.append(one)
    part.parts = kept
    _SORTED(part, source)


def _body(part: Part, source: Source) -> None:
    """Let an arm or a closure have an expression without a block around it."""
    for index, one in enumerate(part.parts or ()):
        inner = one.parts or []
        if one.kind == "block" and len(inner) == 3 and inner[0].text == "{" and part.parts:  # noqa: PLR2004
            held = inner[1]
            ends = held.parts if held.kind == "expression_statement" else None
            if ends[-1].text != ";" if ends else not held.kind.endswith(_ITEM_ENDS):
                part.parts[index] = held


def _arm(part: Part, source: Source) -> None:
    while part.parts and part.parts[-1].text == ",":
        part.parts.pop()
    _body(part, source)


def _function(part: Part, source: Source) -> None:
    """Drop `-> ()`."""
    parts = part.parts or []
    for index, one in enumerate(parts):
        if one.text == "->" and parts[index + 1].kind == "unit_type":
            del parts[index : index + 2]
            return


def _external(part: Part, source: Source) -> None:
    """Say which interface `extern` means when it does not."""
    if part.parts and len(part.parts) == 1:
        part.parts.append(Part("string_literal", part.end, part.end, '"C"'))


def _macro(part: Part, source: Source) -> None:
    """Drop the last comma of arguments where it is known to mean nothing."""
    parts = part.parts or []
    if len(parts) == 3 and parts[-1].parts and _STANDARD.fullmatch(source.text[parts[0].start : parts[0].end]):  # noqa: PLR2004
        unlisted(parts[-1], source)


def _tokens(part: Part, source: Source) -> None:
    """Drop the last comma of lists in what a macro takes, but not where it could make a tuple of one."""
    before = ""
    for one in part.parts or ():
        if one.kind == "token_tree" and one.parts:
            commas = sum(inner.text == "," for inner in one.parts)
            if one.parts[0].text != "(" or commas > 1 or before.isidentifier() or before == ">":
                unlisted(one, source)
        before = one.text


RULES = Rules(
    spellings=dict.fromkeys(("string_literal", "raw_string_literal", "char_literal", "lifetime"), str),
    shapes={
        "parenthesized_expression": unbracketed,
        "call_expression": _called,
        "expression_statement": _statement,
        "block": _block,
        "source_file": _block,
        "declaration_list": _block,
        "match_arm": _arm,
        "closure_expression": _body,
        "match_pattern": without_first("|"),
        "or_pattern": without_first("|"),
        "function_item": _function,
        "function_signature_item": _function,
        "extern_modifier": _external,
        "macro_invocation": _macro,
        "attribute": _tokens,
        "token_tree": _tokens,
        "use_list": all_of(unlisted, sorted_parts(separator=",")),
    },
    every=_unlisted,
    between=partial(lexed, family=BRACED),
)
