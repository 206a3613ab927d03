"""What the page of `tx context` costs on a graph of a million edges."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.benchmarks import edge_data, edge_database, vocabulary
from scripts.benchmarks.report import Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from scripts.opened import Workspace, open_workspace
from tx_graph.context.page import ContextRequest, Markdown
from tx_graph.core.text import by_characters

_PAGES = 100
_REPEATS = 3
"""Times that each page is asked for, the best of which counts, as in `graph`."""
_P95 = 0.95
_MEGABYTE = 1024 * 1024


def rows(settings: Settings) -> Iterator[Row]:
    """Yield pages asked for by words, by an open file and by both, and the memory that one takes."""
    root = settings.workdir.made("graph", edge_database.make)
    with open_workspace(root) as workspace:
        _page(workspace, ContextRequest(text="warm up"))
        for what, requests in _requests().items():
            walls = [min(timed(_page, workspace, request) for _ in range(_REPEATS)) for request in requests]
            middle = f"p50 {percentile(walls, 0.5):.1f} ms"
            yield Row(
                what=f"context by {what}, p95",
                measured=ms(percentile(walls, _P95)),
                budget=at_most(50, "ms"),
                note=f"{middle}; {requests[0].budget:,} tokens, warm; the best of {_REPEATS} times",
            )
    yield _memory(root)


def _page(workspace: Workspace, request: ContextRequest) -> None:
    workspace.context.page(request, Markdown(), count=by_characters)


def _requests() -> Mapping[str, Sequence[ContextRequest]]:
    questions = vocabulary.questions(_PAGES)
    files = edge_data.paths(edge_database.FILES)
    opened = [(files[number * len(files) // _PAGES],) for number in range(_PAGES)]
    return {
        "words": [ContextRequest(text=text) for text in questions],
        "an open file": [ContextRequest(files=paths) for paths in opened],
        "both": [ContextRequest(text=text, files=paths) for text, paths in zip(questions, opened, strict=True)],
    }


def _memory(root: Path) -> Row:
    request = _requests()["both"][0]
    with open_workspace(root) as workspace:
        tracemalloc.start()
        _page(workspace, request)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return Row(
        what="memory of a context above the opened workspace: Python heap, peak",
        measured=Quantity(value=peak / _MEGABYTE, unit="MB"),
        budget=at_most(10, "MB"),
    )
