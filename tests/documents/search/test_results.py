"""Each section is a result once, says how it was found, and whether it still can be believed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.search.material import Library
from tests.shelf import Shelf, digest
from tx_graph.core.database import Database
from tx_graph.documents.search import DocTie, State
from tx_graph.graph.edges import Direction, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind

MANY = {name: f"what {name} says" for name in "abcdefgh"}


def star(library: Library) -> Library:
    """Make six sections that are like the question, best first, and two that only the last of these leads to."""
    nodes = library.document("docs/a.md", MANY)
    library.tie((nodes["f"], nodes["g"], Relation.DEPENDS_ON, 0.9), (nodes["f"], nodes["h"], Relation.REFERENCES, 0.4))
    library.place(**{name: 0.9 - place / 10 for place, name in enumerate("abcdef")})
    return library


def shown(library: Library, **options: Any) -> str:  # noqa: ANN401 - see DocQuery
    return "".join(result.unit.title for result in library.search(**options).results)


def test_places_are_kept_for_what_only_relations_lead_to(library: Library) -> None:
    star(library)
    assert shown(library, seeds=6, graph_slots=0) == "abcde"
    assert shown(library, seeds=6, graph_slots=1) == "abcdg"
    assert shown(library, seeds=6, graph_slots=2) == "abcgh"
    assert shown(library, seeds=6, graph_slots=5) == "abcgh"
    assert shown(library, seeds=6, graph_slots=1, hops=0) == "abcde"


def test_as_many_seeds_are_taken_as_results_are_asked_for(library: Library) -> None:
    library.document("docs/a.md", {f"s{n}": f"text {n}" for n in range(30)})
    library.place(**{f"s{n}": n / 100 for n in range(30)})
    assert library.search(limit=20, hops=0).stats.seeds == 20
    assert library.search(limit=5, hops=0).stats.seeds == 10
    assert len(library.search(limit=20, hops=0, seeds=3).results) == 3


def test_one_result_is_the_best_seed_unless_a_place_is_kept(library: Library) -> None:
    star(library)
    assert shown(library, limit=1) == "a"
    assert shown(library, limit=1, graph_slots=1) == "g"


def test_what_was_followed_says_from_where_and_why(library: Library) -> None:
    nodes = library.document("docs/a.md", MANY)
    library.tie((nodes["a"], nodes["b"], Relation.DEPENDS_ON, 0.8, "requires auth configuration"))
    library.place(a=0.9)
    seed, found = library.search(seeds=1).results
    assert (seed.hops, seed.ties) == (0, ())
    assert (found.hops, found.similarity) == (1, None)
    assert found.ties == (
        DocTie(
            other="docs/a.md#a",
            relation="depends_on",
            description="requires auth configuration",
            weight=0.8,
            forward=True,
            hops=1,
        ),
    )


def test_of_equal_edges_one_that_says_more_than_where_a_section_stands_is_told_first(library: Library) -> None:
    nodes = library.document("docs/a.md", MANY)
    library.tie(
        (nodes["a"], nodes["c"], Relation.SEQUENCE, 1.0),
        (nodes["b"], nodes["c"], Relation.REFERENCES, 1.0),
        (nodes["b"], nodes["c"], Relation.ELABORATES, 0.5),
    )
    library.place(a=0.9, b=0.8)
    ties = library.search(seeds=2).results[2].ties
    assert [(tie.other, tie.relation) for tie in ties] == [
        ("docs/a.md#b", "references"),
        ("docs/a.md#a", "sequence"),
        ("docs/a.md#b", "elaborates"),
    ]


def test_only_edges_that_were_followed_are_told(library: Library) -> None:
    nodes = library.document("docs/a.md", MANY)
    library.tie(
        (nodes["a"], nodes["b"], Relation.REFERENCES, 0.8),
        (nodes["b"], nodes["a"], Relation.CONTRADICTS, 0.9),
        (nodes["a"], nodes["b"], Relation.SEQUENCE, 0.9),
    )
    library.place(a=0.9)
    options: dict[str, Any] = {
        "seeds": 1,
        "direction": Direction.OUT,
        "relations": (Relation.REFERENCES, Relation.CONTRADICTS),
    }
    assert [tie.relation for tie in library.search(**options).results[1].ties] == ["references"]


def test_sections_that_name_one_file_reach_each_other_through_it(library: Library) -> None:
    nodes = library.document("docs/a.md", MANY)
    with Database.open(library.project.root / ".tx" / "graph.db") as database, database.transaction():
        file = NodeStore(database).ensure(NodeKind.FILE, ["src/auth.py"])["src/auth.py"]
    library.tie((nodes["a"], file, Relation.REFERENCES, 0.9), (nodes["b"], file, Relation.REFERENCES, 0.6))
    library.place(a=0.9)
    assert library.scores(seeds=1) == {"a": 0.93, "b": 0.09}
    (tie,) = library.search(seeds=1).results[1].ties
    assert (tie.other, tie.forward, tie.hops) == ("src/auth.py", False, 2)
    assert library.scores(seeds=1, direction=Direction.OUT) == {"a": 0.93}


def test_the_first_section_below_speaks_for_one_without_text(library: Library) -> None:
    nodes = library.document("docs/a.md", {"a": "one"})
    other = library.document("docs/b.md", {"intro": "two", "more": "three"})
    library.tie((nodes["a"], other[""], Relation.REFERENCES, 1.0))
    library.place(a=0.9)
    seed, found = library.search(seeds=1, hops=1).results
    assert (found.unit.ref, found.hops) == ("docs/b.md#intro", 1)
    assert found.score == pytest.approx(0.21)
    assert found.ties[0].other == seed.unit.ref


def test_a_section_without_any_text_below_it_is_no_result(library: Library) -> None:
    nodes = library.document("docs/a.md", {"a": "one", "b": ""})
    library.tie((nodes["a"], nodes["b"], Relation.SEQUENCE, 1.0))
    library.place(a=0.9)
    assert library.scores(seeds=1) == {"a": 0.93}


def test_several_chunks_of_a_section_count_once_by_the_best(library: Library) -> None:
    library.project.write("docs/a.md", "# A\n")
    nodes = library.document("docs/a.md", {"a": "one", "b": "two"})
    library.place(a=0.4, b=0.5)
    with Database.open(library.project.root / ".tx" / "graph.db") as database:
        Shelf(database).another_chunk(nodes["a"], "one more", position=1)
        library.embed_chunk(database, "one more", cosine=0.8)
    answer = library.search(hops=0)
    assert [(result.unit.title, round(result.similarity or 0, 6)) for result in answer.results] == [
        ("a", 0.8),
        ("b", 0.5),
    ]


def test_a_document_is_held_against_its_file(library: Library) -> None:
    library.document("docs/a.md", {"a": "one"})
    library.document("docs/b.md", {"b": "two"})
    library.document("docs/c.md", {"c": "three"})
    library.place(a=0.9, b=0.8, c=0.7)
    library.project.write("docs/b.md", "changed\n")
    (library.project.root / "docs/c.md").unlink()
    assert digest("") != digest("changed\n")
    states = {result.unit.document: result.state for result in library.search().results}
    assert states == {"docs/a.md": State.FRESH, "docs/b.md": State.CHANGED, "docs/c.md": State.GONE}


def test_what_another_document_supersedes_says_by_what(library: Library) -> None:
    old = library.document("docs/adr/003.md", {"decision": "use files"})
    new = library.document("docs/adr/007.md", {"context": "use sqlite"})
    library.note(new["context"], "supersedes", old[""])
    library.place(decision=0.9, context=0.8)
    found = {result.unit.document: result.superseded_by for result in library.search().results}
    assert found == {"docs/adr/003.md": "docs/adr/007.md#context", "docs/adr/007.md": None}


def test_a_note_under_status_speaks_for_its_whole_document(library: Library) -> None:
    old = library.document("docs/adr/003.md", {"Status": "superseded", "decision": "use files"})
    new = library.document("docs/adr/007.md", {"context": "use sqlite"})
    library.note(old["Status"], "superseded_by", new[""])
    library.place(decision=0.9)
    assert library.search().results[0].superseded_by == "docs/adr/007.md"


def test_a_note_elsewhere_speaks_for_its_own_section(library: Library) -> None:
    old = library.document("docs/a.md", {"setup": "superseded", "usage": "still true"})
    library.note(old["setup"], "superseded_by", None, written="the wiki")
    library.place(setup=0.9, usage=0.8)
    found = {result.unit.title: result.superseded_by for result in library.search().results}
    assert found == {"setup": "the wiki", "usage": None}


def test_what_is_worth_most_is_shown_beside_the_best_half(library: Library) -> None:
    """Nothing speaks for the last seeds, but the best one for a section that is nearly as like the question."""
    nodes = library.document("docs/a.md", MANY)
    library.tie((nodes["a"], nodes["g"], Relation.DEPENDS_ON, 0.9), (nodes["a"], nodes["h"], Relation.PART_OF, 1.0))
    library.place(a=0.9, b=0.8, c=0.7, d=0.6, e=0.5, f=0.49, g=0.48, h=0.1)
    assert shown(library, seeds=6) == "abcdg"
    assert shown(library, seeds=6, hops=0) == "abcde"
    assert shown(library, seeds=6, limit=3) == "abc"


def test_a_seed_for_which_a_better_one_speaks_is_shown_before_one_that_stands_alone(library: Library) -> None:
    nodes = library.document("docs/a.md", MANY)
    library.tie((nodes["f"], nodes["a"], Relation.REFERENCES, 1.0))
    library.place(a=0.9, b=0.8, c=0.7, d=0.6, e=0.5, f=0.49)
    assert shown(library, seeds=6) == "abcdf"
    assert shown(library, seeds=6, direction=Direction.OUT) == "abcde"
