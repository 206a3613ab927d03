"""Prompts: what a person asks of an agent with one word, together with what tx knows of it just then."""

from __future__ import annotations

from typing import NamedTuple


class Prompt(NamedTuple):
    """What is asked of the agent, above the reply of a tool, and what the person may or must say for it.

    `takes` are the parameter, whether it is needed, what the person is told of it, and the tool's name for it.
    `is_reading`: nothing of what is asked writes.
    """

    description: str
    asks: str
    tool: str
    takes: tuple[str, bool, str, str]
    is_reading: bool = True


_REVISION = ("since", False, "a git revision; else what is uncommitted", "since")
PROMPTS = {
    "before-start": Prompt(
        "What is known of a task, before it is begun.",
        "I am about to start on this: {said}\n\nBelow is what tx knows of it. Read the files that it names as far "
        "as you need them, then tell me your plan in a few sentences, and which learnings it rests on. Check what "
        "is marked as drifted before you rely on it.",
        "tx_context",
        ("task", True, "what is to be done", "text"),
    ),
    "before-commit": Prompt(
        "What a change may have made wrong, and what it lacks.",
        "I am about to commit. Below is what tx says of the change. For each learning whose code changed, read "
        "both and settle it with tx_learning_edit: confirm what still holds, give new content to what does not, or "
        "name what answers instead. Where a usual partner is missing, say whether the change needs it. Then tell "
        "me what is left.",
        "tx_review",
        _REVISION,
        is_reading=False,
    ),
    "what-did-we-learn": Prompt(
        "Keep what this session taught that the code does not say.",
        "What did we learn in this session that the code does not say: decisions and their reasons, traps, what I "
        "corrected you on? Keep each with tx_learning_add, one fact in two sentences, anchored to the code it is "
        "about; no secrets, no plans, nothing that a reader of the code sees. Search first (tx_learning_search): "
        "what is known is corrected with tx_learning_edit, not added again. Then say with tx_run_feedback which "
        "learnings helped and which did not. Below is what we changed, as tx sees it.",
        "tx_review",
        _REVISION,
        is_reading=False,
    ),
}


def prompts(*, is_read_only: bool) -> dict[str, Prompt]:
    """Return the prompts by name, those that write only to who may."""
    return {name: one for name, one in PROMPTS.items() if one.is_reading or not is_read_only}
