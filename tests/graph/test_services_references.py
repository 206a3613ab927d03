"""What names mean; what is unknown or ambiguous is an error that lists the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.verify import verify
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.ingesting import Ingesting
from tx_graph.graph.references import Node, NodeKind


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.ts", "export function login() {}\n")
    project.index()
    return project


def node(project: Project, text: str, *, below: str = "") -> Node:
    with project.open(below) as workspace:
        return workspace.references.node(text)


def with_uids(project: Project, *uids: str) -> None:
    """Put learnings with these uids into the records, as git would bring them."""
    for number, uid in enumerate(uids):
        record = f"---\nuid: {uid}\ncreated_at: 2026-01-01T00:00:0{number}Z\n---\nLearning of {uid}\n"
        (project.root / ".tx" / "learnings" / f"{uid}-x.md").write_text(record, encoding="utf-8")


def test_a_learning_is_named_by_number_uid_or_unique_prefix(project: Project) -> None:
    stored = project.add("One")
    uid = stored.learning.uid
    for text in ("1", " 1 ", "learning:1", uid, uid.upper(), uid[:6], f"learning:{uid[:5]}"):
        found = node(project, text)
        assert (found.kind, found.key, found.ref) == (NodeKind.LEARNING, uid, "learning:1")


def test_a_prefix_that_several_uids_share_lists_them(project: Project) -> None:
    with_uids(project, "abcd00000000", "abcd11111111")
    with project.open() as workspace, pytest.raises(NotFound) as error:
        workspace.learnings.get("abcd")
    assert sorted(candidate.split(" ")[1] for candidate in error.value.candidates) == [
        "(abcd00000000)",
        "(abcd11111111)",
    ]
    assert node(project, "abcd0").key == "abcd00000000"


def test_a_name_that_is_both_a_uid_prefix_and_a_file_lists_both_as_one_writes_them(project: Project) -> None:
    with_uids(project, "test00000000")
    project.write("test")
    with pytest.raises(NotFound) as error:
        node(project, "test")
    assert error.value.candidates == ("learning:1", "file:test")
    assert [node(project, candidate).kind for candidate in error.value.candidates] == [NodeKind.LEARNING, NodeKind.FILE]


@pytest.mark.parametrize("text", ["99999999", "zzzzzzzz", "learning:zzzzzzzz", "9" * 40])
def test_an_unknown_learning_lists_the_nearest(project: Project, text: str) -> None:
    project.add("Known well")
    with project.open() as workspace, pytest.raises(NotFound) as error:
        workspace.learnings.get(text)
    assert error.value.candidates[0].startswith("1 (")
    assert error.value.candidates[0].endswith("Known well")


@pytest.mark.parametrize("text", ["src/auth.ts", "src/auth.ts::login", "file:1", "a b"])
def test_what_is_no_learning_is_not_taken_for_one(project: Project, text: str) -> None:
    with project.open() as workspace, pytest.raises(NotFound, match="is not a learning"):
        workspace.learnings.get(text)


@pytest.mark.parametrize(
    ("text", "below"),
    [
        ("src/auth.ts", ""),
        ("./src/auth.ts", ""),
        ("file:src/auth.ts", ""),
        ("{root}/src/auth.ts", ""),
        ("auth.ts", "src"),
        ("../src/auth.ts", "src"),
        ("src/auth.ts", "src"),
        ("alias.ts", ""),
    ],
)
def test_a_path_is_understood_from_where_one_stands_and_from_the_root(project: Project, text: str, below: str) -> None:
    (project.root / "alias.ts").symlink_to(project.root / "src/auth.ts")
    assert node(project, text.format(root=project.root), below=below).ref == "src/auth.ts"
    project.write("auth.ts")
    assert node(project, "auth.ts", below="src").ref == "src/auth.ts"  # where one stands comes before the root
    assert node(project, "auth.ts").ref == "auth.ts"


def test_a_deleted_file_is_remembered_but_hides_none_that_exists(project: Project) -> None:
    project.write("auth.ts")
    project.index()
    (project.root / "src/auth.ts").unlink()
    assert node(project, "src/auth.ts").ref == "src/auth.ts"
    assert node(project, "auth.ts", below="src").ref == "auth.ts"


def test_a_file_that_was_never_indexed_has_no_id_yet(project: Project) -> None:
    project.write("src/new.ts")
    assert node(project, "src/new.ts") == Node(kind=NodeKind.FILE, key="src/new.ts", ref="src/new.ts", id=None)


@pytest.mark.parametrize("text", ["auth.ts", "src/auht.ts", "lib/auth.ts"])
def test_an_unknown_path_lists_the_nearest_and_a_directory_is_no_file(project: Project, text: str) -> None:
    with pytest.raises(NotFound) as error:
        node(project, text)
    assert error.value.candidates == ("src/auth.ts",)
    with pytest.raises(NotFound):
        node(project, "src")


def test_a_file_with_a_hash_in_its_name_is_found_although_sections_are_not(project: Project) -> None:
    project.write("notes/c#.md")
    assert node(project, "notes/c#.md").kind is NodeKind.FILE
    with pytest.raises(NotFound, match=r"nothing named 'notes/adr.md#decision'"):
        node(project, "notes/adr.md#decision")


def test_a_section_is_named_by_its_document_and_slug_and_an_unknown_one_lists_the_nearest(project: Project) -> None:
    project.write("docs/adr.md", "# ADR\n\n## Decision\n\nYes.\n\n## Consequences\n\nNone.\n")
    project.git.commit()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()
    found = node(project, "docs/adr.md#decision")
    assert (found.kind, found.ref, found.id is None) == (NodeKind.SECTION, "docs/adr.md#decision", False)
    assert node(project, "adr.md#decision", below="docs") == node(project, "section:docs/adr.md#decision") == found
    with pytest.raises(NotFound) as error:
        node(project, "docs/adr.md#decisoin")
    assert error.value.candidates[0] == "docs/adr.md#decision"


def test_tasks_and_runs_are_named_by_number_or_external_id_and_unknown_ones_list_the_nearest(project: Project) -> None:
    with project.open() as workspace:
        task = workspace.tasks.add("Repair the login", external_id="GH-123")
        run = workspace.runs.start(task="1", agent="claude")
    for text in ("task:1", "task:GH-123", "task:gh-123"):
        assert node(project, text) == Node(kind=NodeKind.TASK, key="1", ref="task:1", id=task.node)
    assert node(project, "run:1") == Node(kind=NodeKind.RUN, key="1", ref="run:1", id=run.node)
    with project.open() as workspace:
        assert workspace.references.text("task:1") == "Repair the login (GH-123)"
        assert workspace.references.text("run:1") == "running, claude, for task 1 (GH-123) Repair the login"
        assert workspace.references.text("src/auth.ts") == ""
    for text, nearest in (("task:7", "1 (GH-123) Repair"), ("run:7", "1 running"), ("task:x", "1 (GH-123) Repair")):
        with pytest.raises(NotFound) as error:
            node(project, text)
        assert error.value.candidates[0].startswith(nearest)


def test_a_commit_is_known_once_it_broke_something(project: Project) -> None:
    project.write("bank.py", "def rate():\n    return 1\n")
    project.git.commit()
    project.add("Rates are one.", "bank.py::rate")
    project.write("bank.py", "def rate():\n    return 2\n")
    commit = project.git.commit()
    with pytest.raises(NotFound):
        node(project, f"commit:{commit}")
    with project.open() as workspace:
        verify(workspace.kernel)
    found = node(project, f"commit:{commit[:7]}")
    assert (found.kind, found.key, found.ref) == (NodeKind.COMMIT, commit, f"commit:{commit[:12]}")


def test_a_symbol_is_known_once_something_is_anchored_to_it(project: Project) -> None:
    project.add("About login", "src/auth.ts::login")
    assert node(project, "src/auth.ts::login").kind is NodeKind.SYMBOL
    assert node(project, "auth.ts::login", below="src").ref == "src/auth.ts::login"
    with pytest.raises(NotFound) as error:
        node(project, "src/other.ts::login")
    assert error.value.candidates == ("src/auth.ts::login",)


@pytest.mark.parametrize(
    "path", ["../secret.txt", "src/../../secret.txt", "/etc/passwd", "link/x", "out.txt", "", "a\0b", "\udce9"]
)
def test_a_path_that_leads_out_or_is_no_text_is_refused(project: Project, tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (project.root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (project.root / "link").symlink_to(tmp_path)
    with project.open() as workspace, pytest.raises((UsageError, NotFound)) as error:
        workspace.references.node(f"file:{path or ' '}")
    assert isinstance(error.value, UsageError) == bool(path)


@pytest.mark.parametrize(
    ("text", "below", "key"),
    [("auth.ts::login", "src", "src/auth.ts::login"), ("src/box.ts::open", "", "src/box.ts::Box::open")],
    ids=["by-its-name", "by-the-end-of-its-name"],
)
def test_a_symbol_that_nothing_is_tied_to_is_found_in_its_file(
    project: Project, text: str, below: str, key: str
) -> None:
    project.write("src/box.ts", "class Box {\n  open() {}\n}\n")
    assert node(project, text, below=below) == Node(kind=NodeKind.SYMBOL, key=key, ref=key, id=None)
    project.add("About it", key)
    found = node(project, text, below=below)
    assert (found.key, found.id is None) == (key, False)
    with pytest.raises(NotFound) as error:
        node(project, "src/auth.ts::logon")
    assert error.value.candidates == ("src/auth.ts::login",)


def test_a_symbol_that_is_gone_is_still_known(project: Project) -> None:
    project.add("About it", "src/auth.ts::login")
    project.write("src/auth.ts", "")
    assert node(project, "src/auth.ts::login").id is not None
