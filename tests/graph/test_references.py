"""What names mean; what is unknown or ambiguous is an error that lists the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import Project
from tx_graph.anchors.verify import verify
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.ingesting import Ingesting
from tx_graph.graph.references import Node, NodeKind, Reference, parse_reference


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.ts", "export function login() {}\n")
    project.index()
    return project


def node(project: Project, text: str, *, below: str = "") -> Node:
    with project.open(below) as workspace:
        return workspace.references.node(text)


def test_a_learning_is_named_by_number_uid_or_unique_prefix(project: Project) -> None:
    stored = project.add("One")
    uid = stored.learning.uid
    for text in ("1", " 1 ", "learning:1", uid, uid.upper(), uid[:6], f"learning:{uid[:5]}"):
        found = node(project, text)
        assert (found.kind, found.key, found.ref) == (NodeKind.LEARNING, uid, "learning:1")


def test_a_name_that_several_things_share_lists_them_as_one_writes_them(project: Project) -> None:
    for number, uid in enumerate(("abcd00000000", "abcd11111111", "test00000000")):  # records as git would bring them
        record = f"---\nuid: {uid}\ncreated_at: 2026-01-01T00:00:0{number}Z\n---\nLearning of {uid}\n"
        (project.root / ".tx" / "learnings" / f"{uid}-x.md").write_text(record, encoding="utf-8")
    project.write("test")
    for text, keys in (("abcd", {"abcd00000000", "abcd11111111"}), ("test", {"test00000000", "test"})):
        with pytest.raises(NotFound) as error:
            node(project, text)
        assert {node(project, candidate.split(" ")[0]).key for candidate in error.value.candidates} == keys
    assert error.value.candidates[1] == "file:test"
    with project.open() as workspace, pytest.raises(NotFound) as error:
        workspace.learnings.get("abcd")
    assert {candidate.split(" ")[1] for candidate in error.value.candidates} == {"(abcd00000000)", "(abcd11111111)"}
    assert node(project, "abcd0").key == "abcd00000000"


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


def test_the_file_where_one_stands_comes_before_that_at_the_root_and_one_that_is_gone_after_it(
    project: Project,
) -> None:
    project.write("auth.ts")
    assert node(project, "auth.ts") == Node(kind=NodeKind.FILE, key="auth.ts", ref="auth.ts", id=None)
    assert node(project, "auth.ts", below="src").ref == "src/auth.ts"
    (project.root / "src/auth.ts").unlink()
    assert node(project, "auth.ts", below="src").ref == "auth.ts"
    assert node(project, "src/auth.ts").ref == "src/auth.ts"  # remembered


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
def test_a_symbol_is_found_in_its_file_and_known_for_ever_once_something_is_tied_to_it(
    project: Project, text: str, below: str, key: str
) -> None:
    project.write("src/box.ts", "class Box {\n  open() {}\n}\n")
    assert node(project, text, below=below) == Node(kind=NodeKind.SYMBOL, key=key, ref=key, id=None)
    project.add("About it", key)
    found = node(project, text, below=below)
    assert (found.kind, found.key, found.id is None) == (NodeKind.SYMBOL, key, False)
    project.write(key.partition("::")[0])
    assert node(project, key) == found


@pytest.mark.parametrize("text", ["src/auth.ts::logon", "src/other.ts::login"])
def test_an_unknown_symbol_lists_the_nearest(project: Project, text: str) -> None:
    project.add("About it", "src/auth.ts::login")
    with pytest.raises(NotFound) as error:
        node(project, text)
    assert error.value.candidates == ("src/auth.ts::login",)


@pytest.mark.parametrize(
    ("text", "key"),
    [("Box", "src/box.ts::Box"), ("Box.open", "src/box.ts::Box::open"), ("symbol:Box::open", "src/box.ts::Box::open")],
)
def test_a_symbol_needs_no_path_where_no_other_has_its_name(project: Project, text: str, key: str) -> None:
    project.write("src/box.ts", "class Box {\n  open() {}\n}\n")
    project.index()
    assert node(project, text, below="src").key == key
    assert project.add("About it", text).learning.anchors[0].spec == key
    with project.open() as workspace:
        assert [one.judgement.anchor.spec for one in verify(workspace.kernel, [text]).checked] == [key]


def test_a_name_of_several_symbols_lists_them(project: Project) -> None:
    project.write("src/other.ts", "export function login() {}\n")
    project.index()
    with pytest.raises(NotFound) as error:
        node(project, "login")
    assert error.value.candidates == ("src/auth.ts::login", "src/other.ts::login")


def test_what_a_tracker_calls_a_task_names_it_wherever_a_node_is_named(project: Project) -> None:
    with project.open() as workspace:
        workspace.tasks.add("Repair the login", external_id="GH-123")
    assert node(project, "GH-123") == node(project, "task:1")
    project.write("GH-124")
    assert node(project, "GH-124").kind is NodeKind.FILE
    with pytest.raises(NotFound):
        node(project, "GH-125")


LEARNING, FILE, SYMBOL, SECTION = NodeKind.LEARNING, NodeKind.FILE, NodeKind.SYMBOL, NodeKind.SECTION


@pytest.mark.parametrize(
    ("text", "named", "kinds"),
    [
        ("12", "12", (LEARNING,)),
        ("  12 ", "12", (LEARNING,)),
        ("learning:12", "12", (LEARNING,)),
        ("k7f3", "k7f3", (LEARNING, FILE)),
        ("K7F3Q0", "K7F3Q0", (LEARNING, FILE)),
        ("k7f", "k7f", (FILE,)),
        ("learning:k7f", "k7f", (LEARNING,)),
        ("src/auth.ts", "src/auth.ts", (FILE,)),
        ("file:12", "12", (FILE,)),
        ("file:learning:12", "learning:12", (FILE,)),
        ("src/auth.ts::AuthService::login", "src/auth.ts::AuthService::login", (SYMBOL,)),
        ("docs/adr/003.md#decision-2", "docs/adr/003.md#decision-2", (SECTION, FILE)),
        ("entity:DuckDB", "DuckDB", (NodeKind.ENTITY,)),
        ("task:7", "7", (NodeKind.TASK,)),
        ("run:9", "9", (NodeKind.RUN,)),
        ("commit:1a2b3c4", "1a2b3c4", (NodeKind.COMMIT,)),
        ("learning:", "learning:", (FILE,)),
        ("C:\\src\\a.ts", "C:\\src\\a.ts", (FILE,)),
        ("१२", "१२", (FILE,)),
    ],
)
def test_the_form_of_a_reference_says_what_it_can_name(text: str, named: str, kinds: tuple[NodeKind, ...]) -> None:
    assert parse_reference(text) == Reference(text=named, kinds=kinds)


@pytest.mark.parametrize(("text", "expected"), [("12", True), ("learning:007", True), ("k7f3", False), ("१२", False)])
def test_only_ascii_digits_are_a_local_number(text: str, expected: bool) -> None:
    assert parse_reference(text).is_number is expected


@pytest.mark.parametrize("text", ["caf\udce9", "learning:\udce9", "src/a.ts::\udce9"])
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_reference(text)


@settings(deadline=None)
@given(st.text())
def test_any_text_names_at_least_one_kind_of_thing(text: str) -> None:
    assert parse_reference(text).kinds
