"""The keys of a document that `--fields` asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.faces.operations import Operation
from tx_graph.faces.schemas import Schema, Schemas


class Fields:
    """Dotted paths into the document of an operation, through lists too; a path holds for each item of a list.

    What its schema does not have is refused before anything is done; where the schema is open, once the document is
    there.
    """

    def __init__(self, operation: Operation, text: str) -> None:
        self._name = operation.name
        self._schemas = Schemas()
        whole = self._schemas.document(operation)
        self._paths = [tuple(one.strip().split(".")) for one in text.split(",") if one.strip()]
        self._open: list[tuple[str, ...]] = []
        if not self._paths:
            there = [key for one in self._schemas.objects(whole) for key in one.get("properties", ())]
            raise UsageError("--fields names no key.", hint=f"There are {', '.join(there)}.")
        for path in self._paths:
            self._look(path, [whole])

    def _look(self, path: tuple[str, ...], kinds: Sequence[Schema]) -> None:
        for place, name in enumerate(path):
            objects = [one for kind in kinds for one in self._schemas.objects(kind)]
            kinds = [one["properties"][name] for one in objects if name in one.get("properties", {})]
            if kinds:
                continue
            others = [one.get("additionalProperties", not one) for one in objects]
            kinds = [{} if one is True else one for one in others if one is not False]
            if not kinds:
                self._refuse(path[: place + 1], [key for one in objects for key in one.get("properties", ())])
            self._open.append(path)

    def _refuse(self, path: Sequence[str], known: Sequence[str]) -> None:
        *above, name = path
        keys = list(dict.fromkeys(known))
        hint = f"{'.'.join(above) or 'It'} has {', '.join(keys)}." if keys else f"{'.'.join(above)} has no keys."
        near = [".".join([*above, one]) for one in get_close_matches(name, keys)]
        raise UsageError(f"tx {self._name} prints no '{'.'.join(path)}'.", hint=hint, candidates=near)

    def of(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return a document with these keys alone."""
        for path in self._open:
            levels: list[Any] = [document]
            for place, name in enumerate(path):
                objects = [one for level in levels for one in _objects(level)]
                levels = [one[name] for one in objects if name in one]
                if objects and not levels:
                    self._refuse(path[: place + 1], [key for one in objects for key in one])
        kept: dict[str, Any] = _picked(document, self._paths)
        return kept


def _objects(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        yield value
    for one in value if isinstance(value, list) else ():
        yield from _objects(one)


def _picked(value: Any, paths: Sequence[tuple[str, ...]]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_picked(one, paths) for one in value]
    if () in paths or not isinstance(value, dict):
        return value
    names = dict.fromkeys(path[0] for path in paths)
    return {
        name: _picked(value[name], [path[1:] for path in paths if path[0] == name]) for name in names if name in value
    }
