"""Where generated data lies: made once, reused until the schema or its generator changes."""

from __future__ import annotations

import hashlib
import inspect
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tx_graph.core.migrations import migration_directory, read_migrations
from tx_graph.vectors.models import model_home

_DIGITS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Workdir:
    """A directory of generated data, named by what made it."""

    path: Path

    def made(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return the directory that `make` fills, filling it now if it is missing or out of date."""
        prefix = f"{name}-"
        place = self.path / f"{prefix}{_digest(make)}"
        if place.exists():
            return place
        print(f"generating {place} ...", file=sys.stderr)
        for outdated in self.path.glob(f"{prefix}{'[0-9a-f]' * _DIGITS}"):
            shutil.rmtree(outdated)
        with self.temporary() as directory:
            make(directory / "made")
            (directory / "made").rename(place)
        return place

    @contextmanager
    def temporary(self) -> Iterator[Path]:
        """Return a directory for the block, on the same file system as all else."""
        self.path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.path, prefix="temporary-") as directory:
            yield Path(directory).resolve()


def default_workdir() -> Path:
    """Return the place in the user's cache."""
    return model_home().parent / "bench"


def _digest(make: Callable[[Path], None]) -> str:
    """Return what changes with the schema, with the module of `make`, and with those it imports as a whole."""
    ours = inspect.getmodule(make)
    used = [value for _, value in sorted(vars(ours).items()) if inspect.ismodule(value) and _is_ours(value)]
    digest = hashlib.sha256()
    for module in (ours, *used):
        digest.update(inspect.getsource(module).encode() if module else b"")
    for schema in (migration_directory(), migration_directory() / "hub"):
        for migration in read_migrations(schema):
            digest.update(repr(migration).encode())
    return digest.hexdigest()[:_DIGITS]


def _is_ours(module: ModuleType) -> bool:
    return module.__name__.startswith(f"{__package__}.")
