"""Streaming commits out of real repositories."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from tests.git_sandbox import DAY, NEW_YEAR_2024, GitSandbox
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.history.cochange import Commit
from tx_graph.history.commits import oldest_time, read_commits

NOW = datetime(2024, 3, 31, 12, 0, tzinfo=UTC)


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


def shas(root: Path, *, since: str | None = None) -> list[str]:
    return [commit.sha for commit in read_commits(root, since=since, now=NOW)]


def test_commits_come_newest_first_with_the_first_commits_files(sandbox: GitSandbox) -> None:
    first = sandbox.commit("a.py", "b.py")
    second = sandbox.commit("b.py")
    assert list(read_commits(sandbox.root)) == [
        Commit(sha=second, time=NEW_YEAR_2024 + DAY, paths=("b.py",)),
        Commit(sha=first, time=NEW_YEAR_2024, paths=("a.py", "b.py")),
    ]


def test_no_commit_gives_nothing(sandbox: GitSandbox) -> None:
    assert list(read_commits(sandbox.root)) == []


def test_a_commit_without_files_has_no_paths(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py")
    sandbox.commit()
    sandbox.commit()
    assert [commit.paths for commit in read_commits(sandbox.root)] == [(), (), ("a.py",)]


def test_names_survive_whatever_they_hold(sandbox: GitSandbox) -> None:
    odd = ("\n", "\n\nx", '"q"', "a\tb", "a\\b", "-O", " lead", "/deep/x".lstrip("/"), "ünï", "b\n/0 1")
    sandbox.commit(*odd)
    [commit] = read_commits(sandbox.root)
    assert sorted(commit.paths) == sorted(odd)


def test_names_that_are_not_utf8_survive(sandbox: GitSandbox) -> None:
    try:
        (sandbox.root / os.fsdecode(b"caf\xe9")).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    sandbox.commit("a.py")
    [commit] = read_commits(sandbox.root)
    assert set(commit.paths) == {"a.py", "caf\udce9"}


def test_a_rename_is_one_path_gone_and_one_new(sandbox: GitSandbox) -> None:
    sandbox.commit("old.py")
    sandbox.git("mv", "old.py", "new.py")
    sandbox.commit()
    assert next(iter(read_commits(sandbox.root))).paths == ("new.py", "old.py")


def test_a_rename_that_is_looked_for_is_one_path(sandbox: GitSandbox) -> None:
    sandbox.write("old\t1.py", text="".join(f"line {number}\n" for number in range(9)))
    sandbox.commit("other.py", "gone.py")
    sandbox.git("mv", "old\t1.py", "new\n2.py")
    sandbox.git("rm", "--quiet", "gone.py")
    sandbox.commit("other.py", "new\n2.py")
    last, first = read_commits(sandbox.root, find_renames=True)
    assert set(last.paths) == {"new\n2.py", "other.py", "gone.py"}
    assert last.renames == (("old\t1.py", "new\n2.py"),)
    assert set(first.paths) == {"old\t1.py", "other.py", "gone.py"}
    assert first.renames == ()


def test_looking_for_renames_heeds_no_configuration(sandbox: GitSandbox) -> None:
    sandbox.write("old.py", text="".join(f"line {number}\n" for number in range(9)))
    sandbox.commit()
    sandbox.git("mv", "old.py", "new.py")
    sandbox.commit()
    for setting in ("diff.renames=false", "diff.renameLimit=1", "log.follow=true", "diff.orderFile=missing"):
        sandbox.git("config", *setting.split("="))
    assert next(read_commits(sandbox.root, find_renames=True)).renames == (("old.py", "new.py"),)


def test_a_partial_clone_without_contents_says_what_it_lacks(sandbox: GitSandbox, tmp_path: Path) -> None:
    sandbox.git("config", "uploadpack.allowFilter", "true")
    sandbox.write("old.py", text="".join(f"line {number}\n" for number in range(9)))
    sandbox.commit()
    sandbox.git("mv", "old.py", "new.py")
    sandbox.commit("new.py")
    partial = tmp_path / "partial"
    sandbox.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", sandbox.root.as_uri(), str(partial))
    assert len(list(read_commits(partial))) == 2
    with pytest.raises(RepositoryError) as caught:
        list(read_commits(partial, find_renames=True))
    assert "partial clone" in caught.value.hint


def test_what_a_known_commit_builds_on_is_left_out(sandbox: GitSandbox) -> None:
    base = sandbox.commit("a.py")
    sandbox.git("checkout", "--quiet", "-b", "side", base)
    side = sandbox.commit("b.py")
    sandbox.git("checkout", "--quiet", "main")
    main = sandbox.commit("c.py")
    sandbox.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert [commit.sha for commit in read_commits(sandbox.root, after=main)] == [side]
    assert [commit.sha for commit in read_commits(sandbox.root, after=side)] == [main]
    assert list(read_commits(sandbox.root, after=sandbox.git("rev-parse", "HEAD"))) == []


def test_merges_are_left_out(sandbox: GitSandbox) -> None:
    base = sandbox.commit("a.py")
    sandbox.git("checkout", "--quiet", "-b", "side")
    side = sandbox.commit("b.py")
    sandbox.git("checkout", "--quiet", "main")
    main = sandbox.commit("c.py")
    sandbox.git("merge", "--quiet", "--no-ff", "--no-edit", "side")
    assert set(shas(sandbox.root)) == {base, side, main}


def test_branches_that_head_does_not_reach_do_not_count(sandbox: GitSandbox) -> None:
    base = sandbox.commit("a.py")
    sandbox.git("checkout", "--quiet", "-b", "side")
    sandbox.commit("b.py")
    sandbox.git("checkout", "--quiet", "--detach", base)
    assert shas(sandbox.root) == [base]


def test_the_boundary_of_a_shallow_clone_is_left_out(sandbox: GitSandbox, tmp_path: Path) -> None:
    sandbox.commit("a.py", "b.py")
    sandbox.commit("a.py")
    last = sandbox.commit("b.py")
    sandbox.git("clone", "--quiet", "--depth=2", sandbox.root.as_uri(), str(tmp_path / "shallow"))
    [commit] = read_commits(tmp_path / "shallow")
    assert (commit.sha, commit.paths) == (last, ("b.py",))


def test_a_clone_as_deep_as_its_history_is_whole(sandbox: GitSandbox, tmp_path: Path) -> None:
    first, second = sandbox.commit("a.py"), sandbox.commit("a.py")
    sandbox.git("clone", "--quiet", "--depth=9", sandbox.root.as_uri(), str(tmp_path / "deep"))
    assert shas(tmp_path / "deep") == [second, first]


def test_a_worktree_reads_its_own_head(sandbox: GitSandbox, tmp_path: Path) -> None:
    first = sandbox.commit("a.py")
    sandbox.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    sandbox.commit("a.py")
    assert shas(tmp_path / "linked") == [first]


def test_the_users_configuration_changes_nothing(sandbox: GitSandbox) -> None:
    first = sandbox.commit("a.py", "b.py")
    for setting in ("log.showRoot=false", "log.showSignature=true", "diff.orderFile=missing", "color.ui=always"):
        sandbox.git("config", *setting.split("="))
    assert list(read_commits(sandbox.root)) == [Commit(sha=first, time=NEW_YEAR_2024, paths=("a.py", "b.py"))]


def test_since_leaves_out_what_is_older(sandbox: GitSandbox) -> None:
    made = [sandbox.commit("a.py") for _ in range(4)]
    assert shas(sandbox.root, since="2024-01-03T00:00:00Z") == [made[3], made[2]]
    assert shas(sandbox.root, since="89 days ago") == [made[3], made[2]]
    assert shas(sandbox.root, since="1969-01-01") == made[::-1]


def test_a_since_that_is_no_date_is_refused_at_once(sandbox: GitSandbox) -> None:
    with pytest.raises(UsageError, match="'banana'") as caught:
        read_commits(sandbox.root, since="banana")
    assert "6 months ago" in caught.value.hint


def test_a_log_that_breaks_midway_is_no_short_history(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py")
    tree = sandbox.git("rev-parse", "HEAD^{tree}")
    sandbox.commit("a.py")
    (sandbox.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(RepositoryError, match=tree) as caught:
        list(read_commits(sandbox.root))
    assert "git fsck" in caught.value.hint


def test_outside_git_reading_fails(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="not a git repository"):
        list(read_commits(tmp_path))


def test_a_reader_may_stop_early(sandbox: GitSandbox) -> None:
    made = [sandbox.commit("a.py") for _ in range(3)]
    commits = read_commits(sandbox.root)
    assert [commit.sha for commit in islice(commits, 1)] == [made[-1]]
    del commits  # a git left behind would be a ResourceWarning


def test_a_reader_may_never_start(sandbox: GitSandbox) -> None:
    sandbox.commit("a.py")
    commits = read_commits(sandbox.root)
    del commits  # a git left behind would be a ResourceWarning


class TestOldestTime:
    @pytest.mark.parametrize(
        ("since", "expected"),
        [
            ("2024-01-31T00:00:00Z", datetime(2024, 1, 31, tzinfo=UTC)),
            ("2024-01-31 12:30+02:00", datetime(2024, 1, 31, 10, 30, tzinfo=UTC)),
            ("yesterday", NOW - timedelta(days=1)),
            ("90 days ago", NOW - timedelta(days=90)),
            ("2.weeks.ago", NOW - timedelta(weeks=2)),
            ("1 Hour", NOW - timedelta(hours=1)),
            ("a year ago", datetime(2023, 3, 31, 12, tzinfo=UTC)),
            ("last month", datetime(2024, 2, 29, 12, tzinfo=UTC)),
            ("3 months ago", datetime(2023, 12, 31, 12, tzinfo=UTC)),
            ("16 months ago", datetime(2022, 11, 30, 12, tzinfo=UTC)),
        ],
    )
    def test_dates_and_ages_are_understood(self, since: str, expected: datetime) -> None:
        assert oldest_time(since, now=NOW) == int(expected.timestamp())

    def test_a_bare_date_is_its_midnight_here(self) -> None:
        assert oldest_time("2024-01-31", now=NOW) == int(datetime(2024, 1, 31).astimezone().timestamp())

    def test_today_began_at_midnight_here(self) -> None:
        midnight = NOW.astimezone().replace(hour=0)
        assert oldest_time("today", now=NOW) == int(midnight.timestamp())

    @pytest.mark.parametrize("since", ["1969-01-01", "9999 years ago", "999999999 weeks ago", "60 years ago"])
    def test_long_ago_is_everything(self, since: str) -> None:
        assert oldest_time(since, now=NOW) == 0

    @pytest.mark.parametrize("since", ["", "banana", "10 bananas", "2024-13-01", "-3 days ago", "ago", "1e3 days"])
    def test_anything_else_is_refused(self, since: str) -> None:
        with pytest.raises(UsageError):
            oldest_time(since, now=NOW)
