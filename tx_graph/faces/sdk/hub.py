"""What many repositories know, for programs: through a workspace, or through the address of a hub alone."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel, SystemClock
from tx_graph.core.ports import Clock, Embedder, Progress, alike, no_progress
from tx_graph.documents.search import KEYWORD_WEIGHT
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.graph.elsewhere import Elsewhere, FromHub, HubPlace, place_elsewhere
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.fuse import WORDS_SHARE
from tx_graph.hub.conflicts import Disagreement, conflicts
from tx_graph.hub.dependents import Dependents, dependents
from tx_graph.hub.making import Made as HubMade
from tx_graph.hub.making import init
from tx_graph.hub.publishing import Published, publish
from tx_graph.hub.reading import Line, Questions, leaving
from tx_graph.hub.repositories import Forgotten as HubForgotten
from tx_graph.hub.repositories import HubStatus, forget, repositories, status
from tx_graph.hub.repositories import Repository as HubRepository
from tx_graph.hub.rights import Changed as RightsChanged
from tx_graph.hub.rights import Rights as HubRights
from tx_graph.hub.rights import grant, revoke, rights
from tx_graph.hub.search_store import Meant
from tx_graph.hub.store import read_address
from tx_graph.knowledge.entity import entity_key

_SHARES = {"learning": WORDS_SHARE, "section": KEYWORD_WEIGHT, "fact": WORDS_SHARE}
"""What can be searched for, and what words count in it."""


def _wanted(kinds: Sequence[str]) -> dict[str, float]:
    if unknown := next((kind for kind in kinds if kind not in _SHARES), None):
        raise UsageError(f"'{unknown}' cannot be searched for in a hub.", hint=f"Choose from {', '.join(_SHARES)}.")
    return {kind: _SHARES[kind] for kind in kinds or _SHARES}


class WorkspaceHub:
    """The hub that a workspace uses: `workspace.hub`. What it finds is of other repositories."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def search(self, question: str, *, kinds: Sequence[str] = (), limit: int = 10) -> FromHub:
        """Return what answers a question in other repositories: learnings, sections and facts, or only some kinds.

        A hub that is away finds nothing, and `notices` say so.

        Raises:
            UsageError: No hub is named.
        """
        asked = self._kernel.one(Questions).asked(is_wanted=True)
        return asked.search(question, kinds=_wanted(kinds), limit=limit).answer() if asked else FromHub()

    def init(self) -> HubMade:
        """Return the hub that was made, or brought up to date."""
        return init(self._kernel)

    def publish(self, *, dry_run: bool = False, force: bool = False, progress: Progress = no_progress) -> Published:
        """Return what was published of this repository at HEAD; with `dry_run` what would be."""
        return publish(self._kernel, dry_run=dry_run, force=force, stages=alike(progress))

    def repositories(self) -> tuple[HubRepository, ...]:
        """Return the repositories that the hub shows, each with its commit."""
        return repositories(self._kernel)

    def status(self) -> HubStatus:
        """Return which hub this is, and how far what it shows of this repository is behind HEAD."""
        return status(self._kernel)

    def dependents(self, target: str, *, limit: int | None = None) -> Dependents:
        """Return who uses a file, symbol or package in other repositories."""
        return dependents(self._kernel, target, limit=limit, is_script=True)

    def conflicts(self) -> tuple[Disagreement, ...]:
        """Return the facts that repositories claim differently."""
        return conflicts(self._kernel)

    def forget_repository(self, repository: str) -> HubForgotten:
        """Return what the hub forgot: a repository with all that it showed of it."""
        return forget(self._kernel, repository, yes=True, agree=bool)

    def grant(self, role: str, *, repositories: str, read: bool = False, publish: bool = False) -> RightsChanged:
        """Return what a role may do from now on."""
        return grant(self._kernel, role, repositories=repositories, read=read, publish=publish)

    def revoke(self, role: str, *, repositories: str, read: bool = False, publish: bool = False) -> RightsChanged:
        """Return what a role may do no more."""
        return revoke(self._kernel, role, repositories=repositories, read=read, publish=publish)

    def rights(self) -> HubRights:
        """Return who may read and publish what."""
        return rights(self._kernel)


class OpenHub:
    """A hub by its address, without any workspace; `open_hub` makes one. Its connection is kept for half a minute.

    Raises HubError, a TxError, where the hub is away or refuses.
    """

    def __init__(self, url: str, *, clock: Clock | None = None, embedder: Embedder | None = None) -> None:
        self._address = read_address(url)
        self._clock = clock or SystemClock()
        self._embedder = embedder
        self._line = Line()

    def search(self, question: str, *, kinds: Sequence[str] = (), limit: int = 10) -> tuple[Elsewhere, ...]:
        """Return what answers a question: learnings, sections and facts, or only some kinds, of each the best.

        It is asked by words, and by meaning where an embedder was given.
        """
        wanted, embedder = _wanted(kinds), self._embedder
        meant = Meant(embedder.embed([question])[0], embedder.model) if embedder else None
        with self._line.reading(self._address, own="", now=self._clock.now()) as opened:
            return opened.search(question, wanted, lambda: meant, limit=limit, least=0.0)

    def neighbors(
        self, node: Ref, *, depth: int = 2, profile: Profile = Profile.DECAY, limit: int = 20
    ) -> tuple[Elsewhere, ...]:
        """Return what lies around a node, `github.com/owner/name:src/app.py` or `entity:NAME`, best first."""
        asked = leaving(tuple(EdgeType), {}, Direction.BOTH)
        with self._line.reading(self._address, own="", now=self._clock.now()) as opened:
            limits = Limits(depth=depth)
            return opened.around(_place(node), asked, limits=limits, profile=profile, limit=limit).found

    def path(self, source: Ref, target: Ref, *, max_hops: int = 6) -> FromHub:
        """Return the best path between two nodes, with its score in [0, 1]; no steps where nothing connects them."""
        asked = leaving(tuple(EdgeType), {}, Direction.BOTH)
        with self._line.reading(self._address, own="", now=self._clock.now()) as opened:
            return opened.between(_place(source), _place(target), asked, limits=Limits(depth=max_hops))


def _place(node: Ref) -> HubPlace:
    text = ref_of(node)
    if place := place_elsewhere(text):
        return place
    kind, _, key = text.partition(":")
    if kind != "entity" or not key:
        raise UsageError(
            f"'{text}' names no node of a hub.", hint="Write github.com/owner/name:src/app.py, or entity:NAME."
        )
    return HubPlace(entity_key(key), kind)


def open_hub(url: str, *, clock: Clock | None = None, embedder: Embedder | None = None) -> OpenHub:
    """Return a hub by its address, `postgresql://USER@HOST/DATABASE`, for questions that need no workspace.

    Raises:
        UsageError: The address means nothing, or the extra `hub` is not installed.
    """
    return OpenHub(url, clock=clock, embedder=embedder)
