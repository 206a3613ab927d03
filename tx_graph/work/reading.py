"""Files of transcripts: which they are, what they tell line by line, and which paths of the repository they name."""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import iso
from tx_graph.work.formats import ADAPTERS, Draft, Session, format_of, time_of
from tx_graph.work.values import TranscriptFormat

_NANOSECONDS = 1_000_000_000
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
        path = cwd / os.path.expanduser(name)
        if not name or not os.path.exists(path):
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
_BULKY = 200_000  # bytes from which a line probably holds an image, which is taken out before it is parsed
_BLOB = re.compile(rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{20000,}={0,2}")
_BOM = b"\xef\xbb\xbf"


def parsed(data: bytes) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return what a line holds, without images and the like."""
    if len(data) > _BULKY:
        data = _BLOB.sub(b"", data)
    try:
        return json.loads(data.removeprefix(_BOM).decode("utf-8", "replace"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


_HEAD = 200  # records within which somebody must claim a transcript, and the session say where it is


class Told(NamedTuple):
    """What one line tells; `is_unknown` and `is_malformed` say why that is nothing."""

    number: int
    at: str | None = None
    cwd: str | None = None
    drafts: tuple[Draft, ...] = ()
    is_unknown: bool = False
    is_malformed: bool = False


class OpenTranscript:
    """One transcript, as large as it was when it was opened; what is read of it is hashed.

    `passed` is how many bytes were read so far, `lines_passed` how many lines. One that `waits` ends within a line.
    `written_at` is when the file was last written, UTC.
    """

    def __init__(self, stream: BinaryIO) -> None:
        state = os.fstat(stream.fileno())
        self.size = state.st_size
        self.mtime_ns = state.st_mtime_ns
        self.written_at = iso(datetime.fromtimestamp(state.st_mtime_ns / _NANOSECONDS, UTC))
        self._stream = stream
        self._restart()
        self.waits = False

    def _restart(self) -> None:
        self._stream.seek(0)
        self._hash = hashlib.sha256()
        self.passed = self.lines_passed = 0

    @property
    def digest(self) -> str:
        """The SHA-256 of all bytes that were passed, in hexadecimal."""
        return self._hash.hexdigest()

    def head(self) -> tuple[TranscriptFormat | None, Session]:
        """Return whose transcript the first lines say that it is, if anybody's, and of which session.

        Nothing is passed by that.
        """
        records = []
        for data, _ in islice(self._lines(), _HEAD):
            with suppress(ValueError):
                if isinstance(record := parsed(data or b""), dict):
                    records.append(record)
        self._restart()
        found, session = format_of(records), Session()
        for record in records if found else ():
            ADAPTERS[found].read(record, session)  # type: ignore[index] # there are records only where it is found
        return found, session

    def resume(self, *, read_bytes: int, read_hash: str, lines: int) -> bool:
        """Pass what was read before; return whether it is still the same. If it is not, nothing is passed."""
        while read_bytes <= self.size and self.passed < read_bytes:
            if not (chunk := self._stream.read(min(_CHUNK, read_bytes - self.passed))):
                break
            self._pass(chunk)
        if self.passed != read_bytes or self.digest != read_hash:
            self._restart()
            return False
        for mark in (b"\r", b"\n"):  # the end of a line that was read before its end was there
            place = self._stream.tell()
            if self._stream.read(1) == mark and self.passed < self.size:
                self._pass(mark)
            else:
                self._stream.seek(place)
        self.lines_passed = lines
        return True

    def tell(self, form: TranscriptFormat, session: Session) -> Iterator[Told]:
        """Yield what the lines from here on tell. The last one waits while it has no end and is no whole record."""
        read = ADAPTERS[form].read
        for data, is_closed in self._lines():
            record, is_malformed = None, False
            if data and data.strip():
                try:
                    record = parsed(data)
                except ValueError:
                    is_malformed = True
            if not is_closed:
                if not isinstance(record, dict):  # no beginning of an object is one
                    self.waits = True
                    return
                self._pass(data or b"")
            self.lines_passed += 1
            number = self.lines_passed
            if is_malformed:
                yield Told(number, is_malformed=True)
            elif data is not None and not data.strip():
                yield Told(number)
            elif isinstance(record, dict) and (drafts := read(record, session)) is not None:
                yield Told(number, time_of(record) if drafts else None, session.cwd, tuple(drafts))
            else:
                yield Told(number, is_unknown=True)

    def _lines(self) -> Iterator[tuple[bytes | None, bool]]:
        """Yield the lines from here on without their ends, None for one that is too long to be read.

        The second value says whether the line is closed. Where the file ends before the line does, that is not passed.
        """
        while self.passed < self.size:
            data = self._stream.readline(min(LONGEST, self.size - self.passed))
            if not data:
                return
            if data.endswith(b"\n"):
                self._pass(data)
                yield data[:-1], True
            elif len(data) < LONGEST:
                yield data, False
                return
            else:
                self._pass(data)
                while not data.endswith(b"\n") and (
                    data := self._stream.readline(min(_CHUNK, self.size - self.passed))
                ):
                    self._pass(data)
                yield None, True

    def _pass(self, data: bytes) -> None:
        self._hash.update(data)
        self.passed += len(data)


@contextmanager
def opened(path: Path) -> Iterator[OpenTranscript]:
    """Yield the transcript at `path`."""
    with path.open("rb") as stream:
        yield OpenTranscript(stream)


_WORD = re.compile(r"[^\s'\"`;|&<>()$=,]+")
_LONGEST_PATH = 400  # characters of a path; what is longer is text
_MOST_WORDS = 200  # words of a command that are looked at: what follows is a script or data
_REMEMBERED = 20_000


class SessionPaths:
    """Turns absolute paths, and those relative to where an agent stood, into repository-relative ones."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._roots = tuple(dict.fromkeys(_slashes(str(one)).rstrip("/") for one in (root, root.resolve())))
        self._is_file = lru_cache(maxsize=_REMEMBERED)(lambda path: os.path.isfile(root / path))

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
        if not path.startswith("/") and path[1:3] != ":/":
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


def _slashes(path: str) -> str:
    r"""Return a path of Windows with `/`; others may have `\` in names."""
    return path.replace("\\", "/") if path[1:3] == ":\\" or os.name == "nt" else path
