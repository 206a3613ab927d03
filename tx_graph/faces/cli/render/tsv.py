"""Tab-separated lines for scripts: one header line, then one line per row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import typer

_ODD = re.compile(r'[\x00-\x1f\x7f"\\]')
_ESCAPES = {"\a": r"\a", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\v": r"\v", "\f": r"\f", "\r": r"\r"}
_ESCAPES |= {'"': r"\"", "\\": r"\\"}


def print_tsv(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a header line and the rows, every field as `quoted` returns it."""
    typer.echo("\n".join("\t".join(quoted(str(field)) for field in row) for row in (headings, *rows)))


def quoted(field: str) -> str:
    """Return a field as `git ls-files` prints a path with core.quotePath off.

    One with a tab, line break, other control character, double quote or backslash stands in double quotes, with the
    escapes of C in it; all others stand as they are.
    """
    return f'"{_ODD.sub(_escaped, field)}"' if _ODD.search(field) else field


def _escaped(odd: re.Match[str]) -> str:
    return _ESCAPES.get(odd[0]) or f"\\{ord(odd[0]):03o}"
