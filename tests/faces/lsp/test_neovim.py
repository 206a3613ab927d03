"""Neovim, headless, set up as 'tx setup' does it, and what somebody does there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.git_sandbox import GitSandbox
from tx_graph.faces.setup.clients import Client
from tx_graph.faces.setup.setting_up import set_up

SCRIPT = Path(__file__).with_name("session.lua")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no nvim; scripts/system-packages installs it"),
]


def test_open_hover_edit_confirm_and_the_diagnostic_is_gone(
    project: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(project.root) as workspace:
        workspace.learnings.add("Logins are slow on purpose. Nobody may guess.", anchors=["src/auth.py::login"])
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    program = tmp_path / "tx"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tx_graph "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    set_up(project.root, Client.NEOVIM, write=True, command=str(program))
    command = ["nvim", "--headless", "-n", "-i", "NONE", "src/auth.py", "-c", f"luafile {SCRIPT}"]
    environment = os.environ | {"TX_RESULT": str(tmp_path / "result.json")}
    ran = subprocess.run(
        command, cwd=project.root, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    found = json.loads((tmp_path / "result.json").read_text("utf-8"))
    assert "problem" not in found, (found, ran.stderr)
    assert "**fresh** Logins are slow on purpose. (learning:1)" in found["hover"]
    assert (found["lens"], found["before"]) == ("1 learning", 0)
    assert found["diagnostic"]["message"].startswith("Logins are slow on purpose. (learning:1)")
    assert (found["diagnostic"]["line"], found["diagnostic"]["character"], found["diagnostic"]["severity"]) == (0, 4, 2)
    assert found["actions"][0] == "Still true: Logins are slow on purpose."
    with open_workspace(project.root) as workspace:
        assert not workspace.anchors.verify().findings
