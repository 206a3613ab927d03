"""Imports between files: what a source file asks for and what that turned out to mean."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.shape import Answer


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
    `from module import name`; `*` for all), else None. `line` counts from 1. `scope` is the module inside
    the file that the import stands in (Rust's `mod tests { … }`: `tests`), empty at the top.
    """

    module: str
    name: str | None = None
    type: ImportType = ImportType.STATIC
    line: int = 1
    scope: str = ""


OWN = Specifier(module="", name=".")
"""What a file takes from its own namespaces, or by full names, without saying so in any import."""


class Offered(NamedTuple):
    """A name that imports elsewhere may ask a file for.

    `place` says where the text of a Rust module is: `{}` for one that is written out in the file itself, the path
    that its `#[path]` gives, or empty for the usual file. Elsewhere it is the namespace of the name where that is not
    the `package` of the surface.
    """

    name: str
    place: str = ""


PACKAGE_OBJECT = "package"
"""What a Scala file offers as a member of a package to whose members it adds others, inherited ones among them."""
GLOBAL_USING = "global using"
"""The place of what a C# file offers that is no type but a namespace, which all files of its project use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What has to be known of a file to resolve imports of files, where paths alone do not tell.

    `package` is the name that the file says it belongs to (Go's and Java's `package`). `offers` are the names that
    it declares for others: Go's package-level names, Java's top-level types, Rust's modules. `uses` are names that
    its own imports are decided by: Go's `store.New`, the simple names in a Java file with a wildcard import, the
    types that a C#, PHP or Swift file may have from anywhere.
    """

    package: str = ""
    offers: tuple[Offered, ...] = ()
    uses: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, tuple[Offered, ...]]:
        """The part that other files' imports are resolved by."""
        return self.package, self.offers


NO_SURFACE = Surface()
"""The surface of a file whose language resolves imports by paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportEdge(Answer):
    """A file imports another; paths are repository-relative with `/`."""

    source: str
    target: str
    type: ImportType
    JSON: ClassVar = "source source_node=source@file target target_node=target@file import_type=type"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unresolved:
    """A specifier that names no tracked file, and why (`external`, `stdlib`, `missing`, …)."""

    source: str
    specifier: Specifier
    reason: str
