"""JavaScript and TypeScript: what they import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.languages import LANGUAGES
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, around, extent, first_line, last_line, parse_as, signature

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_IMPORT_TYPE = re.compile(
    r"""import\([ \t]*(?P<quote>["'])(?P<module>[^"'\n]+)(?P=quote)[ \t]*\)"""
    r"""(?=\s*\.\s*(?!(?:then|catch|finally)\b)[\w$.\s]+[<\[]|\s*>)"""
)
_TYPE_ALL = re.compile(r"(type)\s+\*\s*(?=from\b|as\b)")
_EXPORT_REQUIRE = re.compile(r"(export)\s+import\s+(?:type\s+)?[\w$]+\s*=\s*require\b")
_ATTRIBUTES = re.compile(r"""from\s*(?:"[^"\n]*"|'[^'\n]*')\s*((?:with|assert)\s*\{[^{}]*\})""")
_VARIANT = (re.compile(r"in [A-Z]\w*\s*[,>=]"), re.compile(r"out [A-Z]\w*(?:\s*[,>=]|\s+extends\b)"))
_VARIANT_HEAD = re.compile(r"(?:class|interface|type)\s+[\w$]+\s*<[^;{}()]*?\b(?:in|out)\s[^;{}()]*?>")
_VARIANCE = re.compile(r"(?<=[<,\s])((?:in\s+out|in|out)\s)\s*[A-Z]\w*(?=\s*[,>=]|\s+extends\b)")
_CALL_SIGNATURES = (re.compile(r" <(?=\s*(?:const\s+)?[A-Z])"), re.compile(r"\t<(?=\s*(?:const\s+)?[A-Z])"))
_VISIBLE = re.compile(r"\S")
_MEMBER_ENDS = ("]", ")", "}", ">", "'", '"')


def understood(text: str, grammar: str) -> str:
    """Return the text, as long as before, without what the grammar stumbles over.

    Patterns that start with plain letters are found many times faster than others; those others wait for a sign.
    """
    if grammar == "javascript":  # whose elements have no attributes called like keywords
        return text.replace(" class=", " klass=").replace(" for=", " fro=")
    text = _IMPORT_TYPE.sub(_as_name, text)
    text = _ATTRIBUTES.sub(_blanked, _TYPE_ALL.sub(_exported, text))
    if "export import" in text:
        text = _EXPORT_REQUIRE.sub(_blanked, text)
    if any(variant.search(text) for variant in _VARIANT):
        text = _VARIANT_HEAD.sub(lambda head: _VARIANCE.sub(_blanked, head[0]), text)
    if grammar != "tsx":  # in which `<` at a line's start opens an element
        for signature in _CALL_SIGNATURES:
            text = signature.sub(_ended, text)
    return text


def imported_type(text: str, start: int) -> str | None:
    """Return the module of an `import('…').Type<…>` that stands at an offset of the source."""
    match = _IMPORT_TYPE.match(text, start)
    return match["module"] if match else None


def _as_name(match: re.Match[str]) -> str:
    """Return a name in place of `import('…')`, which the grammar takes for a call."""
    return "i" + "_" * (len(match[0]) - 1)


def _blanked(match: re.Match[str]) -> str:
    first, last = (place - match.start() for place in match.span(1))
    return f"{match[0][:first]}{_VISIBLE.sub(' ', match[1])}{match[0][last:]}"


def _exported(match: re.Match[str]) -> str:
    """Return the `*` of `export type *` without its `type`; `import type *` is known."""
    before = match.string[max(match.start() - 80, 0) : match.start()].rstrip()
    return _blanked(match) if before.endswith("export") else match[0]


def _ended(match: re.Match[str]) -> str:
    """Return a line's start with `<` after a semicolon that ends the member of an interface before it."""
    text, start = match.string, match.start()
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return match[0]
    before = _code_before(text, line)
    ends = before[-1:].isalnum() or before.endswith(_MEMBER_ENDS)
    return ";<" if ends and not before.endswith("=>") else match[0]


def _code_before(text: str, line: int) -> str:
    while line:
        start = text.rfind("\n", 0, line - 1) + 1
        code = text[start:line].partition("//")[0].strip()
        if code and not code.startswith(("*", "/*")) and not code.endswith("*/"):
            return code
        line = start
    return ""


_NAMED = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
}
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_NAMESPACES = frozenset({"internal_module", "module"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_VALUES = _FUNCTION_VALUES | {"class"}
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_BLOCKS = frozenset(
    (
        "ERROR catch_clause else_clause expression_statement finally_clause if_statement program "
        "statement_block try_statement"
    ).split()
)
_SHOWN = frozenset({"const", "type"})
"""Kinds whose values belong to their signatures if they fit into one line."""
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_DECLARATIONS_NAMES = frozenset({"identifier", "type_identifier", "property_identifier", "private_property_identifier"})


class _Place(NamedTuple):
    """Where a declaration stands: the names around it, each with `::` after it, and the statement it belongs to."""

    scope: str = ""
    statement: SgNode | None = None
    exported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """A walk over the declarations of a file; what may hold more of them waits, the next one last."""

    path: str
    tree: Tree
    waiting: list[tuple[SgNode, _Place]] = field(default_factory=list)

    def look_into(self, block: SgNode, place: _Place) -> None:
        self.waiting.extend((child, place) for child in reversed(block.children()))

    def symbol(
        self, name: str, kind: str, node: SgNode, body: SgNode | None, *, decorator: SgNode | None = None
    ) -> Symbol:
        """Return the symbol for a node; its `decorator` may stand before it. A signature has a short body in it."""
        shown = _long(body) if kind in _SHOWN else body
        head = signature(self.tree, _undecorated(node, self.tree), shown)
        return Symbol(
            path=self.path,
            name=name,
            kind=kind,
            line_start=first_line(decorator or node),
            line_end=last_line(node),
            signature=head.rstrip("; "),
            extent=extent(decorator or node, node, body),
        )


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it.

    Only what can hold declarations is looked into: never the bodies of functions.
    """
    walk = _Walk(path=path, tree=tree, waiting=[(tree.root, _Place())])
    while walk.waiting:
        node, place = walk.waiting.pop()
        if handle := _HANDLERS.get(node.kind()):
            yield from handle(walk, node, place)


def _block(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    walk.look_into(node, place)
    return iter(())


def _export(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    outer = _Place(place.scope, node, exported=True)
    if declaration := node.field("declaration"):
        walk.waiting.append((declaration, outer))
    elif (value := node.field("value")) and value.kind() in _VALUES:
        yield from _value(walk, "default", value, (node, outer))


def _ambient(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    augments_global = any(child.kind() == "global" for child in node.children())
    outer = _Place(f"{place.scope}global::") if augments_global else place._replace(statement=place.statement or node)
    walk.look_into(node, outer)
    return iter(())


def _named(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    if name := _name(node):
        body = node.field("body") or node.field("value")
        outer = place.statement or node
        yield walk.symbol(place.scope + name, _NAMED[node.kind()], outer, body)


def _class(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    return _class_named(walk, _name(node) or "default", node, (place.statement or node, place))


def _class_named(walk: _Walk, name: str, node: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    body = node.field("body")
    yield walk.symbol(place.scope + name, "class", whole, body)
    if body:
        yield from _members(walk, body, f"{place.scope}{name}::")


def _members(walk: _Walk, body: SgNode, scope: str) -> Iterator[Symbol]:
    """Yield the methods of a class, and its fields that hold functions; decorators count in."""
    decorator: SgNode | None = None
    for node in body.children():
        kind = node.kind()
        if kind == "decorator":
            decorator = decorator or node
            continue
        method = node if kind == "method_definition" else _function_of(node) if kind in _FIELDS else None
        if method and (name := _name(node)):
            yield walk.symbol(scope + name, "method", node, method.field("body"), decorator=decorator)
        decorator = None


def _namespace(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    name, body = node.field("name"), node.field("body")
    if name is None:
        return
    quoted = name.kind() == "string"
    label = name.text()[1:-1] if quoted else name.text().replace(".", "::")
    if not quoted:
        outer = place.statement or node
        yield walk.symbol(place.scope + label, "namespace", outer, body)
    if body:
        walk.look_into(body, _Place(f"{place.scope}{label}::"))


def _variables(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    declarators = [child for child in node.children() if child.kind() == "variable_declarator"]
    alone = len(declarators) == 1
    for declarator in declarators:
        if name := _name(declarator):
            whole = (place.statement or node) if alone else declarator
            yield from _variable(walk, name, declarator, (whole, place))


def _variable(walk: _Walk, name: str, declarator: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    written = declarator.field("value")
    value = _unwrapped(written)
    if value and value.kind() in _VALUES:
        yield from _value(walk, name, value, where)
    elif place.exported:
        yield walk.symbol(place.scope + name, "const", whole, written)


def _value(walk: _Walk, name: str, value: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    if value.kind() == "class":
        yield from _class_named(walk, name, value, where)
    else:
        yield walk.symbol(place.scope + name, "function", whole, value.field("body"))


def _function_of(node: SgNode) -> SgNode | None:
    value = _unwrapped(node.field("value"))
    return value if value and value.kind() in _FUNCTION_VALUES else None


def _unwrapped(value: SgNode | None) -> SgNode | None:
    while value and value.kind() in _WRAPPERS:
        inner = value.named_children()
        value = inner[0] if inner else None
    return value


def _long(value: SgNode | None) -> SgNode | None:
    """Return a value that takes several lines: a signature goes without it."""
    span = value.range() if value else None
    return value if span and span.start.line != span.end.line else None


def _undecorated(node: SgNode, tree: Tree) -> SgNode:
    """Return where a declaration starts after its decorators."""
    if not tree.text.startswith("@", node.range().start.index):
        return node
    rest = (child for child in node.children() if child.kind() not in ("decorator", "comment"))
    return next(rest, node)


def _name(node: SgNode) -> str | None:
    """Return the plain name of a declaration; computed, quoted and destructured names are none."""
    name = node.field("name") or node.field("property")
    return name.text() if name and name.kind() in _DECLARATIONS_NAMES else None


_HANDLERS: dict[str, Callable[[_Walk, SgNode, _Place], Iterator[Symbol]]] = {
    "export_statement": _export,
    **dict.fromkeys(_NAMED, _named),
    **dict.fromkeys(_CLASSES, _class),
    **dict.fromkeys(_NAMESPACES, _namespace),
    **dict.fromkeys(_VARIABLES, _variables),
    **dict.fromkeys(_BLOCKS, _block),
    "ambient_declaration": _ambient,
}


_IMPORT_WORD = re.compile(r"import|require|export")

_WORDS = (
    re.compile(r"import(?![\w$]|\s*\.)"),
    re.compile(r"require(?=\s*[<(])"),
    re.compile(
        r"export(?!\s+(?:const|let|var|function|async|class|abstract|interface|enum|declare|namespace|default)\b|[\w$])"
    ),
)
"""The words that imports start with. An `export` before a declaration gives away what is here, not elsewhere."""
_CALLEES = frozenset({"import", "require"})
_JAVASCRIPT_NAMES = frozenset({"identifier", "type_identifier"})

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CALL = re.compile(
    r"""(?P<callee>import|require)\s*(?:<[^(]*>)?\(\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*"""
    r"""(?P<quote>["'`])(?P<module>[^"'`\n]*)(?P=quote)\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*[,)]""",
    re.DOTALL,
)
_TYPE_STATEMENT = re.compile(r"import\s+type\b(?!\s*(?:,|from\b\s*$|=))")
_ONLY_NAMES = re.compile(r"import\s*\{(.*)\}\s*from\s*", re.DOTALL)
_TYPE_NAME = re.compile(r"type\s+(?!as\s)\S|type\s+as\s+as\s")

_TYPE_POSITIONS = frozenset(
    (
        "type_annotation type_query type_alias_declaration type_arguments type_parameters "
        "interface_declaration asserts_annotation type_predicate_annotation implements_clause "
        "extends_type_clause constraint"
    ).split()
)
_TYPE_AFTER = {"as_expression": "as", "satisfies_expression": "satisfies", "binary_expression": "<"}
"""Expressions whose right side is a type. The grammar takes `f<import('x').A>()` for comparisons."""


def parse(text: str, language: str) -> Tree:
    """Return the tree of a source; what the grammar does not know is spelled otherwise for it."""
    grammar = LANGUAGES[language].grammar
    return replace(parse_as(understood(text, grammar), grammar), text=text)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order."""
    for node in around(tree, *_WORDS, leaves=("import_statement",)):
        if found := _imported(node, tree):
            module, kind = found
            yield Specifier(module=module, type=kind, line=first_line(node))


def _imported(node: SgNode, tree: Tree) -> tuple[str, ImportType] | None:
    """Return the module that a node imports, and how; None when it imports nothing itself."""
    kind = node.kind()
    if kind == "import_statement" or (kind == "export_statement" and node.field("source")):
        return _from_statement(node, kind)
    if kind == "call_expression":
        callee = node.field("function")
        match = _CALL.match(node.text()) if callee and callee.text() in _CALLEES else None
        if match is None or "${" in match["module"]:
            return None
        if match["callee"] == "require":
            return match["module"], ImportType.STATIC
        return match["module"], ImportType.TYPE_ONLY if _in_type_position(node) else ImportType.DYNAMIC
    module = imported_type(tree.text, node.range().start.index) if kind in _JAVASCRIPT_NAMES else None
    return (module, ImportType.TYPE_ONLY) if module else None


def _from_statement(node: SgNode, kind: str) -> tuple[str, ImportType] | None:
    source = node.field("source") or node.find(kind="import_require_clause") or node.find(kind="string")
    if source and source.kind() == "import_require_clause":
        source = source.field("source") or source.find(kind="string")
    if source is None:
        return None
    module = source.text()[1:-1]
    if kind == "export_statement":
        return module, ImportType.RE_EXPORT
    text = node.text()
    if "type" not in text:
        return module, ImportType.STATIC
    head = text[: source.range().start.index - node.range().start.index]
    return module, ImportType.TYPE_ONLY if _names_types_only(head) else ImportType.STATIC


def _names_types_only(head: str) -> bool:
    text = _COMMENT.sub(" ", head) if "/" in head else head
    if _TYPE_STATEMENT.match(text):
        return True
    names = _ONLY_NAMES.fullmatch(text)
    listed = [name.strip() for name in names[1].split(",")] if names else []
    return any(listed) and all(_TYPE_NAME.match(name) for name in listed if name)


def _in_type_position(node: SgNode) -> bool:
    """Tell whether an `import()` stands where a type is expected: `import('x').A`, `typeof import('x')`."""
    below = node
    for above in node.ancestors():
        kind = above.kind()
        if kind in _TYPE_POSITIONS or (kind in _TYPE_AFTER and _follows(below, _TYPE_AFTER[kind])):
            return True
        if kind == "unary_expression" and above.text().startswith("typeof"):
            return True  # asking an import() for its run-time type would make no sense
        if kind in ("statement_block", "arguments"):
            return False
        below = above
    return False


def _follows(node: SgNode, token: str) -> bool:
    before = node.prev()
    return before is not None and before.text() == token


READER = Reader(specifiers=specifiers, symbols=symbols, import_word=_IMPORT_WORD, parse=parse)
