"""Who uses which symbol, where."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.code.use_store import UseStore
from tx_graph.code.uses import KINDS
from tx_graph.code.uses.meaning import Meanings
from tx_graph.core.database import Database

EXACT, LIKELY = "exact", "likely"


def every_reference(database: Database) -> Iterator[tuple[str, int, str, str, str, str, str]]:
    """Yield (path, line, name, kind, certainty, path and qualified name of what is used) by file, in source order."""
    meanings = Meanings(database)
    for path in UseStore(database).files():
        for one in meanings.used(path):
            certainty = LIKELY if one.is_likely else EXACT
            yield one.path, one.line, one.name, KINDS[one.kind], certainty, one.target, one.qualified
