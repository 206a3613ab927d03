"""Which of what users say in a session is proposed: fitted on one session, and judged by another one.

Both were written before the rules. In `fixtures/sessions` each line of a user has `corrects`: whether it says how
things are done here, or is chatter, a report, or a task.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tx_graph.proposals.lessons import lessons_of
from tx_graph.proposals.speech import LEAST
from tx_graph.work import formats
from tx_graph.work.values import Event

SESSIONS = Path(__file__).parents[2] / "fixtures" / "sessions"


@pytest.mark.parametrize(("session", "read", "least"), [
    ("development", formats.plain_read, 0.7), ("heldout", formats.claude_read, 0.6),
])  # fmt: skip
def test_plain_corrections_are_proposed_and_chatter_is_not(
    session: str,
    read: Callable[..., Iterable[formats.Draft] | None],
    least: float,
    record_property: Callable[[str, Any], None],
) -> None:
    records = [json.loads(line) for line in (SESSIONS / f"{session}.jsonl").read_text(encoding="utf-8").splitlines()]
    corrections = {line for line, record in enumerate(records, start=1) if record.get("corrects")}
    events = [
        Event(line=line, kind=one.kind, text=one.text)
        for line, record in enumerate(records, start=1)
        for one in read(record, formats.Session()) or ()
    ]
    found = {lesson.line for lesson in lessons_of(events) if lesson.confidence >= LEAST}
    recall, precision = len(found & corrections) / len(corrections), len(found & corrections) / len(found)
    record_property("measured", f"{session}: recall {recall:.2f}, precision {precision:.2f}")
    assert found <= corrections, f"precision {precision:.2f}, recall {recall:.2f}"
    assert recall >= least, f"precision {precision:.2f}, recall {recall:.2f}"
