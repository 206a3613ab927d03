"""Imports between files: what a source file asks for and what that turned out to mean."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ImportType(StrEnum):
    """How a file depends on another; declared strongest first."""

    STATIC = "static"
    RE_EXPORT = "re-export"
    DYNAMIC = "dynamic"
    TYPE_ONLY = "type-only"


IMPORT_STRENGTH = {kind: rank for rank, kind in enumerate(ImportType)}
"""0 is strongest: the type that stays when several statements join one pair of files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Specifier:
    """One imported name as it stands in the source.

    `module` is the text after `from` or in the quotes (`.sub`, `@/a`, `acme.core`), leading dots
    included. `name` is the imported name where the language decides per name (Python's
    `from module import name`; `*` for all), else None. `line` counts from 1.
    """

    module: str
    name: str | None = None
    type: ImportType = ImportType.STATIC
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportEdge:
    """A file imports another; paths are repository-relative with `/`."""

    source: str
    target: str
    type: ImportType


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A specifier that names no tracked file, and why (`external`, `stdlib`, `missing`, …)."""

    source: str
    specifier: Specifier
    reason: str
