"""What doc:search finds of answers that are known: the questions, the scores, the tables, and the tree to read."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from scripts.benchmarks.documents.questions import Question, QuestionSet, question_sets
from scripts.benchmarks.documents.scoring import Score, score, summary
from scripts.benchmarks.documents.tables import TOGETHER, as_document, as_markdown, parts
from scripts.benchmarks.documents.tree import documents, make
from scripts.benchmarks.documents.variants import Variant, variants
from tx_graph.history.sampling import Effect

REFERENCE = re.compile(r"[^#\s]+\.(md|rst)#[\w-]+")


@pytest.mark.parametrize("questions", list(question_sets()), ids=lambda one: one.name)
def test_questions_name_their_answers_once_need_several_sections_and_a_third_is_held_out(
    questions: QuestionSet,
) -> None:
    asked = questions.questions
    for one in asked:
        assert one.answers
        assert all(REFERENCE.fullmatch(answer) for answer in one.answers)
        assert len(set(one.answers)) == len(one.answers)
    assert len({one.text for one in asked}) == len(asked) >= 15
    assert sum(one.held_out for one in asked) == pytest.approx(len(asked) / 3, abs=1)
    assert sum(len(one.answers) > 1 for one in asked) * 2 >= len(asked)
    assert re.fullmatch(r"[0-9a-f]{40}", questions.commit)


ANSWERS = ("docs/a.md#setup", "docs/b.md#keys")


@pytest.mark.parametrize(
    ("results", "recall", "reciprocal_rank"),
    [
        (["docs/a.md#setup", "docs/b.md#keys"], 1.0, 1.0),
        (["docs/c.md#x", "docs/b.md#keys"], 0.5, 0.5),
        (["docs/a.md"], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
)
def test_recall_is_the_share_of_the_answers_and_rank_the_place_of_the_first(
    results: list[str], recall: float, reciprocal_rank: float
) -> None:
    assert score(results, ANSWERS) == Score(recall=recall, reciprocal_rank=reciprocal_rank)


def test_what_comes_after_the_fifth_result_does_not_count() -> None:
    others = [f"docs/c.md#{number}" for number in range(5)]
    assert score([*others, *ANSWERS], ANSWERS) == Score(recall=0.0, reciprocal_rank=0.0)


def test_a_part_counts_as_its_section_and_takes_a_place() -> None:
    parts = [f"docs/a.md#setup~{number}" for number in range(1, 6)]
    assert score([*parts, "docs/b.md#keys"], ANSWERS) == Score(recall=0.5, reciprocal_rank=1.0)


def test_a_tilde_in_a_name_is_no_part() -> None:
    assert score(["docs/a~b.md#setup"], ["docs/a~b.md#setup"]).recall == 1.0


def test_a_gain_is_told_from_chance() -> None:
    better, worse = Score(recall=1.0, reciprocal_rank=1.0), Score(recall=0.0, reciprocal_rank=0.0)
    gained = summary([better] * 20, [worse] * 20).gain
    level = summary([better, worse] * 10, [worse, better] * 10).gain
    assert gained is not None
    assert level is not None
    assert (gained.effect, level.effect) == (Effect.HELPS, Effect.UNCLEAR)


def test_without_a_baseline_there_is_no_gain() -> None:
    assert summary([Score(recall=0.5, reciprocal_rank=0.5)]).gain is None


FOUND, MISSED = Score(recall=1.0, reciprocal_rank=1.0), Score(recall=0.0, reciprocal_rank=0.0)
PLAIN = Variant(name="plain")
WALK = Variant(name="walk", options={"hops": 2}, against="plain")


def a_set(name: str) -> QuestionSet:
    seen = Question(text="what?", kind="look-up", answers=("a.md#a",))
    unseen = Question(text="why?", kind="related", answers=("a.md#b",), held_out=True)
    return QuestionSet(name=name, url="", commit="0" * 40, questions=(seen, unseen))


SETS = [a_set("one"), a_set("two")]
ASKED = [
    (PLAIN, {"one": [FOUND, MISSED], "two": [FOUND, MISSED]}),
    (WALK, {"one": [FOUND, FOUND], "two": [FOUND, MISSED]}),
]


def test_questions_that_are_held_out_are_told_apart() -> None:
    found = parts(SETS, ASKED)
    recalls = {part: [line.sets[TOGETHER].recall.value for line in lines] for part, lines in found.items()}
    assert recalls == {"tuned on": [1.0, 1.0], "held out": [0.0, 0.5], "all": [0.5, 0.75]}


def test_each_set_has_its_own_average() -> None:
    walk = parts(SETS, ASKED)["held out"][1]
    assert [walk.sets[name].recall.value for name in ("one", "two")] == [1.0, 0.0]


def test_a_way_is_compared_with_the_one_it_names() -> None:
    gains = [line.sets[TOGETHER].gain for line in parts(SETS, ASKED)["all"]]
    assert [gain and gain.points.value for gain in gains] == [None, 0.25]


def test_tables_and_the_document_have_every_part_and_way() -> None:
    found = parts(SETS, ASKED)
    rows = [line for line in as_markdown(found).splitlines() if line.startswith("| walk |")]
    document = json.loads(json.dumps(as_document(found)))
    assert len(rows) == 3
    assert "plain: +0.250" in rows[2]
    assert [line["name"] for line in document["held_out"]] == ["plain", "walk"]


def test_every_way_is_compared_with_one_that_comes_before_it() -> None:
    asked = list(variants())
    names = [one.name for one in asked]
    assert len(set(names)) == len(names)
    assert all(not one.against or one.against in names[: names.index(one.name)] for one in asked)


def a_repository(root: Path) -> Path:
    (root / "docs").mkdir(parents=True)
    (root / "docs/a.md").write_text("# A\n\n[b](b.rst)\n")
    (root / "docs/b.rst").write_text("B\n=\n")
    (root / "main.py").write_text("print()\n")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    return root


def test_documents_are_copied_until_there_are_enough_into_a_workspace(tmp_path: Path) -> None:
    size = make(tmp_path / "made", [a_repository(tmp_path / "source")], count=5)
    made = [path.relative_to(tmp_path / "made").as_posix() for path in documents(tmp_path / "made")]
    both = ("docs/a.md", "docs/b.rst")
    assert made == [f"source-{copy}/{name}" for copy in range(3) for name in both][:5]
    assert size == sum((tmp_path / "made" / path).stat().st_size for path in made)
    assert (tmp_path / "made/.tx").is_dir()
