"""Go: its imports, its declarations, and what it offers to other packages and takes from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from tx_graph.code.imports import NO_SURFACE, Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, extent, first_line, last_line, signature

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


_NOISE = re.compile(
    rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|`[^`]*`|'
    rb"'(?:[^'\\\n]|\\.)+'|//[^\n]*|/\*[^*]*(?:\*+[^/*][^*]*)*\*/",
    re.DOTALL,
)
_LOOSE_DOT = re.compile(rb"[ \t]*\.\s*")
_PUNCTUATION = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code) in "_."))
_BLANKED = bytes.maketrans(_PUNCTUATION, b" " * len(_PUNCTUATION))

_VERSION = re.compile(r"v\d+")
_NO_NAME = re.compile(r"\W+")
_NAMELESS = frozenset({"_", "."})

_USES = frozenset({"selector_expression", "qualified_type"})
_PARAMETERS = frozenset({"parameter_declaration", "variadic_parameter_declaration"})
_TYPES = frozenset({"type_spec", "type_alias"})
_CLAUSES = frozenset({"range_clause", "receive_statement"})
_SCOPES = frozenset(
    (
        "block communication_case default_case expression_case expression_switch_statement for_statement "
        "if_statement type_case type_switch_statement"
    ).split()
)


@dataclass(frozen=True, slots=True)
class _Span:
    """Character offsets."""

    start: int
    end: int


def uses(tree: Tree, imports: Sequence[Specifier], code_start: int) -> tuple[str, ...]:
    """Return what a file takes from packages, `qualifier.Name`, sorted; with a dot import also bare names, `.Name`.

    The name of a package stands in its own files, so every qualifier that may be an import's counts: an alias, a
    name that the path suggests, and where none of those is used, any that no local variable bears.
    """
    text = tree.text[code_start:]
    qualified: dict[str, set[str]] = {}
    bare = set()
    for token in set(_code(text).translate(_BLANKED).decode().split()):
        first, dot, rest = token.partition(".")
        if not dot:
            bare.add(first)
        elif first and rest[:1].isupper():
            qualified.setdefault(first, set()).add(rest.partition(".")[0])
    written = _Written(qualified=qualified, bare=frozenset(bare))
    wanted = _wanted(tree, imports, written)
    found = {f"{qualifier}.{name}" for qualifier, names in wanted.items() for name in names}
    if any(one.name == "." for one in imports):
        found.update(f".{name}" for name in written.bare if name[0].isupper())
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The names in a text: the exported ones behind each qualifier, and those that stand alone."""

    qualified: dict[str, set[str]]
    bare: frozenset[str]


def _code(text: str) -> bytes:
    """Return a text without strings, comments and the dots of variadic parameters, and with no blanks around dots."""
    code = _NOISE.sub(b" ", text.encode()).replace(b"...", b" ")
    loose = b".\n" in code or b" ." in code or b". " in code or b".\r" in code or b".\t" in code
    return _LOOSE_DOT.sub(b".", code) if loose else code


def _wanted(tree: Tree, imports: Sequence[Specifier], written: _Written) -> dict[str, set[str]]:
    named = [one for one in imports if one.name not in _NAMELESS and one.module != "C"]
    likely = [frozenset({one.name}) if one.name else _likely(one.module) for one in named]
    found = _free(tree, written, frozenset().union(*likely))
    if _explains(found, likely):
        return found
    return found | _free(tree, written, written.qualified.keys() - found.keys())


def _explains(found: Collection[str], likely: Sequence[frozenset[str]]) -> bool:
    """Tell whether each import has a found name of its own, as it must: no file may import what it does not use."""
    left = set(found)
    for names in sorted(likely, key=len):
        fitting = names & left
        if not fitting:
            return False
        left.remove(min(fitting))
    return True


