"""Who uses what in Go, beside go/types, the checker of Go's own compiler.

The unit is a name in a line with what it means. What tx says of a name is right when the checker says the same of one
in that line, or names what the same package declares under that name for another system. Where the checker is silent,
as about modules that are not there and files that are not built here, nothing is judged.
"""

from __future__ import annotations

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from benchmarks.accuracy.comparison import Comparison, Subject, Unmeasured
from benchmarks.accuracy.indexed import Indexed
from benchmarks.accuracy.node import documents, run
from scripts.benchmarks.settings import Settings
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.references import EXACT, LIKELY, every_reference
from tx_graph.code.resolvers import parent
from tx_graph.code.symbols import simple_name, unnumbered
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY

_PROGRAM = Path(__file__).parent / "go_references.go"
_Name = tuple[str, int, str]
_Target = tuple[str, str]


def compare(tree: Indexed, settings: Settings) -> Iterator[Comparison | Unmeasured]:  # noqa: ARG001 - as all are called
    """Yield the comparison, if there are such files."""
    if not tree.of_languages("go"):
        return
    if not shutil.which("go"):
        yield Unmeasured(language="go", subject=Subject.REFERENCES, tool="go/types", reason="there is no go on PATH")
        return
    said = documents(run(["go", "run", str(_PROGRAM), str(tree.root)], _PROGRAM.parent))
    with Database.open(tree.root / DIRECTORY / DATABASE) as database:
        yield _compared(database, said)


def _compared(database: Database, said: list[list[object]]) -> Comparison:
    declared = _Declared(database)
    known: dict[_Name, set[_Target]] = defaultdict(set)
    calls, silent, locals_ = set[tuple[_Name, _Target]](), set[_Name](), set[tuple[_Name, _Target]]()
    for path, line, text, target, at, sort, is_called in said:
        name = (str(path), int(str(line)), str(text))
        if target == "?":
            silent.add(name)
        elif found := declared.at(str(target), int(str(at)), name[2]):
            known[name].add(found)
            if is_called:
                calls.add((name, found))
            if sort == "local":
                locals_.add((name, found))
    read = {str(one[0]) for one in said}
    right, wrong = dict[tuple[_Name, _Target], str](), list[str]()
    count, beyond = Counter[str](), list[str]()
    for path, line, text, kind, sure, target, qualified in every_reference(database):
        if not path.endswith(".go"):
            continue
        name = (path, line, text)
        found = next((one for one in known[name] if one[1] == qualified and parent(one[0]) == parent(target)), None)
        line_of = f"{path}:{line} {sure} {kind} {target}::{qualified}"
        if found:
            right[name, found] = sure
            count[sure] += 1
        elif name in silent or path not in read:
            beyond.append(line_of)
        else:
            wrong.append(line_of)
            count[f"not {sure}"] += 1
    due = {(name, target) for name, targets in known.items() for target in targets} - locals_
    found_calls = len(calls & right.keys() - locals_) / max(1, len(calls - locals_))
    told = {sure: count[sure] + count[f"not {sure}"] for sure in (EXACT, LIKELY)}
    shares = [f"{number:,} {sure}, {count[sure] / max(1, number):.4f} right" for sure, number in told.items()]
    return Comparison(
        language="go",
        subject=Subject.REFERENCES,
        tool="go/types",
        both=len(due & right.keys()),
        only_tx=tuple(wrong),
        only_tool=tuple(sorted(f"{p}:{line} {to}::{name}" for (p, line, _), (to, name) in due - right.keys())),
        beyond=tuple(beyond),
        remark=f"{'; '.join(shares)}; of calls {found_calls:.4f} found",
    )


class _Declared:
    """The symbols of an index, by their places."""

    def __init__(self, database: Database) -> None:
        self._store = SymbolStore(database)
        self._files: dict[str, dict[str, list[tuple[int, int, str]]]] = {}

    def at(self, path: str, line: int, name: str) -> _Target | None:
        """Return the innermost symbol of a name that holds a line."""
        if path not in self._files:
            found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
            for one in self._store.with_details(path):
                found[simple_name(unnumbered(one.name))].append((one.line_start, one.line_end, unnumbered(one.name)))
            self._files[path] = found
        around = [one for one in self._files[path].get(name, ()) if one[0] <= line <= one[1]]
        return (path, min(around, key=lambda one: one[1] - one[0])[2]) if around else None
