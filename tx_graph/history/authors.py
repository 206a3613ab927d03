"""Who wrote the lines of files, as `git blame` has it: added up by person, without programs, and without a network."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.git import GitTooSlow, ask_git
from tx_graph.core.repository import GitRepository

Spans = Sequence[tuple[int, int]]
"""First and last lines, from 1; none stand for the whole file."""

_HEADER = re.compile(r"(?P<commit>[0-9a-f]{40,64}) \d+ \d+(?: (?P<lines>\d+))?")
_BOT = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|github-actions|pre-commit-ci|semantic-release|snyk|mergify)\b"
    r"|[-_. ]bot\b",
    re.IGNORECASE,
)
_SECONDS = 30.0  # for all files: git never ends where its history is replaced in a circle
_AT_ONCE = 4  # processes: git reads a file's history by itself, and few of them do not wait for each other
_IGNORED = ".git-blame-ignore-revs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Somebody who wrote `lines` of those that were looked at, the `share` of them in [0, 1], and when the last one."""

    name: str
    lines: int
    share: float
    last: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Authors:
    """Who wrote lines, most first; `files` were looked at, `lines` have an author who is a person.

    `boundary` counts lines that may be older than a shallow clone tells, which are nobody's; `unanswered` files of
    which git did not say in time who wrote them.
    """

    people: tuple[Author, ...] = ()
    files: int = 0
    lines: int = 0
    boundary: int = 0
    unanswered: int = 0

    @property
    def silence(self) -> str:
        """What to say where some files are unanswered."""
        return f"Git did not say in time who wrote {self.unanswered:,} of the files."


class _Line(NamedTuple):
    """Who wrote some lines with one commit, and when."""

    mail: str
    name: str
    time: int
    lines: int
    is_boundary: bool


def authors_of(repository: GitRepository, places: Mapping[str, Spans], *, commit: str = "HEAD") -> Authors:
    """Return who wrote these lines of files as a commit has them; who shares a mail or a name is one person.

    Both are as `.mailmap` has them, and a person goes by the name that was used last with a mail.

    Commits that `.git-blame-ignore-revs` names, such as of reformatting, are looked through where git can.
    """
    is_ignoring, is_shallow = (repository.root / _IGNORED).is_file(), repository.is_shallow()
    end = time.monotonic() + _SECONDS

    def asked(place: tuple[str, Spans]) -> list[_Line] | None:
        seconds = end - time.monotonic()
        if seconds <= 0:
            return None
        told = _blamed(repository, *place, commit=commit, is_ignoring=is_ignoring, seconds=seconds)
        return None if told is None else _read(told, is_shallow=is_shallow)

    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        answers = [*pool.map(asked, places.items())]
    found = [lines for lines in answers if lines is not None]
    read = [line for file in found for line in file]
    called = {one.mail: one.name for one in sorted(read, key=lambda one: one.time)}
    lines, last = dict[str, int](), dict[str, int]()
    boundary = 0
    for one in read:
        if one.is_boundary:
            boundary += one.lines
        elif not _BOT.search(f"{one.name} {one.mail}"):
            name = called[one.mail]
            lines[name] = lines.get(name, 0) + one.lines
            last[name] = max(one.time, last.get(name, 0))
    total = sum(lines.values())
    people = [
        Author(name=name, lines=lines[name], share=lines[name] / total, last=_day(last[name]))
        for name in sorted(lines, key=lambda name: (-lines[name], name))
    ]
    return Authors(
        people=tuple(people),
        files=sum(map(bool, found)),
        lines=total,
        boundary=boundary,
        unanswered=len(answers) - len(found),
    )


def _blamed(
    repository: GitRepository, path: str, spans: Spans, *, commit: str, is_ignoring: bool, seconds: float
) -> str | None:
    """Return what git says of lines of one file; nothing where the commit has no such file, or fewer lines.

    None where it takes more time.
    """
    ignoring = ("--ignore-revs-file", _IGNORED) if is_ignoring else ()
    ranges = [word for first, last in spans for word in ("-L", f"{first},{last}")]
    question = ("--no-textconv", "--porcelain", *ranges, commit, "--", path)
    try:
        answer = ask_git(repository.root, "blame", *ignoring, *question, fine=(0, 128), seconds=seconds)
        if answer.status and ignoring:  # it may name commits that are not here
            answer = ask_git(repository.root, "blame", *question, fine=(0, 128), seconds=seconds)
    except GitTooSlow:
        return None
    return answer.output.decode("utf-8", "replace") if answer.status == 0 else ""


def _read(output: str, *, is_shallow: bool) -> list[_Line]:
    """Return who wrote which groups of lines; of each commit the first group has who and when."""
    counted, told = dict[str, int](), dict[str, dict[str, str]]()
    current = dict[str, str]()
    for line in output.split("\n"):
        if line.startswith("\t"):
            continue
        if match := _HEADER.fullmatch(line):
            current = told.setdefault(match["commit"], {})
            counted[match["commit"]] = counted.get(match["commit"], 0) + int(match["lines"] or 0)
        else:
            key, _, value = line.partition(" ")
            current.setdefault(key, value)
    return [
        _Line(
            mail=one.get("author-mail", "").strip("<>").casefold(),
            name=one.get("author", ""),
            time=int(one.get("author-time", 0)),
            lines=counted[commit],
            is_boundary="boundary" in one and is_shallow,
        )
        for commit, one in told.items()
        if commit.strip("0")
    ]


def _day(time: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d")
