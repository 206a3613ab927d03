"""Import resolution: which file depends on which, worked out from what the sources say. Pure.

One module for each family of languages; here is the repository as they see it, and what is asked of them.
"""

from __future__ import annotations

import importlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from functools import cache, cached_property, wraps
from itertools import takewhile
from typing import Any, ParamSpec, TypeVar, cast

from tx_graph.code.imports import IMPORT_STRENGTH, ImportEdge, ImportType, Specifier, Surface, Unresolved
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.core.dataclass import dataclass

_STRING = r'"(?:\\.|[^"\\])*+"?'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def parse(text: str) -> object:
    """Return the value of a JSON text, which may have comments and trailing commas."""
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except ValueError:
        for noise in (_COMMENT, _TRAILING_COMMA):
            text = noise.sub(lambda match: match[1] or " ", text)
        return json.loads(text)


def parent(path: str) -> str:
    """Return the directory of a path; the root is its own parent."""
    return path.rpartition("/")[0]


def basename(path: str) -> str:
    """Return the last name of a path."""
    return path.rpartition("/")[2]


def child(directory: str, name: str) -> str:
    """Return the path of a name inside a directory."""
    return f"{directory}/{name}" if directory else name


def upward(directory: str) -> Iterator[str]:
    """Yield the directory, then each directory above it, the root last."""
    while directory:
        yield directory
        directory = parent(directory)
    yield ""


