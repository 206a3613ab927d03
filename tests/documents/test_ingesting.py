"""Documents are read into the graph, and only what changed is read again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.documents.support import LONG, dump
from tests.git_sandbox import GitSandbox
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.chunk_store import ChunkStore
from tx_graph.documents.document import SectionEdge
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.ingesting import Ingesting, IngestReport
from tx_graph.documents.links import Linking
from tx_graph.graph.edges import Relation
from tx_graph.workspace.composition import Workspace

GUIDE = "# Guide\n\nHow to begin.\n\n## Install\n\nCopy it.\n\n## Use\n\nSee [install](#install).\n"


def write(project: GitSandbox, path: str, text: str) -> None:
    file = project.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    project.git("add", "--all")


def ingest(workspace: Workspace, *paths: str) -> IngestReport:
    workspace.indexing.run()
    return workspace.kernel.one(Ingesting).run(paths)


def edges(root: Path) -> set[tuple[object, ...]]:
    return {(source, target, relation) for source, target, relation, *_ in dump(root)["edges"]}


def test_a_document_is_a_tree_in_the_order_of_its_source(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    report = ingest(workspace)
    assert (report.documents, report.sections, report.read) == (1, 3, 1)
    rows = [(row[0], row[2], row[3]) for row in dump(project.root)["sections"]]
    assert rows == [
        ("file:docs/guide.md", None, 0),
        ("section:docs/guide.md#guide", "file:docs/guide.md", 1),
        ("section:docs/guide.md#install", "section:docs/guide.md#guide", 2),
        ("section:docs/guide.md#use", "section:docs/guide.md#guide", 3),
    ]


def test_sections_are_part_of_their_parents_and_follow_each_other(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    ingest(workspace)
    found = edges(project.root)
    assert ("section:docs/guide.md#install", "section:docs/guide.md#guide", "part_of") in found
    assert ("section:docs/guide.md#install", "section:docs/guide.md#use", "sequence") in found
    assert ("section:docs/guide.md#use", "section:docs/guide.md#install", "references") in found
    assert ("section:docs/guide.md#use", "section:docs/guide.md#install", "sequence") not in found


def test_only_tracked_documents_are_read_unless_they_are_named(project: GitSandbox, workspace: Workspace) -> None:
    project.write("draft.md", text="# Draft\n")
    assert ingest(workspace).documents == 0
    assert ingest(workspace, "draft.md").documents == 1
    assert ingest(workspace).documents == 1  # it stays as long as its file does
    (project.root / "draft.md").unlink()
    assert ingest(workspace).removed == 1


def test_nothing_is_read_twice(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    ingest(workspace)
    before = dump(project.root)
    report = ingest(workspace)
    assert (report.read, report.linked) == (0, 0)
    os.utime(project.root / "docs/guide.md", (1, 1))
    assert ingest(workspace).read == 0
    assert workspace.kernel.one(Ingesting).run(force=True).read == 1
    assert dump(project.root) == before


def test_unchanged_sections_keep_their_nodes_chunks_and_what_was_said_of_them(
    project: GitSandbox, workspace: Workspace
) -> None:
    write(project, "docs/guide.md", GUIDE)
    ingest(workspace)
    database = workspace._database
    install, use = (workspace.references.node(f"docs/guide.md#{part}").id or 0 for part in ("install", "use"))
    chunk = ChunkStore(database).of_sections([install])
    with database.transaction():
        told = SectionEdge(source=install, target=use, relation=Relation.ELABORATES, weight=0.7, origin="agent")
        SectionEdgeStore(database).assert_edges([told])
    write(project, "docs/guide.md", "A preface.\n\n" + GUIDE.replace("# Guide", "# The Guide", 1))
    report = ingest(workspace)
    assert report.kept == 2
    assert workspace.references.node("docs/guide.md#install").id == install
    assert ("section:docs/guide.md#install", "section:docs/guide.md#use", "elaborates") in edges(project.root)
    assert ChunkStore(database).of_sections([install]) != chunk  # its heading, part of its vector, changed
    write(project, "docs/guide.md", GUIDE.replace("Copy it.", "Copy it twice."))
    ingest(workspace)
    assert workspace.references.node("docs/guide.md#install").id == install
    assert ("section:docs/guide.md#install", "section:docs/guide.md#use", "elaborates") not in edges(project.root)
    write(project, "docs/guide.md", GUIDE)
    ingest(workspace)  # it says again what was spoken of
    assert ("section:docs/guide.md#install", "section:docs/guide.md#use", "elaborates") in edges(project.root)


def test_what_was_said_goes_when_either_end_changes_and_comes_back_with_it(
    project: GitSandbox, workspace: Workspace
) -> None:
    write(project, "a.md", "# A\n\ntext\n")
    write(project, "b.md", "B says this.\n\n# B\n\ntext\n")
    ingest(workspace)
    database = workspace._database
    ends = {ref: workspace.references.node(ref).id or 0 for ref in ("a.md#a", "b.md#b", "b.md")}
    told = [
        SectionEdge(source=ends["a.md#a"], target=ends[ref], relation=Relation.CAUSED_BY, weight=0.7, origin="agent")
        for ref in ("b.md#b", "b.md")
    ]
    with database.transaction():
        SectionEdgeStore(database).assert_edges(told)
    said = {("section:a.md#a", "section:b.md#b", "caused_by"), ("section:a.md#a", "file:b.md", "caused_by")}
    write(project, "b.md", "B says that.\n\n# B\n\nother text\n")
    ingest(workspace)
    assert not said & edges(project.root)
    write(project, "b.md", "B says this.\n\n# B\n\ntext\n")
    ingest(workspace)
    assert said <= edges(project.root)
    project.git("rm", "-q", "-f", "b.md")
    ingest(workspace)
    assert not said & edges(project.root)


def test_what_vectors_said_gives_way_to_what_a_model_said(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "a.md", "# A\n\ntext\n\n# B\n\ntext\n")
    ingest(workspace)
    database = workspace._database
    one, other = (workspace.references.node(f"a.md#{part}").id or 0 for part in ("a", "b"))
    with database.transaction():
        for weight, origin in ((0.8, "model"), (0.9, "vectors")):
            told = SectionEdge(source=one, target=other, relation=Relation.SIMILAR_TO, weight=weight, origin=origin)
            SectionEdgeStore(database).assert_edges([told])
        SectionEdgeStore(database).retract("vectors")
        Linking(database).write_outdated()
    assert [(row[6], row[4]) for row in dump(project.root)["edges"] if row[2] == "similar_to"] == [("model", 0.8)]


def test_a_renamed_document_takes_its_sections_along(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    ingest(workspace)
    node = workspace.references.node("docs/guide.md#install").id
    chunks = ChunkStore(workspace._database).of_sections([node or 0])
    project.git("mv", "docs/guide.md", "docs/manual.md")
    ingest(workspace)
    assert workspace.references.node("docs/manual.md#install").id == node
    assert ChunkStore(workspace._database).of_sections([node or 0]) == chunks
    with pytest.raises(NotFound):
        workspace.references.node("docs/guide.md#install")


def test_a_removed_document_takes_its_edges_along(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    write(project, "docs/other.md", "# Other\n\n[Guide](guide.md#use)\n")
    ingest(workspace)
    project.git("rm", "-q", "-f", "docs/guide.md")
    report = ingest(workspace)
    assert report.removed == 1
    assert [link.problem for link in report.broken] == ["there is no guide.md"]
    assert not any("guide" in str(edge) for edge in edges(project.root))
    assert not any("guide" in str(row[0]) for row in dump(project.root)["chunks"])


def test_a_link_finds_its_section_when_that_appears(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "a.md", "# A\n\n[later](b.md#later)\n")
    assert ingest(workspace).broken
    write(project, "b.md", "# B\n")
    assert [link.problem for link in ingest(workspace).broken] == ["b.md has no section #later"]
    write(project, "b.md", "# B\n\n## Later\n")
    assert not ingest(workspace).broken
    assert ("section:a.md#a", "section:b.md#later", "references") in edges(project.root)


def test_a_link_stays_with_the_name_when_sections_swap_theirs(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "a.md", "# A\n\n[one](b.md#one)\n")
    write(project, "b.md", "# One\n\nfirst\n\n# Two\n\nsecond\n")
    ingest(workspace)
    write(project, "b.md", "# Two\n\nfirst\n\n# One\n\nsecond\n")
    ingest(workspace)
    assert ("section:a.md#a", "section:b.md#one", "references") in edges(project.root)
    write(project, "b.md", "# Two\n\nfirst, edited\n\n# One\n\nsecond\n")
    ingest(workspace)
    assert ("section:a.md#a", "section:b.md#one", "references") in edges(project.root)


def test_a_section_is_tied_to_the_code_that_it_names(project: GitSandbox, workspace: Workspace) -> None:
    write(
        project,
        "README.md",
        "# Auth\n\nCall `login()`.\n\n## Files\n\nEverything is in src/auth.py, not in `gone.py`.\n",
    )
    ingest(workspace)
    found = edges(project.root)
    assert ("section:README.md#auth", "symbol:src/auth.py::login", "references") in found
    assert ("section:README.md#auth", "file:src/auth.py", "references") in found  # where the symbol lives
    assert ("section:README.md#files", "file:src/auth.py", "references") in found
    write(project, "src/auth.py", "def logout(): ...\n")
    ingest(workspace)
    assert not any("login" in str(edge) for edge in edges(project.root))


def test_a_typed_line_gives_its_relation_and_keeps_its_word(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "adr/3.md", "# ADR 3\n")
    write(
        project, "adr/7.md", "---\nrelated: 3.md\n---\n# ADR 7\n\nSupersedes: [ADR 3](3.md)\n\n- depends_on:: [[3]]\n"
    )
    ingest(workspace)
    told = {row[:3]: row[5] for row in dump(project.root)["edges"] if row[6] == "link"}
    assert told["section:adr/7.md#adr-7", "file:adr/3.md", "depends_on"] == "depends on"
    assert told["section:adr/7.md#adr-7", "file:adr/3.md", "contradicts"] == "supersedes"
    assert any(source == "file:adr/7.md" for source, _, _ in told)


def test_a_long_section_is_cut_into_parts(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "long.md", f"# Top\n\n{LONG}\n## After\n\nend\n")
    ingest(workspace)
    rows = {row[0]: row for row in dump(project.root)["sections"]}
    assert rows["section:long.md#long"][12] == ""  # its parts have its text
    first, second = rows["section:long.md#long~1"], rows["section:long.md#long~2"]
    assert first[2] == second[2] == "section:long.md#long"
    lines = (project.root / "long.md").read_text().split("\n")
    assert lines[int(str(second[9])) - 1].startswith(str(second[12])[:20])
    found = edges(project.root)
    assert ("section:long.md#long~1", "section:long.md#long~2", "sequence") in found
    assert workspace.references.node("long.md#long~2").ref == "long.md#long~2"


@pytest.mark.parametrize(
    ("content", "reason"), [(b"text \0 more", "is binary"), (b"fine\n\xff\xfe", "is not UTF-8 (line 2)")]
)
def test_what_is_no_text_is_refused_by_name(
    project: GitSandbox, workspace: Workspace, content: bytes, reason: str
) -> None:
    write(project, "a.md", "# Fine before\n")
    ingest(workspace)
    (project.root / "a.md").write_bytes(content)
    report = ingest(workspace)
    assert report.refused == (("a.md", reason),)
    assert report.documents == 0
    assert ingest(workspace, "a.md").named == ("a.md",)
    write(project, "a.md", "# Fine again\n")
    assert ingest(workspace).refused == ()


def test_a_file_that_is_too_large_is_refused_unread(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "big.md", "")
    with (project.root / "big.md").open("r+b") as file:
        file.truncate(50_000_001)
    assert ingest(workspace).refused == (("big.md", "is larger than 50 MB"),)


def test_what_names_no_document_is_said(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "docs/guide.md", GUIDE)
    with pytest.raises(NotFound, match="names no document"):
        ingest(workspace, "docs/guidd.md")
    with pytest.raises(UsageError, match=r"src/auth\.py is not Markdown"):
        ingest(workspace, "src/auth.py")
    with pytest.raises(UsageError, match="outside"):
        ingest(workspace, "../x.md")


def test_globs_and_directories_name_documents(project: GitSandbox, workspace: Workspace) -> None:
    for path in ("docs/a.md", "docs/sub/b.md", "c.md"):
        write(project, path, "# T\n")
    assert ingest(workspace, "docs").documents == 2
    assert ingest(workspace, "*.md").documents == 3


def test_a_setting_keeps_documents_out(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "vendor/a.md", "# A\n")
    assert ingest(workspace).documents == 1
    workspace.config.set("documents.exclude", "vendor/")
    assert ingest(workspace).documents == 0


def test_another_way_of_cutting_reads_everything_again(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "long.md", LONG)
    ingest(workspace)
    parts = len(dump(project.root)["nodes"])
    workspace.config.set("documents.chunking", "recursive")
    assert ingest(workspace).read == 1
    assert len(dump(project.root)["nodes"]) > parts


def test_a_report_is_about_what_was_asked_for(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "a.md", "# A\n\n[gone](gone.md)\n")
    write(project, "docs/b.md", "# B\n")
    (project.root / "bad.md").write_bytes(b"\xff")
    project.git("add", "--all")
    assert len(ingest(workspace).refused) == len(ingest(workspace).broken) == 1
    report = ingest(workspace, "docs")
    assert (report.refused, report.broken) == ((), ())


def test_a_symbolic_link_is_not_followed(project: GitSandbox, workspace: Workspace) -> None:
    write(project, "a.md", "# A\n")
    (project.root / "b.md").symlink_to("a.md")
    assert ingest(workspace, "b.md").documents == 1  # what it leads to is the document
    (project.root / "c.md").mkdir()
    with pytest.raises(NotFound):
        ingest(workspace, "c.md")
