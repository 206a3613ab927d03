"""What is said of an anchor, in sentences. Learnings go by their uid: numbers differ from clone to clone."""

from __future__ import annotations

from collections.abc import Mapping

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Checked
from tx_graph.faces.cli.render.words import counted
from tx_graph.records.anchor import Drift
from tx_graph.records.learning import Status

_SHORT_HASH = 10
_LONGEST_TITLE = 120
_MOST_CANDIDATES = 3
_TOLD = (Verdict.RELOCATED, Verdict.DRIFTED, Verdict.INVALID, Verdict.PINNED)
_MILD = {Drift.FORMAT: "formatting", Drift.COMMENT: "comments"}


def outcome(judgement: Judgement) -> str:
    """Return a verdict with its grade: `drifted:body`."""
    is_graded = judgement.verdict is Verdict.DRIFTED and judgement.drift
    return f"{judgement.verdict}:{judgement.drift}" if is_graded else judgement.verdict.value


def title(checked: Checked) -> str:
    """Return the first line of the learning, marked where nobody has confirmed it."""
    return f"staged: {headline(checked)}" if checked.learning.status is Status.STAGED else headline(checked)


def headline(checked: Checked) -> str:
    """Return the first line of the learning, cut where it is long."""
    line = checked.learning.content.strip().partition("\n")[0].rstrip()
    return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1].rstrip()}…"


def explanation(checked: Checked) -> str:
    """Return why, and by which commit: `the code changed (1a2b3c4d5e “Compare at once”)`."""
    judgement = checked.judgement
    there = judgement.relocated_to
    parts = [judgement.detail or outcome(judgement)]
    if checked.change:
        parts.append(f" ({checked.change.commit[:_SHORT_HASH]} “{checked.change.subject}”)")
    if there and there.spec not in judgement.detail and judgement.verdict is not Verdict.RELOCATED:
        parts.append(f"; it is {there.spec} now")
    return "".join(parts)


def statement(checked: Checked) -> str:
    """Return the whole finding: what was learned, where it is anchored, why that holds no more, what might be meant."""
    judgement = checked.judgement
    sentences = [f"“{title(checked)}” ({checked.learning.uid}) is anchored to {judgement.anchor.spec}:"]
    sentences.append(f"{explanation(checked)}.")
    if judgement.candidates:
        sentences.append(f"It might be {candidates(judgement)}.")
    return " ".join(sentences)


def candidates(judgement: Judgement) -> str:
    """Return the places that might be meant, the first few by name: `a.py::f, b.py::f or 12 others`."""
    named, rest = list(judgement.candidates[:_MOST_CANDIDATES]), len(judgement.candidates) - _MOST_CANDIDATES
    named += [counted(rest, "other")] if rest > 0 else []
    *most, last = named
    return f"{', '.join(most)} or {last}" if most else last


def advice(checked: Checked) -> str:
    """Return what to do about it, in one sentence; empty where nothing has to be done."""
    uid = checked.learning.uid
    if not checked.judgement.is_finding:
        return "'tx graph:verify --fix' writes it into the record."
    if checked.judgement.verdict is Verdict.INVALID:
        return f"Tie the learning to other code with 'tx graph:link {uid}', or correct it: 'tx learning:edit {uid}'."
    return f"If it is still true, run 'tx graph:confirm {uid}'; if not, correct it: 'tx learning:edit {uid}'."


def totals(summary: Mapping[str, int]) -> str:
    """Return how many anchors there are of each outcome: `12 anchors: 9 hold, 1 relocated, 2 drifted`."""
    if not (count := sum(summary.values())):
        return "No anchors to verify."
    holding = summary["valid"] + summary["format"] + summary["comment"]
    told = [f"{holding:,} {'holds' if holding == 1 else 'hold'}{_aside(summary)}"] if holding else []
    told += [f"{summary[name]:,} {name}" for name in _TOLD if summary[name]]
    return f"{counted(count, 'anchor')}: {', '.join(told)}."


def _aside(summary: Mapping[str, int]) -> str:
    """Return what changed in anchors that hold all the same."""
    changed = [f"{summary[drift]:,} with other {words}" for drift, words in _MILD.items() if summary[drift]]
    return f" ({', '.join(changed)})" if changed else ""
