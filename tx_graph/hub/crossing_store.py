"""Imports across repositories, joined when they are asked for: what files need, and which files offer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from tx_graph.graph.edges import Direction
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


class CrossEdge(NamedTuple):
    """A file of one repository that imports a file of another."""

    source: int
    target: int
    type: str


class Publication(NamedTuple):
    """A repository as it was last published."""

    id: int
    name: str
    commit: str
    committed_at: datetime | None


# What the files of a frontier need, and what others need by the names under which they offer themselves. A need by a
# name that another file of the same repository declares is none of a file that only stands for the module. OFFSET keeps
# the planner from reading whole tables to join them: what it takes a frontier for is far too many.
_FRONTIER = """
frontier AS MATERIALIZED (
    SELECT repository, node
    FROM tx.nodes
    WHERE node = ANY(%(nodes)s) AND kind = 'file'
),
needed AS MATERIALIZED (
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL::bigint AS wanted
        FROM frontier f
        CROSS JOIN LATERAL (SELECT * FROM tx.needs WHERE repository = f.repository AND file = f.node OFFSET 0) n
        WHERE %(out)s
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, o.file
        FROM frontier f
        CROSS JOIN LATERAL (SELECT * FROM tx.offers WHERE repository = f.repository AND file = f.node OFFSET 0) o
        CROSS JOIN LATERAL (
            SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name = o.name OFFSET 0
        ) n
        WHERE %(in)s AND (%(names)s::text[] IS NULL OR n.name = ANY(%(names)s))
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, o.file
        FROM frontier f
        CROSS JOIN LATERAL (
            SELECT * FROM tx.offers WHERE repository = f.repository AND file = f.node AND name = '' OFFSET 0
        ) o
        CROSS JOIN LATERAL (
            SELECT * FROM tx.needs WHERE ecosystem = o.ecosystem AND module = o.module AND name <> '' OFFSET 0
        ) n
        WHERE %(in)s AND (%(names)s::text[] IS NULL OR n.name = ANY(%(names)s))
          AND NOT EXISTS (
            SELECT
            FROM tx.offers x
            WHERE x.repository = o.repository AND x.ecosystem = n.ecosystem AND x.module = n.module AND x.name = n.name
            OFFSET 0
          )
        LIMIT %(most)s
    )
)
"""

# All that asks for the modules of a package, or for what lies below them.
_BELOW = """
needed AS MATERIALIZED (
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL::bigint AS wanted
        FROM unnest(%(roots)s::text[]) AS root
        JOIN tx.needs n ON n.ecosystem = %(ecosystem)s AND n.module = root
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL
        FROM unnest(%(lows)s::text[], %(highs)s::text[]) AS span (low, high)
        JOIN tx.needs n ON n.ecosystem = %(ecosystem)s AND n.module >= low AND n.module < high
        LIMIT %(most)s
    )
)
"""

# The files that answer: in each repository the one that declares the name, else the one that stands for the module.
# Where several packages offer a module, those count that the asking repository says it requires.
_ANSWERED = """
keys AS MATERIALIZED (
    SELECT DISTINCT ecosystem, module, name
    FROM needed
),
offered AS MATERIALIZED (
    SELECT k.ecosystem, k.module, k.name, o.repository, o.file, o.package, o.name = k.name AS is_exact
    FROM keys k
    CROSS JOIN LATERAL (
        SELECT * FROM tx.offers
        WHERE ecosystem = k.ecosystem AND module = k.module AND name IN (k.name, '')
        OFFSET 0
    ) o
),
answers AS MATERIALIZED (
    SELECT a.ecosystem, a.module, a.name, a.repository, a.file, a.package, a.is_exact
    FROM offered a
    WHERE a.is_exact OR NOT EXISTS (
        SELECT
        FROM offered x
        WHERE x.is_exact AND x.repository = a.repository
          AND x.ecosystem = a.ecosystem AND x.module = a.module AND x.name = a.name
    )
),
required AS MATERIALIZED (
    SELECT DISTINCT p.ecosystem, p.name, p.repository
    FROM (SELECT DISTINCT ecosystem, package FROM answers) a
    JOIN tx.packages p ON p.ecosystem = a.ecosystem AND p.name = a.package AND NOT p.is_provided
),
joined AS MATERIALIZED (
    SELECT
        *, bool_or(is_required) OVER (PARTITION BY repository, file, line, ecosystem, module, name) AS has_required
    FROM (
        SELECT
            n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, n.wanted,
            a.repository AS provider, a.file AS target, a.package, a.is_exact,
            -- Which is hashed; a join went through all of them for each.
            (n.repository, a.ecosystem, a.package) IN (SELECT repository, ecosystem, name FROM required) AS is_required
        FROM needed n
        JOIN answers a ON a.ecosystem = n.ecosystem AND a.module = n.module AND a.name = n.name
        WHERE a.repository <> n.repository
    ) pairs
)
"""
JOINED = f"{_FRONTIER}, {_ANSWERED}"
"""Parts of a statement: `joined` has the imports into and out of the files `nodes`, where `in` and `out` say so."""
CHOSEN = "(j.is_required OR NOT j.has_required) AND (j.wanted IS NULL OR j.wanted = j.target)"

_DECLARED = """
declared AS MATERIALIZED (
    SELECT DISTINCT s.repository, s.file, s.name
    FROM (SELECT DISTINCT provider, target FROM joined) t
    JOIN tx.symbols s ON s.repository = t.provider AND s.file = t.target
)
"""
_COLUMNS = f"""
SELECT DISTINCT
    j.repository, j.file, j.line, j.ecosystem, j.module, j.name, j.import_type,
    j.provider, j.target, j.package, j.is_exact, d.name IS NOT NULL AS is_declared, j.is_required
