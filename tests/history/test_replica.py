"""A replica shows one commit and what it builds on, runs nothing of anybody's, and leaves nothing behind."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph.core.errors import RepositoryError
from tx_graph.core.repository import GitRepository
from tx_graph.history.replica import Replica, replica_of

posix_only = pytest.mark.skipif(os.name == "nt", reason="needs scripts and links")


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    monkeypatch.setenv("TMPDIR", str(_made(tmp_path / "temporary")))
    monkeypatch.setattr("tempfile.tempdir", None)
    return GitSandbox(tmp_path / "repo", monkeypatch)


@pytest.fixture
def replica(git: GitSandbox) -> Iterator[Replica]:
    with replica_of(GitRepository(git.root)) as made:
        yield made


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def files(replica: Replica) -> set[str]:
    return {path.name for path in replica.root.iterdir()} - {".git"}


def script(path: Path, witness: Path) -> Path:
    """Write a program that leaves a trace when it is run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch '{witness}'\ncat\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_it_goes_from_commit_to_commit_in_either_direction(git: GitSandbox, replica: Replica) -> None:
    first, second = git.commit("a"), git.commit("b")
    git.git("rm", "--quiet", "a")
    third = git.commit("c")
    for commit, expected in ((first, {"a"}), (third, {"b", "c"}), (second, {"a", "b"}), (first, {"a"})):
        replica.go_to(commit)
        assert files(replica) == expected
        assert GitRepository(replica.root).head() == commit


def test_nothing_can_be_reached_but_the_commit_and_its_ancestors(git: GitSandbox, replica: Replica) -> None:
    first = git.commit("a")
    git.git("branch", "side")
    git.git("tag", "v1")
    git.commit("b")
    replica.go_to(first)
    assert git.git("for-each-ref", at=replica.root) == ""
    assert git.git("remote", at=replica.root) == ""
    assert git.git("rev-list", "--all", "HEAD", at=replica.root) == first


def test_the_repository_itself_is_not_touched(git: GitSandbox, replica: Replica) -> None:
    first = git.commit("a")
    git.commit("a")
    git.write("a", "untracked")
    before = git.git("status", "--porcelain"), git.git("show-ref"), git.git("worktree", "list"), git.git("reflog")
    replica.go_to(first)
    after = git.git("status", "--porcelain"), git.git("show-ref"), git.git("worktree", "list"), git.git("reflog")
    assert before == after


def test_nothing_is_left_behind_even_after_an_interruption(git: GitSandbox, tmp_path: Path) -> None:
    first = git.commit("a")
    temporary = tmp_path / "temporary"

    def interrupted() -> None:
        with replica_of(GitRepository(git.root)) as replica:
            replica.go_to(first)
            assert replica.root.is_relative_to(temporary.resolve())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(temporary.iterdir()) == []


@posix_only
def test_no_hook_runs(git: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness, hooks = tmp_path / "witness", tmp_path / "hooks"
    configuration = tmp_path / "gitconfig"
    configuration.write_text(
        f"[core]\n\thooksPath = {hooks}\n\tfsmonitor = {hooks}/fsmonitor\n[init]\n\ttemplateDir = {tmp_path}\n"
    )
    first = git.commit("a")
    for name in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor"):
        script(hooks / name, witness)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    with replica_of(GitRepository(git.root)) as replica:
        replica.go_to(first)
        assert files(replica) == {"a"}
    assert not witness.exists()


@posix_only
def test_no_filter_runs_and_files_come_as_they_were_committed(
    git: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git.write(".gitattributes", text="* text eol=crlf\n*.bin filter=lfs\n")
    git.write("pointer.bin", text="version https://git-lfs.github.com/spec/v1\n")
    first = git.commit()
    witness, configuration = tmp_path / "witness", tmp_path / "gitconfig"
    smudge = script(tmp_path / "smudge", witness)
    configuration.write_text(f'[filter "lfs"]\n\tsmudge = {smudge}\n\tprocess = {smudge}\n\trequired = true\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    with replica_of(GitRepository(git.root)) as replica:
        replica.go_to(first)
        assert (replica.root / "pointer.bin").read_bytes() == b"version https://git-lfs.github.com/spec/v1\n"
    assert not witness.exists()


def test_submodules_are_not_looked_into(git: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner"
    git.git("init", "--quiet", str(inner))
    git.git("commit", "--quiet", "--allow-empty", "--message=inner", at=inner)
    git.git("submodule", "--quiet", "add", str(inner), "module")
    first = git.commit("a")
    configuration = tmp_path / "gitconfig"
    configuration.write_text("[submodule]\n\trecurse = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(configuration))
    with replica_of(GitRepository(git.root)) as replica:
        replica.go_to(first)
        assert files(replica) == {"a", "module", ".gitmodules"}
        assert list((replica.root / "module").iterdir()) == []


def test_a_shallow_clone_can_be_replicated(git: GitSandbox, tmp_path: Path) -> None:
    git.commit("a")
    second, third = git.commit("a", "b"), git.commit("a")
    git.git("clone", "--quiet", "--depth=2", git.root.as_uri(), str(tmp_path / "shallow"))
    with replica_of(GitRepository(tmp_path / "shallow")) as replica:
        replica.go_to(third)
        assert git.git("rev-list", "HEAD", at=replica.root).split() == [third, second]


@pytest.mark.parametrize(
    "made",
    [["clone --quiet --shared repo other"], ["clone --quiet --bare repo bare", "-C bare worktree add ../other"]],
    ids=["a clone that borrows its objects", "a linked worktree of a bare repository"],
)
def test_other_kinds_of_repositories_can_be_replicated(git: GitSandbox, tmp_path: Path, made: list[str]) -> None:
    first = git.commit("a")
    for command in made:
        git.git(*command.split(), at=tmp_path)
    with replica_of(GitRepository(tmp_path / "other")) as replica:
        replica.go_to(first)
        assert files(replica) == {"a"}


def test_a_repository_with_sha256_can_be_replicated(git: GitSandbox, tmp_path: Path) -> None:
    modern = tmp_path / "modern"
    git.git("init", "--quiet", "--object-format=sha256", str(modern))
    git.git("commit", "--quiet", "--allow-empty", "--message=first", at=modern)
    with replica_of(GitRepository(modern)) as replica:
        replica.go_to(git.git("rev-parse", "HEAD", at=modern))
        assert files(replica) == set()


def without_contents_of(git: GitSandbox, *paths: str) -> None:
    """Remove what the repository has of some files, as a partial clone that leaves out big files lacks them."""
    for path in paths:
        blob = git.git("rev-parse", f"HEAD:{path}")
        (git.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def test_a_few_files_without_contents_are_left_out(git: GitSandbox, replica: Replica) -> None:
    for number in range(60):
        git.write(f"{number}", text=f"{number}\n")
    first = git.commit()
    git.git("rm", "--quiet", "7")
    git.write("big", text="a big file\n")
    second = git.commit()
    without_contents_of(git, "big")
    replica.go_to(first)
    replica.go_to(second)
    assert files(replica) == {str(number) for number in range(60) if number != 7}
    assert GitRepository(replica.root).head() == second
    replica.go_to(first)
    assert files(replica) == {str(number) for number in range(60)}


def test_a_clone_without_the_contents_of_files_is_refused(git: GitSandbox, replica: Replica) -> None:
    git.write("a", text="one\n")
    git.write("b", text="two\n")
    first = git.commit()
    without_contents_of(git, "a")
    with pytest.raises(RepositoryError, match="the contents of 1 of its 2 files are not here") as caught:
        replica.go_to(first)
    assert "partial clone" in caught.value.hint
