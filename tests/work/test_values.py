"""What tasks and runs may be called, and what they may hold."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.work.values import (
    DESCRIPTION_LIMIT,
    TRANSCRIPT_LIMIT,
    Outcome,
    Run,
    Task,
    TaskStatus,
    clean_description,
    clean_external_id,
    clean_title,
    clean_transcript,
)

Clean = Callable[[str], str]


def test_a_task_goes_by_the_name_that_others_know() -> None:
    task = Task(id=7, node=1, title="Repair", created_at="", updated_at="")
    assert (task.ref, task.name, task.status) == ("task:7", "task:7", TaskStatus.OPEN)
    told = Task(id=7, node=1, title="Repair", created_at="", updated_at="", external_id="GH-123", done_at="now")
    assert (told.ref, told.name, told.status) == ("task:7", "GH-123", TaskStatus.DONE)


def test_a_run_goes_on_until_it_has_an_outcome() -> None:
    run, ended = (Run(id=9, node=1, started_at="", outcome=outcome) for outcome in (None, Outcome.CANCELLED))
    assert (run.ref, run.is_finished, ended.is_finished) == ("run:9", False, True)


@pytest.mark.parametrize(("clean", "typed", "kept"), [
    (clean_title, "  Repair the login\t", "Repair the login"),
    *(
        (clean_external_id, f" {name} ", name)
        for name in ("GH-123", "#123", "acme/tx#9", "https://x.y/1", "日本-7")
    ),
    (clean_description, "\r\nOne\r\n\r\nTwo \n", "One\n\nTwo"), (clean_description, " \n", ""),
    (clean_transcript, "\x1b[31mred\x1b[0m\r\nnext ", "\x1b[31mred\x1b[0m\nnext "), (clean_transcript, "", ""),
    (clean_transcript, "x" * TRANSCRIPT_LIMIT, "x" * TRANSCRIPT_LIMIT),
], ids=lambda value: "" if callable(value) else ascii(value)[:20])  # fmt: skip
def test_white_space_around_it_goes_and_line_ends_are_unix(clean: Clean, typed: str, kept: str) -> None:
    assert clean(typed) == kept


@pytest.mark.parametrize(("clean", "typed", "message"), [
    *((clean_title, title, "title") for title in ("", "  ", "two\nlines", "\x1b[31mred", "tab\there", "nul\0")),
    *((clean_title, title, "title") for title in ("x" * 201, "\ud800")),
    *((clean_external_id, name, "external id") for name in ("", "two words", "123", "١٢٣", "task:7", "run:9")),
    *((clean_external_id, name, "external id") for name in ("learning:3", "file:a", "a\x07", "x" * 201)),
    *((clean_description, text, "description") for text in ("nul\0", "\ud800", "x" * (DESCRIPTION_LIMIT + 1))),
    *((clean_transcript, text, "transcript") for text in ("nul\0", "\ud800")),
    (clean_transcript, "x" * (TRANSCRIPT_LIMIT + 1), "at most 10,000,000"),
], ids=lambda value: "" if callable(value) else ascii(value)[:20])  # fmt: skip
def test_what_is_no_such_text_is_refused(clean: Clean, typed: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        clean(typed)
