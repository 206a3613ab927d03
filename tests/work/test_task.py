"""What a task may be called."""

from __future__ import annotations

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.work.values import DESCRIPTION_LIMIT, Task, TaskStatus, clean_description, clean_external_id, clean_title


def test_a_task_goes_by_the_name_that_others_know() -> None:
    task = Task(id=7, node=1, title="Repair", created_at="", updated_at="")
    assert (task.ref, task.name, task.status) == ("task:7", "task:7", TaskStatus.OPEN)
    told = Task(id=7, node=1, title="Repair", created_at="", updated_at="", external_id="GH-123", done_at="now")
    assert (told.ref, told.name, told.status) == ("task:7", "GH-123", TaskStatus.DONE)


def test_white_space_around_a_title_goes() -> None:
    assert clean_title("  Repair the login\t") == "Repair the login"


@pytest.mark.parametrize("title", ["", "  ", "two\nlines", "\x1b[31mred", "tab\there", "nul\0", "x" * 201, "\ud800"])
def test_a_title_is_one_line_of_printable_text(title: str) -> None:
    with pytest.raises(UsageError, match="title"):
        clean_title(title)


@pytest.mark.parametrize("name", ["GH-123", "#123", "acme/tx#9", "https://tracker.example/T-1", "日本-7"])
def test_a_tracker_may_call_a_task_what_it_likes(name: str) -> None:
    assert clean_external_id(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", "two words", "123", "١٢٣", "task:7", "run:9", "learning:3", "file:a", "a\x07", "x" * 201]
)
def test_an_external_id_is_never_taken_for_something_else(name: str) -> None:
    with pytest.raises(UsageError, match="external id"):
        clean_external_id(name)


def test_a_description_has_unix_line_ends_and_may_be_empty() -> None:
    assert clean_description("\r\nOne\r\n\r\nTwo \n") == "One\n\nTwo"
    assert clean_description(" \n") == ""


@pytest.mark.parametrize("text", ["nul\0", "\ud800", "x" * (DESCRIPTION_LIMIT + 1)])
def test_a_description_is_text_of_a_moderate_size(text: str) -> None:
    with pytest.raises(UsageError, match="description"):
        clean_description(text)
