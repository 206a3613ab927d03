"""Pictures and exports, read by those whose formats they are: Mermaid, Graphviz, networkx, pandas."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import networkx as nx
import pandas as pd
import pytest

from tests.faces.cli.calls import alternatives
from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine
from tests.faces.hostile import ESCAPES, HAZARDS, HOSTILE
from tx_graph import EdgeType, open_workspace
from tx_graph.core.shape import NodeReference
from tx_graph.core.text import inert, quoted_field
from tx_graph.faces.cli.render.drawing import Item, Picture, Tie, _cut, _label, dot, mermaid

ROOT = Path(__file__).resolve().parents[3]
READER = Path(__file__).with_name("mermaid")
MERMAID = ROOT / "build" / "mermaid"
has_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="there is no dot; scripts/system-packages installs it")
has_mermaid = pytest.mark.skipif(
    shutil.which("node") is None or not (MERMAID / "installed.json").exists(),
    reason="there is no Mermaid; scripts/system-packages installs it",
)
SVG = "{http://www.w3.org/2000/svg}"
NAMES = (
    'say "hi"', "a]b[c", "]] --> x[", "end", "subgraph", "graph", "style x fill:#f00;", "classDef a:b #1;", "o--o",
    "click a href", "%%{init: {}}%%", "%% comment", "`code`", "**bold** __init__ _x_", "1. list", "- list", "# head",
    "<b>bold</b>", "<script>alert(1)</script>", "&amp; &#35; #35; #quot;", "ﬂ°°35¶ß", "\\N \\G \\l \\", "a\\", "x}{y|z",
    "a;b:::c", "$$x$$", "line\nbreak\r\n", "tab\there", "  blanks  ", "", "\x00\x1b[31m", "a\u202eb\u2066c\u200b",
    "fa:fa-ban", "$$a$$ b $$c$$", "A@{ shape: cyl }", "javascript:alert(1)", "ünïcödé 漢字 👩‍👩‍👧 e\u0301", HOSTILE,
    "x" * 10_000, "\u0301" * 10_000, "👩" * 10_000,
)  # fmt: skip
"""Names that mean something in a language in which pictures are written."""


def read_by_mermaid(*texts: str) -> list[dict[str, Any]]:
    done = subprocess.run(
        ["node", READER / "read.mjs", MERMAID], input=json.dumps(texts), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[dict[str, Any]] = json.loads(done.stdout.replace("\u200c", ""))  # which parts what would mean something
    return found


def read_by_graphviz(text: str) -> tuple[dict[str, list[str]], Counter[str]]:
    """Return the lines of each node's label, and how often each pair of nodes has an edge."""
    done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    parts = {kind: [] for kind in ("node", "edge", "cluster", "graph")}  # type: dict[str, list[tuple[str, list[str]]]]
    for group in ET.fromstring(done.stdout).iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title") or ""
        parts[group.attrib["class"]].append((title, [one.text or "" for one in group.findall(f"{SVG}text")]))
    return dict(parts["node"]), Counter(title for title, _ in parts["edge"])


def labels(picture: Picture) -> dict[str, list[str]]:
    """Return the lines of each label, by the names that pictures give their nodes."""
    frames = {one.ref: frame for frame, items in picture.frames() for one in items}
    return {f"n{number}": _label(one, frames[one.ref]) for number, one in enumerate(picture.items.values(), start=1)}


@pytest.fixture(scope="module")
def drawn() -> Picture:
    """A picture that has every name everywhere."""
    items = [Item(ref=f"{name}/x", kind="learning", text=name, path=f"{name}/x") for name in NAMES]
    items += [Item(ref=f"{name}/y", kind="entity", path=f"{name}/y", is_start=True) for name in NAMES[:20]]
    ties = [Tie(source=items[0].ref, target=one.ref, label=name) for one, name in zip(items, NAMES, strict=False)]
    return Picture(items, ties, NAMES[:30])


@has_mermaid
def test_whatever_a_name_holds_stays_text_for_mermaid(drawn: Picture) -> None:
    cut, many = drawn.limited(60, 120), Picture([Item(ref="👩" * 50 + str(n), kind="file") for n in range(999)], [])
    found, crowd = read_by_mermaid(mermaid(drawn), mermaid(many))
    told = {name: text for name, text in found["nodes"].items() if name in labels(cut)}
    assert told == {name: "<br>".join(lines) for name, lines in labels(cut).items()}
    assert [text for *_, text, _ in found["edges"]] == [_cut(one.label) for one in cut.ties]
    assert {title for title, _ in found["groups"]} == {_cut(frame) for frame, _ in cut.frames() if frame}
    assert "nodes left out" in crowd["nodes"]["left"]
    for text in (mermaid(drawn), mermaid(many)):
        assert len(text) < 50_000
        assert not HAZARDS.findall(text)


