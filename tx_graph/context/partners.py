"""Answers from co-changes: the usual partners of a file, and those that a change lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated, ClassVar

from tx_graph.context.freshness import SYNC, asking, cochange_notices
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.core.revisions import changed_files, files_changed_since, left_out_files, staged_files
from tx_graph.core.shape import Answer, Network, Rows
from tx_graph.core.text import counted
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.graph.resolving import References
from tx_graph.history.cochange import CoChange, Partner
from tx_graph.history.cochange_store import CoChangeStore

_SHOWN = 20
_LEAST_CONFIDENCE = 0.6
_NEVER = f"Co-changes were never analysed; run '{SYNC}'."


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePartners(Rows[Partner], Network):
    """The partners of a file, most often changed with it first; `total` counts what the limit cut off too.

    `commits` touched the file, of those that were counted.
    """

    file: str
    commits: int
    partners: tuple[Partner, ...]
    total: int
    ROWS: ClassVar = "partners"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a file is missed: it changed in `shared` of the `commits` that touched `file`, which is in the change."""

    file: str
    shared: int
    commits: int
    JSON: ClassVar = "file file_node=file@file shared commits confidence"

    @property
    def confidence(self) -> float:
        """How often it changed when that file did, in (0, 1]."""
        return self.shared / self.commits


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPartner:
    """A file that is usually changed along and is not in the change. The best evidence comes first."""

    path: str
    evidence: tuple[Evidence, ...]
    JSON: ClassVar = "node=path@file path *best evidence"

    @property
    def best(self) -> Evidence:
        """The strongest evidence."""
        return self.evidence[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCheck(Answer):
    """What a change lacks, surest first. `silence` says why nothing could be said, when nothing could."""

    changed: tuple[str, ...]
    missing: tuple[MissingPartner, ...]
    silence: str = ""
    min_confidence: float = _LEAST_CONFIDENCE
    min_support: int = 3
    JSON: ClassVar = "changed findings=missing min_confidence min_support"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Pairs of files that change together, best score first."""

    pairs: tuple[CoChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What co-changes say, and what may make it wrong or say nothing, each as a sentence."""

    answer: FilePartners | Pairs | ChangeCheck
    notices: tuple[str, ...]
    JSON: ClassVar = "*answer notices"


class CoChanges:
    """What usually changes together: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def cochanges(self, path: str, *, limit: int = 20) -> FilePartners:
        """Return what usually changes together with a file, most often first; what is gone is left out.

        Raises:
            NotFound: There is no such file, and there was none.
            UsageError: The limit is not from 1 to 10,000, or the path leads out of the repository.
        """
        checked_limit(limit)
        store = CoChangeStore(self._kernel.database)
        path = self._kernel.one(References).file(path).key
        found = store.partners_of([path]).get(path, [])
        alive = _alive(self._kernel, (one.path for one in found))
        partners = [one for one in found if one.path in alive]
        return FilePartners(
            file=path,
            commits=store.commits_of([path]).get(path, 0),
            partners=tuple(partners[:limit]),
            total=len(partners),
        )

    def all_cochanges(self, *, limit: int | None = None) -> tuple[CoChange, ...]:
        """Return the pairs of files that change together, best score first; without a limit all of them."""
        return tuple(CoChangeStore(self._kernel.database).pairs(limit=limit))

    def check_changes(
        self,
        *,
        staged: bool = False,
        since: str | None = None,
        min_confidence: float = _LEAST_CONFIDENCE,
        min_support: int | None = None,
    ) -> ChangeCheck:
        """Return the usual partners of the changed files that the change does not touch, surest first.

        The change is what differs from HEAD, or is `staged`, or came `since` HEAD and that revision parted. A file that
        is gone is changed too; a renamed one counts by its old name, under which history knows it.

        Raises:
            RepositoryError: There is no git here, or it fails.
            NotFound: There is no such revision.
            UsageError: A number is out of range, or two different changes are asked for.
        """
        support = int(self._kernel.config.get("cochanges.min_support")) if min_support is None else min_support
        if staged and since is not None:
            raise UsageError("--staged and --since look at different changes.", hint="Give one of them.")
        if not 0 < min_confidence <= 1:
            raise UsageError(f"min_confidence must be above 0 and at most 1, not {min_confidence:g}.")
        if support < 1:
            raise UsageError(f"min_support must be at least 1, not {support}.")
        changed = self._changed(staged=staged, since=since)
        store = CoChangeStore(self._kernel.database)
        here, found = frozenset(changed), defaultdict[str, list[Evidence]](list)
        partners = store.partners_of(changed, min_confidence=min_confidence, min_support=support)
        for file, those in partners.items():
            for one in those:
                if one.path not in here:
                    found[one.path].append(Evidence(file=file, shared=one.shared, commits=one.commits))
        missing = [
            MissingPartner(path=path, evidence=tuple(sorted(evidence, key=_by_strength)))
            for path, evidence in found.items()
        ]
        missing.sort(key=lambda one: (*_by_strength(one.evidence[0])[:2], one.path))
        silence = why_silent(self._kernel)
        if not silence and not changed:
            silence = "Nothing has changed."
        elif not silence and all(commits < support for commits in store.commits_of(changed).values()):
            silence = "History is too thin to say what usually changes with these files."
        return ChangeCheck(
            changed=tuple(changed),
            missing=tuple(_living(self._kernel, missing)),
            silence=silence,
            min_confidence=min_confidence,
            min_support=support,
        )

    def _changed(self, *, staged: bool, since: str | None) -> list[str]:
        repository = self._kernel.checkout.in_git("it has no changes to check")
        if staged:
            return staged_files(repository)
        return changed_files(repository) if since is None else files_changed_since(repository, since)


def cochanges(
    kernel: Kernel,
    file: Annotated[str | None, Arg("[FILE]", "The file whose partners to show.")] = None,
    *,
    every: Annotated[bool, Arg(help="Show the pairs of all files instead.", flag="--all")] = False,
    limit: Annotated[
        int | None, Arg("N", "Most to show, 1 to 10,000; 20, or all for --all in scripts.", flag="-n --limit")
    ] = None,
    is_script: bool = False,
) -> Told:
    """Show which files usually change together with a file, as git's history has it.

    What 'tx graph:analyze-cochanges' counted last. Partners that are gone are left out. In tab-separated lines the
    score is the Jaccard index, and a path with tabs, line ends, quotes or backslashes is quoted as git quotes it.

    Example:
      tx graph:cochanges src/auth.py
      tx graph:cochanges --all --tsv
    """
    del every  # without a file, all are meant
    most = None if limit is None else checked_limit(limit)
    asked, silence = kernel.one(CoChanges), why_silent(kernel)
    if file is None:
        pairs = asked.all_cochanges(limit=most or (None if is_script else _SHOWN))
        return _told(kernel, Pairs(pairs=pairs), silence)
    found = asked.cochanges(file, limit=most or _SHOWN)
    if not found.partners and not found.commits:
        silence = silence or f"No commit that was counted touched {found.file}."
    elif not found.partners:
        commits = counted(found.commits, "counted commit")
        silence = silence or f"Nothing usually changes with {found.file}, in {commits}."
    return _told(kernel, found, silence)


def check_changes(
    kernel: Kernel,
    *,
    staged: Annotated[bool, Arg(help="Look at what is staged only.")] = False,
    since: Annotated[str | None, Arg("REV", "Look at everything since HEAD and REV parted.")] = None,
    min_confidence: Annotated[
        float, Arg("F", "Least share of a file's commits, above 0, up to 1.")
    ] = _LEAST_CONFIDENCE,
    min_support: Annotated[int | None, Arg("N", "Least commits that two files must share, at least 1.")] = None,
    strict: Annotated[bool, Arg(help="Exit with status 1 if anything is missing.")] = False,  # noqa: ARG001 - at the end
) -> Told:
    """Name the files that usually change with the changed ones and are not in this change.

    This change is what differs from HEAD, new files too. With --since it begins where HEAD and REV parted, as in 'git
    diff REV...', and includes what is not committed yet. In a hook, --staged looks at the commit under way.

    Example:
      tx graph:check-changes
      tx graph:check-changes --staged --strict
      tx graph:check-changes --since origin/main
    """
    found = kernel.one(CoChanges).check_changes(
        staged=staged, since=since, min_confidence=min_confidence, min_support=min_support
    )
    return _told(kernel, found, found.silence)


def _told(kernel: Kernel, answer: FilePartners | Pairs | ChangeCheck, silence: str) -> Told:
    """Return the answer with why it says nothing, if it does, and with how old it is."""
    run = AnalysisStore(kernel.database).last("cochanges")
    aged = asking(cochange_notices(run, now=kernel.clock.now(), is_git=False))
    return Told(answer=answer, notices=tuple(filter(None, (silence, *aged))))


def why_silent(kernel: Kernel) -> str:
    """Return why there are no co-changes to read; empty when they were analysed."""
    if AnalysisStore(kernel.database).last("cochanges") is not None:
        return ""
    return _NEVER if kernel.checkout.repository else "Without git there is no history, and so no co-changes."


def usual_partners(
    kernel: Kernel, files: Sequence[str], *, min_confidence: float, min_support: int, limit: int
) -> list[MissingPartner]:
    """Return the files that usually change with any of these and are none of them, surest first.

    Of the evidence for one, the best is there, and other as far as it is among the best of all.
    """
    store = CoChangeStore(kernel.database)
    pairs = store.strongest(files, min_confidence=min_confidence, min_support=min_support, limit=limit * len(files))
    evidence = defaultdict[str, list[Evidence]](list)
    for file, one in pairs:
        evidence[one.path].append(Evidence(file=file, shared=one.shared, commits=one.commits))
    found = [MissingPartner(path=path, evidence=tuple(those)) for path, those in evidence.items()]
    return _living(kernel, found[:limit])


def _living(kernel: Kernel, found: Sequence[MissingPartner]) -> list[MissingPartner]:
    alive = _alive(kernel, (one.path for one in found))
    return [one for one in found if one.path in alive]


def _alive(kernel: Kernel, paths: Iterable[str]) -> set[str]:
    """Return those that exist, in the working tree or beside a sparse one."""
    paths, repository = set(paths), kernel.checkout.repository
    here = set(filter(kernel.checkout.tree.exists, paths))
    return here if here == paths or repository is None else here | left_out_files(repository, paths - here)


def _by_strength(evidence: Evidence) -> tuple[float, int, str]:
    return (-evidence.confidence, -evidence.shared, evidence.file)
