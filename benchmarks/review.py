"""How well a review names what a change lacks, and how often it notices a learning that the change breaks.

    python -m benchmarks.review ~/src/click ~/src/cobra --samples 15
    python -m benchmarks.review ~/src/click --samples 40 --fit       # coefficients for context/companions.py
    python -m benchmarks.review ~/src/click --comments               # coefficients for context/concern.py

Merged commits of 3 to 15 files are replayed in a replica that stands at their parent: all of a commit but one file, in
turn, or but a random half, lies in the working tree, and the review says which files are missing.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from tx_graph.anchors.sources import SourceText, source_text
from tx_graph.code.chunks import refresh_chunks
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.indexing import Indexing
from tx_graph.code.languages import language_of
from tx_graph.code.symbols import Symbol
from tx_graph.context.companions import LEAST, MOST, Candidate, Features, companions
from tx_graph.context.concern import CONCERNED, Evidence, evidence_of, likelihood
from tx_graph.context.partners import CoChanges
from tx_graph.context.review import Reviewing
from tx_graph.core.changes import Change, FileChange, change_of
from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, Place, Root
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Config
from tx_graph.documents.ingesting import Ingesting
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.history.commits import Changeset, read_changesets
from tx_graph.history.evidence import refresh_messages
from tx_graph.history.past import Past
from tx_graph.history.replica import Replica, replica_of
from tx_graph.history.sampling import drawn
from tx_graph.learnings.learnings import Draft, Learnings
from tx_graph.records.anchor import parse_anchor
from tx_graph.workspace import open_kernel

LEAST_FILES, MOST_FILES = 3, 15
_MOST_LEFT_OUT = 6  # files of a commit that are left out in turn
_LEARNINGS = 3  # of a commit, and as many controls
_SHORTEST_COMMENT = 40  # characters
_LARGEST = 300_000  # bytes of a file
_COMMENTS = ("//", "/*", "*", "#")
_DOCSTRING = re.compile(r'[^\0]*?:\s*\n\s*[rR]?(?:"""|\'\'\')([^\0]*?)(?:"""|\'\'\')')
_TO_LEARN_FROM = 3  # the first third of history is not replayed


class Named(NamedTuple):
    """What was named of a change: how many files, how many of them belonged to it, and how many were left out."""

    named: int
    right: int
    missing: int


class _Clock:
    def __init__(self, time: int) -> None:
        self._moment = datetime.fromtimestamp(time, tz=UTC)

    def now(self) -> datetime:
        return self._moment


def cases(repository: GitRepository, samples: int, seed: int) -> list[Changeset]:
    """Return the commits that are replayed, oldest first."""
    history = list(read_changesets(repository))
    fitting = [
        one
        for one in history[len(history) // _TO_LEARN_FROM :]
        if LEAST_FILES <= one.paths <= MOST_FILES and len(one.existing) >= LEAST_FILES
    ]
    return drawn(fitting, samples, Random(seed).randrange)  # noqa: S311 - a sample


class Scene:
    """A replica that stands at the parent of a commit, with as much of the commit in the working tree as is asked."""

    def __init__(self, replica: Replica, database: Path, case: Changeset) -> None:
        self._replica, self._database, self._case = replica, database, case
        self.repository = GitRepository(replica.root)
        self.whole = change_of(self.repository, between=f"{case.parent}..{case.sha}")

    def write(self, files: Sequence[FileChange]) -> None:
        """Put these files of the commit into the working tree, all others as its parent has them."""
        records, aside = self.repository.root / DIRECTORY, self.repository.root.parent / "aside"
        if records.is_dir():  # a replica that lacks contents is cleaned of all that is not the commit's
            records.rename(aside)
        self._replica.go_to(self._case.parent)
        ask_git(self.repository.root, "clean", "-ffdxq")
        if aside.is_dir():
            aside.rename(records)
        for one in files:
            if one.old_path and (one.is_gone or one.is_renamed):
                (self.repository.root / one.old_path).unlink(missing_ok=True)
            if not one.is_gone:
                data = ask_git(self.repository.root, "cat-file", "blob", f"{self._case.sha}:{one.path}", fine=(0, 128))
                path = self.repository.root / one.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data.output)

    def opened(self) -> Kernel:
        """Return the workspace as it is now, indexed."""
        root = self.repository.root
        place = Place(root=Root(path=root, is_git=True), cwd=root, database=self._database)
        clock = _Clock(self._case.time)
        kernel = open_kernel(place, config=Config(root / "none.toml"), clock=clock, is_lasting=False)
        kernel.one(Indexing).run()
        return kernel

    def change(self, files: Sequence[FileChange]) -> Change:
        """Return a change of these files alone."""
        return Change(base=self._case.parent, files=tuple(files), what="a part of a commit")


