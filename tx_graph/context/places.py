"""Where in a file the answer stands: lines, the declaration they are in, and a snippet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from tx_graph.code.chunk_store import CodeChunkStore
from tx_graph.code.finding import Spot
from tx_graph.context.ranking_evidence import Inquiry, RankedFile
from tx_graph.core.guard import without_secrets
from tx_graph.core.identifiers import content_words, spellings
from tx_graph.core.text import best_lines
from tx_graph.core.working_tree import as_text
from tx_graph.graph.edges import NodeId

_SNIPPETS = 3  # of the best files a snippet is told: who reads on opens the file
_SNIPPET = 400  # characters of a snippet
_STEM = 5  # letters of a word by which it is known in a name: `valid` of `validation` in `validate`
_READ = 400_000  # bytes of a file in which a place is looked for
_LOOKED_THROUGH = 2_000  # lines of a file that is looked through anew


def placed(asked: Inquiry, files: Mapping[NodeId, RankedFile]) -> dict[NodeId, RankedFile]:
    """Return the files with the places where the question is answered best in them as they are now.

    Where the index is from another version of a file, its lines are looked through anew, and no declaration is told.
    The best three have a snippet.
    """
    store, tree = CodeChunkStore(asked.kernel.database), asked.kernel.checkout.tree
    spots = {file: spot for file, spot in asked.code.spots.items() if file in files}
    seen = store.read_from(spots)
    declared, words = store.within({file: spots[file][:2] for file in seen}), content_words(asked.asked)
    found = dict(files)
    for place, (file, ranked) in enumerate(files.items()):
        content = tree.read_listed(ranked.path, most=_READ) if file in spots else None
        if not content or b"\0" in content:
            continue
        digest, *stamp = seen.get(file, ("", 0, 0))
        fits = digest == sha256(content).hexdigest() if digest else tree.stamp(ranked.path) == tuple(stamp)
        lines = as_text(content).split("\n")
        if fits:
            spot = _declared_at(spots[file], declared.get(file, ()), words)
        else:
            first, end = best_lines("\n".join(lines[:_LOOKED_THROUGH]), asked.asked, most=_SNIPPET)
            spot = Spot(first + 1, end)
        snippet = None
        if place < _SNIPPETS:
            shown = lines[spot.line_start - 1 : spot.line_end]
            # A declaration that was asked for by its name is seen by how it begins, all else by where its words are.
            first, end = best_lines(
                "\n".join(shown), "" if spot.symbol and spots[file].symbol else asked.asked, most=_SNIPPET
            )
            snippet = without_secrets("\n".join(shown[first:end]), quick=True)
        found[file] = replace(
            ranked,
            line_start=spot.line_start,
            line_end=spot.line_end,
            symbol=spot.symbol or None,
            snippet=snippet,
        )
    return found


def _declared_at(spot: Spot, declared: Sequence[tuple[str, int, int]], words: Collection[str]) -> Spot:
    """Return the declaration in these lines, or around them, whose name has most words of the question.

    Where none has any, it is the innermost one around the first line, with the lines as they were.
    """
    if spot.symbol or not declared:
        return spot
    best = max(declared, key=lambda one: (_met(one[0], words), one[1] - one[2]))
    if _met(best[0], words):
        return Spot(best[1], best[2], best[0])
    around = [one for one in declared if one[1] <= spot.line_start <= one[2]]
    return spot._replace(symbol=min(around, key=lambda one: one[2] - one[1])[0] if around else "")


def _met(name: str, words: Collection[str]) -> int:
    """Return how many words of the question the last part of a qualified name has."""
    parts = {part.lower() for spelled in spellings(name.rpartition("::")[2]) for part in spelled}
    return sum(any(part.startswith(word[:_STEM]) for part in parts) for word in words)
