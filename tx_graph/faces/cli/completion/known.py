"""What a workspace knows, for completion: its database is only ever read, never created, migrated or waited for.

Every function is told a directory, and returns nothing where no workspace is around it or its database does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tx_graph.core.database import Database
    from tx_graph.work.values import Run, Task


_PATIENCE = 0.2
"""Seconds to wait for another process's lock: a Tab must not hang."""
_MOST_ENTITIES = 1_000
"""Those with most facts: nobody reads more."""
_MOST_WORK = 200
"""The newest tasks or runs: older ones are hardly meant."""


class _Nothing(Exception):
    """There is no database to read."""


@contextmanager
def _reading(directory: Path) -> Iterator[Database]:
    from tx_graph.core.errors import NotInitialised
    from tx_graph.core.place import place_of

    try:
        path = place_of(directory).database
    except NotInitialised as error:
        raise _Nothing from error
    if not path.is_file():
        raise _Nothing
    from tx_graph.core.database import Database
    from tx_graph.core.sqlite import binding

    # Without a write-ahead log nobody is writing; `immutable` then leaves no files beside the database.
    immutable = "" if path.with_name(f"{path.name}-wal").exists() else "&immutable=1"
    address = f"{path.resolve().as_uri()}?mode=ro{immutable}"
    with closing(binding().module.connect(address, timeout=_PATIENCE, isolation_level=None, uri=True)) as connection:
        yield Database(connection, path, read_only=True)


def learnings(directory: Path) -> list[tuple[int, str, str]]:
    """Return number, uid and content, marked where it is staged, of the learnings, newest first."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.records.learning_store import LearningStore

        store = LearningStore(database)
        staged = store.staged()
        return [(number, uid, f"staged: {text}" if number in staged else text) for number, uid, text in store.labels()]
    return []


def entities(directory: Path) -> list[tuple[str, str]]:
    """Return name and type of the entities, those with most facts first."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.knowledge.entity_store import EntityStore

        return [(entity.name, entity.type) for entity in EntityStore(database).listed(limit=_MOST_ENTITIES)]
    return []


def facts(directory: Path) -> list[tuple[int, str, str]]:
    """Return number, uid and words of the facts, newest first."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.knowledge.fact_store import FactStore

        return FactStore(database).labels()
    return []


def predicates(directory: Path) -> list[str]:
    """Return the predicates that facts use, sorted."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.knowledge.fact_store import FactStore

        return FactStore(database).predicates()
    return []


def sections(directory: Path, document: str) -> list[tuple[str, str]]:
    """Return slug and title of the sections of a document, typed as seen from `directory`, in the document's order."""
    from tx_graph.core.place import find_root

    root, here = find_root(directory), (directory / document).resolve()
    if root is None or not here.is_relative_to(root.path):
        return []
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.documents.store import DocumentStore, SectionStore

        known = DocumentStore(database).by_paths([here.relative_to(root.path).as_posix()])
        rows = SectionStore(database).of_documents([one.node for one in known.values()])
        return [(row.slug, row.title) for those in rows.values() for row in those if row.slug and not row.part]
    return []


def tasks(directory: Path) -> list[Task]:
    """Return the newest tasks, open ones first."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.work.store import TaskStore

        return sorted(TaskStore(database).listed(None, limit=_MOST_WORK), key=lambda task: task.done_at is not None)
    return []


def runs(directory: Path) -> list[Run]:
    """Return the newest runs."""
    with suppress(_Nothing), _reading(directory) as database:
        from tx_graph.work.store import RunStore

        return RunStore(database).listed(limit=_MOST_WORK)
    return []
