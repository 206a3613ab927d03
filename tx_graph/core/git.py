"""Starts the `git` program and puts its failures into words.

Importing this module loads nothing heavy; `subprocess` arrives with the first question. What GitPython is used for says
decision 0037.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError, StorageError, TxError
from tx_graph.core.place import NEEDS_FILES
from tx_graph.core.tracing import log

if TYPE_CHECKING:
    from io import BufferedReader
    from subprocess import Popen


_ELSEWHERE = frozenset(
    "GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES "
    "GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_IMPLICIT_WORK_TREE GIT_INTERNAL_SUPER_PREFIX GIT_PREFIX GIT_NAMESPACE".split()
)
"""Variables that git exports to its hooks and that name a repository or a part of one.

The directory decides which repository is asked, so they must not: a hook of one repository may run tx in
another (`-C`, a submodule, a worktree). Dropping `GIT_INDEX_FILE`, the half-built index of `git commit -a`,
changes no listing, because only files that exist in the working tree are listed; who asks what is staged passes
it on (see `changes`). Configuration (`GIT_CONFIG_*`) is the user's wish and stays.
"""

_QUIET = {
    "LC_ALL": "C",  # messages are matched below
    "GIT_OPTIONAL_LOCKS": "0",  # reading must not get in the way of a commit that runs at the same time
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone must not download behind the user's back
    "GIT_ALLOW_PROTOCOL": "none",  # and git before 2.44 must not either
    "GIT_TERMINAL_PROMPT": "0",
}

_SAFELY = (
    "--no-pager",
    *("-c", "core.fsmonitor=false"),  # a program of the repository's choice, asked by whatever looks at files
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),  # else gpg.program is run
    *("-c", "diff.external="),
    *("-c", "safe.bareRepository=explicit"),  # one that was committed as files of this one is never asked
)
"""What a repository's configuration would have git run is not run; where git compares files, see `_unfiltered`.

External diffs and textconv are refused where patches are made, and transport of all kinds above.
"""

_PIPE_SIZE = 1 << 20  # bytes (Linux only): git runs ahead while Python works, and few reads fetch a long answer

_CHUNK = 1 << 20  # bytes per read at most; a read returns what is there

WITHOUT_GIT = (
    "Git cannot be run, so files were told by the .gitignore files alone, and the commit is unknown. "
    "Install git and put it on PATH."
)
"""What to say when a repository's files had to be listed without git."""

_HINTS = (
    ("dubious ownership", "If you trust it, run: git config --global --add safe.directory {root}"),
    ("must be run in a work tree", NEEDS_FILES),
    ("not a git repository", "Its .git may be broken, or the repository it points at was moved or removed."),
    ("promisor", "This partial clone lacks objects; 'git fetch --refetch --no-filter' completes it."),
    ("", "Run 'git fsck' there: the repository may be damaged, or be a partial clone that lacks objects."),
)
"""What git says, and what to do about it; the first match counts."""


_FULL = ("No space left on device", "Out of diskspace", "Disk quota exceeded")
"""What git says where it cannot write; 'git diff' writes the index, too."""


class GitTooSlow(RepositoryError):
    """Git did not answer in time, and was ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What git printed, and the exit status it ended with."""

    status: int
    output: bytes


def is_git_installed() -> bool:
    """Say whether there is a `git` on PATH."""
    from shutil import which

    return which("git") is not None


def ask_git(
    root: Path,
    *arguments: str,
    fine: Sequence[int] = (0,),
    question: bytes | None = None,
    index: Path | None = None,
    seconds: float | None = None,
) -> Answer:
    """Return git's answer to the arguments, and to the `question` on its stdin if there is one.

    An exit status that is not `fine` is a `RepositoryError`, and an answer that takes more `seconds` is `GitTooSlow`.
    """
    with start_git(root, *arguments, asks=question is not None, index=index) as process:
        from subprocess import TimeoutExpired

        try:
            output, errors = process.communicate(question, seconds)
        except TimeoutExpired as error:
            process.kill()
            raise GitTooSlow(f"'git {arguments[0]}' did not answer within {seconds:.0f} s in {root}.") from error
    if process.returncode not in fine:
        raise git_failure(root, arguments[0], errors)
    return Answer(status=process.returncode, output=output)


