"""Elixir: the modules that a file names, and what it defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
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
_DIRECTIVE = re.compile("alias")
_ALIASED = re.compile(r"(?P<base>\w+(?:\.\w+)*)(?:\.\{(?P<several>[^{}]*)\})?")
_RENAMED = re.compile(r"\bas:\s*([A-Z]\w*)")
_MODULE = re.compile(r"[A-Z][\w.]*")
_ITSELF = "__MODULE__"


@dataclass(slots=True)
class _Names:
    """The modules that a file defines, each with its place, the outer first, and what it calls others by."""

    defined: list[tuple[str, int, int]] = field(default_factory=list)
    short: dict[str, str] = field(default_factory=dict)

    def around(self, position: int) -> str:
        """Return the module that stands around a position."""
        return next((name for name, start, end in reversed(self.defined) if start < position < end), "")

    def full(self, name: str, position: int) -> str:
        """Return the full name of what is called so."""
        first, dot, rest = name.partition(".")
        return f"{self.around(position) if first == _ITSELF else self.short.get(first, first)}{dot}{rest}"


def _defined(tree: Tree) -> _Names:
    names, open_ones = _Names(), list[tuple[str, int]]()
    for node in around(tree, _DEFINITION, leaves=("string", "comment")):
        one = next(iter(_call(node, Scope())), None) if node.kind() == "call" else None
        start, end = span_of(node)
        if not one or not one.name or one.kind not in _MODULES.values() or tree.text.startswith("defimpl", start):
            continue
        while open_ones and open_ones[-1][1] <= start:
            open_ones.pop()
        name, (outer, _) = one.name, open_ones[-1] if open_ones else ("", 0)
        if outer:  # which knows it by the first word of its name
            first = name.partition(".")[0]
            names.short[first], name = f"{outer}.{first}", f"{outer}.{name}"
        names.defined.append((name, start, end))
        open_ones.append((name, end))
    return names


def _specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield every module that a file names, once, with the line of its first mention."""
    names, named, settled = _defined(tree), dict[str, int](), set[int]()
    for node in around(tree, _DIRECTIVE, leaves=("string", "comment")):
        target, arguments = (
            (node.field("target"), child_of(node, "arguments")) if node.kind() == "call" else (None, None)
        )
        if not target or not arguments or target.text() != "alias":
            continue
        position, text = span_of(node)[0], arguments.text()
        settled.update(span_of(one)[0] for one in arguments.find_all(kind="alias"))
        if not (found := _ALIASED.match(text)):
            continue
        base, renamed = names.full(found["base"], position), _RENAMED.search(text)
        for name in [f"{base}.{one}" for one in _MODULE.findall(found["several"] or "")] or [base]:
            names.short[renamed[1] if renamed else name.rpartition(".")[2]] = name
            named.setdefault(name, first_line(node))
    for node in tree.root.find_all(kind="alias"):
        position, name = span_of(node)[0], node.text()
        if position in settled:
            continue
        if tree.text[position - 1 : position] == ".":
            if not tree.text.endswith(f"{_ITSELF}.", 0, position):
                continue
            name = f"{_ITSELF}.{name}"
        named.setdefault(names.full(name, position), first_line(node))
    yield from (Specifier(module=name, line=line) for name, line in sorted(named.items(), key=lambda one: one[1]))


def _surface(tree: Tree) -> Surface:
    return Surface(offers=tuple(Offered(name) for name, _, _ in _defined(tree).defined))


READER = Reader(specifiers=_specifiers, symbols=_symbols, surface=_surface)
