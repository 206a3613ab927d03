"""Go: its imports, its declarations, and what it offers to other packages and takes from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.languages.go_uses import uses
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, extent, first_line, last_line, signature
from tx_graph.domain.imports import NO_SURFACE, Offered, Specifier, Surface
from tx_graph.domain.symbols import Symbol

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_INITIALISER = "init"
"""Nobody can call it, but importing its package runs it."""

_SPEC = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?:(?P<alias>[^\W\d]\w*|\.)\s*)?(?P<quote>["`])(?P<module>[^"`\n]+)(?P=quote)""", re.DOTALL
)
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TYPE_KINDS = {"struct_type": "struct", "interface_type": "interface"}
_TYPE_BODIES = frozenset({"field_declaration_list", "{"})
_TYPE_SPECS = frozenset({"type_spec", "type_alias"})
_VALUE_SPECS = frozenset({"const_spec", "var_spec"})
_SPEC_LISTS = frozenset({"var_spec_list", "ERROR"})
"""The grammar takes a spec right before `)` for an error, though Go does not."""


def _statements(root: SgNode) -> Iterator[tuple[str, SgNode]]:
    """Yield what stands at the top of a file with its kind, also from among what the grammar could not place."""
    for node in root.children():
        kind = node.kind()
        if kind == "ERROR":
            yield from _statements(node)
        else:
            yield kind, node


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield one specifier per imported package; its name is the alias, `_` or `.`, None for the package's own."""
    for kind, node in _statements(tree.root):
        if kind == "import_declaration":
            yield from _imported(node)


def _imported(declaration: SgNode) -> Iterator[Specifier]:
    specs, line = declaration.text().removeprefix("import"), first_line(declaration)
    for match in _SPEC.finditer(specs):
        if module := match["module"]:
            yield Specifier(module=module, name=match["alias"], line=line + specs.count("\n", 0, match.start("module")))


def surface(tree: Tree) -> Surface:
    """Return a file's package, the names that it declares for other packages, and those that it uses of them."""
    package, code_start = "", 0
    imports: list[Specifier] = []
    offers: list[str] = []
    for kind, node in _statements(tree.root):
        if kind == "package_clause":
            package = _package(node)
        elif kind == "import_declaration":
            imports.extend(_imported(node))
            code_start = node.range().end.index
        elif names := _NAMES.get(kind):
            offers.extend(names(node))
    if not package:
        return NO_SURFACE
    return Surface(
        package=package,
        offers=tuple(Offered(name) for name in dict.fromkeys(offers) if name[0].isupper() or name == _INITIALISER),
        uses=uses(tree, imports, code_start) if imports else (),
    )


def _package(clause: SgNode) -> str:
    return next((node.text() for node in clause.children() if node.kind() == "package_identifier"), "")


def _function_name(node: SgNode) -> Iterator[str]:
    if name := node.field("name"):
        yield name.text()


def _spec_names(node: SgNode) -> Iterator[str]:
    for spec in _specs(node):
        yield from _names(spec)


def _specs(declaration: SgNode) -> Iterator[SgNode]:
    """Yield the specs of a declaration, whether parentheses group them or not."""
    for node in declaration.children():
        kind = node.kind()
        if kind in _TYPE_SPECS or kind in _VALUE_SPECS:
            yield node
        elif kind in _SPEC_LISTS:
            yield from _specs(node)


def _names(spec: SgNode) -> Iterator[str]:
    """Yield the names that one spec declares; the blank one declares nothing."""
    for name in spec.field_children("name"):
        if name.is_named() and (text := name.text()) != "_":
            yield text


_NAMES: dict[str, Callable[[SgNode], Iterator[str]]] = {
    "function_declaration": _function_name,
    "type_declaration": _spec_names,
    "const_declaration": _spec_names,
    "var_declaration": _spec_names,
}


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions, methods (`Type::Method`), types and exported constants of a file."""
    for kind, node in _statements(tree.root):
        if handle := _SYMBOLS.get(kind):
            yield from handle(path, tree, node)


def _function(path: str, tree: Tree, node: SgNode) -> Iterator[Symbol]:
    if name := node.field("name"):
        body = node.field("body")
        yield _symbol(path, (name.text(), "function"), node, body, signature(tree, node, body))


def _method(path: str, tree: Tree, node: SgNode) -> Iterator[Symbol]:
    receiver, name = node.field("receiver"), node.field("name")
    if receiver and name and (owner := _owner(receiver.text())):
        body = node.field("body")
        yield _symbol(path, (f"{owner}::{name.text()}", "method"), node, body, signature(tree, node, body))


def _owner(receiver: str) -> str:
    """Return the type of a receiver, `Map` of `(m *Map[K, V])`: the last name before any type parameters."""
    code = _COMMENT.sub(" ", receiver) if "/" in receiver else receiver
    names = _IDENTIFIER.findall(code.partition("[")[0])
    return names[-1] if names else ""


def _types(path: str, tree: Tree, node: SgNode) -> Iterator[Symbol]:
    for spec in _specs(node):
        name, definition = spec.field("name"), spec.field("type")
        if name and definition and (text := name.text()) != "_":
            whole, kind = _whole(node, spec), definition.kind()
            body = next((part for part in definition.children() if part.kind() in _TYPE_BODIES), None)
            called = (text, _TYPE_KINDS.get(kind, "type"))
            yield _symbol(path, called, whole, body or definition, signature(tree, whole, body))


def _constants(path: str, tree: Tree, node: SgNode) -> Iterator[Symbol]:
    for spec in _specs(node):
        whole = _whole(node, spec)
        for name in _names(spec):
            if name[0].isupper():
                yield _symbol(path, (name, "const"), whole, spec.field("value"), signature(tree, whole, None))


def _whole(declaration: SgNode, spec: SgNode) -> SgNode:
    """Return the declaration where it declares one thing, else the spec among those in its parentheses."""
    return spec if any(child.kind() == "(" for child in declaration.children()) else declaration


def _symbol(path: str, called: tuple[str, str], node: SgNode, body: SgNode | None, head: str) -> Symbol:
    name, kind = called
    return Symbol(
        path=path,
        name=name,
        kind=kind,
        line_start=first_line(node),
        line_end=last_line(node),
        signature=head,
        extent=extent(node, node, body),
    )


_SYMBOLS: dict[str, Callable[[str, Tree, SgNode], Iterator[Symbol]]] = {
    "function_declaration": _function,
    "method_declaration": _method,
    "type_declaration": _types,
    "const_declaration": _constants,
}

READER = Reader(symbols=symbols, specifiers=specifiers, surface=surface, import_word=re.compile("import"))
