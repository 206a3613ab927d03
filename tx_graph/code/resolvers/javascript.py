"""JavaScript, TypeScript and Vue: which file an import names, by paths, aliases and the packages of workspaces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    child,
    joined,
    parent,
    remembered,
    upward,
)
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.globs import linear

NAMES_ANY_FILE = True
"""`./style.css` is no code, but it is not missing either; and any JSON file may be what a tsconfig.json extends."""

_APPENDED = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".d.ts")
_WRITTEN_AS = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What the compiler's output extension, which imports must spell, stands for in the sources."""
CODE_EXTENSION = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
OUTPUT_DIRECTORIES = frozenset({"dist", "lib", "build", "out", "es", "esm", "cjs"})
"""Directories of a package that hold what is built of its sources."""
_NODE_MODULES = """
    assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
    domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring
    readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads
    zlib
"""
NODE_MODULES = frozenset(_NODE_MODULES.split())
"""The modules that Node.js brings along (node:module's `builtinModules`, without the private ones)."""
Find = Callable[[str, RepositoryIndex], "str | None"]
_SCHEME = re.compile(r"[a-z][\w+.-]*:")
_RELATIVE = re.compile(r"\.{1,2}(?:/|$)")
_MEANS_DIRECTORY = re.compile(r"(?:^|/)\.{0,2}$")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that a specifier in the file `source` names.

    A bare name may mean, in this order: what `paths` say, a built-in, what `baseUrl`, `imports` or a package say.
    """
    module = specifier.module.partition("?")[0]
    if _RELATIVE.match(module):
        path = joined(parent(source), module)
        if path is None:
            return MISSING
        return _landing(path, index, directory_entry if _MEANS_DIRECTORY.search(module) else locate)
    if _SCHEME.match(module):
        return STDLIB if module.startswith("node:") else EXTERNAL
    aliases = aliases_for(source, index)
    if landing := _first_landing(aliases.places(module), index):
        return landing
    if module.partition("/")[0] in NODE_MODULES:
        return STDLIB
    base = None if aliases.base_url is None else joined(aliases.base_url, module)
    if base and (landing := _first_landing([base], index)):
        return landing
    landing = _package_landing(parent(source), module, index)
    return MISSING if landing is EXTERNAL and aliases.matched(module) else landing


def _first_landing(places: Iterable[str], index: RepositoryIndex) -> Landing | None:
    landings = (_landing(place, index) for place in places)
    return next((landing for landing in landings if landing is not MISSING), None)


def _landing(path: str, index: RepositoryIndex, find: Find | None = None) -> Landing:
    """Return the landing on a path; what is tracked but no source is an asset, or data without its extension."""
    if file := (find or locate)(path, index):
        return at(file)
    return NOT_CODE if index.is_file(path) or index.is_file(f"{path}.json") else MISSING


def _package_landing(directory: str, module: str, index: RepositoryIndex) -> Landing:
    """Return the landing on `#name` by the `imports` of the own package, on another's name by its `exports`."""
    if module.startswith("#"):
        packages = (package_at(above, index) for above in upward(directory))
        own = next((package for package in packages if package), None)
        file = _declared_file(own, targets_for(module, own.imports), index) if own else None
        return at(file) if file else MISSING
    names = module.split("/")
    cut = 2 if module.startswith("@") else 1
    package = packages_seen_from(directory, index).get("/".join(names[:cut]))
    if package is None:
        return EXTERNAL if names[0] else MISSING
    subpath = "/".join([".", *names[cut:]])
    file = _declared_file(package, targets_for(subpath, package.exports), index)
    if not file and subpath == ".":
        index_files = (child(package.directory, "src/index"), child(package.directory, "index"))
        found = (file_at(place, index) for place in index_files)
        file = main_file(package, index) or next(filter(None, found), None)
    elif not file and not package.exports:
        file = declared_file(package, subpath, index)
    return at(file) if file else MISSING