@lru_cache(maxsize=4096)
def _likely(path: str) -> frozenset[str]:
    *above, last = path.split("/")
    names = [last, *(above[-1:] if _VERSION.fullmatch(last) else ())]
    parts = [part for name in names for part in _NO_NAME.split(name)]
    return frozenset({*parts, *(_NO_NAME.sub(glue, name) for name in names for glue in ("", "_"))})


def _free(tree: Tree, written: _Written, qualifiers: Collection[str]) -> dict[str, set[str]]:
    """Return the names used behind these qualifiers where no local declaration shadows them."""
    asked = written.qualified.keys() & qualifiers
    doubtful = asked & written.bare
    found = {qualifier: written.qualified[qualifier] for qualifier in asked - doubtful}
    for qualifier, name in _unshadowed(tree, doubtful) if doubtful else ():
        found.setdefault(qualifier, set()).add(name)
    return found


def _unshadowed(tree: Tree, qualifiers: Collection[str]) -> Iterator[tuple[str, str]]:
    used: list[tuple[int, str, str]] = []
    scopes: dict[str, list[_Span]] = {}
    for node in tree.root.find_all({"rule": _identifiers(qualifiers)}):
        parent = node.parent()
        if parent and parent.kind() in _USES:
            used.append((node.range().start.index, node.text(), _name_used(parent)))
        elif parent and (scope := _scope(node, parent)):
            scopes.setdefault(node.text(), []).append(scope)
    for position, qualifier, name in used:
        if name[:1].isupper() and not any(one.start <= position < one.end for one in scopes.get(qualifier, ())):
            yield qualifier, name


def _identifiers(names: Collection[str]) -> Rule:
    kinds: list[Rule] = [{"kind": kind} for kind in ("identifier", "package_identifier", "type_identifier")]
    return {"any": kinds, "regex": f"^(?:{'|'.join(sorted(names))})$"}


def _name_used(parent: SgNode) -> str:
    name = parent.field("field") or parent.field("name")
    return name.text() if name else ""


def _scope(node: SgNode, parent: SgNode) -> _Span | None:
    """Return where an identifier means what it declares here, None when it declares nothing."""
    kind = parent.kind()
    if kind == "expression_list":
        outer = parent.parent()
        return _of_list(parent, outer) if outer else None
    if kind in _PARAMETERS:
        # In the body of the function whose parameter, result or receiver this is; a mere type has none.
        functions = parent.ancestors()[1:2] if node.kind() == "identifier" else []
        body = functions[0].field("body") if functions else None
        return _span(body) if body else None
    if kind in {"var_spec", "const_spec"} and node.kind() == "identifier":
        return _rest(parent.range().end.index, parent)
    if kind in _TYPES and _is_at(node, parent.field("name")):
        return _rest(parent.range().start.index, parent)
    if kind == "type_parameter_declaration" and node.kind() == "identifier":
        declarations = parent.ancestors()[1:2]
        return _span(declarations[0]) if declarations else None
    return None


def _of_list(names: SgNode, outer: SgNode) -> _Span | None:
    """Return the scope of variables that stand left of `:=`: from behind the statement on."""
    kind = outer.kind()
    if kind == "type_switch_statement":
        value = outer.field("value")
        return _Span(value.range().end.index, outer.range().end.index) if value else None
    if kind == "short_var_declaration" or (kind in _CLAUSES and any(one.kind() == ":=" for one in outer.children())):
        return _rest(outer.range().end.index, outer) if _is_at(names, outer.field("left")) else None
    return None


def _rest(start: int, declaration: SgNode) -> _Span:
    """Return what follows in the block around a declaration; the whole file when there is none."""
    around = declaration.ancestors()
    for outer in around:
        if outer.kind() in _SCOPES:
            return _Span(start, outer.range().end.index)
    return _span(around[-1])


def _is_at(node: SgNode, other: SgNode | None) -> bool:
    return other is not None and node.range().start.index == other.range().start.index


def _span(node: SgNode) -> _Span:
    span = node.range()
    return _Span(span.start.index, span.end.index)


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
