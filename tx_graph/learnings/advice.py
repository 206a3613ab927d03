"""What who adds a learning may want to know: what says the same, what to tie it to, what is too large for that."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.anchors.sources import SymbolLookup, sources
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import counted, inert_line
from tx_graph.graph.diversify import overlap
from tx_graph.learnings.similar import SAME_MEANING, SAME_WORDS
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.records.anchor import AnchorType
from tx_graph.records.learning import StoredLearning
from tx_graph.records.learning_store import LearningStore
from tx_graph.vectors.embedding import Embedding

_NAME = re.compile(r"[\w./$-]+(?:::[\w$]+)*")
_LOOKS_LIKE_CODE = re.compile(r"\w(?:_|::|[./])\w|[a-z0-9][A-Z]")
_MOST_SUGGESTED = 3
_LARGE = 150  # lines of a symbol beyond which most changes of it have nothing to do with one learning


def advice(kernel: Kernel, stored: StoredLearning) -> Iterator[str]:
    """Yield a sentence for each thing that may be done better about a learning that was just added."""
    uid, content, anchors = stored.learning.uid, stored.learning.content, stored.learning.anchors
    if alike := _alike(kernel, stored):
        yield f"{alike.name} says much the same: tx learning:merge {alike.learning.uid} {uid}"
    for anchor in anchors:
        if anchor.type is AnchorType.GLOB:
            count = len(kernel.checkout.tracked_files().matching(anchor.path))
            yield f"{inert_line(anchor.path)} matches {counted(count, 'file')}."
        elif anchor.symbol:
            first, last = kernel.one(sources).symbol(anchor.path, anchor.symbol).lines
            if last - first >= _LARGE:
                yield f"{anchor.spec} has {last - first + 1:,} lines: a part of it changes less often, and says more."
    places = [] if anchors else _named(kernel, content)
    for place in places[:_MOST_SUGGESTED]:
        yield f"It names {inert_line(place)}: tx link {uid} '{inert_line(place)}'"


def _alike(kernel: Kernel, stored: StoredLearning) -> StoredLearning | None:
    """Return the learning nearest in meaning, or else in words, if it is near enough to be the same."""
    content = stored.learning.content
    others = {
        number: text for number, _, text in SimilarityStore(kernel.database).shown_contents() if number != stored.id
    }
    asked = kernel.one(Embedding).asked(content) if others else None
    near = [number for number, cosine in asked.nearest(others, 1) if cosine >= SAME_MEANING] if asked else []
    words = content_words(content)
    shared = max(((overlap(words, content_words(text)), number) for number, text in others.items()), default=(0.0, 0))
    near += [shared[1]] if shared[0] >= SAME_WORDS else []
    return LearningStore(kernel.database).by_numbers(near[:1])[0] if near else None


def _named(kernel: Kernel, content: str) -> list[str]:
    """Return the symbols and files that a text names, as one anchors to them, the symbols first."""
    tree, lookup = kernel.checkout.tree, kernel.one(SymbolLookup)
    symbols: dict[str, None] = {}
    files: dict[str, None] = {}
    for word in dict.fromkeys(one.strip(".-/") for one in _NAME.findall(content) if _LOOKS_LIKE_CODE.search(one)):
        try:
            if (path := tree.existing(word)) and not tree.is_directory(path):
                files[path] = None
            elif symbol := lookup.declared(word):
                symbols[symbol.fqname] = None
        except (NotFound, UsageError):  # a name of several, or a path that leads out
            continue
    return [*symbols, *files]
