"""A transcript from some line on: what it tells, line by line, and how far it was read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tx_graph.codebase.transcripts.content import time_of
from tx_graph.codebase.transcripts.draft import Draft, Session
from tx_graph.codebase.transcripts.formats import ADAPTERS, format_of
from tx_graph.codebase.transcripts.lines import Bytes, Line, parsed
from tx_graph.domain.telemetry import TranscriptFormat

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
    """Yield the transcript at `path`.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        yield OpenTranscript(stream)


def _is_whole(line: Line) -> bool:
    """Whether a line without an end is a record all the same: no beginning of an object is one."""
    try:
        return isinstance(parsed(line.data or b""), dict)
    except ValueError:
        return False
