"""Java: what a file imports, declares and offers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, extent, first_line, last_line, signature

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_CALLABLES = {
    "method_declaration": "method",
    "constructor_declaration": "constructor",
    "compact_constructor_declaration": "constructor",
    "annotation_type_element_declaration": "method",
}
_KINDS = _TYPES | _CALLABLES
_TRANSPARENT = frozenset({"enum_body_declarations", "ERROR"})
"""Nodes whose members belong to what is around them; declarations inside broken syntax are still declarations."""
_ANNOTATIONS = frozenset({"annotation", "marker_annotation", "block_comment", "line_comment"})

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_NAME = r"[\w$]+(?:\s*\.\s*[\w$]+)*"
_IMPORT = re.compile(rf"import\s+(?P<static>static\s+)?(?P<name>{_NAME})(?P<star>\s*\.\s*\*)?\s*;?")
_ON_DEMAND = re.compile(r"import\s[^;*]*\*")
_TEXT = re.compile(r"""//[^\n]*|/\*.*?\*/|\"""(?:[^\\]|\\.)*?\"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
"""What is no code: comments, strings and characters."""
_WORD = re.compile(r"(?:new\s+|@)?[\w$.]+\(?")
_HEAD = re.compile(r"(?:new\s+|@)?([\w$]*)")
_CALL = re.compile(r"[\w$]+\(")
_DECLARATIONS: Rule = {"any": [{"kind": kind} for kind in ("type_parameter", *_TYPES)]}


class _Import(NamedTuple):
    """An import declaration: `import static name.*` and its simpler forms."""

    static: bool
    name: str
    star: bool
    line: int

    @property
    def specifier(self) -> Specifier:
        """The import as module and name; the name of a static one is the member."""
        if self.star:
            return Specifier(module=self.name, name="*", line=self.line)
        module, _, member = self.name.rpartition(".")
        if self.static and module:
            return Specifier(module=module, name=member, line=self.line)
        return Specifier(module=self.name, line=self.line)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order."""
    return (found.specifier for found in _imports(tree))


def _imports(tree: Tree) -> Iterator[_Import]:
    for node in tree.root.children():
        if node.kind() == "import_declaration" and (match := _IMPORT.fullmatch(_uncommented(node.text()))):
            yield _Import(
                static=match["static"] is not None,
                name=_joined(match["name"]),
                star=match["star"] is not None,
                line=first_line(node),
            )


def _uncommented(text: str) -> str:
    return _COMMENT.sub(" ", text) if "/" in text else text


def _joined(name: str) -> str:
    """Return a dotted name without the blanks that may stand in it."""
    return "".join(name.split())


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the types, methods and constructors of a file, each before those inside it.

    Bodies of methods are never looked into, nor are initialisers; so local and anonymous classes stay out.
    """
    open_bodies = [(iter(tree.root.children()), "")]
    while open_bodies:
        members, scope = open_bodies[-1]
        node = next(members, None)
        if node is None:
            open_bodies.pop()
        elif (kind := node.kind()) in _TRANSPARENT:
            open_bodies.append((iter(node.children()), scope))
        elif kind in _KINDS and (name := node.field("name")):
            label = f"{scope}{name.text()}"
            body = node.field("body")
            yield _symbol(path, label, tree, node, body)
            if body and kind in _TYPES:
                open_bodies.append((iter(body.children()), f"{label}::"))


def _symbol(path: str, name: str, tree: Tree, node: SgNode, body: SgNode | None) -> Symbol:
    return Symbol(
        path=path,
        name=name,
        kind=_KINDS[node.kind()],
        line_start=first_line(node),
        line_end=last_line(node),
        signature=signature(tree, _unannotated(node), body or node.children()[-1]),
        extent=extent(node, node, body),
    )


def _unannotated(node: SgNode) -> SgNode:
    """Return where a declaration goes on after the annotations that it starts with."""
    modifiers = node.child(0)
    if modifiers is None or modifiers.kind() != "modifiers":
        return node
    plain = next((word for word in modifiers.children() if word.kind() not in _ANNOTATIONS), None)
    return plain or modifiers.next() or node


def surface(tree: Tree) -> Surface:
    """Return the package, the top-level types, and the simple names that on-demand imports are decided by."""
    nodes = [(node, node.kind()) for node in tree.root.children()]
    return Surface(
        package=next((_package(node) for node, kind in nodes if kind == "package_declaration"), ""),
        offers=tuple(Offered(name.text()) for node, kind in nodes if kind in _TYPES and (name := node.field("name"))),
        uses=_uses(tree) if _ON_DEMAND.search(tree.text) else (),
    )


def _package(node: SgNode) -> str:
    """Return the name in a package clause; annotations and comments may stand around it."""
    name = next((child for child in node.children() if child.kind() in ("identifier", "scoped_identifier")), None)
    return _joined(_uncommented(name.text())) if name else ""


def _uses(tree: Tree) -> tuple[str, ...]:
    """Return the names in a file with an on-demand import of a package that may be types of that package.

    A type that the file declares or imports by its name is not among them. The text is read rather than the tree:
    that takes half the time.
    """
    imports = list(_imports(tree))
    if not any(found.star and not found.static for found in imports):
        return ()
    known = {found.name.rpartition(".")[2] for found in imports if not found.star} | _declared(tree)
    words = set(_WORD.findall(_TEXT.sub(" ", tree.text)))
    return tuple(sorted({name for word in words if _may_be_type(name := _head(word))} - known))


def _head(word: str) -> str:
    """Return the first name of a dotted word; none when the word calls a method of the file itself."""
    head = None if _CALL.fullmatch(word) else _HEAD.match(word)
    return head[1] if head else ""


def _declared(tree: Tree) -> set[str]:
    """Return the types and type parameters that a file declares, wherever in it."""
    nodes = tree.root.find_all({"rule": _DECLARATIONS})
    names = (node.field("name") or node.find(kind="type_identifier") for node in nodes)
    return {name.text() for name in names if name}


def _may_be_type(name: str) -> bool:
    """Tell whether a name looks like a type's: by all convention it starts with no small letter."""
    return name != "" and not (name[0].islower() or name[0].isdigit())


READER = Reader(specifiers=specifiers, symbols=symbols, surface=surface, import_word=re.compile("import"))
