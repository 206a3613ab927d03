"""What `tx lsp` costs: a thousand requests of one editor to one server, on a clone of this repository."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from scripts.benchmarks.peak_memory import resident
from scripts.benchmarks.report import Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile
from scripts.opened import open_workspace
from tx_graph.code.file_store import SymbolStore
from tx_graph.core.place import find_root
from tx_graph.records.anchor_store import AnchorStore

_REQUESTS, _FIRST = 1_000, 100
_P95 = 0.95
_DOCUMENTS = 12
_MEGABYTE = 1024 * 1024


class Measured(NamedTuple):
    """Wall times and the server's processor times in ms by what was asked, and its memory in bytes."""

    walls: dict[str, list[float]]
    worked: dict[str, list[float]]
    memory: tuple[int, int]


def rows(_: Settings) -> Iterator[Row]:
    """Yield what requests cost, and what the server's memory does meanwhile."""
    root = find_root(Path(__file__).parent)
    if root is None or not root.is_git:
        yield Row(what="tx lsp", note="not measured: this is no git repository")
        return
    with TemporaryDirectory() as directory:
        clone = Path(directory) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(root.path), str(clone)], check=True)
        subprocess.run([sys.executable, "-m", "tx_graph", "-C", str(clone), "sync"], check=True, capture_output=True)
        found = asyncio.run(_served(clone))
    for name, samples in found.walls.items():
        yield Row(
            what=f"{name}, p95",
            measured=ms(percentile(samples, _P95)),
            budget=at_most(50, "ms"),
            note=f"p50 {percentile(samples, 0.5):.1f} ms of {len(samples)}",
        )
        worked = found.worked[name]
        note = f"p50 {percentile(worked, 0.5):.1f} ms"
        yield Row(what=f"{name}, the server's processor time, p95", measured=ms(percentile(worked, _P95)), note=note)
    first, last = found.memory
    yield Row(
        what=f"growth of the server's resident memory from request {_FIRST} to {_REQUESTS:,}",
        measured=Quantity(value=(last - first) / _MEGABYTE, unit="MB"),
        budget=at_most(5, "MB"),
        note=f"from {first / _MEGABYTE:.1f} MB",
    )


async def _served(root: Path) -> Measured:
    client = LanguageClient("bench", "1")
    await client.start_io(sys.executable, "-m", "tx_graph", "-C", str(root), "lsp")
    process = str(client._server.pid if client._server else 0)  # noqa: SLF001 - the library has no other way to it
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities(), root_uri=root.as_uri()))
    client.initialized(lsp.InitializedParams())
    walls, worked, memory = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list), []
    places = _places(root)
    texts = {path: (root / path).read_text("utf-8") for path, _, _ in places}
    for path, text in texts.items():
        item = lsp.TextDocumentItem((root / path).as_uri(), "python", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    for number, (path, line, character) in zip(range(_REQUESTS + 1), cycle(places), strict=False):
        if number == _FIRST:
            memory = [resident(process)]
        if number == _REQUESTS:
            memory.append(resident(process))
            break
        uri = (root / path).as_uri()
        document, start, before = lsp.TextDocumentIdentifier(uri), time.perf_counter(), _worked(process)
        if number % 3 == 0:
            name = "hover over a declaration"
            await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(line, character)))
        else:
            name = "code lenses"
            if number % 3 == 1:
                name = "code lenses of a text that was changed just now"
                whole = lsp.TextDocumentContentChangeWholeDocument(f"{texts[path]}\n# {number}\n")
                changed = lsp.VersionedTextDocumentIdentifier(number, uri)
                client.text_document_did_change(lsp.DidChangeTextDocumentParams(changed, [whole]))
            await client.text_document_code_lens_async(lsp.CodeLensParams(document))
        walls[name].append((time.perf_counter() - start) * 1000)
        worked[name].append(_worked(process) - before)
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return Measured(dict(walls), worked, (memory[0], memory[-1]))


def _places(root: Path) -> list[tuple[str, int, int]]:
    """Return declarations all over the files that learnings are tied to, and over the longest others."""
    with open_workspace(root) as workspace:
        every = sorted(SymbolStore(workspace.kernel.database).below("tx_graph"), key=lambda one: (one.name, one.path))
        anchored = {row.anchor.path for row in AnchorStore(workspace.kernel.database).rows()}
    declared = Counter(one.path for one in every)
    chosen = [*sorted(anchored & declared.keys()), *(path for path, _ in declared.most_common())][:_DOCUMENTS]
    found = []
    for one in every:
        if one.path in chosen:
            text = (root / one.path).read_text("utf-8").split("\n")[one.line_start - 1]
            found.append((one.path, one.line_start - 1, len(text) - len(text.lstrip()) + 5))
    return found


def _worked(process: str) -> float:
    """Return for how long the thread that answers has run, in ms."""
    return int(Path(f"/proc/{process}/schedstat").read_text("utf-8").split()[0]) / 1e6
