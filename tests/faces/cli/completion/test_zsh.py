"""A person at a zsh prompt presses Tab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.cli.completion.prompt import TAB, Prompt

START = "autoload -Uz compinit && compinit -u -D"
LOAD = 'eval "$(tx completion zsh)"'

pytestmark = [
    pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed"),
    pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning"),  # pexpect's; nothing of ours runs in the child
]


@pytest.fixture
def zsh(memory: Path, environment: dict[str, str]) -> Iterator[Prompt]:
    with Prompt("zsh", cwd=memory, environment=environment) as prompt:
        prompt.run(START)
        prompt.run(LOAD)
        yield prompt


PRESSES = {
    "tx gra": "tx graph:",
    "tx graph:li": "tx graph:link ",
    "tx 'graph:li": "tx 'graph:link' ",
    "tx nothing:li": "tx nothing:li",
    "tx graph:link 1 sr": "tx graph:link 1 src/",
    "tx graph:link 1 src/deep/j": r"tx graph:link 1 src/deep/jwt\ utils.py ",
    "tx graph:show learning:2": "tx graph:show learning:2 ",
    "tx learning:add --st": "tx learning:add --status ",
    "tx learning:add --status st": "tx learning:add --status staged ",
    "tx learning:add --status=st": "tx learning:add --status=staged ",
    'tx learning:add "a: \'b" --status st': 'tx learning:add "a: \'b" --status staged ',
    "tx graph:neighbors 1 --edge-types IMPORTS,CO": "tx graph:neighbors 1 --edge-types IMPORTS,CO_CHANGES_WITH",
    "tx graph:neighbors 1 --edge-types IMPORTS": "tx graph:neighbors 1 --edge-types IMPORTS ",
    "tx graph:analyze-imports --path s": "tx graph:analyze-imports --path src/",
    "tx graph:analyze-imports --path=s": "tx graph:analyze-imports --path=src/",
    "tx learning:add text --anchor=src/au": "tx learning:add text --anchor=src/auth.py ",
    "tx -C s": "tx -C src/",
    "tx -C src graph:link 1 deep/j": r"tx -C src graph:link 1 deep/jwt\ utils.py ",
    "tx graph:stats > src/au": "tx graph:stats > src/auth.py ",
    "NO_COLOR=1 tx graph:li": "NO_COLOR=1 tx graph:link ",
    "true é; tx graph:li": "true é; tx graph:link ",
    "~/tx graph:li": "~/tx graph:link ",
}


def test_tab_completes_the_word_at_the_cursor(zsh: Prompt) -> None:
    assert {typed: zsh.press(typed + TAB) for typed in PRESSES} == PRESSES


def test_commands_are_listed_with_their_summaries(zsh: Prompt) -> None:
    line, shown = zsh.watch("tx graph:" + TAB + TAB)
    assert line.startswith("tx graph:")
    assert "graph:link " in shown
    assert "Tie a learning to a file, symbol, lines or glob." in shown


def test_learnings_are_listed_with_their_first_words(zsh: Prompt) -> None:
    _, shown = zsh.watch("tx learning:show " + TAB + TAB)
    assert "Compare tokens in constant time Else they leak." in shown
    assert "Migrations [31mare: atomic" in shown


@pytest.mark.parametrize("settings", ["setopt no_unset", "setopt ksh_arrays", "setopt sh_word_split", "IFS=:", LOAD])
def test_the_settings_of_the_users_shell_do_not_matter(
    memory: Path, environment: dict[str, str], settings: str
) -> None:
    with Prompt("zsh", cwd=memory, environment=environment) as prompt:
        prompt.run(START)
        prompt.run(settings)
        prompt.run(LOAD)
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
        assert prompt.press("tx nothing" + TAB) == "tx nothing"
        assert prompt.press("tx learning:show 2" + TAB) == "tx learning:show 2 "


def test_the_script_serves_from_fpath(memory: Path, environment: dict[str, str], tmp_path: Path) -> None:
    with Prompt("zsh", cwd=memory, environment=environment) as prompt:
        prompt.run(f"mkdir {tmp_path}/zfunc; tx completion zsh > {tmp_path}/zfunc/_tx; fpath=({tmp_path}/zfunc $fpath)")
        prompt.run(START)
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
        assert prompt.press("tx graph:unr" + TAB) == "tx graph:unrelate "


def test_the_script_starts_the_completion_system_where_it_is_missing(memory: Path, environment: dict[str, str]) -> None:
    with Prompt("zsh", cwd=memory, environment=environment) as prompt:
        assert "not found" not in prompt.run(LOAD)
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "


def test_without_a_workspace_nothing_is_said(tmp_path: Path, environment: dict[str, str]) -> None:
    with Prompt("zsh", cwd=tmp_path, environment=environment) as prompt:
        prompt.run(START)
        prompt.run(LOAD)
        line, shown = prompt.watch("tx learning:show " + TAB + TAB)
    assert line == "tx learning:show "
    assert "tx:" not in shown
    assert "Traceback" not in shown
