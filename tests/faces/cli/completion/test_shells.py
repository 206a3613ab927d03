"""A person at a bash or zsh prompt presses Tab."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faces.cli.completion.prompt import TAB, Prompt

START = {"bash": ":", "zsh": "autoload -Uz compinit && compinit -u -D"}
LOAD = {shell: f'eval "$(tx completion {shell})"' for shell in START}
SHELLS = [
    pytest.param(shell, marks=pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed"))
    for shell in START
]
bash_only = pytest.mark.parametrize("shell", SHELLS[:1])
zsh_only = pytest.mark.parametrize("shell", SHELLS[1:])
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")  # nothing of ours runs in the child


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def prompt(shell: str, known: Path, environment: dict[str, str]) -> Iterator[Prompt]:
    with Prompt(shell, cwd=known, environment=environment) as opened:
        opened.run(START[shell])
        opened.run(LOAD[shell])
        yield opened


BOTH = {
    "tx gra": "tx graph",  # then a space or a colon
    "tx graph li": "tx graph link ",
    "tx graph link 1 sr": "tx graph link 1 src/",
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
PRESSES = {
    "zsh": BOTH,
    "bash": BOTH
    | {
        "tx learning:s": "tx learning:s",
        "tx graph:show 1": "tx graph:show 1 ",
        "tx learning:add text --link 1:elab": "tx learning:add text --link 1:elaborates ",
        "tx learning:add text --anchor src/auth.py::lo": "tx learning:add text --anchor src/auth.py::lo",
        "tx graph:neighbors 1 --types-at 2=IM": "tx graph:neighbors 1 --types-at 2=IMPORTS",
        "tx config get index.m": "tx config get index.max_file_size ",
        "tx -C src graph:li": "tx -C src graph:link ",
    },
}


@pytest.mark.slow
def test_tab_completes_the_word_at_the_cursor(prompt: Prompt, shell: str) -> None:
    assert {typed: prompt.press(typed + TAB) for typed in PRESSES[shell]} == PRESSES[shell]


SETTINGS = {
    "bash": ["set -eu -o pipefail; set -f", "IFS=:; set -o posix", LOAD["bash"]],
    "zsh": ["setopt no_unset", "setopt ksh_arrays", "setopt sh_word_split", "IFS=:", LOAD["zsh"]],
}


@pytest.mark.slow
def test_the_settings_of_the_users_shell_do_not_matter(known: Path, environment: dict[str, str], shell: str) -> None:
    for settings in SETTINGS[shell]:
        with Prompt(shell, cwd=known, environment=environment) as prompt:
            prompt.run(START[shell])
            prompt.run(settings)
            prompt.run(LOAD[shell])
            presses = {
                "tx graph:li": "tx graph:link ",
                "tx nothing": "tx nothing",
                "tx learning:show 2": "tx learning:show 2 ",
            }
            assert {typed: prompt.press(typed + TAB) for typed in presses} == presses, settings


def test_without_a_workspace_nothing_is_said(tmp_path: Path, environment: dict[str, str], shell: str) -> None:
    with Prompt(shell, cwd=tmp_path, environment=environment) as prompt:
        prompt.run(START[shell])
        prompt.run(LOAD[shell])
        line, shown = prompt.watch("tx learning:show " + TAB + TAB)
    assert line == "tx learning:show "
    assert shell == "zsh" or shown.rpartition("> ")[2].strip() == "tx learning:show"
    assert not {"tx:", "Traceback"} & set(shown.split())


@bash_only
def test_the_rest_of_the_line_stays(prompt: Prompt) -> None:
    assert prompt.press("tx graph:li 1 src/auth.py" + "\x02" * len(" 1 src/auth.py") + TAB) == "tx graph:link"


@bash_only
def test_two_tabs_list_the_commands_behind_the_colon_and_learnings_and_files(prompt: Prompt) -> None:
    line, shown = prompt.watch("tx graph:" + TAB + TAB)
    assert line == "tx graph:"
    listed = shown.split()
    assert {"link", "unlink", "neighbors", "analyze-imports"} <= set(listed)
    assert "init" not in listed
    _, shown = prompt.watch("tx graph:show " + TAB + TAB)
    assert {"1", "2", "notes.md", "src/"} <= set(shown.split())


@bash_only
def test_a_colon_that_does_not_break_words_is_fine_too(prompt: Prompt) -> None:
    prompt.run('COMP_WORDBREAKS="${COMP_WORDBREAKS//[:=]/}"')
    assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
    assert prompt.press("tx learning:add --status=st" + TAB) == "tx learning:add --status=staged "


@bash_only
def test_a_tx_that_is_gone_is_not_complained_of(prompt: Prompt, tmp_path: Path) -> None:
    broken = tmp_path / "tx"
    broken.write_text("#!/bin/sh\necho broken >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    prompt.run(f"PATH={tmp_path}:$PATH")
    line, shown = prompt.watch("tx graph:li" + TAB)
    assert line == "tx graph:li"
    assert "broken" not in shown


@zsh_only
def test_commands_are_listed_with_their_summaries_and_learnings_with_their_first_words(prompt: Prompt) -> None:
    line, shown = prompt.watch("tx graph:" + TAB + TAB)
    assert line.startswith("tx graph:")
    assert "graph:link " in shown
    assert "Tie a learning to a file, symbol, lines or glob." in shown
    _, shown = prompt.watch("tx learning:show " + TAB + TAB)
    assert "Compare tokens in constant time Else they leak." in shown
    assert "Migrations [31mare: atomic" in shown


@zsh_only
def test_the_script_serves_from_fpath(known: Path, environment: dict[str, str], tmp_path: Path, shell: str) -> None:
    with Prompt(shell, cwd=known, environment=environment) as prompt:
        prompt.run(f"mkdir {tmp_path}/zfunc; tx completion zsh > {tmp_path}/zfunc/_tx; fpath=({tmp_path}/zfunc $fpath)")
        prompt.run(START["zsh"])
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
        assert prompt.press("tx graph:unr" + TAB) == "tx graph:unrelate "


@zsh_only
def test_the_script_starts_the_completion_system_where_it_is_missing(
    known: Path, environment: dict[str, str], shell: str
) -> None:
    with Prompt(shell, cwd=known, environment=environment) as prompt:
        assert "not found" not in prompt.run(LOAD["zsh"])
        assert prompt.press("tx graph:li" + TAB) == "tx graph:link "
