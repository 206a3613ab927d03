"""An installation without extras: everything works by words, and what is missing is named where it is wanted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import MakeRepository
from tests.faces.cli.terminal import CommandLine
from tests.isolation import ROOT

SLIM = """
import sys
for name in ("numpy", "tokenizers", "fastembed", "sqlite_vec", "kingfisher_sdk"):
    sys.modules[name] = None
from tx_graph.faces.cli.main import main
main()
"""


@pytest.fixture
def embedded(repository: MakeRepository, real_model: Path) -> Path:
    """Return a repository whose learnings, sections and files have vectors."""
    del real_model
    sandbox = repository()
    sandbox.write("src/auth.py", text="def login():\n    return 1\n")
    sandbox.write("README.md", text="# Tokens\n\nTokens are compared in constant time.\n")
    sandbox.commit(message="Let tokens expire")
    tx = CommandLine(sandbox.root)
    tx.ok("init")
    tx.ok("learning:add", "Compare tokens in constant time", "--anchor", "src/auth.py")
    tx.ok("learning:add", "Tokens are compared slowly")
    tx.ok("learning:embed")
    return sandbox.root


def slim(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SLIM, "-C", str(root), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.model
def test_everything_works_by_words_without_the_extras(embedded: Path) -> None:
    for line in ("index", "status", "graph:verify", "context tokens", "learning:search tokens", "doc:search tokens"):
        done = slim(embedded, *line.split())
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    assert "pip install 'tx-graph[search]'" in slim(embedded, "doctor").stdout
    assert slim(embedded, "context", "tokens").stdout.count("tokens") > 1


@pytest.mark.model
@pytest.mark.parametrize(
    ("line", "extra"),
    [
        ("model install", "search"),
        ("learning:embed", "search"),
        ("graph:analyze-similar", "search"),
        ("doc:link --no-model", "search"),
        ("transcript:ingest README.md", "transcripts"),
    ],
)
def test_what_is_missing_is_named_with_its_extra_where_it_is_wanted(embedded: Path, line: str, extra: str) -> None:
    done = slim(embedded, *line.split())
    assert done.returncode in (2, 7)
    assert f"pip install 'tx-graph[{extra}]'" in done.stderr
