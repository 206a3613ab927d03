"""Commits are read out of real repositories: their paths, their messages, what existed before, and their lines."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from tests.git_sandbox import DAY, NEW_YEAR_2024, GitSandbox
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.repository import GitRepository
from tx_graph.history.cochange import Commit
from tx_graph.history.commits import (
    Changeset,
    CommitMessage,
    changed_lines,
    commits_apart,
    oldest_time,
    read_changesets,
    read_commits,
    read_messages,
)

NOW = datetime(2024, 3, 31, 12, 0, tzinfo=UTC)
NINE = "".join(f"line {number}\n" for number in range(9))
ODD = ("\n", "\n\nx", '"q"', "a\tb", "a\\b", "-O", " lead", "deep/x", "ünï", "b\n/0 1", ":colon")

Read = Callable[[Path], list[Commit] | list[CommitMessage] | list[Changeset]]


def commits(root: Path) -> list[Commit]:
    return list(read_commits(root))


def messages(root: Path, *, after: str | None = None, oldest: int | None = None) -> list[CommitMessage]:
    repository = GitRepository(root)
    return list(read_messages(repository, repository.tip(), after=after, oldest=oldest))


def changesets(root: Path) -> list[Changeset]:
    return list(read_changesets(GitRepository(root)))


def shas(root: Path, *, since: str | None = None) -> list[str]:
    return [commit.sha for commit in read_commits(root, since=since, now=NOW)]


def commit_bytes(git: GitSandbox, message: bytes) -> None:
    """Make a commit with `a.py` whose message no `git commit` would write, as importers of other histories do."""
    git.write("a.py")
    git.git("add", "--all")
    person = f"Ada <ada@example.org> {NEW_YEAR_2024} +0000"
    header = f"tree {git.git('write-tree')}\nauthor {person}\ncommitter {person}\n\n"
    command = ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"]
    made = subprocess.run(command, cwd=git.root, input=header.encode() + message, check=True, capture_output=True)
    git.git("reset", "--quiet", "--hard", made.stdout.decode().strip())


def renamed(git: GitSandbox, *more: str, old: str = "old.py", new: str = "new.py") -> None:
    """Commit a file, and then its new name, changing other files too."""
    git.write(old, text=NINE)
    git.commit()
    git.git("mv", old, new)
    git.commit(*more)


# --- whichever way ------------------------------------------------------------------------------

all_ways = pytest.mark.parametrize("read", [commits, messages, changesets])
both_ways = pytest.mark.parametrize("read", [commits, messages])


@all_ways
def test_merges_and_other_branches_are_left_out_and_what_merges_bring_is_not(git: GitSandbox, read: Read) -> None:
    base = git.commit("a.py")
    git.git("checkout", "--quiet", "-b", "side")
    side = git.commit("b.py")
    git.git("checkout", "--quiet", "main")
    main = git.commit("c.py")
    first = [] if read is changesets else [base]
    assert {one.sha for one in read(git.root)} == {*first, main}
    git.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert {one.sha for one in read(git.root)} == {*first, side, main}


@all_ways
def test_no_commit_gives_nothing(git: GitSandbox, read: Read) -> None:
    assert read(git.root) == []


@all_ways
def test_the_boundary_of_a_shallow_clone_is_left_out(git: GitSandbox, tmp_path: Path, read: Read) -> None:
    made = [git.commit("a.py", "b.py"), git.commit("a.py"), git.commit("b.py")]
    for depth, known in ((2, made[2:]), (9, made[1:] if read is changesets else made)):
        git.git("clone", "--quiet", f"--depth={depth}", git.root.as_uri(), str(tmp_path / f"{depth}"))
        assert {one.sha for one in read(tmp_path / f"{depth}")} == set(known)


@all_ways
@pytest.mark.parametrize(
    "setting",
    [
        *("log.showSignature=true", "log.showRoot=false", "format.pretty=oneline", "diff.renames=copies"),
        *("diff.noprefix=true", "diff.orderFile=missing", "log.decorate=full", "notes.displayRef=*", "color.ui=always"),
        *("core.quotePath=true", "i18n.logOutputEncoding=UTF-16", "log.follow=true", "log.diffMerges=on"),
    ],
)
def test_the_users_configuration_changes_nothing(git: GitSandbox, read: Read, setting: str) -> None:
    git.commit("old ü.py", message="Begin · ü")
    git.git("mv", "old ü.py", "new.py")
    git.commit(message="Rename")
    git.git("notes", "add", "--message=a note")
    before = read(git.root)
    git.git("config", *setting.split("=", 1))
    assert read(git.root) == before != []


@all_ways
def test_a_log_that_breaks_midway_is_no_short_history(git: GitSandbox, read: Read) -> None:
    git.commit("a.py")
    git.commit("a.py")
    tree = git.git("rev-parse", "HEAD^{tree}")
    git.commit("a.py")
    (git.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(RepositoryError, match=tree) as caught:
        read(git.root)
    assert "git fsck" in caught.value.hint


@both_ways
def test_names_survive_whatever_they_hold(git: GitSandbox, read: Callable[[Path], list[Commit]]) -> None:
    git.commit(*ODD)
    [commit] = read(git.root)
    assert sorted(commit.paths) == sorted(ODD)


@both_ways
def test_names_that_are_not_utf8_survive(git: GitSandbox, read: Callable[[Path], list[Commit]]) -> None:
    try:
        (git.root / os.fsdecode(b"caf\xe9")).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    git.commit("a.py")
    [commit] = read(git.root)
    assert set(commit.paths) == {"a.py", "caf\udce9"}


@both_ways
def test_a_commit_without_files_has_no_paths(git: GitSandbox, read: Callable[[Path], list[Commit]]) -> None:
    git.commit("a.py")
    git.commit(message="Two\n\n/ends like a header")
    git.commit()
    assert [commit.paths for commit in read(git.root)] == [(), (), ("a.py",)]


# --- paths --------------------------------------------------------------------------------------


def test_commits_come_newest_first_with_the_first_commits_files(git: GitSandbox) -> None:
    first = git.commit("a.py", "b.py")
    second = git.commit("b.py")
    assert commits(git.root) == [
        Commit(sha=second, time=NEW_YEAR_2024 + DAY, paths=("b.py",)),
        Commit(sha=first, time=NEW_YEAR_2024, paths=("a.py", "b.py")),
    ]


def test_a_rename_is_one_path_gone_and_one_new(git: GitSandbox) -> None:
    renamed(git)
    assert commits(git.root)[0].paths == ("new.py", "old.py")


def test_a_rename_that_is_looked_for_is_one_path_and_heeds_no_configuration(git: GitSandbox) -> None:
    git.write("gone.py")
    renamed(git, "other.py", "new\n2.py", old="old\t1.py", new="new\n2.py")
    git.git("rm", "--quiet", "gone.py")
    git.git("add", "--all")
    git.git("commit", "--quiet", "--amend", "--no-edit")
    for setting in ("diff.renames=false", "diff.renameLimit=1", "log.follow=true", "diff.orderFile=missing"):
        git.git("config", *setting.split("="))
    last, first = read_commits(git.root, find_renames=True)
    assert set(last.paths) == {"new\n2.py", "other.py", "gone.py"}
    assert last.renames == (("old\t1.py", "new\n2.py"),)
    assert (set(first.paths), first.renames) == ({"old\t1.py", "gone.py"}, ())


def test_a_partial_clone_without_contents_says_what_it_lacks(git: GitSandbox, tmp_path: Path) -> None:
    git.git("config", "uploadpack.allowFilter", "true")
    renamed(git, "new.py")
    partial = tmp_path / "partial"
    git.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", git.root.as_uri(), str(partial))
    assert len(commits(partial)) == 2
    with pytest.raises(RepositoryError) as caught:
        list(read_commits(partial, find_renames=True))
    assert "partial clone" in caught.value.hint


def test_what_a_known_commit_builds_on_is_left_out(git: GitSandbox) -> None:
    base = git.commit("a.py")
    git.git("checkout", "--quiet", "-b", "side", base)
    side = git.commit("b.py")
    git.git("checkout", "--quiet", "main")
    main = git.commit("c.py")
    git.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert [commit.sha for commit in read_commits(git.root, after=main)] == [side]
    assert [one.sha for one in messages(git.root, after=side)] == [main]
    assert list(read_commits(git.root, after=git.git("rev-parse", "HEAD"))) == []
    repository = GitRepository(git.root)
    assert commits_apart(repository, of=side, without=main) == [side]
    assert commits_apart(repository, of=base, without=main) == []
    with pytest.raises(RepositoryError):
        commits_apart(repository, of="0" * 40, without=main)


def test_a_worktree_reads_its_own_head(git: GitSandbox, tmp_path: Path) -> None:
    first = git.commit("a.py")
    git.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    git.commit("a.py")
    assert shas(tmp_path / "linked") == [first]


def test_since_leaves_out_what_is_older(git: GitSandbox) -> None:
    made = [git.commit("a.py") for _ in range(4)]
    assert shas(git.root, since="2024-01-03T00:00:00Z") == shas(git.root, since="89 days ago") == [made[3], made[2]]
    assert shas(git.root, since="1969-01-01") == made[::-1]
    assert [one.sha for one in messages(git.root, oldest=NEW_YEAR_2024 + 3 * DAY)] == [made[3]]
    with pytest.raises(UsageError, match="'banana'") as caught:
        read_commits(git.root, since="banana")
    assert "6 months ago" in caught.value.hint


def test_outside_git_reading_fails(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="not a git repository"):
        commits(tmp_path)


@pytest.mark.parametrize("count", [0, 1])
def test_a_reader_may_stop_early_or_never_start(git: GitSandbox, count: int) -> None:
    made = [git.commit("a.py") for _ in range(3)]
    reading = read_commits(git.root)
    assert [commit.sha for commit in islice(reading, count)] == made[::-1][:count]
    del reading  # a git left behind would be a ResourceWarning


@pytest.mark.parametrize(
    ("since", "expected"),
    [
        ("2024-01-31T00:00:00Z", datetime(2024, 1, 31, tzinfo=UTC)),
        ("2024-01-31 12:30+02:00", datetime(2024, 1, 31, 10, 30, tzinfo=UTC)),
        ("2024-01-31", datetime(2024, 1, 31).astimezone()),
        ("today", NOW.astimezone().replace(hour=0)),
        ("yesterday", NOW - timedelta(days=1)),
        ("90 days ago", NOW - timedelta(days=90)),
        ("2.weeks.ago", NOW - timedelta(weeks=2)),
        ("1 Hour", NOW - timedelta(hours=1)),
        ("a year ago", datetime(2023, 3, 31, 12, tzinfo=UTC)),
        ("last month", datetime(2024, 2, 29, 12, tzinfo=UTC)),
        ("3 months ago", datetime(2023, 12, 31, 12, tzinfo=UTC)),
        ("16 months ago", datetime(2022, 11, 30, 12, tzinfo=UTC)),
        *((long_ago, None) for long_ago in ("1969-01-01", "9999 years ago", "999999999 weeks ago", "60 years ago")),
    ],
)
def test_dates_and_ages_are_understood(since: str, expected: datetime | None) -> None:
    assert oldest_time(since, now=NOW) == (int(expected.timestamp()) if expected else 0)


@pytest.mark.parametrize("since", ["", "banana", "10 bananas", "2024-13-01", "-3 days ago", "ago", "1e3 days"])
def test_what_is_no_date_is_refused(since: str) -> None:
    with pytest.raises(UsageError):
        oldest_time(since, now=NOW)


# --- messages -----------------------------------------------------------------------------------


def test_messages_come_latest_first_whatever_their_clocks_said(git: GitSandbox) -> None:
    first = git.commit("a.py", "b.py", message="Begin\n\nWith two files.")
    git._time -= 10 * DAY
    second = git.commit("b.py", message="Go on")
    newest = CommitMessage(sha=second, time=NEW_YEAR_2024 - 9 * DAY, author="Ada", text="Go on", paths=("b.py",))
    text = "Begin\n\nWith two files."
    oldest = CommitMessage(sha=first, time=NEW_YEAR_2024, author="Ada", text=text, paths=("a.py", "b.py"))
    assert messages(git.root) == [newest, oldest]


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
def test_bodies_survive_whatever_they_hold(git: GitSandbox, body: str) -> None:
    git.commit("a.py", message=f"Subject\n\n{body}")
    [one] = messages(git.root)
    assert (one.subject, one.body, one.paths) == ("Subject", body.strip(), ("a.py",))


@pytest.mark.parametrize(
    ("message", "subject", "body"),
    [(b"Caf\xe9 opens", "Caf\ufffd opens", ""), (b"Subject\n\nBody\0/0123 9\nmore", "Subject", "Body"), (b"", "", "")],
    ids=["not UTF-8: as far as it is", "a NUL: up to it", "empty: a commit too"],
)
def test_a_message_that_no_git_would_write_is_read(git: GitSandbox, message: bytes, subject: str, body: str) -> None:
    commit_bytes(git, message)
    [one] = messages(git.root)
    assert (one.subject, one.body, one.paths) == (subject, body, ("a.py",))


def test_a_message_in_another_encoding_that_says_so_is_read(git: GitSandbox) -> None:
    git.write("a.py")
    git.git("add", "--all")
    encoded = ["git", "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--file=-"]
    subprocess.run(encoded, cwd=git.root, input="Café".encode("latin-1"), check=True, capture_output=True)
    assert [one.subject for one in messages(git.root)] == ["Café"]


TRAILERS = "Signed-off-by: Ada <a@b.org>\nCo-authored-by: Bo <b@b.org>\nChange-Id: I0123\nReviewed-by: Cy\n"
NO_TRAILERS = ("Note: by the way", "Fixes: #12", "see also-by: nobody", "Signed-off-by:nobody")


@pytest.mark.parametrize(
    ("text", "subject", "body"),
    [
        ("Fix it", "Fix it", ""),
        ("Fix it\n\nBecause it broke.\n", "Fix it", "Because it broke."),
        ("Fix it\nat once", "Fix it", "at once"),
        ("Fix it\r\n\r\nBecause.", "Fix it", "Because."),
        ("", "", ""),
        (f"Fix it\n\nBecause it broke.\n\n{TRAILERS}", "Fix it", "Because it broke."),
        (f"Fix it\n\n{TRAILERS}", "Fix it", ""),
        *((f"Fix it\n\n{line}", "Fix it", line) for line in NO_TRAILERS),
    ],
)
def test_the_first_line_is_the_subject_and_the_rest_the_body_without_what_tools_add(
    text: str, subject: str, body: str
) -> None:
    message = CommitMessage(sha="0" * 40, time=0, author="Ada", text=text, paths=())
    assert (message.subject, message.body) == (subject, body)


# --- what existed before ------------------------------------------------------------------------


def test_changesets_come_oldest_first_without_the_first_of_all(git: GitSandbox) -> None:
    first = git.commit("a")
    second = git.commit("a", "b", message="Add b\n\nIts body.")
    third = git.commit(message="empty")
    found, empty = changesets(git.root)
    time = NEW_YEAR_2024 + DAY
    assert found == Changeset(sha=second, parent=first, time=time, subject="Add b", paths=2, existing=("a",))
    assert (empty.sha, empty.subject, empty.paths, empty.existing) == (third, "empty", 0, ())


def test_a_file_exists_that_was_changed_or_removed_and_a_renamed_one_by_its_old_name(git: GitSandbox) -> None:
    git.commit("changed", "removed", "old")
    git.git("mv", "old", "new")
    git.git("rm", "--quiet", "removed")
    git.commit("changed", "added")
    (found,) = changesets(git.root)
    assert (found.paths, set(found.existing)) == (5, {"changed", "removed", "old"})


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_links_submodules_and_what_tx_keeps_are_no_files_to_be_found(git: GitSandbox, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    git.git("init", "--quiet", str(inner))
    git.git("commit", "--quiet", "--allow-empty", "--message=inner", at=inner)
    git.git("submodule", "--quiet", "add", str(inner), "module")
    (git.root / "link").symlink_to("a")
    git.commit("a", ".tx/learnings/one.md", "node_modules/x.js")
    git.git("commit", "--quiet", "--allow-empty", "--message=more", at=git.root / "module")
    (git.root / "link").unlink()
    (git.root / "link").symlink_to("b")
    git.commit("a", ".tx/learnings/one.md", "node_modules/x.js")
    (found,) = changesets(git.root)
    assert (found.paths, found.existing) == (5, ("a",))


@pytest.mark.skipif(os.name == "nt", reason="needs names that are no text")
def test_odd_names_go_through_and_those_that_are_no_text_are_not_to_be_found(git: GitSandbox) -> None:
    names = [*ODD, os.fsdecode(b"latin-\xe9.py")]
    git.commit(*names)
    git.commit(*names)
    (found,) = changesets(git.root)
    assert (found.paths, set(found.existing)) == (len(names), set(ODD))


@pytest.mark.parametrize("subject", ["/ starts with a slash", "käse", "a" * 5000, ": 100644 x"])
def test_a_subject_comes_as_it_is(git: GitSandbox, subject: str) -> None:
    git.commit("a")
    git.commit("a", message=subject)
    assert [one.subject for one in changesets(git.root)] == [subject]


# --- lines --------------------------------------------------------------------------------------


def test_the_lines_of_a_commit_are_known(git: GitSandbox) -> None:
    git.write("a b.py", text="one\ntwo\nthree\n")
    git.write("gone.py", text="x\n")
    first = git.commit()
    (git.root / "a b.py").write_text("one\n++ 2\n@@ -9 @@\nthree\n")
    (git.root / "gone.py").unlink()
    second = git.commit()
    repository = GitRepository(git.root)
    assert changed_lines(repository, first)["a b.py"][0].added == ("one", "two", "three")
    changed = changed_lines(repository, second)
    assert changed.keys() == {"a b.py"}
    (hunk,) = changed["a b.py"]
    assert (hunk.old_start, hunk.old_count, hunk.lines) == (2, 1, (2, 3))
    assert (hunk.added, hunk.size) == (("++ 2", "@@ -9 @@"), 3)
