"""Every command can be run, explains itself and belongs somewhere; what it loads before it answers is little."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tx_graph.core.arguments import parameters_of
from tx_graph.core.kernel import find
from tx_graph.faces.operations import ALIASES, COMMANDS, EVERYDAY, GROUPS, Operation, Written

PANELS = {
    *("Workspace", "Before you start", "Learnings", "Tasks and runs", "Graph", "Documents", "Facts", "Agents"),
    *("Telemetry", "Analysis", "Hub"),
}
OPERATIONS = [one for one in COMMANDS.values() if isinstance(one, Operation)]
names = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def narrow(elsewhere: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "80")
    return elsewhere


@names
def test_a_command_is_a_function_in_a_panel(name: str) -> None:
    entry = COMMANDS[name]
    if isinstance(entry, Written):
        module, _, function = entry.place.partition(":")
        assert callable(getattr(importlib.import_module(f"tx_graph.faces.cli.{module}"), function))
    assert entry.panel in PANELS
    assert entry.summary.endswith(".")


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_what_prints_a_result_asks_for_nothing_that_the_use_case_does_not_take(one: Operation) -> None:
    module, _, render = one.render.partition(":")
    taken = {parameter.name for parameter in parameters_of(find(one.use_case).function)}
    functions = (render, one.shape, one.notes, one.tsv, one.check, *one.forms.split())
    for function in (name for name in functions if name and not name.startswith("result")):
        found = getattr(importlib.import_module(f"tx_graph.faces.cli.render.{module}"), function)
        _, *wanted = inspect.signature(found).parameters
        assert set(wanted) <= {*taken, "as_json", "fields", "as_tsv", "command", *(["form"] if one.forms else [])}


@names
def test_help_has_an_example_json_and_explains_every_option_within_80_columns(narrow: CommandLine, name: str) -> None:
    text = narrow.ok(name, "--help").out
    assert text == narrow.ok(name, "-h").out
    assert text.startswith(f"Usage: tx {name} ")
    assert re.search(rf"Example:\n(?:    .*\n)*    .*\btx .*{name}", text)
    assert "--json" in text
    assert max(map(len, text.splitlines())) <= (80 if name != "completion" else 100)
    for entry in re.split(r"\n(?=  -)", text.partition("Options:\n")[2]):
        assert re.search(r"\s{2,}\w.*\.", entry.strip(), re.DOTALL), entry


@pytest.mark.parametrize("name", [one for one in COMMANDS if one != "hook"])  # a hook refuses nothing
def test_an_unknown_option_is_a_usage_error(elsewhere: CommandLine, name: str) -> None:
    outcome = elsewhere(name, "--no-such-option")
    assert (outcome.status, outcome.out) == (2, "")
    assert re.match(r"tx: No such option: --no-such-option\b", outcome.err)


def test_help_is_one_screen_and_names_the_way_to_every_command(narrow: CommandLine) -> None:
    text = narrow.ok("--help").out
    lines = text.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert text == narrow.ok().out == narrow.ok("-h").out == narrow.ok("-C . --help").out == narrow.ok("help").out
    assert all(re.search(rf"\b{one.partition(':')[0]}\b", text) for one in (*COMMANDS, *ALIASES, *EVERYDAY))


def test_all_commands_are_listed_below_their_panels(narrow: CommandLine) -> None:
    text = narrow.ok("help --all").out
    for entry in COMMANDS.values():
        assert re.search(rf"^{entry.panel}:\n(?:  .*\n)*  {re.escape(entry.name)} ", text, re.MULTILINE), entry.name
    assert "Exit status:" in text
    assert max(map(len, text.splitlines())) <= 80
    assert {one["name"] for one in narrow.json("help --all")["commands"]} == COMMANDS.keys()


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_lists_its_commands(narrow: CommandLine, group: str) -> None:
    text = narrow.ok(group).out
    members = [one for one in COMMANDS if one.startswith(f"{group}:")]
    assert re.findall(r"^  ([a-z]+:[a-z-]+)", text, re.MULTILINE) == members
    assert text == narrow.ok(group, "--help").out == narrow.ok("help", group).out == narrow.ok("-C", ".", group).out
    assert [one["name"] for one in narrow.json(group)["commands"]] == members
    assert [one["name"] for one in narrow.json("help", members[0])["commands"]] == members[:1]


SAME = {
    "learning add --help": "learning:add --help",
    "-C . learning add -h": "learning:add -h",
    "add --help": "learning:add --help",
    "link --help": "graph:link --help",
    "verify --help": "graph:verify --help",
    "help learning add": "learning:add --help",
    "help add": "learning:add --help",
    "help status": "status --help",
}


@pytest.mark.parametrize("line", SAME)
def test_a_command_has_the_same_meaning_by_each_of_its_names(narrow: CommandLine, line: str) -> None:
    assert narrow.ok(line).out == narrow.ok(SAME[line]).out


def test_examples_keep_their_lines(narrow: CommandLine) -> None:
    lines = narrow.ok("learning:add", "--help").out.splitlines()
    assert '    tx learning:add "Compare tokens in constant time" --category security' in lines


def test_an_argument_has_no_braces_unless_it_is_a_choice(elsewhere: CommandLine) -> None:
    assert elsewhere.ok("graph:relate -h").out.startswith("Usage: tx graph:relate [OPTIONS] LEARNING OTHER\n")
    assert "{install|status|remove}" in elsewhere.ok("model -h").out


def test_version_is_one_line(elsewhere: CommandLine) -> None:
    assert re.fullmatch(r"tx \d+\.\d+\.\d+\S*\n", elsewhere.ok("--version").out)


HEAVY = {
    *("numpy", "onnxruntime", "fastembed", "tokenizers", "git", "ast_grep_py", "rich", "sqlite_utils", "yaml"),
    *("docutils", "tomlkit", "llm", "mcp", "lsprotocol", "pygls", "starlette", "uvicorn", "tx_graph.view"),
}
SQLITE = {"sqlite3", "pysqlite3", "sqlean"}


@pytest.mark.parametrize("command", ["--help", "learning", "--version"])
def test_help_and_version_load_nothing_heavy(tmp_path: Path, command: str) -> None:
    timed = [sys.executable, "-X", "importtime", "-m", "tx_graph", command]
    done = subprocess.run(timed, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}.isdisjoint(HEAVY | SQLITE)


_LOADED = """
import sys
from tx_graph.faces.cli.main import run
for line in sys.argv[1:]:
    run(line.split())
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("commands", "heavy"),
    [
        (["learning:search --help", "bench -h", "doc:extract -h", "learning:serch"], HEAVY | SQLITE),
        (["--complete zsh tx"], HEAVY | SQLITE | {"typer"}),
        (["learning:list", "learning:show 1", "status", "config", "learning:search tokens"], HEAVY),
        (["context tokens", "focus 1", "recall tokens", "doc:search tokens", "search tokens"], {"rich", "markdown_it"}),
        (["status"], {"tx_graph.learnings.learnings", "tx_graph.anchors.taking", "tx_graph.work.store", "asyncio"}),
    ],
    ids=["help and refusals", "completion", "what is read often", "pages in a pipe", "what says how all is"],
)
def test_what_is_asked_often_loads_little(tx: CommandLine, home: Path, commands: list[str], heavy: set[str]) -> None:
    tx.add("Tokens are compared in constant time", "--anchor", "src/auth.py")
    loaded = [sys.executable, "-c", _LOADED, *commands]
    done = subprocess.run(loaded, cwd=home, capture_output=True, text=True, timeout=60, check=True)
    assert set(done.stderr.split()).isdisjoint(heavy)
