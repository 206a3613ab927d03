"""The entities and facts a workspace knows, for completion: none without a workspace or before its database exists."""

from __future__ import annotations

from pathlib import Path

from tx_graph.cli.completion.database import reading

_MOST = 1_000
"""Entities to offer, those with most facts: nobody reads more."""


def entities(directory: Path) -> list[tuple[str, str]]:
    """Return name and type of the entities of the workspace around `directory`, those with most facts first."""
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.storage.entities import EntityStore

        return [(entity.name, entity.type) for entity in EntityStore(database).listed(limit=_MOST)]


def facts(directory: Path) -> list[tuple[int, str, str]]:
    """Return number, uid and words of the facts of the workspace around `directory`, newest first."""
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.storage.facts import FactStore

        return FactStore(database).labels()


def predicates(directory: Path) -> list[str]:
    """Return the predicates that facts of the workspace around `directory` use, sorted."""
    with reading(directory) as database:
        if database is None:
            return []
        from tx_graph.storage.facts import FactStore

        return FactStore(database).predicates()
