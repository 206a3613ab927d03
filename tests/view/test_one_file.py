"""The page as one file: all is in it, nothing that came with the data is run, and nothing else is overwritten."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.view.conftest import Served
from tx_graph.view.assets import assets, joined

NAMES = ["about", "map", "graph", "together", "time", "structure"]
LEFT_OUT = [
    "Left out: learnings that nobody has confirmed, 1 of them.",
    "Left out: facts that are private, 1 of them.",
]


class Page(HTMLParser):
    """A page as a browser reads it: its elements, and what stands in scripts and styles."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._texts: list[str] = []
        self._is_open = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._texts.append("")
        self._is_open = tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self._is_open:
            self._texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._is_open = False

    @property
    def code(self) -> list[tuple[tuple[str, dict[str, str | None]], str]]:
        """Each script and style with its text."""
        return [pair for pair in zip(self.elements, self._texts, strict=True) if pair[0][0] in ("script", "style")]

    @property
    def data(self) -> dict[str, Any]:
        """The snapshots."""
        return {
            (attributes["id"] or "").removeprefix("data-"): json.loads(text)
            for (_, attributes), text in self.code
            if attributes.get("type") == "application/json"
        }


@pytest.fixture(scope="module")
def page(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Page:
    path = tmp_path_factory.mktemp("page") / "graph.html"
    assert served.tx.json("view", "src/auth.py", "--out", str(path)) == {
        "file": str(path),
        "bytes": path.stat().st_size,
        "left_out": LEFT_OUT,
    }
    return Page(path)


def test_all_that_is_served_is_in_it_but_private_facts(served: Served, page: Page) -> None:
    assert list(page.data) == NAMES
    told = {name: served.data(name) for name in NAMES}
    (private,) = (one["ref"] for one in served.tx.json("fact:list -n 100")["facts"] if one["private"])
    told["map"]["known"] = [one for one in told["map"]["known"] if one["ref"] != private]
    told["time"]["events"] = [one for one in told["time"]["events"] if one["ref"] != private]
    for name in ("map", "together", "time", "structure"):
        assert page.data[name] == told[name]
    refs = {place: {*data["graph"]["nodes"]["ref"]} for place, data in (("file", page.data), ("served", told))}
    assert refs["served"] - refs["file"] == {"entity:Ada"}
    assert len(told["graph"]["edges"]["source"]) - len(page.data["graph"]["edges"]["source"]) == 1
    counts = told["about"]["counts"]
    assert page.data["about"] == told["about"] | {
        "now": page.data["about"]["now"],
        "is_file": True,
        "start": "#/around/src/auth.py",
        "left_out": LEFT_OUT,
        "counts": counts | {"facts": counts["facts"] - 1, "entities": counts["entities"] - 1},
    }


def test_nothing_in_it_is_run_but_what_it_was_made_of(page: Page, tmp_path: Path) -> None:
    CommandLine(tmp_path).ok("init")
    CommandLine(tmp_path).ok("view --out empty.html")
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in Page(tmp_path / "empty.html").elements]
    (policy,) = (one["content"] or "" for _, one in page.elements if one.get("http-equiv"))
    allowed = dict(one.split(" ", 1) for one in policy.split("; "))
    for tag in ("script", "style"):
        code = [text for (kind, attributes), text in page.code if kind == tag and "type" not in attributes]
        digests = (b64encode(sha256(text.encode()).digest()).decode() for text in code)
        assert allowed.pop(f"{tag}-src") == (" ".join(f"'sha256-{digest}'" for digest in digests) or "'none'")
    assert allowed == {
        "default-src": "'none'",
        "img-src": "data:",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_a_page_is_written_over_and_nothing_else_is(served: Served, tmp_path: Path) -> None:
    def refused(name: object) -> str:
        outcome = served.tx("view", "--out", str(name))
        assert outcome.out == ""
        assert outcome.status in (2, 5)
        return outcome.err

    page, other, link = (tmp_path / f"{name}.html" for name in ("graph", "other", "link"))
    for _ in range(2):
        served.tx.ok("view", "--out", str(page))
        assert page.read_text(encoding="utf-8").lower().startswith("<!doctype html>")
    other.write_text("<!doctype html>\n<title>Mine</title>\n", encoding="utf-8")
    sentence = f"tx: '{other}' is there, and 'tx view' did not write it.\n"
    assert refused(other) == f"{sentence}Name another file, or remove it.\n"
    link.symlink_to(page)
    for name in (link, tmp_path, "docs/guide.md", ".tx/page.html", ".git/page.html", tmp_path / "none" / "page.html"):
        refused(name)
    for text in (f"{tmp_path}/{'n' * 300}", "a\0b"):
        refused(text)
    assert other.read_text(encoding="utf-8").endswith("Mine</title>\n")
    assert {one.name for one in tmp_path.iterdir()} == {"graph.html", "other.html", "link.html"}
    assert served.tx("view", "nothing.py", "--out", str(page)).status == 3
    assert served.tx("view", "--out", str(page), "--port", "80").status == 2


OTHER_IMPORT = re.compile(r"^import (?!\{[^}]*\} from \"\./[\w-]+\.js\";)", re.MULTILINE)
OTHER_EXPORT = re.compile(r"^export (?!(?:async )?function|const|class)", re.MULTILINE)


def test_what_the_page_is_made_of_can_be_put_into_one_file() -> None:
    texts = {name: asset.read_text(encoding="utf-8") for name, asset in assets().items()}
    for name, text in texts.items():
        assert name == "index.html" or not re.search(r"</script|</style|<!--|\r", text), name
        assert name.startswith("vendor/") or not (OTHER_IMPORT.search(text) or OTHER_EXPORT.search(text)), name
    assert re.findall("<head>|</body>", texts["index.html"]) == ["<head>", "</body>"]


MAIN = """\
import { add,
  LIMIT } from "./deep-sums.js";
import { show } from "./show.js";

show(add(1, LIMIT));
"""
SUMS = "export const LIMIT = 2;\nexport async function add(a, b) {\n  return a + b;\n}\n"
SHOW = """\
import { add } from "./deep-sums.js";
export class Shown {}
export function show(it) {
  return add(it, 0);
}
"""


def test_modules_become_one_script_in_the_order_in_which_they_need_each_other() -> None:
    script = joined({"main.js": MAIN, "deep-sums.js": SUMS, "show.js": SHOW}, "main.js")
    assert not re.search("import|export", script)
    assert re.findall(r"^const (m_\w+) = ", script, re.MULTILINE) == ["m_deep_sums", "m_show", "m_main"]
    assert re.findall(r"^return \{ (.*) \};$", script, re.MULTILINE) == ["LIMIT, add", "Shown, show", ""]
    assert "const { add,\n  LIMIT } = m_deep_sums;" in script
