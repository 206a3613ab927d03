"""Candidates from files: comments that explain, and decision records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tx_graph.analysis.proposals.comments import MARKS, propose_comment, reference
from tx_graph.analysis.proposals.decisions import is_decision_page, propose_decision
from tx_graph.codebase.parsing.comments import read_comments
from tx_graph.codebase.repository import WorkingFile
from tx_graph.codebase.skipping import why_skipped
from tx_graph.domain.comment import Comment
from tx_graph.domain.languages import language_of
from tx_graph.domain.proposal import Proposal
from tx_graph.ports import Progress, no_progress

_LARGEST = 1_000_000
"""Bytes of a file that people may have written."""
_OTHERS = frozenset("vendor vendored third_party third-party thirdparty node_modules bower_components dist".split())
"""Directories of code that somebody else explains."""

TextOf = Callable[[str], "str | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCandidate:
    """A proposal from a file: it is finished as it is."""

    proposal: Proposal

    @property
    def rank(self) -> tuple[float, int, str]:
        """What candidates are sorted by."""
        return self.proposal.rank

    @property
    def sources(self) -> tuple[str, ...]:
        """What the record will name."""
        return (self.proposal.source_ref,)

    def finished(self) -> Proposal:
        """Return the proposal."""
        return self.proposal


def decision_candidates(files: Sequence[WorkingFile], text_of: TextOf) -> Iterator[FileCandidate]:
    """Yield what decision records propose."""
    paths = [file.path for file in files]
    for path in filter(is_decision_page, paths):
        text = text_of(path)
        proposal = propose_decision(path, text, files=paths) if text is not None else None
        if proposal:
            yield FileCandidate(proposal=proposal)


def comment_candidates(
    files: Sequence[WorkingFile], text_of: TextOf, *, generated: Collection[str] = (), progress: Progress = no_progress
) -> Iterator[FileCandidate]:
    """Yield what comments propose; the same words at several places are one proposal."""
    said: dict[str, list[Comment]] = defaultdict(list)
    ours = [file for file in files if file.size <= _LARGEST and file.path not in generated and _is_ours(file.path)]
    for done, file in enumerate(ours):
        progress(done, len(ours))
        for comment in _marked_comments(file.path, text_of(file.path)):
            said[reference(comment)].append(comment)
    proposals = (propose_comment(same) for same in said.values())
    return (FileCandidate(proposal=one) for one in proposals if one)


def _marked_comments(path: str, text: str | None) -> Iterable[Comment]:
    if text is None or not MARKS.search(text) or why_skipped(path, language_of(path) or "", text.encode()):
        return ()
    return [comment for comment in read_comments(path, text) if MARKS.search(comment.text)]


def _is_ours(path: str) -> bool:
    return _OTHERS.isdisjoint(path.split("/")[:-1])
