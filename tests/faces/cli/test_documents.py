"""doc:ingest, doc:list, doc:show and doc:prune as people and programs see them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

GUIDE = "# Guide\n\nSee [gone](gone.md).\n\n## Use\n\nCall `login()`.\n\n- depends_on:: [[README]]\n"


@pytest.fixture
def guide(home: Path) -> Path:
    """A tracked guide beside the README."""
    path = home / "docs" / "guide.md"
    path.parent.mkdir()
    path.write_text(GUIDE)
    subprocess.run(["git", "add", "--all"], cwd=home, check=True)
    return path


@pytest.mark.usefixtures("guide")
def test_ingest_says_what_it_read_and_which_links_lead_nowhere(tx: CommandLine) -> None:
    outcome = tx.ok("doc:ingest")
    assert outcome.out == "2 documents, 2 read; 3 sections, 2 chunks.\n"
    assert "docs/guide.md:3: there is no gone.md." in outcome.err
    assert tx.ok("doc:ingest").out == "2 documents, 0 read; 3 sections, 2 chunks.\n"


def test_ingest_says_when_a_document_is_gone(tx: CommandLine, guide: Path) -> None:
    tx.ok("doc:ingest")
    guide.unlink()
    assert tx.ok("doc:ingest").out == "1 document, 0 read, 1 gone; 1 section, 0 chunks.\n"


@pytest.mark.usefixtures("guide")
def test_ingest_as_json_names_every_broken_link(tx: CommandLine) -> None:
    document = tx.json("doc:ingest")
    assert document["broken_links"] == [
        {"path": "docs/guide.md", "line": 3, "target": "gone.md", "problem": "there is no gone.md"}
    ]
    assert (document["documents"], document["read"], document["embedded"]) == (2, 2, 0)


def test_a_document_asked_for_by_name_that_is_refused_is_a_finding(tx: CommandLine, guide: Path) -> None:
    guide.write_bytes(b"\xff\xfe\x00")
    outcome = tx("doc:ingest", "docs/guide.md")
    assert outcome.status == 1
    assert "'docs/guide.md' is binary." in outcome.err
    assert tx("doc:ingest").status == 0


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("src/auth.py", 2, "src/auth.py is not Markdown, reStructuredText or plain text by its name."),
        ("docs/guid.md", 3, "'docs/guid.md' names no document here."),
        ("../x.md", 2, "'../x.md' is outside the repository."),
    ],
)
@pytest.mark.usefixtures("guide")
def test_what_is_no_document_is_one_clear_sentence(tx: CommandLine, path: str, status: int, sentence: str) -> None:
    outcome = tx("doc:ingest", path)
    assert outcome.status == status
    assert sentence in outcome.err


@pytest.mark.usefixtures("guide")
def test_init_and_index_read_documents_too(tx: CommandLine) -> None:
    assert "2 documents, 2 read; 3 sections.\n" in tx.ok("init").out
    assert "2 documents, 0 read; 3 sections.\n" in tx.ok("index").out
    assert tx.json("index")["documents"]["broken_links"] == 1


@pytest.mark.usefixtures("guide")
def test_documents_are_listed_as_a_table_as_lines_and_as_json(tx: CommandLine) -> None:
    assert "No document was read yet" in tx.ok("doc:list").err
    tx.ok("index")
    assert "docs/guide.md" in tx.ok("doc:list").out
    lines = tx.ok("doc:list", "docs/**", "--tsv").out.splitlines()
    assert lines == ["path\tformat\ttitle\tsections\tbroken_links", "docs/guide.md\tmarkdown\tGuide\t2\t1"]
    assert [one["ref"] for one in tx.json("doc:list")["documents"]] == ["README.md", "docs/guide.md"]


@pytest.mark.usefixtures("guide")
def test_a_document_is_shown_as_its_outline_and_a_section_with_its_text(tx: CommandLine) -> None:
    tx.ok("index")
    assert tx.ok("doc:show", "docs/guide.md").out.splitlines()[-1] == "5-9    Use  #use"
    section = tx.ok("doc:show", "docs/guide.md#use").out
    assert "Call `login()`." in section
    assert "→ depends on README.md" in section
    assert "→ references src/auth.py::login" in section


def test_what_a_document_says_cannot_drive_the_terminal(tx: CommandLine, guide: Path) -> None:
    guide.write_text("# Guide \x1b[31m\n\nred \x1b[2J text\n")
    tx.ok("index")
    assert "\x1b" not in tx.ok("doc:show", "docs/guide.md#guide-31m").out
    assert "\x1b" not in tx.ok("doc:list").out


@pytest.mark.usefixtures("guide")
def test_pruning_says_how_much_it_removed(tx: CommandLine) -> None:
    tx.ok("index")
    assert tx.ok("doc:prune").out == "Removed 0 documents, 0 edges, 0 nodes and 0 vectors.\n"
    assert tx.json("doc:prune") == {"documents": 0, "edges": 0, "nodes": 0, "vectors": 0}
