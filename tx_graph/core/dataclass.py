"""The `@dataclass` of this house: that of the standard library, but methods are made when they are first used.

A command imports some 140 such classes, and makes instances of a third of them. The standard library compiles six
methods of each at once, which took a sixth of a cold `tx context`. Everything else (`fields`, `replace`, `asdict`,
pickling, matching) is as it is there, but `field(init=False)` and `InitVar`, which nothing here needs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, asdict, field, fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        """Return what makes a dataclass of a class; what the class itself defines stays."""

        def made(cls: type) -> type:
            cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
            methods = {"__init__": _Initialiser(cls), "__repr__": _told}
            if eq:
                methods |= {"__eq__": _is_equal, "__hash__": _hash if frozen else None}
            if frozen:
                methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
                methods |= {"__setstate__": _restore} if slots else {}
            for name, method in methods.items():
                if name not in vars(cls):
                    setattr(cls, name, method)
            return cls

        return made


class _Initialiser:
    """Stands for `__init__` until it is asked for."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Callable[..., None]:
        """Make the method, put it in this place, and return it as its owner would."""
        if (made := vars(self._cls)["__init__"]) is self:
            made = _initialiser(self._cls)
            self._cls.__init__ = made
        method: Callable[..., None] = made.__get__(instance, owner)
        return method


def _initialiser(cls: Any) -> Any:
    """Return the `__init__` of a class, with a local for each field and no loop, for many instances are made."""
    is_frozen = cls.__setattr__ is _refuse_to_set
    known: dict[str, Any] = {"__name__": cls.__module__, "put": object.__setattr__, "FACTORY": MISSING}
    taken, body = ["self"], ["pass"]
    for one in sorted(fields(cls), key=attrgetter("kw_only")):
        name, default, value = one.name, "", one.name
        if one.kw_only and "*" not in taken:
            taken.append("*")
        if one.default is not MISSING:
            known[f"default_{name}"], default = one.default, f"=default_{name}"
        elif one.default_factory is not MISSING:
            known[f"make_{name}"], default = one.default_factory, "=FACTORY"
            value = f"make_{name}() if {name} is FACTORY else {name}"
        taken.append(f"{name}{default}")
        body.append(f"put(self, {name!r}, {value})" if is_frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = "\n  ".join([f"def __init__({', '.join(taken)}):", *body])
    exec(lines, known)  # noqa: S102 - made of the names of fields
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {one.name: one.type for one in fields(cls)} | {"return": None}
    return made


@cache
def _compared(cls: Any) -> Callable[[object], object]:
    """Return what returns the values by which two instances are compared."""
    names = [one.name for one in fields(cls) if one.compare]
    return attrgetter(*names) if names else lambda _: ()


def _is_equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = _compared(self.__class__)
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


def _told(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_to_set(_: object, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _restore(self: object, state: tuple[None, dict[str, object]]) -> None:
    for name, value in state[1].items():
        object.__setattr__(self, name, value)
