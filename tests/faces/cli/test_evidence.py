"""`tx init` and `tx index` read what files and commits say, tell what is new, and stay quiet about the rest."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import SETTINGS

HOLES = "tx: warning: Commit messages were not read: 'git log' failed in "


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)


def commit(home: Path, message: str) -> None:
    """Change the one source file and commit it."""
    with (home / "src" / "auth.py").open("a", encoding="utf-8") as file:
        file.write(f"# {message}\n")
    git(home, "add", "--all")
    git(home, "commit", "--quiet", f"--message={message}")


def lose_history(home: Path) -> None:
    """Take away what `git log` reads; files can still be listed."""
    objects = home / ".git" / "objects"
    objects.rename(objects.with_name("hidden"))
    objects.mkdir()


@pytest.mark.parametrize("command", ["init", "index"])
def test_new_messages_are_told_once(tx: CommandLine, home: Path, command: str) -> None:
    assert "1 commit message read." in tx.ok(command).out.splitlines()
    assert "commit message" not in tx.ok(command).out
    commit(home, "one")
    commit(home, "two")
    assert tx.ok(command).out.splitlines()[-1] == "2 commit messages read."


@pytest.mark.parametrize("command", ["init", "index"])
def test_json_counts_files_and_commits(tx: CommandLine, home: Path, command: str) -> None:
    keys = ("worded", "commits_read", "commits")
    os.utime(home / "README.md", (1_600_000_000, 1_600_000_000))
    os.utime(home / "src" / "auth.py", (1_600_000_000, 1_600_000_000))
    first, second = (tx.json(command) for _ in range(2))
    assert [first[key] for key in keys] == [2, 1, 1]
    assert [second[key] for key in keys] == [0, 0, 1]
    assert "history_problem" not in first


def test_what_was_read_ranks_files(tx: CommandLine, home: Path) -> None:
    commit(home, "midnight")
    tx.ok("index")
    assert "src/auth.py" in tx.ok("context", "midnight").out


@pytest.mark.parametrize("command", ["init", "index"])
def test_a_history_with_holes_is_a_warning(tx: CommandLine, home: Path, command: str) -> None:
    lose_history(home)
    outcome = tx.ok(command)
    assert HOLES in outcome.err
    assert "1 symbol." in outcome.out
    assert tx.json(command)["history_problem"].startswith(HOLES.removeprefix("tx: warning: "))


@pytest.mark.parametrize("command", ["init", "index"])
def test_a_repository_without_git_or_without_a_commit_hears_nothing_of_commits(
    elsewhere: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    for is_git in (False, True):
        if is_git:
            git(tmp_path, "init", "--quiet")
        elsewhere.ok("init")
        outcome = elsewhere.ok(command)
        assert "commit message" not in outcome.out + outcome.err
        assert elsewhere.json(command)["commits"] == 0


def test_a_database_elsewhere_is_filled_like_any_other(
    tx: CommandLine, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.ok("index")
    monkeypatch.setenv("TX_DB", str(tmp_path / "other.db"))
    assert tx.json("index")["commits_read"] == 1
    monkeypatch.delenv("TX_DB")
    assert tx.json("index")["commits_read"] == 0


def test_status_and_doctor_say_that_messages_were_never_read_or_are_old(tx: CommandLine, home: Path) -> None:
    sentence = "Commit messages were never read, so files are ranked by words alone; run 'tx index'."
    assert sentence not in tx.ok("status").err
    lose_history(home)
    tx.ok("index")
    hidden = home / ".git" / "hidden"
    (home / ".git" / "objects").rmdir()
    hidden.rename(hidden.with_name("objects"))
    assert sentence in tx.ok("status").err
    assert sentence in tx.ok("doctor").out
    tx.ok("index")
    assert sentence not in tx.ok("status").err
    for number in range(20):
        commit(home, f"{number}")
    assert "20 commits came since commit messages were read; run 'tx index'." in tx.ok("status").err
