"""tx_run_feedback: which learnings helped."""

from __future__ import annotations

from tx_graph.errors import UsageError
from tx_graph.mcp.parameters import names, reference
from tx_graph.mcp.replies import Draft, Item, Reply, packed
from tx_graph.mcp.tools.values import Call, Tool, parameter
from tx_graph.work.values import Vote


def _run(call: Call) -> Reply:
    given = call.given
    helpful, unhelpful = given.get("helpful", ()), given.get("unhelpful", ())
    if not helpful and not unhelpful:
        raise UsageError("Which learnings?", hint="Name them as helpful or as unhelpful, such as ['3', '7'].")
    feedback = call.workspace.runs.feedback(given["run"], helpful=helpful, unhelpful=unhelpful)
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


FEEDBACK = Tool(
    name="tx_run_feedback",
    description="At the end: which learnings helped in a run and which did not; those that help rank higher.",
    parameters=(
        parameter("run", reference(), is_required=True),
        parameter("helpful", names(), "such as 3, 7"),
        parameter("unhelpful", names()),
    ),
    run=_run,
    is_reading=False,
)
