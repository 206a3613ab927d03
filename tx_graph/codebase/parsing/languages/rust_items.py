"""Rust: the declarations of a file that stand outside functions, each with the modules around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.codebase.parsing.tree import Tree, parse_as

if TYPE_CHECKING:
    from ast_grep_py import SgNode

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
            opened.extend((scope, part, members(part.root)) for part in reversed(list(_wrapped(node, here))))


def _wrapped(statement: SgNode, tree: Tree) -> Iterator[Tree]:
    """Yield the declarations that a macro takes only to say when they count, parsed with their lines and offsets.

    Such are `cfg_rt! { mod a; }`, `feature! { … }`, `cfg_if! { if #[cfg(unix)] { … } else { … } }` and
    `cfg_select! { unix => { … } _ => { … } }`.
    """
    call = statement if statement.kind() == _MACRO else statement.child(0)
    name = call.field("macro") if call and call.kind() == _MACRO else None
    if call is None or name is None or not (condition := _CONDITION.fullmatch(f"{name.text()}!")):
        return
    blocks = _token_trees(call)
    if condition["branches"]:
        blocks = [inner for block in blocks for inner in _token_trees(block)]
    for block in blocks:
        span = block.range()
        if tree.text[span.start.index] == "{":
            before = "\n" * span.start.line
            text = before.ljust(span.start.index + 1) + tree.text[span.start.index + 1 : span.end.index - 1]
            yield Tree(text=text, root=parse_as(text, "rust").root)


def _token_trees(node: SgNode) -> list[SgNode]:
    return [child for child in node.children() if child.kind() == "token_tree"]
