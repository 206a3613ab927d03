"""The past of files: what changed them, what they held, and where those went that are gone."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from posixpath import basename
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple, Self, cast

from tx_graph.core.git import ask_git, decode_path, git_failure, start_git, stream_git
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.history.commits import commit_records

if TYPE_CHECKING:
    from subprocess import Popen


_FOUND = re.compile(rb"[0-9a-f]{40,64} (?P<type>[a-z]+) (?P<size>\d+)\n")
"""What `cat-file` says before the content. What it lacks is named as it was asked for, followed by ` missing`."""


class Objects:
    """The contents of blobs, from one `git cat-file --batch` that starts with the first question.

    Where a partial clone lacks an object, git does not say so but ends: then the process is started anew, and from
    then on only ids that a listing of all objects has are asked for.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: Popen[bytes] | None = None
        self._messages: IO[bytes] | None = None
        self._is_partial = False

    def blob(self, oid: str) -> bytes | None:
        """Return the content of the blob with this full id; None when it is missing."""
        return None if self._is_partial and oid not in self._present else self.named(oid)

    def named(self, name: str) -> bytes | None:
        """Return the content of the blob that git knows by this name, such as `<commit>:<path>`; None without one."""
        if "\n" in name:  # --batch takes one name a line, and its -z is newer than git 2.37
            answer = ask_git(self._root, "cat-file", "blob", name, fine=(0, 128))
            return answer.output if answer.status == 0 else None
        try:
            return self._asked(name.encode("utf-8", "surrogateescape"))
        except BaseException:
            self.close()  # the rest of an answer may be on its way
            raise

    def close(self) -> None:
        """End the process; a second time does no harm."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout, self._messages):
                with suppress(OSError):
                    cast("IO[bytes]", stream).close()

    @cached_property
    def _present(self) -> frozenset[str]:
        listing = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        return frozenset(ask_git(self._root, "cat-file", *listing).output.decode("ascii").split())

    def _asked(self, name: bytes) -> bytes | None:
        process = self._process or self._started()
        questions, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        with suppress(BrokenPipeError):  # it has ended, as reading will show
            questions.write(name + b"\n")
            questions.flush()
        try:
            content = _answer(answers)
        except EOFError:
            process.wait()
            self._explain_end()
            return None
        if content is None and b"error:" in (said := self._said()):  # damaged, which git then calls missing
            raise git_failure(self._root, "cat-file", said)
        return content

    def _started(self) -> Popen[bytes]:
        self._messages = TemporaryFile()  # noqa: SIM115 - `close` closes it
        self._process = start_git(self._root, "cat-file", "--batch", errors=self._messages, asks=True)
        return self._process

    def _explain_end(self) -> None:
        """Fail as git did, unless it ended because a partial clone lacks the object."""
        if b"promisor" not in (said := self._said()):
            raise git_failure(self._root, "cat-file", said)
        self.close()
        self._is_partial = True

    def _said(self) -> bytes:
        messages = cast("IO[bytes]", self._messages)
        messages.seek(0)
        return messages.read()


def _answer(answers: IO[bytes]) -> bytes | None:
    """Read a blob's content, None when there is no blob of that name; the end of it all is an `EOFError`."""
    header = answers.readline()
    if not header:
        raise EOFError
    if (found := _FOUND.fullmatch(header)) is None:
        return None
    content = answers.read(int(found["size"]) + 1)
    if len(content) <= int(found["size"]):
        raise EOFError
    return content[:-1] if found["type"] == b"blob" else None


_LOG = (
    "--literal-pathspecs",
    "-c",
    "log.showRoot=true",  # the first commit's files count, whatever the user's configuration says
    "log",
    "-z",
    "--format=/%H %ct %s",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--full-history",
    "-c",
    "--raw",
    "--no-abbrev",
    "--no-renames",  # finding renames needs blobs, which partial clones lack
    "--no-follow",  # a user may have set log.follow
    "--no-relative",
    "--no-ext-diff",
    "--ignore-submodules=none",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)

