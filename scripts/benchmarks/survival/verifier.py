"""Verifies as a user of tx does: learnings in records, one for each file, anchored to all of its symbols."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from scripts.benchmarks.survival.answers import Answer, Grade, Verdict
from scripts.opened import open_workspace
from tx_graph.anchors.verdict import Judgement
from tx_graph.anchors.verify import verify
from tx_graph.learnings.transfer import Transfer
from tx_graph.workspace import prepare


class TxVerifier:
    """tx with its database, its records and the history of the clone."""

    def anchor(self, root: Path, symbols: Sequence[str]) -> None:
        """Take an anchor for each FQName as the working tree is now."""
        take(root, [_by_symbol(fqname) for fqname in symbols])

    def verify(self, root: Path) -> Mapping[str, Answer]:
        """Return the answer for each FQName that was anchored, as the working tree is now."""
        return {judgement.anchor.spec: _answer(judgement) for judgement in judgements(root)}


def take(root: Path, anchors: Iterable[Mapping[str, str]]) -> None:
    """Make a workspace and take anchors, written as in an import of learnings, one learning for each file."""
    prepare(root)
    (root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    with open_workspace(root) as workspace:
        workspace.kernel.one(Transfer).import_(_lines(anchors))


def judgements(root: Path) -> list[Judgement]:
    """Return the verdict on each anchor of a workspace."""
    with open_workspace(root) as workspace:
        return [one.judgement for one in verify(workspace.kernel).checked]


def _by_symbol(fqname: str) -> Mapping[str, str]:
    path, _, name = fqname.partition("::")
    return {"path": path, "symbol": name, "type": "symbol"}


def _lines(anchors: Iterable[Mapping[str, str]]) -> Iterator[str]:
    by_file: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    for anchor in anchors:
        by_file[anchor["path"]].append(anchor)
    for path, here in by_file.items():
        yield json.dumps({"content": f"About {path}", "anchors": here})


def _answer(judgement: Judgement) -> Answer:
    there = judgement.relocated_to
    return Answer(
        verdict=Verdict(judgement.verdict.value),
        drift=Grade(judgement.drift.value) if judgement.drift else None,
        relocated_to=there.spec if there else "",
        candidates=judgement.candidates,
    )
