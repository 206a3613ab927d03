"""Routine: commits, subjects and paths that one need not look at to learn something about code."""

from __future__ import annotations

import re
from collections.abc import Sequence

_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|pre-commit-ci|greenkeeper|github-actions|snyk|weblate")
_ROUTINE = re.compile(
    r"""
      ^\W*(?:merge|wip)\b
    | ^(?:\w+(?:\([^)]*\))?:\s*)?(?:
          bump | release\s+(?:v?\d|notes?|candidate) | prepare\s+(?:for\s+)?(?:the\s+)?(?:next\s+)?(?:release|v?\d)
        | (?:upgrade|update|refresh)[sd]?\s+(?:\w+\s+){0,3}
          (?:dependenc|deps\b|packages\b|requirements\b|lock-?file|submodules?\b)
        | (?:upgrade|update)[sd]?\s+[\w./@-]+\s+(?:from|to)\s | synced?$
        | update\s+(?:readme|docs?|translations?|authors)\b
        | (?:fix(?:e[sd])?|add|update|improve)\s+(?:\w+\s+)?(?:comments?|grammar|punctuation)$
        | (?:fix(?:e[sd])?\s+)?lint(?:er|ing)?(?:\s+(?:errors?|issues?|warnings?|fix(?:es)?))?\W*$
      )
    | ^(?:version\s+)?v?\d+(?:\.\d+)+\S*$ | ^\W*release\W+v?\d | \brelease[-_\s]notes\b | \b(?:changelog|relnotes)\b
    | \btypos?\b | \bspelling\b | \bcopyright\b | \bmailmap\b | \bcosmetics?\b | ^(?:l10n|i18n|po)\b
    | \b(?:trailing|fix(?:es)?|cleanups?)\s+white-?space\b | ^\W*re-?format
    | \b(?:run|apply|with)\s+(?:black|prettier)\b | \bclang-format\b
    | \bflake8\b | \bpep\s?8\b | ^what'?s\s+cooking | \d(?:st|nd|rd|th)\s+batch\b
    """,
    re.VERBOSE,
)
_SIDE_TYPE = re.compile(r"(?:docs?|style|chore|tests?|ci|build|gha|github|readme)\b[^:]{0,30}:")
_SIDE_PATH = re.compile(
    r"""
      (?:^|/)(?:
          docs?|documentation|tests?|testing|specs?|__tests__|__mocks__|mocks|fixtures|testdata|examples?
        | \.github|\.gitlab|ci|po|contrib|scripts|changes|news|changelog\.d|website
      )/
    | \.(?:md|mdx|rst|txt|adoc|po|pot|lock|svg|png|snap|1|3)$
    | (?:^|/)(?:
          test_[^/]* | [^/]*[._-](?:test|spec)\.\w+ | t\d{4}[^/]* | change(?:log|s)[^/]* | readme[^/]* | \.[\w.-]+
        | [\w.-]*lock[\w.-]*\.(?:json|yaml|toml)
      )$
    """,
    re.VERBOSE,
)


def is_bot(author: str) -> bool:
    """Whether a machine goes by this name."""
    return bool(_BOT.search(author.lower()))


def is_routine_subject(subject: str) -> bool:
    """Whether the subject of a commit says that there is nothing to learn from it."""
    return bool(_ROUTINE.search(subject.lower()))


def is_side_subject(subject: str) -> bool:
    """Whether the subject of a commit says that it is not about the program itself."""
    return bool(_SIDE_TYPE.match(subject.lower()))


def is_side_path(path: str) -> bool:
    """Whether a file is no part of the program itself: tests, pages, what builds and checks it."""
    return bool(_SIDE_PATH.search(path.lower()))


def code_paths(paths: Sequence[str]) -> list[str]:
    """Return the paths that are part of the program; all of them when none is."""
    return [path for path in paths if not is_side_path(path)] or list(paths)
