"""Rust: the paths that `use` and `extern crate` bring in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.codebase.parsing.languages.rust_items import MODULE, Item, inside, label
from tx_graph.codebase.parsing.tree import Tree, first_line
from tx_graph.domain.imports import ImportType

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

_STATEMENTS = ("use_declaration", "extern_crate_declaration")
_DEEP: Rule = {"any": [{"kind": kind} for kind in (*_STATEMENTS, MODULE)]}
_WORD = re.compile(r"use(?<![^\s{};\]/]use)(?=[\s:{*/])")
"""What every `use` looks like where one can stand; the literal comes first, so that the search is fast."""
_EXTERN_WORD = "extern crate"
_INDENT = 500
"""Characters before a word in which its line begins, unless the line was written by a program."""

_NOISE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_HEAD = re.compile(r"(?:pub\b\s*(?:\([^)]*\)\s*)?)?use\b")
_PART = re.compile(r"::|[{},*]|(?:r#)?\w+")
_EXTERN = re.compile(r"\bcrate\s+(?:r#)?(\w+)(?:\s+as\s+(?:r#)?(\w+))?")
_KNOWN = frozenset({"", "crate", "self", "super", "std", "core", "alloc"})


class Leaf(NamedTuple):
    """One leaf of a `use` tree: its path from the first name on, and the name that it gets.

    A glob's path ends in `*`, which is its name too; `{self}` is the path before it.
    """

    path: str
    name: str


class Import(NamedTuple):
    """A leaf as it stands in a file. An extern crate's path begins with `::`, unless it is the own one: `crate`."""

    path: str
    name: str
    statement: str
    type: ImportType
    line: int
    scope: str


def imports_of(items: Iterable[Item]) -> Iterator[Import]:
    """Yield what `use` and `extern crate` bring in anywhere in a file, given its declarations."""
    for node, scope in _statements(items):
        yield from _imports(node, scope)


def leaves(declaration: str) -> Iterator[Leaf]:
    """Yield the leaves of a `use` declaration in source order; a tree that breaks off gives what was complete."""
    text = _NOISE.sub(" ", declaration) if "/" in declaration else declaration
    text = text[head.end() :] if (head := _HEAD.match(text)) else text
    if "{" in text or " as " in text:
        yield from _branches(text)
    elif path := "".join(text.split()).rstrip(";").replace("r#", ""):
        yield _leaf(path, "")


def _branches(text: str) -> Iterator[Leaf]:
    """Yield the leaves of a tree; `outer` are the paths that the open braces stand after."""
    outer = [""]
    path, name, renamed = "", "", False
    for part in (*_PART.findall(text), ","):
        if part == "{":
            outer.append(path)
        elif part in (",", "}"):
            if path != outer[-1]:
                yield _leaf(path, name)
            if part == "}":
                outer = outer[:-1] or [""]
            path, name, renamed = outer[-1], "", False
        elif part == "as":
            renamed = True
        elif renamed:
            name = part.removeprefix("r#")
        else:
            path += part.removeprefix("r#")


def local_names(imports: Collection[Import]) -> Iterator[str]:
    """Yield `scope::name=path` for the names that other paths of the same scope start with.

    Globs are among them where a path starts with a name of unknown origin, and so are renamed extern crates, which
    the whole crate knows.
    """
    heads: dict[str, set[str]] = {}
    for one in imports:
        head = one.path.partition("::")[0]
        heads.setdefault(one.scope, set()).update({head} - _KNOWN)
    for one in imports:
        wanted = heads[one.scope]
        renamed_crate = one.statement and one.name != one.path.removeprefix("::")
        if (one.name in wanted and one.name != one.path) or renamed_crate or (one.name == "*" and wanted):
            yield f"{inside(one.scope, one.name)}={one.path.removesuffix('::*')}"


def _leaf(path: str, name: str) -> Leaf:
    path = path.removesuffix("::self")
    return Leaf(path, name or path.rpartition("::")[2])


def _imports(node: SgNode, scope: str) -> Iterator[Import]:
    text, line = node.text(), first_line(node)
    kind = ImportType.RE_EXPORT if text.startswith("pub") else ImportType.STATIC
    if node.kind() == _STATEMENTS[0]:
        yield from (Import(leaf.path, leaf.name, "", kind, line, scope) for leaf in leaves(text))
    elif match := _EXTERN.search(_NOISE.sub(" ", text)):
        crate, name = match[1], match[2] or match[1]
        path = "crate" if crate == "self" else f"::{crate}"
        yield Import(path, name, f"extern crate {crate}", kind, line, scope)


def _statements(items: Iterable[Item]) -> Iterator[tuple[SgNode, str]]:
    """Yield the statements with their scopes; functions are only searched when the text has more than the modules."""
    by_tree: dict[int, list[Item]] = {}
    for item in items:
        by_tree.setdefault(id(item.tree), []).append(item)
    for here in by_tree.values():
        found = [(item.node, item.scope) for item in here if item.kind in _STATEMENTS]
        tree, around = here[0].tree, here[0].scope
        yield from found if len(found) == _possible(tree.text) else _deep(tree, around)


def _possible(text: str) -> int:
    """Return how many statements there are at most; line comments that mention one are left out."""
    found = sum(1 for match in _WORD.finditer(text) if not _is_comment(text, match.start()))
    return found + text.count(_EXTERN_WORD)


def _is_comment(text: str, place: int) -> bool:
    start = max(0, place - _INDENT)
    _, newline, line = text[start:place].rpartition("\n")
    return (bool(newline) or not start) and line.lstrip().startswith("//")


def _deep(tree: Tree, around: str) -> Iterator[tuple[SgNode, str]]:
    scopes = [(len(tree.text) + 1, around)]
    for node in tree.root.find_all({"rule": _DEEP}):
        span = node.range()
        while scopes[-1][0] <= span.start.index:
            scopes.pop()
        if node.kind() != MODULE:
            yield node, scopes[-1][1]
        elif node.field("body"):
            scopes.append((span.end.index, inside(scopes[-1][1], label(node))))
