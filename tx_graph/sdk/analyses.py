"""What is read of the repository into the graph, one analysis at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.ports import Progress, no_progress
from tx_graph.sdk.given import several
from tx_graph.sdk.namespace import Namespace

if TYPE_CHECKING:
    from tx_graph.services.cochanges import CoChangeReport
    from tx_graph.services.indexing import IndexReport
    from tx_graph.services.similar import SimilarReport


class Analyses(Namespace):
    """Reads files and history."""

    def analyze_imports(self, path: str | None = None, *, progress: Progress = no_progress) -> IndexReport:
        """Return what was read of files, their imports and symbols; only below a directory if one is named.

        Raises:
            NotFound: There is no such directory.
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        with self._lasting.use() as workspace:
            below = workspace.references.directory(path) if path is not None else ""
            return workspace.indexing.run(below=below, progress=progress)

    def analyze_cochanges(
        self,
        *,
        since: str | None = None,
        max_files: int | None = None,
        min_support: int | None = None,
        half_life: float | None = None,
        exclude: Sequence[str] = (),
        no_exclude: bool = False,
        follow_renames: bool = False,
        full: bool = False,
        progress: Progress = no_progress,
    ) -> CoChangeReport:
        """Return what came of reading which files change together in git's history; only what is new is read.

        What is not given is as the settings have it; `half_life` is in days. Files like those in `exclude` are left
        out beside those of the setting, or with `no_exclude` instead of them.

        Raises:
            UsageError: A number is out of range, or `since` cannot be understood.
            RepositoryError: There is no git here, or it fails.
            StorageError: The database cannot be written.
        """
        from tx_graph.services.cochanges import request_from

        with self._lasting.use() as workspace:
            request = request_from(
                workspace.config,
                since=since,
                max_files=max_files,
                min_support=min_support,
                half_life=half_life,
                exclude=several(exclude),
                no_exclude=no_exclude,
                follow_renames=follow_renames,
                full=full,
            )
            return workspace.cochanges.run(request, progress=progress)

    def analyze_similar(self, threshold: float | None = None, *, progress: Progress = no_progress) -> SimilarReport:
        """Return the pairs of learnings that say much the same, most alike first; they are tied by SIMILAR_TO edges.

        Raises:
            UsageError: The threshold is not above 0 and at most 1.
        """
        with self._lasting.use() as workspace:
            return workspace.similar.analyse(threshold, progress=progress)
