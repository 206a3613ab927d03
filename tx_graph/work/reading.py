"""Files of transcripts: which they are, what they tell line by line, and which paths of the repository they name."""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tx_graph.core.errors import NotFound
from tx_graph.work.formats import ADAPTERS, Draft, Session, format_of, time_of
from tx_graph.work.values import TranscriptFormat

SUFFIX = ".jsonl"
_PACKED = (".jsonl.gz", ".jsonl.zst", ".jsonl.xz", ".jsonl.bz2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that may be a transcript; it was `named` itself or found in a directory.

    `problem` says, as a sentence's end, why it is not read.
    """

    path: Path
    named: bool = False
    problem: str = ""


def candidates(typed: Iterable[str], *, cwd: Path) -> list[Candidate]:
    """Return the files that are named, and those below the directories that are, each once and in order.

    Links to files are followed, those to directories only where they are named.
    """
    found: dict[Path, Candidate] = {}
    for name in typed:
        path = cwd / Path(name).expanduser()
        if not name or not path.exists():
            raise NotFound(f"There is no file or directory '{name}'.")
        for one in _below(path) if path.is_dir() else [_candidate(path, named=True)]:
            found.setdefault(one.path, one)
    return list(found.values())


def _below(directory: Path) -> Iterator[Candidate]:
    unread: list[str] = []
    for place, directories, names in os.walk(directory, onerror=lambda error: unread.append(str(error.filename))):
        directories.sort()
        for name in sorted(names):
            if name.endswith((SUFFIX, *_PACKED)):
                yield _candidate(Path(place, name))
    for name in unread:
        yield Candidate(path=Path(name), problem="cannot be listed")


def _candidate(path: Path, *, named: bool = False) -> Candidate:
    problem = "is compressed: unpack it first" if path.name.endswith(_PACKED) else ""
    if not problem and not path.is_file():
        problem = "is no file" if path.exists() else "leads nowhere"
    return Candidate(path=path if problem else path.resolve(), named=named, problem=problem)


LONGEST = 32_000_000
"""Bytes of a line that is read; beyond, only its end is looked for."""
_CHUNK = 1_000_000
_BULKY = 200_000
"""Bytes from which a line probably holds an image, which is taken out before it is parsed."""
_BLOB = re.compile(rb"[A-Za-z0-9+/]{20000,}={0,2}")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line without its end; `data` is None where it is too long to be read.

    `end` is where the next one begins. It is not `closed` when the file ends before the line does.
    """

    data: bytes | None
    end: int
    closed: bool = True


class Bytes:
    """Reads a stream up to where it ended when it was opened, and hashes what is read."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._size = size
        self._place = 0
        self._hash = hashlib.sha256()

    @property
    def passed(self) -> int:
        """How many bytes were passed."""
        return self._place

    @property
    def digest(self) -> str:
        """The SHA-256 of all bytes that were passed, in hexadecimal."""
        return self._hash.hexdigest()

    def skip(self, count: int) -> bool:
        """Pass `count` bytes; return whether there were as many."""
        while self._place < count:
            if not (chunk := self._stream.read(min(_CHUNK, count - self._place))):
                return False
            self._pass(chunk)
        return True

    def skip_line_end(self) -> None:
        """Pass the end of a line that was read before its end was there."""
        for mark in (b"\r", b"\n"):
            place = self._stream.tell()
            if self._stream.read(1) == mark and self._place < self._size:
                self._pass(mark)
            else:
                self._stream.seek(place)

    def lines(self) -> Iterator[Line]:
        """Yield the lines from here on. One that is not closed is not passed: see `take`."""
        while self._place < self._size:
            data = self._stream.readline(min(LONGEST, self._size - self._place))
            if not data:
                return
            if data.endswith(b"\n"):
                self._pass(data)
                yield Line(data=data[:-1], end=self._place)
            elif len(data) < LONGEST:
                yield Line(data=data, end=self._place, closed=False)
                return
            else:
                self._pass(data)
                yield from self._rest_of_long_line()

    def take(self, line: Line) -> Line:
        """Pass a line that is not closed; return it with its end."""
        self._pass(line.data or b"")
        return Line(data=line.data, end=self._place)

    def _rest_of_long_line(self) -> Iterator[Line]:
        while data := self._stream.readline(min(_CHUNK, self._size - self._place)):
            self._pass(data)
            if data.endswith(b"\n"):
                break
        yield Line(data=None, end=self._place)

    def _pass(self, data: bytes) -> None:
        self._hash.update(data)
        self._place += len(data)


def parsed(data: bytes) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return what a line holds, without images and the like."""
    if len(data) > _BULKY:
        data = _BLOB.sub(b"", data)
    try:
        return json.loads(data.removeprefix(_BOM).decode("utf-8", "replace"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


_HEAD = 200
"""Records within which somebody must claim a transcript, and the session say where it is."""


class Told(NamedTuple):
    """What one line tells; `is_unknown` and `is_malformed` say why that is nothing."""

    number: int
    at: str | None = None
    cwd: str | None = None
    drafts: tuple[Draft, ...] = ()
    is_unknown: bool = False
    is_malformed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What the first lines of a transcript say of it; without a format it is none, or holds nothing yet."""

    format: TranscriptFormat | None
    session: str | None
    cwd: str | None
    is_empty: bool


class OpenTranscript:
    """One transcript, as large as it was when it was opened."""

    def __init__(self, stream: BinaryIO) -> None:
        state = os.fstat(stream.fileno())
        self.size = state.st_size
        self.mtime_ns = state.st_mtime_ns
        self._stream = stream
        self._bytes = Bytes(stream, self.size)
        self.lines_passed = 0
        self.waits = False

    @property
    def passed(self) -> int:
        """How many bytes were read so far."""
        return self._bytes.passed

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read so far."""
        return self._bytes.digest

    def head(self) -> Head:
        """Return what the first lines say; nothing is passed by that."""
        records = [record for record in islice(self._records(), _HEAD) if isinstance(record, dict)]
        self._restart()
        found = format_of(records)
        session = Session()
        for record in records if found else ():
            ADAPTERS[found].read(record, session)  # type: ignore[index] # there are records only where it is found
        return Head(format=found, session=session.id, cwd=session.cwd, is_empty=not self.size)

    def resume(self, *, read_bytes: int, read_hash: str, lines: int) -> bool:
        """Pass what was read before; return whether it is still the same. If it is not, nothing is passed."""
        if read_bytes <= self.size and self._bytes.skip(read_bytes) and self._bytes.digest == read_hash:
            self._bytes.skip_line_end()
            self.lines_passed = lines
            return True
        self._restart()
        return False

    def tell(self, form: TranscriptFormat, session: Session) -> Iterator[Told]:
        """Yield what the lines from here on tell. The last one waits while it has no end and is no whole record."""
        read = ADAPTERS[form].read
        for line in self._bytes.lines():
            if not line.closed:
                if not _is_whole(line):
                    self.waits = True
                    return
                self._bytes.take(line)
            self.lines_passed += 1
            yield self._told(line, read, session)

    def _told(self, line: Line, read: Any, session: Session) -> Told:  # noqa: ANN401 - an adapter's
        number = self.lines_passed
        if line.data is None:
            return Told(number, is_unknown=True)
        if not line.data.strip():
            return Told(number)
        try:
            record = parsed(line.data)
        except ValueError:
            return Told(number, is_malformed=True)
        drafts = read(record, session) if isinstance(record, dict) else None
        if drafts is None:
            return Told(number, is_unknown=True)
        return Told(number, time_of(record) if drafts else None, session.cwd, tuple(drafts))

    def _records(self) -> Iterator[Any]:
        for line in self._bytes.lines():
            try:
                yield parsed(line.data) if line.data else None
            except ValueError:
                yield None

    def _restart(self) -> None:
        self._stream.seek(0)
        self._bytes = Bytes(self._stream, self.size)
        self.lines_passed = 0


@contextmanager
def opened(path: Path) -> Iterator[OpenTranscript]:
    """Yield the transcript at `path`."""
    with path.open("rb") as stream:
        yield OpenTranscript(stream)


def _is_whole(line: Line) -> bool:
    """Whether a line without an end is a record all the same: no beginning of an object is one."""
    try:
        return isinstance(parsed(line.data or b""), dict)
    except ValueError:
        return False


_WORD = re.compile(r"[^\s'\"`;|&<>()$=,]+")
_LONGEST_PATH = 400
"""Characters of a path; what is longer is text."""
_MOST_WORDS = 200
"""Words of a command that are looked at: what follows is a script or data."""
_REMEMBERED = 20_000


class SessionPaths:
    """Turns absolute paths, and those relative to where an agent stood, into repository-relative ones."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._roots = tuple(dict.fromkeys(_slashes(str(one)).rstrip("/") for one in (root, root.resolve())))
        self._is_file = lru_cache(maxsize=_REMEMBERED)(self._look)

    def holds(self, directory: str) -> bool:
        """Whether a directory is the root of the repository, or below."""
        return self._below(_slashes(directory)) is not None

    def named(self, path: str, cwd: str | None) -> str | None:
        """Return a path of the repository, None for one that leads elsewhere, is a directory, or no path at all."""
        found = self._relative(path, cwd)
        return None if found is None or os.path.isdir(self._root / found) else found

    def in_command(self, command: str, cwd: str | None) -> tuple[str, ...]:
        """Return the files of the repository that words of a command line name; only such that are there now."""
        words = _WORD.findall(command[: _LONGEST_PATH * _MOST_WORDS])[:_MOST_WORDS]
        found = (self._relative(word, cwd) for word in words if "." in word or "/" in word)
        return tuple(dict.fromkeys(path for path in found if path and self._is_file(path)))

    def _relative(self, path: str, cwd: str | None) -> str | None:
        if not path or len(path) > _LONGEST_PATH or "\0" in path or "\n" in path:
            return None
        path = _slashes(path)
        if not _is_absolute(path):
            if not cwd:
                return None
            path = posixpath.join(_slashes(cwd), path)
        return self._below(path) or None

    def _below(self, path: str) -> str | None:
        """Return an absolute path relative to the root, empty for the root itself; None where it is not below."""
        path = posixpath.normpath(path)
        for root in self._roots:
            if path == root:
                return ""
            if path.startswith(f"{root}/"):
                below = path[len(root) + 1 :]
                return None if below == ".git" or below.startswith((".git/", ".tx/")) else below
        return None

    def _look(self, path: str) -> bool:
        return os.path.isfile(self._root / path)


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _slashes(path: str) -> str:
    r"""Return a path of Windows with `/`; others may have `\` in names."""
    return path.replace("\\", "/") if path[1:3] == ":\\" or os.name == "nt" else path
