"""A person at a bash prompt presses Tab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.cli.completion.prompt import TAB, Prompt

LOAD = 'eval "$(tx completion bash)"'

pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
    pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning"),  # pexpect's; nothing of ours runs in the child
]


@pytest.fixture
def bash(memory: Path, environment: dict[str, str]) -> Iterator[Prompt]:
    with Prompt("bash", cwd=memory, environment=environment) as prompt:
        prompt.run(LOAD)
        yield prompt


PRESSES = {
    "tx gra": "tx graph:",
    "tx graph:li": "tx graph:link ",
    "tx graph:link": "tx graph:link ",
    "tx 'graph:li": "tx 'graph:link' ",
    "tx learning:s": "tx learning:s",
    "tx nothing:li": "tx nothing:li",
    "tx graph:link 1 sr": "tx graph:link 1 src/",
    "tx graph:link 1 src/au": "tx graph:link 1 src/auth.py ",
    "tx graph:link 1 src/deep/j": r"tx graph:link 1 src/deep/jwt\ utils.py ",
    "tx graph:show src/au": "tx graph:show src/auth.py ",
    "tx graph:show 1": "tx graph:show 1 ",
    "tx graph:show learning:2": "tx graph:show learning:2 ",
    "tx learning:add --st": "tx learning:add --status ",
    "tx learning:add --status st": "tx learning:add --status staged ",
    "tx learning:add --status=st": "tx learning:add --status=staged ",
    "tx learning:add 'a: b' --status st": "tx learning:add 'a: b' --status staged ",
    "tx learning:add text --link 1:elab": "tx learning:add text --link 1:elaborates ",
    "tx learning:add text --anchor src/au": "tx learning:add text --anchor src/auth.py ",
    "tx learning:add text --anchor src/auth.py::lo": "tx learning:add text --anchor src/auth.py::lo",
    "tx graph:neighbors 1 --direction o": "tx graph:neighbors 1 --direction out ",
    "tx graph:neighbors 1 --edge-types IM": "tx graph:neighbors 1 --edge-types IMPORTS",
    "tx graph:neighbors 1 --types-at 2=IM": "tx graph:neighbors 1 --types-at 2=IMPORTS",
    "tx graph:neighbors 1 --edge-types IMPORTS,co": "tx graph:neighbors 1 --edge-types IMPORTS,CO_CHANGES_WITH",
    "tx graph:neighbors 1 --edge-types IMPORTS": "tx graph:neighbors 1 --edge-types IMPORTS ",
    "tx graph:analyze-imports --path s": "tx graph:analyze-imports --path src/",
    "tx graph:analyze-imports --path=s": "tx graph:analyze-imports --path=src/",
    "tx learning:add text --anchor=src/au": "tx learning:add text --anchor=src/auth.py ",
    "tx config get index.m": "tx config get index.max_file_size ",
    "tx model ins": "tx model install ",
    "tx -C s": "tx -C src/",
    "tx -C src graph:li": "tx -C src graph:link ",
    "tx -C src graph:link 1 au": "tx -C src graph:link 1 auth.py ",
    "tx -C src graph:link 1 deep/j": r"tx -C src graph:link 1 deep/jwt\ utils.py ",
    "tx graph:stats > src/au": "tx graph:stats > src/auth.py ",
    "NO_COLOR=1 tx graph:li": "NO_COLOR=1 tx graph:link ",
    "true é; tx graph:li": "true é; tx graph:link ",
    "~/tx graph:li": "~/tx graph:link ",
}


def test_tab_completes_the_word_at_the_cursor(bash: Prompt) -> None:
    assert {typed: bash.press(typed + TAB) for typed in PRESSES} == PRESSES


def test_the_rest_of_the_line_stays(bash: Prompt) -> None:
    assert bash.press("tx graph:li 1 src/auth.py" + "\x02" * len(" 1 src/auth.py") + TAB) == "tx graph:link"


def test_two_tabs_list_the_commands_behind_the_colon(bash: Prompt) -> None:
    line, shown = bash.watch("tx graph:" + TAB + TAB)
    assert line == "tx graph:"
    listed = shown.split()
    assert {"link", "unlink", "neighbors", "analyze-imports"} <= set(listed)
    assert "init" not in listed


def test_two_tabs_list_learnings_and_files(bash: Prompt) -> None:
    _, shown = bash.watch("tx graph:show " + TAB + TAB)
    assert {"1", "2", "notes.md", "src/"} <= set(shown.split())


def test_a_colon_that_does_not_break_words_is_fine_too(bash: Prompt) -> None:
    bash.run('COMP_WORDBREAKS="${COMP_WORDBREAKS//[:=]/}"')
    assert bash.press("tx graph:li" + TAB) == "tx graph:link "
    assert bash.press("tx learning:add --status=st" + TAB) == "tx learning:add --status=staged "


@pytest.mark.parametrize(
    "settings", ["set -u", "set -e", "set -eu -o pipefail", "IFS=:", "set -f", "set -o posix", LOAD]
)
def test_the_settings_of_the_users_shell_do_not_matter(
    memory: Path, environment: dict[str, str], settings: str
) -> None:
    with Prompt("bash", cwd=memory, environment=environment) as prompt:
        prompt.run(settings)
        prompt.run(LOAD)
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
        assert prompt.press("tx nothing" + TAB) == "tx nothing"
        assert prompt.press("tx graph:link 1 src/au" + TAB) == "tx graph:link 1 src/auth.py "
        assert prompt.press("tx graph:show 2" + TAB) == "tx graph:show 2 "
        assert prompt.press("tx learning:add --no" + TAB) == "tx learning:add --no"


def test_without_a_workspace_nothing_is_said(tmp_path: Path, environment: dict[str, str]) -> None:
    with Prompt("bash", cwd=tmp_path, environment=environment) as prompt:
        prompt.run(LOAD)
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
        line, shown = prompt.watch("tx learning:show " + TAB + TAB)
    assert line == "tx learning:show "
    assert shown.rpartition("> ")[2].strip() == "tx learning:show"


def test_a_tx_that_is_gone_is_not_complained_of(bash: Prompt, environment: dict[str, str]) -> None:
    (Path(environment["HOME"]) / "tx").write_text("#!/bin/sh\necho broken >&2\nexit 3\n", encoding="utf-8")
    line, shown = bash.watch("tx graph:li" + TAB)
    assert line == "tx graph:li"
    assert "broken" not in shown
