"""Pieces of files as rows: where they stand, their words as a full-text index, and the cards of files."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from tx_graph.code.file_store import AMONG, among
from tx_graph.core.database import Store
from tx_graph.graph.edges import NodeId
from tx_graph.graph.word_store import best_rows, shared_words
from tx_graph.vectors.store import CARDS, VectorStore

_COMMON = 8_000
"""Pieces that may share a word of the question: to score more takes tens of ms, and such a word tells few apart."""
_COMMON_CARD = 4_000  # the same of files that declare a name
_AT_ONCE = 500  # files whose pieces are written together
_BETWEEN = "\0"  # the words of one piece and those of the next


class UnreadFile(NamedTuple):
    """A file whose pieces are not those in the index, and its stamp."""

    node: NodeId
    path: str
    size: int
    mtime_ns: int


class Cut(NamedTuple):
    """A file in pieces: first and last line of each, their words, and the file's card, empty where it has none."""

    places: list[tuple[int, int]]
    words: list[str]
    card: str


class Piece(NamedTuple):
    """A piece of a file that matches a question, with its BM25 score > 0; lines count from 1, both included."""

    number: int
    file: NodeId
    line_start: int
    line_end: int
    score: float


class CodeChunkStore(Store):
    """Keeps the pieces of files, and which version of a file they are from."""

    def unread(self, version: str) -> list[UnreadFile]:
        """Return the indexed files that changed since they were cut, or were cut by another version of the rules."""
        rows = self._database.rows(
            """
            SELECT f.node_id, f.path, f.size, f.mtime_ns
            FROM files f
            LEFT JOIN chunked_files c ON c.node_id = f.node_id
            WHERE c.node_id IS NULL OR c.size <> f.size OR c.mtime_ns <> f.mtime_ns OR f.mtime_ns <= 0 OR c.version <> ?
            ORDER BY f.path
            """,
            (version,),
        )
        return list(map(UnreadFile._make, rows))

    def declared(self, file: NodeId) -> list[tuple[str, int, int]]:
        """Return (last name, first line, last line) of what a file declares, in source order."""
        return self._database.rows(
            "SELECT simple, line_start, line_end FROM symbols WHERE file = ? AND position >= 0 ORDER BY position",
            (file,),
        )

    def replace(self, read: Iterable[tuple[UnreadFile, Cut]], *, version: str) -> None:
        """Make these the pieces and cards of the files, none where there are none. Needs a transaction."""
        number = int(self._database.value("SELECT ifnull(max(id), 0) FROM code_chunks"))
        read = iter(read)
        while batch := list(islice(read, _AT_ONCE)):
            nodes = [file.node for file, _ in batch]
            known = dict(self._database.rows(f"SELECT id, text FROM file_cards WHERE id {AMONG}", among(nodes)))
            cards = {file.node: cut.card for file, cut in batch if cut.card != known.get(file.node, "")}
            self._forget(nodes)
            self._forget_cards(cards.keys() & known.keys())
            places = [(file.node, *lines) for file, cut in batch for lines in cut.places]
            self._database.write_many(
                "INSERT INTO code_chunks (id, file, line_start, line_end) VALUES (?, ?, ?, ?)",
                ((chunk, *place) for chunk, place in enumerate(places, number + 1)),
            )
            words = (piece for _, cut in batch for piece in cut.words)
            self._database.write_many(
                "INSERT INTO code_words (rowid, words) VALUES (?, ?)", enumerate(words, number + 1)
            )
            number += len(places)
            packed = (zlib.compress(_BETWEEN.join(cut.words).encode(), 1) if cut.words else b"" for _, cut in batch)
            self._database.write_many(
                "INSERT INTO chunked_files (node_id, size, mtime_ns, version, words) VALUES (?, ?, ?, ?, ?)",
                (
                    (file.node, file.size, file.mtime_ns, version, one)
                    for (file, _), one in zip(batch, packed, strict=True)
                ),
            )
            # In one statement: before each that fires a trigger SQLite writes out what full-text indexes gathered.
            self._database.write(
                "INSERT INTO file_cards (id, text) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
                (json.dumps([one for one in cards.items() if one[1]]),),
            )

    def forget_gone(self) -> None:
        """Drop the pieces and cards of files that are indexed no more. Needs a transaction."""
        gone = self._database.rows("SELECT node_id FROM chunked_files WHERE node_id NOT IN (SELECT node_id FROM files)")
        self._forget([file for (file,) in gone])
        self._forget_cards([file for (file,) in gone])

    def _forget_cards(self, files: Collection[NodeId]) -> None:
        VectorStore(self._database, CARDS).forget(files)
        self._database.write(f"DELETE FROM file_cards WHERE id {AMONG}", among(files))

    def _forget(self, files: Collection[NodeId]) -> None:
        """Take the pieces of files out of the index, which wants to be told their words."""
        for file, packed in self._database.rows(
            f"SELECT node_id, words FROM chunked_files WHERE node_id {AMONG} AND words <> x''", among(files)
        ):
            rows = self._database.rows("SELECT id FROM code_chunks WHERE file = ? ORDER BY id", (file,))
            words = zlib.decompress(packed).decode().split(_BETWEEN)
            self._database.write_many(
                "INSERT INTO code_words (code_words, rowid, words) VALUES ('delete', ?, ?)",
                ((number, one) for (number,), one in zip(rows, words, strict=True)),
            )
        self._database.write(f"DELETE FROM code_chunks WHERE file {AMONG}", among(files))
        self._database.write(f"DELETE FROM chunked_files WHERE node_id {AMONG}", among(files))

    def search(self, text: str, *, limit: int) -> list[Piece]:
        """Return the pieces that have telling words of the text, best first."""
        scores = dict(best_rows(self._database, "code_words", text, most=_COMMON, limit=limit, takes_common=True))
        rows = self._database.rows(
            f"SELECT id, file, line_start, line_end FROM code_chunks WHERE id {AMONG}", among(scores)
        )
        found = (Piece(number, file, first, last, scores[number]) for number, file, first, last in rows)
        return sorted(found, key=lambda piece: (-piece.score, piece))

    def cards(self, text: str, *, limit: int) -> list[tuple[NodeId, float]]:
        """Return (file, BM25 score > 0) of the files that are called so or declare such names, best first."""
        return best_rows(self._database, "file_cards_fts", text, most=_COMMON_CARD, limit=limit)

    def declaring(self, names: Collection[str]) -> list[tuple[str, NodeId, str, int, int]]:
        """Return (last name, file, qualified name, first line, last line) of who declares a name, in any case."""
        return self._database.rows(
            """
            SELECT s.simple, s.file, s.name, s.line_start, s.line_end
            FROM json_each(:values) n
            JOIN symbols s ON s.simple = n.value COLLATE NOCASE AND s.position >= 0
            ORDER BY s.file, s.position
            LIMIT :most
            """,
            {**among(names), "most": _COMMON_CARD},
        )

    def read_from(self, files: Collection[NodeId]) -> dict[NodeId, tuple[str | None, int, int]]:
        """Return SHA-256 (None where it is not known), size and time of change (ns) of what was cut of these files.

        Those are left out whose declarations are from another version than their pieces.
        """
        rows = self._database.rows(
            f"""
            SELECT f.node_id, f.content_hash, f.size, f.mtime_ns
            FROM files f
            JOIN chunked_files c ON c.node_id = f.node_id AND c.size = f.size AND c.mtime_ns = f.mtime_ns
            WHERE f.node_id {AMONG}
            """,
            among(files),
        )
        return {file: tuple(seen) for file, *seen in rows}

    def within(self, spots: Mapping[NodeId, tuple[int, int]]) -> dict[NodeId, list[tuple[str, int, int]]]:
        """Return (qualified name, first line, last line) of what is declared in these lines, or around them."""
        rows = self._database.rows(
            """
            SELECT s.file, s.name, s.line_start, s.line_end
            FROM json_each(:spots) n
            JOIN symbols s ON s.file = n.value ->> 0 AND s.position >= 0
            WHERE s.line_start <= n.value ->> 2 AND s.line_end >= n.value ->> 1
            ORDER BY s.file, s.position
            """,
            {"spots": json.dumps([(file, first, last) for file, (first, last) in spots.items()])},
        )
        found: dict[NodeId, list[tuple[str, int, int]]] = {}
        for file, *declared in rows:
            found.setdefault(file, []).append(tuple(declared))
        return found

    def shared(self, text: str, pieces: Collection[int]) -> dict[int, list[str]]:
        """Return the words of the text that these pieces have, for each that has any; the most telling come first."""
        return shared_words(self._database, "code_words", text, pieces)
