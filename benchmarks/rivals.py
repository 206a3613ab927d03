"""Commands of other tools that read a repository as `tx index` does, each some part of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy import ctags, dependency_cruiser
from benchmarks.accuracy.node import NodeTools, node_tools
from benchmarks.accuracy.python_imports import graph_of
from benchmarks.accuracy.python_packages import search_roots
from scripts.benchmarks.report import TIMES, Budget, at_least
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import Command
from tx_graph.code.languages import language_of, resolver_of

_GRIMP = """
import json, sys
import grimp
for directory, packages in json.loads(sys.argv[1]):
    sys.path.insert(0, directory)
    grimp.build_graph(*packages, cache_dir=None)
    sys.path.pop(0)
"""
_CRUISER, _MADGE = "dependency-cruiser", "madge"
_EXTENSIONS = "js,jsx,mjs,cjs,ts,tsx"
_SLOWER = at_least(5, TIMES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A tool, how it is run on a repository, how much longer than tx it should take, and what it reads.

    Without a command, `note` says why.
    """

    name: str
    command: Command | None = None
    budget: Budget | None = None
    note: str = ""


def rivals(root: Path, sources: Collection[str], settings: Settings, *, scratch: Path) -> Iterator[Rival]:
    """Yield the tools for the languages that most of the source files are in, and ctags."""
    if _are_mostly(sources, "python"):
        yield from _grimp(root, frozenset(sources))
    if _are_mostly(sources, "javascript"):
        yield from _node(root, node_tools(settings))
    yield _ctags(root, sources, scratch)


def _are_mostly(sources: Collection[str], resolver: str) -> bool:
    return 2 * sum(resolver_of(language_of(path)) == resolver for path in sources) > len(sources)


def _grimp(root: Path, sources: frozenset[str]) -> Iterator[Rival]:
    """Yield grimp on all packages that it can read, in one process."""
    roots = search_roots(sources)
    if not roots:
        yield Rival(name="grimp", note="no packages")
        return
    try:
        graphs = [graph_of(root, one, sources) for one in roots]
    except subprocess.CalledProcessError as error:
        yield Rival(name="grimp", note=error.stderr.strip().splitlines()[-1])
        return
    readable = [sorted({*one.packages} - graph.left_out) for one, graph in zip(roots, graphs, strict=True)]
    asked = [(str(root / one.directory), names) for one, names in zip(roots, readable, strict=True) if names]
    files = sum(len(graph.files) for graph in graphs)
    yield Rival(
        name="grimp, no cache",
        command=Command(arguments=[sys.executable, "-I", "-c", _GRIMP, json.dumps(asked)]),
        note=f"imports of the {files:,} files that are in regular packages",
    )


def _node(root: Path, tools: NodeTools | str) -> Iterator[Rival]:
    commands = {
        _CRUISER: (dependency_cruiser.PROGRAM, *dependency_cruiser.OPTIONS, "."),
        _MADGE: ("madge", "--json", "--no-spinner", "--extensions", _EXTENSIONS, "."),
    }
    for name, (program, *arguments) in commands.items():
        if isinstance(tools, str):
            yield Rival(name=name, budget=_SLOWER, note=tools)
        elif not tools.has(program):
            yield Rival(name=name, budget=_SLOWER, note=f"{tools.directory} has no {name}")
        else:
            command = Command(arguments=[tools.program(program), *arguments], directory=root)
            yield Rival(name=name, command=command, budget=_SLOWER, note="imports of JavaScript and TypeScript files")


def _ctags(root: Path, sources: Collection[str], scratch: Path) -> Rival:
    if not shutil.which(ctags.PROGRAM):
        return Rival(name=ctags.PROGRAM, note="there is no ctags on PATH")
    listed = scratch / "sources.txt"
    listed.write_text("\n".join(sorted(sources)), encoding="utf-8")
    return Rival(
        name=ctags.PROGRAM,
        command=Command(arguments=(ctags.PROGRAM, "--fields=+ne", "-f", "-", "-L", str(listed)), directory=root),
        note="symbols of the files that tx reads, by line, no imports",
    )
