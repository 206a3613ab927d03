"""`learning:review`: one staged learning after the other, at a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import PROGRAM, CommandLine

STAGED = [f"Reason number {word} counts" for word in ("one", "two", "three", "four")]


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    return prepared(*(["learning:add", text, "--status", "staged"] for text in STAGED))


def reviewed(root: Path, answers: str, *options: str, editor: str = "") -> tuple[int, str, str]:
    """Return status, stdout and what the terminal shows, where somebody types these answers."""
    main, terminal = pty.openpty()
    command = [*PROGRAM, "learning:review", *options]
    with subprocess.Popen(
        command,
        cwd=root,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "EDITOR": editor},
    ) as process:
        os.write(main, answers.encode())
        out, err = process.communicate(timeout=60)
    os.close(terminal)
    os.close(main)
    return process.returncode, out.decode(), err.decode()


def test_each_is_asked_for_and_becomes_what_is_said(tx: CommandLine, home: Path, tmp_path: Path) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import pathlib, sys\npathlib.Path(sys.argv[1]).write_text('Better said')\n")
    answers = "y\nn\nobvious\na\nsrc/auth.py::login\ne\ny\nq\n"
    status, out, err = reviewed(home, answers, editor=f"{sys.executable} {script}")
    assert status == 0
    assert "1 of 4  " in err
    assert STAGED[0] in err
    assert "yes  originality" in err
    one, two, three, four = (tx.json("learning:show", str(number)) for number in (1, 2, 3, 4))
    assert [one["status"], three["status"], four["status"]] == ["active", "active", "staged"]
    assert two["removal_reason"] == "obvious"
    assert three["content"] == "Better said"
    assert [each["anchor"] for each in three["anchors"]] == ["src/auth.py::login"]
    assert (
        out
        == f"Promoted {one['uid']} (learning:1), {three['uid']} (learning:3).\nRejected {two['uid']} (learning:2).\n"
    )
    assert "1 learning still staged." in err


def test_what_cannot_be_done_is_said_and_asked_again(tx: CommandLine, home: Path) -> None:
    status, out, err = reviewed(home, "a\nsrc/nothing.py\nwhat\ns\n", "2", "--json")
    assert status == 0
    assert "There is no file 'src/nothing.py'." in err
    assert err.count("1 of 1  ") == 3
    assert '"waiting": 4' in out
    assert tx.json("learning:show 2")["status"] == "staged"


def test_without_a_terminal_it_says_how_else(tx: CommandLine) -> None:
    outcome = tx("learning:review")
    assert outcome.status == 2
    assert "tx learning:promote" in outcome.err
    for number in range(1, 5):
        tx.ok("learning:reject", str(number))
    assert tx.ok("learning:review").err == "No learning is staged.\n"
