"""Globs as `.gitignore` understands them, and with braces, matched against many paths at once.

`*.ts` means files at any depth, `src/*.ts` and `/*.ts` those in one directory, `src/**` all below one, and `*.{ts,tsx}`
either. Globs start at the root of the repository; a `./` before one changes nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from warnings import catch_warnings, simplefilter

if TYPE_CHECKING:
    from pathspec import PathSpec
    from pathspec.pattern import Pattern


Spec = TypeVar("Spec", bound="PathSpec[Any]")
_MAGIC = "*?[\\{"
_BRACES = re.compile(r"(?<!\\)\{([^{},]*+,[^{}]*+)\}")
_MOST_ALTERNATIVES = 100  # of one pattern: beyond, its braces mean themselves
_MOST_COMPARED = 5000  # comparing spellings takes 20 µs a path: beyond this many the suggestion is not worth the wait


class PathMatcher:
    """Answers which of a fixed set of paths a pattern matches.

    The paths are sorted once, so that a pattern with a literal beginning (`src/auth/**`) looks only at the
    paths that begin like it. Many anchors share a pattern, so each is matched once.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(paths)
        self._tests: dict[str, Callable[[str], object]] = {}
        self._matching: dict[str, list[str]] = {}

    def __contains__(self, path: str) -> bool:
        """Whether `path` is one of the paths."""
        place = bisect_left(self._paths, path)
        return place < len(self._paths) and self._paths[place] == path

    @property
    def paths(self) -> Sequence[str]:
        """All of the paths, sorted."""
        return self._paths

    def matching(self, pattern: str) -> Sequence[str]:
        """Return the matching paths, sorted."""
        if pattern not in self._matching:
            near, prefix, part = self._paths, literal_prefix(pattern), literal_part(pattern)
            if prefix:
                near = near[bisect_left(near, prefix) : bisect_left(near, f"{prefix}\U0010ffff")]
            # Looking for a text takes a thirtieth of the time that a match takes.
            near = [path for path in near if part in path] if part else near
            self._matching[pattern] = list(filter(self._test(pattern), near)) if near else []
        return self._matching[pattern]

    def matching_among(self, pattern: str, paths: Iterable[str]) -> list[str]:
        """Return those of a few of the paths that match, without a look at all the others."""
        near = _beginning_alike(pattern, paths)
        return list(filter(self._test(pattern), near)) if near else []

    def matches_any(self, pattern: str, paths: Iterable[str]) -> bool:
        """Whether one of some of the paths matches."""
        near = _beginning_alike(pattern, paths)
        return bool(near) and any(map(self._test(pattern), near))

    def nearest(self, typed: str, *, limit: int = 5) -> list[str]:
        """Return the paths that look most like `typed`: same file name first, then similar names, then spelling."""
        name = typed.rpartition("/")[2].lower()
        same = [path for path in self._paths if path.rpartition("/")[2].lower() == name]
        from difflib import get_close_matches

        compared = self._paths[:_MOST_COMPARED]
        alike = get_close_matches(typed, compared, n=limit, cutoff=0.6)
        named = get_close_matches(name, {one.rpartition("/")[2].lower() for one in compared}, n=2, cutoff=0.75)
        alike += [one for close in named for one in compared if one.rpartition("/")[2].lower() == close]
        return list(dict.fromkeys([*same, *alike]))[:limit]

    def _test(self, pattern: str) -> Callable[[str], object]:
        if pattern not in self._tests:
            # The bare expressions: our paths need none of pathspec's repairs.
            found = (getattr(one, "regex", None) for each in alternatives(pattern) for one in compiled(each).patterns)
            tests = [one.search for one in found if one is not None]
            self._tests[pattern] = tests[0] if len(tests) == 1 else lambda path: any(test(path) for test in tests)
        return self._tests[pattern]


