"""Embedding engines and the model they share; this door is light, the engines behind it load on demand."""

from __future__ import annotations

import os
import sys

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Embedder
from tx_graph.vectors.manifest import DEFAULT_MODEL, FASTEMBED_PREFIX, default_directory, has_expected_sizes

__all__ = ["DEFAULT_MODEL", "is_installed", "open_embedder"]


_THREADS = "OPENBLAS_NUM_THREADS"  # read once, when numpy is imported


def ask_for_one_thread() -> None:
    """Have BLAS use one thread, where that can still be said: a program that uses tx may have loaded numpy before."""
    if "numpy" not in sys.modules:
        os.environ.setdefault(_THREADS, "1")


def has_one_thread() -> bool:
    """Whether BLAS uses one thread. Threads of ours, each with threads of BLAS, would mostly wait for each other."""
    return os.environ.get(_THREADS) == "1"


def is_installed(name: str = DEFAULT_MODEL) -> bool:
    """Say whether an embedder of that name could be opened, judged by two file sizes.

    A model of fastembed's counts as installed: looking for it would take longer than trying to open it.
    """
    if name.startswith(FASTEMBED_PREFIX):
        return True
    return name == DEFAULT_MODEL and has_expected_sizes(default_directory())


def open_embedder(name: str = DEFAULT_MODEL, *, bulk: bool = False) -> Embedder:
    """Open the engine of a model. Nothing is ever downloaded here.

    Args:
        name: `all-MiniLM-L6-v2`, or `fastembed:` and a model of fastembed's list.
        bulk: Many texts will be embedded: prefer throughput to a quick start.
    """
    if name.startswith(FASTEMBED_PREFIX):
        return _open_fastembed(name.removeprefix(FASTEMBED_PREFIX))
    if name != DEFAULT_MODEL:
        raise UsageError(
            f"There is no embedding model named '{name}'.",
            hint=f"Use '{DEFAULT_MODEL}', or '{FASTEMBED_PREFIX}' and a model of fastembed's list.",
        )
    if not is_installed(name):
        raise ModelError(f"The embedding model {name} is not installed.", hint="Run 'tx model install'.")
    # One text is too little work for threads: waking them takes longer. Many texts are shared out by the engine itself:
    # as fast on an idle machine, and four times as fast on a busy one.
    ask_for_one_thread()
    fastest = _bulk_minilm() if bulk else None
    return fastest if fastest is not None else _numpy_minilm()


def _numpy_minilm() -> Embedder:
    try:
        from tx_graph.vectors.minilm import MiniLM
    except ImportError as error:
        raise ModelError(
            f"The embedding model cannot run here: {error}.", hint="pip install numpy tokenizers"
        ) from error
    return MiniLM(default_directory())


def _bulk_minilm() -> Embedder | None:
    """Open the engine of highest throughput, if its file is at hand and its vectors are the same."""
    from tx_graph.vectors.fastembed_engine import MINILM_NAME, has_minilm

    if not has_minilm():
        return None
    try:
        return _open_fastembed(MINILM_NAME)
    except (ModelError, UsageError):  # a fastembed that no longer lists it is a usage error
        return None


def _open_fastembed(name: str) -> Embedder:
    try:
        from tx_graph.vectors.fastembed_engine import FastembedEngine
    except ImportError as error:
        raise ModelError(f"fastembed cannot be used here: {error}.", hint="pip install fastembed") from error
    return FastembedEngine(name)
