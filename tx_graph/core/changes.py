"""Changes, line by line: what differs between two states of a repository, as git's diff has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.repository import GitRepository, foreign_owner
from tx_graph.core.revisions import TREE, Side, full_name, index_side, merge_base, new_files

_WHOLE = 1_000_000_000  # the last line of a file that is changed as a whole
_PATCH = (
    *("diff", "-z", "--raw", "--patch", "--unified=0", "--no-abbrev", "--no-color", "--no-relative", "--no-ext-diff"),
    *("--no-textconv", "--ignore-submodules=all", "-O/dev/null", "-l1000"),
)
_LISTED = ("--no-renames", "--no-relative", "--no-ext-diff", "--ignore-submodules=all")
_HEADER = re.compile(r"(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)")


class Hunk(NamedTuple):
    """Lines that changed: the first one and how many there were, and the same after it, with what they say.

    Where lines only went, the first one after is the line that the gap follows, and likewise where lines only came.
    `inside` is what git takes for the head of the function.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    inside: str = ""

    @property
    def size(self) -> int:
        """How many lines it removes and adds."""
        return self.old_count + self.new_count

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line after the change; where lines only went, the one before the gap."""
        return (max(self.new_start, 1), max(self.new_start, 1) + max(self.new_count - 1, 0))

    @property
    def old_lines(self) -> tuple[int, int]:
        """The first and the last line before the change; where lines only came, the one that they follow."""
        return (max(self.old_start, 1), max(self.old_start, 1) + max(self.old_count - 1, 0))

    @property
    def header(self) -> str:
        """The hunk as a diff names it: `@@ -10,2 +10,3 @@`."""
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """What became of one file: its path, after a deletion the last one, and before a renaming `old_path`.

    A file that git does not know yet, or that is named without having changed, has no hunks: it counts as a whole.
    """

    path: str
    old_path: str | None
    is_gone: bool = False
    hunks: tuple[Hunk, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether there was none before."""
        return self.old_path is None

    @property
    def is_renamed(self) -> bool:
        """Whether it was called otherwise before."""
        return self.old_path not in (None, self.path)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The first and last line of each hunk after the change, all lines where it counts as a whole."""
        is_part = self.hunks and not self.is_new and not self.is_gone
        return [hunk.lines for hunk in self.hunks] if is_part else [(1, _WHOLE)]


@dataclass(frozen=True, kw_only=True)
class Change:
    """What differs between the commit `base` (None: nothing) and what is `seen`, which is called `what`, by path."""

    base: str | None
    files: tuple[FileChange, ...]
    what: str
    seen: Side = TREE

    @cached_property
    def by_path(self) -> dict[str, FileChange]:
        """The files by their paths, before and after."""
        before = {one.old_path: one for one in self.files if one.old_path}
        return before | {one.path: one for one in self.files}

    @property
    def paths(self) -> list[str]:
        """All paths, before and after, in order."""
        return sorted(self.by_path)


def change_of(
    repository: GitRepository, *, staged: bool = False, since: str | None = None, between: str | None = None
) -> Change:
    """Return what differs from HEAD in the working tree, or is `staged`, or came `since` HEAD left a revision's line.

    `between` is a range as git has it: `A..B`, from one commit to another, or `A...B`, since B left the line of A.
    New files count, ignored ones and those in submodules do not.
    """
    if sum((staged, since is not None, between is not None)) > 1:
        raise UsageError("--staged, --since and a range are different changes.", hint="Give one of them.")
    if between is not None:
        first, dots, last = between.partition("...") if "..." in between else between.partition("..")
        if not dots:
            raise UsageError(
                f"'{between}' is no range of revisions.",
                hint=f"Write {between}..HEAD, or --since {between} to take in what is not committed yet.",
            )
        start, seen = full_name(repository, first or "HEAD"), Side(commit=full_name(repository, last or "HEAD"))
        base = merge_base(repository, start, seen) if dots == "..." else start
        return Change(base=base, files=_differing(repository, base, seen), what=between, seen=seen)
    base = repository.head() if since is None else merge_base(repository, since)
    if staged:
        seen = index_side(repository)
        return Change(base=base, files=_differing(repository, base, seen), what="what is staged", seen=seen)
    known = _differing(repository, base)
    there = {one.path for one in known}
    new = [FileChange(path=path, old_path=None) for path in new_files(repository) if path not in there]
    what = "the working tree" if since is None else f"what came since {since}"
    return Change(base=base, files=tuple(sorted((*known, *new), key=lambda one: one.path)), what=what)


def conflicts(repository: GitRepository) -> list[str]:
    """Return the files that a merge left in conflict, which hold both sides."""
    question = ("diff", "--name-only", "-z", "--diff-filter=U", *_LISTED)
    return [path for path in decode_path(ask_git(repository.root, *question).output).split("\0") if path]


def _differing(repository: GitRepository, base: str | None, seen: Side = TREE) -> tuple[FileChange, ...]:
    """Return how files differ from a commit in what is seen."""
    if base is None:
        listing = decode_path(ask_git(repository.root, "ls-files", "-z", "--cached", index=seen.index_file).output)
        return tuple(FileChange(path=path, old_path=None) for path in sorted({*listing.split("\0")} - {""}))
    sides = (*seen.options, base, *filter(None, [seen.commit]), "--")
    with suppress(RepositoryError):
        return _read(decode_path(ask_git(repository.root, *_PATCH, "-M", *sides, index=seen.index_file).output))
    # Likeness is told by contents, some of which a partial clone lacks; and git compares no pipe or socket.
    names = decode_path(
        ask_git(repository.root, "diff", "--name-only", "-z", *_LISTED, *sides, index=seen.index_file).output
    )
    special = [
        f":(exclude,top,literal){path}" for path in names.split("\0") if path and _is_special(repository.root / path)
    ]
    question = (*_PATCH, "--no-renames", *sides, *special)
    return _read(decode_path(ask_git(repository.root, *question, index=seen.index_file).output))


def _is_special(path: Path) -> bool:
    """Whether there is a pipe, a socket or a device in the place of a file."""
    return path.exists() and not (path.is_file() or path.is_dir())


def _read(output: str) -> tuple[FileChange, ...]:
    """Return the files of a raw listing that a patch follows."""
    fields = output.split("\0")
    listed = list[tuple[str, str, str]]()  # the letter, the old path and the new one
    place = 0
    while place < len(fields) and fields[place].startswith(":"):
        letter = fields[place].rpartition(" ")[2][:1]
        ends = 2 if letter in "RC" else 1
        names = fields[place + 1 : place + 1 + ends]
        place += 1 + ends
        if letter != "U":  # of what is in conflict there is no patch
            listed.append((letter, names[0], names[-1]))
    parts = iter(f"\n{chr(0).join(fields[place:]).lstrip(chr(0))}".split("\ndiff --git ")[1:])
    found = []
    for letter, old, new in listed:
        part = next(parts, "")
        if letter == "T":  # what became of another kind is one part gone and one that came
            part = f"{part}\n{next(parts, '')}"
        if not foreign_owner(new):
            is_new = letter in "AC"
            hunks = tuple(hunks_of(part))
            found.append(FileChange(path=new, old_path=None if is_new else old, is_gone=letter == "D", hunks=hunks))
    return tuple(sorted(found, key=lambda one: one.path))


def hunks_of(patch: str) -> Iterator[Hunk]:
    """Yield the hunks of one file's part of a patch without context."""
    for part in patch.split("\n@@ -")[1:]:
        header, *lines = part.split("\n")
        if match := _HEADER.match(header):
            old_start, old_count, new_start, new_count, inside = match.groups()
            yield Hunk(
                int(old_start),
                int(old_count or 1),
                int(new_start),
                int(new_count or 1),
                tuple(line[1:] for line in lines if line.startswith("-")),
                tuple(line[1:] for line in lines if line.startswith("+")),
                inside.strip(),
            )


def narrowed(change: Change, paths: Sequence[str]) -> Change:
    """Return the change of these files alone; one that did not change counts as a whole, as what is to be changed."""
    files = [change.by_path.get(path) or FileChange(path=path, old_path=path) for path in paths]
    unique = sorted({one.path: one for one in files}.values(), key=lambda one: one.path)
    return Change(base=change.base, files=tuple(unique), what="these files", seen=change.seen)
