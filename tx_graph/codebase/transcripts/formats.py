"""All formats: a new one is a module with `claims` and `read`, a member of TranscriptFormat, and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tx_graph.codebase.transcripts import claude_code, codex, plain
from tx_graph.codebase.transcripts.draft import Draft, Record, Session
from tx_graph.domain.telemetry import TranscriptFormat


class Adapter(NamedTuple):
    """Reads one format: `claims` knows its records, `read` says what they tell."""

    claims: Callable[[Record], bool]
    read: Callable[[Record, Session], list[Draft] | None]


ADAPTERS = {
    TranscriptFormat.CLAUDE_CODE: Adapter(claude_code.claims, claude_code.read),
    TranscriptFormat.CODEX: Adapter(codex.claims, codex.read),
    TranscriptFormat.PLAIN: Adapter(plain.claims, plain.read),
}
"""The most particular ones first: what nobody else claims may be plain."""


def format_of(records: Iterable[Record]) -> TranscriptFormat | None:
    """Return whose records these are, by the first that anybody claims; None where nobody does."""
    for record in records:
        for name, adapter in ADAPTERS.items():
            if adapter.claims(record):
                return name
    return None
