"""Who uses which symbol, where."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.code.use_store import UseStore
from tx_graph.code.uses.meaning import Meanings
from tx_graph.core.database import Database


def every_reference(database: Database) -> Iterator[tuple[str, int, str, str, str, str, str]]:
    from tx_graph.code.uses import KINDS

    meanings = Meanings(database)
    for path in UseStore(database).files():
        for u in meanings.used(path):
            yield (u.path, u.line, u.name, KINDS[u.kind], "likely" if u.is_likely else "exact", u.target, u.qualified)
