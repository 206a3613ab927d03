"""Files are ranked by what commits, words, learnings, imports and names say, and each reason given is true."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts.opened import Workspace, open_workspace
from tests.git_sandbox import DAY
from tests.support import Project
from tx_graph.code.chunks import refresh_chunks
from tx_graph.context.purpose import Purpose, purpose_of
from tx_graph.context.ranking import rank_files
from tx_graph.context.ranking_evidence import Because, Method, RankedFile
from tx_graph.core.settings import Weights
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.history.evidence import refresh_messages
from tx_graph.records.learning import Link, Status
from tx_graph.workspace import prepare

LOGIN, TOKENS, TEST = "src/login.py", "src/tokens.py", "tests/test_login.py"
COLOURS, README = "web/colours.css", "README"
ALONE = Weights(messages=0, words=0, paths=0, learnings=0, history=0, imports=0, anchors=0, names=0, recent=0)
"""Nothing counts but open files, which lead nowhere."""
DIRECT = Weights(history=0, imports=0, anchors=0, names=0, recent=0)
"""What the question finds, and nothing beside it."""
HARD = (
    '"', "login AND", "NEAR(login, 2)", "subject: login", "login*", "^login", "-login", "('", "login\0src/login.py",
    "\ud800 login", "🚀👩‍💻 数据库", "login " * 20_000, "x" * 100_000, "/" * 1_000,
    "../../etc/passwd src/login.py ./src/login.py", "%s {login} \\",
)  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A small web site with a history."""
    project = Project(tmp_path, monkeypatch)
    project.write(LOGIN, "from src.tokens import fresh\n\n\ndef sign_in():\n    return fresh()\n")
    project.write(TOKENS, "def fresh():\n    return 'secret'\n")
    project.write(TEST, "from src.login import sign_in\n")
    project.write(COLOURS, "body { color: green }\n")
    project.write(README, "A site.\n")
    project.git.commit(message="Begin")
    project.git.commit(LOGIN, TOKENS, message="Expire sessions after an hour")
    project.git.commit(COLOURS, message="Darken the header")
    project.git.commit(LOGIN, TOKENS, message="Refresh when asked to\n\nPeople were thrown out at midnight.")
    project.index()
    return project


@pytest.fixture
def ranking(project: Project) -> Iterator[Workspace]:
    """The site's workspace, open for many questions."""
    with project.open() as workspace:
        yield workspace


def rank(
    project: Project, text: str = "", *open_files: str, purpose: Purpose = Purpose.CHANGE, **options: object
) -> list[RankedFile]:
    with project.open() as workspace:
        return rank_files(workspace.kernel, text, open_files=open_files, purpose=purpose, with_places=True, **options)  # type: ignore[arg-type]


def paths(ranked: Sequence[RankedFile]) -> list[str]:
    return [one.path for one in ranked]


def reasons(ranked: Sequence[RankedFile], path: str) -> list[str]:
    return [because.text for one in ranked if one.path == path for because in one.reasons]


def test_a_commit_message_finds_the_files_that_the_commit_touched(project: Project) -> None:
    ranked = rank(project, "who is thrown out at midnight?")
    assert paths(ranked)[:2] == [LOGIN, TOKENS]
    [sha] = project.git.git("log", "--format=%h", "--abbrev=7", "-1", "--grep=Refresh").splitlines()
    assert f'changed in {sha}: "Refresh when asked to"' in reasons(ranked, LOGIN)


def test_words_of_a_file_and_of_its_path_find_it_and_each_is_named_once(project: Project) -> None:
    ranked = rank(project, "green")
    assert paths(ranked)[0] == COLOURS
    assert reasons(ranked, COLOURS)[0] == '"green" in its text'
    ranked = rank(project, "the body colours of the web")
    assert paths(ranked)[0] == COLOURS
    assert '"colours", "web" in its path and "body" in its text' in reasons(ranked, COLOURS)


def test_a_file_that_the_question_names_is_found(project: Project) -> None:
    ranked = rank(project, f"what is {TOKENS} for?")
    assert paths(ranked)[0] == TOKENS
    assert "named in the question" in reasons(ranked, TOKENS)