def shared_depth(path: str, other: str) -> int:
    """Return how many names two paths begin with in common."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def joined(directory: str, relative: str) -> str | None:
    """Return the normalised path `directory/relative`, or None when it climbs out of the repository."""
    names = directory.split("/") if directory else []
    for name in relative.split("/"):
        if name == "..":
            if not names:
                return None
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return "/".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """The tracked source files that a specifier names; when there are none, the reason."""

    paths: tuple[str, ...] = ()
    reason: str = ""


STDLIB = Landing(reason="stdlib")
"""A module that ships with the language or its runtime."""

EXTERNAL = Landing(reason="external")
"""A package that somebody else publishes."""

MISSING = Landing(reason="missing")
"""Meant to lie in the repository, but no tracked file answers to it."""

NOT_CODE = Landing(reason="not code")
"""A tracked file, but no source file of a language we read: JSON, a style sheet, an image."""

AMBIGUOUS = Landing(reason="ambiguous")
"""Several tracked files answer to it, and nothing says which one is meant."""


def at(path: str) -> Landing:
    """Return the landing on one file."""
    return Landing(paths=(path,))


def nearest(path: str, files: Mapping[str, str]) -> Landing:
    """Return the landing on that file whose key, a path, begins most like another; ambiguous if several do."""
    known = {place: shared_depth(path, place) for place in files} if len(files) > 1 else dict.fromkeys(files, 0)
    deepest = max(known.values(), default=0)
    best = [files[place] for place, depth in known.items() if depth == deepest]
    return at(best[0]) if len(best) == 1 else AMBIGUOUS


P = ParamSpec("P")
T = TypeVar("T")


class RepositoryIndex:
    """Answers questions about one set of tracked files; what is worked out once is remembered.

    Nothing is read or computed before a resolver asks, so building one over many thousand files is cheap.
    """

    def __init__(
        self,
        files: Collection[str],
        read_text: Callable[[str], str | None],
        surfaces_of: Callable[[str], Mapping[str, Surface]] = lambda _: {},
        *,
        resolver: str | None = None,
    ) -> None:
        """Take the tracked paths, a reader of manifests, and a source of surfaces.

        The reader returns None when it cannot read one. The surfaces are those of all files that one resolver,
        given by its name, is asked about. With a `resolver`, only its languages count as source files.
        """
        self._files = frozenset(path for path in files if "/node_modules/" not in f"/{path}")
        self._read_text = read_text
        self._surfaces_of = surfaces_of
        self._resolver = resolver
        self._memory: dict[Hashable, object] = {}
        self.problems: list[tuple[str, str]] = []
        """The malformed manifests met so far, which count as absent, each with what is wrong with it."""

    @cached_property
    def sources(self) -> frozenset[str]:
        """Every tracked source file."""
        known = ((path, resolver_of(language_of(path))) for path in self._files)
        return frozenset(path for path, resolver in known if resolver and self._resolver in (None, resolver))

    @cached_property
    def code_directories(self) -> frozenset[str]:
        """Every directory that has a source file somewhere below it."""
        found: set[str] = set()
        for path in self.sources:
            directory = parent(path)
            while directory not in found:
                found.add(directory)
                directory = parent(directory)
        return frozenset(found)

    def called(self, name: re.Pattern[str]) -> tuple[str, ...]:
        """Return every tracked file with such a name, sorted."""
        return self.remember(
            ("called", name), lambda: tuple(sorted(path for path in self._files if name.fullmatch(basename(path))))
        )

    def is_file(self, path: str) -> bool:
        """Tell whether the path is tracked."""
        return path in self._files

    def is_source(self, path: str) -> bool:
        """Tell whether the path is a tracked source file of a supported language."""
        return path in self.sources

    def by_stem(self, endings: tuple[str, ...]) -> Mapping[str, str]:
        """Return the source files with one of these endings by their paths without it; the first ending counts."""

        def find() -> Mapping[str, str]:
            found: dict[str, str] = {}
            for ending in reversed(endings):
                found |= {path.removesuffix(ending): path for path in self.sources if path.endswith(ending)}
            return found

        return self.remember(("by stem", endings), find)

    def nearest(self, directory: str, names: Collection[str]) -> str | None:
        """Return the first tracked file of one of these names, in the directory or above it."""
        candidates = (child(above, name) for above in upward(directory) for name in names)
        return self.remember(("nearest", directory, *names), lambda: next(filter(self.is_file, candidates), None))

    def surfaces(self, resolver: str) -> Mapping[str, Surface]:
        """Return the surface of every file of a resolver's languages by path; a file without one may be left out."""
        return self.remember(("surfaces", resolver), lambda: self._surfaces_of(resolver))

    def text(self, path: str) -> str | None:
        """Return the text of a manifest, or None when absent or unreadable."""
        return self.remember(("text", path), lambda: self._read_text(path) if self.is_file(path) else None)

    def toml(self, path: str) -> Mapping[str, object] | None:
        """Return the table in a TOML manifest, or None when absent or malformed."""
        return self.remember(("toml", path), lambda: self._mapping(path, _parse_toml))

    def json(self, path: str) -> Mapping[str, object] | None:
        """Return the object in a JSON manifest (comments allowed), or None when absent or malformed."""
        return self.remember(("json", path), lambda: self._mapping(path, parse))

    def yaml(self, path: str) -> Mapping[str, object] | None:
        """Return the mapping in a YAML manifest, or None when absent or malformed."""
        return self.remember(("yaml", path), lambda: self._mapping(path, _parse_yaml))

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returned when this key was first asked for."""
        if key not in self._memory:
            self._memory[key] = make()
        return cast("T", self._memory[key])

    def _mapping(self, path: str, parse: Callable[[str], object]) -> Mapping[str, object] | None:
        text = self._read_text(path) if self.is_file(path) else None
        if text is None:
            return None
        message = "not an object"
        try:
            value = parse(text)
        except RecursionError:
            message = "nested too deeply"
        except ValueError as error:
            message = str(error)
        else:
            if isinstance(value, dict):
                return value
        self.problems.append((path, message))
        return None


def _parse_toml(text: str) -> object:
    import tomllib

    return tomllib.loads(text)


def _parse_yaml(text: str) -> object:
    import yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from error


def remembered(make: Callable[P, T]) -> Callable[P, T]:
    """Return a function whose last argument is an index so that it works each answer out once for that index."""

    @wraps(make)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        *values, index = args
        return cast("RepositoryIndex", index).remember((make, *values), lambda: make(*args, **kwargs))

    return answer


@remembered
def by_full_name(resolver: str, index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the files that declare each name that a resolver's languages offer, by `package.name`, sorted.

    What has no package starts with a dot.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path, surface in sorted(index.surfaces(resolver).items()):
        for offered in surface.offers:
            name = f"{offered.place or surface.package}.{offered.name}"
            found[name] = (*found.get(name, ()), path)
    return found


@remembered
def _stems_by_name(endings: tuple[str, ...], index: RepositoryIndex) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for stem in index.by_stem(endings):
        found[basename(stem)].append(stem)
    return found


def homes_of(path: str, endings: tuple[str, ...], index: RepositoryIndex) -> dict[str, str]:
    """Return the source files that have such a path but for an ending, by the directories that it starts from."""
    stems = (stem for stem in _stems_by_name(endings, index).get(basename(path), ()) if f"/{stem}".endswith(f"/{path}"))
    return {f"/{stem}".removesuffix(f"/{path}")[1:]: index.by_stem(endings)[stem] for stem in stems}


# --- what is asked of the modules ---------------------------------------------------------------------

_RESOLVERS = frozenset(language.resolver for language in LANGUAGES.values() if language.resolver)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What became of the imports of one file: edges to other files, and specifiers without a file.

    `targets` has the first file that each specifier means, None for none.
    """

    edges: tuple[ImportEdge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    targets: tuple[str | None, ...] = ()


def resolve_imports(
    *, source: str, language: str, specifiers: Sequence[Specifier], index: RepositoryIndex
) -> Resolution:
    """Return one edge per file that `source` imports, of the strongest type, and what led nowhere.

    A file never depends on itself. A language without a resolver, or a source that is no tracked source
    file, gives an empty resolution.
    """
    name = resolver_of(language)
    if not name or not index.is_source(source):
        return Resolution()
    best: dict[str, ImportType] = {}
    unresolved, targets = [], list[str | None]()
    resolve = _module(name).resolve
    for specifier in specifiers:
        found: Landing = resolve(source, specifier, index)
        targets.append(next(iter(found.paths), None))
        for path in found.paths:
            best[path] = min(specifier.type, best.get(path, specifier.type), key=IMPORT_STRENGTH.__getitem__)
        if not found.paths:
            unresolved.append(Unresolved(source=source, specifier=specifier, reason=found.reason))
    best.pop(source, None)
    edges = tuple(ImportEdge(source=source, target=target, type=kind) for target, kind in best.items())
    return Resolution(edges=edges, unresolved=tuple(unresolved), targets=tuple(targets))


def resolvers_concerned(path: str) -> frozenset[str]:
    """Return the resolvers that the coming or going of a file concerns.

    What a file says concerns those that consulted it, which is up to whoever keeps their indexes.
    """
    own, name, (of_any, manifests) = resolver_of(language_of(path)), basename(path), _asking()
    concerned = [resolver for resolver, is_one in manifests if is_one(name)]
    return of_any.union(concerned, [own] if own in _RESOLVERS else ())


@cache
def _asking() -> tuple[frozenset[str], list[tuple[str, Callable[[str], Any]]]]:
    """Return the resolvers that any file concerns, and those with manifests, each with what tells one by its name."""
    modules = {resolver: _module(resolver) for resolver in sorted(_RESOLVERS)}
    of_any = frozenset(one for one, module in modules.items() if getattr(module, "NAMES_ANY_FILE", False))
    return of_any, [(one, m.MANIFESTS.fullmatch) for one, m in modules.items() if getattr(m, "MANIFESTS", None)]


@cache
def _module(resolver: str) -> Any:  # noqa: ANN401 - its names are said below
    """Return a resolver's module.

    It has `resolve`, which says where a specifier of a source file (its path comes first) leads, and where they apply:
    `MANIFESTS`, the names of files that decide what imports mean by being there, and `NAMES_ANY_FILE`, where imports
    may name files of other languages.
    """
    return importlib.import_module(f"{__name__}.{resolver}")
