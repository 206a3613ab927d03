"""The doctor says what is wrong, and mends what is derived."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.knowledge.facts import Facts
from tx_graph.records.learning import Link
from tx_graph.workspace import prepare
from tx_graph.workspace.doctor import Finding, Level, check_up, examine, mend


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.git.commit("a.py")
    project.index()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest())
    return project


def findings(project: Project) -> dict[str, Finding]:
    with project.open() as workspace:
        return {finding.check: finding for finding in examine(workspace.kernel)}


def not_fine(project: Project) -> dict[str, Level]:
    return {check: found.level for check, found in findings(project).items() if found.level is not Level.OK}


def damage(project: Project, *statements: str) -> None:
    """Change the database behind everybody's back."""
    with Database.open(project.root / ".tx" / "graph.db") as database:
        database.write("PRAGMA foreign_keys = OFF")
        for statement in statements:
            database.write(statement)


def mended(project: Project) -> list[str]:
    with project.open() as workspace:
        return mend(workspace.kernel)


def test_a_sound_workspace_has_nothing_but_good_findings(project: Project) -> None:
    project.add("One", "a.py")
    found = findings(project)
    checks = {"sqlite", "vectors", "database", "orphans", "rows", "model", "git", "parsers", "index"}
    checks |= {"messages", "cochanges", "records", "retrievers", "secrets", "facts"}
    assert found.keys() == checks
    assert {finding.level for finding in found.values()} <= {Level.OK, Level.ADVICE}
    assert set(not_fine(project)) <= {"vectors"}


def test_analyses_that_never_ran_or_are_old_are_advice(project: Project) -> None:
    project.clock.pass_by(timedelta(days=8))
    assert not_fine(project)["cochanges"] is Level.ADVICE
    assert "8 days old" in findings(project)["cochanges"].detail
    damage(project, "DELETE FROM analyses")
    assert "never analysed" in findings(project)["cochanges"].detail
    assert findings(project)["index"].detail == "never indexed"


def test_absent_parsers_are_advice(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(project)["parsers"].level is Level.OK
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    found = findings(project)["parsers"]
    assert (found.level, found.hint != "") == (Level.ADVICE, True)
    assert "ast-grep-py" in found.detail


def test_a_record_that_does_not_parse_is_a_problem_until_it_is_corrected(project: Project) -> None:
    stored = project.add("One")
    record = project.root / ".tx" / "learnings" / stored.record
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("uid:", "uid: ["), encoding="utf-8")
    found = findings(project)["records"]
    assert (found.level, found.detail.split(":")[0]) == (Level.PROBLEM, f"learnings/{stored.record}")
    record.write_text(text, encoding="utf-8")
    assert "records" not in not_fine(project)


def test_rows_that_should_not_exist_are_a_problem_and_mended(project: Project) -> None:
    project.add("One", "a.py")
    project.add("Two", links=[Link(target="1")])
    damage(
        project,
        "INSERT INTO learnings_fts (rowid, content) VALUES (99, 'ghost')",
        "INSERT INTO files_fts (rowid, path) VALUES (99, 'ghost')",
        "INSERT INTO file_imports SELECT node_id, 999, 'static' FROM files",
    )
    assert not_fine(project)["orphans"] is Level.PROBLEM
    assert "removed 1 text entries of absent learnings" in mended(project)
    assert {"orphans", "database"}.isdisjoint(not_fine(project))
    assert project.contents("one") == ["One"]


def test_mending_reads_again_what_the_database_no_longer_knows(project: Project) -> None:
    project.add("One", "a.py")
    damage(
        project, "UPDATE learnings SET content = 'tampered'", "DELETE FROM file_anchors", "DELETE FROM learnings_fts"
    )
    with project.open() as workspace:
        assert mend(workspace.kernel)[0] == "read all records again (1 taken in)"
        shown = workspace.learnings.show("1")
    assert shown.stored.learning.content == "One"
    assert [one.anchor.spec for one in shown.anchors] == ["a.py"]
    assert project.contents("one") == ["One"]


