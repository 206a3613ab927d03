"""all-MiniLM-L6-v2 in numpy: a six-layer BERT encoder over memory-mapped weights.

Importing numpy and running this is several times faster than starting onnxruntime, which is what counts for
the one query of a command-line search. Architecture: Devlin et al. 2019 (BERT), Wang et al. 2020 (MiniLM);
pooling as in Reimers and Gurevych 2019 (Sentence-BERT).
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import numpy as np

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.core.text import CountTokens
from tx_graph.vectors.models import has_one_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int64]


# 256 tokens of prose are about 1,200 characters; beyond this only padding with blanks could still matter.
MAX_CHARACTERS = 20_000


def speakable(text: str) -> str:
    """Return the text's first 20,000 characters with lone surrogates, which UTF-8 cannot hold, as `?`."""
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


NONE = "none"  # what the setting says where there is no tokenizer


def configured_counter(name: str, *, root: Path) -> CountTokens:
    """Return what counts tokens as the tokenizer does that the settings name; `root` is where its path begins."""
    if name == NONE:
        raise UsageError("No tokenizer is configured.", hint=_HINT)
    return token_counter(root / Path(name).expanduser())


def token_counter(path: Path) -> CountTokens:
    """Return what counts tokens as the tokenizer in this file does, without marks for beginning and end."""
    if not path.is_file():
        raise ModelError(f"There is no tokenizer at {path}.", hint=_HINT)
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more specific
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelError(f"{path} is not a tokenizer.json: {reason}.", hint=_HINT) from error
    # Models bring limits of their own, which would cut a long text and call it short.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


_HINT = "'tx config set context.tokenizer PATH' names the file; '--tokens-by chars' does without."


REINSTALL = "Run 'tx model install'."

# The specification's own ceiling; a larger length means that this is no safetensors file.
_MAX_HEADER_BYTES = 100_000_000
_LENGTH = struct.Struct("<Q")


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Return the file's float32 tensors by name, memory-mapped: only what is used is ever read."""
    with _explained(path):
        raw, header, start = _opened(path)
        return {name: _tensor(raw[start:], entry) for name, entry in header.items() if entry.get("dtype") == "F32"}


def read_rows(path: Path, name: str) -> Rows:
    """Return one of the file's tensors, to be read row by row."""
    with _explained(path):
        raw, header, start = _opened(path)
        return Rows(path, _tensor(raw[start:], header[name]), start=start + header[name]["data_offsets"][0])


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(f"Cannot read the model weights in {path}: {error}.", hint=REINSTALL) from error


def _opened(path: Path) -> tuple[NDArray[np.uint8], dict[str, Any], int]:
    """Return the file's bytes, memory-mapped, its header, and where the tensors begin."""
    raw = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    (length,) = _LENGTH.unpack(raw[: _LENGTH.size].tobytes())
    start = _LENGTH.size + length
    if length > _MAX_HEADER_BYTES or start > raw.size:
        raise ValueError(f"the header claims {length} bytes of a {raw.size}-byte file")
    return raw, json.loads(raw[_LENGTH.size : start].tobytes()), start


