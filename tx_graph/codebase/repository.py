"""Finds a repository and asks it about its files.

Importing this module and `find_root` start no process and load nothing heavy; `subprocess` arrives with the
first question to git. GitPython is not used: its import alone (82 ms) costs more than all questions here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from stat import S_ISREG
from typing import IO, TYPE_CHECKING

from tx_graph.errors import RepositoryError

if TYPE_CHECKING:
    from subprocess import Popen

SkipReport = Callable[[str], None]
"""Called with the printable name of each file or directory that exists but cannot be taken in."""

_NEVER_LISTED = frozenset({"node_modules", ".tx"})
"""Directories whose files belong to somebody else: installed packages, and tx's own records."""

_ELSEWHERE = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_PREFIX",
    "GIT_NAMESPACE",
)
"""Variables that git exports to its hooks and that name a repository or a part of one.

The directory decides which repository is asked, so they must not: a hook of one repository may run tx in
another (`-C`, a submodule, a worktree). Dropping `GIT_INDEX_FILE`, the half-built index of `git commit -a`,
changes no listing, because only files that exist in the working tree are listed. Configuration
(`GIT_CONFIG_*`) is the user's wish and stays.
"""

_QUIET = {
    "LC_ALL": "C",  # messages are matched below
    "GIT_OPTIONAL_LOCKS": "0",  # reading must not get in the way of a commit that runs at the same time
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not download behind the user's back
    "GIT_TERMINAL_PROMPT": "0",
}

_PIPE_SIZE = 1 << 20
"""Bytes (Linux only): git runs ahead while Python works, and few reads fetch a long answer."""

_NEEDS_FILES = "A bare repository has no files: clone it, or add a worktree with 'git worktree add'."

_HINTS = (
    ("dubious ownership", "If you trust it, run: git config --global --add safe.directory {root}"),
    ("must be run in a work tree", _NEEDS_FILES),
    ("not a git repository", "Its .git may be broken, or the repository it points at was moved or removed."),
    ("promisor", "This partial clone lacks objects; 'git fetch --refetch --no-filter' completes it."),
    ("", "Run 'git fsck' there: the repository may be damaged, or be a partial clone that lacks objects."),
)
"""What git says, and what to do about it; the first match counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The directory that a `.tx` belongs to: an absolute path, free of symlinks."""

    path: Path
    is_git: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingFile:
    """A regular file in the working tree: its path from the root, size in bytes, and time of change in ns."""

    path: str
    size: int
    mtime_ns: int


def no_report(name: str) -> None:
    """Skip in silence."""


def find_root(start: Path) -> Root | None:
    """Return the nearest of `start` and its ancestors with `.git`, else the nearest with `.tx`, else None.

    Raises:
        RepositoryError: `start` lies inside a git directory or a bare repository, where no files are.
    """
    resolved = start.resolve()
    ancestors = (resolved, *resolved.parents)
    for directory in ancestors:
        if _holds_git(directory):
            return Root(path=directory, is_git=True)
        if _is_git_directory(directory):
            raise _no_working_tree(directory)
    with_tx = (directory for directory in ancestors if os.path.isdir(directory / ".tx"))
    return next((Root(path=directory, is_git=False) for directory in with_tx), None)


def walk_files(root: Path, *, on_skip: SkipReport = no_report) -> list[WorkingFile]:
    """Return the regular files below a directory outside git, by path.

    Hidden directories, node_modules and symlinks are passed over, so there are no loops. `on_skip` hears of
    directories that may not be read and of names that are not UTF-8.
    """
    found: list[WorkingFile] = []
    pending = [""]
    while pending:
        prefix = pending.pop()
        for entry in _entries(root, prefix, on_skip):
            path = prefix + entry.name
            if not entry.is_dir(follow_symlinks=False):
                found += _working_files(root, [path], on_skip)
            elif not entry.name.startswith(".") and entry.name not in _NEVER_LISTED:
                pending.append(path + "/")
    return sorted(found, key=attrgetter("path"))


