"""A tool: a use case and the reply on its result. Its schema, and the checks of what clients send, are derived."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from tx_graph.core.arguments import REQUIRED, Arg, parameters_of
from tx_graph.core.arguments import Parameter as Declared
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import find
from tx_graph.faces.mcp.call import Call
from tx_graph.faces.mcp.replies import LEAST_BUDGET, MOST_BUDGET, Draft, Reply
from tx_graph.faces.operations import COMMANDS, Operation
from tx_graph.workspace.updating import Updating

Given = dict[str, Any]
"""Checked arguments by the names of the tool's parameters; what was not given, or given as null, is not in it."""
Schema = dict[str, Any]

LONGEST = 10_000
"""Characters of any text but a learning's content: a question, a path, a name."""
MOST_RESULTS = 100
"""Of any list. A reply has no room for more, and who wants them all has the command line."""
_MOST_NAMES = 1_000
_SHOWN = 40  # characters of a wrong name or value that an error repeats
_WORDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}


class Parameter(NamedTuple):
    """What a tool takes: a parameter of its use case, by the name that clients know.

    `also` are other names by which it is understood, and which the schema does not tell. `is_noting`: it has something
    written down, so whoever may only read does not have it.
    """

    name: str
    declared: Declared
    also: tuple[str, ...] = ()
    is_noting: bool = False

    @property
    def schema(self) -> Schema:
        """The parameter as JSON Schema. References are told as texts; what clients know as an id may be a number."""
        one = self.declared
        told: Schema = {"type": {bool: "boolean", int: "integer", float: "number"}.get(one.kind, "string")}
        if one.is_many:
            told = {"type": "array", "items": {"type": "string"}}
        elif one.choices:
            told["enum"] = [choice.value for choice in one.choices]
        elif self.name.lower().endswith("id"):
            told = {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return told | ({"description": one.arg.mcp} if one.arg and one.arg.mcp else {})

    def read(self, value: object, name: str) -> Any:  # noqa: ANN401 - as the use case takes it
        """Return what was sent by some name of the parameter, checked; the range of fractions is the use case's."""
        one, arg = self.declared, self.declared.arg or Arg()
        if one.is_many:
            return _names(value, name)
        if one.choices:
            known, said = {choice.value: choice for choice in one.choices}, _text(value, name)
            if said not in known:
                near = get_close_matches(said[:_SHOWN], known, cutoff=0.5)
                hint = f"Choose from {', '.join(known)}."
                raise UsageError(f"The parameter '{name}' cannot be '{_brief(said)}'.", hint=hint, candidates=near)
            return known[said]
        if one.kind is bool:
            if not isinstance(value, bool):
                raise _wrong(value, name, "true or false")
            return value
        if one.kind is float:
            return _number(value, name)
        if one.kind is int:
            number = _number(value, name)
            least, most = int(arg.least or 0), MOST_RESULTS if one.name == "limit" else int(arg.most or 1_000_000)
            if not number.is_integer():
                raise UsageError(f"The parameter '{name}' must be a whole number, not {number:g}.")
            if not least <= number <= most:
                raise UsageError(f"The parameter '{name}' must be from {least:,} to {most:,}, not {number:,.0f}.")
            return int(number)
        return _reference(value, name) if one.is_ref else _text(value, name, longest=int(arg.most or LONGEST))


_BUDGET = Arg(mcp="", least=LEAST_BUDGET, most=MOST_BUDGET)
BUDGET = Parameter("budget", Declared(name="budget", kind=int, arg=_BUDGET, default=None))
"""Every tool takes it; the instructions say what it is, once for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. `is_reading`: it changes nothing that anybody curates; `is_destructive`: it overwrites or withholds.

    `gives` names the lists in its structure, whose schema is told where the structure is sent: that of `operation`.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    run: Callable[[Call, Given], Reply]
    is_reading: bool = True
    is_destructive: bool = False
    gives: tuple[str, ...] = ()
    operation: Operation | None = None

    @property
    def schema(self) -> Schema:
        """The JSON Schema of what it takes; other parameters are refused by `checked`, in words."""
        properties = {one.name: one.schema for one in (*self.parameters, BUDGET)}
        required = [one.name for one in self.parameters if one.declared.default is REQUIRED]
        return {"type": "object", "properties": properties} | ({"required": required} if required else {})

    @property
    def output(self) -> Schema:
        """The JSON Schema of the structure."""
        from tx_graph.faces.schemas import lists_of

        lists: Schema = {name: {"type": "array", "items": {"type": "object"}} for name in self.gives}
        lists |= lists_of(self.operation, set(self.gives)) if self.operation else {}
        notices = {"type": "array", "items": {"type": "string"}}
        return {"type": "object", "properties": {**lists, "notices": notices}}

    def checked(self, arguments: Mapping[str, Any]) -> Given:
        """Return the arguments of a call, checked."""
        parameters = (*self.parameters, BUDGET)
        hint = f"{self.name} takes {', '.join(one.name for one in parameters)}."
        known = {name: one for one in parameters for name in (one.name, *one.also)}
        given: Given = {}
        for name, value in arguments.items():
            if (parameter := known.get(name)) is None:
                near = get_close_matches(name[:_SHOWN], [one.name for one in parameters], cutoff=0.5)
                raise UsageError(f"{self.name} has no parameter '{_brief(name)}'.", hint=hint, candidates=near)
            if value is None:
                continue
            if parameter.name in given:
                raise UsageError(f"The parameter '{parameter.name}' is given twice, once as '{name}'.")
            given[parameter.name] = parameter.read(value, name)
        for one in self.parameters:
            if one.declared.default is REQUIRED and one.name not in given:
                raise UsageError(f"Missing parameter '{one.name}'.", hint=hint)
        return given

    def for_readers(self) -> Tool:
        """Return the tool without what would have something written down."""
        return replace(self, parameters=tuple(one for one in self.parameters if not one.is_noting))


def tool(
    operation: str,
    *,
    is_reading: bool = True,
    is_destructive: bool = False,
    gives: str = "",
    takes: str = "",
    also: Mapping[str, str] | None = None,
    noting: str = "",
    update: str = "history",
    adding: Callable[[Call, Given], Given] | None = None,
) -> Callable[[Callable[[Call, Any], Reply | Draft]], Tool]:
    """Make a tool of an operation and the function that replies on its result, whose docstring is told to clients.

    What is no operation is named as a use case: `module:function`; `update` is what it wants taken in before it reads.

    It takes the parameters whose `Arg` has `mcp`, or those that `takes` names, in this order; clients know
    `learningId=learning` by the first name. `also` are other names of parameters, which the schema does not tell, and
    `noting` is what has something written down. `adding` is given the call and the arguments of the use case and
    returns those that no client gives.
    """
    known = COMMANDS.get(operation)
    found = find(known.use_case if isinstance(known, Operation) else operation)
    wanted = known.update if isinstance(known, Operation) else update if is_reading else ""
    declared = {one.name: one for one in parameters_of(found.function)}
    names = takes.split() or [one.name for one in declared.values() if one.arg and one.arg.mcp is not None]
    own = {told: inner or told for told, _, inner in (one.partition("=") for one in names)}

    def made(reply: Callable[[Call, Any], Reply | Draft]) -> Tool:
        def run(call: Call, given: Given) -> Reply:
            values = {own[name]: value for name, value in given.items() if name in own}
            if "progress" in declared:
                values["progress"] = call.progress
            if not call.is_read_only:
                call.kernel.one(Updating).run(wanted, values)
            result = found.bound(call.kernel, values | (adding(call, values) if adding else {}))()
            told = reply(call, result)
            return call.packed(told) if isinstance(told, Draft) else told

        return Tool(
            name=reply.__name__,
            description=" ".join((reply.__doc__ or "").split()),
            parameters=tuple(
                Parameter(told, declared[inner], tuple((also or {}).get(told, "").split()), told == noting)
                for told, inner in own.items()
            ),
            run=run,
            is_reading=is_reading,
            is_destructive=is_destructive,
            gives=tuple(gives.split()),
            operation=known if isinstance(known, Operation) else None,
        )

    return made


def _text(value: object, name: str, *, longest: int = LONGEST) -> str:
    if not isinstance(value, str):
        raise _wrong(value, name, "a text")
    if len(value) > longest:
        raise UsageError(f"The parameter '{name}' has {len(value):,} characters; it holds at most {longest:,}.")
    if "\0" in value:
        raise UsageError(f"The parameter '{name}' has a NUL byte, which no name or text here has.")
    return value


def _reference(value: object, name: str) -> str:
    """Return what names a node. A number is one, too, though most clients are told of texts alone."""
    if isinstance(value, str):
        return _text(value, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(value, name, "a text or a number")
    number = _number(value, name)
    if not number.is_integer() or number < 0:
        raise UsageError(f"The parameter '{name}' must be a whole number or a text, not {number:g}.")
    return str(int(value))


def _names(value: object, name: str) -> tuple[str, ...]:
    """Return a list of texts; one text alone may have several, with commas between them."""
    if isinstance(value, str):
        return tuple(part.strip() for part in _text(value, name).split(",") if part.strip())
    if not isinstance(value, list):
        raise _wrong(value, name, "a list of texts")
    if len(value) > _MOST_NAMES:
        raise UsageError(f"The parameter '{name}' has {len(value):,} members; it holds at most {_MOST_NAMES:,}.")
    return tuple(_reference(one, name) for one in value)


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(value, name, "a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise UsageError(f"The parameter '{name}' must be a finite number.")
    return number


def _wrong(value: object, name: str, wanted: str) -> UsageError:
    return UsageError(f"The parameter '{name}' must be {wanted}, not {_WORDS.get(type(value), 'that')}.")


def _brief(value: str) -> str:
    return value if len(value) <= _SHOWN else f"{value[: _SHOWN - 1]}…"
