"""A file's relatives bring their learnings along: the main job as the seed documents tell it (PRD-016, GE-006)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.open_files import AROUND_A_SYMBOL, OpenPlace
from tx_graph.context.page import ContextRequest
from tx_graph.context.search import Query, SearchResult
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.learning import Link

AUTH, CRYPTO, MIDDLEWARE = "src/services/auth-service.ts", "src/utils/crypto.ts", "src/middleware/jwt-middleware.ts"
EXPIRY = "Always validate JWT expiry before processing"
CONSTANT_TIME = "Use constant-time comparison for token signatures"
BCRYPT = "bcrypt cost factor should be at least 12"
LIFETIME = "Set short token lifetime (15min) for access tokens"


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Project:
    with pytest.MonkeyPatch.context() as monkeypatch:
        project = Project(tmp_path_factory.mktemp("files"), monkeypatch)
        project.write(AUTH, 'import { hash } from "../utils/crypto";\nexport class AuthService {\n  login() {}\n}\n')
        project.write(CRYPTO, "export function hash() {}\n")
        project.git.commit()
        for _ in range(4):
            project.git.commit(AUTH, MIDDLEWARE)
        with project.open() as workspace:
            workspace.indexing.run()
            workspace.cochanges.run(CoChangeRequest())
    return project


@pytest.fixture
def project(first: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """`AUTH` imports `CRYPTO`; five commits touch it or `MIDDLEWARE` and four of them both: Jaccard 0.8."""
    return first.copied(tmp_path, monkeypatch)


def near(project: Project, *files: str, text: str = "", **options: Any) -> dict[str, SearchResult]:  # noqa: ANN401
    query = Query(text=text, context_files=files, **{"diversity": 0.0, **options})
    return {result.stored.learning.content: result for result in project.search("", query).results}


def relevances(found: dict[str, SearchResult]) -> dict[str, float]:
    return {content: result.relevance for content, result in found.items()}


# --- the example --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [None, "words"], ids=["words-alone", "with-vectors"])
def test_the_seeds_example_answers_with_all_four_learnings(project: Project, model: str | None) -> None:
    if model:
        project.configure()
        project.embedder = WordEmbedder(synonyms={"jwt": "authentication", "signatures": "authentication"})
    for content, place in ((EXPIRY, AUTH), (CONSTANT_TIME, AUTH), (BCRYPT, CRYPTO), (LIFETIME, MIDDLEWARE)):
        project.add(content, place)
    answer = project.search("authentication", expand=True)
    found = {result.stored.learning.content: result for result in answer.results}
    assert found.keys() == {EXPIRY, CONSTANT_TIME, BCRYPT, LIFETIME}
    for content in (EXPIRY, CONSTANT_TIME):
        assert (found[content].hops, found[content].source_edge) == (0, None)
        assert found[content].path == (found[content].stored.ref,)
    seed = max(found[EXPIRY].relevance, found[CONSTANT_TIME].relevance)
    for content, edge, weight, place in (
        (BCRYPT, EdgeType.IMPORTS, 1.0, CRYPTO),
        (LIFETIME, EdgeType.CO_CHANGES_WITH, 0.8, MIDDLEWARE),
    ):
        result = found[content]
        assert result.path == (AUTH, place, result.stored.ref)
        assert [step.type for step in result.steps] == [edge, EdgeType.ANCHORED_TO]
        assert result.steps[0].weight == pytest.approx(weight)
        assert result.source_edge == EdgeType.ANCHORED_TO
        assert result.relevance == pytest.approx(seed * weight * 0.7 * 0.7)
    assert answer.stats.model == model
    if model:
        assert (answer.stats.vector, answer.stats.lacking_vectors) == (2, 0)
    else:
        assert answer.results[0].relevance == 1.0
        assert [result.stored.id for result in answer.results] == [1, 2, 3, 4]
        assert set(project.contents("authentication")) == {EXPIRY, CONSTANT_TIME}


@pytest.mark.parametrize("question", ["auth-service.ts", AUTH, f"what must I know about {AUTH}?"])
def test_asking_about_a_file_finds_what_its_partners_know(project: Project, question: str) -> None:
    project.add(LIFETIME, MIDDLEWARE)
    [result] = project.search(question, expand=True).results
    assert result.path == (AUTH, MIDDLEWARE, "learning:1")
    assert [step.type for step in result.steps] == [EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO]
    assert (result.steps[0].weight, result.seed_reason) == (0.8, "named by the query")
    assert result.relevance == pytest.approx(0.8 * 0.7 * 0.7)


# --- open files ---------------------------------------------------------------------------------


def test_what_is_anchored_to_an_open_file_counts_whole_and_to_its_relatives_by_edge_and_decay(project: Project) -> None:
    project.add("here", AUTH, category="one")
    project.add("imported", CRYPTO)
    project.add("partner", MIDDLEWARE)
    project.add("glob", "src/utils/cr*.ts")
    project.add("elsewhere")
    project.add("two relatives", CRYPTO, MIDDLEWARE)
    found = near(project, AUTH)
    scores = {"here": 1.0, "imported": 0.7, "two relatives": 0.7, "partner": 0.56, "glob": 0.35}
    assert relevances(found) == pytest.approx(scores)
    assert found["partner"].path == (AUTH, MIDDLEWARE, "learning:3")
    assert [step.type for step in found["partner"].steps] == [EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO]
    assert {result.seed_reason for result in found.values()} == {"an open file"}
    better = near(project, AUTH, MIDDLEWARE)["two relatives"]
    assert (better.relevance, better.path) == (1.0, (MIDDLEWARE, "learning:6"))
    assert near(project, AUTH, category="one").keys() == {"here"}
    with project.open() as workspace:
        workspace.learnings.remove("1")
    assert "here" not in near(project, AUTH)


def test_beside_a_question_open_files_count_half_as_much_as_what_answers_and_both_add_up(project: Project) -> None:
    project.add("here too", AUTH)
    project.add("a xerus among beasts", AUTH)
    project.add("xerus")
    project.add("partner", MIDDLEWARE)
    found = near(project, AUTH, text="xerus")
    assert list(found) == ["a xerus among beasts", "xerus", "here too", "partner"]
    alone = near(project, text="xerus")
    here, partner = found["a xerus among beasts"], found["partner"]
    assert here.relevance == pytest.approx((alone["a xerus among beasts"].relevance + 0.5) / 2)
    assert found["xerus"].relevance == pytest.approx(alone["xerus"].relevance / 2)
    assert partner.relevance == pytest.approx(0.56 * 0.5 / 2)
    assert partner.rrf == 0


def test_an_expansion_goes_on_from_there(project: Project) -> None:
    project.write("src/far.ts")
    project.write(CRYPTO, 'import "../far";\n')
    project.index()
    project.add("far", "src/far.ts")
    assert near(project, AUTH) == {}
    walk: dict[str, Any] = {"expansion": Limits(), "profile": Profile.DECAY}
    assert near(project, AUTH, **walk)["far"].relevance == pytest.approx(0.49)
    assert near(project, AUTH, **walk, types=[EdgeType.CO_CHANGES_WITH]) == {}


@pytest.mark.parametrize("profile", Profile)
def test_every_profile_starts_from_open_files(project: Project, profile: Profile) -> None:
    for content, place in (("here", AUTH), ("imported", CRYPTO), ("partner", MIDDLEWARE)):
        project.add(content, place)
    found = near(project, AUTH, expansion=Limits(), profile=profile)
    assert (next(iter(found)), found["here"].relevance) == ("here", 1.0)
    assert found.keys() == {"here", "imported", "partner"}
    assert all(0 < result.relevance <= 1 for result in found.values())


def test_the_order_of_profiles_differs_by_what_they_value(project: Project) -> None:
    project.add("xerus", AUTH)
    for number in range(30):
        project.write(f"src/user{number}.ts", 'import "./utils/crypto";\n')
    project.index()
    project.add("of a hub", CRYPTO)
    project.add("of a partner", MIDDLEWARE)
    decay = near(project, text="xerus", expansion=Limits(), profile=Profile.DECAY)
    assert list(decay) == ["xerus", "of a hub", "of a partner"]
    spread = near(project, text="xerus", expansion=Limits(), profile=Profile.SPREAD)
    assert list(spread) == ["xerus", "of a partner", "of a hub"]


def test_under_hops_a_seed_scores_by_its_cosine_and_the_rest_by_its_last_edge(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.add("xerus yak", AUTH)
    project.add("zebra", links=[Link(target="1", weight=0.5)])
    found = near(project, text="xerus", expansion=Limits(), profile=Profile.HOPS)
    assert found["xerus yak"].relevance == pytest.approx(0.7 * 0.5**0.5 + 0.3)
    assert found["zebra"].relevance == pytest.approx(0.3 * 0.5 * 0.7)


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


def test_a_symbol_counts_more_than_its_file_a_new_file_is_known_by_globs_and_one_that_is_gone_still(
    project: Project,
) -> None:
    project.add("the file", AUTH)
    project.add("the method", f"{AUTH}::AuthService::login")
    assert relevances(near(project, f"{AUTH}::login")) == {"the method": 1.0, "the file": AROUND_A_SYMBOL}
    (project.root / AUTH).unlink()
    assert near(project, AUTH).keys() == {"the file", "the method"}
    project.add("all of them", "src/utils/*.ts")
    project.write("src/utils/new.ts")
    project.git.git("add", "--all")
    assert relevances(near(project, "src/utils/new.ts")) == {"all of them": 0.5}


# --- how files are named ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("specs", "below", "expected"),
    [
        ([], "", []),
        ([f"{AUTH}, {CRYPTO},"], "", [AUTH, CRYPTO]),
        ([AUTH, f"./{AUTH}", "{root}/" + AUTH], "", [AUTH]),
        (["src/utils/*o*.ts"], "", [CRYPTO, "src/utils/odd,name.ts"]),
        (["src/utils/odd,name.ts"], "", ["src/utils/odd,name.ts"]),
        ([f"**/*.md,{CRYPTO}"], "", ["docs/a.md", CRYPTO]),
        (["docs/"], "", ["docs/a.md"]),
        (["../../docs/a.md,auth-service.ts"], "src/services", ["docs/a.md", AUTH]),
        ([f"{AUTH}:12", f"file:{CRYPTO}"], "", [AUTH, CRYPTO]),
    ],
    ids=str,
)
def test_files_are_named_by_paths_lists_globs_and_directories(
    project: Project, specs: list[str], below: str, expected: list[str]
) -> None:
    project.write("src/utils/odd,name.ts")
    project.write("docs/a.md")
    with project.open(below) as workspace:
        places = workspace.open_files.named([spec.format(root=project.root) for spec in specs])
    assert [place.ref for place in places] == expected


def test_a_symbol_brings_its_file_along(project: Project) -> None:
    with project.open("src/services") as workspace:
        file, symbol = workspace.open_files.named(["auth-service.ts::login"])
    assert (symbol.ref, symbol.kind, symbol.score) == (f"{AUTH}::AuthService::login", NodeKind.SYMBOL, 1.0)
    assert (file.ref, file.path, file.score) == (AUTH, AUTH, AROUND_A_SYMBOL)
    with project.open() as workspace:
        file, _ = workspace.open_files.named([f"{AUTH}::login", AUTH])
    assert file == OpenPlace(ref=AUTH, path=AUTH, node=file.node)


@pytest.mark.parametrize(
    ("error", "specs"),
    [
        (OutsideRepository, ["../outside.ts", "../*.ts", "src/../../*.ts", "/etc/passwd", "/etc/*"]),
        (UsageError, [" , ", "", "a\0b", "caf\udce9"]),
    ],
)
def test_what_names_no_file_is_an_error(project: Project, error: type[Exception], specs: list[str]) -> None:
    for spec in specs:
        with pytest.raises(error):
            near(project, AUTH, spec)
    with pytest.raises(UsageError, match="empty"):
        near(project, text=" ")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("src/nothing.ts", "There is no file 'src/nothing.ts'. It is left out."),
        ("nothing/*.ts", "The glob 'nothing/*.ts' matches no file. It is left out."),
        ("src/utils/cripto.ts", f"There is no file 'src/utils/cripto.ts'. It is left out. Did you mean {CRYPTO}?"),
        ("src/utils/c*.{ts,tsx}", "'src/utils/c*.{ts,tsx}' matches 1 file."),
    ],
)
def test_what_is_not_there_yet_is_left_out_with_a_remark_and_a_glob_says_how_much_it_is(
    project: Project, spec: str, said: str
) -> None:
    answer = project.search("", Query(text="", context_files=(spec, AUTH)))
    assert answer.stats.remarks == (said,)
    assert AUTH in answer.stats.open_files
    with project.open() as workspace:
        notices = workspace.context.gathered(ContextRequest(files=(spec,))).notices
        if "left out" in said:
            with pytest.raises(NotFound):
                workspace.open_files.named([spec])
    assert notices == (said,)
