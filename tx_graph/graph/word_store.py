"""Full-text search (FTS5, BM25) over learnings and over the paths of files."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from heapq import nlargest
from operator import itemgetter

from tx_graph.core.database import Database, Store
from tx_graph.core.identifiers import query_terms, searchable
from tx_graph.graph.edge_statements import WITHHELD
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import beside, near, places, strongest

_OF_A_WORD = 2_000  # rows that may have a word of a question: which others have it too tells next to nothing
_SPREAD = 500  # rows that may share a word before it matters no more how many do


def telling_terms(database: Database, table: str, text: str, *, most: int, takes_common: bool = False) -> list[str]:
    """Return the words of a text that at most `most` rows of a full-text table have, all if `takes_common` and none is.

    A word that more have tells none of them apart.
    """
    terms = list(dict.fromkeys(f'"{spelling}"' for spellings in query_terms(text) for spelling in spellings))
    common = f"SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT 1 OFFSET ?"
    return [term for term in terms if not database.rows(common, (term, most))] or (terms if takes_common else [])


def best_rows(
    database: Database,
    table: str,
    text: str,
    *,
    most: int,
    limit: int,
    weights: Sequence[float] = (),
    allowed: Collection[int] | None = None,
    takes_common: bool = False,
    is_newest_first: bool = False,
) -> list[tuple[int, float]]:
    """Return (row, BM25 score ≥ 0) of the rows of a full-text table that have a telling word of a text, best first.

    `most` and `takes_common` say which words are looked for (see `telling_terms`), `weights` are those of the columns.
    """
    telling = telling_terms(database, table, text, most=most, takes_common=takes_common)
    if not telling:
        return []
    return database.rows(
        f"""
        SELECT rowid, -bm25({", ".join([table, *map(str, weights)])}) AS score
        FROM {table}
        WHERE {table} MATCH :match {"" if allowed is None else "AND +rowid IN (SELECT value FROM json_each(:allowed))"}
        ORDER BY score DESC, rowid {"DESC" if is_newest_first else ""}
        LIMIT :limit
        """,
        {"match": " OR ".join(telling), "allowed": json.dumps(list(allowed or ())), "limit": limit},
    )


def word_rows(
    database: Database,
    table: str,
    phrase: str,
    weights: Sequence[float],
    shown: str = "IS NOT NULL",
    allowed: Collection[int] | None = None,
) -> dict[int, float]:
    """Return the BM25 score of the rows of a full-text table that have a phrase, of the best where these are many.

    `weights` are those of the columns; `shown` is the condition on rows where nobody says which are `allowed`.
    """
    narrowed = shown if allowed is None else "IN (SELECT value FROM json_each(:allowed))"
    return dict(
        database.rows(
            f"""
            SELECT rowid, -bm25({", ".join([table, *map(str, weights)])}) AS score
            FROM {table}
            WHERE {table} MATCH :match AND +rowid {narrowed}
            ORDER BY score DESC, rowid
            LIMIT {_OF_A_WORD}
            """,
            {"match": phrase, "allowed": json.dumps(list(allowed or ()))},
        )
    )


def telling_rows(rows: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the rows, best first, that score near enough to the best.

    Fusion looks at ranks alone, so what matches by a word that every second row has would otherwise rank right behind
    what matches by a telling one.
    """
    least = _LEAST_SHARE * max((score for _, score in rows), default=0.0)
    return [(number, score) for number, score in rows if score >= least]


def shared_words(database: Database, table: str, text: str, rows: Collection[int]) -> dict[int, list[str]]:
    """Return the words of a text that these rows have, for each row that has any; the most telling words come first."""
    found: dict[int, list[tuple[int, str]]] = {}
    for word, *others in query_terms(text) if rows else ():
        term = " OR ".join(f'"{spelling}"' for spelling in (word, *others))
        having = database.rows(
            f"""
            SELECT rowid
            FROM {table}
            WHERE {table} MATCH :term AND rowid IN (SELECT value FROM json_each(:rows))
            ORDER BY rowid
            """,
            {"term": term, "rows": json.dumps(list(rows))},
        )
        if having:  # how many rows have the term is counted as far as it tells anything
            counted = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT ?)"
            spread = int(database.value(counted, (term, _SPREAD)))
            for (row,) in having:
                found.setdefault(row, []).append((spread, word))
    return {row: [word for _, word in sorted(words, key=itemgetter(0))] for row, words in found.items()}


_SHORTEST_STEM = 4  # letters a known word must share with an unknown one to stand for it: `auth` for `authentication`

_LONGEST_STEM = 40  # letters of an unknown word to look at; what goes on longer is no word but a blob
_LEAST_SHARE = 0.1  # share of the best score that a match needs
_COMMON_IN_PATHS = 1000
"""Paths that may share a word of the question; to score a hundred thousand takes 50 ms and ranks none of them."""
_FEW = 10
"""Matches that are all shown: among a handful of learnings every word is in half of them, and BM25 takes none for
telling."""


