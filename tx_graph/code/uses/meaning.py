"""What names mean across files: the paths that uses are written in, followed through imports and types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from tx_graph.code.file_store import FileStore, SymbolStore
from tx_graph.code.languages import language_of
from tx_graph.code.resolvers import child, joined, parent
from tx_graph.code.use_store import UseStore
from tx_graph.code.uses import (
    ALL,
    CLASS,
    FIELD,
    FUNCTION,
    NO_USES,
    PREFIX,
    STEP,
    VARIABLE,
    WHOLE,
    Binding,
    Uses,
    points,
)
from tx_graph.code.uses.crates import Crates
from tx_graph.code.uses.go_packages import GoPackages
from tx_graph.code.uses.lookup import ABOVE, BEGINNING, DEFINITION, INSTANCE, MODULE, OPEN, Lookup, Meaning
from tx_graph.code.uses.packages import Packages
from tx_graph.core.database import Database

_LOOKUPS: dict[str, type[Lookup]] = {".go": GoPackages, ".java": Packages, ".rs": Crates}
"""Languages that look up names in a way of their own, by the ending of their files."""
_PACKAGE_FILES = ("__init__.py", "__init__.pyi")


class Used(NamedTuple):
    """A use that leads to a definition in the repository: where, how, and of what."""

    path: str
    line: int
    name: str
    kind: str
    is_likely: bool
    target: str
    qualified: str


class Meanings:
    """Follows paths; what was found once is remembered, so this is for one question or one state of the index."""

    def __init__(self, database: Database) -> None:
        self._store = UseStore(database)
        self._database = database
        self._read: dict[str, Uses] = {}
        self._imported: dict[str, dict[tuple[str, str | None], str]] = {}
        self._known: dict[tuple[str, str], Meaning | None] = {}
        self._named: dict[tuple[str, str], Meaning | None] = {}
        self._members: dict[tuple[str, str, str], Meaning | None] = {}
        self._called: dict[str, list[tuple[str, str]]] = {}
        self._naming: dict[str, list[str]] = {}
        self._lookups: dict[str, Lookup] = {}

    @cached_property
    def files(self) -> frozenset[str]:
        """Every indexed file."""
        return frozenset(FileStore(self._database).paths())

    def uses(self, path: str) -> Uses:
        """Return what a file says."""
        if path not in self._read:
            self._read[path] = self._store.of_file(path)
        return self._read[path]

    def used(self, path: str, names: frozenset[str] | None = None) -> Iterator[Used]:
        """Yield the uses in a file that lead to a definition, in source order; only by these names, when given."""
        uses = self.uses(path)
        aliases = {one.local: one.name for one in uses.bindings if one.name not in (one.local, WHOLE, PREFIX, ALL)}
        words = [*names, *(local for local, name in aliases.items() if name in names)] if names is not None else [""]
        for line, kind, written in uses.uses:
            bare = written.replace("|", "", 1)
            if not any(word in bare for word in words):
                continue  # taking a path apart takes far longer
            for part, last, told in points(written, kind):
                name = aliases.get(part, last)
                if names is not None and name not in names:
                    continue
                found = self.meaning(path, part)
                if found is not None and found.is_definition and self.lookup(found.path).fits(found, told):
                    yield Used(path, line, name, told, found.is_likely, found.path, found.name)

    def lookup(self, path: str) -> Lookup:
        """Return how the language of a file looks up names."""
        ending = path[path.rfind(".") :]
        if ending not in self._lookups:
            self._lookups[ending] = _LOOKUPS.get(ending, Lookup)(self)
        return self._lookups[ending]

    def surfaces(self, ending: str) -> list[tuple[str, str, list[str]]]:
        """Return (path, package, names it offers) of files that end like this."""
        return self._store.surfaces(ending)

    def specifiers(self, ending: str) -> list[tuple[str, str, str, str]]:
        """Return (path, module, scope, path of the file that it means) of the imports in files that end like this."""
        return self._store.specifiers(ending)

    def re_exported(self, path: str) -> dict[str, str | None]:
        """Return the file that each import means by which a file hands something on, by its module."""
        return self._store.re_exported(path)

    def symbols_called(self, name: str) -> list[tuple[str, str]]:
        """Return (path, qualified name) of the symbols with a last name."""
        if name not in self._called:
            self._called[name] = SymbolStore(self._database).by_last_names([name]).get(name, [])
        return self._called[name]

    def files_naming(self, one: str, other: str) -> list[str]:
        """Return the files that may use symbols by both of two names."""
        for name in (one, other):
            if name not in self._naming:
                self._naming[name] = self._store.files_using([name])
        others = set(self._naming[other])
        return [path for path in self._naming[one] if path in others]

    def held(self, path: str, key: str) -> Meaning | None:
        """Return what a variable or field holds, or under `name()` what a function returns."""
        return self._held(path, key)

    def defined(self, path: str, name: str) -> Meaning:
        """Return a definition by its qualified name."""
        return Meaning(DEFINITION, path, name)

    def meaning(self, path: str, written: str) -> Meaning | None:
        """Return what a path that is written in a file leads to; None where that cannot be told."""
        key = (path, written)
        if key not in self._known:
            self._known[key] = None  # what leads back to itself leads nowhere
            self._known[key] = self._followed(path, written)
        return self._known[key]

    def _followed(self, path: str, written: str) -> Meaning | None:
        steps = list(STEP.finditer(written))
        if not steps:
            return self._root(path, written)
        last = steps[-1]
        held = self.meaning(path, written[: last.start()])
        return self._step(held, last[0]) if held else None

    def _step(self, held: Meaning, step: str) -> Meaning | None:
        if step[0] == ".":
            return self.lookup(held.path).member(held, step[1:])
        return self.lookup(held.path).step(held, step)

    def step(self, held: Meaning, step: str) -> Meaning | None:
        """Return what a step other than to a member leads to, by the rules that most languages have."""
        if held.kind != DEFINITION:
            return None
        kind = self.uses(held.path).definitions.get(held.name)
        if kind == CLASS:
            if step == "^":
                return held._replace(kind=ABOVE, is_held=False)
            return Meaning(INSTANCE, held.path, held.name, held.is_likely or step != "%")
        if kind == FUNCTION and step == "()":
            value = self._held(held.path, f"{held.name}()")
            return value.likely() if value else None
        if kind in (VARIABLE, FIELD):
            value = self._held(held.path, held.name)
            return self._step(value.likely(), step) if value and value.kind == DEFINITION else None
        return None

    def _held(self, path: str, key: str) -> Meaning | None:
        written = self.uses(path).holds.get(key)
        found = self.meaning(path, written) if written else None
        return found._replace(is_held=True) if found else None

    def member(self, held: Meaning, name: str) -> Meaning | None:
        """Return what a member is, by the rules that most languages have."""
        if held.kind == MODULE:
            found = self._exported(held.path, name)
        elif held.kind == BEGINNING:
            return self._submodule(held, name)
        elif held.kind == DEFINITION and self.uses(held.path).definitions.get(held.name) != CLASS:
            if f"{held.name}::{name}" in self.uses(held.path).definitions:
                return held._replace(name=f"{held.name}::{name}", is_held=False)
            value = self._held(held.path, held.name)
            return self.member(value.likely(), name) if value else None
        else:
            found = self.in_class(held.path, held.name, name, skip_own=held.kind == ABOVE)
        return found.likely() if found and held.is_likely else found

    def in_class(self, path: str, qualified: str, name: str, *, skip_own: bool = False) -> Meaning | None:
        """Return a member of a class, or of those above it; `skip_own`: only of those above."""
        uses = self.uses(path)
        own = f"{qualified}::{name}"
        kind = None if skip_own else uses.definitions.get(own)
        if kind not in (None, FIELD):
            return Meaning(DEFINITION, path, own)
        key = (path, qualified, f"{'^' if skip_own else ''}{name}")
        if key in self._members:
            return self._members[key]
        self._members[key] = None
        unsure, found = False, None
        for base in uses.bases.get(qualified, ()):
            above = self._class(self.meaning(path, base)) if base else None
            if above is None:
                unsure = True
                continue
            found = self.in_class(above.path, above.name, name)
            if found:
                found = found.likely() if unsure or above.is_likely else found
                break
        if found is None and kind == FIELD:  # which a class above may declare
            found = Meaning(DEFINITION, path, own)
        self._members[key] = found
        return found

    def _class(self, found: Meaning | None) -> Meaning | None:
        """Return the class that a meaning is, or that a variable stands for."""
        for _ in range(4):
            if found is None or found.kind != DEFINITION:
                return None
            if self.uses(found.path).definitions.get(found.name) == CLASS:
                return found
            value = self._held(found.path, found.name)
            found = value.likely() if value else None
        return None

    def is_open(self, path: str, qualified: str, name: str) -> bool:
        """Tell whether a member overrides one of the classes above, or may: not all of them are known."""
        for base in self.uses(path).bases.get(qualified, ()):
            above = self._class(self.meaning(path, base)) if base else None
            if above is None or self.in_class(above.path, above.name, name) or self.is_open(*above[1:3], name):
                return True
        return False

    def is_handed_on(self, path: str, name: str) -> bool:
        """Tell whether the file of a package, or one that only exports, binds a name of another file to offer it."""
        for other in self._store.files_using([name]):
            uses = self.uses(other)
            if other.endswith(_PACKAGE_FILES) or uses.exports is not None:
                written = (
                    [one.local for one in uses.bindings if one.name == name]
                    if uses.exports is None
                    else [text for _, text in uses.exports]
                )
                for one in written:
                    found = self.meaning(other, one)
                    if found is not None and found.is_definition and found.path == path and found.name == name:
                        return other != path or uses.exports is None
        return False

    # --- names at the top of a file

    def _root(self, path: str, name: str) -> Meaning | None:
        """Return what a name stands for at the top of a file, or a definition by its qualified name."""
        if name.startswith(OPEN):
            return self.lookup(path).root(path, name)
        uses = self.uses(path)
        kind = uses.definitions.get(name)
        bindings = [one for one in uses.bindings if one.local == name]
        if kind and (kind != VARIABLE or not bindings):
            return Meaning(DEFINITION, path, name)
        for binding in bindings:
            if found := self._bound(path, binding):
                return found
        if kind:
            return Meaning(DEFINITION, path, name)
        if bindings:
            return None
        for binding in uses.bindings:
            target = self.target(path, binding) if binding.local == ALL else None
            if target and (found := self._exported(target, name)):
                return found
        return None

    def _exported(self, path: str, name: str) -> Meaning | None:
        """Return what a file offers to others under a name."""
        key = (path, name)
        if key not in self._named:
            self._named[key] = None
            self._named[key] = self._offered(path, name)
        return self._named[key]

    def _offered(self, path: str, name: str) -> Meaning | None:
        uses = self.uses(path)
        if uses.exports is None:
            found = self._root(path, name) if uses is not NO_USES else None
            return found or self._beside(path, name)
        for exported, written in uses.exports:
            if exported == name:
                return self.meaning(path, written)
        if whole := dict(uses.exports).get("="):
            found = self.meaning(path, whole)
            return found if found is None or name in ("default", "=") else self.member(found, name)
        for exported, written in uses.exports:
            if exported == ALL and name != "default":
                module = self.meaning(path, written)
                if module and module.kind == MODULE and (found := self._exported(module.path, name)):
                    return found
        return None

    def _beside(self, path: str, name: str) -> Meaning | None:
        """Return the module of a package, by the package's own file."""
        directory, _, file = path.rpartition("/")
        if file not in _PACKAGE_FILES:
            return None
        below = child(directory, name)
        places = (f"{below}.py", f"{below}.pyi", *(child(below, one) for one in _PACKAGE_FILES))
        return next((Meaning(MODULE, place) for place in places if place in self.files), None)

    def target(self, path: str, binding: Binding) -> str | None:
        """Return the file that an import means."""
        if path not in self._imported:
            self._imported[path] = self._store.targets(path)
        named = None if binding.name in (WHOLE, PREFIX) else binding.name
        targets = self._imported[path]
        return targets.get((binding.module, named)) or targets.get((binding.module, None))

    def _bound(self, path: str, binding: Binding) -> Meaning | None:
        target = self.target(path, binding)
        if target is None:
            return None
        if binding.name == PREFIX:
            return Meaning(BEGINNING, path, binding.local)
        if binding.name == WHOLE:
            return self._exported(target, "=") or Meaning(MODULE, target)
        if language_of(path) == "python" and _is_submodule(path, binding, target):
            return self._exported_by_package(target, binding.name) or Meaning(MODULE, target)
        return self._exported(target, binding.name)

    def _exported_by_package(self, target: str, name: str) -> Meaning | None:
        """Return what a package's own file binds to the name of one of its modules, unless that is the module."""
        directory = parent(parent(target) if target.endswith(_PACKAGE_FILES) else target)
        for file in _PACKAGE_FILES:
            place = child(directory, file)
            if place in self.files and self.uses(place).definitions.get(name):
                return Meaning(DEFINITION, place, name)
        return None

    def _submodule(self, held: Meaning, name: str) -> Meaning | None:
        """Return what follows the beginning of a dotted module that a file imports."""
        whole = f"{held.name}.{name}"
        package = None
        for binding in self.uses(held.path).bindings:
            if binding.name != PREFIX:
                continue
            if binding.module == whole:
                target = self.target(held.path, binding)
                return Meaning(MODULE, target) if target else None
            if binding.module.startswith(f"{whole}."):
                return Meaning(BEGINNING, held.path, whole)
            if binding.module.startswith(f"{held.name}.") and (target := self.target(held.path, binding)):
                package = package or (target, binding.module.count(".") - held.name.count("."))
        if package is None:
            return None
        directory = parent(package[0]) if not package[0].endswith(_PACKAGE_FILES) else parent(parent(package[0]))
        for _ in range(package[1] - 1):
            directory = parent(directory)
        files = (child(directory, file) for file in _PACKAGE_FILES)
        return next((self._exported(file, name) for file in files if file in self.files), None)


def _is_submodule(path: str, binding: Binding, target: str) -> bool:
    """Tell whether `from module import name` means a module of the package, not a name in its file."""
    stem = target.removesuffix("i").removesuffix(".py").removesuffix("/__init__")
    below = binding.module.lstrip(".")
    if below == binding.module:
        return f"/{stem}".endswith(f"/{binding.module.replace('.', '/')}/{binding.name}")
    base: str | None = parent(path)
    for _ in range(len(binding.module) - len(below) - 1):
        base = parent(base) if base else ""
    return stem == joined(base or "", "/".join([*below.split("."), binding.name]))
