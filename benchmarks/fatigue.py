"""How often a review says that something became untrue, and how much of that a gate stops at.

    python -m benchmarks.fatigue ~/src/koa ~/src/okio --samples 100 --rows /tmp/fatigue [--proposed]
    python -m benchmarks.fatigue ~/src/koa ~/src/okio --rows /tmp/fatigue --judge 60      # a sample to read

The last commits that change code are replayed one after the other. Known is what the messages of the commits before
say, the last 200 at most to begin with, each tied to the function that it changed most; or with --proposed what
`tx learning:propose` finds, every 25 commits, as if all of it were promoted. Before each commit all that still can be
is confirmed, as by a team that looks at what a review says.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.review import MOST_FILES, Scene
from tx_graph.anchors.anchors import Anchors
from tx_graph.anchors.sources import source_text
from tx_graph.anchors.verdict import Verdict
from tx_graph.anchors.verify import verify
from tx_graph.code.languages import language_of
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.context.review import Reviewing
from tx_graph.core.changes import FileChange, change_of
from tx_graph.core.errors import TxError
from tx_graph.core.git import ask_git
from tx_graph.core.kernel import Kernel
from tx_graph.core.repository import GitRepository
from tx_graph.history.commits import Changeset, read_changesets
from tx_graph.history.past import Past
from tx_graph.history.replica import replica_of
from tx_graph.history.sampling import drawn
from tx_graph.learnings.learnings import Draft, Learnings
from tx_graph.proposals.gate import Reviewing as Promoting
from tx_graph.proposals.proposing import Proposing
from tx_graph.proposals.values import ProposalRequest
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import SourceType, Status, StoredLearning

_KNOWN = 200  # commits whose messages are known at first
_PROPOSED_AFTER = 25  # commits
_MOST_PROPOSED = 10_000
_LONGEST = 400  # characters of a message
_MOST_SHOWN = 60  # lines of a hunk


def is_of_code(case: Changeset) -> bool:
    """Whether a commit changes code that was there, and is one piece of work."""
    return case.paths <= MOST_FILES and any(
        language_of(path) and sort_of(path) in (FileSort.CODE, FileSort.TEST) for path in case.existing
    )


def said_by(repository: GitRepository, past: Past, case: Changeset) -> tuple[str, str] | None:
    """Return what the message of a commit says, and the function that it changed most; None where it changed none."""
    best, place = 0, ""
    for file in change_of(repository, between=f"{case.parent}..{case.sha}").files:
        text = None if file.is_gone or sort_of(file.path) is not FileSort.CODE else past.at(case.sha, file.path)
        for symbol in source_text(file.path, text).symbols if text else ():
            size = sum(
                min(one.lines[1], symbol.line_end) - max(one.lines[0], symbol.line_start) + 1
                for one in file.hunks
                if one.lines[0] <= symbol.line_end and symbol.line_start <= one.lines[1]
            )
            if size > best and symbol.kind in ("function", "method"):
                best, place = size, f"{file.path}::{symbol.name}"
    if not place:
        return None
    message = ask_git(repository.root, "log", "-1", "--format=%s%n%n%b", case.sha).output.decode("utf-8", "replace")
    subject, _, body = message.strip().partition("\n\n")
    return " ".join(f"{subject}. {body.strip().partition(f'{chr(10)}{chr(10)}')[0]}".split())[:_LONGEST], place


def learn(kernel: Kernel, said: tuple[str, str] | None, source: str) -> None:
    """Write a learning down, if what it is about is still there."""
    if said:
        with suppress(TxError):
            draft = Draft(
                content=said[0],
                anchors=[parse_anchor(said[1])],
                source_type=SourceType.COMMIT,
                source_ref=f"commit:{source}",
            )
            kernel.one(Learnings).add_draft(draft)


def confirm_all(kernel: Kernel) -> None:
    """Say of all that drifted that it still holds."""
    for one in verify(kernel, keep=False).findings:
        if one.judgement.verdict is not Verdict.INVALID:
            with suppress(TxError):
                kernel.one(Anchors).confirm(one.learning.uid, one.judgement.anchor)


def propose(kernel: Kernel) -> None:
    """Take all that the repository's own words propose for known: what is only staged is not verified."""
    kernel.one(Proposing).propose(ProposalRequest(limit=_MOST_PROPOSED))
    if staged := kernel.one(Learnings).list(status=Status.STAGED, limit=_MOST_PROPOSED):
        kernel.one(Promoting).promote(*(one.learning.uid for one in staged), force=True)


