"""A repository with documents, whose sections a model is asked about."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.core.llm.openai_server import MODEL, Answer
from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.core.kernel import Kernel
from tx_graph.documents.documents import Documents
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.relations import Applied, Extracted, ExtractOptions, Failure, Question

_ID = re.compile(r"^\[(.+)\]: ", re.MULTILINE)


class Writings(Project):
    """Documents are ingested as they are written; `pauses` are those before another try, which take no time here."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, *, embedder: WordEmbedder | None = None) -> None:
        super().__init__(root, monkeypatch, embedder=embedder)
        self.pauses: list[float] = []
        self.failures: list[Failure] = []

    def ingest(self, **documents: str) -> None:
        """Write documents, `a` being docs/a.md, and read all that there are."""
        for name, text in documents.items():
            self.write(f"docs/{name}.md", text)
        if (self.root / ".git").is_dir():
            self.git.git("add", "--all")
        with self.open() as workspace:
            workspace.kernel.one(Ingesting).run()

    def extract(self, options: ExtractOptions | None = None, *, model: str = MODEL) -> Extracted:
        """Have the server's model asked."""
        with self.open() as workspace:
            self.take_no_time(workspace.kernel)
            return workspace.kernel.one(Documents).extract(options, model=model, on_failure=self.failures.append)

    def questions(self, options: ExtractOptions | None = None, *, every: bool = False) -> tuple[Question, ...]:
        """Return what an agent would be asked."""
        with self.open() as workspace:
            return workspace.kernel.one(Documents).questions(options, every=every)

    def apply(self, *lines: str) -> Applied:
        """Take an agent's replies."""
        with self.open() as workspace:
            return workspace.kernel.one(Documents).apply(lines)

    def take_no_time(self, kernel: Kernel) -> None:
        """Have pauses noted and not taken."""

        async def note(seconds: float) -> None:
            self.pauses.append(seconds)

        kernel.one(Documents).sleep = note

    def edges(self) -> set[tuple[str, str, str, float, str, str]]:
        """Return (source, relation, target, weight, description, origin) of all that somebody said about sections."""
        with self.open() as workspace:
            rows = workspace._database.rows(
                """
                SELECT s.key, e.relation, t.key, e.weight, e.description, e.origin
                FROM section_edges e
                JOIN nodes s ON s.id = e.source
                JOIN nodes t ON t.id = e.target
                WHERE e.origin NOT IN ('structure', 'link')
                """
            )
        return set(rows)


def document(*sections: str) -> str:
    """Return a document of so many sections; each is a heading with one sentence below it."""
    return "\n\n".join(f"## {name}\n\nAll about {name}." for name in sections) + "\n"


def ids_in(question: str) -> list[str]:
    """Return the ids of the passages that a question is about."""
    return _ID.findall(question)


def edge(source: str, target: str, relation: str = "depends_on", weight: float = 0.8, **more: object) -> dict[str, Any]:
    """Return an edge as a model writes it."""
    return {"source": source, "target": target, "relation": relation, "weight": weight, "description": "so", **more}


def saying(edges: Iterable[object]) -> Answer:
    """Return an answer that is as it should be."""
    return Answer(text=json.dumps({"edges": list(edges)}))


def chained(question: str, number: int) -> Answer:
    """Answer that each passage depends on the next one."""
    ids = ids_in(question)
    return saying(edge(one, other) for one, other in pairwise(ids))
