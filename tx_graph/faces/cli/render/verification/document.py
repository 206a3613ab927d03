"""The JSON document of a verification."""

from __future__ import annotations

from tx_graph.anchors.verify import Checked, Report
from tx_graph.faces.cli.render.shapes import Shape
from tx_graph.faces.cli.render.verification.sentences import headline


def document(report: Report) -> Shape:
    """Return all anchors with their verdicts, and how many there are of each outcome."""
    return {
        "summary": report.summary(),
        "anchors": [_anchor(checked) for checked in report.checked],
        "notices": list(report.notices),
    }


def _anchor(checked: Checked) -> Shape:
    """Return one anchor; path and lines are those of the code as it lies now."""
    judgement, change = checked.judgement, checked.change
    anchor, there = judgement.anchor, judgement.relocated_to
    first, last = judgement.lines or (None, None)
    return {
        "learning": checked.learning.id,
        "uid": checked.learning.uid,
        "content": headline(checked),
        "status": checked.learning.status.value,
        "anchor": anchor.spec,
        "anchor_type": anchor.type.value,
        "verdict": judgement.verdict.value,
        "drift": judgement.drift.value if judgement.drift else None,
        "reason": judgement.reason.value if judgement.reason else None,
        "detail": judgement.detail,
        "file_path": (there or anchor).path,
        "line_start": first,
        "line_end": last,
        "relocated_to": there.spec if there else None,
        "candidates": list(judgement.candidates),
        "commit": change.commit if change else None,
        "commit_subject": change.subject if change else None,
        "diff": list(checked.difference),
        "mended": checked.mended,
    }