def test_an_open_file_alone_leads_to_those_that_belong_to_it(project: Project) -> None:
    ranked = rank(project, "", LOGIN)
    assert set(paths(ranked)[:2]) == {TOKENS, TEST}
    assert reasons(ranked, TOKENS)[:2] == [f"changes with {LOGIN}", f"imported by {LOGIN}"]
    assert {f"imports {LOGIN}", f"shares its name with {LOGIN}"} <= set(reasons(ranked, TEST))
    found = paths(rank(project, "green", LOGIN))
    assert {TOKENS, TEST, COLOURS} <= set(found), "with a question both count"
    assert LOGIN not in found


def test_a_learning_that_matches_leads_to_its_files(project: Project) -> None:
    learning = project.add("Zebra crossings need paint", COLOURS)
    ranked = rank(project, "zebra")
    assert paths(ranked)[0] == COLOURS
    [because, *_] = ranked[0].reasons
    assert (because.text, because.ref) == (f"anchor of learning:{learning.id}", f"learning:{learning.id}")


def test_a_learning_about_a_symbol_leads_to_its_file(project: Project) -> None:
    project.add("Zebra crossings need paint", f"{LOGIN}::sign_in")
    assert reasons(rank(project, "zebra", weights=Weights(history=0, imports=0, names=0, recent=0)), LOGIN) == [
        "anchor of learning:1"
    ]


def test_files_of_one_learning_lead_to_each_other(project: Project) -> None:
    project.add("Change both", LOGIN, README)
    weights = Weights(history=0, imports=0, names=0, recent=0)
    assert paths(rank(project, "", README, weights=weights)) == [LOGIN]


def test_learnings_that_are_linked_lead_on(project: Project) -> None:
    other = project.add("Something else", README)
    project.add("Zebra crossings need paint", COLOURS, links=[Link(target=other.learning.uid)])
    assert README in paths(rank(project, "zebra"))


@pytest.mark.parametrize("status", [Status.STAGED, Status.SUPERSEDED, Status.RETRACTED, None])
def test_a_withheld_or_removed_learning_leads_nowhere(project: Project, status: Status | None) -> None:
    learning = project.add("Zebra crossings need paint", COLOURS, README, status=status or Status.ACTIVE)
    if status is None:
        with project.open() as workspace:
            workspace.learnings.remove(str(learning.id))
    weights = Weights(history=0, imports=0, names=0, recent=0)
    assert rank(project, "zebra", weights=weights) == []
    assert rank(project, "", README, weights=weights) == []


def test_deleted_files_are_never_shown(project: Project) -> None:
    project.add("Zebra crossings need paint", COLOURS, README)
    project.write("web/stripes.css", "zebra\n")
    project.index()
    for path in (COLOURS, "web/stripes.css"):
        (project.root / path).unlink()
    assert paths(rank(project, "zebra"))[0] == README
    for method in (*Method, *Method):
        assert not {COLOURS, "web/stripes.css"} & set(
            paths(rank(project, "zebra darken stripes", LOGIN, method=method))
        )


def test_open_files_are_never_shown(project: Project) -> None:
    project.write("web/new.css", "not indexed")
    project.add("Zebra crossings need paint", "web/*", LOGIN)
    for method in Method:
        found = paths(rank(project, "zebra green login", LOGIN, COLOURS, "web/new.css", method=method))
        assert not {LOGIN, COLOURS, "web/new.css"} & set(found)


def test_a_file_that_only_a_glob_knows_is_found(project: Project) -> None:
    project.add("Zebra crossings need paint", "web/*")
    project.write("web/new.css", "not indexed")
    project.git.git("add", "--all")
    ranked = rank(project, "zebra")
    assert {COLOURS, "web/new.css"} <= set(paths(ranked))
    assert reasons(ranked, "web/new.css") == ["anchor of learning:1"]


@pytest.mark.parametrize("method", Method)
def test_without_evidence_nothing_is_ranked(project: Project, method: Method) -> None:
    for text in ("", "  ", "quizzical", "?!", "\0"):
        assert rank(project, text, method=method) == []
    assert rank(project, "", "unknown.py", method=method) == []
    assert rank(project, "login green midnight", weights=ALONE) == rank(project, "", LOGIN, weights=ALONE) == []


def test_what_files_pass_on_does_not_decide_what_the_question_finds(project: Project) -> None:
    project.add("Zebra crossings need paint", README)
    nothing = DIRECT
    assert paths(rank(project, "zebra", weights=nothing)) == [README]
    assert set(paths(rank(project, "midnight", weights=nothing))) == {LOGIN, TOKENS}


