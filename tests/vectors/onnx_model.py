"""Writes ONNX files, which are protocol buffers, without the onnx package: a tiny model, and BERT from its weights.

Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tx_graph.vectors.minilm import DIMENSION, HEADS, LAYERS

Array = np.ndarray[tuple[int, ...], np.dtype[np.generic]]

_FLOAT, _INT64 = 1, 7
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_model_directory(directory: Path, onnx: bytes, tokenizer: bytes) -> None:
    """Write what fastembed wants to find beside each other."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "model.onnx").write_bytes(onnx)
    (directory / "tokenizer.json").write_bytes(tokenizer)
    # 128, as in the directory that fastembed downloads: the engine has to raise it.
    (directory / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 128, "pad_token": "[PAD]"}))
    (directory / "config.json").write_text(json.dumps({"pad_token_id": 0}))


def write_cached(cache: Path, repository: str, onnx: bytes, tokenizer: bytes) -> None:
    """Write a model as the hub's own client caches it."""
    folder, revision = cache / f"models--{repository.replace('/', '--')}", "0" * 40
    write_model_directory(folder / "snapshots" / revision, onnx, tokenizer)
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text(revision)


def tiny_model(table: Array) -> bytes:
    """Return a model whose tokens are embedded as the rows of a table."""
    graph = _Graph()
    graph.node("Gather", graph.constant("table", table), "input_ids", output="last_hidden_state")
    return graph.model()


def bert_model(tensors: Mapping[str, Array]) -> bytes:
    """Return all-MiniLM-L6-v2 as the usual exporters write it, from its weights: the encoder of BERT."""
    graph = _Graph()
    node, number = graph.node, graph.number

    def tensor(name: str) -> str:
        return graph.constant(name, tensors[name])

    def dense(name: str, x: str) -> str:
        weight = graph.constant(f"{name}.weight", np.ascontiguousarray(tensors[f"{name}.weight"].T))
        return node("Add", node("MatMul", x, weight), tensor(f"{name}.bias"))

    def norm(prefix: str, x: str) -> str:
        scale, shift = (tensor(f"{prefix}.LayerNorm.{part}") for part in ("weight", "bias"))
        return node("LayerNormalization", x, scale, shift, attributes=_real("epsilon", 1e-12))

    def heads(name: str, x: str, *order: int) -> str:
        split = node("Reshape", dense(name, x), graph.integers(0, 0, HEADS, DIMENSION // HEADS))
        return node("Transpose", split, attributes=_permutation(*order))

    def attention(prefix: str, x: str) -> str:
        query, key = heads(f"{prefix}.query", x, 0, 2, 1, 3), heads(f"{prefix}.key", x, 0, 2, 3, 1)
        scores = node("Mul", node("MatMul", query, key), number((DIMENSION // HEADS) ** -0.5))
        value = heads(f"{prefix}.value", x, 0, 2, 1, 3)
        context = node("MatMul", node("Softmax", node("Add", scores, bias)), value)
        merged = node("Transpose", context, attributes=_permutation(0, 2, 1, 3))
        return node("Reshape", merged, graph.integers(0, 0, DIMENSION))

    mask = node("Unsqueeze", node("Cast", "attention_mask", attributes=_integer("to", _FLOAT)), graph.integers(1, 2))
    bias = node("Mul", node("Sub", number(1), mask), number(-1e9))
    length = node("Gather", node("Shape", "input_ids"), graph.integers(1))
    positions = node("Slice", tensor("embeddings.position_embeddings.weight"), graph.integers(0), length)
    types = node("Gather", tensor("embeddings.token_type_embeddings.weight"), "token_type_ids")
    words = node("Gather", tensor("embeddings.word_embeddings.weight"), "input_ids")
    x = norm("embeddings", node("Add", node("Add", words, types), positions))
    for layer in (f"encoder.layer.{number}" for number in range(LAYERS)):
        attended = dense(f"{layer}.attention.output.dense", attention(f"{layer}.attention.self", x))
        x = norm(f"{layer}.attention.output", node("Add", attended, x))
        wide = dense(f"{layer}.intermediate.dense", x)
        gate = node("Add", node("Erf", node("Div", wide, number(2**0.5))), number(1))
        active = node("Mul", node("Mul", wide, number(0.5)), gate)
        x = norm(f"{layer}.output", node("Add", dense(f"{layer}.output.dense", active), x))
    node("Identity", x, output="last_hidden_state")
    return graph.model()


class _Graph:
    """Collects nodes and constants; names every result after its operation."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: dict[str, bytes] = {}

    def constant(self, name: str, value: Array) -> str:
        kind = _FLOAT if value.dtype == np.float32 else _INT64
        dims = b"".join(_number(1, size) for size in value.shape)
        self._constants[name] = dims + _number(2, kind) + _text(8, name) + _bytes(9, value.tobytes())
        return name

    def number(self, value: float) -> str:
        return self.constant(f"number {value}", np.array(value, dtype=np.float32))

    def integers(self, *values: int) -> str:
        return self.constant(f"integers {values}", np.array(values, dtype=np.int64))

    def node(self, operation: str, *inputs: str, output: str = "", attributes: bytes = b"") -> str:
        output = output or f"{operation} {len(self._nodes)}"
        names = b"".join(_text(1, name) for name in inputs) + _text(2, output)
        self._nodes.append(names + _text(4, operation) + attributes)
        return output

    def model(self) -> bytes:
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _text(2, "graph")
        graph += b"".join(_bytes(5, constant) for constant in self._constants.values())
        graph += b"".join(_bytes(11, _value(name, _INT64)) for name in _INPUTS)
        graph += _bytes(12, _value("last_hidden_state", _FLOAT))
        return _number(1, 8) + _bytes(7, graph) + _bytes(8, _number(2, 17))


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _value(name: str, kind: int) -> bytes:
    """A graph's input or output of that element type and any shape."""
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind)))


def _integer(name: str, value: int) -> bytes:
    return _bytes(5, _text(1, name) + _number(3, value) + _number(20, 2))


def _real(name: str, value: float) -> bytes:
    return _bytes(5, _text(1, name) + b"\x15" + struct.pack("<f", value) + _number(20, 1))


def _permutation(*values: int) -> bytes:
    return _bytes(5, _text(1, "perm") + b"".join(_number(8, value) for value in values) + _number(20, 7))
