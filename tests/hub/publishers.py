"""A repository that is published, and what a hub holds of it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import psycopg
from psycopg import sql

from scripts.opened import Workspace
from tests.git_sandbox import GitSandbox
from tx_graph.core.ports import alike, no_progress
from tx_graph.hub.publishing import Published, publish

NAME = "github.com/acme/shop"
_PASSING = ("published_at",)
"""Columns that say when something was done."""


def named(project: GitSandbox, origin: str = f"git@{NAME.replace('/', ':', 1)}.git") -> None:
    """Give a repository an origin, which names it."""
    project.git("remote", "add", "origin", origin)


def published(workspace: Workspace, *, dry_run: bool = False, force: bool = False) -> Published:
    """Publish a workspace to the hub of the environment, as another use of it."""
    workspace.kernel.forget()
    return publish(workspace.kernel, dry_run=dry_run, force=force, stages=alike(no_progress))


def everything(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables of a hub that a publisher writes, in order, as text."""
    found = {}
    with psycopg.connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        tables = connection.execute(
            """
            SELECT c.relname, array_agg(a.attname::text ORDER BY a.attnum)
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
            WHERE c.relnamespace = 'tx'::regnamespace AND (c.relkind = 'p' OR c.relname = 'repositories')
            GROUP BY 1
            ORDER BY 1
            """
        ).fetchall()
        for table, columns in tables:
            texts = sql.SQL(", ").join(
                sql.SQL("{}::text").format(sql.Identifier(one)) for one in columns if one not in _PASSING
            )
            rows = connection.execute(sql.SQL("SELECT {} FROM tx.{}").format(texts, sql.Identifier(table))).fetchall()
            found[table] = sorted(rows, key=str)
    return found


def by_repository(found: dict[str, list[tuple[Any, ...]]]) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
    """Return the same rows by the number of their repository."""
    parted: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
    for table, rows in found.items():
        for row in rows:
            parted.setdefault(row[0], {}).setdefault(table, []).append(row)
    return parted


def differences(one: str, other: str) -> dict[str, list[list[tuple[Any, ...]]]]:
    """Return the rows that only one of two hubs has, by table; ends of edges by their keys."""
    ours, theirs = everything(one), everything(other)
    keys = {node: key for rows in (ours["nodes"], theirs["nodes"]) for _, node, _, _, key, _ in rows}
    found = {}
    for table, rows in ours.items():
        only = Counter(rows) - Counter(theirs[table]), Counter(theirs[table]) - Counter(rows)
        if any(only):
            found[table] = [[tuple(keys.get(one, one) for one in row) for row in side] for side in only]
    return found
