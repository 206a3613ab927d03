"""Questions and what answers them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts.opened import open_workspace
from tests.fakes import FixedClock, WordEmbedder
from tests.support import Project
from tx_graph.context.search import Query
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.graph.expand import Limits, Profile
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Link, Status
from tx_graph.workspace import prepare

HARD = [
    *"""C++ " ' foo-bar src/auth.ts NEAR( * auth* ^auth AND content:auth ((( - -- 🚀""".split(),
    *"naïve % _ \\ ٣ ß --help 1e400".split(),
    *("NEAR(a b, 2)", "a OR", "NOT x", "{content}: x", "认证 token", "a\0b", "caf\udce9", "\u0301", "\n\t x"),
    *("x" * 10_000, "word " * 2_000, "a." * 5_000, "src/" * 2_500, "/" * 10_000, "." * 10_000, "a-" * 5_000),
]


@pytest.mark.parametrize("query", HARD, ids=lambda query: ascii(query)[:20])
def test_no_query_fails(project: Project, query: str) -> None:
    project.embedder = WordEmbedder()
    project.write("src/auth.ts")
    project.index()
    project.add("Validate the auth token", "src/auth.ts")
    assert len(project.search(query, expand=True).results) <= 1


@settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(query=st.text(max_size=60).filter(str.strip))
def test_no_text_at_all_fails(project: Project, query: str) -> None:
    project.add("Validate the auth token")
    project.search(query, expand=True)


def test_what_asks_stands_below_what_answers(project: Project) -> None:
    project.add("Do tokens last long?")
    project.add("All tokens last long")
    assert project.contents("how long do tokens last") == ["All tokens last long", "Do tokens last long?"]


@pytest.mark.parametrize("query", ["auth.ts", "src/auth.ts"])
def test_the_ending_of_a_file_matches_nobody_by_itself(project: Project, query: str) -> None:
    project.write("src/auth.ts")
    project.write("src/jwt.ts")
    project.add("Tokens are short-lived", "src/jwt.ts")
    project.add("Sessions are long-lived", "src/auth.ts")
    project.add("Caching in cache.ts is off")
    assert project.contents(query) == ["Sessions are long-lived"]
    project.add("The auth policy is strict, auth is everywhere")
    project.add("Look at auth.ts before you touch sessions")
    assert project.contents("auth.ts")[0] == "Look at auth.ts before you touch sessions"


def test_a_match_by_an_ubiquitous_word_alone_does_not_enter_the_ranking(project: Project) -> None:
    project.add_all(f"Token number {number}" for number in range(20))
    project.add("Token rotation is weekly")
    assert project.contents("token rotation") == ["Token rotation is weekly"]
    assert len(project.search("token", Query(text="token", limit=50)).results) == 21


