"""Fetches one file over HTTP with the standard library: proxies and certificates as the environment says."""

from __future__ import annotations

import base64
import http.client
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tx_graph.errors import ModelError

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

    Raises:
        SourceFailed: The server cannot be reached, refuses, or stops answering.
        OSError: The file cannot be written.
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
    """Return a page's text and its content type.

    Raises:
        SourceFailed: The server cannot be reached, refuses, or stops answering.
    """
    with _explained(url), _open(url, timeout, cafile, accept=accept) as response:
        return response.read().decode("utf-8", "replace"), response.headers.get_content_type()


def require_answer(url: str, *, timeout: float) -> None:
    """Return if a server answers at all, whatever it says.

    Raises:
        SourceFailed: There is no answer.
    """
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
    """Turn whatever goes wrong on the network into SourceFailed."""
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
    """Return the address as it may be shown: without credentials."""
    return _split_credentials(url)[0]


def _reason(error: Exception) -> str:
    """Return a failure in a few words."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    return str(cause) or type(cause).__name__
