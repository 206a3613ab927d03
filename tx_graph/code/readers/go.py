"""Go: its imports, its declarations, and what it offers to other packages and takes from them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tx_graph.code.imports import NO_SURFACE, Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, declared, first_line, signature, span_of

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


_NOISE = re.compile(
    rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?|`[^`]*+`?|'
    rb"'(?:[^'\\\n]|\\.)++'?|//[^\n]*|/\*.*?(?:\*/|\Z)",
    re.DOTALL,
)
_LOOSE_DOTS = (b".\n", b" .", b". ", b".\r", b".\t")
_LOOSE_DOT = re.compile(rb"(?:(?<![ \t])[ \t]+)?\.\s*")
_PUNCTUATION = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code) in "_."))
_BLANKED = bytes.maketrans(_PUNCTUATION, b" " * len(_PUNCTUATION))

_VERSION = re.compile(r"v\d+")
_NO_NAME = re.compile(r"\W+")
_NAMELESS = frozenset({"_", "."})

_USES = frozenset({"selector_expression", "qualified_type"})
_PARAMETERS = frozenset({"parameter_declaration", "variadic_parameter_declaration"})
_IDENTIFIERS: list[Rule] = [{"kind": kind} for kind in ("identifier", "package_identifier", "type_identifier")]
_CLAUSES = frozenset({"range_clause", "receive_statement"})
_SCOPES = frozenset(
    "block communication_case default_case expression_case expression_switch_statement for_statement if_statement"
    " type_case type_switch_statement".split()
)


def uses(tree: Tree, imports: Sequence[Specifier], code_start: int) -> tuple[str, ...]:
    """Return what a file takes from packages, `qualifier.Name`, sorted; with a dot import also bare names, `.Name`.

    The name of a package stands in its own files, so every qualifier that may be an import's counts: an alias, a
    name that the path suggests, and where none of those is used, any that no local variable bears.
    """
    # Without strings, comments and the dots of variadic parameters, and with no blanks around dots.
    code = _NOISE.sub(b" ", tree.text[code_start:].encode()).replace(b"...", b" ")
    if any(loose in code for loose in _LOOSE_DOTS):
        code = _LOOSE_DOT.sub(b".", code)
    qualified, bare = dict[str, set[str]](), set[str]()  # exported names behind each qualifier; names that stand alone
    for token in set(code.translate(_BLANKED).decode().split()):
        first, dot, rest = token.partition(".")
        if not dot:
            bare.add(first)
        elif first and rest[:1].isupper():
            qualified.setdefault(first, set()).add(rest.partition(".")[0])
    named = [one for one in imports if one.name not in _NAMELESS and one.module != "C"]
    likely = [frozenset({one.name}) if one.name else likely_names(one.module) for one in named]
    wanted = _free(tree, qualified, bare, frozenset().union(*likely))
    if not _explains(wanted, likely):
        wanted |= _free(tree, qualified, bare, qualified.keys() - wanted.keys())
    found = {f"{qualifier}.{name}" for qualifier, names in wanted.items() for name in names}
    if any(one.name == "." for one in imports):
        found.update(f".{name}" for name in bare if name[0].isupper())
    return tuple(sorted(found))


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
def likely_names(path: str) -> frozenset[str]:
    """Return the names that a package at this import path may have."""
    *above, last = path.split("/")
    names = [last, *(above[-1:] if _VERSION.fullmatch(last) else ())]
    parts = [part for name in names for part in _NO_NAME.split(name)]
    return frozenset({*parts, *(_NO_NAME.sub(glue, name) for name in names for glue in ("", "_"))})


def _free(
    tree: Tree, qualified: Mapping[str, set[str]], bare: Collection[str], qualifiers: Collection[str]
) -> dict[str, set[str]]:
    """Return the names used behind these qualifiers where no local declaration shadows them."""
    asked = qualified.keys() & qualifiers
    doubtful = asked.intersection(bare)
    found = {qualifier: qualified[qualifier] for qualifier in asked - doubtful}
    if not doubtful:
        return found
    used: list[tuple[int, str, str]] = []
    scopes: dict[str, list[tuple[int, int]]] = {}
    regex = f"^(?:{'|'.join(sorted(doubtful))})$"
    for node in tree.root.find_all({"rule": {"any": _IDENTIFIERS, "regex": regex}}):
        parent = node.parent()
        if parent and parent.kind() in _USES:
            name = parent.field("field") or parent.field("name")
            used.append((span_of(node)[0], node.text(), name.text() if name else ""))
        elif parent and (scope := _scope(node, parent)):
            scopes.setdefault(node.text(), []).append(scope)
    for position, qualifier, taken in used:
        if taken[:1].isupper() and not any(start <= position < end for start, end in scopes.get(qualifier, ())):
            found.setdefault(qualifier, set()).add(taken)
    return found


def _scope(node: SgNode, parent: SgNode) -> tuple[int, int] | None:
    """Return where an identifier means what it declares here, None when it declares nothing."""
    kind, is_identifier = parent.kind(), node.kind() == "identifier"
    if kind == "expression_list":
        outer = parent.parent()
        return _scope_of_list(parent, outer) if outer else None
    if kind in _TYPE_SPECS and _is_at(node, parent.field("name")):
        return _rest(span_of(parent)[0], parent)
    if not is_identifier:
        return None
    if kind in _VALUE_SPECS:
        return _rest(span_of(parent)[1], parent)
    around = parent.ancestors()[1:2]
    if around and kind == "type_parameter_declaration":
        return span_of(around[0])
    # In the body of the function whose parameter, result or receiver this is; a mere type has none.
    body = around[0].field("body") if around and kind in _PARAMETERS else None
    return span_of(body) if body else None


def _scope_of_list(names: SgNode, outer: SgNode) -> tuple[int, int] | None:
    """Return the scope of variables that stand left of `:=`: from behind the statement on."""
    kind, end = outer.kind(), span_of(outer)[1]
    if kind == "type_switch_statement":
        value = outer.field("value")
        return (span_of(value)[1], end) if value else None
    if kind == "short_var_declaration" or (kind in _CLAUSES and any(one.kind() == ":=" for one in outer.children())):
        return _rest(end, outer) if _is_at(names, outer.field("left")) else None
    return None


def _rest(start: int, declaration: SgNode) -> tuple[int, int]:
    """Return what follows in the block around a declaration; the whole file when there is none."""
    around = declaration.ancestors()
    block = next((outer for outer in around if outer.kind() in _SCOPES), None)
    return (start, span_of(block)[1]) if block else span_of(around[-1])


def _is_at(node: SgNode, other: SgNode | None) -> bool:
    return other is not None and span_of(node)[0] == span_of(other)[0]


_INITIALISER = "init"  # nobody can call it, but importing its package runs it

_SPEC = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|(?:(?P<alias>(?<!\w)[^\W\d]\w*+|\.)\s*+)?(?P<quote>["`])(?P<module>[^"`\n]+)(?P=quote)""",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TYPE_KINDS = {"struct_type": "struct", "interface_type": "interface"}
_TYPE_BODIES = frozenset({"field_declaration_list", "{"})
_TYPE_SPECS = frozenset({"type_spec", "type_alias"})
_VALUE_SPECS = frozenset({"const_spec", "var_spec"})
_DECLARATIONS = frozenset({"type_declaration", "const_declaration", "var_declaration"})
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
    specs, line, position = declaration.text().removeprefix("import"), first_line(declaration), 0
    for match in _SPEC.finditer(specs):
        if module := match["module"]:
            line, position = line + specs.count("\n", position, match.start("module")), match.start("module")
            yield Specifier(module=module, name=match["alias"], line=line)


