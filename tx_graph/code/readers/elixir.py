"""Elixir: modules, functions and macros. Consecutive clauses of one function are one declaration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tx_graph.code.outline import Declaration, Scope, child_of, each, outlined, within
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_MODULES = {"defmodule": "module", "defimpl": "module", "defprotocol": "interface"}
_FUNCTIONS = {
    **dict.fromkeys(("def", "defp", "defdelegate"), "function"),
    **dict.fromkeys(("defmacro", "defmacrop", "defguard", "defguardp"), "macro"),
}
_MODULE_NAME = re.compile(r"(?:__MODULE__\.)?[A-Z]\w*(?:\.[A-Z]\w*)*|:[\w@]+")
_BLOCKS = frozenset({"if", "unless", "for"})


def _call(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what a definition defines: in Elixir that is a call like any other."""
    target = node.field("target")
    word = target.text() if target and target.kind() == "identifier" else ""
    if word in _FUNCTIONS:
        return _function(node, _FUNCTIONS[word])
    if word in _MODULES:
        return _module(node, word)
    del scope
    block = child_of(node, "do_block") if word in _BLOCKS else None
    return (Declaration("", "", node, node, inside=block.children()),) if block else ()


def _module(node: SgNode, word: str) -> Iterable[Declaration]:
    arguments, block = child_of(node, "arguments"), child_of(node, "do_block")
    heads = arguments.named_children() if arguments else []
    if not heads:
        return ()
    name = heads[0].text().removeprefix(":")
    if not _MODULE_NAME.fullmatch(heads[0].text()):
        name = ""  # worked out when compiling
    elif word == "defimpl" and len(heads) > 1:
        name += _implementer(heads[1])
    inside = block.children() if block else ()
    return (Declaration(name, _MODULES[word], node, node, block, inside),)


def _implementer(keywords: SgNode) -> str:
    """Return `.Integer` for `for: Integer`, as the module of an implementation is called; nothing for several."""
    pair = next((child for child in keywords.named_children() if child.text().startswith("for:")), None)
    value = pair.field("value") if pair else None
    return f".{value.text()}" if value and value.kind() == "alias" else ""


def _function(node: SgNode, kind: str) -> Iterable[Declaration]:
    arguments, block = child_of(node, "arguments"), child_of(node, "do_block")
    heads = arguments.named_children() if arguments else []
    name = _name(heads[0]) if heads else ""
    body = block or (heads[1] if len(heads) > 1 else None)
    return (Declaration(name, kind, node, node, body),) if name else ()


def _name(head: SgNode) -> str:
    """Return name and arity, as in `get/2`; nothing for names that are worked out when compiling."""
    kind = head.kind()
    if kind == "binary_operator":
        operator, left = head.field("operator"), head.field("left")
        word = operator.text() if operator else ""
        return _name(left) if word == "when" and left else f"{word}/2"
    if kind == "unary_operator":
        operator = head.field("operator")
        return f"{operator.text()}/1" if operator else ""
    if kind != "call":
        return f"{head.text()}/0" if kind == "identifier" else ""
    target, arguments = head.field("target"), child_of(head, "arguments")
    if not target or target.kind() != "identifier" or target.text() == "unquote":
        return ""
    return f"{target.text()}/{len(arguments.named_children()) if arguments else 0}"


FORMS = {**each("call", _call), **each("do_block else_block ERROR", within)}

_clauses = outlined(FORMS, tail=re.compile(",$"))


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file; clauses of one name and arity that follow each other are one."""
    last: Symbol | None = None
    for symbol in _clauses(path, tree):
        if last and symbol.kind in {"function", "macro"} and (symbol.name, symbol.kind) == (last.name, last.kind):
            extent = last.extent._replace(end=symbol.extent.end) if last.extent and symbol.extent else None
            last = replace(last, line_end=symbol.line_end, extent=extent)
            continue
        if last:
            yield _without_arity(last)
        last = symbol
    if last:
        yield _without_arity(last)


def _without_arity(symbol: Symbol) -> Symbol:
    if symbol.kind not in {"function", "macro"}:
        return symbol
    return replace(symbol, name=symbol.name.rpartition("/")[0])


READER = Reader(symbols=symbols)
