"""Sections are offered behind a document, from what was read of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph.documents.ingesting import Ingesting
from tx_graph.faces.cli.completion.candidates import Answer, Candidate, Hint, complete
from tx_graph.workspace import open_workspace


@pytest.fixture
def guide(project: GitSandbox) -> Path:
    """The root of a workspace with a guide in `docs` that has two sections below its title."""
    project.write("docs/guide.md", text="# Guide\n\n## Setup\n\nInstall it.\n\n## Usage\n\nRun it.\n")
    project.commit()
    with open_workspace(project.root) as workspace:
        workspace.kernel.one(Ingesting).run()
    return project.root


def values(*words: str, cwd: Path) -> list[str]:
    return [one.value for one in complete(words, cwd=cwd).candidates]


@pytest.mark.parametrize("command", ["graph:show", "graph:neighbors", "doc:show"])
def test_the_sections_of_a_document_are_offered_with_their_titles(guide: Path, command: str) -> None:
    assert complete([command, "docs/guide.md#"], cwd=guide) == Answer(
        (
            Candidate("docs/guide.md#guide", "Guide"),
            Candidate("docs/guide.md#setup", "Setup"),
            Candidate("docs/guide.md#usage", "Usage"),
        ),
        (Hint.NAMES,),
    )
    assert values(command, "docs/guide.md#us", cwd=guide) == ["docs/guide.md#usage"]


def test_both_ends_of_a_path_may_be_sections(guide: Path) -> None:
    assert values("graph:path", "docs/guide.md#setup", "docs/guide.md#s", cwd=guide) == ["docs/guide.md#setup"]


def test_documents_are_seen_from_where_the_command_runs(guide: Path) -> None:
    assert values("doc:show", "guide.md#u", cwd=guide / "docs") == ["guide.md#usage"]
    assert values("-C", "docs", "doc:show", "guide.md#u", cwd=guide) == ["guide.md#usage"]
    assert values("doc:show", "../docs/guide.md#u", cwd=guide / "docs") == ["../docs/guide.md#usage"]


def test_before_the_document_is_named_files_are_offered(guide: Path) -> None:
    assert complete(["doc:show", ""], cwd=guide) == Answer(hints=(Hint.FILES,))


@pytest.mark.parametrize("word", ["docs/none.md#", "../elsewhere.md#", "#", "docs/guide.md#xerus", "docs/#"])
def test_what_is_no_document_that_was_read_offers_no_section(guide: Path, tmp_path: Path, word: str) -> None:
    assert values("doc:show", word, cwd=guide) == []
    assert values("doc:show", word, cwd=tmp_path) == []
