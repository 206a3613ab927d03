"""What looking around one node costs among a hundred thousand sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scripts.benchmarks import shelves
from scripts.benchmarks.report import Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import BARE, BARE_NAME, medians, percentile, timed, tx
from scripts.opened import open_workspace
from tx_graph.context.focus.focus import focus
from tx_graph.context.focus.values import STANDARD_BUDGET

_ASKED = 100
"""Nodes of each kind that are put into focus."""
_REPEATS = 3
"""Times that each is looked at, the best of which counts, as in `graph`."""
_P95 = 0.95
_BUDGET = at_most(20, "ms")


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the view around sections, documents, relation notes, directories and a hub, warm; one of them cold."""
    root = settings.workdir.made("shelves", shelves.make)
    with open_workspace(root) as workspace:
        focus(workspace.kernel, shelves.HUB)
        for what, refs in _asked().items():
            walls = [min(timed(focus, workspace.kernel, ref) for _ in range(_REPEATS)) for ref in refs]
            yield Row(
                what=f"focus on {what} among {shelves.SECTIONS:,} sections, p95",
                measured=ms(percentile(walls, _P95)),
                budget=_BUDGET,
                note=f"p50 {percentile(walls, 0.5):.1f} ms; {STANDARD_BUDGET:,} tokens, warm; "
                f"the best of {_REPEATS} times",
            )
    cold, bare = medians([tx("focus", shelves.HUB, directory=root).run, BARE.run], rounds=settings.rounds)
    yield Row(what="cold focus on a hub", measured=ms(cold), baseline=BARE_NAME, against=ms(bare))


def _asked() -> Mapping[str, Sequence[str]]:
    documents = shelves.paths()[:: shelves.DOCUMENTS // _ASKED]
    return {
        "a section": [f"{path}#chapter-{1 + number % shelves.CHAPTERS}" for number, path in enumerate(documents)],
        "a section below": [f"{path}#part-{1 + number % 4}1" for number, path in enumerate(documents)],
        "a document": documents,
        "a relation note": [f"{path}#chapter-1^depends_on" for path in documents],
        "a directory": ["docs", "docs/shelf-99", *(f"docs/shelf-{number:02}" for number in range(0, 99, 10))],
        "a section that 2,500 link to": [shelves.HUB],
    }
