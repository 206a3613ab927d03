"""Rust: crates by Cargo.toml, their modules and what these hand on, and paths into other crates."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.code.resolvers import RepositoryIndex, child, parent
from tx_graph.code.resolvers.rust import (
    CRATE,
    Module,
    dependencies,
    forest_of,
    manifest_at,
    package_around,
    packages_of,
    table_at,
    text_at,
)
from tx_graph.code.uses import MACRO
from tx_graph.code.uses.meaning import Meanings
from tx_graph.hub.ecosystems import Asking, Need, Offer, Package, is_aside

RESOLVER = "rust"
SEPARATOR = "::"
_MANIFEST = "Cargo.toml"


def packages(index: RepositoryIndex) -> Iterator[Package]:
    """Yield what manifests provide and require."""
    for directory, package in packages_of(index).items():
        path = child(directory, _MANIFEST)
        table = table_at(manifest_at(directory, index), "package")
        if _is_published(directory, index):
            yield Package(path, package.name, is_provided=True, range=text_at(table, "version"))
        for key, entry, _ in dependencies(package, index):
            yield Package(path, text_at(entry, "package") or key, is_provided=False, range=text_at(entry, "version"))


def _is_published(directory: str, index: RepositoryIndex) -> bool:
    published = table_at(manifest_at(directory, index), "package").get("publish")
    return published is not False and not is_aside(child(directory, _MANIFEST))


def offers(index: RepositoryIndex, meanings: Meanings) -> Iterator[Offer]:
    """Yield the modules of libraries, in the modules above them too, and what these hand on of other files."""
    for directory, package in packages_of(index).items():
        first = forest_of(index).library(package)
        if first is None or not _is_published(directory, index):
            continue
        waiting = [(package.crate, "", first)]
        while waiting:
            path, scope, module = waiting.pop()
            yield Offer(module.file, package.name, path)
            for name, file in _handed_on(module, scope, meanings).items():
                if file != module.file:
                    yield Offer(file, package.name, path, name)
            for name, file in _macros(module, meanings):
                if file != first.file:
                    yield Offer(file, package.name, package.crate, name)
            for name, texts in module.children.items():
                for one in texts:
                    yield Offer(one.file, package.name, path, name)
                    inner = f"{scope}::{name}".removeprefix("::") if one.file == module.file else ""
                    waiting.append((f"{path}::{name}", inner, one))


def _macros(module: Module, meanings: Meanings) -> Iterator[tuple[str, str]]:
    """Yield the macros of a file, which others find at the root of the crate."""
    for name, kind in meanings.uses(module.file).definitions.items():
        if kind == MACRO:
            yield name.rpartition("::")[2].removesuffix("!"), module.file


def _handed_on(module: Module, scope: str, meanings: Meanings, depth: int = 3) -> dict[str, str]:
    """Return the files that declare what a module hands on by `pub use`, by name."""
    public = meanings.re_exported(module.file)
    found: dict[str, str] = {}
    for local, path, _ in meanings.uses(module.file).bindings:
        around, _, name = local.removeprefix("~").rpartition("::")
        if path not in public or around != scope or not local.startswith("~"):
            continue
        if name != "*":
            meaning = meanings.meaning(module.file, local)
            if meaning is not None and meaning.path:
                found[name] = meaning.path
        elif depth and (held := meanings.meaning(module.file, f"~{scope}::{path.removesuffix('::*')}")):
            definitions = meanings.uses(held.path).definitions
            found = {one: held.path for one in definitions if "::" not in one} | found
    return found


def needs(asking: Asking) -> Iterator[Need]:
    """Yield the paths into other crates; a name that begins with a capital stands in the module before it."""
    package = package_around(parent(asking.path), asking.index)
    renamed = {
        key.replace("-", "_"): text_at(entry, "package").replace("-", "_")
        for key, entry, _ in (dependencies(package, asking.index) if package else ())
        if text_at(entry, "package")
    }
    for one, reason in asking.specifiers:
        if reason != "external":
            continue
        crate, *names = one.module.removeprefix(CRATE).removeprefix("::").split("::")
        capital = next((place for place, name in enumerate(names) if name[:1].isupper()), len(names) - 1)
        module = SEPARATOR.join([renamed.get(crate, crate), *names[: max(capital, 0)]])
        yield Need(one.line, module, names[capital] if names else "", one.type)
