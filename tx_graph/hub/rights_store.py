"""Who may read and publish which repositories: rows that policies of the hub ask, and the privileges behind them."""

from __future__ import annotations

from typing import NamedTuple

from tx_graph.hub.identity import like
from tx_graph.hub.store import Hub

_PUBLISHED = "relnamespace = 'tx'::regnamespace AND (relkind = 'p' OR relname = 'repositories')"
"""The tables that publishers write, as a condition on pg_class: those with policies, whose partitions are nobody's."""


class GrantRow(NamedTuple):
    """That a role may read the repositories of a glob, or publish them too."""

    role: str
    glob: str
    may_publish: bool


class RightsStore:
    """Reads and writes rights; what writes needs a transaction, and the hub's owner."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def roles(self) -> list[str]:
        """Return the roles of the server, but for those that PostgreSQL brings along."""
        rows = self._hub.rows("SELECT rolname FROM pg_roles WHERE rolname NOT LIKE 'pg\\_%' ORDER BY rolname")
        return [role for (role,) in rows]

    def user(self) -> tuple[str, bool]:
        """Return who is connected, and whether that is the hub's owner or who may do what the owner may."""
        name, is_owner = self._hub.rows(
            "SELECT current_user, pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'tx.grants'::regclass"
        )[0]
        return name, is_owner

    def every(self) -> list[GrantRow]:
        """Return the rights that the user may see: all for the owner, else those of the roles that the user has."""
        rows = self._hub.rows(
            """
            SELECT pg_get_userbyid(role), glob, may_publish
            FROM tx.grants
            ORDER BY 1, glob, may_publish
            """
        )
        return [GrantRow(*row) for row in rows]

    def add(self, row: GrantRow) -> bool:
        """Grant a right; return whether it is new."""
        is_new = self._hub.write(
            """
            INSERT INTO tx.grants (role, pattern, glob, may_publish)
            SELECT oid, %(pattern)s, %(glob)s, %(may_publish)s
            FROM pg_roles
            WHERE rolname = %(role)s
            ON CONFLICT DO NOTHING
            """,
            row._asdict() | {"pattern": like(row.glob)},
        )
        self._give(row.role, may_publish=row.may_publish)
        return bool(is_new)

    def renew(self) -> None:
        """Give all roles that have rights the privileges that these need, on tables that are new too."""
        with self._hub.transaction():
            known = self.roles()
            for row in self.every():
                if row.role in known:
                    self._give(row.role, may_publish=row.may_publish)

    def remove(self, role: str, glob: str, *, may_publish: bool | None) -> int:
        """Take rights back, both kinds for None; return how many there were. Privileges that none needs go too."""
        gone = self._hub.write(
            """
            DELETE FROM tx.grants
            WHERE pg_get_userbyid(role) = %(role)s AND glob = %(glob)s
              AND may_publish = coalesce(%(may_publish)s, may_publish)
            """,
            {"role": role, "glob": glob, "may_publish": may_publish},
        )
        left = [one.may_publish for one in self.every() if one.role == role]
        if role in self.roles():
            name = self._quoted(role)
            if not any(left):
                self._hub.write(f"REVOKE INSERT, UPDATE, DELETE ON {self._published()} FROM {name}")
            if not left:
                self._hub.write(f"REVOKE ALL ON ALL TABLES IN SCHEMA tx FROM {name}")
                self._hub.write(f"REVOKE ALL ON SCHEMA tx FROM {name}")
        return gone

    def _give(self, role: str, *, may_publish: bool) -> None:
        """Give a role the privileges that its rights need; which rows it has them for, policies say."""
        name = self._quoted(role)
        self._hub.write(f"GRANT USAGE ON SCHEMA tx TO {name}")
        self._hub.write(f"GRANT SELECT ON ALL TABLES IN SCHEMA tx TO {name}")
        if may_publish:
            self._hub.write(f"GRANT INSERT, UPDATE, DELETE ON {self._published()} TO {name}")
            may_stage, database = self._hub.rows(
                "SELECT has_database_privilege(%s, current_database(), 'TEMPORARY'), quote_ident(current_database())",
                (role,),
            )[0]
            if not may_stage:
                self._hub.write(f"GRANT TEMPORARY ON DATABASE {database} TO {name}")

    def _quoted(self, role: str) -> str:
        return str(self._hub.rows("SELECT quote_ident(%s)", (role,))[0][0])

    def _published(self) -> str:
        (tables,) = self._hub.rows(
            f"SELECT string_agg(format('tx.%I', relname), ', ' ORDER BY relname) FROM pg_class WHERE {_PUBLISHED}"
        )[0]
        return str(tables)
