"""Errors as a person or a program reads them."""

from __future__ import annotations

from tx_graph.core.errors import TxError
from tx_graph.faces.cli.render.terminal import json_text, printable


def as_lines(error: TxError) -> str:
    """Return the error as lines: what happened, what is near, what to do."""
    lines = [f"tx: {error.message}"]
    if error.candidates:
        lines += ["Did you mean:", *(f"  {candidate}" for candidate in error.candidates)]
    if error.hint:
        lines.append(error.hint)
    return printable("\n".join(lines))


def as_document(error: TxError) -> str:
    """Return the error as one JSON document."""
    fields = {"code": error.code, "message": error.message, "hint": error.hint, "candidates": list(error.candidates)}
    return json_text({"error": fields})
