"""tsconfig.json and jsconfig.json: the aliases that imports may use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.package_json import strings
from tx_graph.analysis.imports.paths import joined, parent
from tx_graph.analysis.imports.patterns import Match, Patterns
from tx_graph.analysis.imports.workspaces import compiled, packages_seen_from

CONFIG_NAMES = ("tsconfig.json", "jsconfig.json")
_CONFIG_DIRECTORY = "${configDir}"


@dataclass(frozen=True, kw_only=True)
class Aliases:
    """What `baseUrl` and `paths` say once `extends` is followed.

    `base_url` is a directory of the repository. Targets of `paths` start at `base_url`, else at
    `paths_home`, the directory of the file that declares them.
    """

    base_url: str | None = None
    paths: Mapping[str, tuple[str, ...]] | None = None
    paths_home: str = ""

    @property
    def empty(self) -> bool:
        """Tell whether nothing is declared."""
        return self.base_url is None and not self.paths

    def matched(self, module: str) -> bool:
        """Tell whether an alias says that the module lies in the repository; the catch-all `*` does not."""
        match = self._match(module)
        if match is None or match.pattern == "*":
            return False
        return not any("node_modules/" in place for place in self.places(module))

    def _match(self, module: str) -> Match | None:
        return self._patterns.best(module) if self.paths else None

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.paths or ())

    def places(self, module: str) -> Iterator[str]:
        """Yield the paths that `paths` gives for a module, in order."""
        paths = self.paths or {}
        home = self.paths_home if self.base_url is None else self.base_url
        if match := self._match(module):
            places = (_placed(home, match.fill(target)) for target in paths[match.pattern])
            yield from (place for place in places if place is not None)


NO_ALIASES = Aliases()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Project:
    """A configuration's aliases, and the paths below `directory` that it says it is about."""

    aliases: Aliases
    directory: str
    included: tuple[re.Pattern[str], ...]
    excluded: tuple[re.Pattern[str], ...]

    def covers(self, source: str) -> bool:
        relative = source[len(self.directory) :].lstrip("/")
        chosen = any(pattern.fullmatch(relative) for pattern in self.included)
        return chosen and not any(pattern.fullmatch(relative) for pattern in self.excluded)


def aliases_for(source: str, index: RepositoryIndex) -> Aliases:
    """Return the aliases that hold for a source file: those of the nearest configuration.

    Where that one only refers to others beside it, the first of those that includes the file decides.
    """
    path = index.nearest(parent(source), CONFIG_NAMES)
    if path is None:
        return NO_ALIASES
    projects = index.remember(("alias projects", path), lambda: _projects(path, index))
    if not projects:
        return NO_ALIASES
    first, *others = projects
    covering = (project for project in projects if project.covers(source))
    return next(covering, first).aliases if others else first.aliases


def _projects(path: str, index: RepositoryIndex) -> tuple[_Project, ...]:
    """Return the projects with aliases that a configuration speaks for; alike ones count once."""
    own = _inherited(path, index, ())
    candidates = [path] if not own.empty else _references_beside(path, index)
    projects = [_project(candidate, index) for candidate in candidates]
    declaring = [project for project in projects if not project.aliases.empty]
    alike = all(project.aliases == declaring[0].aliases for project in declaring)
    return tuple(declaring[:1] if alike else declaring)


def _project(path: str, index: RepositoryIndex) -> _Project:
    data = index.json(path) or {}
    included = (*strings(data.get("files")), *strings(data.get("include")))
    return _Project(
        aliases=_inherited(path, index, ()),
        directory=parent(path),
        included=tuple(_globs(included or ("**/*",))),
        excluded=tuple(_globs(strings(data.get("exclude")))),
    )


def _globs(globs: Iterable[str]) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of `include` and `exclude`; a directory stands for everything in it."""
    for glob in globs:
        yield compiled(glob)
        yield compiled(f"{glob.rstrip('/')}/**/*")


def _references_beside(path: str, index: RepositoryIndex) -> Iterator[str]:
    references = (index.json(path) or {}).get("references")
    for reference in references if isinstance(references, list) else ():
        target = reference.get("path") if isinstance(reference, dict) else None
        beside = joined(parent(path), target) if isinstance(target, str) else None
        if beside is not None and parent(beside) == parent(path):
            yield beside


def _inherited(path: str, index: RepositoryIndex, seen: tuple[str, ...]) -> Aliases:
    """Return a configuration's aliases laid over those of the files it extends; a cycle ends quietly."""
    data = index.json(path)
    if data is None or path in seen:
        return NO_ALIASES
    aliases = NO_ALIASES
    for base in _bases(path, data.get("extends"), index):
        aliases = _over(_inherited(base, index, (*seen, path)), aliases)
    return _over(_declared(path, data.get("compilerOptions"), leaf=seen[0] if seen else path), aliases)


def _bases(path: str, extends: object, index: RepositoryIndex) -> Iterator[str]:
    """Yield the configurations that `extends` names: by path or inside a package of the workspace."""
    for name in (extends,) if isinstance(extends, str) else strings(extends):
        place = joined(parent(path), name) if name.startswith(".") else _in_package(parent(path), name, index)
        spellings = (place, f"{place}.json", f"{place}/tsconfig.json") if place else ()
        yield from [file for file in spellings if index.is_file(file)][:1]


def _in_package(directory: str, name: str, index: RepositoryIndex) -> str | None:
    for package_name, package in packages_seen_from(directory, index).items():
        if name == package_name or name.startswith(f"{package_name}/"):
            return joined(package.directory, name[len(package_name) :])
    return None


def _declared(path: str, options: object, *, leaf: str) -> Aliases:
    if not isinstance(options, dict):
        return NO_ALIASES
    base_url, paths = options.get("baseUrl"), options.get("paths")
    return Aliases(
        base_url=_placed(parent(path), _anchored(base_url, leaf)) if isinstance(base_url, str) else None,
        paths=_targets(paths, leaf) if isinstance(paths, dict) else None,
        paths_home=parent(path),
    )


def _targets(paths: Mapping[str, object], leaf: str) -> Mapping[str, tuple[str, ...]]:
    return {key: tuple(_anchored(target, leaf) for target in strings(value)) for key, value in paths.items()}


def _over(nearer: Aliases, base: Aliases) -> Aliases:
    """Return the nearer declarations, completed by the base's; `paths` are replaced whole, as tsc does."""
    base_url = base.base_url if nearer.base_url is None else nearer.base_url
    return replace(base if nearer.paths is None else nearer, base_url=base_url)


def _anchored(target: str, leaf: str) -> str:
    """Return the target with `${configDir}`, the directory of the outermost file, as a path from the root."""
    return target.replace(_CONFIG_DIRECTORY, f"/{parent(leaf)}")


def _placed(home: str, target: str) -> str | None:
    """Return the path of a target; one with a leading `/` already starts at the repository's root."""
    return joined("" if target.startswith("/") else home, target)
