"""The house's `@dataclass` makes what the standard library's makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError
from typing import Any, ClassVar

import pytest

from tx_graph.core.dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """A value."""

    KIND: ClassVar = "value"

    name: str
    parts: tuple[str, ...] = ()
    told: dict[str, int] = field(default_factory=dict, compare=False)
    secret: str = field(default="", repr=False)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Theirs:
    """The same, of the standard library."""

    KIND: ClassVar = "value"

    name: str
    parts: tuple[str, ...] = ()
    told: dict[str, int] = dataclasses.field(default_factory=dict, compare=False)
    secret: str = dataclasses.field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class More(Ours):
    """One that checks what it is given."""

    count: int

    def __post_init__(self) -> None:
        """Refuse less than nothing."""
        if self.count < 0:
            raise ValueError("less than nothing")


@dataclass(slots=True)
class Changing:
    """One that changes."""

    number: int
    text: str = "a"


def of(kind: Any) -> list[object]:  # noqa: ANN401 - either class
    one = kind(name="a", parts=("b",), secret="c")
    refused = []
    for wrong in ({}, {"name": "a", "other": 1}):
        with pytest.raises(TypeError) as caught:
            kind(**wrong)
        refused.append(str(caught.value))
    return [
        repr(one),
        one == kind(name="a", parts=("b",), secret="c", told={"x": 1}),
        one == replace(one, name="d"),
        len({one, copy.copy(one), copy.deepcopy(one), replace(one, told={"x": 1})}),
        dataclasses.asdict(one),
        one.told is not kind(name="a").told,
        kind.__match_args__,
        kind.__slots__,
        [str(one.annotation) for one in inspect.signature(kind).parameters.values()],
        refused,
    ]


def test_it_is_made_told_compared_and_refused_as_in_the_standard_library() -> None:
    assert str(of(Ours)) == str(of(Theirs)).replace("Theirs", "Ours")
    one = Ours(name="a", told={"x": 1})
    assert pickle.loads(pickle.dumps(one)).told == {"x": 1}
    with pytest.raises(FrozenInstanceError):
        one.name = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        delattr(one, "name")


def test_what_inherits_has_the_fields_of_both_and_is_another_thing() -> None:
    assert repr(More(name="a", count=1)) == "More(name='a', parts=(), told={}, count=1)"
    assert Ours(name="a") != More(name="a", count=1)
    with pytest.raises(ValueError, match="less than nothing"):
        More(name="a", count=-1)


def test_what_is_not_frozen_changes_and_cannot_be_hashed() -> None:
    one = Changing(1)
    one.number, two = 2, Changing(2, text="a")
    assert one == two
    with pytest.raises(TypeError):
        hash(one)
