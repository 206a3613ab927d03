"""Open files: what somebody works on, named by paths, globs and symbols, as lists parted by commas."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import counted
from tx_graph.graph.edges import NodeId
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import References
from tx_graph.records.anchor import looks_like_glob, parse_anchor

_SPEC = re.compile(r"(?:[^,{]++|\{[^{}]*+\}|\{)++")  # between commas, but for those of a glob's alternatives
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

    def __init__(self, kernel: Kernel) -> None:
        self._references = kernel.one(References)
        self._tree = kernel.checkout.tree
        self._listed_files = kernel.checkout.listed_files

    def named(self, specs: Sequence[str], remarks: list[str] | None = None) -> tuple[OpenPlace, ...]:
        """Return the places that are meant, each once, in the order of their names; none for no specs.

        A spec is a path, a directory (all files below it), a glob, `PATH:LINE`, `PATH::SYMBOL`, or several of these
        with commas between them. Paths are seen from the working directory, globs start at the repository's root.
        Where there are `remarks`, they get a sentence for each glob, and for each that is not there: it may be a file
        that is yet to be written.
        """
        found: dict[str, OpenPlace] = {}
        for spec in specs:
            is_one = "," in spec and self._exists(spec)
            parts = [spec] if is_one else [part.strip() for part in _SPEC.findall(spec) if part.strip()]
            if not parts:
                raise UsageError("No file is named.", hint="Name files by paths or globs, with commas between them.")
            for part in parts:
                try:
                    places = self._of(part)
                except NotFound as error:
                    if remarks is None or self._leads_away(part):
                        raise
                    near = f" Did you mean {' or '.join(error.candidates[:2])}?" if error.candidates else ""
                    remarks.append(f"{error.message} It is left out.{near}")
                    continue
                if remarks is not None and looks_like_glob(part) and "::" not in part and not self._exists(part):
                    remarks.append(f"'{part}' matches {counted(len(places), 'file')}.")
                for place in places:
                    if place.ref not in found or found[place.ref].score < place.score:
                        found[place.ref] = place
        return tuple(found[ref] for ref in sorted(found))

    def _of(self, part: str) -> list[OpenPlace]:
        """Return what one path, glob or symbol means."""
        path = part.removeprefix(f"{NodeKind.FILE}:")
        if looks_like_glob(path) and "::" not in path and not self._exists(path):
            from_the_root = "Globs start at the repository's root."
            if path.startswith("../") or "/../" in path:
                raise OutsideRepository(f"'{path}' leads out of the repository.", hint=from_the_root)
            paths = self._listed_files().matching(path)
            if not paths:
                raise NotFound(f"The glob '{path}' matches no file.", hint=from_the_root)
            return self._listed(paths)
        request = parse_anchor(path)
        if request.is_section:  # its document is what is open
            return [self._file(path if self._exists(path) else request.path)]
        if request.symbol or self._is_symbol(request.path):
            symbol = self._references.node(f"{NodeKind.SYMBOL}:{request.spec}")
            file = symbol.key.partition("::")[0]
            place = OpenPlace(ref=symbol.key, path=file, node=symbol.id, kind=NodeKind.SYMBOL)
            return [place, self._file(f"{self._tree.root / file}", score=AROUND_A_SYMBOL)]
        named = path if self._exists(path) else request.path
        found = self._tree.existing(named)
        if found is None or not self._tree.is_directory(found):
            return [self._file(named)]
        prefix = "" if found == "." else f"{found}/"
        below = [one for one in self._listed_files().paths if one.startswith(prefix)]
        if not below:
            raise NotFound(f"There is no file of the project in '{part}'.")
        return self._listed(below)

    def _listed(self, paths: Sequence[str]) -> list[OpenPlace]:
        nodes = self._references.file_nodes(paths)
        return [OpenPlace(ref=path, path=path, node=nodes.get(path)) for path in paths]

    def _file(self, typed: str, *, score: float = 1.0) -> OpenPlace:
        node = self._references.file(typed)
        return OpenPlace(ref=node.key, path=node.key, node=node.id, score=score)

    def _is_symbol(self, typed: str) -> bool:
        """Whether this is no file, and the name of a symbol."""
        try:
            return self._references.node(typed).kind is NodeKind.SYMBOL
        except NotFound:
            return False

    def _leads_away(self, part: str) -> bool:
        """Whether what is not there can be no file that is yet to be written: a path at home, or links in a circle."""
        path = parse_anchor(part.removeprefix(f"{NodeKind.FILE}:")).path
        if path.startswith("~"):
            return True
        for candidate in self._tree.candidates(path):
            try:
                (self._tree.root / candidate).stat()
            except OSError as error:
                if error.errno == errno.ELOOP:
                    return True
        return False

    def _exists(self, typed: str) -> bool:
        return self._tree.existing(typed) is not None
