"""Takes anchors from the working tree as it is now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.anchor import Anchor, AnchorRequest, AnchorType
from tx_graph.domain.labels import is_unicode
from tx_graph.errors import NotFound, OutsideRepository, UsageError
from tx_graph.services.anchoring.sources import Sources, SourceText

_OTHERS_LACK_IT = "An anchor is shared with the learning: tie it to a file that others have too."
_SINGLY = 20
"""Files that git is asked about one by one, 3 ms each: beyond, listing all of them takes less."""


class Anchoring:
    """Looks places up and takes anchors; each file is read and parsed once.

    Globs match tracked files; without `tracked_files`, as outside git, every listed one.
    """

    def __init__(
        self,
        *,
        tree: WorkingTree,
        sources: Sources,
        listed_files: Callable[[], PathMatcher],
        tracked_files: Callable[[], PathMatcher] | None = None,
    ) -> None:
        self._tree = tree
        self._listed_files = listed_files
        self._glob_files = tracked_files or listed_files
        self._sources = sources
        self._taken = 0

    def take(self, request: AnchorRequest) -> Anchor:
        """Return the anchor that is asked for, with the fingerprints of what it ties to now.

        Raises:
            NotFound: The file, symbol or lines do not exist; a glob matches nothing.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        kind = self._kind(request)
        if kind is AnchorType.GLOB:
            return self._take_glob(request)
        path = self.path(request.path)
        if kind is AnchorType.SYMBOL:
            return self._take_symbol(path, request.symbol or "")
        if request.lines:
            return self._take_lines(path, request.lines, kind)
        return Anchor(path=path, type=kind, fingerprints=self._source(path).whole())

    def path(self, typed: str) -> str:
        """Return the repository-relative path of an existing file that may be anchored.

        Raises:
            NotFound: There is none; the nearest are named.
            UsageError: It leads out of the repository, is a directory, or is no part of the project.
        """
        found = self._tree.existing(typed)
        if found is None:
            self._refuse_section(typed)
            raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))
        if foreign := self._why_foreign(found):
            raise UsageError(f"'{typed}' cannot be anchored: {foreign}.", hint=_OTHERS_LACK_IT)
        if self._tree.is_directory(found):
            raise UsageError(f"'{typed}' is a directory.", hint=f"To mean all files in it, use the glob '{found}/**'.")
        if self._sources.text(found) is None:
            raise UsageError(f"'{typed}' cannot be read as a file.")
        return found

    def _refuse_section(self, typed: str) -> None:
        """Raise UsageError for what is a section of a document by its form."""
        document, mark, _ = typed.rpartition("#")
        if mark and document and (path := self._tree.existing(document)) and not self._tree.is_directory(path):
            raise UsageError(
                f"'{typed}' names a section, and anchors tie to files, symbols and lines.",
                hint=f"Name the document, or the section's lines: 'tx doc:show {path}' has them.",
            )

    def _why_foreign(self, path: str) -> str:
        """Return why a file is no part of the project; from a list of all files once many are anchored at a time."""
        self._taken += 1
        if self._taken > _SINGLY and path in self._listed_files():
            return ""
        return self._tree.why_foreign(path)

    def candidates(self, typed: str) -> list[str]:
        """Return the repository-relative paths that a typed path may mean.

        Raises:
            UsageError: It leads out of the repository.
        """
        return self._tree.candidates(typed)

    def existing(self, typed: str) -> str | None:
        """Return the repository-relative path of the file or directory that a typed path means, None if there is none.

        Raises:
            UsageError: It leads out of the repository.
        """
        return self._tree.existing(typed)

    def files_matching(self, pattern: str) -> Sequence[str]:
        """Return the repository's files that a glob matches."""
        return self._glob_files().matching(pattern)

    def matches_any(self, pattern: str, paths: Sequence[str]) -> bool:
        """Whether a glob matches one of these files."""
        return self._glob_files().matches_any(pattern, paths)

    def _kind(self, request: AnchorRequest) -> AnchorType:
        given = request.inferred_type(exists=self._exists(request.path))
        kind = request.type or given
        needs = {AnchorType.SYMBOL: request.symbol, AnchorType.LINES: request.lines}
        if kind in needs and needs[kind] is None:
            raise UsageError(
                f"An anchor of type '{kind}' needs {'a symbol' if kind is AnchorType.SYMBOL else 'lines'}."
            )
        if kind is not given and given in needs and (given, kind) != (AnchorType.LINES, AnchorType.HASH):
            raise UsageError(
                f"An anchor of type '{kind}' has no {'symbol' if given is AnchorType.SYMBOL else 'lines'}."
            )
        if request.symbol and request.lines:
            raise UsageError("An anchor names a symbol or lines, not both; add two anchors.")
        return kind

    def _exists(self, typed: str) -> bool:
        return self._tree.existing(typed) is not None

    def _take_glob(self, request: AnchorRequest) -> Anchor:
        pattern = request.path.strip()
        if pattern.startswith(("/", "../")) or "/../" in pattern:
            raise OutsideRepository(
                f"'{pattern}' is outside the repository.", hint="Globs start at the repository's root."
            )
        if not self.files_matching(pattern):
            raise self._no_match(pattern)
        return Anchor(path=pattern, type=AnchorType.GLOB)

    def _no_match(self, pattern: str) -> NotFound:
        untracked = self._listed_files().matching(pattern)
        if not untracked:
            return NotFound(f"The glob '{pattern}' matches no file.", hint="Globs start at the repository's root.")
        files = untracked[0] if len(untracked) == 1 else f"{untracked[0]} and {len(untracked) - 1} more"
        return NotFound(
            f"The glob '{pattern}' matches only files that git does not track: {files}.",
            hint="Track them first: git add.",
        )

    def _take_symbol(self, path: str, name: str) -> Anchor:
        symbol = self._sources.symbol(path, name)
        taken = self._source(path).anchored(symbol)
        return Anchor(path=path, type=AnchorType.SYMBOL, symbol=symbol.name, fingerprints=taken)

    def _take_lines(self, path: str, lines: tuple[int, int], kind: AnchorType) -> Anchor:
        source = self._source(path)
        if not 1 <= lines[0] <= lines[1]:
            raise UsageError(f"Lines {lines[0]}-{lines[1]} are none: lines count from 1, first to last.")
        if lines[1] > len(source.lines):
            raise NotFound(f"{path} ends at line {len(source.lines)}; there is no line {lines[1]}.")
        text = source.text_of(lines)
        kept = text if kind is AnchorType.LINES and is_unicode(text) else None
        return Anchor(path=path, type=kind, lines=lines, text=kept, fingerprints=source.of_lines(lines))

    def _source(self, path: str) -> SourceText:
        source = self._sources.get(path)
        if source is None:
            raise NotFound(f"'{path}' cannot be read any more.")
        return source
