"""Changing a learning, by options and through a real editor."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine, Outcome
from tests.isolation import ROOT

Editor = Callable[[str], None]


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    return prepared(["learning:add", "Before\n\nSecond paragraph"])


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the text lies while it is edited."""
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(directory))
    return directory


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Makes a Python script the editor; `path` is the file to edit."""

    def use(script: str) -> None:
        file = tmp_path / "my editor.py"
        file.write_text(f"import os, pathlib, subprocess, sys\npath = pathlib.Path(sys.argv[-1])\n{script}\n")
        monkeypatch.setenv("EDITOR", f'"{sys.executable}" "{file}" --wait')

    return use


def content(tx: CommandLine) -> str:
    return str(tx.json("learning:show 1")["content"])


def leftovers(temporary: Path) -> list[Path]:
    return [file for file in temporary.rglob("*") if file.is_file()]


def kept(temporary: Path, outcome: Outcome) -> bytes:
    """Return the text that the editor wrote, which was kept and is named."""
    [file] = leftovers(temporary)
    assert f"your text is kept in {file}" in outcome.err
    return file.read_bytes()


def test_an_editor_changes_the_text(tx: CommandLine, temporary: Path, editor: Editor) -> None:
    editor("assert path.suffix == '.md'; path.write_text(path.read_text().replace('Before', 'Äfter') + '\\n\\n')")
    assert re.fullmatch(r"Changed \w+ \(learning:1\)\n", tx.ok("learning:edit 1").out)
    assert content(tx) == "Äfter\n\nSecond paragraph"
    assert leftovers(temporary) == []


def test_visual_goes_before_editor(tx: CommandLine, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    editor("path.write_text('by visual')")
    monkeypatch.setenv("VISUAL", os.environ["EDITOR"])
    monkeypatch.setenv("EDITOR", "false")
    tx.ok("learning:edit 1")
    assert content(tx) == "by visual"


def test_an_editor_may_rename_its_file_and_is_opened_for_nothing_unknown(
    tx: CommandLine, editor: Editor, tmp_path: Path
) -> None:
    opened = f"pathlib.Path({str(tmp_path / 'opened')!r}).touch()"
    editor(f"{opened}; new = path.with_suffix('.new'); new.write_text('renamed'); new.replace(path)")
    assert tx("learning:edit 9999999").status == 3
    assert not (tmp_path / "opened").exists()
    tx.ok("learning:edit 1")
    assert content(tx) == "renamed"


def test_nothing_changed_is_said_once(tx: CommandLine, editor: Editor) -> None:
    editor("path.touch()")
    outcome = tx.ok("learning:edit 1")
    assert ("(learning:1)" in outcome.out, outcome.err) == (True, "")
    assert tx.json("learning:edit 1")["content"] == content(tx)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("sys.exit(3)", "ended with status 3; nothing was changed."),
        ("path.write_text(' \\n')", "The edited text is empty; nothing was changed."),
        ("path.unlink()", "The edited text is empty; nothing was changed."),
        ("path.write_bytes(b'good\\n\\xff')", "The edited text is not valid UTF-8 (line 2)."),
        ("path.write_text('nul \\0')", "The content has a NUL byte"),
        ("path.write_text('x' * 1_000_001)", "The content has 1,000,001 bytes"),
    ],
)
def test_a_refused_text_changes_nothing_and_is_kept(
    tx: CommandLine, temporary: Path, editor: Editor, script: str, sentence: str
) -> None:
    editor(script)
    outcome = tx("learning:edit 1")
    assert (outcome.status, sentence in outcome.err) == (2, True)
    assert content(tx).startswith("Before")
    assert "good" not in script or kept(temporary, outcome) == b"good\n\xff"


@pytest.mark.parametrize("is_clash", [True, False], ids=["content", "category"])
def test_an_edit_made_while_the_editor_was_open_is_not_written_over(
    tx: CommandLine, temporary: Path, editor: Editor, is_clash: bool
) -> None:
    change = ["learning:edit", "1", *(("--content", "Theirs") if is_clash else ("--category", "new"))]
    environment = f"{{**os.environ, 'PYTHONPATH': {str(ROOT)!r}}}"
    theirs = f"[sys.executable, '-m', 'tx_graph', *{change!r}], check=True, capture_output=True, env={environment}"
    editor(f"subprocess.run({theirs})\npath.write_text('an hour of work')")
    outcome = tx("learning:edit 1")
    if is_clash:
        assert (outcome.status, "changed by somebody else meanwhile" in outcome.err) == (5, True)
        assert kept(temporary, outcome) == b"an hour of work"
        assert content(tx) == "Theirs"
    else:
        shape = tx.json("learning:show 1")
        assert (outcome.status, shape["content"], shape["category"]) == (0, "an hour of work", "new")


def test_a_text_is_kept_when_the_record_was_changed_by_hand(
    tx: CommandLine, checkout: Checkout, temporary: Path, editor: Editor
) -> None:
    record = f"pathlib.Path({str(checkout.record)!r})"
    editor(f"record = {record}; record.write_text(record.read_text() + 'By hand'); path.write_text('mine')")
    outcome = tx("learning:edit 1")
    assert (outcome.status, kept(temporary, outcome)) == (5, b"mine")
    assert content(tx).endswith("By hand")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        *((one, "cannot be started") for one in ("/no/such/editor", "'unclosed", "no-such-editor-anywhere --wait")),
        *((one, "there is no $EDITOR") for one in ("", " ")),
    ],
)
def test_an_editor_that_is_missing(
    tx: CommandLine, temporary: Path, monkeypatch: pytest.MonkeyPatch, command: str, said: str
) -> None:
    monkeypatch.setenv("EDITOR", command)
    outcome = tx("learning:edit 1")
    assert (outcome.status, said in outcome.err, leftovers(temporary)) == (2, True, [])


def test_options_combine(tx: CommandLine) -> None:
    command = "learning:edit 1 --category a --keyword x,y --confidence 0.25 --status staged --content After"
    shape = tx.json(command)
    assert (shape["content"], shape["category"], shape["keywords"]) == ("After", "a", ["x", "y"])
    assert (shape["confidence"], shape["status"]) == (0.25, "staged")
    shape = tx.json("learning:edit 1 --category '' --remove-keyword x --keyword z")
    assert (shape["content"], shape["category"], shape["keywords"]) == ("After", None, ["y", "z"])
