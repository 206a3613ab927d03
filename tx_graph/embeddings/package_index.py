"""Finds a wheel on the configured package index without pip, which uv and pipx leave out.

The index speaks the simple repository API (PEP 503, PEP 691).
"""

from __future__ import annotations

import configparser
import html
import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from tx_graph.embeddings.download import SourceFailed, read_text

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
    """Return the wheel of one version on the configured index.

    Raises:
        SourceFailed: No index is configured, or it cannot be reached, or lacks the wheel.
    """
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
    """Return the places of the user's own configuration on this platform."""
    if sys.platform == "win32":
        return [Path(os.environ.get("APPDATA", "")) / "pip" / name]
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "pip" / name
    return [
        config,
        *([Path.home() / "Library/Application Support/pip" / name] if sys.platform == "darwin" else []),
    ]


def _links(page: str, page_url: str, *, is_json: bool) -> Iterator[WheelLink]:
    """Yield every file on a project's page."""
    for href in _json_urls(page) if is_json else map(html.unescape, _LINK.findall(page)):
        url = urljoin(page_url, href)
        yield WheelLink(filename=urlsplit(url).path.rsplit("/", 1)[-1], url=url.partition("#")[0])


def _json_urls(page: str) -> list[str]:
    """Return the addresses in a PEP 691 answer."""
    try:
        return [file["url"] for file in json.loads(page)["files"]]
    except (ValueError, KeyError, TypeError) as error:
        raise SourceFailed(f"the package index gave an answer that cannot be read: {error}") from error