def learned(kernel: Kernel) -> None:
    """Read what a review needs of the past."""
    refresh_chunks(kernel)
    refresh_messages(kernel)
    kernel.one(Ingesting).run()
    kernel.one(CoChangeAnalysis).analyze_cochanges()


def gathered(kernel: Kernel, change: Change) -> dict[str, Candidate]:
    """Return what speaks for which files."""
    return Reviewing(kernel, change).candidates()


def counted(named: Sequence[str], missing: set[str]) -> Named:
    """Return how many files were named, and how many of those that are missing were."""
    return Named(len(named), len(missing.intersection(named)), len(missing))


def replayed(repository: GitRepository, *, samples: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield what came of each question: the candidates with their features, and what check-changes names."""
    with replica_of(repository) as replica:
        database = replica.root.parent / "graph.db"
        for case in cases(repository, samples, seed):
            scene = Scene(replica, database, case)
            scene.write(())
            with scene.opened() as kernel:
                learned(kernel)
            files = list(scene.whole.files)
            chance = Random(f"{seed} {case.sha}")  # noqa: S311 - a sample
            existing = [one for one in files if one.old_path and not one.is_renamed]
            parts = [[one] for one in drawn(existing, _MOST_LEFT_OUT, chance.randrange)]
            half = drawn(existing, max(1, len(existing) // 2), chance.randrange)
            for mode, left in [*(("one", part) for part in parts), ("half", half)]:
                there = [one for one in files if one not in left]
                if not there:
                    continue
                scene.write(there)
                with scene.opened() as kernel:
                    change = scene.change(there)
                    found = gathered(kernel, change)
                    named = kernel.one(CoChanges).check_changes().missing
                yield {
                    "case": case.sha,
                    "mode": mode,
                    "missing": [str(one.old_path) for one in left],
                    "baseline": [one.path for one in named],
                    "found": {path: list(one.features) for path, one in found.items()},
                }


def broken(repository: GitRepository, *, samples: int, seed: int) -> Iterator[tuple[bool, bool, float]]:
    """Yield for learnings at symbols: whether the commit changed their code, whether that was flagged, the concern.

    What a learning says is the subject of the last commit before that touched its file.
    """
    with replica_of(repository) as replica:
        database = replica.root.parent / "graph.db"
        for case in cases(repository, samples, seed):
            scene = Scene(replica, database, case)
            scene.write(())
            shutil.rmtree(replica.root / DIRECTORY, ignore_errors=True)
            touched: dict[str, bool] = {}
            with scene.opened() as kernel:
                for one in scene.whole.files:
                    if not one.old_path or one.is_renamed or one.is_gone:
                        continue
                    said = ask_git(replica.root, "log", "-1", "--format=%s", case.parent, "--", one.old_path).output
                    after = ask_git(replica.root, "cat-file", "blob", f"{case.sha}:{one.path}", fine=(0, 128)).output
                    for symbol in chosen(kernel, one, after):
                        content = f"{said.decode('utf-8', 'replace').strip()} ({symbol[0]})"
                        anchor = parse_anchor(f"{one.path}::{symbol[0]}")
                        stored = kernel.one(Learnings).add_draft(Draft(content=content, anchors=[anchor])).stored
                        touched[stored.learning.uid] = symbol[1]
                    if len(touched) >= 2 * _LEARNINGS:
                        break
            scene.write(scene.whole.files)
            with scene.opened() as kernel:
                review = Reviewing(kernel, scene.change(scene.whole.files)).review()
            flagged = {one.uid: one.concern for one in review.untrue}
            for uid, is_touched in touched.items():
                yield is_touched, uid in flagged, flagged.get(uid, 0.0)


def commented(repository: GitRepository, *, most: int) -> Iterator[tuple[list[float], bool]]:
    """Yield what speaks for comments of functions being concerned whose code changed, and if they were rewritten.

    A comment stands right above the declaration, or is the documentation string of a Python function.
    """
    history = [one for one in read_changesets(repository) if one.paths <= MOST_FILES][-most:]
    with Past(repository) as past:
        for case in history:
            try:
                change = change_of(repository, between=f"{case.parent}..{case.sha}")
            except RepositoryError:  # a mirror lacks large contents
                continue
            for file in change.files:
                if not file.hunks or file.is_new or file.is_gone or language_of(file.path) is None:
                    continue
                old, new = past.at(case.parent, str(file.old_path)), past.at(case.sha, file.path)
                if old is None or new is None or len(old) > _LARGEST:
                    continue
                yield from _rewritten(source_text(file.path, old), source_text(file.path, new), file)


def _rewritten(old: SourceText, new: SourceText, file: FileChange) -> Iterator[tuple[list[float], bool]]:
    for symbol in old.symbols:
        there = new.symbol(symbol.name)
        hunks = [
            one for one in file.hunks if one.old_lines[0] <= symbol.line_end and symbol.line_start <= one.old_lines[1]
        ]
        if there is None or not hunks or symbol.kind not in ("function", "method"):
            continue
        before, after = _comment(old, symbol), _comment(new, there)
        if len(before) < _SHORTEST_COMMENT or not after:
            continue
        one, other = old.of_symbol(symbol), new.of_symbol(there)
        if one.tokens == other.tokens:
            continue
        told = {line.strip() for line in (*before.split("\n"), *after.split("\n"))}
        removed = [line for hunk in hunks for line in hunk.removed if line.strip() not in told]
        added = [line for hunk in hunks for line in hunk.added if line.strip() not in told]
        evidence, _ = evidence_of(
            before,
            removed,
            added,
            extent=max(len(removed), len(added)) / max(1, symbol.line_end - symbol.line_start + 1),
            is_signature=one.signature != other.signature,
        )
        yield list(evidence), before.split() != after.split()


def _comment(source: SourceText, symbol: Symbol) -> str:
    """Return the comment above a declaration, or the documentation string below its head."""
    above = source.lines[: symbol.line_start - 1]
    lines = [*takewhile(lambda line: line.strip().startswith(_COMMENTS), reversed(above))]
    inside = _DOCSTRING.match("\n".join(source.lines[symbol.line_start - 1 : symbol.line_end]))
    return "\n".join(reversed(lines)) + (inside[1] if inside else "")


def chosen(kernel: Kernel, file: FileChange, after: bytes) -> list[tuple[str, bool]]:
    """Return functions of a file, some whose code a commit changes and as many that it leaves alone."""
    now, before = source_text(file.path, after), source_text(file.path, kernel.checkout.tree.read(file.path) or b"")
    found: dict[bool, list[str]] = {True: [], False: []}
    for symbol in SymbolStore(kernel.database).of_file(file.path):
        old, new = before.symbol(symbol.name), now.symbol(symbol.name)
        if old is None or symbol.kind not in ("function", "method"):
            continue
        is_changed = new is None or before.of_symbol(old).tokens != now.of_symbol(new).tokens
        if not is_changed and before.text_of(old.lines) != now.text_of(new.lines if new else old.lines):
            continue  # only formatting, or comments
        found[is_changed].append(symbol.name)
    few = min(_LEARNINGS, len(found[True]))
    return [(name, kind) for kind in (True, False) for name in found[kind][: few or 0]]


def likely(found: dict[str, list[float]]) -> list[str]:
    """Return the files that the page names."""
    candidates = {path: Candidate(Features(*features), ()) for path, features in found.items()}
    return [one.path for one in companions(candidates, least=LEAST, most=MOST)]


def summed(rows: Sequence[Named]) -> dict[str, float]:
    """Return recall, averaged over questions, and precision, over all that was named."""
    named, right = sum(one.named for one in rows), sum(one.right for one in rows)
    return {
        "questions": len(rows),
        "recall": round(sum(one.right / one.missing for one in rows) / max(1, len(rows)), 3),
        "precision": round(right / named, 3) if named else 0.0,
        "named": round(named / max(1, len(rows)), 2),
    }


def fitted(rows: Sequence[tuple[Sequence[float], bool]], *, steps: int = 4_000, ridge: float = 1e-3) -> list[float]:
    """Return the coefficients of a logistic regression, the bias last, by gradient descent with momentum."""
    x = np.array([[*features, 1.0] for features, _ in rows])
    y = np.array([float(label) for _, label in rows])
    weights, speed = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for _ in range(steps):
        chances = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (chances - y) / len(y) + ridge * np.array([*weights[:-1], 0.0])
        speed = 0.9 * speed - 0.5 * slope
        weights = weights + speed
    return [round(float(one), 2) for one in weights]


def main() -> None:
    """Measure, or fit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--samples", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--rows", type=Path, help="keep what was found here, and take it from here the next time")
    parser.add_argument("--comments", action="store_true")
    asked = parser.parse_args()
    if asked.comments:
        report_comments(asked.repositories, most=asked.samples, is_fitting=asked.fit, kept=asked.rows)
        return
    rows: list[dict[str, Any]] = []
    flags: list[tuple[bool, bool, float]] = []
    for path in asked.repositories:
        kept = asked.rows / f"{path.name}.json" if asked.rows else None
        if kept and kept.is_file():
            told = json.loads(kept.read_text())
        else:
            repository = GitRepository(path.resolve())
            told = {
                "rows": [*replayed(repository, samples=asked.samples, seed=asked.seed)],
                "flags": [*broken(repository, samples=asked.samples, seed=asked.seed)],
            }
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(told))
        rows += told["rows"]
        flags += told["flags"]
        report(path.name, told["rows"], told["flags"])
    report("all", rows, flags)
    if asked.fit:
        examples = [
            (features, path in row["missing"])
            for row in rows
            if row["mode"] == "one"
            for path, features in row["found"].items()
        ]
        print("companions:", dict(zip((*Features._fields, "bias"), fitted(examples), strict=True)))


