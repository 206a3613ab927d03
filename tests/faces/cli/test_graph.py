"""What is asked of the graph: nodes, neighbours, paths, imports, symbols, cycles, and how old each answer is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine, bare

TOKENS = "docs/auth.md#tokens"
BEHIND = "The index is behind the working tree: 1 file changed, 1 new"
FILES = {
    "src/app.py": "import auth\nfrom os import path, sep\nfrom .gone import thing\n\n\nclass App:\n"
    "    def run(self, n: int):\n        return auth.login()\n",
    "docs/auth.md": "# Authentication\n\n## Tokens\n\nChecked in `src/auth.py`.\n\n- depends_on:: [[keys]]\n",
    "docs/keys.md": "# Keys\n\nSee [the tokens](auth.md#tokens).\n",
}


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """`src/app.py` imports `src/auth.py`, a module of Python's and one that is not there; two learnings, documents."""
    return prepared(
        "index", "learning:add First --anchor src/auth.py", "learning:add Second --anchor src/app.py", files=FILES
    )


# --- nodes and what is tied to them ---------------------------------------------------------------


def test_relate_and_unrelate(tx: CommandLine) -> None:
    tx.add("Third")
    out = tx.ok("graph:relate 3 2 --relation depends_on --weight 0.5").out
    assert out == f"{tx.name(3)} depends_on {tx.name(2)} (0.5)\n"
    assert tx.json("graph:relate 3 2 --relation depends_on --weight 0.5")["existed"] is True
    [there] = tx.json("graph:neighbors 3 --depth 1")["neighbors"]
    assert (there["ref"], there["score"]) == ("learning:2", pytest.approx(0.35))
    assert tx.json("graph:neighbors 3 --direction in")["neighbors"] == []
    assert tx.ok("graph:unrelate 3 2").out == "Removed 1 link\n"
    assert tx.json("graph:neighbors 3")["neighbors"] == []


def test_show_groups_edges_by_type_and_quotes_learnings(shared: CommandLine) -> None:
    lines = shared.ok("graph:show src/auth.py").out.splitlines()
    assert lines[0] == "src/auth.py  file"
    assert lines[1:3] == ["", "ANCHORED_TO  1"]
    assert re.fullmatch(r"  [0-9a-z]{12} \(learning:1\)  hash  fresh", lines[3])
    assert lines[4] == "    First"
    assert lines[5:8] == ["", "IMPORTS  1", "  ← src/app.py  static"]
    shape = shared.json("graph:show src/auth.py::login")
    name = "src/auth.py::login"
    told = {"kind": "symbol", "id": name, "ref": name, "path": "src/auth.py", "line": None}
    assert shape["node"] == told | {"key": name}
    assert shared.json("graph:show 1")["learning"]["content"] == "First"


def test_show_does_not_flood(tx: CommandLine) -> None:
    for number in range(12):
        tx.add(f"Note {number}", "--anchor", "README.md")
    outcome = tx.ok("graph:show README.md -n 3")
    assert outcome.out.count(" (learning:") == 3
    assert "9 more; show them with -n 12" in outcome.err
    assert sum(edge["type"] == "ANCHORED_TO" for edge in tx.json("graph:show README.md -n 3")["edges"]) == 12


def test_neighbors_stand_in_columns_with_the_way_to_them(shared: CommandLine) -> None:
    only = "--types-at 1=ANCHORED_TO --types-at 2=IMPORTS --depth 2"
    assert shared.ok(f"graph:neighbors 1 {only}").out.splitlines() == [
        "0.70  src/auth.py  ─ANCHORED_TO→",
        "0.49  src/app.py   ─ANCHORED_TO→ src/auth.py ←IMPORTS─",
    ]
    assert shared.ok(f"graph:neighbors 1 {only} -n 1").err == "1 more; show them with -n 2.\n"
    outcome = shared.ok("graph:neighbors 1 --max-nodes 1")
    assert outcome.out == "0.70  src/auth.py  ─ANCHORED_TO→\n"
    assert outcome.err == "As many as --max-nodes were reached, the best; there may be more.\n"
    shared.ok(f"graph:neighbors 1 --max-nodes {'9' * 30}")


