"""`tx completion` prints a script."""

from __future__ import annotations

import json

import pytest

from tx_graph.faces.cli.completion.scripts import Shell, script_for
from tx_graph.faces.cli.main import run


@pytest.mark.parametrize("shell", Shell)
def test_a_script_says_how_to_install_it(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed == script_for(shell)
    assert f"tx completion {shell}" in printed


def test_the_shell_of_the_environment_is_the_default(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/local/bin/fish")
    assert run(["completion", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"shell": "fish", "script": script_for(Shell.FISH)}


@pytest.mark.parametrize("shell", ["/bin/tcsh", ""])
def test_a_shell_without_a_script_is_a_usage_error(
    shell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", shell)
    assert run(["completion"]) == 2
    assert "bash, zsh, fish" in capsys.readouterr().err


def test_an_unknown_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "tcsh" in printed.err
