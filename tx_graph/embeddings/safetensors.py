"""Reads the safetensors format: an 8-byte length, a JSON header, then raw little-endian tensors."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    try:
        raw = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
        header, start = _header(raw)
        return {name: _tensor(raw[start:], entry) for name, entry in header.items() if entry.get("dtype") == "F32"}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(f"Cannot read the model weights in {path}: {error}.", hint=REINSTALL) from error


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
