"""Says in words how old the derived parts of the graph are: each sentence names what brings them up to date."""

from __future__ import annotations

from datetime import datetime

from tx_graph.services.cochanges import staleness
from tx_graph.storage.analyses import AnalysisRun

ANALYSE = "tx graph:analyze-cochanges"
INDEX = "tx index"


def index_staleness(run: AnalysisRun | None, *, head: str | None) -> str:
    """Return the sentence that says that the index is missing or of another commit; empty when it is neither.

    `head` is the commit of the working tree; outside git both have none.
    """
    if run is None:
        return f"Files were never indexed; run '{INDEX}'."
    if run.head == head:
        return ""
    made = f"at commit {run.head[:12]}" if run.head else "before the first commit"
    return f"Files were last indexed {made}, HEAD is {head[:12] if head else 'unborn'}; run '{INDEX}'."


def cochange_notices(run: AnalysisRun | None, *, now: datetime, is_git: bool) -> list[str]:
    """Return a sentence for each reason to analyse co-changes again."""
    if run is None:
        return [f"Co-changes were never analysed; run '{ANALYSE}'."] if is_git else []
    stale = staleness(run, now=now, command=ANALYSE)
    return [stale] if stale else []


def narrowing(run: AnalysisRun | None) -> str:
    """Return the sentence that says that co-changes are of a part of the history; empty when they are of all."""
    since = run.options.get("since") if run else None
    return f"Co-changes are of the history since {since} alone; run '{ANALYSE}' for all of it." if since else ""


def options_of(run: AnalysisRun | None) -> str:
    """Return in brackets how co-changes were counted; empty when they never were."""
    if run is None or "max_files" not in run.options:
        return ""
    since, half_life = run.options.get("since"), run.options.get("half_life_days")
    parts = [f"since {since}"] if since else []
    parts += [f"commits of at most {run.options['max_files']} files", f"{run.options['min_support']} or more shared"]
    parts += [f"half-life {half_life:g} days"] if half_life else []
    return f" ({', '.join(parts)})"
