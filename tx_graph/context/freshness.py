"""Says in words how far the commit messages that were read lag behind HEAD."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from tx_graph.core.errors import RepositoryError
from tx_graph.core.repository import GitRepository
from tx_graph.core.text import counted

if TYPE_CHECKING:
    from tx_graph.code.freshness import Freshness
    from tx_graph.documents.documents import DocumentsState
    from tx_graph.graph.node_store import AnalysisRun
    from tx_graph.history.commit_store import CommitStore

SYNC = "tx sync"
_MOST_NAMED = 3


def asking(sentences: Sequence[str]) -> list[str]:
    """Return sentences about what lags or lacks; the last names the command that mends it all."""
    found = list(filter(None, sentences))
    return [*found[:-1], f"{found[-1].removesuffix('.')}; run '{SYNC}'."] if found else []


def index_notices(freshness: Freshness, *, path: str | None = None) -> list[str]:
    """Return a sentence for each reason to index again; that about the file at `path`, if one is given, comes first."""
    if freshness.indexed_at is None:
        return ["Files were never indexed."]
    sentences = []
    if path in freshness.changed:
        sentences.append(f"{path} has changed since it was indexed.")
    if path in freshness.gone:
        sentences.append(f"{path} is gone; the index still has it.")
    if lag := _told(
        {"changed": len(freshness.changed), "new": len(freshness.new), "gone": len(freshness.gone)}, "file"
    ):
        sentences.append(f"The index is behind the working tree: {lag}.")
    if freshness.unproven:
        many = f"{freshness.unproven:,} files have another time stamp, too many to compare their content"
        sentences.append(f"The index may be behind the working tree: {many}.")
    return sentences


def _told(counts: Mapping[str, int], thing: str) -> str:
    found = [(count, what) for what, count in counts.items() if count]
    if not found:
        return ""
    (count, what), *others = found
    return ", ".join([f"{counted(count, thing)} {what}", *(f"{n:,} {that}" for n, that in others)])


def document_notices(state: DocumentsState) -> list[str]:
    """Return a sentence for each reason to read documents again."""
    if state.run is None:
        return ["Documents were never read."] if state.new else []
    counts = {"changed": len(state.changed), "new": len(state.new), "gone": len(state.gone)}
    if not state.is_behind:
        return []
    names = first_of([*state.changed, *state.new, *state.gone])
    return [f"Documents are behind the working tree: {_told(counts, 'document')} ({names})."]


def first_of(names: Sequence[str]) -> str:
    """Return the first few names, and how many there are besides."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"


def cochange_notices(run: AnalysisRun | None, *, now: datetime, is_git: bool) -> list[str]:
    """Return a sentence for each reason to analyse co-changes again."""
    if run is None:
        return ["Co-changes were never analysed."] if is_git else []
    from tx_graph.history.cochanges import staleness

    since = run.options.get("since")
    narrowed = f"Co-changes are of the history since {since} alone, not of all of it." if since else ""
    return list(filter(None, (narrowed, staleness(run, now=now))))


def options_of(run: AnalysisRun | None) -> str:
    """Return in brackets how co-changes were counted; empty when they never were."""
    if run is None or "max_files" not in run.options:
        return ""
    since, half_life = run.options.get("since"), run.options.get("half_life_days")
    parts = [f"since {since}"] if since else []
    parts += [f"commits of at most {run.options['max_files']} files", f"{run.options['min_support']} or more shared"]
    parts += [f"half-life {half_life:g} days"] if half_life else []
    parts += ["renames followed"] if run.options.get("follow_renames") else []
    return f" ({', '.join(parts)})"


_MANY = 20  # unread commits that are worth a word: who works commits all day


def message_notices(store: CommitStore, repository: GitRepository | None) -> list[str]:
    """Return a sentence for each reason to read commit messages again; none without git or before the first commit."""
    head = repository.head() if repository else None
    if repository is None or head is None:
        return []
    state = store.state()
    if state is None:
        return ["Commit messages were never read, so files are ranked by words alone."]
    if state.head == head:
        return []
    from tx_graph.history.commits import number_apart

    try:
        lag = number_apart(repository, state.head, head)
    except RepositoryError:
        return ["Commit messages are of a history that is no more."]
    return [f"{lag:,} commits came or went since commit messages were read."] if lag >= _MANY else []