@pytest.mark.parametrize(
    "options",
    [
        *({"text": text} for text in ("", "  ", "\n")),
        *({"limit": limit} for limit in (0, -1)),
        *({"min_score": score} for score in (1.1, float("nan"))),
        *({"category": category} for category in ("\udce9", " ")),
    ],
)
def test_an_empty_query_and_options_out_of_range_are_usage_errors(project: Project, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        project.search("", Query(**{"text": "token"} | options))


def test_filters_apply_before_the_ranking_is_cut(project: Project) -> None:
    project.write("src/db.ts")
    project.add_all((f"Token token token {number}" for number in range(60)), category="noise")
    project.add("A token in a long text about many other things of which most hardly matter here", "src/db.ts")

    def found(**options: str) -> list[str]:
        query = Query(text="token", limit=5, **options)  # type: ignore[arg-type]
        return [result.stored.learning.category or "none" for result in project.search("", query).results]

    assert found() == ["noise"] * 5
    assert found(file="src/*.ts") == ["none"]
    assert found(file="src/**") == ["none"]
    assert found(file="db.ts") == ["none"]
    assert found(file="src/x/*.ts") == []
    assert found(category="noise", file="src/*.ts") == []


def test_the_file_filter_knows_globs_and_files_that_are_gone(project: Project) -> None:
    gone = project.write("src/gone.ts")
    project.write("src/here.ts")
    project.git.git("add", "--all")
    project.add("token one", "src/gone.ts")
    project.add("token two", "src/h*.ts")
    gone.unlink()
    for pattern, expected in (("src/gone.ts", "token one"), ("src/here.ts", "token two")):
        answer = project.search("", Query(text="token", file=pattern))
        assert [result.stored.learning.content for result in answer.results] == [expected]


def test_the_file_filter_takes_a_path_from_where_the_user_stands(project: Project) -> None:
    for path in ("sub/main/index.mjs", "main/index.mjs", "sub/[x].ts", "sub/x.ts"):
        project.write(path)
    project.git.git("add", "--all")
    project.add("token sub", "sub/main/index.mjs")
    project.add("token top", "main/index.mjs")
    project.add("token odd", "sub/[x].ts")
    project.add("token glob", "sub/*.ts")

    def found(pattern: str, *, below: str = "") -> set[str]:
        with project.open(below) as workspace:
            answer = workspace.search.run(Query(text="token", file=pattern))
        return {result.stored.learning.content.removeprefix("token ") for result in answer.results}

    assert found("main/index.mjs", below="sub") == {"sub"}
    assert found("./main/index.mjs", below="sub") == {"sub"}
    assert found("../main/index.mjs", below="sub") == {"top"}
    assert found(str(project.root / "main" / "index.mjs"), below="sub") == {"top"}
    assert found("./main/index.mjs") == found("main/index.mjs") == found("./main/*.mjs") == {"top"}
    assert found("[x].ts", below="sub") == {"odd", "glob"}
    assert found("sub/x.ts") == {"glob"}
    assert found("main", below="sub") == {"sub"}
    assert found("/main/*.mjs", below="sub") == {"top"}
    assert found(".") == {"sub", "top", "odd", "glob"}
    assert found("../../elsewhere") == found("nothing/*.mjs") == set()
    (project.root / "sub" / "main" / "index.mjs").unlink()
    assert found("./main/index.mjs", below="sub/main/..") == {"top"}
    (project.root / "main" / "index.mjs").unlink()
    assert found("./main/index.mjs", below="sub") == {"sub"}


@pytest.mark.parametrize("fate", ["removed", "superseded", "retracted", "absent"])
def test_a_withheld_learning_is_no_stepping_stone(project: Project, fate: str) -> None:
    project.add("zebra")
    stone = project.add("yak", links=[Link(target="1")])
    project.add("xerus", links=[Link(target="2")])
    assert project.contents("xerus", expand=True) == ["xerus", "yak", "zebra"]
    with project.open() as workspace:
        if fate == "removed":
            workspace.learnings.remove("2")
        elif fate != "absent":
            workspace.learnings.edit("2", status=Status(fate))
    if fate == "absent":
        (project.root / ".tx" / "learnings" / stone.record).unlink()
    assert project.contents("xerus", expand=True) == ["xerus"]


def test_learnings_reach_each_other_through_the_file_they_share(project: Project) -> None:
    project.write("src/auth.ts")
    project.add("xerus", "src/auth.ts")
    project.add("zebra", "src/auth.ts:L1-L1")
    first, second = project.search("xerus", expand=True).results
    assert (first.hops, second.path) == (0, ("src/auth.ts", "learning:2"))
    assert second.seed_reason == "where learning:1 is anchored"
    assert second.relevance == pytest.approx(0.7)
    assert (second.bm25, second.rrf) == (0, 0)


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("auth.ts", "src/auth.ts"),
        ("./src/auth.ts", "src/auth.ts"),
        ("why does `src/auth.ts:12` fail?", "src/auth.ts"),
        ("Look at auth.ts.", "src/auth.ts"),
        ("(src/auth.ts)", "src/auth.ts"),
        (".github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("is .eslintrc.js right", ".eslintrc.js"),
        ("scripts/release", "scripts/release"),
    ],
)
def test_a_question_may_name_a_file(project: Project, question: str, file: str) -> None:
    for path in ("src/auth.ts", ".github/workflows/ci.yml", ".eslintrc.js", "scripts/release"):
        project.write(path)
    project.git.git("add", "--all")
    project.index()
    project.add("Zebra", "**")
    [result] = project.search(question, expand=True).results
    assert (result.path, result.seed_reason) == ((file, "learning:1"), "named by the query")


