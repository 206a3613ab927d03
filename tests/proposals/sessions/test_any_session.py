"""Whatever a session holds, it teaches something that a record can hold, or nothing."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.text import inert_line
from tx_graph.proposals.calls import calls_of
from tx_graph.proposals.lessons import Habits, ResolvedErrors, lessons_of
from tx_graph.proposals.speech import Lesson, identity_of
from tx_graph.work.values import Event, EventKind

PIECES = st.sampled_from(
    [
        "we always squash", "never use tabs here", "no, ", "remember that the", "because it breaks otherwise",
        "# note it", "<system-reminder>", "</system-reminder>", "```", "\n", ". ", "? ", "“", "`x y`", "\x1b[2J",
        "\u202e", "src/a.py", "make test", "pytest", "npm install", "cd x && ", " | tail",
        "bash: x: command not found", "a.py:1: bad (E1)",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=8).map(" ".join)
EVENTS = st.lists(
    st.builds(
        Event,
        kind=st.sampled_from(EventKind),
        text=TEXTS,
        line=st.integers(1, 99),
        tool=st.sampled_from([None, "Bash", "Edit", "Odd"]),
        call=st.sampled_from([None, "1", "2"]),
        failed=st.booleans(),
        paths=st.lists(st.sampled_from(["a.py", "b/c.toml", ""]), max_size=4).map(tuple),
    ),
    max_size=12,
)


@given(st.lists(EVENTS, min_size=1, max_size=3), st.text(max_size=200))
@settings(max_examples=60, deadline=None)
def test_every_lesson_is_one_harmless_line_with_a_reference_that_is_understood(
    sessions: list[list[Event]], name: str
) -> None:
    for lesson in _taught(sessions):
        assert inert_line(lesson.content) == lesson.content
        assert len(lesson.content) < 1_200
        assert 0 < lesson.confidence < 1
        reference = lesson.reference(name)
        assert identity_of(reference) == lesson.identity
        assert reference.isprintable()
        assert len(reference) < 200


@given(st.lists(EVENTS, min_size=1, max_size=3))
@settings(max_examples=25, deadline=None)
def test_the_same_sessions_teach_the_same(sessions: list[list[Event]]) -> None:
    assert _taught(sessions) == _taught(sessions)


def _taught(sessions: list[list[Event]]) -> list[Lesson]:
    habits, errors, found = Habits(), ResolvedErrors(), list[Lesson]()
    for number, events in enumerate(sessions):
        calls = list(calls_of(events))
        habits.count(number, calls)
        errors.count(number, calls)
        found += lessons_of(events)
    return [*found, *(one for one, _ in habits.lessons()), *(one for one, _ in errors.lessons())]