def report_comments(repositories: Sequence[Path], *, most: int, is_fitting: bool, kept: Path | None) -> None:
    """Print how well the score tells rewritten comments from those that stayed, or coefficients."""
    every: list[tuple[list[float], bool]] = []
    for path in repositories:
        file = kept / f"{path.name}.comments.json" if kept else None
        if file and file.is_file():
            rows = json.loads(file.read_text())
        else:
            rows = [*commented(GitRepository(path.resolve()), most=most)]
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(rows))
        every += rows
        print(f"{path.name:24} {judged(rows)}")
    print(f"{'all':24} {judged(every)}")
    if is_fitting:
        print("concern:", dict(zip((*Evidence._fields, "bias"), fitted(every), strict=True)))


def judged(rows: Sequence[tuple[list[float], bool]]) -> dict[str, float]:
    """Return the area under the curve, and of what is said to be concerned how much was, and how much of all."""
    scored = sorted((likelihood(Evidence(*features)), label) for features, label in rows)
    positive = sum(label for _, label in scored)
    negative = len(scored) - positive
    ranks = sum(rank for rank, (_, label) in enumerate(scored, start=1) if label)
    above = [label for score, label in scored if score >= CONCERNED]
    area = (ranks - positive * (positive + 1) / 2) / (positive * negative) if positive and negative else 0.0
    return {
        "comments": len(rows),
        "rewritten": positive,
        "auc": round(area, 3),
        "flagged": len(above),
        "precision": round(sum(above) / max(1, len(above)), 3),
        "recall": round(sum(above) / max(1, positive), 3),
    }


def report(name: str, rows: Sequence[dict[str, Any]], flags: Sequence[tuple[bool, bool, float]]) -> None:
    """Print the figures of some repositories."""
    for mode in ("one", "half"):
        these = [row for row in rows if row["mode"] == mode]
        missing = [set(row["missing"]) for row in these]
        page = summed([counted(likely(row["found"]), gone) for row, gone in zip(these, missing, strict=True)])
        alone = summed([counted(row["baseline"], gone) for row, gone in zip(these, missing, strict=True)])
        print(f"{name:24} {mode:5} page {page}  check-changes {alone}")
    changed = [one for one in flags if one[0]]
    others = [one for one in flags if not one[0]]
    noticed, alarms = sum(one[1] for one in changed), sum(one[1] for one in others)
    concerned = sum(one[2] >= CONCERNED for one in changed)
    told = f"{noticed} of {len(changed)} noticed ({concerned} concerned); {alarms} of {len(others)} alarms"
    print(f"{name:24} learnings: {told}")


if __name__ == "__main__":
    main()
