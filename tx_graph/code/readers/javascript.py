"""JavaScript, TypeScript and the scripts of Vue: what they import and declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.languages import LANGUAGES
from tx_graph.code.readers.templates import TAG_ATTRIBUTES, registered, script_of
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, around, blanked, declared, first_line, pairs, parse_as, signature, span_of

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
_VARIANT_HEAD = re.compile(r"(?:class|interface|type)\s+[\w$]+\s*<(?>[^;{}()]{0,300}?\b(?:in|out)\s)[^;{}()>]{0,300}+>")
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
    # A name in place of `import('…')`, which the grammar takes for a call.
    text = _IMPORT_TYPE.sub(lambda match: "i" + "_" * (len(match[0]) - 1), text)
    text = _ATTRIBUTES.sub(_blanked, _TYPE_ALL.sub(_exported, text))
    if "export import" in text:
        text = _EXPORT_REQUIRE.sub(_blanked, text)
    if any(variant.search(text) for variant in _VARIANT):
        text = _VARIANT_HEAD.sub(lambda head: _VARIANCE.sub(_blanked, head[0]), text)
    if grammar != "tsx":  # in which `<` at a line's start opens an element
        for signature in _CALL_SIGNATURES:
            text = signature.sub(_ended, text)
    return text


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
    before = ""
    while line and not before:  # back to the last line with code
        end, line = line, text.rfind("\n", 0, line - 1) + 1
        code = text[line:end].partition("//")[0].strip()
        before = code if not code.startswith(("*", "/*")) and not code.endswith("*/") else ""
    ends = before[-1:].isalnum() or before.endswith(_MEMBER_ENDS)
    return ";<" if ends and not before.endswith("=>") else match[0]


_NAMED = pairs(
    "function_declaration=function generator_function_declaration=function interface_declaration=interface"
    " type_alias_declaration=type enum_declaration=enum"
)
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_NAMESPACES = frozenset({"internal_module", "module"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_VALUES = _FUNCTION_VALUES | {"class"}
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_BLOCKS = frozenset(
    "ERROR catch_clause else_clause expression_statement finally_clause if_statement program statement_block"
    " try_statement".split()
)
_SHOWN = frozenset({"const", "type"})  # kinds whose values belong to their signatures if they fit into one line
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_DECLARATIONS_NAMES = frozenset({"identifier", "type_identifier", "property_identifier", "private_property_identifier"})


class _Place(NamedTuple):
    """Where a declaration stands: the names around it, each with `::` after it, and the statement it belongs to."""

    scope: str = ""
    statement: SgNode | None = None
    exported: bool = False


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it.

    Only what can hold declarations is looked into: never the bodies of functions.
    """
    waiting = [(tree.root, _Place())]
    while waiting:
        node, place = waiting.pop()
        kind, whole, scope = node.kind(), place.statement or node, place.scope
        inside, inner = node.children() if kind in _BLOCKS else [], place
        if kind == "export_statement":
            declaration, value = node.field("declaration"), node.field("value")
            inside, inner = [declaration] if declaration else [], _Place(scope, node, exported=True)
            if not declaration and value and value.kind() in _VALUES:
                yield from _value(path, tree, f"{scope}default", value, node)
        elif kind == "ambient_declaration":
            inside, inner = node.children(), place._replace(statement=whole)
            if any(child.kind() == "global" for child in inside):
                inner = _Place(f"{scope}global::")
        elif kind in _NAMED and (name := _name(node)):
            body = node.field("body") or node.field("value")
            yield _symbol(path, tree, scope + name, _NAMED[kind], whole, body)
        elif kind in _CLASSES:
            yield from _value(path, tree, scope + (_name(node) or "default"), node, whole)
        elif kind in _NAMESPACES and (label := node.field("name")):
            body, quoted = node.field("body"), label.kind() == "string"
            named = scope + (label.text()[1:-1] if quoted else label.text().replace(".", "::"))
            if not quoted:
                yield _symbol(path, tree, named, "namespace", whole, body)
            inside, inner = body.children() if body else [], _Place(f"{named}::")
        elif kind in _VARIABLES:
            yield from _variables(path, tree, node, place)
        waiting += [(child, inner) for child in reversed(inside)]