@pytest.mark.parametrize("profile", ["decay", "hops", "spread"])
def test_neighbors_in_every_profile_tell_their_path_and_what_was_looked_at(shared: CommandLine, profile: str) -> None:
    shape = shared.json(f"graph:neighbors 1 --profile {profile} --edge-types ANCHORED_TO,IMPORTS --depth 2")
    assert shape["node"]["ref"] == "learning:1"
    for neighbor in shape["neighbors"]:
        assert neighbor.keys() >= {"ref", "kind", "score", "hops", "path", "edges"}
        assert neighbor["hops"] == len(neighbor["edges"]) == len(neighbor["path"]) - 1
    auth, app = shape["neighbors"]
    assert (auth["path"], app["path"]) == (["learning:1", "src/auth.py"], ["learning:1", "src/auth.py", "src/app.py"])
    assert [edge["relation"] for edge in app["edges"]] == ["hash", "static"]
    assert shape["stats"] == {
        "reached": 2, "shown": 2, "seeds": 1, "expanded": 2, "max_depth_reached": 2, "nodes_visited": 3,
        "max_nodes_reached": False, "fan_out_reached": 0,
    }  # fmt: skip


def test_verbose_search_says_why_in_words(tx: CommandLine) -> None:
    tx.add("Compare secrets in constant time", "--anchor", "src/auth.py")
    out = tx.ok("learning:search 'constant time' --expand --verbose").out
    assert re.search(r"matched by its words \(BM25 1\.00 of the best\)", out)
    assert "via src/app.py ─ANCHORED_TO→ this (src/app.py: imports src/auth.py)" in out
    assert "anchored to src/auth.py" in out


def test_stats_count_everything_and_name_their_analyses(shared: CommandLine) -> None:
    out = shared.ok("graph:stats").out
    for row in (
        "learnings +2 active",
        "IMPORTS +1",
        r"documents .*3 \(4 sections, 2 chunks\)",
    ):
        assert re.search(rf"^{row}$", out, re.MULTILINE)
    shape = shared.json("graph:stats")
    assert (shape["learnings"], shape["edges"]["IMPORTS"]) == ({"active": 2}, 1)
    assert (shape["documents"], shape["sections"], shape["chunks"]) == (3, 4, 2)
    analyses = shape["analyses"]
    assert None not in (analyses["index"], analyses["documents"])


def test_a_connection_is_a_sentence(shared: CommandLine) -> None:
    assert shared.ok("graph:path src/app.py 1").out.splitlines() == [
        "src/app.py imports src/auth.py, to which learning:1 is anchored.",
        "score 0.49, 2 hops",
        "learning:1  fresh  First",
    ]
    document = shared.json("graph:path src/app.py 1")
    assert (document["path"], document["hops"]) == (["src/app.py", "src/auth.py", "learning:1"], 2)
    assert [edge["type"] for edge in document["edges"]] == ["IMPORTS", "ANCHORED_TO"]
    outcome = shared.ok("graph:path src/app.py README.md --max-hops 1")
    assert outcome.err == "Nothing connects src/app.py and README.md within 1 hop.\n"
    assert shared.json("graph:path src/app.py README.md --max-hops 1")["path"] is None


# --- sections -------------------------------------------------------------------------------------


def test_a_section_is_shown_with_its_title_and_what_it_is_tied_to(shared: CommandLine) -> None:
    out = shared.ok("graph:show", TOKENS).out
    assert out.startswith(f"{TOKENS}  section\n  Tokens\n")
    assert "  → 0.90  src/auth.py  references\n" in out
    assert '  ← docs/keys.md#keys  references  "the tokens"\n    Keys' in out
    assert "  → docs/keys.md  depends_on\n" in out, "its words say no more than the relation"


def test_links_between_sections_go_by_what_they_mean(shared: CommandLine) -> None:
    out = shared.ok("graph:neighbors src/auth.py --depth 2").out
    assert "─references─" in out or "←references─" in out
    assert "─depends_on→" in out
    [shape] = [one for one in shared.json("graph:neighbors src/auth.py")["neighbors"] if one["ref"] == TOKENS]
    assert (shape["kind"], shape["edges"][0]["type"]) == ("section", "LINKS_TO")
    told = " ".join(shared.ok("graph:path src/auth.py docs/keys.md").out.split())
    assert told.startswith(f"src/auth.py is referenced by {TOKENS} (0.90), which depends on docs/keys.md.")