def _declared_file(package: PackageJson, targets: Iterable[str], index: RepositoryIndex) -> str | None:
    found = (declared_file(package, target, index) for target in targets if target.startswith("."))
    return next(filter(None, found), None)


# --- files --------------------------------------------------------------------------------------------


def locate(path: str, index: RepositoryIndex) -> str | None:
    """Return the source file that an import of this path loads: the file, else the directory's entry."""
    return file_at(path, index) or directory_entry(path, index)


def file_at(path: str, index: RepositoryIndex) -> str | None:
    """Return the source file at this path: as written, else with the extension it stands for or lacks."""
    if index.is_source(path):
        return path
    dot = path.rfind(".")
    meant = (path[:dot] + extension for extension in _WRITTEN_AS.get(path[dot:], ()))
    return next(filter(index.is_source, meant), None) or index.by_stem(_APPENDED).get(path)


def directory_entry(directory: str, index: RepositoryIndex) -> str | None:
    """Return the file that stands for a directory: what its package.json names, else its index file."""
    if directory not in index.code_directories and not index.is_file(child(directory, "package.json")):
        return None
    package = package_at(directory, index)
    return (main_file(package, index) if package else None) or file_at(child(directory, "index"), index)


def main_file(package: PackageJson, index: RepositoryIndex) -> str | None:
    """Return the first of a package's declared entries that is there, built or as source."""
    return next(filter(None, (declared_file(package, entry, index) for entry in package.entries)), None)


def declared_file(package: PackageJson, target: str, index: RepositoryIndex) -> str | None:
    """Return the file that a package.json target names; one in a build directory means its source.

    `dist/P.js` is built from `src/P.ts` or `P.ts`.
    """
    path = joined("", target)
    places = [target if path is None else path]
    names = path.split("/") if path else []
    while names and names[0] in OUTPUT_DIRECTORIES:
        names = names[1:]
        stem = CODE_EXTENSION.sub("", "/".join(names) or "index")
        places += [f"src/{stem}", stem]
    for place in places:
        whole = joined(package.directory, place)
        if whole is not None and (file := file_at(whole, index) or file_at(child(whole, "index"), index)):
            return file
    return None


# --- packages -----------------------------------------------------------------------------------------


class Patterns:
    """A set of patterns, sorted once, so that finding the best one takes few comparisons."""

    def __init__(self, patterns: Iterable[str]) -> None:
        known = list(patterns)
        self._known = frozenset(known)
        parted = [(*pattern.partition("*")[::2], pattern) for pattern in known if "*" in pattern]
        self._parted = sorted(parted, key=lambda parts: (-len(parts[0]), -len(parts[2])))

    def best(self, text: str) -> tuple[str, str] | None:
        """Return the fitting pattern and what its `*` stands for: the text itself, else the longest before a `*`."""
        if text in self._known:
            return text, ""
        for before, after, pattern in self._parted:
            if text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
                return pattern, text[len(before) : len(text) - len(after)]
        return None


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


@remembered
def package_at(directory: str, index: RepositoryIndex) -> PackageJson | None:
    """Return the package whose package.json lies in this directory."""
    data = index.json(child(directory, "package.json"))
    if data is None:
        return None
    name, exports, imports, globs = (data.get(key) for key in ("name", "exports", "imports", "workspaces"))
    if not isinstance(exports, dict) or not any(key.startswith(".") for key in exports):
        exports = {} if exports is None else {".": exports}  # a lone target or lone conditions speak for `.`
    return PackageJson(
        directory=directory,
        name=name if isinstance(name, str) else None,
        entries=strings(data.get(field) for field in ("source", "module", "main", "types")),
        exports=exports,
        imports=imports if isinstance(imports, dict) else {},
        workspaces=strings(globs.get("packages") if isinstance(globs, dict) else globs),
    )


