"""Elixir: which file defines a module."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import AMBIGUOUS, EXTERNAL, STDLIB, Landing, RepositoryIndex, at, nearest, remembered

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
    name = specifier.module
    files = _defining(index).get(name, ())
    if not files:
        return STDLIB if name.partition(".")[0] in _STANDARD else EXTERNAL
    file, *others = nearest(source, files)
    return AMBIGUOUS if others else at(file)


@remembered
def _defining(index: RepositoryIndex) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path, surface in index.surfaces("elixir").items():
        for name in dict.fromkeys(offered.name for offered in surface.offers):
            found[name].append(path)
    return found
