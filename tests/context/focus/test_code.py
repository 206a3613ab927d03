"""Directories, files and symbols in focus: the tree of the repository, and what is declared in it."""

from __future__ import annotations

import pytest

from tests.context.focus.conftest import View, read
from tests.support import Project
from tx_graph.context.focus.focus import focus
from tx_graph.context.focus.values import FocusView
from tx_graph.core.errors import NotFound, UsageError


def order(seen: FocusView) -> list[tuple[str, str]]:
    return [(one.note.ref, one.relationship.value) for one in seen.related]


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


@pytest.mark.parametrize("typed", ["src", "src/", "./src", "directory:src"])
def test_a_directory_can_be_typed_in_several_ways(view: View, typed: str) -> None:
    assert view(typed).focus.ref == "src"


def test_the_root_has_no_parent_and_no_siblings(view: View) -> None:
    seen = view(".")
    assert seen.path == ()
    assert {one.relationship.value for one in seen.related} == {"Child"}
    assert seen.children == ("README.md", "docs", "src")


def test_a_directory_is_understood_from_where_one_stands(project: Project) -> None:
    with project.open(below="src") as workspace:
        assert focus(workspace.kernel, ".").focus.ref == "src"
        assert focus(workspace.kernel, "../docs").focus.ref == "docs"


def test_a_file_and_all_around_it_in_the_order_worked_out_by_hand(view: View) -> None:
    seen = view("src/jwt.py")
    assert seen.focus.details == "class Keys\ndef decode()"
    assert seen.path == (".", "src")
    assert order(seen) == [
        # Layer 1: the directory and the root.
        ("src", "Parent"),
        (".", "ContextAncestor"),
        # Layer 2: the first declaration; nothing before it by name; what comes after; what points here: README first.
        ("src/jwt.py::Keys", "Child"),
        ("src/login.py", "YoungerSibling"),
        ("README.md", "ReferenceBy"),
        # Layer 3: the README lies in the root, which is there. Round 2: the importer is there as a sibling.
        ("src/jwt.py::decode", "Child"),
        ("docs", "ParentSibling"),
        # Layer 4: what lies in the directory beside.
        ("docs/auth.md", "ParentSiblingChild"),
        ("docs/guide.md", "ParentSiblingChild"),
    ]
    assert seen.inbound_references == ("README.md", "src/login.py")


def test_learnings_point_at_their_files_before_documents_and_importers(view: View, project: Project) -> None:
    one = project.add("Keys rotate weekly.", "src/jwt.py")
    other = project.add("Everything here is pure.", "src/*.py")
    assert view("src/jwt.py").inbound_references == (one.ref, other.ref, "README.md", "src/login.py")


def test_a_symbol_shows_its_code_as_it_is_now(view: View, project: Project) -> None:
    project.write("src/jwt.py", "def decode():\n    return 3\n")
    seen = view("src/jwt.py::decode")
    assert seen.focus.details == "def decode():\n    return 3"


def test_a_symbol_lies_in_the_one_around_it_or_in_its_file(view: View) -> None:
    inner = view("src/jwt.py::Keys::rotate")
    assert inner.path == (".", "src", "src/jwt.py", "src/jwt.py::Keys")
    assert inner.focus.parent == ("src/jwt.py::Keys", "Keys")
    outer = view("src/jwt.py::Keys")
    assert outer.focus.parent == ("src/jwt.py", "jwt.py")
    assert outer.children == ("src/jwt.py::Keys::rotate",)
    assert outer.younger_siblings == ("src/jwt.py::decode",)


def test_learnings_and_sections_point_at_symbols(view: View, project: Project) -> None:
    stored = project.add("Decoding is cheap.", "src/jwt.py::decode")
    assert view("src/jwt.py::decode").inbound_references == (stored.ref, "README.md")


def test_a_symbol_that_is_not_indexed_yet_hangs_in_its_file(view: View, project: Project) -> None:
    project.write("src/jwt.py", "def decode():\n    return 2\n\n\ndef encode():\n    return 4\n")
    seen = view("src/jwt.py::encode")
    assert seen.focus.details == "def encode():\n    return 4"
    assert seen.path == (".", "src", "src/jwt.py")


def test_a_file_that_changed_since_the_index_is_marked(view: View, project: Project) -> None:
    project.write("src/jwt.py", "def other():\n    return 2\n")
    marked = [one.note.ref for one in view("src/login.py").related if one.note.marks == {"state": "changed"}]
    assert marked == ["src/jwt.py"]


def test_what_is_unknown_names_the_nearest(view: View) -> None:
    with pytest.raises(NotFound) as caught:
        view("scr/")
    assert "src" in caught.value.candidates
    with pytest.raises(NotFound, match=r"nothing named 'src/jtw\.py'") as caught:
        view("src/jtw.py")
    assert caught.value.candidates[0] == "src/jwt.py"


def test_a_directory_of_which_nothing_is_known_says_so(view: View, project: Project) -> None:
    (project.root / "empty").mkdir()
    with pytest.raises(NotFound, match="Nothing is known of the directory 'empty'"):
        view("empty")


@pytest.mark.parametrize("typed", ["", "../..", "/etc", "docs/\0", "task:1^x"])
def test_nonsense_is_refused(view: View, typed: str) -> None:
    with pytest.raises((NotFound, UsageError)):
        view(typed)


def test_a_task_has_no_place(view: View, project: Project) -> None:
    with project.open() as workspace:
        task = workspace.tasks.add("Rotate keys")
    with pytest.raises(UsageError, match="has no place in a tree"):
        view(task.ref)


def test_a_budget_below_nothing_is_refused(view: View) -> None:
    with pytest.raises(UsageError, match="0 or more"):
        view("src", budget=-1)
