"""Who uses and who calls a symbol: tx beside other tools that say so, by the answers of a compiler's own tools.

A question is a function, method or class, drawn at random among those that another file uses. An answer is a set of
files, each with its outermost function or method, or without one where code outside of any uses the symbol. Import
statements are no uses.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.accuracy import pyright
from benchmarks.accuracy.indexed import Indexed, indexed, unnumbered
from benchmarks.accuracy.node import NodeTools, node_tools
from benchmarks.accuracy.pyright import Place
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import Quantity, Row
from scripts.benchmarks.settings import Settings
from scripts.opened import open_workspace
from tx_graph.code.references import SymbolUses
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.code.symbols import Symbol
from tx_graph.core.errors import NotFound

_ASKED, _TRIED, _SEED = 100, 600, 22
_SCRIPTS = ("javascript", "jsx", "typescript", "tsx")
_CALLED = re.compile(r"\s*(?:<[^()\n]*>)?\(|\s*\?\.\(")
_CALLS = ("calls", "instantiates")
_HANDS_ON = ("imports", "exports", "contains")

Unit = tuple[str, str]
"""A file, and the outermost function or method in it, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A symbol, the units that use it, and those of them that call it."""

    symbol: Symbol
    users: frozenset[Unit]
    callers: frozenset[Unit]


Answer = Callable[[Symbol], Iterable[tuple[str, int]] | None]
"""Returns the paths and lines in which a symbol is used; None where the tool does not find or tell the symbol."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A tool and its answers; without any, `note` says why."""

    name: str
    users: Answer | None = None
    callers: Answer | None = None
    note: str = ""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield, for each repository, how right every tool is about who uses and who calls a symbol."""
    tools = node_tools(settings)
    if isinstance(tools, str) or not settings.repositories:
        yield Row(what="peers", note=tools if isinstance(tools, str) else "give a repository with --repo")
        return
    for repository in settings.repositories:
        with cloned(repository, settings) as clone, settings.workdir.temporary() as scratch:
            tree = Tree(indexed(clone))
            asked = list(islice(_questions(tree, tools), _ASKED))
            for peer in _peers(tree, tools, scratch):
                for what, answer in (("uses", peer.users), ("calls", peer.callers)):
                    if answer:
                        row = _row(f"who {what}: {peer.name}: {repository.name}", tree, asked, what, answer)
                        print(f"{row.what}: {row.note}", file=sys.stderr, flush=True)  # the rest may take long
                        yield row
                if peer.note:
                    yield Row(what=f"{peer.name}: {repository.name}", note=peer.note)


class Tree:
    """A repository, and the units of its lines."""

    def __init__(self, known: Indexed) -> None:
        self.known, self.root = known, known.root
        self._lines: dict[str, list[str]] = {}

    def lines(self, path: str) -> list[str]:
        """Return the lines of a file."""
        if path not in self._lines:
            self._lines[path] = (self.root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        return self._lines[path]

    def unit(self, path: str, line: int) -> Unit:
        """Return the unit that a line stands in."""
        spans = [
            (one.line_start - one.line_end, one.name)
            for one in self.known.symbols.get(path, ())
            if one.kind in ("function", "method") and not one.is_detail and one.line_start <= line <= one.line_end
        ]
        return path, unnumbered(min(spans)[1]) if spans else ""

    def says(self, unit: Unit, name: str) -> bool:
        """Tell whether a name stands in a unit."""
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        return any(
            word.search(line) and self.unit(unit[0], number) == unit
            for number, line in enumerate(self.lines(unit[0]), start=1)
        )

    @cached_property
    def is_python(self) -> bool:
        """Whether most of the source files are in Python."""
        return 2 * len(self.known.of_languages("python")) > len(self.known.sources)


def _questions(tree: Tree, tools: NodeTools) -> Iterator[Question]:
    languages = ("python",) if tree.is_python else _SCRIPTS
    paths = tree.known.of_languages(*languages)
    drawn = [
        symbol
        for path in paths
        if sort_of(path) is not FileSort.TEST and not path.endswith(".d.ts")
        for symbol in tree.known.symbols.get(path, ())
        if symbol.kind in ("function", "method", "class") and not symbol.is_detail and "#" not in symbol.name
    ]
    random.Random(_SEED).shuffle(drawn)  # noqa: S311 - a sample that is to be the same each time
    placed = [(one, place) for one in drawn if (place := _place(tree, one))][:_TRIED]
    ask = (
        partial(pyright.references, tools.program("pyright-langserver"))
        if tree.is_python
        else _typescript(tools, paths)
    )
    for (symbol, _), found in zip(placed, ask(tree.root, [place for _, place in placed]), strict=True):
        name = symbol.name.rpartition("::")[2]
        told = [one for one in found if tree.lines(one[0])[one[1] - 1][one[2] :].startswith(name)]
        users = frozenset(tree.unit(path, line) for path, line, _ in told)
        callers = frozenset(
            tree.unit(*one[:2]) for one in told if _is_call(tree.lines(one[0])[one[1] - 1], one[2], name)
        )
        if any(path != symbol.path for path, _ in users):
            yield Question(symbol=symbol, users=users, callers=callers)


def _place(tree: Tree, symbol: Symbol) -> Place | None:
    """Return where the name of a declaration stands."""
    name = symbol.name.rpartition("::")[2]
    if name.startswith("__") or name in ("constructor", "default"):
        return None
    word = re.compile(
        rf"(?:def|class)\s+({re.escape(name)})\b" if tree.is_python else rf"(?<![\w$])({re.escape(name)})(?![\w$])"
    )
    for number in range(symbol.line_start, symbol.line_end + 1):
        line = tree.lines(symbol.path)[number - 1]
        if not line.lstrip().startswith(("//", "*", "/*", "#", "@")) and (found := word.search(line)):
            return symbol.path, number, found.start(1)
    return None


def _is_call(line: str, column: int, name: str) -> bool:
    made = re.search(r"\bnew\s+(?:[\w$]+\.)*$|<(?:[\w$]+\.)*$", line[:column])
    return bool(made or _CALLED.match(line, column + len(name)))


def _typescript(tools: NodeTools, paths: Sequence[str]) -> Callable[[Path, Sequence[Place]], Iterable[list[Place]]]:
    def ask(root: Path, questions: Sequence[Place]) -> Iterable[list[Place]]:
        found = tools.lines("typescript_references.mjs", root, map(json.dumps, (paths, *questions)))
        return [[(path, line, column) for path, line, column in one] for one in found]

    return ask


def _row(what: str, tree: Tree, asked: Sequence[Question], question: str, answer: Answer) -> Row:
    right = said = wanted = empty = untold = other = symbols = 0
    for one in asked:
        true = one.users if question == "uses" else one.callers
        if not true:
            continue
        symbols += 1
        found = answer(one.symbol)
        units = {tree.unit(path, line) for path, line in found or ()}
        right, said, wanted = right + len(units & true), said + len(units), wanted + len(true)
        untold += found is None
        empty += not units
        other += any(tree.says(unit, one.symbol.name.rpartition("::")[2]) for unit in units - true)
    precision, recall = right / said if said else 1.0, right / wanted if wanted else 1.0
    return Row(
        what=what,
        measured=Quantity(value=2 * right / (said + wanted) if said + wanted else 1.0, unit="F1", decimals=3),
        note=f"precision {precision:.3f}, recall {recall:.3f} of {wanted:,}; of {symbols} symbols {empty} empty"
        f" ({untold} not told), {other} with uses of another of that name",
    )


def _peers(tree: Tree, tools: NodeTools, scratch: Path) -> Iterator[Peer]:
    yield Peer(name="tx", users=partial(_tx_users, tree), callers=partial(_tx_callers, tree))
    yield Peer(name="git grep -w", users=partial(_grep, tree))
    yield _codegraph(tree, tools, scratch)
    if tree.is_python:
        yield _jedi_codegraph(tree)
    yield _codegraphcontext(tree, scratch)


def _tx_users(tree: Tree, symbol: Symbol) -> Iterable[tuple[str, int]] | None:
    with open_workspace(tree.root) as workspace:
        try:
            return [(one.path, one.line) for one in workspace.kernel.one(SymbolUses).references(symbol.fqname)]
        except NotFound:
            return None


def _tx_callers(tree: Tree, symbol: Symbol) -> Iterable[tuple[str, int]] | None:
    with open_workspace(tree.root) as workspace:
        try:
            return [(one.path, one.line) for one in workspace.kernel.one(SymbolUses).callers(symbol.fqname)]
        except NotFound:
            return None


def _grep(tree: Tree, symbol: Symbol) -> Iterable[tuple[str, int]]:
    """Yield the lines in which the name stands as a word, but those of imports and where it is declared."""
    name = symbol.name.rpartition("::")[2]
    command = [
        "git",
        "grep",
        "-nIwF",
        "-e",
        name,
        "--",
        *("*.py" if tree.is_python else "*.[jt]s", "*.[jt]sx", "*.[cm][jt]s"),
    ]
    done = subprocess.run(command, cwd=tree.root, capture_output=True, text=True, errors="replace", check=False)
    for line in done.stdout.split("\n"):
        path, _, rest = line.partition(":")
        number, _, text = rest.partition(":")
        is_import = re.match(r"\s*(?:import|from|export \{|export \*)\b", text)
        if number and not is_import and (path, int(number)) != (symbol.path, symbol.line_start):
            yield path, int(number)


def _codegraph(tree: Tree, tools: NodeTools, scratch: Path) -> Peer:
    """Return @colbymchenry/codegraph, asked by qualified name and file for all callers."""
    name, program = "codegraph", tools.program("codegraph")
    if not tools.has("codegraph"):
        return Peer(name=name, note="npm install @colbymchenry/codegraph")
    home = {"HOME": str(scratch), "CODEGRAPH_TELEMETRY": "0"}
    _said([program, "init", "."], tree.root, home)

    @cache
    def related(symbol: Symbol) -> list[Mapping[str, Any]] | None:
        qualified = unnumbered(symbol.name).replace("::", ".")
        command = [program, "callers", qualified, "--file", symbol.path, "--limit", "10000", "--json"]
        printed = _said(command, tree.root, home)
        if not printed.lstrip().startswith("{"):
            return None
        definitions = json.loads(printed).get("definitions", [])
        first, last = symbol.lines
        own = [
            one
            for one in definitions
            if one["definition"]["filePath"] == symbol.path and first <= one["definition"]["startLine"] <= last
        ]
        return [caller for one in own or definitions for caller in one["callers"]] if definitions else None

    def answer(symbol: Symbol, *, calls: bool) -> list[tuple[str, int]] | None:
        found = related(symbol)
        if found is None:
            return None
        kept = [
            one
            for one in found
            if (
                any(kind in _CALLS for kind in one["relationships"])
                if calls
                else {*one["relationships"]} - {*_HANDS_ON}
            )
        ]
        return [(one["filePath"], 0 if one["kind"] == "file" else one["startLine"]) for one in kept]

    return Peer(name=name, users=partial(answer, calls=False), callers=partial(answer, calls=True))


def _jedi_codegraph(tree: Tree) -> Peer:
    """Return jedi-codegraph, asked by its own name of the symbol, with and without the folder of the sources."""
    name, program = "jedi-codegraph", shutil.which("codegraph")
    if not program:
        return Peer(name=name, note="pip install jedi-codegraph, and have its program on PATH")
    folders = [one for one in ("src", "tests") if (tree.root / one).is_dir()] if (tree.root / "src").is_dir() else ["."]
    _said([program, "build", *folders], tree.root)

    def answer(symbol: Symbol) -> list[tuple[str, int]] | None:
        module = symbol.path.removesuffix(".py").removesuffix("/__init__")
        inside = unnumbered(symbol.name).replace("::", ".")
        names = {f"{module}.{inside}", f"{module.removeprefix('src/').replace('/', '.')}.{inside}"}
        answers = [json.loads(_said([program, "sites", one, "--json"], tree.root) or "{}") for one in sorted(names)]
        if all("results" not in one for one in answers):
            return None
        sites = [site["at"].rpartition(":") for one in answers for site in one.get("results", ())]
        return [(path, int(line)) for path, _, line in sites]

    return Peer(name=name, callers=answer)


def _codegraphcontext(tree: Tree, scratch: Path) -> Peer:
    """Return CodeGraphContext: all calls of its graph, as its own command line cuts every answer to 20."""
    name, program = "codegraphcontext", shutil.which("cgc")
    if not program:
        return Peer(name=name, note="pip install codegraphcontext, and have its program on PATH")
    home = {"HOME": str(scratch), "COLUMNS": "100000"}
    _said([program, "index", "."], tree.root, home)
    query = "MATCH (c)-[r:CALLS]->(f) RETURN c.path, r.line_number, f.path, f.line_number, f.name"
    printed = _said([program, "query", query], tree.root, home)
    begun = printed.find("[\n")
    edges = json.loads(printed[begun:], strict=False) if begun >= 0 else []

    def answer(symbol: Symbol) -> list[tuple[str, int]]:
        path, (first, last) = str(tree.root / symbol.path), symbol.lines
        named = symbol.name.rpartition("::")[2]
        return [
            (Path(one["c.path"]).relative_to(tree.root).as_posix(), one["r.line_number"] or 0)
            for one in edges
            if one["f.path"] == path and one["f.name"] == named and first <= one["f.line_number"] <= last
        ]

    return Peer(name=name, callers=answer, note=f"{len(edges):,} calls in its graph")


def _said(command: Sequence[str], directory: Path, variables: Mapping[str, str] | None = None) -> str:
    """Return what a tool prints, whatever its exit status."""
    environment = os.environ | dict(variables or {})
    done = subprocess.run(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return done.stdout.decode(errors="replace")
