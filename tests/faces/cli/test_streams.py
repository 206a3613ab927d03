"""What a shell can do to a program's streams: pipes that close, files that are missing, encodings that fall short."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine, Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")
ESCAPE = "\x1b"


@pytest.fixture
def many(tx: CommandLine, home: Path) -> None:
    """So many learnings that their list fills any pipe."""
    lines = [json.dumps({"content": f"Learning number {number}: {'many words ' * 30}"}) for number in range(300)]
    tx.ok("learning:import", "-", stdin="\n".join(lines).encode())


@pytest.mark.parametrize(
    "command",
    [
        "learning:export",
        "learning:list -n 300",
        "learning:list -n 300 --json",
        "learning:search words -n 300 --verbose",
    ],
)
def test_a_reader_may_leave_early(program: Program, many: None, command: str) -> None:
    outcome = program.shell(f'tx {command} | head -1 > first; echo "${{PIPESTATUS[0]}}"')
    assert outcome.out == "0\n"
    assert "Traceback" not in outcome.err
    assert "Broken" not in outcome.err
    assert (program.directory / "first").read_text().count("\n") == 1


@pytest.mark.parametrize("command", ["--help", "learning:search --help", "status"])
def test_a_reader_may_not_read_at_all(program: Program, command: str) -> None:
    outcome = program.shell(f'tx {command} | true; echo "${{PIPESTATUS[0]}}"')
    assert (outcome.out, outcome.err) == ("0\n", "")


def test_nobody_need_read_an_error(program: Program) -> None:
    assert program.shell('tx learning:show 99 2>&1 >/dev/null | true; echo "${PIPESTATUS[0]}"').out == "3\n"


@pytest.mark.parametrize(
    ("command", "status"), [("status", 0), ("learning:list --json", 0), ("--version", 0), ("learning:show 99", 3)]
)
def test_stdout_may_be_closed(program: Program, command: str, status: int) -> None:
    outcome = program.shell(f"tx {command} >&-")
    assert outcome.status == status
    assert "unexpected" not in outcome.err


@pytest.mark.parametrize(("command", "status"), [("index", 0), ("learning:show 99", 3), ("frobnicate", 2)])
def test_stderr_may_be_closed(program: Program, command: str, status: int) -> None:
    assert program.shell(f"tx {command} 2>&-").status == status


@pytest.mark.parametrize(
    ("command", "status"), [("status", 0), ("learning:add", 2), ("learning:add -", 2), ("learning:edit 1", 2)]
)
def test_stdin_may_be_closed(program: Program, tx: CommandLine, command: str, status: int) -> None:
    tx.add("One")
    outcome = program.shell(f"tx {command} <&-")
    assert outcome.status == status
    assert "unexpected" not in outcome.err


def test_all_streams_may_be_closed(program: Program) -> None:
    assert program.shell("tx learning:add text <&- >&- 2>&-").status == 0
    assert b"SQLite format 3" in (program.directory / ".tx" / "graph.db").read_bytes()[:16]


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=str,
)
def test_an_encoding_that_falls_short_is_no_failure(
    program: Program, tx: CommandLine, environment: dict[str, str]
) -> None:
    tx.ok("index")
    tx.add("naïve 中文 🦄", "--anchor", "src/auth.py")
    for command in (["learning:list"], ["learning:show", "1"], ["graph:neighbors", "src/auth.py"]):
        outcome = program(*command, environment=environment)
        assert (outcome.status, outcome.err) == (0, "")


def test_arrows_become_ascii_where_nothing_else_is_known(program: Program, tx: CommandLine) -> None:
    tx.add("Anchored", "--anchor", "src/auth.py")
    outcome = program("graph:neighbors", "1", environment={"PYTHONIOENCODING": "latin-1"})
    assert outcome.out == "0.70  src/auth.py  -ANCHORED_TO>\n"


@pytest.mark.parametrize(
    "command", [["learning:list"], ["learning:search", "one", "--verbose"], ["status"], ["doctor"], ["--help"]]
)
def test_a_pipe_gets_no_colours_and_no_blanks_at_line_ends(tx: CommandLine, command: list[str]) -> None:
    tx.add("One", "--anchor", "src/auth.py", "--category", "a")
    outcome = tx.ok(*command)
    assert ESCAPE not in outcome.out + outcome.err
    assert not re.search(r"[ \t]+$", outcome.out, re.MULTILINE)


def test_a_learning_cannot_steer_the_terminal(tx: CommandLine) -> None:
    tx.add(f"Red {ESCAPE}[31m alert {ESCAPE}]0;title\x07 \u202e backwards")
    for command in (["learning:list"], ["learning:show", "1"], ["learning:search", "alert"], ["graph:show", "1"]):
        out = tx.ok(*command).out
        assert not {ESCAPE, "\x07", "\u202e"} & set(out)
        assert r"Red \x1b[31m alert" in out


def test_a_pipe_gets_whole_lines(tx: CommandLine) -> None:
    content = "word " * 200 + "end"
    tx.add(content)
    [_, line] = tx.ok("learning:list").out.splitlines()
    assert line.endswith(content)
