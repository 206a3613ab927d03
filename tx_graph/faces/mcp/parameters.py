"""What a tool takes: declared once, told to clients as JSON Schema, and checked with sentences of our own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from tx_graph.core.errors import UsageError

Given = Mapping[str, Any]
"""Checked arguments by the names of their parameters; what was not given, or given as null, is not in it."""
Schema = dict[str, Any]

LONGEST = 10_000
"""Characters of any text but a learning's content: a question, a path, a name."""
_MOST_NAMES = 1_000
_SHOWN = 40
"""Characters of a wrong name or value that an error repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a parameter holds: its JSON Schema, and what makes the value of what a client sent.

    `read` is given the value and the parameter's name, and raises UsageError.
    """

    schema: Schema
    read: Callable[[Any, str], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter. `also` are other names by which it is understood, and which the schema does not tell.

    `is_noting`: it has something written down, so whoever may only read does not have it.
    """

    name: str
    kind: Kind
    description: str = ""
    is_required: bool = False
    also: tuple[str, ...] = ()
    is_noting: bool = False

    @property
    def schema(self) -> Schema:
        """The parameter as JSON Schema."""
        return self.kind.schema | ({"description": self.description} if self.description else {})


def schema_of(parameters: Sequence[Parameter]) -> Schema:
    """Return the JSON Schema of an object with these parameters; others are refused by `checked`, in words."""
    required = [one.name for one in parameters if one.is_required]
    properties = {one.name: one.schema for one in parameters}
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})


def checked(parameters: Sequence[Parameter], arguments: Mapping[str, Any], *, of: str) -> Given:
    """Return the arguments of a call of the tool `of` as its use case takes them."""
    names = {name: one for one in parameters for name in (one.name, *one.also)}
    given: dict[str, Any] = {}
    for name, value in arguments.items():
        if (parameter := names.get(name)) is None:
            raise _unknown(name, parameters, of=of)
        if value is None:
            continue
        if parameter.name in given:
            raise UsageError(f"The parameter '{parameter.name}' is given twice, once as '{name}'.")
        given[parameter.name] = parameter.kind.read(value, name)
    if missing := next((one.name for one in parameters if one.is_required and one.name not in given), None):
        raise UsageError(f"Missing parameter '{missing}'.", hint=_those_of(parameters, of))
    return given


def _unknown(name: str, parameters: Sequence[Parameter], *, of: str) -> UsageError:
    near = get_close_matches(name[:_SHOWN], [one.name for one in parameters], cutoff=0.5)
    return UsageError(f"{of} has no parameter '{_brief(name)}'.", hint=_those_of(parameters, of), candidates=near)


def _those_of(parameters: Sequence[Parameter], tool: str) -> str:
    return f"{tool} takes {', '.join(one.name for one in parameters)}."


def text(*, longest: int = LONGEST) -> Kind:
    """Return the kind that holds a text."""
    return Kind(schema={"type": "string"}, read=lambda value, name: _text(value, name, longest=longest))


def reference() -> Kind:
    """Return the kind that names a node. A number is one, too, though clients are told of texts alone."""
    return Kind(schema={"type": "string"}, read=_reference)


def number_or_text() -> Kind:
    """Return the same where clients are told of numbers: PRD-014 has them."""
    return Kind(schema={"anyOf": [{"type": "number"}, {"type": "string"}]}, read=_reference)


def names() -> Kind:
    """Return the kind that holds a list of texts; one text alone may have several, with commas between them."""
    return Kind(schema={"type": "array", "items": {"type": "string"}}, read=_names)


def flag() -> Kind:
    """Return the kind that is true or false."""
    return Kind(schema={"type": "boolean"}, read=_flag)


def fraction() -> Kind:
    """Return the kind that holds a number; its range is for the use case to check."""
    return Kind(schema={"type": "number"}, read=_number)


def whole(*, least: int, most: int) -> Kind:
    """Return the kind that holds a whole number of this range."""

    def read(value: object, name: str) -> int:
        number = _number(value, name)
        if not number.is_integer():
            raise UsageError(f"The parameter '{name}' must be a whole number, not {number:g}.")
        if not least <= number <= most:
            raise UsageError(f"The parameter '{name}' must be from {least:,} to {most:,}, not {number:,.0f}.")
        return int(number)

    return Kind(schema={"type": "integer"}, read=read)


def choice(values: type[StrEnum]) -> Kind:
    """Return the kind that holds one of these values."""
    known = {member.value: member for member in values}

    def read(value: object, name: str) -> StrEnum:
        said = _text(value, name, longest=LONGEST)
        if said not in known:
            near = get_close_matches(said[:_SHOWN], known, cutoff=0.5)
            hint = f"Choose from {', '.join(known)}."
            raise UsageError(f"The parameter '{name}' cannot be '{_brief(said)}'.", hint=hint, candidates=near)
        return known[said]

    return Kind(schema={"type": "string", "enum": list(known)}, read=read)


def _text(value: object, name: str, *, longest: int) -> str:
    if not isinstance(value, str):
        raise _wrong(value, name, "a text")
    if len(value) > longest:
        raise UsageError(f"The parameter '{name}' has {len(value):,} characters; it holds at most {longest:,}.")
    if "\0" in value:
        raise UsageError(f"The parameter '{name}' has a NUL byte, which no name or text here has.")
    return value


def _reference(value: object, name: str) -> str:
    if isinstance(value, str):
        return _text(value, name, longest=LONGEST)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(value, name, "a text or a number")
    number = _number(value, name)
    if not number.is_integer() or number < 0:
        raise UsageError(f"The parameter '{name}' must be a whole number or a text, not {number:g}.")
    return str(int(value))


def _names(value: object, name: str) -> tuple[str, ...]:
    if isinstance(value, str):
        whole_text = _text(value, name, longest=LONGEST)
        return tuple(part.strip() for part in whole_text.split(",") if part.strip())
    if not isinstance(value, list):
        raise _wrong(value, name, "a list of texts")
    if len(value) > _MOST_NAMES:
        raise UsageError(f"The parameter '{name}' has {len(value):,} members; it holds at most {_MOST_NAMES:,}.")
    return tuple(_reference(one, name) for one in value)


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(value, name, "true or false")
    return value


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


_WORDS = {bool: "true or false", int: "a number", float: "a number", str: "a text", list: "a list", dict: "an object"}


def _wrong(value: object, name: str, wanted: str) -> UsageError:
    return UsageError(f"The parameter '{name}' must be {wanted}, not {_WORDS.get(type(value), 'that')}.")


def _brief(value: str) -> str:
    return value if len(value) <= _SHOWN else f"{value[: _SHOWN - 1]}…"
