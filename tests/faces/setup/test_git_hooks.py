"""Git's hooks run 'tx sync' in the background; what else they do stays as it is."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import Client
from tx_graph.faces.setup.setting_up import set_up


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    sandbox = GitSandbox(tmp_path / "repo", monkeypatch)
    sandbox.commit("a.py")
    sandbox.git("config", "core.hooksPath", ".git/hooks")
    return sandbox


def set_up_hooks(sandbox: GitSandbox, **named: bool | str) -> None:
    set_up(sandbox.root, Client.GIT_HOOKS, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize("before", [None, "#!/bin/sh\nexit 0\n", "echo hello\n", "#!/usr/bin/env bash\necho hi"])
def test_what_is_there_stays_and_comes_back(sandbox: GitSandbox, before: str | None) -> None:
    hook = sandbox.root / ".git" / "hooks" / "post-merge"
    if before is not None:
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(before, encoding="utf-8")
    set_up_hooks(sandbox, write=True)
    written = hook.read_text(encoding="utf-8")
    others = [line for line in written.splitlines(keepends=True) if "tx sync" not in line]
    assert "".join(others) == (before or "#!/bin/sh\n")
    assert os.access(hook, os.X_OK)
    set_up_hooks(sandbox, write=True)
    assert hook.read_text(encoding="utf-8") == written
    set_up_hooks(sandbox, undo=True)
    assert (hook.read_text(encoding="utf-8") if hook.exists() else None) == before


def test_a_colleague_without_tx_has_no_failing_hook(sandbox: GitSandbox) -> None:
    set_up_hooks(sandbox, write=True, command="tx-that-nobody-has")
    sandbox.git("checkout", "-q", "-b", "other")
    sandbox.git("checkout", "--", "a.py")


def test_a_hook_in_another_language_is_left_alone(sandbox: GitSandbox) -> None:
    hook = sandbox.root / ".git" / "hooks" / "post-merge"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/usr/bin/env python3\n", encoding="utf-8")
    with pytest.raises(UsageError, match="no shell script"):
        set_up_hooks(sandbox, write=True)
    assert hook.read_text(encoding="utf-8") == "#!/usr/bin/env python3\n"


def test_a_checkout_of_a_branch_has_it_run_and_one_of_a_file_does_not(sandbox: GitSandbox, tmp_path: Path) -> None:
    program, ran = tmp_path / "fake-tx", tmp_path / "ran"
    program.write_text(f"#!/bin/sh\necho ran >> {ran}\n", encoding="utf-8")
    program.chmod(0o755)
    set_up_hooks(sandbox, write=True, command=str(program))
    hook = sandbox.root / ".git" / "hooks" / "post-checkout"
    for flag in ("0", "1"):
        # the background process holds no pipe of ours: it is waited for by its file
        subprocess.run([hook, "old", "new", flag], check=True, cwd=sandbox.root)
    for _ in range(200):
        if ran.exists():
            break
        subprocess.run(["sleep", "0.02"], check=True)
    assert ran.read_text(encoding="utf-8") == "ran\n"


def test_with_hooks_a_commit_is_judged_as_it_is_staged_and_undone_it_is_not(
    sandbox: GitSandbox, tmp_path: Path
) -> None:
    program, asked = tmp_path / "fake-tx", tmp_path / "asked"
    program.write_text(f'#!/bin/sh\necho "$@" >> {asked}\nexit 1\n', encoding="utf-8")
    program.chmod(0o755)
    set_up_hooks(sandbox, write=True, hooks=True, command=str(program))
    with pytest.raises(subprocess.CalledProcessError):
        sandbox.commit("a.py")
    assert asked.read_text(encoding="utf-8") == "graph:verify --staged --since HEAD\n"
    set_up_hooks(sandbox, undo=True, command=str(program))
    assert not (sandbox.root / ".git" / "hooks" / "pre-commit").exists()
    sandbox.commit("a.py")
