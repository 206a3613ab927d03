"""Which learnings answers show unless asked for more: one condition, for every statement that asks it."""

from __future__ import annotations


def _withheld(alias: str = "") -> str:
    """Return the condition in the words of the index `learnings_withheld`: the planner compares them."""
    return (
        f"{alias}present = 0 OR {alias}removed_at IS NOT NULL OR {alias}status IN ('staged', 'superseded', 'retracted')"
    )


WITHHELD = _withheld()
"""Condition on `learnings`: staged, superseded, retracted, removed, or not in the working tree."""
SHOWN = f"NOT ({_withheld('l.')})"
"""Condition on learnings `l`: what search shows unless asked for more."""
HIDDEN = "present = 0 OR removed_at IS NOT NULL OR status = 'staged'"
"""Condition on `learnings`: removed, not in the working tree, or not confirmed yet. What is stale is not among them."""
WITHHELD_COUNT = f"(SELECT count(*) FROM learnings WHERE {WITHHELD})"
"""How many learnings search does not show: the more a ranking must hold so that enough are left (0.01 ms, by index)."""