FROM joined j
LEFT JOIN declared d ON d.repository = j.provider AND d.file = j.target AND d.name = j.name
WHERE {CHOSEN}
"""


class CrossingStore:
    """Reads imports across repositories."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def into(self, file: int, *, names: Collection[str] | None = None) -> list[Crossing]:
        """Return the imports in other repositories that a file answers, those by these names alone when given."""
        rows = self._hub.rows(
            f"WITH {JOINED}, {_DECLARED} {_COLUMNS}",
            around([file], Direction.IN, most=MOST, names=None if names is None else list(names)),
        )
        return [Crossing(*row) for row in rows]

    def into_package(self, ecosystem: str, package: str, *, roots: Collection[str], separator: str) -> list[Crossing]:
        """Return the imports of a package of which these are the modules that all others lie below.

        What no file is known to answer is among them, but not what a file of another package does.
        """
        found = self._hub.rows(
            f"""
            WITH {_BELOW}, {_ANSWERED}, {_DECLARED},
            asking AS (
                SELECT DISTINCT p.repository
                FROM tx.packages p
                WHERE p.ecosystem = %(ecosystem)s AND p.name = %(package)s AND NOT p.is_provided
            )
            {_COLUMNS} AND j.package = %(package)s
            UNION ALL
            SELECT DISTINCT
                n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type,
                NULL::bigint, NULL::bigint, %(package)s, false, false, r.repository IS NOT NULL
            FROM needed n
            LEFT JOIN asking r ON r.repository = n.repository
            WHERE NOT EXISTS (
                SELECT
                FROM answers a
                WHERE a.ecosystem = n.ecosystem AND a.module = n.module AND a.name = n.name
            )
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
        return [Crossing(*row) for row in found]

    def edges(self, nodes: Collection[int], direction: Direction, *, most: int) -> list[CrossEdge]:
        """Return the imports between these files and files of other repositories, each pair once, strongest type."""
        rows = self._hub.rows(
            f"""
            WITH {JOINED}
            SELECT
                j.file, j.target,
                (array_agg(j.import_type ORDER BY array_position(
                    ARRAY['static', 're-export', 'dynamic', 'type-only'], j.import_type
                )))[1]
            FROM joined j
            WHERE {CHOSEN}
            GROUP BY j.file, j.target
            ORDER BY j.file, j.target
            """,
            around(nodes, direction, most=most),
        )
        return [CrossEdge(*row) for row in rows]

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

    def publications(self, ids: Collection[int] | None = None, *, name: str | None = None) -> list[Publication]:
        """Return repositories by their numbers, or the one of a name."""
        rows = self._hub.rows(
            """
            SELECT id, name, commit_sha, committed_at
            FROM tx.repositories
            WHERE id = ANY(%(ids)s) OR name = %(name)s
            """,
            {"ids": list(ids or ()), "name": name},
        )
        return [Publication(*row) for row in rows]

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


def around(
    nodes: Collection[int], direction: Direction | None, *, most: int, names: Collection[str] | None = None
) -> dict[str, Any]:
    """Return what `JOINED` is asked with."""
    return {
        "nodes": list(nodes),
        "out": direction in (Direction.OUT, Direction.BOTH),
        "in": direction in (Direction.IN, Direction.BOTH),
        "most": most,
        "names": names,
    }
