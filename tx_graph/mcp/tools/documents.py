"""tx_doc_search: sections of the repository's documents."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.inert import quoted, quoted_line
from tx_graph.domain.section import HEADINGS_PART
from tx_graph.mcp.parameters import names, text, whole
from tx_graph.mcp.replies import Draft, Item, Reply, packed
from tx_graph.mcp.replies.reply import size
from tx_graph.mcp.replies.words import BETWEEN, brief, brief_line, code
from tx_graph.mcp.tools.values import MOST_RESULTS, Call, Tool, parameter
from tx_graph.retrieval.expansion import MAX_DEPTH
from tx_graph.services.doc_search import DocQuery, DocResult, DocTie

_STATES = {"fresh": "fresh", "changed": "changed since it was read", "gone": "its document is gone"}
_LONGEST_HEADINGS = 200
_LONGEST_DESCRIPTION = 100


def _run(call: Call) -> Reply:
    given = call.given
    query = DocQuery(
        text=given["query"],
        limit=given.get("limit", 5),
        hops=given.get("hops", 2),
        source=given.get("source", ()),
        since=given.get("since"),
    )
    answer = call.workspace.doc_search.run(query)
    draft = Draft(
        head="" if answer.results else "Nothing found.",
        items=[_item(result, call) for result in answer.results],
        plural="results",
        named=("section", "sections"),
        found=answer.stats.matched,
        notices=call.notices(*answer.stats.notices),
    )
    return packed(draft, budget=call.budget)


def _item(result: DocResult, call: Call) -> Item:
    unit, excerpt = result.unit, result.excerpt
    content = brief(excerpt.text.strip("\n"), call.longest)
    headings = brief_line(HEADINGS_PART.join(unit.headings), _LONGEST_HEADINGS)
    told = [f"**{code(unit.ref)}**", f"line {excerpt.line_start}", _STATES[result.state.value]]
    told += [f"superseded by {code(result.superseded_by)}"] if result.superseded_by else []
    told += [f"score {result.score:.2f}", *map(_reason, result.ties[:1])]
    shape = {
        "ref": unit.ref,
        "headings": _briefly(unit.headings),
        "line_start": excerpt.line_start,
        "line_end": excerpt.line_end,
        "score": result.score,
        "hops": result.hops or None,
        "text": content,
        "is_whole": excerpt.is_whole and len(content) >= len(excerpt.text.strip("\n")),
        "state": result.state.value,
        "superseded_by": result.superseded_by,
        "context": [{"from": one.other, "relation": one.relation} for one in result.ties[:1]],
    }
    text_lines = quoted("\n".join(filter(None, (headings, content))))
    return Item(text=f"{BETWEEN.join(told)}\n{text_lines}", shape=shape)


def _briefly(headings: Sequence[str]) -> list[str]:
    """Return headings, together no longer than those of the text: of many, those next to the section."""
    told: list[str] = []
    room = _LONGEST_HEADINGS
    for heading in reversed(headings):
        if room <= 1:
            break
        told.insert(0, brief_line(heading, room))
        room -= size(told[0])
    return told


def _reason(tie: DocTie) -> str:
    """Return how a relation led there."""
    told = f" {quoted_line(brief_line(tie.description, _LONGEST_DESCRIPTION))}" if tie.description else ""
    return f"{tie.relation} {'from' if tie.forward else 'to'} {code(tie.other)}{told}"


DOC_SEARCH = Tool(
    name="tx_doc_search",
    description="Find sections of documents (decisions, guides) and what they depend on. tx_focus reads one.",
    parameters=(
        parameter("query", text(), is_required=True),
        parameter("source", names(), "globs of documents"),
        parameter("since", text(), "changed since: a date, '3 weeks ago'"),
        parameter("hops", whole(least=0, most=MAX_DEPTH)),
        parameter("limit", whole(least=1, most=MOST_RESULTS)),
    ),
    run=_run,
)
