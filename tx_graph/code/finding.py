"""Where is it: which files a question is about, and where in them, told by what stands in the code itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from tx_graph.code.chunk_store import CodeChunkStore, Piece
from tx_graph.code.chunks import called
from tx_graph.code.file_store import FileStore
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.identifiers import MAX_TERMS, is_telling, spellings
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edges import NodeId
from tx_graph.graph.word_store import TextSearch
from tx_graph.vectors.embedding import Embedding

_PIECES, _CARDS, _PATHS, _NEAREST = 400, 150, 100, 60
"""Matches of each kind that are looked at: with half as many pieces, every hundredth answer is lost."""
_NAMED_LIKE = 50  # files whose paths match best, of which it is asked what share of their names does
_MORE = 4  # pieces of one file that count together
_PREFIX = 3  # letters from which on a word of the question stands for one that begins with it, and the other way round
_IDENTIFIER = re.compile(r"[a-z0-9][A-Z]|[A-Z][a-z0-9]+[A-Z]|\w_\w|^[A-Z]{2,}")
_NAME = re.compile(r"[A-Z][a-z]{3,}")
"""What makes a word of a sentence an identifier: how it is written, and for all but the first a capital."""
_WORD = re.compile(r"\w+")
_SIMILAR, _INNER = 0.7, 0.6
"""What a declaration counts whose name differs in upper and lower case, and one inside another."""


class Clue(StrEnum):
    """What in the code speaks for a file.

    `pieces`: its best piece matches by words. `more`: its best pieces together. `names`: what it is called and
    declares. `covers`: share of the words of its own name that the question has. `defines`: it declares an identifier
    of the question. `meaning`: what it is called and declares means something near. `paths`: its path matches by words.
    """

    PIECES = "pieces"
    MORE = "more"
    NAMES = "names"
    COVERS = "covers"
    DEFINES = "defines"
    MEANING = "meaning"
    PATHS = "paths"


class Spot(NamedTuple):
    """Lines of a file, counted from 1, both included; `symbol` is the qualified name of a declaration there."""

    line_start: int
    line_end: int
    symbol: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the code says to a question: for each clue the files with scores > 0, and where in them it is best seen.

    `best` has the number of the best piece of each file that has one.
    """

    clues: Mapping[Clue, Mapping[NodeId, float]] = field(default_factory=dict)
    spots: Mapping[NodeId, Spot] = field(default_factory=dict)
    best: Mapping[NodeId, int] = field(default_factory=dict)


def find_code(kernel: Kernel, text: str) -> Found:
    """Return which files a text is about by what stands in them; nothing for an empty text."""
    store, clues = CodeChunkStore(kernel.database), defaultdict[Clue, dict[NodeId, float]](dict)
    spots: dict[NodeId, Spot] = {}
    telling = [spelled for spelled in spellings(text) if is_telling(spelled[0])][:MAX_TERMS]
    asked_words = {part.lower() for spelled in telling for part in spelled}
    paths = clues[Clue.PATHS] = dict(TextSearch(kernel.database).files(text, limit=_PATHS))
    if not telling:
        return Found(clues=clues)
    by_file: dict[NodeId, list[Piece]] = defaultdict(list)
    for piece in store.search(text, limit=_PIECES):
        by_file[piece.file].append(piece)
    for file, pieces in by_file.items():
        clues[Clue.PIECES][file] = pieces[0].score
        clues[Clue.MORE][file] = sum(piece.score for piece in pieces[:_MORE])
        spots[file] = Spot(pieces[0].line_start, pieces[0].line_end)
    clues[Clue.NAMES] = dict(store.cards(text, limit=_CARDS))
    if asked := kernel.one(Embedding).asked(text, "cards"):
        clues[Clue.MEANING] = {file: cosine for file, cosine in asked.nearest(None, _NEAREST) if cosine > 0}
    words = list(_WORD.finditer(text))[: 2 * MAX_TERMS]
    meant: dict[str, str] = {}  # the identifiers of the question, by their lower case
    for place, match in enumerate(words):
        word = match[0]
        is_member = text[: match.start()][-1:] in (".", ":") or text[match.end() :][:1] == "("
        if len(words) == 1 or is_member or _IDENTIFIER.search(word) or (place and _NAME.fullmatch(word)):
            meant[word.lower()] = word
    for name, file, qualified, first, last in store.declaring(meant):
        score = (1.0 if name == meant[name.lower()] else _SIMILAR) * (_INNER if "::" in qualified else 1.0)
        if score > clues[Clue.DEFINES].get(file, 0.0):
            clues[Clue.DEFINES][file] = score
            spots[file] = Spot(first, last, qualified)
    files = set(islice(paths, _NAMED_LIKE)).union(*(found for clue, found in clues.items() if clue is not Clue.PATHS))
    for file, path in FileStore(kernel.database).paths_of(files).items():
        own = {part.lower() for spelled in spellings(called(path)[0]) for part in spelled}
        if met := sum(_is_among(asked_words, part) for part in own):
            clues[Clue.COVERS][file] = met / len(own)
    best = {file: pieces[0].number for file, pieces in by_file.items()}
    return Found(clues=clues, spots=spots, best=best)


def _is_among(words: Collection[str], part: str) -> bool:
    """Whether a part of a name is one of these words, or one of the two begins with the other."""
    if part in words:
        return True
    if len(part) < _PREFIX:
        return False
    longer = tuple(word for word in words if len(word) >= _PREFIX)
    return part.startswith(longer) or any(word.startswith(part) for word in longer)
