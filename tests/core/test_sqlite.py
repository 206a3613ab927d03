"""Which SQLite library is used, and that each of them gives the same results."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from tests.isolation import run_without
from tx_graph.core.sqlite import Loader, choose_binding

NEITHER = ["pysqlite3", "sqlean"]


class Able:
    def enable_load_extension(self, enabled: bool) -> None: ...


class Unable: ...


def loader(**connections: type) -> Loader:
    """A loader that knows these modules, each with its class of connections."""
    modules = {name: SimpleNamespace(Connection=kind) for name, kind in connections.items()}
    return lambda name: cast("ModuleType | None", modules.get(name))


@pytest.mark.parametrize(("load", "name", "able"), [
    (loader(pysqlite3=Able, sqlite3=Able, sqlean=Able), "pysqlite3", True),
    (loader(sqlite3=Able, sqlean=Able), "sqlite3", True),
    (loader(sqlite3=Unable, sqlean=Able), "sqlean", True),
    (loader(sqlite3=Unable), "sqlite3", False),
    (loader(pysqlite3=Unable, sqlite3=Able), "pysqlite3", False),
])  # fmt: skip
def test_the_first_library_that_serves_is_chosen(load: Loader, name: str, able: bool) -> None:
    chosen = choose_binding(load)
    assert (chosen.name, chosen.loads_extensions) == (name, able)


SEARCH = """
from pathlib import Path
from tests.fakes import WordEmbedder
from tx_graph.records.learning import Learning
from tx_graph.core.database import Database
from tx_graph.records.learning_store import LearningStore
from tx_graph.workspace.health_store import Maintenance
from tx_graph.core.sqlite import binding
from tx_graph.vectors.store import VectorStore

embedder = WordEmbedder()
topics = "hash passwords slowly,compare tokens in constant time,rotate keys,passwords need salt,cache tokens".split(",")
with Database.open(Path(sys.argv[2])) as database:
    store, vectors = LearningStore(database), VectorStore(database)
    with database.transaction():
        for place, content in enumerate(topics):
            uid = f"{place}abcdefghjkm"
            one = Learning(uid=uid, content=content, created_at="2026-01-01T00:00:00Z")
            number = store.save(one, record=uid, now="")
            vectors.save([(number, content, embedder.embed([content])[0])], model="words", dimension=64)
    found = {}
    for allowed in (None, {1, 3, 4}, set()):
        hits = vectors.nearest(
            embedder.embed(["passwords tokens"])[0], model="words", dimension=64, allowed=allowed, limit=3
        )
        found[str(allowed)] = [[number, round(score, 5)] for number, score in hits]
    maintenance = Maintenance(database)
    maintenance.compact()
    print(json.dumps({
        "binding": binding().name, "vectors": database.has_vectors, "found": found,
        "said": maintenance.describe_vectors(), "rows": database.value("SELECT count(*) FROM learning_vectors"),
        "broken": maintenance.integrity(), "orphans": maintenance.orphans(),
    }))
"""


def searched(blocked: list[str], path: Path) -> dict[str, Any]:
    return cast("dict[str, Any]", run_without(blocked, SEARCH, str(path)))


@pytest.mark.skipif(find_spec("sqlean") is None, reason="sqlean has no wheel here")
def test_every_library_finds_the_same_neighbours(tmp_path: Path) -> None:
    best = searched([], tmp_path / "best.db")
    sqlean = searched(["pysqlite3"], tmp_path / "sqlean.db")
    plain = searched([*NEITHER, "sqlite_vec"], tmp_path / "plain.db")
    assert best["found"] == sqlean["found"] == plain["found"]
    assert len(best["found"]["None"]) == 3
    assert best["found"]["set()"] == []
    assert best["rows"] == sqlean["rows"] == plain["rows"] == 5
    assert (plain["vectors"], plain["said"]) == (False, "exact search in numpy: sqlite-vec is not installed")
    assert [run["broken"] for run in (best, sqlean, plain)] == [[], [], []]


def test_the_standard_library_alone_is_enough(tmp_path: Path) -> None:
    run = searched(NEITHER, tmp_path / "graph.db")
    assert run["binding"] == "sqlite3"
    assert run["rows"] == 5
    assert run["orphans"] == {}


def test_a_database_with_a_vector_index_is_read_by_a_library_that_cannot_load_one(tmp_path: Path) -> None:
    with_index = searched([], tmp_path / "graph.db")
    again = """
from tx_graph.workspace.health_store import Maintenance
from tx_graph.vectors.store import VectorStore
from tx_graph.core.database import Database
from tests.fakes import WordEmbedder
from pathlib import Path
with Database.open(Path(sys.argv[2])) as database:
    query = WordEmbedder().embed(["passwords tokens"])[0]
    hits = VectorStore(database).nearest(query, model="words", dimension=64, allowed=None, limit=3)
    maintenance = Maintenance(database)
    maintenance.compact()
    rows = database.value("SELECT count(*) FROM learnings")
    print(json.dumps({"found": [[n, round(s, 5)] for n, s in hits], "rows": rows,
                      "broken": maintenance.integrity(), "vectors": database.has_vectors}))
"""
    without = run_without([*NEITHER, "sqlite_vec"], again, str(tmp_path / "graph.db"))
    assert without["found"] == with_index["found"]["None"]
    assert (without["vectors"], without["rows"], without["broken"]) == (False, 5, [])


SHARED = """
from tx_graph.core.sqlite import binding
module = binding().module
import sqlite_utils
from sqlite_utils.utils import sqlite3
shared = sqlite3.Connection is module.Connection
connection = module.connect(":memory:")
sqlite_utils.Database(connection)["t"].insert({"a": 1})
rows = connection.execute("SELECT a FROM t").fetchall()
connection.close()
print(json.dumps([binding().name, shared, rows]))
"""


@pytest.mark.skipif(find_spec("sqlean") is None, reason="sqlean has no wheel here")
def test_sqlite_utils_shares_the_library_when_it_is_sqlean() -> None:
    name, shared, rows = run_without(["pysqlite3"], SHARED)
    assert name in {"sqlean", "sqlite3"}  # the standard module comes first where it loads extensions
    assert (shared, rows) == (True, [[1]])


def test_sqlite_utils_shares_the_library_whichever_it_is() -> None:
    assert run_without([], SHARED)[1:] == [True, [[1]]]
    assert run_without(NEITHER, SHARED) == ["sqlite3", True, [[1]]]


def test_opening_a_database_imports_neither_numpy_nor_sqlite_utils(tmp_path: Path) -> None:
    code = """
from pathlib import Path
from tx_graph.core.database import Database
with Database.open(Path(sys.argv[2])) as database:
    loaded = database.has_vectors
print(json.dumps([loaded, sorted({"numpy", "sqlite_vec", "sqlite_utils"} & sys.modules.keys())]))
"""
    loaded, heavy = run_without([], code, str(tmp_path / "graph.db"))
    assert loaded is (find_spec("sqlite_vec") is not None)
    assert heavy == []
