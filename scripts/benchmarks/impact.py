"""How many of the files that commits changed together lie in the impact of each of them, by uses and by imports alone.

The tree is that of today: a commit counts with those of its source files that are still there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import Quantity, Row
from scripts.benchmarks.settings import Settings
from scripts.opened import Workspace, open_workspace
from tx_graph.code.import_store import ImportStore
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import reader_of
from tx_graph.context.impact import IMPORTED, ImpactAnalysis
from tx_graph.core.repository import GitRepository

_COMMITS = 300
_FEWEST, _MOST = 2, 15
"""Source files of a commit: more are sweeping changes."""
_HOPS = (1, 3)

Reached = Callable[[str], frozenset[str]]
"""Returns the files that a change of a file reaches."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield, for each repository, the share by uses and by imports, within one hop and three."""
    for repository in settings.repositories:
        with cloned(repository, settings) as clone, open_workspace(clone) as workspace:
            workspace.indexing.run()
            commits = _commits(GitRepository(clone))
            for hops in _HOPS:
                yield _row(f"impact by uses, {hops} hops: {repository.name}", commits, _by_uses(workspace, hops))
                yield _row(f"impact by imports, {hops} hops: {repository.name}", commits, _by_imports(workspace, hops))


def _commits(repository: GitRepository) -> list[list[str]]:
    """Return the newest commits' source files whose uses are read."""
    read = {file.path: language_of(file.path) for file in repository.list_files()}
    here = {path for path, language in read.items() if language and reader_of(language).uses}
    log = repository.run("log", "--no-merges", "--no-renames", "--name-only", "--format=%x00").decode(errors="replace")
    files = [[path for path in one.split("\n") if path in here] for one in log.split("\0")]
    return [one for one in files if _FEWEST <= len(one) <= _MOST][:_COMMITS]


def _by_uses(workspace: Workspace, hops: int) -> Reached:
    analysis = workspace.kernel.one(ImpactAnalysis)

    @cache
    def reached(path: str) -> frozenset[str]:
        return frozenset(one.path for one in analysis.impact(path, depth=hops) if one.certainty != IMPORTED)

    return reached


def _by_imports(workspace: Workspace, hops: int) -> Reached:
    imports = ImportStore(workspace.kernel.database)

    @cache
    def reached(path: str) -> frozenset[str]:
        found, around = {path}, {path}
        for _ in range(hops):
            around = {edge.source for file in around for edge in imports.edges(into_file=file)} - found
            found |= around
        return frozenset(found - {path})

    return reached


def _row(what: str, commits: Sequence[Sequence[str]], reached: Reached) -> Row:
    changed = [(path, {*files} - {path}) for files in commits for path in files]
    found = sum(len(reached(path) & others) for path, others in changed)
    named = sum(len(reached(path)) for path, _ in changed)
    wanted = sum(len(others) for _, others in changed)
    return Row(
        what=what,
        measured=Quantity(value=found / wanted if wanted else 0.0, unit="recall", decimals=3),
        note=f"{len(commits):,} commits, {wanted:,} pairs of files; {named / max(1, len(changed)):.1f} files named",
    )
