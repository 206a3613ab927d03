"""Documents are read into the graph, and only what changed is read again."""

from __future__ import annotations

import os

import pytest

from scripts.opened import Workspace
from tests.documents.support import LONG, dump
from tests.git_sandbox import GitSandbox
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.chunk_store import ChunkStore
from tx_graph.documents.document import SectionEdge
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.ingesting import Ingesting, IngestReport
from tx_graph.documents.links import Linking
from tx_graph.graph.edges import Relation

GUIDE = "# Guide\n\nHow to begin.\n\n## Install\n\nCopy it.\n\n## Use\n\nSee [install](#install).\n"


class Docs:
    """A repository whose documents are written and read."""

    def __init__(self, project: GitSandbox, workspace: Workspace) -> None:
        self.project = project
        self.workspace = workspace

    def write(self, path: str, text: str) -> None:
        file = self.project.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        self.project.git("add", "--all")

    def read(self, path: str, text: str) -> IngestReport:
        """Write a document and read all that there are."""
        self.write(path, text)
        return self.ingest()

    def node(self, ref: str) -> int:
        return self.workspace.references.node(ref).id or 0

    def ingest(self, *paths: str) -> IngestReport:
        self.workspace.indexing.run()
        return self.workspace.kernel.one(Ingesting).run(paths)

    def edges(self) -> set[tuple[object, ...]]:
        return {(source, target, relation) for source, target, relation, *_ in dump(self.project.root)["edges"]}

    def say(self, *told: tuple[str, str, Relation, float, str]) -> None:
        """Have somebody say how sections are related: source, target, relation, weight and who said so."""
        with self.workspace._database.transaction():
            for source, target, relation, weight, origin in told:
                edge = SectionEdge(self.node(source), self.node(target), relation, weight, origin=origin)
                SectionEdgeStore(self.workspace._database).assert_edges([edge])


@pytest.fixture
def docs(project: GitSandbox, workspace: Workspace) -> Docs:
    return Docs(project, workspace)


def test_a_document_is_a_tree_in_the_order_of_its_source(docs: Docs) -> None:
    report = docs.read("docs/guide.md", GUIDE)
    assert (report.documents, report.sections, report.read) == (1, 3, 1)
    rows = [(row[0], row[2], row[3]) for row in dump(docs.project.root)["sections"]]
    assert rows == [
        ("file:docs/guide.md", None, 0),
        ("section:docs/guide.md#guide", "file:docs/guide.md", 1),
        ("section:docs/guide.md#install", "section:docs/guide.md#guide", 2),
        ("section:docs/guide.md#use", "section:docs/guide.md#guide", 3),
    ]


def test_sections_are_part_of_their_parents_and_follow_each_other(docs: Docs) -> None:
    docs.read("docs/guide.md", GUIDE)
    found = docs.edges()
    assert ("section:docs/guide.md#install", "section:docs/guide.md#guide", "part_of") in found
    assert ("section:docs/guide.md#install", "section:docs/guide.md#use", "sequence") in found
    assert ("section:docs/guide.md#use", "section:docs/guide.md#install", "references") in found
    assert ("section:docs/guide.md#use", "section:docs/guide.md#install", "sequence") not in found


def test_only_tracked_documents_are_read_unless_they_are_named(docs: Docs) -> None:
    docs.project.write("draft.md", text="# Draft\n")
    assert docs.ingest().documents == 0
    assert docs.ingest("draft.md").documents == 1
    assert docs.ingest().documents == 1  # it stays as long as its file does
    (docs.project.root / "draft.md").unlink()
    assert docs.ingest().removed == 1


def test_nothing_is_read_twice(docs: Docs) -> None:
    docs.read("docs/guide.md", GUIDE)
    before = dump(docs.project.root)
    report = docs.ingest()
    assert (report.read, report.linked) == (0, 0)
    os.utime(docs.project.root / "docs/guide.md", (1, 1))
    assert docs.ingest().read == 0
    assert docs.workspace.kernel.one(Ingesting).run(force=True).read == 1
    assert dump(docs.project.root) == before


def test_unchanged_sections_keep_their_nodes_chunks_and_what_was_said_of_them(docs: Docs) -> None:
    docs.read("docs/guide.md", GUIDE)
    database = docs.workspace._database
    install = docs.node("docs/guide.md#install")
    told = ("section:docs/guide.md#install", "section:docs/guide.md#use", "elaborates")
    chunk = ChunkStore(database).of_sections([install])
    docs.say(("docs/guide.md#install", "docs/guide.md#use", Relation.ELABORATES, 0.7, "agent"))
    report = docs.read("docs/guide.md", "A preface.\n\n" + GUIDE.replace("# Guide", "# The Guide", 1))
    assert report.kept == 2
    assert docs.node("docs/guide.md#install") == install
    assert told in docs.edges()
    assert ChunkStore(database).of_sections([install]) != chunk  # its heading, part of its vector, changed
    docs.read("docs/guide.md", GUIDE.replace("Copy it.", "Copy it twice."))
    assert docs.node("docs/guide.md#install") == install
    assert told not in docs.edges()
    docs.read("docs/guide.md", GUIDE)  # it says again what was spoken of
    assert told in docs.edges()


