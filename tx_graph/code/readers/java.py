"""Java: what a file imports, declares and offers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, declared, first_line, pairs, signature

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


_TYPES = pairs(
    "class_declaration=class interface_declaration=interface enum_declaration=enum record_declaration=record"
    " annotation_type_declaration=annotation"
)
_CALLABLES = pairs(
    "method_declaration=method constructor_declaration=constructor compact_constructor_declaration=constructor"
    " annotation_type_element_declaration=method"
)
_KINDS = _TYPES | _CALLABLES
_TRANSPARENT = frozenset({"enum_body_declarations", "ERROR"})
"""Nodes whose members belong to what is around them; declarations inside broken syntax are still declarations."""
_ANNOTATIONS = frozenset({"annotation", "marker_annotation", "block_comment", "line_comment"})

_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NAME = r"[\w$]+(?:\s*\.\s*[\w$]+)*"
_IMPORT = re.compile(rf"import\s+(?P<static>static\s+)?(?P<name>{_NAME})(?P<star>\s*\.\s*\*)?\s*;?")
_ON_DEMAND = re.compile(r"import\s(?:(?!import\s)[^;*])*+\*")
_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|\"""(?:[^\\]|\\(?:.|\Z))*?(?:\"""|\Z)|"""
    r""""(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)++'?""",
    re.DOTALL,
)
"""What is no code: comments, strings and characters; what is not closed reaches to the end."""
_WORD = re.compile(r"(?:new\s+|@)?[\w$.]+\(?")
_HEAD = re.compile(r"(?:new\s+|@)?([\w$]*)")
_CALL = re.compile(r"[\w$]+\(")
_DECLARATIONS: Rule = {"any": [{"kind": kind} for kind in ("type_parameter", *_TYPES)]}


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order; the name of a static import is the member."""
    return (found for found, _ in imports(tree))


def imports(tree: Tree) -> Iterator[tuple[Specifier, bool]]:
    """Yield the imports of a file, each with whether it is static."""
    for node in tree.root.children():
        if node.kind() == "import_declaration" and (match := _IMPORT.fullmatch(_uncommented(node.text()))):
            whole, line, is_static = "".join(match["name"].split()), first_line(node), match["static"] is not None
            module, _, member = whole.rpartition(".")
            if match["star"]:
                yield Specifier(module=whole, name="*", line=line), is_static
            elif is_static and module:
                yield Specifier(module=module, name=member, line=line), True
            else:
                yield Specifier(module=whole, line=line), is_static


def _uncommented(text: str) -> str:
    return _COMMENT.sub(" ", text) if "/" in text else text


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
    modifiers, start = node.child(0), node
    if modifiers and modifiers.kind() == "modifiers":  # a signature begins after annotations
        plain = next((word for word in modifiers.children() if word.kind() not in _ANNOTATIONS), None)
        start = plain or modifiers.next() or node
    head = signature(tree, start, body or node.children()[-1])
    return declared(path, name, _KINDS[node.kind()], node, node, body, head)


def surface(tree: Tree) -> Surface:
    """Return the package, the top-level types, and the simple names that on-demand imports are decided by."""
    package, offers = "", list[Offered]()
    for node in tree.root.children():
        kind = node.kind()
        if kind == "package_declaration" and not package:  # annotations and comments may stand around its name
            names = (one for one in node.children() if one.kind() in ("identifier", "scoped_identifier"))
            package = "".join(_uncommented(next((one.text() for one in names), "")).split())
        elif kind in _TYPES and (name := node.field("name")):
            offers.append(Offered(name.text()))
    return Surface(package=package, offers=tuple(offers), uses=_uses(tree) if _ON_DEMAND.search(tree.text) else ())


def _uses(tree: Tree) -> tuple[str, ...]:
    """Return the names in a file with an on-demand import of a package that may be types of that package.

    By all convention a type's name starts with no small letter. One that the file declares, wherever in it, or imports
    by its name is not among them. The text is read rather than the tree: that takes half the time.
    """
    found_imports = list(imports(tree))
    if not any(found.name == "*" and not is_static for found, is_static in found_imports):
        return ()
    declarations = tree.root.find_all({"rule": _DECLARATIONS})
    names = [node.field("name") or node.find(kind="type_identifier") for node in declarations]
    known = {name.text() for name in names if name}
    known |= {(found.name or found.module).rpartition(".")[2] for found, _ in found_imports if found.name != "*"}
    # A word that only calls is a method of the file itself.
    words = [word for word in set(_WORD.findall(_TEXT.sub(" ", tree.text))) if not _CALL.fullmatch(word)]
    heads = {head[1] for word in words if (head := _HEAD.match(word))}
    return tuple(sorted({head for head in heads if head and not (head[0].islower() or head[0].isdigit())} - known))


READER = Reader(
    tells_errors=True,
    uses="java",
    specifiers=specifiers,
    symbols=symbols,
    surface=surface,
    import_word=re.compile("import"),
)
