"""Who may read and publish which repositories of a hub: roles of its PostgreSQL, and globs."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.hub.rights_store import GrantRow, RightsStore
from tx_graph.hub.store import Hub, address_of

Role = Annotated[str, Arg("ROLE", "A role of the PostgreSQL, of one user or of many.")]
Glob = Annotated[str, Arg("GLOB", "Which repositories: github.com/acme/*, where * stands for any text.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """That a role may read the repositories of a glob, or publish them, which includes reading."""

    role: str
    repositories: str
    publish: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed(Answer):
    """Rights that were granted or revoked; `is_changed` says whether they were not, or were, there before."""

    JSON: ClassVar = "hub rights changed=is_changed"

    hub: str
    rights: tuple[Right, ...]
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights(Answer):
    """The rights that a user has, or all there are where the user owns the hub, who needs none."""

    JSON: ClassVar = "hub user owner=is_owner rights"

    hub: str
    user: str
    is_owner: bool
    rights: tuple[Right, ...]


def grant(
    kernel: Kernel,
    role: Role,
    *,
    repositories: Glob,
    read: Annotated[bool, Arg(help="Let it find what is published of them.")] = False,
    publish: Annotated[bool, Arg(help="Let it publish and forget them, and read them.")] = False,
) -> Changed:
    """Let a role of the hub's PostgreSQL read or publish repositories; the hub's owner may do this.

    Whoever is a member of the role may do the same. Make roles with PostgreSQL's CREATE ROLE; a publisher of one
    repository, as in CI, cannot touch the rows of another. Nobody sees anything of a repository that was not granted
    to him; only how many rows there are in all, PostgreSQL's statistics (pg_class.reltuples) tell everybody.

    Example:
      tx hub:grant agents --repositories 'github.com/acme/*' --read
      tx hub:grant ci_shop --repositories github.com/acme/shop --publish
    """
    if read == publish:
        raise UsageError("Say what the role may do.", hint="Give --read or --publish, which includes reading.")
    with Hub(address_of(kernel)).prepared() as hub:
        store = RightsStore(hub)
        known = store.roles()
        if role not in known:
            raise NotFound(
                f"The hub's PostgreSQL has no role '{role}'.",
                hint=f"Its administrator makes one: CREATE ROLE {role} LOGIN",
                candidates=get_close_matches(role, known, n=3, cutoff=0.5),
            )
        row = GrantRow(role, repositories.lower(), publish)
        with hub.transaction():
            is_new = store.add(row)
        return Changed(hub=hub.address.shown, rights=(_right(row),), is_changed=is_new)


def revoke(
    kernel: Kernel,
    role: Role,
    *,
    repositories: Glob,
    read: Annotated[bool, Arg(help="Only that it may read them.")] = False,
    publish: Annotated[bool, Arg(help="Only that it may publish them.")] = False,
) -> Changed:
    """Take back what was granted to a role for just this glob.

    Other globs of the same role may still reach the same repositories: 'tx hub:rights' shows them.

    Example:
      tx hub:revoke ci_shop --repositories github.com/acme/shop
    """
    glob, which = repositories.lower(), None if read == publish else publish
    with Hub(address_of(kernel)).prepared() as hub:
        store = RightsStore(hub)
        with hub.transaction():
            mine = [one for one in store.every() if one.role == role]
            gone = [one for one in mine if one.glob == glob and which in (None, one.may_publish)]
            if not gone:
                raise NotFound(
                    f"'{role}' has no such right to {repositories}.",
                    hint="'tx hub:rights' shows what was granted.",
                    candidates=sorted({one.glob for one in mine}),
                )
            store.remove(role, glob, may_publish=which)
        return Changed(hub=hub.address.shown, rights=tuple(map(_right, gone)), is_changed=True)


def rights(kernel: Kernel) -> Rights:
    """Show who may read and publish what: all of it to the hub's owner, to others what is theirs.

    Example:
      tx hub:rights
    """
    with Hub(address_of(kernel)).prepared() as hub:
        store = RightsStore(hub)
        user, is_owner = store.user()
        told = tuple(map(_right, store.every()))
        return Rights(hub=hub.address.shown, user=user, is_owner=is_owner, rights=told)


def _right(row: GrantRow) -> Right:
    return Right(role=row.role, repositories=row.glob, publish=row.may_publish)