def surface(tree: Tree) -> Surface:
    """Return a file's package, the names that it declares for other packages, and those that it uses of them."""
    package, code_start = "", 0
    imports: list[Specifier] = []
    offers: list[str] = []
    for kind, node in _statements(tree.root):
        if kind == "package_clause":
            package = next((one.text() for one in node.children() if one.kind() == "package_identifier"), "")
        elif kind == "import_declaration":
            imports.extend(_imported(node))
            code_start = span_of(node)[1]
        elif kind == "function_declaration" and (name := node.field("name")):
            offers.append(name.text())
        elif kind in _DECLARATIONS:
            offers.extend(name for spec in _specs(node) for name in _names(spec))
    if not package:
        return NO_SURFACE
    return Surface(
        package=package,
        offers=tuple(Offered(name) for name in dict.fromkeys(offers) if name[0].isupper() or name == _INITIALISER),
        uses=uses(tree, imports, code_start) if imports else (),
    )


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


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions, methods (`Type::Method`), types and exported constants of a file."""
    for kind, node in _statements(tree.root):
        name, body = node.field("name"), node.field("body")
        if kind == "function_declaration" and name:
            yield declared(path, name.text(), "function", node, node, body, signature(tree, node, body))
        elif kind == "method_declaration" and name and (receiver := node.field("receiver")):
            # The type of the receiver `(m *Map[K, V])` is the last name before any type parameters.
            owners = _IDENTIFIER.findall(_COMMENT.sub(" ", receiver.text()).partition("[")[0])
            if owners:
                method = f"{owners[-1]}::{name.text()}"
                yield declared(path, method, "method", node, node, body, signature(tree, node, body))
        elif kind in {"type_declaration", "const_declaration"}:
            are_bracketed = any(child.kind() == "(" for child in node.children())
            for spec in _specs(node):
                of_spec = _constants if kind == "const_declaration" else _types
                yield from of_spec(path, tree, spec, spec if are_bracketed else node)


def _types(path: str, tree: Tree, spec: SgNode, whole: SgNode) -> Iterator[Symbol]:
    definition = spec.field("type")
    if definition:
        body = next((part for part in definition.children() if part.kind() in _TYPE_BODIES), None)
        kind, head = _TYPE_KINDS.get(definition.kind(), "type"), signature(tree, whole, body)
        for name in _names(spec):
            yield declared(path, name, kind, whole, whole, body or definition, head)


def _constants(path: str, tree: Tree, spec: SgNode, whole: SgNode) -> Iterator[Symbol]:
    for name in _names(spec):
        if name[0].isupper():
            yield declared(path, name, "const", whole, whole, spec.field("value"), signature(tree, whole, None))


READER = Reader(
    tells_errors=True,
    symbols=symbols,
    specifiers=specifiers,
    surface=surface,
    import_word=re.compile("import"),
    uses="go",
)
