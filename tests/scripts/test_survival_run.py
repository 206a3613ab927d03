from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from scripts.benchmarks.survival.answers import Answer, Verdict
from scripts.benchmarks.survival.run import main
from tests.conftest import MakeRepository
from tests.scripts.lives import SHOP, STOCK, span


class FileWatcher:
    """A simple verifier: what is anchored is valid as long as its file says the same."""

    def __init__(self) -> None:
        self._seen: dict[str, bytes] = {}

    def anchor(self, root: Path, symbols: Sequence[str]) -> None:
        self._seen = {symbol: (root / symbol.partition("::")[0]).read_bytes() for symbol in symbols}

    def verify(self, root: Path) -> Mapping[str, Answer]:
        return {symbol: Answer(verdict=self._verdict(root, symbol)) for symbol in self._seen}

    def _verdict(self, root: Path, symbol: str) -> Verdict:
        file = root / symbol.partition("::")[0]
        same = file.exists() and file.read_bytes() == self._seen[symbol]
        return Verdict.VALID if same else Verdict.INVALID


def test_a_run_holds_the_verifiers_answers_against_the_truth(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = {"a.py": SHOP, "b.py": STOCK}, {"a.py": SHOP, "c.py": STOCK}
    made = span(repository(), before, after)
    options = ["--from", made.before, "--to", made.after, "--workdir", str(tmp_path / "bench"), "--json"]
    assert main([str(made.repository), *options], verifier=FileWatcher()) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["outcomes"] == {"unchanged": {"correct": 1}, "moved": {"abstained": 1}}
    assert document["recall"] == 0.0


def test_a_run_leaves_the_repository_and_the_disk_as_they_were(repository: MakeRepository, tmp_path: Path) -> None:
    sandbox = repository()
    made = span(sandbox, {"a.py": SHOP}, {"a.py": STOCK})
    workdir = tmp_path / "bench"
    main([str(made.repository), "--from", "HEAD~1", "--to", "main", "--workdir", str(workdir)], verifier=FileWatcher())
    assert sandbox.git("status", "--porcelain") == ""
    assert sandbox.git("rev-parse", "main") == made.after
    assert list(workdir.iterdir()) == []


def test_a_census_prints_the_truth_alone(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = span(repository(), {"a.py": SHOP}, {"a.py": SHOP})
    details = tmp_path / "details"
    assert main([str(made.repository), "--from", "HEAD~1", "--to", "HEAD", "--census", "--details", str(details)]) == 0
    assert capsys.readouterr().out == "project, HEAD~1 to HEAD\n\n       1  unchanged\n"
    assert details.read_text(encoding="utf-8").startswith("a.py::price\tunchanged\ta.py::price\t")
