"""Use cases that read uses: who uses a symbol, who calls it, what it calls, and what nobody uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import Annotated, ClassVar, NamedTuple

from tx_graph.code.file_store import SymbolStore
from tx_graph.code.freshness import WHOLE as EVERYWHERE
from tx_graph.code.freshness import IndexedPlace, IndexedPlaces
from tx_graph.code.import_store import ImportStore
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import reader_of
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.code.symbols import Match, Symbol, readings_of, simple_name, unnumbered
from tx_graph.code.use_store import UseStore
from tx_graph.code.uses import CALL, KINDS, WHOLE
from tx_graph.code.uses.meaning import Meanings, Used
from tx_graph.core.arguments import Arg
from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Limited

EXACT, LIKELY = "exact", "likely"
_MOST_NAMED = 10
_CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "new"})
_BEGUN = re.compile(r"""["'`]([a-z]{2,}_)(?=["'`%{$])""")
"""The beginning of names that are put together while a program runs: `f"visit_{kind}"`."""
_MARKED = re.compile(
    r"@|#\[(?!allow|cfg|cold|deny|deprecated|derive|doc|expect|inline|must_use|non_exhaustive|repr|warn)"
)
"""What a line begins with whose symbol something else may call: a decorator, or an attribute that does not only
tell the compiler or a reader something."""
_ABOVE = re.compile(r"@|#\[")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_DEEPEST = 20
_MOST_LINES = 10_000
_MOST_READ = 1_000_000  # bytes of a file in which names are looked for
_COUNTED = frozenset("function method class interface struct enum trait type".split())


def certainty(*, is_likely: bool) -> str:
    """Return how sure a reference is: `exact` by names alone, `likely` where a type was inferred."""
    return LIKELY if is_likely else EXACT


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A place where a symbol is used: `kind` says how, `inside` is the symbol or else the file that does it."""

    path: str
    line: int
    kind: str
    certainty: str
    inside: str
    target: str
    text: str = ""
    JSON: ClassVar = "node=path@file:line path line kind certainty inside target text~"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsersOf(Limited[Reference]):
    """Where a symbol is used, by path and line; `total` counts what a limit cut off, too.

    `remark` says why there is nothing.
    """

    symbol: Symbol
    references: tuple[Reference, ...]
    total: int = 0
    remark: str = ""
    ROWS: ClassVar = "references"
    JSON: ClassVar = "symbol=symbol.fqname references stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A symbol that calls, or is called: in `line` of `path`, `hops` calls away, with respect to `of`."""

    symbol: str
    of: str
    path: str
    line: int
    hops: int
    certainty: str
    JSON: ClassVar = "symbol of node=path@file:line path line hops certainty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls(Limited[Call]):
    """Who calls a symbol, or with `reverse` False what it calls, nearest first, each named once.

    `total` counts what a limit cut off, too; `remark` says why there is nothing.
    """

    symbol: Symbol
    reverse: bool
    calls: tuple[Call, ...]
    total: int = 0
    remark: str = ""
    ROWS: ClassVar = "calls"
    JSON: ClassVar = "symbol=symbol.fqname calls stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedSymbol:
    """A symbol that nobody uses; its name stands `mentions` times where it could not be told what it means."""

    symbol: Symbol
    mentions: int
    JSON: ClassVar = "*symbol mentions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused(Limited[UnusedSymbol]):
    """Symbols of a place that nobody uses, by path and in source order; `total` counts what a limit cut off, too.

    `entries` counts those that were left out because something outside may call them, `mentioned` those whose
    names stand elsewhere; `remark` says why nothing could be told.
    """

    place: IndexedPlace
    unused: tuple[UnusedSymbol, ...]
    entries: int = 0
    mentioned: int = 0
    total: int = 0
    remark: str = ""
    ROWS: ClassVar = "unused"
    JSON: ClassVar = "path=place.name unused entries mentioned stats"


class Target(NamedTuple):
    """A definition by its file and qualified name, without a number."""

    path: str
    name: str

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository."""
        return f"{self.path}::{self.name}" if self.name else self.path


class Users:
    """Finds users of definitions, in one state of the index."""

    def __init__(self, database: Database) -> None:
        self._store, self._symbols = UseStore(database), SymbolStore(database)
        self._imports, self.meanings = ImportStore(database), Meanings(database)
        self._declared: dict[str, list[Symbol]] = {}
        self._known: dict[Target, list[Used]] = {}
        self._used = cache(lambda path, names: [*self.meanings.used(path, names)])  # many targets have one name

    def of(self, target: Target) -> list[Used]:
        """Return where a definition is used, by path and line."""
        if target not in self._known:
            self._known[target] = self._found(target)
        return self._known[target]

    def _found(self, target: Target) -> list[Used]:
        names, importers, looked_at = {target.name.rpartition("::")[2]}, set[str](), 0
        files: list[str] = []
        while looked_at != len(names) + len(importers):  # others may hand it on under another name, or without any
            looked_at = len(names) + len(importers)
            files = sorted({*self._store.files_using(names), target.path, *importers})
            for path in files:
                names.update([*self._renamed(path, names, target, is_importer=path in importers)])
                if self._hands_out(path, target):
                    importers.update(edge.source for edge in self._imports.edges(into_file=path))
        asked = frozenset(names)
        return [one for path in files for one in self._used(path, asked) if (one.target, one.qualified) == target]

    def _hands_out(self, path: str, target: Target) -> bool:
        """Tell whether a definition is all that a file hands out: `module.exports = createApplication`."""
        written = dict(self.meanings.uses(path).exports or ()).get("=")
        found = self.meanings.meaning(path, written) if written else None
        return found is not None and found.is_definition and (found.path, found.name) == target

    def _renamed(self, path: str, names: Collection[str], target: Target, *, is_importer: bool) -> Iterator[str]:
        """Yield the names under which a file hands a definition on, or knows it if it imports it as a whole."""
        uses, whole = self.meanings.uses(path), WHOLE if is_importer else None
        bindings = [one for one in uses.bindings if one.name in names or one.name == whole]
        offered = [(one.local, one.local) for one in bindings if one.local != one.name]
        offered += [(name, written) for name, written in uses.exports or () if name not in names]
        for name, written in offered:
            if name not in names and not name.startswith(("<", "*")):
                found = self.meanings.meaning(path, written)
                if found is not None and found.is_definition and (found.path, found.name) == target:
                    yield name

    def inside(self, path: str, line: int) -> Target:
        """Return the innermost symbol that a line stands in, or the file."""
        holding = [one for one in self.declared(path) if one.line_start <= line <= one.line_end]
        best = min(holding, key=lambda one: one.line_end - one.line_start, default=None)
        return Target(path, unnumbered(best.name) if best else "")

    def declared(self, path: str) -> list[Symbol]:
        """Return the symbols of a file."""
        if path not in self._declared:
            self._declared[path] = self._symbols.with_details(path)
        return self._declared[path]

    def between(self, path: str, first: int, last: int) -> Iterator[Target]:
        """Yield the symbols of a file that have some of these lines and hold no other that has them."""
        touched = [one for one in self.declared(path) if one.line_start <= last and first <= one.line_end]
        for one in touched:
            inner = [other for other in touched if other.name.startswith(f"{one.name}::")]
            spans = [(max(first, other.line_start), min(last, other.line_end)) for other in inner]
            own = range(max(first, one.line_start), min(last, one.line_end) + 1)
            if len(own) > _MOST_LINES or not all(any(a <= line <= b for a, b in spans) for line in own):
                yield target_of(one)

    def depending(self, target: Target) -> Iterator[Used]:
        """Yield the uses of a definition, not from inside itself; of a constructor those of its class."""
        own = f"{target.name}::"
        for one in _calling(self, target) if is_constructor(target) else self.of(target):
            if one.path != target.path or not f"{self.inside(one.path, one.line).name}::".startswith(own):
                yield one

    def made_by(self, symbol: Target, kinds: Collection[str]) -> list[Used]:
        """Return the uses that stand in a symbol."""
        spans = [one.lines for one in self.declared(symbol.path) if unnumbered(one.name) == symbol.name]
        return [
            one
            for one in self.meanings.used(symbol.path)
            if one.kind in kinds and any(first <= one.line <= last for first, last in spans)
        ]


Step = Callable[[Target], Iterator[tuple[Target, Used]]]
"""What leads from one definition to the next, with the use that does."""


class SymbolUses:
    """Who uses what: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def references(
        self,
        symbol: Annotated[str, Arg("SYMBOL", "A name; AuthService.login or PATH::NAME will do.", mcp="")],
        *,
        kind: Annotated[
            Sequence[str], Arg("KIND", "Only these: calls, reads, writes, extends, implements, type.")
        ] = (),
        limit: Annotated[int | None, Arg("N", "Most to show; otherwise all.", flag="-n --limit")] = None,
    ) -> UsersOf:
        """Show where a symbol is used: names followed through imports, scopes, and types as far as they are told.

        A reference is exact where names alone lead to the symbol, and likely where the type of a receiver was inferred
        from an annotation or a constructor. What cannot be told is left out.

        Example:
          tx graph:references AuthService.login
          tx graph:references src/auth.py::verify_token --kind calls --json

        Raises:
            NotFound: There is no such symbol, or there are several.
            UsageError: There is no such kind, or references are not read here.
        """
        for one in kind:
            if one not in KINDS.values():
                raise UsageError(f"There is no kind '{one}'.", hint=f"Choose from {', '.join(KINDS.values())}.")
        found, users = self.find(symbol), Users(self._kernel.database)
        wanted = [one for one in users.of(target_of(found)) if not kind or KINDS[one.kind] in kind]
        unique = list(dict.fromkeys(wanted))
        return UsersOf(
            symbol=found,
            references=tuple(self._told(users, unique[:limit])),
            total=len(unique),
            remark="" if unique else self._why_none(found, "uses"),
        )

    def callers(
        self,
        symbol: Annotated[str, Arg("SYMBOL", "A name; AuthService.login or PATH::NAME will do.")],
        *,
        depth: Annotated[int, Arg("HOPS", "How many calls to go, 1 to 20.")] = 1,
        limit: Annotated[int | None, Arg("N", "Most to show; otherwise all.", flag="-n --limit")] = None,
    ) -> Calls:
        """Show who calls a function, method or class, and with --depth who calls those.

        Example:
          tx graph:callers AuthService.login
          tx graph:callers verify_token --depth 3

        Raises:
            NotFound: There is no such symbol, or there are several.
            UsageError: The depth is not from 1 to 20, or references are not read here.
        """
        found, users = self.find(symbol), Users(self._kernel.database)

        def step(one: Target) -> Iterator[tuple[Target, Used]]:
            for used in _calling(users, one):
                yield users.inside(used.path, used.line), used

        return self._walked(found, step, depth=depth, limit=limit, reverse=True)

    def callees(
        self,
        symbol: Annotated[str, Arg("SYMBOL", "A name; AuthService.login or PATH::NAME will do.")],
        *,
        depth: Annotated[int, Arg("HOPS", "How many calls to go, 1 to 20.")] = 1,
        limit: Annotated[int | None, Arg("N", "Most to show; otherwise all.", flag="-n --limit")] = None,
    ) -> Calls:
        """Show what a function, method or class calls in this repository, and with --depth what those call.

        Example:
          tx graph:callees AuthService.login
          tx graph:callees main --depth 2 --json

        Raises:
            NotFound: There is no such symbol, or there are several.
            UsageError: The depth is not from 1 to 20, or references are not read here.
        """
        found, users = self.find(symbol), Users(self._kernel.database)

        def step(one: Target) -> Iterator[tuple[Target, Used]]:
            for used in users.made_by(one, (CALL,)):
                yield Target(used.target, used.qualified), used

        return self._walked(found, step, depth=depth, limit=limit, reverse=False)

    def unused(
        self,
        path: Annotated[str | None, Arg("PATH", "Only what this file or directory declares.")] = None,
        *,
        mentioned: Annotated[bool, Arg(help="Also those whose names stand elsewhere, untold of what.")] = False,
        limit: Annotated[int | None, Arg("N", "Most to show; otherwise all.", flag="-n --limit")] = None,
    ) -> Unused:
        """Show functions, classes and methods that nothing in this repository uses.

        Left out is what something outside may call: tests, main, names with two underscores on both sides, what bears a
        decorator or overrides a member of a class above, what __init__.py or an index file hands on, what is public in
        a library of Rust, and in Go what other modules may import, exported methods, which an interface may want, and
        what there is one of for each system. So are symbols whose names stand anywhere else, unless --mentioned asks
        for them.

        Example:
          tx graph:unused src/
          tx graph:unused --mentioned --json

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: References are not read here.
        """
        self._check_uses()
        place = EVERYWHERE if path is None else self._kernel.one(IndexedPlaces).find(path)
        users, store = Users(self._kernel.database), UseStore(self._kernel.database)
        files = store.files()
        used: set[Target] = set()
        resolved: Counter[str] = Counter()
        for file in files:
            for one in users.meanings.used(file):
                target = Target(one.target, one.qualified)
                resolved[one.name] += 1
                if target not in used and users.inside(file, one.line) != target:
                    used.add(target)
        candidates, entries = list[Symbol](), 0
        for file in filter(place.holds, files):
            lines = (self._kernel.checkout.tree.read_text(file) or "").split("\n")
            for symbol in users.declared(file):
                target = target_of(symbol)
                if symbol.is_detail or symbol.kind not in _COUNTED or target in used or symbol.name != target.name:
                    continue
                if self._is_entry(users, symbol, lines):
                    entries += 1
                else:
                    candidates.append(symbol)
        mentions = self._mentions({simple_name(one.name) for one in candidates}, resolved)
        told = [UnusedSymbol(symbol=one, mentions=mentions[simple_name(one.name)]) for one in candidates]
        shown = [one for one in told if mentioned or not one.mentions]
        has_any = any(map(place.holds, files))
        return Unused(
            place=place,
            unused=tuple(shown[:limit]),
            entries=entries,
            mentioned=sum(1 for one in told if one.mentions),
            total=len(shown),
            remark="" if has_any else f"No references are read of {place.name}.",
        )

    # ------------------------------------------------------------------------------------------

    def find(self, name: str) -> Symbol:
        """Return the one symbol that a name means.

        Raises:
            NotFound: There is none, or there are several.
            UsageError: References are not read here.
        """
        self._check_uses()
        found = self._kernel.one(SymbolIndex).find_symbol(name)
        exact = found.symbols if found.match is Match.EXACT else ()
        exact = tuple(one for one in exact if not one.is_detail) or exact
        answers = {target_of(one): one for one in reversed(exact)}
        if len(answers) == 1:
            return next(iter(answers.values()))
        if answers:
            raise NotFound(
                f"'{name}' names several symbols.", candidates=sorted(one.fqname for one in answers)[:_MOST_NAMED]
            )
        if inherited := self._inherited(name):
            return inherited
        near = [one.fqname for one in found.symbols[:_MOST_NAMED]] or list(found.nearest)
        raise NotFound(f"There is no symbol '{name}'.", candidates=near)

    def _inherited(self, name: str) -> Symbol | None:
        """Return what a class has from one above it by this name."""
        *holder, member = readings_of(name)[-1]
        found = self._kernel.one(SymbolIndex).find_symbol("::".join(holder)) if holder else None
        if found is None or found.match is not Match.EXACT:
            return None
        meanings = Meanings(self._kernel.database)
        for one in found.symbols:
            held = meanings.meaning(one.path, f"{unnumbered(one.name)}.{member}")
            if held is not None and held.is_definition:
                own = SymbolStore(self._kernel.database).with_details(held.path)
                return next((symbol for symbol in own if symbol.name == held.name), None)
        return None

    def _check_uses(self) -> None:
        if self._kernel.config.get("index.references") == "off":
            raise UsageError(
                "References are not read here: index.references is off.",
                hint="'tx config index.references on' reads them.",
            )

    def _why_none(self, symbol: Symbol, what: str) -> str:
        language = language_of(symbol.path) or ""
        if not reader_of(language).uses:
            return f"Who uses what is not read in {language} files."
        return f"Nothing here {what} {symbol.fqname}, as far as can be told."

    def _told(self, users: Users, found: Sequence[Used]) -> Iterator[Reference]:
        lines: dict[str, list[str]] = {}
        for one in found:
            if one.path not in lines:
                lines[one.path] = (self._kernel.checkout.tree.read_text(one.path) or "").split("\n")
            text = lines[one.path][one.line - 1].strip() if one.line <= len(lines[one.path]) else ""
            yield Reference(
                path=one.path,
                line=one.line,
                kind=KINDS[one.kind],
                certainty=certainty(is_likely=one.is_likely),
                inside=users.inside(one.path, one.line).fqname,
                target=Target(one.target, one.qualified).fqname,
                text=text,
            )

    def _walked(self, start: Symbol, step: Step, *, depth: int, limit: int | None, reverse: bool) -> Calls:
        if not 1 <= depth <= _DEEPEST:
            raise UsageError(f"The depth must be from 1 to {_DEEPEST}, not {depth}.")
        first = target_of(start)
        met: dict[Target, Call] = {}
        frontier = [(first, False)]
        for hop in range(1, depth + 1):
            following: list[tuple[Target, bool]] = []
            for one, was_likely in frontier:
                for other, used in step(one):
                    if other in met or other == first:
                        continue
                    is_likely = was_likely or used.is_likely
                    met[other] = Call(
                        symbol=other.fqname,
                        of=one.fqname,
                        path=used.path,
                        line=used.line,
                        hops=hop,
                        certainty=certainty(is_likely=is_likely),
                    )
                    following.append((other, is_likely))
            frontier = [one for one in following if one[0].name]
            if not frontier:
                break
        calls = list(met.values())
        remark = "" if calls else self._why_none(start, "calls") if reverse else f"{start.fqname} calls nothing here."
        return Calls(symbol=start, reverse=reverse, calls=tuple(calls[:limit]), total=len(calls), remark=remark)

    def _is_entry(self, users: Users, symbol: Symbol, lines: Sequence[str]) -> bool:
        """Tell whether something outside may use a symbol that nothing here uses, given the lines of its file."""
        name = simple_name(symbol.name)
        if name == "main" or (name.startswith("__") and name.endswith("__")) or name in _CONSTRUCTORS:
            return True
        if sort_of(symbol.path) is FileSort.TEST or name.startswith("test_"):
            return True
        own = unnumbered(symbol.name)
        holder = own.rpartition("::")[0]
        around = next(
            (one for one in users.declared(symbol.path) if one.name == holder and one.kind == "trait"), symbol
        )
        if users.meanings.lookup(symbol.path).is_entry(symbol.path, own, around.signature):
            return True
        head = map(str.lstrip, lines[symbol.line_start - 1 : symbol.line_end])
        is_decorated = any(map(_MARKED.match, takewhile(_ABOVE.match, head)))
        return is_decorated or (not holder and users.meanings.is_handed_on(symbol.path, name))

    def _mentions(self, names: Collection[str], resolved: Counter[str]) -> Counter[str]:
        """Return how often each name stands in a source file without being told what it means."""
        seen: Counter[str] = Counter()
        wanted, begun = frozenset(names), Counter[str]()
        for file in self._kernel.checkout.list_files():
            text = self._kernel.checkout.tree.read_text(file.path) if wanted and file.size < _MOST_READ else None
            seen.update(word for word in _WORD.findall(text or "") if word in wanted)
            begun.update(_BEGUN.findall(text or ""))
        declared = SymbolStore(self._kernel.database).by_last_names(wanted)
        found = Counter({name: max(0, seen[name] - resolved[name] - len(declared.get(name, ()))) for name in wanted})
        for beginning, number in begun.items():
            found.update({name: number for name in wanted if name.startswith(beginning)})
        return found


def target_of(symbol: Symbol) -> Target:
    """Return the definition that a symbol is one of."""
    return Target(symbol.path, unnumbered(symbol.name))


def is_constructor(target: Target) -> bool:
    """Tell whether a definition makes instances of the class it stands in."""
    is_one = "::" in target.name and simple_name(target.name) in _CONSTRUCTORS
    return is_one and not target.path.endswith((".go", ".rs"))  # where `new` is a function like others


def _calling(users: Users, target: Target) -> Iterator[Used]:
    """Yield the calls of a function; those of a class call what makes its instances, too."""
    yield from (one for one in users.of(target) if one.kind == CALL)
    if is_constructor(target):
        holder = target.name.rpartition("::")[0]
        yield from (one for one in users.of(Target(target.path, holder)) if one.kind == CALL)


def every_reference(database: Database) -> Iterator[tuple[str, int, str, str, str, str, str]]:
    """Yield (path, line, name, kind, certainty, path and qualified name of what is used) by file, in source order."""
    meanings = Meanings(database)
    for path in UseStore(database).files():
        for one in meanings.used(path):
            sure = certainty(is_likely=one.is_likely)
            yield one.path, one.line, one.name, KINDS[one.kind], sure, one.target, one.qualified
