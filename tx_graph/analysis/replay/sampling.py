"""Which commits are replayed, and what each of them asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tx_graph.analysis.replay.chance import Chance, drawn
from tx_graph.domain.changeset import Changeset

LEAST_PATHS, MOST_PATHS = 2, 10
"""Paths of a commit that is replayed: one alone asks nothing with a file open, many are no piece of work."""
LEAST_TARGETS = 2
"""Files that must have existed before: one to be open, and one to be found."""
_TO_LEARN_FROM = 5
"""The first fifth of history is never replayed, so that there is something to learn from."""


class Variant(StrEnum):
    """What is known when a question is asked."""

    WORDS = "words"
    OPEN_FILE = "open_file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked in one variant of a replayed commit: its words, the files that are open, and those to be found."""

    variant: Variant
    text: str
    open_files: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One commit to replay, and the file that is open in the variant with an open file."""

    changeset: Changeset
    open_file: str

    @property
    def questions(self) -> tuple[Question, ...]:
        """One question for each variant; the open file is given, so it is nothing to be found."""
        subject, files = self.changeset.subject, self.changeset.existing
        others = tuple(path for path in files if path != self.open_file)
        return (
            Question(variant=Variant.WORDS, text=subject, open_files=(), targets=files),
            Question(variant=Variant.OPEN_FILE, text=subject, open_files=(self.open_file,), targets=others),
        )


def qualifying(history: Sequence[Changeset], *, since: int = 0) -> list[Changeset]:
    """Return the commits that can be replayed, in the order of `history`, which goes from old to new.

    `since` leaves out those that were made before, in seconds since the epoch; what came before is still there to
    learn from.
    """
    later = history[len(history) // _TO_LEARN_FROM :]
    return [changeset for changeset in later if changeset.time >= since and _asks_something(changeset)]


def cases_of(
    changesets: Sequence[Changeset], *, count: int, chance: Chance, chance_of: Callable[[str], Chance]
) -> list[Case]:
    """Return at most `count` cases drawn from the commits, in their order.

    `chance_of` gives a commit its own chance, so that the file that is open in it does not depend on the others.
    """
    return [
        Case(changeset=one, open_file=one.existing[chance_of(one.sha)(len(one.existing))])
        for one in drawn(changesets, count, chance)
    ]


def halves(cases: Sequence[Case]) -> tuple[Sequence[Case], Sequence[Case]]:
    """Return the older half and the newer one: what was found in the past is judged by what came after."""
    middle = len(cases) // 2
    return cases[:middle], cases[middle:]


def _asks_something(changeset: Changeset) -> bool:
    fits = LEAST_PATHS <= changeset.paths <= MOST_PATHS
    return fits and len(changeset.existing) >= LEAST_TARGETS and bool(changeset.subject.strip())
