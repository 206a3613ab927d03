"""What a search costs among 10,000 learnings: as a command of its own, and inside a process that goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.benchmarks import learnings_workspace, vocabulary
from scripts.benchmarks.environment import having
from scripts.benchmarks.report import TIMES, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import BARE, BARE_NAME, medians, percentile, timed, tx
from scripts.opened import open_workspace
from tx_graph.context.search import Query
from tx_graph.core.place import DATABASE_VARIABLE
from tx_graph.graph.expand import Limits
from tx_graph.vectors.models import DIRECTORY_VARIABLE, default_directory, is_installed

_WARM_QUESTIONS = 100
_QUESTION = "retry timeout worker"
_COLD = at_most(10, TIMES)
_COLD_WITH_VECTORS = at_most(20, TIMES)
_MISSING = "model not installed (tx model install, or TX_MODEL_DIR)"


def rows(settings: Settings) -> Iterator[Row]:
    """Yield cold and warm searches, without and with vectors."""
    root = settings.workdir.made("learnings", learnings_workspace.make)
    without = {DIRECTORY_VARIABLE: str(root / "no-model")}
    yield from _cold(root, "without vectors", without, settings.rounds)
    if is_installed():
        vectors = learnings_workspace.with_vectors(root)
        with_model = {DIRECTORY_VARIABLE: str(default_directory()), DATABASE_VARIABLE: str(vectors)}
        yield from _cold(root, "with vectors", with_model, settings.rounds)
    else:
        yield Row(what="cold learning:search with vectors", budget=_COLD_WITH_VECTORS, note=_MISSING)
        with_model = None
    yield from _warm(root, "without vectors", without)
    if with_model is not None:
        yield from _warm(root, "with vectors", with_model)


def _cold(root: Path, label: str, variables: Mapping[str, str], rounds: int) -> Iterator[Row]:
    plain = tx("learning:search", _QUESTION, directory=root, variables=variables)
    expanded = tx("learning:search", _QUESTION, "--expand", directory=root, variables=variables)
    plain_wall, expanded_wall, bare = medians([plain.run, expanded.run, BARE.run], rounds=rounds)
    budget = _COLD if "without" in label else _COLD_WITH_VECTORS
    for what, wall in ((label, plain_wall), (f"{label}, --expand", expanded_wall)):
        yield Row(
            what=f"cold learning:search {what}",
            measured=ms(wall),
            baseline=BARE_NAME,
            against=ms(bare),
            budget=budget,
            note=f"{learnings_workspace.LEARNINGS:,} learnings",
        )


def _warm(root: Path, label: str, variables: Mapping[str, str]) -> Iterator[Row]:
    with having(variables), open_workspace(root) as workspace:
        for suffix, expansion in (("", None), (", expanded", Limits())):
            workspace.search.run(Query(text=_QUESTION, expansion=expansion))
            walls = [
                timed(workspace.search.run, Query(text=text, expansion=expansion))
                for text in vocabulary.questions(_WARM_QUESTIONS)
            ]
            yield Row(
                what=f"warm search {label}{suffix}, p95",
                measured=ms(percentile(walls, 0.95)),
                note=f"p50 {percentile(walls, 0.5):.1f} ms",
            )
