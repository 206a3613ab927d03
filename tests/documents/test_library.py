"""Documents as they are shown, what speaks for sections, and what is removed because nothing holds it."""

from __future__ import annotations

import pytest

from scripts.opened import Workspace
from tests.documents.support import LONG
from tests.git_sandbox import GitSandbox
from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound
from tx_graph.documents.document import SectionEdge
from tx_graph.documents.documents import Documents
from tx_graph.documents.edge_store import SectionEdgeStore, SectionWalk
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.store import SectionRow, SectionStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind


@pytest.fixture
def read(project: GitSandbox, workspace: Workspace) -> Workspace:
    project.write("docs/a.md", text="# A\n\nSee [b](b.md), [gone](gone.md).\n\n## Deep\n\nrequires:: [[b]]\n\n# Z\n")
    project.write("docs/b.md", text=f"# B\n\n{LONG}")
    project.git("add", "--all")
    workspace.indexing.run()
    workspace.kernel.one(Ingesting).run()
    return workspace


def documents(workspace: Workspace) -> Documents:
    return workspace.kernel.one(Documents)


def test_documents_are_listed_with_what_is_wrong_with_them(read: Workspace) -> None:
    assert [(one.document.path, one.sections, one.broken) for one in documents(read).list()] == [
        ("docs/a.md", 3, 1),
        ("docs/b.md", 2, 0),
    ]
    assert [one.document.path for one in documents(read).list("b.md")] == ["docs/b.md"]


def test_a_document_is_shown_with_all_of_its_sections(read: Workspace) -> None:
    shown = documents(read).show("docs/a.md")
    assert [one.ref for one in shown.sections] == ["docs/a.md", "docs/a.md#a", "docs/a.md#deep", "docs/a.md#z"]


def test_a_section_is_shown_with_its_text_and_where_its_links_lead(read: Workspace) -> None:
    shown = documents(read).show("docs/a.md#deep")
    assert shown.text == "## Deep\n\nrequires:: [[b]]"
    assert shown.headings == ("A", "Deep")
    ((link, target),) = shown.sections[0].links
    assert (link.predicate, target) == ("requires", "docs/b.md")


def test_a_long_section_is_shown_whole(read: Workspace) -> None:
    text = documents(read).show("docs/b.md#long").text
    assert "Paragraph 0 " in text
    assert "Paragraph 19 " in text


@pytest.mark.parametrize("ref", ["src/auth.py", "docs/a.md#nothing", "docs/none.md"])
def test_what_is_no_document_is_said(read: Workspace, ref: str) -> None:
    with pytest.raises(NotFound):
        documents(read).show(ref)


def test_an_unknown_section_names_those_like_it(read: Workspace) -> None:
    with pytest.raises(NotFound) as error:
        read.references.node("docs/a.md#dep")
    assert error.value.candidates[0] == "docs/a.md#deep"


def test_what_nothing_holds_is_pruned_and_counted(project: GitSandbox, read: Workspace) -> None:
    deep, other = (read.references.node(f"docs/a.md#{part}").id or 0 for part in ("deep", "z"))
    database = read._database
    with database.transaction():
        told = SectionEdge(source=deep, target=other, relation=Relation.ELABORATES, weight=0.5, origin="agent")
        SectionEdgeStore(read._database).assert_edges([told])
        database.write("UPDATE extracted_edges SET source_hash = 'of what it said before'")
        database.write("INSERT INTO nodes (kind, key) VALUES ('section', 'docs/lost.md#part')")
    (project.root / "docs/b.md").unlink()
    done = documents(read).prune()
    assert (done.documents, done.nodes) == (1, 1)
    assert done.edges >= 1
    assert [one.document.path for one in documents(read).list()] == ["docs/a.md"]
    with pytest.raises(NotFound):
        read.references.node("docs/b.md#long")


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
