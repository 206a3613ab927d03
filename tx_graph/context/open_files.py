"""Open files: what somebody works on, named by paths, globs and symbols, as lists parted by commas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.working_tree import WorkingTree
from tx_graph.graph.edges import NodeId
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import Node, References
from tx_graph.records.anchor import looks_like_glob, parse_anchor

AROUND_A_SYMBOL = 0.7
"""What a file counts of which only a symbol was named: the symbol is what somebody works on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPlace:
    """A file or symbol somebody works on, and how much it counts, in (0, 1].

    `ref` is what it is called, `path` its file; `node` is None where the graph knows nothing of it yet.
    """

    ref: str
    path: str
    node: NodeId | None
    kind: NodeKind = NodeKind.FILE
    score: float = 1.0


class OpenFiles:
    """Finds out which files and symbols are meant."""

    def __init__(self, *, references: References, tree: WorkingTree, listed_files: Callable[[], PathMatcher]) -> None:
        self._references = references
        self._tree = tree
        self._listed_files = listed_files

    def named(self, specs: Sequence[str]) -> tuple[OpenPlace, ...]:
        """Return the places that are meant, each once, in the order of their names; none for no specs.

        A spec is a path, a directory (all files below it), a glob, `PATH:LINE`, `PATH::SYMBOL`, or several of these
        with commas between them. Paths are seen from the working directory, globs start at the repository's root.
        """
        found: dict[str, OpenPlace] = {}
        for spec in specs:
            for place in self._places(spec):
                if place.ref not in found or found[place.ref].score < place.score:
                    found[place.ref] = place
        return tuple(found[ref] for ref in sorted(found))

    def _places(self, spec: str) -> Iterable[OpenPlace]:
        parts = [spec] if "," in spec and self._exists(spec) else [part.strip() for part in spec.split(",")]
        parts = [part for part in parts if part]
        if not parts:
            raise UsageError("No file is named.", hint="Name files by paths or globs, with commas between them.")
        return [place for part in parts for place in self._of(part)]

    def _of(self, part: str) -> list[OpenPlace]:
        """Return what one path, glob or symbol means."""
        path = part.removeprefix(f"{NodeKind.FILE}:")
        if looks_like_glob(path) and "::" not in path and not self._exists(path):
            return self._matching(path)
        request = parse_anchor(path.removeprefix(f"{NodeKind.SYMBOL}:"))
        if request.symbol:
            return self._of_symbol(self._references.node(f"{NodeKind.SYMBOL}:{request.path}::{request.symbol}"))
        named = path if self._exists(path) else request.path
        directory = self._directory(named)
        return [_file(self._references.file(named))] if directory is None else self._below(directory, part)

    def _of_symbol(self, symbol: Node) -> list[OpenPlace]:
        path = symbol.key.partition("::")[0]
        place = OpenPlace(ref=symbol.key, path=path, node=symbol.id, kind=NodeKind.SYMBOL)
        around = _file(self._references.file(f"{self._tree.root / path}"), score=AROUND_A_SYMBOL)
        return [place, around]

    def _matching(self, pattern: str) -> list[OpenPlace]:
        if pattern.startswith("../") or "/../" in pattern:
            raise OutsideRepository(
                f"'{pattern}' leads out of the repository.", hint="Globs start at the repository's root."
            )
        paths = self._listed_files().matching(pattern.removeprefix("./"))
        if not paths:
            raise NotFound(f"The glob '{pattern}' matches no file.", hint="Globs start at the repository's root.")
        return self._listed(paths)

    def _below(self, directory: str, typed: str) -> list[OpenPlace]:
        prefix = "" if directory == "." else f"{directory}/"
        paths = [path for path in self._listed_files().paths if path.startswith(prefix)]
        if not paths:
            raise NotFound(f"There is no file of the project in '{typed}'.")
        return self._listed(paths)

    def _listed(self, paths: Sequence[str]) -> list[OpenPlace]:
        nodes = self._references.file_nodes(paths)
        return [OpenPlace(ref=path, path=path, node=nodes.get(path)) for path in paths]

    def _directory(self, typed: str) -> str | None:
        found = self._tree.existing(typed)
        return found if found is not None and self._tree.is_directory(found) else None

    def _exists(self, typed: str) -> bool:
        return self._tree.existing(typed) is not None


def _file(node: Node, *, score: float = 1.0) -> OpenPlace:
    return OpenPlace(ref=node.key, path=node.key, node=node.id, score=score)
