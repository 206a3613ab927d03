"""A repository with its memory: how one is made, and how it is opened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.database import Database, Unreachable
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import StorageError
from tx_graph.core.journal import Journal
from tx_graph.core.kernel import Kernel, SystemClock
from tx_graph.core.place import (
    CONFIG,
    DATABASE,
    DIRECTORY,
    ENTITIES,
    FACTS,
    FEEDBACK,
    LEARNINGS,
    Place,
    Root,
    find_root,
    place_of,
    require_own,
)
from tx_graph.records.watch import FOLLOWERS, RECORDS, Records

if TYPE_CHECKING:
    from tx_graph.core.ports import Clock, Embedder, Model, OpenRetriever
    from tx_graph.core.settings import Config


_IGNORE = ".gitignore"
_IGNORED = """\
# Local state; the text files beside it are the truth that git carries.
/graph.db
/graph.db-*
/graph.db.damaged*
/local/
/replies.db
/replies.db-*
/told.db
/told.db-*
/errors.log
/.*.tmp
/entities/.*
/facts/.*
/feedback/.*
/learnings/.*
/relations/.*
"""

_CONFIG = """\
# Settings of tx for this repository; 'tx config' lists them all with their defaults.
"""


_REGISTER = {
    RECORDS: {
        ENTITIES: "knowledge.records:entity_sync",
        FACTS: "knowledge.records:fact_sync",
        LEARNINGS: "records.learning_record:learning_sync",
        FEEDBACK: "records.vote_store:vote_sync",
    },
    FOLLOWERS: {"mentions": "knowledge.mentions:follow"},
    "hub": {"questions": "hub.reading:Questions", "clones": "workspace:opening"},
    "derived": {"all": "workspace.renewal:Renewal"},
    "lookups": {
        "learning": "records.references:LearningReferences",
        "file": "graph.resolving:FileLookup",
        "symbol": "anchors.sources:SymbolLookup",
        "section": "documents.store:SectionLookup",
        "entity": "knowledge.entities:Lookup",
        "task": "work.references:WorkReferences",
        "run": "work.references:WorkReferences",
        "commit": "graph.resolving:CommitLookup",
    },
}
"""What rooms have for those below them, by its use and kind; each is imported when it is first asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A workspace directory, and which of its files were made just now."""

    root: Path
    is_git: bool
    created: tuple[str, ...]


def prepare(start: Path) -> Prepared:
    """Create `.tx/` with its text files where they are missing; what exists stays as it is.

    The place is the git top level, else the nearest ancestor with `.tx`, else `start` itself.
    """
    root = find_root(start) or Root(path=start.resolve(), is_git=False)
    require_own(root.path)
    directory = root.path / DIRECTORY
    files = {directory / _IGNORE: _IGNORED, directory / CONFIG: _CONFIG}
    missing = {path: text for path, text in files.items() if not path.exists()}
    try:
        (directory / LEARNINGS).mkdir(parents=True, exist_ok=True)
        for path, text in missing.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{directory} cannot be made: {error.strerror}.") from error
    created = tuple(path.relative_to(root.path).as_posix() for path in missing)
    return Prepared(root=root.path, is_git=root.is_git, created=created)


def open_kernel(
    place: Place,
    *,
    config: Config | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: Model | None = None,
    retriever: OpenRetriever | None = None,
    database: Database | None = None,
    is_lasting: bool = True,
) -> Kernel:
    """Return the workspace at a place, with its own database unless another is given, and its records taken in.

    Unless it is to be `is_lasting`, no journal is kept.
    """
    database = database or _database_of(place)
    kernel = Kernel(
        place,
        database=database,
        clock=clock or SystemClock(),
        embedder=embedder,
        model=model,
        retriever=retriever,
        config=config,
        register=_REGISTER,
    )
    try:
        if place.has_settings():
            _ = kernel.config  # reading them says what is wrong with them, whatever the use case needs
        if is_lasting:
            database.journal = Journal(database, place.journal, follow=lambda: _follow(kernel))
            if not database.read_only and database.journal.is_behind():
                with database.transaction():
                    pass
        kernel.one(Records).take_in()
        if database.is_temporary:
            database.freeze()
    except BaseException:
        database.close()
        raise
    return kernel


def open_nowhere(start: Path) -> Kernel:
    """Return an empty workspace where there is none, for what needs none; nothing is written."""
    place = Place(root=find_root(start) or Root(path=start, is_git=False), cwd=start, database=start / DATABASE)
    return open_kernel(place, database=Database.in_memory(place.database), is_lasting=False)


def opening(_: Kernel) -> Callable[[Path], Kernel]:
    """Return what opens the workspace of another directory for one look at it."""
    return lambda start: open_kernel(place_of(start), is_lasting=False)


def _follow(kernel: Kernel) -> None:
    """Derive from the records of today what rests on rows that came from the journal."""
    from tx_graph.knowledge.entity_store import EntityStore

    kernel.one(Records).take_in()
    entities = EntityStore(kernel.database)
    entities.unsettle()
    entities.settle()


def _database_of(place: Place) -> Database:
    """Open the database; where none can be read or made, give one in memory, to be filled from the records."""
    if not place.database.exists() and place.is_at_home:
        with suppress(OSError), (place.directory / _IGNORE).open("x", encoding="utf-8") as stream:
            stream.write(_IGNORED)  # somebody made the directory by hand
    try:
        database = Database.open(place.database)
    except Unreachable:
        return Database.in_memory(place.database)
    if database.owner == str(place.root.path):
        return database
    from tx_graph.core.rescue import claim

    try:
        claim(database, place.root.path, at_home=place.is_at_home)
    except BaseException:
        database.close()
        raise
    return database
