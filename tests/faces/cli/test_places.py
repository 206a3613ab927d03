"""Where a command runs: elsewhere by -C, below the root, in a worktree, outside git, before the first commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine


def git(*arguments: str, at: Path) -> None:
    subprocess.run(["git", *arguments], cwd=at, check=True, capture_output=True)


def test_c_runs_elsewhere(tx: CommandLine, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tx.json("-C", str(home), "learning:add", "There", "--anchor", "README.md")["id"] == 1
    monkeypatch.chdir(tmp_path)
    assert tx.json("-C", "project/src", "graph:link", "1", "auth.py")["anchor"]["path"] == "src/auth.py"


@pytest.mark.parametrize("directory", ["missing", "README.md", ""])
def test_c_needs_a_directory(tx: CommandLine, directory: str) -> None:
    outcome = tx("-C", directory, "status")
    assert outcome.status == 2
    assert outcome.err.startswith(f"tx: -C {directory}")


def test_c_stands_before_the_command(tx: CommandLine) -> None:
    assert tx("status", "-C", ".").status == 2


def test_paths_are_understood_from_below(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "src")
    tx.add("Below", "--anchor", "auth.py::login", "--anchor", "../README.md")
    assert [one["path"] for one in tx.json("learning:show", "1")["anchors"]] == ["README.md", "src/auth.py"]
    assert tx.json("graph:show", "auth.py")["node"]["ref"] == "src/auth.py"
    assert tx.json("graph:show", "src/auth.py")["node"]["ref"] == "src/auth.py", "a path from the root is one too"
    assert len(tx.json("graph:unlink", "1", "auth.py")["removed"]) == 1


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "src/../../outside.py", "link/passwd"])
def test_paths_outside_are_refused(tx: CommandLine, home: Path, path: str) -> None:
    (home / "link").symlink_to("/etc")
    (home.parent / "outside.py").touch()
    tx.add("Inside")
    outcome = tx("graph:link", "1", path)
    assert outcome.status == 2
    assert "outside the repository" in outcome.err


def test_tx_db_puts_the_database_elsewhere(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tx.add("In the text")
    monkeypatch.setenv("TX_DB", str(tmp_path / "other.db"))
    assert [one["content"] for one in tx.json("learning:list")["learnings"]] == ["In the text"]
    assert (tmp_path / "other.db").exists()
    assert tx.json("status")["database"] == str(tmp_path / "other.db")


def test_an_empty_tx_db_is_none(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TX_DB", "")
    assert tx.json("status")["database"] == str(home / ".tx" / "graph.db")


def test_a_worktree_has_its_own_workspace(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tx.add("Carried by git")
    git("add", "--all", at=home)
    git("commit", "--message=learning", at=home)
    git("worktree", "add", "../worktree", at=home)
    monkeypatch.chdir(home.parent / "worktree" / "src")
    assert [one["content"] for one in tx.json("learning:list")["learnings"]] == ["Carried by git"]
    assert tx.json("status")["root"] == str(home.parent / "worktree")
    tx.ok("index")
    tx.ok("graph:analyze-cochanges")


def test_outside_git_everything_but_history_works(elsewhere: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import b\n", encoding="utf-8")
    (tmp_path / "b.py").touch()
    outcome = elsewhere.ok("init")
    assert "not a git repository" in outcome.err
    elsewhere.add("No git", "--anchor", "a.py")
    assert elsewhere.json("graph:neighbors", "a.py", "--edge-types", "IMPORTS")["neighbors"][0]["ref"] == "b.py"
    assert elsewhere.json("status")["git"] is False
    assert elsewhere("doctor").status == 0


def test_before_the_first_commit_everything_works(elsewhere: CommandLine, tmp_path: Path) -> None:
    git("init", "--quiet", at=tmp_path)
    (tmp_path / "a.py").touch()
    elsewhere.ok("init")
    elsewhere.add("No commit", "--anchor", "a.py")
    assert elsewhere.ok("graph:analyze-cochanges").err == "There is no commit yet.\n"
    assert "none yet" in elsewhere.ok("status").out
    assert elsewhere("doctor").status == 0


def test_init_again_changes_nothing(tx: CommandLine, home: Path) -> None:
    tx.add("Kept")
    (home / ".tx" / "config.toml").write_text("# mine\n", encoding="utf-8")
    before = {
        file: file.read_bytes() for file in (home / ".tx").rglob("*") if "graph.db" not in file.name and file.is_file()
    }
    outcome = tx.ok("init")
    assert outcome.out.startswith(f"Already initialised: {home / '.tx'}\n")
    assert {file: file.read_bytes() for file in before} == before
    assert tx.json("init")["created"] == []


def test_init_from_below_goes_to_the_root(
    elsewhere: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "--quiet", at=tmp_path)
    (tmp_path / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "down")
    elsewhere.ok("init")
    assert (tmp_path / ".tx" / "learnings").is_dir()


def test_many_broken_records_do_not_flood(tx: CommandLine, home: Path) -> None:
    for number in range(20):
        (home / ".tx" / "learnings" / f"broken-{number}.md").write_text("---\n[\n---\n", encoding="utf-8")
    warnings = tx.ok("learning:list").err.splitlines()
    assert len([line for line in warnings if line.startswith("tx: warning: ")]) == 4
    assert "17 more records" in warnings[3]
