"""What grows with a repository: seconds to index it, bytes of its database, milliseconds of a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.benchmarks import source_tree
from scripts.benchmarks.bare_parse import parsable, parse_in_processes
from scripts.benchmarks.cold import index_cold
from scripts.benchmarks.report import Quantity, Row, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from scripts.opened import open_workspace
from tx_graph.context.page import ContextRequest, Markdown
from tx_graph.core.place import CONFIG, DATABASE, DIRECTORY
from tx_graph.core.processes import default_processes
from tx_graph.core.settings import Config
from tx_graph.core.text import by_characters
from tx_graph.workspace import prepare

_SIZES = (1_000, 10_000, 50_000)
_PAGES = 40


def rows(settings: Settings) -> Iterator[Row]:
    """Yield what indexing and asking cost in generated trees of several sizes, without vectors."""
    for size in _SIZES:
        with settings.workdir.temporary() as directory:
            yield from _measured(directory / "tree", size)


def _measured(root: Path, size: int) -> Iterator[Row]:
    paths = source_tree.write(root, files=size)
    prepare(root)
    Config(root / DIRECTORY / CONFIG).set("embedder", "none")
    processes, what = default_processes(), f"growth, {size:,} files: "
    parsed = timed(parse_in_processes, list(parsable(root, paths)), processes=processes)
    index = index_cold(root, processes=processes, with_pieces=True)
    yield Row(what=f"{what}index with pieces, cold", measured=ms(index), baseline="ast-grep parse", against=ms(parsed))
    bytes_a_file = (root / DIRECTORY / DATABASE).stat().st_size / size
    yield Row(what=f"{what}database", measured=Quantity(value=bytes_a_file, unit="bytes per file"))
    asked = [size * number // _PAGES for number in range(_PAGES)]
    questions = {
        "words": [ContextRequest(text=f"where does module {one} scale work by its factor") for one in asked],
        "an open file": [ContextRequest(files=(paths[one],)) for one in asked],
    }
    with open_workspace(root) as workspace:
        for name, requests in questions.items():
            workspace.context.page(requests[0], Markdown(), count=by_characters)
            walls = [timed(workspace.context.page, one, Markdown(), count=by_characters) for one in requests]
            note = f"p50 {percentile(walls, 0.5):.1f} ms"
            yield Row(what=f"{what}page by {name}, p95", measured=ms(percentile(walls, 0.95)), note=note)
