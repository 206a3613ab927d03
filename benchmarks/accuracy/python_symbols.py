"""Functions, classes and methods of Python files, beside those in the tree of the interpreter's own parser.

Compared are names and lines, from the first decorator on, at module and class level, whatever blocks they are in.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence

from benchmarks.accuracy.comparison import Comparison, Subject, difference
from benchmarks.accuracy.indexed import Indexed, unnumbered
from scripts.benchmarks.settings import Settings

_KINDS = frozenset({"function", "class", "method"})
_DECLARED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


def compare(tree: Indexed, _settings: Settings) -> Iterator[Comparison]:
    """Yield the comparison, if there are Python files."""
    paths = tree.of_languages("python")
    trees = {path: parsed for path in paths if (parsed := _parsed((tree.root / path).read_bytes()))}
    if not trees:
        return
    found = difference(
        (line for path in trees for line in _ours(tree, path)),
        (f"{path} {line}" for path, module in trees.items() for line in _declared(module.body, ())),
    )
    broken = len(paths) - len(trees)
    yield Comparison(
        language="Python",
        subject=Subject.SYMBOLS,
        tool="ast",
        both=found.both,
        only_tx=found.only_tx,
        only_tool=found.only_tool,
        remark=f"{len(trees):,} files" + (f"; {broken} that ast cannot parse left out" if broken else ""),
    )


def _ours(tree: Indexed, path: str) -> Iterator[str]:
    for symbol in tree.symbols.get(path, ()):
        if symbol.kind in _KINDS:
            yield f"{path} {unnumbered(symbol.name)} {symbol.line_start}-{symbol.line_end}"


def _parsed(source: bytes) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes in strings that will be errors some day
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return None


def _declared(body: Iterable[ast.AST], scope: Sequence[str]) -> Iterator[str]:
    for node in body:
        if isinstance(node, _DECLARED):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            name = (*scope, node.name)
            yield f"{'::'.join(name)} {first}-{node.end_lineno}"
            if isinstance(node, ast.ClassDef):
                yield from _declared(node.body, name)
        elif isinstance(node, _BLOCKS):
            yield from _declared(_beneath(node), scope)


def _beneath(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of all branches of a block."""
    for field in ("body", "orelse", "finalbody"):
        yield from getattr(node, field, ())
    for branch in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from branch.body
