from __future__ import annotations

import pytest

from scripts.benchmarks.survival.answers import Answer, Grade, Verdict
from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.report import as_document, as_markdown, as_text, census, details
from scripts.benchmarks.survival.scoring import Outcome, judged, score

HERE, THERE, ELSEWHERE = "a.py::f", "b.py::f", "c.py::f"

VALID = Answer(verdict=Verdict.VALID)
INVALID = Answer(verdict=Verdict.INVALID, candidates=(THERE, ELSEWHERE))
STRAY = Answer(verdict=Verdict.RELOCATED, relocated_to=ELSEWHERE)
FOUND = Answer(verdict=Verdict.RELOCATED, relocated_to=THERE)


def drifted(grade: Grade, place: str = "") -> Answer:
    return Answer(verdict=Verdict.DRIFTED, drift=grade, relocated_to=place)


@pytest.mark.parametrize(
    ("fate", "answer", "outcome"),
    [
        (Fate.UNCHANGED, VALID, Outcome.CORRECT),
        (Fate.UNCHANGED, drifted(Grade.FORMAT), Outcome.CORRECT),
        (Fate.UNCHANGED, drifted(Grade.COMMENT), Outcome.OTHER_GRADE),
        (Fate.UNCHANGED, INVALID, Outcome.LOST),
        (Fate.UNCHANGED, STRAY, Outcome.MISPLACED),
        (Fate.FORMAT, VALID, Outcome.CORRECT),
        (Fate.FORMAT, drifted(Grade.BODY), Outcome.FALSE_DRIFT),
        (Fate.COMMENT, drifted(Grade.COMMENT), Outcome.CORRECT),
        (Fate.COMMENT, VALID, Outcome.OTHER_GRADE),
        (Fate.COMMENT, drifted(Grade.SIGNATURE), Outcome.FALSE_DRIFT),
        (Fate.BODY, drifted(Grade.BODY), Outcome.CORRECT),
        (Fate.BODY, drifted(Grade.SIGNATURE), Outcome.OTHER_GRADE),
        (Fate.BODY, drifted(Grade.COMMENT), Outcome.MISSED_DRIFT),
        (Fate.BODY, VALID, Outcome.MISSED_DRIFT),
        (Fate.BODY, STRAY, Outcome.MISPLACED),
        (Fate.BODY, None, Outcome.UNANSWERED),
        (Fate.SIGNATURE, drifted(Grade.BODY), Outcome.OTHER_GRADE),
        (Fate.DRIFT, drifted(Grade.BODY), Outcome.CORRECT),
        (Fate.DRIFT, drifted(Grade.SIGNATURE), Outcome.CORRECT),
        (Fate.DRIFT, drifted(Grade.FORMAT), Outcome.MISSED_DRIFT),
    ],
)
def test_a_symbol_that_stayed_is_judged_by_its_drift(fate: Fate, answer: Answer | None, outcome: Outcome) -> None:
    assert judged(Truth(fate=fate, place=HERE), answer) is outcome


@pytest.mark.parametrize(
    ("fate", "answer", "outcome"),
    [
        (Fate.MOVED, FOUND, Outcome.CORRECT),
        (Fate.MOVED, drifted(Grade.COMMENT, THERE), Outcome.CORRECT),
        (Fate.MOVED, drifted(Grade.BODY, THERE), Outcome.FALSE_DRIFT),
        (Fate.MOVED, INVALID, Outcome.ABSTAINED),
        (Fate.MOVED, VALID, Outcome.MISPLACED),
        (Fate.RENAMED, STRAY, Outcome.MISPLACED),
        (Fate.RENAMED, FOUND, Outcome.CORRECT),
        (Fate.MOVED_AND_EDITED, drifted(Grade.SIGNATURE, THERE), Outcome.CORRECT),
        (Fate.MOVED_AND_EDITED, FOUND, Outcome.MISSED_DRIFT),
        (Fate.MOVED_AND_EDITED, drifted(Grade.BODY), Outcome.MISPLACED),
        (Fate.MOVED_AND_EDITED, INVALID, Outcome.ABSTAINED),
    ],
)
def test_a_symbol_that_left_is_judged_by_its_place_first(fate: Fate, answer: Answer, outcome: Outcome) -> None:
    assert judged(Truth(fate=fate, place=THERE), answer) is outcome


