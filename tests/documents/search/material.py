"""Documents with vectors and edges of one's choice, in the workspace of a real repository."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tests.fakes import WordEmbedder, normalised
from tests.shelf import Shelf
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.documents.document import LinkKind
from tx_graph.documents.edge_store import SectionLink, SectionLinkStore
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch
from tx_graph.documents.store import DocumentStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.vectors.store import CHUNKS, VectorStore

DIMENSION = 4


class Compass(WordEmbedder):
    """Gives every question the same vector, so that each section is as like it as its own vector says."""

    def __init__(self) -> None:
        super().__init__(model="compass", dimension=DIMENSION)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        return [normalised([1.0, 0.0, 0.0, 0.0]) for _ in texts]


def at(cosine: float) -> Vector:
    """Return a vector that has this cosine with every question."""
    return normalised([cosine, math.sqrt(1 - cosine * cosine), 0.0, 0.0])


class Library:
    """A workspace whose documents are put there by hand."""

    def __init__(self, project: Project) -> None:
        self.project = project
        project.open().close()

    def document(self, path: str, sections: dict[str, str], *, title: str = "") -> dict[str, NodeId]:
        """Add a document to the workspace, and write its file; see `Shelf.document`."""
        self.project.write(path)
        with self.opened() as database:
            return Shelf(database).document(path, sections, title=title)

    def letters(self, ties: str = "", **cosines: float) -> dict[str, NodeId]:
        """Make docs/a.md of sections a to h with these cosines, tied as `a depends_on b 0.8,b references c 1` says."""
        nodes = self.document("docs/a.md", {name: f"what {name} says" for name in "abcdefgh"})
        edges = [one.split(maxsplit=4) for one in ties.split(",") if one]
        self.tie(*((nodes[a], nodes[b], Relation(kind), float(weight), *said) for a, kind, b, weight, *said in edges))
        self.place(**cosines)
        return nodes

    def shown(self, **options: Any) -> str:  # noqa: ANN401 - see DocQuery
        """Return the titles that answer, best first."""
        return "".join(result.unit.title for result in self.search(**options).results)

    def tie(self, *edges: Any) -> None:  # noqa: ANN401 - see Shelf.tie
        """Add edges between sections."""
        with self.opened() as database:
            Shelf(database).tie(*edges)

    def place(self, **cosines: float) -> None:
        """Give sections, by their titles, vectors with these cosines to every question."""
        with self.opened() as database:
            shelf = Shelf(database)
            nodes = dict(database.rows("SELECT title, node_id FROM sections"))
            vectors = [(nodes[name], at(value)) for name, value in cosines.items()]
            shelf.embed(vectors, model="compass", dimension=DIMENSION)

    def stamp(self, path: str, moment: datetime) -> None:
        """Say when a document that was read had been changed last."""
        with self.opened() as database, database.transaction():
            node = DocumentStore(database).nodes()[path]
            DocumentStore(database).touch([(node, int(moment.timestamp() * 1e9))])

    def embed_chunk(self, database: Database, text: str, *, cosine: float) -> None:
        """Give the chunk of this text a vector with this cosine to every question."""
        store = VectorStore(database, CHUNKS)
        rows = [(chunk, whole, at(cosine)) for chunk, whole in store.lacking("compass") if whole.endswith(text)]
        with database.transaction():
            store.save(rows, model="compass", dimension=DIMENSION)

    def note(self, section: NodeId, predicate: str, target: NodeId | None, *, written: str = "") -> None:
        """Add a relation note to a section."""
        with self.opened() as database, database.transaction():
            link = SectionLink(section, 0, "", LinkKind.LINK, written, "", predicate, 1, target)
            SectionLinkStore(database).add([link])

    def search(self, text: str = "anything", **options: Any) -> DocAnswer:  # noqa: ANN401 - each field has its type
        """Ask a question."""
        with self.project.open() as workspace:
            return workspace.kernel.one(DocSearch).run(DocQuery(text=text, **options))

    def scores(self, **options: Any) -> dict[str, float]:  # noqa: ANN401
        """Return the score of each section that answers, by title, best first, rounded."""
        answer = self.search(**{"limit": 50, **options})
        return {result.unit.title: round(result.score, 6) for result in answer.results}

    def opened(self) -> Database:
        """Open the database itself."""
        return Database.open(self.project.root / ".tx" / "graph.db")