def start_git(
    root: Path, *arguments: str, errors: IO[bytes] | None = None, asks: bool = False, index: Path | None = None
) -> Popen[bytes]:
    """Start git in `root`, its output in a pipe, its messages in `errors` or, without one, in a pipe too.

    Its stdin is a pipe if it is to be asked there, else empty. `index` is the file of another index to look at.
    """
    import subprocess  # 6 ms that `tx --help` need not pay

    environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | _QUIET
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    if arguments[0] == "diff":
        environment |= _unfiltered(root, environment.get("GIT_CONFIG_COUNT", ""))
    pipe = subprocess.PIPE
    log("git", arguments=" ".join(arguments))
    try:
        return subprocess.Popen(
            ["git", *_SAFELY, *arguments],
            cwd=root,
            env=environment,
            stdin=pipe if asks else subprocess.DEVNULL,
            stdout=pipe,
            stderr=errors or pipe,
            pipesize=_PIPE_SIZE,
        )
    except OSError as error:
        if not os.path.isdir(root):
            raise RepositoryError(
                f"{root} is not a directory.", hint="Give a repository's directory with -C."
            ) from error
        raise RepositoryError(f"Cannot run git: {error.strerror}.", hint="Install git and put it on PATH.") from error


def _unfiltered(root: Path, given: str) -> dict[str, str]:
    """Return the environment in which git compares files without the filters of the repository's own configuration.

    Those of the user stay, such as that of git-lfs. `given` is how many settings the environment has already.
    """
    options = ("-z", "--show-scope", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process|required)$")
    fields = iter(decode_path(ask_git(root, "config", *options, fine=(0, 1)).output).split("\0"))
    names = [name for scope, name in zip(fields, fields, strict=False) if scope in ("local", "worktree")]
    first = int(given) if given.isdecimal() else 0
    told = {"GIT_CONFIG_COUNT": str(first + len(names))} if names else {}
    for number, name in enumerate(names, start=first):
        told |= {f"GIT_CONFIG_KEY_{number}": name}
        told |= {f"GIT_CONFIG_VALUE_{number}": "false" if name.endswith(".required") else ""}
    return told


def stream_git(root: Path, *arguments: str, command: str) -> Generator[bytes, None, None]:
    """Yield nothing once git has started, then what it prints as it comes.

    Its exit status is checked at the end, and failure told of the `command`; it is stopped if nobody listens.
    """
    from tempfile import TemporaryFile  # a file, because an unread pipe of messages could block git

    with TemporaryFile() as errors, start_git(root, *arguments, errors=errors) as process:
        try:
            yield b""
            while chunk := cast("BufferedReader", process.stdout).read1(_CHUNK):
                yield chunk
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            errors.seek(0)
            raise git_failure(root, command, errors.read())


def git_failure(root: Path, command: str, messages: bytes) -> TxError:
    """Return the error that says in git's own words why `git <command>` failed in `root`, or that a disk is full."""
    lines = messages.decode("utf-8", "replace").strip().splitlines() or ["git gave no reason"]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    reason = (fatal or lines)[-1].removeprefix("fatal: ").removeprefix("error: ")
    if any(words in line for line in lines for words in _FULL):
        hint = "Free some space; nothing that was saved is lost."
        return StorageError(f"The disk is full: 'git {command}' cannot write in {root}.", hint=hint)
    hint = next(hint for needle, hint in _HINTS if needle in reason)
    return RepositoryError(f"'git {command}' failed in {root}: {reason}.", hint=hint.format(root=root))


def decode_path(name: bytes) -> str:
    """Return git's name for a file as text; bytes that are not UTF-8 become lone surrogates and survive."""
    return name.decode("utf-8", "surrogateescape")
