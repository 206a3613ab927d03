"""What the default model consists of and where it lives; imports nothing heavy, for every search asks."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DEFAULT_MODEL = "all-MiniLM-L6-v2"
FASTEMBED_PREFIX = "fastembed:"
DIRECTORY_VARIABLE = "TX_MODEL_DIR"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """One file of a model, known to the byte.

    Attributes:
        name: The file's name in the model's directory and at the model hub.
        size: Bytes.
        sha256: Hexadecimal digest.
    """

    name: str
    size: int
    sha256: str


MINILM_FILES = (
    ModelFile(
        name="model.safetensors",
        size=90_868_376,
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    ModelFile(
        name="tokenizer.json", size=466_247, sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
)
"""The official files of sentence-transformers/all-MiniLM-L6-v2."""


def default_directory(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """Return the default model's directory: `TX_MODEL_DIR`, else a place in the user's cache."""
    if override := environment.get(DIRECTORY_VARIABLE):
        return Path(override).expanduser().absolute()
    return model_home(environment, platform=platform) / DEFAULT_MODEL


def model_home(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """Return the directory of all models in the user's cache."""
    return _cache_home(environment, platform) / "tx" / "models"


def has_expected_sizes(directory: Path, files: tuple[ModelFile, ...] = MINILM_FILES) -> bool:
    """Say whether every file is there in its full size: one `stat` each, nothing is read."""
    return all(size_of(directory / file.name) == file.size for file in files)


def size_of(path: Path) -> int | None:
    """Return the size of a file in bytes, or None if it cannot be had."""
    try:
        return path.stat().st_size
    except OSError:
        return None


def _cache_home(environment: Mapping[str, str], platform: str) -> Path:
    """Return the user's cache directory by the platform's convention; XDG_CACHE_HOME always wins."""
    if xdg := environment.get("XDG_CACHE_HOME"):
        return Path(xdg)
    if platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local)
    return Path.home() / ("Library/Caches" if platform == "darwin" else ".cache")
