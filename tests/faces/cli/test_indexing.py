"""`tx init` and `tx index` read what files and commits say, embed what lacks a vector, and tell only what is new."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.fakes import WordEmbedder
from tests.support import let_stamps_settle
from tx_graph.faces.cli import command as made
from tx_graph.workspace import open_kernel

HOLES = "tx: warning: Commit messages were not read: 'git log' failed in "
WHY = "Comparing with == returns at the first difference, because of which an attacker learns the token byte by byte."
both = pytest.mark.parametrize("command", ["init", "index"])


def lose_history(home: Path) -> Path:
    """Take away what `git log` reads; files can still be listed. Return where it is now."""
    objects = home / ".git" / "objects"
    hidden = objects.rename(objects.with_name("hidden"))
    objects.mkdir()
    return hidden


@both
def test_new_messages_are_told_once_and_rank_files(tx: CommandLine, checkout: Checkout, command: str) -> None:
    let_stamps_settle()
    first, second = (tx.json(command) for _ in range(2))
    keys = ("worded", "commits_read", "commits")
    assert ([first[key] for key in keys], [second[key] for key in keys]) == ([2, 1, 1], [0, 0, 1])
    assert "history_problem" not in first
    assert "commit message" not in tx.ok(command).out
    checkout.commit("midnight", "src/auth.py")
    assert tx.ok(command).out.splitlines()[-1] == "1 commit message read."
    assert "src/auth.py" in tx.ok("context midnight").out


@both
def test_a_history_with_holes_is_a_warning(tx: CommandLine, home: Path, command: str) -> None:
    lose_history(home)
    outcome = tx.ok(command)
    assert HOLES in outcome.err
    assert "1 symbol." in outcome.out
    assert tx.json(command)["history_problem"].startswith(HOLES.removeprefix("tx: warning: "))


@both
def test_a_repository_without_git_or_without_a_commit_hears_nothing_of_commits(
    elsewhere: CommandLine, tmp_path: Path, command: str
) -> None:
    for is_git in (False, True):
        if is_git:
            Checkout(tmp_path).git("init", "--quiet")
        elsewhere.ok("init")
        outcome = elsewhere.ok(command)
        assert "commit message" not in outcome.out + outcome.err
        assert elsewhere.json(command)["commits"] == 0


def test_status_and_doctor_say_that_messages_were_never_read_or_are_old(tx: CommandLine, checkout: Checkout) -> None:
    sentence = "Commit messages were never read, so files are ranked by words alone."
    assert sentence not in tx.ok("status").err
    hidden = lose_history(checkout.root)
    tx.ok("index")
    hidden.with_name("objects").rmdir()
    hidden.rename(hidden.with_name("objects"))
    assert sentence in tx.ok("status").err
    assert sentence.removesuffix(".") in " ".join(tx.ok("doctor").out.split())
    tx.ok("index")
    assert sentence not in tx.ok("status").err
    for number in range(20):
        checkout.git("commit", "--quiet", "--allow-empty", f"--message={number}")
    assert "20 commits came or went since commit messages were read." in tx.ok("status").err


@both
def test_what_lacks_a_vector_gets_one(tx: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    tx.add("First")
    tx.add("Second")
    assert tx.json("index")["embedded"] == 0
    assert tx.ok("index").err == "", "without a model nothing is said"
    monkeypatch.setattr(made, "open_kernel", partial(open_kernel, embedder=WordEmbedder()))
    assert "2 learnings embedded." in tx.ok(command).out.splitlines()
    assert "embedded" not in tx.ok(command).out
    assert tx.json("status")["embedding"]["lacking"] == 0
    assert tx.json(command)["embedded"] == 0


@both
def test_a_model_that_fails_is_a_warning(tx: CommandLine, command: str) -> None:
    tx.add("First")
    tx.ok("config set embedder fastembed:nope/none")
    assert "tx: warning: Not all learnings have a vector: " in tx.ok(command).err
    shape = tx.json(command)
    assert shape["embedded"] == 0
    assert shape["embedding_problem"].startswith("Not all learnings")


def test_a_new_workspace_is_told_how_many_lessons_history_holds(tmp_path: Path) -> None:
    checkout, tx = Checkout(tmp_path), CommandLine(tmp_path)
    checkout.git("init", "--quiet")
    for number, why in enumerate(["Tidy up", "Compare tokens in constant time\n\n" + WHY, "Bump version to 2"]):
        checkout.write("src/auth.py", f"TOKEN = {number}\n")
        checkout.commit(why, "src/auth.py")
    assert "seem to teach 1 lesson: tx learning:propose, then tx learning:review" in tx.ok("init").err
    assert "seem to teach" not in tx.ok("init").err
    assert len(tx.json("learning:propose --from commits --no-model --dry-run")["proposals"]) == 1


@both
def test_what_is_marked_as_generated_is_named_read_or_not(tx: CommandLine, checkout: Checkout, command: str) -> None:
    checkout.write(".gitattributes", "src/* linguist-generated\n")
    checkout.write("src/made.py", "# Code generated by a compiler. DO NOT EDIT.\nword = 1\n")
    checkout.git("add", "--all")
    told = tx.ok(command).err
    assert "'src/made.py' is marked as generated and looks it." in told
    assert "Marked as generated and read all the same: 'src/auth.py'. See 'index.generated'." in told
    tx.ok("config set index.generated attribute")
    assert (tx.json("index")["kept"], len(tx.json("index")["skipped"])) == ([], 2)
