from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scripts.benchmarks.survival.run import main
from tests.conftest import MakeRepository
from tests.scripts.lives import SHOP, STOCK, span

BEFORE = {"a.py": SHOP + STOCK, "b.py": "LIMIT = 1\n"}
AFTER = {"a.py": SHOP.replace(" * ", " + "), "b.py": "LIMIT = 1\n\n\n" + STOCK}


@pytest.fixture
def outcomes(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> Mapping[str, Any]:
    made = span(repository(), BEFORE, AFTER)
    options = ["--from", made.before, "--to", made.after, "--workdir", str(tmp_path / "bench"), "--json"]
    main([str(made.repository), *options, "--verifier", request.param])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document["outcomes"]


@pytest.mark.parametrize("outcomes", ["names"], indirect=True)
def test_names_find_what_moved_and_miss_what_changed(outcomes: Mapping[str, Any]) -> None:
    assert outcomes == {"body": {"missed drift": 1}, "moved": {"correct": 1}}


@pytest.mark.parametrize("outcomes", ["lines"], indirect=True)
def test_lines_see_what_changed_and_take_what_moved_for_changed(outcomes: Mapping[str, Any]) -> None:
    assert outcomes == {"body": {"correct": 1}, "moved": {"misplaced": 1}}


@pytest.mark.parametrize("outcomes", ["tx"], indirect=True)
def test_tx_sees_both(outcomes: Mapping[str, Any]) -> None:
    assert outcomes == {"body": {"correct": 1}, "moved": {"correct": 1}}