def test_a_better_path_replaces_a_weak_direct_match(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.write("src/a.ts")
    project.add("xerus okapi", "src/a.ts")
    project.embedder = None
    project.add_all(f"okapi {number} xerus" for number in range(30))
    project.add("okapi in a very long text that says little about it, and much about other beasts", "src/a.ts")
    project.embedder = WordEmbedder()
    answer = project.search("", Query(text="xerus okapi", limit=50, expansion=Limits(), profile=Profile.DECAY))
    [weak] = [result for result in answer.results if result.stored.id == 32]
    assert 0 < weak.rrf < weak.relevance
    assert weak.path == ("src/a.ts", "learning:32")
    assert weak.source_edge == EdgeType.ANCHORED_TO


def test_a_question_that_only_names_a_file_is_answered_by_the_graph_not_by_the_sound_of_its_name(
    project: Project,
) -> None:
    project.embedder = WordEmbedder(synonyms={"gc": "garbage"})
    project.write("src/commands/gc.ts", 'import "../store";\n')
    project.write("src/store.ts")
    project.index()
    project.add("Commands print garbage on failure")
    project.add("Clones are shared", "src/store.ts")
    [first, *others] = project.search(
        "", Query(text="commands/gc.ts", expansion=Limits(), profile=Profile.DECAY)
    ).results
    assert first.path == ("src/commands/gc.ts", "src/store.ts", "learning:2")
    assert [other for other in others if other.vector or other.bm25] == []
    asked = project.search("", Query(text="why does commands/gc.ts print garbage", expansion=Limits()))
    assert {result.stored.id for result in asked.results} == {1, 2}


def test_files_on_the_way_do_not_crowd_out_learnings(project: Project) -> None:
    project.write("src/hub.ts", "".join(f'import "./a{number:03}";\n' for number in range(150)))
    for number in range(150):
        project.write(f"src/a{number:03}.ts")
    project.index()
    project.add("zebra", "src/a149.ts")
    [found] = project.search("", Query(text="hub.ts", expansion=Limits(max_nodes=1), profile=Profile.DECAY)).results
    assert found.path == ("src/hub.ts", "src/a149.ts", "learning:1")


def test_max_nodes_limits_the_learnings_that_only_the_graph_finds(project: Project) -> None:
    project.write("src/a.ts")
    project.add("okapi", "src/a.ts")
    for name in ("zebra", "xerus", "gnu"):
        project.add(name, "src/a.ts")
    for most, expected in ((1, 2), (2, 3), (100, 4)):
        answer = project.search("", Query(text="okapi", expansion=Limits(max_nodes=most)))
        assert (len(answer.results), answer.stats.expanded) == (expected, expected - 1)


def test_walks_follow_only_the_types_and_the_direction_asked_for(project: Project) -> None:
    project.write("src/a.ts")
    project.add("zebra", "src/a.ts")
    project.add("xerus", "src/a.ts", links=[Link(target="1", weight=0.5)])

    def found(text: str, **options: object) -> list[tuple[str, str | None]]:
        query = Query(text=text, expansion=Limits(), **options)  # type: ignore[arg-type]
        return [(r.stored.learning.content, r.source_edge) for r in project.search("", query).results]

    links = [EdgeType.LINKS_TO]
    assert found("xerus", types=links, direction=Direction.OUT) == [("xerus", None), ("zebra", "LINKS_TO")]
    assert found("zebra", types=links, direction=Direction.OUT) == [("zebra", None)]
    assert found("zebra", types=links, direction=Direction.IN) == [("zebra", None), ("xerus", "LINKS_TO")]
    assert found("zebra", types=[EdgeType.IMPORTS]) == [("zebra", None)]


def test_min_score_cuts_and_limit_counts_what_it_cut(project: Project) -> None:
    project.add("xerus")
    project.add("zebra", links=[Link(target="1", weight=0.5)])
    asked = Query(text="xerus", expansion=Limits(), min_score=0.4)
    assert [r.stored.id for r in project.search("", asked).results] == [1]
    answer = project.search("", Query(text="xerus", expansion=Limits(), limit=1))
    assert (len(answer.results), answer.stats.matched) == (1, 2)


def test_feedback_raises_and_lowers_a_little_and_buries_nothing(project: Project) -> None:
    project.add("xerus one")
    project.add("xerus two")
    project.add("zebra", links=[Link(target="1"), Link(target="2")])
    before = {r.stored.id: r.relevance for r in project.search("xerus", expand=True).results}
    with project.open() as workspace:
        for _ in range(20):
            workspace.learnings.helpful("1", score=0.0)
            workspace.learnings.helpful("3", score=1.0)
    after = {r.stored.id: r.relevance for r in project.search("xerus", expand=True).results}
    assert 0.9 * before[1] <= after[1] < before[1]
    assert before[3] < after[3] <= 1.1 * before[3]
    assert after[1] > after[3]


def test_results_come_in_the_same_order_every_time(project: Project) -> None:
    project.write("src/a.ts")
    for number in range(4):
        project.add(f"xerus {number}", "src/a.ts")
    project.add_all(f"xerus {letter}" for letter in "abcdefgh")
    orders = [[r.stored.id for r in project.search("xerus", expand=True).results] for _ in range(3)]
    assert orders[0] == orders[1] == orders[2]


def test_vectors_and_words_are_fused_and_each_says_its_part(project: Project) -> None:
    project.embedder = WordEmbedder(synonyms={"automobile": "car"})
    project.add("Buy an automobile")
    project.add("The car")
    project.add("Unrelated words here")
    answer = project.search("car")
    assert [result.stored.id for result in answer.results] == [2, 1]
    both, alone = answer.results
    assert both.bm25 == 1.0
    assert both.rrf == pytest.approx(1.0)
    assert both.vector > 0.5
    assert alone.bm25 == 0.0
    assert alone.rrf == pytest.approx(61 / 62 / 2)
    assert (answer.stats.lexical, answer.stats.vector, answer.stats.model) == (1, 2, "words")


WORDS = st.sampled_from("auth token cache retry jwt a session db".split())
CORPORA = st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6, unique=True)


