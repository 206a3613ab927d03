"""Names of Go: of the package that a file belongs to, of those it imports, and the members of types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.code.resolvers import basename, parent
from tx_graph.code.uses import ALL, CLASS, FUNCTION, VARIABLE
from tx_graph.code.uses.lookup import DEFINITION, INSTANCE, MODULE, Lookup, Meaning

if TYPE_CHECKING:
    from tx_graph.code.uses.meaning import Meanings

_BOXES = {"<": "[", "<-": "-", "<m": "{"}
"""What the kind of a meaning begins with that holds what the rest tells: a slice, a channel or a map."""
_RESULTS = "results"
_SYSTEMS = frozenset(
    "aix android darwin dragonfly freebsd illumos ios js linux netbsd openbsd plan9 solaris unix wasip1 windows posix"
    " 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm other".split()
)
_TEST = "_test.go"
_Package = tuple[str, str]


class GoPackages(Lookup):
    """Looks up Go's names; a package is the files of a directory that name it."""

    def __init__(self, meanings: Meanings) -> None:
        super().__init__(meanings)
        self._package_of: dict[str, _Package] = {}
        self._files: dict[_Package, list[str]] = defaultdict(list)
        self._imports: dict[str, dict[str, str]] = defaultdict(dict)
        self._qualifiers: dict[str, dict[str, str]] = {}
        self._declared: dict[_Package, dict[str, list[str]]] = {}
        self._known: dict[tuple[str, str, str], Meaning | None] = {}
        for path, package, _ in meanings.surfaces(".go"):
            self._package_of[path] = (parent(path), package)
            self._files[parent(path), package].append(path)
        for path, module, _, target in meanings.specifiers(".go"):
            self._imports[path].setdefault(module, target)

    # --- names

    def root(self, path: str, name: str) -> Meaning | None:
        """Return what `~::name` stands for in a file: a name of its package, a package, or a name of another's."""
        name = name.rpartition("::")[2]
        package = self._package_of.get(path)
        if package is None:
            return None
        imported = self._imported(path)
        target = imported.get(name)
        if target is not None and name not in self._meanings.uses(path).definitions:
            return Meaning(MODULE, target) if target else None
        if found := self._named(path, package, name):
            return found
        for one in self._meanings.uses(path).bindings:
            target = self._imports[path].get(one.module, "") if one.local == ALL else ""
            if target and (found := self._named(path, self._package_of[target], name)):
                return found
        return None

    def _imported(self, path: str) -> dict[str, str]:
        """Return a file of each package that a file imports, by the name it has there; empty where none is known."""
        if path not in self._qualifiers:
            found = self._qualifiers[path] = {}
            for one in self._meanings.uses(path).bindings:
                target = self._imports[path].get(one.module, "")
                last = one.module.rpartition("/")[2]
                found[one.local or (self._package_of[target][1] if target else last)] = target
        return self._qualifiers[path]

    def _named(self, path: str, package: _Package, name: str) -> Meaning | None:
        """Return what a package declares under a qualified name, as a file sees it."""
        files = self._names(package).get(name, ())
        if path in files:
            return Meaning(DEFINITION, path, name)
        files = [one for one in files if not one.endswith(_TEST)] or files
        if len(files) > 1:  # one for each system that the package is built for
            files = [one for one in files if _systems(one) == _systems(path)] or files
            return Meaning(DEFINITION, files[0], name, is_likely=True)
        return Meaning(DEFINITION, files[0], name) if files else None

    def _names(self, package: _Package) -> dict[str, list[str]]:
        """Return the files that declare each qualified name of a package."""
        if package not in self._declared:
            declared = self._declared[package] = defaultdict(list)
            for file in self._files[package]:
                for one in self._meanings.uses(file).definitions:
                    declared[one].append(file)
        return self._declared[package]

    # --- members

    def member(self, held: Meaning, name: str) -> Meaning | None:
        """Return what follows a dot: a name of a package, a member, what is held, or a result by its number."""
        if name in _BOXES:
            return held._replace(kind=f"{_BOXES[name]}{held.kind}", is_held=True)
        if name in (">", ">k"):
            return self._taken(held, is_counted=name == ">k")
        if name[:1] == "<":  # a type parameter, of which its constraint is known
            return self._meanings.held(held.path, f"{held.name}::{name}")
        if held.kind == _RESULTS:
            value = self._meanings.held(held.path, f"{held.name}().{name}")
            return value.likely() if value else None
        if held.kind == MODULE:
            return self._named("", self._package_of[held.path], name)
        if held.kind == INSTANCE or (held.kind == DEFINITION and self._kind(held) == CLASS):
            found = self._in_type(held.path, held.name, name)
        elif held.kind == DEFINITION and self._kind(held) == VARIABLE:
            value = self._meanings.held(held.path, held.name)
            found = self.member(value.likely(), name) if value else None
        else:
            return None
        return found.likely() if found and held.is_likely else found

    def _kind(self, found: Meaning) -> str:
        return self._meanings.uses(found.path).definitions.get(found.name, "")

    def _taken(self, held: Meaning, *, is_counted: bool) -> Meaning | None:
        """Return what is in a slice, a channel or a map; `is_counted`: what the first variable of a loop is."""
        what = held.kind[:1]
        if what in _BOXES.values():
            return held._replace(kind=held.kind[1:]) if what == "-" or not is_counted else None
        if held.kind == DEFINITION and self._kind(held) != VARIABLE:
            return held._replace(is_held=True)  # of a type or function with parameters
        value = self._meanings.held(held.path, held.name)
        if value is None or (value.kind == held.kind == INSTANCE and value.name == held.name):
            return None
        found = self._taken(value, is_counted=is_counted)
        return found.likely() if found and (held.is_likely or held.kind == DEFINITION) else found

    def step(self, held: Meaning, step: str) -> Meaning | None:
        """Return what a call gives, an instance of a type, or of the struct that a variable is declared with."""
        if step == "^":
            return Meaning(INSTANCE, held.path, held.name, held.is_likely)
        if step == "%":
            if held.kind != DEFINITION:
                return held
            if self._kind(held) == CLASS:
                return held._replace(kind=INSTANCE)
            value = self._meanings.held(held.path, held.name)  # an alias
            return self.step(value, step) if value else None
        if held.kind == DEFINITION:
            what = self._kind(held)
            if what == CLASS:
                return held._replace(kind=INSTANCE)
            if what == FUNCTION:
                value = self._meanings.held(held.path, f"{held.name}()")
                return (value or held._replace(kind=_RESULTS)).likely()
        elif held.kind != INSTANCE:
            return None
        value = self._meanings.held(held.path, held.name)
        return self.step(value.likely(), step) if value and value[:3] != held[:3] else None

    def is_entry(self, path: str, qualified: str, declared: str) -> bool:  # noqa: ARG002 - names tell it
        """Tell whether something outside may use a definition.

        That is what other modules may import, a method that an interface may want, and what a package declares once
        for each system.
        """
        package = self._package_of.get(path, ("", ""))
        holder, _, name = qualified.rpartition("::")
        others = self._names(package)
        if name == "init" or len(others.get(qualified, ())) > 1:
            return True
        if holder:  # an interface names a method in its own package, or any that is exported
            ending = f"::{name}"
            return name[:1].isupper() or any(one.endswith(ending) and one != qualified for one in others)
        return name[:1].isupper() and package[1] != "main" and "internal" not in package[0].split("/")

    def fits(self, found: Meaning, kind: str) -> bool:  # noqa: ARG002 - nothing here goes by it
        """Tell whether what was found has a name."""
        return "<" not in found.name

    def _in_type(self, path: str, qualified: str, name: str) -> Meaning | None:
        key = (path, qualified, name)
        if key not in self._known:
            self._known[key] = None  # what leads back to itself leads nowhere
            self._known[key] = self._looked_up(path, qualified, name)
        return self._known[key]

    def _looked_up(self, path: str, qualified: str, name: str) -> Meaning | None:
        """Return the member of a type that is embedded least deeply; None where several are."""
        level, seen, is_unsure = [Meaning(INSTANCE, path, qualified)], set[tuple[str, str]](), False
        while level:
            found = list(filter(None, (self._own(one, name) for one in level)))
            if found:
                is_one = len({one[1:3] for one in found}) == 1
                return (found[0].likely() if is_unsure else found[0]) if is_one else None
            below: list[Meaning] = []
            for one in level:
                for base in self._meanings.uses(one.path).bases.get(one.name, ()):
                    above = self._meanings.meaning(one.path, f"{base}%") if base else None
                    if above is None or above.kind != INSTANCE:
                        is_unsure = True
                    elif above[1:3] not in seen:
                        seen.add(above[1:3])
                        below.extend(self._and_underlying(above))
            level = below
            if not seen:
                level = self._and_underlying(Meaning(INSTANCE, path, qualified))[1:]
                seen.add((path, qualified))
        return None

    def _and_underlying(self, held: Meaning) -> list[Meaning]:
        """Return a type and those that it is declared to be like."""
        found = [held]
        while len(found) < 4:  # noqa: PLR2004 - more are none that somebody wrote
            value = self._meanings.held(found[-1].path, found[-1].name)
            if value is None or value.kind != INSTANCE or value[1:3] == found[-1][1:3]:
                break
            found.append(value)
        return found

    def _own(self, held: Meaning, name: str) -> Meaning | None:
        whole = f"{held.name}::{name}"
        if whole in self._meanings.uses(held.path).definitions:
            return Meaning(DEFINITION, held.path, whole, held.is_likely)
        package = self._package_of.get(held.path)
        found = self._named(held.path, package, whole) if package and "::" not in held.name else None
        return found.likely() if found and held.is_likely else found


def _systems(path: str) -> Sequence[str]:
    """Return the systems and processors that the name of a file says it is for."""
    return [one for one in basename(path).removesuffix(".go").split("_")[1:] if one in _SYSTEMS]
