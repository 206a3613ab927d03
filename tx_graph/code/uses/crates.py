"""Names of Rust: modules over files, what is brought into them, and what types have from `impl` anywhere."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tx_graph.code.uses import CLASS, FUNCTION, MACRO, MODULE, VARIABLE, Binding
from tx_graph.code.uses.lookup import DEFINITION, Lookup, Meaning

if TYPE_CHECKING:
    from tx_graph.code.uses.meaning import Meanings

_SAME = frozenset(
    "as_ref as_mut as_deref as_deref_mut iter iter_mut into_iter clone cloned copied filter skip take rev peekable ok"
    " ok_or ok_or_else map_err context with_context chain lock read write drain values values_mut into_values get"
    " get_mut first last first_mut last_mut pop next peek or or_else find max_by_key min_by_key inspect as_slice"
    " to_vec remove next_back nth skip_while take_while step_by by_ref fuse collect try_lock upgrade downgrade"
    " as_pin_mut transpose".split()
)
"""Methods of what holds things after which it is still held."""
_TAKEN = frozenset(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default borrow borrow_mut into_inner unwrap_unchecked"
    " get_or_insert_with insert swap_remove".split()
)
_PUBLIC = re.compile(r"pub\b(?!\s*\()")
_PROGRAMS = frozenset({"main.rs", "build.rs"})
_OF_PROGRAMS = frozenset({"bin", "benches", "examples", "tests"})
"""Directories of which each file begins a crate that nobody imports."""
_PRIMITIVES = frozenset("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split())


class Crates(Lookup):
    """Looks up Rust's names."""

    def __init__(self, meanings: Meanings) -> None:
        super().__init__(meanings)
        self._below: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        self._above: dict[str, tuple[str, str]] = {}
        self._bindings: dict[str, dict[str, list[Binding]]] = {}
        self._known: dict[tuple[str, str, str], Meaning | None] = {}
        paths: list[tuple[str, str, str]] = []
        for path, module, scope, target in meanings.specifiers(".rs"):
            if module.startswith("mod "):
                self._below[path, scope].setdefault(module[4:], target)
                if target != path:
                    self._above.setdefault(target, (path, scope))
            else:
                paths.append((path, module.removeprefix("extern crate ").split("::")[0], target))
        for target in sorted({target for _, _, target in paths} - self._above.keys()):
            self._place(target)
        self._crates: dict[str, dict[str, str]] = defaultdict(dict)
        for path, head, target in paths:
            if head and (root := self._root(target)) != self._root(path):
                self._crates[head].setdefault(self._root(path), root)

    def _place(self, path: str) -> None:
        """Take a file that something imports, but only a macro declares, for a module of where it lies."""
        *above, name = path.removesuffix(".rs").removesuffix("/mod").split("/")
        around = "/".join(above)
        for one in (f"{around}/mod.rs", f"{around}.rs", f"{around}/lib.rs", f"{around}/main.rs"):
            if name not in ("lib", "main") and one != path and one in self._meanings.files:
                self._below[one, ""].setdefault(name, path)
                self._above[path] = (one, "")
                break

    def _root(self, path: str) -> str:
        """Return the file that the crate of a file begins with."""
        for _ in range(64):
            if path not in self._above:
                break
            path = self._above[path][0]
        return path

    def root(self, path: str, written: str) -> Meaning | None:
        """Return what `~module::name` stands for in a file, or `~module!::name` for a macro."""
        scope, _, name = written[1:].rpartition("::")
        if scope.rpartition("::")[2].startswith("*"):  # in a function that brings in all names of something
            module = scope.rpartition("::")[0]
            brought = [self._followed(path, module, one.module) for one in self._bound(path).get(f"~{scope}", ())]
            held = brought[0] if brought else None
            return (self._offered(held, name) if held else None) or self._first(path, module, name)
        if "!" in scope:
            module, _, head = scope.partition("!")
            return self._macro(path, module, head, name)
        return self._first(path, scope, name)

    def _first(self, path: str, scope: str, name: str) -> Meaning | None:
        if name in ("crate", "$crate"):
            return self._module(self._root(path))
        if name in ("self", "super"):
            return self.member(self._module(path, scope), name)
        return None if name in _PRIMITIVES else self._named(path, scope, name) or self._crate(path, name)

    def _module(self, path: str, scope: str = "") -> Meaning:
        return self._meanings.defined(path, scope)._replace(kind="module")

    def _crate(self, path: str, name: str) -> Meaning | None:
        """Return the crate that a name stands for, as far as anything of it is imported."""
        seen = self._crates.get(name, {})
        root = seen.get(self._root(path)) or (next(iter(seen.values())) if len(set(seen.values())) == 1 else None)
        return self._module(root) if root else None

    def _named(self, path: str, scope: str, name: str) -> Meaning | None:
        """Return what a module has under a name."""
        key = (path, scope, name)
        if key not in self._known:
            self._known[key] = None  # what leads back to itself leads nowhere
            self._known[key] = self._looked_up(path, scope, name)
        return self._known[key]

    def _looked_up(self, path: str, scope: str, name: str) -> Meaning | None:
        qualified = f"{scope}::{name}" if scope else name
        kind = self._meanings.uses(path).definitions.get(qualified)
        if kind == MODULE:
            return self._module(path, qualified)
        if kind and kind != MACRO:
            return self._meanings.defined(path, qualified)
        if name in self._below.get((path, scope), ()):
            return self._module(self._below[path, scope][name])
        bindings = self._bound(path)
        for one in bindings.get(f"~{scope}::{name}", ()):
            if found := self._followed(path, scope, one.module):
                return found
        for one in bindings.get(f"~{scope}::*", ()):
            held = self._followed(path, scope, one.module.removesuffix("::*"))
            if held and (found := self._offered(held, name)):
                return found
        return None

    def _offered(self, held: Meaning, name: str) -> Meaning | None:
        """Return what a glob brings in under a name: of a module, or the variant of an enum."""
        if held.kind == "module":
            return self._named(held.path, held.name, name)
        own = f"{held.name}::{name}"
        return self._meanings.defined(held.path, own) if own in self._meanings.uses(held.path).definitions else None

    def _bound(self, path: str) -> dict[str, list[Binding]]:
        if path not in self._bindings:
            found = self._bindings[path] = defaultdict(list)
            for one in self._meanings.uses(path).bindings:
                found[one.local].append(one)
        return self._bindings[path]

    def _followed(self, path: str, scope: str, written: str) -> Meaning | None:
        """Return what a path of an import leads to."""
        head, *names = written.split("::")
        found = self._first(path, scope, head) if head else self._crate(path, names.pop(0))
        for name in names:
            if found is None:
                return None
            before, found = found, self.member(found, name)
            if found is None and before.kind == "module" and not before.name and before.path not in self._above:
                found = self._exported_macro(before.path, name)
        return found

    # --- macros

    def _macro(self, path: str, scope: str, head: str, name: str) -> Meaning | None:
        if head:
            held = self._followed(path, scope, head)
            if held is None or held.kind != "module":
                return None
            own = self._own_macro(held.path, held.name, name)
            return own or self._named(held.path, held.name, name) or self._exported_macro(self._root(held.path), name)
        at: tuple[str, str] | None = (path, scope)
        while at is not None:
            if found := self._own_macro(*at, name):
                return found
            at = (at[0], at[1].rpartition("::")[0]) if at[1] else self._above.get(at[0])
        found = self._named(path, scope, name)
        return found if found and self._kind(found) == MACRO else self._exported_macro(self._root(path), name)

    def _own_macro(self, path: str, scope: str, name: str) -> Meaning | None:
        qualified = f"{scope}::{name}" if scope else name
        is_one = self._meanings.uses(path).definitions.get(qualified) == MACRO
        return self._meanings.defined(path, qualified) if is_one else None

    def _exported_macro(self, root: str, name: str) -> Meaning | None:
        """Return the only macro of a crate with a name."""
        found = [
            held
            for held in (self._meanings.defined(*one) for one in self._meanings.symbols_called(name))
            if held.path.endswith(".rs") and self._root(held.path) == root and self._kind(held) == MACRO
        ]
        return found[0] if len(found) == 1 else None

    def is_entry(self, path: str, qualified: str, declared: str) -> bool:
        """Tell whether something outside may use a definition, as what is public in a crate that others may import."""
        *directories, name = self._root(path).split("/")
        is_program = name in _PROGRAMS or not _OF_PROGRAMS.isdisjoint(directories[-1:])
        is_public = not is_program and bool(_PUBLIC.match(declared))
        return is_public or super().is_entry(path, qualified, declared)

    def fits(self, found: Meaning, kind: str) -> bool:  # noqa: ARG002 - nothing here goes by it
        """Tell whether what was found is more than the number of an element."""
        return not found.name.rpartition("::")[2].isdecimal()

    def _kind(self, found: Meaning) -> str:
        return self._meanings.uses(found.path).definitions.get(found.name, "")

    # --- members

    def member(self, held: Meaning, name: str) -> Meaning | None:  # noqa: PLR0911 - one for each kind
        """Return what a name after a dot or two colons stands for."""
        if held.kind == "module":
            if name == "self":
                return held
            if name == "super":
                if held.name:
                    return self._module(held.path, held.name.rpartition("::")[0])
                return self._module(*self._above[held.path]) if held.path in self._above else None
            return self._named(held.path, held.name, name)
        if name == "<":
            return held._replace(kind=f"<{held.kind}", is_held=True)
        if held.kind.startswith("<"):
            if name in _SAME:
                return held._replace(kind=f"={held.kind}", is_likely=True)
            if name == ">":
                return held._replace(kind=held.kind[1:], is_likely=True)
            return held._replace(kind=f"={held.kind[1:]}", is_likely=True) if name in _TAKEN else None
        if held.kind.startswith("="):
            return None
        if held.kind == "definition" and self._kind(held) != CLASS:
            if f"{held.name}::{name}" in self._meanings.uses(held.path).definitions:
                return held._replace(name=f"{held.name}::{name}", is_held=False)
            value = self._meanings.held(held.path, held.name)
            if value is not None:
                return self.member(value.likely(), name)
            scope, _, own = held.name.rpartition("::")
            module = self._below.get((held.path, scope), {}).get(own)  # which may share its name with a function
            return self._named(module, "", name) if module else None
        if name == ">":
            item = self.in_class(held.path, held.name, "Item")
            value = self._meanings.held(item.path, item.name) if item else None
            return value.likely()._replace(kind="instance") if value and value.kind == "definition" else value
        found = self.in_class(held.path, held.name, name)
        return found.likely() if found and held.is_likely else found

    def step(self, held: Meaning, step: str) -> Meaning | None:
        """Return what a step leads to; what calling something gives that is held in something else, too."""
        if held.kind == DEFINITION:
            return super().step(held, step)
        return held._replace(kind=held.kind[1:]) if step == "()" and held.kind.startswith("=") else None

    def in_class(self, path: str, qualified: str, name: str) -> Meaning | None:
        """Return a member of a type: its own, of an `impl` in any file, or of a trait that it implements."""
        key = (path, f"{qualified} ", name)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._member_of(path, qualified, name)
        return self._known[key]

    def _member_of(self, path: str, qualified: str, name: str) -> Meaning | None:
        uses = self._meanings.uses(path)
        if f"{qualified}::{name}" in uses.definitions:
            return self._meanings.defined(path, f"{qualified}::{name}")
        for base in uses.bases.get(qualified, ()):  # a trait
            above = self._meanings.meaning(path, base) if base else None
            if above and above.kind == "definition" and (found := self.in_class(above.path, above.name, name)):
                return found
        last = qualified.rpartition("::")[2]
        own: list[Meaning] = []
        offered: list[Meaning] = []
        for file, whole in self._meanings.symbols_called(name):
            holder = whole.rpartition("::")[0]
            if not file.endswith(".rs") or not holder or self._meanings.uses(file).definitions.get(whole) != FUNCTION:
                continue
            if holder.rpartition("::")[2] == last and self._is_of(file, holder, path, qualified):
                own.append(self._meanings.defined(file, whole))
            elif self._meanings.uses(file).definitions.get(holder) == CLASS:
                offered.append(self._meanings.defined(file, whole))
        if len(own) != 1 and not (own and len({one.path for one in own}) == 1):
            if own:
                return None
            own = [one for one in offered if self._has(path, qualified, one.path, one.name.rpartition("::")[0])]
        return own[0] if len(own) == 1 else None

    def _is_of(self, file: str, holder: str, path: str, qualified: str) -> bool:
        """Tell whether what an `impl` of a file is for is this type."""
        scope, _, name = holder.rpartition("::")
        written = self._meanings.uses(file).holds.get(f"{holder}^", f"~{scope}::{name}")
        for _ in range(2):
            found = self._meanings.meaning(file, written)
            if found is None or found.kind != "definition":
                return False
            if (found.path, found.name) == (path, qualified):
                return True
            if self._kind(found) != VARIABLE:
                return False
            file, written = found.path, self._meanings.uses(found.path).holds.get(found.name, "")
        return False

    def _has(self, path: str, qualified: str, file: str, trait: str) -> bool:
        """Tell whether a type implements a trait, as far as the files of the two say, or those that name both."""
        name = trait.rpartition("::")[2]
        files = [path, file]
        for one in (*files, *self._meanings.files_naming(qualified.rpartition("::")[2], name)):
            for key, bases in self._meanings.uses(one).bases.items():
                if not key.endswith("^") or key[:-1].rpartition("::")[2] != qualified.rpartition("::")[2]:
                    continue
                for base in bases:
                    if base.endswith(name) and self._is_of(one, key[:-1], path, qualified):
                        found = self._meanings.meaning(one, base)
                        if found and (found.path, found.name) == (file, trait):
                            return True
        return False
