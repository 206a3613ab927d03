"""Results as JSON: snake_case, stable keys, in the order in which they are declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any


def as_json(value: Any) -> Any:
    """Return a result as what JSON can hold.

    A dataclass becomes an object with its fields, or with what its `JSON` says: keys parted by blanks, each an
    attribute or property. `position=use.position` has the key `position`, and `*task` takes over all keys of the task.
    What is too odd for that has a method `as_json`.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "as_json"):
        return value.as_json()
    if is_dataclass(value):
        shape: dict[str, Any] = {}
        for key, get in _keys(value.__class__):
            one = as_json(get(value))
            shape |= one if key == "*" else {key: one}
        return shape
    if isinstance(value, Mapping):
        return {str(as_json(key)): as_json(one) for key, one in value.items()}
    return [as_json(one) for one in value] if isinstance(value, list | tuple) else str(value)  # a path


@cache
def _keys(kind: type) -> tuple[tuple[str, attrgetter[Any]], ...]:
    """Return the keys of a dataclass with what gives their values; `*` is no key but stands for several."""
    declared = str(getattr(kind, "JSON", "")) or " ".join(one.name for one in fields(kind))
    pairs = [("*=" + word[1:] if word.startswith("*") else word).partition("=") for word in declared.split()]
    return tuple((key, attrgetter(path or key)) for key, _, path in pairs)
