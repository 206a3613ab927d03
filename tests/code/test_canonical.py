"""Sources come to the same tokens where only a formatter, a comment or white space tells them apart, and only there."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.corpora import FIXTURES
from tx_graph.code.parsing import read_symbols
from tx_graph.code.passages import read_passages


def pairs(kind: str) -> list[tuple[str, str, str]]:
    """Return path and both sources of a corpus with a pair a line; `⏎` and `⇥` stand for line ends and tabs."""
    found, path = [], ""
    for line in (FIXTURES / "canonical" / f"{kind}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            path = line.removeprefix("=== ")
        else:
            one, other = line.replace("⏎", "\n").replace("⇥", "\t").split("   ≡   " if kind == "same" else "   ≠   ")
            found.append((path, one, other))
    return found


@pytest.mark.parametrize(("path", "one", "other"), pairs("different"))
def test_what_does_something_else_has_other_tokens(path: str, one: str, other: str) -> None:
    assert read_passages(path, one).whole().tokens != read_passages(path, other).whole().tokens


@pytest.mark.parametrize(("path", "one", "other"), pairs("same"))
def test_what_a_formatter_changes_leaves_the_tokens(path: str, one: str, other: str) -> None:
    assert read_passages(path, one).whole().tokens == read_passages(path, other).whole().tokens


@pytest.mark.skipif(not shutil.which("black"), reason="black is not installed")
def test_our_own_code_has_the_same_tokens_after_black(tmp_path: Path) -> None:
    sources = [*(Path(__file__).parents[2] / "tx_graph").rglob("*.py")][:40]
    copies = {source: tmp_path / f"{index}.py" for index, source in enumerate(sources)}
    for source, copy in copies.items():
        copy.write_bytes(source.read_bytes())
    subprocess.run(["black", "-q", "-l", "50", tmp_path], check=True)

    for source, copy in copies.items():
        before, after = source.read_text(encoding="utf-8"), copy.read_text(encoding="utf-8")
        assert read_passages("a.py", before).whole().tokens == read_passages("a.py", after).whole().tokens
        assert len(read_symbols("a.py", before.encode())) == len(read_symbols("a.py", after.encode()))
