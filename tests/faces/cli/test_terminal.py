"""What a person sees in a real terminal of 80 columns."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import PROGRAM
from tx_graph.faces.cli.render.terminal import columns, shortened, wrapped

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
Screen = Callable[..., str]
LONG = "Tokens are compared in constant time, else their length leaks " * 4


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    anchored = ("--anchor", "src/auth.py")
    return prepared(
        ["learning:add", LONG, *anchored, "--category", "security"],
        ["learning:add", f"令牌在恒定时间内比较 {LONG}", *anchored],
    )


@pytest.fixture
def screen(home: Path) -> Screen:
    """Runs a command in a terminal of 80 columns and returns all it wrote."""

    def show(command: str, **environment: str) -> str:
        child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *command.split()],
            cwd=str(home),
            env={**os.environ, "TERM": "xterm-256color", **environment},
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=60,
        )
        child.expect(pexpect.EOF)
        child.close()
        return str(child.before).replace("\r\n", "\n")

    return show


@pytest.mark.parametrize(
    "command",
    [
        *("learning:list", "learning:search tokens --verbose --expand", "graph:show 1", "graph:neighbors 1"),
        *("config", "status"),
    ],
)
def test_lines_fit_the_terminal(screen: Screen, command: str) -> None:
    text = re.sub(r"\x1b\[[0-9;]*m", "", screen(command))
    lines = [line for line in text.splitlines() if not line.startswith(("By words", "Co-changes", "root"))]
    assert max(map(columns, lines)) <= 80, text


def test_colours_appear_unless_they_are_not_wanted(screen: Screen) -> None:
    assert "\x1b[32mfresh" in screen("learning:search tokens")
    assert "\x1b" not in screen("learning:search tokens", NO_COLOR="1")
    assert "\x1b" not in screen("learning:search tokens", TERM="dumb")


def test_progress_shows_on_a_terminal_and_cleans_up(screen: Screen) -> None:
    text = screen("index --force")
    assert "Reading files" in text
    assert text.rstrip().endswith("1 symbol.\n1 document, 1 read; 1 section.\n1 commit message read.")


def test_a_missing_text_is_asked_for_instead_of_waiting(screen: Screen) -> None:
    assert screen("learning:add").startswith("tx: The text is missing.\n")


def test_width_counts_what_is_seen() -> None:
    assert [columns(text) for text in ("abc", "中文", "e\u0301", "")] == [3, 4, 1, 0]


@pytest.mark.parametrize(
    ("text", "length", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("中文字", 5, "中文…"),
        ("one\ntwo", 9, "one…"),
        ("one\n\n", 9, "one"),
    ],
)
def test_what_is_too_long_is_marked(text: str, length: int, short: str) -> None:
    assert shortened(text, length) == short
    assert columns(short) <= length


@pytest.mark.parametrize(
    ("text", "length", "lines"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one  two", 5, ["one", "two"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("    indented text", 12, ["    indented", "text"]),
        ("a\n\nb", 5, ["a", "", "b"]),
        ("中文字", 4, ["中文", "字"]),
        ("", 5, [""]),
    ],
)
def test_text_is_broken_at_blanks(text: str, length: int, lines: list[str]) -> None:
    assert wrapped(text, length) == lines
