"""What a command takes, read from the command itself, so that completion never lags behind it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Parameter(NamedTuple):
    """One option (it has `names`) or one argument (it has none).

    `choices` are the only values it takes, empty when it takes any.
    """

    names: tuple[str, ...]
    metavar: str
    choices: tuple[str, ...]
    help: str
    takes_value: bool = True
    repeatable: bool = False


class Reading(NamedTuple):
    """How far the words before the cursor got.

    `pending` is the option that waits for its value, `arguments` counts those given, `is_literal` says
    that `--` came and nothing is an option any more.
    """

    pending: Parameter | None
    used: tuple[Parameter, ...]
    arguments: int
    is_literal: bool


HELP = Parameter(names=("-h", "--help"), metavar="", choices=(), help="Show the help and exit.", takes_value=False)


def root_options() -> list[Parameter]:
    """Return the options that stand before the command."""
    import typer.main

    from tx_graph.cli.app import app

    return _parameters(typer.main.get_command(app))


def parameters_of(name: str) -> list[Parameter]:
    """Return the options and arguments of a command."""
    from tx_graph.cli.app import LazyGroup

    return _parameters(LazyGroup().get_command(None, name))


def _parameters(command: Any) -> list[Parameter]:  # noqa: ANN401 - Typer keeps its click to itself
    return [*(_parameter(one) for one in command.params if not getattr(one, "hidden", False)), HELP]


def _parameter(one: Any) -> Parameter:  # noqa: ANN401 - the same
    is_option = one.param_type_name == "option"
    return Parameter(
        names=(*one.opts, *one.secondary_opts) if is_option else (),
        metavar=one.metavar or "",
        choices=tuple(str(choice) for choice in getattr(one.type, "choices", ())),
        help=one.help or "",
        takes_value=not getattr(one, "is_flag", False),
        repeatable=bool(getattr(one, "multiple", False)) or one.nargs == -1,
    )


def read(parameters: Iterable[Parameter], words: Sequence[str]) -> Reading:
    """Return what the words before the cursor, after the command, have settled."""
    options = {name: option for option in parameters for name in option.names}
    pending: Parameter | None = None
    used: list[Parameter] = []
    arguments, is_literal = 0, False
    for word in words:
        if pending:
            pending = None
        elif is_literal or word == "-" or not word.startswith("-"):
            arguments += 1
        elif word == "--":
            is_literal = True
        elif option := options.get(_name(word)):
            used.append(option)
            pending = option if option.takes_value and word in options else None
    return Reading(pending, tuple(used), arguments, is_literal)


def _name(word: str) -> str:
    """Return the option in `--option=value` or `-n5`."""
    return word.partition("=")[0] if word.startswith("--") else word[:2]
