"""Anchors as one writes them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, looks_like_glob, parse_anchor, parse_lines


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
