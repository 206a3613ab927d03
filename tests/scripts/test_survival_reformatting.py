from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.benchmarks.survival.reformatting import main
from tests.conftest import MakeRepository
from tests.scripts.lives import SHOP, STOCK

FILES = {"shop.py": SHOP + "\n\n" + STOCK, "read.me": "".join(f"line {number}\n" for number in range(9))}


def run(repository: MakeRepository, directory: Path, *options: str) -> int:
    made = repository(files=FILES)
    return main([str(made.root), "--workdir", str(directory / "bench"), *options])


def test_everything_is_anchored_and_other_line_ends_are_no_finding(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(repository, tmp_path, "--crlf") == 0
    assert capsys.readouterr().out.endswith("0 of 6 anchors are findings\n")


def test_a_formatter_that_changes_the_program_is_found_out(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    breaking = f"{sys.executable} -c \"import pathlib; pathlib.Path('shop.py').write_text('def price(): pass')\""
    details = tmp_path / "details"
    assert run(repository, tmp_path, "--reformat", breaking, "--details", str(details)) == 1
    assert "findings" in capsys.readouterr().out
    assert "symbol\tshop.py::price\tsignature\t" in details.read_text(encoding="utf-8")


def test_what_is_as_it_was_is_valid(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(repository, tmp_path, "--reformat", f"{sys.executable} -c pass") == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[:3]] == [
        ["2", "hash", "valid"],
        ["2", "lines", "valid"],
        ["2", "symbol", "valid"],
    ]
