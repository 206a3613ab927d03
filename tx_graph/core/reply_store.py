"""What language models and agents replied to batches: shared by all branches and worktrees of a repository.

A database of its own in git's common directory, outside git beside the workspace's. To hear a reply again costs money
or work, so deleting the workspace's database does not touch it, and what is wrong with it is told.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.errors import StorageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LOCAL_REPLIES, REPLIES
from tx_graph.core.sqlite import binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_TIMEOUT = 30.0  # seconds to wait for another process's write
_SCHEMA = """
    -- One row per reply that could be read; what of it is kept is decided anew each time.
    CREATE TABLE IF NOT EXISTS extraction_replies (
        batch          TEXT    NOT NULL,              -- hash of what was asked about
        prompt_version INTEGER NOT NULL,              -- of the words that asked
        model          TEXT    NOT NULL,              -- who replied: a model's name, or agent
        reply          TEXT    NOT NULL,
        replied_at     TEXT    NOT NULL,
        PRIMARY KEY (batch, prompt_version, model)
    ) WITHOUT ROWID
"""


class ReplyStore:
    """Keeps replies to one version of the prompt; its file is made when the first one is kept."""

    def __init__(self, path: Path, *, prompt_version: int) -> None:
        self.path = path
        self._prompt_version = prompt_version
        self._connection: Connection | None = None

    def find(self, batches: Collection[str], *, model: str) -> dict[str, str]:
        """Return what a model replied to those of the batches that it was asked about."""
        if not self.path.exists():
            return {}
        with self._explained():
            rows = self._opened().execute(
                """
                SELECT batch, reply
                FROM extraction_replies
                WHERE prompt_version = :version AND model = :model
                  AND batch IN (SELECT value FROM json_each(:batches))
                """,
                {"version": self._prompt_version, "model": model, "batches": json.dumps(list(batches))},
            )
            return dict(rows.fetchall())

    def every(self, prefix: str, *, model: str | None = None) -> list[tuple[str, str, str, str]]:
        """Return (batch, model, reply, time) of each batch whose key begins so, the newest first; of a model or all."""
        if not self.path.exists():
            return []
        with self._explained():
            rows = self._opened().execute(
                """
                SELECT batch, model, reply, replied_at
                FROM extraction_replies
                WHERE prompt_version = :version AND batch GLOB :prefix || '*' AND model = ifnull(:model, model)
                ORDER BY replied_at DESC, batch
                """,
                {"version": self._prompt_version, "prefix": prefix, "model": model},
            )
            return rows.fetchall()

    def keep(self, replies: Iterable[tuple[str, str]], *, model: str, now: str) -> None:
        """Keep (batch, reply) pairs, in one transaction; a later reply takes the place of an earlier one."""
        rows = [(batch, self._prompt_version, model, reply, now) for batch, reply in replies]
        with self._explained():
            connection = self._opened()
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany("INSERT OR REPLACE INTO extraction_replies VALUES (?, ?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _opened(self) -> Connection:
        if self._connection is None:
            self.path.parent.mkdir(exist_ok=True)
            self._connection = binding().module.connect(
                self.path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False
            )
            self._connection.execute(_SCHEMA)
        return self._connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn SQLite's errors into a sentence that says what becomes of the replies."""
        try:
            yield
        except binding().module.Error as error:
            raise StorageError(
                f"{self.path}, which keeps models' replies, cannot be used: {error}.",
                hint="Check its permissions and the disk; if it is damaged, move it away: batches are asked again.",
            ) from error
        except OSError as error:
            raise StorageError(f"{self.path} cannot be made: {error.strerror or error}.") from error


def open_replies(kernel: Kernel, *, prompt_version: int) -> ReplyStore:
    """Return the replies to one sort of prompts, which the worktrees of a repository share; closed with the kernel."""
    repository = kernel.checkout.askable
    place = repository.common_directory() / REPLIES if repository else kernel.root / DIRECTORY / LOCAL_REPLIES
    return kernel.enter(closing(ReplyStore(place, prompt_version=prompt_version)))
