"""tx_learning_search, tx_learning_add."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.domain.anchor import parse_anchor
from tx_graph.domain.learning import CONTENT_LIMIT, SourceType, Status
from tx_graph.errors import UsageError
from tx_graph.mcp.parameters import choice, flag, fraction, names, reference, text, whole
from tx_graph.mcp.replies import Draft, Item, Reply, packed
from tx_graph.mcp.replies.learnings import learning_item
from tx_graph.mcp.replies.words import brief, brief_line, code, counted
from tx_graph.mcp.tools.values import MOST_RESULTS, Call, Tool, parameter
from tx_graph.retrieval.expansion import Limits
from tx_graph.services.learnings import Added
from tx_graph.services.learnings import Draft as Learned
from tx_graph.services.linking import parse_link
from tx_graph.services.search import Query, SearchAnswer, SearchResult

_SHORTEST = 40
"""Characters of each learning where a reply has no room for more: better its beginning than nothing."""
_LONGEST_WARNING = 100
_LONGEST_SPEC = 100


def _search(call: Call) -> Reply:
    given = call.given
    if not given.get("query", "").strip() and not given.get("files"):
        raise UsageError("There is nothing to search for.", hint="Give a query, or open files.")
    query = Query(
        text=given.get("query", ""),
        limit=given.get("limit", 10),
        category=given.get("category"),
        status=given.get("status"),
        expansion=Limits() if given.get("expand", False) else None,
        include_stale=given.get("include_stale", False),
        context_files=given.get("files", ()),
    )
    answer = call.workspace.search.run(query)
    reply = packed(_found(answer, call, longest=call.longest), budget=call.budget)
    is_empty = answer.results and not reply.structure["results"]
    return packed(_found(answer, call, longest=_SHORTEST), budget=call.budget) if is_empty else reply


def _found(answer: SearchAnswer, call: Call, *, longest: int) -> Draft:
    query = answer.query
    return Draft(
        head="" if answer.results else _nothing(query),
        items=[_item(result, longest) for result in answer.results],
        plural="results",
        named=("learning", "learnings"),
        found=answer.stats.matched,
        tail=_left_out(answer),
        notices=(call.graph_notices if query.expansion or query.context_files else call.notices)(*_remarks(answer)),
    )


def _nothing(query: Query) -> str:
    return "Nothing found." if query.expansion else "Nothing found; expand also looks at what is related."


def _left_out(answer: SearchAnswer) -> str:
    left = answer.stats.stale_left_out
    return f"{left:,} left out that may be wrong by now." if left else ""


def _remarks(answer: SearchAnswer) -> Iterator[str]:
    stats = answer.stats
    if stats.dropped:
        yield f"The retriever '{stats.retriever}' gave {sum(stats.dropped.values()):,} hits that mean nothing."
    if stats.model is None and stats.lacking_vectors:
        yield "By words alone: there are no vectors ('tx model install', then 'tx learning:embed')."
    elif stats.lacking_vectors:
        yield f"{counted(stats.lacking_vectors, 'learning', 'learnings')} without a vector; run 'tx learning:embed'."


def _item(result: SearchResult, longest: int) -> Item:
    hops = f"{result.hops} {'hop' if result.hops == 1 else 'hops'} from {code(result.path[0])}" if result.hops else ""
    return learning_item(
        result.stored,
        result.standing,
        result.anchors,
        most=longest,
        reasons=[f"score {result.relevance:.2f}", *filter(None, [hops])],
        extra={"relevance_score": result.relevance, "expansion_path": list(result.path) if result.hops else None},
    )


def _add(call: Call) -> Reply:
    given, workspace = call.given, call.workspace
    task, run = given.get("task"), given.get("run")
    learned = Learned(
        content=given["content"],
        category=given.get("category"),
        keywords=given.get("keywords", ()),
        confidence=given.get("confidence", 1.0),
        source_type=SourceType.AGENT if task is None and run is None else SourceType.MANUAL,
        anchors=[parse_anchor(spec) for spec in given.get("anchors", ())],
        links=[parse_link(link) for link in given.get("links", ())],
    )
    return _told(workspace.learnings.add(workspace.origins.draft(learned, task=task, run=run)), call)


def _told(added: Added, call: Call) -> Reply:
    stored, learning = added.stored, added.stored.learning
    verb = "Already known:" if added.existed else "Restored" if added.revived else "Added"
    draft = Draft(
        head=f"{verb} {stored.ref} ({learning.uid}), {learning.status.value}.",
        fields={
            "id": stored.id,
            "uid": learning.uid,
            "status": learning.status.value,
            "source_type": learning.source_type.value,
            "source_ref": learning.source_ref and brief_line(learning.source_ref, _LONGEST_SPEC),
            "existed": added.existed,
            "revived": added.revived or None,
        },
        items=[
            Item(text=f"anchored to {code(anchor.spec)}", shape={"anchor": anchor.spec}) for anchor in learning.anchors
        ],
        plural="anchors",
        named=("anchor", "anchors"),
        between="\n",
        tail=brief(added.warning, _LONGEST_WARNING),
        is_quoting=False,
    )
    return packed(draft, budget=call.budget)


SEARCH = Tool(
    name="tx_learning_search",
    description="Find what was learned, by words and meaning, each with a verdict on whether its code still stands.",
    parameters=(
        parameter("query", text()),
        parameter("files", names(), "open files: what is known near them"),
        parameter("expand", flag(), "follow the graph from the matches"),
        parameter("category", text()),
        parameter("status", choice(Status)),
        parameter("include_stale", flag(), "also superseded and retracted"),
        parameter("limit", whole(least=1, most=MOST_RESULTS)),
    ),
    run=_search,
)
ADD = Tool(
    name="tx_learning_add",
    description=(
        "Keep one thing worth knowing next time. It counts at once, as said by an agent; the same text again is "
        "recognised. Anchor it to the code it is about."
    ),
    parameters=(
        parameter("content", text(longest=CONTENT_LIMIT), is_required=True, also=("text",)),
        parameter("anchors", names(), "PATH, PATH::SYMBOL or PATH:L3-L9", also=("anchor",)),
        parameter("category", text(), "one word"),
        parameter("keywords", names()),
        parameter("links", names(), "learnings: 7 or 7:elaborates", also=("link",)),
        parameter("task", reference(), "where it was learned; or run"),
        parameter("run", reference()),
        parameter("confidence", fraction(), "0 to 1"),
    ),
    run=_add,
    is_reading=False,
)
