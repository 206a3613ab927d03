"""Relation notes: `docs/a.md#decision^depends_on` says that its subject, before the mark, depends on something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

MARK = "^"
"""Stands between the subject of a relation note and its predicate."""
_NOTE = re.compile(r"(?P<subject>.*[^^])\^(?P<predicate>[^\s^#/]+?)(?:-(?P<number>[1-9]\d*))?", re.DOTALL)


class NoteName(NamedTuple):
    """How a relation note is named: `number` counts from 1 those of one subject with the same predicate."""

    subject: str
    predicate: str
    number: int = 1

    @property
    def ref(self) -> str:
        """Its reference; a document as subject keeps the mark of its sections, `docs/a.md#^depends_on`."""
        repeated = f"-{self.number}" if self.number > 1 else ""
        return f"{self.subject}{MARK}{self.predicate}{repeated}"


def note_named(text: str) -> NoteName | None:
    """Return what a reference names if it is that of a relation note."""
    found = _NOTE.fullmatch(text.strip())
    return found and NoteName(found["subject"], found["predicate"], int(found["number"] or 1))


def numbers(predicates: Iterable[str]) -> Sequence[int]:
    """Return for each predicate how often it has come by then."""
    seen: dict[str, int] = {}
    found = []
    for predicate in predicates:
        seen[predicate] = seen.get(predicate, 0) + 1
        found.append(seen[predicate])
    return found
