"""Use cases as programs have them: each call has the workspace for itself, as it is on disk at that moment."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast, overload

from tx_graph.core.arguments import UseCase, parameters_of
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.faces.operations import COMMANDS, Operation
from tx_graph.workspace.lasting import LastingWorkspace

T = TypeVar("T")
P = ParamSpec("P")
_Choice = TypeVar("_Choice", bound=StrEnum)


def live(lasting: LastingWorkspace, kind: Callable[..., T]) -> T:
    """Return what has the methods of `kind`, each of which is called on that of the workspace as it is then.

    A class may bring the use cases of several rooms together: each method is called on the class that has it.
    """
    return cast(T, _Live(lasting, kind))


class _Live:
    """Makes methods of use cases as they are asked for."""

    def __init__(self, lasting: LastingWorkspace, kind: Any) -> None:  # noqa: ANN401 - any class of use cases
        self._lasting = lasting
        self._kind = kind

    def __getattr__(self, name: str) -> UseCase:
        owner = next((one for one in self._kind.__mro__ if name in vars(one)), self._kind)
        method = getattr(owner, name)

        @wraps(method)
        def call(kernel: Kernel, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method says
            return method(kernel.one(owner), *given, **named)

        return use(self._lasting, call)


def use(lasting: LastingWorkspace, use_case: Callable[Concatenate[Kernel, P], T]) -> Callable[P, T]:
    """Return a use case that looks at the workspace before each call, and takes what is given as it was meant."""

    @wraps(use_case)
    def call(*given: P.args, **named: P.kwargs) -> T:
        bound = inspect.signature(use_case).bind(None, *given, **named)
        values = bound.arguments
        for one in parameters_of(inspect.unwrap(use_case)):
            if one.name not in values:
                continue
            if one.choices:
                values[one.name] = chosen(one.choices, values[one.name])
            elif one.is_many and values[one.name] is not None and not isinstance(values[one.name], Mapping):
                many = values[one.name]
                # A text alone is one thing, although Python takes it for a sequence of its letters.
                several: Iterable[Any] = (many,) if isinstance(many, str) else many
                kind = one.kind if issubclass(one.kind, StrEnum) else None
                values[one.name] = tuple(chosen(kind, this) if kind else this for this in several)
        with lasting.kernel() as kernel:
            bring_up_to_date(kernel, _operation_of(use_case))
            _, *own = bound.args
            return use_case(kernel, *own, **bound.kwargs)

    return call


_ALSO = {
    "faces.sdk.graph:Graph.traverse": "graph:neighbors",
    "faces.sdk.graph:Graph.get_edges": "graph:show",
    "faces.sdk.more:Learnings.search": "learning:search",
    "code.import_graph:ImportGraph.imports": "graph:imports",
    "code.import_graph:ImportGraph.cycles": "graph:cycles",
    "code.import_graph:ImportGraph.importers": "graph:imports",
    "code.import_graph:ImportGraph.all_imports": "graph:imports",
    "code.import_graph:ImportGraph.unresolved_imports": "graph:imports",
    "code.symbol_index:SymbolIndex.symbols": "graph:symbols",
    "code.symbol_index:SymbolIndex.find_symbol": "graph:symbols",
    "context.partners:CoChanges.all_cochanges": "graph:cochanges",
    "context.partners:CoChanges.cochanges": "graph:cochanges",
    "context.partners:CoChanges.check_changes": "graph:check-changes",
}
"""Methods of programs that read what an operation reads, by its name."""


@cache
def _operation_of(use_case: Callable[..., Any]) -> str:
    """Return the name of the operation that has this use case, or reads what it reads; empty where there is none."""
    function = inspect.unwrap(use_case)
    place = f"{function.__module__.removeprefix('tx_graph.')}:{function.__qualname__}"
    named = (name for name, one in COMMANDS.items() if isinstance(one, Operation) and one.use_case == place)
    return _ALSO.get(place) or next(named, "")


def bring_up_to_date(kernel: Kernel, operation: str) -> None:
    """Take in first what changed of that which an operation reads, as far as that is little."""
    found = COMMANDS.get(operation)
    if isinstance(found, Operation) and found.update:
        from tx_graph.workspace.updating import Updating

        kernel.one(Updating).run(found.update, {"expand": True})


@overload
def chosen(kind: type[_Choice], given: _Choice) -> _Choice: ...
@overload
def chosen(kind: type[_Choice], given: _Choice | None) -> _Choice | None: ...
def chosen(kind: type[_Choice], given: _Choice | None) -> _Choice | None:
    """Return a choice, also for its value alone, which is equal to it but not the same; None stays None.

    Raises:
        UsageError: There is no such choice.
    """
    try:
        return None if given is None else kind(given)
    except ValueError:
        raise UsageError(f"'{given}' is no {kind.__name__}.", hint=f"Choose from {', '.join(kind)}.") from None