@settings(
    max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(corpus=CORPORA, query=st.lists(WORDS, min_size=1, max_size=3).map(" ".join), data=st.data())
def test_every_score_lies_between_nought_and_one(
    tmp_path_factory: pytest.TempPathFactory, corpus: list[str], query: str, data: st.DataObject
) -> None:
    root = tmp_path_factory.mktemp("corpus")
    (root / "a.py").write_text("import b\n", encoding="utf-8")
    (root / "b.py").touch()
    prepare(root)
    with open_workspace(root, clock=FixedClock(), embedder=WordEmbedder(dimension=8)) as workspace:
        workspace.indexing.run()
        before = "1"
        for content in corpus:
            anchors = data.draw(st.lists(st.sampled_from(["a.py", "b.py", "*.py"]), unique=True, max_size=2))
            links = [Link(target=before, weight=data.draw(st.floats(0, 1)))] if content != corpus[0] else []
            draft = Draft(content=content, anchors=[parse_anchor(spec) for spec in anchors], links=links)
            before = str(workspace.learnings.add_draft(draft).stored.id)
        workspace.learnings.helpful("1", score=data.draw(st.floats(0, 1)))
        asked = Query(text=query, expansion=Limits(decay=1.0, depth=3), limit=50, diversity=0.0)
        results = workspace.search.run(asked).results
        diverse = workspace.search.run(replace(asked, diversity=data.draw(st.floats(0, 1)))).results
    for result in results:
        scores = (result.relevance, result.bm25, result.vector, result.recency, result.rrf, result.feedback)
        assert all(0 <= score <= 1 for score in scores)
        assert len(result.path) == result.hops + 1
    assert all(one.relevance >= other.relevance for one, other in itertools.pairwise(results))
    assert len({result.stored.id for result in results}) == len(results)
    assert [result.position for result in diverse] == list(range(1, len(results) + 1))
    places = {result.stored.id: result.position for result in results}
    assert {result.stored.id: result.relevance_position for result in diverse} == places