def test_what_was_said_goes_when_either_end_changes_and_comes_back_with_it(docs: Docs) -> None:
    docs.write("a.md", "# A\n\ntext\n")
    docs.read("b.md", "B says this.\n\n# B\n\ntext\n")
    docs.say(*(("a.md#a", ref, Relation.CAUSED_BY, 0.7, "agent") for ref in ("b.md#b", "b.md")))
    said = {("section:a.md#a", "section:b.md#b", "caused_by"), ("section:a.md#a", "file:b.md", "caused_by")}
    docs.read("b.md", "B says that.\n\n# B\n\nother text\n")
    assert not said & docs.edges()
    docs.read("b.md", "B says this.\n\n# B\n\ntext\n")
    assert said <= docs.edges()
    docs.project.git("rm", "-q", "-f", "b.md")
    docs.ingest()
    assert not said & docs.edges()


def test_what_vectors_said_gives_way_to_what_a_model_said(docs: Docs) -> None:
    docs.read("a.md", "# A\n\ntext\n\n# B\n\ntext\n")
    database = docs.workspace._database
    docs.say(*(("a.md#a", "a.md#b", Relation.SIMILAR_TO, *said) for said in ((0.8, "model"), (0.9, "vectors"))))
    with database.transaction():
        SectionEdgeStore(database).retract("vectors")
        Linking(database).write_outdated()
    assert [(row[6], row[4]) for row in dump(docs.project.root)["edges"] if row[2] == "similar_to"] == [("model", 0.8)]


def test_a_renamed_document_takes_its_sections_along(docs: Docs) -> None:
    docs.read("docs/guide.md", GUIDE)
    node = docs.node("docs/guide.md#install")
    chunks = ChunkStore(docs.workspace._database).of_sections([node])
    docs.project.git("mv", "docs/guide.md", "docs/manual.md")
    docs.ingest()
    assert docs.node("docs/manual.md#install") == node
    assert ChunkStore(docs.workspace._database).of_sections([node]) == chunks
    with pytest.raises(NotFound):
        docs.workspace.references.node("docs/guide.md#install")


def test_a_removed_document_takes_its_edges_along(docs: Docs) -> None:
    docs.write("docs/guide.md", GUIDE)
    docs.read("docs/other.md", "# Other\n\n[Guide](guide.md#use)\n")
    docs.project.git("rm", "-q", "-f", "docs/guide.md")
    report = docs.ingest()
    assert report.removed == 1
    assert [link.problem for link in report.broken] == ["there is no guide.md"]
    assert not any("guide" in str(edge) for edge in docs.edges())
    assert not any("guide" in str(row[0]) for row in dump(docs.project.root)["chunks"])


def test_a_link_finds_its_section_when_that_appears(docs: Docs) -> None:
    docs.write("a.md", "# A\n\n[later](b.md#later)\n")
    assert docs.ingest().broken
    docs.write("b.md", "# B\n")
    assert [link.problem for link in docs.ingest().broken] == ["b.md has no section #later"]
    docs.write("b.md", "# B\n\n## Later\n")
    assert not docs.ingest().broken
    assert ("section:a.md#a", "section:b.md#later", "references") in docs.edges()


def test_a_link_stays_with_the_name_when_sections_swap_theirs(docs: Docs) -> None:
    docs.write("a.md", "# A\n\n[one](b.md#one)\n")
    docs.read("b.md", "# One\n\nfirst\n\n# Two\n\nsecond\n")
    docs.read("b.md", "# Two\n\nfirst\n\n# One\n\nsecond\n")
    assert ("section:a.md#a", "section:b.md#one", "references") in docs.edges()
    docs.read("b.md", "# Two\n\nfirst, edited\n\n# One\n\nsecond\n")
    assert ("section:a.md#a", "section:b.md#one", "references") in docs.edges()


def test_a_section_is_tied_to_the_code_that_it_names(docs: Docs) -> None:
    docs.write(
        "README.md",
        "# Auth\n\nCall `login()`.\n\n## Files\n\nEverything is in src/auth.py, not in `gone.py`.\n",
    )
    docs.ingest()
    found = docs.edges()
    assert ("section:README.md#auth", "symbol:src/auth.py::login", "references") in found
    assert ("section:README.md#auth", "file:src/auth.py", "references") in found  # where the symbol lives
    assert ("section:README.md#files", "file:src/auth.py", "references") in found
    docs.read("src/auth.py", "def logout(): ...\n")
    assert not any("login" in str(edge) for edge in docs.edges())


