"""Documents as people write them are found, with what they refer to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.documents.ingesting import Ingesting
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch, State

OLD = """# ADR 3: Sessions in files

## Status

Superseded by [ADR 7](007.md)

## Decision

Sessions live in files.
"""
NEW = """---
supersedes: 003.md
---
# ADR 7: Sessions in Redis

## Decision

They move to a store of their own.
"""
GUIDE = """# Guide

## Cookies

See [why](adr/007.md#decision).

- depends_on:: [[guide#Keys]]

## Keys

Rotate them.
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path, monkeypatch, embedder=WordEmbedder(dimension=512))
    made.write("docs/adr/003.md", OLD)
    made.write("docs/adr/007.md", NEW)
    made.write("docs/guide.md", GUIDE)
    made.git.commit()
    with made.open() as workspace:
        workspace.kernel.one(Ingesting).run()
        workspace.embedding.embed_lacking("chunks")
    return made


def ask(project: Project, text: str, **options: Any) -> DocAnswer:  # noqa: ANN401 - whatever a query has
    with project.open() as workspace:
        return workspace.kernel.one(DocSearch).run(DocQuery(text=text, **options))


def test_links_and_typed_lines_lead_on_and_say_so(project: Project) -> None:
    answer = ask(project, "cookies", seeds=1, hops=1)
    assert answer.results[0].unit.ref == "docs/guide.md#cookies"
    told = {result.unit.ref: (result.ties[0].relation, result.ties[0].description) for result in answer.results[1:]}
    assert told["docs/adr/007.md#decision"] == ("references", "why")
    assert told["docs/guide.md#keys"] == ("depends_on", "depends on")


def test_a_superseded_decision_says_by_what(project: Project) -> None:
    found = {result.unit.ref: result.superseded_by for result in ask(project, "sessions live in files").results}
    assert found["docs/adr/003.md#decision"] == "docs/adr/007.md"
    assert found["docs/adr/007.md#decision"] is None


def test_a_document_that_changed_since_says_so(project: Project) -> None:
    assert {result.state for result in ask(project, "rotate keys").results} == {State.FRESH}
    project.write("docs/guide.md", f"{GUIDE}More.\n")
    states = {result.unit.document: result.state for result in ask(project, "rotate keys").results}
    assert states["docs/guide.md"] is State.CHANGED


def test_an_edit_embeds_what_changed_and_nothing_else(project: Project) -> None:
    project.write("docs/guide.md", GUIDE.replace("Rotate them.", "Rotate them monthly."))
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
        assert workspace.embedding.embed_lacking("chunks") == 1
    assert ask(project, "monthly", hops=0).results[0].unit.ref == "docs/guide.md#keys"


def test_a_removed_document_is_found_no_more(project: Project) -> None:
    (project.root / "docs/guide.md").unlink()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
    answer = ask(project, "cookies keys rotate")
    assert {result.unit.document for result in answer.results} <= {"docs/adr/003.md", "docs/adr/007.md"}
