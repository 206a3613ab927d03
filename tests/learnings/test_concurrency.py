"""Many processes at once, and processes that are killed: nothing that was acknowledged is lost."""

from __future__ import annotations

import random
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import OpenWorkspace
from tests.git_sandbox import GitSandbox
from tests.isolation import ROOT
from tests.record_texts import add, contents, leftovers, records

pytestmark = pytest.mark.slow

ADD = """
import sys
from tx_graph.learnings.learnings import Draft
from scripts.opened import open_workspace
root, name, count, each = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "each"
workspace = None
for number in range(count):
    if workspace is None or each:
        workspace = open_workspace(root)
    added = workspace.learnings.add_draft(Draft(content=f"Learning {number} of {name}"))
    assert not added.existed
    print(f"Learning {number} of {name}", flush=True)
    if each:
        workspace.close()
if not each:
    workspace.close()
"""

IMPORT = """
import sys
from tx_graph.learnings.transfer import Transfer
from scripts.opened import open_workspace
with open_workspace(sys.argv[1]) as workspace:
    print("started", flush=True)
    with open(sys.argv[2], encoding="utf-8") as lines:
        print(workspace.kernel.one(Transfer).import_(lines).added, flush=True)
"""


class Child:
    """A process that runs `code`; what it prints goes to a file, where a kill cannot take it back."""

    def __init__(self, directory: Path, code: str, *arguments: object) -> None:
        self._log = directory / f"{secrets.token_hex(8)}.log"
        command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.PIPE)

    @property
    def printed(self) -> list[str]:
        """The whole lines printed so far."""
        return [line[:-1] for line in self._log.read_text().splitlines(keepends=True) if line.endswith("\n")]

    def wait_for_a_line(self) -> None:
        """Wait until something is printed; fail when the process ends before that."""
        while not self.printed:
            assert self._process.poll() is None, self._process.communicate()
            time.sleep(0.005)

    def kill(self) -> list[str]:
        """Kill the process as `kill -9` does; return what it printed."""
        self._process.kill()
        return self.finish()

    def finish(self) -> list[str]:
        """Wait for the end of the process; return what it printed."""
        assert self._process.communicate()[1] == b""
        return self.printed


def finish(children: Sequence[Child]) -> list[str]:
    """Wait for the children; return the lines they printed."""
    return [line for child in children for line in child.finish()]


def assert_in_order(project: GitSandbox, open_project: OpenWorkspace, expected: set[str]) -> set[str]:
    """Open the workspace, compare rows with records, and return the contents beyond those expected."""
    with open_project() as workspace:
        shown = contents(workspace)
        assert workspace.record_problems() == []
        assert workspace._database.value("PRAGMA integrity_check") == "ok"
    texts = [data.decode().split("---\n", 2)[2].rstrip("\n") for data in records(project.root).values()]
    assert sorted(texts) == shown
    assert len(set(shown)) == len(shown)
    assert expected - set(shown) == set()
    return set(shown) - expected


@pytest.mark.parametrize(("mode", "count"), [("once", 200), ("each", 40)])
def test_eight_processes_adding_at_once_all_succeed(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path, mode: str, count: int
) -> None:
    children = [Child(tmp_path, ADD, project.root, f"process {name}", count, mode) for name in range(8)]
    acknowledged = set(finish(children))
    assert len(acknowledged) == 8 * count
    assert assert_in_order(project, open_project, acknowledged) == set()
    with open_project() as workspace:
        assert len(contents(workspace)) == 8 * count
    assert len(records(project.root)) == 8 * count
    assert leftovers(project.root) == []


def test_processes_killed_while_adding_lose_nothing_they_acknowledged(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path
) -> None:
    chance = random.Random(20_261_120)
    acknowledged: set[str] = set()
    for attempt in range(12):
        children = [Child(tmp_path, ADD, project.root, f"{attempt}.{name}", 10_000, "each") for name in range(2)]
        for child in children:
            child.wait_for_a_line()
        time.sleep(chance.uniform(0, 0.1))
        for child in children:
            acknowledged.update(child.kill())
        unacknowledged = assert_in_order(project, open_project, acknowledged)
        assert len(unacknowledged) <= 2 * (attempt + 1)  # at most the one that each was at
    with open_project() as workspace:
        add(workspace, "Still writable")
        assert workspace.synced.changed == 0
    with open_project() as workspace:
        assert "Still writable" in contents(workspace)
    assert not [name for name in leftovers(project.root) if name.startswith(".batch")]


def test_an_import_that_is_killed_happens_wholly_or_not_at_all(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path
) -> None:
    chance = random.Random(20_261_120)
    size, whole = 400, 0
    duration = timed_import(project, tmp_path, "Warm-up", size)
    for attempt in range(16):
        name = f"Import {attempt}"
        child = Child(tmp_path, IMPORT, project.root, jsonl(tmp_path, name, size))
        child.wait_for_a_line()
        time.sleep(chance.uniform(0.2, 1.1) * duration)
        finished = child.kill() == ["started", str(size)]
        with open_project() as workspace:
            found = sum(content.startswith(f"{name} ") for content in contents(workspace))
            assert workspace.record_problems() == []
        assert found in ({size} if finished else {0, size})
        assert len(records(project.root)) == (whole + 1) * size + found
        assert leftovers(project.root) == []
        whole += found == size


