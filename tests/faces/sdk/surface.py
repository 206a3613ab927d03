"""Describes what the package offers to programs, as it stands in the source: names, signatures, fields."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from enum import Enum
from pathlib import Path
from types import FunctionType
from typing import Annotated, get_args, get_origin

import tx_graph
from tx_graph.core import arguments

ROOT = Path(__file__).resolve().parents[3]
SURFACE = ROOT / "tests" / "faces" / "sdk" / "surface.snap"
STUB = ROOT / "tx_graph" / "__init__.pyi"
_INDENT = "    "


def surface() -> str:
    """Return one line for each public name, with its signature or its fields below."""
    names = sorted(tx_graph.__all__)
    return "\n".join([*(line for name in names for line in _described(name, getattr(tx_graph, name))), ""])


def stub() -> str:
    """Return what type checkers are to read: each name, imported from where it stands."""
    lines = [
        f"from tx_graph.{home} import {own} as {alias or own}"
        for home, names in vars(tx_graph)["_HOMES"].items()
        for own, _, alias in (one.partition("=") for one in names.split())
    ]
    listed = [f'{_INDENT}"{name}",' for name in sorted(tx_graph.__all__)]
    return "\n".join(
        ["# Written by scripts/surface.", "# ruff: noqa: I001", "", *sorted(lines), "", "__all__ = [", *listed, "]", ""]
    )


def named_in_signatures(kind: type) -> set[str]:
    """Return the names of the types that the methods of a class of the SDK take and return, rooms' own apart."""
    own = [one for one in kind.__mro__ if one.__module__.startswith("tx_graph.faces.sdk.")]
    told = [note for one in own for method in _public_functions(_tree(one)) for note in _annotations(method)]
    return {one.id for note in told for one in ast.walk(note) if isinstance(one, ast.Name)}


def _annotations(method: ast.FunctionDef) -> Iterator[ast.expr]:
    given = [*method.args.args, *method.args.kwonlyargs, method.args.vararg]
    yield from (one.annotation for one in given if one and one.annotation)
    if method.returns:
        yield method.returns


def _described(name: str, thing: object) -> Iterator[str]:
    if inspect.isclass(thing):
        yield from _class(name, thing)
    elif inspect.isfunction(thing):
        yield f"{name}{_signature(_function(thing))}"
    else:
        yield f"{name}: {_kind(thing)}"


def _kind(thing: object) -> str:
    return "str" if isinstance(thing, str) else str(thing).replace("tx_graph.", "").replace("typing.", "")


def _class(name: str, kind: type) -> Iterator[str]:
    tree = _tree(kind)
    bases = ", ".join(ast.unparse(base) for base in tree.bases)
    yield f"class {name}{f'({bases})' if bases else ''}"
    is_enum = issubclass(kind, Enum)
    if issubclass(kind, Enum):  # its members are their values, whatever else is said of them where they are written
        yield from (f"{_INDENT}{member.name} = {member.value!r}" for member in kind)
    for part in [] if is_enum else tree.body:
        if isinstance(part, ast.AnnAssign | ast.Assign) and not ast.unparse(part).startswith("_"):
            yield f"{_INDENT}{ast.unparse(part)}"
    for method in _methods(kind):
        is_property = any(ast.unparse(one).endswith("property") for one in method.decorator_list)
        told = f": {ast.unparse(method.returns)}" if is_property and method.returns else _signature(method)
        yield f"{_INDENT}.{method.name}{told}"


def _methods(kind: type) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class and of its bases: a class may bring the use cases of several together."""
    for one in reversed(kind.__mro__):
        if one.__module__.startswith("tx_graph."):
            yield from _public_functions(_tree(one))


def _public_functions(tree: ast.ClassDef) -> Iterable[ast.FunctionDef]:
    return (one for one in tree.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_"))


def _signature(function: ast.FunctionDef) -> str:
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"({ast.unparse(_Plain().visit(function.args))}){returns}"


class _Plain(ast.NodeTransformer):
    """Leaves out what faces are told of a parameter: `Annotated[str, Arg(…)]` is a `str`."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == "Annotated" and isinstance(node.slice, ast.Tuple):
            return node.slice.elts[0]
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        meant = getattr(arguments, node.id, None)
        if get_origin(meant) is not Annotated:
            return node
        kind = get_args(meant)[0]
        return ast.Name("Ref" if kind == arguments.Ref else kind.__name__)


def _tree(kind: type) -> ast.ClassDef:
    return next(one for one in ast.walk(_parsed(kind)) if isinstance(one, ast.ClassDef))


def _function(thing: FunctionType) -> ast.FunctionDef:
    return next(one for one in ast.walk(_parsed(thing)) if isinstance(one, ast.FunctionDef))


def _parsed(thing: type | FunctionType) -> ast.Module:
    return ast.parse(textwrap.dedent(inspect.getsource(thing)))


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    SURFACE.write_text(surface(), encoding="utf-8")
