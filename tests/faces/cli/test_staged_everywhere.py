"""Nothing staged reaches anybody unmarked: every command that answers leaves it out, or says that it is staged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.answers import ACTIVE, ANSWERS, OTHERS, STAGED
from tests.faces.cli.terminal import CommandLine, Program
from tx_graph.faces.cli.completion.known import learnings
from tx_graph.faces.operations import COMMANDS

MARKER = "zebrafish"
"""A word that only the staged learning has."""
REF = f"learning:{STAGED}"

_STEPS = [
    ["task:add", "Mend the tokens"],
    ["run:start", "--task", "1"],
    ["learning:add", "Tokens expire after an hour", "--anchor", "src/auth.py::login", "--run", "1"],
    ["learning:add", f"The {MARKER} tokens never expire", "--anchor", "src/auth.py", "--run", "1", "--category", "zoo"],
    ["graph:relate", ACTIVE, STAGED],
    ["graph:relate", STAGED, ACTIVE],
    ["run:feedback", "1", "--helpful", f"{ACTIVE},{STAGED}"],
    ["graph:invalidate", STAGED, "--reason", "wrong"],
    ["graph:restore", STAGED],
    ["learning:edit", STAGED, "--status", "staged"],
    ["index"],
    ["doc:ingest"],
]
"""Commands that tie a staged learning to everything there is."""


@pytest.fixture(scope="module")
def filled(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a workspace with a staged learning, made once."""
    root = tmp_path_factory.mktemp("filled") / "project"
    shutil.copytree(template, root)
    (root / "README.md").write_text("# Project\n\nTokens expire, see `src/auth.py`.\n", encoding="utf-8")
    tx = Program(root)
    for step in _STEPS:
        assert tx(*step).status == 0, step
    return root


@pytest.fixture
def full(tx: CommandLine, home: Path, filled: Path) -> CommandLine:
    """The command line in a copy of that workspace."""
    shutil.copytree(filled, home, dirs_exist_ok=True)
    return tx


def test_every_command_is_either_looked_at_or_reads_nothing_out() -> None:
    asked = {command for command, *_ in ANSWERS}
    assert COMMANDS.keys() - asked - OTHERS == set()
    assert asked & OTHERS == set()


@pytest.mark.parametrize("command", [pytest.param(one, id=" ".join(one)) for one in ANSWERS if one[0] in COMMANDS])
def test_what_is_shown_of_a_staged_learning_is_marked(full: CommandLine, command: list[str]) -> None:
    outcome = full(*command)
    assert outcome.status in (0, 1, 3), outcome.err
    told = _without_the_question(outcome.out, command)
    if MARKER in told or REF in told:
        assert "staged" in told
    printed = full(*command, "--json")
    if printed.status in (0, 1):
        document = _documents(printed.out)
        assert list(_unmarked(document, is_named=_is_marked(document))) == []


@pytest.mark.parametrize("command", [["learning:show", "99"], ["learning:show", "zzzzzzzz"], ["graph:neighbors", "99"]])
def test_what_is_suggested_instead_is_marked(full: CommandLine, command: list[str]) -> None:
    outcome = full(*command)
    assert outcome.status == 3
    assert f"staged: The {MARKER}" in outcome.err


def test_what_a_shell_completes_is_marked(full: CommandLine, home: Path) -> None:
    assert [text for _, _, text in learnings(home) if MARKER in text] == [f"staged: The {MARKER} tokens never expire"]


def _without_the_question(text: str, command: list[str]) -> str:
    """Return what was printed without the words that were typed."""
    for word in " ".join(command[1:]).split():
        text = text.replace(word, "") if len(word) > 1 and word not in (MARKER, "staged") else text
    return text.replace("zebrafish tokens", "")


def _documents(text: str) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return what was printed: one document, or one on each line."""
    try:
        return json.loads(text or "null")
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def _is_staged(value: dict[str, Any]) -> bool:
    return "staged" in (value.get("status"), value.get("state")) or value.get("staged") is True


def _is_marked(value: Any) -> bool:  # noqa: ANN401
    """Whether a document says somewhere that the staged learning is one: then it may refer to it."""
    if isinstance(value, dict):
        is_it = REF in (value.get("ref"), value.get("learning")) or str(value.get("id")) == STAGED
        return (is_it and _is_staged(value)) or any(map(_is_marked, value.values()))
    return any(map(_is_marked, value)) if isinstance(value, list) else False


def _unmarked(value: Any, *, is_named: bool, inside: bool = False) -> Iterator[object]:  # noqa: ANN401
    """Yield what tells of the staged learning where nothing around it says that it is staged."""
    if isinstance(value, dict):
        inside = inside or _is_staged(value) or (is_named and value.get("ref") == REF)
        for name, one in value.items():
            if name not in ("query", "question", "task"):
                yield from _unmarked(one, is_named=is_named, inside=inside)
    elif isinstance(value, list):
        for one in value:
            yield from _unmarked(one, is_named=is_named, inside=inside)
    elif isinstance(value, str) and not inside and (MARKER in value or (value == REF and not is_named)):
        yield value
