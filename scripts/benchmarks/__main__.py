"""Runs the benchmarks and prints their table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks import accuracy, peers, tools
from benchmarks.accuracy.node import INSTALL
from scripts.benchmarks import (
    anchors,
    cochanges,
    context,
    edges,
    embedding,
    focus,
    graph,
    growth,
    hub,
    impact,
    imports,
    lsp_server,
    mcp_server,
    recall,
    search,
    startup,
    transcripts,
    view,
)
from scripts.benchmarks.documents import floor, speed
from scripts.benchmarks.documents import run as questions
from scripts.benchmarks.report import Row, Verdict, as_document, as_markdown, as_text
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.survival import oracle, reformatting
from scripts.benchmarks.survival import run as survival
from scripts.benchmarks.workdir import Workdir, default_workdir
from tx_graph import __version__
from tx_graph.core.place import find_root
from tx_graph.core.sqlite import binding

_ROUNDS = 15

GROUPS: Mapping[str, Callable[[Settings], Iterator[Row]]] = {
    "startup": startup.rows,
    "search": search.rows,
    "graph": graph.rows,
    "context": context.rows,
    "focus": focus.rows,
    "recall": recall.rows,
    "mcp": mcp_server.rows,
    "lsp": lsp_server.rows,
    "edges": edges.rows,
    "anchors": anchors.rows,
    "imports": imports.rows,
    "growth": growth.rows,
    "impact": impact.rows,
    "hub": hub.rows,
    "tools": tools.rows,
    "peers": peers.rows,
    "accuracy": accuracy.rows,
    "cochanges": cochanges.rows,
    "documents": speed.rows,
    "embedding": embedding.rows,
    "transcripts": transcripts.rows,
    "view": view.rows,
}
"""Every group by the name it is asked for, in the order of the table."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the groups that are asked for, or `anchors` or `documents` by itself; return the exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == ["anchors"]:
        is_reformatting = any(one.split("=")[0] in ("--reformat", "--crlf") for one in arguments)
        if any(one.split("=")[0] == "--oracle" for one in arguments):
            return oracle.main(arguments[1:])
        return reformatting.main(arguments[1:]) if is_reformatting else survival.main(arguments[1:])
    if arguments[:1] == ["documents"]:
        return questions.main(arguments[1:])
    if arguments[:1] == ["floor"]:
        return floor.main(arguments[1:])
    options = _parser().parse_args(arguments)
    settings = Settings(
        repositories=tuple(options.repo),
        rounds=options.rounds,
        workdir=Workdir(path=options.workdir.resolve()),
        node_modules=options.node_modules and options.node_modules.resolve(),
        differences=options.differences,
    )
    heading = _machine()
    rows = [row for name in options.only or GROUPS for row in _run(name, settings)]
    if options.markdown:
        options.markdown.write_text(as_markdown(rows, heading=heading), encoding="utf-8")
    if options.json:
        print(json.dumps(as_document(rows, heading=heading), indent=2, ensure_ascii=False))
    else:
        print(as_text(rows, heading=heading))
    over = any(row.verdict is Verdict.OVER for row in rows)
    return 1 if options.strict and over else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure tx against its budgets.",
        epilog="'scripts/bench anchors REPO --from REV --to REV' measures how anchors survive history, "
        "'scripts/bench documents REPO' what doc:search finds of answers that are known, 'scripts/bench floor REPO' "
        "how often it says that nothing is about a question; see their --help.",
    )
    parser.add_argument(
        "--repo",
        type=_repository,
        action="append",
        default=[],
        metavar="PATH",
        help="a git repository to analyse, as a clone; may be repeated",
    )
    parser.add_argument(
        "--only", action="append", choices=GROUPS, metavar="NAME", help=f"one of {', '.join(GROUPS)}; may be repeated"
    )
    parser.add_argument(
        "--rounds", type=_positive, default=_ROUNDS, metavar="N", help="measurements per process (%(default)s)"
    )
    parser.add_argument(
        "--node-modules",
        type=Path,
        metavar="DIR",
        help=f"where '{INSTALL}' was run, for the comparisons with these; without it they are left out",
    )
    parser.add_argument(
        "--differences",
        type=Path,
        metavar="FILE",
        help="write there whatever tx and the tools of the group 'accuracy' disagree about, one difference a line",
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table there")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if anything is over its budget")
    parser.add_argument(
        "--workdir",
        type=Path,
        default=default_workdir(),
        metavar="DIR",
        help="where generated data is kept for the next run (%(default)s)",
    )
    return parser


def _repository(text: str) -> Path:
    root = find_root(Path(text))
    if root is None or not root.is_git:
        raise argparse.ArgumentTypeError(f"{text} is not in a git repository")
    return root.path


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return value


def _run(name: str, settings: Settings) -> Iterator[Row]:
    print(f"{name} ...", file=sys.stderr)
    return GROUPS[name](settings)


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"tx {__version__}; {os.cpu_count()} cores{load}; {platform.system()} {platform.machine()}; "
        f"Python {platform.python_version()}; {binding().name}, SQLite {binding().sqlite_version}"
    )


if __name__ == "__main__":
    sys.exit(main())
