"""Embedding through fastembed and onnxruntime: faster in bulk, and the door to other models.

fastembed downloads what it lacks and, offline, retries for 39 seconds. An engine never lets it: only a model
that is already in a cache (or in a given directory) is opened. `download_model` alone goes to the network.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.vectors.download import HUB_TIMEOUT_SECONDS, hub_url, require_answer
from tx_graph.vectors.installation import TOLERANCE, largest_error
from tx_graph.vectors.minilm import speakable
from tx_graph.vectors.models import DEFAULT_MODEL, FASTEMBED_PREFIX, model_home

if TYPE_CHECKING:
    from fastembed import TextEmbedding


MINILM_NAME = f"sentence-transformers/{DEFAULT_MODEL}"

# The hub's repository has been spelled in both cases; the second layout is that of old fastembed versions.
_MINILM_FOLDERS = {"models--qdrant--all-minilm-l6-v2-onnx", "fast-all-minilm-l6-v2"}
_MINILM_FILE = "model.onnx"


def cache_directories() -> tuple[Path, ...]:
    """Return where models are looked for: a download goes to the user's cache, which a reboot does not clear.

    In the directory for temporary files, where fastembed itself keeps them, anybody may have laid a model: it counts
    only where it belongs to this user.
    """
    if chosen := os.environ.get("FASTEMBED_CACHE_PATH"):
        return (Path(chosen),)
    shared = Path(tempfile.gettempdir()) / "fastembed_cache"
    with suppress(OSError):
        if not hasattr(os, "getuid") or shared.stat().st_uid == os.getuid():
            return (model_home() / "fastembed", shared)
    return (model_home() / "fastembed",)


def has_minilm() -> bool:
    """Say whether fastembed's ONNX file of all-MiniLM-L6-v2 is on this machine."""
    return any(
        next(folder.glob(f"**/{_MINILM_FILE}"), None) is not None
        for cache in cache_directories()
        if cache.is_dir()
        for folder in cache.iterdir()
        if folder.name.lower() in _MINILM_FOLDERS
    )


# fastembed pads each batch to its longest text; small batches of sorted texts waste little on that.
_BATCH_TEXTS = 32
_MINILM_TOKENS = 256


class FastembedEngine:
    """A model of fastembed's list, by name; loads at construction, in about 0.7 s."""

    def __init__(self, name: str, *, directory: Path | None = None) -> None:
        """Open a model of fastembed's list that is already on this machine, in the directory or else in a cache."""
        library = _quiet_library()
        self.dimension = _dimension(library, name)
        self._engine = _open(library, name, directory)
        # all-MiniLM-L6-v2 is called as in the numpy engine: it reads as many tokens, and the vectors are the same.
        is_minilm = name.lower() == MINILM_NAME.lower()
        self.model = DEFAULT_MODEL if is_minilm else f"{FASTEMBED_PREFIX}{name}"
        if is_minilm:
            tokenizer = getattr(self._engine.model, "tokenizer", None)
            if tokenizer is not None:
                tokenizer.enable_truncation(_MINILM_TOKENS)
            if not (error := largest_error(self)) <= TOLERANCE:
                problem = f"fastembed's {MINILM_NAME} computes other vectors than it should (off by {error:.1e})."
                raise ModelError(problem)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        """Return one L2-normalised vector per text, in order. Progress counts texts."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        safe = [speakable(texts[index]) for index in order]
        vectors: list[Vector] = [b""] * len(texts)
        done = 0
        try:
            for index, row in zip(order, self._engine.embed(safe, batch_size=_BATCH_TEXTS), strict=True):
                vector = np.asarray(row, dtype=np.float32)
                length = float(np.linalg.norm(vector)) or 1.0
                vectors[index] = (vector / np.float32(length)).astype("<f4").tobytes()
                done += 1
                if done % _BATCH_TEXTS == 0 or done == len(order):
                    progress(done, len(texts))
        # onnxruntime has an exception class for each status and no common base but Exception.
        except Exception as error:
            raise ModelError(f"{self.model} failed to embed: {error}.") from error
        return vectors


def download_model(name: str) -> Path:
    """Download a model of fastembed's list into the first cache directory and return that directory."""
    library = _quiet_library()
    _dimension(library, name)
    cache = cache_directories()[0]
    # Unreachable, fastembed would try for 39 seconds before it said so.
    require_answer(hub_url(), timeout=HUB_TIMEOUT_SECONDS)
    try:
        library(name, cache_dir=str(cache), lazy_load=True)
    except Exception as error:
        raise ModelError(f"fastembed cannot download {name}: {error}", hint="Check the network.") from error
    return cache


def _quiet_library() -> type[TextEmbedding]:
    """Return fastembed's entry point with its logger silenced: what it logs, we raise."""
    try:
        from fastembed import TextEmbedding
        from loguru import logger
    except ImportError as error:
        raise ModelError(f"fastembed cannot be used here: {error}.", hint="pip install fastembed") from error
    logger.disable("fastembed")
    return TextEmbedding


def _dimension(library: type[TextEmbedding], name: str) -> int:
    """Return the model's dimension, or raise UsageError if fastembed does not know it."""
    dimensions = {model["model"].lower(): (model["model"], model["dim"]) for model in library.list_supported_models()}
    if name.lower() not in dimensions:
        near = difflib.get_close_matches(name.lower(), dimensions, n=3, cutoff=0.4)
        raise UsageError(
            f"fastembed has no model named '{name}'.",
            candidates=[FASTEMBED_PREFIX + dimensions[key][0] for key in near],
        )
    return int(dimensions[name.lower()][1])


def _open(library: type[TextEmbedding], name: str, directory: Path | None) -> TextEmbedding:
    """Return the model from the given directory, else from the first cache that has it, never downloaded."""
    if directory is not None:
        places = [{"specific_model_path": str(directory)}]
    else:
        places = [{"cache_dir": str(cache)} for cache in cache_directories() if cache.is_dir()]
    reason = "it is in no cache"
    for place in places:
        try:
            return library(name, local_files_only=True, **place)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 (whatever onnxruntime and tokenizers raise for damage)
            reason = str(error)
    raise ModelError(
        f"The model {name} cannot be loaded from this machine: {reason.rstrip('.')}.",
        hint=f"Run 'tx model install {FASTEMBED_PREFIX}{name}'.",
    )
