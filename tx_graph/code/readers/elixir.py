"""Elixir: the modules that a file names, and what it defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import (
    Declaration,
    Reader,
    Scope,
    Tree,
    around,
    child_of,
    each,
    first_line,
    outlined,
    span_of,
    within,
)

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
    target, arguments, block = node.field("target"), child_of(node, "arguments"), child_of(node, "do_block")
    word = target.text() if target and target.kind() == "identifier" else ""
    inside = block.children() if block else ()
    heads = arguments.named_children() if arguments else []
    if heads and word in _FUNCTIONS:
        body = block or (heads[1] if len(heads) > 1 else None)
        return (Declaration(_name(heads[0]), _FUNCTIONS[word], node, node, body),)
    if heads and word in _MODULES:
        name = heads[0].text().removeprefix(":")
        if not _MODULE_NAME.fullmatch(heads[0].text()):
            name = ""  # worked out when compiling
        elif word == "defimpl" and len(heads) > 1:
            # An implementation is called `Name.Integer` for `for: Integer`; one for several has the name alone.
            pair = next((child for child in heads[1].named_children() if child.text().startswith("for:")), None)
            value = pair.field("value") if pair else None
            name += f".{value.text()}" if value and value.kind() == "alias" else ""
        return (Declaration(name, _MODULES[word], node, node, block, inside),)
    return (Declaration("", "", node, node, inside=inside),) if word in _BLOCKS else ()


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


_FORMS = {**each("call", _call), **each("do_block else_block ERROR", within)}

_clauses = outlined(_FORMS, tail=re.compile(",$"))


def _symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file; clauses of one name and arity that follow each other are one."""
    for (name, kind), run in groupby(_clauses(path, tree), key=lambda one: (one.name, one.kind)):
        if kind not in {"function", "macro"}:
            yield from run
            continue
        first, *others = run
        last = others[-1] if others else first
        extent = first.extent._replace(end=last.extent.end) if first.extent and last.extent else None
        yield replace(first, name=name.rpartition("/")[0], line_end=last.line_end, extent=extent)


# --- imports ------------------------------------------------------------------------------------------
#
# Whatever begins with a capital letter names a module: after `alias`, `import`, `use` and `require`, in calls, structs
# and types. So all names count, written out by what `alias` makes of their first word.

_DEFINITION = re.compile(r"def(?:module|protocol)")
_AFTER = re.compile(r"\.\{(?P<several>[^{}]*)\}|,\s*as:\s*(?P<other>\w+)|")
_MODULE = re.compile(r"[A-Z][\w.]*")
_ITSELF = "__MODULE__."
_MOST_BEFORE = 30  # characters in front of a name that say what it is there for


def _modules(text: str, mentions: Iterable[SgNode]) -> tuple[list[str], dict[str, int]]:
    """Return the modules that are defined, and those that are named, each with the line of its first mention."""
    defined, named, short, seen = list[str](), dict[str, int](), dict[str, str](), set[str]()
    open_ones, settled = list[tuple[str, int]](), 0
    for node in mentions:
        (start, end), name = span_of(node), node.text()
        before = text[max(start - _MOST_BEFORE, 0) : start]
        is_inner = before.endswith(_ITSELF)
        word = before.removesuffix(_ITSELF).rstrip(" (")
        is_alias, is_definition = word.endswith("alias"), word.endswith(("defmodule", "defprotocol"))
        is_known = name in seen and not (is_alias or is_definition or is_inner)
        if start < settled or is_known or (before.endswith(".") and not is_inner):
            continue
        while open_ones and open_ones[-1][1] <= start:
            open_ones.pop()
        outer, first = open_ones[-1][0] if open_ones else "", name.partition(".")[0]
        if is_definition:
            if outer:  # which knows it by the first word of its name
                short[first], name = f"{outer}.{first}", f"{outer}.{name}"
                seen.clear()
            defined.append(name)
            definition = next((one for one in node.ancestors() if one.kind() == "call"), node)
            open_ones.append((name, span_of(definition)[1]))
            continue
        seen.add(name)
        names = [f"{outer}.{name}" if is_inner else f"{short.get(first, first)}{name[len(first) :]}"]
        if is_alias and (after := _AFTER.match(text, end)):
            settled = after.end()
            names = [f"{names[0]}.{one}" for one in _MODULE.findall(after["several"] or "")] or names
            short |= {after["other"] or one.rpartition(".")[2]: one for one in names}
            seen.clear()
        for one in names:
            named.setdefault(one, first_line(node))
    return defined, named


def _specifiers(tree: Tree) -> Iterator[Specifier]:
    named = _modules(tree.text, tree.root.find_all(kind="alias"))[1]
    return (Specifier(module=name, line=line) for name, line in named.items())


def _surface(tree: Tree) -> Surface:
    calls = (node for node in around(tree, _DEFINITION, leaves=("string", "comment")) if node.kind() == "call")
    names = (child_of(arguments, "alias") for node in calls if (arguments := child_of(node, "arguments")))
    return Surface(offers=tuple(map(Offered, _modules(tree.text, filter(None, names))[0])))


READER = Reader(specifiers=_specifiers, symbols=_symbols, surface=_surface)
