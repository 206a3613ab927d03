"""Answers from co-changes: the usual partners of a file, and those that a change lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tx_graph.context.freshness import ANALYSE
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.repository import GitRepository
from tx_graph.core.revisions import changed_files, files_changed_since, left_out_files, staged_files
from tx_graph.core.settings import Config
from tx_graph.core.working_tree import WorkingTree
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.graph.resolving import References
from tx_graph.history.cochange import CoChange, Partner
from tx_graph.history.cochange_store import CoChangeStore

_NEVER = f"Co-changes were never analysed; run '{ANALYSE}'."


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePartners:
    """The partners of a file, most often changed with it first; `total` counts what the limit cut off too.

    `commits` touched the file, of those that were counted.
    """

    file: str
    commits: int
    partners: tuple[Partner, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRequest:
    """Which change to look at, and from when on a missing partner is worth a word.

    Attributes:
        staged: What is staged, instead of all that differs from HEAD.
        since: All that differs from where HEAD's line left that of this revision.
        min_confidence: How often the partner changed when the file did, above 0, at most 1.
        min_support: Commits in which both did.
    """

    staged: bool = False
    since: str | None = None
    min_confidence: float = 0.6
    min_support: int = 3

    def __post_init__(self) -> None:
        if self.staged and self.since is not None:
            raise UsageError("--staged and --since look at different changes.", hint="Give one of them.")
        if not 0 < self.min_confidence <= 1:
            raise UsageError(f"min_confidence must be above 0 and at most 1, not {self.min_confidence:g}.")
        if self.min_support < 1:
            raise UsageError(f"min_support must be at least 1, not {self.min_support}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a file is missed: it changed in `shared` of the `commits` that touched `file`, which is in the change."""

    file: str
    shared: int
    commits: int

    @property
    def confidence(self) -> float:
        """How often it changed when that file did, in (0, 1]."""
        return self.shared / self.commits


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPartner:
    """A file that is usually changed along and is not in the change. The best evidence comes first."""

    path: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCheck:
    """What a change lacks, surest first. `silence` says why nothing could be said, when nothing could."""

    changed: tuple[str, ...]
    missing: tuple[MissingPartner, ...]
    silence: str = ""


def change_request(
    config: Config,
    *,
    staged: bool = False,
    since: str | None = None,
    min_confidence: float = 0.6,
    min_support: int | None = None,
) -> ChangeRequest:
    """Return which change to look at; without `min_support` it is what the settings have it."""
    support = int(config.get("cochanges.min_support")) if min_support is None else min_support
    return ChangeRequest(staged=staged, since=since, min_confidence=min_confidence, min_support=support)


class Partners:
    """Reads co-changes; None instead of a repository means that there is no git here."""

    def __init__(
        self,
        *,
        store: CoChangeStore,
        analyses: AnalysisStore,
        references: References,
        tree: WorkingTree,
        repository: GitRepository | None,
    ) -> None:
        self._store = store
        self._analyses = analyses
        self._references = references
        self._tree = tree
        self._repository = repository

    def of(self, file: str, *, limit: int = 20) -> FilePartners:
        """Return the partners of a file that still exist."""
        checked_limit(limit)
        path = self._references.file(file).key
        found = self._store.partners_of([path]).get(path, [])
        alive = self._alive(one.path for one in found)
        partners = [one for one in found if one.path in alive]
        return FilePartners(
            file=path,
            commits=self._store.commits_of([path]).get(path, 0),
            partners=tuple(partners[:limit]),
            total=len(partners),
        )

    def pairs(self, *, limit: int | None = None) -> Iterator[CoChange]:
        """Return the pairs of files that change together, best score first."""
        return self._store.pairs(limit=limit)

    def why_silent(self) -> str:
        """Return why there is nothing to read; empty when co-changes were analysed."""
        if self._analyses.last("cochanges") is not None:
            return ""
        return _NEVER if self._repository else "Without git there is no history, and so no co-changes."

    def check(self, request: ChangeRequest) -> ChangeCheck:
        """Return the usual partners of the changed files that the change does not touch.

        A file that is gone is changed too; a renamed one counts by its old name, under which history knows it.
        """
        changed = self._changed(request)
        missing = self._living(self._evident(changed, request))
        return ChangeCheck(
            changed=tuple(changed), missing=tuple(missing), silence=self._silence(changed, request.min_support)
        )

    def usual(
        self, files: Sequence[str], *, min_confidence: float, min_support: int, limit: int
    ) -> list[MissingPartner]:
        """Return the files that usually change with any of these and are none of them, surest first.

        Of the evidence for one, the best is there, and other as far as it is among the best of all.
        """
        pairs = self._store.strongest(
            files, min_confidence=min_confidence, min_support=min_support, limit=limit * len(files)
        )
        evidence = defaultdict[str, list[Evidence]](list)
        for file, one in pairs:
            evidence[one.path].append(Evidence(file=file, shared=one.shared, commits=one.commits))
        found = [MissingPartner(path=path, evidence=tuple(those)) for path, those in evidence.items()]
        return self._living(found[:limit])

    def _changed(self, request: ChangeRequest) -> list[str]:
        if self._repository is None:
            raise RepositoryError(
                f"{self._tree.root} is not a git repository, so it has no changes to check.",
                hint="Run 'git init' there.",
            )
        if request.staged:
            return staged_files(self._repository)
        if request.since is not None:
            return files_changed_since(self._repository, request.since)
        return changed_files(self._repository)

    def _evident(self, changed: Sequence[str], request: ChangeRequest) -> list[MissingPartner]:
        partners = self._store.partners_of(
            changed, min_confidence=request.min_confidence, min_support=request.min_support
        )
        here, found = frozenset(changed), defaultdict[str, list[Evidence]](list)
        for file, those in partners.items():
            for one in those:
                if one.path not in here:
                    found[one.path].append(Evidence(file=file, shared=one.shared, commits=one.commits))
        evident = [
            MissingPartner(path=path, evidence=tuple(sorted(evidence, key=_by_strength)))
            for path, evidence in found.items()
        ]
        return sorted(evident, key=lambda one: (*_by_strength(one.evidence[0])[:2], one.path))

    def _living(self, found: Sequence[MissingPartner]) -> list[MissingPartner]:
        alive = self._alive(one.path for one in found)
        return [one for one in found if one.path in alive]

    def _alive(self, paths: Iterable[str]) -> set[str]:
        paths = set(paths)
        here = set(filter(self._tree.exists, paths))
        if here == paths or self._repository is None:
            return here
        return here | left_out_files(self._repository, paths - here)

    def _silence(self, changed: Sequence[str], min_support: int) -> str:
        if silence := self.why_silent():
            return silence
        if not changed:
            return "Nothing has changed."
        if all(commits < min_support for commits in self._store.commits_of(changed).values()):
            return "History is too thin to say what usually changes with these files."
        return ""


def _by_strength(evidence: Evidence) -> tuple[float, int, str]:
    return (-evidence.confidence, -evidence.shared, evidence.file)
