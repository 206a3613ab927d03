"""tx_graph_verify: whether learnings still fit the code they are about. It mends nothing."""

from __future__ import annotations

from tx_graph.domain.inert import quoted, quoted_line
from tx_graph.domain.learning import Status
from tx_graph.domain.verdict import Verdict
from tx_graph.mcp.parameters import names, text
from tx_graph.mcp.replies import Draft, Item, Reply, Shape, packed
from tx_graph.mcp.replies.words import BETWEEN, brief_line, code, counted
from tx_graph.mcp.tools.values import Call, Tool, parameter
from tx_graph.services.context.wording import STAGED
from tx_graph.services.verification import Checked, Report, Scope

_LONGEST_TITLE = 120
_SHORT_HASH = 10
_MOST_CANDIDATES = 3
_TOLD = (Verdict.RELOCATED,)
"""What is told beside findings: it is no finding, but whoever looks for the code wants to know."""


def _run(call: Call) -> Reply:
    scope = Scope(places=call.given.get("places", ()), since=call.given.get("since"))
    report = call.workspace.verification.run(scope, keep=not call.is_read_only)
    told = [one for one in report.checked if one.judgement.is_finding or one.judgement.verdict in _TOLD]
    draft = Draft(
        head=_summary(report),
        fields={"summary": {name: count for name, count in report.summary().items() if count}},
        items=[_item(one) for one in sorted(told, key=lambda one: not one.judgement.is_finding)],
        plural="anchors",
        named=("anchor", "anchors"),
        notices=call.notices(*report.notices),
    )
    return packed(draft, budget=call.budget)


def _summary(report: Report) -> str:
    if not report.checked:
        return "No anchors to verify."
    outcomes = ", ".join(f"{count:,} {name}" for name, count in report.summary().items() if count)
    return f"{counted(len(report.checked), 'anchor', 'anchors')}: {outcomes}."


def _item(one: Checked) -> Item:
    """Return an anchor that does not hold, or holds elsewhere, and what its learning says."""
    judgement, change = one.judgement, one.change
    told = [f"**{_outcome(one)}**", code(judgement.anchor.spec), one.learning.ref]
    told += [STAGED] if one.learning.status is Status.STAGED else []
    told += [brief_line(judgement.detail, _LONGEST_TITLE)] if judgement.detail else []
    told += (
        [f"by {change.commit[:_SHORT_HASH]} {quoted_line(brief_line(change.subject, _LONGEST_TITLE))}"]
        if change
        else []
    )
    told += [f"now {code(judgement.relocated_to.spec)}"] if judgement.relocated_to else []
    if judgement.candidates:
        told.append(f"it might be {', '.join(map(code, judgement.candidates[:_MOST_CANDIDATES]))}")
    return Item(text=f"{BETWEEN.join(told)}\n{quoted(_title(one))}", shape=_shape(one))


def _outcome(one: Checked) -> str:
    verdict, drift = one.judgement.verdict, one.judgement.drift
    return f"{verdict}:{drift}" if verdict is Verdict.DRIFTED and drift else verdict.value


def _title(one: Checked) -> str:
    return brief_line(one.learning.content.strip().partition("\n")[0], _LONGEST_TITLE)


def _shape(one: Checked) -> Shape:
    judgement, change = one.judgement, one.change
    first, last = judgement.lines or (None, None)
    return {
        "learning": one.learning.id,
        "status": one.learning.status.value,
        "content": _title(one),
        "anchor": judgement.anchor.spec,
        "verdict": judgement.verdict.value,
        "drift": judgement.drift.value if judgement.drift else None,
        "reason": judgement.reason.value if judgement.reason else None,
        "detail": brief_line(judgement.detail, _LONGEST_TITLE),
        "line_start": first,
        "line_end": last,
        "relocated_to": judgement.relocated_to.spec if judgement.relocated_to else None,
        "candidates": list(judgement.candidates[:_MOST_CANDIDATES]),
        "commit": change.commit[:_SHORT_HASH] if change else None,
        "commit_subject": brief_line(change.subject, _LONGEST_TITLE) if change else None,
    }


VERIFY = Tool(
    name="tx_graph_verify",
    description="After code changed: which learnings it may have made wrong. Correct those, or tell the user.",
    parameters=(
        parameter("places", names(), "only these: learnings, files, directories, symbols", also=("refs", "paths")),
        parameter("since", text(), "only what changed since this git revision"),
    ),
    run=_run,
)
