"""The example of docs/retrievers.md, built and installed as the package of somebody else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.faces.cli.terminal import Program
from tx_graph.learnings.learnings import Draft
from tx_graph.workspace import prepare

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "retrievers.md"
FILE = re.compile(r"^`tx-trigrams/(?P<name>[\w.]+)`\n```\w+\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the example installed in it."""
    source, site = tmp_path_factory.mktemp("tx-trigrams"), tmp_path_factory.mktemp("site")
    files = {match["name"]: match["text"] for match in FILE.finditer(DOCUMENT.read_text(encoding="utf-8"))}
    assert files.keys() == {"pyproject.toml", "tx_trigrams.py"}
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", "install", *offline, "--target", site, source], check=True)
    return site


@pytest.fixture
def tx(tmp_path: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program, in a workspace with two learnings, beside the example."""
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    monkeypatch.delenv("TX_DB", raising=False)
    paths = [str(site), str(DOCUMENT.parents[1])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    root = tmp_path / "project"
    root.mkdir()
    prepare(root)
    with open_workspace(root) as workspace:
        for content in ("Token validation comes first", "Rotate keys weekly"):
            workspace.learnings.add_draft(Draft(content=content))
    return Program(root)


def test_it_has_no_more_than_twenty_lines() -> None:
    files = {match["name"]: match["text"] for match in FILE.finditer(DOCUMENT.read_text(encoding="utf-8"))}
    code = [line for line in files["tx_trigrams.py"].splitlines() if line.strip()]
    assert len(code) <= 20


def test_it_finds_what_words_do_not(tx: Program) -> None:
    found = tx("learning:search", "oken alidation", "--retriever", "trigrams", "--json")
    assert found.status == 0, found.err
    assert [one["content"] for one in found.document["results"]] == ["Token validation comes first"]
    assert found.document["stats"]["retriever"] == "trigrams"
    assert found.document["stats"]["dropped"] == {}
    by_words = tx("learning:search", "oken alidation", "--json")
    assert by_words.document["results"] == []


def test_its_options_reach_it(tx: Program) -> None:
    assert tx("config", "set", "search.retriever_options", "trigrams.least=0.99").status == 0
    found = tx("learning:search", "tokn validaton", "--retriever", "trigrams", "--json")
    assert found.document["results"] == []
    assert tx("config", "set", "search.retriever_options", "trigrams.least=much").status == 0
    failed = tx("learning:search", "tokn", "--retriever", "trigrams")
    assert failed.status == 7
    assert "The retriever 'trigrams' failed: ValueError" in failed.err
    assert "Traceback" not in failed.err


def test_the_doctor_and_the_error_for_a_wrong_name_list_it(tx: Program) -> None:
    assert "trigrams (tx-trigrams)" in tx("doctor").out
    lost = tx("learning:search", "x", "--retriever", "trigram")
    assert lost.status == 3
    assert "trigrams" in lost.err
