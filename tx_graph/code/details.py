"""Details of languages whose syntax trees show them plainly: which nodes are some, and what they are called."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tx_graph.code.symbols import Symbol, simple_name, unnumbered
from tx_graph.code.tree import Tree, span_of
from tx_graph.code.uses import Place

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MACRO = "macro"
_HOLDER = ""
"""The kind of what is no detail itself, but lends its name to what it holds."""
_C = (
    "macro: preproc_def preproc_function_def, field: field_declaration, member: enumerator, type: type_definition"
    " alias_declaration, variable: declaration<translation_unit declaration<declaration_list declaration<preproc_if"
    " declaration<preproc_ifdef declaration<preproc_else declaration<linkage_specification"
)
_TESTS = r"call_expression/(?:describe|context|suite|it|test)(?:\.\w+)*(?:\(.*\))?"
_TABLES = {
    "c": _C.replace(" alias_declaration", ""),
    "cpp": _C,
    "csharp": "field: field_declaration event_field_declaration parameter<<record_declaration, member:"
    " enum_member_declaration, property: property_declaration event_declaration, function: local_function_statement",
    "go": "const: const_spec, variable: var_spec short_var_declaration, field: field_declaration, method: method_elem,"
    r" type: type_spec type_alias, test: call_expression/\w+\.Run",
    "java": "field: field_declaration constant_declaration formal_parameter<<record_declaration, member: enum_constant,"
    " class: class_declaration record_declaration, interface: interface_declaration, enum: enum_declaration,"
    " method: method_declaration constructor_declaration annotation_type_element_declaration",
    "kotlin": "property: property_declaration class_parameter, member: enum_entry, type: type_alias,"
    " function: function_declaration, class: class_declaration object_declaration",
    "php": "constant: const_declaration, field: property_declaration property_promotion_parameter, member: enum_case,"
    " function: function_definition",
    "ruby": "constant: assignment, method: method singleton_method",
    "rust": "const: const_item static_item, field: field_declaration, member: enum_variant, macro: macro_definition,"
    " function: function_item function_signature_item, type: type_item associated_type, struct: struct_item union_item,"
    " enum: enum_item, trait: trait_item, : impl_item mod_item",
    "scala": "field: val_definition var_definition val_declaration var_declaration class_parameter, type:"
    " type_definition, member: simple_enum_case full_enum_case, function: function_definition",
    "swift": "property: property_declaration protocol_property_declaration, member: enum_entry,"
    " function: function_declaration",
    **dict.fromkeys(("javascript", "jsx", "typescript", "tsx", "vue"), f"test: {_TESTS}"),
}
"""Kinds of nodes by the kind of detail they are; `<` the kind of node right around, `<<` of the one around that, and
behind `/` what the function is called whose call is a test."""
_WORDS = {"test": re.compile(r"\b(?:describe|context|suite|it|test)\b|\.Run\(")}
"""Without which nobody looks for tests."""

_LOCAL = frozenset({"const", "constant", "field", "property", "variable"})
"""What is no detail in a function, but one of its variables."""
_FUNCTIONS = frozenset({"function", "method", "test"})
_COMPUTED = "property"
"""The kind of a detail that may be made of statements."""
_FUNCTION_VALUES = frozenset({"func_literal"})
_NAMES = frozenset(
    "constant field_identifier generic_type identifier name qualified_type simple_identifier type_identifier"
    " variable_name".split()
)
_THROUGH = frozenset(
    "const_element multi_variable_declaration parenthesized_declarator pointer_declarator property_element"
    " simple_enum_case variable_declaration variable_declarator".split()
)
"""What a declaration has between itself and its names."""
_PROPERTY = re.compile(r"(?:[\w@()]+\s+){0,9}?(?:val|var)\b")
_NAME = re.compile(r"[^\W\d][\w$]*[!?=]?|[$#@]\w+")
_MOST_OF_TITLE = 100  # characters of a test's title that it is called by
_BLANKS = re.compile(r"\s+")


class _Held(NamedTuple):
    end: int
    name: str
    kind: str


def places(tree: Tree, symbols: Sequence[Symbol], language: str) -> dict[str, Place]:
    """Return where a file defines what its outline has not, by qualified names that no symbol has.

    What is in a symbol or detail has its name before its own; the second of a name gets a number.
    """
    kinds, rule = _table(language)
    if not kinds or tree.is_bare or not all(word.search(tree.text) for word in map(_WORDS.get, set(kinds)) if word):
        return {}
    outline = sorted((one for one in symbols if one.extent), key=lambda one: (one.extent or (0,))[0])
    taken = Counter(unnumbered(one.name) for one in symbols)
    found: dict[str, Place] = {}
    around: list[_Held] = []
    following = 0
    for node in tree.root.find_all(rule):
        kind, end = _kind(node, kinds), span_of(node)[1]
        named = [(span_of(one)[0], label) for one, label in _named(node, kind)]
        for at, label in named:
            while following < len(outline) and (extent := outline[following].extent) and extent.start <= at:
                _leave(around, extent.start)
                around.append(_Held(extent.end, unnumbered(outline[following].name), outline[following].kind))
                following += 1
            _leave(around, at)
            if _is_known(outline[max(0, following - 3) : following], at, label):
                continue
            scope = around[-1] if around else _Held(end, "", "")
            if kind in _LOCAL and (scope.kind in _FUNCTIONS or kind == scope.kind == _COMPUTED):
                if node.kind() != "property_promotion_parameter":
                    continue
                scope = scope._replace(name=scope.name.rpartition("::")[0])
            name = f"{scope.name}::{label}" if scope.name else label
            if kind != _HOLDER:
                found[_numbered(name, taken)] = Place(kind, node)
            if len(named) == 1:
                around.append(_Held(end, name, kind))
    for node in tree.beside.children() if tree.beside else ():
        for _, label in _named(node, "") if kinds.get(node.kind()) == _MACRO else ():
            found[_numbered(label, taken)] = Place(_MACRO, node)
    return found


def _numbered(name: str, taken: Counter[str]) -> str:
    taken[name] += 1
    return name if taken[name] == 1 else f"{name}#{taken[name]}"


def _leave(around: list[_Held], at: int) -> None:
    while around and around[-1].end <= at:
        around.pop()


def _is_known(near: Sequence[Symbol], at: int, label: str) -> bool:
    """Tell whether a name is that of a symbol, in whose head it stands."""
    for one in reversed(near):
        if one.extent and one.extent.start <= at < one.extent.end and simple_name(one.name) == label:
            return at <= one.extent.head_end
    return False


def _kind(node: SgNode, kinds: Mapping[str, str]) -> str:
    kind = kinds[node.kind()]
    if kind == "variable" and (value := node.field("value") or node.field("right")):
        held = value.named_children() if value.kind() == "expression_list" else [value]
        return "function" if len(held) == 1 and held[0].kind() in _FUNCTION_VALUES else kind
    return kind


def _named(node: SgNode, kind: str) -> Iterator[tuple[SgNode, str]]:
    """Yield the nodes that name what a node defines, with the names."""
    what = node.kind()
    if kind == "test":
        arguments = node.field("arguments")
        title = next(iter(arguments.named_children()), None) if arguments else None
        if title and "string" in title.kind() and (told := test_title(title.text())):
            yield title, told
    elif what == "short_var_declaration":
        left = node.field("left")
        if kind == "function" and left:
            yield from ((one, one.text()) for one in left.named_children())
    elif what == "impl_item":
        if held := node.field("type"):
            yield held, held.text().partition("<")[0].rpartition("::")[2].lstrip("&")
    elif what != "class_parameter" or _PROPERTY.match(node.text()):
        for one in _names(node):
            text = one.text().partition("[")[0] if one.kind() == "generic_type" else one.text()
            name = text.split()[-1].rpartition(".")[2].strip("`").removeprefix("$") if text else ""
            if name != "_" and _NAME.fullmatch(name):
                yield one, name


def _names(node: SgNode) -> Iterator[SgNode]:
    declarators = list(node.field_children("declarator"))
    if node.kind() == "function_declarator" and all(one.kind() != "parenthesized_declarator" for one in declarators):
        return
    if named := [one for one in node.field_children("name") if one.is_named()]:
        yield from (one for one in named if one.kind() == named[0].kind())  # some grammars call types so, too
    elif declarators:
        for one in declarators:
            yield from _names(one)
    elif not (inside := node.named_children()):
        yield node
    elif through := [one for one in inside if one.kind() in _THROUGH]:
        for one in through:
            yield from _names(one)
    elif node.kind() == "assignment":
        left = node.field("left")
        if left and left.kind() == "constant":
            yield left
    else:
        yield from [one for one in inside if one.kind() in _NAMES][:1]


def test_title(written: str) -> str:
    """Return what a test is called by whose title is written like this; nothing where a program makes it."""
    text = _BLANKS.sub(" ", written.strip("\"'`").replace("::", ":")).strip()
    return "" if "${" in text else text[:_MOST_OF_TITLE].strip()


@cache
def _table(language: str) -> tuple[dict[str, str], Any]:
    """Return the kind of detail that each kind of node is, and the rule that finds them."""
    kinds: dict[str, str] = {}
    rules: list[dict[str, Any]] = []
    for entry in filter(None, _TABLES.get(language, "").split(", ")):
        detail, _, nodes = entry.partition(":")
        for written in nodes.split():
            node, _, called = written.partition("/")
            node, far, outer = node.partition("<")
            rule: dict[str, Any] = {"kind": node}
            if called:
                rule["has"] = {"field": "function", "regex": f"^{called}$"}
            if far:
                held: dict[str, Any] = {"kind": outer.lstrip("<")}
                rule["inside"] = {"inside": held} if outer.startswith("<") else held
            kinds[node] = detail.strip()
            rules.append(rule)
    return kinds, {"rule": {"any": rules}}
