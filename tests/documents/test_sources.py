"""Folders outside the repository are read as documents, and nothing else outside is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.test_ingesting import Docs, docs
from tx_graph.core.errors import OutsideRepository, TxError, UsageError
from tx_graph.core.trust import allow
from tx_graph.documents.documents import Documents

__all__ = ["docs"]
NOTES = "# Ideas\n\nAbout [depth](deep/b.md#depth), [out](../../README.md) and `src/auth.py`.\n"


@pytest.fixture
def notes(docs: Docs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of notes that the settings name, with links that lead out of it and around in it."""
    folder = tmp_path_factory.mktemp("notes")
    (folder / "deep").mkdir()
    (folder / "ideas.md").write_text(NOTES, encoding="utf-8")
    (folder / "deep/b.md").write_text("# B\n\n## Depth\n\nQuokkas sleep here.\n", encoding="utf-8")
    (folder / "deep/around").symlink_to("..")
    (folder / "secret.md").symlink_to("/etc/passwd")
    docs.read("README.md", "# Read me\n")
    docs.workspace.config.set("documents.sources", f"notes={folder}")
    return folder


def paths(docs: Docs) -> list[str]:
    return [one.document.path for one in docs.workspace.kernel.one(Documents).list()]


def test_a_folder_outside_is_read_under_its_name(docs: Docs, notes: Path) -> None:
    docs.ingest()
    assert paths(docs) == ["@notes/deep/b.md", "@notes/ideas.md", "README.md"]
    shown = docs.workspace.kernel.one(Documents).show("@notes/deep/b.md#depth")
    assert "Quokkas" in shown.text
    assert [one.other for one in shown.relations] == ["@notes/ideas.md#ideas"]
    assert docs.workspace.kernel.one(Documents).search("quokkas").results[0].unit.ref == "@notes/deep/b.md#depth"
    assert str(notes) not in str(docs.workspace.kernel.one(Documents).list())


def test_links_stay_in_the_folder(docs: Docs, notes: Path) -> None:
    (notes / "ideas.md").write_text("# I\n\n[a](../README.md) [b](/README.md) [c](/deep/b.md)\n", encoding="utf-8")
    assert [link.written for link in docs.ingest().broken] == ["../README.md", "/README.md"]


def test_what_changes_there_is_read_and_what_goes_leaves(docs: Docs, notes: Path) -> None:
    docs.ingest()
    (notes / "new.md").write_text("# New\n", encoding="utf-8")
    (notes / "ideas.md").unlink()
    report = docs.ingest()
    assert (report.read, report.removed) == (1, 1)
    notes.rename(notes.with_name("elsewhere"))
    assert docs.ingest().removed == 2
    assert "a folder that is not there: notes" in docs.workspace.kernel.caveat
    notes.with_name("elsewhere").rename(notes)
    assert docs.ingest().read == 2
    docs.workspace.config.set("documents.sources", "[]")
    assert docs.ingest().removed == 2
    assert paths(docs) == ["README.md"]


def test_a_clone_reads_nothing_there_until_its_user_allows_it(docs: Docs, notes: Path) -> None:
    docs.ingest()
    root = docs.project.root
    allow(root, revoke=True)
    docs.workspace.kernel.config.__dict__.pop("withheld", None)
    assert docs.ingest().removed == 2
    assert "'tx allow'" in docs.workspace.kernel.caveat


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("notes", "must be NAME=FOLDER"),
        ("my notes=/", "must be NAME=FOLDER"),
        ("a=..", "that the repository lies in"),
        ("a=src", "inside the repository"),
        ("a=README.md", "is no folder"),
        ("a=../not-there", "is not there"),
        ("a={notes},a={notes}", "two folders 'a'"),
        ("own={notes}", "@own of its own"),
    ],
)
def test_what_is_no_folder_of_documents_is_refused(docs: Docs, notes: Path, entry: str, said: str) -> None:
    docs.write("src/a.py", "")
    docs.write("@own/a.md", "# Own\n")
    with pytest.raises(UsageError, match=said):
        docs.workspace.config.set("documents.sources", entry.format(notes=notes))


def test_nothing_else_outside_is_reached(docs: Docs, notes: Path) -> None:
    docs.ingest()
    tree = docs.workspace.kernel.checkout.tree
    assert tree.read("@notes/ideas.md") is not None
    assert tree.read("@notes/secret.md") is None
    assert tree.read("@notes/deep/around/ideas.md") is not None  # it stays in the folder
    with pytest.raises(OutsideRepository):
        tree.candidates("@notes/../ideas.md")
    with pytest.raises(TxError, match="lies outside"):
        docs.workspace.learnings.add("Quokkas sleep", anchors=["@notes/ideas.md"])
