"""JSON Schemas of what commands print, derived from the types of their results."""

from __future__ import annotations

import ast
import sys
import typing
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from inspect import getdoc, getsource
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from tx_graph.code.freshness import Freshness
from tx_graph.core.kernel import find
from tx_graph.core.shape import SCHEMA, Key, NodeReference, declared, keys_of
from tx_graph.faces.operations import COMMANDS, Operation

Schema = dict[str, Any]
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_LISTS: tuple[Any, ...] = (list, tuple, Sequence, Collection, frozenset)
_TEXTS: Schema = {"type": "array", "items": {"type": "string"}}


class Schemas:
    """Makes schemas, and keeps in `known` those of the types that they refer to. A closed one allows no other keys."""

    def __init__(self, *, is_closed: bool = False, at: str = "#/$defs/") -> None:
        self.known: dict[str, Schema] = {}
        self._at = at
        self._is_closed = is_closed

    def document(self, operation: Operation) -> Schema:
        """Return the schema of what an operation prints with `--json`."""
        use_case = find(operation.use_case).function
        result = _hints(use_case)["return"]
        if operation.shape:
            module, _, _ = operation.render.partition(":")
            result = _hints(getattr(import_module(f"tx_graph.faces.cli.render.{module}"), operation.shape))["return"]
        if operation.name == "context":
            whole = {"anyOf": [self._page(), self._whole(_hints(find("context.review:review").function)["return"])]}
        else:
            whole = self._object({operation.plural: self.of(result)}) if operation.plural else self._whole(result)
        for one in whole.get("anyOf", [whole]):
            told = one["properties"]
            told |= {"schema": {"const": SCHEMA}, "notices": _TEXTS}
            told |= (
                {"freshness": _either([self.of(Freshness), self.of(NoneType)])}
                if operation.age and "freshness" not in told
                else {}
            )
            one["required"] = ["schema", *one["required"]]
        return {"title": f"tx {operation.name}", "description": operation.summary, **whole}

    def of(self, kind: Any) -> Schema:  # noqa: ANN401, PLR0911 - any type
        """Return the schema of a type."""
        origin, inner = get_origin(kind), get_args(kind)
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if origin is Annotated:
            return self.of(inner[0])
        if origin in (typing.Union, UnionType):
            return _either([self.of(one) for one in inner])
        if origin in _LISTS or kind in _LISTS:
            items = _either([self.of(one) for one in inner if one is not ...])
            return {"type": "array", "items": items}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"enum": [one.value for one in kind]} if list(kind) else {"type": "string"}
        if isinstance(kind, type) and issubclass(kind, PurePath):
            return {"type": "string"}
        if _is_mapping(kind) and not typing.is_typeddict(kind):
            return {"type": "object", "additionalProperties": self.of(inner[1]) if inner else {}}
        if hasattr(kind, "as_json"):
            return self.of(_hints(kind.as_json)["return"])
        if is_dataclass(kind) or typing.is_typeddict(kind):
            name = f"{kind.__module__.removeprefix('tx_graph.')}.{kind.__name__}"
            if name not in self.known:
                self.known[name] = {}  # it may have itself in it
                self.known[name] = {"description": (getdoc(kind) or "").partition("\n\n")[0], **self._whole(kind)}
            return {"$ref": f"{self._at}{name}"}
        return {}

    def objects(self, one: Schema) -> Iterator[Schema]:
        """Yield the schemas of the objects that something is, or has as items; an empty one stands for anything."""
        one = self.known[one["$ref"].removeprefix(self._at)] if "$ref" in one else one
        for inner in [*one.get("anyOf", ()), *([one["items"]] if "items" in one else ())]:
            yield from self.objects(inner)
        if not one or one.get("type") == "object":
            yield one

    def shape(self, kind: Any, keys: str) -> Schema:  # noqa: ANN401 - any type
        """Return the schema of an object of a type, with keys as a `JSON` declares them."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        is_open = False
        for key in keys_of(keys):
            found, is_missing = _followed(kind, key)
            outer, _, inner = key.name.partition(".")
            into, needed, nested = properties, required, dict[str, Any]()
            if inner:
                nested = properties.setdefault(outer, self._object({}))
                into, needed = nested["properties"], nested["required"]
                required += [outer] if outer not in required else []
            if key.name.endswith("*"):
                told = self._whole(found)
                if "anyOf" in told:  # of one class or another, which end here
                    ways = [(one["properties"], one["required"]) for one in told["anyOf"]]
                    return {"anyOf": [self._object(properties | own, [*required, *needs]) for own, needs in ways]}
                if told.get("additionalProperties") is True:
                    is_open = is_open or not inner
                    nested |= {"additionalProperties": True} if inner else {}
                into |= told["properties"]
                needed += [] if is_missing or _is_none(found) else told["required"]
                continue
            told = self.of(NodeReference) if key.kind else self.of(found)
            is_null = key.is_nullable or is_missing or _is_none(found)
            told = _either([told, {"type": "null"}]) if is_null and not key.is_optional else told
            into[inner or outer] = told | ({"deprecated": True} if key.is_deprecated else {})
            needed += [] if key.is_optional else [inner or outer]
        return self._object(properties, required) | ({"additionalProperties": True} if is_open else {})

    def _whole(self, kind: Any) -> Schema:  # noqa: ANN401 - any type
        """Return the schema of an object itself, in the place of a reference to it; of a mapping one with any keys."""
        kinds = [one for one in get_args(kind) if one is not NoneType] if _is_union(kind) else [kind]
        if len(kinds) > 1:
            return {"anyOf": [self._whole(one) for one in kinds]}
        if typing.is_typeddict(kinds[0]):
            hints, needed = _hints(kinds[0]), kinds[0].__required_keys__
            properties = {name: self.of(one) for name, one in hints.items()}
            return self._object(properties, [name for name in hints if name in needed])
        if hasattr(kinds[0], "as_json"):
            return self._whole(_hints(kinds[0].as_json)["return"])
        if is_dataclass(kinds[0]):
            return self.shape(kinds[0], declared(typing.cast("type", kinds[0])))
        return {"type": "object", "properties": {}, "required": [], "additionalProperties": True}

    def _page(self) -> Schema:
        """Return the schema of `tx context`, whose layout writes its items one by one."""
        from tx_graph.context.page import KEYS, Material, Part

        hints, counts = _hints(Material), self.of(Mapping[str, int])
        items = {
            part: self.shape(next(one for one in get_args(hints[part]) if one is not ...), KEYS[part]) for part in Part
        }
        lists = {part.value: {"type": "array", "items": items[part]} for part in Part}
        lists[Part.TASK] = _either([items[Part.TASK], self.of(NoneType)])
        whole = {name: self.of(int) for name in ("tokens", "budget")} | {"tokens_by": self.of(str), "omitted": counts}
        return self._object({**whole, **lists, "notices": _TEXTS})

    def _object(self, properties: Mapping[str, Schema], required: Sequence[str] | None = None) -> Schema:
        needed = list(dict.fromkeys(properties if required is None else required))
        closed = {"additionalProperties": False} if self._is_closed else {}
        return {"type": "object", "properties": dict(properties), "required": needed, **closed}


def lists_of(operation: Operation, names: Collection[str]) -> dict[str, Schema]:
    """Return the schemas of lists in what an operation prints, for replies that tell less of their items.

    What is inside of these items is no more than an object: who needs that too asks for `--json`.
    """
    schemas = Schemas()
    properties = schemas.document(operation).get("properties", {})

    def rough(one: Schema) -> Schema:
        if "anyOf" in one:
            return _either([rough(inner) for inner in one["anyOf"]])
        if "$ref" in one or one.get("type") == "object":
            return {"type": "object"}
        return {key: rough(value) if key == "items" else value for key, value in one.items() if key != "deprecated"}

    found = {}
    for name in names & properties.keys():
        items = [one.get("properties", {}) for one in schemas.objects(properties[name])]
        told = {key: rough(value) for one in items for key, value in one.items() if not value.get("deprecated")}
        found[name] = {"type": "array", "items": {"type": "object", "properties": told}}
    return found


def published() -> Schema:
    """Return the schema of everything, as the documentation has it: each command's document by its name."""
    schemas = Schemas()
    operations = [one for one in COMMANDS.values() if isinstance(one, Operation)]
    documents = {one.name: schemas.document(one) for one in operations}
    error = {"code": str, "message": str, "hint": str, "candidates": list[str]}
    told = {"schema": {"const": SCHEMA}, "error": _required({name: schemas.of(one) for name, one in error.items()})}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"What tx prints with --json, version {SCHEMA}",
        "$defs": {**dict(sorted(schemas.known.items())), "error": _required(told), **documents},
    }


