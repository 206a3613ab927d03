"""What single commits changed, line by line."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from tx_graph.core.changes import Hunk, hunks_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.git import ask_git, decode_path, stream_git
from tx_graph.core.labels import is_unicode
from tx_graph.core.repository import GitRepository, Tip, foreign_owner
from tx_graph.history.cochange import Commit


@dataclass(frozen=True, slots=True, kw_only=True)
class Changeset:
    """A commit that is no merge, seen from its one parent; `sha` and `parent` are full names.

    `time` is the committer's, in seconds since the epoch. `paths` is how many it changed; a renamed file counts twice,
    as one removed and one added. `existing` are those in the parent's tree, as regular files with readable names.
    """

    sha: str
    parent: str
    time: int
    subject: str
    paths: int
    existing: tuple[str, ...]


_TRAILER = re.compile(r"^[A-Z][A-Za-z-]+(?:-by|-Id|-id|-From|-from): .*$", re.MULTILINE)
"""Lines that tools add: `Signed-off-by: …`, `Co-authored-by: …`, `Change-Id: …`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitMessage:
    """One commit; `time` is the committer's, in seconds since the epoch, `text` the whole message.

    `author` is who wrote it, by the name that git has. Nothing in it is to be trusted. A renamed file is two `paths`,
    one removed and one added; where renames are looked for, `renames` has (old, new).
    """

    sha: str
    time: int
    author: str
    text: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()

    @property
    def subject(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0].strip()

    @property
    def body(self) -> str:
        """The rest, without the lines that tools add."""
        return _TRAILER.sub("", self.text.partition("\n")[2]).strip()


_RECORD = b"\0/"  # parts two commits: only our own header starts with a slash, a path in a repository never does

