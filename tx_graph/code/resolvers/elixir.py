"""Elixir: which file defines a module."""

from __future__ import annotations

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import EXTERNAL, STDLIB, Landing, RepositoryIndex, by_full_name, nearest

_STANDARD = frozenset(
    "Access Agent Application ArgumentError Atom Base Behaviour Bitwise Calendar Code Collectable Config Date"
    " DateTime Dict Duration DynamicSupervisor EEx Enum Enumerable Exception ExUnit File Float Function GenEvent"
    " GenServer HashDict HashSet IEx IO Inspect Integer JSON Kernel KeyError Keyword List Logger Macro Map MapSet"
    " MatchError Mix Module NaiveDateTime Node OptionParser PartitionSupervisor Path Port Process Protocol Range"
    " Record Regex Registry RuntimeError Set Stream String StringIO Supervisor System Task Time Tuple URI"
    " Version".split()
)
"""Modules that come with the language, or the first words of their names."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that defines a module, the nearest to the source if several do."""
    if files := by_full_name("elixir", index).get(f".{specifier.module}"):
        return nearest(source, dict(zip(files, files, strict=True)))
    return STDLIB if specifier.module.partition(".")[0] in _STANDARD else EXTERNAL
