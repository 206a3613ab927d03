"""Whatever git is in the middle of, or lacks: a right answer or one clear sentence, and nothing that was said is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.attack.world import READ, WRITE, built, in_time, is_clear
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox

pytestmark = pytest.mark.slow

State = Callable[[GitSandbox], Path | None]
"""Brings a copy of the project into a state; returns where one stands then, if it is not the copy."""


def beside(git: GitSandbox, name: str) -> Path:
    return git.root.parent / name


def clone(git: GitSandbox, *options: str) -> Path:
    git.git("clone", "--quiet", *options, git.root.as_uri(), str(beside(git, "clone")))
    return beside(git, "clone")


def objects(git: GitSandbox) -> list[Path]:
    return [path for path in sorted((git.root / ".git/objects").glob("??/*"))]


def object_of(git: GitSandbox, name: str) -> Path:
    digest = git.git("rev-parse", name)
    return git.root / ".git" / "objects" / digest[:2] / digest[2:]


def shallow(git: GitSandbox) -> Path:
    return clone(git, "--depth=2")


def bare(git: GitSandbox) -> Path:
    return clone(git, "--bare")


def worktree(git: GitSandbox) -> Path:
    git.git("worktree", "add", "--quiet", "-b", "linked", str(beside(git, "clone")))
    return beside(git, "clone")


def pruned_worktree(git: GitSandbox) -> Path:
    linked = worktree(git)
    shutil.rmtree(git.root / ".git" / "worktrees")
    return linked


def worktree_without_main(git: GitSandbox) -> Path:
    linked = worktree(git)
    shutil.rmtree(git.root)
    return linked


def submodule(git: GitSandbox) -> Path:
    outer = beside(git, "outer")
    subprocess.run(["git", "init", "--quiet", outer], check=True)
    git.git("submodule", "--quiet", "add", git.root.as_uri(), "inner", at=outer)
    return outer / "inner"


def with_submodule(git: GitSandbox) -> None:
    clone(git)
    git.git("submodule", "--quiet", "add", beside(git, "clone").as_uri(), "inner")


def with_broken_submodule(git: GitSandbox) -> None:
    with_submodule(git)
    git.commit()
    shutil.rmtree(git.root / ".git" / "modules")


def conflicted(git: GitSandbox, *how: str) -> None:
    """Two branches that change the same lines of code and of a record; then git stops in the middle."""
    record = next((git.root / ".tx" / "learnings").glob("*-compare-*"))
    for branch in ("other", "main"):
        git.git("checkout", "--quiet", "-B", branch, *(["main"] if branch == "other" else []))
        for path in (git.root / "src" / "auth.py", record):
            path.write_text(path.read_text().replace("login", branch).replace("constant", branch))
        git.git("commit", "--quiet", "--all", "--message", branch)
        if branch == "other":
            git.git("branch", "--force", "main", "other~1")
            git.git("checkout", "--quiet", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git.git(*how, "other")


def merge(git: GitSandbox) -> None:
    conflicted(git, "merge")


def rebase(git: GitSandbox) -> None:
    conflicted(git, "rebase")


def cherry_pick(git: GitSandbox) -> None:
    conflicted(git, "cherry-pick")


def detached(git: GitSandbox) -> None:
    git.git("checkout", "--quiet", "--detach", "HEAD~2")


def unborn(git: GitSandbox) -> None:
    git.git("checkout", "--quiet", "--orphan", "new")


def empty(git: GitSandbox) -> Path:
    beside(git, "clone").mkdir()
    git.git("init", "--quiet", at=beside(git, "clone"))
    return beside(git, "clone")


def corrupt_commit(git: GitSandbox) -> None:
    damage(object_of(git, "HEAD~2"))


def corrupt_head(git: GitSandbox) -> None:
    damage(object_of(git, "HEAD"))


def corrupt_blob(git: GitSandbox) -> None:
    damage(object_of(git, "HEAD~1:src/auth.py"))


def missing_blob(git: GitSandbox) -> None:
    object_of(git, "HEAD~2:src/auth.py").unlink()


def missing_tree(git: GitSandbox) -> None:
    object_of(git, "HEAD~2^{tree}").unlink()


def damage(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:10] + b"\xff" * 20)


def corrupt_pack(git: GitSandbox) -> None:
    git.git("gc", "--quiet")
    (pack,) = (git.root / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    data = pack.read_bytes()
    pack.write_bytes(data[: len(data) // 2] + b"\xff" * 64 + data[len(data) // 2 + 64 :])


def truncated_pack(git: GitSandbox) -> None:
    git.git("gc", "--quiet")
    (pack,) = (git.root / ".git/objects/pack").glob("*.pack")
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:-100])


def corrupt_index(git: GitSandbox) -> None:
    (git.root / ".git" / "index").write_bytes(b"DIRC\0\0\0\2nonsense")


def no_head(git: GitSandbox) -> None:
    (git.root / ".git" / "HEAD").write_text("nonsense\n")


def head_of_nothing(git: GitSandbox) -> None:
    (git.root / ".git" / "refs/heads/main").write_text("0123456789" * 4 + "\n")


def sha256(git: GitSandbox) -> Path:
    root = beside(git, "clone")
    git.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main", str(root))
    return copy_history(git, root)


def copy_history(git: GitSandbox, root: Path) -> Path:
    for name in git.git("rev-list", "--reverse", "HEAD").split():
        git.git("--work-tree", str(root), "checkout", "--quiet", name, "--", ".")
        git.git("add", "--all", at=root)
        git.git("commit", "--quiet", "--allow-empty", "--message", git.git("log", "-1", "--format=%s", name), at=root)
    return root


def reftable(git: GitSandbox) -> Path:
    root = beside(git, "clone")
    try:
        git.git("init", "--quiet", "--ref-format=reftable", "--initial-branch=main", str(root))
    except subprocess.CalledProcessError:
        pytest.skip("this git has no reftable")
    return copy_history(git, root)


def partial(git: GitSandbox) -> Path:
    git.git("config", "uploadpack.allowFilter", "true")
    return clone(git, "--filter=blob:none")


def partial_alone(git: GitSandbox) -> Path:
    root = partial(git)
    shutil.rmtree(git.root)
    return root


def partial_unreachable(git: GitSandbox) -> Path:
    root = partial(git)
    git.git("remote", "set-url", "origin", "https://192.0.2.1/gone.git", at=root)
    return root


def foreign_owner(git: GitSandbox) -> None:
    if os.geteuid():
        pytest.skip("only root gives files away")
    for path in [git.root, *git.root.rglob("*")]:
        os.chown(path, 12345, 12345)


def alternates(git: GitSandbox) -> Path:
    return clone(git, "--shared")


def alternates_gone(git: GitSandbox) -> Path:
    root = clone(git, "--shared")
    shutil.rmtree(git.root)
    return root


def odd_names(git: GitSandbox) -> None:
    names = [b"new\nline.py", b"tab\there.py", b'"quoted".py', b"back\\slash.py", b"\xff\xfe.py", b"-rf.py", b" .py"]
    names += ["caf\u00e9.py".encode(), "cafe\u0301.py".encode(), b"Case.py", b"case.py", b":(glob)x.py", b"a::b.py"]
    names += [b"*.py", b"#1.py", b"\x1b[31m.py", b"%s.py", b"{0}.py", b"con\rreturn.md", b"HEAD", b"..py", b"src/:.md"]
    for name in names:
        with open(os.path.join(os.fsencode(git.root), name), "w") as stream:
            stream.write("def login():\n    return 2\n")
    git.commit()
    for name in names:
        with open(os.path.join(os.fsencode(git.root), name), "a") as stream:
            stream.write("login()\n")
    git.commit()


def file_became_directory(git: GitSandbox) -> None:
    (git.root / "src" / "auth.py").unlink()
    git.write("src/auth.py/inner.py", text="def verify():\n    return 1\n")


def directory_became_file(git: GitSandbox) -> None:
    shutil.rmtree(git.root / "src")
    git.write("src", text="verify\n")


def many_tags(git: GitSandbox) -> None:
    head = git.git("rev-parse", "HEAD")
    packed = "".join(f"{head} refs/tags/v{number:05}\n" for number in range(10_000))
    (git.root / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{packed}")


def replaced(git: GitSandbox) -> None:
    git.git("replace", "HEAD~1", "HEAD~3")


def replaced_in_a_circle(git: GitSandbox) -> None:
    git.git("replace", "--graft", "HEAD~3", "HEAD")


def grafted(git: GitSandbox) -> None:
    (git.root / ".git" / "info").mkdir(exist_ok=True)
    (git.root / ".git" / "info" / "grafts").write_text(git.git("rev-parse", "HEAD~1") + "\n")


def sparse(git: GitSandbox) -> None:
    git.git("sparse-checkout", "set", "docs", ".tx")


def elsewhere(git: GitSandbox) -> None:
    other = clone(git)
    git.git("rm", "-r", "--quiet", ".", at=other)
    os.environ.update(GIT_DIR=str(other / ".git"), GIT_WORK_TREE=str(other), GIT_INDEX_FILE=str(other / "none"))


def locked(git: GitSandbox) -> None:
    (git.root / ".git" / "index.lock").touch()


def fifo(git: GitSandbox) -> None:
    (git.root / "src" / "auth.py").unlink()
    os.mkfifo(git.root / "src" / "auth.py")
    os.mkfifo(git.root / ".tx" / "learnings" / "pipe.md")
    os.mkfifo(git.root / "README.rst")


def loops(git: GitSandbox) -> None:
    (git.root / "loop").symlink_to(".")
    (git.root / "src" / "keys.py").unlink()
    (git.root / "src" / "keys.py").symlink_to("keys.py")
    (git.root / ".tx" / "learnings" / "loop.md").symlink_to("loop.md")


def without_fsmonitor(git: GitSandbox) -> None:
    """Settings of the repository that run programs, print colours, sign, or change formats."""
    for setting in (
        "core.fsmonitor=true", "color.ui=always", "log.showSignature=true", "core.quotePath=false", "diff.external=false",
        "core.pager=false", "log.follow=true", "diff.noprefix=true", "diff.renames=copies", "log.date=relative",
        "format.pretty=oneline", "core.abbrev=4", "log.decorate=full", "status.short=true", "diff.orderFile=gone",
        "core.attributesFile=gone", "core.hooksPath=gone", "log.mailmap=true", "i18n.logOutputEncoding=utf-16",
        "core.precomposeUnicode=true", "diff.algorithm=patience", "diff.ignoreSubmodules=none", "core.untrackedCache=true",
    ):  # fmt: skip
        git.git("config", *setting.split("="))


STATES: dict[State, set[int]] = {state: set() for state in (
    shallow, bare, worktree, pruned_worktree, worktree_without_main, submodule, with_submodule, with_broken_submodule,
    merge, rebase, cherry_pick, detached, unborn, empty, corrupt_commit, corrupt_head, corrupt_blob, missing_blob,
    missing_tree, corrupt_pack, truncated_pack, corrupt_index, no_head, head_of_nothing, sha256, reftable, partial,
    partial_alone, partial_unreachable, foreign_owner, alternates, alternates_gone, odd_names, file_became_directory,
    directory_became_file, many_tags, replaced, replaced_in_a_circle, grafted, sparse, elsewhere, locked, fifo, loops,
    without_fsmonitor,
)}  # fmt: skip
