"""What is read without Typer is what Typer reads."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
import typer
import typer.main
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.faces.cli.command import runner_of
from tx_graph.faces.cli.options import _flags, _given, answered, command_of
from tx_graph.faces.operations import COMMANDS, Operation

OPERATIONS = [one for one in COMMANDS.values() if isinstance(one, Operation)]
VALUES = ["3", "3", "3", "a", "a b", "a,b", "1.5", "", "-", "-1", "=", "none", "src/a.py"]


def read_by_typer(operation: Operation, words: list[str]) -> dict[str, Any]:
    seen: list[dict[str, Any]] = []
    function = command_of(operation)

    def note(**given: Any) -> None:  # noqa: ANN401 - what the signature says
        seen.append(given)

    note.__signature__ = function.__signature__  # type: ignore[attr-defined]
    note.__annotations__ = function.__annotations__
    single = typer.Typer(add_completion=False)
    single.command()(note)
    typer.main.get_command(single)(args=words, standalone_mode=False)
    return seen[0]


@st.composite
def lines(draw: st.DrawFn) -> tuple[Operation, list[str]]:
    operation = draw(st.sampled_from(OPERATIONS))
    parameters = runner_of(operation).parameters
    flags = [flag for one in parameters for both in _flags(one) for flag in both.split("/")]
    flag = st.sampled_from(
        [*flags, "--json", "--json", "--fields", "--tsv", "--tree", "--format", "--help", "--no-such", "--"]
    )
    value = st.sampled_from(
        VALUES + [*operation.places] + [member.value for one in parameters for member in one.choices or ()]
    )
    word = (
        st.tuples(flag)
        | st.tuples(value)
        | st.tuples(flag, value)
        | st.builds("{}={}".format, flag, value).map(lambda both: (both,))
    )
    return operation, [one for words in draw(st.lists(word, max_size=3)) for one in words]


@given(line=lines())
def test_what_is_plain_is_read_as_typer_reads_it(line: tuple[Operation, list[str]]) -> None:
    operation, words = line
    read = _given(operation, runner_of(operation).parameters, words)
    if read is not None:
        assert read == read_by_typer(operation, words)


@pytest.mark.parametrize(
    "words",
    [
        ["no-such"],
        ["mcp"],
        ["context", "--help"],
        ["task:add", "a", "b", "--force=1"],
        ["status", "-h"],
    ],
    ids=" ".join,
)
def test_what_is_not_plain_is_left_to_typer(words: list[str]) -> None:
    with suppress(SystemExit):
        assert answered(words) is None
