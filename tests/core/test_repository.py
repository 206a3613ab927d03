"""Finding a repository, and listing its files, against real git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.git_sandbox import NEW_YEAR_2024, GitSandbox
from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import git_failure
from tx_graph.core.place import Root, find_root
from tx_graph.core.repository import GitRepository, IgnoreRules, Skipped, Tip, WorkingFile, walk_files


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


@pytest.fixture
def repository(sandbox: GitSandbox) -> GitRepository:
    return GitRepository(sandbox.root)


def paths(files: list[WorkingFile]) -> list[str]:
    return [file.path for file in files]


def write_bytes_name(root: Path, name: bytes) -> None:
    try:
        (root / os.fsdecode(name)).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")


class TestFindRoot:
    def test_the_root_of_a_subdirectory_is_the_top_level(self, sandbox: GitSandbox) -> None:
        sandbox.write("src/deep/a.py")
        assert find_root(sandbox.root / "src/deep") == Root(path=sandbox.root.resolve(), is_git=True)

    def test_a_linked_worktree_is_its_own_root(self, sandbox: GitSandbox, tmp_path: Path) -> None:
        sandbox.commit("src/a.py")
        sandbox.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
        assert find_root(tmp_path / "linked/src") == Root(path=(tmp_path / "linked").resolve(), is_git=True)

    def test_a_submodule_is_its_own_root(self, sandbox: GitSandbox) -> None:
        sandbox.commit("a.py")
        sandbox.git("submodule", "--quiet", "add", str(sandbox.root), "inner")
        assert find_root(sandbox.root / "inner") == Root(path=sandbox.root.resolve() / "inner", is_git=True)

    def test_a_symlinked_start_finds_the_real_root(self, sandbox: GitSandbox, tmp_path: Path) -> None:
        sandbox.write("src/a.py")
        (tmp_path / "short").symlink_to(sandbox.root / "src")
        assert find_root(tmp_path / "short") == Root(path=sandbox.root.resolve(), is_git=True)

    def test_git_wins_over_a_nearer_tx(self, sandbox: GitSandbox) -> None:
        (sandbox.root / "part/.tx").mkdir(parents=True)
        assert find_root(sandbox.root / "part") == Root(path=sandbox.root.resolve(), is_git=True)

    def test_outside_git_the_nearest_tx_counts(self, tmp_path: Path) -> None:
        (tmp_path / "outer/.tx").mkdir(parents=True)
        (tmp_path / "outer/inner/.tx/below").mkdir(parents=True)
        expected = Root(path=(tmp_path / "outer/inner").resolve(), is_git=False)
        assert find_root(tmp_path / "outer/inner/.tx/below") == expected

    def test_an_empty_git_directory_is_passed_over_as_git_does(self, tmp_path: Path) -> None:
        (tmp_path / "project/.git").mkdir(parents=True)
        (tmp_path / "project/.tx").mkdir()
        assert find_root(tmp_path / "project") == Root(path=(tmp_path / "project").resolve(), is_git=False)

    def test_nothing_above_gives_nothing(self, tmp_path: Path) -> None:
        assert find_root(tmp_path) is None

    def test_inside_the_git_directory_the_way_out_is_shown(self, sandbox: GitSandbox) -> None:
        with pytest.raises(RepositoryError) as caught:
            find_root(sandbox.root / ".git/hooks")
        assert str(sandbox.root.resolve()) in caught.value.hint

    def test_a_bare_repository_is_refused(self, sandbox: GitSandbox, tmp_path: Path) -> None:
        sandbox.git("clone", "--quiet", "--bare", str(sandbox.root), str(tmp_path / "bare.git"))
        with pytest.raises(RepositoryError) as caught:
            find_root(tmp_path / "bare.git/refs")
        assert "git worktree add" in caught.value.hint

    def test_it_starts_no_process_and_loads_nothing_heavy(self, sandbox: GitSandbox) -> None:
        script = """
