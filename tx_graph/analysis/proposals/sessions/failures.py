"""Errors: the one line of an output that tells what went wrong, and what kind of trouble it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tx_graph.analysis.proposals.prose import clean
from tx_graph.domain.inert import inert_line

_LONGEST = 200
"""Characters of a line that still tells something; a longer one is cut."""
_MOST_READ = 400
"""Lines of an output that are looked at."""
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SURROUNDINGS = re.compile(
    r"""command\ not\ found | :\ not\ found$ | modulenotfounderror | no\ module\ named
      | cannot\ find\ (?:module|package) | missing\ script | no\ rule\ to\ make\ target
      | no\ such\ (?:task|target|command|service|image|container) | no\ tasks?\ (?:named|found|matches)
      | unknown\ (?:command|flag|option|argument) | unrecognized\ (?:arguments|option)
      | (?:is|are)\ not\ (?:installed|trusted|set|logged\ in|running) | not\ (?:yet\ )?installed
      | permission\ denied | eacces | econnrefused | connection\ refused | eaddrinuse | address\ already\ in\ use
      | docker\ daemon | updates\ to\ go\.mod\ needed | missing\ go\.sum
      | (?:lock\ ?file|go\.mod|go\.sum)\b.*(?:out\ of\ date|outdated|update)
      | unsupported\ engine | requires?\ (?:a\ )?(?:node|python|go|rustc?|java|ruby)\b | version\ mismatch
      | executable\ doesn't\ exist | please\ (?:run|install) | run\ [`'"][\w./-]+\ [^`'"]+[`'"]\ (?:to|first)
      | environment\ variable | no\ space\ left | unable\ to\ resolve\ host
      | failed\ to\ (?:build|resolve|fetch|download) | build\ constraints\ exclude
      | failed\ to\ (?:load|find)\ config | no\ configuration\ file | submodule""",
    re.IGNORECASE | re.VERBOSE,
)
"""Trouble with what is around the code, which whoever works here next meets again."""
_MISSING = re.compile(
    r"""not\ found | no\ module\ named | missing\ script | no\ such\ (?:task|target|command|file)
      | no\ rule\ to\ make | no\ tasks?\  | not\ installed | unknown\ command""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACED = re.compile(r"^(?:\.{0,2}/)?[\w./@+-]+\.\w+:\d+(?::\d+)?:?\s+(?P<rest>\S.*)$")
"""A compiler's or linter's finding."""
_TOLD = re.compile(r"^\s*(?:\w*(?:Error|Exception)\b|error(?:\[\w+\])?:|fatal:|panic:|ERR!|E\s{2,}\w)", re.IGNORECASE)
_NOISE = re.compile(
    r"""^(?: exit\ code\ \d+ | \[[\w:.-]+\]\ (?:\$|error\ task\ failed|finished) | \#\ | ---\ fail | fail\b | ===
      | ok\s | \?\s | npm\ err!\ (?:code|errno|a\ complete|lifecycle) | traceback | make(?:\[\d+\])?:\ \*\*\*
      | \d+\ (?:issues|errors|problems) )""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSED = re.compile(
    r"the user (?:doesn't|does not) want|user rejected|permission to use|tool use was rejected|interrupted",
    re.IGNORECASE,
)
"""Somebody said no to the call: its output is no program's."""
_QUOTED = re.compile(
    r"""`[^`]*` | "[^"]*" | '[^']*' | \b[\w./-]*[./_]\w[\w./-]* | \d+ | \b[a-z]+[A-Z]\w*
      | \b[A-Z]\w*[a-z]\w*[A-Z]\w*""",
    re.VERBOSE,
)
_LINTER = re.compile(r"\((?P<name>[a-z][\w-]{2,20})\)$")


class Trouble(NamedTuple):
    """What went wrong, in one inert line; `is_around` where it is not the code that was wrong."""

    line: str
    is_around: bool

    @property
    def is_missing(self) -> bool:
        """Whether what was called is not there, or not under this name."""
        return bool(_MISSING.search(self.line))

    @property
    def kind(self) -> str:
        """What is the same in errors of one kind: the line without names, places and numbers."""
        return " ".join(_QUOTED.sub("…", self.line).casefold().split())

    @property
    def linter(self) -> str | None:
        """Which check of a linter says so, if it names one."""
        found = _LINTER.search(self.line)
        return found["name"] if found else None


def trouble_in(output: str) -> Trouble | None:
    """Return what the output of a failed call tells; None where it tells nothing, or somebody stopped the call."""
    if _REFUSED.search(output[:500]):
        return None
    lines = [line for line in _lines(output) if not _NOISE.match(line)]
    around = next((line for line in lines if _SURROUNDINGS.search(line)), None)
    if around:
        return Trouble(_told(around), is_around=True)
    placed = next((found["rest"] for line in lines if (found := _PLACED.match(line))), None)
    line = placed or next((line for line in lines if _TOLD.match(line)), None)
    return Trouble(_told(line), is_around=False) if line else None


def _lines(output: str) -> Iterator[str]:
    for line in clean(_ANSI.sub("", output)).split("\n")[:_MOST_READ]:
        if stripped := line.strip():
            yield stripped


def _told(line: str) -> str:
    line = inert_line(line).replace("`", "'").replace("“", '"').replace("”", '"')
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
