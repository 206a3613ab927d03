"""Models made on the spot: a few bytes for the store's tests, a random network for the engine's."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from tx_graph.vectors.minilm import DIMENSION, LAYERS
from tx_graph.vectors.models import ModelFile

CONTENTS = {"model.safetensors": b"weights " * 40_000, "tokenizer.json": b'{"tokens": []}'}
FILES = tuple(
    ModelFile(name=name, size=len(body), sha256=hashlib.sha256(body).hexdigest()) for name, body in CONTENTS.items()
)

_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "token", "cache", "graph", "query", "a", "##a", "validate", "你", "."]


def write_network(directory: Path) -> None:
    """Write a network of MiniLM's shape with random weights, and a tokenizer with a small vocabulary."""
    write_tensors(directory / "model.safetensors", _random_tensors())
    write_tokenizer(directory / "tokenizer.json")


def write_tensors(path: Path, tensors: dict[str, np.ndarray]) -> None:
    header, offset = {}, 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [offset, offset + tensor.nbytes]}
        offset += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.astype("<f4").tobytes())


def write_tokenizer(path: Path) -> None:
    """Write a tokenizer that, like the official file, cuts at 128 tokens and pads everything to that."""
    tokenizer = Tokenizer(WordPiece({word: number for number, word in enumerate(_WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding(length=128)
    tokenizer.save(str(path))


def _random_tensors() -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)

    def weights(*shape: int) -> np.ndarray:
        return random.standard_normal(shape, dtype=np.float32) * np.float32(0.05)

    tensors = {
        "embeddings.word_embeddings.weight": weights(len(_WORDS), DIMENSION),
        "embeddings.position_embeddings.weight": weights(512, DIMENSION),
        "embeddings.token_type_embeddings.weight": weights(2, DIMENSION),
    }
    norms, denses = ["embeddings"], {}
    for number in range(LAYERS):
        prefix = f"encoder.layer.{number}"
        norms += [f"{prefix}.attention.output", f"{prefix}.output"]
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            denses[f"{prefix}.attention.{name}"] = (DIMENSION, DIMENSION)
        denses[f"{prefix}.intermediate.dense"] = (4 * DIMENSION, DIMENSION)
        denses[f"{prefix}.output.dense"] = (DIMENSION, 4 * DIMENSION)
    for name, shape in denses.items():
        tensors |= {f"{name}.weight": weights(*shape), f"{name}.bias": weights(shape[0])}
    for name in norms:
        tensors |= {f"{name}.LayerNorm.weight": 1 + weights(DIMENSION), f"{name}.LayerNorm.bias": weights(DIMENSION)}
    return tensors
