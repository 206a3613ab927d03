"""Streams the commits of a repository, newest first, in constant memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tx_graph.codebase.git import decode_path, stream_git
from tx_graph.codebase.repository import GitRepository, Tip
from tx_graph.domain.cochange import Commit
from tx_graph.errors import UsageError

_RECORD = b"\0/"
"""Parts two commits: only our own header starts with a slash, a path in a repository never does."""

_LOG = (
    "-c",
    "log.showRoot=true",  # the first commit's files count, whatever the user's configuration says
    "log",
    "--no-merges",
    "-z",
    "--format=/%H %ct",
    "--no-show-signature",
    "--no-ext-diff",
    "--ignore-submodules=none",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)

_BY_NAME = ("--no-renames", "--name-only")  # finding renames needs blobs, which partial clones lack

_BY_FILE = (
    "--topo-order",  # no commit before one that builds on it, whatever their clocks said
    "--name-status",
    "--find-renames=50%",
    "-l1000",  # git's own default, whatever the user's configuration says; identical files are found beyond it too
)

_AGO = re.compile(
    r"(?P<count>an?|last|\d{1,9})[ .]+(?P<unit>second|minute|hour|day|week|month|year)s?([ .]+ago)?",
    re.IGNORECASE,
)

_MONTHS = {"month": 1, "year": 12}


def read_commits(
    root: Path,
    *,
    since: str | None = None,
    now: datetime | None = None,
    tip: Tip | None = None,
    after: str | None = None,
    find_renames: bool = False,
) -> Iterator[Commit]:
    """Return the commits reachable from HEAD without merges, newest first, each with the paths it changed.

    Git starts at once and runs ahead, so that the caller can do other things before asking for the first commit.
    A rename is one path removed and one added, unless renames are to be found. The boundary commits of a shallow
    clone are left out: their parents are unknown, so what they changed is unknown too. No commit at all gives nothing.

    Args:
        root: The top level of a git working tree.
        since: Leaves out older commits: an ISO date or time (local unless it says otherwise), `6 months ago`,
            `today` or `yesterday`.
        now: What `since` counts from; the machine's clock when None.
        tip: Where history starts and ends, for a caller that knows; asked of git when None.
        after: Leaves out this commit and all that it builds on.
        find_renames: Tells renames, in git's `--topo-order`. Git reads file contents for that, so it takes longer.

    Raises:
        UsageError: `since` cannot be understood.
        RepositoryError: Git is missing or fails; when it fails midway, after the commits read so far.
    """
    limits = []
    if since is not None:
        limits.append(f"--max-age={oldest_time(since, now=now or datetime.now(UTC))}")
    tip = tip or GitRepository(root).tip()
    if tip.head is None:
        return iter(())
    if after is not None:
        limits.append(f"^{after}")
    output = stream_git(root, *_LOG, *(_BY_FILE if find_renames else _BY_NAME), tip.head, *limits, "--", command="log")
    next(output)
    return _commits(output, tip.boundary, _commit_with_renames if find_renames else _commit_from)


def oldest_time(since: str, *, now: datetime) -> int:
    """Return what `since` means, in seconds since the epoch; 0 for everything before 1970.

    Read here because git takes whatever it cannot read for "now", and a bare date for that day at this hour.

    Raises:
        UsageError: `since` is neither a date nor an age.
    """
    text = since.strip()
    try:
        moment = _named(text, now) or _ago(text, now) or datetime.fromisoformat(text)
        return max(0, int(moment.timestamp()))
    except OverflowError:
        return 0
    except ValueError as error:
        hint = "Use a date such as 2024-01-31, or '6 months ago', or 'yesterday'."
        raise UsageError(f"Cannot read {since!r} as a date.", hint=hint) from error


def _named(text: str, now: datetime) -> datetime | None:
    match text.lower():
        case "today":
            return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        case "yesterday":
            return now - timedelta(days=1)  # git's meaning: 24 hours
        case _:
            return None


def _ago(text: str, now: datetime) -> datetime | None:
    if (match := _AGO.fullmatch(text)) is None:
        return None
    count = int(match["count"]) if match["count"].isdigit() else 1
    unit = match["unit"].lower()
    if unit in _MONTHS:
        return _months_before(now, count * _MONTHS[unit])
    return now - timedelta(**{f"{unit}s": count})


def _months_before(moment: datetime, months: int) -> datetime:
    """The same day of an earlier month, or that month's last day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 - months, 12)
    if year < 1:
        raise OverflowError
    first_of_next = datetime(year + month // 11, (month + 1) % 12 + 1, 1, tzinfo=moment.tzinfo)
    last_day = (first_of_next - timedelta(days=1)).day
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last_day))


def _commits(output: Iterable[bytes], boundary: Collection[str], read: Callable[[bytes], Commit]) -> Iterator[Commit]:
    for record in commit_records(output):
        commit = read(record)
        if commit.sha not in boundary:
            yield commit


def commit_records(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what `git log -z` prints of each commit, when its format starts with a slash."""
    rest = b"\0"
    for chunk in chunks:
        *complete, rest = (rest + chunk).split(_RECORD)
        yield from filter(None, complete)
    if last := rest.removesuffix(b"\0"):
        yield last


def _commit_from(record: bytes) -> Commit:
    """Read `sha time`, then, if files changed, NUL, newline and their names parted by NUL."""
    sha, time, fields = _parts(record)
    return Commit(sha=sha, time=time, paths=tuple(fields))


def _commit_with_renames(record: bytes) -> Commit:
    """Read the same with a letter before each name; an `R` with its old name and its new one."""
    sha, time, fields = _parts(record)
    paths: list[str] = []
    renames: list[tuple[str, str]] = []
    following = iter(fields)
    for letter in following:
        path = next(following)
        if letter.startswith("R"):
            renames.append((path, path := next(following)))
        paths.append(path)
    return Commit(sha=sha, time=time, paths=tuple(paths), renames=tuple(renames))


def _parts(record: bytes) -> tuple[str, int, list[str]]:
    header, _, rest = record.partition(b"\0")
    sha, time = header.decode("ascii").split(" ")
    return sha, int(time), decode_path(rest[1:]).split("\0") if rest else []
