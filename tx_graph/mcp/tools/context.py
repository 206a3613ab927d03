"""tx_context: the page to read before starting."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tx_graph.domain.tokens import CHARACTERS_PER_TOKEN, TokensBy
from tx_graph.mcp.parameters import flag, names, reference, text
from tx_graph.mcp.replies.notices import noted, reserve
from tx_graph.mcp.replies.reply import FRAME, LEAST_BUDGET, Reply
from tx_graph.mcp.replies.words import brief, lean, sendable
from tx_graph.mcp.tools.values import Call, Tool, parameter
from tx_graph.services.context import ContextLearning, ContextRequest, Material, Part
from tx_graph.services.context.layout import Contents, Items
from tx_graph.services.context.layouts import Document, Markdown

_ASIDE = "\0"
"""Parts an item as text from the same as JSON: neither can have it."""
_SMALL = 600
"""Tokens below which one long learning would find no room at all."""
_NEEDLESS = ("uid", "score")
"""What no agent needs of an item on a page that is ranked: it would take the room of other items."""
_SURE = ("confidence", 1.0)
_PAGE = '{{"text":{text},"structure":{{{structure}}}}}'


def _run(call: Call) -> Reply:
    given, notices = call.given, call.graph_notices()
    request = ContextRequest(
        text=given.get("text", ""),
        files=given.get("files", ()),
        run=given.get("run"),
        budget=max(LEAST_BUDGET, call.budget - reserve(notices, budget=call.budget)),
        include_staged=given.get("include_staged", False),
    )
    page = call.workspace.context.page(request, _Both(longest=_longest(call)), count=_tokens)
    return noted(Reply(**json.loads(page.text)), (*page.shown.notices, *notices), budget=call.budget)


def _longest(call: Call) -> int:
    """Return the most characters of one learning. A small page has more use for two beginnings than for none."""
    return call.longest if call.budget >= _SMALL else call.longest // 2


def _tokens(page: str) -> int:
    """Return what the reply on a page takes; that is the page, but for what stands around text and structure."""
    return -(-(len(page) - len(_PAGE.format(text='""', structure="")) + FRAME) // CHARACTERS_PER_TOKEN)


class _Both:
    """Writes the page as text and as a structure, both in one, so that both together are packed."""

    def __init__(self, *, longest: int) -> None:
        self._longest = longest
        self._text = Markdown(option="budget")
        self._document = Document(tokens_by=TokensBy.CHARS)
        self._written: tuple[Items, str] = ({}, "")

    def items(self, material: Material) -> Items:
        """Return each item as text and as JSON."""
        short = replace(material, learnings=tuple(map(self._shortened, material.learnings)))
        texts, objects = self._text.items(short), self._document.items(short)
        return {part: _joined(texts[part], objects[part]) for part in Part}

    def page(self, contents: Contents) -> str:
        """Return both forms as one document, of which no part is parsed: it is written many times while it is packed.

        It does not name its own size, so it is the same when it is asked for again with that.
        """
        if self._written[0] is not contents.items:
            self._written = contents.items, self._page(contents)
        return self._written[1]

    def _page(self, contents: Contents) -> str:
        parted = {part: [item.split(_ASIDE) for item in items] for part, items in contents.items.items()}
        text = self._text.page(replace(contents, items={part: [one[0] for one in parted[part]] for part in Part}))
        lists = [f'"{part}":[{",".join(one[1] for one in parted[part])}]' for part in Part if parted[part]]
        omitted = {part.value: number for part, number in contents.omitted.items() if number}
        return _PAGE.format(text=_json(text), structure=",".join((*lists, f'"omitted":{_json(omitted)}')))

    def _shortened(self, one: ContextLearning) -> ContextLearning:
        """Return a learning with no more of its content than one may take of the page."""
        stored = one.result.stored
        learning = replace(stored.learning, content=brief(stored.learning.content, self._longest))
        return replace(one, result=replace(one.result, stored=replace(stored, learning=learning)))


def _joined(texts: Sequence[str], objects: Sequence[str]) -> list[str]:
    both = zip(texts, objects, strict=True)
    return [f"{sendable(text)}{_ASIDE}{_json(_lean(json.loads(one)))}" for text, one in both]


def _lean(shape: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = lean(shape)
    return {
        name: one for name, one in found.items() if one is not False and name not in _NEEDLESS and (name, one) != _SURE
    }


def _json(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


CONTEXT = Tool(
    name="tx_context",
    description=(
        "Call before starting work: what was learned about it, whether that still holds, files to look at, what is "
        "easily forgotten."
    ),
    parameters=(
        parameter("text", text(), "what you are about to do, or a task: task:7, GH-123", also=("query", "task")),
        parameter("files", names(), "open files: paths, globs, PATH::SYMBOL"),
        parameter("run", reference(), "record in this run what was shown", is_noting=True),
        parameter("include_staged", flag(), "also what nobody confirmed"),
    ),
    run=_run,
)
