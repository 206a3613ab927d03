"""What a command loads before it answers: speed is a feature, and these libraries cost more than the answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

HEAVY = (
    *("numpy", "onnxruntime", "fastembed", "tokenizers", "git", "ast_grep_py", "rich", "sqlite_utils", "yaml"),
    *("docutils", "tomlkit"),
)
SQLITE = ("sqlite3", "pysqlite3", "sqlean")
_LOADED = (
    "import sys; from tx_graph.faces.cli.main import run; status = run(sys.argv[1:]); "
    "print(*sys.modules, file=sys.stderr)"
)


def loaded_by(*arguments: str, at: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *arguments], cwd=at, capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stderr.split())


def timed_imports(*arguments: str, at: Path) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "tx_graph", *arguments]
    done = subprocess.run(command, cwd=at, capture_output=True, text=True, timeout=60, check=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_and_version_load_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    assert timed_imports(*arguments, at=tmp_path).isdisjoint([*HEAVY, *SQLITE])


def test_a_commands_help_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded_by("learning:search", "--help", at=tmp_path).isdisjoint([*HEAVY, *SQLITE])


def test_a_refused_command_line_loads_nothing_heavy(tmp_path: Path) -> None:
    assert loaded_by("learning:serch", at=tmp_path).isdisjoint([*HEAVY, *SQLITE])


def test_search_without_vectors_loads_only_the_database(tx: CommandLine, home: Path) -> None:
    tx.add("Tokens are compared in constant time", "--anchor", "src/auth.py")
    assert loaded_by("learning:search", "tokens", at=home).isdisjoint(HEAVY)


@pytest.mark.parametrize("arguments", [["learning:list"], ["learning:show", "1"], ["status"], ["config"]])
def test_listing_loads_only_the_database(tx: CommandLine, home: Path, arguments: list[str]) -> None:
    tx.add("Tokens are compared in constant time")
    assert loaded_by(*arguments, at=home).isdisjoint(HEAVY)
