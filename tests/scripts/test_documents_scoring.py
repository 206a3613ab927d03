from __future__ import annotations

import pytest

from scripts.benchmarks.documents.scoring import Score, score, summary
from tx_graph.history.sampling import Effect

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