def targets_for(subpath: str, table: Mapping[str, object]) -> Iterator[str]:
    """Yield the targets that a table of exports or imports gives for a subpath, conditions in file order."""
    if match := Patterns(table).best(subpath):
        pattern, star = match
        waiting = [table[pattern]]
        while waiting:
            target = waiting.pop()
            if isinstance(target, str):
                yield target.replace("*", star)
            elif isinstance(target, dict | list):
                waiting += reversed([*(target.values() if isinstance(target, dict) else target)])


def strings(values: object) -> tuple[str, ...]:
    """Return the strings among the values; nothing when they are no sequence."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return ()
    return tuple(value for value in values if isinstance(value, str))


@remembered
def packages_seen_from(directory: str, index: RepositoryIndex) -> Mapping[str, PackageJson]:
    """Return the packages that files of a directory can import by name; the nearest workspace wins."""
    above = packages_seen_from(parent(directory), index) if directory else {}
    own = package_at(directory, index)
    named = [*_members(directory, own, index), *([own] if own else [])]
    return {**above, **{package.name: package for package in named if package.name}} if named else above


def _members(directory: str, own: PackageJson | None, index: RepositoryIndex) -> Iterator[PackageJson]:
    """Yield the packages below a workspace root that its globs choose; the last glob that fits decides."""
    pnpm = index.yaml(child(directory, "pnpm-workspace.yaml"))
    globs = [*(own.workspaces if own else ()), *(strings(pnpm.get("packages")) if pnpm else ())]
    if not globs:
        return
    rules = [(not glob.startswith("!"), compiled(glob)) for glob in globs]
    inside = child(directory, "")
    for path in index.called(re.compile(r"package\.json")):
        member = parent(path)
        relative = member[len(directory) :].lstrip("/")
        verdicts = [wanted for wanted, pattern in rules if path.startswith(inside) and pattern.fullmatch(relative)]
        if verdicts and verdicts[-1] and (package := package_at(member, index)):
            yield package


def compiled(glob: str) -> re.Pattern[str]:
    """Return a glob as a pattern for relative paths: `**` stands for any directories, `*` for part of one name."""
    tokens = re.split(r"(\*\*/?|\*|\?)", glob.removeprefix("!").removeprefix("./").rstrip("/"))
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    first, *rest = re.split(
        r"(\(\?:\.\*/\)\?|\.\*)", linear("".join(meaning.get(token, re.escape(token)) for token in tokens))
    )
    lazy = {"(?:.*/)?": "(?:.*?/)??", ".*": ".*?"}
    settled = [f"(?>{lazy[many]}{part})" for many, part in zip(rest[:-2:2], rest[1:-2:2], strict=True)]
    return re.compile("".join([first, *settled, *rest[-2:]]))


# --- aliases ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Aliases:
    """What `baseUrl` and `paths` say once `extends` is followed.

    `base_url` is a directory of the repository. Targets of `paths` start at `base_url`, else at
    `paths_home`, the directory of the file that declares them.
    """

    base_url: str | None = None
    paths: Mapping[str, tuple[str, ...]] | None = None
    paths_home: str = ""

    @cached_property
    def _patterns(self) -> Patterns:
        return Patterns(self.paths or ())

    def matched(self, module: str) -> bool:
        """Tell whether an alias says that the module lies in the repository; the catch-all `*` does not."""
        match = self._patterns.best(module)
        is_named = match is not None and match[0] != "*"
        return is_named and not any("node_modules/" in place for place in self.places(module))

    def places(self, module: str) -> Iterator[str]:
        """Yield the paths that `paths` gives for a module, in order."""
        home = self.paths_home if self.base_url is None else self.base_url
        if self.paths and (match := self._patterns.best(module)):
            pattern, star = match
            for target in self.paths[pattern]:
                if (place := _placed(home, target.replace("*", star))) is not None:
                    yield place


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
    path = index.nearest(parent(source), ("tsconfig.json", "jsconfig.json"))
    projects = _projects(path, index) if path else []
    covering = (project for project in projects if len(projects) > 1 and project.covers(source))
    chosen = next(covering, projects[0] if projects else None)
    return chosen.aliases if chosen else NO_ALIASES


@remembered
def _projects(path: str, index: RepositoryIndex) -> list[_Project]:
    """Return the projects with aliases that a configuration speaks for; alike ones count once."""
    own = _inherited(path, index, ())
    candidates = [path]
    if own.base_url is None and not own.paths:
        candidates = []
        references = (index.json(path) or {}).get("references")
        for reference in references if isinstance(references, list) else ():
            target = reference.get("path") if isinstance(reference, dict) else None
            beside = joined(parent(path), target) if isinstance(target, str) else None
            if beside is not None and parent(beside) == parent(path):
                candidates.append(beside)
    projects = []
    for candidate in candidates:
        data, aliases = index.json(candidate) or {}, _inherited(candidate, index, ())
        included = (*strings(data.get("files")), *strings(data.get("include"))) or ("**/*",)
        if aliases.base_url is not None or aliases.paths:
            projects.append(
                _Project(
                    aliases=aliases,
                    directory=parent(candidate),
                    included=_globs(included),
                    excluded=_globs(strings(data.get("exclude"))),
                )
            )
    are_alike = all(project.aliases == projects[0].aliases for project in projects)
    return projects[:1] if are_alike else projects


def _globs(globs: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of `include` and `exclude`; a directory stands for everything in it."""
    return tuple(compiled(meant) for glob in globs for meant in (glob, f"{glob.rstrip('/')}/**/*"))