def test_mending_a_sound_workspace_changes_no_answer(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.add("One", "a.py")
    with project.open() as workspace:
        workspace.learnings.helpful("1", score=1.0)
    before = project.search("one", expand=True)
    mended(project)
    after = project.search("one", expand=True)
    assert [(r.stored.id, r.relevance, r.vector) for r in after.results] == [
        (r.stored.id, r.relevance, r.vector) for r in before.results
    ]
    assert after.results[0].stored.usage.count == 1


def test_learnings_without_vectors_are_advice(project: Project) -> None:
    project.add("One")
    project.embedder = WordEmbedder()
    assert findings(project)["embeddings"].detail == "1 learning has no vector of words"
    with project.open() as workspace:
        workspace.embedding.embed_lacking()
    assert "embeddings" not in not_fine(project)


def test_outside_git_that_is_advice_and_no_problem(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    prepare(root)
    with open_workspace(root) as workspace:
        levels = {finding.check: finding.level for finding in examine(workspace.kernel)}
        status = workspace.health.status()
    assert levels["git"] is Level.ADVICE
    assert Level.PROBLEM not in levels.values()
    assert (status.is_git, status.head, status.notices) == (False, None, ("Files were never indexed; run 'tx sync'.",))


def test_a_glance_says_where_and_what(project: Project) -> None:
    project.add("One", "a.py")
    with project.open("") as workspace:
        status = workspace.health.status()
    assert (status.root, status.is_git) == (project.root, True)
    assert status.head == project.git.git("rev-parse", "HEAD")
    assert (status.graph.learnings, status.graph.files) == ({"active": 1}, 1)
    assert (status.problems, status.notices) == ((), ())


def test_what_the_records_say_and_the_database_does_not_is_a_problem_and_mended(project: Project) -> None:
    stored = project.add("One", "a.py")
    project.add("Two", links=[Link(target="1")])
    damage(project, "DELETE FROM file_anchors", "DELETE FROM learnings_fts WHERE rowid = 2")
    found = findings(project)
    assert found["text"].detail == "search by words does not know 1 learning"
    assert found["rows"].detail == f"the database differs from 1 record (learnings/{stored.record})"
    damage(project, "DELETE FROM learning_edges")
    assert findings(project)["rows"].detail.startswith("the database differs from 2 records")
    mended(project)
    assert {"text", "rows"}.isdisjoint(not_fine(project))
    damage(project, "UPDATE learnings SET present = 0 WHERE id = 1", "DELETE FROM learnings_fts WHERE rowid = 1")
    assert str(stored.record) in findings(project)["rows"].detail
    mended(project)
    assert "rows" not in not_fine(project)
    assert project.contents("one") == ["One"]


def test_a_link_to_a_learning_that_is_not_here_is_advice(project: Project) -> None:
    project.add("One")
    project.add("Two", links=[Link(target="1")])
    with project.open() as workspace:
        target = workspace.learnings.show("1").stored
    (project.root / ".tx" / "learnings" / target.record).unlink()
    found = findings(project)["links"]
    assert (found.level, found.detail) == (
        Level.ADVICE,
        f"1 link (learning:2 to {target.learning.uid}): no such learning here",
    )


def notices(project: Project, path: str | None = None) -> tuple[str, ...]:
    with project.open() as workspace:
        return workspace.health.age(path=path).notices


def test_an_index_behind_the_working_tree_is_said_everywhere(project: Project) -> None:
    assert notices(project) == ()
    project.git.commit("a.py", "b.py")
    sentence = "The index is behind the working tree: 1 file changed, 1 new; run 'tx sync'."
    assert notices(project) == (sentence,)
    assert notices(project, "a.py") == ("a.py has changed since it was indexed.", sentence)
    with project.open() as workspace:
        assert workspace.health.status().notices == (sentence,)
    assert findings(project)["index"].detail == sentence
    project.index()
    assert "index" not in not_fine(project)
    (project.root / "a.py").unlink()
    sentence = "The index is behind the working tree: 1 file gone; run 'tx sync'."
    assert notices(project, "a.py") == ("a.py is gone; the index still has it.", sentence)
    project.index()
    project.git.commit()  # a commit of what is indexed makes nothing old
    assert notices(project) == ()


def test_co_changes_of_a_part_of_the_history_say_so(project: Project) -> None:
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(max_files=9), since="2020-01-01"))
        (notice,) = workspace.health.status().notices
    assert "since 2020-01-01 alone" in notice
    assert "since 2020-01-01 alone" in findings(project)["cochanges"].detail


def put_garbage(project: Project) -> Path:
    path = project.root / ".tx" / "graph.db"
    path.write_bytes(b"no database at all " * 1_000)
    return path


def levels_of(project: Project, *, fix: bool = False) -> tuple[tuple[str, ...], dict[str, Level]]:
    found = check_up(project.root, fix=fix, clock=project.clock)
    return found.done, {one.check: one.level for one in found.findings}


def test_a_damaged_database_is_a_finding_and_left_alone(project: Project) -> None:
    project.add("One")
    path = put_garbage(project)
    done, levels = levels_of(project)
    assert (done, levels["database"]) == ((), Level.PROBLEM)
    assert {levels[check] for check in ("sqlite", "git", "records")} == {Level.OK}
    assert path.read_bytes().startswith(b"no database")
    assert [file.name for file in path.parent.glob("graph.db*")] == ["graph.db"]


def test_what_refers_to_nothing_stays_where_nothing_is_that_it_could_refer_to(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).add("Billing", "uses", "DuckDB")
    done, levels = levels_of(project, fix=True)
    assert not any("about what is not there" in one for one in done)
    assert levels["rows"] is Level.OK
    with project.open() as workspace:
        assert len(workspace.kernel.one(Facts).list()) == 1


