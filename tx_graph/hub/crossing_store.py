"""Imports across repositories, joined when they are asked for: what files need, and which files offer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from tx_graph.hub.repository_store import RepositoryStore
from tx_graph.hub.store import Hub

MOST = 5_000
"""Imports that one question looks at; what has more users than this has enough to show."""


class Crossing(NamedTuple):
    """An import of a file that leads into another repository; files are nodes, `target` None for the package alone."""

    repository: int
    source: int
    line: int
    ecosystem: str
    module: str
    name: str
    type: str
    provider: int | None
    target: int | None
    package: str
    is_exact: bool
    is_declared: bool
    is_required: bool


# What answers imports, and whether that declares the name. OFFSET keeps the planner from reading all symbols.
_TOLD = """
SELECT
    f.repository, f.file, f.line, f.ecosystem, f.module, f.name, f.import_type, f.provider, f.target, f.package,
    f.is_exact, d.name IS NOT NULL AS is_declared, f.is_required
FROM found f
LEFT JOIN (
    SELECT DISTINCT s.repository, s.file, s.name
    FROM (SELECT DISTINCT provider, target FROM found) t
    CROSS JOIN LATERAL (SELECT * FROM tx.symbols WHERE repository = t.provider AND file = t.target OFFSET 0) s
) d ON d.repository = f.provider AND d.file = f.target AND d.name = f.name
"""


class CrossingStore:
    """Reads imports across repositories, and which these are."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.repositories = RepositoryStore(hub)

    def into(self, repository: int, file: int, *, names: Collection[str] | None = None) -> list[Crossing]:
        """Return the imports in other repositories that a file answers, those by these names alone when given."""
        rows = self._hub.rows(
            f"""
            WITH found AS MATERIALIZED (
                SELECT *
                FROM tx.answered(tx.needs_of(ARRAY[%(repository)s], ARRAY[%(file)s], %(names)s, %(most)s))
                WHERE target IS NOT NULL
            )
            {_TOLD}
            """,
            {"repository": repository, "file": file, "names": names and list(names), "most": MOST},
        )
        return [Crossing(*row) for row in rows]

    def into_package(self, ecosystem: str, package: str, *, roots: Collection[str], separator: str) -> list[Crossing]:
        """Return the imports of a package of which these are the modules that all others lie below.

        What no file is known to answer is among them, but not what a file of another package does.
        """
        rows = self._hub.rows(
            f"""
            WITH needed AS (
                (
                    SELECT n.*
                    FROM unnest(%(roots)s::text[]) AS root
                    JOIN tx.needs n ON n.ecosystem = %(ecosystem)s AND n.module = root
                    LIMIT %(most)s
                )
                UNION ALL
                (
                    SELECT n.*
                    FROM unnest(%(lows)s::text[], %(highs)s::text[]) AS span (low, high)
                    JOIN tx.needs n ON n.ecosystem = %(ecosystem)s AND n.module >= low AND n.module < high
                    LIMIT %(most)s
                )
            ),
            asking AS MATERIALIZED (
                SELECT repository
                FROM tx.packages
                WHERE ecosystem = %(ecosystem)s AND name = %(package)s AND NOT is_provided
            ),
            found AS MATERIALIZED (
                SELECT
                    a.repository, a.file, a.line, a.ecosystem, a.module, a.name, a.import_type, a.provider, a.target,
                    %(package)s AS package, coalesce(a.is_exact, false) AS is_exact,
                    a.repository IN (SELECT repository FROM asking) AS is_required
                FROM tx.answered(ARRAY(
                    SELECT (repository, file, line, ecosystem, module, name, import_type, NULL)::tx.need
                    FROM needed
                )) a
                WHERE a.package = %(package)s OR a.provider IS NULL
            )
            {_TOLD}
            """,
            {
                "ecosystem": ecosystem,
                "package": package,
                "roots": list(roots),
                "lows": [f"{root}{separator}" for root in roots],
                "highs": [f"{root}{separator[:-1]}{chr(ord(separator[-1]) + 1)}" for root in roots],
                "most": MOST,
            },
        )
        return [Crossing(*row) for row in rows]

    def providers(self, names: Collection[str], ecosystems: Collection[str]) -> list[tuple[str, str, int]]:
        """Return (ecosystem, name, repository) of the packages of these names that repositories provide."""
        return self._hub.rows(
            """
            SELECT DISTINCT ecosystem, name, repository
            FROM tx.packages
            WHERE ecosystem = ANY(%(ecosystems)s) AND name = ANY(%(names)s) AND is_provided
            ORDER BY ecosystem, name, repository
            """,
            {"names": list(names), "ecosystems": list(ecosystems)},
        )

    def requirers(self, ecosystem: str, package: str) -> list[tuple[int, int, str]]:
        """Return (repository, manifest, range) of what requires a package."""
        return self._hub.rows(
            """
            SELECT repository, manifest, range
            FROM tx.packages
            WHERE ecosystem = %(ecosystem)s AND name = %(package)s AND NOT is_provided
            ORDER BY repository, manifest
            """,
            {"ecosystem": ecosystem, "package": package},
        )

    def modules(self, ecosystem: str, package: str, repositories: Collection[int]) -> list[str]:
        """Return the modules that a package of these repositories offers."""
        rows = self._hub.rows(
            """
            SELECT DISTINCT module
            FROM tx.offers
            WHERE repository = ANY(%(repositories)s) AND ecosystem = %(ecosystem)s AND package = %(package)s
            ORDER BY module
            """,
            {"repositories": list(repositories), "ecosystem": ecosystem, "package": package},
        )
        return [module for (module,) in rows]

    def packages_of(self, repository: int, file: int) -> list[tuple[str, str]]:
        """Return (ecosystem, package) of those that a file is offered by."""
        return self._hub.rows(
            """
            SELECT DISTINCT ecosystem, package
            FROM tx.offers
            WHERE repository = %(repository)s AND file = %(file)s
            ORDER BY ecosystem, package
            """,
            {"repository": repository, "file": file},
        )

    def paths(self, files: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return the path of each (repository, file)."""
        wanted = list(dict.fromkeys(files))
        rows: list[tuple[Any, ...]] = self._hub.rows(
            """
            SELECT f.repository, f.node, f.path
            FROM unnest(%(repositories)s::bigint[], %(nodes)s::bigint[]) AS asked (repository, node)
            JOIN tx.files f ON f.repository = asked.repository AND f.node = asked.node
            """,
            {"repositories": [one for one, _ in wanted], "nodes": [node for _, node in wanted]},
        )
        return {(repository, node): path for repository, node, path in rows}
