"""Seeds are chosen by meaning, by words or by both, where filters let them, and a search does with what there is."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.documents.search.material import Library
from tests.fakes import WordEmbedder
from tests.shelf import Shelf
from tx_graph.core.errors import ModelError, NotFound, UsageError
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.graph.edges import Relation

TOPICS = {
    "sessions": "Sessions live in Redis for a day.",
    "tokens": "Tokens are signed; ERR_4711 says that one has expired.",
    "logs": "Logs go to standard output.",
}


class Broken(WordEmbedder):
    """A model whose file is damaged."""

    def __init__(self) -> None:
        super().__init__(model="compass", dimension=4)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        raise ModelError("The model is damaged.", hint="Run 'tx model install'.")


def titles(library: Library, text: str = "anything", **options: Any) -> list[str]:  # noqa: ANN401 - see DocQuery
    return [result.unit.title for result in library.search(text, **{"hops": 0, **options}).results]


@pytest.fixture
def topics(library: Library) -> Library:
    """Three sections, of which the vectors know two."""
    library.document("docs/a.md", TOPICS, title="Guide")
    return library


def test_meaning_alone_chooses_seeds_where_words_are_not_to_count(topics: Library) -> None:
    topics.place(sessions=0.9, logs=0.2)
    assert titles(topics, "ERR_4711", keyword_weight=0) == ["sessions", "logs"]
    answer = topics.search("ERR_4711", hops=0, keyword_weight=0)
    assert (answer.stats.model, answer.stats.lacking_vectors) == ("compass", 1)
    assert [result.keyword_score for result in answer.results] == [None, None]


def test_words_bring_seeds_in_which_keep_their_cosine(topics: Library) -> None:
    topics.place(sessions=0.9, tokens=0.3, logs=0.2)
    answer = topics.search("ERR_4711", hops=0, seeds=2, keyword_weight=0.5)
    assert [(one.unit.title, round(one.score, 6), round(one.similarity or 0, 6)) for one in answer.results] == [
        ("sessions", 0.86, 0.9),
        ("tokens", 0.755, 0.3),
    ]
    assert [(one.keyword_score, one.beside) for one in answer.results] == [(0.7, "docs/a.md#tokens"), (1.0, None)]


def test_words_alone_choose_seeds_at_a_weight_of_one(topics: Library) -> None:
    topics.place(sessions=0.9, tokens=0.3, logs=0.2)
    assert titles(topics, "ERR_4711", keyword_weight=1) == ["tokens", "sessions", "logs"]
    assert topics.search("ERR_4711", hops=0, keyword_weight=1).results[0].similarity == pytest.approx(0.3)


def test_words_count_their_share_for_what_has_no_vector(topics: Library) -> None:
    topics.place(sessions=0.5)
    answer = topics.search("ERR_4711 tokens", hops=0, keyword_weight=0.5)
    assert [(one.unit.title, round(one.score, 6), one.similarity) for one in answer.results] == [
        ("sessions", 0.72, pytest.approx(0.5)),
        ("tokens", 0.65, None),
        ("logs", 0.545, None),
    ]


def test_without_any_vector_words_find_and_that_is_said(topics: Library) -> None:
    answer = topics.search("where do logs go")
    told = [(one.unit.title, round(one.score, 6), one.similarity) for one in answer.results]
    assert told == [("logs", 1.0, None), ("tokens", 0.79, None), ("sessions", 0.643, None)]
    assert answer.stats.model is None
    assert answer.stats.notices == ("By words alone: there are no vectors of documents ('tx sync').",)


def test_without_a_model_the_way_to_one_is_said(topics: Library) -> None:
    topics.project.embedder = None
    (notice,) = topics.search("logs").stats.notices
    assert "'embedder' is none" in notice


def test_a_model_that_breaks_leaves_words(topics: Library) -> None:
    topics.place(sessions=0.9)
    topics.project.embedder = Broken()
    answer = topics.search("logs", hops=0)
    assert [one.unit.title for one in answer.results] == ["logs", "tokens", "sessions"]
    assert answer.stats.notices[0] == "The model is damaged. Run 'tx model install'."


def test_a_graph_that_cannot_be_read_leaves_the_seeds_and_says_so(topics: Library) -> None:
    nodes = topics.document("docs/b.md", {"more": "text"})
    topics.tie((nodes["more"], nodes[""], Relation.REFERENCES, 1.0))
    topics.place(sessions=0.9, logs=0.2)
    with topics.opened() as database, database.transaction():
        database.write("DROP TABLE section_edges")
    answer = topics.search()
    assert [one.unit.title for one in answer.results] == ["sessions", "logs"]
    assert any("relations cannot be followed" in notice and "missing" in notice for notice in answer.stats.notices)


def test_nothing_is_found_where_nothing_was_ingested(library: Library) -> None:
    answer = library.search()
    assert answer.results == ()
    assert answer.stats.notices == ("No documents are known yet: run 'tx sync'.",)


def test_titles_count_like_text(topics: Library) -> None:
    assert set(titles(topics, "guide")) == set(TOPICS)


@pytest.mark.parametrize("text", ['"', "AND OR NOT", "a:b*", "col:(", "é\udcff", "the of and", "()", "日本"])
def test_any_text_is_a_question(topics: Library, text: str) -> None:
    topics.search(text)
    topics.place(sessions=0.9)
    assert topics.search(text, keyword_weight=0.5).results


def test_many_chunks_of_one_section_do_not_crowd_out_others(library: Library) -> None:
    """More chunks are looked at until there are as many sections as were asked for."""
    nodes = library.document("docs/a.md", {"long": "start", **{f"s{n}": f"text {n}" for n in range(12)}})
    with library.opened() as database:
        for number in range(100):
            Shelf(database).another_chunk(nodes["long"], f"piece {number}.", position=1 + number)
            library.embed_chunk(database, f"piece {number}.", cosine=0.9)
    library.place(long=0.9, **{f"s{n}": n / 20 for n in range(12)})
    assert library.search(hops=0).stats.seeds == 10


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
