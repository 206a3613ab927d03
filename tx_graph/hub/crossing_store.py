"""Imports across repositories, joined when they are asked for: what files need, and which files offer it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from tx_graph.graph.edges import Direction
from tx_graph.hub.store import Hub

MOST = 5_000
"""Imports that one question looks at; what has more users than this has enough to show."""


class Crossing(NamedTuple):
    """An import of a file that leads into another repository; files are nodes, `target` None for the package alone.

    `is_exact`: the target is offered under this name. `is_declared`: it has a declaration of this name.
    """

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
    is_declared: bool = False
    is_required: bool = False


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


# What the files of a frontier need, and what others need by the names under which they offer themselves. A file that
# stands for a module also answers for the names in it that no other file of its repository is known to declare.
_AROUND = """
frontier AS MATERIALIZED (
    SELECT repository, node
    FROM tx.nodes
    WHERE node = ANY(%(nodes)s) AND kind = 'file'
),
offered AS MATERIALIZED (
    SELECT o.repository, o.file, o.ecosystem, o.module, o.name
    FROM frontier f
    JOIN tx.offers o ON o.repository = f.repository AND o.file = f.node
    WHERE %(in)s
),
wanted AS MATERIALIZED (
    SELECT file, ecosystem, module, name
    FROM offered
    WHERE %(names)s::text[] IS NULL OR name = ANY(%(names)s)
    UNION ALL
    SELECT o.file, o.ecosystem, o.module, rest.name
    FROM offered o
    CROSS JOIN LATERAL (
        SELECT n.name
        FROM tx.needs n
        WHERE n.ecosystem = o.ecosystem AND n.module = o.module AND n.name <> ''
          AND (%(names)s::text[] IS NULL OR n.name = ANY(%(names)s))
        EXCEPT
        SELECT x.name
        FROM tx.offers x
        WHERE x.repository = o.repository AND x.ecosystem = o.ecosystem AND x.module = o.module
    ) AS rest
    WHERE o.name = ''
),
needed AS MATERIALIZED (
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL::bigint AS target
        FROM frontier f
        JOIN tx.needs n ON n.repository = f.repository AND n.file = f.node
        WHERE %(out)s
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, w.file
        FROM wanted w
        JOIN tx.needs n ON n.ecosystem = w.ecosystem AND n.module = w.module AND n.name = w.name
        LIMIT %(most)s
    )
)
"""

# All that asks for the modules of a package, or for what lies below them. The bounds stand in the statement as values
# of their own: of those that come out of an array the planner expects so many rows that it reads the whole table.
_BELOW = """
needed AS MATERIALIZED (
    SELECT n.repository, n.file, n.line, n.ecosystem, n.module, n.name, n.import_type, NULL::bigint AS target
    FROM tx.needs n
    WHERE n.ecosystem = %(ecosystem)s AND ({spans})
    LIMIT %(most)s
)
"""
_SPAN = "n.module = %(root{0})s OR (n.module >= %(low{0})s AND n.module < %(high{0})s)"
_MOST_ROOTS = 50

# Needs are gathered by what they ask for, so that each name is looked up once, whatever the planner thinks of them.
_KEYED = """
keyed AS MATERIALIZED (
    SELECT
        ecosystem, module, name, array_agg(repository) AS repositories, array_agg(file) AS files,
        array_agg(line) AS lines, array_agg(import_type) AS types, array_agg(target) AS targets
    FROM needed
    GROUP BY ecosystem, module, name
),
answers AS MATERIALIZED (
    SELECT
        k.ecosystem, k.module, k.name, k.repositories, k.files, k.lines, k.types, k.targets,
        o.repository AS provider, o.file AS target, o.package, o.name = k.name AS is_exact,
        bool_or(o.name = k.name) OVER (PARTITION BY k.ecosystem, k.module, k.name, o.repository) AS has_exact,
        array_agg(o.package) OVER (PARTITION BY k.ecosystem, k.module, k.name) AS packages
    FROM keyed k
    {join} tx.offers o ON o.ecosystem = k.ecosystem AND o.module = k.module AND o.name = ANY(ARRAY[k.name, ''])
)
"""
_ASKING = """
FROM answers a
CROSS JOIN LATERAL unnest(a.repositories, a.files, a.lines, a.types, a.targets)
    AS n (repository, file, line, import_type, target)
