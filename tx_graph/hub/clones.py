"""Clones of other repositories on this machine: where there is one, the verdict on a learning is taken there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Standing
from tx_graph.core.errors import TxError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY
from tx_graph.core.sources import parsed_clone
from tx_graph.graph.elsewhere import Elsewhere, FromHub
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.hub.identity import checked_name, repository_name

SETTING = "hub.clones"
_MOST_SIBLINGS = 200


class Clones:
    """The clones that a workspace knows of: those that the setting names, and the directories beside it."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def judged(self, found: FromHub) -> FromHub:
        """Return an answer with the verdicts on those learnings whose repository has a clone here."""
        learnings = [one for one in found.found if one.kind == "learning"]
        standings: dict[Elsewhere, Standing] = {}
        for repository in dict.fromkeys(one.origin.repository for one in learnings):
            if folder := self.folders.get(repository):
                with suppress(TxError):  # what cannot be opened says nothing
                    clone = self._kernel.registered("hub", "clones")(folder)
                    standings |= _standings(clone, [one for one in learnings if one.origin.repository == repository])
        judged = (replace(one, verdict=standings[one].word) if one in standings else one for one in found.found)
        return replace(found, found=tuple(judged)) if standings else found

    @cached_property
    def folders(self) -> Mapping[str, Path]:
        """The folder of each clone by the name of its repository; what the setting says comes first."""
        root = self._kernel.root
        found: dict[str, Path] = {}
        for entry in self._kernel.config.texts(SETTING):
            name, folder = parsed_clone(entry)
            found[checked_name(name)] = root / Path(folder).expanduser()
        with suppress(OSError):
            for one in islice(sorted(root.parent.iterdir()), _MOST_SIBLINGS):
                if one != root and (one / DIRECTORY).is_dir() and (name := _origin_of(one)):
                    found.setdefault(name, one)
        return found


def _origin_of(folder: Path) -> str:
    """Return the name of the repository that a clone is of; empty of what is none."""
    with suppress(OSError, UnicodeDecodeError, UsageError):
        section = ""
        for line in map(str.strip, (folder / ".git" / "config").read_text(encoding="utf-8").splitlines()):
            name, _, value = map(str.strip, line.partition("="))
            if line.startswith("["):
                section = line
            elif (section, name) == ('[remote "origin"]', "url"):
                return repository_name(value)
    return ""


def _standings(clone: Kernel, learnings: Sequence[Elsewhere]) -> dict[Elsewhere, Standing]:
    """Return what is said in a clone of the learnings that it has too."""
    with clone:
        uids = {one: one.ref.partition(":")[2] for one in learnings}
        nodes = NodeStore(clone.database).find(NodeKind.LEARNING, uids.values())
        there = {one: nodes[uid] for one, uid in uids.items() if uid in nodes}
        told = Standings(clone).standings(list(there.values()))
        return {one: told[node] for one, node in there.items()}
