"""Every command can be run, explains itself and belongs somewhere; what is mistyped is put right."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest

from tests.faces.cli.terminal import CommandLine
from tx_graph.core.arguments import parameters_of
from tx_graph.core.kernel import find
from tx_graph.faces.operations import COMMANDS, Operation, Written
from tx_graph.records.learning import Status

PANELS = {
    "Workspace", "Before you start", "Learnings", "Tasks and runs", "Graph", "Documents", "Facts", "Agents",
    "Telemetry", "Analysis",
}  # fmt: skip
OPERATIONS = [one for one in COMMANDS.values() if isinstance(one, Operation)]
names = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@names
def test_a_command_is_a_function_in_a_panel(name: str) -> None:
    entry = COMMANDS[name]
    if isinstance(entry, Written):
        module, _, function = entry.place.partition(":")
        assert callable(getattr(importlib.import_module(f"tx_graph.faces.cli.commands.{module}"), function))
    assert entry.panel in PANELS
    assert entry.summary.endswith(".")


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_what_prints_a_result_asks_for_nothing_that_the_use_case_does_not_take(one: Operation) -> None:
    module, _, render = one.render.partition(":")
    taken = {parameter.name for parameter in parameters_of(find(one.use_case).function)}
    for function in filter(None, (render, one.shape, one.notes, one.tsv, *one.forms.split())):
        found = getattr(importlib.import_module(f"tx_graph.faces.cli.render.{module}"), function)
        _, *wanted = inspect.signature(found).parameters
        assert set(wanted) <= {*taken, "as_json", *(["form"] if one.forms else [])}


@names
def test_help_has_an_example_json_and_fits_80_columns(elsewhere: CommandLine, narrow: None, name: str) -> None:
    text = elsewhere.ok(name, "--help").out
    assert text.startswith(f"Usage: tx {name} ")
    assert re.search(rf"Example:\n(?:    .*\n)*    .*\btx .*{name}", text)
    assert "--json" in text
    assert max(map(len, text.splitlines())) <= (80 if name != "completion" else 100)


@names
def test_every_option_is_explained(elsewhere: CommandLine, narrow: None, name: str) -> None:
    options = elsewhere.ok(name, "-h").out.partition("Options:\n")[2]
    for entry in re.split(r"\n(?=  -)", options):
        assert re.search(r"\s{2,}\w.*\.", entry.strip(), re.DOTALL), entry


@pytest.mark.parametrize("name", [one for one in COMMANDS if one != "hook"])  # a hook refuses nothing
def test_an_unknown_option_is_a_usage_error(elsewhere: CommandLine, name: str) -> None:
    outcome = elsewhere(name, "--no-such-option")
    assert outcome.status == 2
    assert outcome.out == ""
    assert "--no-such-option" in outcome.err
    assert "Traceback" not in outcome.err


def test_help_lists_every_command_below_its_panel(elsewhere: CommandLine, narrow: None) -> None:
    text = elsewhere.ok("--help").out
    for entry in COMMANDS.values():
        assert re.search(rf"^{entry.panel}:\n(?:  .*\n)*  {re.escape(entry.name)} ", text, re.MULTILINE), entry.name
    assert "Exit status:" in text
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_at_all_shows_the_help(elsewhere: CommandLine) -> None:
    assert elsewhere.ok().out == elsewhere.ok("--help").out


def test_examples_keep_their_lines(elsewhere: CommandLine, narrow: None) -> None:
    lines = elsewhere.ok("learning:add", "--help").out.splitlines()
    assert '    tx learning:add "Compare tokens in constant time" --category security' in lines


def test_an_argument_has_no_braces_unless_it_is_a_choice(elsewhere: CommandLine) -> None:
    assert elsewhere.ok("graph:relate", "-h").out.startswith("Usage: tx graph:relate [OPTIONS] LEARNING OTHER\n")
    assert "{install|status|remove}" in elsewhere.ok("model", "-h").out


def test_an_unknown_command_suggests_the_nearest(elsewhere: CommandLine) -> None:
    outcome = elsewhere("learning:serch")
    assert outcome.status == 2
    assert outcome.err.splitlines()[:3] == [
        "tx: There is no command 'learning:serch'.",
        "Did you mean:",
        "  learning:search",
    ]


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [(["learning:show"], "LEARNING"), (["learning:search"], "QUERY"), (["graph:relate", "1"], "OTHER")],
)
def test_a_missing_argument_is_named(elsewhere: CommandLine, arguments: list[str], missing: str) -> None:
    outcome = elsewhere(*arguments)
    assert outcome.status == 2
    assert outcome.err == f"tx: Missing argument '{missing}'.\nSee 'tx {arguments[0]} --help'.\n"


def test_words_without_quotes_are_explained(elsewhere: CommandLine) -> None:
    outcome = elsewhere("learning:search", "validate", "tokens")
    assert outcome.status == 2
    assert "in quotes" in outcome.err


@pytest.mark.parametrize("arguments", [["-C"], ["--bad"], ["learning:show", "1", "--json=3"], ["config", "frobnicate"]])
def test_a_broken_command_line_is_a_usage_error(elsewhere: CommandLine, arguments: list[str]) -> None:
    outcome = elsewhere(*arguments)
    assert outcome.status == 2
    assert outcome.err.startswith("tx: ")


def test_a_wrong_choice_names_the_right_ones(elsewhere: CommandLine) -> None:
    outcome = elsewhere("learning:add", "text", "--status", "wip")
    assert outcome.status == 2
    assert all(status.value in outcome.err for status in Status)


def test_version_is_one_line(elsewhere: CommandLine) -> None:
    assert re.fullmatch(r"tx \d+\.\d+\.\d+\S*\n", elsewhere.ok("--version").out)