class Rows:
    """The rows of a tensor, read from its file when they are asked for.

    Mapped pages of a large vocabulary would stay in the memory of a process that answers many questions: 30 MB after a
    thousand. The mapped tensor serves where the system cannot read at an offset.
    """

    def __init__(self, path: Path, tensor: NDArray[np.float32], *, start: int) -> None:
        self._tensor = tensor
        self._size = tensor.shape[1] * tensor.itemsize
        self._start = start
        self._file = os.open(path, os.O_RDONLY) if hasattr(os, "pread") else None
        if self._file is not None:
            finalize(self, os.close, self._file)

    def __getitem__(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows, `(*rows.shape, width) float32`; each is read once."""
        if self._file is None:
            return self._tensor[rows]
        wanted, places = np.unique(rows, return_inverse=True)
        if wanted.size and not 0 <= wanted[0] <= wanted[-1] < len(self._tensor):
            raise IndexError(f"there are {len(self._tensor):,} rows")
        read = [os.pread(self._file, self._size, self._start + int(row) * self._size) for row in wanted]
        return np.frombuffer(b"".join(read), "<f4").reshape(len(read), -1)[places.reshape(rows.shape)]


def _tensor(body: NDArray[np.uint8], entry: dict[str, Any]) -> NDArray[np.float32]:
    begin, end = entry["data_offsets"]
    return body[begin:end].view("<f4").reshape(entry["shape"])


LAYERS = 6
HEADS = 12
DIMENSION = 384
MAX_TOKENS = 256  # the length the model was trained to read; the rest of a text is not seen

_EPSILON = 1e-12
# Padded tokens per forward pass: large enough for BLAS to run at full speed, small enough for the caches.
_BATCH_TOKENS = 1024
# Rows of the feed-forward layer per pass of the activation: its temporaries stay in the L2 cache.
_ACTIVATION_ROWS = 64
# Tokens up to which it is a third faster to multiply the weights as they lie: those of a question.
_FEW_ROWS = 32
# Added to the attention scores of padding: exp() of it is exactly 0 in float32.
_MASKED = -1e9

# erf(x) ≈ x · P(x²) / Q(x²) on [-4, 4], highest power first: the coefficients that Eigen and XLA use.
# fmt: off
_ERF_P = (-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
          -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02)
_ERF_Q = (-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
          -7.37332916720468e-03, -1.42647390514189e-02)
# fmt: on
_ERF_LIMIT = 4.0
_SQRT_HALF = 0.5**0.5


_PLAIN = re.compile(r"[\t\n\r !-Z\\-~]{0,300}")  # no letters but ASCII, no control characters, no marks such as [SEP]
_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s]")
_NUMBER = re.compile(rb"\s*(\d+)")
_LONGEST_WORD = 100  # a longer one is unknown as a whole


class MiniLM:
    """The numpy engine of all-MiniLM-L6-v2; loads at construction, in about 30 ms."""

    model = "all-MiniLM-L6-v2"
    dimension = DIMENSION

    def __init__(self, directory: Path) -> None:
        """Load `model.safetensors` and `tokenizer.json` from the directory."""
        self._path = directory / "tokenizer.json"
        try:
            self._file = self._path.read_bytes()
            self._vocabulary, self._numbers = self._file.index(b'"vocab":'), dict[str, int]()
        except (OSError, ValueError) as error:
            raise ModelError(f"Cannot read the tokenizer in {self._path}: {error}.", hint=REINSTALL) from error
        self._network = _load_network(directory / "model.safetensors")

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            tokenizer = Tokenizer.from_file(str(self._path))
        except Exception as error:  # the library raises nothing more specific
            raise ModelError(f"Cannot read the tokenizer in {self._path}: {error}.", hint=REINSTALL) from error
        # Without the file's own settings: cut at 128 tokens, pad everything to that.
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    def _cut(self, text: str) -> list[int]:
        """Return a plain text as the tokenizer cuts it (WordPiece, Wu et al. 2016); its library takes 30 ms to load."""
        cut: list[int] = []
        for word in _WORD.findall(text.lower()):
            pieces: list[int] = []
            start = 0
            while start < len(word) <= _LONGEST_WORD:
                ends, mark = range(len(word), start, -1), "##" if start else ""
                found = ((end, number) for end in ends if (number := self._number(mark + word[start:end])))
                start, number = next(found, (0, 0))
                pieces.append(number)
                if not number:
                    break
            cut += pieces if pieces and all(pieces) else [self._number("[UNK]")]
        return [self._number("[CLS]"), *cut[: MAX_TOKENS - 2], self._number("[SEP]")]

    def _number(self, piece: str) -> int:
        """Return the number of a piece, 0 where there is none; to look for it is quicker than to parse all of them."""
        if piece not in self._numbers:
            key = f"{json.dumps(piece)}:".encode()
            place = self._file.find(key, self._vocabulary)
            number = _NUMBER.match(self._file, place + len(key)) if place >= 0 else None
            self._numbers[piece] = int(number[1]) if number else 0
        return self._numbers[piece]

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        """Return one L2-normalised vector per text, read up to its 256th token, in order. Progress counts texts."""
        if len(texts) == 1 and _PLAIN.fullmatch(texts[0]):
            tokens = [self._cut(texts[0])]
        else:
            # One by one: a batch would start threads that gain nothing here and warn at every later fork.
            tokens = [self._tokenizer.encode(speakable(text)).ids for text in texts]
        vectors: list[Vector] = [b""] * len(texts)
        done = 0
        batches = list(_batches([len(ids) for ids in tokens]))
        for batch, rows in zip(batches, self._encoded(batches, tokens), strict=True):
            for index, row in zip(batch, rows, strict=True):
                vectors[index] = row.astype("<f4", copy=False).tobytes()
            done += len(batch)
            progress(done, len(texts))
        return vectors

    def _encoded(self, batches: Sequence[Sequence[int]], tokens: Sequence[Sequence[int]]) -> Iterator[Floats]:
        """Yield the vectors of each batch in turn; several are computed at a time, on a thread for each processor."""

        def encode(batch: Sequence[int]) -> Floats:
            longest = max(len(tokens[index]) for index in batch)
            ids = np.zeros((len(batch), longest), dtype=np.int64)
            mask = np.zeros((len(batch), longest), dtype=np.float32)
            for row, index in enumerate(batch):
                ids[row, : len(tokens[index])] = tokens[index]
                mask[row, : len(tokens[index])] = 1.0
            return self._network.encode(ids, mask)

        may_use = getattr(os, "sched_getaffinity", None)
        processors = len(may_use(0)) if may_use else os.cpu_count() or 1
        workers = min(len(batches), processors) if has_one_thread() else 1
        if workers <= 1:
            yield from map(encode, batches)
            return
        from concurrent.futures import ThreadPoolExecutor  # takes as long to import as one question to answer

        pool = ThreadPoolExecutor(workers)
        try:
            yield from pool.map(encode, batches)
        finally:
            pool.shutdown(cancel_futures=True)


class _Dense(NamedTuple):
    """A fully connected layer; `weight` is stored `(outputs, inputs)`."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Return `x · weightᵀ + bias`, `(rows, inputs)` to `(rows, outputs)`."""
        y: Floats = np.ascontiguousarray((self.weight @ x.T).T) if len(x) <= _FEW_ROWS else x @ self.weight.T
        y += self.bias
        return y


class _LayerNorm(NamedTuple):
    """Normalises each row to mean 0 and variance 1, then scales and shifts it (Ba et al. 2016)."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """Return the normalised rows; overwrites `x`."""
        x -= x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x)[:, None] / x.shape[-1]
        x *= 1.0 / np.sqrt(variance + _EPSILON)
        x *= self.weight
        x += self.bias
        return x


class _Layer(NamedTuple):
    """One transformer block: self-attention, then a feed-forward network, each added to its input."""

    query: _Dense
    key: _Dense
    value: _Dense
    attention_output: _Dense
    attention_norm: _LayerNorm
    intermediate: _Dense
    output: _Dense
    output_norm: _LayerNorm

    def __call__(self, x: Floats, bias: Floats | None, batch: int) -> Floats:
        """Return the block's output for `(batch · length, 384)` rows."""
        # Scaled dot-product attention (Vaswani et al. 2017), its heads side by side in each row.
        query, key, value = (
            dense(x).reshape(batch, -1, HEADS, DIMENSION // HEADS).transpose(0, 2, 1, 3)
            for dense in (self.query, self.key, self.value)
        )
        scores: Floats = query @ key.swapaxes(2, 3)
        scores *= (DIMENSION // HEADS) ** -0.5
        if bias is not None:
            scores += bias
        context = (_softmax(scores) @ value).transpose(0, 2, 1, 3).reshape(-1, DIMENSION)
        attended = self.attention_output(context)
        attended += x
        x = self.attention_norm(attended)
        y = self.output(_gelu(self.intermediate(x)))
        y += x
        return self.output_norm(y)


class _Network(NamedTuple):
    """The whole encoder."""

    words: Rows
    positions: Floats
    token_type: Floats
    norm: _LayerNorm
    layers: tuple[_Layer, ...]

    def encode(self, ids: Integers, mask: Floats) -> Floats:
        """Return `(batch, 384)` unit vectors for `(batch, length)` token ids and their 0/1 mask."""
        batch, length = ids.shape
        x = self.words[ids] + self.positions[:length] + self.token_type
        x = self.norm(x.reshape(-1, DIMENSION))
        bias = None if mask.all() else ((1.0 - mask) * _MASKED)[:, None, None, :].astype(np.float32)
        for layer in self.layers:
            x = layer(x, bias, batch)
        # The length of the sum is divided out, so that the mean needs no division by the count.
        total: Floats = np.einsum("blk,bl->bk", x.reshape(batch, length, DIMENSION), mask)
        total /= np.maximum(np.linalg.norm(total, axis=1, keepdims=True), _EPSILON)
        return total


def _softmax(scores: Floats) -> Floats:
    """Return the softmax over the last axis; overwrites its input."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _gelu(x: Floats) -> Floats:
    """Return x · Φ(x), the exact Gaussian error linear unit (Hendrycks and Gimpel 2016), in place."""
    for start in range(0, len(x), _ACTIVATION_ROWS):
        rows = x[start : start + _ACTIVATION_ROWS]
        gate = _erf(rows * _SQRT_HALF)
        gate += 1.0
        gate *= 0.5
        rows *= gate
    return x


def _erf(x: Floats) -> Floats:
    """Return the error function to within 4e-7; overwrites its input."""
    np.clip(x, -_ERF_LIMIT, _ERF_LIMIT, out=x)
    square = x * x
    x *= _polynomial(_ERF_P, square)
    x /= _polynomial(_ERF_Q, square)
    return x


def _polynomial(coefficients: tuple[float, ...], x: Floats) -> Floats:
    value = x * coefficients[0]
    for coefficient in coefficients[1:-1]:
        value += coefficient
        value *= x
    value += coefficients[-1]
    return value


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield indices of texts of similar length, as many as fit the token budget when padded."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if batch and lengths[batch[0]] * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _load_network(path: Path) -> _Network:
    tensors = read_tensors(path)

    def dense(name: str) -> _Dense:
        return _Dense(weight=tensors[f"{name}.weight"], bias=tensors[f"{name}.bias"])

    def norm(name: str) -> _LayerNorm:
        return _LayerNorm(weight=tensors[f"{name}.LayerNorm.weight"], bias=tensors[f"{name}.LayerNorm.bias"])

    def layer(name: str) -> _Layer:
        return _Layer(
            query=dense(f"{name}.attention.self.query"),
            key=dense(f"{name}.attention.self.key"),
            value=dense(f"{name}.attention.self.value"),
            attention_output=dense(f"{name}.attention.output.dense"),
            attention_norm=norm(f"{name}.attention.output"),
            intermediate=dense(f"{name}.intermediate.dense"),
            output=dense(f"{name}.output.dense"),
            output_norm=norm(f"{name}.output"),
        )

    try:
        return _Network(
            words=read_rows(path, "embeddings.word_embeddings.weight"),
            positions=tensors["embeddings.position_embeddings.weight"],
            token_type=tensors["embeddings.token_type_embeddings.weight"][0],
            norm=norm("embeddings"),
            layers=tuple(layer(f"encoder.layer.{number}") for number in range(LAYERS)),
        )
    except KeyError as error:
        raise ModelError(f"{path} lacks the tensor {error}.", hint=REINSTALL) from error