def _symbol(
    path: str, tree: Tree, name: str, kind: str, node: SgNode, body: SgNode | None, first: SgNode | None = None
) -> Symbol:
    """Return the symbol for a node; decorators may stand before it, from `first` on, or at its start.

    A signature has the value of a constant or type in it that takes one line.
    """
    shown, start = body, node
    if body and kind in _SHOWN:
        span = body.range()
        shown = body if span.start.line != span.end.line else None
    if tree.text.startswith("@", span_of(node)[0]):
        start = next((child for child in node.children() if child.kind() not in ("decorator", "comment")), node)
    return declared(path, name, kind, first or node, node, body, signature(tree, start, shown).rstrip("; "))


def _value(path: str, tree: Tree, name: str, value: SgNode, whole: SgNode) -> Iterator[Symbol]:
    """Yield a function, or a class with its methods and its fields that hold functions; decorators count in."""
    body, is_class = value.field("body"), "class" in value.kind()
    yield _symbol(path, tree, name, "class" if is_class else "function", whole, body)
    decorator: SgNode | None = None
    for node in body.children() if body and is_class else ():
        kind = node.kind()
        if kind == "decorator":
            decorator = decorator or node
            continue
        method = node if kind == "method_definition" else None
        if kind in _FIELDS:
            held = _unwrapped(node.field("value"))
            method = held if held and held.kind() in _FUNCTION_VALUES else None
        if method and (called := _name(node)):
            yield _symbol(path, tree, f"{name}::{called}", "method", node, method.field("body"), decorator)
        decorator = None


def _variables(path: str, tree: Tree, node: SgNode, place: _Place) -> Iterator[Symbol]:
    declarators = [child for child in node.children() if child.kind() == "variable_declarator"]
    for declarator in declarators:
        whole = (place.statement or node) if len(declarators) == 1 else declarator
        written = declarator.field("value")
        value, name = _unwrapped(written), _name(declarator)
        if name and value and value.kind() in _VALUES:
            yield from _value(path, tree, place.scope + name, value, whole)
        elif name and place.exported:
            yield _symbol(path, tree, place.scope + name, "const", whole, written)


def _unwrapped(value: SgNode | None) -> SgNode | None:
    while value and value.kind() in _WRAPPERS:
        inner = value.named_children()
        value = inner[0] if inner else None
    return value


def _name(node: SgNode) -> str | None:
    """Return the plain name of a declaration; computed, quoted and destructured names are none."""
    name = node.field("name") or node.field("property")
    return name.text() if name and name.kind() in _DECLARATIONS_NAMES else None


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

_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_CALL = re.compile(
    r"""(?P<callee>import|require)\s*(?:<[^(]*>)?\(\s*+(?:(?://[^\n]*\n|/\*.*?\*/)\s*+)*+"""
    r"""(?P<quote>["'`])(?P<module>[^"'`\n]*)(?P=quote)\s*+(?:(?://[^\n]*\n|/\*.*?\*/)\s*+)*+[,)]""",
    re.DOTALL,
)
_TYPE_STATEMENT = re.compile(r"import\s+type\b(?!\s*(?:,|from\b\s*$|=))")
_ONLY_NAMES = re.compile(r"import\s*\{(.*)\}\s*from\s*", re.DOTALL)
_TYPE_NAME = re.compile(r"type\s+(?!as\s)\S|type\s+as\s+as\s")

_TYPE_POSITIONS = frozenset(
    "type_annotation type_query type_alias_declaration type_arguments type_parameters interface_declaration"
    " asserts_annotation type_predicate_annotation implements_clause extends_type_clause constraint".split()
)
_TYPE_AFTER = {"as_expression": "as", "satisfies_expression": "satisfies", "binary_expression": "<"}
"""Expressions whose right side is a type. The grammar takes `f<import('x').A>()` for comparisons."""


