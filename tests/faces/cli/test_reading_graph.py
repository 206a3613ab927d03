"""graph:imports, graph:symbols, graph:cycles and graph:path, and what every reading command says of its age."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

READING = [
    ["graph:imports", "src/app.py"],
    ["graph:imports", "--all"],
    ["graph:imports", "src/app.py", "--unresolved"],
    ["graph:symbols", "src/auth.py"],
    ["graph:symbols", "--find", "login"],
    ["graph:cycles"],
    ["graph:path", "src/app.py", "src/auth.py"],
    ["graph:show", "src/app.py"],
    ["graph:neighbors", "src/app.py"],
    ["graph:stats"],
    ["status"],
    ["learning:search", "tokens", "--expand"],
]
BEHIND = "The index is behind the working tree: 1 file changed, 1 new; run 'tx index'."


@pytest.fixture
def code(tx: CommandLine, home: Path) -> CommandLine:
    """`src/app.py` imports `src/auth.py`, a module of Python's and one that is not there."""
    source = (
        "import auth\nfrom os import path, sep\nfrom .gone import thing\n\n\nclass App:\n    def run(self, n: int):\n"
    )
    (home / "src" / "app.py").write_text(source + "        return auth.login()\n", encoding="utf-8")
    subprocess.run(["git", "add", "--all"], cwd=home, check=True)
    tx.ok("index")
    return tx


def make_cycle(code: CommandLine, home: Path) -> None:
    (home / "src" / "auth.py").write_text("import app\n", encoding="utf-8")
    code.ok("index")


def test_imports_of_a_file(code: CommandLine) -> None:
    outcome = code.ok("graph:imports", "src/app.py")
    assert outcome.out.splitlines() == ["file         type", "src/auth.py  static"]
    assert outcome.err == "1 import leads to no file here, but should; see --unresolved.\n"
    document = code.json("graph:imports", "src/app.py")
    assert document["imports"] == [
        {"source": "src/app.py", "target": "src/auth.py", "import_type": "static", "hops": 1}
    ]
    assert (document["path"], document["missing"], document["inside"]) == ("src/app.py", 1, 0)


def test_importers_of_a_file_with_the_way_to_them(code: CommandLine) -> None:
    out = code.ok("graph:imports", "src/auth.py", "--reverse", "--depth", "2").out
    assert out.splitlines() == ["file        type    hops  by way of", "src/app.py  static  1     src/auth.py"]


def test_the_list_is_cut_where_one_says_and_says_how_many_are_missing(code: CommandLine, home: Path) -> None:
    make_cycle(code, home)
    everything = code.json("graph:imports", "--all")
    first = code.json("graph:imports", "--all", "-n", "1")

    assert len(everything["imports"]) == 2
    assert first["imports"] == everything["imports"][:1]
    assert first["stats"] == {"found": 2, "shown": 1}
    assert "1 more; show them with -n 2." in code.ok("graph:imports", "--all", "-n", "1").err


def test_imports_that_lead_nowhere_say_why(code: CommandLine) -> None:
    assert code.ok("graph:imports", "src/app.py", "--unresolved").out.splitlines() == [
        "line  module  names      why",
        "   2  os      path, sep  stdlib: ships with the language",
        "   3  .gone   thing      missing: no file here answers to it",
    ]
    assert code.ok("graph:imports", "--all", "--unresolved", "--tsv").out.splitlines() == [
        "source\tline\tmodule\tnames\timport_type\treason",
        "src/app.py\t2\tos\tpath,sep\tstatic\tstdlib",
        "src/app.py\t3\t.gone\tthing\tstatic\tmissing",
    ]
    ends = code.json("graph:imports", "src/app.py", "--unresolved")["unresolved"]
    assert [(end["module"], end["names"], end["reason"]) for end in ends] == [
        ("os", ["path", "sep"], "stdlib"),
        (".gone", ["thing"], "missing"),
    ]


def test_all_imports_as_lines(code: CommandLine) -> None:
    out = "source\ttarget\timport_type\nsrc/app.py\tsrc/auth.py\tstatic\n"
    assert code.ok("graph:imports", "--all", "--tsv").out == out
    [edge] = code.json("graph:imports", "--all")["imports"]
    assert edge == {"source": "src/app.py", "target": "src/auth.py", "import_type": "static"}


