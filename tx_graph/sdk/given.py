"""What programs give is taken as it was meant, or refused: nothing that is nearly right is silently something else."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar, overload

from tx_graph.errors import UsageError

_Choice = TypeVar("_Choice", bound=StrEnum)
_Item = TypeVar("_Item")


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


@overload
def several(given: str) -> tuple[str, ...]: ...
@overload
def several(given: Iterable[_Item]) -> tuple[_Item, ...]: ...
def several(given: Iterable[_Item] | str) -> tuple[_Item | str, ...]:
    """Return what was given; a text alone is one thing, although Python takes it for a sequence of its letters."""
    return (given,) if isinstance(given, str) else tuple(given)
