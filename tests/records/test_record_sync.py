"""The database follows the record files, whoever changes them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.fakes import learning, uid_of
from tests.isolation import READ_ONLY, TINY, in_namespace
from tests.record_texts import add, contents, leftovers, problems, record_path, records, shown, write_record
from tests.support import Project, let_stamps_settle
from tx_graph.context.search import Query
from tx_graph.core.errors import NotFound, StorageError
from tx_graph.core.working_tree import UNTRUSTED, trusted_mtime
from tx_graph.graph.edges import Relation
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Link, Status


def found(workspace: Workspace, text: str, *, status: Status | None = None) -> list[str]:
    answer = workspace.search.run(Query(text=text, status=status))
    return [result.stored.learning.content for result in answer.results]


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8", newline="")


def test_an_added_learning_is_a_record_and_a_row(project: Project, workspace: Workspace) -> None:
    stored = add(workspace, "Rotate keys yearly")
    assert list(records(project.root)) == [f"{stored.learning.uid}-rotate-keys-yearly.md"]
    assert leftovers(project.root) == []
    assert contents(workspace) == ["Rotate keys yearly"]
    with project.open() as second:
        assert (second.synced.changed, second.synced.vanished) == (0, 0)


def test_an_edit_by_hand_takes_effect(project: Project) -> None:
    stored = project.add("Rotate keys yearly")
    edit(record_path(project.root, stored), "yearly", "monthly\n\nand logs")
    edit(record_path(project.root, stored), "status: active", "category: security\nkeywords: [no, ops]\nstatus: staged")
    with project.open() as workspace:
        assert workspace.synced.changed == 1
        again = workspace.learnings.show(str(stored.id)).stored
        assert again.learning.content == "Rotate keys monthly\n\nand logs"
        assert (again.learning.category, again.learning.keywords) == ("security", ("no", "ops"))
        assert again.learning.status is Status.STAGED
        assert found(workspace, "logs") == []
        assert found(workspace, "logs", status=Status.STAGED) == [again.learning.content]
        assert found(workspace, "yearly", status=Status.STAGED) == []


def test_a_record_that_is_deleted_takes_its_learning_along(project: Project) -> None:
    stored = project.add("Rotate keys yearly")
    project.add("Salt passwords")
    record_path(project.root, stored).unlink()
    with project.open() as workspace:
        assert workspace.synced.vanished == 1
        assert contents(workspace) == ["Salt passwords"]
        assert found(workspace, "rotate") == []
        with pytest.raises(NotFound):
            workspace.learnings.show(str(stored.id))


def test_a_record_may_be_renamed(project: Project) -> None:
    stored = project.add("Rotate keys yearly")
    record_path(project.root, stored).rename(record_path(project.root, stored).with_name("keys.md"))
    with project.open() as workspace:
        again = workspace.learnings.show(stored.learning.uid).stored
        assert (again.id, again.record) == (stored.id, "keys.md")
        workspace.learnings.edit(str(stored.id), content="Rotate keys monthly")
    assert list(records(project.root)) == ["keys.md"]
    assert b"monthly" in records(project.root)["keys.md"]


def test_records_that_swap_their_names_keep_their_learnings(project: Project) -> None:
    with project.open() as workspace:
        paths = [record_path(project.root, add(workspace, content)) for content in ("One", "Two")]
    paths[0].rename(paths[0].with_name("aside"))
    paths[1].rename(paths[0])
    paths[0].with_name("aside").rename(paths[1])
    assert (shown(project), problems(project)) == (["One", "Two"], [])


def test_a_record_that_git_brings_back_has_the_number_it_had(project: Project) -> None:
    with project.open() as workspace:
        stored = add(workspace, "Rotate keys yearly")
        workspace.learnings.helpful(str(stored.id), score=1.0)
    project.git.commit()
    project.git.git("rm", "--quiet", str(record_path(project.root, stored)))
    project.git.commit()
    with project.open() as workspace:
        assert contents(workspace) == []
        assert add(workspace, "Salt passwords").id > stored.id
    project.git.git("checkout", "--quiet", "HEAD~1", "--", ".tx")
    with project.open() as workspace:
        again = workspace.learnings.show(stored.learning.uid).stored
        assert (again.id, again.usage.count) == (stored.id, 1)
        assert found(workspace, "rotate") == ["Rotate keys yearly"]


def test_a_malformed_record_is_named_skipped_and_kept_until_it_is_corrected_or_deleted(project: Project) -> None:
    stored = project.add("Rotate keys yearly")
    project.add("Salt passwords")
    path = record_path(project.root, stored)
    good = path.read_bytes()
    edit(path, "status: active", "status: done")
    broken = path.read_bytes()
    for _ in range(2):
        with project.open() as workspace:
            assert contents(workspace) == ["Salt passwords"]
            (problem,) = workspace.record_problems()
            assert problem.startswith(f".tx/learnings/{path.name}:6: 'done' is no status")
    assert path.read_bytes() == broken
    new = write_record(project.root, learning("New"))
    edit(new, "---\nNew", "New")
    (path.parent / "notes.md").write_text("no record")
    assert (shown(project), len(problems(project))) == (["Salt passwords"], 3)
    path.write_bytes(good)
    edit(new, "New", "---\nNew")
    (path.parent / "notes.md").unlink()
    with project.open() as workspace:
        assert (contents(workspace), workspace.record_problems()) == (
            ["New", "Rotate keys yearly", "Salt passwords"],
            [],
        )
        assert workspace.learnings.show(stored.learning.uid).stored.id == stored.id
        assert found(workspace, "rotate") == ["Rotate keys yearly"]


@pytest.mark.parametrize("copy_name", ["000-copy.md", "zzz-copy.md"])
def test_a_copy_of_a_record_is_named_and_skipped_until_it_is_the_only_one(project: Project, copy_name: str) -> None:
    stored = project.add("Rotate keys yearly")
    original = record_path(project.root, stored)
    copy = original.with_name(copy_name)
    copy.write_bytes(original.read_bytes().replace(b"yearly", b"monthly"))
    with project.open() as workspace:
        assert contents(workspace) == ["Rotate keys yearly"]
        (problem,) = workspace.record_problems()
        assert f"{copy_name}:1: it has the same uid as {original.name}" in problem
    let_stamps_settle()
    assert len(problems(project)) == 1
    original.unlink()
    with project.open() as workspace:
        assert contents(workspace) == ["Rotate keys monthly"]
        assert workspace.learnings.show(stored.learning.uid).stored.id == stored.id
        assert workspace.record_problems() == []


def test_a_change_that_leaves_size_and_time_as_they_were_is_noticed(project: Project) -> None:
    path = record_path(project.root, project.add("Rotate keys"))
    let_stamps_settle()
    assert shown(project) == ["Rotate keys"]
    stat = path.stat()
    edit(path, "Rotate", "Revoke")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert shown(project) == ["Revoke keys"]


def test_a_change_within_one_tick_of_the_clock_is_noticed_and_a_touch_is_no_news(project: Project) -> None:
    path = record_path(project.root, project.add("Rotate keys"))
    stat = path.stat()
    edit(path, "Rotate", "Revoke")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (stat.st_size, stat.st_mtime_ns)
    assert shown(project) == ["Revoke keys"]
    let_stamps_settle()
    for _ in range(2):
        with project.open() as workspace:
            assert (workspace.synced.changed, contents(workspace)) == (0, ["Revoke keys"])


@pytest.mark.parametrize(
    ("age_ns", "of_whole_seconds", "trusted"),
    [
        *((age, False, trusted) for age, trusted in ((10_000_001, False), (60_000_001, True))),
        *((age, False, trusted) for age, trusted in ((-10_000_001, False), (-3_600_000_000_001, True))),
        *((age, True, trusted) for age, trusted in ((0, False), (3_000_000_000, True))),
    ],
)
def test_only_a_stamp_that_is_not_of_now_is_trusted(age_ns: int, of_whole_seconds: bool, trusted: bool) -> None:
    stamp = time.time_ns() - age_ns
    is_whole = stamp % 1_000_000_000 == 0
    stamp = stamp // 1_000_000_000 * 1_000_000_000 if of_whole_seconds else stamp + is_whole
    assert trusted_mtime(stamp) == (stamp if trusted else UNTRUSTED)


def test_a_record_that_says_the_same_in_another_way_is_no_news(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Salt passwords")
        draft = Draft(
            content="Rotate keys",
            anchors=[parse_anchor(spec) for spec in ("src/auth.py", "src/auth.py:L1", "src/*.py")],
            links=[Link(target="1"), Link(target="1", relation=Relation.ELABORATES)],
        )
        stored = workspace.learnings.add_draft(draft).stored
    project.clock.pass_by(timedelta(hours=1))
    edit(record_path(project.root, stored), "status: active", "status: 'active'  # by hand")
    with project.open() as workspace:
        assert workspace.synced.changed == 0
        assert workspace.learnings.show("2").stored.updated_at == stored.updated_at
    edit(record_path(project.root, stored), "'active'", "staged")
    with project.open() as workspace:
        assert workspace.synced.changed == 1
        assert workspace.learnings.show("2").stored.updated_at == "2026-11-20T13:00:00Z"


def test_a_record_that_changed_since_it_was_read_is_not_written_over(project: Project) -> None:
    with project.open() as workspace:
        stored = add(workspace, "Rotate keys")
        edit(record_path(project.root, stored), "Rotate", "Revoke")
        before = records(project.root)
        with pytest.raises(StorageError, match="changed by somebody else"):
            workspace.learnings.edit(str(stored.id), content="Renew keys")
        assert records(project.root) == before
        assert contents(workspace) == ["Rotate keys"]
    with project.open() as workspace:
        workspace.learnings.edit(str(stored.id), add_keywords=["ops"])
        assert contents(workspace) == ["Revoke keys"]


FULL = "CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"


@pytest.mark.parametrize("fails", ["at once", "at the commit"])
def test_what_cannot_be_saved_leaves_no_record(project: Project, workspace: Workspace, fails: str) -> None:
    stored = add(workspace, "Rotate keys")
    before, database = records(project.root), workspace._database
    acts: list[Callable[[], object]] = [
        lambda: workspace.learnings.edit(str(stored.id), content="Renew keys"),
        lambda: add(workspace, "Salt passwords"),
        lambda: workspace.kernel.one(Transfer).import_(['{"content": "Imported"}']),
    ]

    def fail_at_commit() -> None:
        with database.transaction():
            database.write("PRAGMA defer_foreign_keys = ON")
            database.write("INSERT INTO files (node_id, path, size, mtime_ns) VALUES (999, 'x', 0, 0)")
            for act in acts:
                act()
            assert len(records(project.root)) == 3

    if fails == "at once":
        database.write(FULL)
    for act in acts if fails == "at once" else [fail_at_commit]:
        with pytest.raises(StorageError, match=r"disk is full|FOREIGN KEY"):
            act()
    assert (records(project.root), leftovers(project.root), contents(workspace)) == (before, [], ["Rotate keys"])


FILL = """
from tx_graph.learnings.learnings import Draft
from tx_graph.workspace import prepare
from tx_graph.records.learning_store import LearningStore
from scripts.opened import open_workspace
prepare(directory)
(directory / ".tx" / "config.toml").write_text('embedder = "none"')
acknowledged, errors = [], []
with open_workspace(directory) as workspace:
    for number in range(200):
        content = f"{number} " + f"word{number} " * 2_000
        try:
            workspace.learnings.add_draft(Draft(content=content))
            acknowledged.append(content.strip())
        except StorageError as error:
            errors.append([error.status, error.message])
            if len(errors) == 3: break
