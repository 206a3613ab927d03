"""Uses: what the names in a source file mean as far as the file itself can say; how they are written down. Pure.

What a name is bound to elsewhere is worked out when somebody asks (`tx_graph.code.references`), so nothing that is
stored of one file can be made untrue by a change to another.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.tree import first_line, span_of
from tx_graph.core.dataclass import dataclass, field

if TYPE_CHECKING:
    from ast_grep_py import SgNode

CALL, READ, WRITE, EXTEND, IMPLEMENT, TYPE = "crweit"
KINDS = {CALL: "calls", READ: "reads", WRITE: "writes", EXTEND: "extends", IMPLEMENT: "implements", TYPE: "type"}
"""How a symbol may be used, by the letter that stands for it in what is stored."""

CLASS, FUNCTION, VARIABLE, FIELD = "cfvs"
"""What a definition may be; a field is what only a method gives a value, so that a class above may declare it."""
MODULE, MACRO = "nm"
"""What definitions in Rust may be, too: modules inside a file, and macros."""
BLOCK = "b"
"""The kind of a scope whose names are local, but that is no function."""

ALL = "*"
WHOLE = ""
"""The name of a binding to a module itself."""
PREFIX = "."
"""The name of a binding to what a dotted module begins with: `import a.b` binds `a`."""


class Binding(NamedTuple):
    """What an import binds: `local` stands for `name` of `module`; `*` are all of its names.

    `local` begins with `<` where the import does not stand at the top of the file.
    """

    local: str
    module: str
    name: str


class Use(NamedTuple):
    """A use of a symbol in a line, from 1.

    `path` is what the file can say about what is used: a name at the top of the file (of a definition in the file,
    qualified, or of a binding), and steps from there: `.name` for a member, `()` for what a call returns, `@` for an
    instance, `%` for an instance known as the receiver (`self`), `^` for the classes above. Each part of it up to
    a name is used there, but for what stands before a `|`.
    """

    line: int
    kind: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What one file says about its names.

    `definitions` tells what each qualified name is; `holds` has paths for the values of variables and fields, and
    under `name()` for what a function returns; `bases` has those of the classes that a class extends. `exports`
    has (name, path) of what others may import, None where that is every name at the top.
    """

    bindings: tuple[Binding, ...] = ()
    definitions: Mapping[str, str] = field(default_factory=dict)
    holds: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    exports: tuple[tuple[str, str], ...] | None = None
    uses: tuple[Use, ...] = ()

    @property
    def names(self) -> set[str]:
        """Every name by which this file may use a symbol of another, or hand one on."""
        found = {name for _, _, name in self.bindings}.union(*(_NAME.findall(one.path) for one in self.uses))
        if self.exports is not None:
            found.update(*(_NAME.findall(path) for name, path in self.exports if path != name))
        return found - {WHOLE, PREFIX, ALL}


NO_USES = Uses()

_NAME = re.compile(r"[^\s.()@%^|:]+")
STEP = re.compile(r"\.[^\s.()@%^|]+|\(\)|[@%^|]")


def name_hash(name: str) -> int:
    """Return the number by which a name is looked up, of 32 bits."""
    return zlib.crc32(name.encode())


def pack(uses: Uses) -> bytes:
    """Return uses as bytes: lines as differences, so that they take little."""
    lines = [one.line for one in uses.uses]
    document = (
        uses.bindings,
        uses.definitions,
        uses.holds,
        uses.bases,
        uses.exports,
        [line - before for before, line in zip([0, *lines], lines, strict=False)],
        "".join(one.kind for one in uses.uses),
        "\n".join(one.path for one in uses.uses),
    )
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode(), 6)


def unpack(data: bytes) -> Uses:
    """Return what `pack` was given."""
    bindings, definitions, holds, bases, exports, steps, kinds, paths = json.loads(zlib.decompress(data))
    line, uses = 0, []
    for step, kind, path in zip(steps, kinds, paths.split("\n"), strict=False):
        line += step
        uses.append(Use(line, kind, path))
    return Uses(
        bindings=tuple(Binding(*one) for one in bindings),
        definitions=definitions,
        holds=holds,
        bases=bases,
        exports=None if exports is None else tuple((name, path) for name, path in exports),
        uses=tuple(uses),
    )


