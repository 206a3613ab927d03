"""Readings as bytes: what processes hand each other, and what is kept of a content that was read before."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from tx_graph.codebase.parsing import SourceReading
from tx_graph.domain.imports import NO_SURFACE, ImportType, Offered, Specifier, Surface
from tx_graph.domain.symbols import SymbolRow

_FASTEST = 1
"""zlib's level: a third of the size for a fiftieth of what parsing takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a file says, ready to be stored: the same whatever path the file has.

    `problem` says why it could be read only in part, or not at all; empty when there is none.
    """

    specifiers: tuple[Specifier, ...] = ()
    symbols: tuple[SymbolRow, ...] = ()
    surface: Surface = NO_SURFACE
    problem: str = ""


NO_CONTENTS = Contents()


def encode(reading: SourceReading) -> bytes:
    """Return a reading as bytes, without the path it was read under."""
    document = (
        [(one.module, one.name, one.type, one.line, one.scope) for one in reading.specifiers],
        [(one.name, one.kind, one.line_start, one.line_end, one.signature) for one in reading.symbols],
        (reading.surface.package, reading.surface.offers, reading.surface.uses),
        reading.problem,
    )
    return zlib.compress(json.dumps(document, separators=(",", ":")).encode(), _FASTEST)


def decode(data: bytes) -> Contents:
    """Return what `encode` was given.

    Raises:
        ValueError: The bytes are damaged.
    """
    try:
        specifiers, symbols, (package, offers, uses), problem = json.loads(zlib.decompress(data))
        return Contents(
            specifiers=tuple(
                Specifier(module=module, name=name, type=_TYPES[kind], line=line, scope=scope)
                for module, name, kind, line, scope in specifiers
            ),
            symbols=tuple(map(tuple, symbols)),
            surface=Surface(package=package, offers=tuple(Offered(*one) for one in offers), uses=tuple(uses)),
            problem=problem,
        )
    except (zlib.error, ValueError, TypeError, KeyError) as error:
        raise ValueError("not a reading") from error


@cache
def readers_version() -> str:
    """Return what changes whenever the readers, and so perhaps their readings, do: a digest of their source."""
    digest = sha256(_grammars_version().encode())
    for module in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(module.read_bytes())
    return digest.hexdigest()[:16]


def _grammars_version() -> str:
    """Return which ast-grep-py is installed; its metadata would say so too, but takes 10 ms to load."""
    found = find_spec("ast_grep_py")
    home = Path(found.origin).parent.parent if found and found.origin else None
    return ",".join(sorted(one.name for one in home.glob("ast_grep_py-*.dist-info"))) if home else ""


_TYPES = {kind.value: kind for kind in ImportType}
