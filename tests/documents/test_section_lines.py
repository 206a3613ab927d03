"""A section without text is spoken for by the first one below it that has some."""

from __future__ import annotations

import pytest

from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.documents.edge_store import SectionWalk
from tx_graph.documents.store import SectionRow, SectionStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind


@pytest.fixture
def tree(database: Database) -> dict[str, NodeId]:
    """A document `D` with a bare heading `A` over `B`, a long section `C` in two parts, and an empty one `E`."""
    shelf = Shelf(database)
    nodes = shelf.document("a.md", {"A": "", "B": "text", "C": "", "E": ""})
    with database.transaction():
        parts = NodeStore(shelf.database).ensure(NodeKind.SECTION, ["a.md#C~1", "a.md#C~2"])
        rows = {row.title: row for row in SectionStore(shelf.database).of_documents([nodes[""]])[nodes[""]]}
        SectionStore(shelf.database).save(
            [_below(rows["B"], nodes["A"])]
            + [_part(rows["C"], node, number) for number, node in enumerate(parts.values(), start=1)]
        )
    return {**nodes, "C1": parts["a.md#C~1"], "C2": parts["a.md#C~2"]}


def _below(row: SectionRow, parent: NodeId) -> SectionRow:
    return row._replace(parent=parent)


def _part(row: SectionRow, node: NodeId, number: int) -> SectionRow:
    return row._replace(node=node, parent=row.node, part=number, position=10 + number, text=f"part {number}")


def test_the_first_with_text_speaks(database: Database, tree: dict[str, NodeId]) -> None:
    lines = SectionWalk(database)
    speakers = lines.speakers([*tree.values(), 10_000])
    names = {node: name for name, node in tree.items()}
    assert {names[node]: names[speaker] for node, speaker in speakers.items()} == {
        "": "B",
        "A": "B",
        "B": "B",
        "C": "C1",
        "C1": "C1",
        "C2": "C2",
    }
