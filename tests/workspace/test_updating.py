"""What commands that read take in first: whatever was done to the repository, nothing differs from a fresh index."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import Project
from tx_graph import Workspace as SdkWorkspace
from tx_graph import open_workspace as open_sdk
from tx_graph.core.database import Database
from tx_graph.core.place import place_of
from tx_graph.core.ports import alike, no_progress
from tx_graph.core.shape import as_json
from tx_graph.workspace import open_kernel
from tx_graph.workspace.maintaining import maintain
from tx_graph.workspace.renewal import sync
from tx_graph.workspace.updating import Updating

EVERYTHING = "files documents history"
TOLD = {
    "files": "SELECT path, language, size, content_hash, problem FROM files",
    "symbols": "SELECT f.path, s.name, s.kind, s.line_start FROM symbols s JOIN files f ON f.node_id = s.file",
    "edges": """
        SELECT e.type, a.key, b.key, round(e.weight, 6)
        FROM graph_edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target
        WHERE (a.kind <> 'file' OR a.id IN (SELECT node_id FROM files))
          AND (b.kind <> 'file' OR b.id IN (SELECT node_id FROM files))
    """,
    "documents": "SELECT path, title, content_hash FROM documents",
    "sections": "SELECT n.key, s.content_hash FROM sections s JOIN nodes n ON n.id = s.node_id",
    "words": "SELECT f.path, c.line_start, c.line_end FROM code_chunks c JOIN files f ON f.node_id = c.file",
    "cards": "SELECT f.path, c.text FROM file_cards c JOIN files f ON f.node_id = c.id",
    "commits": "SELECT c.sha, c.files FROM commits c",
}
"""What answers are made of, by names instead of numbers."""


def told(database: Database) -> dict[str, list[tuple[object, ...]]]:
    return {name: sorted(database.rows(statement), key=repr) for name, statement in TOLD.items()}


def update(project: Project, wanted: str = EVERYTHING) -> Updating:
    with open_kernel(place_of(project.root), clock=project.clock) as kernel:
        updating = kernel.one(Updating)
        updating.run(wanted, {})
        return updating


def sync_all(project: Project, database: Path | None = None) -> dict[str, list[tuple[object, ...]]]:
    opened = Database.open(database) if database else None
    with open_kernel(place_of(project.root), clock=project.clock, database=opened) as kernel:
        sync(kernel, stages=alike(no_progress))
        return told(kernel.database)


def begun(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(directory, monkeypatch)
    project.configure('embedder = "none"', "cochanges.min_support = 1")
    project.write("a.py", "import b\n\n\ndef one(): ...\n")
    project.write("b.py", "def two(): ...\n")
    project.write("docs/g.md", "# Guide\n\nSee `two` in [b](../b.py).\n")
    project.git.git("add", "-A")
    project.git.git("commit", "-qm", "begin")
    sync_all(project)
    return project


PATHS = ("a.py", "b.py", "lib/c.py", "d.ts", "docs/g.md", "docs/h.md", "data.txt")
STEP = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("delete"), st.sampled_from(PATHS), st.just("")),
    st.tuples(st.sampled_from(["commit", "reset", "merge", "read", "amend"]), st.just(""), st.just("")),
    st.tuples(st.just("switch"), st.sampled_from(["main", "other", "third"]), st.just("")),
)
RENAME = st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(PATHS))


def text_of(path: str, other: str, number: int) -> str:
    name = Path(other).stem
    if path.endswith(".py"):
        return f"import {name}\n\n\ndef {name}_{number}():\n    return {number}\n"
    if path.endswith(".ts"):
        return f"import {{ x }} from './{name}';\nexport const {name}{number} = {number};\n"
    return f"# Part {number}\n\nSee [{name}](/{other}) and `{name}_{number - 1}`.\n"


def take(project: Project, step: tuple[str, str, str], number: int) -> None:
    git = project.git.git
    match step:
        case ("write", path, other):
            project.write(path, text_of(path, other, number))
        case ("delete", path, _):
            (project.root / path).unlink(missing_ok=True)
        case ("rename", path, other) if (project.root / path).exists() and path != other:
            (project.root / other).parent.mkdir(exist_ok=True)
            (project.root / path).replace(project.root / other)
        case ("commit" | "amend" as how, _, _):
            git("add", "-A")
            git("commit", "-qm", f"change {number}", "--allow-empty", *(["--amend"] if how == "amend" else []))
        case ("switch", branch, _):
            git("add", "-A")
            git("commit", "-qm", f"leave {number}", "--allow-empty")
            git("checkout", "-q", *([] if git("branch", "--list", branch) else ["-b"]), branch)
        case ("merge", _, _):
            git("add", "-A")
            git("commit", "-qm", f"before {number}", "--allow-empty")
            others = [one for one in git("branch", "--format=%(refname:short)").split() if one != "main"]
            if others:
                git("merge", "-q", "-X", "ours", "-m", f"merge {number}", "-s", "ours", others[0])
        case ("reset", _, _):
            git("reset", "-q", "--hard", "HEAD")
        case ("read", _, _):
            update(project)


def _holds(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, str, str]]) -> None:
    with TemporaryDirectory() as directory:
        project = begun(Path(directory), monkeypatch)
        for number, step in enumerate(steps, start=100):
            take(project, step, number)
        updating = update(project)
        assert updating.left == []
        with open_kernel(place_of(project.root), clock=project.clock) as kernel:
            mine = told(kernel.database)
        assert mine == sync_all(project, Path(directory) / "fresh.db")


@settings(max_examples=8)
@given(steps=st.lists(STEP, max_size=12))
def test_no_answer_differs_from_that_of_a_fresh_index(steps: list[tuple[str, str, str]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _holds(monkeypatch, steps)


@pytest.mark.slow
@settings(max_examples=60)
@given(steps=st.lists(STEP, max_size=30))
def test_nor_after_many_more_changes(steps: list[tuple[str, str, str]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        _holds(monkeypatch, steps)


def answers(workspace: SdkWorkspace) -> dict[str, object]:
    """Return what depends on which files and documents there are, as an SDK's user reads it."""
    page = workspace.context("guide two", files=("lib", "*.py"), budget=2_000)
    return {
        "learnings": [(one.stored.id, one.standing) for one in workspace.learnings.search("guides").results],
        "symbols": workspace.graph.symbols().symbols,
        "imports": workspace.graph.all_imports(),
        "sections": sorted(one.unit.ref for one in workspace.documents.search("part guide two").results),
        "page": page.text,
    }


