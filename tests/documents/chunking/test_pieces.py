"""A section becomes pieces that hold all of it, in order, none larger than asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.chunking.texts import laid_out, lines, plain, sections
from tx_graph.core.errors import UsageError
from tx_graph.core.text import by_script
from tx_graph.documents.chunking import ChunkOptions, Piece, Span, Strategy, pieces_of
from tx_graph.documents.document import Block, BlockKind

Section = tuple[str, list[Block]]
SMALL = {"size": 24, "overlap": 6, "parent_size": 48, "child_size": 16}
EVERY = st.sampled_from([ChunkOptions(strategy=strategy, **SMALL) for strategy in Strategy])
ANY: st.SearchStrategy[Section] = sections | plain.map(lambda text: (text, []))


def alike(sentences: object) -> list[float]:
    assert isinstance(sentences, list)
    return [(len(one) * 7 + len(other)) % 10 / 10 for one, other in pairwise(sentences)]


def cut(section: Section, options: ChunkOptions) -> list[Piece]:
    text, blocks = section
    return pieces_of(text, blocks, options, alike=alike)


def uncovered(text: str, spans: list[Span]) -> str:
    """Return what of `text` lies in none of the spans."""
    kept = list(text)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    return "".join(kept).strip()


@given(ANY, EVERY)
def test_pieces_hold_everything_in_order(section: Section, options: ChunkOptions) -> None:
    spans = [piece.span for piece in cut(section, options)]
    assert not uncovered(section[0], spans)
    assert all(section[0][start:end].strip() for start, end in spans)
    assert spans == sorted(spans)
    repeats = options.strategy in {Strategy.RECURSIVE, Strategy.SEMANTIC}
    assert all(one.end < other.end and (repeats or one.end <= other.start) for one, other in pairwise(spans))


@given(ANY, EVERY)
def test_no_piece_and_no_child_is_larger_than_asked_for(section: Section, options: ChunkOptions) -> None:
    family = options.strategy is Strategy.PARENT_CHILD
    for piece in cut(section, options):
        assert by_script(section[0][slice(*piece.span)]) <= (options.parent_size if family else options.size)
        for child in piece.children:
            assert by_script(section[0][slice(*child)]) <= (options.child_size if family else options.size)


@given(ANY, EVERY)
def test_children_lie_in_their_piece_and_hold_all_of_it(section: Section, options: ChunkOptions) -> None:
    for piece in cut(section, options):
        assert all(piece.span.start <= child.start < child.end <= piece.span.end for child in piece.children)
        text = section[0][slice(*piece.span)]
        moved = [Span(child.start - piece.span.start, child.end - piece.span.start) for child in piece.children]
        assert not uncovered(text, moved)


@given(sections, sections, sections, st.sampled_from([Strategy.RECURSIVE, Strategy.MARKDOWN, Strategy.PARENT_CHILD]))
def test_an_edit_moves_nothing_far_before(beginning: Section, one: Section, other: Section, strategy: Strategy) -> None:
    options = ChunkOptions(strategy=strategy, **SMALL)
    safe = len(beginning[0]) - 4 * options.parent_size - 400
    pieces = [
        [piece for piece in cut(_joined(beginning, ending), options) if piece.span.start < safe]
        for ending in (one, other)
    ]
    assert pieces[0] == pieces[1]


def _joined(one: Section, other: Section) -> Section:
    parts = [(block.kind, text[block.start : block.end]) for text, blocks in (one, other) for block in blocks]
    return laid_out(parts)


@given(ANY, EVERY)
def test_the_same_text_gives_the_same_pieces(section: Section, options: ChunkOptions) -> None:
    assert cut(section, options) == cut(section, options)


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("text", ["", " \n\t\n", "\u3000"])
def test_a_blank_text_has_no_pieces(strategy: Strategy, text: str) -> None:
    assert pieces_of(text, [], ChunkOptions(strategy=strategy)) == []


@pytest.mark.parametrize("strategy", Strategy)
def test_a_text_that_fits_is_one_piece(strategy: Strategy) -> None:
    text = "## Usage\n\nCall it. Then call it again.\n"
    whole = Span(0, len(text))
    assert pieces_of(text, [], ChunkOptions(strategy=strategy)) == [Piece(span=whole, children=(whole,))]


@given(lines)
def test_a_block_of_code_that_fits_is_never_torn(code: str) -> None:
    options = ChunkOptions(strategy=Strategy.MARKDOWN, size=by_script(code))
    prose = "Some words about it. " * 5
    text, blocks = laid_out([(BlockKind.PARAGRAPH, prose), (BlockKind.CODE, code), (BlockKind.PARAGRAPH, prose)])
    held = [text[slice(*piece.span)] for piece in pieces_of(text, blocks, options)]
    assert any(code.strip() in piece for piece in held)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size must be at least 1 token, not 0."),
        ({"child_size": -1}, "child_size must be at least 1 token, not -1."),
        ({"parent_size": 100}, r"child_size \(256\) must not exceed parent_size \(100\)."),
        ({"overlap": -1}, "overlap must be 0 tokens or more, not -1."),
        ({"percentile": 101}, "percentile must be between 0 and 100, not 101."),
        ({"percentile": float("nan")}, "percentile must be between 0 and 100, not nan."),
    ],
)
def test_a_size_without_meaning_is_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        ChunkOptions(**options)  # type: ignore[arg-type]
