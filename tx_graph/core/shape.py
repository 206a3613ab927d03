"""Results as JSON: snake_case, stable keys, in the order in which they are declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum, StrEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypedDict, TypeVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

Row = TypeVar("Row")
SCHEMA = 2
"""The version of the JSON documents: `schema` at their top. What 0.1 printed is 1, and did not say so."""


class LeftOut(TypedDict):
    """What was not read, and why, as a sentence's end."""

    path: str
    reason: str


def with_reasons(*pairs: tuple[str, str]) -> list[LeftOut]:
    """Return paths with reasons as JSON has them."""
    return [LeftOut(path=path, reason=reason) for path, reason in pairs]


class Word(StrEnum):
    """What a verdict says, of anchors and learnings, sections and facts alike."""

    FRESH = "fresh"
    RELOCATED = "relocated"
    DRIFTED = "drifted"
    GONE = "gone"
    UNANCHORED = "unanchored"
    PINNED = "pinned"
    RESERVE = "reserve"
    CHANGED = "changed"
    UNSTATED = "unstated"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeReference:
    """How JSON refers to a node, everywhere alike: `node` in what is one, `source_node` beside what names it `source`.

    `id` is the same in every clone (the uid of a learning; numbers of tasks and runs are local), `ref` what commands
    understand. `path` and `line` say where it stands in the repository, where it stands there and that is known.
    """

    kind: str
    id: str
    ref: str
    path: str | None = None
    line: int | None = None


_BY_PREFIX = ("learning", "entity", "task", "run", "fact")
_COMMIT_DIGITS = 12


def canonical_reference(kind: str, key: str) -> str:
    """Return how commands name a node that is no learning.

    A commit goes by the beginning of its hash, a task and a run by its number, all others by their keys; who knows
    how an entity is written names it so.
    """
    if kind == "commit":
        return f"{kind}:{key[:_COMMIT_DIGITS]}"
    return f"{kind}:{key}" if kind in _BY_PREFIX else key


def reference_to(kind: str, key: str, *, ref: str = "", line: int | None = None) -> NodeReference:
    """Return how JSON refers to a node of this kind and key."""
    places = {"file": key, "symbol": key.partition("::")[0], "section": key.rpartition("#")[0] or key}
    return NodeReference(
        kind=str(kind), id=key, ref=ref or canonical_reference(kind, key), path=places.get(kind), line=line
    )


class Key(NamedTuple):
    """A key of an object: the path of attributes to its value, and the signs that it was declared with.

    `kind` is that of the node whose key the value is, and `line` the attribute with its line.
    """

    name: str
    path: tuple[str, ...]
    signs: str
    kind: str = ""
    line: str = ""

    @property
    def is_optional(self) -> bool:
        """Whether it is left out where it says nothing."""
        return "?" in self.signs

    @property
    def is_nullable(self) -> bool:
        """Whether it is null where its value is empty."""
        return "~" in self.signs

    @property
    def is_deprecated(self) -> bool:
        """Whether it is there for one more version, for programs that know nothing newer."""
        return "!" in self.signs

    def value(self, of: Any) -> Any:
        """Return the value that something has, None where a step on the way is None."""
        found = of
        for name in self.path:
            if name == "#":
                found = len(found)
            elif found is not None:
                found = found.get(name) if isinstance(found, Mapping) else getattr(found, name)
        if not self.kind or found is None:
            return found
        return reference_to(self.kind, str(found), line=getattr(of, self.line) if self.line else None)


class Answer:
    """What a use case found, which programs may have as the document that `--json` prints."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as a document, with the version of its schema."""
        return {"schema": SCHEMA, **as_json(self)}

    def _repr_markdown_(self) -> str | None:
        """Return what a notebook shows: what the command line prints; None of what no command prints."""
        from tx_graph.core.kernel import find

        shown: str | None = find("faces.sdk.notebook:markdown").function(self)
        return shown


class Rows(Answer, Generic[Row]):
    """An answer that is a list of alike things, in the field that `ROWS` names: it can be iterated."""

    __slots__ = ()
    ROWS: ClassVar[str]

    def __iter__(self) -> Iterator[Row]:
        """Go through them, in their order."""
        rows: Sequence[Row] = getattr(self, self.ROWS)
        return iter(rows)

    def to_pandas(self) -> pd.DataFrame:
        """Return a table with a row for each, its columns as in the JSON.

        Raises:
            UsageError: pandas is not installed: it comes with the extra `notebook`.
        """
        frame: Any = _library("pandas").DataFrame
        return frame.from_records([as_json(one) for one in self])


class Limited(Rows[Row]):
    """Rows of which a limit may have cut some off: `total` counts these, too."""

    __slots__ = ()
    total: int

    @property
    def stats(self) -> dict[str, int]:
        """How many there are, and how many are told."""
        shown = len(getattr(self, self.ROWS))
        return {"found": max(self.total, shown), "shown": shown}


