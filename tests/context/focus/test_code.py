"""Directories, files and symbols in focus: the tree of the repository, and what is declared in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.context.focus.conftest import View, order, read
from tests.shelf import Shelf
from tests.support import Project
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.context.focus.focus import focus
from tx_graph.context.focus.store import FocusFiles
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound, UsageError


def test_a_directory_holds_directories_and_files_by_name(view: View, project: Project) -> None:
    project.write("src/a/deep/down.py", "x = 1\n")
    project.write("src/zoo.txt", "Animals.\n")
    read(project)
    seen = view("src/")
    assert (seen.focus.ref, seen.focus.kind, seen.focus.title) == ("src", "directory", "src/")
    assert seen.focus.details == "a/, jwt.py, login.py, zoo.txt"
    assert seen.children == ("src/a", "src/jwt.py", "src/login.py", "src/zoo.txt")
    assert [one.note.kind for one in seen.related if one.note.ref in seen.children] == [
        "directory",
        "file",
        "file",
        "document",
    ]


def test_the_root_has_no_parent_and_no_siblings(view: View) -> None:
    seen = view(".")
    assert seen.path == ()
    assert {one.relationship.value for one in seen.related} == {"Child"}
    assert seen.children == ("README.md", "docs", "src")


@pytest.mark.parametrize(
    ("typed", "below", "ref"),
    [
        ("src", "", "src"),
        ("src/", "", "src"),
        ("./src", "", "src"),
        ("directory:src", "", "src"),
        (".", "src", "src"),
        ("../docs", "src", "docs"),
    ],
)
def test_a_directory_can_be_typed_in_several_ways_and_from_where_one_stands(
    project: Project, typed: str, below: str, ref: str
) -> None:
    with project.open(below) as workspace:
        assert focus(workspace.kernel, typed).focus.ref == ref


def test_a_file_and_all_around_it_in_the_order_worked_out_by_hand(view: View) -> None:
    seen = view("src/jwt.py")
    assert seen.focus.details == "class Keys\ndef decode()"
    assert seen.path == (".", "src")
    assert order(seen) == [
        # It imports nothing. What points here, in turn: documents, and files that use it.
        ("README.md", "ReferenceBy"),
        ("src/login.py", "Importer"),
        # The directory and the root; what it declares. The README lies in the root, which is there.
        ("src", "Parent"),
        (".", "ContextAncestor"),
        ("src/jwt.py::Keys", "Child"),
        ("src/jwt.py::decode", "Child"),
        # All that has to do with it is there: beside it nothing is left, then what is beside its directory, and below.
        ("docs", "ParentSibling"),
        ("docs/auth.md", "ParentSiblingChild"),
        ("docs/guide.md", "ParentSiblingChild"),
    ]
    assert seen.inbound_references == ("README.md", "src/login.py")


def test_learnings_point_at_files_and_symbols_before_documents_and_importers(view: View, project: Project) -> None:
    one = project.add("Keys rotate weekly.", "src/jwt.py")
    other = project.add("Everything here is pure.", "src/*.py")
    third = project.add("Decoding is cheap.", "src/jwt.py::decode")
    assert view("src/jwt.py").inbound_references == (one.ref, third.ref, other.ref, "README.md", "src/login.py")
    assert view("src/jwt.py::decode").inbound_references == (third.ref, "README.md")


def test_a_symbol_lies_in_the_one_around_it_or_in_its_file(view: View) -> None:
    inner, outer = view("src/jwt.py::Keys::rotate"), view("src/jwt.py::Keys")
    assert inner.path == (".", "src", "src/jwt.py", "src/jwt.py::Keys")
    assert inner.focus.parent == ("src/jwt.py::Keys", "Keys")
    assert outer.focus.parent == ("src/jwt.py", "jwt.py")
    assert outer.children == ("src/jwt.py::Keys::rotate",)
    assert outer.younger_siblings == ("src/jwt.py::decode",)


def test_code_that_changed_since_the_index_is_shown_as_it_is_now_and_marked(view: View, project: Project) -> None:
    project.write("src/jwt.py", "def decode():\n    return 3\n\n\ndef encode():\n    return 4\n")
    assert view("src/jwt.py::decode").focus.details == "def decode():\n    return 3"
    unknown = view("src/jwt.py::encode")
    assert (unknown.focus.details, unknown.path) == ("def encode():\n    return 4", (".", "src", "src/jwt.py"))
    marked = [
        one.note.ref
        for one in view("src/login.py").related
        if one.note.marks == {"verdict": "changed", "state": "changed"}
    ]
    assert marked == ["src/jwt.py"]


@pytest.mark.parametrize(
    ("typed", "said", "nearest"),
    [
        ("scr/", None, "src"),
        ("src/jtw.py", r"nothing named 'src/jtw\.py'", "src/jwt.py"),
        ("empty", "Nothing is known of the directory 'empty'", None),
        ("task:1", "has no place in a tree", None),
        ("task:1^x", None, None),
        ("", None, None),
        ("../..", None, None),
        ("/etc", None, None),
        ("docs/\0", None, None),
    ],
)
def test_what_is_unknown_or_has_no_place_is_refused(
    view: View, project: Project, typed: str, said: str | None, nearest: str | None
) -> None:
    (project.root / "empty").mkdir()
    with project.open() as workspace:
        workspace.tasks.add("Rotate keys")
    with pytest.raises((NotFound, UsageError), match=said) as caught:
        view(typed)
    assert nearest is None or nearest == caught.value.candidates[0]
    with pytest.raises(UsageError, match="0 or more"):
        view("src", budget=-1)


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
