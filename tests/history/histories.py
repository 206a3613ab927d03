"""Commits made up for the rules about which of them are replayed."""

from __future__ import annotations

from random import Random

from tx_graph.history.commits import Changeset
from tx_graph.history.sampling import Chance


def changeset(
    number: int, *files: str, paths: int | None = None, subject: str = "Mend the login", time: int | None = None
) -> Changeset:
    """A commit that changed these files, all of which existed before."""
    return Changeset(
        sha=f"{number:040x}",
        parent=f"{number - 1:040x}",
        time=number if time is None else time,
        subject=subject,
        paths=len(files) if paths is None else paths,
        existing=files,
    )


def by_seed(seed: object) -> Chance:
    return Random(str(seed)).randrange
