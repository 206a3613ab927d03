"""Words of a question in a full-text table: which tell rows apart, and which of them a row has."""

from __future__ import annotations

import json
from collections.abc import Collection
from operator import itemgetter

from tx_graph.analysis.identifiers import query_terms
from tx_graph.storage.database import Database

_SPREAD = 500
"""Rows that may share a word before it matters no more how many do."""


def telling_match(database: Database, table: str, text: str, *, most: int) -> str:
    """Return what matches the rows of a full-text table that have any telling word of a text; empty if it has none.

    A word that more than so many rows have tells none of them apart.
    """
    terms = dict.fromkeys(f'"{spelling}"' for spellings in query_terms(text) for spelling in spellings)
    return " OR ".join(term for term in terms if not _is_common(database, table, term, most=most))


def _is_common(database: Database, table: str, term: str, *, most: int) -> bool:
    asked = (term, most)
    return database.value(f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1 OFFSET ?", asked) is not None


def shared_words(database: Database, table: str, text: str, rows: Collection[int]) -> dict[int, list[str]]:
    """Return the words of a text that these rows have, for each row that has any; the most telling words come first."""
    found: dict[int, list[tuple[int, str]]] = {}
    for word, *others in query_terms(text) if rows else ():
        term = " OR ".join(f'"{spelling}"' for spelling in (word, *others))
        if having := _having(database, table, term, rows):
            spread = _spread(database, table, term)
            for row in having:
                found.setdefault(row, []).append((spread, word))
    return {row: [word for _, word in sorted(words, key=itemgetter(0))] for row, words in found.items()}


def _having(database: Database, table: str, term: str, rows: Collection[int]) -> list[int]:
    matching = database.rows(
        f"""
        SELECT rowid
        FROM {table}
        WHERE {table} MATCH :term AND rowid IN (SELECT value FROM json_each(:rows))
        ORDER BY rowid
        """,
        {"term": term, "rows": json.dumps(list(rows))},
    )
    return [row for (row,) in matching]


def _spread(database: Database, table: str, term: str) -> int:
    """Return how many rows have a term, counted as far as it tells anything."""
    asked = (term, _SPREAD)
    return int(database.value(f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)", asked))
