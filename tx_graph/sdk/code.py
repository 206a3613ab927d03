"""What is known of the code itself: imports, symbols, cycles, and what changes together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.domain.cochange import CoChange
from tx_graph.domain.imports import ImportEdge
from tx_graph.sdk.namespace import Namespace

if TYPE_CHECKING:
    from tx_graph.services.import_graph import DeadEnds, ImportCycles, Imports
    from tx_graph.services.partners import ChangeCheck, FilePartners
    from tx_graph.services.symbol_index import Declared as DeclaredSymbols
    from tx_graph.services.symbol_index import Found as FoundSymbols


class Code(Namespace):
    """Reads what was read of files and history."""

    def imports(self, path: str, *, depth: int = 1) -> Imports:
        """Return what a file or directory imports, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.of(path, depth=depth)

    def importers(self, path: str, *, depth: int = 1) -> Imports:
        """Return what imports a file or directory, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.of(path, reverse=True, depth=depth)

    def all_imports(self) -> tuple[ImportEdge, ...]:
        """Return every import between files, by source and target."""
        with self._lasting.use() as workspace:
            return tuple(workspace.imports.all())

    def unresolved_imports(self, path: str | None = None) -> DeadEnds:
        """Return what a file or directory (None: the repository) imports that leads to no file here, and why.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.dead_ends(path)

    def cycles(self, *, with_type_only: bool = False) -> ImportCycles:
        """Return import cycles, shortest first; imports for the type checker alone close none unless asked."""
        with self._lasting.use() as workspace:
            return workspace.imports.cycles(with_type_only=with_type_only)

    def symbols(self, path: str | None = None, *, kind: str | None = None) -> DeclaredSymbols:
        """Return what a file or directory (None: the repository) declares, in source order.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of this kind.
        """
        with self._lasting.use() as workspace:
            return workspace.symbols.of(path, kind=kind)

    def find_symbol(self, name: str, *, within: str | None = None, kind: str | None = None) -> FoundSymbols:
        """Return where a name is declared: exactly so, else in other case, else as a beginning, else as a part.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of this kind, or the name is empty.
        """
        with self._lasting.use() as workspace:
            return workspace.symbols.find(name, within=within, kind=kind)

    def cochanges(self, path: str, *, limit: int = 20) -> FilePartners:
        """Return what usually changes together with a file, most often first.

        Raises:
            NotFound: There is no such file, and there was none.
            UsageError: The limit is not from 1 to 10,000, or the path leads out of the repository.
        """
        with self._lasting.use() as workspace:
            return workspace.partners.of(path, limit=limit)

    def all_cochanges(self, *, limit: int | None = None) -> tuple[CoChange, ...]:
        """Return the pairs of files that change together, best score first; without a limit all of them."""
        with self._lasting.use() as workspace:
            return tuple(workspace.partners.pairs(limit=limit))

    def check_changes(
        self,
        *,
        staged: bool = False,
        since: str | None = None,
        min_confidence: float = 0.6,
        min_support: int | None = None,
    ) -> ChangeCheck:
        """Return the usual partners of the changed files that the change does not touch, surest first.

        The change is what differs from HEAD, or is `staged`, or came `since` HEAD and that revision parted.

        Raises:
            RepositoryError: There is no git here, or it fails.
            NotFound: There is no such revision.
            UsageError: A number is out of range, or two different changes are asked for.
        """
        from tx_graph.services.partners import change_request

        with self._lasting.use() as workspace:
            request = change_request(
                workspace.config, staged=staged, since=since, min_confidence=min_confidence, min_support=min_support
            )
            return workspace.partners.check(request)