_FEW = 1
"""Paths that git is asked about by name. Git tries each entry of each tree against each name: one file takes about half
the time that all files take, four take up to twice that, a hundred 17 times (in git's own history)."""

Content = str | None
"""A blob's id; None where there is no regular file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One change of one file: the commit that made it, and what the file held on either side.

    `commit` is the full name; `time` is the committer's, in seconds since the epoch; `before` and `after` are ids of
    blobs, None where there was no regular file. For a merge `before` is what its first parent had, and `merged` what
    the others had; the file then differs from all of them.
    """

    commit: str
    time: int
    subject: str
    path: str
    before: Content
    after: Content
    merged: tuple[Content, ...] = ()

    @property
    def is_creation(self) -> bool:
        """Whether no parent had the file."""
        return not any((self.before, *self.merged))


class Entry(NamedTuple):
    """A file that a commit changed: what each parent had, and what the commit has."""

    path: str
    before: tuple[Content, ...]
    after: Content


class Change(NamedTuple):
    """A commit, and the files that it changed, as far as they were asked for."""

    commit: str
    time: int
    subject: str
    entries: list[Entry]


def revisions_of(
    root: Path, tip: Tip, paths: Collection[str], *, state: Mapping[str, str], limit: int
) -> dict[str, list[Revision]]:
    """Return the changes of each path that led to its `state` in HEAD, newest first, `limit` of them at most.

    A list ends where the file was created last. Reading stops when all lists have ended.
    """
    trails = {path: _Trail(state.get(path), limit) for path in paths}
    if not trails:
        return {}
    waiting = dict(trails)
    with closing(_changes(root, tip, waiting)) as changes:
        for change in changes:
            for entry in change.entries:
                trail = waiting[entry.path]
                trail.take(change, entry)
                if trail.has_ended:
                    del waiting[entry.path]
            if not waiting:
                break
    return {path: trail.revisions for path, trail in trails.items()}


def deletions_in(root: Path, tip: Tip) -> Generator[Change, None, None]:
    """Yield the commits that took files away, newest first."""
    for change in _changes(root, tip):  # git's --diff-filter=D makes it look at merges the slow way: twice the time
        if entries := [entry for entry in change.entries if entry.after is None]:
            yield change._replace(entries=entries)


def _changes(root: Path, tip: Tip, paths: Collection[str] | None = None) -> Generator[Change, None, None]:
    """Yield the commits that changed the content of files, newest first; a path may be taken out meanwhile.

    The boundary commits of a shallow clone are left out: they seem to add every file, but their parents are unknown.
    """
    if tip.head is None:
        return
    named = sorted(paths) if paths and len(paths) <= _FEW else ()
    with closing(stream_git(root, *_LOG, tip.head, "--", *named, command="log")) as output:
        for record in commit_records(output):
            header, _, listing = decode_path(record).partition("\0")
            commit, time, subject = header.split(" ", 2)
            entries = list(_entries(listing.lstrip("\n\0"), paths))  # a newline comes first, in a merge a NUL
            if entries and commit not in tip.boundary:
                yield Change(commit, int(time), subject, entries)


class _Trail:
    """The revisions of one file, as its changes are read.

    Commits come by time, so where clocks say the same or are wrong, a change may come before the one that it led to.
    """

    def __init__(self, state: Content, limit: int) -> None:
        self.revisions: list[Revision] = []
        self._led_to: set[Content] = {state}
        self._early: dict[Content, list[tuple[Change, Entry]]] = {}
        self._limit = limit

    @property
    def has_ended(self) -> bool:
        """Whether enough is known, or the file's creation."""
        return bool(self.revisions) and (self.revisions[-1].is_creation or len(self.revisions) >= self._limit)

    def take(self, change: Change, entry: Entry) -> None:
        """Add a change that led to what is known already, and those that came early and led to it."""
        if entry.after not in self._led_to:
            self._early.setdefault(entry.after, []).append((change, entry))
            return
        pending = [(change, entry)]
        while pending and not self.has_ended:
            change, entry = pending.pop(0)
            self.revisions.append(_revision(change, entry))
            for content in set(entry.before) - self._led_to:
                self._led_to.add(content)
                pending += self._early.pop(content, ()) if content else ()


