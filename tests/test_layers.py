"""The house keeps its order: imports only go down, and the linter that says so can be trusted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = "Imports only go down"
SQLITE = "Only core binds SQLite"
TERMINAL = "Only the command line writes to the terminal"
MODELS = "One module asks language models"
PURE = "Nouns and rules stay pure"


def broken_contracts(checkout: Path) -> set[str]:
    """Return the names of the contracts that the package in `checkout` breaks."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=checkout,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    verdicts = dict(re.findall(r"^(.+) (KEPT|BROKEN)\b", done.stdout, re.MULTILINE))
    assert verdicts.keys() >= {LAYERS, SQLITE, TERMINAL, MODELS, PURE}, done.stdout + done.stderr
    broken = {name for name, verdict in verdicts.items() if verdict == "BROKEN"}
    assert bool(broken) == bool(done.returncode)
    return broken


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "tx_graph", tmp_path / "tx_graph", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_contract_holds() -> None:
    assert broken_contracts(ROOT) == set()


@pytest.mark.parametrize(
    ("module", "statement", "contracts"),
    [
        ("graph/edges", "import tx_graph.context", {LAYERS}),
        ("records/learning", "import tx_graph.learnings", {LAYERS}),
        ("graph/edges", "from tx_graph import __version__", {LAYERS}),
        ("work/planted", "import sqlite_utils", {SQLITE}),
        ("graph/expand", "def now():\n    import sqlite3", {SQLITE, PURE}),
        ("context/planted", "from rich.table import Table", {TERMINAL}),
        ("documents/planted", "import llm", {MODELS}),
        ("graph/fuse", "from time import time", {PURE}),
        ("code/resolvers/planted", "import os.path", {PURE}),
    ],
)
def test_a_forbidden_import_is_caught(copy: Path, module: str, statement: str, contracts: set[str]) -> None:
    with (copy / "tx_graph" / f"{module}.py").open("a", encoding="utf-8") as file:
        file.write(statement + "\n")
    assert broken_contracts(copy) == contracts


def test_a_room_outside_the_layers_is_caught(copy: Path) -> None:
    (copy / "tx_graph" / "annexe.py").write_text("", encoding="utf-8")
    assert broken_contracts(copy) == {LAYERS}


@pytest.mark.parametrize(("room", "statement"), [("core", "import sqlite3"), ("faces/cli", "import typer")])
def test_a_room_may_do_its_own_work(copy: Path, room: str, statement: str) -> None:
    (copy / "tx_graph" / room / "planted.py").write_text(statement + "\n", encoding="utf-8")
    assert broken_contracts(copy) == set()
