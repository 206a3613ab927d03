"""Which repositories a hub shows, how this one stands there, and how one is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.revisions import commits_between, knows_commit
from tx_graph.core.shape import Answer
from tx_graph.core.times import ago
from tx_graph.hub.identity import checked_name, name_of
from tx_graph.hub.publish_store import PublishStore
from tx_graph.hub.repository_store import RepositoryRow, RepositoryStore
from tx_graph.hub.store import Hub, HubError, address_of

_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository(Answer):
    """A repository as a hub shows it: a commit, its time and when it was published, and rows by what they are."""

    JSON: ClassVar = "name commit committed_at published_at tool rows"

    name: str
    commit: str
    committed_at: str
    published_at: str
    tool: str
    rows: Mapping[str, int]
    age: str
    """How long ago the commit was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HubStatus(Answer):
    """A hub as this repository sees it.

    `repositories` counts those that the user may see. `name` is that of this repository there, empty where it has
    none. `shown` is what the hub shows of it, None for nothing; `behind` how many commits HEAD has that this lacks,
    None where that is not known here.
    """

    JSON: ClassVar = "hub hub_schema=schema vectors repositories repository~=name shown head behind"

    hub: str
    schema: int
    vectors: bool
    repositories: int
    name: str
    shown: Repository | None
    head: str | None
    behind: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten(Answer):
    """A repository that a hub shows no longer."""

    JSON: ClassVar = "hub repository=name"

    hub: str
    name: str


def repositories(kernel: Kernel) -> tuple[Repository, ...]:
    """List the repositories that the hub shows, each with its commit: those that you may read.

    Example:
      tx hub:repositories
    """
    with Hub(address_of(kernel)).prepared() as hub:
        return tuple(_told(kernel, row) for row in RepositoryStore(hub).every())


def status(kernel: Kernel) -> HubStatus:
    """Show which hub this repository uses, and how far what it shows of it is behind HEAD.

    Example:
      tx hub:status
    """
    name = ""
    with suppress(UsageError):
        name = name_of(kernel)
    with Hub(address_of(kernel)).prepared() as hub:
        found = {row.name: _told(kernel, row) for row in RepositoryStore(hub).every()}
        shown, repository = found.get(name), kernel.checkout.askable
        head = repository.head() if repository else None
        behind = None
        if repository and head and shown and knows_commit(repository, shown.commit):
            behind = commits_between(repository, shown.commit, head)
        return HubStatus(
            hub=hub.address.shown,
            schema=hub.version(),
            vectors=hub.has_vectors,
            repositories=len(found),
            name=name,
            shown=shown,
            head=head,
            behind=behind,
        )


def forget(
    kernel: Kernel,
    repository: Annotated[str, Arg("REPOSITORY", "Its name, as hub:repositories shows it.")],
    *,
    yes: Annotated[bool, Arg(help="Do not ask.")] = False,
    agree: Callable[[str], bool],
) -> Forgotten:
    """Let the hub forget a repository with all that it shows of it; who may publish it may do this.

    'tx hub:publish' in a clone of it brings it back.

    Example:
      tx hub:forget github.com/acme/old --yes
    """
    name = checked_name(repository)
    with Hub(address_of(kernel)).prepared() as hub:
        known = [row.name for row in RepositoryStore(hub).every()]
        if name not in known:
            raise NotFound(
                f"The hub at {hub.address.shown} shows you no repository '{name}'.",
                hint="'tx hub:repositories' lists them.",
                candidates=get_close_matches(name, known, n=_NAMED, cutoff=0.5),
            )
        if not yes and not agree(f"Forget {name}?"):
            raise UsageError(f"{name} would be forgotten.", hint="Agree with --yes.")
        with hub.transaction():
            if not PublishStore(hub, name).forget():
                raise HubError(f"You may read {name}, but not publish or forget it.", hint="See 'tx hub:rights'.")
        return Forgotten(hub=hub.address.shown, name=name)


def _told(kernel: Kernel, row: RepositoryRow) -> Repository:
    return Repository(
        name=row.name,
        commit=row.commit,
        committed_at=iso(row.committed_at),
        published_at=iso(row.published_at),
        tool=row.tool,
        rows=row.counts,
        age=ago(kernel.clock.now() - row.committed_at),
    )