def shown():
    with open_workspace(directory) as workspace:
        problems = workspace.record_problems()
        found = LearningStore(workspace._database).listed(limit=1_000)
        return sorted(one.learning.content for one in found) == sorted(acknowledged), problems
equal = shown()
rebuilt = None
for file in (directory / ".tx").glob("graph.db*"): file.unlink()
rebuilt = shown()
hidden = [name for name in os.listdir(directory / ".tx" / "learnings") if name.startswith(".")]
print(json.dumps({"added": len(acknowledged), "errors": errors, "equal": equal, "rebuilt": rebuilt, "hidden": hidden}))
"""


def test_a_disk_that_fills_up_loses_nothing_and_keeps_nothing_that_failed(tmp_path: Path) -> None:
    result = in_namespace(TINY, FILL, tmp_path)
    assert result["added"]
    assert isinstance(result["errors"], list)
    assert [status for status, _ in result["errors"]] == [5, 5, 5]
    assert all("full" in message or "No space left" in message for _, message in result["errors"]), result["errors"]
    assert result["equal"] == result["rebuilt"] == [True, []]
    assert result["hidden"] == []


def test_a_database_that_is_deleted_is_rebuilt_from_the_records(project: Project) -> None:
    with project.open() as workspace:
        first = add(workspace, "Rotate keys")
        workspace.learnings.add_draft(
            Draft(content="Salt passwords", category="security", keywords=["no"], confidence=0.3)
        )
        before = {workspace.learnings.show(number).stored.learning for number in ("1", "2")}
    texts = records(project.root)
    (project.root / ".tx" / "graph.db").unlink()
    with project.open() as workspace:
        assert {workspace.learnings.show(number).stored.learning for number in ("1", "2")} == before
        workspace.learnings.remove(first.learning.uid)
        workspace.learnings.restore(first.learning.uid)
    assert records(project.root) == texts


def test_records_that_link_to_each_other_are_taken_in_in_any_order(project: Project) -> None:
    pairs = [(1, 2), (2, 1), (3, 99)]
    for number, target in pairs:
        write_record(project.root, learning(f"L{number}", number=number, links=(Link(target=uid_of(target)),)))
    with project.open() as workspace:
        assert contents(workspace) == ["L1", "L2", "L3"]
        for number, target in pairs:
            assert workspace.learnings.show(uid_of(number)).stored.learning.links[0].target == uid_of(target)


OPEN = """
from scripts.opened import open_workspace
from tx_graph.learnings.learnings import Draft
from tx_graph.records.learning_store import LearningStore
with open_workspace(directory) as workspace:
    shown = [one.learning.content for one in LearningStore(workspace._database).listed(limit=10)]
    print(json.dumps({"pending": workspace.synced.pending, "shown": shown,
                      "error": refusal(lambda: workspace.learnings.add_draft(Draft(content="New")))}))
"""


def test_a_read_only_workspace_is_read_and_says_what_it_could_not_take_in(project: Project) -> None:
    stored = project.add("Rotate keys")
    quiet = in_namespace(READ_ONLY, OPEN, project.root)
    assert (quiet["pending"], quiet["shown"]) == (0, ["Rotate keys"])
    assert json.dumps(quiet["error"]).startswith('[5, "')
    write_record(project.root, learning("Salt passwords"))
    edit(record_path(project.root, stored), "Rotate", "Revoke")
    (project.root / ".tx" / "learnings" / ".batch-1-2").mkdir()
    loud = in_namespace(READ_ONLY, OPEN, project.root)
    assert (loud["pending"], loud["shown"]) == (3, ["Rotate keys"])
    assert shown(project) == ["Revoke keys", "Salt passwords"]