def test_the_best_file_scores_one_and_the_others_less(project: Project) -> None:
    for method in Method:
        scores = [one.score for one in rank(project, "login sessions expire green", method=method)]
        assert scores[0] == 1.0
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)


@pytest.mark.parametrize("limit", [0, 1, 2, -1])
def test_no_more_files_are_told_than_asked_for(project: Project, limit: int) -> None:
    for method in Method:
        assert len(rank(project, "midnight green", method=method, limit=limit)) == max(limit, 0)


def test_equal_files_come_by_their_paths(project: Project) -> None:
    names = [f"{letter}/{letter}{letter}{letter}.txt" for letter in "hcfbg"]
    for name in names:
        project.write(name, "zebra")
        project.index()
    found = rank(project, "zebra", limit=3)
    assert paths(found) == sorted(names)[:3]
    assert len({one.score for one in found}) == 1


def test_the_same_question_has_the_same_answer_in_a_new_database(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = rank(project, "login sessions green", README)
    monkeypatch.setenv("TX_DB", str(tmp_path / "fresh.db"))
    project.index()
    assert rank(project, "login sessions green", README) == before


@pytest.mark.parametrize(
    ("text", "opened"),
    [("login sessions green expire colours", []), ("header", [LOGIN]), ("", [TEST, TOKENS]), ("Refresh", [README])],
)
def test_each_reason_is_true_and_they_make_up_the_score(project: Project, text: str, opened: list[str]) -> None:
    project.add("Sessions expire", LOGIN, "src/*")
    ranked = rank(project, text, *opened)
    assert ranked
    for one in ranked:
        assert one.reasons
        assert [because.share for because in one.reasons] == sorted((b.share for b in one.reasons), reverse=True)
        assert 0.5 < sum(because.share for because in one.reasons) <= 1 + 1e-9
        for because in one.reasons:
            assert is_true(project, one.path, because, text), (one.path, because)


def commits(project: Project, path: str) -> set[str]:
    """Return the commits that touched a file."""
    return set(project.git.git("log", "--format=%H", "--", path).split())


def is_true(project: Project, path: str, because: Because, text: str) -> bool:
    """Check a reason against the files and what git says of them."""
    if words := re.findall(r'"(\w+)"', because.text):
        everything = f"{path} {(project.root / path).read_text(encoding='utf-8')}"
        return all(word in text and word in everything for word in words)
    sort = because.text.removesuffix(f" {because.ref}")
    match sort:
        case "imports" | "imported by":
            return ((path, because.ref) if sort == "imports" else (because.ref, path)) in {
                (LOGIN, TOKENS),
                (TEST, LOGIN),
            }
        case "anchor of":
            return because.ref == "learning:1" and path.startswith("src/")
        case "changes with":
            return bool(commits(project, path) & commits(project, because.ref))
        case "shares its name with":
            return {path, because.ref} == {LOGIN, TEST}
        case "changed lately":
            return bool(commits(project, path))
    sha, subject = sort.removeprefix("changed in ").rstrip('"').split(': "', 1)
    assert because.ref.removeprefix("commit:").startswith(sha)
    return project.git.git("show", "--no-patch", "--format=%s", sha) == subject and any(
        commit.startswith(sha) for commit in commits(project, path)
    )


def test_a_long_subject_is_cut_where_it_is_marked(project: Project) -> None:
    project.git.commit(README, message=f"Zebra {'crossing ' * 20}")
    project.index()
    [text, *_] = reasons(rank(project, "zebra"), README)
    assert re.fullmatch(r'changed in \w{7}: "Zebra (crossing )+cr…"', text)
    assert len(text) < 100


def test_only_the_ranking_gives_reasons(project: Project) -> None:
    for method in Method:
        given_reasons = any(one.reasons for one in rank(project, "login midnight", method=method))
        assert given_reasons is (method is Method.RANKING)


def test_each_method_finds_what_it_stands_for(project: Project) -> None:
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(min_support=1)))
    project.add("Zebra crossings need paint", COLOURS)
    found = {method: paths(rank(project, "midnight zebra", method=method)) for method in Method}
    assert COLOURS in paths(rank(project, "green", method=Method.SUM))
    assert paths(rank(project, "green", method=Method.FUSION)) == []
    assert set(found[Method.BM25]) == {LOGIN, TOKENS}
    assert set(found[Method.FUSION]) == {LOGIN, TOKENS, COLOURS}
    assert set(found[Method.IMPORTS]) == {LOGIN, TOKENS, COLOURS, TEST}
    assert set(found[Method.COCHANGES]) >= {LOGIN, TOKENS, COLOURS, README}
    assert set(found[Method.RANKING]) == {LOGIN, TOKENS, COLOURS, TEST, README}


