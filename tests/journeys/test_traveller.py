"""What checks the journeys can fail: it refuses whatever nothing has named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.journeys.traveller import Traveller, Unnamed

HELP = """\
Every day:
  init     Create it.
  add      Add a learning, tied to code if you like.

Groups, such as 'tx learning', which lists its commands:
  fact, entity           statements

Also: maintain index
  mcp hook
'tx help COMMAND' explains a command.
"""
HELP_ADD = """\
Usage: tx learning:add [OPTIONS] [TEXT]   Also: tx add.
  --anchor PATH[::SYMBOL]  Code it is about.
  --status NAME            Where it stands: staged or active.
"""
ADDED = "Added t000nfh9fnw6 (learning:1). Is it still true? 'tx graph:confirm LEARNING'."


@pytest.fixture
def user(tmp_path: Path) -> Traveller:
    (tmp_path / "a.py").touch()
    return Traveller(tmp_path, {"": tmp_path, "mcp": tmp_path})


@pytest.mark.parametrize(
    ("outputs", "line", "missing"),
    [
        ([], "tx", []),
        ([], "tx --help", []),
        ([], "tx init", ["init"]),
        ([], "tx help add", ["help", "add"]),
        ([HELP], "tx init", []),
        ([HELP], "tx entity", []),
        ([HELP], "tx hook", []),
        ([HELP], "tx help maintain", []),
        ([HELP], "tx help statements", ["statements"]),
        ([HELP], "tx such", ["such"]),
        ([HELP], "tx explains", ["explains"]),
        ([HELP], "tx learning:add", ["learning:add"]),
        ([HELP], "tx add 'Sums are exact'", []),
        ([HELP], "tx add 'Sums are exact' --anchor a.py::f", ["--anchor"]),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --anchor a.py::f", []),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --anchor=a.py", []),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --anchor b.py", ["b.py"]),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --status staged", []),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --status=stale", ["stale"]),
        ([HELP, HELP_ADD], "tx add 'Sums are exact' --anch a.py", ["--anch"]),
        ([HELP, HELP_ADD], "tx init --status 7", ["--status"]),
        ([HELP, ADDED], "tx graph:confirm t000nfh9fnw6", []),
        ([HELP, ADDED], "tx graph:confirm learning:1", []),
        ([HELP, ADDED], "tx graph:confirm learning:2", ["learning:2"]),
        ([HELP, ADDED], "tx graph:con", ["graph:con"]),
    ],
)
def test_only_what_was_named_can_be_typed(user: Traveller, outputs: list[str], line: str, missing: list[str]) -> None:
    user.outputs += outputs
    assert user.unnamed(line) == missing


def test_what_is_not_named_is_not_run(user: Traveller) -> None:
    with pytest.raises(Unnamed, match="nothing named init"):
        user.type("tx init")
    with pytest.raises(Unnamed):
        user.install("mcp")
    user.outputs.append("Run: pip install 'tx-graph[mcp]'")
    user.install("mcp")