@has_dot
def test_whatever_a_name_holds_stays_text_for_graphviz(drawn: Picture) -> None:
    nodes, edges = read_by_graphviz(dot(drawn))
    told = {name: [line.replace("\xa0", " ") for line in lines] for name, lines in nodes.items()}
    assert told == {name: [line for line in lines if line.strip()] for name, lines in labels(drawn).items()}
    assert edges.total() == len(drawn.ties)
    assert not HAZARDS.findall(dot(drawn))


FILES = {
    "src/app.py": "import auth\n",
    "docs/a.md": "# A\n\nSee [it](../src/auth.py).\n\n## part\n\nSee [b](b.md#b).\n",
    "docs/b.md": "# b\n\n[a](a.md#part)\n",
    'src/od"d \x1b[31m.py': "import auth\n",
    '"quoted".py': "import auth\n",
    "12": "no learning\n",
    "docs/a.md#part": "no section\n",
}
STEPS: Sequence[str | Sequence[str]] = (
    ["learning:add", f"Tokens end {ESCAPES}", "--anchor", "src/auth.py", "--anchor", "src/*.py"],
    ["learning:add", "About odd names", "--anchor", "12", "--anchor", "docs/a.md#part"],
    ["learning:add", "Not confirmed", "--anchor", "src/auth.py", "--status", "staged"],
    ["fact:add", "Tokens <b>", "depends_on", "Clock & 'time'"],
    "graph:relate 1 2 --relation elaborates",
    "index",
    "graph:verify",
)
PICTURES = (
    "graph:neighbors {src/auth.py|1}",
    "graph:path src/app.py 2",
    "graph:cycles",
    "focus {1|docs/a.md|src/}",
    "graph:imports {--all|--all --unresolved|src}",
)


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """A workspace with odd names, of files that look like other nodes as well."""
    return prepared(*STEPS, files=FILES, message="Odd names")


@has_dot
@has_mermaid
def test_every_picture_is_read_by_those_who_draw_it(shared: CommandLine) -> None:
    asked = [one for line in PICTURES for one in alternatives(line)]
    for text in (shared.ok(f"{one} --format dot").out for one in asked):
        read_by_graphviz(text)
    found = dict(zip(asked, read_by_mermaid(*(shared.ok(f"{one} --format mermaid").out for one in asked)), strict=True))
    around = shared.ok("graph:neighbors src/auth.py --json").document
    names = found["graph:neighbors src/auth.py"]["nodes"].values()
    told = [name.partition("<br>")[0] for name in names]
    assert [one for one in around["neighbors"] if not any(inert(one["ref"]).endswith(name) for name in told)] == []
    assert "Not confirmed" not in str(found)
    for form in ("--format mermaid", "--format dot", "--tree"):
        assert "staged" in shared.ok(f"graph:neighbors 3 {form}").out
        assert "staged" in shared.ok(f"focus 3 {form}").out


def test_what_does_not_go_together_or_nowhere_is_refused(shared: CommandLine, origin: Path) -> None:
    (origin / "link.gexf").symlink_to("src/auth.py")
    for words, said in (
        ("graph:neighbors src/auth.py --json --format dot", "--json and --format dot cannot go together."),
        ("graph:imports --all --tsv --format mermaid", "--tsv and --format mermaid cannot go together."),
        ("focus src/auth.py --tree --json", "--json and --tree cannot go together."),
        ("graph:export --json", "--json tells what was written to a file."),
        ("graph:export --format csv", "csv needs a place."),
        ("graph:export --types NONE", "'NONE'"),
        ("graph:export --out .git/x", "belongs to git or tx"),
        ("graph:export --out src", "did not write it"),
        ("graph:export --out link.gexf", "did not write it"),
        ("graph:export --out src/auth.py", "did not write it"),
        ("graph:export --out src/auth.py --format csv", "cannot be made a directory"),
    ):
        outcome = shared(words)
        assert (outcome.status, outcome.out) == ((5 if "directory" in said else 2), ""), words
        assert said in outcome.err


def test_a_tree_is_indented_in_a_pipe(shared: CommandLine) -> None:
    lines = shared.ok("graph:neighbors src/auth.py --tree").out.splitlines()
    assert lines[0] == "src/auth.py"
    assert "  ←IMPORTS─ src/app.py  0.70" in lines
    assert any(line.startswith("    ") and "learning:2" in line for line in lines), "below learning:1"
    lines = shared.ok("focus docs/a.md --tree").out.splitlines()
    assert lines[:3] == [".", "  docs", '    a.md  "A"']
    assert "      Link target" in lines


