"""Rust: its imports, its declarations, and the modules that its files make up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from tx_graph.code.imports import ImportType, Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, declared, first_line, pairs, parse_as, signature, span_of
from tx_graph.core.dataclass import dataclass

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


MODULE = "mod_item"
_CONSTANT = "const_item"
_MACRO = "macro_invocation"
_ATTRIBUTE = "attribute_item"
_CONDITION = re.compile(r"(?:\w+\s*::\s*)*(?:(?P<branches>cfg_if|cfg_select)|cfg_\w+|feature)\s*!")
_CONDITION_WORDS = ("cfg_", "feature!", "feature !")
_BETWEEN = frozenset({"line_comment", "block_comment"})


class Item(NamedTuple):
    """A declaration: its attributes, the inline modules around it (`a::b`), and the tree that it is in."""

    node: SgNode
    kind: str
    attributes: list[SgNode]
    scope: str
    tree: Tree


def members(body: SgNode) -> Iterator[tuple[SgNode, str, list[SgNode]]]:
    """Yield the nodes of a block with their kinds, each with the attributes before it; comments are passed over."""
    attributes: list[SgNode] = []
    for node in body.children():
        kind = node.kind()
        if kind == _ATTRIBUTE:
            attributes.append(node)
        elif kind not in _BETWEEN:
            yield node, kind, attributes
            attributes = []


def label(node: SgNode) -> str:
    """Return the name of a declaration, a raw one (`r#try`) as it is meant; empty when the grammar found none."""
    name = node.field("name")
    return name.text().removeprefix("r#") if name else ""


def inside(scope: str, name: str) -> str:
    """Return the path of a name in a scope."""
    return f"{scope}::{name}" if scope else name


def items(tree: Tree) -> Iterator[Item]:
    """Yield the declarations outside functions in source order: also in inline modules and under conditions.

    Derived code is often kept apart in a nameless constant, `const _: () = { impl A for B { … } };`. Modules may be
    nested more deeply than calls can be, so the open ones are kept in a list.
    """
    conditional = any(word in tree.text for word in _CONDITION_WORDS)
    opened = [("", tree, members(tree.root))]
    while opened:
        scope, here, rest = opened[-1]
        found = next(rest, None)
        if found is None:
            opened.pop()
            continue
        node, kind, attributes = found
        yield Item(node, kind, attributes, scope, here)
        if kind == MODULE and (body := node.field("body")):
            opened.append((inside(scope, label(node)), here, members(body)))
        elif kind == _CONSTANT and (value := node.field("value")) and value.kind() == "block":
            opened.append((scope, here, members(value)))
        elif conditional and kind in (_MACRO, "expression_statement"):
            opened.extend((scope, part, members(part.root)) for part in reversed(list(wrapped(node, here))))


def wrapped(statement: SgNode, tree: Tree) -> Iterator[Tree]:
    """Yield the declarations that a macro takes only to say when they count, parsed with their lines and offsets.

    Such are `cfg_rt! { mod a; }`, `feature! { … }`, `cfg_if! { if #[cfg(unix)] { … } else { … } }` and
    `cfg_select! { unix => { … } _ => { … } }`.
    """
    call = statement if statement.kind() == _MACRO else statement.child(0)
    name = call.field("macro") if call and call.kind() == _MACRO else None
    if call is None or name is None or not (condition := _CONDITION.fullmatch(f"{name.text()}!")):
        return
    blocks = [call]
    for _ in range(2 if condition["branches"] else 1):
        blocks = [child for block in blocks for child in block.children() if child.kind() == "token_tree"]
    for block in blocks:
        start, end = span_of(block)
        if tree.text[start] == "{":
            before = "\n" * block.range().start.line
            text = before.ljust(start + 1) + tree.text[start + 1 : end - 1]
            yield Tree(text=text, root=parse_as(text, "rust").root)


_STATEMENTS = ("use_declaration", "extern_crate_declaration")
_DEEP: Rule = {"any": [{"kind": kind} for kind in (*_STATEMENTS, MODULE)]}
_WORD = re.compile(r"use(?<![^\s{};\]/]use)(?=[\s:{*/])")
"""What every `use` looks like where one can stand; the literal comes first, so that the search is fast."""
_EXTERN_WORD = "extern crate"
_INDENT = 500  # characters before a word in which its line begins, unless the line was written by a program

_NOISE = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_HEAD = re.compile(r"(?:pub\b\s*(?:\([^)]*\)\s*)?)?use\b")
_PART = re.compile(r"::|[{},*]|(?:r#)?\w+")
_EXTERN = re.compile(r"\bcrate\s+(?:r#)?(\w+)(?:\s+as\s+(?:r#)?(\w+))?")
_KNOWN = frozenset({"", "crate", "self", "super", "std", "core", "alloc"})


class Import(NamedTuple):
    """A leaf of a `use` tree as it stands in a file: its path from the first name on, and the name that it gets.

    A glob's path ends in `*`, which is its name too; `{self}` is the path before it. An extern crate's path begins
    with `::`, unless it is the own one: `crate`.
    """

    path: str
    name: str
    specifier: Specifier


def imports_of(items: Iterable[Item]) -> Iterator[Import]:
    """Yield what `use` and `extern crate` bring in anywhere in a file, given its declarations."""
    for node, scope in _statements(items):
        text, line = node.text(), first_line(node)
        kind = ImportType.RE_EXPORT if text.startswith("pub") else ImportType.STATIC
        if node.kind() == _STATEMENTS[0]:
            for path, name in leaves(text):
                yield Import(path, name, Specifier(module=path, type=kind, line=line, scope=scope))
        elif match := _EXTERN.search(_NOISE.sub(" ", text)):
            crate, name = match[1], match[2] or match[1]
            path = "crate" if crate == "self" else f"::{crate}"
            yield Import(path, name, Specifier(module=f"extern crate {crate}", type=kind, line=line, scope=scope))


def leaves(declaration: str) -> Iterator[tuple[str, str]]:
    """Yield path and name of the leaves of a `use` declaration; a tree that breaks off gives what was complete."""
    text = _NOISE.sub(" ", declaration) if "/" in declaration else declaration
    text = text[head.end() :] if (head := _HEAD.match(text)) else text
    found: list[tuple[str, str]] = []
    if "{" in text or " as " in text:
        outer = [""]  # the paths that the open braces stand after
        path, name, renamed = "", "", False
        for part in (*_PART.findall(text), ","):
            if part == "{":
                outer.append(path)
            elif part in (",", "}"):
                if path != outer[-1]:
                    found.append((path, name))
                if part == "}":
                    outer = outer[:-1] or [""]
                path, name, renamed = outer[-1], "", False
            elif part == "as":
                renamed = True
            elif renamed:
                name = part.removeprefix("r#")
            else:
                path += part.removeprefix("r#")
    elif only := "".join(text.split()).rstrip(";").replace("r#", ""):
        found.append((only, ""))
    for path, name in found:
        whole = path.removesuffix("::self")
        yield whole, name or whole.rpartition("::")[2]


def local_names(imports: Collection[Import]) -> Iterator[str]:
    """Yield `scope::name=path` for the names that other paths of the same scope start with.

    Globs are among them where a path starts with a name of unknown origin, and so are renamed extern crates, which
    the whole crate knows.
    """
    heads: dict[str, set[str]] = {}
    for one in imports:
        head = one.path.partition("::")[0]
        heads.setdefault(one.specifier.scope, set()).update({head} - _KNOWN)
    for one in imports:
        scope = one.specifier.scope
        wanted, is_crate = heads[scope], one.specifier.module != one.path
        renamed_crate = is_crate and one.name != one.path.removeprefix("::")
        if (one.name in wanted and one.name != one.path) or renamed_crate or (one.name == "*" and wanted):
            yield f"{inside(scope, one.name)}={one.path.removesuffix('::*')}"


def _statements(items: Iterable[Item]) -> Iterator[tuple[SgNode, str]]:
    """Yield the statements with their scopes; functions are only searched when the text has more than the modules."""
    by_tree: dict[int, list[Item]] = {}
    for item in items:
        by_tree.setdefault(id(item.tree), []).append(item)
    for here in by_tree.values():
        found = [(item.node, item.scope) for item in here if item.kind in _STATEMENTS]
        tree, around = here[0].tree, here[0].scope
        words = (match.start() for match in _WORD.finditer(tree.text))
        possible = sum(not _is_comment(tree.text, word) for word in words) + tree.text.count(_EXTERN_WORD)
        if len(found) == possible:
            yield from found
            continue
        scopes = [(len(tree.text) + 1, around)]
        for node in tree.root.find_all({"rule": _DEEP}):
            start, end = span_of(node)
            while scopes[-1][0] <= start:
                scopes.pop()
            if node.kind() != MODULE:
                yield node, scopes[-1][1]
            elif node.field("body"):
                scopes.append((end, inside(scopes[-1][1], label(node))))


def _is_comment(text: str, place: int) -> bool:
    start = max(0, place - _INDENT)
    _, newline, line = text[start:place].rpartition("\n")
    return (bool(newline) or not start) and line.lstrip().startswith("//")


_KINDS = pairs(
    "function_item=function struct_item=struct enum_item=enum union_item=union trait_item=trait type_item=type"
    " macro_definition=macro"
)
_VALUES = {"const_item": "const", "static_item": "static"}
_METHOD = "function_item"
_TUPLE_FIELDS = "ordered_field_declaration_list"
_NAMED_TYPES = frozenset({"type_identifier", "primitive_type"})
_INNER_TYPES = pairs(
    "generic_type=type scoped_type_identifier=name reference_type=type pointer_type=type dynamic_type=trait"
)
_PARAMETER = re.compile(r"(?:const\s+)?(\w+)")
_PATH = re.compile(r'#\[\s*path\s*=\s*r?#*"([^"]+)"')
_PATH_UNDER_CONDITION = re.compile(r'\bpath\s*=\s*r?#*"([^"]+)"')


@dataclass(frozen=True, kw_only=True)
class _RustTree(Tree):
    """A tree that is walked once for everything that is read from it; without slots, so that it can remember."""

    @cached_property
    def items(self) -> list[Item]:
        # Of a tree of their own: items that held this one would keep it, and all its nodes, until garbage is collected.
        return list(items(Tree(text=self.text, root=self.root)))

    @cached_property
    def imports(self) -> list[Import]:
        return list(imports_of(self.items))


def parse(text: str, language: str) -> Tree:
    """Return the tree of a Rust file."""
    return _RustTree(text=text, root=parse_as(text, "rust").root)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports in the order of its lines: `mod x`, `use` paths leaf by leaf, `extern crate x`."""
    file = cast("_RustTree", tree)
    modules = [
        Specifier(module=f"mod {label(item.node)}", name=place or None, line=first_line(item.node), scope=item.scope)
        for item in file.items
        if item.kind == MODULE and item.node.field("body") is None
        for place in _places(item)
    ]
    yield from sorted([*modules, *(one.specifier for one in file.imports)], key=lambda specifier: specifier.line)


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it, but nothing inside functions."""
    for item in cast("_RustTree", tree).items:
        kind, node, owner = item.kind, item.node, ""
        if kind in _KINDS or (kind in _VALUES and (first := node.child(0)) and first.kind() == "visibility_modifier"):
            name = label(node)
            if name and name != "_":
                yield _symbol(path, item, name, _KINDS.get(kind) or _VALUES[kind])
                owner = name if kind == "trait_item" else ""
        elif kind == MODULE:
            if node.field("body"):
                yield _symbol(path, item, label(node), "module")
        elif kind == "impl_item":
            owner = implementor(node)
        body = node.field("body") if owner else None
        for inner, inner_kind, attributes in members(body) if body else ():
            if inner_kind == _METHOD and (name := label(inner)):
                method = item._replace(node=inner, kind=inner_kind, attributes=attributes)
                yield _symbol(path, method, f"{owner}::{name}", "method")


def surface(tree: Tree) -> Surface:
    """Return the modules that a file declares, and the names in it that other paths of it start with."""
    file = cast("_RustTree", tree)
    return Surface(
        offers=tuple(
            Offered(inside(item.scope, label(item.node)), place)
            for item in file.items
            if item.kind == MODULE
            for place in _places(item)
        ),
        uses=tuple(dict.fromkeys(local_names(file.imports))),
    )


def _places(item: Item) -> list[str]:
    """Return where the text of a module is, as a surface says it; several places when a condition decides."""
    written = [attribute.text() for attribute in item.attributes]
    plain = [match[1] for text in written if (match := _PATH.match(text))]
    choices = [path for text in written if "cfg_attr" in text for path in _PATH_UNDER_CONDITION.findall(text)]
    places = plain[:1] or [*choices, ""]
    return [f"{{{place}}}" for place in places] if item.node.field("body") else places


def _symbol(path: str, item: Item, name: str, kind: str) -> Symbol:
    node = item.node
    body = node.field("value" if item.kind in _VALUES else "body")
    if body and body.kind() == _TUPLE_FIELDS:
        body = None
    first, head = item.attributes[0] if item.attributes else node, signature(item.tree, node, body).removesuffix(";")
    return declared(path, inside(item.scope, name), kind, first, node, body, head)


def implementor(node: SgNode) -> str:
    """Return the name of the type whose methods an `impl` has; empty for all types at once and for unnamed ones."""
    kind, found = "", node.field("type")
    while found and (kind := found.kind()) not in _NAMED_TYPES:
        found = found.child(0) if kind == "bounded_type" else found.field(_INNER_TYPES.get(kind, "?"))
    if found is None:
        return ""
    name, parameters = found.text(), node.field("type_parameters")
    generic = [_PARAMETER.match(one.text()) for one in parameters.children()] if parameters else []
    return "" if any(match and match[1] == name for match in generic) else name


READER = Reader(
    tells_errors=True,
    specifiers=specifiers,
    symbols=symbols,
    surface=surface,
    import_word=re.compile(r"\b(?:use|mod|crate)\b"),
    parse=parse,
    uses="rust",
)
