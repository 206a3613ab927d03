"""The benchmark of recall: how its sets are read, what counts as right, and a whole run of a small one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.facts import DECISIONS, decisions, locomo, main
from tests.git_sandbox import use_settings


def test_a_hundred_questions_about_three_repositories_each_with_facts_that_are_there() -> None:
    sets = list(decisions(DECISIONS))
    questions = [question for one in sets for question in one.questions]
    assert (len(sets), len(questions)) == (3, 100)
    assert sum(not question.answers for question in questions) == 15
    assert len({question.text for question in questions}) == 100
    assert {question.half for question in questions} == {"fitted", "held"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("= a/b\nsomething else\n", "neither a fact"), ("= a/b\n? Who? -> nobody\n", "no fact is called")],
)
def test_a_set_that_makes_no_sense_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "set.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        list(decisions(tmp_path / "set.txt"))


@pytest.fixture
def observed(tmp_path: Path) -> Path:
    said = [["Ada bought a telescope.", "D1:1"], ["Ada likes tea.", "D1:2"]]
    asked = [
        {"question": "What did Ada buy?", "answer": "a telescope", "evidence": ["D1:1"], "category": 4},
        {"question": "What does Ada like?", "answer": "tea", "evidence": ["D1:1"], "category": 4},
        {"question": "When?", "answer": "telescope", "evidence": ["D1:1"], "category": 2},
    ]
    file = tmp_path / "7.json"
    file.write_text(json.dumps({"session_1_observation": {"Ada": said}, "qa": asked}))
    return file


def test_a_question_counts_where_an_observation_of_its_evidence_has_the_answer(observed: Path) -> None:
    (one,) = locomo(observed)
    assert [fact.said for fact in one.facts] == [("Ada", "bought", "a telescope."), ("Ada", "likes", "tea.")]
    assert [(question.text, len(question.answers)) for question in one.questions] == [("What did Ada buy?", 1)]


def test_a_run_tells_how_many_were_right(
    observed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_settings(monkeypatch)
    assert main([str(observed), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["summary"]["answerable"], told["summary"]["right among ten"]) == (1, 1.0)
    assert told["questions"][0]["place"] == 1