def alternatives(pattern: str) -> list[str]:
    """Return the patterns that one with braces stands for: `*.{ts,tsx}` for `*.ts` and `*.tsx`."""
    found = [pattern.removeprefix("./")]
    while any(map(_BRACES.search, found)):
        if len(found) > _MOST_ALTERNATIVES:
            return [pattern]
        cuts = [(one, _BRACES.search(one)) for one in found]
        found = [
            f"{one[: cut.start()]}{choice}{one[cut.end() :]}" if cut else one
            for one, cut in cuts
            for choice in (cut[1].split(",") if cut else [""])
        ]
    return found


def compiled(pattern: str) -> PathSpec[Pattern]:
    """Return the pattern ready to match. A leading `!` or `#` is literal: one pattern negates nothing.

    An invalid pattern, such as one that ends in a backslash, matches nothing, as in git: it may stand in a record.
    """
    from pathspec import PathSpec

    escaped = f"\\{pattern}" if pattern.startswith(("!", "#")) else pattern
    with catch_warnings():
        simplefilter("ignore", FutureWarning)  # `[[` will mean something to `re` one day, but not to git
        try:
            return settled(PathSpec.from_lines("gitignore", [escaped]))
        except (ValueError, re.error):
            return PathSpec([])


_STARRED = re.compile(
    r"\[\^/\]\*(?P<piece>(?:\\.|\[\^?+\]?+(?:\\.|[^]\\])*+\](?![*+])|[^][\\(){}|*+?/^$.])++)(?=\[\^/\]\*)", re.DOTALL
)
"""In an expression made of a glob, a `*` with what follows it up to the next one in the same name."""


def settled(spec: Spec) -> Spec:
    """Return the patterns so that the length of a path alone decides how long matching it takes.

    In an expression each `*` and each `**` tries every length together with every length of all others. But only the
    last one of a name, or of a pattern, has to: of any other, the first place where the rest of it fits will do.
    """
    for one in spec.patterns:
        if (found := getattr(one, "regex", None)) and isinstance(found.pattern, str):
            first, *middle = linear(found.pattern).split("(?:/.+)?/")
            last = middle.pop() if middle else None
            if last is not None and first.startswith("^(?:.+/)?"):
                first = f"^(?>(?:.+?/)??{first.removeprefix('^(?:.+/)?')}(?=/))"
            between = "".join(f"(?>(?:/.+?)??/{part}(?=/))" for part in middle)
            one.regex = re.compile(first if last is None else f"{first}{between}(?:/.+)?/{last}")
    return spec


def linear(expression: str) -> str:
    """Return an expression for paths in which every `*` of a name but the last one stops at the first fit.

    And no set has a slash in it, as `[!a]` has for pathspec and has not for git.
    """
    sets = re.sub(r"(\\.)|\[\^(?!/)", lambda found: found[1] or "[^/", expression, flags=re.DOTALL)
    return _STARRED.sub(r"(?>[^/]*?\g<piece>)", re.sub(r"(?:\[\^/\]\*){2,}", "[^/]*", sets))


def literal(path: str) -> str:
    """Return the glob, but for a `/` before it, that means this one path and what lies below it."""
    escaped = "".join(f"\\{character}" if character in _MAGIC else character for character in path)
    return f"{escaped[:-1]}\\ " if escaped.endswith(" ") else escaped


def _beginning_alike(pattern: str, paths: Iterable[str]) -> list[str]:
    prefix = literal_prefix(pattern)
    return [path for path in paths if path.startswith(prefix)]


def literal_part(pattern: str) -> str:
    """Return the longest text without a slash that every matching path contains; empty where that is hard to tell."""
    is_hard = any(character in pattern for character in "[\\{")
    return "" if is_hard else max(re.split(r"[*?/]", pattern.removeprefix("./").rstrip(" ")), key=len)


def literal_prefix(pattern: str) -> str:
    """Return the beginning that every matching path shares; empty where the pattern may match at any depth."""
    pattern = pattern.removeprefix("./")
    anchored = pattern.removeprefix("/")
    if "/" not in _BRACES.sub("", anchored).rstrip("/") and not pattern.startswith("/"):
        return ""
    end = next((place for place, character in enumerate(anchored) if character in _MAGIC), len(anchored))
    return anchored[:end].rpartition("/")[0]
