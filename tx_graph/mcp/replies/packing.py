"""Packing a reply: as many items as the budget holds, the better ones first, and a last line about the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tx_graph.domain.tokens import CHARACTERS_PER_TOKEN
from tx_graph.mcp.replies.notices import noted, reserve
from tx_graph.mcp.replies.reply import Reply, Shape, size
from tx_graph.mcp.replies.words import NOTICE, counted, lean, sendable
from tx_graph.retrieval.packing import Chosen, Section
from tx_graph.retrieval.packing import packed as chosen_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One of many, as text and as an object."""

    text: str
    shape: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A reply before it is known how much of it finds room.

    `head` and `tail` stand above and below the items; with `fields` they are always there, so they have to be short.
    The items, best first, lie in the structure under `plural`, and `named` is what one and several of them are called.
    `found` says how many there are where that is more than was looked at. `notices` are sentences about what may make
    the reply wrong; they come last, as far as there is room.
    """

    head: str
    fields: Shape = field(default_factory=dict)
    items: Sequence[Item] = ()
    plural: str = ""
    named: tuple[str, str] = ("result", "results")
    found: int = 0
    tail: str = ""
    notices: Sequence[str] = ()
    between: str = "\n\n"
    is_quoting: bool = True


def packed(draft: Draft, *, budget: int) -> Reply:
    """Return the reply with as many items as find room; with all that is sent it takes at most `budget` tokens.

    Raises:
        UsageError: Not even the reply without items fits.
    """
    draft = _sendable(draft)
    sizes = _sizes(draft)
    total = max(len(draft.items), draft.found)
    nothing = replace(draft, items=())
    everything = _written(nothing, omitted=0).characters
    frame = _written(nothing, omitted=total).characters
    limit = max(-(-frame // CHARACTERS_PER_TOKEN), budget - reserve(draft.notices, budget=budget))

    def cost(chosen: Chosen) -> int:
        rest = total - len(chosen[0])
        taken = (frame if rest else everything) + sum(sizes[place] for place in chosen[0])
        return -(-taken // CHARACTERS_PER_TOKEN)

    (places,) = chosen_for([Section(items=len(draft.items), share=1.0)], budget=min(limit, budget), cost=cost)
    shown = [draft.items[place] for place in places]
    reply = _written(replace(draft, items=shown), omitted=total - len(shown))
    return noted(reply, draft.notices, budget=budget)


def _sendable(draft: Draft) -> Draft:
    """Return the draft with nothing in it that could hide, and without fields that say nothing."""
    return replace(
        draft,
        head=sendable(draft.head),
        tail=sendable(draft.tail),
        fields=lean(draft.fields),
        items=[Item(text=sendable(one.text), shape=lean(one.shape)) for one in draft.items],
    )


def _sizes(draft: Draft) -> list[int]:
    """Return what each item takes: its text, its object, and what parts it from others."""
    gap = size(draft.between) + len(",")
    return [size(item.text) + size(item.shape) + gap for item in draft.items]


def _written(draft: Draft, *, omitted: int) -> Reply:
    parts = [NOTICE if draft.is_quoting else "", draft.head, draft.between.join(item.text for item in draft.items)]
    parts += [_left_out(draft, omitted), draft.tail]
    structure = dict(draft.fields)
    if draft.plural:
        structure |= {draft.plural: [item.shape for item in draft.items], "omitted": omitted}
    return Reply(text="\n\n".join(filter(None, parts)), structure=structure)


def _left_out(draft: Draft, omitted: int) -> str:
    return f"… and {counted(omitted, *draft.named)} more; a bigger budget shows more." if omitted else ""
