"""Sentences end where a reader would end them, in prose about code and in any script."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.chunking.texts import plain
from tests.tables import cells
from tx_graph.documents.chunking import outside, sentence_ends


def sentences(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in pairwise([0, *sentence_ends(text), len(text)])]


@pytest.mark.parametrize(
    "expected",
    cells("""
        It works.|Then it stops. ¦ Does it?|Yes!|Never?!|Good. ¦ Wait...|More…|Done.
        It is so.[1]|It was so.[^note]|End. ¦ He said “stop.”|She did.|(Really.)|**Yes.**|`No` then.
        It came in 2019.|It left.|5 remained.
        The answer is no.|Take A instead. ¦ Logs, traces, etc.|The rest is kept.
        See src/auth.py.|Then see a.b::call.|Done. ¦ 你好。|世界！|是吗？|「好。」|2024年。|价格３．１４元。|好
        यह है।|वह है॥|और ¦ هل هذا؟|نعم.|لا۔|انتهى
    """),  # noqa: RUF001
)
def test_a_sentence_ends_before_the_next_one(expected: str) -> None:
    assert sentences(expected.replace("|", " ")) == expected.split("|")


def test_without_blanks_between_them_ideographs_are_sentences_too() -> None:
    assert sentences("你好。世界！好") == ["你好。", "世界！", "好"]  # noqa: RUF001


@pytest.mark.parametrize(
    "text",
    [
        *cells("""
            Some checks, e.g. Bandit or i.e. Ruff ¦ Dr. Who and Prof. Ada vs. Mr. J. R. Smith et al. 1999
            See Fig. 3, No. 5, vol. 2 and Sec. 4 of Jan. 2020 ¦ Pi is 3.14 and 1.2.3 is a version
            The file foo.py is read, https://a.org/b.c?d=e. too ¦ Yahoo! is a name and what? is none
            in the U.S. Army, at 5 a.m. Monday ¦ A call of `a. B` or ``x `y`. Z`` here ¦ 1. Install it
            the end. ¦ `unclosed. and open ¦ . . .
        """),
        *("  12. Build it", "the end.  \n", ""),
    ],
)
def test_these_are_one_sentence(text: str) -> None:
    assert sentence_ends(text) == []


def test_a_numbered_item_keeps_its_number() -> None:
    assert sentences("1. Install it.\n2. Build it.") == ["1. Install it.", "2. Build it."]


def test_an_unclosed_backtick_hides_nothing_of_what_comes_later() -> None:
    assert len(sentence_ends("One ` here. " + "Then another. " * 60)) > 50


@given(plain)
def test_ends_are_in_order_and_between_words(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert all(text[:end].strip() and text[end:].strip() for end in ends)


@given(plain, st.text(max_size=50))
def test_what_comes_later_moves_no_end(text: str, later: str) -> None:
    settled = "\n\nSettled here, that is. Next one"
    before = [end for end in sentence_ends(text + settled) if end < len(text) - 310]
    assert [end for end in sentence_ends(text + settled + later) if end < len(text) - 310] == before


@pytest.mark.parametrize("part", ["`", ".", "` ", "a `` b ` ", ". ((((", "A. ", "a.", "\n", "[1]", '.")]', "。", ".[1"])
def test_even_odd_texts_take_a_time_that_grows_only_with_their_length(part: str) -> None:
    assert len(sentence_ends(part * 200_000)) <= 200_000 * len(part)  # hangs otherwise


def test_places_within_spans_are_left_out() -> None:
    assert list(outside([0, 2, 3, 5, 9, 12], [(2, 5), (8, 10)])) == [0, 2, 5, 12]
    assert list(outside([1, 2], [])) == [1, 2]
