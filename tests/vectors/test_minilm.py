"""The numpy engine of all-MiniLM-L6-v2, and how engines are opened."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vectors.small_model import CONTENTS, FILES, write_network, write_tensors, write_tokenizer
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Embedder
from tx_graph.vectors.installation import TOLERANCE, check_reference, largest_error
from tx_graph.vectors.minilm import MAX_TOKENS, MiniLM, _batches, _erf, _gelu, _softmax, read_rows, read_tensors
from tx_graph.vectors.models import DEFAULT_MODEL, VERIFIED, is_installed, open_embedder, require_published

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

ODD_TEXTS = ["", " ", "a" * 10_000, "token " * 2_000, "nul \0 inside", "\ud800 lone", "🙂🙂", "你好, 世界", "\n\t"]


def matrix(embedder: Embedder, texts: list[str]) -> Floats:
    """The vectors as `(n, 384)` rows."""
    return np.frombuffer(b"".join(embedder.embed(texts)), dtype="<f4").reshape(len(texts), -1)


@pytest.fixture(scope="module")
def engine(random_network: Path) -> MiniLM:
    return MiniLM(random_network)


@pytest.fixture(scope="module")
def real(real_model: Path) -> MiniLM:
    return MiniLM(real_model)


@pytest.mark.slow
def test_no_text_fails_and_every_vector_has_unit_length(engine: MiniLM) -> None:
    vectors = matrix(engine, ODD_TEXTS)
    assert vectors.shape == (len(ODD_TEXTS), engine.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_batching_does_not_change_a_vector(engine: MiniLM) -> None:
    texts = [f"token cache {'graph query ' * n}" for n in range(0, 60, 4)] + ODD_TEXTS
    together = matrix(engine, texts)
    alone = np.vstack([matrix(engine, [text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_order_is_kept_and_equal_texts_have_equal_vectors(engine: MiniLM) -> None:
    first, second, third = engine.embed(["graph query", "token " * 50, "graph query"])
    assert first == third != second


def test_a_text_is_read_up_to_its_256th_token_and_no_further(engine: MiniLM) -> None:
    words = MAX_TOKENS - 2  # [CLS] and [SEP] take two
    full, longer, shorter = matrix(engine, ["a " * words, "a " * words + "query", "a " * (words - 1) + "query"])
    assert np.abs(full - longer).max() < 1e-6  # a processor may add the same numbers in another order
    assert np.abs(full - shorter).max() > 1e-4


@pytest.mark.slow
def test_no_texts_give_no_vectors(engine: MiniLM) -> None:
    assert engine.embed([]) == []


def test_progress_counts_every_text_once(engine: MiniLM) -> None:
    seen: list[tuple[int, int | None]] = []
    engine.embed(["token " * 200] * 12, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (12, 12)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_batches_hold_every_text_once_within_the_token_budget() -> None:
    lengths = [256, 3, 256, 5, 4, 256, 256, 256, 2]
    batches = list(_batches(lengths))
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert all(len(batch) * max(lengths[index] for index in batch) <= 1024 for batch in batches)


def test_a_text_longer_than_the_budget_gets_a_batch_of_its_own() -> None:
    assert list(_batches([5000])) == [[0]]


def test_erf_agrees_with_the_standard_library() -> None:
    x = np.linspace(-7, 7, 5001, dtype=np.float32)
    expected = np.array([math.erf(float(value)) for value in x])
    assert np.abs(_erf(x.copy()) - expected).max() < 5e-7


def test_gelu_agrees_with_its_definition() -> None:
    x = np.linspace(-9, 9, 999, dtype=np.float32).reshape(333, 3)
    expected = [value * 0.5 * (1 + math.erf(value / math.sqrt(2))) for value in x.ravel().tolist()]
    assert _gelu(x.copy()).ravel().tolist() == pytest.approx(expected, abs=3e-6)


def test_softmax_survives_large_scores() -> None:
    assert _softmax(np.array([[1e4, 1e4, -1e9]], dtype=np.float32)).tolist() == [[0.5, 0.5, 0.0]]


@pytest.mark.parametrize(
    "content",
    [b"", b"1234567", b"\xff" * 64, b"\x02\0\0\0\0\0\0\0[]", b"\x02\0\0\0\0\0\0\0{x", b"\x04\0\0\0\0\0\0\0null"],
)
def test_a_file_that_is_no_safetensors_is_explained(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="Cannot read the model weights") as caught:
        read_tensors(path)
    assert "tx model install" in caught.value.hint


def test_truncated_weights_are_explained(tmp_path: Path, random_network: Path) -> None:
    write_tokenizer(tmp_path / "tokenizer.json")
    whole = (random_network / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(whole[:-1000])
    with pytest.raises(ModelError, match="Cannot read the model weights"):
        MiniLM(tmp_path)


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    write_tokenizer(tmp_path / "tokenizer.json")
    write_tensors(tmp_path / "model.safetensors", {"unknown": np.zeros((2, 2), dtype=np.float32)})
    with pytest.raises(ModelError, match="word_embeddings"):
        MiniLM(tmp_path)


def test_a_damaged_tokenizer_is_explained(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match="Cannot read the tokenizer"):
        MiniLM(tmp_path)


def test_a_model_with_other_weights_does_not_pass_for_the_real_one(tmp_path: Path) -> None:
    write_network(tmp_path)
    with pytest.raises(ModelError, match="other vectors than it should"):
        check_reference(tmp_path)


@pytest.mark.model
def test_the_stored_reference_vectors_are_reproduced(real: MiniLM) -> None:
    assert largest_error(real) < TOLERANCE / 50


@given(
    text=st.lists(st.sampled_from([*"aA graph_cache! .\n\t$~^", "graph", "validate", "ing", "x" * 100, "a" * 101])).map(
        "".join
    )
)
def test_a_plain_text_is_cut_as_the_library_cuts_it(engine: MiniLM, text: str) -> None:
    assert engine._cut(text) == engine._tokenizer.encode(text).ids


@pytest.mark.model
@given(text=st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters="["), max_size=600))
def test_a_plain_text_is_cut_as_the_library_cuts_it_with_the_real_vocabulary(real: MiniLM, text: str) -> None:
    assert real._cut(text) == real._tokenizer.encode(text).ids


@pytest.mark.model
def test_published_values_are_reproduced(real: MiniLM) -> None:
    # The vector from fastembed's own test-suite, the similarities from Sentence Transformers' quick start.
    published = [-0.034478, 0.03102, 0.00673, 0.02611, -0.039362]
    assert matrix(real, ["hello world"])[0, :5].tolist() == pytest.approx(published, abs=1e-5)
    weather = matrix(real, ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."])
    similarity = weather @ weather.T
    assert similarity[0, 1:].tolist() == pytest.approx([0.6660, 0.1046], abs=1e-4)
    assert float(similarity[1, 2]) == pytest.approx(0.1411, abs=1e-4)


@pytest.mark.model
def test_batching_does_not_change_a_real_vector(real: MiniLM) -> None:
    texts = [f"learning {n} about {'caches and tokens ' * n}" for n in range(0, 80, 5)]
    assert np.abs(matrix(real, texts) - np.vstack([matrix(real, [text]) for text in texts])).max() < 1e-6


@pytest.mark.model
def test_what_is_about_the_query_comes_before_what_is_not(real: MiniLM) -> None:
    query, *texts = matrix(
        real,
        [
            "authentication",
            "Always validate JWT expiry before processing",
            "Set short token lifetime (15min) for access tokens",
            "Run database migrations before deploying",
            "The CSV importer trims whitespace",
        ],
    )
    jwt, lifetime, migrations, importer = (float(query @ text) for text in texts)
    assert min(jwt, lifetime) > max(migrations, importer)


@pytest.mark.model
def test_no_odd_text_fails_with_the_real_tokenizer(real: MiniLM) -> None:
    assert np.isfinite(matrix(real, ODD_TEXTS)).all()


def test_rows_are_read_as_the_mapped_tensor_has_them(random_network: Path) -> None:
    whole = read_tensors(random_network / "model.safetensors")["embeddings.word_embeddings.weight"]
    rows = read_rows(random_network / "model.safetensors", "embeddings.word_embeddings.weight")
    wanted = np.array([[3, 0, 3], [len(whole) - 1, 1, 2]])
    assert np.array_equal(rows[wanted], whole[wanted])
    with pytest.raises(IndexError):
        rows[np.array([len(whole)])]


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


def test_a_model_whose_bytes_were_changed_is_not_loaded(tmp_path: Path) -> None:
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    for _ in range(2):  # the second time the note is believed
        require_published(tmp_path, FILES)
        assert (tmp_path / VERIFIED).is_file()
    weights = tmp_path / FILES[0].name
    before = weights.stat()
    weights.write_bytes(bytes(before.st_size))
    os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))  # its size and its time are what they were
    with pytest.raises(ModelError, match=f"not the published one: {weights.name} has the digest") as caught:
        require_published(tmp_path, FILES)
    assert caught.value.hint == "Run 'tx model install'."