def test_documents_are_counted_and_a_changed_one_is_named(tx: CommandLine, checkout: Checkout) -> None:
    assert tx.json("status")["documents"] | {"unread": []} == {
        "documents": 3, "sections": 4, "chunks": 2, "lacking": 2, "changed": 0, "new": 0, "gone": 0, "unread": [],
        "broken_links": 0,
    }  # fmt: skip
    assert "2 chunks of documents" in tx.ok("status").out
    checkout.edit("Checked in", "Read in", path="docs/auth.md")
    assert "1 document changed" in tx.ok("status").err
    assert "1 document changed" in tx("doctor").out
    tx.ok("config set update none")
    assert "docs/auth.md has changed since it was read" in tx.ok("graph:show", TOKENS).err
    tx.ok("config set update auto")
    assert "Up to date first: 1 file, 1 document." in tx.ok("graph:show", TOKENS).err
    assert "1 document changed" not in tx.ok("status").err


# --- imports, symbols, cycles ---------------------------------------------------------------------


def make_cycle(tx: CommandLine, checkout: Checkout, source: str = "import app\n") -> None:
    checkout.write("src/auth.py", source)
    tx.ok("index")


def test_imports_of_a_file_and_its_importers_with_the_way_to_them(shared: CommandLine) -> None:
    outcome = shared.ok("graph:imports src/app.py")
    assert outcome.out.splitlines() == ["file         type", "src/auth.py  static"]
    assert outcome.err == "1 import leads to no file here, but should; see --unresolved.\n"
    document = shared.json("graph:imports src/app.py")
    edge = {"source": "src/app.py", "target": "src/auth.py", "import_type": "static"}
    assert bare(document["imports"]) == [edge | {"hops": 1}]
    assert (document["path"], document["missing"], document["inside"]) == ("src/app.py", 1, 0)
    out = shared.ok("graph:imports src/auth.py --reverse --depth 2").out
    assert out.splitlines() == ["file        type    hops  by way of", "src/app.py  static  1     src/auth.py"]
    rows = "source\ttarget\timport_type\nsrc/app.py\tsrc/auth.py\tstatic\n"
    assert shared.ok("graph:imports --all --tsv").out == rows
    assert bare(shared.json("graph:imports --all")["imports"]) == [edge]


def test_imports_that_lead_nowhere_say_why(shared: CommandLine) -> None:
    assert shared.ok("graph:imports src/app.py --unresolved").out.splitlines() == [
        "line  module  names      why",
        "   2  os      path, sep  stdlib: ships with the language",
        "   3  .gone   thing      missing: no file here answers to it",
    ]
    assert shared.ok("graph:imports --all --unresolved --tsv").out.splitlines() == [
        "source\tline\tmodule\tnames\timport_type\treason",
        "src/app.py\t2\tos\tpath,sep\tstatic\tstdlib",
        "src/app.py\t3\t.gone\tthing\tstatic\tmissing",
    ]
    ends = shared.json("graph:imports src/app.py --unresolved")["unresolved"]
    assert [(end["module"], end["names"], end["reason"]) for end in ends] == [
        ("os", ["path", "sep"], "stdlib"),
        (".gone", ["thing"], "missing"),
    ]


def test_an_empty_answer_is_words_and_no_failure(shared: CommandLine) -> None:
    assert shared.ok("graph:imports src/auth.py").err == "src/auth.py imports no file here.\n"
    assert shared.ok("graph:imports src/app.py --reverse").err == "Nothing here imports src/app.py.\n"
    sentence = "README.md is in no language whose imports are read."
    assert shared.ok("graph:imports README.md").err == f"{sentence}\n"
    assert shared.json("graph:imports README.md")["notices"] == [sentence]
    assert shared.ok("graph:imports .").err.splitlines() == [
        "No import leaves the repository.",
        "1 import between files inside it.",
        "1 import leads to no file here, but should; see --unresolved.",
    ]


def test_symbols_of_a_file_are_an_outline_and_those_of_a_directory_stand_below_their_files(shared: CommandLine) -> None:
    lines = shared.ok("graph:symbols src/app.py").out.splitlines()
    assert [line.split()[:2] for line in lines] == [["6-8", "class"], ["7-8", "method"]]
    assert lines[1].index("def run") == lines[0].index("class App") + 2
    [app, run] = shared.json("graph:symbols src/app.py")["symbols"]
    assert (app["ref"], app["line_start"], app["line_end"]) == ("src/app.py::App", 6, 8)
    assert (run["name"], run["kind"]) == ("App::run", "method")
    headings = [line for line in shared.ok("graph:symbols src").out.splitlines() if re.fullmatch(r"\S+", line)]
    assert headings == ["src/app.py", "src/auth.py"]
    header, *rows = [line.split("\t") for line in shared.ok("graph:symbols --all --tsv").out.splitlines()]
    assert header == ["path", "qname", "kind", "start", "end", "signature"]
    assert [row[:5] for row in rows] == [
        ["src/app.py", "src/app.py::App", "class", "6", "8"],
        ["src/app.py", "src/app.py::App::run", "method", "7", "8"],
        ["src/auth.py", "src/auth.py::login", "function", "1", "2"],
    ]
    assert shared.ok("graph:symbols --all -n 1").err == "2 more; show them with -n 3.\n"
    assert shared.json("graph:symbols --all -n 1")["stats"] == {"found": 3, "shown": 1}


