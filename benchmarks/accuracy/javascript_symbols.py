"""What JavaScript and TypeScript files declare, beside the tree of TypeScript's own parser.

The unit is a name in a file; of overloads any may be meant. It is alike when it stands in the same lines: the first may
be that of a decorator, of `export` or of the name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.accuracy.comparison import Comparison, Difference, Subject, Unmeasured
from benchmarks.accuracy.indexed import Indexed, unnumbered
from benchmarks.accuracy.javascript_imports import LANGUAGE
from benchmarks.accuracy.node import node_tools
from scripts.benchmarks.settings import Settings

_LANGUAGES = ("javascript", "jsx", "typescript", "tsx")


class _Declared(NamedTuple):
    """One declaration: its name, where it starts at the earliest and at the latest, its last line.

    What need not be found is right when it is: tx lists more of some kinds than was promised.
    """

    name: str
    earliest: int
    latest: int
    last: int
    must: bool


def compare(tree: Indexed, settings: Settings) -> Iterator[Comparison | Unmeasured]:
    """Yield the comparison, if there are such files."""
    paths = tree.of_languages(*_LANGUAGES)
    if not paths:
        return
    tools = node_tools(settings)
    if isinstance(tools, str):
        yield Unmeasured(language=LANGUAGE, subject=Subject.SYMBOLS, tool="typescript", reason=tools)
        return
    files = tools.lines("typescript_symbols.mjs", tree.root, paths)
    whole = [(path, [_Declared(*row) for row in rows]) for path, rows, broken in files if not broken]
    found = [_difference(tree, path, declared) for path, declared in whole]
    broken = len(files) - len(whole)
    yield Comparison(
        language=LANGUAGE,
        subject=Subject.SYMBOLS,
        tool="typescript",
        both=sum(one.both for one in found),
        only_tx=tuple(line for one in found for line in one.only_tx),
        only_tool=tuple(line for one in found for line in one.only_tool),
        remark=f"{len(whole):,} files" + (f"; {broken} that typescript cannot parse left out" if broken else ""),
    )


def _difference(tree: Indexed, path: str, declared: Sequence[_Declared]) -> Difference:
    ours: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for symbol in tree.symbols.get(path, ()):
        ours[unnumbered(symbol.name)].add((symbol.line_start, symbol.line_end))
    theirs: dict[str, list[_Declared]] = defaultdict(list)
    for one in declared:
        theirs[one.name].append(one)
    due = {name for name, those in theirs.items() if any(one.must for one in those)}
    right = {name for name in due if any(_is_alike(one, span) for one in theirs[name] for span in ours.get(name, ()))}
    return Difference(
        both=len(right),
        only_tx=tuple(f"{path} {name} {sorted(ours[name])}" for name in sorted(ours.keys() - theirs.keys())),
        only_tool=tuple(
            f"{path} {name} {theirs[name][0].earliest}-{theirs[name][0].last}" for name in sorted(due - right)
        ),
    )


def _is_alike(one: _Declared, span: tuple[int, int]) -> bool:
    return one.earliest <= span[0] <= one.latest and one.last == span[1]