class GitRepository:
    """A git working tree, asked through the `git` program with its top level as the working directory.

    Every question raises `RepositoryError` when git is missing, refuses, or finds the repository damaged.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def list_files(self, *, on_skip: SkipReport = no_report) -> list[WorkingFile]:
        """Return the project's files, by path: the tracked ones, and new ones that are not ignored.

        Only regular files that exist: no symlinks, no submodules, nothing deleted, nothing in node_modules/
        or .tx/. Names that are not UTF-8 are left out, and reported to `on_skip`.
        """
        new = ("-o", "--exclude-standard", *(f"--exclude={name}/" for name in sorted(_NEVER_LISTED)))
        return self._existing(self.run("ls-files", "-z", "-c", *new), on_skip)

    def tracked_files(self, *, on_skip: SkipReport = no_report) -> list[WorkingFile]:
        """Return the tracked files, by path, with the same exceptions as `list_files`."""
        return self._existing(self.run("ls-files", "-z", "-c"), on_skip)

    def head_files(self) -> list[str]:
        """Return the regular files of HEAD's tree, sorted, whatever the working tree holds.

        Empty before the first commit. The same exceptions as `list_files`.
        """
        if self.head() is None:
            return []
        entries = self.run("ls-tree", "-r", "-z", "--full-tree", "HEAD").split(b"\0")
        regular = [decode_path(entry.partition(b"\t")[2]) for entry in entries if entry.startswith(b"100")]
        return sorted(path for path in regular if _is_listed(path) and _is_text(path))

    def head(self) -> str | None:
        """Return the full name of the commit that HEAD points at; None before the first commit."""
        return self._verify("HEAD")

    def head_time(self) -> int | None:
        """Return HEAD's committer time in seconds since the epoch; None before the first commit."""
        if self.head() is None:
            return None
        return int(self.run("log", "-1", "--no-show-signature", "--format=%ct", "HEAD", "--"))

    def is_ancestor(self, sha: str) -> bool:
        """Say whether HEAD builds on this commit; False too when the commit is unknown here."""
        if (known := self._verify(f"{sha}^{{commit}}")) is None:
            return False
        return self._ask("merge-base", "--is-ancestor", known, "HEAD", fine=(0, 1)).status == 0

    def is_shallow(self) -> bool:
        """Say whether the history is cut off, as `git clone --depth` does."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def shallow_boundary(self) -> frozenset[str]:
        """Return the commits whose parents a shallow clone lacks; each seems to add all of its files."""
        try:
            return frozenset(self._path_of("--git-path", "shallow").read_text("ascii").split())
        except FileNotFoundError:
            return frozenset()

    def common_dir(self) -> Path:
        """Return the git directory that all worktrees of this repository share."""
        return self._path_of("--git-common-dir")

    def run(self, *arguments: str) -> bytes:
        """Return what `git <arguments>` prints; anything but exit status 0 is a `RepositoryError`."""
        return self._ask(*arguments).output

    def _ask(self, *arguments: str, fine: Sequence[int] = (0,)) -> _Answer:
        with start_git(self.root, *arguments) as process:
            output, errors = process.communicate()
        if process.returncode not in fine:
            raise git_failure(self.root, arguments[0], errors)
        return _Answer(status=process.returncode, output=output)

    def _verify(self, revision: str) -> str | None:
        answer = self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", revision, fine=(0, 1))
        return answer.output.decode("ascii").strip() if answer.status == 0 else None

    def _path_of(self, *question: str) -> Path:
        return (self.root / os.fsdecode(self.run("rev-parse", *question).rstrip(b"\r\n"))).resolve()

    def _existing(self, listing: bytes, on_skip: SkipReport) -> list[WorkingFile]:
        # A set, because a file in conflict is listed three times.
        paths = {decode_path(name) for name in listing.split(b"\0") if name}
        directories = _RealDirectories(self.root)
        inside = [path for path in sorted(paths) if _is_listed(path) and directories.hold(path)]
        return list(_working_files(self.root, inside, on_skip))


def start_git(root: Path, *arguments: str, errors: IO[bytes] | None = None) -> Popen[bytes]:
    """Start git in `root`, its output in a pipe, its messages in `errors` or, without one, in a pipe too."""
    import subprocess  # 6 ms that `tx --help` need not pay

    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | _QUIET
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            ["git", *arguments],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=pipe,
            stderr=errors or pipe,
            pipesize=_PIPE_SIZE,
        )
    except OSError as error:
        raise _cannot_start(root, error) from error


def git_failure(root: Path, command: str, messages: bytes) -> RepositoryError:
    """Return the error that says in git's own words why `git <command>` failed in `root`."""
    lines = messages.decode("utf-8", "replace").strip().splitlines() or ["git gave no reason"]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    reason = (fatal or lines)[-1].removeprefix("fatal: ").removeprefix("error: ")
    hint = next(hint for needle, hint in _HINTS if needle in reason)
    return RepositoryError(f"'git {command}' failed in {root}: {reason}.", hint=hint.format(root=root))


def decode_path(name: bytes) -> str:
    """Return git's name for a file as text; bytes that are not UTF-8 become lone surrogates and survive."""
    return name.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    status: int
    output: bytes


class _RealDirectories:
    """Knows which directories are reached without a symlink; git follows none, and one may lead out."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real = {"": True}

    def hold(self, path: str) -> bool:
        parent = path.rpartition("/")[0]
        if parent not in self._real:
            self._real[parent] = self.hold(parent) and not os.path.islink(self._root / parent)
        return self._real[parent]


def _working_files(root: Path, paths: Sequence[str], on_skip: SkipReport) -> Iterator[WorkingFile]:
    """Yield those that are regular files; the missing are left out in silence, the unusable reported."""
    for path in paths:
        try:
            status = os.lstat(f"{root}/{path}")
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, UnicodeError):
            on_skip(_printable(path))
            continue
        if not S_ISREG(status.st_mode):
            continue
        if _is_text(path):
            yield WorkingFile(path=path, size=status.st_size, mtime_ns=status.st_mtime_ns)
        else:
            on_skip(_printable(path))


def _entries(root: Path, prefix: str, on_skip: SkipReport) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(root / prefix) as entries:
            return list(entries)
    except OSError:
        on_skip(_printable(prefix or str(root)))
        return []


def _is_listed(path: str) -> bool:
    return _NEVER_LISTED.isdisjoint(path.split("/")[:-1])


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _holds_git(directory: Path) -> bool:
    """A file in worktrees and submodules; a directory if it has HEAD, as git passes over an empty `.git`."""
    git = directory / ".git"
    return os.path.isfile(git) or os.path.lexists(git / "HEAD")


def _is_git_directory(directory: Path) -> bool:
    parts = (directory / "objects", directory / "refs")
    return os.path.lexists(directory / "HEAD") and all(map(os.path.isdir, parts))


def _no_working_tree(directory: Path) -> RepositoryError:
    if directory.name != ".git":
        return RepositoryError(f"{directory} is a git directory without files.", hint=_NEEDS_FILES)
    hint = f"Run tx in the working tree: cd {directory.parent}"
    return RepositoryError(f"{directory} belongs to git.", hint=hint)


def _cannot_start(root: Path, error: OSError) -> RepositoryError:
    if not os.path.isdir(root):
        return RepositoryError(f"{root} is not a directory.", hint="Give a repository's directory with -C.")
    return RepositoryError(f"Cannot run git: {error.strerror}.", hint="Install git and put it on PATH.")
