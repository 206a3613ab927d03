"""Changing a learning, by options and through a real editor."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

Editor = Callable[[str], None]


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """Makes a Python script the editor; `path` is the file to edit."""

    def use(script: str, *, variable: str = "EDITOR") -> None:
        file = tmp_path / "my editor.py"
        file.write_text(f"import pathlib, sys\npath = pathlib.Path(sys.argv[-1])\n{script}\n", encoding="utf-8")
        monkeypatch.setenv(variable, f'"{sys.executable}" "{file}" --wait')

    return use


@pytest.fixture
def one(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    tx.add("Before\n\nSecond paragraph")
    return tx


def content(tx: CommandLine) -> str:
    return str(tx.json("learning:show", "1")["content"])


def leftovers(tmp_path: Path) -> list[Path]:
    return [file for file in (tmp_path / "temporary").rglob("*") if file.is_file()]


def test_an_editor_changes_the_text(one: CommandLine, tmp_path: Path, editor: Editor) -> None:
    editor("assert path.suffix == '.md'; path.write_text(path.read_text().replace('Before', 'Äfter') + '\\n\\n')")
    outcome = one.ok("learning:edit", "1")
    assert re.fullmatch(r"Changed learning:1 \(\w+\)\n", outcome.out)
    assert content(one) == "Äfter\n\nSecond paragraph"
    assert leftovers(tmp_path) == []


def test_visual_goes_before_editor(one: CommandLine, editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    editor("path.write_text('by visual')")
    monkeypatch.setenv("VISUAL", os.environ["EDITOR"])
    monkeypatch.setenv("EDITOR", "false")
    one.ok("learning:edit", "1")
    assert content(one) == "by visual"


def test_an_editor_that_renames_its_file_is_fine(one: CommandLine, editor: Editor) -> None:
    editor("new = path.with_suffix('.new'); new.write_text('renamed'); new.replace(path)")
    one.ok("learning:edit", "1")
    assert content(one) == "renamed"


def test_nothing_changed_is_said_once(one: CommandLine, editor: Editor) -> None:
    editor("path.touch()")
    outcome = one.ok("learning:edit", "1")
    assert outcome.out.startswith("Unchanged: learning:1 ")
    assert outcome.err == ""
    assert one.json("learning:edit", "1")["content"] == content(one)


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
def test_a_refused_text_changes_nothing(
    one: CommandLine, tmp_path: Path, editor: Editor, script: str, sentence: str
) -> None:
    editor(script)
    outcome = one("learning:edit", "1")
    assert outcome.status == 2
    assert sentence in outcome.err
    assert content(one).startswith("Before")


def test_a_refused_text_is_kept(one: CommandLine, tmp_path: Path, editor: Editor) -> None:
    editor("path.write_bytes(b'an hour of work \\xff')")
    outcome = one("learning:edit", "1")
    [kept] = leftovers(tmp_path)
    assert kept.read_bytes() == b"an hour of work \xff"
    assert f"your text is kept in {kept}" in outcome.err


MEANWHILE = """
import os, subprocess
subprocess.run([sys.executable, '-m', 'tx_graph', *{arguments!r}], check=True, stdout=subprocess.DEVNULL,
               env={{**os.environ, 'PYTHONPATH': {checkout!r}}})
