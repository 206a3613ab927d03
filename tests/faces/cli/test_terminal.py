"""What a person sees in a real terminal of 80 columns."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import PROGRAM, CommandLine
from tx_graph.faces.cli.render.terminal import columns, shortened, wrapped

pexpect = pytest.importorskip("pexpect")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
Screen = Callable[..., str]
MARKED = """\
Zebras need **paint** in `Vec<String>`: &#27;[2J &#x202e;evil \x1b]0;x\x07

- first [here](https://example.org/x)
- second

```python
def stripes():
    return 2
```
"""
STYLE = re.compile(r"\x1b\[[0-9;]*m")
LONG = "Tokens are compared in constant time, else their length leaks " * 4


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    anchored = ("--anchor", "src/auth.py")
    return prepared(
        ["learning:add", LONG, *anchored, "--category", "security"],
        ["learning:add", f"令牌在恒定时间内比较 {LONG}", *anchored],
        ["learning:add", MARKED, *anchored],
    )


@pytest.fixture
def screen(home: Path) -> Screen:
    """Runs a command in a terminal of 80 columns and returns all it wrote."""

    def show(command: str, wide: int = 80, **environment: str) -> str:
        child = pexpect.spawn(
            PROGRAM[0],
            [*PROGRAM[1:], *command.split()],
            cwd=str(home),
            env={**os.environ, "TERM": "xterm-256color", "PAGER": "cat", **environment},
            dimensions=(24, wide),
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
        *("config", "status", "context tokens", "focus 3", "learning:show 3", "doc:search project", "verify"),
    ],
)
@pytest.mark.parametrize("wide", [60, 140])
def test_lines_fit_the_terminal(screen: Screen, command: str, wide: int) -> None:
    text = STYLE.sub("", screen(command, wide=wide))
    asides = ("By words", "Co-changes", "root", "Ordered by", "Nothing found", "Files were")
    lines = [line for line in text.splitlines() if not line.startswith(asides)]
    widest = max(wide, 80) if command == "config" else wide  # what settings are called leaves no room for less
    assert max(map(columns, lines)) <= widest, text


@pytest.mark.parametrize("command", ["learning:show 3", "context zebras", "focus 3", "learning:search zebras -n 1"])
def test_markdown_is_rendered_and_steers_nothing(screen: Screen, command: str) -> None:
    text = screen(command, LESS="")
    assert "\x1b[1mpaint\x1b[0m" in text
    plain = STYLE.sub("", text)
    assert "Zebras need paint in Vec<String>" in plain  # what looks like a tag is content
    assert "• first here (https://example.org/x)" in plain
    assert re.sub(r"[\n\t]", "", plain).isprintable()


def test_styles_are_never_shown_as_text(screen: Screen) -> None:
    for command in ("doc:show README.md", "doc:show README.md#project", "doc:list", "graph:stats"):
        assert "\\x1b" not in screen(command)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo", ["one two"]),  # prose flows
        ("--all    everything\n--one    the first", ["--all    everything", "--one    the first"]),
        ("| a | b |\n| c | d |", ["| a | b |", "| c | d |"]),  # the middle of a table
        ("```\n", ["```"]),  # nothing is lost
        ("[1]: https://example.org <b>x</b>", ["[1]: https://example.org <b>x</b>"]),
    ],
)
def test_pieces_of_markdown_keep_what_they_say(text: str, lines: list[str]) -> None:
    from tx_graph.faces.cli.render.markdown import rendered

    assert [STYLE.sub("", line) for line in rendered(text.rstrip("\n"), 60)] == lines


def test_without_colours_signs_and_words_tell_the_same(screen: Screen, home: Path) -> None:
    (home / "src/auth.py").unlink()
    for style in ({"NO_COLOR": "1"}, {}):
        assert "✗ gone" in STYLE.sub("", screen("learning:show 3", **style))
        assert "✗ invalid" in STYLE.sub("", screen("verify", **style))
        assert "· ✗ gone (" in STYLE.sub("", screen("context zebras", **style))


def test_shares_have_bars_and_pipes_none(screen: Screen, shared: CommandLine) -> None:
    assert re.search(r"[█▏▎▍▌▋▊▉]+ +\d?\.\d\d", STYLE.sub("", screen("learning:search zebras")))
    for command in ("learning:search zebras", "context zebras", "focus 3", "learning:show 3", "verify"):
        assert not set("█▏▎▍▌▋▊▉│✓✗•\x1b") & set(shared(command).out)


def test_what_diversity_ordered_says_so(screen: Screen, home: Path) -> None:
    for text in (
        "Penguins swim",
        "Penguins swim well",
        "Penguins swim far",
        "Penguins swim, and have feathers and eggs",
    ):
        CommandLine(home).ok("learning:add", text, "--category", "eggs" if "eggs" in text else "swimming")
    assert "Ordered by diversity too" in screen("learning:search penguins_swim --diversity 1")
    assert "Ordered by diversity too" not in screen("learning:search penguins_swim --no-diversify")


# --- the pager ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "environment", "seen"),
    [
        ("help --all", {"PAGER": "echo paged; cat"}, True),
        ("help --all", {"PAGER": "cat", "TX_PAGER": "echo paged; cat"}, True),
        ("help --all", {"PAGER": "echo paged; cat", "TX_PAGER": ""}, False),
        ("--no-pager help --all", {"PAGER": "echo paged; cat"}, False),
        ("help --all", {"PAGER": "echo paged; cat", "TERM": "dumb"}, False),
        ("status", {"PAGER": "echo paged; cat"}, False),  # fits the screen
    ],
)
def test_what_is_longer_than_the_screen_goes_to_the_pager(
    screen: Screen, command: str, environment: dict[str, str], seen: bool
) -> None:
    text = screen(command, **environment)
    assert text.startswith("paged\n") is seen
    assert len(text.splitlines()) > 5


def test_less_is_told_what_git_tells_it_unless_somebody_else_did(screen: Screen) -> None:
    assert screen("help --all", PAGER="echo [$LESS]").startswith("[FRX]\n")
    assert screen("help --all", PAGER="echo [$LESS]", LESS="S").startswith("[S]\n")


@pytest.mark.parametrize("pager", ["true", "head -n 1", "no-such-pager"])
def test_a_pager_that_ends_early_or_never_began_is_no_error(home: Path, pager: str) -> None:
    (home / "src/auth.py").unlink()
    child = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], "verify"],
        cwd=str(home),
        env={**os.environ, "TERM": "xterm-256color", "PAGER": pager},
        dimensions=(4, 80),
        encoding="utf-8",
        timeout=60,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1  # the findings
    assert ("3 anchors: 3 invalid." in child.before) is (pager == "no-such-pager")


def test_colours_appear_unless_they_are_not_wanted(screen: Screen) -> None:
    assert "\x1b[32m✓ fresh" in screen("learning:search tokens")
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


def test_a_tree_has_lines_and_what_was_last_verified_a_bar(screen: Screen) -> None:
    tree = STYLE.sub("", screen("graph:neighbors src/auth.py --tree")).splitlines()
    assert [line[:3] for line in tree if line[0] in "├└"] == ["├─ ", "├─ ", "└─ "]
    assert max(map(columns, tree)) <= 80
    assert re.search(r"last verified +[█░]{20} 3 (unverified|fresh)\b", STYLE.sub("", screen("status")))
