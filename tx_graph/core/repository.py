"""The files of a repository and where its history stands, as git lists them, or as a walk finds them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_IFDIR, S_IFLNK, S_IFMT, S_ISREG
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.globs import settled
from tx_graph.core.labels import is_unicode
from tx_graph.core.place import holds_git, touched

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


_FILE = ".gitignore"


class IgnoreRules:
    """The rules of a directory and of those above it. The user's own and `.git/info/exclude` are not known here."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._specs: dict[str, GitIgnoreSpec | None] = {}

    def ignores(self, path: str) -> bool:
        """Whether git would leave out what is at `path`, a directory with a slash at its end, by these rules.

        The nearest .gitignore that says anything decides, as in git. Ask about the directories above first.
        """
        prefix = path.rstrip("/").rpartition("/")[0]
        while True:
            if prefix not in self._specs:
                from pathspec import GitIgnoreSpec

                file = self._root / prefix / _FILE
                try:
                    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.is_file() else ""
                except OSError:
                    self._specs[prefix] = None
                else:
                    self._specs[prefix] = settled(GitIgnoreSpec.from_lines(text.splitlines()))
            spec = self._specs[prefix]
            verdict = spec.check_file(path[len(prefix) :].lstrip("/")).include if spec else None
            if verdict is not None or not prefix:
                return bool(verdict)
            prefix = prefix.rpartition("/")[0]


class Skipped(NamedTuple):
    """A file or directory that exists but is not taken in: its printable name, and why as a sentence's end."""

    name: str
    reason: str


SkipReport = Callable[[Skipped], None]
"""Called with each file or directory that exists but is not taken in."""

_UNREADABLE = "cannot be opened"
_NOT_UTF8 = "has a name that is not UTF-8"
_KINDS = {S_IFLNK: "is a symbolic link", S_IFDIR: "is a repository of its own"}

_NEVER_LISTED = frozenset({"node_modules", ".tx"})
"""Directories whose files belong to somebody else: installed packages, and tx's own records."""

_OWNERS = {".git": "it belongs to git", ".tx": "it belongs to tx", "node_modules": "it is an installed package's"}


class WorkingFile(NamedTuple):
    """A regular file in the working tree: its path from the root, size in bytes, and time of change (`touched`) in ns.

    A tuple, because every look at the tree makes one per file, and a dataclass takes five times as long to make.
    """

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """Where history starts and, in a shallow clone, where it is cut off.

    `head` is the full name of the commit that HEAD points at, None before the first commit. `boundary` are the
    commits whose parents the clone lacks; each seems to add all of its files.
    """

    head: str | None
    is_shallow: bool
    boundary: frozenset[str]


def no_report(skipped: Skipped) -> None:
    """Skip in silence."""


def foreign_owner(path: str) -> str:
    """Return, as a sentence's end, whose file this is when its directories say that it is not the project's."""
    return next((_OWNERS[name] for name in path.split("/") if name in _OWNERS), "")


def walk_files(root: Path, *, on_skip: SkipReport = no_report, rules: IgnoreRules | None = None) -> list[WorkingFile]:
    """Return the regular files below a directory without asking git, by path.

    Packages and what belongs to git and tx are passed over; so are hidden directories or, with `rules`, what those
    ignore. No symlink is followed, so there are no loops. `on_skip` hears of symlinks, of directories that may not be
    read and of names that are not UTF-8.
    """
    found: list[WorkingFile] = []
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            with os.scandir(root / prefix) as listing:
                entries = list(listing)
        except OSError:
            on_skip(Skipped(_printable(prefix or str(root)), _UNREADABLE))
            continue
        for entry in entries:
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                is_left_out = rules.ignores(f"{path}/") if rules else entry.name.startswith(".")
                if entry.name not in _OWNERS and not is_left_out:
                    pending.append(f"{path}/")
            elif rules is None or not rules.ignores(path):
                found += working_files(root, [path], on_skip)
    return sorted(found)


