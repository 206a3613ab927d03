"""The block between our marks comes into a Markdown text and goes out of it, and the rest stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import MarkedFile
from tx_graph.faces.setup.files import BEGIN, END, with_ours, without_ours

FILE = MarkedFile(path="AGENTS.md", block="Ask tx.\n\nTwice.\n")
_TEXTS = st.builds(str.replace, st.text("ab #\n<!->é", max_size=40), st.just("\n"), st.sampled_from(["\n", "\r\n"]))


@given(_TEXTS)
def test_writing_twice_is_writing_once_and_taking_back_leaves_no_trace(text: str) -> None:
    written = with_ours(text, FILE)
    assert "Ask tx." in written
    assert with_ours(written, FILE) == written
    assert without_ours(written, FILE) == text
    assert without_ours(text, FILE) == text


@given(_TEXTS, _TEXTS)
def test_a_newer_block_takes_the_place_of_the_older_where_that_stands(before: str, after: str) -> None:
    text = with_ours(before, FILE) + "\n" + after
    newer = with_ours(text, MarkedFile(path="AGENTS.md", block="Ask again."))
    assert "Ask again." in newer
    assert "Ask tx." not in newer
    assert with_ours(newer, FILE).split() == text.split()


def test_a_file_of_our_own_goes_whole() -> None:
    written = with_ours(None, FILE)
    assert written == f"{BEGIN}\nAsk tx.\n\nTwice.\n{END}\n"
    assert without_ours(written, FILE) is None


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"])
def test_marks_that_are_no_pair_are_refused(text: str) -> None:
    for act in (with_ours, without_ours):
        with pytest.raises(UsageError, match="not just once"):
            act(text, FILE)