@settings(max_examples=8)
@given(steps=st.lists(st.one_of(STEP, RENAME), min_size=1, max_size=8))
def test_a_workspace_kept_open_answers_like_one_opened_just_now(steps: list[tuple[str, str, str]]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch, TemporaryDirectory() as directory:
        project = begun(Path(directory), monkeypatch)
        for anchor in ("*.py", "docs/g.md", "lib/**"):
            project.add(f"Of guides: {anchor}", *([anchor] if list(project.root.glob(anchor)) else []))
        with open_sdk(project.root, clock=project.clock) as kept:
            answers(kept)
            for number, step in enumerate(steps, start=100):
                take(project, step, number)
                mine = answers(kept)  # first, for the other takes in what this one would miss
                with open_sdk(project.root, clock=project.clock) as new:
                    assert mine == answers(new)


def test_the_weekly_job_does_what_its_commands_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = begun(tmp_path, monkeypatch)
    project.write("b.py", "def three(): ...\n")
    with open_kernel(place_of(project.root), clock=project.clock) as kernel:
        done = maintain(kernel, stages=alike(no_progress))
        assert (done.renewed.index.read, done.facts.looked_at, done.verified.checked) == (1, 0, ())
        assert sorted(as_json(done)) == ["facts", "proposals", "sync", "telemetry", "verify"]
    assert update(project).told == ""


def test_what_is_taken_in_is_told_and_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = begun(tmp_path, monkeypatch)
    project.write("b.py", "def three(): ...\n")
    project.configure('embedder = "none"', 'update = "none"')
    assert update(project).told == ""
    project.configure('embedder = "none"')
    assert update(project).told == "Up to date first: 1 file."
    assert update(project).told == ""


def test_what_would_take_long_is_left_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = begun(tmp_path, monkeypatch)
    for number in range(250):
        project.write(f"many/{number}.md", f"# {number}\n")
    project.git.git("add", "-A")
    updating = update(project)
    assert updating.told == ""
    (told,) = updating.notices  # what was written within 50 ms of being read has to be looked at again, too
    assert re.fullmatch(r"Documents are behind the working tree: 25[01] of them have to be read; run 'tx sync'\.", told)


def test_an_edit_that_asks_for_the_same_keeps_what_was_unresolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = begun(tmp_path, monkeypatch)
    project.write("a.py", "import b\nimport nowhere.at_all\n")
    with open_sdk(project.root, clock=project.clock) as workspace:
        before = workspace.graph.unresolved_imports(), workspace.graph.all_imports()
        project.write("a.py", "import b\nimport nowhere.at_all\n\n\ndef more(): ...\n")
        assert (workspace.graph.unresolved_imports(), workspace.graph.all_imports()) == before
        assert "more" in {one.name for one in workspace.graph.symbols().symbols}