_WEIGHED = 32  # words of a text that are weighed, the first ones: each takes half a millisecond among 10,000 commits
_OF_ONE_ANSWER = 4
"""Of so many words that nobody ever used, together, a learning has at most to have all: a task is longer than that."""
_CORPORA = {"commits_fts": "commits", "code_words": "code_chunks"}
"""The texts of a repository by which words are weighed, and the table with a row for each."""


class TextSearch(Store):
    """Finds learnings by their words, and files by their paths."""

    def index(self, number: int, content: str, *, labels: Collection[str], places: Collection[str]) -> None:
        """Make a learning findable by its content, its labels and the places it is anchored to."""
        self.forget(number)
        self._database.write(
            "INSERT INTO learnings_fts (rowid, content, keywords, places) VALUES (?, ?, ?, ?)",
            (number, searchable(content), searchable(" ".join(labels)), searchable(" ".join(places))),
        )

    def forget(self, number: int) -> None:
        """Take a learning out of the index."""
        self._database.write("DELETE FROM learnings_fts WHERE rowid = ?", (number,))

    def index_files(self, files: Collection[tuple[NodeId, str]]) -> None:
        """Make files findable by the words of their paths."""
        self._database.write_many("DELETE FROM files_fts WHERE rowid = ?", ((node,) for node, _ in files))
        self._database.write_many(
            "INSERT INTO files_fts (rowid, path) VALUES (?, ?)", ((node, searchable(path)) for node, path in files)
        )

    def forget_files(self, nodes: Collection[NodeId]) -> None:
        """Take files out of the index."""
        self._database.write_many("DELETE FROM files_fts WHERE rowid = ?", ((node,) for node in nodes))

    def learnings(
        self, query: str, *, allowed: Collection[int] | None, limit: int
    ) -> list[tuple[int, float, int | None]]:
        """Return (number, share of the query, beside which) of the learnings that match any word of it, best first.

        Withheld learnings are left out unless `allowed` names them. A word nobody used gives way to known words
        that begin like it. A match far weaker than the best one is none. Of learnings from one source a word counts
        for those beside it too (see `beside`), which says by which of them most of a score was earned.
        """
        phrases: list[str] = []
        for spellings in query_terms(query):
            quoted = [f'"{spelling}"' for spelling in spellings]
            known = "SELECT 1 FROM learnings_fts WHERE learnings_fts MATCH ? LIMIT 1"
            if not self._database.rows(known, (" OR ".join(quoted),)):
                quoted = [f'"{beginning}"' for beginning in self._beginnings(spellings[0])]
            phrases += quoted
        phrases = list(dict.fromkeys(phrases))
        # BM25 takes what so many learnings have for nothing: a millionth of a rare word. To score ten thousand
        # learnings for that takes 8 ms, to count them up to there a fiftieth.
        asked = [{"match": one, "few": _FEW} for one in phrases] if len(phrases) > 1 else []
        common = {one["match"] for one in asked if self._database.rows(_EVERY_SECOND, one)}
        rare = [one for one in phrases if one not in common]
        shown = f"NOT IN ({_WITHHELD})"
        words: list[dict[int, float]] = []
        for several in (rare, phrases) if len(rare) < len(phrases) else (phrases,):
            if not any(words):
                weights = (1.0, 1.0, 0.5)
                words = [word_rows(self._database, "learnings_fts", one, weights, shown, allowed) for one in several]
        best = strongest(words)
        totals, givers = beside(words, near(self._places(best), best))
        found = totals if allowed is None else totals.keys() & set(allowed)
        rows = [(one, totals[one]) for one in nlargest(limit, found, key=lambda one: (totals[one], -one))]
        return [(one, score, givers.get(one)) for one, score in (rows if len(rows) <= _FEW else telling_rows(rows))]

    def _places(self, learnings: Collection[int]) -> dict[int, int]:
        """Return the places of the shown learnings of the sources that any of these come from: by time, then number.

        A commit is no sequence.
        """
        rows = self._database.rows(
            f"""
            SELECT l.id, l.source_type, l.source_ref
            FROM (
                SELECT DISTINCT source_type, source_ref
                FROM learnings
                WHERE id IN (SELECT value FROM json_each(:numbers))
                  AND source_ref IS NOT NULL AND source_type <> 'commit'
            ) s
            CROSS JOIN learnings l ON l.source_ref = s.source_ref AND l.source_type = s.source_type
            WHERE l.source_ref IS NOT NULL AND l.source_type <> 'commit' AND l.id NOT IN ({_WITHHELD})
            ORDER BY l.source_type, l.source_ref, l.created_at, l.id
            """,
            {"numbers": json.dumps(list(learnings))},
        )
        return places(rows)

    def files(self, query: str, *, limit: int) -> list[tuple[NodeId, float]]:
        """Return (node, BM25 score ≥ 0) of the files whose path has a telling word of the query, best first."""
        return telling_rows(best_rows(self._database, "files_fts", query, most=_COMMON_IN_PATHS, limit=limit))

    def path_words(self, query: str, files: Collection[NodeId]) -> dict[NodeId, list[str]]:
        """Return the words of the query that these files' paths have, for each that has any; the most telling first."""
        return shared_words(self._database, "files_fts", query, files)

    def files_named(self, name: str, *, limit: int) -> list[tuple[str, NodeId]]:
        """Return (path, node) of the files whose path is `name` or ends with `/name`, shortest first."""
        return self._database.rows(
            """
            SELECT path, node_id
            FROM files
            WHERE name = :last AND (path = :name OR substr(path, -length(:name) - 1) = '/' || :name)
            ORDER BY length(path), path
            LIMIT :limit
            """,
            {"last": name.rpartition("/")[2], "name": name, "limit": limit},
        )

    def covered(self, query: str, learnings: Collection[int]) -> dict[int, float]:
        """Return for learnings which share in [0, 1] they have of what the words of a query tell; 0 is left out.

        A word tells the more the fewer commit messages and pieces of code have it, whichever have it more often; one
        that nobody ever used tells most. Among a few learnings every word would be rare. Of a long text, no learning
        need have more than a short one says. What a commit tells has the words of its whole message.
        """
        sizes = {table: int(self._database.value(f"SELECT count(*) FROM {of}")) for table, of in _CORPORA.items()}
        unknown = {table: math.log(2 * (size + 1)) for table, size in sizes.items() if size}
        most = _OF_ONE_ANSWER * min(unknown.values(), default=1.0)
        numbers = json.dumps(list(learnings))
        messages = self._database.rows(_MESSAGES, (numbers,)) if learnings else []
        commits = json.dumps([commit for _, commit in messages])
        total, found = 0.0, dict[int, float]()
        for spellings in query_terms(query)[:_WEIGHED] if learnings else ():
            term = " OR ".join(f'"{spelling}"' for spelling in spellings)
            having = self._database.rows(
                """
                SELECT rowid
                FROM learnings_fts
                WHERE learnings_fts MATCH :term AND rowid IN (SELECT value FROM json_each(:numbers))
                """,
                {"term": term, "numbers": numbers},
            )
            if messages:
                said = {commit for (commit,) in self._database.rows(_SAID, (term, commits))}
                having = list({*having, *((number,) for number, commit in messages if commit in said)})
            if not having and total >= most:  # how rare it is changes nothing any more
                continue
            told = 1.0 if not unknown else math.inf
            for table, whole in unknown.items():
                count = int(self._database.value(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (term,)))
                told = min(told, max(0.0, whole - math.log(2 * count + 1)))
            total += told
            for (number,) in having:
                found[number] = found.get(number, 0.0) + told
        return {number: min(1.0, share / min(total, most)) for number, share in found.items() if share}

    def _beginnings(self, word: str) -> list[str]:
        """Return known words that `word` begins with, or that begin with it."""
        if len(word) < _SHORTEST_STEM:
            return []
        shorter = [word[:length] for length in range(_SHORTEST_STEM, min(len(word), _LONGEST_STEM + 1))]
        return [
            term
            for (term,) in self._database.rows(
                """
                SELECT term FROM learnings_vocabulary WHERE term IN (SELECT value FROM json_each(:shorter))
                UNION
                SELECT term FROM learnings_vocabulary WHERE term >= :word AND term < :word || char(1114111)
                ORDER BY 1
                LIMIT 16
                """,
                {"shorter": json.dumps(shorter), "word": word},
            )
        ]


_MESSAGES = """
    SELECT l.id, c.id
    FROM learnings l
    JOIN commits c ON l.source_ref = 'commit:' || c.sha
    WHERE l.id IN (SELECT value FROM json_each(?)) AND l.source_type = 'commit'
    ORDER BY l.id
"""
_SAID = "SELECT rowid FROM commits_fts WHERE commits_fts MATCH ? AND rowid IN (SELECT value FROM json_each(?))"
_WITHHELD = f"SELECT id FROM learnings WHERE {WITHHELD}"
_EVERY_SECOND = """
    SELECT 1
    FROM learnings_fts
    WHERE learnings_fts MATCH :match
    LIMIT 1 OFFSET max(:few, ifnull((SELECT max(id) FROM learnings), 0) / 2)
"""
"""Numbers are never given out twice, so half the highest one is no less than half of the learnings."""
