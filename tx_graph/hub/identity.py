"""What things are called in a hub: repositories by their origin, nodes by hashes."""

from __future__ import annotations

import re
from hashlib import blake2b, sha256

from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.revisions import origin_of

_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://)(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)", re.IGNORECASE)
_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>[\w.-]+):(?!//)(?P<path>.+)")
_NAME = re.compile(r"[^\s/*?%\\]+(?:/[^\s/*?%\\]+)*")


def name_of(kernel: Kernel) -> str:
    """Return by which name a hub knows this repository: the setting hub.repository, else that of its origin."""
    if named := str(kernel.config.get("hub.repository")):
        return checked_name(named)
    origin = origin_of(kernel.checkout.askable) if kernel.checkout.askable else ""
    if not origin:
        raise UsageError(
            "This repository has no remote 'origin' that would name it.",
            hint="Name it: tx config set hub.repository github.com/owner/name",
        )
    return repository_name(origin)


def repository_name(origin: str) -> str:
    """Return the name of the repository at an address of git: `github.com/owner/name`, in lower case.

    `ssh://`, `https://` and `git@host:path` give the same, with and without user, port and `.git`. A path on a disk has
    no name: that is a UsageError.
    """
    found = _ADDRESS.fullmatch(origin.strip()) or _SCP.fullmatch(origin.strip())
    if not found:
        raise UsageError(
            "The address of its origin does not say by which name a hub is to know this repository.",
            hint="Name it: tx config set hub.repository github.com/owner/name",
        )
    return checked_name(f"{found['host']}/{found['path'].strip('/').removesuffix('.git').strip('/')}")


def checked_name(name: str) -> str:
    """Return the name of a repository in lower case; raise UsageError where it is none."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"'{name}' is no name of a repository.", hint="It looks like github.com/owner/name: parts, parted by /."
        )
    return name.lower()


def like(glob: str) -> str:
    r"""Return the pattern of SQL's LIKE for a glob: `*` stands for any text, `?` for one character."""
    escaped = re.sub(r"([\\%_])", r"\\\1", glob.lower())
    return escaped.replace("*", "%").replace("?", "_")


def repository_id(name: str) -> int:
    """Return the number in [-2^63, 2^63) of a repository; the hub computes the same, and refuses any other."""
    return _number(sha256(name.encode()).digest()[:8])


def node_id(repository: str, kind: str, key: str) -> int:
    """Return the number in [-2^63, 2^63) of a node; an entity has the same in every repository."""
    told = f"{'' if kind == 'entity' else repository}\0{kind}\0{key}"
    return _number(blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _number(hashed: bytes) -> int:
    return int.from_bytes(hashed, "big", signed=True)