def _revision(change: Change, entry: Entry) -> Revision:
    before, *merged = entry.before
    return Revision(
        commit=change.commit,
        time=change.time,
        subject=change.subject,
        path=entry.path,
        before=before,
        after=entry.after,
        merged=tuple(merged),
    )


def _entries(listing: str, paths: Collection[str] | None) -> Iterator[Entry]:
    """Read `:modes ids letter` and a path in turn; a merge has a colon, a mode and an id more for each parent."""
    fields = iter(listing.split("\0"))
    for facts, path in zip(fields, fields, strict=False):
        if paths is None or path in paths:
            *sides, _ = facts.lstrip(":").split(" ")
            count = len(sides) // 2
            *before, after = [
                oid if mode.startswith("100") else None for mode, oid in zip(sides[:count], sides[count:], strict=True)
            ]
            if after not in before:  # else only its mode changed
                yield Entry(path, tuple(before), after)


_RENAMES = (
    "--find-renames=50%",
    "-l1000",  # git's own default, whatever the user's configuration says; identical files are found beyond it too
    "-z",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncommitted:
    """How the tracked files differ from HEAD: new names by old ones, and the files that are gone without one."""

    renames: dict[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


def renames_in(root: Path, commits: Collection[str]) -> dict[str, dict[str, str]]:
    """Return, for each of these commits that renamed files, the new names by the old ones.

    A merge renamed what it calls otherwise than all of its parents: the rest came in by it, but was renamed before. A
    file of which a commit made several copies went to the only one that kept its last name, or to none for certain.
    """
    if not commits:
        return {}
    question = "".join(f"{commit}\n" for commit in sorted(set(commits))).encode("ascii")
    merges = ("-c", "--combined-all-paths")
    answer = ask_git(
        root, "diff-tree", "--stdin", "-r", *merges, "--raw", "--diff-filter=AR", *_RENAMES, question=question
    )
    return _renames_by_commit(decode_path(answer.output))


def uncommitted_in(root: Path, head: str) -> Uncommitted:
    """Return how the files that git tracks now differ from those of HEAD; an untracked file is no new name."""
    options = ("--name-status", "--diff-filter=DR", *_RENAMES, "--no-relative", "--no-ext-diff")
    listing = ask_git(root, "diff", *options, "--ignore-submodules=all", head, "--").output
    fields = iter(decode_path(listing).split("\0"))
    renames: dict[str, str] = {}
    gone: set[str] = set()
    for letter in filter(None, fields):
        path = next(fields)
        if letter.startswith("R"):
            renames[path] = next(fields)
        else:
            gone.add(path)
    return Uncommitted(renames=renames, gone=frozenset(gone))


def _renames_by_commit(listing: str) -> dict[str, dict[str, str]]:
    """Read names of commits, each followed by its changes: `:modes ids letter`, for renames the old path, and the new.

    In a merge there is a colon, a letter and an old path for each parent.
    """
    fields = iter(listing.split("\0"))
    found: dict[str, _Changes] = {}
    changes = _Changes()
    for head in filter(None, fields):
        if not head.startswith(":"):
            changes = found.setdefault(head, _Changes())
            continue
        *_, blob, letters = head.split(" ")
        is_rename = letters.startswith("R")
        old = list(islice(fields, head.count(":"))) if is_rename else []
        new = next(fields)
        changes.renames |= dict.fromkeys(old, new)
        changes.created.setdefault(blob, []).append(new)
        changes.blobs[new] = blob
    return {commit: changes.certain() for commit, changes in found.items() if changes.renames}


@dataclass(slots=True)
class _Changes:
    """What one commit renamed, and the paths that it created, by their blobs and with them."""

    renames: dict[str, str] = field(default_factory=dict)
    created: dict[str, list[str]] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)

    def certain(self) -> dict[str, str]:
        """Return the renames that leave no choice; git takes the first of several copies."""
        return {old: meant for old, new in self.renames.items() if (meant := self._meant(old, new))}

    def _meant(self, old: str, new: str) -> str | None:
        copies = self.created[self.blobs[new]]
        namesakes = [path for path in copies if basename(path) == basename(old)]
        only = copies if len(copies) == 1 else namesakes
        return only[0] if len(only) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Where a file is now, and the commits that renamed it, oldest first.

    `is_committed` is False when its last name is in the index, but not in HEAD.
    """

    path: str
    commits: tuple[str, ...] = ()
    is_committed: bool = True


def journeys_of(
    root: Path, tip: Tip, paths: Collection[str], *, in_head: Collection[str], uncommitted: Uncommitted
) -> dict[str, Journey]:
    """Return where each file is now; one that was deleted is left out, wherever it had been renamed to before.

    That takes one process, and one more for each link in the longest chain of renames.
    """
    missing = {path for path in paths if path not in in_head}
    arrived = {path: Journey(path=path) for path in paths if path not in missing}
    travelling = {path: Journey(path=path) for path in missing}
    departures = _Departures(deletions_in(root, tip), missing) if missing else None
    while travelling and departures:
        leaving = {start: commit for start, on in travelling.items() if (commit := departures.next_of(on))}
        arrived |= {start: on for start, on in travelling.items() if start not in leaving and on.path in in_head}
        renames = renames_in(root, set(leaving.values()))
        travelling = {
            start: Journey(path=new, commits=(*travelling[start].commits, commit))
            for start, commit in leaving.items()
            if (new := renames.get(commit, {}).get(travelling[start].path))
        }
    return {start: end for start, journey in arrived.items() if (end := _now(journey, uncommitted))}


class _Departures:
    """The commits that took files away, back to the newest ones for all those that are asked for."""

    def __init__(self, deletions: Generator[Change, None, None], asked: Collection[str]) -> None:
        self._places: dict[str, int] = {}
        self._by_path: dict[str, list[str]] = {}
        waiting = set(asked)
        with closing(deletions):
            for place, change in enumerate(deletions):
                self._places[change.commit] = place
                for entry in change.entries:
                    self._by_path.setdefault(entry.path, []).append(change.commit)
                    waiting.discard(entry.path)
                if not waiting:
                    break

    def next_of(self, journey: Journey) -> str | None:
        """Return the commit that next took the file away, None when it is still where it has come to.

        For a file that has not moved yet, that is whatever took its path away last. For others it is the first such
        commit after the rename that brought it: the path may have been used again since.
        """
        commits = self._by_path.get(journey.path, [])
        if not journey.commits:
            return commits[0] if commits else None
        arrival = self._places[journey.commits[-1]]
        return next((commit for commit in reversed(commits) if self._places[commit] < arrival), None)


def _now(journey: Journey, uncommitted: Uncommitted) -> Journey | None:
    if journey.path in uncommitted.gone:
        return None
    new = uncommitted.renames.get(journey.path)
    return replace(journey, path=new, is_committed=False) if new else journey


MOST_REVISIONS = 200
"""Revisions of one file that are read, unless more are wanted: an older change explains little about today."""


class Past:
    """A repository's history up to HEAD, asked about many files at once and with few processes.

    HEAD is where it was at the first question. One process for contents stays; `close` or leaving the `with` ends it.
    Every question raises `RepositoryError` when git fails, as in a partial clone that lacks what it needs.
    """

    def __init__(self, repository: GitRepository) -> None:
        self._root = repository.root
        self._repository = repository
        self._objects = Objects(repository.root)
        self._journeys: dict[str, Journey | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads contents; a second time does no harm."""
        self._objects.close()

    @property
    def is_cut_off(self) -> bool:
        """Whether the clone is shallow: then a list of revisions may end before the file's creation."""
        return bool(self._tip.boundary)

    def revisions(self, paths: Collection[str], *, limit: int = MOST_REVISIONS) -> dict[str, list[Revision]]:
        """Return the changes of content that made each path what it is in HEAD, newest first.

        They go back to where the file was created last, and are `limit` at most. Changes on side branches count, as do
        those of a merge itself; what a merge threw away does not. A path that no commit ever held has none.
        """
        return revisions_of(self._root, self._tip, paths, state=self._in_head, limit=limit)

    def blob(self, oid: str) -> bytes | None:
        """Return the content of the blob with this full id; None when it is missing."""
        return self._objects.blob(oid)

    def at(self, commit: str, path: str) -> bytes | None:
        """Return what a commit has at a path; None when it has no file there, or the content is missing.

        A symbolic link has its target as content.
        """
        return self._objects.named(f"{commit}:{path}")

    def renames(self, deletions: Mapping[str, str]) -> dict[str, str]:
        """Return the new names of files, given the commits that took the old ones away; one merely deleted has none."""
        by_commit = renames_in(self._root, set(deletions.values()))
        found = {path: by_commit.get(commit, {}).get(path) for path, commit in deletions.items()}
        return {old: new for old, new in found.items() if new}

    def uncommitted_renames(self) -> dict[str, str]:
        """Return the new names of files that were moved since HEAD, by their old ones; only what git tracks."""
        return self._uncommitted.renames

    def journeys(self, paths: Collection[str]) -> dict[str, Journey]:
        """Return where these files are now and by which commits; one that was deleted is left out.

        A path that is in HEAD has its first journey since then; one that is not starts where it was last.
        """
        if unknown := set(paths) - self._journeys.keys():
            found = journeys_of(self._root, self._tip, unknown, in_head=self._in_head, uncommitted=self._uncommitted)
            self._journeys |= {path: found.get(path) for path in unknown}
        return {path: journey for path in paths if (journey := self._journeys[path])}

    def follow(self, path: str) -> str | None:
        """Return where this file is now, None when it was deleted; for many, ask for their `journeys` first."""
        journey = self.journeys([path]).get(path)
        return journey.path if journey else None

    def origins(self, paths: Collection[str]) -> dict[str, str]:
        """Return the names that files had before their last renames; those that were never renamed are left out."""
        revisions = self.revisions([path for path in paths if path not in self._old_names], limit=sys.maxsize)
        creations = {path: found[-1].commit for path, found in revisions.items() if found and found[-1].is_creation}
        old_names = {
            commit: {new: old for old, new in renames.items()}
            for commit, renames in renames_in(self._root, set(creations.values())).items()
        }
        committed = {path: old_names.get(commit, {}).get(path) for path, commit in creations.items()}
        known = committed | {path: self._old_names[path] for path in paths if path in self._old_names}
        return {path: old for path, old in known.items() if old}

    @cached_property
    def _tip(self) -> Tip:
        return self._repository.tip()

    @cached_property
    def _in_head(self) -> dict[str, str]:
        """The blobs of HEAD's regular files, by path."""
        if self._tip.head is None:
            return {}
        listing = decode_path(self._repository.run("ls-tree", "-r", "-z", "--full-tree", self._tip.head))
        entries = (entry.partition("\t") for entry in listing.split("\0") if entry.startswith("100"))
        return {path: facts.rpartition(" ")[2] for facts, _, path in entries}

    @cached_property
    def _uncommitted(self) -> Uncommitted:
        return uncommitted_in(self._root, self._tip.head) if self._tip.head else Uncommitted()

    @cached_property
    def _old_names(self) -> dict[str, str]:
        return {new: old for old, new in self._uncommitted.renames.items()}