"""
# In each repository the file answers that declares the name, else the one that stands for the module. Where several
# packages offer a module, those count that the asking repository says it requires.
_ANSWERS = """
(a.is_exact OR NOT a.has_exact) AND a.provider <> n.repository AND (n.target IS NULL OR n.target = a.target)
AND (
    a.package = ALL(a.packages)
    OR EXISTS (
        SELECT
        FROM tx.packages p
        WHERE p.repository = n.repository AND p.ecosystem = a.ecosystem AND p.name = a.package AND NOT p.is_provided
    )
    OR NOT EXISTS (
        SELECT
        FROM tx.packages p
        WHERE p.repository = n.repository AND p.ecosystem = a.ecosystem AND p.name = ANY(a.packages)
          AND NOT p.is_provided
    )
)
"""
_COLUMNS = """
    n.repository, n.file, n.line, a.ecosystem, a.module, a.name, n.import_type, a.provider, a.target, a.package,
    a.is_exact
"""


class CrossingStore:
    """Reads imports across repositories."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def into(self, file: int, *, names: Collection[str] | None = None) -> list[Crossing]:
        """Return the imports in other repositories that a file answers, those by these names alone when given."""
        rows = self._hub.rows(
            f"WITH {_AROUND}, {_KEYED.format(join='JOIN')} SELECT DISTINCT {_COLUMNS} {_ASKING} WHERE {_ANSWERS}",
            _around([file], Direction.IN, most=MOST, names=None if names is None else list(names)),
        )
        return self._judged([Crossing(*row) for row in rows])

    def into_package(self, ecosystem: str, package: str, *, roots: Sequence[str], separator: str) -> list[Crossing]:
        """Return the imports of a package of which these are the modules that all others lie below.

        What no file is known to answer is among them, but not what a file of another package does.
        """
        given: dict[str, Any] = {"ecosystem": ecosystem, "package": package, "most": MOST}
        for number, root in enumerate(roots[:_MOST_ROOTS]):
            above = chr(ord(separator[-1]) + 1)
            given |= {f"root{number}": root, f"low{number}": f"{root}{separator}"}
            given[f"high{number}"] = f"{root}{separator[:-1]}{above}"
        spans = " OR ".join(_SPAN.format(number) for number in range(len(roots[:_MOST_ROOTS]))) or "false"
        rows = self._hub.rows(
            f"""
            WITH {_BELOW.format(spans=spans)}, {_KEYED.format(join="LEFT JOIN")}
            SELECT DISTINCT {_COLUMNS} {_ASKING}
            WHERE a.target IS NULL OR (a.package = %(package)s AND {_ANSWERS})
            """,
            given,
        )
        return self._judged([Crossing(*row)._replace(package=package) for row in rows])

    def edges(self, nodes: Collection[int], direction: Direction, *, most: int) -> list[CrossEdge]:
        """Return the imports between these files and files of other repositories, each pair once, strongest type."""
        rows = self._hub.rows(
            f"""
            WITH {_AROUND}, {_KEYED.format(join="JOIN")}
            SELECT
                n.file, a.target,
                (array_agg(n.import_type ORDER BY array_position(
                    ARRAY['static', 're-export', 'dynamic', 'type-only'], n.import_type
                )))[1]
            {_ASKING}
            WHERE {_ANSWERS}
            GROUP BY n.file, a.target
            ORDER BY n.file, a.target
            """,
            _around(nodes, direction, most=most),
        )
        return [CrossEdge(*row) for row in rows]

    def _judged(self, rows: Sequence[Crossing]) -> list[Crossing]:
        """Return the same with what the files that answer declare, and whether the packages are required."""
        required = {
            (kind, package): {repository for repository, _, _ in self.requirers(kind, package)}
            for kind, package in {(row.ecosystem, row.package) for row in rows}
        }
        declared = self._declared(rows)
        return [
            row._replace(
                is_declared=(row.provider, row.target, row.name) in declared,
                is_required=row.repository in required[row.ecosystem, row.package],
            )
            for row in rows
        ]

    def _declared(self, rows: Sequence[Crossing]) -> set[tuple[int, int, str]]:
        """Return (repository, file, name) of the names that are asked for and declared at the top of their files."""
        names = {row.name for row in rows}
        wanted = list({(row.provider, row.target) for row in rows if row.target is not None})
        found = self._hub.rows(
            """
            SELECT DISTINCT s.repository, s.file, s.name
            FROM unnest(%(repositories)s::bigint[], %(files)s::bigint[]) AS asked (repository, file)
            JOIN tx.symbols s ON s.repository = asked.repository AND s.file = asked.file
            WHERE s.name = ANY(%(names)s)
            """,
            {
                "repositories": [one for one, _ in wanted],
                "files": [file for _, file in wanted],
                "names": list(names),
            },
        )
        return set(found)

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


def _around(
    nodes: Collection[int], direction: Direction, *, most: int, names: Collection[str] | None = None
) -> dict[str, Any]:
    return {
        "nodes": list(nodes),
        "out": direction is not Direction.IN,
        "in": direction is not Direction.OUT,
        "most": most,
        "names": names,
    }
