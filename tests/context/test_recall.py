"""Recall: from what a question names over facts to what is told of them, counted, and remembered for a minute."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import Workspace
from tests.context.house import anchors, furnish, furnished, lines, recall, says
from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.core.errors import UsageError
from tx_graph.core.sqlite import binding
from tx_graph.documents.ingesting import Ingesting
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.fact import FactSource, FactStatus
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts

WEEK = timedelta(weeks=1)


def test_two_blocks_are_told_and_what_is_staged_is_marked(project: Project) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, "What does the user do?")
        assert answer.narrative == (
            "### 👤 USER CONTEXT\n"
            "- prefers: dark mode\n"
            "- works_on: JACQ Project\n"
            "- prefers: TypeScript over JavaScript (staged)\n"
            "\n"
            "### 💡 CONTEXT: JACQ Project\n"
            "- uses: DuckDB\n"
            "- status: active development"
        )
        assert [(one.stored.fact.predicate, one.hops) for one in answer.facts][:2] == [("prefers", 1), ("works_on", 1)]
        assert (answer.found, answer.omitted) == (5, 0)


@pytest.mark.parametrize(("hops", "facts"), [(0, 0), (1, 3), (2, 5), (3, 6)])
def test_hops_say_how_far_facts_are_followed(project: Project, hops: int, facts: int) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, "user", hops=hops)
        assert len(answer.facts) == facts
        assert [anchor.entity.name for anchor in answer.anchors] == ["user"]
        assert bool(answer.narrative) == bool(facts)
        assert recall(workspace, "what is the meaning of life").narrative == ""


def test_all_are_ranked_before_they_are_cut_and_of_one_entity_the_most_confident(project: Project) -> None:
    with project.open() as workspace:
        for number in range(4):
            says(workspace, "Billing", f"said_{number}", "so", source=FactSource.CONVERSATION)
        says(workspace, "Billing", "knows", to="Ledger", source=FactSource.CONVERSATION)
        says(workspace, "Ledger", "is", "vouched for")
        for number in range(5):
            says(workspace, "Till", f"said_{number}", "so", confidence=0.5 + number / 10)
        answer = recall(workspace, "billing", max_facts=2)
        few = recall(workspace, "till", per_entity=2)
    assert [one.stored.fact.predicate for one in answer.facts] == ["is", "said_0"]
    assert answer.omitted == 4
    told = ["### 💡 CONTEXT: Billing", "- said_0: so", "", "### 💡 CONTEXT: Ledger", "- is: vouched for"]
    assert lines(answer) == told
    assert ([one.stored.fact.predicate for one in few.facts], few.found) == (["said_4", "said_3"], 5)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who uses DuckDB?", "- JACQ Project uses: DuckDB"),
        ("which services are owned by Ada", "- Billing owner: Ada"),
        ("what does DuckDB use", "- uses: Arrow"),
        ("what did Ada choose", "- Ledger chosen_by: Ada"),
        ("who is in active development?", "- JACQ Project status: active development"),
    ],
    ids=["an-entity", "a-value", "the-other-way-round", "whatever-names-it", "a-value-of-words"],
)
def test_what_points_to_what_is_asked_about_is_told_as_that(project: Project, question: str, first: str) -> None:
    with furnished(project).open() as workspace:
        says(workspace, "DuckDB", "uses", "Arrow")
        says(workspace, "Billing", "owner", "Ada")
        says(workspace, "Ledger", "chosen_by", to="Ada" if "choose" in question else "Bob")
        answer = recall(workspace, question)
        assert lines(answer)[1] == first
        heading = lines(answer)[0]
        assert heading.startswith("### 💡 POINTS TO: " if answer.facts[0].value is not None else "### 💡 CONTEXT: ")
        assert answer.answered


def test_the_question_ranks_before_the_score_and_what_is_cut_is_counted(project: Project) -> None:
    with project.open() as workspace:
        for number in range(25):
            says(workspace, "Billing", f"said_{number}", f"thing {number}")
        says(workspace, "Billing", "language", "Rust", confidence=0.5, source=FactSource.CONVERSATION)
        answer = recall(workspace, "which language is billing written in?")
        assert (answer.facts[0].stored.told, answer.found, answer.omitted) == ("Rust", 26, 16)
        assert recall(workspace, "billing").facts[0].stored.told == "thing 0"


@pytest.mark.parametrize(
    ("question", "answered", "facts"),
    [
        ("what is the license of DuckDB?", False, 1),
        ("what is DuckDB", True, 1),
        ("what is the type of DuckDB", True, 1),
        ("who uses Kafka?", False, 0),
        ("what is an embedded OLAP database", True, 1),
    ],
)
def test_it_says_whether_a_fact_says_what_is_asked(project: Project, question: str, answered: bool, facts: int) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, question)
        assert (answer.answered, len(answer.facts)) == (answered, facts)
        assert any("No fact says what is asked" in one for one in answer.notices) == (not answered and bool(facts))


def test_each_fact_says_the_path_that_led_to_it(project: Project) -> None:
    with furnished(project).open() as workspace:
        paths = {one.stored.fact.predicate: one.path for one in recall(workspace, "user", hops=3).facts}
        assert paths["prefers"] == ("user",)
        assert paths["uses"] == ("user", "works_on", "JACQ Project")
        assert paths["type"] == ("user", "works_on", "JACQ Project", "uses", "DuckDB")
        (inverse, *_) = recall(workspace, "who uses duckdb").facts
        assert (inverse.path, inverse.value) == (("DuckDB", "uses", "JACQ Project"), "DuckDB")


def test_spellings_and_processes_share_what_was_called_up(project: Project) -> None:
    with furnished(project).open() as workspace:
        before = recall(workspace, "What does DuckDB do?")
    with project.open() as workspace:
        again = recall(workspace, "what does  duckdb do")
        assert accesses(workspace, "type") == 1
        assert (again.narrative, again.facts[0].path) == (before.narrative, before.facts[0].path)
        project.clock.pass_by(timedelta(minutes=2))
        recall(workspace, "user")
        assert workspace._database.value("SELECT count(*) FROM recollections") == 1


def test_meaning_finds_a_fact_that_has_no_word_of_the_question(clever: Project) -> None:
    with furnished(clever).open() as workspace:
        assert workspace.embedding.lacking("facts") == 0
        says(workspace, "JACQ Project", "analytics", "daily")
        assert recall(workspace, "OLAP of the JACQ Project").facts[0].stored.told == "daily"


def test_a_record_that_was_edited_by_hand_is_found_by_what_it_says_now(project: Project) -> None:
    with project.open() as workspace:
        added = says(workspace, "Billing", "note", "old words")
    record = project.root / str(added.stored.path)
    record.write_text(record.read_text().replace("old words", "fresh ones"))
    with project.open() as workspace:
        assert recall(workspace, "fresh ones").facts
        assert not recall(workspace, "old words").facts


def test_facts_in_a_circle_are_told_once(project: Project) -> None:
    with project.open() as workspace:
        says(workspace, "hen", "comes_from", to="egg")
        says(workspace, "egg", "comes_from", to="hen")
        told = ["### 💡 CONTEXT: hen", "- comes_from: egg", "", "### 💡 CONTEXT: egg", "- comes_from: hen"]
        assert lines(recall(workspace, "hen", hops=10)) == told


def test_an_object_goes_by_its_name_of_today(project: Project) -> None:
    with furnished(project).open() as workspace:
        workspace.kernel.one(Entities).edit("Duck DB")
        workspace.kernel.one(Entities).merge("DuckDB", "Duck DB")
        assert "- uses: Duck DB" in lines(recall(workspace, "jacq project"))


def test_what_contradicts_is_marked_on_both_sides(project: Project) -> None:
    with project.open() as workspace:
        says(workspace, "Billing", "owner", "Ada")
        says(workspace, "Billing", "owner", "Bob", source=FactSource.CONVERSATION, status=FactStatus.STAGED)
        says(workspace, "Billing", "uses", "SQL")
        says(workspace, "Billing", "uses", "YAML")
        assert sorted(lines(recall(workspace, "billing"))) == [
            "### 💡 CONTEXT: Billing",
            "- owner: Ada (conflicting)",
            "- owner: Bob (staged, conflicting)",
            "- uses: SQL",
            "- uses: YAML",
        ]


def test_the_past_answers_as_it_was(project: Project) -> None:
    with project.open() as workspace:
        says(workspace, "Billing", "owner", "Ada")
        project.clock.pass_by(2 * WEEK)
        says(workspace, "Billing", "owner", "Bob")
        then = recall(workspace, "billing", moment="2026-11-21T23:59:59Z")
        assert lines(then) == ["### 💡 CONTEXT: Billing", "- owner: Ada (until 2026-12-04)"]
        assert lines(recall(workspace, "billing"))[1:] == ["- owner: Bob"]
        assert recall(workspace, "billing", moment="2026-01-01T00:00:00Z").narrative == ""


def accesses(workspace: Workspace, predicate: str) -> int:
    asked = "SELECT access_count FROM facts WHERE predicate = ? ORDER BY id"
    return int(workspace._database.value(asked, (predicate,)))


def test_what_is_told_counts_as_accessed_once_a_minute_for_each_question_unless_of_the_past(project: Project) -> None:
    with furnished(project).open() as workspace:
        recall(workspace, "duckdb", moment="2027-01-01T00:00:00Z")
        assert accesses(workspace, "type") == 0
        recall(workspace, "duckdb")
        project.clock.pass_by(timedelta(seconds=59))
        recall(workspace, "duckdb")
        assert (accesses(workspace, "type"), accesses(workspace, "status")) == (1, 0)
        project.clock.pass_by(timedelta(seconds=1))
        recall(workspace, "duckdb")
        assert accesses(workspace, "type") == 2
        recall(workspace, "duckdb", hops=1)
        assert accesses(workspace, "type") == 3


def test_within_a_budget_the_better_facts_are_told_and_counted_and_the_last_line_counts_the_others(
    project: Project,
) -> None:
    with furnished(project).open() as workspace:
        answer = recall(workspace, "user", budget=25)
        assert {one.stored.fact.predicate for one in answer.facts} == {"prefers"}
        assert accesses(workspace, "works_on") == 0
        assert lines(answer)[-1] == "… and 4 more facts; a bigger --budget shows more."
        assert len(answer.narrative) <= 25 * 4
        assert answer.omitted == 4
        assert recall(workspace, "user", budget=1000).omitted == 0
        with pytest.raises(UsageError, match="budget of 2 tokens is too small"):
            recall(workspace, "user", budget=2)


def test_being_told_confirms_nothing_and_settles_no_conflict(project: Project) -> None:
    with furnished(project).open() as workspace:
        says(workspace, "DuckDB", "owner", "Ada", status=FactStatus.STAGED)
        says(workspace, "DuckDB", "owner", "Bob", status=FactStatus.STAGED, source=FactSource.CONVERSATION)
        for _ in range(5):
            recall(workspace, "who is the owner of DuckDB")
            project.clock.pass_by(timedelta(minutes=2))
        done = workspace.kernel.one(Facts).maintain(apply=True)
        assert [one.stored.told for one in done.waiting if one.stored.fact.predicate == "owner"] == ["Ada", "Bob"]
        told = lines(recall(workspace, "who is the owner of DuckDB"))
        assert told[1:3] == ["- owner: Ada (staged, conflicting)", "- owner: Bob (staged, conflicting)"]


@pytest.mark.parametrize("by_another", [False, True])
def test_a_write_makes_what_was_remembered_old(project: Project, by_another: bool) -> None:
    with furnished(project).open() as workspace:
        recall(workspace, "duckdb")
        with project.open() as another:
            says(another if by_another else workspace, "DuckDB", "license", "MIT")
        assert "- license: MIT" in lines(recall(workspace, "duckdb"))


@pytest.mark.parametrize("change", ["retract", "confirm", "alias", "describe"])
def test_every_change_of_facts_and_entities_makes_another_version_and_recalling_none(
    project: Project, change: str
) -> None:
    with furnished(project).open() as workspace:
        version = FactStore(workspace._database).version()
        if change in ("retract", "confirm"):
            getattr(workspace.kernel.one(Facts), change)("2")
        elif change == "alias":
            workspace.kernel.one(Entities).alias("DuckDB", "duck")
        else:
            workspace.kernel.one(Entities).edit("DuckDB", description="A database")
        assert FactStore(workspace._database).version() > version
        version = FactStore(workspace._database).version()
        recall(workspace, "user")
        assert FactStore(workspace._database).version() == version


def test_a_database_that_cannot_be_written_now_or_at_all_answers_without_counting(project: Project) -> None:
    with furnished(project).open() as workspace:
        writer = binding().module.connect(workspace._database.path, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        assert recall(workspace, "duckdb").facts
        writer.execute("ROLLBACK")
        writer.close()
        assert accesses(workspace, "type") == 0
        assert workspace._database.value("PRAGMA busy_timeout") == 60_000
        workspace._database.freeze()
        assert recall(workspace, "user").facts
        assert accesses(workspace, "works_on") == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"text": " "}, "query is empty"),
        ({"text": "x", "anchors": 0}, "anchors must be from 1"),
        ({"text": "x", "budget": 0}, "at least 1 token"),
    ],
)
def test_questions_that_make_no_sense_are_refused(project: Project, asked: dict[str, Any], message: str) -> None:
    with project.open() as workspace, pytest.raises(UsageError, match=message):
        recall(workspace, **asked)


def test_a_fresh_clone_recalls_the_same(project: Project) -> None:
    with project.open() as workspace:
        furnish(workspace)
        before = recall(workspace, "user")
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
    with project.open() as workspace:
        assert sorted(lines(recall(workspace, "user"))) == sorted(lines(before))


GUIDE = "# Billing\n\nIt is owned by Ada.\n"


@pytest.fixture
def documented(project: Project) -> Project:
    project.write("docs/billing.md", GUIDE)
    project.write("src/billing.py", "x = 1\n")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run(["docs/billing.md"])
    return project


@pytest.mark.parametrize(
    ("change", "place", "mark"),
    [
        (None, "docs/billing.md#billing", ""),
        (GUIDE.replace("Ada", "Bob"), "docs/billing.md#billing", " (docs/billing.md#billing changed)"),
        ("", "docs/billing.md", " (docs/billing.md is gone)"),
        (None, "src/billing.py", ""),
        ("", "src/billing.py", " (src/billing.py is gone)"),
    ],
    ids=["as-it-was", "changed", "gone", "a-file-that-is-no-document", "such-a-file-that-is-gone"],
)
def test_a_fact_says_what_became_of_its_document_also_when_it_is_remembered(
    documented: Project, change: str | None, place: str, mark: str
) -> None:
    file = documented.root / place.partition("#")[0]
    with documented.open() as workspace:
        says(workspace, "Ledger", "owner", "Ada", source=FactSource.FILE, source_ref=place)
        assert lines(recall(workspace, "ledger"))[-1] == "- owner: Ada"
        if change:
            file.write_text(change)
        elif change == "":
            file.unlink()
        for question in ("ledger", "what of the ledger"):
            assert lines(recall(workspace, question))[-1] == f"- owner: Ada{mark}"


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
        assert done.problem == "3 entities have no vector yet: run 'tx sync'."
        assert workspace.embedding.embed_lacking("entities") == 3


@pytest.mark.parametrize("text", ['"', "( OR", "* NEAR -x", "a:b", "\ud800", "🦆" * 400])
def test_any_text_is_safe(project: Project, text: str) -> None:
    with furnished(project).open() as workspace:
        assert recall(workspace, text).facts == ()
