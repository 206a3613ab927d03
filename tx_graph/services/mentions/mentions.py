"""Keeps mentions equal to what texts, facts and names of entities say now, looking only at what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from tx_graph.analysis.mentions import NamesOf, Prepared, Spelling, mentions_in, spelling_of
from tx_graph.domain.edges import NodeId
from tx_graph.storage.mentions import MentionRow, NameRow
from tx_graph.storage.stores import Stores

_IDENTITY, _FACT, _TEXT = "identity", "fact", "text"
_WEIGHTS = {_IDENTITY: 1.0, _FACT: 0.8}
_FIRST, _EACH_MORE, _MOST_TIMES = 0.5, 0.1, 3
"""Weight of a text that names an entity once, and what it gains when it does so again: then it may be about it. Of an
entity that is named everywhere a walk follows only the heaviest."""
_MANY_NAMES = 100
"""New names from which on it takes less time to look at every text than to search for each name."""
_MANY_TEXTS = 100
"""Texts from which on all names are held in memory."""
_BATCH = 2_000
_SPELLED = frozenset({"c", "f", "net"})
"""Words of names that are nothing but punctuation otherwise: full-text search has another word for `C#` and `.NET`."""


class Mentions:
    """Brings mentions up to date. Triggers of the schema note what to look at, whoever changes it."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._spellings: dict[str, Spelling | None] = {}

    def catch_up(self) -> None:
        """Bring mentions up to date if anything has changed that they rest on; nearly free if nothing has.

        A database that cannot be written stays as it is.
        """
        database = self._stores.database
        if not database.read_only and not self._stores.mentions.is_current():
            with database.transaction():
                self.refresh()

    def refresh(self, *, thorough: bool = False) -> None:
        """Bring mentions up to date; `thorough` where files or symbols came or went. Needs a transaction."""
        store = self._stores.mentions
        if not thorough and store.is_current():
            return
        if names_changed := store.names_changed():
            self._compare_names()
        if names_changed or thorough:
            store.queue_identities()
        queue = store.queue()
        names_of = self._held_names() if len(queue) > _MANY_TEXTS else self._asked_names
        for start in range(0, len(queue), _BATCH):
            self._look_at(queue[start : start + _BATCH], names_of)
        store.settle()

    def _compare_names(self) -> None:
        """Find the names that have come and gone, and the texts that may have them."""
        store = self._stores.mentions
        before = set(store.names())
        now = {NameRow(name, node, self._word(name)) for name, node in self._stores.entities.names()}
        gone, new = before - now, now - before
        store.rename(gone, sorted(new, key=lambda row: row[:2]))
        store.queue_speakers_of({row.entity for row in gone})
        words = {row.word for row in new if row.word is not None}
        if len(words) > _MANY_NAMES or not all(map(_can_be_searched, words)):
            store.queue_every_text()
        else:
            store.queue_texts_with(sorted(words))

    def _word(self, name: str) -> str | None:
        spelling = self._spelling(name)
        return spelling.word if spelling else None

    def _spelling(self, name: str) -> Spelling | None:
        if name not in self._spellings:
            self._spellings[name] = spelling_of(name)
        return self._spellings[name]

    def _held_names(self) -> NamesOf:
        by_word: defaultdict[str, list[tuple[NodeId, Spelling]]] = defaultdict(list)
        for name, entity, word in self._stores.mentions.names():
            if word is not None and (spelling := self._spelling(name)):
                by_word[word].append((entity, spelling))
        known = by_word.keys()
        return lambda words: (one for word in known & words for one in by_word[word])

    def _asked_names(self, words: Collection[str]) -> Iterable[tuple[NodeId, Spelling]]:
        for name, entity in self._stores.mentions.names_with(words):
            if spelling := self._spelling(name):
                yield entity, spelling

    def _look_at(self, nodes: Sequence[NodeId], names_of: NamesOf) -> None:
        """Write what some nodes mention now."""
        store = self._stores.mentions
        found: dict[tuple[NodeId, NodeId], MentionRow] = {}
        for node, text in store.texts(nodes).items():
            for entity, times in mentions_in(Prepared(text), names_of).items():
                found[entity, node] = MentionRow(entity, node, _TEXT, times, _text_weight(times))
        for origin, pairs in ((_FACT, store.told_by(nodes)), (_IDENTITY, store.being(nodes))):
            for entity, node in pairs:
                found[entity, node] = MentionRow(entity, node, origin, 1, _WEIGHTS[origin])
        before = {(row.entity, row.node): row for row in store.of_nodes(nodes)}
        gone = [row for key, row in before.items() if key not in found]
        store.write(gone, [row for key, row in found.items() if before.get(key) != row])


def _text_weight(times: int) -> float:
    return round(_FIRST + _EACH_MORE * (min(times, _MOST_TIMES) - 1), 2)


def _can_be_searched(word: str) -> bool:
    """Whether full-text search finds every text that has the word: it takes ideographs apart, and `C++` for a word."""
    return word.isascii() and word not in _SPELLED