def parse(text: str, language: str) -> Tree:
    """Return the tree of a source; what the grammar does not know is spelled otherwise for it."""
    grammar = LANGUAGES[language].grammar
    return replace(parse_as(understood(text, grammar), grammar), text=text)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order."""
    yield from tree.outside
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
    # The module of an `import('…').Type<…>`, for which a name stands in the tree.
    match = _IMPORT_TYPE.match(tree.text, span_of(node)[0]) if kind in _JAVASCRIPT_NAMES else None
    return (match["module"], ImportType.TYPE_ONLY) if match else None


def _from_statement(node: SgNode, kind: str) -> tuple[str, ImportType] | None:
    source = node.field("source") or node.find(kind="import_require_clause") or node.find(kind="string")
    if source and source.kind() == "import_require_clause":
        source = source.field("source") or source.find(kind="string")
    if source is None:
        return None
    module, text = source.text()[1:-1], node.text()
    if kind == "export_statement":
        return module, ImportType.RE_EXPORT
    head = _COMMENT.sub(" ", text[: span_of(source)[0] - span_of(node)[0]]) if "type" in text else ""
    names = _ONLY_NAMES.fullmatch(head)
    listed = [name.strip() for name in names[1].split(",")] if names else []
    only_types = any(listed) and all(_TYPE_NAME.match(name) for name in listed if name)
    return module, ImportType.TYPE_ONLY if only_types or _TYPE_STATEMENT.match(head) else ImportType.STATIC


def _in_type_position(node: SgNode) -> bool:
    """Tell whether an `import()` stands where a type is expected: `import('x').A`, `typeof import('x')`."""
    below = node
    for above in node.ancestors():
        kind, before = above.kind(), below.prev()
        if kind in _TYPE_POSITIONS or (before and before.text() == _TYPE_AFTER.get(kind)):
            return True
        if kind == "unary_expression" and above.text().startswith("typeof"):
            return True  # asking an import() for its run-time type would make no sense
        if kind in ("statement_block", "arguments"):
            return False
        below = above
    return False


READER = Reader(
    uses="ecmascript", tells_errors=True, specifiers=specifiers, symbols=symbols, import_word=_IMPORT_WORD, parse=parse
)

_FLAGS = re.DOTALL | re.IGNORECASE
_OPENING = re.compile(rf"<!--.*?(?:-->|\Z)|<(?P<tag>[a-z][\w-]*+)(?P<attributes>{TAG_ATTRIBUTES})(?:>|\Z)", _FLAGS)
_SCRIPT_LANGUAGES = {"ts": "typescript", "tsx": "tsx", "jsx": "jsx"}


class _Block(NamedTuple):
    """A top-level element of a component; `start` and `end` are the offsets of its content."""

    tag: str
    attributes: str
    start: int
    end: int

    def attribute(self, name: str) -> str | None:
        match = re.search(rf"""(?:^|\s){name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", self.attributes)
        return next((value for value in match.groups() if value is not None), None) if match else None


def parse_component(text: str, language: str) -> Tree:
    """Return the tree of the scripts of a Vue component, read as one source with the component's line numbers.

    `<script src>` is among the imports outside it, and beside it is what the template uses.
    """
    blocks = list(_blocks(text))
    scripts = [block for block in blocks if block.tag == "script"]
    named = (_SCRIPT_LANGUAGES.get(script.attribute("lang") or "") for script in scripts)
    pieces, position = [], 0
    for script in scripts:
        # The semicolon ends a statement that the script before left open.
        pieces += [blanked(text[position : script.start - 1]), ";", text[script.start : script.end]]
        position = script.end
    pieces.append(blanked(text[position:].rstrip()))
    grammar = next((name for name in named if name), "javascript")
    tree = parse("".join(pieces), grammar)
    template = next((one for one in blocks if one.tag == "template" and one.attribute("lang") in (None, "html")), None)
    beside = None
    if template and scripts:
        is_setup = any(re.search(r"(?:^|\s)setup\b", script.attributes) for script in scripts)
        used = script_of(text, template.start, template.end, None if is_setup else registered(tree.text))
        beside = parse(used, grammar).root
    outside = [
        Specifier(module=source, line=text.count("\n", 0, script.start) + 1)
        for script in scripts
        if (source := script.attribute("src"))
    ]
    return replace(tree, outside=tuple(outside), beside=beside)


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the top-level elements; what stands in comments or in other elements is none."""
    position = 0
    while opening := _OPENING.search(text, position):
        start = end = position = opening.end()
        tag, attributes = (opening["tag"] or "").lower(), opening["attributes"] or ""
        if not tag:
            continue
        if not attributes.endswith("/"):
            end, position = _closing(text, tag, start, attributes)
        yield _Block(tag, attributes, start, end)


def _closing(text: str, tag: str, position: int, attributes: str) -> tuple[int, int]:
    """Return where an element's content ends and where the text after it starts; only HTML templates nest."""
    nests = tag == "template" and "lang=" not in attributes
    depth = 1
    edges = re.compile(rf"<!--.*?(?:-->|\Z)|<(?P<slash>/?){tag}\b(?P<attributes>{TAG_ATTRIBUTES})(?:>|\Z)", _FLAGS)
    for match in edges.finditer(text, position):
        if match["slash"]:
            depth -= 1
        elif match["slash"] is not None and nests and not match["attributes"].endswith("/"):
            depth += 1
        if depth == 0:
            return match.start(), match.end()
    return len(text), len(text)


VUE = replace(READER, parse=parse_component, import_word=None)
"""Vue: the scripts of a single-file component."""
