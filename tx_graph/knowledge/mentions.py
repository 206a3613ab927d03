"""Use cases about mentions: which texts and files speak of which entities."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import USER, entity_key
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.mention_store import MentionRow, MentionStore, NameRow

SHORTEST = 3
"""Characters of a name that is looked for in texts."""
_PHRASE = 4  # words that stand together by chance in no text: from so many on, case does not matter
_WORD = re.compile(r"\w+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


class Manner(StrEnum):
    """How a name has to stand in a text so that it is one."""

    ANY_CASE = "any case"
    AS_WRITTEN = "as written"
    IN_SENTENCE = "in a sentence"


class Spelling(NamedTuple):
    """A name as it is looked for: `text` as texts have it (folded where case does not matter).

    `word` is the most telling of its words, in lower case: a text without it has no need to be looked at, nor has one
    without the `others`.
    """

    manner: Manner
    text: str
    word: str
    others: frozenset[str]


NamesOf = Callable[[Collection[str]], Iterable[tuple[int, Spelling]]]
"""Which entities go by names whose most telling word is one of these."""


class Prepared:
    """A text as names are looked for in it: a line for each paragraph, with single blanks."""

    def __init__(self, text: str) -> None:
        normal = text if text.isascii() else unicodedata.normalize("NFKC", text)
        self.plain = "\n".join(" ".join(part.split()) for part in _BLANK_LINE.split(normal))
        self.folded = self.plain.casefold()
        self.words = frozenset(_WORD.findall(self.folded))


def spelling_of(name: str) -> Spelling | None:
    """Return how a name is looked for; None for one that would be found where it is not meant.

    Such are `user`, names of fewer than three characters or without a letter, and a single word in lower case:
    `status`, `make`. A single word with a capital at its beginning, `Kafka`, counts only behind a word in lower case,
    where none would get a capital for any other reason. `API` and two or three words with capitals, `Getting Started`,
    count as they are written. Names that look like names, `DuckDB`, `K8s`, `tx-graph`, `docs/a.md`, several words in
    lower case, and four words or more count in whatever case.
    """
    text = " ".join(unicodedata.normalize("NFKC", name).split())
    words = _WORD.findall(text)
    if len(text) < SHORTEST or not any(map(str.isalpha, text)) or entity_key(text) == USER:
        return None
    manner = Manner.AS_WRITTEN
    if words == [text]:
        if _is_telling(text) or text.lower() == text.upper():
            manner = Manner.ANY_CASE
        elif text.islower():
            return None
        elif not text.isupper():
            manner = Manner.IN_SENTENCE
    else:
        parts = text.split(" ")
        if len(parts) == 1 or len(parts) >= _PHRASE or text == text.lower() or any(map(_is_telling, parts)):
            manner = Manner.ANY_CASE
    folded = _WORD.findall(text.casefold())
    # Of `ADR-12` the number tells it from others, of words the longest does.
    word = max(folded, key=lambda one: (any(map(str.isdigit, one)), len(one)))
    return Spelling(manner, text.casefold() if manner is Manner.ANY_CASE else text, word, frozenset(folded) - {word})


def _is_telling(word: str) -> bool:
    """Whether a word looks like a name: small letters with a capital, a digit or an underscore inside."""
    if "_" in word.strip("_") or (any(map(str.isdigit, word)) and any(map(str.isalpha, word))):
        return True
    return not word.isupper() and any(map(str.isupper, word[1:])) and word.replace("-", "").isalnum()


def mentions_in(text: Prepared, names_of: NamesOf) -> Mapping[int, int]:
    """Return how often a text speaks of each entity that it names at all."""
    found: Counter[int] = Counter()
    for entity, spelling in names_of(text.words):
        if spelling.others <= text.words and (times := _times_in(text, spelling)):
            found[entity] += times
    return found


def _times_in(text: Prepared, spelling: Spelling) -> int:
    """Return how often a name stands in a text, between what is no part of a word or a path."""
    sought = text.folded if spelling.manner is Manner.ANY_CASE else text.plain
    times, place = 0, sought.find(spelling.text)
    while place >= 0:
        end = place + len(spelling.text)
        before = sought[max(sought.rfind(" ", 0, place - 1), sought.rfind("\n", 0, place)) + 1 : place]
        is_behind_small_word = before[-1:] == " " and before[:-1].isalpha() and before.islower()
        if _is_apart(sought, place, end) and (spelling.manner is not Manner.IN_SENTENCE or is_behind_small_word):
            times += 1
        place = sought.find(spelling.text, end)
    return times


def _is_apart(text: str, start: int, end: int) -> bool:
    """Whether no word goes on over an end of a name, and no path over its beginning: `other/docs/a.md`."""
    before = text[max(start - 2, 0) : start]
    if _is_part(text[start]) and before and (_is_part(before[-1]) or (before[-1] == "/" and _is_part(before[0]))):
        return False
    return not (_is_part(text[end - 1]) and end < len(text) and _is_part(text[end]))


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


SAID = 0.8
"""Weight of a text where a fact about the entity is stated."""
_FIRST, _EACH_MORE, _MOST_TIMES = 0.5, 0.1, 3
"""Weight of a text that names an entity once, and what it gains when it does so again: then it may be about it. Of an
entity that is named everywhere a walk follows only the heaviest."""
_MANY_NAMES = 100  # new names from which on it takes less time to look at every text than to search for each name
_MANY_TEXTS = 100  # texts from which on all names are held in memory
_BATCH = 2_000
_SPELLED = frozenset({"c", "f", "net"})
"""Words of names that are nothing but punctuation otherwise: full-text search has another word for `C#` and `.NET`."""


def follow(kernel: Kernel) -> None:
    """Let mentions follow what was written. Needs a transaction."""
    Mentions(kernel.database).refresh()


class Mentions:
    """Brings mentions up to date. Triggers of the schema note what to look at, whoever changes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._store = MentionStore(database)
        self._spelling = cache(spelling_of)

    def catch_up(self) -> None:
        """Bring mentions up to date; a database that cannot be written stays as it is."""
        if not self._database.read_only and not self._store.is_current():
            with self._database.transaction():
                self.refresh()

    def refresh(self, *, thorough: bool = False) -> None:
        """Bring mentions up to date; `thorough` where files or symbols came or went. Needs a transaction."""
        store = self._store
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
        store = self._store
        before = set(store.names())
        now = {
            NameRow(name, node, spelling.word if (spelling := self._spelling(name)) else None)
            for name, node in EntityStore(self._database).names()
        }
        gone, new = before - now, now - before
        store.rename(gone, sorted(new, key=lambda row: row[:2]))
        store.queue_speakers_of({row.entity for row in gone})
        words = {row.word for row in new if row.word is not None}
        # Full-text search takes ideographs apart, and has another word for names that are mostly punctuation.
        if len(words) > _MANY_NAMES or not all(word.isascii() and word not in _SPELLED for word in words):
            store.queue_every_text()
        else:
            store.queue_texts_with(sorted(words))

    def _held_names(self) -> NamesOf:
        by_word: defaultdict[str, list[tuple[NodeId, Spelling]]] = defaultdict(list)
        for name, entity, word in self._store.names():
            if word is not None and (spelling := self._spelling(name)):
                by_word[word].append((entity, spelling))
        known = by_word.keys()
        return lambda words: (one for word in known & words for one in by_word[word])

    def _asked_names(self, words: Collection[str]) -> Iterable[tuple[NodeId, Spelling]]:
        for name, entity in self._store.names_with(words):
            if spelling := self._spelling(name):
                yield entity, spelling

    def _look_at(self, nodes: Sequence[NodeId], names_of: NamesOf) -> None:
        """Write what some nodes mention now."""
        store = self._store
        found = {(row.entity, row.node): row for row in self._in_texts(nodes, names_of)}
        for origin, weight, pairs in (("fact", SAID, store.told_by(nodes)), ("identity", 1.0, store.being(nodes))):
            for entity, node in pairs:
                found[entity, node] = MentionRow(entity, node, origin, 1, weight)
        before = {(row.entity, row.node): row for row in store.of_nodes(nodes)}
        gone = [row for key, row in before.items() if key not in found]
        store.write(gone, [row for key, row in found.items() if before.get(key) != row])

    def in_texts(self, nodes: Sequence[NodeId]) -> list[MentionRow]:
        """Return what the texts of some nodes mention by themselves, whatever facts say where."""
        return list(self._in_texts(nodes, self._asked_names))

    def _in_texts(self, nodes: Sequence[NodeId], names_of: NamesOf) -> Iterator[MentionRow]:
        for node, text in self._store.texts(nodes).items():
            for entity, times in mentions_in(Prepared(text), names_of).items():
                weight = round(_FIRST + _EACH_MORE * (min(times, _MOST_TIMES) - 1), 2)
                yield MentionRow(entity, node, "text", times, weight)
