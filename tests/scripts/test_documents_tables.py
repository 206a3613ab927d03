from __future__ import annotations

import json

from scripts.benchmarks.documents.questions import Question, QuestionSet
from scripts.benchmarks.documents.scoring import Score
from scripts.benchmarks.documents.tables import TOGETHER, as_document, as_markdown, parts
from scripts.benchmarks.documents.variants import Variant, variants

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
