"""Reads the safetensors format: an 8-byte length, a JSON header, then raw little-endian tensors."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np

from tx_graph.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

REINSTALL = "Run 'tx model install'."

# The specification's own ceiling; a larger length means that this is no safetensors file.
_MAX_HEADER_BYTES = 100_000_000
_LENGTH = struct.Struct("<Q")


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the file's float32 tensors by name, memory-mapped: only what is used is ever read.

    Raises:
        ModelError: The file is missing, truncated or not in the safetensors format.
    """
    with _explained(path):
        raw, header, start = _opened(path)
        return {name: _tensor(raw[start:], entry) for name, entry in header.items() if entry.get("dtype") == "F32"}


def read_rows(path: Path, name: str) -> Rows:
    """Return one of the file's tensors, to be read row by row.

    Raises:
        ModelError: The file is missing, truncated or not in the safetensors format, or has no such tensor.
    """
    with _explained(path):
        raw, header, start = _opened(path)
        return Rows(path, _tensor(raw[start:], header[name]), start=start + header[name]["data_offsets"][0])


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(f"Cannot read the model weights in {path}: {error}.", hint=REINSTALL) from error


def _opened(path: Path) -> tuple[NDArray[np.uint8], dict[str, Any], int]:
    """Return the mapped file, its header, and where its tensors begin."""
    raw = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    return raw, *_header(raw)


class Rows:
    """The rows of a tensor, read from its file when they are asked for.

    Mapped pages of a large vocabulary would stay in the memory of a process that answers many questions: 30 MB after a
    thousand. The mapped tensor serves where the system cannot read at an offset.
    """

    def __init__(self, path: Path, tensor: NDArray[np.float32], *, start: int) -> None:
        self._tensor = tensor
        self._size = tensor.shape[1] * tensor.itemsize
        self._start = start
        self._file = os.open(path, os.O_RDONLY) if hasattr(os, "pread") else None
        if self._file is not None:
            finalize(self, os.close, self._file)

    def __getitem__(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows, `(*rows.shape, width) float32`; each is read once.

        Raises:
            IndexError: There is no such row.
        """
        if self._file is None:
            return self._tensor[rows]
        wanted, places = np.unique(rows, return_inverse=True)
        if wanted.size and not 0 <= wanted[0] <= wanted[-1] < len(self._tensor):
            raise IndexError(f"there are {len(self._tensor):,} rows")
        read = [os.pread(self._file, self._size, self._start + int(row) * self._size) for row in wanted]
        return np.frombuffer(b"".join(read), "<f4").reshape(len(read), -1)[places.reshape(rows.shape)]


def _header(raw: NDArray[np.uint8]) -> tuple[dict[str, Any], int]:
    """Return the JSON header and the offset at which the tensors begin."""
    (length,) = _LENGTH.unpack(raw[: _LENGTH.size].tobytes())
    start = _LENGTH.size + length
    if length > _MAX_HEADER_BYTES or start > raw.size:
        raise ValueError(f"the header claims {length} bytes of a {raw.size}-byte file")
    return json.loads(raw[_LENGTH.size : start].tobytes()), start


def _tensor(body: NDArray[np.uint8], entry: dict[str, Any]) -> NDArray[np.float32]:
    """Return one tensor as a view of the mapped bytes."""
    begin, end = entry["data_offsets"]
    return body[begin:end].view("<f4").reshape(entry["shape"])
