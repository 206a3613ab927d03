"""The file ranking room: which files of the repository a question, or an open file, is about."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from operator import itemgetter

from tx_graph.code.chunk_store import CodeChunkStore
from tx_graph.code.file_store import FileStore
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.context.gate import Direct
from tx_graph.context.places import placed
from tx_graph.context.purpose import Purpose, purpose_of
from tx_graph.context.ranking_evidence import (
    WORDS,
    Because,
    Inquiry,
    Method,
    RankedFile,
    Signal,
    Votes,
    Weigh,
    commit_of_node,
    inquiry,
    plain_scores,
    signals_of,
    total,
)
from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Weights
from tx_graph.core.shape import canonical_reference
from tx_graph.core.text import quoted_line
from tx_graph.core.tracing import span
from tx_graph.graph.edges import NodeId
from tx_graph.graph.references import NodeKind
from tx_graph.graph.word_store import TextSearch
from tx_graph.history.commit_store import CommitStore

_MOST_WORDS = 3  # words of the question to name for a path, and for a text: those that tell most come first
_SUBJECT_SHOWN = 72
_SHA_SHOWN = 7
_MOST_REASONS = 3
_LEAST_SHARE = 0.05  # share of a file's score below which a reason is not worth its place


def commit_name(sha: str, subject: str) -> str:
    """Return `1a2b3c4: "Fix token expiry"`; a long subject is cut."""
    cut = subject if len(subject) <= _SUBJECT_SHOWN else f"{subject[: _SUBJECT_SHOWN - 1].rstrip()}…"
    return f"{sha[:_SHA_SHOWN]}: {quoted_line(cut)}" if subject else sha[:_SHA_SHOWN]


def told_words(in_path: Sequence[str], in_text: Sequence[str]) -> str:
    """Return `"golang" in its path and "install" in its text`: words are named once."""
    beyond = [word for word in in_text if word not in in_path]
    places = {"in its path": in_path, "in its text": beyond}
    told = {place: ", ".join(f'"{word}"' for word in words[:_MOST_WORDS]) for place, words in places.items()}
    return " and ".join(f"{words} {place}" for place, words in told.items() if words) or WORDS


def _reasons(
    asked: Inquiry, files: Collection[NodeId], found: Mapping[Signal, Votes], weigh: Weigh
) -> dict[NodeId, tuple[Because, ...]]:
    """Return for each of these files the few strongest reasons, strongest first.

    Signals of one reason are told as one, by what brought the most.
    """
    database = asked.kernel.database
    parts: dict[NodeId, dict[str, list[tuple[float, NodeId | None]]]] = {file: {} for file in files}
    for signal, votes in found.items():
        best, by = max(votes.values(), default=0.0), votes.by
        for file in files:
            if vote := votes.get(file, 0.0):
                parts[file].setdefault(signal.reason, []).append(
                    (weigh(signal) * votes.boost * vote / best, by.get(file))
                )
    strongest: dict[NodeId, list[tuple[float, str, NodeId | None]]] = {}
    for file, sorts in parts.items():
        whole = sum(score for ways in sorts.values() for score, _ in ways)
        told = [
            (round(sum(score for score, _ in ways) / whole, _DIGITS), sort, max(ways)[1])
            for sort, ways in sorts.items()
        ]
        strongest[file] = nlargest(_MOST_REASONS, (one for one in told if one[0] >= _LEAST_SHARE), key=itemgetter(0))
    worded = [file for file, told in strongest.items() if any(sort == WORDS for _, sort, _ in told)]
    paths = TextSearch(database).path_words(asked.asked, worded)
    pieces = {asked.code.best[file]: file for file in worded if file in asked.code.best}
    shared = CodeChunkStore(database).shared(asked.asked, pieces)
    texts = {pieces[piece]: words for piece, words in shared.items()}
    nodes = {by for told in strongest.values() for _, _, by in told if by is not None}
    numbers = {node: commit for node in nodes if (commit := commit_of_node(node)) is not None}
    briefs = CommitStore(database).briefs(numbers.values())
    called = asked.view.name([*nodes - numbers.keys()])
    names = {node: (one.ref, one.ref) for node, one in called.items()}
    for node, commit in numbers.items():
        if brief := briefs.get(commit):
            names[node] = commit_name(brief.sha, brief.subject), canonical_reference(NodeKind.COMMIT, brief.sha)

    def because(file: NodeId, share: float, sort: str, by: NodeId | None) -> Because | None:
        if sort == WORDS:
            return Because(text=told_words(paths.get(file, []), texts.get(file, [])), share=share)
        if by is None or "{}" not in sort:
            return Because(text=sort, share=share)
        # None where the node has gone meanwhile.
        if by not in names:
            return None
        uid = called[by].reference.id if by in called and called[by].kind is NodeKind.LEARNING else ""
        return Because(text=sort.format(names[by][0]), share=share, ref=names[by][1], uid=uid)

    return {
        file: tuple(one for share, sort, by in told if (one := because(file, share, sort, by)))
        for file, told in strongest.items()
    }


_ASIDE = {
    FileSort.CODE: 1.0,
    FileSort.TEST: 0.4,
    FileSort.DOCUMENT: 0.5,
    FileSort.EXAMPLE: 0.6,
    FileSort.CONFIG: 0.3,
    FileSort.GENERATED: 0.3,
}
"""What files of each sort count beside those that do the work, where somebody asks for a place."""
_DIGITS = 12  # digits of a score that decide: what differs behind them differs by the order of additions


@span("retrieve", what="files")
def rank_files(
    kernel: Kernel,
    text: str,
    *,
    open_files: Sequence[str] = (),
    method: Method = Method.RANKING,
    limit: int = 10,
    weights: Weights | None = None,
    purpose: Purpose | None = None,
    with_places: bool = False,
    direct: Direct | None = None,
) -> list[RankedFile]:
    """Return the files that a text, or work on the open files, is most likely about, best first.

    All that is known of files counts. Open files are not among them. `weights` are those of the settings unless given,
    `purpose` is told by the text, and `direct` matches are looked for unless given. Only `ranking` gives reasons and,
    `with_places`, where to look, for which the files are read.
    """
    asked, factors = inquiry(kernel, text, open_files, direct), weights or kernel.config.weights()
    found: dict[Signal, Votes] = {}
    after = purpose or purpose_of(text, open_files)

    def weigh(signal: Signal) -> float:
        return signal.weight(after, factors)

    if method is Method.RANKING:
        found = signals_of(asked, weigh, share_of_open_files=factors.open_files)
        scores = total(found, weigh)
        if after is Purpose.WHERE:
            for node, path in FileStore(kernel.database).paths_of(scores).items():
                scores[node] *= _ASIDE[sort_of(path)]
    else:
        scores = plain_scores(method, asked)
    best = list(islice(_files_among(asked, scores, open_files, size=limit * 2), max(limit, 0)))
    told = _reasons(asked, [node for node, _, _ in best], found, weigh)
    most = max((score for _, _, score in best), default=1.0)
    files = {node: RankedFile(path=path, score=score / most, reasons=told.get(node, ())) for node, path, score in best}
    return list((placed(asked, files) if with_places and method is Method.RANKING else files).values())


def _files_among(
    asked: Inquiry, scores: Mapping[NodeId, float], open_files: Collection[str], *, size: int
) -> Iterator[tuple[NodeId, str, float]]:
    """Yield node, path and score of what is a file, there, and not open: best first, equal ones by their paths.

    Names are asked for in batches. A registered file need not be there: learnings and history still know it.
    """
    ranked = sorted((-score, node) for node, score in scores.items() if score > 0 and commit_of_node(node) is None)
    for first in range(0, len(ranked), size or 1):
        batch = ranked[first : first + size]
        names = asked.view.name([node for _, node in batch])
        files = [
            (round(score, _DIGITS), names[node][1], node)
            for score, node in batch
            if node in names and names[node][0] is NodeKind.FILE
        ]
        for score, path, node in sorted(files):
            if path not in open_files and asked.kernel.checkout.tree.exists(path):
                yield node, path, -score
