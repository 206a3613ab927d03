"""What fish offers for a line; it inserts the value before the tab."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Offers = Callable[[str], list[str]]

pytestmark = pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")


@pytest.fixture
def offered(known: Path, environment: dict[str, str]) -> Offers:
    """Ask fish for its completions of a line."""
    return lambda line: _offered(line, cwd=known, environment=environment)


def _offered(line: str, *, cwd: Path, environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        ["fish", "--no-config", "-c", "tx completion fish | source; complete -C $argv[1]", line],
        cwd=cwd,
        env={**environment, "XDG_CONFIG_HOME": environment["HOME"], "XDG_DATA_HOME": environment["HOME"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_command_is_completed_behind_its_colon(offered: Offers) -> None:
    assert offered("tx graph:li") == ["graph:link\tTie a learning to a file, symbol, lines or glob."]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("tx graph:link 1 --sym", "--symbol\tA symbol in the file."),
        ("tx learning:add --status st", "staged"),
        ("tx learning:add --status=st", "--status=staged"),
        ("tx learning:add 'a: b' --status st", "staged"),
        ("tx graph:neighbors 1 --edge-types IMPORTS,CO", "IMPORTS,CO_CHANGES_WITH"),
        ("tx -C src graph:link 1 au", "auth.py"),
        ("tx -C src graph:li", "graph:link\tTie a learning to a file, symbol, lines or glob."),
        ("echo; NO_COLOR=1 tx graph:li", "graph:link\tTie a learning to a file, symbol, lines or glob."),
        ("~/tx graph:li", "graph:link\tTie a learning to a file, symbol, lines or glob."),
        ("tx learning:show 1", "1\tCompare tokens in constant time Else they leak."),
        ("tx graph:show learning:2", "learning:2\tMigrations [31mare: atomic"),
    ],
)
def test_a_value_is_completed(offered: Offers, line: str, value: str) -> None:
    assert offered(line) == [value]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("tx graph:link 1 src/au", "src/auth.py"),
        ("tx graph:link 1 src/deep/", "src/deep/jwt utils.py"),
        ("tx learning:add --anchor src/au", "src/auth.py"),
        ("tx learning:add --anchor=src/au", "--anchor=src/auth.py"),
        ("tx graph:analyze-imports --path sr", "src/"),
        ("tx graph:analyze-imports --path=sr", "--path=src/"),
        ("tx -C sr", "src/"),
    ],
)
def test_paths_come_from_fish_itself(offered: Offers, line: str, path: str) -> None:
    assert [row.partition("\t")[0] for row in offered(line)] == [path]


def test_no_paths_come_where_none_belong(offered: Offers) -> None:
    assert offered("tx learning:show sr") == []


def test_without_a_workspace_nothing_is_said(tmp_path: Path, environment: dict[str, str]) -> None:
    assert _offered("tx learning:show ", cwd=tmp_path, environment=environment) == []
