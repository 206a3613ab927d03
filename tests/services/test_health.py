"""The doctor says what is wrong, and mends what is derived."""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.services.support import Project
from tx_graph.analysis.cochange import CoChangeOptions
from tx_graph.domain.learning import Link
from tx_graph.services.health import Finding, Level
from tx_graph.services.setup import prepare
from tx_graph.storage.database import Database
from tx_graph.workspace import open_workspace


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.git.commit("a.py")
    project.index()
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeOptions())
    return project


def findings(project: Project) -> dict[str, Finding]:
    with project.open() as workspace:
        return {finding.check: finding for finding in workspace.health.examine()}


def not_fine(project: Project) -> dict[str, Level]:
    return {check: found.level for check, found in findings(project).items() if found.level is not Level.OK}


def damage(project: Project, *statements: str) -> None:
    """Change the database behind everybody's back."""
    with Database.open(project.root / ".tx" / "graph.db") as database:
        database.write("PRAGMA foreign_keys = OFF")
        for statement in statements:
            database.write(statement)


def test_a_sound_workspace_has_nothing_but_good_findings(project: Project) -> None:
    project.add("One", "a.py")
    found = findings(project)
    checks = {"sqlite", "vectors", "database", "orphans", "model", "git", "parsers", "index", "cochanges", "records"}
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
    assert (found.level, found.detail.split(":")[0]) == (Level.PROBLEM, stored.record)
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
    with project.open() as workspace:
        done = workspace.health.mend()
    assert "removed 1 text entries of absent learnings" in done
    assert "orphans" not in not_fine(project)
    assert "database" not in not_fine(project)
    assert project.contents("one") == ["One"]


def test_mending_reads_again_what_the_database_no_longer_knows(project: Project) -> None:
    project.add("One", "a.py")
    damage(
        project, "UPDATE learnings SET content = 'tampered'", "DELETE FROM file_anchors", "DELETE FROM learnings_fts"
    )
    with project.open() as workspace:
        assert workspace.health.mend()[0] == "read all records again (1 taken in)"
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
    with project.open() as workspace:
        workspace.health.mend()
    after = project.search("one", expand=True)
    assert [(r.stored.id, r.relevance, r.vector) for r in after.results] == [
        (r.stored.id, r.relevance, r.vector) for r in before.results
    ]
    assert after.results[0].stored.usage.count == 1


def test_learnings_without_vectors_are_advice(project: Project) -> None:
    project.add("One")
    project.embedder = WordEmbedder()
    assert findings(project)["embeddings"].detail == "1 learnings have no vector of words"
    with project.open() as workspace:
        workspace.embedding.embed_lacking()
    assert "embeddings" not in not_fine(project)


def test_outside_git_that_is_advice_and_no_problem(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    prepare(root)
    with open_workspace(root) as workspace:
        levels = {finding.check: finding.level for finding in workspace.health.examine()}
        status = workspace.health.status()
    assert levels["git"] is Level.ADVICE
    assert Level.PROBLEM not in levels.values()
    assert (status.is_git, status.head, status.notices) == (False, None, ())


def test_broken_git_is_a_problem_in_words(project: Project) -> None:
    (project.root / ".git" / "HEAD").write_text("nonsense", encoding="utf-8")
    assert not_fine(project)["git"] is Level.PROBLEM


def test_a_glance_says_where_and_what(project: Project) -> None:
    project.add("One", "a.py")
    with project.open("") as workspace:
        status = workspace.health.status()
    assert (status.root, status.is_git) == (project.root, True)
    assert status.head == project.git.git("rev-parse", "HEAD")
    assert (status.graph.learnings, status.graph.files) == ({"active": 1}, 1)
    assert (status.problems, status.notices) == ((), ())
