"""How fast documents are read, read again, and searched: a thousand real ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pyromark

from scripts.benchmarks import near_vectors
from scripts.benchmarks.cold import forget
from scripts.benchmarks.documents.questions import question_sets
from scripts.benchmarks.documents.tree import COUNT, documents, make
from scripts.benchmarks.environment import having
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import BARE, BARE_NAME, Command, medians, percentile, timed, tx
from scripts.opened import open_workspace
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.search import DocQuery, DocSearch
from tx_graph.vectors.models import DIRECTORY_VARIABLE, default_directory, is_installed
from tx_graph.vectors.store import CHUNKS

_HERE = Path(__file__).parents[3]
"""This project, whose own documents serve where no repository is given."""
_MEGABYTE = 1_000_000
_SPEED = at_least(5, "MB/s")
_UNCHANGED = at_most(200, "ms")
_QUESTION = "how is the size of an upload limited"


def rows(settings: Settings) -> Iterator[Row]:
    """Yield reading, reading again, and searching, without and with vectors."""
    with settings.workdir.temporary() as directory:
        root = directory / "documents"
        megabytes = make(root, settings.repositories or [_HERE]) / _MEGABYTE
        without = {DIRECTORY_VARIABLE: str(directory / "no-model")}
        with having(without):
            yield from _reading(root, megabytes, settings)
            yield from _again(root, without, settings)
            yield from _searching(root, "by words", without, settings)
        if is_installed():
            with Database.open(root / DIRECTORY / DATABASE) as database:
                near_vectors.save(database, CHUNKS)
            model = {DIRECTORY_VARIABLE: str(default_directory())}
            yield from _searching(root, "with vectors", model, settings)


def _reading(root: Path, megabytes: float, settings: Settings) -> Iterator[Row]:
    files = [str(path) for path in documents(root)]
    texts = [Path(file).read_text(encoding="utf-8", errors="replace") for file in files]
    ingest, parse, cat = medians(
        [lambda: _ingest_cold(root), partial(timed, _parse, texts), Command(arguments=["cat", *files]).run],
        rounds=settings.heavy_rounds,
    )
    for baseline, wall in (("pyromark, parse alone", parse), ("cat", cat)):
        yield Row(
            what="doc:ingest, nothing known, without vectors",
            measured=_rate(megabytes, ingest),
            baseline=baseline,
            against=_rate(megabytes, wall),
            budget=_SPEED,
            note=f"{COUNT:,} documents, {megabytes:.1f} MB",
        )


def _again(root: Path, without: Mapping[str, str], settings: Settings) -> Iterator[Row]:
    note = f"{COUNT:,} documents"
    command, bare = medians([tx("doc:ingest", directory=root, variables=without).run, BARE.run], rounds=settings.rounds)
    yield Row(
        what="doc:ingest, nothing changed",
        measured=ms(command),
        baseline=BARE_NAME,
        against=ms(bare),
        budget=_UNCHANGED,
        note=note,
    )
    path = documents(root)[COUNT // 2]
    with open_workspace(root) as workspace:
        for what, change in (
            ("nothing changed", str),
            ("one touched", path.touch),
            ("one edited", partial(_edit, path)),
        ):
            (wall,) = medians([partial(_after, change, workspace.kernel.one(Ingesting).run)], rounds=settings.rounds)
            yield Row(what=f"doc:ingest within a process, {what}", measured=ms(wall), note=note)


def _searching(root: Path, how: str, variables: Mapping[str, str], settings: Settings) -> Iterator[Row]:
    command = tx("doc:search", _QUESTION, directory=root, variables=variables)
    cold, bare = medians([command.run, BARE.run], rounds=settings.rounds)
    yield Row(what=f"cold doc:search {how}", measured=ms(cold), baseline=BARE_NAME, against=ms(bare))
    texts = [question.text for one in question_sets() for question in one.questions]
    with having(variables), open_workspace(root) as workspace:
        for suffix, hops in ((", without the graph", 0), ("", 2)):
            queries = [DocQuery(text=text, hops=hops) for text in texts]
            workspace.kernel.one(DocSearch).run(queries[0])
            walls = [timed(workspace.kernel.one(DocSearch).run, query) for query in queries]
            yield Row(
                what=f"warm doc:search {how}{suffix}, p95",
                measured=ms(percentile(walls, 0.95)),
                note=f"p50 {percentile(walls, 0.5):.1f} ms; {COUNT:,} documents",
            )


def _ingest_cold(root: Path) -> float:
    forget(root)
    with open_workspace(root) as workspace:
        return timed(workspace.kernel.one(Ingesting).run)


def _after(change: Callable[[], object], ingest: Callable[[], object]) -> float:
    change()
    return timed(ingest)


def _edit(path: Path) -> None:
    """Add a paragraph that nobody wrote before."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\nWritten at {time.time_ns()}.\n")


def _parse(texts: Sequence[str]) -> None:
    """Ask the parser for all events of each text and where they are, whatever it is written in."""
    for text in texts:
        list(pyromark.events_with_range(text))


def _rate(megabytes: float, wall: float) -> Quantity:
    return Quantity(value=megabytes / wall * 1000, unit="MB/s")
