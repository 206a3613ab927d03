"""tx_run_feedback: which learnings helped."""

from __future__ import annotations

from tx_graph.mcp.deriving import tool_of
from tx_graph.mcp.replies import Draft, Item, Reply, packed
from tx_graph.mcp.tools.values import Call
from tx_graph.work.runs import Runs
from tx_graph.work.values import Feedback, Vote


def _reply(call: Call, feedback: Feedback) -> Reply:
    draft = Draft(
        head=f"Noted for {feedback.run.ref}:",
        fields={"run": feedback.run.id},
        items=[_item(vote) for vote in feedback.votes],
        plural="learnings",
        named=("vote", "votes"),
        between="\n",
        is_quoting=False,
    )
    return packed(draft, budget=call.budget)


def _item(vote: Vote) -> Item:
    learning = vote.stored.learning
    status = "" if learning.status.value == "active" else f" ({learning.status})"
    unseen = "" if vote.position is not None else ", though it was not shown in this run"
    return Item(
        text=f"{vote.stored.ref}{status} {'helped' if vote.helpful else 'did not help'}{unseen}",
        shape={
            "id": vote.stored.id,
            "status": learning.status.value,
            "helpful": vote.helpful,
            "previous": vote.previous,
            "position": vote.position,
        },
    )


FEEDBACK = tool_of(
    "tx_run_feedback",
    Runs,
    Runs.feedback,
    "At the end: which learnings helped in a run and which did not; those that help rank higher.",
    reply=_reply,
    is_reading=False,
)
