"""Filters say where a search starts; relations lead out of them."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.documents.search.material import Library
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.graph.edges import Relation


@pytest.fixture
def shelf(library: Library) -> Library:
    """An old decision that refers to a guide; both are like any question."""
    adr = library.document("docs/adr/001.md", {"decision": "one"})
    guide = library.document("docs/guide.md", {"setup": "two"})
    library.tie((adr["decision"], guide["setup"], Relation.REFERENCES, 1.0))
    library.place(decision=0.5, setup=0.9)
    return library


def found(library: Library, **options: Any) -> dict[str, int]:  # noqa: ANN401 - see DocQuery
    return {result.unit.document: result.hops for result in library.search(**options).results}


def test_seeds_come_from_the_documents_that_are_meant_and_relations_lead_on(shelf: Library) -> None:
    assert found(shelf) == {"docs/guide.md": 0, "docs/adr/001.md": 0}
    assert found(shelf, source=["docs/adr/**"]) == {"docs/adr/001.md": 0, "docs/guide.md": 1}
    assert found(shelf, source=["docs/adr/**"], hops=0) == {"docs/adr/001.md": 0}
    assert shelf.search(source=["docs/adr/**"]).stats.searched == 1


@pytest.mark.parametrize("source", ["docs/adr", "docs/adr/001.md", "./docs/adr/*.md", "/docs/adr/", "0*.md"])
def test_a_path_a_directory_and_a_glob_name_documents(shelf: Library, source: str) -> None:
    assert found(shelf, source=[source], hops=0) == {"docs/adr/001.md": 0}


def test_several_sources_add_up(shelf: Library) -> None:
    assert len(found(shelf, source=["docs/adr/**", "docs/guide.md"], hops=0)) == 2


def test_a_source_that_names_nothing_is_an_error_with_the_nearest(shelf: Library) -> None:
    with pytest.raises(NotFound) as caught:
        shelf.search(source=["docs/giude.md"])
    assert caught.value.candidates[0] == "docs/guide.md"


def test_each_of_several_sources_must_name_something(shelf: Library) -> None:
    with pytest.raises(NotFound, match="giude"):
        shelf.search(source=["docs/adr/**", "docs/giude.md"])


def test_since_looks_at_commits_and_at_what_is_not_committed(shelf: Library) -> None:
    git = shelf.project.git
    git.commit()
    git.commit("docs/guide.md")
    shelf.project.clock.moment = datetime(2024, 1, 10, tzinfo=UTC)
    assert found(shelf, since="2024-01-02", hops=0) == {"docs/guide.md": 0}
    assert found(shelf, since="3 weeks ago", hops=0) == {"docs/guide.md": 0, "docs/adr/001.md": 0}
    assert found(shelf, since="2024-01-05", hops=0) == {}


def test_a_changed_document_that_is_not_committed_counts_by_its_time(shelf: Library) -> None:
    shelf.project.git.commit()
    shelf.stamp("docs/guide.md", datetime(2026, 11, 1, tzinfo=UTC))
    shelf.stamp("docs/adr/001.md", datetime(2026, 11, 1, tzinfo=UTC))
    shelf.project.write("docs/guide.md", "changed\n")
    assert found(shelf, since="2026-10-01", hops=0) == {"docs/guide.md": 0}


def test_outside_git_the_time_of_the_file_counts(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.document("a.md", {"old": "one"})
    library.document("b.md", {"new": "two"})
    library.place(old=0.9, new=0.8)
    library.stamp("b.md", datetime(2026, 11, 1, tzinfo=UTC))
    shutil.rmtree(library.project.root / ".git")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(library.project.root.parent))
    assert found(library, since="1 month ago", hops=0) == {"b.md": 0}


def test_a_date_that_is_none_is_a_usage_error(shelf: Library) -> None:
    with pytest.raises(UsageError, match="as a date"):
        shelf.search(since="soonish")
