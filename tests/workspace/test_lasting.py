"""A workspace that lives long answers like one that was opened just now."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.anchors.verify import verify
from tx_graph.context.page import ContextRequest, Markdown
from tx_graph.context.search import Query
from tx_graph.core.errors import NotInitialised, StorageError, UsageError
from tx_graph.core.text import by_characters
from tx_graph.documents.ingesting import Ingesting
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.workspace import prepare
from tx_graph.workspace.lasting import LastingWorkspace


@contextmanager
def use(lasting: LastingWorkspace) -> Iterator[Workspace]:
    """Hand out the use cases of a workspace as it is now."""
    with lasting.kernel() as kernel:
        yield kernel.one(Workspace)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.py", "def login():\n    return 1\n")
    project.git.commit("src/auth.py")
    project.index()
    project.add("Rotate keys weekly", "src/auth.py::login")
    return project


@pytest.fixture
def lasting(project: Project) -> Iterator[LastingWorkspace]:
    lasting = LastingWorkspace(project.root, clock=project.clock)
    yield lasting
    lasting.close()


def found(workspace: Workspace, text: str = "keys") -> list[tuple[str, str]]:
    answer = workspace.search.run(Query(text=text))
    return [(one.stored.learning.content, one.standing.value) for one in answer.results]


def seen(lasting: LastingWorkspace) -> list[tuple[str, str]]:
    """Use the workspace once, and return what it finds."""
    with use(lasting) as workspace:
        return found(workspace)


def record(project: Project) -> Path:
    return next((project.root / ".tx" / "learnings").glob("*.md"))


def test_nothing_is_opened_before_it_is_used(tmp_path: Path) -> None:
    LastingWorkspace(tmp_path).close()


def test_without_a_workspace_it_says_so_until_there_is_one(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    lasting = LastingWorkspace(tmp_path)
    for _ in range(2):
        with pytest.raises(NotInitialised), use(lasting):
            pass
    prepare(tmp_path)
    with use(lasting) as workspace:
        assert workspace.root == tmp_path.resolve()
    lasting.close()


def test_one_use_inside_another_has_the_same_workspace(lasting: LastingWorkspace) -> None:
    with use(lasting) as outer, use(lasting) as inner:
        assert inner is outer


def test_a_use_that_fails_leaves_it_usable(lasting: LastingWorkspace) -> None:
    with pytest.raises(UsageError), use(lasting) as workspace:
        workspace.search.run(Query(text="keys", limit=-1))
    assert seen(lasting)


def test_a_record_that_another_process_wrote_is_there_at_next_use(project: Project, lasting: LastingWorkspace) -> None:
    assert len(seen(lasting)) == 1
    project.add("Never log keys")
    assert len(seen(lasting)) == 2


def test_a_record_that_was_edited_in_place_is_read_again(project: Project, lasting: LastingWorkspace) -> None:
    seen(lasting)
    path = record(project)
    path.write_text(path.read_text(encoding="utf-8").replace("weekly", "every single day"), encoding="utf-8")
    assert seen(lasting) == [("Rotate keys every single day", "fresh")]


def test_of_many_records_those_that_came_went_or_were_replaced_are_seen_at_once(
    project: Project, lasting: LastingWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(lasting)
    monkeypatch.setattr("tx_graph.workspace.lasting._FEW_RECORDS", -1)
    monkeypatch.setattr("tx_graph.workspace.lasting._OFTEN", 1_000_000.0)
    first = record(project)
    project.add("Never log keys")
    with use(lasting) as workspace:
        assert len(found(workspace)) == 2
        workspace.learnings.add_draft(Draft(content="Own keys"))
    replacement = first.with_suffix(".tmp")
    replacement.write_text(first.read_text(encoding="utf-8").replace("weekly", "daily"), encoding="utf-8")
    replacement.replace(first)
    assert "Rotate keys daily" in dict(seen(lasting))
    first.unlink()
    assert sorted(dict(seen(lasting))) == ["Never log keys", "Own keys"]


def test_of_many_records_one_that_was_edited_in_place_is_seen_after_a_while(
    project: Project, lasting: LastingWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(lasting)
    monkeypatch.setattr("tx_graph.workspace.lasting._FEW_RECORDS", -1)
    path = record(project)
    path.write_text(path.read_text(encoding="utf-8").replace("weekly", "every single day"), encoding="utf-8")
    monkeypatch.setattr("tx_graph.workspace.lasting._OFTEN", 0.0)
    assert seen(lasting) == [("Rotate keys every single day", "fresh")]


def test_code_that_changed_between_two_uses_is_seen(project: Project, lasting: LastingWorkspace) -> None:
    assert seen(lasting) == [("Rotate keys weekly", "fresh")]
    project.write("src/auth.py", "def login():\n    return 2\n")
    assert seen(lasting) == [("Rotate keys weekly", "drifted:body")]


def test_an_anchor_is_taken_of_the_code_as_it_is_now(project: Project, lasting: LastingWorkspace) -> None:
    draft = Draft(content="First", anchors=[parse_anchor("src/auth.py::login")])
    with use(lasting) as workspace:
        workspace.learnings.add_draft(draft)
    project.write("src/auth.py", "def logout():\n    return 2\n")
    with use(lasting) as workspace:
        second = Draft(content="Second", anchors=[parse_anchor("src/auth.py::logout")])
        assert workspace.learnings.add_draft(second).stored.learning.anchors[0].symbol == "logout"


def test_a_new_commit_is_part_of_history(project: Project, lasting: LastingWorkspace) -> None:
    project.write("src/auth.py", "def login():\n    return 2\n")
    with use(lasting) as workspace:
        assert verify(workspace.kernel, ["src/auth.py"]).checked[0].change is None
    commit = project.git.commit("src/auth.py")
    with use(lasting) as workspace:
        change = verify(workspace.kernel, ["src/auth.py"]).checked[0].change
    assert change is not None
    assert change.commit == commit


def test_settings_hold_from_the_next_use_on(project: Project, lasting: LastingWorkspace) -> None:
    with use(lasting) as workspace:
        assert workspace.config.texts("facts.single_valued") != ("owner",)
    project.configure('embedder = "none"', "[facts]", 'single_valued = ["owner"]')
    with use(lasting) as workspace:
        assert workspace.config.texts("facts.single_valued") == ("owner",)


def test_broken_settings_are_told_and_mending_them_helps(project: Project, lasting: LastingWorkspace) -> None:
    seen(lasting)
    project.configure("nonsense")
    with pytest.raises(UsageError), use(lasting):
        pass
    project.configure('embedder = "none"')
    assert seen(lasting)


def test_a_database_that_was_deleted_is_built_again(project: Project, lasting: LastingWorkspace) -> None:
    seen(lasting)
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
    assert len(seen(lasting)) == 1
    assert (project.root / ".tx" / "graph.db").exists()


def test_what_is_written_after_the_database_was_replaced_is_kept(project: Project, lasting: LastingWorkspace) -> None:
    with use(lasting) as workspace:
        workspace.tasks.add("Before")
    (project.root / ".tx" / "graph.db").rename(project.root / "aside.db")
    for file in (project.root / ".tx").glob("graph.db-*"):
        file.unlink()
    with use(lasting) as workspace:
        workspace.tasks.add("After")
    with project.open() as workspace:
        assert [task.title for task in workspace.tasks.list(limit=9)] == ["After", "Before"]


@pytest.mark.parametrize(
    "copy", [os.replace, lambda new, old: old.write_bytes(new.read_bytes())], ids=["moved", "copied"]
)
def test_a_log_that_was_left_is_not_taken_for_that_of_another_database(
    project: Project,
    lasting: LastingWorkspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    copy: Callable[[Path, Path], object],
) -> None:
    (tmp_path / "other").mkdir()
    other = Project(tmp_path / "other", monkeypatch)
    other.write("src/auth.py", "def logout():\n    return 1\n")
    other.add("Never log tokens", "src/auth.py")
    with use(lasting) as workspace:
        workspace.tasks.add("Written to the log")
    copy(other.root / ".tx" / "graph.db", project.root / ".tx" / "graph.db")
    with pytest.raises(StorageError, match="is the database of"), use(lasting):
        pass
    (project.root / ".tx" / "graph.db").unlink()
    assert seen(lasting) == [("Rotate keys weekly", "fresh")]


def test_a_directory_that_went_is_said_to_be_gone(project: Project, lasting: LastingWorkspace) -> None:
    seen(lasting)
    shutil.rmtree(project.root / ".tx")
    with pytest.raises(NotInitialised), use(lasting):
        pass


def test_a_database_of_a_newer_schema_is_left_alone(project: Project, lasting: LastingWorkspace) -> None:
    with use(lasting) as workspace:
        workspace._database.write("PRAGMA user_version = 4711")
    with pytest.raises(StorageError, match="newer"), use(lasting):
        pass


def children() -> set[str] | None:
    """Return the processes that this one has, other tests' too; None where the system does not say."""
    told = Path(f"/proc/self/task/{os.getpid()}/children")
    return set(told.read_text(encoding="ascii").split()) if told.exists() else None