class Network(Answer):
    """An answer that holds edges."""

    __slots__ = ()

    def to_networkx(self) -> nx.MultiDiGraph:
        """Return the nodes that were found, named by their references, and the edges between them, as they point.

        A node has `kind`, `path` and `line`, an edge `type`, `relation` and `weight`; its key is its type and relation.
        What changes together is one edge, from the file that was asked about.

        Raises:
            UsageError: networkx is not installed: it comes with the extra `notebook`.
        """
        graph = _library("networkx").MultiDiGraph()
        told = as_json(self)
        for end in filter(None, map(told.get, ("node", "source", "target"))):
            _add_node(graph, end.get("node", end))
        edges = [*_edges_in({name: one for name, one in told.items() if name not in ("learning", "task", "run")})]
        if "partners" in told:
            file = as_json(reference_to("file", told["file"]))
            _add_node(graph, file)
            together = {"source_node": file, "type": "CO_CHANGES_WITH"}
            edges += [{**together, "target_node": one["node"], "weight": one["score"]} for one in told["partners"]]
        for one in edges:
            ends = [_add_node(graph, one[f"{name}_node"]) for name in ("source", "target")]
            kind, relation = one.get("type", "IMPORTS"), one.get("relation") or one.get("import_type", "")
            source, target = ends if one.get("forward", True) else reversed(ends)
            told_of = {"type": kind, "relation": relation, "weight": one.get("weight", 1.0)}
            graph.add_edge(source, target, key=(kind, relation), **told_of)
        return graph


def _library(name: str) -> Any:
    """Return a library that only the extra for notebooks brings."""
    try:
        return import_module(name)
    except ImportError as error:
        hint = "pip install 'tx-graph[notebook]'"
        raise UsageError(
            f"This takes the library {name}, which cannot be imported here: {error}.", hint=hint
        ) from error


def _add_node(graph: Any, node: Mapping[str, Any]) -> str:
    graph.add_node(node["ref"], **{name: node[name] for name in ("kind", "path", "line")})
    return str(node["ref"])


def _edges_in(document: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the edges in a document, wherever in it they stand."""
    if isinstance(document, dict):
        if document.keys() >= {"source_node", "target_node"} and document.keys() & {"type", "import_type"}:
            yield document
        document = [*document.values()]
    for one in document if isinstance(document, list) else ():
        yield from _edges_in(one)


def as_json(value: Any) -> Any:
    """Return a result as what JSON can hold.

    A dataclass becomes an object with its fields, or with what its `JSON` says: keys parted by blanks, each an
    attribute or property. `position=use.position` has the key `position`, and `*task` takes over all keys of the task.
    `stats.found=total` is the key `found` in an object `stats`, `files=files.#` how many there are, and
    `node=path@file:line` the reference to a node, by its key and the attribute with its line. `run?` is left out where
    it is None or empty, `sentence~` is null where it is empty, and `state!` is deprecated.
    What is too odd for that has a method `as_json`.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float):
        return value
    if hasattr(value, "as_json"):
        return as_json(value.as_json())
    if is_dataclass(value):
        return shaped(value, declared(value.__class__))
    if isinstance(value, Mapping):
        return {str(as_json(key)): as_json(one) for key, one in value.items()}
    return [as_json(one) for one in value] if isinstance(value, list | tuple) else str(value)  # a path


def shaped(value: Any, keys: str) -> dict[str, Any]:
    """Return an object with these keys, declared as a `JSON` has them."""
    shape: dict[str, Any] = {}
    for key in keys_of(keys):
        one = as_json(key.value(value))
        if key.is_nullable:
            one = one or None
        outer, _, inner = key.name.partition(".")
        into = shape.setdefault(outer, {}) if inner else shape
        if key.name.endswith("*"):
            into |= one or {}
        elif not key.is_optional or one not in (None, ""):
            into[inner or outer] = one
    return shape


@cache
def declared(kind: type) -> str:
    """Return the keys of a dataclass as its `JSON` has them, else its fields."""
    return str(getattr(kind, "JSON", "")) or " ".join(one.name for one in fields(kind))


@cache
def keys_of(declared: str) -> tuple[Key, ...]:
    """Return the keys that a `JSON` declares; `*` is no key but stands for several."""
    found = []
    for word in declared.split():
        name, _, path = ("*=" + word[1:] if word.startswith("*") else word).partition("=")
        plain = name.rstrip("?~!")
        path, _, kind = (path or plain).partition("@")
        found.append(Key(plain, tuple(path.split(".")), name[len(plain) :], *kind.split(":")))
    return tuple(found)
