"""What lies in a directory is told from paths alone, without reading all that lies deeper."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.shelf import Shelf
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.context.focus.store import FocusFiles
from tx_graph.core.database import Database


def save(database: Database, *paths: str) -> None:
    with database.transaction():
        FileStore(database).save(FileRow(path=path, language=None, size=1, mtime_ns=1) for path in paths)


def names(database: Database, directory: str = "", *, most: int | None = None) -> list[str]:
    found = FocusFiles(database).entries(directory, most=most)
    return [f"{entry.name}/" if entry.is_directory else entry.name for entry in found]


def test_directories_and_files_are_in_the_order_of_their_names_and_documents_that_no_index_has_seen_among_them(
    database: Database,
) -> None:
    save(database, "src/a.py", "src/a/x.py", "src/a-b/x.py", "src/z", "srcs/x", "a")
    found = {directory: names(database, directory) for directory in ("", "src", "src/a", "none")}
    assert found == {"": ["a", "src/", "srcs/"], "src": ["a/", "a-b/", "a.py", "z"], "src/a": ["x.py"], "none": []}
    nodes = Shelf(database).document("src/a/a.md", {"s": "text"})
    entries = FocusFiles(database).entries("src/a")
    assert [(entry.path, entry.document) for entry in entries] == [("src/a/a.md", nodes[""]), ("src/a/x.py", None)]


@pytest.mark.parametrize("most", [1, 2, 70, 200])
def test_no_more_are_read_than_asked_for(database: Database, most: int) -> None:
    save(database, *(f"many/{number:03}" for number in range(150)), *(f"many/d{number:03}/x" for number in range(50)))
    assert names(database, "many", most=most) == names(database, "many")[:most]


SEGMENTS = st.sampled_from(["a", "b", "a-b", "a.b", "a b", "é", "z", "0"])
PATHS = st.lists(SEGMENTS, min_size=1, max_size=4).map("/".join)


@pytest.mark.slow
@example({"a", "a/b", "a/b/z", "b"}, {"a"})
@given(st.sets(PATHS, max_size=150), st.sets(PATHS, max_size=20))
def test_it_is_what_the_paths_say(paths: set[str], asked: set[str]) -> None:
    with Database.in_memory(Path("graph.db")) as database:
        save(database, *paths)
        for directory in ("", *asked):
            low = f"{directory}/" if directory else ""
            below = [path.removeprefix(low) for path in paths if path.startswith(low)]
            expected = {path.partition("/")[0] for path in below}
            assert {entry.name for entry in FocusFiles(database).entries(directory)} == expected
