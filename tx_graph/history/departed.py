"""What left a repository: paths by the commits that removed them, and when documents began to speak of something."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.git import ask_git, decode_path, stream_git
from tx_graph.history.commits import commit_records

_LOG = ("--no-merges", "--no-renames", "--encoding=UTF-8", "--no-show-signature", "--no-ext-diff", "-O/dev/null")


class Removal(NamedTuple):
    """The commit that removed something; `time` in seconds since the epoch."""

    commit: str
    time: int
    subject: str


def removed_paths(root: Path) -> dict[str, Removal]:
    """Return every path that a commit took away, with the newest one that did; HEAD may have it again."""
    found: dict[str, Removal] = {}
    listing = ("-z", "--format=/%H %ct %s", "--diff-filter=D", "--name-only")
    with closing(stream_git(root, "log", *_LOG, *listing, "HEAD", "--", command="log")) as output:
        for record in commit_records(output):
            header, _, names = decode_path(record).partition("\0")
            commit, time, subject = header.split(" ", 2)
            removal = Removal(commit, int(time), subject)
            for path in names.lstrip("\n\0").split("\0"):
                if path:
                    found.setdefault(path, removal)
    return found


def first_said(
    root: Path, wanted: Mapping[str, Collection[str]], globs: Collection[str]
) -> dict[tuple[str, str], Removal]:
    """Return the oldest commit in which a document of some name began to say a text, by name and text.

    `wanted` are texts by the names of documents without endings, in small letters: one that moved is the same.
    """
    texts = {
        name: [(text, text.encode("utf-8", "surrogateescape")) for text in several] for name, several in wanted.items()
    }
    found: dict[tuple[str, str], Removal] = {}
    patch = ("-p", "-U0", "--no-textconv", "--format=%x00%H %ct %s", "--src-prefix=a/", "--dst-prefix=b/")
    commit, name, asked = Removal("", 0, ""), "", texts.get("", [])
    with closing(stream_git(root, "log", *_LOG, *patch, "HEAD", "--", *globs, command="log")) as output:
        for line in _lines(output):
            if line.startswith(b"\0"):
                full, time, subject = decode_path(line[1:]).split(" ", 2)
                commit = Removal(full, int(time), subject)
            elif line.startswith(b"+++ "):
                name = posixpath.basename(decode_path(line[4:]).strip('"\t')).partition(".")[0].lower()
                asked = texts.get(name, [])
            elif asked and line.startswith(b"+"):
                for text, data in asked:
                    if data in line:
                        found[name, text] = commit
    return found


def _lines(output: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in output:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest


def last_change_of(
    root: Path, expression: str, paths: Collection[str], *, after: str = "", is_line: bool = False
) -> Removal | None:
    """Return the newest commit that changed how often an expression stands in some paths, or a line that has it."""
    picked = (f"-G{expression}",) if is_line else ("--pickaxe-regex", f"-S{expression}")
    span = f"{after}..HEAD" if after else "HEAD"
    answer = ask_git(root, "log", "-1", *_LOG, *picked, "--format=%H %ct %s", span, "--", *paths)
    line = decode_path(answer.output).strip("\n")
    if not line:
        return None
    commit, time, subject = line.split(" ", 2)
    return Removal(commit, int(time), subject)


def blobs_of(root: Path, commit: str) -> dict[str, str]:
    """Return the regular files of a commit, by path, with the ids of what they hold."""
    listing = decode_path(ask_git(root, "ls-tree", "-r", "-z", "--full-tree", commit).output)
    entries = (entry.partition("\t") for entry in listing.split("\0") if entry.startswith("100"))
    return {path: facts.rpartition(" ")[2] for facts, _, path in entries}
