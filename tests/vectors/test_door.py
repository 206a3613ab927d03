from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.vectors.models import DEFAULT_MODEL, is_installed, open_embedder

ROOT = Path(__file__).parents[2]
HEAVY = ["fastembed", "numpy", "onnxruntime", "tokenizers", "urllib.request"]


def test_the_door_imports_nothing_heavy() -> None:
    code = (
        "import sys, tx_graph.vectors.models as e; e.is_installed(e.DEFAULT_MODEL)\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_a_model_that_is_not_installed_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "nowhere"))
    assert not is_installed(DEFAULT_MODEL)
    with pytest.raises(ModelError, match="not installed") as caught:
        open_embedder(DEFAULT_MODEL)
    assert caught.value.hint == "Run 'tx model install'."


def test_an_unknown_name_is_a_usage_error() -> None:
    assert not is_installed("word2vec")
    with pytest.raises(UsageError, match="word2vec") as caught:
        open_embedder("word2vec")
    assert "fastembed:" in caught.value.hint


@pytest.mark.model
def test_the_installed_model_opens_for_queries_and_for_bulk(real_model: Path) -> None:
    assert is_installed()
    for bulk in (False, True):
        embedder = open_embedder(bulk=bulk)
        assert (embedder.model, embedder.dimension) == (DEFAULT_MODEL, 384)
        assert len(embedder.embed(["authentication"])[0]) == 4 * 384
