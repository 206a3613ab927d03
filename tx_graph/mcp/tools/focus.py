"""tx_focus: one thing whole, and around it what is related."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from tx_graph.errors import UsageError
from tx_graph.mcp.parameters import reference
from tx_graph.mcp.replies import Draft, Item, Reply, Shape, packed
from tx_graph.mcp.replies.words import BETWEEN, brief, brief_line
from tx_graph.mcp.tools.values import Call, Tool, parameter
from tx_graph.retrieval.focus import Related, Relationship, TokensBy, shape
from tx_graph.services.focus import FocusRequest, FocusView
from tx_graph.services.focus.wording import focus_entry, heading, related_entry

_SHARE_OF_THE_FOCUS = 3
"""Of the reply's characters, in text and structure, a third at most is the focus itself."""
_SHORTEST_TITLE = 20


def _run(call: Call) -> Reply:
    view = call.workspace.focus.view(FocusRequest(ref=call.given["ref"], budget=call.budget, tokens_by=TokensBy.CHARS))
    longest = 2 * call.budget // _SHARE_OF_THE_FOCUS
    while longest:
        with suppress(UsageError):
            return packed(_draft(_shortened(view, longest), call), budget=call.budget)
        longest //= 2
    return packed(_draft(_shortened(view, 0), call), budget=call.budget)


def _shortened(view: FocusView, longest: int) -> FocusView:
    """Return the view with at most so many characters of what the focus itself says."""
    note = view.focus
    details, title = brief(note.details, longest), brief_line(note.title, max(_SHORTEST_TITLE, longest))
    is_cut = note.is_cut or len(details) < len(note.details)
    return replace(view, focus=replace(note, details=details, title=title, is_cut=is_cut))


def _draft(view: FocusView, call: Call) -> Draft:
    return Draft(
        head=focus_entry(view),
        fields={"focus": _shape(Related(note=view.focus, relationship=Relationship.SELF))},
        items=[_item(one, view) for one in view.related],
        plural="related",
        named=("related", "related"),
        found=len(view.related) + view.omitted,
        notices=call.notices(),
    )


def _item(one: Related, view: FocusView) -> Item:
    entry = BETWEEN.join((heading(one.relationship).lower(), related_entry(one.note, view.focus)))
    return Item(text=entry, shape=_shape(one))


def _shape(one: Related) -> Shape:
    """Return a note as `--json` has it; of others that it speaks of, their references."""
    found = shape(one)
    return found | {end: {"ref": found[end]["ref"]} for end in ("parent", "target") if end in found}


FOCUS = Tool(
    name="tx_focus",
    description="Read one thing whole (a document section, file, directory, symbol or learning) and what is around it.",
    parameters=(
        parameter(
            "ref", reference(), "docs/a.md#part, directory/, PATH, PATH::SYMBOL, 12", is_required=True, also=("id",)
        ),
    ),
    run=_run,
)
