"""Search, the same for all that can be found: learnings, sections of documents, files.

Each of them is a `Source`, declared in its own room (`records/learning_store.py`, `documents/chunk_store.py`,
`code/file_store.py`): its full-text index, its vectors, and of which thing each of their rows is. The steps:

| step | where |
|---|---|
| the files that it names are told from its words | `read_question` |
| each index gives its best rows, and their scores are summed | `matched`, `graph/fuse.py` |
| a walk goes on from the seeds | `graph/expand.py` |
| what repeats what stands above it moves down | `graph/diversify.py` |
| verdicts on what is left, best first | the room that answers |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nlargest
from typing import NamedTuple, Protocol

from tx_graph.core.dataclass import dataclass, field
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import reciprocal_rank_fusion, score_sum
from tx_graph.graph.word_store import TextSearch

_MOST_NAMED = 5  # files one question may name
_SAME_NAME = 3  # files of one name that a question may mean
_READ = 2000  # characters in which file names are looked for
_FILE_NAME = re.compile(r"(?<![\w@.\-/])(?:[\w@.\-/]*\w\.\w{1,8}\b|[\w@.\-]+/[\w@.\-/]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as it is searched for.

    `text` is the question, `words` the same with paths of known files cut down to their names: their directories
    are no words of it. `rest` is what it says besides; `files` are the nodes of the files it names.
    """

    text: str
    words: str
    rest: str = ""
    files: tuple[NodeId, ...] = ()

    @property
    def has_meaning(self) -> bool:
        """Whether it says anything besides naming files; a file's name alone means nothing to an embedding."""
        return not self.files or any(character.isalnum() for character in self.rest)


def read_question(text: str, files: TextSearch) -> Question:
    """Return the question with the files it names, as far as the repository has them."""
    names = dict.fromkeys(match[0].removeprefix("./").strip("/") for match in _FILE_NAME.finditer(text[:_READ]))
    found = {
        name: [node for _, node in files.files_named(name, limit=_SAME_NAME)]
        for name in [name for name in names if name][:_MOST_NAMED]
    }
    words = rest = text
    for name in sorted((name for name, nodes in found.items() if nodes), key=len, reverse=True):
        words = words.replace(name, name.rpartition("/")[2])
        rest = rest.replace(name, " ")
    return Question(text=text, words=words, rest=rest, files=tuple(node for nodes in found.values() for node in nodes))


Ranked = Sequence[tuple[int, float] | tuple[int, float, int | None]]
"""Rows of an index with their scores, best first, and the row that each stands beside, if that one has the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """One way to find rows: by words, with their share of the question, or by meaning, with their cosines.

    `rows` answers a question with the best of the rows that are allowed (None: of all), and with None where there is
    nothing to ask, such as vectors. `share` says what a score counts beside those of other indexes. So many rows as
    `each` says are looked at for one thing that is wanted: what one index has further down may be what another has on
    top. Where every row has a score (`is_endless`), more if these do not do.
    """

    rows: Callable[[Question, Collection[int] | None, int], Ranked | None]
    share: float = 1.0
    each: int = 1
    is_endless: bool = False


class Source(NamedTuple):
    """What can be searched: its indexes by name, and what says of which thing a row is (None: each of itself)."""

    indexes: Mapping[str, Index]
    things: Callable[[Collection[int]], Mapping[int, int]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Direct matches: by the name of each index that could be asked, the scores of the things, best first.

    `rows` are the best row of each thing. `fused` looks at ranks alone, `relevance` is the sum of scaled scores; both
    lie in [0, 1]. `beside` has the rows found by what stands beside them, and that. `dropped` counts by reason what a
    plug-in gave that means nothing. `is_cut` says that a ranking may go on below what is here.
    """

    scores: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    rows: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    fused: Mapping[int, float] = field(default_factory=dict)
    relevance: Mapping[int, float] = field(default_factory=dict)
    beside: Mapping[int, int] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    is_cut: bool = False

    def by(self, index: str) -> Mapping[int, float]:
        """Return what one index found, nothing where it was not asked."""
        return self.scores.get(index, {})


class Matcher(Protocol):
    """Finds direct matches, as `matched` does in a source, or as a plug-in likes."""

    def __call__(self, question: Question, *, count: int, allowed: Collection[int] | None = None) -> Matches:
        """Return what matches by itself, of what is allowed (None: of all), at most `count` of each index."""


def matched(source: Source, question: Question, *, count: int, allowed: Collection[int] | None = None) -> Matches:
    """Return what each index of a source finds: about `count` things for each, those of the best sums of scores."""
    scores: dict[str, dict[int, float]] = {}
    best_rows: dict[str, dict[int, int]] = {}
    beside: dict[int, int] = {}
    is_cut = False
    for name, index in source.indexes.items():
        limit = count * index.each
        while (found := index.rows(question, allowed, limit)) is not None:
            of = source.things([row for row, *_ in found]) if source.things else {row: row for row, *_ in found}
            scores[name], best_rows[name] = {}, {}
            for row, score, *_ in found:
                if of[row] not in scores[name]:
                    scores[name][of[row]], best_rows[name][of[row]] = score, row
            beside |= {row: int(other) for row, _, *others in found for other in others if other is not None}
            if not index.is_endless or len(scores[name]) >= count or len(found) < limit:
                is_cut = is_cut or len(found) == limit
                break
            limit *= index.each
    relevance = score_sum(scores, {name: index.share for name, index in source.indexes.items()})
    if len(relevance) > (most := count * len(source.indexes)):
        relevance = {thing: relevance[thing] for thing in nlargest(most, relevance, key=relevance.__getitem__)}
        scores = {
            name: {one: score for one, score in things.items() if one in relevance} for name, things in scores.items()
        }
        is_cut = True
    return Matches(
        scores=scores,
        rows=best_rows,
        fused=reciprocal_rank_fusion({name: list(things) for name, things in scores.items()}),
        relevance=relevance,
        beside=beside,
        is_cut=is_cut,
    )
