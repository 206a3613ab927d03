"""Asks the program itself: repositories at the commit that questions are about, ingested and searched."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from scripts.benchmarks.documents.questions import QuestionSet
from scripts.benchmarks.documents.scoring import FIRST
from scripts.benchmarks.documents.variants import Variant
from scripts.benchmarks.survival.git import git_output
from scripts.opened import open_workspace
from tx_graph.core.place import CONFIG, DIRECTORY
from tx_graph.core.settings import Config
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.search import DocQuery, DocSearch
from tx_graph.vectors.embedding import NO_EMBEDDER
from tx_graph.vectors.models import DEFAULT_MODEL
from tx_graph.workspace import prepare


def ingested(repository: Path, questions: QuestionSet, directory: Path, *, strategy: str) -> Path:
    """Return a clone of the repository at its commit, whose documents are known and have vectors.

    What an earlier run left there is ingested again, so that only what is new needs a vector.
    """
    root = directory / f"{questions.name}-{strategy}"
    if not root.exists():
        directory.mkdir(parents=True, exist_ok=True)
        unfinished = root.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        git_output(None, "clone", "--quiet", "--no-checkout", str(repository.resolve()), str(unfinished))
        git_output(unfinished, "checkout", "--quiet", "--detach", questions.commit)
        prepare(unfinished)
        unfinished.rename(root)
    print(f"ingesting {root.name} ...", file=sys.stderr)
    _ingest(root, strategy)
    return root


def ask(root: Path, variant: Variant, texts: Sequence[str]) -> list[list[str]]:
    """Return the references that are found for each question, best first."""
    with _embedder(root, DEFAULT_MODEL if variant.vectors else NO_EMBEDDER), open_workspace(root) as workspace:
        search = workspace.kernel.one(DocSearch)
        answers = [search.run(DocQuery(text=text, limit=FIRST, **variant.options)) for text in texts]
        return [[result.unit.ref for result in answer.results] for answer in answers]


def _ingest(root: Path, strategy: str) -> None:
    _config(root).set("documents.chunking", strategy)
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run(force=True)
        workspace.embedding.embed_lacking("chunks")


@contextmanager
def _embedder(root: Path, name: str) -> Iterator[None]:
    """Have the workspace use a model for the block."""
    _config(root).set("embedder", name)
    try:
        yield
    finally:
        _config(root).set("embedder", DEFAULT_MODEL)


def _config(root: Path) -> Config:
    return Config(root / DIRECTORY / CONFIG)
