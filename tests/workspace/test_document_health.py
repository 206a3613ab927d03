"""How documents are: how many, how far behind the working tree, what was not read and which links lead nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.documents.ingesting import Ingesting
from tx_graph.workspace.doctor import Level, examine
from tx_graph.workspace.health import Status


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, monkeypatch)
    found.write("docs/a.md", "# A\n\n## Part\n\nWords.\n")
    found.write("docs/b.md", "# B\n\nMore words.\n")
    found.git.commit()
    found.index()
    return found


def read(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def status(project: Project) -> Status:
    with project.open() as workspace:
        return workspace.health.status()


def finding(project: Project, check: str) -> tuple[Level, str] | None:
    with project.open() as workspace:
        return next(((one.level, one.detail) for one in examine(workspace.kernel) if one.check == check), None)


def notice(project: Project) -> str:
    return next((one for one in status(project).notices if one.startswith("Documents")), "")


def test_documents_that_were_never_read_are_said_to_be_so(project: Project) -> None:
    assert notice(project) == "Documents were never read; run 'tx sync'."
    assert finding(project, "documents") == (Level.ADVICE, notice(project))


def test_a_workspace_without_documents_does_not_hear_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Project(tmp_path, monkeypatch)
    bare.git.commit("a.py")
    assert notice(bare) == ""
    assert finding(bare, "documents") is None


def test_documents_are_counted_with_their_sections_and_chunks(project: Project) -> None:
    read(project)
    found = status(project)
    assert found.graph.documents == {"documents": 2, "sections": 3, "chunks": 2}
    assert found.graph.analyses["documents"] is not None
    assert (notice(project), found.documents.is_behind) == ("", False)
    assert finding(project, "documents") == (Level.OK, "2 with 3 sections in 2 chunks")
    os.utime(project.root / "docs/a.md", ns=(1, 1))  # a document that was only touched has not changed
    assert notice(project) == ""


def test_what_reading_again_would_take_in_is_named(project: Project) -> None:
    read(project)
    project.write("docs/a.md", "# A\n\nOther words.\n")
    project.write("docs/c.md", "# C\n")
    project.git.git("add", "docs/c.md")
    (project.root / "docs/b.md").unlink()
    assert notice(project) == (
        "Documents are behind the working tree: 1 document changed, 1 new, 1 gone "
        "(docs/a.md, docs/c.md, docs/b.md); run 'tx sync'."
    )
    read(project)
    assert notice(project) == ""


def test_who_asks_about_a_document_or_its_sections_hears_that_it_has_changed(project: Project) -> None:
    read(project)

    def told(path: str) -> bool:
        with project.open() as workspace:
            return any(one.startswith(f"{path} has changed") for one in workspace.health.age(path=path).notices)

    assert not told("docs/a.md")
    project.write("docs/a.md", "# A\n\nOther words.\n")
    assert (told("docs/a.md"), told("docs/b.md"), told("src/none.py")) == (True, False, False)


def test_of_many_only_the_first_are_named(project: Project) -> None:
    read(project)
    for number in range(9):
        project.write(f"docs/new/{number}.md", "# New\n")
    project.git.commit()
    assert "(docs/new/0.md, docs/new/1.md, docs/new/2.md and 6 more)" in notice(project)


def test_files_that_are_no_text_and_links_that_lead_nowhere_are_advice(project: Project) -> None:
    (project.root / "docs/binary.md").write_bytes(b"\0\1\2")
    project.write("docs/b.md", "# B\n\nSee [that](gone.md) and [this](a.md#nowhere).\n")
    project.git.commit()
    read(project)
    sentence = "1 of the documents could not be read: docs/binary.md is binary"
    assert finding(project, "unread") == (Level.ADVICE, sentence)
    level, detail = finding(project, "doc links") or ("", "")
    assert (level, detail.startswith("2 in documents lead nowhere: docs/b.md:3: ")) == (Level.ADVICE, True)
    found = status(project).documents
    assert ([path for path, _ in found.unread], len(found.broken)) == (["docs/binary.md"], 2)


def test_chunks_without_a_vector_are_advice_where_there_is_a_model(project: Project) -> None:
    read(project)
    assert finding(project, "doc vectors") is None
    project.embedder = WordEmbedder()
    project.configure()
    assert (finding(project, "doc vectors") or ("", ""))[1].startswith("2 of 2 chunks have no vector of ")
    assert status(project).lacking_chunks == 2
    with project.open() as workspace:
        workspace.embedding.catch_up("chunks")
    assert finding(project, "doc vectors") is None
