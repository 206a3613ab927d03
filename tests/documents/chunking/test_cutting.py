"""Cuts fall where a reader would rest, and what is repeated is repeated whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.chunking.texts import laid_out, plain
from tx_graph.core.text import by_script
from tx_graph.documents.chunking import ChunkOptions, Places, Span, Strategy, cut, pieces_of
from tx_graph.documents.document import BlockKind

Written = list[tuple[BlockKind, str]]
SENTENCE = "Some words stand in it. "


def cut_text(text: str, *, size: int, overlap: int = 0) -> list[str]:
    return [text[slice(*span)] for span in cut(Places(text, size=size), Span(0, len(text)), overlap=overlap)]


def cut_blocks(written: Written, *, size: int, gap: str = "\n\n") -> list[str]:
    text, blocks = laid_out(written, gap=gap)
    options = ChunkOptions(strategy=Strategy.MARKDOWN, size=size)
    return [text[slice(*piece.span)] for piece in pieces_of(text, blocks, options)]


def paragraph(sentences: int) -> str:
    return (SENTENCE * sentences).strip()


def test_paragraphs_stay_whole_where_they_can() -> None:
    text = "\n\n".join([paragraph(2)] * 6)
    assert cut_text(text, size=by_script(paragraph(2)) * 2 + 2) == ["\n\n".join([paragraph(2)] * 2)] * 3


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    assert cut_text(paragraph(10), size=20) == [paragraph(2)] * 5


def test_a_long_sentence_is_cut_between_words() -> None:
    words = " ".join(["validate"] * 20)
    assert cut_text(words, size=9) == [" ".join(["validate"] * 4)] * 5


def test_lines_go_before_words() -> None:
    lines = "\n".join(["some words without an end"] * 4)
    assert cut_text(lines, size=10) == ["some words without an end"] * 4


def test_a_long_word_is_cut_between_characters() -> None:
    assert cut_text("x" * 100, size=10) == ["x" * 40, "x" * 40, "x" * 20]


def test_an_accent_stays_with_its_letter() -> None:
    assert not any(piece.startswith("\u0301") for piece in cut_text("e\u0301" * 100, size=10))


def test_a_short_paragraph_does_not_stand_alone_because_the_next_one_is_long() -> None:
    pieces = cut_text(f"Short.\n\n{paragraph(8)}", size=30)
    assert pieces[0] == f"Short.\n\n{paragraph(3)}"


def test_ideographs_are_cut_between_sentences_or_anywhere() -> None:
    assert cut_text("认证令牌。" * 4, size=11) == ["认证令牌。" * 2] * 2
    assert cut_text("认证令牌" * 5, size=10) == ["认证令牌认证令牌认证", "令牌认证令牌认证令牌"]


def test_the_indentation_of_a_first_line_is_kept() -> None:
    assert cut_text("def one():\n    pass\n\n    more = 1\n", size=8)[-1].startswith("    more")


def test_code_goes_whole_into_the_next_piece() -> None:
    code = "```\nfirst = 1\n\nsecond = 2\n```"
    pieces = cut_blocks([(BlockKind.PARAGRAPH, paragraph(3)), (BlockKind.CODE, code)], size=35)
    assert pieces == [paragraph(3), code]


def test_code_larger_than_a_piece_is_cut_at_empty_lines_or_else_at_lines() -> None:
    block = "\n".join(["value = compute"] * 6)
    pieces = cut_blocks([(BlockKind.CODE, f"{block}\n\n{block}")], size=by_script(block) + 10)
    assert pieces == [block, block]
    assert set(cut_blocks([(BlockKind.CODE, block)], size=8)) == {"value = compute"}


def test_a_heading_stays_with_what_follows() -> None:
    written = [
        (BlockKind.PARAGRAPH, paragraph(3)),
        (BlockKind.HEADING, "### Usage. And More."),
        (BlockKind.PARAGRAPH, paragraph(3)),
    ]
    assert cut_blocks(written, size=30)[1].startswith("### Usage. And More.\n\nSome words")


def test_a_heading_leaves_what_follows_only_where_both_would_be_too_large() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    pieces = cut_blocks([(BlockKind.HEADING, "### Usage"), (BlockKind.TABLE, table)], size=by_script(table))
    assert pieces == ["### Usage", table]


def test_a_line_that_leads_in_stays_with_what_it_leads_to() -> None:
    written = [
        (BlockKind.PARAGRAPH, paragraph(3)),
        (BlockKind.PARAGRAPH, "Call it:"),
        (BlockKind.CODE, "call(it)"),
        (BlockKind.PARAGRAPH, paragraph(2)),
    ]
    assert cut_blocks(written, size=28)[1].startswith("Call it:\n\ncall(it)")


def test_items_are_cut_between_rather_than_within() -> None:
    item = f"- {paragraph(2)}"
    written = [(BlockKind.ITEM, item)] * 6
    assert cut_blocks(written, size=by_script(item) * 2 + 8, gap="\n") == [f"{item}\n{item}"] * 3


def test_what_no_block_holds_is_cut_as_prose() -> None:
    text, blocks = laid_out([(BlockKind.CODE, "one = 1"), (BlockKind.CODE, "two = 2")], gap=f"\n\n{paragraph(6)}\n\n")
    spans = [piece.span for piece in pieces_of(text, blocks, ChunkOptions(strategy=Strategy.MARKDOWN, size=20))]
    assert text[slice(*spans[0])] == f"one = 1\n\n{paragraph(2)}"
    assert text[slice(*spans[-1])].endswith("two = 2")


def test_sentences_are_repeated_whole() -> None:
    pieces = cut_text(paragraph(10), size=30, overlap=8)
    assert pieces[0] == paragraph(4)
    assert pieces[1] == paragraph(4)
    assert len(pieces) == 3


def test_where_no_sentence_fits_words_are_repeated() -> None:
    pieces = cut_text(" ".join(f"word{chr(97 + n)}" for n in range(20)), size=10, overlap=3)
    assert pieces[0].split()[-2:] == pieces[1].split()[:2]


@given(plain, st.integers(4, 40), st.integers(0, 60))
def test_at_most_so_much_is_repeated_and_never_more_than_half_a_piece(text: str, size: int, overlap: int) -> None:
    spans = list(cut(Places(text, size=size), Span(0, len(text)), overlap=overlap))
    for one, other in pairwise(spans):
        repeated = text[other.start : one.end]
        assert by_script(repeated) <= min(overlap, size // 2)
        assert one.start < other.start
        assert one.end < other.end


_ODD = ["x" * 300_000, " x" * 150_000, "a" + " \n" * 300_000 + "b", "认" * 200_000, "\u0301" * 99_999]


@pytest.mark.parametrize("text", _ODD)
@pytest.mark.parametrize("strategy", Strategy)
def test_odd_texts_take_a_time_that_grows_only_with_their_length(text: str, strategy: Strategy) -> None:
    assert pieces_of(text, [], ChunkOptions(strategy=strategy))  # hangs otherwise


def test_a_text_of_many_blocks_is_cut() -> None:
    text, blocks = laid_out([(BlockKind.ITEM, "- an item of it")] * 20_000, gap="\n")
    assert len(pieces_of(text, blocks, ChunkOptions())) > 10
