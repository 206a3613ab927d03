"""What files hold now, by hash: known from their stamps where these prove it, else read."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import islice

from tx_graph.codebase.working_tree import Stamp, WorkingTree
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.stamps import trusted_mtime
from tx_graph.storage.anchored_files import AnchoredFileStore, SeenFile

_MOST_REMEMBERED = 5_000
"""Files that this process remembers having read, 300 bytes each."""


class Contents:
    """Knows the content of files as of one look, which the next `look` ends.

    A stamp is compared with that of the last verification, and with what this process saw: a workspace may live long,
    and whoever only reads keeps nothing.
    """

    def __init__(self, *, tree: WorkingTree, sources: Sources, files: AnchoredFileStore) -> None:
        self._tree = tree
        self._sources = sources
        self._files = files
        self._verified: Mapping[str, SeenFile] = {}
        self._remembered: dict[str, SeenFile] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._hashes: dict[str, str | None] = {}
        self._unseen = False

    def look(self, paths: Collection[str]) -> None:
        """Look at the stamps of files anew when they are asked for; `paths` are those that will be."""
        self._stamps, self._hashes, self._unseen = {}, {}, False
        self._verified = self._files.of(paths)
        for path in list(islice(self._remembered, max(0, len(self._remembered) - _MOST_REMEMBERED))):
            del self._remembered[path]

    def of(self, path: str) -> str | None:
        """Return the hash of a file's content, None where it cannot be read."""
        if path not in self._hashes:
            stamp = self._stamps[path] = self._tree.stamp(path)
            self._hashes[path] = self._hash_of(path, stamp) if stamp else None
        return self._hashes[path]

    def known(self, path: str) -> str | None:
        """Return the hash of a file that was asked for in this look."""
        return self._hashes.get(path)

    def has_news(self) -> bool:
        """Whether a file was not as the last verification saw it."""
        return self._unseen

    def seen(self) -> list[SeenFile]:
        """Return the files that were looked at, with stamps to be trusted next time."""
        return [
            _seen(path, stamp, content)
            for path, content in self._hashes.items()
            if content and (stamp := self._stamps.get(path))
        ]

    def _hash_of(self, path: str, stamp: Stamp) -> str | None:
        if (seen := self._verified.get(path)) and _proves(seen, stamp):
            return seen.content_hash
        self._unseen = True
        if (seen := self._remembered.get(path)) and _proves(seen, stamp):
            return seen.content_hash
        source = self._sources.get(path)
        if source is None:
            return None
        self._remembered[path] = _seen(path, stamp, source.whole_content)
        return source.whole_content


def _proves(seen: SeenFile, stamp: Stamp) -> bool:
    return (seen.size, seen.changed_ns) == stamp


def _seen(path: str, stamp: Stamp, content: str) -> SeenFile:
    return SeenFile(path, stamp.size, trusted_mtime(stamp.changed_ns), content)