import pathlib, sys
from tx_graph.core.place import find_root
find_root(pathlib.Path())
sys.exit(bool({"subprocess", "git", "numpy", "tempfile", "asyncio"} & sys.modules.keys()))
"""
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
        python = [sys.executable, "-c", script]
        assert subprocess.run(python, cwd=sandbox.root, env=environment, check=False).returncode == 0


class TestListFiles:
    def test_new_files_count_and_ignored_ones_do_not(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py")
        sandbox.write(".gitignore", text="*.log\n")
        sandbox.write("new.py", "noise.log")
        assert paths(repository.list_files()) == [".gitignore", "a.py", "new.py"]
        assert paths(repository.tracked_files()) == ["a.py"]

    def test_a_file_comes_with_its_size_and_time(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.write("a.py", text="12345")
        os.utime(sandbox.root / "a.py", ns=(7, 1_000_000_000))
        found = (sandbox.root / "a.py").stat()
        changed = found.st_mtime_ns if os.name == "nt" else found.st_ctime_ns
        assert repository.list_files() == [WorkingFile(path="a.py", size=5, mtime_ns=changed)]

    def test_deleted_files_are_left_out(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py", "gone.py", "gone/too.py")
        (sandbox.root / "gone.py").unlink()
        shutil.rmtree(sandbox.root / "gone")
        assert paths(repository.list_files()) == paths(repository.tracked_files()) == ["a.py"]

    def test_symlinks_are_left_out(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.write("a.py")
        (sandbox.root / "link.py").symlink_to("a.py")
        (sandbox.root / "loop").symlink_to(".")
        sandbox.commit()
        (sandbox.root / "new_link.py").symlink_to("a.py")
        assert paths(repository.list_files()) == ["a.py"]
        assert repository.files_of("HEAD") == ["a.py"]

    def test_a_directory_that_became_a_symlink_hides_its_files(
        self, sandbox: GitSandbox, repository: GitRepository, tmp_path: Path
    ) -> None:
        sandbox.commit("a.py", "pack/deep/b.py")
        (sandbox.root / "pack").rename(tmp_path / "elsewhere")
        (sandbox.root / "pack").symlink_to(tmp_path / "elsewhere")
        assert paths(repository.list_files()) == ["a.py"]

    def test_submodules_are_left_out(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py")
        sandbox.git("submodule", "--quiet", "add", str(sandbox.root), "inner")
        sandbox.commit()
        assert paths(repository.list_files()) == [".gitmodules", "a.py"]
        assert repository.files_of("HEAD") == [".gitmodules", "a.py"]

    def test_a_repository_inside_is_left_out(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.write("a.py", "nested/b.py")
        sandbox.git("init", "--quiet", at=sandbox.root / "nested")
        sandbox.git("add", "b.py", at=sandbox.root / "nested")
        assert paths(repository.list_files()) == ["a.py"]

    def test_a_file_that_became_a_directory_is_said_to_be_one(
        self, sandbox: GitSandbox, repository: GitRepository
    ) -> None:
        sandbox.commit("a.py")
        (sandbox.root / "a.py").unlink()
        sandbox.write("a.py/b.py")
        skipped: list[Skipped] = []
        assert paths(repository.list_files(on_skip=skipped.append)) == ["a.py/b.py"]
        assert skipped == [("a.py", "is a directory now")]

    def test_packages_and_records_are_left_out_anywhere(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py", "web/node_modules/x/i.js", ".tx/learnings/l.md", "node_modules_not/i.js")
        sandbox.write("node_modules/new.js", ".tx/new.md")
        assert paths(repository.list_files()) == ["a.py", "node_modules_not/i.js"]
        assert repository.files_of("HEAD") == ["a.py", "node_modules_not/i.js"]

    def test_odd_names_come_back_as_they_are(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        odd = ['"quoted".py', "a\nb.py", "a\tb.py", "\nfirst.py", " spaced .py", "-dash.py", "ünï.py"]
        sandbox.commit(*odd)
        assert paths(repository.list_files()) == repository.files_of("HEAD") == sorted(odd)

    def test_names_that_are_not_utf8_are_reported_alone(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        write_bytes_name(sandbox.root, b"caf\xe9.py")
        sandbox.commit("a.py")
        skipped: list[Skipped] = []
        assert paths(repository.list_files(on_skip=skipped.append)) == ["a.py"]
        assert skipped == [("caf\\xe9.py", "has a name that is not UTF-8")]
        assert repository.files_of("HEAD") == ["a.py"]

    def test_a_file_in_conflict_is_listed_once(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py")
        sandbox.git("checkout", "--quiet", "-b", "other")
        sandbox.commit("a.py")
        sandbox.git("checkout", "--quiet", "main")
        sandbox.write("a.py", text="something else\n")
        sandbox.commit()
        with pytest.raises(subprocess.CalledProcessError):
            sandbox.git("merge", "other")
        assert paths(repository.list_files()) == ["a.py"]

    def test_a_hook_of_another_repository_does_not_mislead(
        self, sandbox: GitSandbox, repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        head = sandbox.commit("a.py")
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere/.git"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere/.git/index.lock"))
        monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
        assert paths(repository.tracked_files()) == ["a.py"]
        assert repository.head() == head

    def test_a_worktree_lists_its_own_files(self, sandbox: GitSandbox, tmp_path: Path) -> None:
        sandbox.commit("a.py")
        sandbox.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
        (tmp_path / "linked/only_here.py").touch()
        linked = GitRepository(tmp_path / "linked")
        assert paths(linked.list_files()) == ["a.py", "only_here.py"]


class TestIgnores:
    def test_the_users_rules_count_but_for_tracked_files(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.write(".gitignore", text="*.log\ndist/\n")
        sandbox.write("kept.log", "dist/a.js", "a.py", "-odd.log")
        sandbox.git("add", "--force", "kept.log")
        ignored = [path for path in ("kept.log", "dist/a.js", "a.py", "-odd.log") if repository.ignores(path)]
        assert ignored == ["dist/a.js", "-odd.log"]

    def test_a_submodule_has_rules_of_its_own(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py")
        sandbox.git("submodule", "--quiet", "add", str(sandbox.root), "inner")
        assert not repository.ignores("inner/a.py")


class TestHead:
    def test_head_is_the_last_commit_if_there_is_one(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        assert repository.head() is None
        sha = sandbox.commit("a.py")
        assert repository.head() == sha
        assert repository.time_of(sha) == NEW_YEAR_2024

    def test_the_files_of_a_commit_are_its_own_alone(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sha = sandbox.commit("a.py", "run.sh")
        (sandbox.root / "a.py").unlink()
        sandbox.write("new.py")
        sandbox.git("add", "--all")
        assert repository.files_of(sha) == ["a.py", "run.sh"]

    def test_the_tip_says_it_all_at_once(self, sandbox: GitSandbox, repository: GitRepository, tmp_path: Path) -> None:
        assert repository.tip() == Tip(head=None, is_shallow=False, boundary=frozenset())
        sandbox.commit("a.py")
        cut = sandbox.commit("a.py")
        assert repository.tip() == Tip(head=cut, is_shallow=False, boundary=frozenset())
        sandbox.git("clone", "--quiet", "--depth=1", sandbox.root.as_uri(), str(tmp_path / "odd\nname"))
        shallow = GitRepository(tmp_path / "odd\nname")
        assert shallow.tip() == Tip(head=cut, is_shallow=True, boundary=frozenset({cut}))
        assert (shallow.is_shallow(), repository.is_shallow()) == (True, False)
        sandbox.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked\ntree"), at=shallow.root)
        assert GitRepository(tmp_path / "linked\ntree").tip() == shallow.tip()


class TestFailures:
    def test_without_git_the_error_says_what_to_install(
        self, repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(RepositoryError, match="Cannot run git") as caught:
            repository.list_files()
        assert "PATH" in caught.value.hint

    def test_outside_git_the_error_is_gits_own(self, tmp_path: Path) -> None:
        with pytest.raises(RepositoryError, match="not a git repository"):
            GitRepository(tmp_path).list_files()

    def test_a_directory_that_is_gone_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(RepositoryError, match="gone is not a directory"):
            GitRepository(tmp_path / "gone").list_files()

    def test_dubious_ownership_tells_the_way_out(
        self, repository: GitRepository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
        with pytest.raises(RepositoryError, match="dubious ownership") as caught:
            repository.list_files()
        assert "safe.directory" in caught.value.hint
        with pytest.raises(RepositoryError, match="dubious ownership"):
            repository.head()

    def test_a_corrupt_index_is_explained(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        sandbox.commit("a.py")
        (sandbox.root / ".git/index").write_bytes(b"no index at all")
        with pytest.raises(RepositoryError, match="index file") as caught:
            repository.tracked_files()
        assert "git fsck" in caught.value.hint


class TestWalkFiles:
    def test_hidden_directories_packages_and_symlinks_are_passed_over(self, tmp_path: Path) -> None:
        for path in ("b/c.py", "a.py", ".hidden/x.py", "b/node_modules/x.js", ".tx/l.md", ".eslintrc.js"):
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text("x")
        (tmp_path / "b/loop").symlink_to(tmp_path)
        (tmp_path / "link.py").symlink_to("a.py")
        assert paths(walk_files(tmp_path)) == [".eslintrc.js", "a.py", "b/c.py"]

    def test_names_that_are_not_utf8_are_reported(self, tmp_path: Path) -> None:
        write_bytes_name(tmp_path, b"\xff.py")
        skipped: list[Skipped] = []
        assert walk_files(tmp_path, on_skip=skipped.append) == []
        assert skipped == [("\\xff.py", "has a name that is not UTF-8")]

    def test_with_rules_it_lists_what_git_would(self, sandbox: GitSandbox, repository: GitRepository) -> None:
        texts = {
            ".gitignore": "*.log\n!keep.log\n/build/\n",
            "deep/.gitignore": "!*.log\n/secret.py\n",
            ".github/ci.py": "",
            "a.log": "",
            "keep.log": "",
            "build/out.py": "",
            "deep/build/in.py": "",
            "deep/b.log": "",
            "deep/secret.py": "",
            "node_modules/x.js": "",
            "src/a.py": "",
        }
        for path, text in texts.items():
            sandbox.write(path, text=text)
        assert walk_files(sandbox.root, rules=IgnoreRules(sandbox.root)) == repository.list_files()

    def test_symlinks_are_reported_and_not_followed(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to(tmp_path)
        skipped: list[Skipped] = []
        assert walk_files(tmp_path, on_skip=skipped.append) == []
        assert skipped == [("loop", "is a symbolic link")]

    def test_a_directory_that_cannot_be_read_is_reported(self, tmp_path: Path) -> None:
        skipped: list[Skipped] = []
        assert walk_files(tmp_path / "missing", on_skip=skipped.append) == []
        assert skipped == [(str(tmp_path / "missing"), "cannot be opened")]


def test_a_full_disk_is_told_as_one_where_git_cannot_write(tmp_path: Path) -> None:
    messages = (
        b"error: sha1 file '.git/index.lock' write error. Out of diskspace\nfatal: unable to write new_index file"
    )
    failure = git_failure(tmp_path, "diff", messages)
    assert (failure.status, failure.message) == (5, f"The disk is full: 'git diff' cannot write in {tmp_path}.")
