"""Files, their imports and co-changes as rows: what is gone takes its derived edges along."""

from __future__ import annotations

from tests.fakes import learning
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.core.database import Database
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.graph.word_store import TextSearch
from tx_graph.history.cochange import CoChange
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import LearningStore
from tx_graph.workspace.health_store import Maintenance

A, B, C = "src/auth.ts", "src/jwt.ts", "lib/deep/auth.ts"
PAIR = CoChange(file_a=C, file_b=A, score=0.5, shared=2, commits_a=3, commits_b=3)


def row(path: str, size: int = 1, language: str | None = "typescript") -> FileRow:
    return FileRow(path=path, language=language, size=size, mtime_ns=2**62, content_hash="00")


def save(database: Database, *rows: FileRow) -> dict[str, NodeId]:
    with database.transaction():
        return FileStore(database).save(rows)


def fill(database: Database) -> dict[str, NodeId]:
    """Save three files: the first imports the second, and co-changes with the third."""
    nodes = save(database, row(A), row(B), row(C))
    specifiers = [Specifier(module="./jwt", line=1), Specifier(module="react", line=2)]
    with database.transaction():
        imports = ImportStore(database)
        imports.replace_specifiers({nodes[A]: specifiers})
        edge = ImportEdge(source=A, target=B, type=ImportType.STATIC)
        missing = Unresolved(source=A, specifier=specifiers[1], reason="external")
        imports.replace_edges([nodes[A]], [edge], [missing], nodes=nodes)
        CoChangeStore(database).replace_all([PAIR])
    return nodes


def test_files_come_back_and_keep_their_nodes(database: Database) -> None:
    store = FileStore(database)
    first = save(database, row(A), row(B))
    assert save(database, row(A, size=2)) == {A: first[A]}
    assert store.rows_of([A, B, C]) == {A: row(A, size=2), B: row(B)}
    assert store.stamps() == {A: (2, 2**62), B: (1, 2**62)}
    assert store.paths() == first
    assert store.nodes_of([A, "other"]) == {A: first[A]}
    assert store.count() == 2


def test_removing_a_file_takes_its_derived_edges_along(database: Database) -> None:
    fill(database)
    with database.transaction():
        FileStore(database).remove([A])
    assert ImportStore(database).specifiers() == {}
    assert (ImportStore(database).count(), EdgeStore(database).counts()) == (0, {})
    assert CoChangeStore(database).count() == 1, "it waits for the file to come back"
    assert TextSearch(database).files("auth", limit=5) == [
        (FileStore(database).paths()[C], TextSearch(database).files("auth", limit=5)[0][1])
    ]
    assert (Maintenance(database).integrity(), Maintenance(database).orphans()) == ([], {})


def test_removing_a_file_that_is_imported_takes_the_edge_but_not_the_importer(database: Database) -> None:
    fill(database)
    with database.transaction():
        FileStore(database).remove([B])
    assert list(ImportStore(database).specifiers()) == [A]
    assert ImportStore(database).count() == 0


def test_an_anchor_to_a_file_outlives_it(database: Database) -> None:
    fill(database)
    anchored = learning(
        "Anchored", anchors=(Anchor(path=A, type=AnchorType.HASH, fingerprints=Fingerprints(content="00")),)
    )
    with database.transaction():
        LearningStore(database).save(anchored, record="r.md", now="")
        FileStore(database).remove([A])
    assert AnchorStore(database).count() == 1
    assert Maintenance(database).integrity() == []


def test_a_file_that_comes_back_has_the_node_it_had(database: Database) -> None:
    before = save(database, row(A))
    with database.transaction():
        FileStore(database).remove([A])
    assert save(database, row(A)) == before
    assert [node for node, _ in TextSearch(database).files("auth", limit=5)] == [before[A]]


