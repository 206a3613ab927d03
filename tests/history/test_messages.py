"""Streaming what commits say, and which files they touched, out of real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.git_sandbox import DAY, NEW_YEAR_2024, GitSandbox
from tx_graph.core.errors import RepositoryError
from tx_graph.core.repository import GitRepository, Tip
from tx_graph.history.commits import CommitMessage, commits_apart, read_messages


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


def messages(
    sandbox: GitSandbox, *, after: str | None = None, oldest: int | None = None, root: Path | None = None
) -> list[CommitMessage]:
    repository = GitRepository(root or sandbox.root)
    return list(read_messages(repository, repository.tip(), after=after, oldest=oldest))


def subjects(sandbox: GitSandbox, *, after: str | None = None, root: Path | None = None) -> list[str]:
    return [one.subject for one in messages(sandbox, after=after, root=root)]


def commit_bytes(sandbox: GitSandbox, message: bytes) -> None:
    """Make a commit with `a.py` whose message no `git commit` would write, as importers of other histories do."""
    sandbox.write("a.py")
    sandbox.git("add", "--all")
    person = f"Ada <ada@example.org> {NEW_YEAR_2024} +0000"
    header = f"tree {sandbox.git('write-tree')}\nauthor {person}\ncommitter {person}\n\n"
    command = ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"]
    made = subprocess.run(
        command, cwd=sandbox.root, input=header.encode() + message, check=True, capture_output=True, text=False
    )
    sandbox.git("reset", "--quiet", "--hard", made.stdout.decode().strip())


def test_messages_come_latest_first_with_the_first_commits_files(sandbox: GitSandbox) -> None:
    first = sandbox.commit("a.py", "b.py", message="Begin\n\nWith two files.")
    second = sandbox.commit("b.py", message="Go on")
    assert messages(sandbox) == [
        CommitMessage(sha=second, time=NEW_YEAR_2024 + DAY, author="Ada", text="Go on", paths=("b.py",)),
        CommitMessage(
            sha=first, time=NEW_YEAR_2024, author="Ada", text="Begin\n\nWith two files.", paths=("a.py", "b.py")
        ),
    ]


def test_older_ones_can_be_left_out(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py", message="One")
    sandbox.commit("a.py", message="Two")
    assert [one.subject for one in messages(sandbox, oldest=NEW_YEAR_2024 + DAY)] == ["Two"]


def test_a_repository_without_commits_says_nothing(sandbox: GitSandbox) -> None:
    assert messages(sandbox) == []


def test_only_what_is_new_is_read(sandbox: GitSandbox) -> None:
    first = sandbox.commit("a.py", message="One")
    sandbox.commit("a.py", message="Two")
    assert subjects(sandbox, after=first) == ["Two"]


@pytest.mark.parametrize(
    "body",
    [
        "/0123456789 12\n/abc 1",
        "\n\n\nfar below\n",
        "a\tb \\ \"quoted\" 'text' %H %n %x00",
        "diff --git a/x b/x\n--- a/x\n+++ b/x",
        "emoji 🚀 and 数据库",
        "x" * 100_000,
    ],
)
def test_bodies_survive_whatever_they_hold(sandbox: GitSandbox, body: str) -> None:
    sandbox.commit("a.py", message=f"Subject\n\n{body}")
    [one] = messages(sandbox)
    assert (one.subject, one.body, one.paths) == ("Subject", body.strip(), ("a.py",))


def test_a_message_that_is_not_utf8_is_read_as_far_as_it_is(sandbox: GitSandbox) -> None:
    commit_bytes(sandbox, b"Caf\xe9 opens")
    [one] = messages(sandbox)
    assert (one.subject, one.paths) == ("Caf\ufffd opens", ("a.py",))


def test_a_message_ends_at_a_nul(sandbox: GitSandbox) -> None:
    commit_bytes(sandbox, b"Subject\n\nBody\0/0123 9\nmore")
    [one] = messages(sandbox)
    assert (one.subject, one.body, one.paths) == ("Subject", "Body", ("a.py",))


def test_a_message_in_another_encoding_that_says_so_is_read(sandbox: GitSandbox) -> None:
    sandbox.write("a.py")
    sandbox.git("add", "--all")
    encoded = ["git", "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--file=-"]
    subprocess.run(encoded, cwd=sandbox.root, input="Café".encode("latin-1"), check=True, capture_output=True)
    assert subjects(sandbox) == ["Café"]


def test_an_empty_message_is_a_commit_too(sandbox: GitSandbox) -> None:
    sandbox.write("a.py")
    sandbox.git("add", "--all")
    sandbox.git("commit", "--quiet", "--allow-empty-message", "--message=")
    [one] = messages(sandbox)
    assert (one.text, one.paths) == ("", ("a.py",))


def test_a_commit_without_files_has_no_paths(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py", message="One")
    sandbox.commit(message="Two\n\n/ends like a header")
    sandbox.commit(message="Three")
    assert [(one.subject, one.paths) for one in messages(sandbox)] == [("Three", ()), ("Two", ()), ("One", ("a.py",))]


def test_names_survive_whatever_they_hold(sandbox: GitSandbox) -> None:
    odd = ("\n", "\n\nx", '"q"', "a\tb", "a\\b", "-O", " lead", "ünï", "b\n/0 1")
    sandbox.commit(*odd)
    [one] = messages(sandbox)
    assert sorted(one.paths) == sorted(odd)


def test_names_that_are_not_utf8_survive(sandbox: GitSandbox) -> None:
    try:
        (sandbox.root / os.fsdecode(b"caf\xe9")).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    sandbox.commit("a.py")
    [one] = messages(sandbox)
    assert set(one.paths) == {"a.py", "caf\udce9"}


def test_merges_are_left_out_and_what_they_bring_is_not(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py", message="Begin")
    sandbox.git("switch", "--quiet", "--create", "topic")
    sandbox.commit("b.py", message="On a topic")
    sandbox.git("switch", "--quiet", "main")
    sandbox.commit("c.py", message="Meanwhile")
    sandbox.git("merge", "--quiet", "--no-ff", "--message=Merge it", "topic")
    assert sorted(subjects(sandbox)) == ["Begin", "Meanwhile", "On a topic"]


def test_no_commit_comes_before_one_that_builds_on_it_whatever_their_clocks_said(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py", message="One")
    sandbox._time -= 10 * DAY
    sandbox.commit("a.py", message="Two")
    assert subjects(sandbox) == ["Two", "One"]


def test_the_boundary_of_a_shallow_clone_is_left_out(sandbox: GitSandbox, tmp_path: Path) -> None:
    for number in range(4):
        sandbox.commit("a.py", message=f"Number {number}")
    shallow = tmp_path / "shallow"
    sandbox.git("clone", "--quiet", "--depth=2", sandbox.root.as_uri(), str(shallow))
    assert subjects(sandbox, root=shallow) == ["Number 3"]


@pytest.mark.parametrize(
    "setting",
    [
        "log.showSignature=true",
        "log.showRoot=false",
        "format.pretty=oneline",
        "diff.renames=copies",
        "diff.noprefix=true",
        "diff.orderFile=missing",
        "log.decorate=full",
        "notes.displayRef=*",
        "color.ui=always",
        "core.quotePath=true",
        "i18n.logOutputEncoding=UTF-16",
        "log.follow=true",
        "log.diffMerges=on",
    ],
)
def test_the_users_configuration_changes_nothing(sandbox: GitSandbox, setting: str) -> None:
    sandbox.commit("old ü.py", message="Begin · ü")
    sandbox.git("mv", "old ü.py", "new.py")
    sandbox.commit(message="Rename")
    sandbox.git("notes", "add", "--message=a note")
    before = messages(sandbox)
    sandbox.git("config", *setting.split("=", 1))
    assert messages(sandbox) == before


def test_a_history_that_cannot_be_read_is_an_error(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py")
    with pytest.raises(RepositoryError):
        list(read_messages(GitRepository(sandbox.root), Tip(head="0" * 40, is_shallow=False, boundary=frozenset())))


def test_commits_of_one_branch_and_not_of_another_are_told(sandbox: GitSandbox) -> None:
    base = sandbox.commit("a.py")
    sandbox.git("switch", "--quiet", "--create", "topic")
    topic = sandbox.commit("b.py")
    sandbox.git("switch", "--quiet", "main")
    main = sandbox.commit("c.py")
    repository = GitRepository(sandbox.root)
    assert commits_apart(repository, of=topic, without=main) == [topic]
    assert commits_apart(repository, of=base, without=main) == []
    with pytest.raises(RepositoryError):
        commits_apart(repository, of="0" * 40, without=main)
