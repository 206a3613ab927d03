"""What the page is given is what the command line prints for the same question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import open_workspace
from tests.view.conftest import HOSTILE, LEARNINGS, Served
from tx_graph.core.shape import SCHEMA
from tx_graph.view import graph as view_graph
from tx_graph.view.graph import graph

_VERDICT = itemgetter("ref", "verdict")
KNOWN = ("1", "2", "3", "src/auth.py", "src/auth.py::login", "docs/guide.md", "docs/guide.md#tokens", "entity:Login")


@pytest.fixture(scope="module")
def snapshots(served: Served) -> dict[str, Any]:
    return {name: served.data(name) for name in ("about", "map", "graph", "together", "time", "structure")}


def test_the_counts_are_those_of_status(served: Served, snapshots: dict[str, Any]) -> None:
    about, status = snapshots["about"], served.tx.json("status")
    assert about["counts"] == {
        "files": status["files"],
        "learnings": status["learnings"]["active"],
        "facts": status["facts"]["confirmed"] + status["facts"]["staged"],
        "documents": status["documents"]["documents"],
        "sections": status["documents"]["sections"],
        "entities": status["entities"],
        "edges": sum(status["edges"].values()),
    }
    assert (about["commit"], about["indexed_at"]) == (status["head"], status["freshness"]["indexed_at"])
    assert (about["languages"], about["notices"]) == (status["languages"], status["notices"])
    assert about["left_out"] == ["Left out: learnings that nobody has confirmed, 1 of them."]


def test_verdicts_are_those_of_now(served: Served, snapshots: dict[str, Any]) -> None:
    listed = served.tx.json("learning:list --verify")["learnings"]
    verdicts = {
        f"learning:{one['id']}": (one["verdict"], one.get("drift")) for one in listed if one["status"] == "active"
    }
    assert {word for word, _ in verdicts.values()} == {"fresh", "drifted", "gone", "unanchored"}
    known = {one["ref"]: one for one in snapshots["map"]["known"]}
    assert {ref: (one["verdict"], one["drift"]) for ref, one in known.items() if one["kind"] == "learning"} == verdicts
    assert snapshots["about"]["verdicts"] == Counter(word for word, _ in verdicts.values())
    nodes = snapshots["graph"]["nodes"]
    seen = dict(zip(nodes["ref"], nodes["verdict"], strict=True))
    assert {ref: word for ref, word in seen.items() if word} == {ref: word for ref, (word, _) in verdicts.items()}


def test_the_map_has_every_file_and_what_is_known_of_it(served: Served, snapshots: dict[str, Any]) -> None:
    files, known = snapshots["map"]["files"], {one["ref"]: one for one in snapshots["map"]["known"]}
    assert {path: size for path, size, _ in files} == {
        path: (served.root / path).stat().st_size for path, _, _ in files
    }
    paths = [path for path, _, _ in files]
    about = {ref: [paths[place] for place in one["places"]] for ref, one in known.items()}
    assert about["learning:1"] == ["src/auth.py"]
    assert about["learning:4"] == [path for path in paths if path.startswith("src/")]
    assert (about["learning:3"], known["learning:3"]["lost"]) == ([], ["src/store/rows.py"])
    assert about["docs/guide.md"] == ["docs/guide.md", "src/auth.py", "src/tokens.py"]
    assert {one["ref"] for one in known.values() if one["kind"] == "document"} == {
        one["ref"] for one in served.tx.json("doc:list")["documents"]
    }
    facts = {one["ref"]: one for one in served.tx.json("fact:list -n 100")["facts"]}
    assert {one["ref"] for one in known.values() if one["kind"] == "fact"} == facts.keys()
    told = {facts[ref]["predicate"]: about[ref] for ref in facts}
    assert told == {
        "uses": ["src/auth.py"],
        "depends_on": ["src/app.py"],
        "looks": [],
        "distrusts": [],
        "status": ["docs/guide.md"],
    }


def test_the_graph_is_what_walks_go_through(served: Served, snapshots: dict[str, Any]) -> None:
    graph, stored = snapshots["graph"], served.tx.json("graph:stats")["edges"]
    refs, columns = graph["nodes"]["ref"], graph["edges"]
    found = Counter(graph["types"][one] for one in columns["type"])
    by_glob = [one for one in columns["relation"] if one >= 0 and graph["relations"][one] == "glob"]
    assert found - Counter({"ANCHORED_TO": len(by_glob)}) == Counter(stored)
    rows = list(zip(*(columns[name] for name in ("source", "target", "type", "relation", "weight")), strict=True))
    for ref in KNOWN:
        shown = served.tx.json("graph:show", ref)
        own = refs.index(shown["node"]["ref"] if "learning" not in shown else f"learning:{ref}")
        around = Counter(
            (refs[target if source == own else source], graph["types"][kind], weight)
            for source, target, kind, _, weight in rows
            if own in (source, target)
        )
        edges = ((one["target"], one["type"], round(one["weight"], 6)) for one in shown["edges"])
        assert around == Counter(edges), ref
    kinds = {graph["kinds"][kind] for kind in graph["nodes"]["kind"]}
    assert kinds == {"learning", "file", "symbol", "section", "entity"}
    assert graph["left_out"] == snapshots["together"]["left_out"] == []


def test_what_changes_together_is_what_is_counted(served: Served, snapshots: dict[str, Any]) -> None:
    files, pairs = snapshots["together"]["files"], snapshots["together"]["pairs"]
    told = [(files[first], files[second], score, commits) for first, second, score, commits, _ in pairs]
    assert told == [
        (one["file_a"], one["file_b"], round(one["score"], 6), one["commit_count"])
        for one in served.tx.json("graph:cochanges --all")["pairs"]
    ]
    imports = {frozenset((one["source"], one["target"])) for one in served.tx.json("graph:imports --all")["imports"]}
    assert [is_imported for *_, is_imported in pairs] == [frozenset(one[:2]) in imports for one in told]
    assert {is_imported for *_, is_imported in pairs} == {0, 1}


def test_the_structure_is_that_of_imports_and_their_cycles(served: Served, snapshots: dict[str, Any]) -> None:
    structure = snapshots["structure"]
    cycles = [(one["files"], one["closed_by"]["source"]) for one in served.tx.json("graph:cycles")["cycles"]]
    assert [(one["files"], one["open_by"]["source"]) for one in structure["cycles"]] == cycles
    assert cycles
    directories = [one["path"] for one in structure["directories"]]
    between = Counter(
        (source, target)
        for one in served.tx.json("graph:imports --all")["imports"]
        for source, target in [(one["source"].rpartition("/")[0], one["target"].rpartition("/")[0])]
        if source != target
    )
    assert {(directories[one], directories[other]): count for one, other, count in structure["imports"]} == between
    layers = {one["path"]: one["layer"] for one in structure["directories"]}
    assert layers["src/web"] > layers["src/store"] or structure["directory_cycles"]
    assert sum(one["files"] for one in structure["directories"]) == sum(snapshots["about"]["languages"].values())


def test_time_tells_what_records_and_the_log_tell(served: Served) -> None:
    time = served.data("time")
    events = [(one["what"], one["ref"]) for one in time["events"] if one["kind"] == "learning"]
    logged = [(one["event"], f"learning:{one['learning']}") for one in served.tx.json("graph:history")["events"]]
    words = {"invalid": "gone", "drifted": "drifted", "confirmed": "confirmed", "healed": "restored"}
    told = Counter((words[what], ref) for what, ref in logged if what in words)
    written = Counter(("written", f"learning:{number}") for number in range(1, len(LEARNINGS) + 1))
    assert Counter(events) == written + told + Counter([("superseded", "learning:6")])
    assert {what for what, _ in told} >= {"gone", "drifted", "confirmed"}
    times = [one["at"] for one in time["events"]]
    assert times == sorted(times)
    assert sum(count for _, count in time["commits"]) == 4
    rot = {(one["kind"], one["of"]): one for one in time["rot"]}
    assert rot["directory", "src/store"] == {
        "of": "src/store",
        "kind": "directory",
        "written": 2,
        "lost": 1,
        "median_days": 0.0,
    }
    assert (rot["category", "security"]["written"], rot["category", "security"]["lost"]) == (3, 1)


QUESTIONS: list[tuple[str, Mapping[str, object], list[str]]] = [
    ("search", {"q": "tokens"}, ["search", "tokens"]),
    (
        "search",
        {"q": HOSTILE, "kinds": "learning,fact", "limit": 2},
        ["search", HOSTILE, "--kind", "learning,fact", "-n", "2"],
    ),
    *(
        (
            "neighbors",
            {"node": ref, "depth": depth, "profile": profile},
            ["graph:neighbors", ref, "--depth", str(depth), "--profile", profile],
        )
        for ref in ("3", "src/auth.py", "src/auth.py::login")
        for depth in (1, 3)
        for profile in ("decay", "hops", "spread")
    ),
    (
        "neighbors",
        {"node": "src/auth.py", "types": "IMPORTS,ANCHORED_TO", "direction": "in", "limit": 3},
        ["graph:neighbors", "src/auth.py", "--edge-types", "IMPORTS,ANCHORED_TO", "--direction", "in", "-n", "3"],
    ),
    ("path", {"from": "1", "to": "src/web/__init__.py"}, ["graph:path", "1", "src/web/__init__.py"]),
    ("path", {"from": "src/auth.py", "to": "docs/guide.md"}, ["graph:path", "src/auth.py", "docs/guide.md"]),
]


def test_questions_are_answered_as_by_the_command_line(served: Served) -> None:
    for question, given, words in QUESTIONS:
        found = served.data(question, **given)
        assert found.pop("schema") == SCHEMA
        assert found == served.tx.json(*words), words
    for ref in KNOWN:
        told = served.data("node", ref=ref)
        shown = served.tx.json("graph:show", ref)
        assert {name: told[name] for name in shown} == shown
    assert served.data("node", ref="src/app.py::main")["facts"] == []
    auth = served.data("node", ref="src/auth.py")
    assert [one["ref"] for one in auth["learnings"]] == ["learning:1", "learning:2", "learning:4"]
    assert [one["predicate"] for one in auth["facts"]] == ["uses"]
    assert [one["ref"] for one in auth["sections"]] == ["docs/guide.md#guide"]
    partners = served.tx.json("graph:cochanges src/auth.py")
    assert (auth["file"]["partners"], auth["file"]["commits"]) == (partners["partners"], partners["commits"])
    assert auth["file"]["touched_at"] == "2024-01-04T00:00:00Z"


def test_a_snapshot_is_kept_until_something_changes(served: Served) -> None:
    before = {name: served.get(f"data/{name}.json").body for name in ("map", "graph", "time")}
    assert {name: served.get(f"data/{name}.json").body for name in before} == before
    auth = served.root / "src/auth.py"
    text = auth.read_text(encoding="utf-8")
    auth.write_text(text.replace("tokens.make()", "tokens.made()"), encoding="utf-8")
    added = served.tx.add("It came later", "--anchor", "src/app.py")
    try:
        for name, listed in (("map", "known"), ("graph", "nodes")):
            told = served.data(name)[listed]
            pairs = zip(told["ref"], told["verdict"], strict=True) if name == "graph" else map(_VERDICT, told)
            verdicts = dict(pairs)
            assert (verdicts["learning:1"], verdicts[added]) == ("drifted", "fresh")
        last = {one["ref"]: one["what"] for one in served.data("time")["events"]}
        assert (last["learning:1"], last[added]) == ("drifted", "written")
        served.tx("graph:verify")
    finally:
        auth.write_text(text, encoding="utf-8")
        served.tx.ok("learning:remove", added)
    assert {one["ref"]: one["what"] for one in served.data("time")["events"]}["learning:1"] == "restored"
    served.tx("graph:verify")
    assert added not in dict(map(_VERDICT, served.data("map")["known"]))


def test_of_a_graph_that_is_too_large_the_heaviest_is_told(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view_graph, "_MOST_NODES", 15)
    monkeypatch.setattr(view_graph, "_MOST_EDGES", 2)
    with open_workspace(workspace) as opened:
        told = graph(opened.kernel)
    refs, edges = told["nodes"]["ref"], told["edges"]
    assert {*refs} >= {f"learning:{number}" for number in (1, 2, 3, 4, 5, 7)} | {"entity:Login", "docs/guide.md"}
    assert (len(refs), len(edges["source"]), len(told["left_out"])) == (15, 2, 2)
    assert max(edges["source"] + edges["target"]) < len(refs)
    whole = re.findall(r"([\d,]+) (\w+)", " ".join(told["left_out"]))
    assert {kind for _, kind in whole} >= {"edges", "files"}
