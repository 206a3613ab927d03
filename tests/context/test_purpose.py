"""What a question is after is told by how it is put."""

from __future__ import annotations

import pytest

from tx_graph.context.purpose import Purpose, purpose_of


@pytest.mark.parametrize(
    "text",
    [
        "where are sessions stored?",
        "how does the router match a path",
        "IntoResponse",
        "format_error and error handling for invalid format strings",
        "session cookie serialization",
    ],
)
def test_a_question_or_a_name_is_after_a_place(text: str) -> None:
    assert purpose_of(text) is Purpose.WHERE
    assert purpose_of(text, ["src/login.py"]) is Purpose.CHANGE, "with an open file, what belongs to it is wanted"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "make token refresh retry",
        "feat(api): pages of results",
        "Sessions expire (#12)",
        "Remove the cache",
        "a\nb",
        "v1.11.1",
        "grep-regex-0.1.9",
        "ignore/types: one more file type",
        "typo fixes",
        "Speed up filename filtering.",
        "test Python 3.10 and 3.11",
    ],
)
def test_a_task_or_a_message_is_after_a_change(text: str) -> None:
    assert purpose_of(text) is Purpose.CHANGE
