"""What `tx mcp` costs: a thousand mixed calls of one client to one server, over 10,000 learnings."""

from __future__ import annotations

import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

from scripts.benchmarks import learnings_workspace, vocabulary
from scripts.benchmarks.peak_memory import children, resident
from scripts.benchmarks.report import Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile
from scripts.opened import open_workspace
from tx_graph.anchors.verify import verify
from tx_graph.vectors.installation import ModelState, ModelStore

_CALLS = 1_000
_WARM_UP = 30
"""Calls before anything is measured: of each tool at least two."""
_P95 = 0.95
_TRUSTED = 0.1
"""Seconds after which the time stamp of a file is trusted."""
_MEGABYTE = 1024 * 1024

Call = tuple[str, Mapping[str, Any]]
"""The name of a tool and its arguments."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield what calls cost a server that has no embedding model, and one that has the model of this machine."""
    original = settings.workdir.made("learnings", learnings_workspace.make)
    with TemporaryDirectory(dir=settings.workdir.path) as directory:  # some of the calls write
        place = Path(directory)
        yield from _rows(original, place / "by words", what="by words", model=place)
        if ModelStore().status().state is ModelState.INSTALLED:
            yield from _rows(original, place / "with the model", what="with the model", model=None)
        else:
            yield Row(what="tx_context over MCP with the model, p95", note="the model is not installed")


def _rows(original: Path, root: Path, *, what: str, model: Path | None) -> Iterator[Row]:
    shutil.copytree(original, root)
    variables = {"TX_MODEL_DIR": str(model)} if model else {}
    _verify(root)
    walls, grown, left = anyio.run(_served, root, variables)
    pages = walls.pop("tx_context")
    yield Row(
        what=f"tx_context over MCP {what}, p95",
        measured=ms(percentile(pages, _P95)),
        budget=at_most(60, "ms"),
        note=f"p50 {percentile(pages, 0.5):.1f} ms of {len(pages)}, warm, 10,000 learnings, each asked once",
    )
    for name, samples in sorted(walls.items()):
        note = f"p50 {percentile(samples, 0.5):.1f} ms of {len(samples)}"
        yield Row(what=f"{name} over MCP {what}, p95", measured=ms(percentile(samples, _P95)), note=note)
    yield Row(
        what=f"growth of the server's resident memory over {_CALLS:,} mixed calls {what}",
        measured=Quantity(value=grown / _MEGABYTE, unit="MB"),
        budget=at_most(20, "MB"),
    )
    yield Row(
        what=f"processes left once the client is gone, {what}",
        measured=Quantity(value=left, unit="", decimals=0),
        budget=at_most(0, ""),
    )


def _verify(root: Path) -> None:
    """Have it noted which files were seen as they are, as after a week's use: of a copy nothing is known."""
    time.sleep(_TRUSTED)
    with open_workspace(root) as workspace:
        verify(workspace.kernel)


async def _served(root: Path, variables: Mapping[str, str]) -> tuple[dict[str, list[float]], int, int]:
    """Return the wall times in ms by tool, by how many bytes the server grew, and the processes that outlive it."""
    before = set(children())
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tx_graph", "mcp"], cwd=str(root), env={**variables}
    )
    walls: dict[str, list[float]] = defaultdict(list)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        (process,) = set(children()) - before
        for call in islice(_calls(root, "warm up"), _WARM_UP):
            await _timed_call(session, call)
        at_first = resident(process)
        for call in islice(_calls(root, ""), _CALLS):
            walls[call[0]].append(await _timed_call(session, call))
        grown = resident(process) - at_first
    return walls, grown, len(set(children()) - before)


async def _timed_call(session: ClientSession, call: Call) -> float:
    name, arguments = call
    start = anyio.current_time()
    result = await session.call_tool(name, dict(arguments))
    wall = (anyio.current_time() - start) * 1000
    if result.is_error:
        raise RuntimeError(f"{name} {arguments}: {result.content}")
    return wall


def _calls(root: Path, mark: str) -> Iterator[Call]:
    """Yield calls without end, two in five of them for a page, and no question twice."""
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.ts"))
    questions = [f"{text} {mark}".strip() for text in vocabulary.questions(_CALLS)]
    for number, (text, path) in enumerate(zip(questions, cycle(files), strict=False)):
        yield _kinds(text, path, number)[number % 10]


def _kinds(text: str, path: str, number: int) -> Sequence[Call]:
    return (
        ("tx_context", {"text": text}),
        ("tx_learning_search", {"query": text}),
        ("tx_context", {"text": text, "files": [path]}),
        ("tx_graph_neighbors", {"id": path, "type": "file"}),
        ("tx_context", {"text": text}),
        ("tx_recall", {"query": text}),
        ("tx_context", {"files": [path]}),
        ("tx_focus", {"ref": path}),
        ("tx_graph_verify", {"places": [path]}),
        ("tx_learning_add", {"content": f"{text}, see {number}.", "anchors": [path]}),
    )
