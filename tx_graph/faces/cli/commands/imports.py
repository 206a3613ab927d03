"""graph:imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import typer

from tx_graph.code.import_graph import DeadEnds, ImportGraph, Imports, ImportStep
from tx_graph.code.imports import ImportEdge
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import as_json as as_shape
from tx_graph.faces.cli.options import Json, Tsv, opened
from tx_graph.faces.cli.render.answers import Answer, deliver, one_form
from tx_graph.faces.cli.render.terminal import note, print_table
from tx_graph.faces.cli.render.words import counted, more

_MOST_SHOWN = 50
_HEADINGS = ("source", "target", "import_type")
_WHY = {
    "stdlib": "ships with the language",
    "external": "somebody else's package",
    "missing": "no file here answers to it",
    "not code": "a file, but no source code",
}


def imports(
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A file or a directory.")] = None,
    *,
    reverse: Annotated[bool, typer.Option("--reverse", help="Show what imports it instead.")] = False,
    depth: Annotated[int, typer.Option("--depth", metavar="HOPS", help="How many hops to go, at least 1.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="All files instead of one.")] = False,
    unresolved: Annotated[
        bool, typer.Option("--unresolved", help="Show imports that lead to no file here, and why.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option("-n", "--limit", metavar="N", help="Most to show; otherwise 50, or all in JSON and --tsv."),
    ] = None,
    as_tsv: Tsv = False,
    as_json: Json = False,
) -> None:
    """Show what a file imports, or what imports it.

    With --depth each file is named once, with the import by which it is met first. Of a directory every import over
    its border is shown. An import is static, re-export, dynamic or type-only. The columns of --tsv are source, target
    and import_type; with --unresolved they are source, line, module, names, import_type and reason.

    Example:
      tx graph:imports src/app.py --depth 2
      tx graph:imports src/auth.py --reverse
      tx graph:imports src/app.py --unresolved
      tx graph:imports --all --tsv
    """
    one_form(as_json=as_json, as_tsv=as_tsv)
    if limit is None and not (as_json or as_tsv):
        limit = _MOST_SHOWN
    most = None if limit is None else checked_limit(limit)
    if (file is None) != everything:
        raise UsageError("Name one FILE, or ask for --all.", hint="See 'tx graph:imports --help'.")
    if (everything or unresolved) and (reverse or depth != 1):
        raise UsageError("--reverse and --depth need a FILE, and go without --unresolved.")
    with opened() as workspace:
        graph, path = workspace.kernel.one(ImportGraph), file
        if unresolved:
            ends = graph.unresolved_imports(file)
            path, answer = ends.place.path, _dead_ends(ends, most=most)
        elif file is None:
            answer = _all(graph.all_imports(), most=most)
        else:
            found = (graph.importers if reverse else graph.imports)(file, depth=depth)
            path, answer = found.place.path, _imports(found, is_deep=depth > 1, most=most)
        age = workspace.health.age(path=path, with_cochanges=False)
    deliver(answer, age, as_json=as_json, as_tsv=as_tsv)


def _imports(found: Imports, *, is_deep: bool, most: int | None) -> Answer:
    shape = {
        "path": found.place.path or ".",
        "reverse": found.reverse,
        "imports": as_shape(found.steps[:most]),
        "inside": found.inside,
        "missing": found.missing,
        "stats": _stats(found.steps, most),
    }
    return Answer(
        shape=shape,
        show=lambda: _print_imports(found, is_deep=is_deep, most=most),
        headings=_HEADINGS,
        rows=_rows(found.steps[:most]),
        remarks=_remarks(found),
    )


def _all(edges: Sequence[ImportEdge], *, most: int | None) -> Answer:
    return Answer(
        shape={"imports": as_shape(edges[:most]), "stats": _stats(edges, most)},
        show=lambda: _print_edges(edges, most=most),
        headings=_HEADINGS,
        rows=_rows(edges[:most]),
        remarks=() if edges else ["No file here imports another."],
    )


def _dead_ends(found: DeadEnds, *, most: int | None) -> Answer:
    nothing = f"Every import of {found.place.path or 'the repository'} leads to a file here."
    return Answer(
        shape={
            "path": found.place.path or ".",
            "unresolved": as_shape(found.dead_ends[:most]),
            "stats": _stats(found.dead_ends, most),
        },
        show=lambda: _print_dead_ends(found, most=most),
        headings=("source", "line", "module", "names", "import_type", "reason"),
        rows=[
            (end.source, end.line, end.module, ",".join(end.names), end.type.value, end.reason)
            for end in found.dead_ends[:most]
        ],
        remarks=() if found.dead_ends else [found.remark or nothing],
    )


def _remarks(found: Imports) -> list[str]:
    path = found.place.path or "the repository"
    none = f"Nothing here imports {path}." if found.reverse else f"{path} imports no file here."
    if found.place.is_directory:
        none = f"No import {'enters' if found.reverse else 'leaves'} {path}."
    remarks = [found.remark or none] if not found.steps else []
    if found.inside:
        remarks.append(f"{counted(found.inside, 'import')} between files inside it.")
    if found.missing:
        verb = "leads" if found.missing == 1 else "lead"
        remarks.append(f"{counted(found.missing, 'import')} {verb} to no file here, but should; see --unresolved.")
    return remarks


def _print_imports(found: Imports, *, is_deep: bool, most: int | None) -> None:
    if found.place.is_directory:
        _print_edges(found.steps, most=most)
    elif found.steps:
        reached = [(step.source if found.reverse else step.target, step) for step in found.steps]
        headings = ("file", "type", "hops", "by way of") if is_deep else ("file", "type")
        rows = [
            (path, step.type.value, str(step.hops), step.target if found.reverse else step.source)
            for path, step in reached
        ]
        _print_rows(headings, [row[: len(headings)] for row in rows], most=most)


def _print_edges(edges: Sequence[ImportEdge | ImportStep], *, most: int | None) -> None:
    _print_rows(("source", "target", "type"), list(_rows(edges)), most=most)


def _print_dead_ends(found: DeadEnds, *, most: int | None) -> None:
    """Print what leads nowhere; of one file the lines alone say where."""
    one_file = not found.place.is_directory
    rows = [
        (
            str(end.line) if one_file else f"{end.source}:{end.line}",
            end.module,
            ", ".join(end.names),
            f"{end.reason}: {_WHY[end.reason]}" if end.reason in _WHY else end.reason,
        )
        for end in found.dead_ends
    ]
    _print_rows(("line" if one_file else "place", "module", "names", "why"), rows, most=most)


def _print_rows(headings: Sequence[str], rows: Sequence[Sequence[str]], *, most: int | None) -> None:
    """Print the first rows as a table, and say how many more there are."""
    if rows:
        print_table(headings, rows[:most], right=["line"])
    if cut := more(len(rows), shown=len(rows[:most])):
        note(cut)


def _rows(edges: Iterable[ImportEdge | ImportStep]) -> Iterable[tuple[str, str, str]]:
    return ((edge.source, edge.target, edge.type.value) for edge in edges)


def _stats(found: Sequence[object], most: int | None) -> dict[str, int]:
    return {"found": len(found), "shown": len(found[:most])}