@pytest.mark.parametrize("method", [Method.IMPORTS, Method.RANKING])
def test_methods_that_follow_edges_do_so_from_open_files(project: Project, method: Method) -> None:
    assert {TOKENS, TEST} <= set(paths(rank(project, "", LOGIN, method=method)))


def test_a_recent_commit_counts_more_than_an_old_one(project: Project) -> None:
    project.git.commit(COLOURS, message="Paint the zebra")
    project.git._time += 3 * 365 * DAY
    project.git.commit(README, message="Paint the zebra")
    project.index()
    weights = replace(DIRECT, words=0, paths=0)
    assert paths(rank(project, "zebra", weights=weights)) == [README, COLOURS]


def test_a_wide_commit_says_less_of_each_file(project: Project) -> None:
    project.git.commit(COLOURS, *(f"wide/{number}.txt" for number in range(20)), message="Paint the zebra")
    project.git.commit(README, message="Paint the zebra")
    project.index()
    scores = {one.path: one.score for one in rank(project, "zebra", weights=replace(DIRECT, words=0, paths=0))}
    assert scores[COLOURS] < scores[README] / 3


def test_a_file_that_is_the_only_one_known_is_its_own_reason(project: Project) -> None:
    project.write("lonely.txt", "zebra")
    project.index()
    [one, *others] = rank(project, "zebra")
    assert {reason for other in others for reason in other.texts} == {"changed lately"}
    assert (one.path, one.score, one.reasons) == ("lonely.txt", 1.0, (Because(text='"zebra" in its text', share=1.0),))


def test_without_git_words_and_names_still_rank(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    prepare(plain)
    (plain / "login.py").write_text("def sign_in(): pass\n", encoding="utf-8")
    (plain / "test_login.py").write_text("pass\n", encoding="utf-8")
    with open_workspace(plain) as workspace:
        workspace.indexing.run()
        refresh_chunks(workspace.kernel)
        refresh_messages(workspace.kernel)
        assert paths(rank_files(workspace.kernel, "sign_in")) == ["login.py", "test_login.py"]


@settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.one_of(st.text(max_size=200), st.sampled_from(HARD)))
def test_any_text_is_safe(ranking: Workspace, text: str) -> None:
    for method in (Method.FUSION, Method.RANKING):
        for one in rank_files(ranking.kernel, text, open_files=[LOGIN], method=method):
            assert 0 < one.score <= 1


def test_a_place_that_is_asked_for_is_told_to_the_line_and_code_comes_before_tests(project: Project) -> None:
    project.write(
        "src/clock.py",
        "import time\n\n\ndef now():\n    return time.time()\n\n\ndef wind_up(spring):\n    spring.turn()\n",
    )
    project.write(
        "tests/test_clock.py", "from clock import wind_up\n\n\ndef test_wind_up():\n    wind_up(spring)\n" * 3
    )
    project.index()
    for text in ("wind_up", "where is the spring of the clock wound up?", "how does wind up turn the spring"):
        best, *_ = rank(project, text, purpose=purpose_of(text))
        assert (best.path, best.line_start, best.line_end, best.symbol) == ("src/clock.py", 8, 9, "wind_up"), text
        assert best.snippet == "def wind_up(spring):\n    spring.turn()"
    assert rank(project, "test wind_up", purpose=Purpose.CHANGE)[0].path == "tests/test_clock.py"


def test_a_place_in_a_file_that_changed_since_is_that_of_now(project: Project) -> None:
    path = project.write("src/clock.py", "def wind_up(spring):\n    spring.turn()\n")
    project.index()
    path.write_text("\n" * 30 + "def wind_up(spring):\n    spring.turn(2)\n", encoding="utf-8")
    best, *_ = rank(project, "wind_up", purpose=Purpose.WHERE)
    assert (best.line_start, best.line_end, best.symbol) == (31, 32, None)
    assert best.snippet == "def wind_up(spring):\n    spring.turn(2)"
