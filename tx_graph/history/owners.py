"""Who answers for files, as a CODEOWNERS file says it, in the dialects of GitHub and GitLab. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.globs import settled

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Where the file may lie; the first one that is there counts."""

_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?\s*(?P<owners>.*)")
_BLANK = re.compile(r"(?<!\\)\s+")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*")


class Rule(NamedTuple):
    """One line: a pattern, who owns what it matches (nobody where there is no name), and GitLab's section."""

    pattern: str
    owners: tuple[str, ...]
    line: int
    section: str = ""


class Owned(NamedTuple):
    """Who owns a file, and the line of CODEOWNERS that says so, in its section."""

    owners: tuple[str, ...]
    line: int
    section: str = ""


@dataclass(frozen=True, kw_only=True)
class CodeOwners:
    """The rules of one file; of those that match a path, the last one of each section counts."""

    path: str
    rules: tuple[Rule, ...]

    @cached_property
    def _compiled(self) -> list[tuple[Rule, Callable[[str], bool]]]:
        return [(rule, _matcher(rule.pattern)) for rule in reversed(self.rules)]

    def of(self, path: str) -> tuple[Owned, ...]:
        """Return who owns a file: one answer, or one for each of GitLab's sections; none where nobody does."""
        found: dict[str, Owned] = {}
        for rule, matches in self._compiled:
            section = rule.section.casefold()
            if section not in found and matches(path):
                excluded = rule.pattern.startswith("!")
                found[section] = Owned(() if excluded else rule.owners, rule.line, rule.section)
        return tuple(one for one in sorted(found.values(), key=lambda one: one.line) if one.owners)


def read_owners(read: Callable[[str], str | None]) -> CodeOwners | None:
    """Return the rules of a repository, of which `read` gives the text of a file; None where it has none."""
    for place in PLACES:
        text = read(place)
        if text is not None:
            return CodeOwners(path=place, rules=tuple(rules_of(text.split("\n"))))
    return None


def rules_of(lines: Iterable[str]) -> Iterable[Rule]:
    """Yield the rules of a file. What stands below a section without names has those of its heading."""
    section, default = "", tuple[str, ...]()
    for number, line in enumerate(lines, start=1):
        told = _COMMENT.sub("", line).strip()
        if not told:
            continue
        if heading := _SECTION.fullmatch(told):
            section, default = heading["name"].strip(), tuple(heading["owners"].split())
            continue
        pattern, *owners = _BLANK.split(told)
        yield Rule(pattern, tuple(owners) or default, number, section)


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Return what says whether a pattern matches a path: as in .gitignore, but `docs/*` means files right there."""
    plain = pattern.removeprefix("!")
    spec = _spec(plain)
    if not plain.endswith("/*"):
        return lambda path: bool(spec.match_file(path))
    below = _spec(f"{plain}/**")
    return lambda path: bool(spec.match_file(path)) and not below.match_file(path)


def _spec(pattern: str) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    try:
        return settled(GitIgnoreSpec.from_lines([pattern]))
    except (ValueError, re.error):  # no pattern at all, which git would let match nothing
        return GitIgnoreSpec([])