def jsonl(directory: Path, name: str, size: int) -> Path:
    path = directory / f"{name}.jsonl"
    path.write_text("".join(f'{{"content": "{name} {number}"}}\n' for number in range(size)), encoding="utf-8")
    return path


def timed_import(project: GitSandbox, directory: Path, name: str, size: int) -> float:
    """Import `size` learnings undisturbed; return the seconds that took after the workspace was open."""
    child = Child(directory, IMPORT, project.root, jsonl(directory, name, size))
    child.wait_for_a_line()
    began = time.monotonic()
    assert child.finish() == ["started", str(size)]
    return time.monotonic() - began


def test_two_imports_of_the_same_lines_at_once_add_them_once(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path
) -> None:
    path = jsonl(tmp_path, "Same", 100)
    printed = finish([Child(tmp_path, IMPORT, project.root, path) for _ in range(3)])
    assert sorted(line for line in printed if line != "started") == ["0", "0", "100"]
    assert len(assert_in_order(project, open_project, set())) == 100


def test_processes_editing_one_learning_lose_no_edit(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path
) -> None:
    with open_project() as workspace:
        add(workspace, "Learning")
    edit = """
import sys
from scripts.opened import open_workspace
for number in range(40):
    with open_workspace(sys.argv[1]) as workspace:
        workspace.learnings.edit("1", add_keywords=[f"{sys.argv[2]}{number}"])
"""
    finish([Child(tmp_path, edit, project.root, name) for name in "abc"])
    with open_project() as workspace:
        assert len(workspace.learnings.show("1").stored.learning.keywords) == 120


DIE = """
import os, signal, sys
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.merging import Merging
from tx_graph.learnings.transfer import Transfer
from scripts.opened import open_workspace
place, act, left = sys.argv[2], sys.argv[3], int(sys.argv[4])
def count_down(event, arguments):
    global left
    if event in {"open", "os.rename", "os.mkdir", "os.rmdir", "os.remove"} and place in str(arguments):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
with open_workspace(sys.argv[1]) as workspace:
    sys.addaudithook(count_down)
    if act == "import":
        workspace.kernel.one(Transfer).import_(f'{{"content": "New {number}"}}' for number in range(3))
    elif act == "merge":
        workspace.kernel.one(Merging).merge(sys.argv[5], sys.argv[6])
    elif act == "add":
        workspace.learnings.add_draft(Draft(content="New 0"))
    else:
        workspace.learnings.edit(sys.argv[5], content="New 0")
print("done", flush=True)
"""


@pytest.mark.parametrize(("act", "outcomes"), [("import", {0, 3}), ("add", {0, 1}), ("edit", {0, 1})])
def test_dying_at_any_step_on_the_disk_leaves_all_or_nothing(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path, act: str, outcomes: set[int]
) -> None:
    seen: set[int] = set()
    for step in range(1, 60):
        with open_project() as workspace:
            old = add(workspace, f"Old {step}")
            for content in contents(workspace):
                if content.startswith("New"):
                    forget(project, content)
        child = Child(tmp_path, DIE, project.root, ".tx/learnings", act, step, old.id)
        survived = child.finish() == ["done"]
        assert_in_order(project, open_project, set() if act == "edit" else {old.learning.content})
        with open_project() as workspace:
            new = sum(content.startswith("New") for content in contents(workspace))
        assert not [name for name in leftovers(project.root) if name.startswith(".batch")]
        seen.add(new)
        if survived:
            break
    assert survived
    assert step > 2
    assert seen == outcomes


def test_a_merge_that_dies_at_any_step_has_merged_both_or_none(
    project: GitSandbox, open_project: OpenWorkspace, tmp_path: Path
) -> None:
    seen: set[tuple[bool, bool]] = set()
    for step in range(1, 60):
        with open_project() as workspace:
            keep, other = (add(workspace, f"{name} {step}").id for name in ("Keep", "Other"))
            workspace.learnings.edit(str(other), add_keywords=["gained"])
        survived = Child(tmp_path, DIE, project.root, ".tx/learnings", "merge", step, keep, other).finish() == ["done"]
        with open_project() as workspace:
            kept, gone = (workspace.learnings.show(str(one)).stored.learning for one in (keep, other))
        seen.add(("gained" in kept.keywords, gone.superseded_by == kept.uid))
        if survived:
            break
    assert survived
    assert seen == {(False, False), (True, True)}


def forget(project: GitSandbox, content: str) -> None:
    """Delete the record with this content."""
    for name, data in records(project.root).items():
        if data.endswith(f"---\n{content}\n".encode()):
            (project.root / ".tx" / "learnings" / name).unlink()