def points(path: str, kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield (path up to a name, that name, kind of its use) for each name that a use's path uses."""
    steps = list(STEP.finditer(path))
    cut = path.find("|")
    root_end = steps[0].start() if steps else len(path)
    ends = [(root_end, path[:root_end].rpartition("::")[2])] if cut < 0 else []
    ends += [(step.end(), step[0][1:]) for step in steps if step[0][0] == "." and step.start() > cut]
    bare = path.replace("|", "", 1)
    for end, name in ends:
        at = end - (0 <= cut < end)
        told = CALL if bare.startswith("()", at) else kind if at == len(bare) else READ
        yield bare[:at], name, told


# --- collecting: what a language's walker says, settled when the whole file is known ----------------------


class Value(NamedTuple):
    """What an expression is: a name as it stands in a scope (None: `root` is settled), and steps from there."""

    root: str
    steps: str
    scope: Scope | None

    def then(self, steps: str) -> Value:
        """Return what these steps lead to from here."""
        return Value(self.root, self.steps + steps, self.scope)


class Place(NamedTuple):
    """Where something is defined: what it is in a word, and the node that does it."""

    kind: str
    node: SgNode


class Scope:
    """What names mean in a part of a file; `kind` is empty at the top, else that of a definition or a block.

    `values` has what was assigned to each name, None for what nobody can tell.
    """

    __slots__ = ("every", "kind", "names", "outer", "qualified", "settled", "values")

    def __init__(self, outer: Scope | None = None, kind: str = "", qualified: str = "") -> None:
        self.outer, self.kind, self.qualified = outer, kind, qualified
        self.names: dict[str, str] = {}
        self.values: dict[str, list[Value | None]] = {}
        self.settled: dict[str, str | None] = {}
        self.every: list[Scope] = outer.every if outer else []
        self.every.append(self)

    def inner(self, name: str) -> str:
        """Return the qualified name of what is defined here."""
        return f"{self.qualified}::{name}" if self.qualified else name


_MOST_STEPS = 8
"""More are no path that somebody wrote, but one that grows with every assignment."""


class Collector:
    """Takes what a walker finds in a file and works out its `Uses`."""

    def __init__(self, *, hides_members: bool) -> None:
        """Start with an empty file; `hides_members`: the names in a class are unknown inside its functions."""
        self.top = Scope()
        self._hides_members = hides_members
        self._bindings: list[Binding] = []
        self._definitions: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        """Where each qualified name is defined; the second function or class of a name has a number."""
        self._placed: dict[str, set[tuple[int, int]]] = {}
        self._numbers: dict[str, Iterator[int]] = {}
        self._held: dict[str, list[Value | None]] = {}
        self._bases: dict[str, list[Value | None]] = {}
        self._found: list[tuple[int, str, Value, int]] = []
        self.exports: list[tuple[str, Value]] | None = None
        self.known = frozenset[str]()
        """Names that the language has, which a star import may not stand for."""

    def bind(self, scope: Scope, local: str, module: str, name: str) -> None:
        """Note that an import makes a name stand for another file's."""
        if scope is self.top or local == ALL:
            self._bindings.append(Binding(local, module, name))
            self.top.names.setdefault(local, local)
            return
        key = f"<{len(self._bindings)}"
        self._bindings.append(Binding(key, module, name))
        scope.names.setdefault(local, key)

    def bind_unnamed(self, module: str, name: str) -> str:
        """Return what stands for a name of another file that this one does not give a name."""
        self._bindings.append(Binding(f"<{len(self._bindings)}", module, name))
        return self._bindings[-1].local

    def declare(self, scope: Scope, name: str, place: Place | None = None) -> None:
        """Note that a name is this scope's, whatever it is given."""
        if scope.kind in (FUNCTION, BLOCK):
            scope.values.setdefault(name, [])
        else:
            self.define(scope, name, VARIABLE, place)

    def receiver(self, name: str, scope: Scope | None) -> str:
        """Return the class whose method has this name for its receiver; empty when it is none."""
        while scope is not None:
            given = scope.values.get(name)
            if given is not None:
                one = given[0] if len(given) == 1 else None
                return one.root if one is not None and one.scope is None and one.steps in ("%", "") else ""
            scope = scope.outer
        return ""

    def define(self, scope: Scope, name: str, kind: str, place: Place | None = None) -> str:
        """Note that something is defined; return its qualified name."""
        qualified = scope.inner(name)
        if scope.kind in (FUNCTION, BLOCK) and qualified in self._definitions and qualified != scope.names.get(name):
            qualified = self._numbered(qualified)  # another function without a name, or block, has it
        if place is not None:
            self._place(qualified, kind, place)
        if self._definitions.get(qualified, VARIABLE) in (VARIABLE, FIELD):
            self._definitions[qualified] = kind
        scope.names[name] = qualified
        return qualified

    def _place(self, qualified: str, kind: str, place: Place) -> None:
        placed, span = self._placed.setdefault(qualified, set()), span_of(place.node)
        if not placed:
            self.places.setdefault(qualified, place)
        elif kind in (FUNCTION, CLASS) and span not in placed:
            self.places[self._numbered(qualified)] = place
        else:
            return
        placed.add(span)

    def _numbered(self, qualified: str) -> str:
        """Return a qualified name with the first number that it has not had yet."""
        numbers = self._numbers.setdefault(qualified, count(2))
        names = (f"{qualified}#{number}" for number in numbers)
        return next(name for name in names if name not in self._definitions and name not in self.places)

    def assign(self, scope: Scope, name: str, value: Value | None, place: Place | None = None) -> None:
        """Note what a name is given: of a function it is no definition, elsewhere it is."""
        if scope.kind in (FUNCTION, BLOCK):
            scope.values.setdefault(name, []).append(value)
            return
        self.hold(self.define(scope, name, VARIABLE, place), value)

    def reserve(self, name: str) -> None:
        """Note that the top will define a name: what has it in a function without a name, further up, gets a number."""
        self._definitions.setdefault(name, VARIABLE)

    def add_field(self, qualified: str, place: Place | None = None) -> None:
        """Note a member that is defined by giving it a value."""
        if place is not None and qualified not in self._definitions:
            self.places[qualified] = place
        self._definitions.setdefault(qualified, FIELD)

    def hold(self, key: str, value: Value | None) -> None:
        """Note a value of a variable or field, or under `name()` one that a function returns."""
        self._held.setdefault(key, []).append(value)

    def extend(self, qualified: str, bases: Iterable[Value | None]) -> None:
        """Note what a class extends."""
        self._bases.setdefault(qualified, []).extend(bases)

    def use(self, line: int, kind: str, value: Value, since: int = 0) -> None:
        """Note a use; its root and the first `since` characters of its steps stand on another line; -1: the root."""
        self._found.append((line, kind, value, since))

    def use_member(self, held: SgNode, name: SgNode, kind: str, value: Value) -> Value:
        """Note the use of a member of what `held` is worth; return what the member is."""
        line, span = first_line(name), held.range()
        found = value.then(f".{name.text()}")
        is_together = span.start.line + 1 == line == span.end.line + 1
        self.use(line, kind, found, 0 if is_together else len(value.steps) or -1)
        return found

    def result(self) -> Uses:
        """Return what is known now that the whole file is, and leave no cycles behind."""
        found = self._result()
        for scope in self.top.every:
            scope.values.clear()
            scope.outer = None
        self.top.every.clear()
        self._found.clear()
        return found

    def _result(self) -> Uses:
        by_line: dict[int, dict[tuple[str, str], None]] = {}
        for line, kind, value, since in self._found:
            root, is_written = self._root(value.root, value.scope)
            if root is None or value.steps.count(".") > _MOST_STEPS:
                continue
            whole, before = root + value.steps, len(root) + max(since, 0)
            if since or not is_written:
                if before == len(whole):
                    continue
                whole = f"{whole[:before]}|{whole[before:]}"
            by_line.setdefault(line, {})[kind, whole] = None
        uses = [Use(line, kind, path) for line in sorted(by_line) for kind, path in without_parts(list(by_line[line]))]
        holds = {key: path for key, values in self._held.items() if (path := self._agreed(values))}
        return Uses(
            bindings=tuple(dict.fromkeys(self._bindings)),
            definitions=self._definitions,
            holds={key: path for key, path in holds.items() if path != key},
            bases={key: [self._settled(one) or "" for one in values] for key, values in self._bases.items()},
            exports=None
            if self.exports is None
            else tuple(
                (name, path)
                for name, value in dict.fromkeys(self.exports)
                if (path := self._settled(value)) is not None
            ),
            uses=tuple(uses),
        )

    def _agreed(self, values: Sequence[Value | None]) -> str | None:
        """Return the one thing that all of these are; what cannot be told leaves it open."""
        found = {self._settled(value) for value in values}
        return found.pop() if len(found) == 1 else None

    def _settled(self, value: Value | None) -> str | None:
        if value is None or value.steps.count(".") > _MOST_STEPS:
            return None
        root = self._root(value.root, value.scope)[0]
        return None if root is None else root + value.steps

    def _root(self, name: str, scope: Scope | None) -> tuple[str | None, bool]:
        """Return the path of a name as it stands in a scope, and whether it stands there for a definition itself."""
        if scope is None:
            return name, False
        at: Scope | None = scope
        while at is not None:
            if at is scope or at.kind != CLASS or not self._hides_members:
                if name in at.names and not (at.kind == CLASS and name in self.known):
                    return at.names[name], True
                if name in at.values:
                    if name not in at.settled:
                        at.settled[name] = None  # what depends on itself cannot be told
                        found = self._agreed(at.values[name])
                        at.settled[name] = found if found and found.count(".") <= _MOST_STEPS else None
                    return at.settled[name], False
            at = at.outer
        return (name, True) if ALL in self.top.names and name not in self.known else (None, False)


def without_parts(found: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the uses of a line without those that others imply."""
    if len(found) == 1:
        return list(found)
    implied = set()
    for kind, path in found:
        if "." not in path:
            continue
        cut = path.find("|")
        if path.count(".") == (cut >= 0):  # it has one name
            continue
        for part, _, told in list(points(path, kind))[:-1]:
            shown = f"{part[:cut]}|{part[cut:]}" if cut >= 0 else part
            implied.add((told, shown))
    return [one for one in found if one not in implied]
