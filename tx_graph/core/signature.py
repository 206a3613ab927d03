"""Reads a use case's signature for the faces."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from tx_graph.core.arguments import Arg, Ref
from tx_graph.core.kernel import Kernel

UseCase = Callable[..., Any]
REQUIRED = inspect.Parameter.empty


class Parameter(NamedTuple):
    """One parameter of a use case.

    `kind` is what one value of it is: bool, int, float, a StrEnum, or str for all that is given as text, which
    `is_ref` where it names a node. `arg` is what
    faces are told of it, None where they do not have it.
    """

    name: str
    kind: type
    arg: Arg | None
    default: Any = REQUIRED
    is_many: bool = False
    is_ref: bool = False
    is_optional: bool = False
    is_keyword: bool = False

    @property
    def choices(self) -> type[StrEnum] | None:
        """What may be chosen from, None where that is no matter of choice."""
        return self.kind if issubclass(self.kind, StrEnum) else None


class Found(NamedTuple):
    """A use case by its name: the class that has it, None for a function that takes the kernel."""

    owner: type | None
    function: UseCase

    def call(self, kernel: Kernel, given: dict[str, Any]) -> Any:  # noqa: ANN401 - whatever it returns
        """Return what the use case returns."""
        return self.function(kernel.one(self.owner) if self.owner else kernel, **given)


def find(place: str) -> Found:
    """Return the use case at `module:Class.method` or `module:function` below this package, imported now."""
    module, _, name = place.partition(":")
    owner, _, method = name.rpartition(".")
    holder = import_module(f"tx_graph.{module}")
    kind = getattr(holder, owner) if owner else None
    return Found(kind, getattr(kind or holder, method))


@cache
def parameters_of(use_case: UseCase) -> tuple[Parameter, ...]:
    """Return the parameters of a use case after the first, which is what it is called on."""
    hints = get_type_hints(use_case, include_extras=True)
    _, *parameters = inspect.signature(use_case).parameters.values()
    return tuple(_parameter(one, hints[one.name]) for one in parameters)


def _parameter(one: inspect.Parameter, hint: Any) -> Parameter:  # noqa: ANN401 - any annotation
    arg = None
    if get_origin(hint) is Annotated:
        hint, *told = get_args(hint)
        arg = next((this for this in told if isinstance(this, Arg)), None)
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    present = [member for member in members if member is not NoneType]
    is_many = len(present) == 1 and get_origin(present[0]) in (Sequence, tuple, list)
    is_plain = (
        len(present) == 1 and isinstance(present[0], type) and issubclass(present[0], bool | int | float | StrEnum)
    )
    return Parameter(
        name=one.name,
        kind=present[0] if is_plain else str,
        arg=arg,
        default=one.default,
        is_many=is_many,
        is_ref=set(get_args(Ref)) <= set(members),
        is_optional=NoneType in members,
        is_keyword=one.kind is inspect.Parameter.KEYWORD_ONLY,
    )
