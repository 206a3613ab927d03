"""Who finds direct matches: what is built in, and plug-ins, whatever they give."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.retrievers import NO_HIT, NO_LEARNING, NO_SCORE, NOT_ALLOWED, TWICE, sound_hits
from tx_graph.context.search import Query, SearchAnswer
from tx_graph.core.errors import ModelError, NotFound, UsageError
from tx_graph.core.ports import Hit
from tx_graph.graph.expand import Limits, Profile
from tx_graph.records.learning import Status
from tx_graph.workspace.doctor import Level, examine

PLUG_IN = """
from tx_graph.core.ports import Hit

class Retriever:
    def __init__(self, corpus):
        self.corpus = corpus

    def retrieve(self, text, *, limit, allowed):
        corpus = self.corpus
        uids = {one.content: one.uid for one in corpus.texts}
        {BODY}
"""


Install = Callable[..., None]


@pytest.fixture(autouse=True)
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the settings name counts here."""
    monkeypatch.setenv("TX_ALLOW", "1")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterable[Install]:
    """Puts a package with an entry point on the path, as pip does."""
    site = tmp_path / "site"

    def install(body: str, *, name: str = "mine", module: str = "plugged_in", text: str = PLUG_IN) -> None:
        info = site / f"{module}-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tx-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[tx_graph.retrievers]\n{name} = {module}:Retriever\n")
        (site / f"{module}.py").write_text(text.replace("{BODY}", body))
        monkeypatch.syspath_prepend(site)

    yield install
    sys.modules.pop("plugged_in", None)


def ask(project: Project, text: str = "xerus", **options: Any) -> SearchAnswer:  # noqa: ANN401 - each has its type
    return project.search("", Query(text=text, **{"retriever": "mine", "diversity": 0.0, **options}))


def contents(answer: SearchAnswer) -> list[str]:
    return [result.stored.learning.content for result in answer.results]


def test_words_alone_find_no_meaning_and_the_setting_names_who_is_asked(project: Project) -> None:
    project.embedder = WordEmbedder(synonyms={"automobile": "car"})
    project.add("Buy an automobile")
    project.add("The car")
    assert contents(ask(project, "car", retriever="hybrid")) == ["The car", "Buy an automobile"]
    answer = ask(project, "car", retriever="bm25")
    assert contents(answer) == ["The car"]
    assert (answer.stats.retriever, answer.stats.model, answer.results[0].bm25) == ("bm25", None, 1.0)
    project.configure('search.retriever = "bm25"')
    assert contents(ask(project, "car", retriever=None)) == ["The car"]
    assert contents(ask(project, "car", retriever="hybrid")) == ["The car", "Buy an automobile"]


def test_a_plug_in_finds_the_seeds_and_tx_the_rest_leaving_out_what_means_nothing(
    project: Project, install: Install
) -> None:
    install('return [Hit(uids["yak"], 0.5), Hit("0000000000zz", 0.9), Hit(uids["xerus"], 0.9), Hit(uids["zebra"], 7)]')
    project.write("a.py")
    for content, *places in (("xerus",), ("yak", "a.py"), ("zebra", "a.py")):
        project.add(content, *places)
    answer = ask(project, "anything at all", expansion=Limits(), profile=Profile.DECAY)
    assert contents(answer) == ["xerus", "yak", "zebra"]
    assert [result.relevance for result in answer.results] == pytest.approx([0.9, 0.5, 0.35])
    assert [result.retrieved for result in answer.results] == [0.9, 0.5, 0.0]
    dropped = {NO_LEARNING: 1, NO_SCORE: 1}
    assert (answer.stats.retriever, answer.stats.retrieved, answer.stats.dropped) == ("mine", 2, dropped)


def test_a_plug_in_sees_the_texts_the_options_and_what_may_answer(project: Project, install: Install) -> None:
    install(
        """
        texts = {one.content: one for one in corpus.texts}
        assert sorted(texts) == ["xerus", "yak", "zebra"], texts
        assert (texts["xerus"].category, texts["xerus"].places) == ("beasts", ("a.py",))
        assert texts["yak"].status == "superseded"
        assert corpus.options == {"url": "http://localhost:1?a=b", "empty": ""}
        assert (text, limit) == ("xerus", 50)
        return [(uid, 1) for uid in allowed]
        """
    )
    project.write("a.py")
    project.add("xerus", "a.py", category="beasts")
    project.add("yak", status=Status.SUPERSEDED)
    project.add("zebra")
    project.add("gone")
    with project.open() as workspace:
        workspace.learnings.remove("4")
    project.configure('search.retriever_options = ["url=http://localhost:1?a=b", "empty="]')
    assert sorted(contents(ask(project))) == ["xerus", "zebra"]
    assert contents(ask(project, category="beasts")) == ["xerus"]
    assert contents(ask(project, status=Status.SUPERSEDED)) == ["yak"]


