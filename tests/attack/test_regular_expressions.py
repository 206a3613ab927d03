"""Whatever text a repository holds, reading it takes a time that is about linear in its length."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from typing import Any

import pytest

from tests.attack.patterns import LINEAR, ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="what takes too long is ended by a signal"),
]


def test_every_regular_expression_is_made_by_a_call_that_is_found() -> None:
    for path in (ROOT / "tx_graph").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = node.names if isinstance(node, ast.Import) else ()
            assert not any(one.name in {"re", "regex", "sre_compile"} and one.asname for one in imported), path
            assert not (isinstance(node, ast.ImportFrom) and node.module in {"re", "regex"}), path


def test_no_regular_expression_takes_long_on_its_worst_text() -> None:
    first, timed = _timed()
    assert not first["unknown"], "say in SAMPLES what these are made of"
    assert len(timed) == first["patterns"] > 500
    ended = [one for one in timed if one["failed"]]
    assert not ended, "\n".join(f"{one['place']}: {one['failed']} {one['worst']}"[:300] for one in ended)
    slow = {one["place"] for one in timed if one["worst"][0] > LINEAR}
    # On a machine that does other work what is slow once may be not: it is timed again.
    again = [one for one in _timed(*slow)[1] if one["worst"][0] > LINEAR] if slow else []
    assert not again, "\n".join(f"{one['place']}: {one['worst']}"[:300] for one in again)


def _timed(*places: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    command = [sys.executable, "-m", "tests.attack.patterns", *places]
    told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=600, check=True).stdout
    first, *timed = map(json.loads, told.splitlines())
    return first, timed


def test_no_reader_takes_long_on_one_piece_time_and_again() -> None:
    command = [sys.executable, "-m", "tests.attack.readers"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=True).stdout
    *slow, count = map(json.loads, told.splitlines())
    assert not slow
    assert count > 100
