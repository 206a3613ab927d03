"""Learnings near the files somebody has open (GE-006)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.open_files import AROUND_A_SYMBOL, OpenPlace
from tx_graph.context.search import Query, SearchResult
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.learning import Link

AUTH, CRYPTO, MIDDLEWARE = "src/auth.ts", "src/crypto.ts", "src/middleware.ts"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """`auth` imports `crypto`; five commits touch one of `auth` and `middleware` and four of them both: Jaccard 0.8."""
    project = Project(tmp_path, monkeypatch)
    project.write(AUTH, 'import { hash } from "./crypto";\nexport class Auth {\n  login() {}\n}\n')
    project.write(CRYPTO, "export function hash() {}\n")
    project.git.commit()
    for _ in range(4):
        project.git.commit(AUTH, MIDDLEWARE)
    with project.open() as workspace:
        workspace.indexing.run()
        workspace.cochanges.run(CoChangeRequest())
    return project


def near(project: Project, *files: str, text: str = "", **options: Any) -> dict[str, SearchResult]:  # noqa: ANN401
    query = Query(text=text, context_files=files, **{"diversity": 0.0, **options})
    return {result.stored.learning.content: result for result in project.search("", query).results}


def test_what_is_anchored_to_an_open_file_counts_whole_and_to_its_relatives_by_edge_and_decay(project: Project) -> None:
    project.add("here", AUTH)
    project.add("imported", CRYPTO)
    project.add("partner", MIDDLEWARE)
    project.add("glob", "src/cr*.ts")
    project.add("elsewhere")
    found = near(project, AUTH)
    scores = {content: result.relevance for content, result in found.items()}
    assert scores == pytest.approx({"here": 1.0, "imported": 0.7, "partner": 0.56, "glob": 0.35})
    assert found["partner"].path == (AUTH, MIDDLEWARE, "learning:3")
    assert [step.type for step in found["partner"].steps] == [EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO]
    assert {result.seed_reason for result in found.values()} == {"an open file"}


def test_one_that_two_open_files_lead_to_appears_once_with_the_better_score(project: Project) -> None:
    project.add("both", CRYPTO, MIDDLEWARE)
    assert near(project, AUTH)["both"].relevance == pytest.approx(0.7)
    found = near(project, AUTH, MIDDLEWARE)["both"]
    assert (found.relevance, found.path) == (1.0, (MIDDLEWARE, "learning:1"))


def test_words_and_open_files_find_together_and_the_better_score_stays(project: Project) -> None:
    project.add("xerus here", AUTH)
    project.add("xerus elsewhere")
    project.add("partner", MIDDLEWARE)
    found = near(project, AUTH, text="xerus")
    assert list(found) == ["xerus here", "xerus elsewhere", "partner"]
    assert (found["xerus here"].relevance, found["xerus here"].path) == (1.0, (AUTH, "learning:1"))
    assert found["xerus here"].bm25 > 0
    assert found["partner"].relevance == pytest.approx(0.56)
    assert found["partner"].rrf == 0


def test_of_two_that_are_as_good_the_one_that_words_support_comes_first(project: Project) -> None:
    project.add("here too", AUTH)
    project.add("a xerus among beasts", AUTH)
    project.add("xerus")
    assert list(near(project, AUTH, text="xerus")) == ["a xerus among beasts", "xerus", "here too"]


def test_an_expansion_goes_on_from_there(project: Project) -> None:
    project.write("src/far.ts")
    project.write(CRYPTO, 'import "./far";\n')
    project.index()
    project.add("far", "src/far.ts")
    assert near(project, AUTH) == {}
    assert near(project, AUTH, expansion=Limits())["far"].relevance == pytest.approx(0.49)
    assert near(project, AUTH, expansion=Limits(), types=[EdgeType.CO_CHANGES_WITH]) == {}


@pytest.mark.parametrize("profile", Profile)
def test_every_profile_starts_from_open_files(project: Project, profile: Profile) -> None:
    project.add("here", AUTH)
    project.add("imported", CRYPTO)
    project.add("partner", MIDDLEWARE)
    found = near(project, AUTH, expansion=Limits(), profile=profile)
    assert next(iter(found)) == "here"
    assert found["here"].relevance == 1.0
    assert found.keys() == {"here", "imported", "partner"}
    assert all(0 < result.relevance <= 1 for result in found.values())


def test_the_order_of_profiles_differs_by_what_they_value(project: Project) -> None:
    project.add("xerus", AUTH)
    for number in range(30):
        project.write(f"src/user{number}.ts", 'import "./crypto";\n')
    project.index()
    project.add("of a hub", CRYPTO)
    project.add("of a partner", MIDDLEWARE)
    assert list(near(project, text="xerus", expansion=Limits())) == ["xerus", "of a hub", "of a partner"]
    spread = near(project, text="xerus", expansion=Limits(), profile=Profile.SPREAD)
    assert list(spread) == ["xerus", "of a partner", "of a hub"]


def test_under_hops_a_seed_scores_by_its_cosine_and_the_rest_by_its_last_edge(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.add("xerus yak", AUTH)
    project.add("zebra", links=[Link(target="1", weight=0.5)])
    found = near(project, text="xerus", expansion=Limits(), profile=Profile.HOPS)
    assert found["xerus yak"].relevance == pytest.approx(0.7 * 0.5**0.5 + 0.3)
    assert found["zebra"].relevance == pytest.approx(0.3 * 0.5 * 0.7)


def test_filters_hold_for_what_is_near(project: Project) -> None:
    project.add("here", AUTH, category="one")
    project.add("there", AUTH, category="two")
    assert near(project, AUTH, category="two").keys() == {"there"}


def test_a_withheld_learning_is_not_near(project: Project) -> None:
    project.add("here", AUTH)
    with project.open() as workspace:
        workspace.learnings.remove("1")
    assert near(project, AUTH) == {}


def test_a_new_file_is_known_by_globs(project: Project) -> None:
    project.add("all of them", "src/*.ts")
    project.write("src/new.ts")
    project.git.git("add", "--all")
    assert near(project, "src/new.ts")["all of them"].relevance == 0.5


def test_a_symbol_counts_more_than_the_rest_of_its_file(project: Project) -> None:
    project.add("the file", AUTH)
    project.add("the method", f"{AUTH}::Auth::login")
    scores = {content: result.relevance for content, result in near(project, f"{AUTH}::login").items()}
    assert scores == {"the method": 1.0, "the file": AROUND_A_SYMBOL}


def named(project: Project, *specs: str, below: str = "") -> list[str]:
    with project.open(below) as workspace:
        return [place.ref for place in workspace.open_files.named(specs)]


def test_files_are_named_by_paths_lists_globs_and_directories(project: Project) -> None:
    project.write("src/odd,name.ts")
    project.write("docs/a.md")
    assert named(project, f"{AUTH}, {CRYPTO},") == [AUTH, CRYPTO]
    assert named(project, AUTH, f"./{AUTH}", str(project.root / AUTH)) == [AUTH]
    assert named(project, "src/*o*.ts") == ["src/crypto.ts", "src/odd,name.ts"]
    assert named(project, "src/odd,name.ts") == ["src/odd,name.ts"]
    assert named(project, "**/*.md,src/crypto.ts") == ["docs/a.md", CRYPTO]
    assert named(project, "docs/") == ["docs/a.md"]
    assert named(project, "auth.ts,../docs/a.md", below="src") == ["docs/a.md", AUTH]
    assert named(project, f"{AUTH}:12", f"file:{CRYPTO}") == [AUTH, CRYPTO]
    assert named(project) == []


def test_a_symbol_brings_its_file_along(project: Project) -> None:
    with project.open("src") as workspace:
        file, symbol = workspace.open_files.named(["auth.ts::login"])
    assert (symbol.ref, symbol.kind, symbol.score) == (f"{AUTH}::Auth::login", NodeKind.SYMBOL, 1.0)
    assert (file.ref, file.path, file.score) == (AUTH, AUTH, AROUND_A_SYMBOL)
    with project.open() as workspace:
        file, _ = workspace.open_files.named([f"{AUTH}::login", AUTH])
    assert file == OpenPlace(ref=AUTH, path=AUTH, node=file.node)


def test_a_deleted_file_can_still_be_asked_about(project: Project) -> None:
    project.add("xerus", AUTH)
    (project.root / AUTH).unlink()
    assert near(project, AUTH).keys() == {"xerus"}


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        ("src/nothing.ts", NotFound),
        ("nothing/*.ts", NotFound),
        (f"{AUTH}::nothing", NotFound),
        ("../outside.ts", OutsideRepository),
        ("../*.ts", OutsideRepository),
        ("src/../../*.ts", OutsideRepository),
        ("/etc/passwd", OutsideRepository),
        ("/etc/*", OutsideRepository),
        (" , ", UsageError),
        ("", UsageError),
        ("a\0b", UsageError),
        ("caf\udce9", UsageError),
    ],
)
def test_what_names_no_file_is_an_error(project: Project, spec: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        near(project, AUTH, spec)


def test_no_question_and_no_file_is_an_error(project: Project) -> None:
    with pytest.raises(UsageError, match="empty"):
        near(project, text=" ")


def test_what_a_commit_told_long_ago_draws_less_of_a_spread(project: Project) -> None:
    project.add("xerus", AUTH)
    lines = [
        {"content": content, "created_at": time, "source_type": "commit", "anchors": [CRYPTO]}
        for content, time in (("old", "2020-01-01T00:00:00Z"), ("new", "2026-11-01T00:00:00Z"))
    ]
    with project.open() as workspace:
        workspace.kernel.one(Transfer).import_(map(json.dumps, lines))
    alike = near(project, text="xerus", expansion=Limits())
    assert alike["old"].relevance == alike["new"].relevance
    spread = near(project, text="xerus", expansion=Limits(), profile=Profile.SPREAD)
    assert 0 < spread["old"].relevance < spread["new"].relevance / 10