def test_no_process_outlives_the_use_that_asked_history(project: Project, lasting: LastingWorkspace) -> None:
    project.write("src/auth.py", "def login():\n    return 2\n")
    project.git.commit("src/auth.py")
    before = children()
    with use(lasting) as workspace:
        verify(workspace.kernel)
        if before is not None:
            assert children() != before
    seen(lasting)
    assert children() == before


def test_threads_take_turns(project: Project, lasting: LastingWorkspace) -> None:
    problems: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(20):
                with use(lasting) as workspace:
                    assert found(workspace)
        except BaseException as error:  # noqa: BLE001 - whatever goes wrong in a thread is to fail the test
            problems.append(error)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for number in range(5):
        project.add(f"Written meanwhile {number}")
    for thread in threads:
        thread.join()
    assert not problems


def touch_code(project: Project, random: Random) -> None:
    body = "".join(f"def f{n}():\n    return {random.randrange(3)}\n" for n in range(random.randrange(1, 4)))
    project.write(random.choice(["src/auth.py", "src/jwt.py", "src/new.py"]), body)


def write_learning(project: Project, random: Random) -> None:
    project.add(f"About keys and f{random.randrange(3)}, number {random.randrange(1_000)}", "src/auth.py")


def edit_record(project: Project, random: Random) -> None:
    path = random.choice(sorted((project.root / ".tx" / "learnings").glob("*.md")))
    path.write_text(path.read_text(encoding="utf-8") + f"More of {random.randrange(99)}.\n", encoding="utf-8")