def _required(properties: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _either(kinds: Sequence[Schema]) -> Schema:
    """Return the schema of what is of one of several kinds."""
    every = [inner for one in kinds for inner in (one["anyOf"] if [*one] == ["anyOf"] else [one])]
    found = [one for place, one in enumerate(every) if one not in every[:place]]
    if not found or {} in found:
        return {}
    return found[0] if len(found) == 1 else {"anyOf": found}


def _is_union(kind: Any) -> bool:  # noqa: ANN401 - any type
    return get_origin(kind) in (typing.Union, UnionType)


def _is_none(kind: Any) -> bool:  # noqa: ANN401 - any type
    return kind is NoneType or (_is_union(kind) and NoneType in get_args(kind))


def _is_mapping(kind: Any) -> bool:  # noqa: ANN401 - any type
    return isinstance(of := get_origin(kind) or kind, type) and issubclass(of, Mapping)


def _followed(kind: Any, key: Key) -> tuple[Any, bool]:  # noqa: ANN401 - any type
    """Return the type of what a key has of a type, and whether a step on the way may be missing."""
    is_missing = False
    for name in key.path:
        if _is_none(kind):
            is_missing = True
            (kind,) = (one for one in get_args(kind) if one is not NoneType)
        if name == "#":
            kind = int
        elif _is_mapping(kind):
            kind = get_args(kind)[1]
        else:
            kind = _attribute(kind, name)
    return kind, is_missing


def _attribute(kind: Any, name: str) -> Any:  # noqa: ANN401 - any type
    """Return the type of an attribute of a type, by its annotation or that of the property."""
    for one in kind.__mro__:
        if name in vars(one).get("__annotations__", {}):
            return _hints(one)[name]
        found = vars(one).get(name)
        if isinstance(found, property | cached_property):
            return _hints(found.fget if isinstance(found, property) else found.func)["return"]
    raise TypeError(f"{kind.__name__} has no typed {name}")


@cache
def _hints(of: Any) -> dict[str, Any]:  # noqa: ANN401 - a class or a function
    """Return the types that annotations name, also those that are imported for type checkers alone."""
    return get_type_hints(of, localns=_namespace(of.__module__), include_extras=True)


@cache
def _namespace(name: str) -> dict[str, Any]:
    module = sys.modules[name]
    found: dict[str, Any] = {}
    for block in ast.parse(getsource(module)).body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for one in block.body:
                if isinstance(one, ast.ImportFrom):
                    source = import_module(one.module or "")
                    found |= {alias.asname or alias.name: getattr(source, alias.name) for alias in one.names}
    return found | vars(module)