def test_an_empty_answer_is_words_and_no_failure(code: CommandLine) -> None:
    assert code.ok("graph:imports", "src/auth.py").err == "src/auth.py imports no file here.\n"
    assert code.ok("graph:imports", "src/app.py", "--reverse").err == "Nothing here imports src/app.py.\n"
    sentence = "README.md is in no language whose imports are read."
    assert code.ok("graph:imports", "README.md").err == f"{sentence}\n"
    assert code.json("graph:imports", "README.md")["notices"] == [sentence]
    assert code.ok("graph:imports", ".").err.splitlines() == [
        "No import leaves the repository.",
        "1 import between files inside it.",
        "1 import leads to no file here, but should; see --unresolved.",
    ]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["graph:imports"], 2),
        (["graph:imports", "src/app.py", "--all"], 2),
        (["graph:imports", "--all", "--reverse"], 2),
        (["graph:imports", "--all", "--json", "--tsv"], 2),
        (["graph:imports", "src/app.py", "--unresolved", "--depth", "2"], 2),
        (["graph:imports", "src/app.py", "--depth", "0"], 2),
        (["graph:imports", "src/apq.py"], 3),
        (["graph:imports", "../elsewhere.py"], 2),
        (["graph:symbols"], 2),
        (["graph:symbols", "src", "--all"], 2),
        (["graph:symbols", "src", "--kind", "klass"], 2),
        (["graph:symbols", "--find", ""], 2),
        (["graph:symbols", "--find", "login", "-n", "0"], 2),
        (["graph:symbols", "src/apq.py"], 3),
        (["graph:cycles", "-n", "0"], 2),
        (["graph:path", "src/app.py", "nothing"], 3),
        (["graph:path", "src/app.py", "src/auth.py", "--max-hops", "11"], 2),
        (["graph:path", "src/app.py", "src/auth.py", "--edge-types", "NONE"], 2),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_explained(code: CommandLine, arguments: list[str], status: int) -> None:
    outcome = code(*arguments)
    assert (outcome.status, outcome.out) == (status, "")
    assert "Traceback" not in outcome.err
    assert outcome.err.startswith(("tx: ", '{"error": '))


def test_symbols_of_a_file_are_an_outline(code: CommandLine) -> None:
    lines = code.ok("graph:symbols", "src/app.py").out.splitlines()
    assert [line.split()[:2] for line in lines] == [["6-8", "class"], ["7-8", "method"]]
    assert lines[1].index("def run") == lines[0].index("class App") + 2
    [app, run] = code.json("graph:symbols", "src/app.py")["symbols"]
    assert (app["ref"], app["line_start"], app["line_end"]) == ("src/app.py::App", 6, 8)
    assert (run["name"], run["kind"]) == ("App::run", "method")


def test_symbols_of_a_directory_stand_below_their_files(code: CommandLine) -> None:
    lines = code.ok("graph:symbols", "src").out.splitlines()
    assert [line for line in lines if line and not line.startswith(" ") and "  " not in line] == [
        "src/app.py",
        "src/auth.py",
    ]


def test_all_symbols_as_lines(code: CommandLine) -> None:
    header, *rows = [line.split("\t") for line in code.ok("graph:symbols", "--all", "--tsv").out.splitlines()]
    assert header == ["path", "qname", "kind", "start", "end", "signature"]
    assert [row[:5] for row in rows] == [
        ["src/app.py", "src/app.py::App", "class", "6", "8"],
        ["src/app.py", "src/app.py::App::run", "method", "7", "8"],
        ["src/auth.py", "src/auth.py::login", "function", "1", "2"],
    ]


def test_a_name_is_found_and_what_is_not_exact_says_so(code: CommandLine) -> None:
    outcome = code.ok("graph:symbols", "--find", "App.run")
    assert outcome.out.splitlines()[1].startswith("src/app.py::App::run  method  7-8")
    assert outcome.err == ""
    outcome = code.ok("graph:symbols", "--find", "log")
    assert outcome.err == "Nothing is named exactly 'log'; these begin with it.\n"
    assert code.json("graph:symbols", "--find", "log")["match"] == "beginning"
    outcome = code.ok("graph:symbols", "--find", "logni")
    assert (outcome.out, outcome.err) == ("", "Nothing is named 'logni'. Did you mean login?\n")


