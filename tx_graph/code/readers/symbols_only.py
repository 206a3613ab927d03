"""Languages of which only symbols are read, each by its table of forms, and by what their grammars stumble over."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tx_graph.code.outline import (
    PLACE,
    Declaration,
    Form,
    NameOf,
    Scope,
    callable_kind,
    child_of,
    each,
    field_name,
    function_form,
    outlined,
    type_form,
    within,
)
from tx_graph.code.readers.c import one_reading
from tx_graph.code.symbols import Extent, Symbol
from tx_graph.code.tree import Reader, Tree, blanked, first_line, last_line, parse_as, parse_masked, without

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# --- C# -----------------------------------------------------------------------------------------------


def _csharp_destructor(node: SgNode) -> str:
    return f"~{field_name(node)}"


def _csharp_operator(node: SgNode) -> str:
    operator = node.field("operator")
    return f"operator{operator.text()}" if operator else ""


def _csharp_conversion(node: SgNode) -> str:
    """Return `implicit` or `explicit`: what the compiler calls such an operator, without the type it leads to."""
    way = child_of(node, "implicit", "explicit")
    return way.text() if way else ""


def _csharp_read(text: str, language: str) -> Tree:
    """Return the tree of a file without its directives, which may stand in the middle of a declaration."""
    del language
    return parse_as(one_reading(text), "csharp")


_CSHARP_FORMS = {
    **each("class_declaration", type_form("class")),
    **each("struct_declaration", type_form("struct")),
    **each("record_declaration record_struct_declaration", type_form("record")),
    **each("interface_declaration", type_form("interface")),
    **each("enum_declaration", type_form("enum")),
    **each("delegate_declaration", type_form("type")),
    **each("method_declaration constructor_declaration local_function_statement", function_form()),
    **each("destructor_declaration", function_form(_csharp_destructor)),
    **each("operator_declaration", function_form(_csharp_operator)),
    **each("conversion_operator_declaration", function_form(_csharp_conversion)),
    **each("namespace_declaration file_scoped_namespace_declaration declaration_list global_statement", within),
    **each("ERROR", within),
}

CSHARP = Reader(symbols=outlined(_CSHARP_FORMS), parse=_csharp_read)

# --- PHP ----------------------------------------------------------------------------------------------

_PHP_OPENING = r"<\?(?:php\b|=)"
_PHP_CODE = re.compile(_PHP_OPENING, re.IGNORECASE)
_PHP_MARKUP = re.compile(
    rf"""
    '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*"
    | /\*.*?\*/ | (?://|\#(?!\[))(?:(?!\?>)[^\n])*
    | <<<\s*(?P<quote>["']?)(?P<end>\w+)(?P=quote)\r?\n.*?\n\s*(?P=end)\b
    | (?P<mask>\?>.*?(?:{_PHP_OPENING}|\Z))
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
"""Markup between code, and everything in which `?>` would not end the code."""


def _php_read(text: str, language: str) -> Tree:
    """Return the tree of a file's code; the grammar knows nothing of markup around it."""
    del language
    first = _PHP_CODE.search(text)
    start = first.start() if first else len(text)
    code = without(_PHP_MARKUP, text[start:]) if "?>" in text else text[start:]
    return parse_masked(text, blanked(text[:start]) + code, "php")


_PHP_FORMS = {
    **each("class_declaration", type_form("class")),
    **each("interface_declaration", type_form("interface")),
    **each("trait_declaration", type_form("trait")),
    **each("enum_declaration", type_form("enum")),
    **each("function_definition method_declaration", function_form()),
    **each("namespace_definition declare_statement compound_statement", within),
    **each("return_statement object_creation_expression", within),
    **each("anonymous_class", type_form(PLACE)),
    **each("if_statement else_clause else_if_clause try_statement ERROR", within),
}

PHP = Reader(symbols=outlined(_PHP_FORMS), parse=_php_read)

# --- Ruby ---------------------------------------------------------------------------------------------

_RUBY_MAKERS = {"Struct": "class", "Class": "class", "Data": "class", "Module": "module"}
"""Constants whose `new` or `define` makes a class of what it is assigned to."""


def _ruby_constant(node: SgNode) -> str:
    return field_name(node).removeprefix("::")


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
    del scope
    arguments, block = node.field("arguments"), node.field("block")
    inside = [*(arguments.children() if arguments else ()), *([block] if block else ())]
    return (Declaration("", "", node, node, inside=inside),) if inside else ()


def _ruby_assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the class that `Name = Struct.new(:field) do … end` makes; other blocks only lend the name."""
    del scope
    left, right = node.field("left"), node.field("right")
    if not left or not right or left.kind() != "constant" or right.kind() != "call":
        return ()
    block = right.field("block")
    inside = [block] if block else []
    return (Declaration(left.text(), _ruby_made(right) or PLACE, node, node, block, inside),)


def _ruby_made(call: SgNode) -> str:
    """Return the kind of what a call such as `Struct.new` makes."""
    receiver, method = call.field("receiver"), call.field("method")
    makes = method is not None and method.text() in {"new", "define"}
    return _RUBY_MAKERS.get(receiver.text(), "") if receiver and makes else ""


_RUBY_FORMS = {
    **each("class", type_form("class", _ruby_constant)),
    **each("module", type_form("module", _ruby_constant)),
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
    del scope
    name, value = node.field("pattern"), node.field("value")
    if value and value.kind() == "indented_block":
        value = child_of(value, "instance_expression")
    if not name or not value or name.kind() != "identifier" or value.kind() != "instance_expression":
        return ()
    body = child_of(value, "template_body")
    return (Declaration(name.text(), PLACE, node, node, body, body.children()),) if body else ()


_SCALA_FORMS = {
    **each("class_definition", type_form("class")),
    **each("object_definition package_object given_definition", type_form("object")),
    **each("trait_definition", type_form("trait")),
    **each("enum_definition", type_form("enum")),
    **each("type_definition", type_form("type")),
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
    del language
    spelled = text
    for unknown, known in _SWIFT_SPELLINGS.items():
        spelled = spelled.replace(unknown, known)
    return parse_masked(text, spelled, "swift")


def _swift_class(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class, struct, enum or actor; an extension declares nothing, its members have the type's name."""
    keyword, name, body = node.field("declaration_kind"), node.field("name"), node.field("body")
    del scope
    if not keyword or not name:
        return ()
    kind = _SWIFT_KINDS.get(keyword.text(), "class")
    inside = body.children() if body else ()
    return (Declaration(_swift_plain(name.text()), kind, node, node, body, inside),)


def _swift_plain(type_name: str) -> str:
    """Return `Array::Index` for `Array<Int>.Index`."""
    return "::".join(part.partition("<")[0].strip("` ") for part in type_name.split("."))


def _swift_deinit(node: SgNode) -> str:
    del node
    return "deinit"


_SWIFT_FORMS = {
    **each("class_declaration", _swift_class),
    **each("protocol_declaration", type_form("interface")),
    **each("typealias_declaration", type_form("type")),
    **each("function_declaration protocol_function_declaration init_declaration", function_form()),
    **each("deinit_declaration", function_form(_swift_deinit)),
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
    r"\bclass[ \t]+\w+[^\n{(=/]*(?P<mask>(?:\s*//[^\n]*)+)(?=\s*[^\n{}()]*\bconstructor\b)"
)
"""Comments between the name of a class and its constructor, where the grammar takes the class for complete."""
_KOTLIN_KEYWORDS = {"interface": "interface", "enum": "enum", "class": "class"}


def _kotlin_read(text: str, language: str) -> Tree:
    """Return the tree of a file."""
    del language
    plain = without(_KOTLIN_HEAD_COMMENT, text) if "constructor" in text else text
    known = without(_KOTLIN_UNKNOWN, plain) if any(word in plain for word in _KOTLIN_UNKNOWN_WORDS) else plain
    return parse_masked(plain, known, "kotlin")


def _kotlin_type(kind: str | NameOf, unnamed: str = "") -> Form:
    def form(node: SgNode, scope: Scope) -> Iterable[Declaration]:
        del scope
        children = {child.kind(): child for child in reversed(node.children())}
        name = children.get("type_identifier")
        body = children.get("class_body") or children.get("enum_class_body")
        inside = body.children() if body else ()
        told = kind if isinstance(kind, str) else kind(node)
        return (Declaration(name.text().strip("`") if name else unnamed, told, node, node, body, inside),)

    return form


def _kotlin_class_kind(node: SgNode) -> str:
    return next(
        (_KOTLIN_KEYWORDS[kind] for child in node.children() if (kind := child.kind()) in _KOTLIN_KEYWORDS), "class"
    )


def _kotlin_function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    name, body = child_of(node, "simple_identifier"), child_of(node, "function_body")
    if not name:
        return ()
    return (Declaration(name.text().strip("`"), callable_kind(scope), node, node, body),)


def _kotlin_constructor(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a secondary constructor; the first is the head of the class."""
    del scope
    return (Declaration("constructor", "method", node, node, child_of(node, "statements", "{")),)


def _kotlin_object(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare an object that the grammar takes for an expression, `object` applied to a name and a lambda."""
    del scope
    literal, *applied = node.children()
    if literal.kind() != "object_literal" or literal.text() != "object":
        return ()
    match applied:
        case [name, body, *more]:
            inside = [inner for child in (body, *more) for inner in _kotlin_statements(child)]
            return (Declaration(name.text(), "object", node, node, body, inside),)
    return ()


def _kotlin_property(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an object that is made in place: `val sink = object : Sink { … }`."""
    del scope
    value = child_of(node, "object_literal")
    name = child_of(node, "variable_declaration") if value else None
    body = child_of(value, "class_body") if value else None
    plain = child_of(name, "simple_identifier") if name else None
    return (Declaration(plain.text(), PLACE, node, node, body, body.children()),) if plain and body else ()


def _kotlin_statements(node: SgNode) -> list[SgNode]:
    found = child_of(node, "statements")
    return found.children() if found else []


_KOTLIN_FORMS = {
    **each("class_declaration", _kotlin_type(_kotlin_class_kind)),
    **each("object_declaration", _kotlin_type("object")),
    **each("companion_object", _kotlin_type("object", unnamed="Companion")),
    **each("type_alias", _kotlin_type("type")),
    **each("function_declaration", _kotlin_function),
    **each("secondary_constructor", _kotlin_constructor),
    **each("property_declaration", _kotlin_property),
    **each("infix_expression", _kotlin_object),
    **each("ERROR", within),
}

KOTLIN = Reader(symbols=outlined(_KOTLIN_FORMS), parse=_kotlin_read)

# --- Lua ----------------------------------------------------------------------------------------------

_LUA_PLAIN = re.compile(r"\w+(?:[.:]\w+)*")
_LUA_QUOTED = re.compile(r"""\[\s*(["'])(\w+)\1\s*\]""")


def _lua_function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    name = node.field("name")
    kind = "method" if name and name.kind() == "method_index_expression" else "function"
    del scope
    return (Declaration(_lua_qualified(name), kind, node, node, node.field("body")),) if name else ()


def _lua_assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what is assigned to a name where that is a function; a table is looked into."""
    del scope
    targets, values = child_of(node, "variable_list"), child_of(node, "expression_list")
    if targets and values:
        for name, value in zip(targets.named_children(), values.named_children(), strict=False):
            yield from _lua_valued(name, value, node)


def _lua_field(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    del scope
    name, value = node.field("name"), node.field("value")
    return _lua_valued(name, value, node) if name and value else ()


def _lua_valued(name: SgNode, value: SgNode, whole: SgNode) -> Iterator[Declaration]:
    kind, qualified = value.kind(), _lua_qualified(name)
    if qualified and kind == "function_definition":
        yield Declaration(qualified, "function", whole, whole, value.field("body"))
    elif qualified and kind == "table_constructor":
        yield Declaration(qualified, PLACE, whole, whole, inside=value.children())


def _lua_qualified(name: SgNode) -> str:
    """Return `M::f` for `M.f`, `M:f` and `M["f"]`; computed names are none."""
    text = _LUA_QUOTED.sub(r".\2", name.text()).strip("\"'")
    return text.replace(":", ".").replace(".", "::") if _LUA_PLAIN.fullmatch(text) else ""


_LUA_FORMS = {
    **each("function_declaration", _lua_function),
    **each("assignment_statement", _lua_assignment),
    **each("field", _lua_field),
    **each("variable_declaration block do_statement ERROR", within),
    **each("if_statement elseif_statement else_statement", within),
    **each("return_statement expression_list table_constructor", within),
}

LUA = Reader(symbols=outlined(_LUA_FORMS, tail=re.compile(r"\s+end$")))

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

    Expansions such as `${answer#*{}` can make the grammar lose its way for the rest of a file; then lines tell.
    """
    found = [*_bash_outlined(path, tree)]
    known = {symbol.line_start for symbol in found}
    by_lines = [*_bash_by_lines(path, tree.text)]
    unknown = [symbol.line_start for symbol in by_lines if symbol.line_start not in known]
    yield from by_lines if unknown and not _bash_quoted(tree).issuperset(unknown) else found


def _bash_quoted(tree: Tree) -> set[int]:
    """Return the lines in which other languages stand, such as awk; what looks like a function there is none."""
    quotes = tree.root.find_all({"rule": {"any": [{"kind": "heredoc_body"}, {"kind": "raw_string"}]}})
    return {line for quote in quotes for line in range(first_line(quote), last_line(quote) + 1)}


def _bash_by_lines(path: str, text: str) -> Iterator[Symbol]:
    """Yield the functions that begin a line; the next bracket that begins a line ends them."""
    brackets = [bracket.start() for bracket in _BASH_END.finditer(text)]
    line, position = 1, 0
    for head in _BASH_HEAD.finditer(text):
        line, position = line + text.count("\n", position, head.start()), head.start()
        end = _bash_end_of_line(text, head.end())
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


def _bash_end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return end if end >= 0 else len(text)


BASH = Reader(symbols=_bash_symbols)

# --- Elixir -------------------------------------------------------------------------------------------

_ELIXIR_MODULES = {"defmodule": "module", "defimpl": "module", "defprotocol": "interface"}
_ELIXIR_FUNCTIONS = {
    **dict.fromkeys(("def", "defp", "defdelegate"), "function"),
    **dict.fromkeys(("defmacro", "defmacrop", "defguard", "defguardp"), "macro"),
}
_ELIXIR_MODULE_NAME = re.compile(r"(?:__MODULE__\.)?[A-Z]\w*(?:\.[A-Z]\w*)*|:[\w@]+")
_ELIXIR_BLOCKS = frozenset({"if", "unless", "for"})


def _elixir_call(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what a definition defines: in Elixir that is a call like any other."""
    target = node.field("target")
    word = target.text() if target and target.kind() == "identifier" else ""
    if word in _ELIXIR_FUNCTIONS:
        return _elixir_function(node, _ELIXIR_FUNCTIONS[word])
    if word in _ELIXIR_MODULES:
        return _elixir_module(node, word)
    del scope
    block = child_of(node, "do_block") if word in _ELIXIR_BLOCKS else None
    return (Declaration("", "", node, node, inside=block.children()),) if block else ()


def _elixir_module(node: SgNode, word: str) -> Iterable[Declaration]:
    arguments, block = child_of(node, "arguments"), child_of(node, "do_block")
    heads = arguments.named_children() if arguments else []
    if not heads:
        return ()
    name = heads[0].text().removeprefix(":")
    if not _ELIXIR_MODULE_NAME.fullmatch(heads[0].text()):
        name = ""  # worked out when compiling
    elif word == "defimpl" and len(heads) > 1:
        name += _elixir_implementer(heads[1])
    inside = block.children() if block else ()
    return (Declaration(name, _ELIXIR_MODULES[word], node, node, block, inside),)


def _elixir_implementer(keywords: SgNode) -> str:
    """Return `.Integer` for `for: Integer`, as the module of an implementation is called; nothing for several."""
    pair = next((child for child in keywords.named_children() if child.text().startswith("for:")), None)
    value = pair.field("value") if pair else None
    return f".{value.text()}" if value and value.kind() == "alias" else ""


def _elixir_function(node: SgNode, kind: str) -> Iterable[Declaration]:
    arguments, block = child_of(node, "arguments"), child_of(node, "do_block")
    heads = arguments.named_children() if arguments else []
    name = _elixir_name(heads[0]) if heads else ""
    body = block or (heads[1] if len(heads) > 1 else None)
    return (Declaration(name, kind, node, node, body),) if name else ()


def _elixir_name(head: SgNode) -> str:
    """Return name and arity, as in `get/2`; nothing for names that are worked out when compiling."""
    kind = head.kind()
    if kind == "binary_operator":
        operator, left = head.field("operator"), head.field("left")
        word = operator.text() if operator else ""
        return _elixir_name(left) if word == "when" and left else f"{word}/2"
    if kind == "unary_operator":
        operator = head.field("operator")
        return f"{operator.text()}/1" if operator else ""
    if kind != "call":
        return f"{head.text()}/0" if kind == "identifier" else ""
    target, arguments = head.field("target"), child_of(head, "arguments")
    if not target or target.kind() != "identifier" or target.text() == "unquote":
        return ""
    return f"{target.text()}/{len(arguments.named_children()) if arguments else 0}"


_ELIXIR_FORMS = {**each("call", _elixir_call), **each("do_block else_block ERROR", within)}

_elixir_clauses = outlined(_ELIXIR_FORMS, tail=re.compile(",$"))


def _elixir_symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file; clauses of one name and arity that follow each other are one."""
    last: Symbol | None = None
    for symbol in _elixir_clauses(path, tree):
        if last and symbol.kind in {"function", "macro"} and (symbol.name, symbol.kind) == (last.name, last.kind):
            extent = last.extent._replace(end=symbol.extent.end) if last.extent and symbol.extent else None
            last = replace(last, line_end=symbol.line_end, extent=extent)
            continue
        if last:
            yield _elixir_without_arity(last)
        last = symbol
    if last:
        yield _elixir_without_arity(last)


def _elixir_without_arity(symbol: Symbol) -> Symbol:
    if symbol.kind not in {"function", "macro"}:
        return symbol
    return replace(symbol, name=symbol.name.rpartition("/")[0])


ELIXIR = Reader(symbols=_elixir_symbols)