@pytest.mark.parametrize(
    ("answer", "outcome"), [(INVALID, Outcome.CORRECT), (VALID, Outcome.MISPLACED), (STRAY, Outcome.MISPLACED)]
)
def test_a_deleted_symbol_is_nowhere(answer: Answer, outcome: Outcome) -> None:
    assert judged(Truth(fate=Fate.DELETED), answer) is outcome


TRUTHS = {
    "a.py::f": Truth(fate=Fate.MOVED, place=THERE),
    "a.py::g": Truth(fate=Fate.RENAMED, place="a.py::h"),
    "a.py::i": Truth(fate=Fate.DELETED),
    "a.py::j": Truth(fate=Fate.UNCERTAIN, reason="tiny"),
    "a.py::k": Truth(fate=Fate.BODY, place="a.py::k"),
}
ANSWERS = {"a.py::f": FOUND, "a.py::g": INVALID, "a.py::i": STRAY, "a.py::j": STRAY, "a.py::k": VALID}


def test_precision_counts_what_was_relocated_where_the_truth_is_known() -> None:
    table = score(TRUTHS, ANSWERS)
    assert (table.right_relocations, table.relocations, table.precision) == (1, 2, 0.5)


def test_recall_counts_what_moved_or_was_renamed() -> None:
    assert score(TRUTHS, ANSWERS).recall == 0.5


def test_uncertain_symbols_are_tallied_and_not_scored() -> None:
    table = score(TRUTHS, ANSWERS)
    assert Fate.UNCERTAIN not in table.outcomes
    assert table.uncertain["tiny"][Verdict.RELOCATED] == 1


def test_without_cases_nothing_is_wrong() -> None:
    table = score({}, {})
    assert (table.precision, table.recall) == (1.0, 1.0)


def test_an_answer_that_names_the_place_it_had_is_no_relocation() -> None:
    truths = {HERE: Truth(fate=Fate.UNCHANGED, place=HERE)}
    table = score(truths, {HERE: Answer(verdict=Verdict.VALID, relocated_to=HERE)})
    assert table.relocations == 0
    assert table.total(Outcome.CORRECT) == 1


def test_the_table_says_what_is_wrong() -> None:
    table = score(TRUTHS, ANSWERS)
    text = as_text(table, heading="shop, v1 to v2")
    assert text.startswith("shop, v1 to v2\n")
    assert "precision 0.5000 (1 of 2), recall on moved and renamed 0.5000" in text
    assert "missed drift 1, false drift 0" in text
    assert "uncertain, tiny: 1 (1 relocated)" in text
    assert "| body | 1 | 0 | 0 | 0 | 1 | 1 missed drift |" in as_markdown(table, heading="shop")
    assert as_document(table, heading="shop")["outcomes"]["deleted"] == {Outcome.MISPLACED: 1}


def test_the_census_counts_fates_in_their_order() -> None:
    assert [line.split(maxsplit=1) for line in census(TRUTHS, heading="shop").splitlines()[2:]] == [
        ["1", "body"],
        ["1", "moved"],
        ["1", "renamed"],
        ["1", "deleted"],
        ["1", "uncertain"],
    ]


def test_details_are_a_line_for_each_symbol() -> None:
    lines = [line.split("\t") for line in details(TRUTHS, ANSWERS)]
    assert lines[1] == ["a.py::g", "renamed", "a.py::h", "", "abstained", "invalid", "", "", f"{THERE} {ELSEWHERE}"]
    assert lines[3][1:5] == ["uncertain", "", "tiny", ""]
