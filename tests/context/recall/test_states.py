"""A fact from a document says when the document has changed, is gone, or says so no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.context.house import lines, recall, says
from tests.support import Project
from tx_graph.documents.ingesting import Ingesting
from tx_graph.knowledge.fact import FactSource
from tx_graph.knowledge.facts import Facts

GUIDE = "# Billing\n\nIt is owned by Ada.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("docs/billing.md", GUIDE)
    project.write("src/billing.py", "x = 1\n")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run(["docs/billing.md"])
    return project


def told(project: Project, place: str) -> str:
    with project.open() as workspace:
        says(workspace, "Ledger", "owner", "Ada", source=FactSource.FILE, source_ref=place)
        return lines(recall(workspace, "ledger"))[-1]


@pytest.mark.parametrize(
    ("change", "place", "mark"),
    [
        (None, "docs/billing.md#billing", ""),
        (GUIDE.replace("Ada", "Bob"), "docs/billing.md#billing", " (docs/billing.md changed)"),
        ("", "docs/billing.md", " (docs/billing.md is gone)"),
        (None, "src/billing.py", ""),
        ("", "src/billing.py", " (src/billing.py is gone)"),
    ],
    ids=["as-it-was", "changed", "gone", "a-file-that-is-no-document", "such-a-file-that-is-gone"],
)
def test_a_fact_says_what_became_of_its_document(project: Project, change: str | None, place: str, mark: str) -> None:
    file = project.root / place.partition("#")[0]
    if change:
        file.write_text(change)
    elif change == "":
        file.unlink()
    assert told(project, place) == f"- owner: Ada{mark}"


def test_what_is_remembered_still_looks_at_the_disk(project: Project) -> None:
    with project.open() as workspace:
        says(workspace, "Ledger", "owner", "Ada", source=FactSource.FILE, source_ref="docs/billing.md")
        before = recall(workspace, "ledger")
        project.write("docs/billing.md", "# Nothing\n")
        after = recall(workspace, "ledger")
        assert "changed" not in before.narrative
        assert lines(after)[-1] == "- owner: Ada (docs/billing.md changed)"


def test_what_a_document_stated_once_and_a_record_keeps_is_told_as_that(project: Project) -> None:
    project.write("docs/billing.md", "---\nowner: Ada\n---\n# Billing\n\nText.\n")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run(["docs/billing.md"])
        (fact,) = recall(workspace, "billing").facts
        assert fact.marks == ()
        workspace.kernel.one(Facts).retract(fact.stored.ref)
        workspace.kernel.one(Facts).confirm(fact.stored.ref)
    project.write("docs/billing.md", "# Billing\n\nText.\n")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run(["docs/billing.md"])
        assert lines(recall(workspace, "docs/billing.md"))[-1].endswith("Ada (docs/billing.md says so no more)")
