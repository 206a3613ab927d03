"""Installs a model by its name, whoever's list it is on."""

from __future__ import annotations

from pathlib import Path

from tx_graph.embeddings.manifest import DEFAULT_MODEL, FASTEMBED_PREFIX
from tx_graph.embeddings.model_store import Installation, ModelState, ModelStatus, ModelStore
from tx_graph.errors import UsageError
from tx_graph.ports import Progress, no_progress


def install(name: str = DEFAULT_MODEL, *, progress: Progress = no_progress) -> Installation:
    """Return what came of downloading a model: the default one, or `fastembed:` and one of fastembed's list.

    Raises:
        ModelError: It cannot be downloaded or stored, or it is not what it should be.
        UsageError: There is no such model.
    """
    if name == DEFAULT_MODEL:
        return ModelStore().install(progress)
    if not name.startswith(FASTEMBED_PREFIX):
        raise UsageError(
            f"There is no embedding model named '{name}'.",
            hint=f"Use '{DEFAULT_MODEL}', or '{FASTEMBED_PREFIX}' and a model of fastembed's list.",
        )
    from tx_graph.embeddings.fastembed_engine import download_model

    path = download_model(name.removeprefix(FASTEMBED_PREFIX))
    status = ModelStatus(state=ModelState.INSTALLED, path=path, size_bytes=_size(path), source="", detail="")
    return Installation(status=status, downloaded=True)


def _size(directory: Path) -> int:
    return sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