def test_more_symbols_than_asked_for_are_counted(code: CommandLine) -> None:
    outcome = code.ok("graph:symbols", "--all", "-n", "1")
    assert outcome.err == "2 more; show them with -n 3.\n"
    assert code.json("graph:symbols", "--all", "-n", "1")["stats"] == {"found": 3, "shown": 1}


def test_cycles_are_shown_with_the_import_that_closes_them(code: CommandLine, home: Path) -> None:
    assert code.ok("graph:cycles", "--strict").err == "No import cycle.\n"
    make_cycle(code, home)
    outcome = code.ok("graph:cycles")
    assert outcome.out.splitlines()[0] == "1 import cycle; 2 files on cycles"
    assert outcome.out.splitlines()[1].replace("*", "") == "src/app.py ─→ src/auth.py ─→ src/app.py"
    assert outcome.out.count("*") == 1
    document = code.json("graph:cycles")
    [cycle] = document["cycles"]
    assert (cycle["length"], cycle["files"]) == (2, ["src/app.py", "src/auth.py"])
    assert cycle["closed_by"] in [{"source": e["source"], "target": e["target"]} for e in cycle["edges"]]
    assert document["stats"] == {"found": 1, "shown": 1, "files": 2, "with_type_only": 0}
    assert code("graph:cycles", "--strict").status == 1


def test_type_only_cycles_are_mentioned_and_shown_when_asked(code: CommandLine, home: Path) -> None:
    source = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import app\n"
    (home / "src" / "auth.py").write_text(source, encoding="utf-8")
    code.ok("index")
    outcome = code.ok("graph:cycles", "--strict")
    assert "1 more cycle only for the type checker; show them with --include-type-only." in outcome.err
    assert "─type-only" in code.ok("graph:cycles", "--include-type-only").out


def test_a_connection_is_a_sentence(code: CommandLine) -> None:
    code.add("Tokens are compared in constant time", "--anchor", "src/auth.py")
    assert code.ok("graph:path", "src/app.py", "1").out.splitlines() == [
        "src/app.py imports src/auth.py, to which learning:1 is anchored.",
        "score 0.49, 2 hops",
        "learning:1  fresh  Tokens are compared in constant time",
    ]
    document = code.json("graph:path", "src/app.py", "1")
    assert (document["path"], document["hops"]) == (["src/app.py", "src/auth.py", "learning:1"], 2)
    assert [edge["type"] for edge in document["edges"]] == ["IMPORTS", "ANCHORED_TO"]
    outcome = code.ok("graph:path", "src/app.py", "README.md", "--max-hops", "1")
    assert outcome.err == "Nothing connects src/app.py and README.md within 1 hop.\n"
    assert code.json("graph:path", "src/app.py", "README.md")["path"] is None


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_every_reading_command_says_how_old_its_answer_is(code: CommandLine, home: Path, arguments: list[str]) -> None:
    assert "index" not in code.ok(*arguments).err
    assert code.json(*arguments)["freshness"]["changed"] == 0
    (home / "src" / "app.py").write_text("import auth, os\n", encoding="utf-8")
    (home / "new.py").write_text("", encoding="utf-8")
    assert BEHIND in code.ok(*arguments).err
    document = code.json(*arguments)
    assert BEHIND in document["notices"]
    ages = document["freshness"]
    assert (ages["changed"], ages["new"], ages["gone"], ages["unproven"]) == (1, 1, 0, 0)
    assert ages["indexed_at"]
    code.ok("index")
    assert "index" not in code.ok(*arguments).err


def test_a_file_that_changed_is_named(code: CommandLine, home: Path) -> None:
    (home / "src" / "app.py").write_text("import auth, os\n", encoding="utf-8")
    for command in ("graph:imports", "graph:symbols", "graph:show", "graph:neighbors"):
        assert "src/app.py has changed since it was indexed. " in code.ok(command, "src/app.py").err
        assert "since it was indexed" not in code.ok(command, "src/auth.py").err