def test_a_damaged_database_is_moved_aside_and_built_again(project: Project) -> None:
    project.add("One", "a.py")
    path = put_garbage(project)
    done, levels = levels_of(project, fix=True)
    assert done[0] == f"moved the damaged database to {path}.damaged"
    assert Level.PROBLEM not in levels.values()
    assert levels["index"] is Level.ADVICE
    assert path.with_name("graph.db.damaged").read_bytes().startswith(b"no database")
    assert project.contents("one") == ["One"]
    put_garbage(project)
    assert levels_of(project, fix=True)[0][0].endswith("graph.db.damaged2")
    assert ".damaged" not in project.git.git("status", "--porcelain", "--untracked-files=all")


def test_damage_within_the_file_is_found_and_mended_by_building_anew(project: Project) -> None:
    project.add_all(f"learning number {number} " + "word " * 200 for number in range(100))
    path = project.root / ".tx" / "graph.db"
    data = bytearray(path.read_bytes())
    for page in range(20, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(bytes(data))
    assert levels_of(project)[1]["database"] is Level.PROBLEM
    done, levels = levels_of(project, fix=True)
    assert done[0].startswith("moved the damaged database")
    assert Level.PROBLEM not in levels.values()


def test_mending_keeps_tasks_runs_votes_and_numbers(project: Project) -> None:
    project.add_all(f"learning number {number} " + "word " * 200 for number in range(60))
    path = project.root / ".tx" / "graph.db"
    local = {
        "learnings": "SELECT id, uid, usage_count, helpful_score FROM learnings ORDER BY id",
        "tasks": "SELECT id, title FROM tasks",
        "votes": (
            "SELECT s.key, t.key, e.weight FROM learning_edges e "
            "JOIN nodes s ON s.id = source JOIN nodes t ON t.id = target"
        ),
    }
    with project.open() as workspace:
        workspace.tasks.add("Repair the login")
        run = workspace.runs.start(task=None, agent="Ada")
        workspace.runs.feedback(run.id, helpful=["3"], unhelpful=["7"])
    with Database.open(path) as database:
        before = {name: database.rows(sql) for name, sql in local.items()}
        (root,) = database.row("SELECT rootpage FROM sqlite_master WHERE name = 'learnings_fts_data'") or (0,)
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    done, levels = levels_of(project, fix=True)
    assert done[1] == "built another one from the records and the journal"
    assert Level.PROBLEM not in levels.values()
    with Database.open(path) as database:
        assert {name: database.rows(sql) for name, sql in local.items()} == before


def test_a_database_of_a_newer_version_is_reported_and_never_moved(project: Project) -> None:
    damage(project, "PRAGMA user_version = 99")
    before = (project.root / ".tx" / "graph.db").read_bytes()
    done, levels = levels_of(project, fix=True)
    assert (done, levels["database"]) == ((), Level.PROBLEM)
    assert (project.root / ".tx" / "graph.db").read_bytes() == before


def test_a_file_that_is_no_database_is_not_moved_from_elsewhere(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("These are my notes. " * 100, encoding="utf-8")
    monkeypatch.setenv("TX_DB", str(notes))
    done, levels = levels_of(project, fix=True)
    assert (done, levels["database"]) == ((), Level.PROBLEM)
    assert notes.exists()


def test_a_broken_configuration_is_a_finding_beside_the_others(project: Project) -> None:
    project.configure("embedder = [")
    levels = levels_of(project)[1]
    assert (levels["config"], levels["database"], levels["records"]) == (Level.PROBLEM, Level.OK, Level.OK)


def test_rows_that_refer_to_nothing_are_removed(project: Project) -> None:
    project.add("One")
    damage(project, "INSERT INTO file_cochanges VALUES (998, 999, 0.5, 1, 1, 1)")
    assert levels_of(project)[1]["database"] is Level.PROBLEM
    done, levels = levels_of(project, fix=True)
    assert "removed 1 of file_cochanges about what is not there" in done
    assert Level.PROBLEM not in levels.values()


def test_a_walk_over_old_co_changes_says_so(project: Project) -> None:
    project.clock.pass_by(timedelta(days=8))
    (sentence,) = notices(project)
    assert sentence.startswith("Co-changes are 8 days old")
    with project.open() as workspace:
        assert workspace.health.age(with_cochanges=False).notices == ()


def test_broken_git_is_a_problem_in_words_and_a_walk_says_nothing_of_it(project: Project) -> None:
    (project.root / ".git" / "HEAD").write_text("nonsense", encoding="utf-8")
    assert not_fine(project)["git"] is Level.PROBLEM
    with project.open() as workspace:
        age = workspace.health.age()
    assert (age.freshness, age.notices) == (None, ())
