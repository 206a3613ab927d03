"""Names that need no import: members of the classes around, types of the file's package, and what imports on demand."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tx_graph.code.resolvers import shared_depth
from tx_graph.code.uses import ALL, CALL, FUNCTION, READ, VARIABLE, WHOLE, WRITE, Binding
from tx_graph.code.uses.lookup import OPEN, Lookup, Meaning

if TYPE_CHECKING:
    from tx_graph.code.uses.meaning import Meanings


class Packages(Lookup):
    """Looks up Java's names."""

    def __init__(self, meanings: Meanings) -> None:
        super().__init__(meanings)
        self._of_file: dict[str, str] = {}
        self._types: dict[tuple[str, str], list[str]] = defaultdict(list)
        for path, package, names in meanings.surfaces(".java"):
            self._of_file[path] = package
            for name in names:
                self._types[package, name].append(path)

    def root(self, path: str, name: str) -> Meaning | None:
        """Return what `~Outer::Inner::name` stands for in a file."""
        around, _, name = name.removeprefix(OPEN).rpartition("::")
        if found := self._around(path, around, name):
            return found
        if name in self._meanings.uses(path).definitions:
            return self._meanings.defined(path, name)
        bindings = self._meanings.uses(path).bindings
        if named := [one for one in bindings if one.local == name]:
            return next((found for one in named if (found := self._bound(path, one, name))), None)
        if found := self._type(path, self._of_file.get(path, ""), name):
            return found
        for one in bindings:
            if one.local == ALL and (found := self._bound(path, one, name) or self._type(path, one.module, name)):
                return found
        return None

    def _around(self, path: str, around: str, name: str) -> Meaning | None:
        while around:
            if found := self._meanings.in_class(path, around, name):
                return found
            around = around.rpartition("::")[0]
        return None

    def _bound(self, path: str, binding: Binding, name: str) -> Meaning | None:
        """Return what an import of a type, of a member, or of all members of a type stands for."""
        target = self._meanings.target(path, binding)
        package = self._of_file.get(target or "", "")
        if target is None or (package and not binding.module.startswith(f"{package}.")):
            return None
        first, *inner = binding.module[len(package) + 1 if package else 0 :].split(".")
        if first not in self._meanings.uses(target).definitions:
            return None
        found: Meaning | None = self._meanings.defined(target, first)
        for one in inner if binding.name == WHOLE else (*inner, name):
            found = self._meanings.in_class(found.path, found.name, one) if found else None
        return found

    def _type(self, path: str, package: str, name: str) -> Meaning | None:
        """Return the type of a package that is nearest to a file; None where several are."""
        files = self._types.get((package, name), ())
        depths = [shared_depth(path, one) for one in files]
        nearest = [one for one, depth in zip(files, depths, strict=True) if depth == max(depths)]
        return self._meanings.defined(nearest[0], name) if len(nearest) == 1 else None

    def fits(self, found: Meaning, kind: str) -> bool:
        """Tell whether what was found can be used like this: a method and a field may share a name."""
        uses = self._meanings.uses(found.path)
        what = uses.definitions.get(found.name)
        if kind == CALL:
            return what != VARIABLE
        return not (kind in (READ, WRITE) and what == FUNCTION and found.name in uses.holds)
