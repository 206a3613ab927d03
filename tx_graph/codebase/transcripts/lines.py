"""Lines of a file that may be growing, rewritten or broken, in bounded memory."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

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
    """Return what a line holds, without images and the like.

    Raises:
        ValueError: It is no JSON, or nested too deeply.
    """
    if len(data) > _BULKY:
        data = _BLOB.sub(b"", data)
    try:
        return json.loads(data.removeprefix(_BOM).decode("utf-8", "replace"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
