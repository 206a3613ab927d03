"""Rules of languages in which few things may be written in several ways; those with more have modules of their own."""

from __future__ import annotations

import re
import textwrap
from functools import partial

from tx_graph.code.canonical import lexing as literals
from tx_graph.code.canonical.lexing import BRACED, HASHED, STYLES, lexed
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
    without,
)

_SEPARATED = (
    "source_file statement_list block field_declaration_list const_declaration var_declaration var_spec_list"
    " type_declaration interface_type import_declaration expression_case default_case type_case communication_case"
).split()

GO = Rules(
    spellings=dict.fromkeys(("int_literal", "float_literal", "imaginary_literal"), str.lower),
    shapes={
        **dict.fromkeys(_SEPARATED, without(";", kinds=("empty_statement",))),
        "import_spec_list": all_of(without(";"), sorted_parts("import_spec")),
        "parenthesized_expression": unbracketed,
        "parenthesized_type": unbracketed,
    },
    every=unlisted,
    verbatim=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    comments=frozenset({"comment"}),
    code_comments=("//go:", "//export ", "// +build ", "//line "),
    between=partial(lexed, family=BRACED),
)
"""Go: what gofmt may change."""


def _string(text: str) -> str | None:
    """Return a string; the indentation that all lines of a text block share is none of its content."""
    if not text.startswith('"""'):
        return text
    first, _, rest = text[3:-3].partition("\n")
    lines = [line.rstrip() for line in textwrap.dedent(f"{rest}|").removesuffix("|").split("\n")]
    return f'"""{first.strip()}\n' + "\n".join(lines) + '"""'


def _modifiers(part: Part, source: Source) -> None:
    """Let the order of modifiers count for nothing; annotations keep theirs."""
    words = [one for one in part.parts or () if one.parts is None]
    for one, text in zip(words, sorted(one.text for one in words), strict=True):
        one.text = text


def _enum_body(part: Part, source: Source) -> None:
    """Drop a comma after the last constant, and a semicolon that nothing comes after."""
    parts = [one for one in part.parts or () if one.kind != "enum_body_declarations" or len(one.parts or ()) != 1]
    part.parts = [one for index, one in enumerate(parts) if one.text != "," or parts[index + 1].kind == "enum_constant"]


JAVA = Rules(
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
    between=partial(lexed, family=BRACED),
)
"""Java: what google-java-format may change."""

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


def _rust_block(part: Part, source: Source) -> None:
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


RUST = Rules(
    spellings=dict.fromkeys(("string_literal", "raw_string_literal", "char_literal", "lifetime"), str),
    shapes={
        "parenthesized_expression": unbracketed,
        "call_expression": _called,
        "expression_statement": _statement,
        "block": _rust_block,
        "source_file": _rust_block,
        "declaration_list": _rust_block,
        "match_arm": _arm,
        "closure_expression": _body,
        "macro_invocation": _macro,
        "attribute": _tokens,
        "token_tree": _tokens,
        "use_list": all_of(unlisted, sorted_parts(separator=",")),
    },
    every=_unlisted,
    between=partial(lexed, family=BRACED),
)
"""Rust: what rustfmt may change."""

_NUMBER = re.compile(r"([+-]?)([\d.]+(?:[eE][+-]?\d+)?)(.*)", re.DOTALL)


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text)
    return f"{match[1]}{literals.plain_number(match[2])}{match[3].lower()}" if match else text


CSS = Rules(
    spellings={
        "integer_value": _number,
        "float_value": _number,
        "color_value": str.lower,
        "string_value": literals.javascript_string,
        "property_name": lambda text: text if text.startswith("--") else text.lower(),
    },
    shapes={"block": without(";"), "declaration": without(";")},
    comments=frozenset({"comment", "js_comment"}),
    between=partial(lexed, family=STYLES),
)
"""Style sheets: what prettier may change."""


def _listed(part: Part, source: Source) -> None:
    """Drop the last comma of a list, an error in JSON itself."""
    if part.parts and len(part.parts) > 2 and (comma := bare(part.parts[-2])).text == ",":  # noqa: PLR2004 - and brackets
        part.parts[-2] = comma
    unlisted(part, source)


DATA = Rules(spellings={"string": str}, every=_listed, between=partial(lexed, family=BRACED))
"""JSON and its relatives with comments."""

_BREAKS = re.compile(r"(?<![ \t])[ \t]*\n\s*")
_ESCAPED_QUOTE = re.compile(r"\\([\\\"])")


def _folded(text: str) -> str:
    """Return a scalar over several lines on one, as it is read: a break is a blank, an empty line is a break."""
    return _BREAKS.sub(lambda match: "\n" * (match[0].count("\n") - 1) or " ", text) if "\n" in text else text


def _double_quoted(text: str) -> str:
    content = _ESCAPED_QUOTE.sub(lambda match: '"' if match[1] == '"' else match[0], text[1:-1])
    return f'"{_folded(content)}"'


def _block(text: str) -> str:
    """Return a scalar that is a block of lines without the indentation they share."""
    header, _, body = text.partition("\n")
    header = header.partition("#")[0].strip()
    lines = body.split("\n")
    shared = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if any(one.isdigit() for one in header):
        shared = 0
    content = "\n".join(line[shared:] if line.strip() else "" for line in lines)
    return f"{header}\n{content}" if "+" in header else f"{header}\n{content.rstrip()}"


YAML = Rules(
    spellings={
        "plain_scalar": _folded,
        "single_quote_scalar": lambda text: '"' + _folded(text[1:-1]).replace("''", "'").replace("\\", "\\\\") + '"',
        "double_quote_scalar": _double_quoted,
        "block_scalar": _block,
    },
    every=unlisted,
    verbatim=frozenset({"ERROR"}),
    between=partial(lexed, family=HASHED),
)
"""YAML: nesting stays, and what a scalar says; its quotes and its indentation are free."""

RULES = Rules(
    spellings=dict.fromkeys(("variable_name", "simple_expansion"), str), between=partial(lexed, family=BRACED)
)
"""Languages that no formatter is known for which changes more than white space and the last comma of a list."""