def test_a_typed_line_gives_its_relation_and_keeps_its_word(docs: Docs) -> None:
    docs.write("adr/3.md", "# ADR 3\n")
    docs.read("adr/7.md", "---\nrelated: 3.md\n---\n# ADR 7\n\nSupersedes: [ADR 3](3.md)\n\n- depends_on:: [[3]]\n")
    told = {row[:3]: row[5] for row in dump(docs.project.root)["edges"] if row[6] == "link"}
    assert told["section:adr/7.md#adr-7", "file:adr/3.md", "depends_on"] == "depends on"
    assert told["section:adr/7.md#adr-7", "file:adr/3.md", "contradicts"] == "supersedes"
    assert any(source == "file:adr/7.md" for source, _, _ in told)


def test_a_long_section_is_cut_into_parts(docs: Docs) -> None:
    docs.read("long.md", f"# Top\n\n{LONG}\n## After\n\nend\n")
    rows = {row[0]: row for row in dump(docs.project.root)["sections"]}
    assert rows["section:long.md#long"][12] == ""  # its parts have its text
    first, second = rows["section:long.md#long~1"], rows["section:long.md#long~2"]
    assert first[2] == second[2] == "section:long.md#long"
    lines = (docs.project.root / "long.md").read_text().split("\n")
    assert lines[int(str(second[9])) - 1].startswith(str(second[12])[:20])
    found = docs.edges()
    assert ("section:long.md#long~1", "section:long.md#long~2", "sequence") in found
    assert docs.workspace.references.node("long.md#long~2").ref == "long.md#long~2"


@pytest.mark.parametrize(
    ("content", "reason"), [(b"text \0 more", "is binary"), (b"fine\n\xff\xfe", "is not UTF-8 (line 2)")]
)
def test_what_is_no_text_is_refused_by_name(docs: Docs, content: bytes, reason: str) -> None:
    docs.read("a.md", "# Fine before\n")
    (docs.project.root / "a.md").write_bytes(content)
    report = docs.ingest()
    assert report.refused == (("a.md", reason),)
    assert report.documents == 0
    assert docs.ingest("a.md").named == ("a.md",)
    docs.write("a.md", "# Fine again\n")
    assert docs.ingest().refused == ()


def test_a_file_that_is_too_large_is_refused_unread(docs: Docs) -> None:
    docs.write("big.md", "")
    with (docs.project.root / "big.md").open("r+b") as file:
        file.truncate(50_000_001)
    assert docs.ingest().refused == (("big.md", "is larger than 50 MB"),)


def test_what_names_no_document_is_said(docs: Docs) -> None:
    docs.write("docs/guide.md", GUIDE)
    with pytest.raises(NotFound, match="names no document"):
        docs.ingest("docs/guidd.md")
    with pytest.raises(UsageError, match=r"src/auth\.py is not Markdown"):
        docs.ingest("src/auth.py")
    with pytest.raises(UsageError, match="outside"):
        docs.ingest("../x.md")


def test_globs_and_directories_name_documents(docs: Docs) -> None:
    for path in ("docs/a.md", "docs/sub/b.md", "c.md"):
        docs.write(path, "# T\n")
    assert docs.ingest("docs").documents == 2
    assert docs.ingest("*.md").documents == 3


def test_a_setting_keeps_documents_out(docs: Docs) -> None:
    docs.write("vendor/a.md", "# A\n")
    assert docs.ingest().documents == 1
    docs.workspace.config.set("documents.exclude", "vendor/")
    assert docs.ingest().documents == 0


def test_another_way_of_cutting_reads_everything_again(docs: Docs) -> None:
    docs.read("long.md", LONG)
    parts = len(dump(docs.project.root)["nodes"])
    docs.workspace.config.set("documents.chunking", "recursive")
    assert docs.ingest().read == 1
    assert len(dump(docs.project.root)["nodes"]) > parts


def test_a_report_is_about_what_was_asked_for(docs: Docs) -> None:
    docs.write("a.md", "# A\n\n[gone](gone.md)\n")
    docs.write("docs/b.md", "# B\n")
    (docs.project.root / "bad.md").write_bytes(b"\xff")
    docs.project.git("add", "--all")
    assert len(docs.ingest().refused) == len(docs.ingest().broken) == 1
    report = docs.ingest("docs")
    assert (report.refused, report.broken) == ((), ())


def test_a_symbolic_link_is_not_followed(docs: Docs) -> None:
    docs.write("a.md", "# A\n")
    (docs.project.root / "b.md").symlink_to("a.md")
    assert docs.ingest("b.md").documents == 1  # what it leads to is the document
    (docs.project.root / "c.md").mkdir()
    with pytest.raises(NotFound):
        docs.ingest("c.md")
