"""Votes that are shared: a record for each, which git merges without conflict, and rows that count with local ones."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Any

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import fresh_uid, is_uid
from tx_graph.core.place import FEEDBACK
from tx_graph.records import front_matter as fm
from tx_graph.records.learning import Learning
from tx_graph.records.seen_store import Kept
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedVote:
    """How much a learning, by its uid, helped somebody once, in [0, 1]."""

    uid: str
    learning: str
    helpful: float
    created_at: str


class VoteStore:
    """Keeps the rows of shared votes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, vote: SharedVote, /, *, record: str, now: str) -> int:  # noqa: ARG002 - a record says when
        """Insert or update a vote; return 0, for no number names it."""
        self._database.write(
            "INSERT OR REPLACE INTO votes (uid, learning, helpful, created_at, record) VALUES (?, ?, ?, ?, ?)",
            (vote.uid, vote.learning, vote.helpful, vote.created_at, record),
        )
        return 0

    def mark_absent(self, uids: Collection[str]) -> None:
        """Let votes whose records are gone count no more."""
        self._database.write_many("DELETE FROM votes WHERE uid = ?", ((uid,) for uid in uids))

    def kept(self, uid: str) -> Kept[SharedVote] | None:
        """Return the vote with this uid, None if there is none."""
        return next(iter(self._kept("uid = ?", uid)), None)

    def every_kept(self) -> list[Kept[SharedVote]]:
        """Return all votes."""
        return self._kept("1")

    def _kept(self, condition: str, *parameters: str) -> list[Kept[SharedVote]]:
        rows = self._database.rows(
            f"SELECT uid, learning, helpful, created_at, record FROM votes WHERE {condition} ORDER BY uid", parameters
        )
        return [
            Kept(thing=SharedVote(uid=uid, learning=learning, helpful=float(helpful), created_at=at), record=record)
            for uid, learning, helpful, at, record in rows
        ]

    def settle(self) -> None:
        """Do nothing: each vote stands for itself."""


def _read(fields: Mapping[str, Any], _: str) -> SharedVote:
    learning = fm.label_of(fields, "learning") or ""
    if not is_uid(learning):
        raise fm.FieldError("learning", "a vote needs the uid of a learning")
    return SharedVote(
        uid=str(fields["uid"]),
        learning=learning,
        helpful=fm.unit(fields.get("helpful"), "helpful"),
        created_at=fm.time_of(fields, "created_at", required=True) or "",
    )


def _written(vote: SharedVote) -> tuple[Mapping[str, Any], str]:
    said = {"uid": vote.uid, "learning": vote.learning, "helpful": float(vote.helpful), "created_at": vote.created_at}
    return said, ""


VOTE_FORMAT: fm.RecordFormat[SharedVote] = fm.RecordFormat(
    directory=FEEDBACK,
    keys=frozenset({"uid", "learning", "helpful", "created_at"}),
    read=_read,
    written=_written,
    title=lambda vote: vote.learning,
    otherwise="vote",
    told=lambda _: (),
)
"""Votes as records."""


def vote_sync(kernel: Kernel) -> RecordSync[SharedVote]:
    """Return what keeps shared votes and their records equal."""
    return RecordSync(kernel, VoteStore(kernel.database), VOTE_FORMAT)


def share(kernel: Kernel, learning: Learning, helpful: float, *, again: str | None = None) -> str:
    """Write a vote to a record, in the place of one that was shared if `again` is its uid; return the uid.

    Needs a transaction.
    """
    sync, store = kernel.one(vote_sync), VoteStore(kernel.database)
    known = store.kept(again) if again else None
    uid = again or fresh_uid(os.urandom, is_taken=store.kept)
    vote = SharedVote(uid=uid, learning=learning.uid, helpful=helpful, created_at=kernel.now())
    if known is None:
        sync.write(vote)
    elif known.thing.helpful != helpful:
        sync.write(replace(vote, created_at=known.thing.created_at), record=known.record)
    return uid
