"""Reads the options of an operation, as its use case's signature has them.

Typer does it, but takes 40 ms to load. So what is plain is read here: known options, each with its value, and no more
words than there are arguments. Whatever else stands there, such as a mistake or `--help`, is left to Typer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from inspect import Parameter as Named
from inspect import Signature, getdoc, signature
from typing import Annotated, Any

from tx_graph.core.arguments import REQUIRED, Parameter, Reads, choices
from tx_graph.faces.cli.command import runner_of
from tx_graph.faces.operations import COMMANDS, Operation

_FOR_PYTHON = re.compile(r"\n\n(Args|Returns|Yields|Raises|Examples):\n.*", re.DOTALL)
"""The parts of a docstring that are not about the command line; `Example:` is."""
_ASKING = {"agree", "ask", "editor"}
"""Parameters of use cases that talk with people, by means of Typer."""


def answered(words: Sequence[str]) -> int | None:
    """Run the command that stands there, and return its status; None where Typer is to read it."""
    operation = COMMANDS.get(words[0])
    if not isinstance(operation, Operation):
        return None
    runner = runner_of(operation)
    given = _given(operation, runner.parameters, words[1:])
    if given is None or _ASKING & set(signature(runner.use_case).parameters):
        return None
    runner.run(**given)
    return 0


def _given(operation: Operation, parameters: Sequence[Parameter], words: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of all parameters, None where that is not plain."""
    options = {flag: one for one in parameters for both in _flags(one) for flag in both.split("/")}
    negations = {flag.partition("/")[2] for one in parameters for flag in _flags(one)}
    places = [one for one in parameters if not _flags(one)]
    given: dict[str, Any] = {one.name: _unsaid(one) for one in parameters} | {"as_json": False, "fields": None}
    given |= {name: False for name, is_there in (("as_tsv", operation.tsv), ("as_tree", operation.tree)) if is_there}
    given |= {"form": None} if operation.forms else {}
    said: dict[str, list[str]] = {}
    plain: list[str] = []
    rest = list(words)
    while rest:
        flag, equals, value = rest.pop(0).partition("=")
        if not flag.startswith("-") or flag + equals == "-":
            plain.append(flag + equals + value)
        elif not equals and (switch := f"as_{flag[2:]}") in given and flag in ("--json", "--tsv", "--tree"):
            given[switch] = True
        elif flag == "--format" and operation.forms and (equals or rest):
            given["form"] = value if equals else rest.pop(0)
        elif flag == "--fields" and (equals or (rest and not rest[0].startswith("-"))):
            given["fields"] = value if equals else rest.pop(0)
        elif (one := options.get(flag)) is None or (equals and not flag.startswith("--")):
            return None
        elif one.kind is bool:
            if equals:
                return None
            given[one.name] = flag not in negations
        else:
            if not equals and (not rest or rest[0].startswith("-")):
                return None
            said.setdefault(one.name, []).append(value if equals else rest.pop(0))
    for place, one in enumerate(places):
        if one.is_many and place + 1 < len(places):
            return None
        own, plain = (plain, []) if one.is_many else (plain[:1], plain[1:])
        said |= {one.name: own} if own else {}
    try:
        for one in parameters:
            if one.name in said:
                given[one.name] = _read(one, said[one.name])
    except ValueError:
        return None
    if plain or REQUIRED in given.values() or given.get("form") not in (None, *_forms(operation)):
        return None
    return given


def _forms(operation: Operation) -> list[str]:
    """Return the words of --format."""
    return ["text", "json", *operation.places]


def _flags(one: Parameter) -> Sequence[str]:
    """Return the names of an option, none for an argument."""
    flag = one.arg.flag if one.arg else ""
    return flag.split() or ([f"--{one.name.replace('_', '-')}"] if one.is_keyword else [])


def _unsaid(one: Parameter) -> Any:  # noqa: ANN401 - any value
    """Return the value of a parameter of which nothing is said."""
    arg, default = one.arg, one.default
    assert arg is not None  # noqa: S101 - others are no options
    if one.choices and arg.none and default is None:
        return arg.none
    if one.is_many:
        return REQUIRED if arg.least else default or None
    is_from_stdin = arg.reads is Reads.STDIN and not _flags(one)  # what is missing is read from stdin
    return None if is_from_stdin else default


def _read(one: Parameter, words: Sequence[str]) -> Any:  # noqa: ANN401 - any value
    """Return what is said of a parameter; ValueError where Typer has something to say of that."""
    arg = one.arg
    assert arg is not None  # noqa: S101 - others are no options
    if one.is_many:
        return list(words) if arg.is_split else [one.kind(word) for word in words]
    (word,) = words
    return word if one.choices and arg.none and word == arg.none else one.kind(word)


def command_of(operation: Operation) -> Callable[..., None]:
    """Return a function from which Typer makes the command."""
    import typer

    run, use_case, parameters = runner_of(operation)
    as_json = typer.Option("--json", help="Print one JSON document.")
    told = "Print tab-separated lines below one header line; odd names as git quotes them."
    switches = {"as_tsv": typer.Option("--tsv", help=told)} if operation.tsv else {}
    switches |= {"as_tree": typer.Option("--tree", help="Print it as a tree.")} if operation.tree else {}
    options = [
        *map(_option, parameters),
        *(
            Named(name, Named.KEYWORD_ONLY, default=False, annotation=Annotated[bool, face])
            for name, face in (switches | {"as_json": as_json}).items()
        ),
    ]
    told = "Print only these keys of it, such as results.node.ref."
    fields = typer.Option("--fields", metavar="KEY,…", show_default=False, help=told)
    options.append(Named("fields", Named.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, fields]))
    if operation.forms:
        forms: type[StrEnum] = StrEnum("Form", _forms(operation))  # type: ignore[misc]
        face = typer.Option("--format", metavar="FORM", help=f"How to print it: {choices(forms)}.")
        options.insert(-2, options[-1].replace(name="form", default=None, annotation=Annotated[forms | None, face]))
    run.__signature__ = Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in options}
    run.__doc__ = _FOR_PYTHON.sub("", getdoc(use_case) or "")
    return run


def _option(one: Parameter) -> Named:
    """Return a parameter as Typer has it."""
    import typer

    arg, default = one.arg, one.default
    kind: Any = one.kind
    assert arg is not None  # noqa: S101 - others are no options
    if one.choices and arg.none:
        kind = _with_none(one.choices, arg.none)
        default = kind(arg.none if default is None else default)
    told: dict[str, Any] = {"help": arg.help} | ({"metavar": arg.metavar} if arg.metavar else {})
    if one.is_many:
        kind = list[str] if arg.is_split else list[one.kind]  # type: ignore[name-defined] # what typer is to check
        default = REQUIRED if arg.least else default or None
    is_missing_allowed = default is None or (one.is_optional and default is not REQUIRED)
    if flags := _flags(one):
        face: Any = typer.Option(*flags, **told)
    else:
        face = typer.Argument(**told)
        if arg.reads is Reads.STDIN:  # what is missing is read from stdin
            default, is_missing_allowed = None, True
    hint: Any = kind | None if is_missing_allowed and default is None else kind
    return Named(one.name, Named.KEYWORD_ONLY, default=default, annotation=Annotated[hint, face])


def _with_none(choices: type[StrEnum], none: str) -> type[StrEnum]:
    """Return choices with a word for None among them."""
    made: type[StrEnum] = StrEnum(choices.__name__, [*((one.name, one.value) for one in choices), ("NONE", none)])  # type: ignore[misc]
    return made
