"""Writes what is published of a repository into a hub: one transaction, and only what changed."""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from tx_graph.core.ports import Progress
from tx_graph.hub.collect_store import Row
from tx_graph.hub.identity import repository_id
from tx_graph.hub.store import Hub


class _Table(NamedTuple):
    """Columns behind the repository, with their types, and which of them says whose rows they are."""

    columns: Mapping[str, str]
    owner: str


def _table(owner: str, columns: str) -> _Table:
    return _Table(dict(one.split() for one in columns.split(",")), owner)


_WORDED = "words text, length int4"
_TABLES = {
    "edges": _table("source", "source int8, target int8, weight float4, lane int2, relation int2, description text"),
    "files": _table("node", "node int8, path text, language text, size int8, content_hash text"),
    "symbols": _table(
        "file",
        "file int8, position int4, name text, kind text, line_start int4, line_end int4, signature text",
    ),
    "learnings": _table(
        "node",
        "node int8, uid text, content text, category text, keywords text[], status text, confidence float4, "
        f"source_type text, source_ref text, created_at text, superseded_by text, {_WORDED}",
    ),
    "anchors": _table(
        "learning",
        "learning int8, position int4, type text, place text, target int8, status text, drift text, reason text, "
        "pinned bool, fallback bool",
    ),
    "sections": _table(
        "document",
        "node int8, document int8, position int4, level int4, title text, slug text, line_start int4, line_end int4",
    ),
    "chunks": _table("document", f"section int8, position int4, document int8, headings text, text text, {_WORDED}"),
    "entities": _table(
        "node", f"node int8, key text, name text, type text, description text, aliases text[], {_WORDED}"
    ),
    "facts": _table(
        "node",
        "node int8, uid text, subject int8, subject_name text, predicate text, object int8, told text, "
        "confidence float4, status text, source text, source_ref text, created_at text, valid_until text, "
        f"{_WORDED}",
    ),
    "packages": _table("manifest", "manifest int8, ecosystem text, name text, is_provided bool, range text"),
    "offers": _table("file", "file int8, ecosystem text, package text, module text, name text"),
    "needs": _table(
        "file", "file int8, position int4, line int4, ecosystem text, module text, name text, import_type text"
    ),
    "vectors": _table("owner", "kind text, node int8, position int4, owner int8, model text, vector halfvec"),
    "nodes": _table("owner", "node int8, owner int8, kind text, key text, digest bytea"),
}
"""The tables of a hub, in the order in which rows go: nodes last, for they say whose the edges are."""

_IDLE = "60s"
"""How long a publisher that does nothing may keep others from publishing the same repository."""


class Owner(NamedTuple):
    """What rows are derived from: its kind, and the digest of these."""

    kind: str
    digest: bytes


class Shown(NamedTuple):
    """What a hub shows of a repository: an empty commit where nothing was published yet."""

    commit: str
    committed_at: datetime | None
    digest: bytes
    tool: str


class Commit(NamedTuple):
    """The commit that is published, and the version of the tx that does it."""

    sha: str
    committed_at: datetime
    tool: str


