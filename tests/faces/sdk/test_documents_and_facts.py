"""Documents, facts and entities from Python."""

from __future__ import annotations

import json

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph import DocQuery, ExtractOptions, FactStatus, ModelError, NotFound, UsageError, Workspace


def test_documents_are_read_shown_and_searched(memory: Workspace, signing_in: GitSandbox) -> None:
    signing_in.commit("docs/notes.md")
    assert memory.documents.ingest("docs/", embed=False).report.read == 1
    assert [one.document.path for one in memory.documents.list("docs/*.md")] == ["docs/guide.md", "docs/notes.md"]
    assert memory.documents.show("docs/guide.md#signing-in").headings[-1] == "Signing in"
    for query in ("tokens verified", DocQuery(text="tokens verified")):
        assert memory.documents.search(query).results[0].unit.document == "docs/guide.md"
    (signing_in.root / "docs/notes.md").unlink()
    assert memory.documents.prune().documents == 1


def test_an_agent_can_relate_sections(memory: Workspace) -> None:
    (question,) = memory.documents.questions(ExtractOptions(documents=("docs/guide.md",)))
    assert "Tokens are verified" in question.prompt
    source, target = "docs/guide.md#signing-out", "docs/guide.md#signing-in"
    edge = {"source": source, "target": target, "relation": "depends_on", "weight": 0.9, "description": "One ends it"}
    done = memory.documents.apply([json.dumps({"batch": question.batch, "reply": {"edges": [edge]}})])
    assert (done.applied, done.edges) == (1, 1)
    assert "depends_on" in {one.relation for one in memory.graph.get_edges(source)}
    assert memory.documents.questions() == ()
    assert len(memory.documents.questions(every=True)) == 1


def test_without_vectors_sections_are_not_tied_by_likeness(memory: Workspace) -> None:
    with pytest.raises(ModelError, match="vector"):
        memory.documents.link_similar()


def test_facts_live_from_python(memory: Workspace) -> None:
    added = memory.facts.add("Billing service", "uses", "DuckDB")
    assert (added.existed, added.stored.fact.status) == (False, FactStatus.STAGED)
    confirmed = memory.facts.confirm(added.stored)
    assert confirmed.fact.status is FactStatus.CONFIRMED
    assert [one.stored.id for one in memory.facts.list("DuckDB")] == [confirmed.id]
    assert memory.facts.get(confirmed.id).told == "DuckDB"
    memory.facts.add("Billing service", "status", value="planned", status=FactStatus.CONFIRMED)
    memory.facts.add("Billing service", "status", value="live", confidence=0.5)
    (conflict,) = memory.facts.conflicts()
    assert conflict.predicate == "status"
    assert memory.facts.retract(conflict.facts[-1].stored).fact.status is FactStatus.RETRACTED
    assert memory.facts.conflicts() == ()
    assert len(memory.facts.history("Billing service")) == 3
    assert memory.facts.history(confirmed)[0].stored.id == confirmed.id
    assert memory.facts.maintain(dry_run=True).promoted == ()
    with pytest.raises(UsageError, match="either an object or a value"):
        memory.facts.add("Billing service", "uses")


def test_entities_have_names_types_and_merge(memory: Workspace) -> None:
    memory.facts.add("Billing", "uses", "DuckDB")
    memory.facts.add("Duck DB", "type", value="database")
    entity = memory.entities.edit("DuckDB", type="tool", description="Embedded database")
    assert memory.entities.alias(entity, "duck").aliases == ("duck",)
    assert memory.entities.unalias("DuckDB", "duck").aliases == ()
    merged = memory.entities.merge("Duck DB", entity)
    assert [fact.told for fact in memory.entities.show(merged).facts] == ["database"]
    assert "DuckDB" in {one.name for one in memory.entities.list(type="tool")}
    with pytest.raises(NotFound):
        memory.entities.show("SQLite")


def test_recall_tells_what_is_known(memory: Workspace) -> None:
    memory.facts.add("Billing", "uses", "DuckDB", status=FactStatus.CONFIRMED)
    answer = memory.recall("what does Billing use?", hops=1)
    assert [one.stored.told for one in answer.facts] == ["DuckDB"]
    assert "DuckDB" in answer.narrative
    assert memory.recall("Billing", as_of="2020-01-01").facts == ()
