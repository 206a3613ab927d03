"""Streams what commits say of themselves, with who wrote them and the files that each touched."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.codebase.git import decode_path, stream_git
from tx_graph.codebase.history import commit_records
from tx_graph.codebase.repository import GitRepository, Tip
from tx_graph.domain.commit_message import CommitMessage

_LOG = (
    "-c",
    "log.showRoot=true",  # the first commit's files count, whatever the user's configuration says
    "log",
    "--no-merges",
    "--no-renames",  # finding them needs blobs, which partial clones lack
    "--name-only",
    "-z",
    "--format=/%H %ct%n%an%n%B",
    "--encoding=UTF-8",
    "--topo-order",  # no commit before one that builds on it, whatever their clocks said
    "--no-show-signature",
    "--no-ext-diff",
    "--ignore-submodules=none",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)


def read_messages(
    repository: GitRepository, tip: Tip, *, after: str | None = None, oldest: int | None = None
) -> Iterator[CommitMessage]:
    """Return the commits that the tip builds on, without merges, latest first; none where there is no commit.

    `after` leaves out a commit and what it builds on, `oldest` those made before that time, in seconds since the epoch.
    The boundary commits of a shallow clone are left out: what they changed is unknown.

    Raises:
        RepositoryError: Git is missing or fails; when it fails midway, after the commits read so far.
    """
    if tip.head is None:
        return
    limits = [f"^{after}"] if after else []
    limits += [f"--max-age={oldest}"] if oldest is not None else []
    output = stream_git(repository.root, *_LOG, tip.head, *limits, "--", command="log")
    next(output)
    for record in commit_records(output):
        found = _message(record)
        if found.sha not in tip.boundary:
            yield found


def commits_apart(repository: GitRepository, *, of: str, without: str) -> list[str]:
    """Return the commits that `of` builds on and `without` does not, by their full names; merges are left out.

    Raises:
        RepositoryError: Git fails, as it does for a commit that was pruned.
    """
    listing = repository.run("rev-list", "--no-merges", of, f"^{without}", "--")
    return listing.decode("ascii").split()


def _message(record: bytes) -> CommitMessage:
    """Read `sha time`, author and message, a line each; then, if files changed, NUL, newline and their names."""
    header, _, rest = record.partition(b"\0")
    first, author, text = header.split(b"\n", 2)
    sha, time = first.decode("ascii").split(" ")
    return CommitMessage(
        sha=sha,
        time=int(time),
        author=author.decode("utf-8", "replace"),
        text=text.decode("utf-8", "replace").strip(),
        paths=tuple(decode_path(rest[1:]).split("\0")) if rest else (),
    )
