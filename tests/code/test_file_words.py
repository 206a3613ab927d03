"""The words of files as rows: read again when a file changed, found in any spelling, and told one by one."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.code.file_store import FileRow, FileStore, FileWordStore, UnreadFile
from tx_graph.core.database import Database
from tx_graph.core.identifiers import distinct_words
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
    store = FileWordStore(database)
    with database.transaction():
        store.replace((file, distinct_words(texts[file.path], most=999, splits={})) for file in store.unread())
    return nodes


def found(database: Database, text: str, *, limit: int = 10) -> list[NodeId]:
    hits = FileWordStore(database).search(text, limit=limit)
    assert all(score > 0 for _, score in hits)
    return [node for node, _ in hits]


def test_a_file_is_unread_until_its_words_are_taken(database: Database) -> None:
    nodes = index(database, "a")
    store = FileWordStore(database)
    assert store.unread() == [UnreadFile(nodes["a"], "a", 1, 5)]
    with database.transaction():
        store.replace((file, "") for file in store.unread())
    assert store.unread() == []
    assert database.value("SELECT count(*) FROM worded_files") == 1


@pytest.mark.parametrize(("size", "mtime_ns"), [(2, 5), (1, 6), (1, -1)])
def test_a_file_that_changed_or_was_too_young_to_tell_is_unread(database: Database, size: int, mtime_ns: int) -> None:
    read(database, a="one", b="two")
    index(database, "a", size=size, mtime_ns=mtime_ns)
    assert [file.path for file in FileWordStore(database).unread()] == ["a"]


def test_new_words_take_the_place_of_the_old(database: Database) -> None:
    nodes = read(database, a="before")
    read(database, a="after", mtime_ns=6)
    assert (found(database, "before"), found(database, "after")) == ([], [nodes["a"]])


def test_what_is_indexed_no_more_is_forgotten(database: Database) -> None:
    read(database, a="word", b="word")
    with database.transaction():
        FileStore(database).remove(["a"])
        FileWordStore(database).forget_gone()
    assert len(found(database, "word")) == database.value("SELECT count(*) FROM worded_files") == 1


def test_words_are_found_in_any_spelling(database: Database) -> None:
    nodes = read(database, a="def validateToken(): pass", b="数据库连接", c="other words")
    for text in ("validateToken", "validate_token", "tokens", "VALIDATE"):
        assert found(database, text)[0] == nodes["a"]
    assert found(database, "数据库") == [nodes["b"]]


def test_the_words_that_were_found_are_told_those_of_fewest_files_first(database: Database) -> None:
    nodes = read(database, a="install golang", b="install windows golang", c="install")
    shared = FileWordStore(database).shared("Installing golang on windows: how?", list(nodes.values()))
    assert shared == {
        nodes["a"]: ["golang", "installing"],
        nodes["b"]: ["windows", "golang", "installing"],
        nodes["c"]: ["installing"],
    }
    assert FileWordStore(database).shared("golang", [nodes["c"]]) == {}
    assert FileWordStore(database).shared("golang", []) == {}


def test_the_words_of_paths_are_told_too(database: Database) -> None:
    nodes = index(database, "languages/golang.py", "install_uninstall.py")
    golang, install = nodes["languages/golang.py"], nodes["install_uninstall.py"]
    shared = TextSearch(database).path_words("golang installs", [golang, install])
    assert shared == {golang: ["golang"], install: ["installs"]}


@pytest.mark.parametrize("text", ["", '"', "(", "a OR", "NEAR(", "*", "rowid:", "\0", "\ud800", "🚀", "x" * 100_000])
def test_a_question_that_is_no_words_finds_nothing_and_breaks_nothing(database: Database, text: str) -> None:
    read(database, a="word")
    assert found(database, text) == []
    assert FileWordStore(database).shared(text, [1]) == {}


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.text(max_size=300))
def test_a_file_that_is_found_by_a_text_shares_words_with_it(database: Database, text: str) -> None:
    nodes = read(database, a=text, b="something else", mtime_ns=-1)
    for node in found(database, text):
        assert FileWordStore(database).shared(text, list(nodes.values()))[node]