def test_a_name_is_found_and_what_is_not_exact_says_so(shared: CommandLine) -> None:
    outcome = shared.ok("graph:symbols --find App.run")
    assert outcome.out.splitlines()[1].startswith("src/app.py::App::run  method  7-8")
    assert outcome.err == ""
    assert shared.ok("graph:symbols --find log").err == "Nothing is named exactly 'log'; these begin with it.\n"
    assert shared.json("graph:symbols --find log")["match"] == "beginning"
    outcome = shared.ok("graph:symbols --find logni")
    assert (outcome.out, outcome.err) == ("", "Nothing is named 'logni'. Did you mean login?\n")


def test_cycles_are_shown_with_the_import_that_closes_them(tx: CommandLine, checkout: Checkout) -> None:
    assert tx.ok("graph:cycles --strict").err == "No import cycle.\n"
    make_cycle(tx, checkout)
    first, second = tx.ok("graph:cycles").out.splitlines()[:2]
    assert first == "1 import cycle; 2 files on cycles"
    assert (second.replace("*", ""), second.count("*")) == ("src/app.py ─→ src/auth.py ─→ src/app.py", 1)
    document = tx.json("graph:cycles")
    [cycle] = document["cycles"]
    assert (cycle["length"], cycle["files"]) == (2, ["src/app.py", "src/auth.py"])
    assert bare(cycle["closed_by"]) in [{"source": e["source"], "target": e["target"]} for e in cycle["edges"]]
    assert document["stats"] == {"found": 1, "shown": 1, "files": 2, "with_type_only": 0}
    assert tx("graph:cycles --strict").status == 1
    everything, first = (tx.json(f"graph:imports --all -n {count}") for count in (9, 1))
    assert first["imports"] == everything["imports"][:1] != everything["imports"]
    assert first["stats"] == {"found": 2, "shown": 1}


def test_type_only_cycles_are_mentioned_and_shown_when_asked(tx: CommandLine, checkout: Checkout) -> None:
    make_cycle(tx, checkout, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app\n")
    outcome = tx.ok("graph:cycles --strict")
    assert "1 more cycle only for the type checker; show them with --include-type-only." in outcome.err
    assert "─type-only" in tx.ok("graph:cycles --include-type-only").out


# --- how old an answer is -------------------------------------------------------------------------

READING = (
    *("graph:imports src/app.py", "graph:imports --all", "graph:imports src/app.py --unresolved"),
    *("graph:symbols src/auth.py", "graph:symbols --find login", "graph:cycles", "graph:path src/app.py src/auth.py"),
    *("graph:show src/app.py", "graph:neighbors src/app.py", "graph:stats", "status"),
    "learning:search tokens --expand",
)


def test_every_reading_command_says_how_old_its_answer_is(tx: CommandLine, checkout: Checkout) -> None:
    for command in READING:
        assert "index" not in tx.ok(command).err
        assert tx.json(command)["freshness"]["changed"] == 0
    tx.ok("config set update none")
    checkout.write("src/app.py", "import auth, os\n")
    checkout.write("new.py")
    for command in READING:
        assert BEHIND in tx.ok(command).err
        document = tx.json(command)
        ages = document["freshness"]
        assert (ages["changed"], ages["new"], ages["gone"], ages["unproven"]) == (1, 1, 0, 0)
        assert ages["indexed_at"]
        assert any(one.startswith(BEHIND) for one in document["notices"])
    for command in ("graph:imports", "graph:symbols", "graph:show", "graph:neighbors"):
        assert "src/app.py has changed since it was indexed. " in tx.ok(f"{command} src/app.py").err
        assert "since it was indexed" not in tx.ok(f"{command} src/auth.py").err
    tx.ok("index")
    assert not any("index" in tx.ok(command).err for command in READING)
