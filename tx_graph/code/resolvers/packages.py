"""Workspaces: the packages of one repository that import each other by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tx_graph.code.resolvers.index import RepositoryIndex, child, joined, parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A pattern that fits, and the text its `*` stands for (empty without a `*`)."""

    pattern: str
    star: str

    def fill(self, target: str) -> str:
        """Return the target with its `*` replaced."""
        return target.replace("*", self.star)


class Patterns:
    """A set of patterns, sorted once, so that finding the best one takes few comparisons."""

    def __init__(self, patterns: Iterable[str]) -> None:
        known = list(patterns)
        self._known = frozenset(known)
        parted = [(*pattern.partition("*")[::2], pattern) for pattern in known if "*" in pattern]
        self._parted = sorted(parted, key=lambda parts: (-len(parts[0]), -len(parts[2])))

    def best(self, text: str) -> Match | None:
        """Return the fitting pattern: the text itself, else the one with the longest part before the `*`."""
        if text in self._known:
            return Match(pattern=text, star="")
        for before, after, pattern in self._parted:
            if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
                return Match(pattern=pattern, star=text[len(before) : len(text) - len(after)])
        return None


_ENTRY_FIELDS = ("source", "module", "main", "types")


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageJson:
    """The parts of a package.json that imports depend on; paths are relative to `directory`.

    `exports` and `imports` map a subpath (`.`, `./util`, `./features/*`, `#int/*`) to a target: a
    path, a list of targets, or conditions and their targets.
    """

    directory: str
    name: str | None
    entries: tuple[str, ...]
    exports: Mapping[str, object]
    imports: Mapping[str, object]
    workspaces: tuple[str, ...]


def package_at(directory: str, index: RepositoryIndex) -> PackageJson | None:
    """Return the package whose package.json lies in this directory."""
    return index.remember(("package.json", directory), lambda: _read(directory, index))


def targets_for(subpath: str, table: Mapping[str, object]) -> Iterator[str]:
    """Yield the targets that a table of exports or imports gives for a subpath, conditions in file order."""
    match = Patterns(table).best(subpath)
    if match:
        yield from (match.fill(target) for target in _leaves(table[match.pattern]))


def _read(directory: str, index: RepositoryIndex) -> PackageJson | None:
    data = index.json(child(directory, "package.json"))
    if data is None:
        return None
    name = data.get("name")
    return PackageJson(
        directory=directory,
        name=name if isinstance(name, str) else None,
        entries=strings(data.get(field) for field in _ENTRY_FIELDS),
        exports=_subpaths(data.get("exports")),
        imports=_table(data.get("imports")),
        workspaces=_workspaces(data.get("workspaces")),
    )


def strings(values: object) -> tuple[str, ...]:
    """Return the strings among the values; nothing when they are no sequence."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return ()
    return tuple(value for value in values if isinstance(value, str))


def _workspaces(value: object) -> tuple[str, ...]:
    """Return the globs of `workspaces`, written as a list or as `{"packages": [...]}`."""
    return strings(value.get("packages")) if isinstance(value, dict) else strings(value)


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _subpaths(exports: object) -> Mapping[str, object]:
    """Return `exports` keyed by subpath; a lone target or lone conditions speak for `.`."""
    if exports is None:
        return {}
    if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
        return exports
    return {".": exports}


def _leaves(target: object) -> Iterator[str]:
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        yield from (leaf for value in target.values() for leaf in _leaves(value))
    elif isinstance(target, list):
        yield from (leaf for value in target for leaf in _leaves(value))


PNPM_WORKSPACE = "pnpm-workspace.yaml"


def packages_seen_from(directory: str, index: RepositoryIndex) -> Mapping[str, PackageJson]:
    """Return the packages that files of a directory can import by name; the nearest workspace wins."""
    return index.remember(("packages seen from", directory), lambda: _seen_from(directory, index))


def _seen_from(directory: str, index: RepositoryIndex) -> Mapping[str, PackageJson]:
    above = packages_seen_from(parent(directory), index) if directory else {}
    own = package_at(directory, index)
    named = [*_members(directory, own, index), *([own] if own else [])]
    return {**above, **{package.name: package for package in named if package.name}} if named else above


def _members(directory: str, own: PackageJson | None, index: RepositoryIndex) -> Iterator[PackageJson]:
    """Yield the packages below a workspace root that its globs choose; the last glob that fits decides."""
    globs = [*(own.workspaces if own else ()), *_pnpm_globs(directory, index)]
    if not globs:
        return
    rules = [(not glob.startswith("!"), compiled(glob)) for glob in globs]
    for member in _package_directories_below(directory, index):
        relative = member[len(directory) :].lstrip("/")
        verdicts = [wanted for wanted, pattern in rules if pattern.fullmatch(relative)]
        if verdicts and verdicts[-1] and (package := package_at(member, index)):
            yield package


def _pnpm_globs(directory: str, index: RepositoryIndex) -> tuple[str, ...]:
    data = index.yaml(child(directory, PNPM_WORKSPACE))
    return strings(data.get("packages")) if data else ()


def _package_directories_below(directory: str, index: RepositoryIndex) -> Iterator[str]:
    inside = f"{directory}/" if directory else ""
    return (parent(path) for path in index.package_json_paths if path.startswith(inside))


def compiled(glob: str) -> re.Pattern[str]:
    """Return a glob as a pattern for relative paths: `**` stands for any directories, `*` for part of one name."""
    tokens = re.split(r"(\*\*/?|\*|\?)", glob.removeprefix("!").removeprefix("./").rstrip("/"))
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(token, re.escape(token)) for token in tokens))


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