def replayed(repository: GitRepository, *, samples: int, is_proposed: bool) -> Iterator[dict[str, Any]]:
    """Yield each commit with what the review of it says is untrue.

    With `is_proposed` nothing but proposals is known, and a commit that touches none of their files is not replayed.
    """
    known: Sequence[StoredLearning] = ()
    history = [one for one in read_changesets(repository) if is_of_code(one)]
    before, cases = history[:-samples][-_KNOWN:], history[-samples:]
    with replica_of(repository) as replica, Past(repository) as past:
        database = replica.root.parent / "graph.db"
        for number, case in enumerate(cases):
            anchored = {anchor.path for one in known for anchor in one.learning.anchors}
            if is_proposed and number % _PROPOSED_AFTER and anchored.isdisjoint(case.existing):
                yield _row(case, known, ())
                continue
            scene = Scene(replica, database, case)
            scene.write(())
            with scene.opened() as kernel:
                if is_proposed and number % _PROPOSED_AFTER == 0:
                    propose(kernel)
                for one in () if is_proposed else before if number == 0 else cases[number - 1 : number]:
                    learn(kernel, said_by(repository, past, one), one.sha)
                confirm_all(kernel)
                known = kernel.one(Learnings).list(limit=_MOST_PROPOSED)
            scene.write(scene.whole.files)
            with scene.opened() as kernel:
                yield _row(case, known, findings(kernel, scene, scene.whole.files))


def _row(case: Changeset, known: Sequence[StoredLearning], untrue: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"case": case.sha, "subject": case.subject, "known": len(known), "untrue": [*untrue]}


def findings(kernel: Kernel, scene: Scene, files: Sequence[FileChange]) -> Iterator[dict[str, Any]]:
    """Yield what a review says is untrue, as it can be judged by reading."""
    for one in Reviewing(kernel, scene.change(files)).review().untrue:
        yield {
            "kind": one.kind.value,
            "text": one.text,
            "place": f"{one.path}::{one.symbol}",
            "detail": one.detail,
            "concern": one.concern,
            "is_concerned": one.is_concerned,
            "terms": list(one.terms),
            "difference": list(one.checked.difference)[:_MOST_SHOWN] if one.checked else [],
        }


def report(name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print how many findings there are, before and after the score."""
    of = [[one for one in row["untrue"] if one["kind"] != "document"] for row in rows]
    total, stopping = sum(map(len, of)), sum(one["is_concerned"] for each in of for one in each)
    interrupted = sum(map(bool, of)), sum(any(one["is_concerned"] for one in each) for each in of)
    documents = sum(one["kind"] == "document" for row in rows for one in row["untrue"])
    print(
        f"{name:12} commits {len(rows)}  learnings {rows[0]['known']}-{rows[-1]['known']}"
        f"  findings {total} ({total / len(rows):.2f})  concerned {stopping} ({stopping / len(rows):.2f})"
        f"  commits with any {interrupted[0]}, stopped {interrupted[1]}  lines of documents {documents}"
    )


def main() -> None:
    """Measure, or print a sample of what the score drops (and of what it keeps) for somebody to judge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--proposed", action="store_true", help="know what is proposed, not what messages say")
    parser.add_argument("--rows", type=Path, required=True, help="keep what was found here, and take it from here")
    parser.add_argument("--judge", type=int, default=0, help="so many findings that are dropped, and half as many kept")
    asked = parser.parse_args()
    asked.rows.mkdir(parents=True, exist_ok=True)
    every: list[dict[str, Any]] = []
    for path in asked.repositories:
        kept = asked.rows / f"{path.name}.jsonl"
        if not kept.is_file():
            partial = kept.with_suffix(".partial")
            with partial.open("w") as lines:
                for row in replayed(GitRepository(path.resolve()), samples=asked.samples, is_proposed=asked.proposed):
                    print(json.dumps(row), file=lines, flush=True)
            partial.rename(kept)
        rows = [json.loads(line) for line in kept.read_text().splitlines()]
        report(path.name, rows)
        every += [{"repository": path.name, **row} for row in rows]
    report("all", every)
    chance = Random(asked.seed)  # noqa: S311 - a sample
    found = [(row, one) for row in every for one in row["untrue"] if one["kind"] != "document"]
    for kind, count in ((False, asked.judge), (True, asked.judge // 2)):
        these = [(row, one) for row, one in found if one["is_concerned"] is kind]
        for number, (row, one) in enumerate(drawn(these, count, chance.randrange)):
            print(
                f"\n[{'kept' if kind else 'dropped'} {number}] {row['repository']} {row['case'][:10]} {row['subject']}"
            )
            print(f"  {one['text']}\n  at {one['place']}: {one['detail']}  {one['concern']} {one['terms']}")
            print("\n".join(f"    {line}" for line in one["difference"]))


if __name__ == "__main__":
    main()