def test_a_file_is_found_by_the_end_of_its_path_shortest_first(database: Database) -> None:
    nodes = save(database, row(A), row(C), row("src/oauth.ts"), row("auth.ts"))
    found = TextSearch(database).files_named("auth.ts", limit=10)
    assert found == [(path, nodes[path]) for path in ("auth.ts", A, C)]
    assert TextSearch(database).files_named("deep/auth.ts", limit=10) == [(C, nodes[C])]
    assert TextSearch(database).files_named("auth.ts", limit=1) == found[:1]


def test_a_file_that_could_not_be_read_has_no_time_stamp(database: Database) -> None:
    unread = FileRow(path="x.py", language="python", size=1, mtime_ns=5, problem="cannot be read")
    binary = FileRow(path="y.py", language="python", size=1, mtime_ns=5, content_hash="00", problem="is binary")
    save(database, unread, binary, FileRow(path="z.txt", language=None, size=1, mtime_ns=5))
    assert FileStore(database).stamps() == {"x.py": (1, None), "y.py": (1, 5), "z.txt": (1, 5)}


def test_languages_are_counted_and_problems_listed(database: Database) -> None:
    broken = FileRow(path="x.py", language="python", size=1, mtime_ns=1, problem="is binary")
    save(database, row(A), row(B), broken, row("notes.txt", language=None))
    store = FileStore(database)
    assert list(store.languages().items()) == [("typescript", 2), ("python", 1)]
    assert store.problems() == [("x.py", "is binary")]


def test_specifiers_come_back_in_source_order_and_say_what_was_not_found(database: Database) -> None:
    nodes = fill(database)
    store = ImportStore(database)
    assert [specifier.module for specifier in store.specifiers([nodes[A]])[A]] == ["./jwt", "react"]
    assert store.specifiers([nodes[B]]) == {}
    assert store.unresolved_counts() == {"external": 1}


def test_replacing_imports_leaves_only_the_new_ones_of_those_files(database: Database) -> None:
    nodes = fill(database)
    store = ImportStore(database)
    with database.transaction():
        edge = ImportEdge(source=B, target=C, type=ImportType.TYPE_ONLY)
        store.replace_edges([nodes[B]], [edge], [], nodes=nodes)
        assert store.count() == 2
        store.replace_edges([nodes[A]], [], [], nodes=nodes)
    assert store.count() == 1
    assert store.unresolved_counts() == {}


def test_replacing_co_changes_leaves_only_the_new_ones(database: Database) -> None:
    fill(database)
    with database.transaction():
        CoChangeStore(database).replace_all([])
    assert CoChangeStore(database).count() == 0


def test_the_last_run_of_an_analysis_is_remembered(database: Database) -> None:
    store = AnalysisStore(database)
    assert store.last("imports") is None
    runs = [AnalysisRun(name="imports", finished_at=f"2026-12-0{day}T00:00:00Z", head=None) for day in (1, 2)]
    with database.transaction():
        for run in runs:
            store.record(run)
        store.record(AnalysisRun(name="cochanges", finished_at="x", head="abc", options={"since": "1y", "max": 3}))
    assert store.last("imports") == runs[1]
    last = store.last("cochanges")
    assert last is not None
    assert last.options == {"since": "1y", "max": 3}


def test_sources_of_one_stem_are_twins_wherever_they_lie(database: Database) -> None:
    nodes = save(database, row("src/auth.ts"), row("tests/auth.test.ts"), row("src/jwt.ts"))
    source, test = nodes["src/auth.ts"], nodes["tests/auth.test.ts"]
    assert FileStore(database).twins([source, nodes["src/jwt.ts"]]) == [(source, test)]


def test_other_files_are_twins_of_those_beside_them_only(database: Database) -> None:
    names = ("src/auth.ts", "src/auth.css", "docs/auth.md")
    nodes = save(database, *(row(name, language="typescript" if name.endswith("ts") else None) for name in names))
    source, style = nodes["src/auth.ts"], nodes["src/auth.css"]
    assert set(FileStore(database).twins(nodes.values())) == {(source, style), (style, source)}


def test_a_stem_that_many_share_ties_none(database: Database) -> None:
    nodes = save(database, *(row(f"src/{number}/index.ts") for number in range(9)))
    assert FileStore(database).twins(nodes.values()) == []
