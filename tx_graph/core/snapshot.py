"""The files as git's index or a commit has them, to be judged in place of those in the working tree."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from stat import S_IFREG
from typing import NamedTuple

from tx_graph.core.checkout import Checkout
from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import is_unicode
from tx_graph.core.objects import Objects
from tx_graph.core.place import DIRECTORY, Root
from tx_graph.core.repository import GitRepository, Skipped, WorkingFile, foreign_owner
from tx_graph.core.revisions import Side, full_name, index_side
from tx_graph.core.working_tree import Stamp, WorkingTree

_LINK = "120000"
_MOST_LINKS = 5  # that lead to each other
_NOT_ON_DISK = -2
"""The time of change of what is read from git: no file ever has it, so what is known of a file's stamp is not used."""
_DIFFERING = (
    "diff --name-status --no-renames -z --no-relative --no-ext-diff --ignore-submodules=all -O/dev/null".split()
)
_MOST_NAMED = 3


class Entry(NamedTuple):
    """A file or symbolic link of a snapshot: its mode as git writes it, and the id of its content."""

    mode: str
    oid: str


class SnapshotTree(WorkingTree):
    """The working tree, but with the entries of a snapshot.

    What is the same in both is read from the disk, where stamps tell that nothing was touched, and where filters such
    as git-lfs's have run; of all that is `differing`, git has the content.
    """

    def __init__(
        self,
        root: Path,
        *,
        cwd: Path,
        sources: Callable[[], Mapping[str, Path]],
        entries: Mapping[str, Entry],
        differing: frozenset[str],
        objects: Objects,
    ) -> None:
        super().__init__(root, cwd=cwd, sources=sources)
        self._entries, self._differing, self._objects = entries, differing, objects

    @cached_property
    def _directories(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._entries:
            while (path := path.rpartition("/")[0]) and path not in found:
                found.add(path)
        return frozenset(found)

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory at `path`."""
        return super().exists(path) if self.is_outside(path) else path in self._entries or self.is_directory(path)

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory at `path`."""
        if self.is_outside(path):
            return super().is_directory(path)
        return path in (".", "") or path in self._directories

    def links_outside(self, path: str) -> bool:
        """Whether `path` is a symbolic link that leads out of the repository."""
        entry = self._entries.get(path)
        return entry is not None and entry.mode == _LINK and self._target(path, entry) is None

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a file, None when there is no regular file at `path`."""
        entry = self._entries.get(path)
        if self.is_outside(path) or (entry and entry.mode != _LINK and path not in self._differing):
            return super().stamp(path)
        data = self.read(path)
        return None if data is None else Stamp(len(data), _NOT_ON_DISK)

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, None when there is no file at `path`; a link is followed inside the repository."""
        if self.is_outside(path):
            return super().read(path)
        for _ in range(_MOST_LINKS):
            if (entry := self._entries.get(path)) is None:
                return None
            if entry.mode != _LINK:
                found = None if path in self._differing else super().read(path)
                return self._objects.get(entry.oid) if found is None else found
            if (target := self._target(path, entry)) is None:
                return None
            path = target
        return None

    def read_listed(self, path: str, *, most: int = -1) -> bytes | None:
        """Return a file's first bytes, or all of them."""
        data = self.read(path)
        return data if data is None or most < 0 else data[:most]

    def _target(self, path: str, link: Entry) -> str | None:
        """Return where a symbolic link leads, None when that is out of the repository."""
        target = decode_path(self._objects.get(link.oid) or b"")
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        return None if posixpath.isabs(found) or found.split("/")[0] == ".." else found


class Snapshot(Checkout):
    """The checkout, but with the files of git's index, or of a commit by its full name."""

    is_snapshot = True

    def __init__(self, checkout: Checkout, repository: GitRepository, *, commit: str | None) -> None:
        root = Root(path=checkout.root, is_git=True)
        super().__init__(root, cwd=checkout.cwd, sources=lambda: checkout.tree.sources)
        self._git, self._commit = repository, commit
        self.objects = Objects(repository.root)

    @cached_property
    def seen(self) -> Side:
        """What git compares commits with to tell what has changed here."""
        return index_side(self._git) if self._commit is None else Side(commit=self._commit)

    @cached_property
    def tree(self) -> WorkingTree:
        """The files of the snapshot."""
        return SnapshotTree(
            self.root,
            cwd=self.cwd,
            sources=self._sources,
            entries=self._listing[0],
            differing=self._listing[1],
            objects=self.objects,
        )

    @cached_property
    def _listing(self) -> tuple[Mapping[str, Entry], frozenset[str]]:
        """All entries by path, and the paths of those that may not be the same in the working tree."""
        is_index = self._commit is None
        asked = (
            ("ls-files", "-z", "-s", "-v") if is_index else ("ls-tree", "-r", "-z", "--full-tree", self._commit or "")
        )
        entries: dict[str, Entry] = {}
        differing, conflicts = set[str](), set[str]()
        for line in filter(None, self._ask(*asked).split("\0")):
            facts, _, path = line.partition("\t")
            tag, mode, oid, stage = facts.split(" ") if is_index else ("H", *_mode_and_oid(facts), "0")
            if stage != "0":
                conflicts.add(path)
            elif mode == _LINK or mode.startswith(f"{S_IFREG:o}"[:3]):
                entries[path] = Entry(mode, oid)
                if tag != "H":  # git was told not to look, as in a sparse checkout
                    differing.add(path)
        if conflicts:
            first, rest = sorted(conflicts)[:_MOST_NAMED], len(conflicts) - _MOST_NAMED
            named = ", ".join([*first, *([f"{rest:,} more"] if rest > 0 else [])])
            raise RepositoryError(
                f"Git's index has conflicts, so it says of no one version that it will be committed: {named}.",
                hint="Resolve them and 'git add' them first, or leave --staged out.",
            )
        told = iter(self._ask(*_DIFFERING, *filter(None, [self._commit]), "--").split("\0"))
        for letter, path in zip(told, told, strict=False):
            differing.add(path)
            if is_index and letter == "A":  # 'git add --intent-to-add': the index has the name alone, a commit will not
                entries.pop(path, None)
        return entries, frozenset(differing)

    def _ask(self, *arguments: str) -> str:
        return decode_path(ask_git(self._git.root, *arguments, index=self.seen.index_file).output)

    def list_files(self, on_skip: Callable[[Skipped], None] = lambda _: None) -> list[WorkingFile]:
        """Return the project's files, by path; their sizes are not known, nor when they changed."""
        del on_skip
        listed = (path for path, one in self._listing[0].items() if one.mode != _LINK)
        return [WorkingFile(path, 0, 0) for path in sorted(listed) if is_unicode(path) and not foreign_owner(path)]

    def list_tracked(self, wanted: Callable[[str], object] = bool) -> list[WorkingFile]:
        """Return those wanted of the project's files."""
        return [file for file in self.list_files() if wanted(file.path)]

    def records(self, kind: str) -> dict[str, bytes | None]:
        """Return the records of a kind, by name: those that differ from the working tree's with what they hold."""
        entries, differing = self._listing
        below = f"{DIRECTORY}/{kind}/"
        return {
            path.removeprefix(below): self.objects.get(one.oid) if path in differing else None
            for path, one in entries.items()
            if path.startswith(below) and path.endswith(".md") and path.count("/") == below.count("/")
        }


def _mode_and_oid(facts: str) -> tuple[str, str]:
    mode, _, oid = facts.split(" ")
    return mode, oid


@contextmanager
def looking_at(kernel: Kernel, *, staged: bool = False, revision: str | None = None) -> Iterator[Kernel]:
    """Yield the workspace as it looks at git's index, or at a commit; without either, itself.

    It has the same database, which says nothing of such files: what it judges is for the answer alone.
    """
    if not staged and revision is None:
        yield kernel
        return
    repository = kernel.checkout.repository
    if repository is None:
        raise RepositoryError("There is no git repository here, so nothing is staged.", hint="Leave --staged out.")
    commit = None if revision is None else full_name(repository, revision)
    snapshot = Snapshot(kernel.checkout, repository, commit=commit)
    other = kernel.beside(snapshot)
    try:
        yield other
    finally:
        other.forget()
        snapshot.objects.close()
