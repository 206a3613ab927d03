"""Who shares work out to processors: BLAS, or the engine with a BLAS of one thread."""

from __future__ import annotations

import os
import sys

_THREADS = "OPENBLAS_NUM_THREADS"
"""Read once, when numpy is imported."""


def ask_for_one_thread() -> None:
    """Have BLAS use one thread, where that can still be said: a program that uses tx may have loaded numpy before."""
    if "numpy" not in sys.modules:
        os.environ.setdefault(_THREADS, "1")


def has_one_thread() -> bool:
    """Whether BLAS uses one thread. Threads of ours, each with threads of BLAS, would mostly wait for each other."""
    return os.environ.get(_THREADS) == "1"
