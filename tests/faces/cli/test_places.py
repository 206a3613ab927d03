"""Where a command runs: elsewhere by -C, below the root, in a worktree, outside git, before the first commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine


def contents(tx: CommandLine) -> list[str]:
    return [one["content"] for one in tx.json("learning:list")["learnings"]]


def test_c_runs_elsewhere(tx: CommandLine, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tx.json("-C", str(home), "learning:add", "There", "--anchor", "README.md")["id"] == 1
    monkeypatch.chdir(tmp_path)
    assert tx.json("-C project/src graph:link 1 auth.py")["anchor"]["path"] == "src/auth.py"


def test_paths_are_understood_from_below(tx: CommandLine, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "src")
    tx.add("Below", "--anchor", "auth.py::login", "--anchor", "../README.md")
    assert [one["path"] for one in tx.json("learning:show 1")["anchors"]] == ["README.md", "src/auth.py"]
    assert tx.json("graph:show auth.py")["node"]["ref"] == "src/auth.py"
    assert tx.json("graph:show src/auth.py")["node"]["ref"] == "src/auth.py", "a path from the root is one too"
    assert len(tx.json("graph:unlink 1 auth.py")["removed"]) == 1


def test_a_link_that_leads_out_is_refused_and_logged(tx: CommandLine, home: Path) -> None:
    (home / "link").symlink_to("/etc")
    tx.add("Inside")
    outcome = tx("graph:link 1 link/passwd")
    assert (outcome.status, "outside the repository" in outcome.err) == (2, True)
    [event] = tx.json("graph:history 1")["events"]
    assert (event["event"], event["reason"], event["new_place"]) == ("refused", "outside_repository", "link/passwd")


def test_tx_db_puts_the_database_elsewhere(
    tx: CommandLine, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.add("In the text")
    monkeypatch.setenv("TX_DB", str(tmp_path / "other.db"))
    assert contents(tx) == ["In the text"]
    assert tx.json("status")["database"] == str(tmp_path / "other.db")
    assert tx.json("index")["commits_read"] == 1
    monkeypatch.setenv("TX_DB", "")
    assert tx.json("status")["database"] == str(home / ".tx" / "graph.db"), "an empty one is none"


def test_a_worktree_has_its_own_workspace(tx: CommandLine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    tx.add("Carried by git")
    checkout.commit()
    checkout.git("worktree", "add", "../worktree")
    monkeypatch.chdir(checkout.root.parent / "worktree" / "src")
    assert contents(tx) == ["Carried by git"]
    assert tx.json("status")["root"] == str(checkout.root.parent / "worktree")
    tx.ok("index")
    tx.ok("graph:analyze-cochanges")


def test_outside_git_everything_but_history_works(elsewhere: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import b\n", encoding="utf-8")
    (tmp_path / "b.py").touch()
    assert "not a git repository" in elsewhere.ok("init").err
    elsewhere.add("No git", "--anchor", "a.py")
    assert elsewhere.json("graph:neighbors a.py --edge-types IMPORTS")["neighbors"][0]["ref"] == "b.py"
    assert elsewhere.json("status")["git"] is False
    assert elsewhere("doctor").status == 0


def test_before_the_first_commit_everything_works(
    elsewhere: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Checkout(tmp_path).git("init", "--quiet")
    below = Checkout(tmp_path).write("deep/down/a.py").parent
    monkeypatch.chdir(below)
    elsewhere.ok("init")
    assert (tmp_path / ".tx" / "learnings").is_dir(), "init from below goes to the root"
    monkeypatch.chdir(below)
    elsewhere.add("No commit", "--anchor", "a.py")
    assert elsewhere.ok("graph:analyze-cochanges").err == "There is no commit yet.\n"
    assert "none yet" in elsewhere.ok("status").out
    assert elsewhere("doctor").status == 0


def test_init_again_changes_nothing(tx: CommandLine, home: Path) -> None:
    tx.add("Kept")
    (home / ".tx" / "config.toml").write_text("# mine\n", encoding="utf-8")
    texts = [file for file in (home / ".tx").rglob("*") if "graph.db" not in file.name and file.is_file()]
    before = {file: file.read_bytes() for file in texts}
    assert tx.ok("init").out.startswith(f"Already initialised: {home / '.tx'}\n")
    assert {file: file.read_bytes() for file in texts} == before
    assert tx.json("init")["created"] == []


def test_many_broken_records_do_not_flood(tx: CommandLine, checkout: Checkout) -> None:
    for number in range(20):
        checkout.write(f".tx/learnings/broken-{number}.md", "---\n[\n---\n")
    warnings = tx.ok("learning:list").err.splitlines()
    assert len([line for line in warnings if line.startswith("tx: warning: ")]) == 4
    assert "17 more records" in warnings[3]
