from __future__ import annotations

import re

import pytest

from scripts.benchmarks.documents.questions import QuestionSet, question_sets

SETS = list(question_sets())
REFERENCE = re.compile(r"[^#\s]+\.(md|rst)#[\w-]+")


@pytest.mark.parametrize("questions", SETS, ids=lambda one: one.name)
class TestQuestions:
    def test_each_names_the_sections_that_answer_it(self, questions: QuestionSet) -> None:
        answers = [answer for one in questions.questions for answer in one.answers]
        assert all(one.answers for one in questions.questions)
        assert all(REFERENCE.fullmatch(answer) for answer in answers)

    def test_no_answer_is_named_twice(self, questions: QuestionSet) -> None:
        assert all(len(set(one.answers)) == len(one.answers) for one in questions.questions)

    def test_none_is_asked_twice(self, questions: QuestionSet) -> None:
        texts = [one.text for one in questions.questions]
        assert len(set(texts)) == len(texts) >= 15

    def test_about_a_third_is_held_out(self, questions: QuestionSet) -> None:
        held_out = sum(one.held_out for one in questions.questions)
        assert held_out == pytest.approx(len(questions.questions) / 3, abs=1)

    def test_half_need_more_than_one_section(self, questions: QuestionSet) -> None:
        assert sum(len(one.answers) > 1 for one in questions.questions) * 2 >= len(questions.questions)

    def test_they_are_about_one_commit(self, questions: QuestionSet) -> None:
        assert re.fullmatch(r"[0-9a-f]{40}", questions.commit)
