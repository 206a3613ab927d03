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
    child,
    homes_of,
    joined,
    nearest,
    parent,
    remembered,
    upward,
)

MANIFESTS = re.compile(r"CMakeLists\.txt|(?:GNUm|m|M)akefile(?:\.(?:am|in|inc))?|meson\.build|compile_flags\.txt")

_STANDARD = frozenset(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic"
    " stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype".split()
)
_INCLUDE_DIRECTORIES = ("include", "includes", "inc")
_COMMENT = re.compile(r"#[^\n]*")
_SETTING = re.compile(r"^[ \t]*(?:set[ \t]*\([ \t]*)?(\w+)[ \t]*(?:[:?]?=|[ \t\"])[ \t\"]*([^\s\"()#=]+)", re.MULTILINE)
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_GIVEN = re.compile(
    r"""
    (?<![^\s"'=])-(?:I|isystem|iquote)[ \t]*(?P<option>[^\s"'`;]+)
    | \b(?i:target_include_directories\s*\(\s*[^\s()]++|include_directories\s*\()(?P<listed>[^()]*+)\)
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"(?:\$<BUILD_INTERFACE:)?(?P<variable>(?:\$[({]\w+[)}]|@\w+@)/?)?(?P<place>[^\s\"',<>$]*)")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that an include in the file `source` names."""
    own = joined(parent(source), specifier.module)
    if own is not None and index.is_source(own):
        return at(own)
    return _elsewhere(parent(source), specifier.module, index)


@remembered
def _elsewhere(directory: str, include: str, index: RepositoryIndex) -> Landing:
    """Return the file that an include names which is not beside the source.

    The build files in the source's directory know best, then those in the directories above it. Of what they give
    counts what is around the source, else there must be one. Then comes what other build files give, or is a habit.
    """
    path, is_angled = include.strip("<> \t"), include.startswith("<")
    given, above, usual = _around(directory, index)
    homes = _homes(path, index)
    for roots in given:
        if homes is None:  # it has dots
            files = {root: file for root in roots if (file := joined(root, path)) in index.sources}
        else:
            files = {root: homes[root] for root in roots & homes.keys()}
        if files:
            around = {root: files[root] for root in files if root in above}
            return nearest(directory, around or files) if around or len(files) == 1 else AMBIGUOUS
    if path.removesuffix(".h") in _STANDARD or (is_angled and "." not in path):
        return STDLIB
    if is_angled and "/" not in path:
        return EXTERNAL
    everywhere = index.remember("include roots", lambda: frozenset[str]().union(*_roots(index).values()))
    known = {home: file for home, file in (homes or {}).items() if home in usual or home in everywhere}
    if known:
        return nearest(directory, known)
    return NOT_CODE if language_of(path) is None else EXTERNAL if is_angled else MISSING


@remembered
def _around(directory: str, index: RepositoryIndex) -> tuple[list[set[str]], list[str], set[str]]:
    """Return what build files around a directory give, nearest first, those above it, and where headers often are."""
    above, given = [*upward(directory)], _roots(index)
    usual = {*above, *(child(place, name) for place in above for name in _INCLUDE_DIRECTORIES)}
    return [given[place] for place in above if place in given], above, usual


@remembered
def _homes(path: str, index: RepositoryIndex) -> Mapping[str, str] | None:
    """Return the files with such a path by the directories that it starts from; None where dots make it another one."""
    return homes_of(path, ("",), index) if joined("", path) == path else None


@remembered
def _roots(index: RepositoryIndex) -> Mapping[str, set[str]]:
    """Return the directories with sources that build files have compilers look into, by the build files' own."""
    found: dict[str, set[str]] = defaultdict(set)
    for build in index.called(MANIFESTS):
        here, text = parent(build), _expanded(_COMMENT.sub("", index.text(build) or ""))
        for given in _GIVEN.finditer(text):
            for word in _WORD.finditer(given["option"] or given["listed"]):
                # A variable that is left mostly means the top of some project around.
                bases = upward(here) if word["variable"] else (here,)
                places = (joined(base, word["place"]) for base in bases if word["place"])
                root = next((place for place in places if place in index.code_directories), None)
                if root is not None:
                    found[here].add(root)
    return found


def _expanded(text: str) -> str:
    """Return a text of a build file with what it sets to one word in the place of its variables."""
    settings = dict(_SETTING.findall(text))
    return _VARIABLE.sub(lambda one: settings.get(one[1], one[0]), text)
