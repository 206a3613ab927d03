"""Symbols of C#, PHP, Ruby, Scala, Swift, Kotlin and Bash: tables of forms, and what their grammars stumble over."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tx_graph.code.readers.c import one_reading
from tx_graph.code.symbols import Extent, Symbol
from tx_graph.code.tree import (
    PLACE,
    Declaration,
    Form,
    NameOf,
    Reader,
    Scope,
    Tree,
    blanked,
    callable_kind,
    child_of,
    each,
    field_name,
    first_line,
    function_form,
    last_line,
    outlined,
    parse_as,
    parse_masked,
    text_of,
    type_form,
    types,
    within,
    without,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# --- C# -----------------------------------------------------------------------------------------------


_CSHARP_FORMS = {
    **types(
        "class: class_declaration, struct: struct_declaration, record: record_declaration record_struct_declaration,"
        " interface: interface_declaration, enum: enum_declaration, type: delegate_declaration"
    ),
    **each("method_declaration constructor_declaration local_function_statement", function_form()),
    **each("destructor_declaration", function_form(lambda node: f"~{field_name(node)}")),
    **each("operator_declaration", function_form(lambda node: f"operator{text_of(node.field('operator'))}")),
    # What the compiler calls a conversion, without the type that it leads to.
    **each(
        "conversion_operator_declaration", function_form(lambda node: text_of(child_of(node, "implicit", "explicit")))
    ),
    **each("namespace_declaration file_scoped_namespace_declaration declaration_list global_statement", within),
    **each("ERROR", within),
}

# Directives may stand in the middle of a declaration.
CSHARP = Reader(symbols=outlined(_CSHARP_FORMS), parse=lambda text, _: parse_as(one_reading(text), "csharp"))

# --- PHP ----------------------------------------------------------------------------------------------

_PHP_OPENING = r"<\?(?:php\b|=)"
_PHP_CODE = re.compile(_PHP_OPENING, re.IGNORECASE)
_PHP_MARKUP = re.compile(
    rf"""
    '(?:\\.|[^'\\])*+'? | "(?:\\.|[^"\\])*+"?
    | /\*.*?(?:\*/|\Z) | (?://|\#(?!\[))(?:(?!\?>)[^\n])*
    | <<<\s*(?P<quote>["']?)(?P<end>\w++)(?P=quote)\r?\n.*?(?:(?<=\n)[ \t]*+(?P=end)\b|\Z)
    | (?P<mask>\?>.*?(?:{_PHP_OPENING}|\Z))
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
"""Markup between code, and everything in which `?>` would not end the code."""


def _php_read(text: str, language: str) -> Tree:
    """Return the tree of a file's code; the grammar knows nothing of markup around it."""
    first = _PHP_CODE.search(text)
    start = first.start() if first else len(text)
    code = without(_PHP_MARKUP, text[start:]) if "?>" in text else text[start:]
    return parse_masked(text, blanked(text[:start]) + code, "php")


_PHP_FORMS = {
    **types(
        "class: class_declaration, interface: interface_declaration, trait: trait_declaration, enum: enum_declaration"
        f", {PLACE}: anonymous_class"
    ),
    **each("function_definition method_declaration", function_form()),
    **each("namespace_definition declare_statement compound_statement object_creation_expression ERROR", within),
    **each("if_statement else_clause else_if_clause try_statement return_statement", within),
}

PHP = Reader(symbols=outlined(_PHP_FORMS), parse=_php_read)

# --- Ruby ---------------------------------------------------------------------------------------------

_RUBY_MAKERS = {"Struct": "class", "Class": "class", "Data": "class", "Module": "module"}
"""Constants whose `new` or `define` makes a class of what it is assigned to."""


def _ruby_singleton_method(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class's own method; `def Other.name` belongs to Other, unless that is the class around it."""
    holder, name = node.field("object"), field_name(node)
    owner = holder.text() if holder else "self"
    if owner != "self" and owner != scope.name.rpartition("::")[2]:
        name = f"{owner}::{name}"
    kind = "method" if owner != "self" else callable_kind(scope)
    return (Declaration(name, kind, node, node, node.field("body")),)


def _ruby_call(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Look into `private def name`, and into blocks, which hold definitions in many a DSL."""
    arguments, block = node.field("arguments"), node.field("block")
    inside = [*(arguments.children() if arguments else ()), *([block] if block else ())]
    return (Declaration("", "", node, node, inside=inside),) if inside else ()


def _ruby_assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the class that `Name = Struct.new(:field) do … end` makes; other blocks only lend the name."""
    left, right = node.field("left"), node.field("right")
    if not left or not right or left.kind() != "constant" or right.kind() != "call":
        return ()
    block, receiver, method = right.field("block"), right.field("receiver"), right.field("method")
    makes = receiver and method and method.text() in {"new", "define"}
    kind = _RUBY_MAKERS.get(receiver.text(), PLACE) if receiver and makes else PLACE
    return (Declaration(left.text(), kind, node, node, block, [block] if block else ()),)


_RUBY_FORMS = {
    **each("class", type_form("class", lambda node: field_name(node).removeprefix("::"))),
    **each("module", type_form("module", lambda node: field_name(node).removeprefix("::"))),
    **each("method", function_form()),
    **each("singleton_method", _ruby_singleton_method),
    **each("call", _ruby_call),
    **each("assignment", _ruby_assignment),
    **each("singleton_class body_statement block block_body do_block program ERROR", within),
    **each("if unless if_modifier unless_modifier then else elsif begin rescue ensure", within),
}

RUBY = Reader(symbols=outlined(_RUBY_FORMS, tail=re.compile(r"(?:[\s;]+end|;)$")))

# --- Scala, 2 and 3 -----------------------------------------------------------------------------------


def _scala_value(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an instance that is made in place: `val order = new Order[A] { … }`."""
    name, value = node.field("pattern"), node.field("value")
    if value and value.kind() == "indented_block":
        value = child_of(value, "instance_expression")
    if not name or not value or name.kind() != "identifier" or value.kind() != "instance_expression":
        return ()
    body = child_of(value, "template_body")
    return (Declaration(name.text(), PLACE, node, node, body, body.children()),) if body else ()


_SCALA_FORMS = {
    **types(
        "class: class_definition, object: object_definition package_object given_definition, trait: trait_definition,"
        " enum: enum_definition, type: type_definition"
    ),
    **each("function_definition function_declaration", function_form()),
    **each("val_definition", _scala_value),
    **each("package_clause template_body extension_definition ERROR", within),
}

SCALA = Reader(symbols=outlined(_SCALA_FORMS, tail=re.compile(r"\s+with$")))

# --- Swift --------------------------------------------------------------------------------------------

_SWIFT_KINDS = {"class": "class", "struct": "struct", "enum": "enum", "actor": "class", "extension": PLACE}

_SWIFT_SPELLINGS = {
    "try? await ": "try?       ",
    "#_sourceLocation": "__sourceLocation",
    "#require(": "_require(",
    "#expect(": "_expect(",
}
"""What the grammar stumbles over, so that it loses the rest of the file, and what it reads in the same place."""


def _swift_read(text: str, language: str) -> Tree:
    spelled = text
    for unknown, known in _SWIFT_SPELLINGS.items():
        spelled = spelled.replace(unknown, known)
    return parse_masked(text, spelled, "swift")


def _swift_name(node: SgNode) -> str:
    """Return `Array::Index` for `Array<Int>.Index`."""
    return "::".join(part.partition("<")[0].strip("` ") for part in text_of(node.field("name")).split("."))


_SWIFT_FORMS = {
    **each(
        "class_declaration",
        type_form(lambda node: _SWIFT_KINDS.get(text_of(node.field("declaration_kind")), "class"), _swift_name),
    ),
    **types("interface: protocol_declaration, type: typealias_declaration"),
    **each("function_declaration protocol_function_declaration init_declaration", function_form()),
    **each("deinit_declaration", function_form(lambda _: "deinit")),
    **each("ERROR", within),
}

SWIFT = Reader(symbols=outlined(_SWIFT_FORMS), parse=_swift_read)

# --- Kotlin -------------------------------------------------------------------------------------------

_KOTLIN_DECLARED = (
    r"(?:class|object|interface|fun|val|var|annotation|enum|sealed|data|value|open|abstract|inline|suspend|typealias)"
)
_KOTLIN_UNKNOWN_WORDS = ("expect", "external", "actual", "fun interface")
_KOTLIN_UNKNOWN = re.compile(
    rf"\b(?:expect|external)(?=[ \t]+{_KOTLIN_DECLARED}\b)"
    r"|\b(?:actual|expect)(?=[ \t]+(?:companion|constructor|val|var)\b)"
    r"|\bfun(?=[ \t]+interface\b)"
)
"""Keywords that the grammar does not know in these places; without them it reads the declaration well."""
_KOTLIN_HEAD_COMMENT = re.compile(
    r"\bclass[ \t]+\w++[^\n{(=/]{0,500}+(?P<mask>(?:\s*+//[^\n]{0,500}+(?=\n))++)(?=\s*+[^\n{}()]*\bconstructor\b)"
)
"""Comments between the name of a class and its constructor, where the grammar takes the class for complete."""


def _kotlin_read(text: str, language: str) -> Tree:
    """Return the tree of a file."""
    plain = without(_KOTLIN_HEAD_COMMENT, text) if "constructor" in text else text
    known = without(_KOTLIN_UNKNOWN, plain) if any(word in plain for word in _KOTLIN_UNKNOWN_WORDS) else plain
    return parse_masked(plain, known, "kotlin")


def _kotlin_type(kind: str | NameOf, unnamed: str = "") -> Form:
    def name(node: SgNode) -> str:
        return text_of(child_of(node, "type_identifier")) or unnamed

    return type_form(kind, name, lambda node: child_of(node, "class_body", "enum_class_body"))


def _kotlin_object(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare an object that the grammar takes for an expression, `object` applied to a name and a lambda."""
    literal, *applied = node.children()
    if literal.kind() != "object_literal" or literal.text() != "object" or len(applied) < 2:  # noqa: PLR2004
        return ()
    name, *bodies = applied
    statements = [found for body in bodies if (found := child_of(body, "statements"))]
    inside = [inner for found in statements for inner in found.children()]
    return (Declaration(name.text(), "object", node, node, bodies[0], inside),)


def _kotlin_property(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an object that is made in place: `val sink = object : Sink { … }`."""
    value = child_of(node, "object_literal")
    name = child_of(node, "variable_declaration") if value else None
    body = child_of(value, "class_body") if value else None
    plain = child_of(name, "simple_identifier") if name else None
    return (Declaration(plain.text(), PLACE, node, node, body, body.children()),) if plain and body else ()


_KOTLIN_FUNCTION = function_form(
    lambda node: text_of(child_of(node, "simple_identifier")), lambda node: child_of(node, "function_body")
)
_KOTLIN_FORMS = {
    **each("class_declaration", _kotlin_type(lambda node: text_of(child_of(node, "interface", "enum")) or "class")),
    **each("object_declaration", _kotlin_type("object")),
    **each("companion_object", _kotlin_type("object", unnamed="Companion")),
    **each("type_alias", _kotlin_type("type")),
    **each("function_declaration", _KOTLIN_FUNCTION),
    # The first constructor is the head of the class.
    **each(
        "secondary_constructor",
        lambda node, _: (Declaration("constructor", "method", node, node, child_of(node, "statements", "{")),),
    ),
    **each("property_declaration", _kotlin_property),
    **each("infix_expression", _kotlin_object),
    **each("ERROR", within),
}

KOTLIN = Reader(symbols=outlined(_KOTLIN_FORMS), parse=_kotlin_read)

# --- Bash, and the shells that it can stand in for ----------------------------------------------------

_BASH_HEAD = re.compile(
    r"^(?P<head>function[ \t]+(?P<word>[^\s(){}]+)(?:[ \t]*\([ \t]*\))?(?=\s*\{)"
    r"|(?P<name>[^\s(){}=;&|<>\"'$#]+)[ \t]*\([ \t]*\))\s*[{(]",
    re.MULTILINE,
)
"""A function that begins a line, as those do that are in no other."""
_BASH_END = re.compile(r"^[})]", re.MULTILINE)

_BASH_FORMS = {
    **each("function_definition", function_form()),
    **each("if_statement elif_clause else_clause case_statement case_item list", within),
    **each("compound_statement subshell do_group for_statement while_statement redirected_statement ERROR", within),
}

_bash_outlined = outlined(_BASH_FORMS)


def _bash_symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions of a script.

    Expansions such as `${answer#*{}` can make the grammar lose its way for the rest of a file; then lines tell. In
    quotes stand other languages, such as awk; what looks like a function there is none.
    """
    found = [*_bash_outlined(path, tree)]
    by_lines = [*_bash_by_lines(path, tree.text)]
    unknown = {symbol.line_start for symbol in by_lines} - {symbol.line_start for symbol in found}
    if unknown:
        for quote in tree.root.find_all({"rule": {"any": [{"kind": "heredoc_body"}, {"kind": "raw_string"}]}}):
            unknown.difference_update(range(first_line(quote), last_line(quote) + 1))
    yield from by_lines if unknown else found


def _bash_by_lines(path: str, text: str) -> Iterator[Symbol]:
    """Yield the functions that begin a line; the next bracket that begins a line ends them."""
    brackets = [bracket.start() for bracket in _BASH_END.finditer(text)]
    line, position = 1, 0
    for head in _BASH_HEAD.finditer(text):
        line, position = line + text.count("\n", position, head.start()), head.start()
        end = text.find("\n", head.end())
        end = len(text) if end < 0 else end
        after = bisect(brackets, head.end())
        if after < len(brackets) and not text[head.end() : end].rstrip().endswith(("}", ")")):
            end = brackets[after]
        yield Symbol(
            path=path,
            name=head["word"] or head["name"],
            kind="function",
            line_start=line,
            line_end=line + text.count("\n", position, end),
            signature=" ".join(head["head"].split()),
            extent=Extent(head.start(), head.end("head"), min(end + 1, len(text))),
        )


BASH = Reader(symbols=_bash_symbols)