path.write_text('an hour of work')
"""


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["learning:edit", "1", "--content", "By somebody else"], 5, "changed by somebody else meanwhile"),
        (["learning:edit", "1", "--category", "new"], 0, ""),
    ],
    ids=["content", "category"],
)
def test_an_edit_made_while_the_editor_was_open_is_not_written_over(
    one: CommandLine, tmp_path: Path, editor: Editor, arguments: list[str], status: int, said: str
) -> None:
    editor(MEANWHILE.format(arguments=arguments, checkout=str(Path(__file__).resolve().parents[3])))
    outcome = one("learning:edit", "1")
    assert outcome.status == status
    assert said in outcome.err
    if status:
        [kept] = leftovers(tmp_path)
        assert kept.read_text() == "an hour of work"
        assert f"your text is kept in {kept}" in outcome.err
        assert content(one) == "By somebody else"
    else:
        shape = one.json("learning:show", "1")
        assert (shape["content"], shape["category"]) == ("an hour of work", "new")


def test_whatever_refuses_the_text_it_is_kept(one: CommandLine, home: Path, tmp_path: Path, editor: Editor) -> None:
    [record] = (home / ".tx" / "learnings").glob("*.md")
    editor(
        f"record = pathlib.Path({str(record)!r}); record.write_text(record.read_text() + 'By hand'); "
        "path.write_text('mine')"
    )
    outcome = one("learning:edit", "1")
    [kept] = leftovers(tmp_path)
    assert (outcome.status, kept.read_text()) == (5, "mine")
    assert f"your text is kept in {kept}" in outcome.err
    assert content(one).endswith("By hand")


@pytest.mark.parametrize("command", ["/no/such/editor", "'unclosed", "no-such-editor-anywhere --wait"])
def test_an_editor_that_is_missing(
    one: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("EDITOR", command)
    outcome = one("learning:edit", "1")
    assert outcome.status == 2
    assert "cannot be started" in outcome.err
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("command", ["", " "])
def test_no_editor_and_no_terminal(one: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("EDITOR", command)
    outcome = one("learning:edit", "1")
    assert outcome.status == 2
    assert "there is no $EDITOR" in outcome.err


def test_an_unknown_learning_opens_no_editor(one: CommandLine, editor: Editor, tmp_path: Path) -> None:
    editor(f"pathlib.Path({str(tmp_path / 'opened')!r}).touch()")
    assert one("learning:edit", "9999999").status == 3
    assert not (tmp_path / "opened").exists()


def test_options_combine(one: CommandLine) -> None:
    options = [
        "--category",
        "a",
        "--keyword",
        "x,y",
        "--confidence",
        "0.25",
        "--status",
        "staged",
        "--content",
        "After",
    ]
    shape = one.json("learning:edit", "1", *options)
    assert (shape["content"], shape["category"], shape["keywords"]) == ("After", "a", ["x", "y"])
    assert (shape["confidence"], shape["status"]) == (0.25, "staged")
    shape = one.json("learning:edit", "1", "--category", "", "--remove-keyword", "x", "--keyword", "z")
    assert (shape["content"], shape["category"], shape["keywords"]) == ("After", None, ["y", "z"])


def test_content_may_come_from_stdin(one: CommandLine) -> None:
    assert one.json("learning:edit", "1", "--content", "-", stdin=b"piped\r\n")["content"] == "piped"


@pytest.mark.parametrize("options", [["--content", ""], ["--content", "-"], ["--keyword", ""], ["--status", "wip"]])
def test_a_bad_option_changes_nothing(one: CommandLine, options: list[str]) -> None:
    before = one.json("learning:show", "1")
    assert one("learning:edit", "1", "--category", "new", *options).status == 2
    assert one.json("learning:show", "1") == before


def test_a_removed_learning_comes_back(one: CommandLine) -> None:
    one.ok("learning:remove", "1")
    assert one.json("learning:list")["learnings"] == []
    assert one.json("learning:search", "before")["results"] == []
    [removed] = one.json("learning:list", "--removed")["learnings"]
    assert removed["removed_at"]
    assert "removed" in one.ok("learning:show", "1").out
    one.ok("learning:remove", "1", "--restore")
    assert one.json("learning:list")["learnings"][0]["removed_at"] is None


def test_what_helped_is_counted(one: CommandLine) -> None:
    assert one.json("learning:helpful", "1")["usage_count"] == 1
    shape = one.json("learning:helpful", "1", "--score", "0")
    assert (shape["usage_count"], shape["feedback_score"]) == (2, pytest.approx(0.5))
    assert "used        2 times" in one.ok("learning:show", "1").out
