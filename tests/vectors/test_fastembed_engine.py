from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.vectors.onnx_model import bert_model, tiny_model, write_cached, write_model_directory
from tests.vectors.small_model import write_tokenizer
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.vectors.fastembed_engine import MINILM_NAME, cache_directories, has_minilm
from tx_graph.vectors.minilm import MiniLM, read_tensors
from tx_graph.vectors.models import open_embedder

pytest.importorskip("fastembed", reason="fastembed has no wheel for this platform")

from tx_graph.vectors.fastembed_engine import FastembedEngine, download_model

TINY = "tx-tests/tiny"
MINILM_REPOSITORY = "Qdrant/all-MiniLM-L6-v2-onnx"
WIDTH = 8


@pytest.fixture(scope="module", autouse=True)
def tiny_is_known() -> None:
    """Enter the tiny model into fastembed's list, as its users enter theirs."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    TextEmbedding.add_custom_model(
        TINY, PoolingType.MEAN, normalization=False, sources=ModelSource(hf=TINY), dim=WIDTH, model_file="model.onnx"
    )


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of fastembed's."""
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def tokenizer(tmp_path: Path) -> bytes:
    write_tokenizer(tmp_path / "tokenizer.json")
    return (tmp_path / "tokenizer.json").read_bytes()


@pytest.fixture
def onnx() -> bytes:
    """A model whose vectors are not of unit length."""
    return tiny_model(np.random.default_rng(2).standard_normal((13, WIDTH), dtype=np.float32))


def test_a_model_in_a_directory_is_opened(tmp_path: Path, onnx: bytes, tokenizer: bytes) -> None:
    write_model_directory(tmp_path / "tiny", onnx, tokenizer)
    engine = FastembedEngine(TINY, directory=tmp_path / "tiny")
    assert (engine.model, engine.dimension) == (f"fastembed:{TINY}", WIDTH)
    assert len(engine.embed(["token"])[0]) == 4 * WIDTH


def test_a_model_in_the_cache_is_opened_by_name(cache: Path, onnx: bytes, tokenizer: bytes) -> None:
    write_cached(cache, TINY, onnx, tokenizer)
    embedder = open_embedder(f"fastembed:{TINY}")
    assert embedder.model == f"fastembed:{TINY}"
    assert len(embedder.embed(["token"])[0]) == 4 * WIDTH


def test_vectors_have_unit_length_and_keep_the_order(tmp_path: Path, onnx: bytes, tokenizer: bytes) -> None:
    write_model_directory(tmp_path / "tiny", onnx, tokenizer)
    engine = FastembedEngine(TINY, directory=tmp_path / "tiny")
    texts = ["token cache graph", "", "\ud800", "nul \0", "你好 🙂", "a" * 10_000, *(["query " * 9, "cache"] * 40)]
    seen: list[tuple[int, int | None]] = []
    together = engine.embed(texts, progress=lambda done, total: seen.append((done, total)))
    rows = np.frombuffer(b"".join(together), dtype="<f4").reshape(len(texts), WIDTH)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-6)
    alone = np.frombuffer(b"".join(engine.embed([text])[0] for text in texts), dtype="<f4").reshape(rows.shape)
    assert np.abs(rows - alone).max() < 1e-6
    assert seen[-1] == (len(texts), len(texts))


def test_a_model_that_is_not_here_says_so_at_once_and_in_silence(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ModelError, match="cannot be loaded from this machine") as caught:
        open_embedder("fastembed:BAAI/bge-small-en-v1.5")
    assert "tx model install fastembed:BAAI/bge-small-en-v1.5" in caught.value.hint
    assert capfd.readouterr() == ("", "")


def test_an_unknown_model_names_similar_ones() -> None:
    with pytest.raises(UsageError, match="no model named") as caught:
        open_embedder("fastembed:bge-small-en")
    assert "fastembed:BAAI/bge-small-en" in caught.value.candidates


def test_a_damaged_file_is_explained(tmp_path: Path, tokenizer: bytes) -> None:
    write_model_directory(tmp_path / "tiny", b"no protocol buffer", tokenizer)
    with pytest.raises(ModelError, match="cannot be loaded"):
        FastembedEngine(TINY, directory=tmp_path / "tiny")


def test_a_model_that_only_claims_to_be_minilm_is_refused(cache: Path, onnx: bytes, tokenizer: bytes) -> None:
    write_cached(cache, MINILM_REPOSITORY, onnx, tokenizer)
    assert has_minilm()
    with pytest.raises(ModelError, match="other vectors than it should"):
        FastembedEngine(MINILM_NAME)


def test_a_download_without_a_network_fails_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9: .*refused"):
        download_model("BAAI/bge-small-en-v1.5")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_what_another_user_laid_among_temporary_files_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shared = tmp_path / "fastembed_cache"
    shared.mkdir()
    assert shared in cache_directories()
    os.chown(shared, 12345, 12345)
    assert shared not in cache_directories()


def test_an_empty_cache_has_no_minilm(cache: Path) -> None:
    assert not has_minilm()
    cache.mkdir()
    assert not has_minilm()


@pytest.mark.model
def test_bulk_work_falls_back_to_numpy(real_model: Path, cache: Path, onnx: bytes, tokenizer: bytes) -> None:
    write_cached(cache, MINILM_REPOSITORY, onnx, tokenizer)
    assert isinstance(open_embedder(bulk=True), MiniLM)


@pytest.mark.model
def test_both_engines_compute_the_same_vectors(real_model: Path, cache: Path) -> None:
    onnx = bert_model(read_tensors(real_model / "model.safetensors"))
    write_cached(cache, MINILM_REPOSITORY, onnx, (real_model / "tokenizer.json").read_bytes())
    bulk = open_embedder(bulk=True)
    assert isinstance(bulk, FastembedEngine)
    assert (bulk.model, bulk.dimension) == (MiniLM.model, MiniLM.dimension)
    texts = ["authentication", "", "你好 🙂", "expiry " * 150, "expiry " * 400]
    ours, theirs = (np.frombuffer(b"".join(engine.embed(texts)), dtype="<f4") for engine in (MiniLM(real_model), bulk))
    assert np.abs(ours - theirs).max() < 2e-6
