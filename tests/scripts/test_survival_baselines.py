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
def found(
    repository: MakeRepository, tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> Mapping[str, Any]:
    made = span(repository(), BEFORE, AFTER)
    options = ["--from", made.before, "--to", made.after, "--workdir", str(tmp_path / "bench"), "--json"]
    main([str(made.repository), *options, "--verifier", request.param])
    outcomes: Mapping[str, Any] = json.loads(capsys.readouterr().out)["outcomes"]
    return outcomes


@pytest.mark.parametrize("found", ["names"], indirect=True)
def test_names_find_what_moved_and_miss_what_changed(found: Mapping[str, Any]) -> None:
    assert found == {"body": {"missed drift": 1}, "moved": {"correct": 1}}


@pytest.mark.parametrize("found", ["lines"], indirect=True)
def test_lines_see_what_changed_and_take_what_moved_for_changed(found: Mapping[str, Any]) -> None:
    assert found == {"body": {"correct": 1}, "moved": {"misplaced": 1}}


@pytest.mark.parametrize("found", ["tx"], indirect=True)
def test_tx_sees_both(found: Mapping[str, Any]) -> None:
    assert found == {"body": {"correct": 1}, "moved": {"correct": 1}}
