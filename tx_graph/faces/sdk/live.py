"""Use cases as programs have them: each call has the workspace for itself, as it is on disk at that moment."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any, TypeVar, cast

from tx_graph.core.arguments import UseCase, parameters_of
from tx_graph.faces.sdk.values import chosen, several
from tx_graph.workspace.lasting import LastingWorkspace

T = TypeVar("T")


class Namespace:
    """Use cases that look at the workspace themselves."""

    def __init__(self, lasting: LastingWorkspace) -> None:
        self._lasting = lasting


def live(lasting: LastingWorkspace, kind: Callable[..., T]) -> T:
    """Return what has the methods of `kind`, each of which is called on that of the workspace as it is then.

    A class may bring the use cases of several rooms together: each method is called on the class that has it.
    """
    return cast(T, _Live(lasting, kind))


class _Live:
    """Looks at the workspace before each call, and takes what is given as it was meant."""

    def __init__(self, lasting: LastingWorkspace, kind: Any) -> None:  # noqa: ANN401 - any class of use cases
        self._lasting = lasting
        self._kind = kind

    def __getattr__(self, name: str) -> UseCase:
        owner = next((one for one in self._kind.__mro__ if name in vars(one)), self._kind)
        if issubclass(owner, Namespace):
            made = object.__new__(owner)
            Namespace.__init__(made, self._lasting)  # its other bases are made of the kernel
            found: UseCase = getattr(made, name)
            return found
        method: UseCase = getattr(owner, name)

        @wraps(method)
        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method says
            bound = inspect.signature(method).bind(None, *given, **named)
            values = bound.arguments
            for one in parameters_of(method):
                if one.name in values and one.choices:
                    values[one.name] = chosen(one.choices, values[one.name])
                elif one.name in values and one.is_many:
                    values[one.name] = several(values[one.name])
                    if issubclass(one.kind, StrEnum):
                        values[one.name] = tuple(chosen(one.kind, value) for value in values[one.name])
            with self._lasting.kernel() as kernel:
                _, *own = bound.args
                return method(kernel.one(owner), *own, **bound.kwargs)

        return call
