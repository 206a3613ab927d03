"""Use cases that read symbols: what a file or directory declares, and where a name is declared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Annotated, ClassVar

from tx_graph.code.file_store import SymbolStore
from tx_graph.code.freshness import WHOLE, IndexedPlace, IndexedPlaces
from tx_graph.code.languages import language_of
from tx_graph.code.symbols import Match, Name, Symbol, match_of, readings_of
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Limited
from tx_graph.graph.references import NodeKind

_PREFIX = f"{NodeKind.SYMBOL}:"
_MOST_COMPARED = 5_000  # names to compare the spelling of; each takes 20 µs
_MOST_FOUND = 20  # places of a name that people are shown unless they ask for more
_RANKS = {match: rank for rank, match in enumerate(Match)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Limited[Symbol]):
    """What a place declares, by path and in source order; `total` counts what a limit cut off, too.

    `folded` counts the details that are not shown; `remark` says why there is nothing.
    """

    place: IndexedPlace
    symbols: tuple[Symbol, ...]
    remark: str = ""
    total: int = 0
    folded: int = 0
    ROWS: ClassVar = "symbols"
    JSON: ClassVar = "symbols folded stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Limited[Symbol]):
    """Where a name is declared, all of them answering to it equally well; `total` counts what a limit cut off, too.

    `nearest` are names spelled alike.
    """

    place: IndexedPlace
    symbols: tuple[Symbol, ...] = ()
    match: Match | None = None
    nearest: tuple[str, ...] = ()
    total: int = 0
    ROWS: ClassVar = "symbols"
    JSON: ClassVar = "symbols match stats"


class SymbolIndex:
    """Declarations as they were read: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._places = kernel.one(IndexedPlaces)
        self._symbols = SymbolStore(kernel.database)

    def symbols(
        self, path: str | None = None, *, kind: str | Collection[str] | None = None, details: bool = False
    ) -> Declared:
        """Return what a file or directory (None: the repository) declares, in source order.

        With `details`, or where kinds are asked for, also fields, constants and what stands inside functions.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of such a kind.
        """
        kinds = self._kinds(kind)
        place = WHOLE if path is None else self._places.find(path)
        found = self._symbols.below(place.path) if place.is_directory else self._symbols.of_file(place.path)
        remark = "" if found else self._places.why_empty(place, what="symbols", is_read=True)
        beside = self._symbols.details_below(place.path) if place.is_directory else self._symbols.details(place.path)
        if details or kinds:
            found = sorted([*found, *beside], key=lambda one: (one.path, one.line_start, -one.line_end))
        shown = tuple(one for one in found if not kinds or one.kind in kinds)
        folded = 0 if details or kinds else len(beside)
        return Declared(place=place, symbols=shown, remark=remark, folded=folded)

    def find_symbol(self, name: str, *, within: str | None = None, kind: str | Collection[str] | None = None) -> Found:
        """Return where a name is declared: exactly so, else in other case, else as a beginning, else as a part.

        The name may be qualified, by a path too (`src/auth.ts::AuthService::login`).

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of such a kind, or the name is empty.
        """
        kinds = self._kinds(kind)
        name = name.removeprefix(_PREFIX)
        path, _, inner = name.partition("::")
        is_qualified = bool(inner) and language_of(path) is not None
        asked = path if is_qualified and within is None else within
        place = WHOLE if asked is None else self._places.find(asked)
        readings = readings_of(inner if is_qualified else name)
        if not readings:
            raise UsageError("The name to find is empty.")
        answers = (self._answering(reading, place=place, kinds=kinds) for reading in readings)
        best = min(answers, key=lambda found: _RANKS[found.match] if found.match else len(_RANKS))
        if best.symbols:
            return best
        last = readings[-1][-1]
        alike = [one for one in self._symbols.simple_names() if one[:1].lower() == last[:1].lower()]
        return replace(best, nearest=tuple(get_close_matches(last, alike[:_MOST_COMPARED], n=5, cutoff=0.7)))

    def _answering(self, name: Name, *, place: IndexedPlace, kinds: Collection[str]) -> Found:
        for candidates in (self._symbols.named, self._symbols.containing):
            matches: dict[Match, list[Symbol]] = {}
            for symbol in candidates(name[-1]):
                match = match_of(symbol.name, name)
                if match and (not kinds or symbol.kind in kinds) and place.holds(symbol.path):
                    matches.setdefault(match, []).append(symbol)
            if matches:
                best = min(matches, key=_RANKS.__getitem__)
                shortest_first = sorted(matches[best], key=lambda one: len(one.name.rpartition("::")[2]))
                return Found(place=place, symbols=tuple(shortest_first), match=best)
        return Found(place=place)

    def _kinds(self, kind: str | Collection[str] | None) -> frozenset[str]:
        asked = frozenset([kind] if isinstance(kind, str) else kind or ())
        known = self._symbols.kinds() if asked else []
        for one in sorted(asked.difference(known)):
            raise UsageError(f"No symbol here is a '{one}'.", hint=f"Choose from {', '.join(known)}." if known else "")
        return asked


def symbols(
    kernel: Kernel,
    path: Annotated[str | None, Arg("PATH", "A file or a directory.")] = None,
    *,
    name: Annotated[
        str | None, Arg("NAME", "Where this is declared; AuthService.login will do.", flag="--find")
    ] = None,
    everything: Annotated[bool, Arg(help="All files instead of one.", flag="--all")] = False,
    kind: Annotated[Sequence[str], Arg("KIND", "Only these, such as class,field.")] = (),
    details: Annotated[bool, Arg(help="Also fields, constants, and what stands inside functions.")] = False,
    limit: Annotated[int | None, Arg("N", "Most to show; otherwise all, or 20 with --find.", flag="-n --limit")] = None,
    is_script: bool = False,
) -> Declared | Found:
    """Show what a file or directory declares, or where a name is declared.

    --find looks for exactly this name first, then for the same in other case, then for names that begin with it, then
    for names that contain it. JSON and --tsv have all that is found unless told otherwise. The columns of --tsv are
    path, qname, kind, start, end and signature.

    Example:
      tx graph:symbols src/auth.py
      tx graph:symbols --find AuthService::login
      tx graph:symbols src/ --find Service --kind class
      tx graph:symbols --all --tsv
    """
    del everything  # which a path or a name contradicts
    index = kernel.one(SymbolIndex)
    if name is None:
        declared = index.symbols(path, kind=kind, details=details)
        return replace(declared, symbols=declared.symbols[:limit], total=len(declared.symbols))
    found = index.find_symbol(name, within=path, kind=kind)
    return replace(
        found, symbols=found.symbols[: limit or (None if is_script else _MOST_FOUND)], total=len(found.symbols)
    )
