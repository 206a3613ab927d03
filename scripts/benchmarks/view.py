"""What the page of `tx view --out` costs a browser: its size, its first picture, and frames while it is dragged."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import tx
from scripts.opened import open_workspace

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NODES, _EDGES = 10_000, 50_000
_STEPS = 120
"""Moves of the mouse while the graph is dragged."""
_WATCH = """() => new MutationObserver((_, watcher) => {
    if (!document.getElementById("main")?.dataset.drawn) return;
    window.drawnAt = performance.now();
    watcher.disconnect();
}).observe(document, {attributes: true, childList: true, subtree: true})"""
_COUNT = """() => {
    window.frames_ = 0;
    const count = () => (window.frames_++, requestAnimationFrame(count));
    count();
}"""
_NOW = "() => [window.frames_, performance.now()]"
_RENDERER = """() => {
    const gl = document.createElement("canvas").getContext("webgl");
    return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL);
}"""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield size and first picture of each repository's page, and how smoothly a large graph is dragged."""
    program = shutil.which("chromium")
    if program is None or not settings.repositories:
        yield Row(what="the page in a browser", note="needs Chromium on PATH, and --repo")
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, settings.workdir.temporary() as directory:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for repository in settings.repositories:
            file = directory / f"{repository.name}.html"
            with cloned(repository, settings) as clone:
                for command in (("config", "set", "embedder", "none"), ("sync",), ("view", "--out", str(file))):
                    tx(*command, directory=clone).run()
                with open_workspace(clone) as workspace:
                    files = workspace.graph.stats().files
            size = Quantity(value=file.stat().st_size / 1e6, unit="MB")
            yield Row(what=f"the page of {repository.name}, {files:,} files", measured=size, budget=at_most(5, "MB"))
            walls = sorted(_first_picture(browser, file) for _ in range(settings.heavy_rounds))
            yield Row(
                what=f"first picture of {repository.name}, from a disk",
                measured=ms(walls[len(walls) // 2]),
                budget=at_most(2000, "ms"),
                note="a map with all its cells, after the navigation began; the median",
            )
        large = directory / "large.html"
        large.write_text(_with_large_graph(file.read_text(encoding="utf-8")), encoding="utf-8")
        rate, renderer = _dragged(browser, large)
        yield Row(
            what=f"frames while {_NODES:,} nodes and {_EDGES:,} edges are dragged",
            measured=Quantity(value=rate, unit="/s"),
            budget=at_least(30, "/s"),
            note=renderer,
        )
        browser.close()


def _first_picture(browser: Browser, file: Path) -> float:
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.add_init_script(f"({_WATCH})()")
    page.goto(file.as_uri())
    page.wait_for_function("window.drawnAt")
    drawn = float(page.evaluate("window.drawnAt"))
    page.close()
    return drawn


def _with_large_graph(page: str) -> str:
    """Return the page with a graph of files in a few hundred directories in the place of its own."""
    chance = random.Random(0)  # noqa: S311 - the same graph each time
    ends = [(chance.randrange(_NODES), int(_NODES * chance.random() ** 3)) for _ in range(_EDGES)]
    graph = {
        "kinds": ["file"],
        "types": ["IMPORTS"],
        "relations": [],
        "nodes": {
            "ref": [f"src/room{number % 17}/part{number % 289}/file{number}.py" for number in range(_NODES)],
            "kind": [0] * _NODES,
            "label": [None] * _NODES,
            "verdict": [None] * _NODES,
        },
        "edges": {
            "source": [source for source, _ in ends],
            "target": [target for _, target in ends],
            **{key: [value] * _EDGES for key, value in (("type", 0), ("relation", -1), ("weight", 1), ("directed", 1))},
        },
    }
    before, after = re.split(r'(?<=id="data-graph">).*?(?=</script>)', page, maxsplit=1)
    return before + json.dumps(graph) + after


def _dragged(browser: Browser, file: Path) -> tuple[float, str]:
    """Return the frames a second while the whole graph is dragged about, and what draws."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{file.as_uri()}#/around/")
    page.wait_for_function("document.getElementById('main').dataset.drawn", timeout=60_000)
    box = page.locator(".canvas").bounding_box() or {"x": 0, "y": 0, "width": 800, "height": 500}
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(_COUNT)
    first, start = page.evaluate(_NOW)
    for step in range(_STEPS):
        page.mouse.move(x + 150 * (step % 40 - 20) / 20, y + 100 * (step % 30 - 15) / 15)
    last, end = page.evaluate(_NOW)
    page.mouse.up()
    renderer = str(page.evaluate(_RENDERER))
    page.close()
    return 1000 * (last - first) / (end - start), renderer
