"""What a learning may hold, and anchors as one writes them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import LABEL_LIMIT, clean_label
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, looks_like_glob, parse_anchor, parse_lines
from tx_graph.records.learning import CONTENT_LIMIT, clean_content, unit_interval


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one", "one"),
        ("one\r\ntwo\rthree\n", "one\ntwo\nthree"),
        ("\n\none\n\n", "one"),
        ("\n  \n\t\n    indented code\n  \n", "    indented code"),
        ("a\n\nb", "a\n\nb"),
    ],
)
def test_content_has_unix_line_ends_and_no_blank_lines_around_it(text: str, expected: str) -> None:
    assert clean_content(text) == expected


@pytest.mark.parametrize(
    "text", ["", " \n\t\r\n", "a\0b", "caf\udce9", "x" * (CONTENT_LIMIT + 1), "é" * (CONTENT_LIMIT // 2 + 1)]
)
def test_empty_binary_invalid_and_oversized_content_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        clean_content(text)


def test_a_megabyte_is_taken() -> None:
    assert len(clean_content("x" * CONTENT_LIMIT)) == CONTENT_LIMIT


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).filter(str.strip))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    once = clean_content(text)
    assert clean_content(once) == once
    assert once.split() == text.split()


def test_a_label_loses_the_white_space_around_it() -> None:
    assert clean_label("  security ", what="category") == "security"


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\tb", "a\0b", "\udce9", "x" * (LABEL_LIMIT + 1)])
def test_a_label_is_one_short_printable_line(text: str) -> None:
    with pytest.raises(UsageError):
        clean_label(text, what="category")


@pytest.mark.parametrize("value", [0, 0.0, 0.5, 1, 1.0])
def test_numbers_from_zero_to_one_are_taken(value: float) -> None:
    assert unit_interval(value, what="weight") == value


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, -math.inf, 10**300])
def test_other_numbers_are_refused(value: float) -> None:
    with pytest.raises(UsageError):
        unit_interval(value, what="weight")


@pytest.mark.parametrize(
    ("spec", "request_"),
    [
        ("src/a.ts", AnchorRequest(path="src/a.ts")),
        (" src/a.ts ", AnchorRequest(path="src/a.ts")),
        ("src/a.ts::A::b", AnchorRequest(path="src/a.ts", symbol="A::b")),
        ("src/a.ts:L3", AnchorRequest(path="src/a.ts", lines=(3, 3))),
        ("src/a.ts:L10-L20", AnchorRequest(path="src/a.ts", lines=(10, 20))),
        ("src/a.ts:L10-20", AnchorRequest(path="src/a.ts", lines=(10, 20))),
        ("src/a.ts:10-20", AnchorRequest(path="src/a.ts", lines=(10, 20))),
        ("src/a.ts:7", AnchorRequest(path="src/a.ts", lines=(7, 7))),
        ("src/**/*.ts", AnchorRequest(path="src/**/*.ts")),
        ("C:\\x", AnchorRequest(path="C:\\x")),
        ("C:\\x\\a.ts:L2", AnchorRequest(path="C:\\x\\a.ts", lines=(2, 2))),
        ("odd:name.ts", AnchorRequest(path="odd:name.ts")),
        ("src/a.ts::f#2", AnchorRequest(path="src/a.ts", symbol="f#2")),
        ("a b.md:L1-L2", AnchorRequest(path="a b.md", lines=(1, 2))),
    ],
)
def test_a_spec_says_path_symbol_and_lines(spec: str, request_: AnchorRequest) -> None:
    assert parse_anchor(spec) == request_


@pytest.mark.parametrize("spec", ["", "   ", "src/a.ts::A::b:L1-L2", "src/a.ts:L9-L2", "src/a.ts:L0", "src/a.ts:L0-L4"])
def test_an_empty_contradictory_or_reversed_spec_is_a_usage_error(spec: str) -> None:
    with pytest.raises(UsageError):
        parse_anchor(spec)


@pytest.mark.parametrize(
    ("text", "lines"),
    [("10-20", (10, 20)), ("L10-L20", (10, 20)), ("L10-20", (10, 20)), (" 7 ", (7, 7)), ("L7", (7, 7))],
)
def test_lines_are_written_with_or_without_the_letter(text: str, lines: tuple[int, int]) -> None:
    assert parse_lines(text) == lines


@pytest.mark.parametrize("text", ["", "0", "0-3", "20-10", "a-b", "1-", "-3", "1.5", "1-2-3", "L"])
def test_what_is_no_range_of_lines_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError):
        parse_lines(text)


_PATHS = st.text("abc/._- []*", min_size=1).filter(lambda path: path == path.strip())


@settings(deadline=None)
@given(path=_PATHS, symbol=st.text("abcA:", min_size=1, max_size=6).filter(lambda name: ":" not in name))
def test_the_spec_of_a_symbol_anchor_reads_back(path: str, symbol: str) -> None:
    spec = Anchor(path=path, type=AnchorType.SYMBOL, symbol=symbol).spec
    assert parse_anchor(spec) == AnchorRequest(path=path, symbol=symbol)


@settings(deadline=None)
@given(path=_PATHS, first=st.integers(1, 99), more=st.integers(0, 99))
def test_the_spec_of_a_lines_anchor_reads_back(path: str, first: int, more: int) -> None:
    spec = Anchor(path=path, type=AnchorType.LINES, lines=(first, first + more)).spec
    assert parse_anchor(spec) == AnchorRequest(path=path, lines=(first, first + more))


@pytest.mark.parametrize(
    ("path", "expected"), [("src/*.ts", True), ("a?.ts", True), ("pages/[id].ts", True), ("src/a.ts", False)]
)
def test_a_glob_is_told_by_its_characters(path: str, expected: bool) -> None:
    assert looks_like_glob(path) is expected
