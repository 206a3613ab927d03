"""Sentences that have least in common part; those that are all alike stay together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.chunking.texts import laid_out
from tx_graph.documents.chunking import ChunkOptions, Places, Strategy, percentile_of, pieces_of, sentences_of
from tx_graph.documents.document import BlockKind

CATS = "Cats sleep all day. Cats eat fish. Cats like milk."
CARS = "Cars need petrol. Cars have wheels. Cars make noise."


def by_first_word(sentences: Sequence[str]) -> list[float]:
    return [float(one.split()[0] == other.split()[0]) for one, other in pairwise(sentences)]


def cut(text: str, *, size: int = 24) -> list[str]:
    options = ChunkOptions(strategy=Strategy.SEMANTIC, size=size, overlap=0)
    return [text[slice(*piece.span)] for piece in pieces_of(text, [], options, alike=by_first_word)]


def test_a_text_is_cut_where_its_subject_changes() -> None:
    assert cut(f"{CATS} {CARS}") == [CATS, CARS]


def test_sentences_that_are_all_alike_stay_together() -> None:
    assert cut(" ".join(["Cats sleep."] * 4), size=10) == [" ".join(["Cats sleep."] * 2)] * 2


def test_what_belongs_together_but_is_too_large_is_cut_further() -> None:
    assert cut(f"{CATS} {CARS}", size=12)[:2] == ["Cats sleep all day. Cats eat fish.", "Cats like milk."]


@pytest.mark.parametrize("text", ["word " * 60, f"{'word ' * 60}. And more."])
def test_few_sentences_are_cut_as_plain_text(text: str) -> None:
    def unasked(_: Sequence[str]) -> list[float]:
        raise AssertionError

    semantic, recursive = (ChunkOptions(strategy=name, size=24) for name in (Strategy.SEMANTIC, Strategy.RECURSIVE))
    assert pieces_of(text, [], semantic, alike=unasked) == pieces_of(text, [], recursive)


def test_without_a_model_it_is_cut_as_plain_text() -> None:
    semantic, recursive = (ChunkOptions(strategy=name, size=24) for name in (Strategy.SEMANTIC, Strategy.RECURSIVE))
    assert pieces_of(f"{CATS} {CARS}", [], semantic) == pieces_of(f"{CATS} {CARS}", [], recursive)


def test_code_is_one_sentence_and_a_heading_belongs_to_the_next() -> None:
    text, blocks = laid_out(
        [(BlockKind.HEADING, "## A. B."), (BlockKind.PARAGRAPH, "One. Two."), (BlockKind.CODE, "call. It.\n\nNow.")]
    )
    spans = sentences_of(Places(text, blocks, size=512))
    assert [text[slice(*span)] for span in spans] == ["## A. B.\n\nOne.", "Two.", "call. It.\n\nNow."]


@pytest.mark.parametrize(
    ("values", "percentile", "expected"),
    [([4.0, 1.0, 2.0, 3.0, 5.0], 25, 2.0), ([1.0, 2.0], 25, 1.25), ([7.0], 25, 7.0), ([1.0, 3.0], 100, 3.0)],
)
def test_a_percentile_lies_between_its_neighbours(values: list[float], percentile: float, expected: float) -> None:
    assert percentile_of(values, percentile) == pytest.approx(expected)


@given(st.lists(st.floats(-1, 1), min_size=1), st.floats(0, 100))
def test_a_percentile_lies_among_the_values(values: list[float], percentile: float) -> None:
    assert min(values) <= percentile_of(values, percentile) <= max(values)