def test_status_tells_what_was_last_said_of_anchors_and_what_nobody_looked_at(tx: CommandLine) -> None:
    assert "\nlast verified     4 fresh · 1 unverified\n" in tx.ok("status").out
    Path("12").unlink()
    assert tx.ok("status --json").document["verdicts"] == {"fresh": 4, "unverified": 1}, "nobody looked since"
    tx("graph:verify")
    assert "gone" in tx.ok("status --json").document["verdicts"]


Edge = tuple[str, str, str, str, float, bool, str]
LIKE_OTHERS = ("12", "docs/a.md#part")
"""Files that are called like another node, and so go by their kinds."""


def walked(root: Path) -> tuple[set[str], Counter[Edge]]:
    """Return nodes and edges as `graph:show` tells them from node to node."""

    def called(node: NodeReference) -> str:
        return f"file:{node.ref}" if node.kind == "file" and node.ref in LIKE_OTHERS else node.ref

    edges: dict[Edge, None] = {}
    seen, waiting = (
        set[str](),
        ["file:README.md", "file:src/auth.py", "file:docs/a.md", "entity:Tokens <b>", "learning:2"],
    )
    with open_workspace(root) as memory:
        while waiting:
            around = memory.graph.show(waiting.pop())
            if (name := called(around.node.reference)) in seen:
                continue
            seen.add(name)
            for one in around.steps:
                kind = f"{one.target_node.kind}:"
                waiting.append(kind + one.target.removeprefix(kind))
                ends = [called(one.source_node), called(one.target_node)]
                source, target = ends if one.forward else reversed(ends)
                is_directed = bool(EdgeType(one.type).words.against)
                edges[source, target, one.type, one.relation, one.weight, is_directed, one.description] = None
    return seen, Counter(edges.keys())


def edges_of(graph: Any) -> Counter[Edge]:  # noqa: ANN401 - networkx has no types
    """Return the edges of a graph as networkx read it."""
    return Counter(
        (
            source,
            target,
            one["type"],
            one.get("relation", ""),
            one["weight"],
            one["directed"],
            one.get("description", ""),
        )
        for source, target, one in graph.edges(data=True)
    )


def as_xml(name: str) -> str:
    """Return a name as XML can hold it."""
    return quoted_field(name) if "\x1b" in name or name.startswith('"') else name


def test_what_is_exported_is_the_graph_whoever_reads_it(shared: CommandLine, origin: Path, tmp_path: Path) -> None:
    seen, edges = walked(origin)
    files = {one: str(tmp_path / f"graph.{one}") for one in ("graphml", "gexf", "json")}
    for file in files.values():
        told = shared.ok("graph:export", "--out", file, "--json").document
        assert (told["files"], told["nodes"], told["edges"]) == ([file], len(seen), edges.total())
    linked = nx.node_link_graph(json.loads(Path(files["json"]).read_text(encoding="utf-8")), edges="edges")
    assert (set(linked), edges_of(linked)) == (seen, edges)
    quoted = Counter(
        {(*map(as_xml, (one[0], one[1])), *one[2:6], as_xml(one[6])): number for one, number in edges.items()}
    )
    for graph in (nx.read_graphml(files["graphml"]), nx.read_gexf(files["gexf"])):
        assert (set(graph), edges_of(graph)) == (set(map(as_xml, seen)), quoted)
        assert graph.nodes["file:12"]["kind"] == "file"
    shared.ok("graph:export", "--format", "csv", "--out", str(tmp_path / "tables"))
    nodes, rows = (pd.read_csv(tmp_path / "tables" / f"{one}.csv", keep_default_na=False) for one in ("nodes", "edges"))
    assert set(nodes["id:ID"]) == seen
    assert Counter(rows.itertuples(index=False, name=None)) == edges
    printed = shared.ok("graph:export --format graphml").out
    assert printed == Path(files["graphml"]).read_text(encoding="utf-8")
    assert not HAZARDS.findall(printed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.gexf", "graph.graphml", "graph.json", "tables"]


def test_an_export_can_be_of_some_types_and_of_some_files(shared: CommandLine) -> None:
    some = json.loads(shared.ok("graph:export --types IMPORTS").out)
    assert {one["type"] for one in some["edges"]} == {"IMPORTS"}
    found = json.loads(shared.ok("graph:export --only docs/** --only 12").out)["nodes"]
    assert {one["path"].split("/")[0] for one in found} == {"docs", "12", ""}
    assert "learning:2" in {one["id"] for one in found}
