"""Facts that documents state: they come, change and end with what stands there."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.documents.documents import Documents
from tx_graph.documents.ingesting import Ingesting
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import StoredFact
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts

FIRST = "docs/adr/0001-sqlite.md"
SECOND = "docs/adr/0002-postgres.md"
ACCEPTED = "# 1. Use SQLite\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n"
REPLACING = """# 2. Use PostgreSQL

* Status: accepted
* Deciders: Ada, Ben

## Links

* Supersedes: [ADR-1](0001-sqlite.md)
"""


class Records(Project):
    """Documents that are read, and what they state."""

    def read(self, **texts: str) -> None:
        for path, text in texts.items():
            self.write(path, text)
        self.git.git("add", "--all")
        with self.open() as workspace:
            workspace.kernel.one(Ingesting).run()

    def told(self, *, past: bool = False) -> set[str]:
        with self.open() as workspace:
            found = FactStore(workspace._database).listed(past=past, limit=1000)
        return {f"{one.subject_name}: {one.fact.predicate} {one.told}" for one in found}

    def live(self) -> list[StoredFact]:
        with self.open() as workspace:
            return list(FactStore(workspace._database).live())


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Records:
    return Records(tmp_path, monkeypatch)


def test_records_state_facts_about_themselves_and_each_other(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED, SECOND: REPLACING})
    assert records.told() == {
        "1. Use SQLite: date 2024-01-02",
        "1. Use SQLite: status Accepted",
        "2. Use PostgreSQL: status accepted",
        "2. Use PostgreSQL: deciders Ada",
        "2. Use PostgreSQL: deciders Ben",
        "2. Use PostgreSQL: supersedes 1. Use SQLite",
    }


def test_a_fact_says_where_it_stands_and_that_it_is_vouched_for(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    stored = next(one for one in records.live() if one.fact.predicate == "status")
    fact = stored.fact
    assert (fact.source_ref, fact.source, fact.status, fact.confidence) == (f"{FIRST}#status", "file", "confirmed", 1.0)
    assert stored.record is None


def test_records_go_by_title_number_and_path(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    with records.open() as workspace:
        named = {
            name: workspace.kernel.one(Entities).show(name).entity
            for name in ("ADR-1", "adr 0001", FIRST, "Use SQLite")
        }
    assert {entity.name for entity in named.values()} == {"1. Use SQLite"}
    assert {entity.type for entity in named.values()} == {"decision"}


def test_a_number_that_two_records_have_means_neither(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED, "old/adr/0001-files.md": "# 1. Use files\n\n## Status\n\nRejected\n"})
    with records.open() as workspace:
        assert EntityStore(workspace._database).named("ADR-1") is None
        assert EntityStore(workspace._database).named("old/adr/0001-files.md") is not None


def test_documents_of_one_title_are_told_apart_by_their_paths(records: Records) -> None:
    head = "---\nowner: {}\n---\n# Overview\n"
    records.read(**{"a/overview.md": head.format("Ada"), "b/overview.md": head.format("Ben")})
    assert records.told() == {"Overview (a/overview.md): owner Ada", "Overview (b/overview.md): owner Ben"}


def test_a_new_title_is_a_new_name_for_the_same_facts(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED, SECOND: REPLACING})
    before = {one.fact.uid: one.id for one in records.live()}
    records.read(**{FIRST: ACCEPTED.replace("Use SQLite", "Use one file")})
    assert {one.fact.uid: one.id for one in records.live()} == before
    assert "2. Use PostgreSQL: supersedes 1. Use one file" in records.told()


def test_another_value_supersedes_and_what_is_gone_is_retracted(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    records.clock.pass_by(timedelta(days=1))
    records.read(**{FIRST: "# 1. Use SQLite\n\n## Status\n\nRejected\n"})
    assert records.told() == {"1. Use SQLite: status Rejected"}
    with records.open() as workspace:
        found = {one.told: one.fact for one in FactStore(workspace._database).listed(past=True, limit=9)}
    assert (found["Accepted"].status, found["Accepted"].superseded_by) == ("superseded", found["Rejected"].uid)
    assert (found["2024-01-02"].status, found["2024-01-02"].superseded_by) == ("retracted", None)
    assert found["Accepted"].valid_until == found["Rejected"].created_at != found["Accepted"].created_at


def test_facts_end_with_their_document_and_come_back_with_it(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    (records.root / FIRST).unlink()
    records.read()
    assert records.told() == set()
    assert records.told(past=True) == {f"{FIRST}: status Accepted", f"{FIRST}: date 2024-01-02"}
    records.read(**{FIRST: ACCEPTED})
    assert records.told() == {"1. Use SQLite: status Accepted", "1. Use SQLite: date 2024-01-02"}


def test_facts_end_when_documents_are_pruned(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    (records.root / FIRST).unlink()
    with records.open() as workspace:
        workspace.kernel.one(Documents).prune()
    assert records.told() == set()


def test_what_is_read_again_keeps_when_it_was_first_read(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    records.clock.pass_by(timedelta(days=1))
    before = {one.fact.uid: one.fact.created_at for one in records.live()}
    with records.open() as workspace:
        workspace.kernel.one(Ingesting).run(force=True)
    assert {one.fact.uid: one.fact.created_at for one in records.live()} == before


def test_a_page_that_comes_later_is_what_its_name_meant(records: Records) -> None:
    records.read(**{"docs/a.md": "# Payments\n\n- uses:: [[Ledger]]\n"})
    assert records.told() == {"Payments: uses Ledger"}
    records.read(**{"docs/ledger.md": "# The ledger\n"})
    assert records.told() == {"Payments: uses The ledger"}


def test_a_number_finds_the_record_beside_it(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED, SECOND: "---\nstatus: accepted\namends: ADR-1\n---\n# 2. Use PostgreSQL\n"})
    assert "2. Use PostgreSQL: amends 1. Use SQLite" in records.told()


def test_links_lead_to_files_symbols_and_records_within_documents(records: Records) -> None:
    records.write("src/store.py", "class Store: ...\n")
    records.git.git("add", "--all")
    records.index()
    records.read(
        **{
            "docs/all.md": "# All\n\n## ADR-1: Use DuckDB\n\nStatus: Accepted\n\n## ADR-2: Use Kafka\n\nStatus: New\n",
            "docs/a.md": "# A\n\n- replaces:: [it](all.md#adr-2-use-kafka)\n- implemented_in:: `src/store.py`\n"
            "- next:: [all](all.md)\n",
        },
    )
    assert records.told() == {
        "ADR-1: Use DuckDB: status Accepted",
        "ADR-2: Use Kafka: status New",
        "A: replaces ADR-2: Use Kafka",
        "A: implemented_in src/store.py",
    }


def test_a_record_has_the_last_word_over_what_a_document_states(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    with records.open() as workspace:
        uid = next(one.fact.uid for one in FactStore(workspace._database).live() if one.fact.predicate == "status")
        workspace.kernel.one(Facts).retract(uid)
        workspace.kernel.one(Ingesting).run(force=True)
    assert records.told() == {"1. Use SQLite: date 2024-01-02"}


def test_what_somebody_says_of_a_document_is_said_of_the_same_entity(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED})
    with records.open() as workspace:
        workspace.kernel.one(Facts).add(subject="ADR-1", predicate="cost", value="little")
        found = workspace.kernel.one(Facts).list(limit=9)
    assert {one.stored.subject_name for one in found} == {"1. Use SQLite"}


def test_documents_say_how_many_facts_they_state(records: Records) -> None:
    records.read(**{FIRST: ACCEPTED, "README.md": "# Hello\n"})
    with records.open() as workspace:
        assert {one.document.path: one.facts for one in workspace.kernel.one(Documents).list()} == {
            FIRST: 2,
            "README.md": 0,
        }
        assert workspace.kernel.one(Documents).show(FIRST).facts == 2
