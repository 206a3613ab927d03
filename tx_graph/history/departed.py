"""What left a repository: paths by the commits that removed them, and when documents began to speak of something."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeVar

from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git, decode_path, stream_git
from tx_graph.history.commits import commit_records

T = TypeVar("T")
_LOG = ("--no-merges", "--no-renames", "--encoding=UTF-8", "--no-show-signature", "--no-ext-diff", "-O/dev/null")


class Moment(NamedTuple):
    """A commit in which something began or ended; `time` in seconds since the epoch."""

    commit: str
    time: int
    subject: str


def removed_paths(root: Path) -> dict[str, Moment]:
    """Return every path that a commit took away, with the newest one that did; HEAD may have it again."""
    found: dict[str, Moment] = {}
    for removal, paths in _changed(root, "--diff-filter=D", "HEAD", "--"):
        for path in paths:
            found.setdefault(path, removal)
    return found


def document_changes(root: Path) -> defaultdict[str, list[tuple[int, int]]]:
    """Return when commits changed each document, newest first, and how many documents each of them did.

    Times are in seconds since the epoch.
    """
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for commit, paths in _changed(root, "HEAD", "--", *_DOCUMENTS):
        for path in paths:
            found[path].append((commit.time, len(paths)))
    return found


def _changed(root: Path, *which: str) -> Iterator[tuple[Moment, list[str]]]:
    """Yield each commit with the paths that it changed, newest first."""
    listing = ("-z", "--format=/%H %ct %s", "--name-only")
    with closing(stream_git(root, "log", *_LOG, *listing, *which, command="log")) as output:
        for record in commit_records(output):
            header, _, names = decode_path(record).partition("\0")
            commit, time, subject = header.split(" ", 2)
            yield Moment(commit, int(time), subject), [path for path in names.lstrip("\n\0").split("\0") if path]


_PATCH = ("-p", "-U0", "--no-textconv", "--format=%x00%H %ct %s", "--src-prefix=a/", "--dst-prefix=b/")
_DOCUMENTS = (
    "*.md",
    "*.mdx",
    "*.markdown",
    "*.rst",
    "*.txt",
    "*rules",
    "*.mdc",
    "README*",
    ":(exclude,icase)*changelog*",
)
_RENAMES = ("--find-renames=60%", "-l400")
_TOKEN = re.compile(rb"[\w-]+")


class _Line(NamedTuple):
    """A line that a commit put into a file or took out of it."""

    commit: Moment
    path: str
    text: bytes
    is_added: bool


def _patches(root: Path, names: dict[str, str], *arguments: str) -> Iterator[_Line]:
    """Yield the lines that commits changed, newest first; by `names` a file goes by what it was called later."""
    commit, path, old = Moment("", 0, ""), "", ""
    with closing(stream_git(root, "log", *_LOG, *_PATCH, *arguments, command="log")) as output:
        for line in _lines(output):
            if line.startswith((b"+++ ", b"--- ")):
                name = decode_path(line[4:]).strip('"\t')
                path = path if name == "/dev/null" else names.get(name[2:], name[2:])
            elif line.startswith((b"+", b"-")):
                yield _Line(commit, path, line[1:], line.startswith(b"+"))
            elif line.startswith(b"\0"):
                full, time, subject = decode_path(line[1:]).split(" ", 2)
                commit = Moment(full, int(time), subject)
            elif line.startswith(b"rename from "):
                old = decode_path(line[12:])
            elif line.startswith(b"rename to "):
                now = decode_path(line[10:])
                names |= {old: names[now]} if now in names else {}


def _read(root: Path, read: Callable[[Iterator[_Line]], T], names: Iterable[str], lacking: set[str], *which: str) -> T:
    """Return what is read from the lines that commits changed in `which` files, without those that are `lacking`.

    Added to these is what some commit has content of that is not here, as in a partial clone whose remote is away.
    """

    def tried() -> T:
        without = (f":(top,exclude,literal){path}" for path in sorted(lacking))
        return read(_patches(root, {path: path for path in names}, *which, *without))

    try:
        return tried()
    except RepositoryError:
        if not (found := _unreadable(root, which[which.index("HEAD") :]) - lacking):
            raise
        lacking |= found
        return tried()


def _unreadable(root: Path, where: Sequence[str]) -> set[str]:
    """Return the paths of which some commit has content that is not here."""
    objects = ask_git(root, "rev-list", "--objects", "--missing=print", "HEAD").output.split(b"\n")
    missing = {decode_path(line[1:]) for line in objects if line.startswith(b"?")}
    listing = ask_git(root, "log", *_LOG, "--raw", "--no-abbrev", "--format=", "-z", *where).output if missing else b""
    fields = iter(decode_path(listing).split("\0"))
    return {path for facts, path in zip(fields, fields, strict=False) if not missing.isdisjoint(facts.split(" "))}


def begun(
    root: Path, wanted: Mapping[str, Collection[str]], now: Mapping[str, Sequence[str]], lacking: set[str]
) -> dict[tuple[str, str], Moment]:
    """Return the commit since which a document has had a text without a break, by path and text.

    `now` are the lines of the documents as they are; whatever a document was called before, it is the same. To
    `lacking` are added documents of whose history some is not here: of these nothing is known.
    """
    words = {path: {_bytes(text): text for text in texts} for path, texts in wanted.items()}
    # Each text by its longest word: a line that lacks that need not be searched.
    by_word: dict[str, defaultdict[bytes, list[bytes]]] = {path: defaultdict(list) for path in words}
    for path, texts in words.items():
        for data in texts:
            by_word[path][max(_TOKEN.findall(data), key=len, default=b"")].append(data)

    def said(path: str, line: bytes) -> Iterator[tuple[str, str]]:
        for word in by_word[path].keys() & (*_TOKEN.findall(line), b""):
            yield from ((path, words[path][data]) for data in by_word[path][word] if data in line)

    def read(patches: Iterator[_Line]) -> dict[tuple[str, str], Moment]:
        left = Counter(key for path, lines in now.items() for line in lines for key in said(path, _bytes(line)))
        found: dict[tuple[str, str], Moment] = {}
        begun: set[tuple[str, str]] = set()
        for commit, lines in groupby(patches, key=lambda one: one.commit):
            added: Counter[tuple[str, str]] = Counter()
            for one in lines:
                for key in said(one.path, one.text) if one.path in words else ():
                    added[key] += 1 if one.is_added else -1
            for key, count in added.items():
                if key not in begun and count:
                    left[key] -= count
                    begun |= {key} if left[key] <= 0 else set()
                    found |= {key: commit} if count > 0 else {}
        return found

    found = _read(root, read, wanted, lacking, *_RENAMES, "HEAD", "--", *_DOCUMENTS)
    return {key: commit for key, commit in found.items() if key[0] not in lacking}


def last_written(root: Path, lines: Mapping[str, Collection[str]], lacking: set[str]) -> dict[tuple[str, str], Moment]:
    """Return the newest commit that put a line into a document, by path and line; `lacking` is as in `begun`."""
    wanted = {path: {_bytes(line): line for line in several} for path, several in lines.items()}

    def read(patches: Iterator[_Line]) -> dict[tuple[str, str], Moment]:
        found: dict[tuple[str, str], Moment] = {}
        for one in patches:
            if one.is_added and one.text in wanted.get(one.path, ()):
                found.setdefault((one.path, wanted[one.path][one.text]), one.commit)
        return found

    return _read(root, read, wanted, lacking, *_RENAMES, "HEAD", "--", *_DOCUMENTS)


def removed_words(root: Path, wanted: Mapping[str, Collection[str]], lacking: set[str]) -> dict[str, Moment]:
    """Return the newest commit that took a line with a word out of one of the files that are given for it.

    To `lacking` are added files of whose history some is not here, in which no word is looked for.
    """
    files = sorted({path for several in wanted.values() for path in several})
    words = {word.encode(): word for word in wanted}

    def read(patches: Iterator[_Line]) -> dict[str, Moment]:
        found: dict[str, Moment] = {}
        for one in patches:
            for data in words.keys() & _TOKEN.findall(one.text) if not one.is_added else ():
                if one.path in wanted[words[data]]:
                    found.setdefault(words[data], one.commit)
        return found

    return _read(root, read, (), lacking, "HEAD", "--", *files)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _lines(output: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in output:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    yield rest


def changes_of(root: Path, expression: str, paths: Collection[str], *, most: int) -> Iterator[Moment]:
    """Yield the newest commits that changed a line with an expression (extended, as POSIX has it) in some paths."""
    picked = (f"-G{expression}", f"-{most}", "--format=%H %ct %s")
    for line in decode_path(ask_git(root, "log", *_LOG, *picked, "HEAD", "--", *paths).output).splitlines():
        commit, time, subject = line.split(" ", 2)
        yield Moment(commit, int(time), subject)


def blobs_of(root: Path, commit: str) -> dict[str, str]:
    """Return the regular files of a commit, by path, with the ids of what they hold."""
    listing = decode_path(ask_git(root, "ls-tree", "-r", "-z", "--full-tree", commit).output)
    entries = (entry.partition("\t") for entry in listing.split("\0") if entry.startswith("100"))
    return {path: facts.rpartition(" ")[2] for facts, _, path in entries}
