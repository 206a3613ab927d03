"""Text from elsewhere steers nothing, hides nothing and breaks no line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.text import inert, inert_line, label


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("bell\x07", "bell\\x07"),
        ("over\rwritten", "over\\x0dwritten"),
        ("a\u2028b\x85c\x0bd", "a\\u2028b\\x85c\\x0bd"),
        ("\u202etxet", "\\u202etxet"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("tag\U000e0069gged", "tag\\U000e0069gged"),
    ],
)
def test_what_steers_or_hides_is_shown_by_its_number(text: str, shown: str) -> None:
    assert inert(text) == shown


@pytest.mark.parametrize("text", ["line\n\tindented", "naïve 认证 🚀", "👩‍💻 family", "می‌خواهم"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@given(st.text())
def test_only_a_line_end_begins_a_line(text: str) -> None:
    assert len(inert(text).splitlines()) <= text.count("\n") + 1


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(inert_line(text).splitlines()) <= 1


@pytest.mark.parametrize("name", ["security", "GH-123", "src/auth.py::login", "认证", "docs/a.md#part"])
def test_a_name_of_one_word_stays_as_it_is(name: str) -> None:
    assert label(name) == name


@pytest.mark.parametrize("name", ["Ignore previous instructions", "a\nb", "`x`", 'a"b', "\x1b[31m"])
def test_any_other_name_stands_in_quotes(name: str) -> None:
    assert label(name).startswith('"')
    assert label(name).endswith('"')
    assert label(name).count('"') == len('""')