class PublishStore:
    """Reads and writes the rows of one repository; what writes needs a transaction."""

    def __init__(self, hub: Hub, name: str) -> None:
        self._hub = hub
        self._name = name
        self._repository = repository_id(name)

    def shown(self) -> Shown:
        """Return what the hub shows of the repository, as far as the user may see it."""
        return self._shown("")

    def lock(self) -> Shown:
        """Return the same, and keep others from publishing it until the transaction ends."""
        self._hub.write(f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE}'")
        self._hub.write(
            "INSERT INTO tx.repositories (id, name) VALUES (%s, %s) ON CONFLICT DO NOTHING",
            (self._repository, self._name),
        )
        return self._shown("FOR UPDATE")

    def _shown(self, lock: str) -> Shown:
        rows = self._hub.rows(
            f"""
            SELECT commit_sha, committed_at, digest, tool
            FROM tx.repositories
            WHERE id = %s
            {lock}
            """,
            (self._repository,),
        )
        return Shown(*rows[0]) if rows else Shown("", None, b"", "")

    def owners(self) -> dict[int, Owner]:
        """Return what rows are derived from."""
        rows = self._hub.rows(
            "SELECT node, kind, digest FROM tx.nodes WHERE repository = %s AND digest IS NOT NULL",
            (self._repository,),
        )
        return {node: Owner(kind, digest) for node, kind, digest in rows}

    def remove(self, owners: Collection[int]) -> None:
        """Remove owners with all their rows."""
        if not owners:
            return
        self._hub.write("CREATE TEMP TABLE stale (owner int8 PRIMARY KEY) ON COMMIT DROP")
        self._hub.copy("pg_temp.stale", ((owner,) for owner in owners), ["int8"])
        self._hub.write("ANALYZE pg_temp.stale")
        for name, table in self._tables():
            of = "pg_temp.stale s"
            whose = f"t.{table.owner} = s.owner"
            if name == "edges":  # they leave nodes of their owner
                of = f"{of} JOIN tx.nodes n ON n.owner = s.owner AND n.repository = {self._repository}"
                whose = "t.source = n.node"
            self._hub.write(f"DELETE FROM tx.{name} t USING {of} WHERE t.repository = {self._repository} AND {whose}")

    def add(self, rows: Mapping[str, Mapping[int, Sequence[Row]]], owners: Collection[int], progress: Progress) -> None:
        """Add owners with all their rows, by table and owner."""
        tables = [
            (name, table, [of for owner, of in rows.get(name, {}).items() if owner in owners])
            for name, table in self._tables()
        ]
        done, total = 0, sum(len(of) for _, _, mine in tables for of in mine)
        for name, table, mine in tables:
            if not mine:
                continue
            columns, staged, values = (
                ", ".join(words if one == "words" else one for one in table.columns)
                for words in ("words", "words::text", "to_tsvector('tx.words', words)")
            )
            self._hub.write(f"CREATE TEMP TABLE staged ON COMMIT DROP AS SELECT {staged} FROM tx.{name} WITH NO DATA")
            # A field of a binary COPY has no type: bytes are taken for what the column is.
            types = [kind.replace("halfvec", "bytea") for kind in table.columns.values()]
            sent = (row for of in mine for row in (map(_halved, of) if name == "vectors" else of))
            self._hub.copy(f"pg_temp.staged ({columns})", sent, types)
            self._hub.write(
                f"INSERT INTO tx.{name} (repository, {columns}) SELECT {self._repository}, {values} FROM pg_temp.staged"
            )
            self._hub.write("DROP TABLE pg_temp.staged")
            progress(done := done + sum(map(len, mine)), total)

    def _tables(self) -> Iterator[tuple[str, _Table]]:
        has_vectors = self._hub.has_vectors
        return ((name, table) for name, table in _TABLES.items() if has_vectors or name != "vectors")

    def show(self, commit: Commit, *, digest: bytes, counts: Mapping[str, int]) -> None:
        """Let the hub show this commit."""
        self._hub.write(
            """
            UPDATE tx.repositories
            SET commit_sha = %(sha)s, committed_at = %(committed_at)s, published_at = now(), tool = %(tool)s,
                digest = %(digest)s, counts = %(counts)s
            WHERE id = %(id)s
            """,
            commit._asdict() | {"digest": digest, "counts": json.dumps(counts), "id": self._repository},
        )

    def forget(self) -> bool:
        """Remove the repository with all its rows; return whether there was one that the user may publish."""
        for name, _ in self._tables():
            self._hub.write(f"DELETE FROM tx.{name} WHERE repository = %s", (self._repository,))
        return bool(self._hub.write("DELETE FROM tx.repositories WHERE id = %s", (self._repository,)))


def _halved(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return a row whose last field, a vector of 32-bit numbers, has 16-bit ones, as pgvector sends them."""
    *others, vector = row
    dimension = len(vector) // 4
    numbers = struct.unpack(f"<{dimension}f", vector)
    return (*others, struct.pack(f">HH{dimension}e", dimension, 0, *numbers))
