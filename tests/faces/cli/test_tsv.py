"""Lines for scripts: fields never break a line, and odd ones are quoted as git quotes them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tx_graph.faces.cli.render.tsv import print_tsv, quoted


@pytest.mark.parametrize(
    "name", ["plain.py", "two words.py", "ünï.py", "a\tb", "a\nb", 'a"b', "a\\b", "a\x01b", "a\x7fb", "a\rb\a\v\f\b"]
)
def test_a_name_is_quoted_as_git_does(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    git = ["git", "-c", "core.quotePath=off"]
    subprocess.run([*git, "init", "--quiet"], cwd=tmp_path, check=True)
    listed = subprocess.run([*git, "ls-files", "--others"], cwd=tmp_path, check=True, capture_output=True)
    assert quoted(name) == listed.stdout.decode().removesuffix("\n")


def test_rows_stand_below_one_header_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_tsv(("path", "line"), [("a b", 1), ("a\tb", 2)])
    assert capsys.readouterr().out == 'path\tline\na b\t1\n"a\\tb"\t2\n'


def test_without_rows_the_header_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    print_tsv(("path", "line"), [])
    assert capsys.readouterr().out == "path\tline\n"
