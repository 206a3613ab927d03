"""C and C++: which file an include names, beside the source or below the directories that build files give."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import Specifier
from tx_graph.code.languages import language_of
from tx_graph.code.resolvers import (
    AMBIGUOUS,
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    basename,
    child,
    joined,
    nearest,
    parent,
    remembered,
    upward,
)

MANIFESTS = re.compile(
    r"CMakeLists\.txt|(?:GNUm|m|M)akefile(?:\.(?:am|in|inc))?|meson\.build|compile_flags\.txt|configure\.(?:ac|in)"
)

_STANDARD = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic"
    " stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split()
)
_INCLUDE_DIRECTORIES = frozenset({"include", "includes", "inc"})
_CALL = re.compile(
    r"\b(?:target_include_directories\s*\(\s*[^\s()]++|include_directories\s*\()([^()]*+)\)", re.IGNORECASE
)
_OPTION = re.compile(r"(?<![^\s\"'=])-(?:I|isystem|iquote)[ \t]*([^\s\"'`;]+)")
_COMMENT = re.compile(r"#[^\n]*")
_WORD = re.compile(r"[^\s\"',]+")
_BUILD_INTERFACE = re.compile(r"\$<BUILD_INTERFACE:([^<>]*)>")
_SETTING = re.compile(
    r"^[ \t]*(?:set\s*\(\s*(\w+)\s+\"?([^\s\"()]+)\"?\s*\)|(\w+)[ \t]*[:?]?=[ \t]*([^\s#]+)[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_HERE = frozenset({"srcdir", "builddir", "CURDIR", "CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"})
_PROJECT = re.compile(r"^[ \t]*project[ \t]*\(", re.MULTILINE | re.IGNORECASE)
_TOP = re.compile(r"(?:abs_)?top_(?:src|build)dir|\w+_SOURCE_DIR")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that an include in the file `source` names."""
    own = joined(parent(source), specifier.module)
    if own is not None and index.is_source(own):
        return at(own)
    return _below_roots(parent(source), specifier.module, index)


@remembered
def _below_roots(directory: str, include: str, index: RepositoryIndex) -> Landing:
    """Return the file that an include names which is not beside the source.

    The build files in the source's directory know best, then those in the directories above it.
    """
    path, is_angled = include.strip("<> \t"), include.startswith("<")
    for above in upward(directory):
        given = {joined(root, path) or "" for root in _roots_given_in(above, index)} & index.sources
        if given:
            return AMBIGUOUS if len(given) > 1 else at(*given)
    if path.removesuffix(".h") in _STANDARD or (is_angled and "." not in path):
        return STDLIB
    if is_angled and "/" not in path:
        return EXTERNAL
    files = (file for file in _by_name(index).get(basename(path), ()) if f"/{file}".endswith(f"/{path}"))
    homes = {f"/{file}".removesuffix(f"/{path}")[1:]: file for file in files}
    roots = {*upward(directory), *_all_roots(index)}
    known = nearest(directory, [home for home in homes if home in roots or basename(home) in _INCLUDE_DIRECTORIES])
    if len(known) == 1:
        return at(homes[known[0]])
    if known:
        return AMBIGUOUS
    if language_of(path) is None:
        return NOT_CODE
    return EXTERNAL if is_angled else MISSING


@remembered
def _by_name(index: RepositoryIndex) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in index.sources:
        found[basename(path)].append(path)
    return found


@remembered
def _all_roots(index: RepositoryIndex) -> frozenset[str]:
    return frozenset(root for build in index.called(MANIFESTS) for root in _roots_given_by(build, index))


@remembered
def _roots_given_in(directory: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return what the build files in a directory say."""

    def find() -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for build in index.called(MANIFESTS):
            found[parent(build)] += _roots_given_by(build, index)
        return found

    return tuple(index.remember("roots by directory", find).get(directory, ()))


@remembered
def _roots_given_by(build: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the directories with sources that a build file has compilers look into, where it says so plainly."""
    text, here = _COMMENT.sub("", index.text(build) or ""), parent(build)
    settings = {one[1] or one[3]: one[2] or one[4] for one in _SETTING.finditer(text)}
    called = (word for call in _CALL.finditer(text) for word in _WORD.findall(_BUILD_INTERFACE.sub(r"\1", call[1])))
    roots = []
    for word in (*called, *(option[1] for option in _OPTION.finditer(text))):
        place = _VARIABLE.sub(lambda one: settings.get(one[1], one[0]), word)
        base, _, rest = place.partition("/")
        variable = _VARIABLE.fullmatch(base)
        if variable and (variable[1] in _HERE or _TOP.fullmatch(variable[1])):
            root = joined(here if variable[1] in _HERE else _top_of(build, index), rest)
        else:
            root = joined(here, place) if base else None
        if root is not None and (not root or root in index.code_directories):
            roots.append(root)
    return tuple(dict.fromkeys(roots))


def _top_of(build: str, index: RepositoryIndex) -> str:
    """Return the directory of the project that a build file belongs to."""
    for above in upward(parent(build)):
        if any(index.is_file(child(above, name)) for name in ("configure.ac", "configure.in")):
            return above
        if _PROJECT.search(index.text(child(above, "CMakeLists.txt")) or ""):
            return above
    return ""
