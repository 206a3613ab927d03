"""Chooses which files are to be read as documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tx_graph.codebase.documents import format_of
from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.repository import WorkingFile, no_report, working_files
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.errors import NotFound, UsageError

_KINDS = "Markdown, reStructuredText or plain text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The files to look at, and the known documents that are no longer among those there should be.

    `named` are the files that somebody asked for by name.
    """

    files: Sequence[WorkingFile]
    gone: Sequence[str]
    named: Collection[str] = ()


class Choosing:
    """Chooses documents among the tracked files, or as somebody names them."""

    def __init__(
        self, *, tree: WorkingTree, tracked: Callable[[], Iterable[WorkingFile]], exclude: Sequence[str]
    ) -> None:
        self._tree = tree
        self._tracked = tracked
        self._exclude = exclude

    def standard(self, known: Collection[str]) -> Chosen:
        """Return every tracked document that no setting excludes, and those known ones that nobody tracks but exist."""
        files = {file.path: file for file in self._tracked() if format_of(file.path)}
        files |= {file.path: file for file in self._listed(path for path in known if path not in files)}
        matcher = PathMatcher(files)
        for pattern in self._exclude:
            for path in matcher.matching(pattern):
                files.pop(path, None)
        return Chosen(files=[files[path] for path in sorted(files)], gone=sorted(set(known) - files.keys()))

    def named(self, typed: Sequence[str], known: Collection[str]) -> Chosen:
        """Return what somebody asks for: documents by their paths, all below a directory, or all that globs match.

        Raises:
            NotFound: A path or glob names nothing.
            UsageError: A path leads out of the repository, or to a file that is no document.
        """
        tracked = {file.path: file for file in self._tracked() if format_of(file.path)}
        matcher = PathMatcher(set(tracked).union(known))
        by_name: set[str] = set()
        found: set[str] = set()
        for one in typed:
            path = self._tree.existing(one)
            if path is None or self._tree.is_directory(path):
                found |= self._many(one, path, matcher)
            else:
                by_name.add(self._document(path))
        asked = found | by_name
        files = {file.path: file for file in self._listed(path for path in asked if path not in tracked)}
        files |= {path: tracked[path] for path in asked if path in tracked}
        if irregular := by_name - files.keys():
            raise UsageError(f"{min(irregular)} is no regular file.", hint="Name the file that a link leads to.")
        gone = sorted(found.intersection(known) - files.keys())
        return Chosen(files=[files[path] for path in sorted(files)], gone=gone, named=by_name)

    def _many(self, typed: str, directory: str | None, matcher: PathMatcher) -> set[str]:
        pattern = typed.removeprefix("./") if directory is None else "**" if directory == "." else f"/{directory}/**"
        found = set(matcher.matching(pattern))
        if directory is None:
            found |= {path for path in self._tree.candidates(typed) if path in matcher}
        if not found:
            raise NotFound(
                f"'{typed}' names no document here.",
                hint="What git does not track yet is to be named file by file.",
                candidates=matcher.nearest(typed),
            )
        return found

    def _document(self, path: str) -> str:
        if format_of(path) is None:
            raise UsageError(f"{path} is not {_KINDS} by its name.", hint="Rename it, or leave it out.")
        if why := self._tree.why_foreign(path):
            raise UsageError(f"{path} is no part of the project: {why}.")
        return path

    def _listed(self, paths: Iterable[str]) -> Iterator[WorkingFile]:
        return working_files(self._tree.root, sorted(paths), no_report)
