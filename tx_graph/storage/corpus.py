"""Learnings as texts, for whoever searches them with other means than this database."""

from __future__ import annotations

import json

from tx_graph.ports import CorpusText
from tx_graph.storage.database import Database


class CorpusStore:
    """Reads all texts at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def texts(self) -> list[tuple[int, CorpusText]]:
        """Return the local number and the text of every learning that is present and not removed, by number."""
        rows = self._database.rows(
            """
            SELECT l.id, l.uid, l.content, l.category, l.keywords, l.status,
                   (SELECT json_group_array(a.anchor_value) FROM file_anchors a WHERE a.learning = l.node_id)
            FROM learnings l
            WHERE l.present = 1 AND l.removed_at IS NULL
            ORDER BY l.id
            """
        )
        return [
            (
                number,
                CorpusText(
                    uid=uid,
                    content=content,
                    category=category,
                    keywords=tuple(json.loads(keywords)),
                    places=tuple(sorted(json.loads(places))),
                    status=status,
                ),
            )
            for number, uid, content, category, keywords, status, places in rows
        ]
