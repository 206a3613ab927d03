"""Anchors of recall: names word for word, then meaning, then words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.context.house import anchors, furnished, recall, says
from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.knowledge.entities import Entities


@pytest.fixture
def clever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with an embedder that knows that a person who works here is the user."""
    embedder = WordEmbedder(synonyms={"developer": "user", "analytics": "olap"}, dimension=1009)
    return Project(tmp_path, monkeypatch, embedder=embedder)


def test_what_a_question_names_comes_first_in_its_order_by_any_of_its_names(project: Project) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, "why does the JACQ project use duckdb?")
        assert anchors(answer) == [("JACQ Project", "name"), ("DuckDB", "name")]
        assert [anchor.score for anchor in answer.anchors] == [1.0, 1.0]
        workspace.kernel.one(Entities).alias("DuckDB", "the duck")
        assert anchors(recall(workspace, "how fast is the duck")) == [("DuckDB", "alias")]


def test_of_more_names_than_asked_for_the_longer_ones_count(project: Project) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, "user, DuckDB and JACQ Project", anchors=2)
        assert anchors(answer) == [("DuckDB", "name"), ("JACQ Project", "name")]


def test_without_an_embedder_words_that_name_nothing_lead_to_entities(project: Project) -> None:
    with furnished(project).open() as workspace:
        workspace.kernel.one(Entities).edit("DuckDB", description="Column store for analytics")
        assert anchors(recall(workspace, "what do we do for analytics")) == [("DuckDB", "words")]
        assert anchors(recall(workspace, "projects")) == [("JACQ Project", "words")]
        says(workspace, "DuckDB extensions", "are", "many")
        assert anchors(recall(workspace, "duckdb")) == [("DuckDB", "name")]
        assert anchors(recall(workspace, "duckdb extension")) == [("DuckDB", "name"), ("DuckDB extensions", "words")]


def test_meaning_fills_what_names_leave_and_words_what_meaning_leaves(clever: Project) -> None:
    with furnished(clever).open() as workspace:
        assert workspace.embedding.lacking("entities") == 0
        assert anchors(recall(workspace, "what does a developer like?")) == [("user", "vector")]
        answer = recall(workspace, "duckdb and a developer in person")
        assert anchors(answer) == [("DuckDB", "name"), ("user", "vector")]
        assert 0 < answer.anchors[1].score < 1
        engine = "Column-store engine of the warehouse for the yearly report"
        says(workspace, engine, "is", "slow")
        assert anchors(recall(workspace, "engines")) == [(engine, "words")]
        workspace.kernel.one(Entities).merge("user", "DuckDB")
        assert anchors(recall(workspace, "developer")) == [("DuckDB", "vector")]
        assert workspace.embedding.status().lacking_entities == 0


def test_a_described_entity_is_found_by_its_description_and_a_changed_one_loses_its_vector(clever: Project) -> None:
    with furnished(clever).open() as workspace:
        assert anchors(recall(workspace, "analytics")) == []
        workspace.embedding.name = "none"
        workspace.kernel.one(Entities).edit("DuckDB", description="OLAP")
        workspace.kernel.one(Entities).alias("JACQ Project", "jacq")
        workspace.embedding.name = "words"
        assert workspace.embedding.lacking("entities") == 2
        assert workspace.embedding.catch_up("entities").embedded == 2
        assert anchors(recall(workspace, "analytics")) == [("DuckDB", "vector")]
        workspace.kernel.one(Entities).edit("user", description="Analytics")
        assert ("user", "vector") in anchors(recall(workspace, "analytics"))


def test_more_than_asked_for_are_left_for_another_time(clever: Project) -> None:
    with furnished(clever).open() as workspace:
        done = workspace.embedding.catch_up("entities", most=0)
        assert (done.embedded, done.problem) == (0, "")
        workspace.embedding.name = "other"
        clever.embedder.model = "other"  # type: ignore[union-attr]
        done = workspace.embedding.catch_up("entities", most=2)
        assert done.problem == "3 entities have no vector yet: run 'tx learning:embed' to embed them."
        assert workspace.embedding.embed_lacking("entities") == 3


@pytest.mark.parametrize("text", ['"', "( OR", "* NEAR -x", "a:b", "\ud800", "🦆" * 400])
def test_any_text_is_safe(project: Project, text: str) -> None:
    with furnished(project).open() as workspace:
        assert recall(workspace, text).facts == ()
