"""What the page brings along is what its makers published."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import tx_graph.view

VENDOR = Path(tx_graph.view.__file__).parent / "page" / "vendor"


def test_each_library_is_the_one_of_the_manifest_and_bears_its_licence() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    assert {one["file"] for one in manifest} | {"manifest.json"} == {path.name for path in VENDOR.iterdir()}
    for one in manifest:
        text = (VENDOR / one["file"]).read_bytes()
        assert hashlib.sha256(text).hexdigest() == one["sha256"], f"{one['file']} was changed: run scripts/vendor."
        assert text.startswith(f"/*! {one['name']} {one['version']}, {one['licence']}\n".encode())
        assert b"Copyright" in text[:200]


def test_the_page_loads_all_of_them_in_order() -> None:
    manifest = json.loads((VENDOR / "manifest.json").read_text(encoding="utf-8"))
    page = (VENDOR.parent / "index.html").read_text(encoding="utf-8")
    places = [page.index(f'<script src="page/vendor/{one["file"]}"></script>') for one in manifest]
    assert places == sorted(places)
