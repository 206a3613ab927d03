"""Where fastembed keeps its models, found without importing it (that takes half a second)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from tx_graph.embeddings.manifest import DEFAULT_MODEL, model_home

MINILM_NAME = f"sentence-transformers/{DEFAULT_MODEL}"

# The hub's repository has been spelled in both cases; the second layout is that of old fastembed versions.
_MINILM_FOLDERS = {"models--qdrant--all-minilm-l6-v2-onnx", "fast-all-minilm-l6-v2"}
_MINILM_FILE = "model.onnx"


def cache_directories() -> tuple[Path, ...]:
    """Return where models are looked for; a download goes to the first.

    fastembed's default lies in the temporary directory, which a reboot clears; tx prefers the user's cache.
    """
    if chosen := os.environ.get("FASTEMBED_CACHE_PATH"):
        return (Path(chosen),)
    return (model_home() / "fastembed", Path(tempfile.gettempdir()) / "fastembed_cache")


def has_minilm() -> bool:
    """Say whether fastembed's ONNX file of all-MiniLM-L6-v2 is on this machine."""
    return any(
        next(folder.glob(f"**/{_MINILM_FILE}"), None) is not None
        for cache in cache_directories()
        if cache.is_dir()
        for folder in cache.iterdir()
        if folder.name.lower() in _MINILM_FOLDERS
    )