_WITH_ROOT = ("-c", "log.showRoot=true")  # the first commit's files count, whatever the user's configuration says
_LOG = (
    *("--no-merges", "-z", "--encoding=UTF-8", "--no-show-signature", "--no-ext-diff", "--ignore-submodules=none"),
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
    r"(?P<count>an?|last|\d{1,9})[ .]+(?P<unit>second|minute|hour|day|week|month|year)s?([ .]+ago)?", re.IGNORECASE
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

    `since` leaves out older commits: an ISO date or time (local unless it says otherwise), `6 months ago`, `today` or
    `yesterday`; it counts from `now`. `after` leaves out that commit and all that it builds on. With `find_renames`
    renames are told, in git's `--topo-order`; git reads file contents for that, so it takes longer.
    """
    limits = []
    if since is not None:
        limits.append(f"--max-age={oldest_time(since, now=now or datetime.now(UTC))}")
    tip = tip or GitRepository(root).tip()
    if tip.head is None:
        return iter(())
    if after is not None:
        limits.append(f"^{after}")
    listing = ("log", *_LOG, "--format=/%H %ct", *(_BY_FILE if find_renames else _BY_NAME))
    output = stream_git(root, *_WITH_ROOT, *listing, tip.head, *limits, "--", command="log")
    next(output)
    return _commits(output, tip.boundary, has_letters=find_renames)


def oldest_time(since: str, *, now: datetime) -> int:
    """Return what `since` means, in seconds since the epoch; 0 for everything before 1970.

    Read here because git takes whatever it cannot read for "now", and a bare date for that day at this hour.
    """
    text = since.strip()
    try:
        match text.lower():
            case "today":
                moment = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
            case "yesterday":
                moment = now - timedelta(days=1)  # git's meaning: 24 hours
            case _:
                moment = _ago(text, now) or datetime.fromisoformat(text)
        return max(0, int(moment.timestamp()))
    except OverflowError:
        return 0
    except ValueError as error:
        hint = "Use a date such as 2024-01-31, or '6 months ago', or 'yesterday'."
        raise UsageError(f"Cannot read {since!r} as a date.", hint=hint) from error


def _ago(text: str, now: datetime) -> datetime | None:
    if (match := _AGO.fullmatch(text)) is None:
        return None
    count = int(match["count"]) if match["count"].isdigit() else 1
    unit = match["unit"].lower()
    if unit in _MONTHS:
        months = count * _MONTHS[unit]
        year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
        if year < 1:
            raise OverflowError
        first_of_next = datetime(year + month // 11, (month + 1) % 12 + 1, 1, tzinfo=now.tzinfo)
        last_day = (first_of_next - timedelta(days=1)).day
        return now.replace(year=year, month=month + 1, day=min(now.day, last_day))
    return now - timedelta(**{f"{unit}s": count})


def _commits(output: Iterable[bytes], boundary: Collection[str], *, has_letters: bool) -> Iterator[Commit]:
    """Read `sha time`, then what files changed, with a letter before each name or without."""
    for record in commit_records(output):
        header, _, rest = record.partition(b"\0")
        sha, time = header.decode("ascii").split(" ")
        if sha in boundary:
            continue
        names = decode_path(rest[1:]).split("\0") if rest else []
        paths, renames = _renamed(names) if has_letters else (names, [])
        yield Commit(sha=sha, time=int(time), paths=tuple(paths), renames=tuple(renames))


def _renamed(fields: Iterable[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the files, by their new names, and the renames, of a letter before each name; after `R` there are two."""
    following, paths, renames = iter(fields), list[str](), list[tuple[str, str]]()
    for letter in following:
        path = next(following)
        if letter.startswith("R"):
            renames.append((path, path := next(following)))
        paths.append(path)
    return paths, renames


def commit_records(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what `git log -z` prints of each commit, when its format starts with a slash."""
    rest = b"\0"
    for chunk in chunks:
        *complete, rest = (rest + chunk).split(_RECORD)
        yield from filter(None, complete)
    if last := rest.removesuffix(b"\0"):
        yield last


class Renames(StrEnum):
    """Which renames are looked for: none, those of files that were changed a little too, or those of unchanged ones.

    Likeness is told by contents, some of which a partial clone lacks, and then git fails; whether they are unchanged
    is told by their names alone.
    """

    NONE = "--no-renames"
    ALIKE = "--find-renames=50%"
    UNCHANGED = "--find-renames=100%"


def read_messages(
    repository: GitRepository,
    tip: Tip,
    *,
    after: str | None = None,
    oldest: int | None = None,
    renames: Renames = Renames.NONE,
) -> Iterator[CommitMessage]:
    """Return the commits that the tip builds on, without merges, latest first; none where there is no commit.

    `after` leaves out a commit and what it builds on, `oldest` those made before that time, in seconds since the epoch.
    The boundary commits of a shallow clone are left out: what they changed is unknown.
    """
    if tip.head is None:
        return
    limits = [f"^{after}"] if after else []
    limits += [f"--max-age={oldest}"] if oldest is not None else []
    # No commit before one that builds on it, whatever their clocks said.
    listing = ("log", *_LOG, "-l1000", renames, "--name-status", "--format=/%H %ct%n%an%n%B", "--topo-order")
    output = stream_git(repository.root, *_WITH_ROOT, *listing, tip.head, *limits, "--", command="log")
    next(output)
    for record in commit_records(output):
        # Read `sha time`, author and message, a line each; then, if files changed, NUL, newline and their names.
        header, _, rest = record.partition(b"\0")
        first, author, text = header.split(b"\n", 2)
        sha, time = first.decode("ascii").split(" ")
        paths, moved = _renamed(decode_path(rest[1:]).split("\0") if rest else [])
        found = CommitMessage(
            sha=sha,
            time=int(time),
            author=author.decode("utf-8", "replace"),
            text=text.decode("utf-8", "replace").strip(),
            paths=(*paths, *(old for old, _ in moved)),
            renames=tuple(moved),
        )
        if found.sha not in tip.boundary:
            yield found


def commits_apart(repository: GitRepository, *, of: str, without: str) -> list[str]:
    """Return the commits that `of` builds on and `without` does not, by their full names; merges are left out."""
    listing = repository.run("rev-list", "--no-merges", of, f"^{without}", "--")
    return listing.decode("ascii").split()


def number_apart(repository: GitRepository, *ends: str | None) -> int:
    """Return how many commits only one of two builds on, or how many one builds on; merges are left out."""
    asked = "...".join(filter(None, ends))
    return int(repository.run("rev-list", "--count", "--no-merges", asked, "--")) if asked else 0


_REGULAR = b":100"
"""How git begins to tell of a path that was a regular file: symbolic links and submodules have other modes."""


def read_changesets(repository: GitRepository) -> Iterator[Changeset]:
    """Yield the commits reachable from HEAD without merges, oldest first.

    First commits, and the boundary of a shallow clone, are left out: they have no parent here. No commit at all gives
    nothing.
    """
    tip = repository.tip()
    if tip.head is None:
        return
    # Neighbours in the list differ little, and no commit stands before one it builds on. The blank is there because a
    # subject may start with a slash, which parts two commits.
    listing = ("log", *_LOG, "--topo-order", "--reverse", "--format=/%H %ct %P%x00 %s", "--no-renames", "--raw")
    output = stream_git(repository.root, *listing, "--no-abbrev", tip.head, "--", command="log")
    for record in commit_records(output):
        header, subject, *fields = record.split(b"\0")
        sha, time, *parents = header.decode("ascii").split()
        if parents and sha not in tip.boundary:
            changes, paths = fields[::2], [decode_path(path) for path in fields[1::2]]
            yield Changeset(
                sha=sha,
                parent=parents[0],
                time=int(time),
                subject=subject.decode("utf-8", "replace").strip(),
                paths=len(paths),
                existing=tuple(
                    path
                    for change, path in zip(changes, paths, strict=True)
                    if change.lstrip(b"\n").startswith(_REGULAR) and not foreign_owner(path) and is_unicode(path)
                ),
            )


_FILE = "+++ b/"
_QUESTION = tuple(
    (
        "-c core.quotePath=false diff-tree --root --no-commit-id -r -p -U0 --no-renames --no-color"
        " --no-ext-diff --no-textconv --src-prefix=a/ --dst-prefix=b/"
    ).split()
)


def changed_lines(repository: GitRepository, commit: str) -> dict[str, list[Hunk]]:
    """Return the hunks of each file that a commit changed and did not remove, by path, in their order.

    Files whose names git quotes are left out, and so are binary ones.
    """
    output = decode_path(ask_git(repository.root, *_QUESTION, commit, "--").output)
    found: dict[str, list[Hunk]] = {}
    for part in f"\n{output}".split("\ndiff --git ")[1:]:
        head = part.partition("\n@@ -")[0]
        name = next((line for line in head.split("\n") if line.startswith(_FILE)), None)
        if name:
            found[name.removeprefix(_FILE).removesuffix("\t")] = [*hunks_of(part)]
    return found
