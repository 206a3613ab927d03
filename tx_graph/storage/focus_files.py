"""The tree of directories and files, as far as paths tell it, and which file imports which."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.storage.database import Database
from tx_graph.storage.files import span_below

_LAST = "\U0010ffff"
"""Sorts after every name."""
_PAGE = 64
"""Paths to read at once."""
_MOST_IMPORTERS = 1_000
"""Importers of one file that are looked at: no budget has room for more."""


class Entry(NamedTuple):
    """What lies in a directory, by its path; `document` is the node of a file that was read as one."""

    path: str
    is_directory: bool
    document: NodeId | None

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]


class FocusFiles:
    """Answers what lies in a directory, and who imports a file."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def entries(self, directory: str, *, most: int | None = None) -> list[Entry]:
        """Return what lies in a directory (empty: the root) at the last index or ingest, by name, `most` at most.

        Files are read as they lie side by side; whatever lies deeper is leapt over, so that a root with a hundred
        thousand files below it costs what it holds itself.
        """
        low, high = span_below(directory)
        found: dict[str, Entry] = {}
        after, sql, page = low, _NEXT, min(most or _PAGE, _PAGE)
        while rows := self._database.rows(sql, {"low": low, "after": after, "high": high, "last": _LAST, "page": page}):
            entries = [_entry(*row, start=len(low)) for row in rows]
            found |= {entry.path: entry for entry in entries}
            last = entries[-1]  # not that of all found: what is file and directory keeps its first place there
            after = f"{last.path}/{_LAST}" if last.is_directory else last.path
            sql = _LEAPS if last.is_directory else _NEXT
            if most is not None and len(found) >= most:
                break
        return sorted(found.values(), key=lambda entry: entry.name)[:most]

    def documents(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those of these files that were read as documents."""
        rows = self._database.rows(
            "SELECT path, node_id FROM documents WHERE path IN (SELECT value FROM json_each(:paths))",
            {"paths": json.dumps(list(paths))},
        )
        return dict(rows)

    def importers(self, path: str) -> list[str]:
        """Return the files that import a file, by path."""
        rows = self._database.rows(
            """
            SELECT s.path
            FROM files t
            JOIN file_imports i ON i.target_file = t.node_id
            JOIN files s ON s.node_id = i.source_file
            WHERE t.path = :path
            ORDER BY s.path
            LIMIT :most
            """,
            {"path": path, "most": _MOST_IMPORTERS},
        )
        return [source for (source,) in rows]

    def nearest_directories(self, text: str) -> list[str]:
        """Return the directories whose paths are most like `text`, at most five."""
        from difflib import get_close_matches

        paths = (path for (path,) in self._database.rows("SELECT path FROM files UNION SELECT path FROM documents"))
        known = {above for path in paths for above in _directories_of(path)}
        return get_close_matches(text.rstrip("/"), sorted(known), n=5)


_NEXT = """
    SELECT p.path, d.node_id
    FROM (
        SELECT path FROM files WHERE path > :after AND path < :high
        UNION
        SELECT path FROM documents WHERE path > :after AND path < :high
        ORDER BY path
        LIMIT :page
    ) p
    LEFT JOIN documents d ON d.path = p.path
    ORDER BY p.path
"""
_FIRST = """(
    SELECT min(path)
    FROM (
        SELECT min(path) AS path FROM files WHERE path > {after} AND path < :high
        UNION ALL
        SELECT min(path) FROM documents WHERE path > {after} AND path < :high
    )
)"""
_REST = "substr(leap.path, length(:low) + 1)"
_BEHIND = f"iif(instr({_REST}, '/'), :low || substr({_REST}, 1, instr({_REST}, '/')) || :last, leap.path)"
_LEAPS = f"""
    WITH RECURSIVE leap (path) AS (
        SELECT {_FIRST.format(after=":after")}
        UNION ALL
        SELECT {_FIRST.format(after=_BEHIND)} FROM leap WHERE leap.path IS NOT NULL LIMIT :page
    )
    SELECT leap.path, d.node_id
    FROM leap
    LEFT JOIN documents d ON d.path = leap.path
    WHERE leap.path IS NOT NULL
    ORDER BY leap.path
"""


def _entry(path: str, document: NodeId | None, *, start: int) -> Entry:
    slash = path.find("/", start)
    return Entry(path if slash < 0 else path[:slash], slash >= 0, document if slash < 0 else None)


def _directories_of(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
