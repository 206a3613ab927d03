"""The past of files: what changed them, what they held, and where those went that are gone."""

from __future__ import annotations

import sys
from collections.abc import Collection, Generator, Iterable
from contextlib import closing
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from posixpath import basename
from typing import NamedTuple, Self

from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.git import ask_git, decode_path, stream_git
from tx_graph.core.objects import Objects
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.core.revisions import TREE, Side
from tx_graph.history.commits import commit_records

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


class Revision(NamedTuple):
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


def _changes(root: Path, tip: Tip, paths: Collection[str] | None = None) -> Generator[list[Revision], None, None]:
    """Yield what each commit changed in the content of files, newest first; a path may be taken out meanwhile.

    The boundary commits of a shallow clone are left out: they seem to add every file, but their parents are unknown.
    """
    if tip.head is None:
        return
    named = sorted(paths) if paths and len(paths) <= _FEW else ()
    with closing(stream_git(root, *_LOG, tip.head, "--", *named, command="log")) as output:
        for record in commit_records(output):
            header, _, listing = decode_path(record).partition("\0")
            commit, time, subject = header.split(" ", 2)
            # `:modes ids letter` and a path in turn; a merge has a colon, a mode and an id more for each parent. Before
            # them comes a newline, in a merge a NUL.
            fields = iter(listing.lstrip("\n\0").split("\0"))
            found: list[Revision] = []
            for facts, path in zip(fields, fields, strict=False):
                if paths is None or path in paths:
                    *sides, _ = facts.lstrip(":").split(" ")
                    modes, oids = sides[: len(sides) // 2], sides[len(sides) // 2 :]
                    contents = [oid if mode.startswith("100") else None for mode, oid in zip(modes, oids, strict=True)]
                    first, *others, after = contents
                    if after not in contents[:-1]:  # else only its mode changed
                        found.append(Revision(commit, int(time), subject, path, first, after, tuple(others)))
            if found and commit not in tip.boundary:
                yield found


class _Trail:
    """The revisions of one file, as its changes are read.

    Commits come by time, so where clocks say the same or are wrong, a change may come before the one that it led to.
    """

    def __init__(self, state: Content, limit: int) -> None:
        self.revisions: list[Revision] = []
        self._led_to: set[Content] = {state}
        self._early: dict[Content, list[Revision]] = {}
        self._limit = limit

    @property
    def has_ended(self) -> bool:
        """Whether enough is known, or the file's creation."""
        return bool(self.revisions) and (self.revisions[-1].is_creation or len(self.revisions) >= self._limit)

    def take(self, revision: Revision) -> None:
        """Add a change that led to what is known already, and those that came early and led to it."""
        if revision.after not in self._led_to:
            self._early.setdefault(revision.after, []).append(revision)
            return
        pending = [revision]
        while pending and not self.has_ended:
            one = pending.pop(0)
            self.revisions.append(one)
            for content in {one.before, *one.merged} - self._led_to:
                self._led_to.add(content)
                pending += self._early.pop(content, ()) if content else ()


_RENAMES = (
    "--find-renames=50%",
    "-l1000",  # git's own default, whatever the user's configuration says; identical files are found beyond it too
    "-z",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)


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
    # Names of commits, each followed by its changes: `:modes ids letter`, for renames the old path, and the new one. In
    # a merge there is a colon, a letter and an old path for each parent.
    fields = iter(decode_path(answer.output).split("\0"))
    found: dict[str, _Renaming] = {}
    renaming = _Renaming()
    for head in filter(None, fields):
        if not head.startswith(":"):
            renaming = found.setdefault(head, _Renaming())
            continue
        *_, blob, letters = head.split(" ")
        old = list(islice(fields, head.count(":"))) if letters.startswith("R") else []
        new = next(fields)
        renaming.renames |= dict.fromkeys(old, new)
        renaming.created.setdefault(blob, []).append(new)
        renaming.blobs[new] = blob
    return {commit: renaming.certain() for commit, renaming in found.items() if renaming.renames}


@dataclass(slots=True)
class _Renaming:
    """What one commit renamed, and the paths that it created, by their blobs and with them."""

    renames: dict[str, str] = field(default_factory=dict)
    created: dict[str, list[str]] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)

    def certain(self) -> dict[str, str]:
        """Return the renames that leave no choice; git takes the first of several copies."""
        certain: dict[str, str] = {}
        for old, new in self.renames.items():
            copies = self.created[self.blobs[new]]
            meant = copies if len(copies) == 1 else [path for path in copies if basename(path) == basename(old)]
            if len(meant) == 1:
                certain[old] = meant[0]
        return certain


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Where a file is now, and the commits that renamed it, oldest first."""

    path: str
    commits: tuple[str, ...] = ()


class _Departures:
    """The commits that took files away, back to the newest ones for all those that are asked for."""

    def __init__(self, root: Path, tip: Tip, asked: Iterable[str]) -> None:
        self._places: dict[str, int] = {}
        self._by_path: dict[str, list[str]] = {}
        self.asked = frozenset(asked)
        waiting = set(self.asked)
        with closing(
            _changes(root, tip)
        ) as changes:  # git's --diff-filter=D looks at merges the slow way: twice the time
            for place, change in enumerate(changes):
                for revision in change:
                    if revision.after is None:
                        self._places[revision.commit] = place
                        self._by_path.setdefault(revision.path, []).append(revision.commit)
                        waiting.discard(revision.path)
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


MOST_REVISIONS = 200
"""Revisions of one file that are read, unless more are wanted: an older change explains little about today."""


class Past:
    """A repository's history up to HEAD, asked about many files at once and with few processes.

    `seen` is what comes after HEAD, the working tree or git's index; if it is a commit, history ends with that instead.
    HEAD is where it was at the first question. One process for contents stays; `close` or leaving the `with` ends it.
    Every question raises `RepositoryError` when git fails, as in a partial clone that lacks what it needs.
    """

    def __init__(self, repository: GitRepository, seen: Side = TREE) -> None:
        self._root = repository.root
        self._repository = repository
        self._seen = seen
        self._journeys: dict[str, Journey | None] = {}
        self._departures: _Departures | None = None
        self._objects = Objects(repository.root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_cut_off(self) -> bool:
        """Whether the clone is shallow: then a list of revisions may end before the file's creation."""
        return bool(self._tip.boundary)

    def revisions(self, paths: Collection[str], *, limit: int = MOST_REVISIONS) -> dict[str, list[Revision]]:
        """Return the changes of content that made each path what it is in HEAD, newest first.

        They go back to where the file was created last, and are `limit` at most. Changes on side branches count, as do
        those of a merge itself; what a merge threw away does not. A path that no commit ever held has none.
        """
        trails = {path: _Trail(self._in_head.get(path), limit) for path in paths}
        if not trails:
            return {}
        waiting = dict(trails)
        with closing(_changes(self._root, self._tip, waiting)) as changes:
            for change in changes:
                for revision in change:
                    trail = waiting[revision.path]
                    trail.take(revision)
                    if trail.has_ended:
                        del waiting[revision.path]
                if not waiting:
                    break
        return {path: trail.revisions for path, trail in trails.items()}

    def revisions_before(self, commit: str, path: str) -> list[Revision]:
        """Return what made a path what it was before a commit that is no boundary, newest first, if only absent."""
        before, question = f"{commit}^", ("rev-parse", "--verify", "--quiet")
        if ask_git(self._root, *question, before, fine=(0, 1, 128)).status:
            return []  # it is the first one
        answer = ask_git(self._root, *question, f"{before}:{path}", fine=(0, 1, 128))
        trail = _Trail(answer.output.decode("ascii").strip() or None, MOST_REVISIONS)
        with closing(_changes(self._root, replace(self._tip, head=before), [path])) as changes:
            for revision in chain.from_iterable(changes):
                trail.take(revision)
                if trail.has_ended:
                    break
        return trail.revisions

    def altered(self, commit: str) -> list[tuple[str | None, str | None]]:
        """Return the old and the new name of each file that a commit made other than its first parent had it.

        They differ for what was renamed; None stands for what was not there, or is not any more.
        """
        options = ("-r", "--name-status", "--diff-filter=AMDR", *_RENAMES)
        answer = ask_git(self._root, "diff-tree", *options, f"{commit}^", commit, fine=(0, 128))  # 128: the first one
        fields = iter(decode_path(answer.output).split("\0"))
        found: list[tuple[str | None, str | None]] = []
        for letter in filter(None, fields):
            path = next(fields)
            new = next(fields) if letter.startswith("R") else path
            found.append((None if letter == "A" else path, None if letter == "D" else new))
        return found

    def journeys(self, paths: Collection[str]) -> dict[str, Journey]:
        """Return where these files are now and by which commits; one that was deleted is left out.

        A path that is in HEAD has its first journey since then; one that is not starts where it was last.
        """
        if unknown := set(paths) - self._journeys.keys():
            renames, gone = self._uncommitted
            found = {path: end for path, end in self._arrived(unknown).items() if end.path not in gone}
            for path, end in found.items():
                if new := renames.get(end.path):
                    found[path] = replace(end, path=new)
            self._journeys |= {path: found.get(path) for path in unknown}
        return {path: journey for path in paths if (journey := self._journeys[path])}

    def _arrived(self, paths: Collection[str]) -> dict[str, Journey]:
        """Return where each file is in HEAD; one that was deleted is left out, wherever it had been renamed to before.

        That takes one process, and one more for each link in the longest chain of renames.
        """
        arrived = {path: Journey(path=path) for path in paths if path in self._in_head}
        travelling = {path: Journey(path=path) for path in paths if path not in arrived}
        if travelling and (self._departures is None or not travelling.keys() <= self._departures.asked):
            self._departures = _Departures(self._root, self._tip, travelling)
        departures = self._departures
        while travelling and departures:
            leaving = {start: commit for start, on in travelling.items() if (commit := departures.next_of(on))}
            arrived |= {
                start: on for start, on in travelling.items() if start not in leaving and on.path in self._in_head
            }
            renames = renames_in(self._root, set(leaving.values()))
            travelling = {
                start: Journey(path=new, commits=(*travelling[start].commits, commit))
                for start, commit in leaving.items()
                if (new := renames.get(commit, {}).get(travelling[start].path))
            }
        return arrived

    def follow(self, path: str) -> str | None:
        """Return where this file is now, None when it was deleted; for many, ask for their `journeys` first."""
        journey = self.journeys([path]).get(path)
        return journey.path if journey else None

    def origins(self, paths: Collection[str]) -> dict[str, str]:
        """Return the names that files had before their last renames; those that were never renamed are left out."""
        old_name = {new: old for old, new in self._uncommitted[0].items()}
        revisions = self.revisions([path for path in paths if path not in old_name], limit=sys.maxsize)
        creations = {path: found[-1].commit for path, found in revisions.items() if found and found[-1].is_creation}
        old_names = {
            commit: {new: old for old, new in renames.items()}
            for commit, renames in renames_in(self._root, set(creations.values())).items()
        }
        committed = {path: old_names.get(commit, {}).get(path) for path, commit in creations.items()}
        known = committed | {path: old_name[path] for path in paths if path in old_name}
        return {path: old for path, old in known.items() if old}

    @property
    def head(self) -> str:
        """The last commit, as git is asked about it."""
        return self._seen.commit or "HEAD"

    @cached_property
    def _tip(self) -> Tip:
        tip = self._repository.tip()
        return replace(tip, head=self._seen.commit) if self._seen.commit else tip

    @cached_property
    def _in_head(self) -> dict[str, str]:
        """The blobs of HEAD's regular files, by path."""
        if self._tip.head is None:
            return {}
        listing = decode_path(self._repository.run("ls-tree", "-r", "-z", "--full-tree", self._tip.head))
        entries = (entry.partition("\t") for entry in listing.split("\0") if entry.startswith("100"))
        return {path: facts.rpartition(" ")[2] for facts, _, path in entries}

    @cached_property
    def _uncommitted(self) -> tuple[dict[str, str], set[str]]:
        """How what is seen differs from HEAD: new names by old ones, and the files that are gone without one."""
        renames: dict[str, str] = {}
        gone: set[str] = set()
        if self._tip.head is None or self._seen.commit:
            return renames, gone
        options = ("--name-status", "--diff-filter=DR", *_RENAMES, "--no-relative", "--no-ext-diff")
        sides = ("--ignore-submodules=all", *self._seen.options, self._tip.head, "--")
        listing = ask_git(self._root, "diff", *options, *sides, index=self._seen.index_file).output
        fields = iter(decode_path(listing).split("\0"))
        for letter in filter(None, fields):
            path = next(fields)
            if letter.startswith("R"):
                renames[path] = next(fields)
            else:
                gone.add(path)
        return renames, gone

    def blob(self, oid: str) -> bytes | None:
        """Return the content of the blob or commit with this full id; None when it is missing."""
        return self._objects.get(oid)

    def at(self, commit: str, path: str) -> bytes | None:
        """Return what a commit has at a path; None when it has no file there, or the content is missing.

        A symbolic link has its target as content.
        """
        return self._objects.named(f"{commit}:{path}")

    def close(self) -> None:
        """End the process for contents; a second time does no harm."""
        self._objects.close()
