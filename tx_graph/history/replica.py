"""A replica of a repository in a temporary directory, in which one can go back in time and disturb nobody."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git
from tx_graph.core.repository import GitRepository

_CONFIGURATION = f"""\
[core]
\thooksPath = {os.devnull}
\tfsmonitor = false
\tsparseCheckout = false
\tautocrlf = false
[submodule]
\trecurse = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
"""
"""Nothing that the user has configured may run here, and nothing may be fetched."""

_ATTRIBUTES = "* -filter -text -eol -ident -working-tree-encoding\n"
"""Files as they are in the commit: no filter may run, such as that of large file storage, which downloads."""

_TREE = "tree"
_ANY = (0, 1, 128)  # exit statuses of git, failures included
_MOST_MISSING = 0.02
"""The share of files that may be missing: big ones, as some clones leave them out, and not the code itself."""
_OBJECT_FORMAT = "sha1"  # what git makes unless told otherwise, and what versions before 2.29 make in any case


class Replica:
    """A working tree of its own over the objects of a repository, which it only reads.

    It has no branches, no tags and no remotes. All that can be reached in it is the commit that it is at, and its
    ancestors.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._is_whole = True

    def go_to(self, commit: str) -> None:
        """Make the working tree and HEAD those of a commit; a file whose contents the repository lacks is left out."""
        if self._is_whole:
            question = ("checkout", "--quiet", "--detach", "--force", commit, "--")
            self._is_whole = ask_git(self.root, *question, fine=_ANY).status == 0
        if self._is_whole:
            return
        # What a checkout does, but file by file: it would stop at the first whose contents are missing.
        ask_git(self.root, "read-tree", "--reset", commit)
        ask_git(self.root, "update-ref", "--no-deref", "HEAD", commit)
        ask_git(self.root, "checkout-index", "--all", "--force", "--quiet", fine=_ANY)
        ask_git(self.root, "clean", "-ffdxq")
        listed, missing = (
            ask_git(self.root, "ls-files", "-z", which).output.count(b"\0") for which in ("--cached", "--deleted")
        )
        if missing > listed * _MOST_MISSING:
            raise RepositoryError(
                f"Commit {commit[:12]} cannot be looked at: the contents of {missing:,} of its {listed:,} files are not"
                " here.",
                hint="'git fetch --refetch --no-filter' completes a partial clone; 'git fsck' finds damage.",
            )


@contextmanager
def replica_of(repository: GitRepository) -> Iterator[Replica]:
    """Yield a replica without any files yet, next to which there is room in the same directory; remove it afterwards.

    It is made by hand, since a clone would take the branches along, and of a shallow repository a copy of everything.
    """
    try:
        temporary = TemporaryDirectory(prefix="tx-replay-", ignore_cleanup_errors=True)
    except OSError as error:
        hint = "Name a directory with room in it by the variable TMPDIR."
        raise RepositoryError(f"No temporary directory can be made: {error.strerror}.", hint=hint) from error
    with temporary as name:
        directory = Path(name).resolve()
        root = directory / _TREE
        form = repository.run("rev-parse", "--show-object-format").decode("ascii").strip()
        options = [] if form == _OBJECT_FORMAT else [f"--object-format={form}"]
        branch = ("-c", "init.defaultBranch=replay")
        ask_git(directory, *branch, "init", "--quiet", "--template=", *options, _TREE)
        try:
            git = root / ".git"
            (git / "info").mkdir(exist_ok=True)
            (git / "objects" / "info").mkdir(parents=True, exist_ok=True)
            objects = repository.common_directory().resolve() / "objects"
            (git / "objects" / "info" / "alternates").write_bytes(os.fsencode(objects) + b"\n")
            (git / "info" / "attributes").write_text(_ATTRIBUTES, encoding="ascii")
            with (git / "config").open("a", encoding="ascii") as lines:
                lines.write(_CONFIGURATION)
            if boundary := repository.tip().boundary:
                (git / "shallow").write_text("".join(f"{commit}\n" for commit in sorted(boundary)), encoding="ascii")
        except OSError as error:
            raise RepositoryError(f"{root} cannot be written: {error.strerror}.") from error
        yield Replica(root)
