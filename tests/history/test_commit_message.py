"""What a commit says is its subject and its body; what tools add to it says nothing."""

from __future__ import annotations

import pytest

from tx_graph.history.commits import CommitMessage


def message(text: str) -> CommitMessage:
    return CommitMessage(sha="0" * 40, time=0, author="Ada", text=text, paths=())


@pytest.mark.parametrize(
    ("text", "subject", "body"),
    [
        ("Fix it", "Fix it", ""),
        ("Fix it\n\nBecause it broke.\n", "Fix it", "Because it broke."),
        ("Fix it\nat once", "Fix it", "at once"),
        ("Fix it\r\n\r\nBecause.", "Fix it", "Because."),
        ("", "", ""),
    ],
)
def test_the_first_line_is_the_subject_and_the_rest_the_body(text: str, subject: str, body: str) -> None:
    assert (message(text).subject, message(text).body) == (subject, body)


def test_lines_that_tools_add_are_no_part_of_the_body() -> None:
    trailers = "Signed-off-by: Ada <a@b.org>\nCo-authored-by: Bo <b@b.org>\nChange-Id: I0123\nReviewed-by: Cy\n"
    assert message(f"Fix it\n\nBecause it broke.\n\n{trailers}").body == "Because it broke."
    assert message(f"Fix it\n\n{trailers}").body == ""


@pytest.mark.parametrize("line", ["Note: by the way", "Fixes: #12", "see also-by: nobody", "Signed-off-by:nobody"])
def test_what_only_looks_like_such_a_line_stays(line: str) -> None:
    assert message(f"Fix it\n\n{line}").body == line
