"""Each section is a result once, says how it was found, and whether it still can be believed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.search.material import Library
from tests.shelf import Shelf, digest
from tx_graph.documents.document import SectionEdge, Unit
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.search import EXCERPT, DocTie, State, excerpt
from tx_graph.graph.edges import Direction, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind

STAR = dict(zip("abcdef", (0.9, 0.8, 0.7, 0.6, 0.5, 0.4), strict=True))
"""Six sections that are like the question, best first; only the last of these leads to two others."""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"seeds": 6, "graph_slots": 0}, "abcde"),
        ({"seeds": 6, "graph_slots": 1}, "abcdg"),
        ({"seeds": 6, "graph_slots": 2}, "abcgh"),
        ({"seeds": 6, "graph_slots": 5}, "abcgh"),
        ({"seeds": 6, "graph_slots": 1, "hops": 0}, "abcde"),
        ({"limit": 1}, "a"),
        ({"limit": 1, "graph_slots": 1}, "g"),
    ],
)
def test_places_are_kept_for_what_relations_lead_to(library: Library, options: dict[str, Any], expected: str) -> None:
    library.letters("f depends_on g 0.9,f references h 0.4", **STAR)
    assert library.shown(**options) == expected


def test_no_relation_displaces_a_seed_unless_places_are_kept(library: Library) -> None:
    library.letters("a depends_on g 0.9,a part_of h 1", **STAR | {"f": 0.49, "g": 0.48, "h": 0.1})
    assert library.shown(seeds=6) == library.shown(seeds=6, hops=0) == "abcde"


def test_as_many_seeds_are_taken_as_results_are_asked_for(library: Library) -> None:
    library.document("docs/a.md", {f"s{n}": f"text {n}" for n in range(30)})
    library.place(**{f"s{n}": n / 100 for n in range(30)})
    assert library.search(limit=20, hops=0).stats.seeds == 20
    assert library.search(limit=5, hops=0).stats.seeds == 10
    assert len(library.search(limit=20, hops=0, seeds=3).results) == 3


def test_what_was_followed_says_from_where_and_why(library: Library) -> None:
    library.letters("a depends_on b 0.8 requires auth configuration", a=0.9)
    seed, found = library.search(seeds=1).results
    assert (seed.hops, seed.ties) == (0, ())
    assert (found.hops, found.similarity) == (1, None)
    told = {"relation": "depends_on", "description": "requires auth configuration", "weight": 0.8}
    assert found.ties == (DocTie(other="docs/a.md#a", forward=True, hops=1, **told),)  # type: ignore[arg-type]


def test_what_somebody_described_is_told_first_and_where_a_section_stands_last(library: Library) -> None:
    nodes = library.letters("a sequence c 1,b references c 1,b elaborates c 0.5", a=0.9, b=0.8)
    said = SectionEdge(nodes["a"], nodes["c"], Relation.DEPENDS_ON, 0.4, "requires auth configuration", "a model")
    with library.opened() as database, database.transaction():
        SectionEdgeStore(database).assert_edges([said])
    ties = library.search(seeds=2).results[2].ties
    assert [f"{tie.other} {tie.relation} {tie.origin}" for tie in ties] == [
        "docs/a.md#a depends_on a model",
        "docs/a.md#b references structure",
        "docs/a.md#b elaborates structure",
        "docs/a.md#a sequence structure",
    ]


def test_only_edges_that_were_followed_are_told(library: Library) -> None:
    library.letters("a references b 0.8,b contradicts a 0.9,a sequence b 0.9", a=0.9)
    relations = (Relation.REFERENCES, Relation.CONTRADICTS)
    answer = library.search(seeds=1, direction=Direction.OUT, relations=relations)
    assert [tie.relation for tie in answer.results[1].ties] == ["references"]


def test_sections_that_name_one_file_reach_each_other_through_it(library: Library) -> None:
    nodes = library.letters(a=0.9)
    with library.opened() as database, database.transaction():
        file = NodeStore(database).ensure(NodeKind.FILE, ["src/auth.py"])["src/auth.py"]
    library.tie((nodes["a"], file, Relation.REFERENCES, 0.9), (nodes["b"], file, Relation.REFERENCES, 0.6))
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
    with library.opened() as database:
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


BODY = "Sessions live in Redis.\nThey end after a day."


def unit(text: str) -> Unit:
    named = {"ref": "a.md#setup", "document": "a.md", "title": "Setup", "headings": ("Setup",), "content_hash": ""}
    return Unit(node=1, text=text, line_start=10, line_end=10 + text.count("\n"), **named)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("heading", "line"), [("## Setup\n\n", 12), ("## Setup ##\n", 11), ("Setup\n=====\n\n", 13), ("", 10)]
)
def test_an_excerpt_has_no_heading_and_its_lines_are_those_of_the_file(heading: str, line: int) -> None:
    found = excerpt(unit(f"{heading}{BODY}"), "redis", None)
    assert (found.text, found.line_start, found.line_end) == (BODY, line, line + 1)
    assert found.is_whole


def test_a_heading_alone_is_shown() -> None:
    assert excerpt(unit("## Setup"), "setup", None).text == "## Setup"
    assert excerpt(unit("Setup is easy.\nReally."), "setup", None).text == "Setup is easy.\nReally."


def test_the_best_chunk_is_where_lines_are_looked_for() -> None:
    text = "\n".join(["## Setup", "", *["redis redis"] * 100, "", BODY])
    found = excerpt(unit(text), "redis", BODY)
    assert (found.text, found.line_start, found.is_whole) == (BODY, 10 + 103, False)


def test_a_chunk_that_is_no_longer_there_does_no_harm() -> None:
    assert excerpt(unit(BODY), "redis", "something else").text == BODY


def test_an_endless_line_is_cut() -> None:
    found = excerpt(unit("x" * 10_000), "x", None)
    assert (len(found.text), found.is_whole) == (EXCERPT, False)
