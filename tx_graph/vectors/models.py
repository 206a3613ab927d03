"""Embedding models: what the default one consists of, where it lives, and how engines are opened.

This imports nothing heavy, for every search asks; the engines load on demand.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Embedder

DEFAULT_MODEL = "all-MiniLM-L6-v2"
FASTEMBED_PREFIX = "fastembed:"
DIRECTORY_VARIABLE = "TX_MODEL_DIR"


class ModelFile(NamedTuple):
    """One file of a model, known to the byte, as it is called in the model's directory and at the model hub."""

    name: str
    size: int
    sha256: str


MINILM_FILES = (
    ModelFile("model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    ModelFile("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
)
"""The official files of sentence-transformers/all-MiniLM-L6-v2."""


def default_directory(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """Return the default model's directory: `TX_MODEL_DIR`, else a place in the user's cache."""
    if override := environment.get(DIRECTORY_VARIABLE):
        return Path(override).expanduser().absolute()
    return model_home(environment, platform=platform) / DEFAULT_MODEL


def model_home(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """Return the directory of all models in the user's cache, by the platform's convention."""
    home = Path.home() / ("Library/Caches" if platform == "darwin" else ".cache")
    local = environment.get("LOCALAPPDATA") if platform == "win32" else None
    return Path(environment.get("XDG_CACHE_HOME") or local or home) / "tx" / "models"


def has_expected_sizes(directory: Path, files: tuple[ModelFile, ...] = MINILM_FILES) -> bool:
    """Say whether every file is there in its full size: one `stat` each, nothing is read."""
    return all(size_of(directory / file.name) == file.size for file in files)


def size_of(path: Path) -> int | None:
    """Return the size of a file in bytes, or None if it cannot be had."""
    try:
        return path.stat().st_size
    except OSError:
        return None


VERIFIED = "verified.json"
"""What stands beside the files of a model: how they were when their digests were right."""


def require_published(directory: Path, files: Sequence[ModelFile] = MINILM_FILES) -> None:
    """Raise ModelError unless each file is, byte for byte, the published one.

    To hash takes 0.1 s. So files that were right are noted with their sizes, inodes and times of change, which no
    program can set, and hashed again when one of these is another; always, where nothing can be written.
    """
    now = [_identity(directory / file.name, file) for file in files]
    with suppress(OSError, ValueError):
        if json.loads((directory / VERIFIED).read_bytes()) == now:
            return
    if fault := fault_in(directory, files, verify=True):
        raise ModelError(f"The model in {directory} is not the published one: {fault}.", hint="Run 'tx model install'.")
    with suppress(OSError):
        staged = directory / f".{VERIFIED}.{os.getpid()}"
        staged.write_text(json.dumps(now), encoding="utf-8")
        staged.replace(directory / VERIFIED)


def fault_in(directory: Path, files: Sequence[ModelFile], *, verify: bool) -> str:
    """Return which file is not the published one, judged by sizes, or with `verify` by digests; "" if all are."""
    for file in files:
        if (size := size_of(directory / file.name)) is None:
            return f"{file.name} is missing"
        if size != file.size:
            return f"{file.name} has {size} bytes, not {file.size}"
        if verify and (digest := digest_of(directory / file.name)) != file.sha256:
            return f"{file.name} has the digest {digest[:12]}…, not {file.sha256[:12]}…"
    return ""


def _identity(path: Path, file: ModelFile) -> list[str | int]:
    try:
        at = path.stat()
    except OSError:
        return []
    return [file.sha256, at.st_size, at.st_ino, at.st_mtime_ns, at.st_ctime_ns]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_THREADS = "OPENBLAS_NUM_THREADS"  # read once, when numpy is imported


def ask_for_one_thread() -> None:
    """Have BLAS use one thread, where that can still be said: a program that uses tx may have loaded numpy before."""
    if "numpy" not in sys.modules:
        os.environ.setdefault(_THREADS, "1")


def has_one_thread() -> bool:
    """Whether BLAS uses one thread. Threads of ours, each with threads of BLAS, would mostly wait for each other."""
    return os.environ.get(_THREADS) == "1"


RUNTIME = ("numpy", "tokenizers")
INSTALL_RUNTIME = "Run: pip install 'tx-graph[search]'"


@cache
def has_runtime() -> bool:
    """Say whether the libraries that embed are installed, which are those of the extra `search`."""
    return all(map(find_spec, RUNTIME))


def require_runtime() -> None:
    """Raise ModelError unless the libraries that embed are installed."""
    if not has_runtime():
        lacking = " and ".join(name for name in RUNTIME if not find_spec(name))
        raise ModelError(f"Vectors need {lacking}, which this installation lacks.", hint=INSTALL_RUNTIME)


def is_installed(name: str = DEFAULT_MODEL) -> bool:
    """Say whether an embedder of that name could be opened, by two file sizes; of fastembed's, to try is quicker."""
    if not has_runtime():
        return False
    if name.startswith(FASTEMBED_PREFIX):
        return True
    return name == DEFAULT_MODEL and has_expected_sizes(default_directory())


def require_installed(name: str) -> None:
    """Raise ModelError unless an embedder of that name could be opened."""
    require_runtime()
    if not is_installed(name):
        raise ModelError(f"The embedding model {name} is not installed.", hint="Run 'tx model install'.")


def unknown_model(name: str) -> UsageError:
    """Return the error that there is no model of this name."""
    return UsageError(
        f"There is no embedding model named '{name}'.",
        hint=f"Use '{DEFAULT_MODEL}', or '{FASTEMBED_PREFIX}' and a model of fastembed's list.",
    )


def open_embedder(name: str = DEFAULT_MODEL, *, bulk: bool = False) -> Embedder:
    """Open the engine of a model: `all-MiniLM-L6-v2`, or `fastembed:` and a model of fastembed's list.

    `bulk` says that many texts will be embedded, so that throughput counts more than a quick start. Nothing is ever
    downloaded here.
    """
    if name.startswith(FASTEMBED_PREFIX):
        return _open_fastembed(name.removeprefix(FASTEMBED_PREFIX))
    if name != DEFAULT_MODEL:
        raise unknown_model(name)
    require_installed(name)
    directory = default_directory()
    require_published(directory)
    # One text is too little work for threads: waking them takes longer. Many texts are shared out by the engine itself:
    # as fast on an idle machine, and four times as fast on a busy one.
    ask_for_one_thread()
    if bulk:
        from tx_graph.vectors.fastembed_engine import MINILM_NAME, has_minilm

        if has_minilm():  # the engine of highest throughput, if its vectors are the same
            try:
                return _open_fastembed(MINILM_NAME)
            except (ModelError, UsageError):  # a fastembed that no longer lists it is a usage error
                pass
    from tx_graph.vectors.minilm import MiniLM

    return MiniLM(directory)


def _open_fastembed(name: str) -> Embedder:
    try:
        from tx_graph.vectors.fastembed_engine import FastembedEngine
    except ImportError as error:
        raise ModelError(f"fastembed cannot be used here: {error}.", hint=INSTALL_RUNTIME) from error
    return FastembedEngine(name)
