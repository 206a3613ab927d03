"""What a repository's files ask tx to run, load, send or use elsewhere, and whether the user of this machine allows it.

A clone brings `.tx/config.toml` along. So what could harm counts only once this user said so, of this directory and of
just these values: that stands in the user's state directory, which no repository reaches.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, NotInitialised, StorageError, UsageError
from tx_graph.core.place import CONFIG, DIRECTORY, find_root, links_out

ALLOW_VARIABLE = "TX_ALLOW"
"""With the value 1, as for CI, every repository that tx is run in is allowed."""
SETTINGS_ENTRY, LINKS_ENTRY = "settings", "links"
"""What is allowed, each with a digest of its own: values of settings, and links in `.tx` that lead elsewhere."""
_FILES = "allowed"


def state_home(environment: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> Path:
    """Return where tx keeps what belongs to the user and to no repository, by the platform's convention."""
    chosen = environment.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):  # a relative one is to be ignored, and would lie in the repository
        return Path(chosen) / "tx"
    if platform == "win32" and (local := environment.get("LOCALAPPDATA")):
        return Path(local) / "tx"
    return Path.home() / ("Library/Application Support" if platform == "darwin" else ".local/state") / "tx"


def is_allowed(root: Path, entry: str, asked: Mapping[str, Any]) -> bool:
    """Say whether the user allowed exactly what is asked for in the repository at `root`."""
    if not asked or os.environ.get(ALLOW_VARIABLE) == "1":
        return True
    return _read(_file_of(root)).get(entry) == digest_of(asked)


def digest_of(asked: Mapping[str, Any]) -> str:
    """Return the SHA-256 of names with their values, in any order."""
    return sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def write(root: Path, asked: Mapping[str, Mapping[str, Any]]) -> None:
    """Allow in the repository at `root` what is asked for, by entry; what was allowed before is forgotten."""
    path = _file_of(root)
    names = sorted(name for entry in asked.values() for name in entry)
    told = {"root": str(_real(root)), "at": datetime.now(UTC).isoformat(timespec="seconds"), "names": names}
    told |= {entry: digest_of(values) for entry, values in asked.items() if values}
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def _file_of(root: Path) -> Path:
    return state_home() / _FILES / f"{sha256(os.fsencode(_real(root))).hexdigest()[:40]}.json"


def _real(root: Path) -> Path:
    return Path(os.path.realpath(root))


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """A repository that this user allowed, when (UTC), and the names of what: settings, and links in `.tx`."""

    root: str
    at: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What the files of a repository ask for, and what of the user's word there is.

    `asked` has settings and links with their values; `is_allowed` says whether all of them count. `repositories` are
    those that were listed, or revoked.
    """

    JSON = "asked allowed=is_allowed repositories"

    asked: Mapping[str, Any]
    is_allowed: bool
    repositories: tuple[Allowed, ...] = ()


def allow(
    start: Path,
    *,
    every: Annotated[bool, Arg(help="List the repositories that are allowed.", flag="--list")] = False,
    revoke: Annotated[bool, Arg(help="Take back what was allowed here.")] = False,
) -> Allowance:
    """Allow what this repository's settings ask for, with the values that they have now.

    A committed .tx/config.toml may name plug-ins, models, addresses and files. Such settings count only once you
    allowed them here, on this machine; when a value changes, they wait for your word again. Until then tx goes on
    as if they were not set, and says so. 'tx config set' allows what you set yourself. In CI, TX_ALLOW=1 allows all.

    Example:
      tx allow
      tx allow --list
      tx allow --revoke
    """
    if every and revoke:
        raise UsageError("--list and --revoke cannot go together.")
    if every:
        return Allowance(asked={}, is_allowed=True, repositories=tuple(_repositories()))
    root = find_root(start)
    if root is None or not (root.path / DIRECTORY).is_dir():
        raise NotInitialised(
            f"There is no {DIRECTORY} directory at or above {start}.", hint="Run 'tx init' there first."
        )
    if revoke:
        path = _file_of(root.path)
        gone = [one for one in _repositories() if one.root == str(_real(root.path))]
        if not gone:
            raise NotFound(f"Nothing was allowed in {root.path}.", hint="See 'tx allow --list'.")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{path} cannot be removed: {error.strerror}.") from error
    from tx_graph.core.settings import Config

    links = links_out(root.path)
    settings = Config(root.path / DIRECTORY / CONFIG).asked
    asked = {**links, **settings}
    if revoke:
        return Allowance(asked=asked, is_allowed=not asked, repositories=tuple(gone))
    if asked:
        write(root.path, {SETTINGS_ENTRY: settings, LINKS_ENTRY: links})
    return Allowance(asked=asked, is_allowed=True)


def _repositories() -> Iterator[Allowed]:
    found = (_read(path) for path in sorted((state_home() / _FILES).glob("*.json")))
    told = [one for one in found if isinstance(one.get("root"), str)]
    for one in sorted(told, key=lambda one: str(one["root"])):
        yield Allowed(root=one["root"], at=str(one.get("at", "")), names=tuple(map(str, one.get("names", ()))))
