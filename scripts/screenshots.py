"""The pictures in docs/view.md: the page of `tx view` of this repository as it is committed, as a browser shows it."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
_LAPTOP, _PHONE = (1366, 768), (390, 844)
_SHOTS = (
    ("map", "#/map/", _LAPTOP, "light"),
    ("around", "#/around/tx_graph/graph/expand.py", _LAPTOP, "light"),
    ("together", "#/together/", _LAPTOP, "light"),
    ("time", "#/time/", _LAPTOP, "light"),
    ("structure", "#/structure/", _LAPTOP, "light"),
    ("path", "#/around/tx_graph/graph/expand.py?to=docs/graph.md", _LAPTOP, "dark"),
    ("phone", "#/map/tx_graph", _PHONE, "dark"),
)
"""What each picture shows: the address, the size of the window, and the theme."""
_COLOURS = 128  # enough for every tint of the page; a quarter of the bytes


def main() -> None:
    """Take them anew."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("There is no Chromium on PATH: scripts/system-packages installs it.")
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        clone, page = Path(scratch) / "tx", Path(scratch) / "tx.html"
        subprocess.run(["git", "clone", "--quiet", "--local", str(ROOT), str(clone)], check=True)
        for command in (["init"], ["sync"], ["view", "--out", str(page)]):
            subprocess.run([sys.executable, "-m", "tx_graph", "-C", str(clone), *command], check=True)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, address, (width, height), theme in _SHOTS:
            seen = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)
            seen.goto(page.as_uri() + address)
            seen.wait_for_selector("main[data-drawn]")
            seen.wait_for_timeout(500)  # what is drawn on a canvas comes a frame later
            shot = Image.open(io.BytesIO(seen.screenshot())).convert("RGB")
            few = shot.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
            few.save(PICTURES / f"view-{name}.png", optimize=True)
            seen.close()
        browser.close()


if __name__ == "__main__":
    main()
