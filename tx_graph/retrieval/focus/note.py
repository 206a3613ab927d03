"""Notes: what is said of a node, how that looks as JSON, and what of a related one is cut off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tx_graph.retrieval.focus.relationship import Relationship

MOST_DETAILS = 250
"""Bytes of UTF-8 that a related note says at most (Doughnut, Graph RAG)."""
_CUT = "..."
_CONTINUATION = range(0x80, 0xC0)
"""Bytes that do not begin a character in UTF-8."""


class Name(NamedTuple):
    """A node by its reference and its title."""

    ref: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is said of a node; `details` is its own text.

    A relation note has a `target`; its parent is the subject and its title the predicate. `marks` are what a reader
    has to know before relying on it, as JSON has them: `{"verdict": "drifted:body"}`.
    """

    ref: str
    kind: str
    title: str
    details: str = ""
    is_cut: bool = False
    parent: Name | None = None
    target: Name | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A note and what it is to the focus."""

    note: Note
    relationship: Relationship


def shape(one: Related) -> dict[str, Any]:
    """Return a note as JSON has it; what does not apply is left out."""
    note = one.note
    return {
        "ref": note.ref,
        "kind": note.kind,
        "title": note.title,
        "relationship": one.relationship.value,
        **({"parent": note.parent._asdict()} if note.parent else {}),
        **({"target": note.target._asdict()} if note.target else {}),
        **note.marks,
        "details": note.details,
        **({"details_truncated": True} if note.is_cut else {}),
    }


def cut(note: Note, *, most: int = MOST_DETAILS) -> Note:
    """Return a note whose details have at most so many bytes, `...` not counted; no character is torn apart."""
    data = note.details.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        return note
    end = most
    while data[end] in _CONTINUATION:
        end -= 1
    return replace(note, details=data[:end].decode("utf-8", "surrogatepass") + _CUT, is_cut=True)
