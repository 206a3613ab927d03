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
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts
from tx_graph.workspace.composition import Workspace

FIRST = "docs/adr/0001-sqlite.md"
SECOND = "docs/adr/0002-postgres.md"
ACCEPTED = "# 1. Use SQLite\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n"
REPLACING = """# 2. Use PostgreSQL

* Status: accepted
* Deciders: Ada, Ben

## Links

* Supersedes: [ADR-1](0001-sqlite.md)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def read(project: Project, **texts: str) -> None:
    """Write documents by path (`__` for `/`, `_md` for `.md`) and read them."""
    for path, text in texts.items():
        project.write(path, text)
    project.git.git("add", "--all")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def told(project: Project, *, past: bool = False) -> set[str]:
    with project.open() as workspace:
        return _told(workspace, past=past)


def _told(workspace: Workspace, *, past: bool = False) -> set[str]:
    found = FactStore(workspace._database).listed(past=past, limit=1000)
    return {f"{one.subject_name}: {one.fact.predicate} {one.told}" for one in found}


def test_records_state_facts_about_themselves_and_each_other(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED, SECOND: REPLACING})
    assert told(project) == {
        "1. Use SQLite: date 2024-01-02",
        "1. Use SQLite: status Accepted",
        "2. Use PostgreSQL: status accepted",
        "2. Use PostgreSQL: deciders Ada",
        "2. Use PostgreSQL: deciders Ben",
        "2. Use PostgreSQL: supersedes 1. Use SQLite",
    }


def test_a_fact_says_where_it_stands_and_that_it_is_vouched_for(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    with project.open() as workspace:
        stored = next(one for one in FactStore(workspace._database).live() if one.fact.predicate == "status")
    fact = stored.fact
    assert (fact.source_ref, fact.source, fact.status, fact.confidence) == (f"{FIRST}#status", "file", "confirmed", 1.0)
    assert stored.record is None


def test_records_go_by_title_number_and_path(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    with project.open() as workspace:
        named = {
            name: workspace.kernel.one(Entities).show(name).entity
            for name in ("ADR-1", "adr 0001", FIRST, "Use SQLite")
        }
    assert {entity.name for entity in named.values()} == {"1. Use SQLite"}
    assert {entity.type for entity in named.values()} == {"decision"}


def test_a_number_that_two_records_have_means_neither(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED, "old/adr/0001-files.md": "# 1. Use files\n\n## Status\n\nRejected\n"})
    with project.open() as workspace:
        assert EntityStore(workspace._database).named("ADR-1") is None
        assert EntityStore(workspace._database).named("old/adr/0001-files.md") is not None


def test_documents_of_one_title_are_told_apart_by_their_paths(project: Project) -> None:
    head = "---\nowner: {}\n---\n# Overview\n"
    read(project, **{"a/overview.md": head.format("Ada"), "b/overview.md": head.format("Ben")})
    assert told(project) == {"Overview (a/overview.md): owner Ada", "Overview (b/overview.md): owner Ben"}


def test_a_new_title_is_a_new_name_for_the_same_facts(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED, SECOND: REPLACING})
    with project.open() as workspace:
        before = {one.fact.uid: one.id for one in FactStore(workspace._database).live()}
    read(project, **{FIRST: ACCEPTED.replace("Use SQLite", "Use one file")})
    with project.open() as workspace:
        assert {one.fact.uid: one.id for one in FactStore(workspace._database).live()} == before
    assert "2. Use PostgreSQL: supersedes 1. Use one file" in told(project)


def test_another_value_supersedes_and_what_is_gone_is_retracted(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    project.clock.pass_by(timedelta(days=1))
    read(project, **{FIRST: "# 1. Use SQLite\n\n## Status\n\nRejected\n"})
    assert told(project) == {"1. Use SQLite: status Rejected"}
    with project.open() as workspace:
        found = {one.told: one.fact for one in FactStore(workspace._database).listed(past=True, limit=9)}
    assert (found["Accepted"].status, found["Accepted"].superseded_by) == ("superseded", found["Rejected"].uid)
    assert (found["2024-01-02"].status, found["2024-01-02"].superseded_by) == ("retracted", None)
    assert found["Accepted"].valid_until == found["Rejected"].created_at != found["Accepted"].created_at


def test_facts_end_with_their_document_and_come_back_with_it(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    (project.root / FIRST).unlink()
    read(project)
    assert told(project) == set()
    assert told(project, past=True) == {f"{FIRST}: status Accepted", f"{FIRST}: date 2024-01-02"}
    read(project, **{FIRST: ACCEPTED})
    assert told(project) == {"1. Use SQLite: status Accepted", "1. Use SQLite: date 2024-01-02"}


def test_facts_end_when_documents_are_pruned(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    (project.root / FIRST).unlink()
    with project.open() as workspace:
        workspace.kernel.one(Documents).prune()
    assert told(project) == set()


def test_what_is_read_again_keeps_when_it_was_first_read(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    project.clock.pass_by(timedelta(days=1))
    with project.open() as workspace:
        before = {one.fact.uid: one.fact.created_at for one in FactStore(workspace._database).live()}
        workspace.kernel.one(Ingesting).run(force=True)
        assert {one.fact.uid: one.fact.created_at for one in FactStore(workspace._database).live()} == before


def test_a_page_that_comes_later_is_what_its_name_meant(project: Project) -> None:
    read(project, **{"docs/a.md": "# Payments\n\n- uses:: [[Ledger]]\n"})
    assert told(project) == {"Payments: uses Ledger"}
    read(project, **{"docs/ledger.md": "# The ledger\n"})
    assert told(project) == {"Payments: uses The ledger"}


def test_a_number_finds_the_record_beside_it(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED, SECOND: "---\nstatus: accepted\namends: ADR-1\n---\n# 2. Use PostgreSQL\n"})
    assert "2. Use PostgreSQL: amends 1. Use SQLite" in told(project)


def test_links_lead_to_files_symbols_and_records_within_documents(project: Project) -> None:
    project.write("src/store.py", "class Store: ...\n")
    project.git.git("add", "--all")
    project.index()
    read(
        project,
        **{
            "docs/all.md": "# All\n\n## ADR-1: Use DuckDB\n\nStatus: Accepted\n\n## ADR-2: Use Kafka\n\nStatus: New\n",
            "docs/a.md": "# A\n\n- replaces:: [it](all.md#adr-2-use-kafka)\n- implemented_in:: `src/store.py`\n"
            "- next:: [all](all.md)\n",
        },
    )
    assert told(project) == {
        "ADR-1: Use DuckDB: status Accepted",
        "ADR-2: Use Kafka: status New",
        "A: replaces ADR-2: Use Kafka",
        "A: implemented_in src/store.py",
    }


def test_a_record_has_the_last_word_over_what_a_document_states(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    with project.open() as workspace:
        uid = next(one.fact.uid for one in FactStore(workspace._database).live() if one.fact.predicate == "status")
        workspace.kernel.one(Facts).retract(uid)
        workspace.kernel.one(Ingesting).run(force=True)
        assert _told(workspace) == {"1. Use SQLite: date 2024-01-02"}


def test_what_somebody_says_of_a_document_is_said_of_the_same_entity(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED})
    with project.open() as workspace:
        workspace.kernel.one(Facts).add(subject="ADR-1", predicate="cost", value="little")
        found = workspace.kernel.one(Facts).list(limit=9)
    assert {one.stored.subject_name for one in found} == {"1. Use SQLite"}


def test_documents_say_how_many_facts_they_state(project: Project) -> None:
    read(project, **{FIRST: ACCEPTED, "README.md": "# Hello\n"})
    with project.open() as workspace:
        assert {one.document.path: one.facts for one in workspace.kernel.one(Documents).list()} == {
            FIRST: 2,
            "README.md": 0,
        }
        assert workspace.kernel.one(Documents).show(FIRST).facts == 2