def _inherited(path: str, index: RepositoryIndex, seen: tuple[str, ...]) -> Aliases:
    """Return a configuration's aliases laid over those of the files it extends; a cycle ends quietly.

    `paths` are replaced whole, as tsc does. `${configDir}` is the directory of the outermost file.
    """
    data = index.json(path)
    if data is None or path in seen:
        return NO_ALIASES
    aliases = NO_ALIASES
    for base in _bases(path, data.get("extends"), index):
        aliases = _over(_inherited(base, index, (*seen, path)), aliases)
    options, outermost = data.get("compilerOptions"), f"/{parent(seen[0] if seen else path)}"
    if not isinstance(options, dict):
        return aliases

    def anchored(target: str) -> str:
        return target.replace("${configDir}", outermost)

    base_url, paths = options.get("baseUrl"), options.get("paths")
    own = Aliases(
        base_url=_placed(parent(path), anchored(base_url)) if isinstance(base_url, str) else None,
        paths={key: tuple(map(anchored, strings(value))) for key, value in paths.items()}
        if isinstance(paths, dict)
        else None,
        paths_home=parent(path),
    )
    return _over(own, aliases)


def _bases(path: str, extends: object, index: RepositoryIndex) -> Iterator[str]:
    """Yield the configurations that `extends` names: by path or inside a package of the workspace."""
    for name in (extends,) if isinstance(extends, str) else strings(extends):
        place = joined(parent(path), name) if name.startswith(".") else None
        for package_name, package in packages_seen_from(parent(path), index).items() if name[:1] != "." else ():
            if name == package_name or name.startswith(f"{package_name}/"):
                place = joined(package.directory, name[len(package_name) :])
                break
        spellings = (place, f"{place}.json", f"{place}/tsconfig.json") if place else ()
        yield from [file for file in spellings if index.is_file(file)][:1]


def _over(nearer: Aliases, base: Aliases) -> Aliases:
    """Return the nearer declarations, completed by the base's."""
    base_url = base.base_url if nearer.base_url is None else nearer.base_url
    return replace(base if nearer.paths is None else nearer, base_url=base_url)


def _placed(home: str, target: str) -> str | None:
    """Return the path of a target; one with a leading `/` already starts at the repository's root."""
    return joined("" if target.startswith("/") else home, target)