def commit(project: Project, random: Random) -> None:
    project.git.git("add", "-A")
    project.git.git("commit", "-q", "--allow-empty", "-m", f"Change keys {random.randrange(99)}")


def index(project: Project, random: Random) -> None:
    project.index()


def state_fact(project: Project, random: Random) -> None:
    project.write(f"docs/adr/{random.randrange(3)}.md", f"# Keys\n\nStatus: v{random.randrange(9)}\n\nAbout keys.\n")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run([])


ACTS: list[Callable[[Project, Random], None]] = [touch_code, write_learning, edit_record, commit, index, state_fact]


def answers(workspace: Workspace) -> list[object]:
    request = ContextRequest(text="keys", files=("src/auth.py",))
    return [
        verify(workspace.kernel).summary(),  # first: it writes what it saw
        workspace.context.page(request, Markdown(), count=by_characters).text,
        found(workspace),
        workspace.graph.show("src/auth.py"),
        workspace.health.age().notices,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_it_answers_like_a_workspace_opened_just_now(project: Project, lasting: LastingWorkspace, seed: int) -> None:
    random = Random(seed)
    for _ in range(12):
        random.choice(ACTS)(project, random)
        with project.open() as fresh:
            expected = answers(fresh)
        with use(lasting) as workspace:
            assert answers(workspace) == expected
