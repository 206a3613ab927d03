"""Pieces of files: cut where declarations begin, read again when a file changed, found in any spelling."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.code.chunk_store import CodeChunkStore, Cut, UnreadFile
from tx_graph.code.chunks import called, cut
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.core.database import Database
from tx_graph.core.identifiers import expanded
from tx_graph.graph.edges import NodeId
from tx_graph.graph.word_store import TextSearch


def index(database: Database, *paths: str, size: int = 1, mtime_ns: int = 5) -> dict[str, NodeId]:
    with database.transaction():
        return FileStore(database).save(
            FileRow(path=path, language=None, size=size, mtime_ns=mtime_ns) for path in paths
        )


def read(database: Database, *, mtime_ns: int = 5, **texts: str) -> dict[str, NodeId]:
    """Index files `a`, `b`, … and take their words."""
    nodes = index(database, *texts, mtime_ns=mtime_ns)
    store = CodeChunkStore(database)
    with database.transaction():
        store.replace(((file, piece(texts[file.path])) for file in store.unread("1")), version="1")
    return nodes


def piece(text: str) -> Cut:
    return Cut([(1, 9)], [expanded(text, {})], "")


def cut_files(database: Database) -> int:
    """Return how many files there are in pieces, and see to it that the index is as sound as SQLite can tell."""
    database.write("INSERT INTO code_words (code_words) VALUES ('integrity-check')")
    return int(database.value("SELECT count(*) FROM chunked_files"))


def found(database: Database, text: str, *, limit: int = 10) -> list[NodeId]:
    hits = CodeChunkStore(database).search(text, limit=limit)
    assert all(hit.score > 0 and hit[2:4] == (1, 9) for hit in hits)
    return [hit.file for hit in hits]


def test_a_file_is_unread_until_it_is_cut_by_the_rules_of_today(database: Database) -> None:
    nodes = index(database, "a")
    store = CodeChunkStore(database)
    assert store.unread("1") == [UnreadFile(nodes["a"], "a", 1, 5)]
    with database.transaction():
        store.replace(((file, Cut([], [], "")) for file in store.unread("1")), version="1")
    assert (store.unread("1"), len(store.unread("2"))) == ([], 1)
    assert cut_files(database) == 1


@pytest.mark.parametrize(("size", "mtime_ns"), [(2, 5), (1, 6), (1, -1)])
def test_a_file_that_changed_or_was_too_young_to_tell_is_unread(database: Database, size: int, mtime_ns: int) -> None:
    read(database, a="one", b="two")
    index(database, "a", size=size, mtime_ns=mtime_ns)
    assert [file.path for file in CodeChunkStore(database).unread("1")] == ["a"]


def test_new_words_take_the_place_of_the_old(database: Database) -> None:
    nodes = read(database, a="before")
    read(database, a="after", mtime_ns=6)
    assert (found(database, "before"), found(database, "after"), cut_files(database)) == ([], [nodes["a"]], 1)


def test_what_is_indexed_no_more_is_forgotten(database: Database) -> None:
    read(database, a="word", b="word")
    with database.transaction():
        FileStore(database).remove(["a"])
        CodeChunkStore(database).forget_gone()
    assert len(found(database, "word")) == cut_files(database) == 1


def test_words_are_found_in_any_spelling(database: Database) -> None:
    nodes = read(database, a="def validateToken(): pass", b="数据库连接", c="other words")
    for text in ("validateToken", "validate_token", "tokens", "VALIDATE"):
        assert found(database, text)[0] == nodes["a"]
    assert found(database, "数据库") == [nodes["b"]]


def test_the_words_that_were_found_are_told_those_of_fewest_files_first(database: Database) -> None:
    nodes = read(database, a="install golang", b="install windows golang", c="install")
    shared = CodeChunkStore(database).shared("Installing golang on windows: how?", list(nodes.values()))
    assert shared == {
        nodes["a"]: ["golang", "installing"],
        nodes["b"]: ["windows", "golang", "installing"],
        nodes["c"]: ["installing"],
    }
    assert CodeChunkStore(database).shared("golang", [nodes["c"]]) == {}
    assert CodeChunkStore(database).shared("golang", []) == {}


def test_the_words_of_paths_are_told_too(database: Database) -> None:
    nodes = index(database, "languages/golang.py", "install_uninstall.py")
    golang, install = nodes["languages/golang.py"], nodes["install_uninstall.py"]
    shared = TextSearch(database).path_words("golang installs", [golang, install])
    assert shared == {golang: ["golang"], install: ["installs"]}


@pytest.mark.parametrize("text", ["", '"', "(", "a OR", "NEAR(", "*", "rowid:", "\0", "\ud800", "🚀", "x" * 100_000])
def test_a_question_that_is_no_words_finds_nothing_and_breaks_nothing(database: Database, text: str) -> None:
    read(database, a="word")
    assert found(database, text) == []
    assert CodeChunkStore(database).shared(text, [1]) == {}


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.text(max_size=300))
def test_a_piece_that_is_found_by_a_text_shares_words_with_it(database: Database, text: str) -> None:
    read(database, a=text, b="something else", mtime_ns=-1)
    store = CodeChunkStore(database)
    pieces = [hit.number for hit in store.search(text, limit=9)]
    assert store.shared(text, pieces).keys() == {*pieces}


FUNCTION = ["# What it does", "def name():", *["    pass"] * 9, ""]


@pytest.mark.parametrize(
    ("lines", "starts", "pieces"),
    [
        ([""], [], [(1, 1)]),
        (["x"] * 100, [], [(1, 45), (46, 90), (91, 100)]),
        (["x" * 500] * 5, [], [(1, 2), (3, 5)]),
        (["x" * 5000] * 2, [], [(1, 1), (2, 2)]),
        (FUNCTION * 2, [2, 14], [(1, 24)]),
        (["x" * 990, *FUNCTION * 2], [3, 15], [(1, 13), (14, 25)]),
        (["x"] * 91, [1, 50], [(1, 91)]),
        (["y" * 30] * 120, [61], [(1, 38), (39, 60), (61, 98), (99, 120)]),
    ],
)
def test_pieces_begin_where_declarations_do_and_are_no_larger_than_a_screen(
    lines: list[str], starts: list[int], pieces: list[tuple[int, int]]
) -> None:
    assert cut(lines, starts) == pieces


@given(st.lists(st.sampled_from(["", "x", "# note", "y" * 400, "z" * 3000]), min_size=1), st.lists(st.integers(1, 40)))
def test_pieces_are_the_whole_text_in_order(lines: list[str], starts: list[int]) -> None:
    pieces = cut(lines, starts)
    assert [line for first, last in pieces for line in range(first, last + 1)] == [*range(1, len(lines) + 1)]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/auth.py", ("auth", "b")),
        ("src/http/mod.rs", ("http", "src")),
        ("index.ts", ("index", "")),
        (".env", (".env", "")),
    ],
)
def test_a_file_without_a_name_of_its_own_is_called_like_its_directory(path: str, name: tuple[str, str]) -> None:
    assert called(path) == name