@pytest.mark.parametrize(
    ("hits", "reason"),
    [
        ([Hit("0000000000zz", 0.5)], NO_LEARNING),
        ([Hit("superseded", 0.5)], NOT_ALLOWED),
        ([Hit("xerus", score) for score in (math.nan, math.inf, 1.01, -0.1)], NO_SCORE),
        ([Hit("xerus", True), ("xerus", "0.5"), (None, 0.5), ([], 0.5)], NO_HIT),
        ([None, ("xerus",), {"uid": "xerus", "score": 1.0}], NO_HIT),
        ([Hit("yak", 0.9)], TWICE),
    ],
)
def test_what_means_nothing_is_left_out_and_counted(hits: list[object], reason: str) -> None:
    dropped: Counter[str] = Counter()
    known = {"yak", "xerus", "superseded"}
    scores = sound_hits([Hit("yak", 0.4), *hits], known=known, allowed=known - {"superseded"}, dropped=dropped)
    assert scores == {"yak": 0.4}
    assert dropped == {reason: len(hits)}


def test_pairs_and_other_numbers_are_hits_too() -> None:
    hits = [("yak", 1), ["xerus", Fraction(1, 2)], ("zebra", 0.0)]
    known = {"yak", "xerus", "zebra"}
    assert sound_hits(hits, known=known, allowed=known, dropped=Counter()) == {"yak": 1.0, "xerus": 0.5, "zebra": 0.0}


@pytest.mark.parametrize(
    ("body", "text", "said"),
    [
        ('raise ValueError("no server\\nat all")', PLUG_IN, "failed: ValueError: no server"),
        ("raise KeyError()", PLUG_IN, "failed: KeyError"),
        ("return None", PLUG_IN, "failed: TypeError: 'NoneType' object is not iterable"),
        ("return 7", PLUG_IN, "failed: TypeError: 'int' object is not iterable"),
        ("yield Hit('x', 1); raise RuntimeError('half way')", PLUG_IN, "failed: RuntimeError: half way"),
        ("", "import nothing_like_it", "The retriever 'mine' failed"),
        ("", "Retriever = 7", "The retriever 'mine' failed"),
        ("", "raise SystemError('odd')", "The retriever 'mine' failed"),
    ],
)
def test_one_that_fails_or_cannot_be_opened_says_so_in_one_sentence(
    project: Project, install: Install, body: str, text: str, said: str
) -> None:
    install(body, text=text)
    project.add("xerus")
    with pytest.raises(ModelError, match=said):
        ask(project)


def test_hits_beyond_the_limit_are_the_weakest(project: Project, install: Install) -> None:
    install("return [(one.uid, 1 / (1 + number)) for number, one in enumerate(corpus.texts)]")
    project.add_all(f"xerus {number}" for number in range(60))
    answer = ask(project, limit=3)
    assert len(answer.results) == 3
    assert (answer.stats.retrieved, answer.stats.dropped) == (50, {})
    assert [result.relevance for result in answer.results] == [1, 1 / 2, 1 / 3]


def test_unknown_names_odd_options_and_names_of_what_is_built_in_are_not_taken(
    project: Project, install: Install
) -> None:
    install("return []")
    project.add("xerus")
    with pytest.raises(NotFound) as caught:
        ask(project, retriever="minne")
    assert caught.value.candidates == ("hybrid", "bm25", "mine")
    project.configure('search.retriever_options = ["nonsense"]')
    with pytest.raises(UsageError, match="NAME=VALUE"):
        ask(project)
    install("return []", name="hybrid")
    assert contents(ask(project, retriever="hybrid")) == ["xerus"]


def test_the_doctor_lists_them_and_names_one_that_is_broken(project: Project, install: Install) -> None:
    def said() -> list[tuple[Level, str]]:
        with project.open() as workspace:
            return [(one.level, one.detail) for one in examine(workspace.kernel) if one.check == "retrievers"]

    install("return []")
    assert said() == [(Level.OK, "hybrid (built in), bm25 (built in), mine (tx-mine)")]
    sys.modules.pop("plugged_in", None)
    install("", text="import nothing_like_it")
    broken, fine = said()
    assert broken[0] is Level.ADVICE
    assert "nothing_like_it" in broken[1]
    assert fine == (Level.OK, "hybrid (built in), bm25 (built in)")
    project.configure('search.retriever = "mine"')
    assert said()[0][0] is Level.PROBLEM
    project.configure('search.retriever = "lost"')
    assert said()[0][0] is Level.PROBLEM