class GitRepository:
    """A git working tree, asked through the `git` program with its top level as the working directory.

    Every question raises `RepositoryError` when git is missing, refuses, or finds the repository damaged.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def list_files(self, *, on_skip: SkipReport = no_report) -> list[WorkingFile]:
        """Return the project's files, by path: the tracked ones, and new ones that are not ignored."""
        return self.listing(on_skip=on_skip)[0]

    def listing(self, *, on_skip: SkipReport = no_report) -> tuple[list[WorkingFile], frozenset[str]]:
        """Return the project's files, by path, and the paths of those that git does not track.

        Only regular files that exist: nothing deleted, nothing in node_modules/ or .tx/. Symbolic links, submodules
        and names that are not UTF-8 are left out, and reported to `on_skip`.
        """
        new = ("-o", "--exclude-standard", *(f"--exclude={name}/" for name in sorted(_NEVER_LISTED)))
        tagged = decode_path(self.run("ls-files", "-z", "-t", "-c", *new)).split("\0")
        files = self._existing((entry[2:] for entry in tagged), on_skip)
        return files, frozenset(entry[2:] for entry in tagged if entry.startswith("?"))

    def tracked_files(self, wanted: Callable[[str], object] = bool) -> list[WorkingFile]:
        """Return the tracked files, by path, with the same exceptions as `list_files`: those that are wanted."""
        return self._existing(filter(wanted, decode_path(self.run("ls-files", "-z", "-c")).split("\0")), no_report)

    def files_of(self, commit: str) -> list[str]:
        """Return the regular files of a commit's tree, sorted. The same exceptions as `list_files`."""
        entries = decode_path(self.run("ls-tree", "-r", "-z", "--full-tree", commit)).split("\0")
        regular = [entry.partition("\t")[2] for entry in entries if entry.startswith("100")]
        return sorted(path for path in regular if _NEVER_LISTED.isdisjoint(path.split("/")[:-1]) and is_unicode(path))

    def head(self) -> str | None:
        """Return the full name of the commit that HEAD points at; None before the first commit."""
        answer = ask_git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD", fine=(0, 1))
        return answer.output.decode("ascii").strip() if answer.status == 0 else None

    def time_of(self, commit: str) -> int:
        """Return a commit's committer time in seconds since the epoch."""
        return int(self.run("log", "-1", "--no-show-signature", "--encoding=UTF-8", "--format=%ct", commit, "--"))

    def tip(self) -> Tip:
        """Return where history starts and ends, in one question (each costs a process, about 2 ms)."""
        question = ("--is-shallow-repository", "--git-path", "shallow", "--verify", "--quiet", "HEAD")
        answer = ask_git(self.root, "rev-parse", *question, fine=(0, 1))
        shallow, _, rest = answer.output.removesuffix(b"\n").partition(b"\n")
        path, _, head = rest.rpartition(b"\n") if answer.status == 0 else (rest, b"", b"")
        boundary = frozenset[str]()
        with suppress(FileNotFoundError):
            boundary = frozenset((self.root / os.fsdecode(path)).read_text("ascii").split())
        return Tip(head=head.decode("ascii") or None, is_shallow=shallow == b"true", boundary=boundary)

    def common_directory(self) -> Path:
        """Return the git directory that all worktrees of the repository share, as an absolute path."""
        return self.root / os.fsdecode(self.run("rev-parse", "--git-common-dir").removesuffix(b"\n"))

    def generated_files(self, paths: Iterable[str], *, mark: str = "linguist-generated") -> frozenset[str]:
        """Return those files that the project's .gitattributes mark so, such as `linguist-vendored`."""
        question = "\0".join(paths).encode("utf-8", "surrogateescape")
        answer = ask_git(self.root, "check-attr", "-z", "--stdin", mark, question=question)
        fields = iter(decode_path(answer.output).split("\0"))
        triples = zip(fields, fields, fields, strict=False)
        return frozenset(path for path, _, value in triples if value in ("set", "true"))

    def ignores(self, path: str) -> bool:
        """Say whether the user's rules keep this file out of git; what is tracked is not ignored."""
        # 128: the path lies in a submodule, whose rules are its own.
        return ask_git(self.root, "check-ignore", "--quiet", "--", path, fine=(0, 1, 128)).status == 0

    def may_be_sparse(self) -> bool:
        """Whether there are rules by which a sparse checkout keeps files out of the working tree, in force or not."""
        return self.own_path("info/sparse-checkout").exists()

    def own_path(self, name: str) -> Path:
        """Return where git keeps something of its own for this working tree."""
        return self.root / os.fsdecode(self.run("rev-parse", "--git-path", name).removesuffix(b"\n"))

    def is_shallow(self) -> bool:
        """Say whether the history is cut off, as `git clone --depth` does."""
        return self.tip().is_shallow

    def run(self, *arguments: str) -> bytes:
        """Return what `git <arguments>` prints; anything but exit status 0 is a `RepositoryError`."""
        return ask_git(self.root, *arguments).output

    def _existing(self, listed: Iterable[str], on_skip: SkipReport) -> list[WorkingFile]:
        # A set, because a file in conflict is listed three times.
        paths = {*listed} - {""}
        directories = _Directories(self.root)
        return list(working_files(self.root, filter(directories.hold, sorted(paths)), on_skip))


class _Directories:
    """Knows which directories may hold the project's files: neither somebody else's, nor reached by a symlink.

    Git follows no symlink, and one may lead out of the repository.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)  # joining texts takes a tenth of the time, and there are many
        self._may = {"": True}

    def hold(self, path: str) -> bool:
        """Whether the file at `path` is in such a directory."""
        parent = path.rpartition("/")[0]
        if parent not in self._may:
            is_ours = parent.rpartition("/")[2] not in _NEVER_LISTED and self.hold(parent)
            self._may[parent] = is_ours and not os.path.islink(f"{self._root}/{parent}")
        return self._may[parent]


def working_files(root: Path, paths: Iterable[str], on_skip: SkipReport) -> Iterator[WorkingFile]:
    """Yield those that are regular files; the missing are left out in silence, all others reported."""
    below = f"{root}/"
    for path in paths:
        try:
            status = os.lstat(below + path)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, UnicodeError):
            on_skip(Skipped(_printable(path), _UNREADABLE))
            continue
        if not S_ISREG(status.st_mode):
            reason = _KINDS.get(S_IFMT(status.st_mode), "is no regular file")
            if S_IFMT(status.st_mode) == S_IFDIR and not holds_git(root / path):
                reason = "is a directory now" if os.listdir(root / path) else "is a submodule without files"
            on_skip(Skipped(_printable(path), reason))
        elif is_unicode(path):
            yield WorkingFile(path, *touched(status))
        else:
            on_skip(Skipped(_printable(path), _NOT_UTF8))


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
