"""Puts a file that is wholly ours where a program looks for it, and takes it away; nobody else's is touched."""

from __future__ import annotations

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import OURS, OwnFile


def with_ours(text: str | None, file: OwnFile) -> str:
    """Return what we write; None is a missing file."""
    if text is not None and not _is_ours(text):
        raise UsageError(f"{file.path} is not of tx.", hint="Nothing was written; move it away first.")
    return file.text


def without_ours(text: str, file: OwnFile) -> str | None:
    """Return None where the file is ours and goes, and else what it holds."""
    del file
    return None if _is_ours(text) else text


def _is_ours(text: str) -> bool:
    return OURS in text.partition("\n")[0]
