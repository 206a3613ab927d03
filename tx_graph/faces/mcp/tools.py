"""The tools, in the order in which clients list them: for each its use case, and how its result is told."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from tx_graph.anchors import linking
from tx_graph.anchors.reports import outcome
from tx_graph.anchors.verdict import Verdict
from tx_graph.anchors.verify import Checked, Report
from tx_graph.code.indexing import IndexReport
from tx_graph.code.references import EXACT, Calls, Reference, Unused, UnusedSymbol, UsersOf
from tx_graph.code.references import Call as SymbolCall
from tx_graph.code.symbol_index import Declared
from tx_graph.code.symbol_index import Found as SymbolsFound
from tx_graph.code.symbols import Match, Symbol
from tx_graph.context.companions import Companion
from tx_graph.context.everything import AnyAnswer, AnyHit, HitKind
from tx_graph.context.focus.focus import focus_entry, heading, related_entry
from tx_graph.context.focus.rules import Related, Relationship, shape
from tx_graph.context.focus.rules import TokensBy as FocusTokensBy
from tx_graph.context.focus.values import FocusView
from tx_graph.context.graph import Neighborhood
from tx_graph.context.graph_view import Neighbor
from tx_graph.context.impact import Impact, Impacted
from tx_graph.context.page import (
    STAGED,
    Contents,
    ContextLearning,
    Document,
    Items,
    Markdown,
    Material,
    Page,
    Part,
    verdict,
)
from tx_graph.context.recall import Recall, RecallAnswer
from tx_graph.context.review import Known, Review, Untrue
from tx_graph.context.review_page import headline
from tx_graph.context.search import SearchAnswer, SearchResult
from tx_graph.core.errors import UsageError
from tx_graph.core.text import CHARACTERS_PER_TOKEN, TokensBy, counted, inert_line, quoted, quoted_line
from tx_graph.documents.document import HEADINGS_PART
from tx_graph.documents.search import DocAnswer, DocResult
from tx_graph.faces.mcp.call import Call
from tx_graph.faces.mcp.loop import Corrected, Voted
from tx_graph.faces.mcp.replies import (
    BETWEEN,
    FRAME,
    LEAST_BUDGET,
    Draft,
    Item,
    Reply,
    Shape,
    brief,
    brief_line,
    code,
    lean,
    learning_item,
    noted,
    picked,
    reserve,
    sendable,
    size,
)
from tx_graph.faces.mcp.tool import Given, Tool, tool
from tx_graph.graph.elsewhere import Elsewhere
from tx_graph.knowledge.fact import FactSource, StoredFact
from tx_graph.knowledge.facts import Added as FactAdded
from tx_graph.knowledge.spreading import marked
from tx_graph.learnings.learnings import Added
from tx_graph.records.learning import SourceType, Status

_ASIDE = "\0"  # parts an item as text from the same as JSON: neither can have it
_SMALL = 600  # tokens below which one long learning would find no room at all
_NEEDLESS = ("uid", "score", "likely", "node", "file_node", "task_node", "old_verdict", "state")
"""What no agent needs of an item on a page that is ranked: it would take the room of other items."""
_PAGE = '{{"text":{text},"structure":{{{structure}}}}}'


def _paged(call: Call, _: Given) -> Given:
    # A small page has more use for two beginnings of learnings than for none.
    longest = call.longest if call.budget >= _SMALL else call.longest // 2
    layout = _Both(longest=longest, is_structured=call.is_structured)
    kept = reserve(call.graph_notices(), budget=call.budget, is_structured=call.is_structured)
    budget = max(LEAST_BUDGET, call.budget - kept)
    return {"budget": budget, "layout": layout, "count": _tokens}


def _tokens(page: str) -> int:
    """Return what the reply on a page takes; that is the page, but for what stands around text and structure."""
    return -(-(len(page) - len(_PAGE.format(text='""', structure="")) + FRAME) // CHARACTERS_PER_TOKEN)


class _Both:
    """Writes the page as text and as a structure, both in one, so that both together are packed; else as text alone.

    Of each learning's content it tells at most `longest` characters.
    """

    def __init__(self, *, longest: int, is_structured: bool) -> None:
        self._longest = longest
        self._is_structured = is_structured
        self._text = Markdown(option="budget")
        self._document = Document(tokens_by=TokensBy.CHARS)
        self._written: tuple[Items, str] = ({}, "")

    def items(self, material: Material) -> Items:
        """Return each item as text and as JSON."""
        short = replace(material, learnings=tuple(map(self._shortened, material.learnings)))
        texts = self._text.items(short)
        if not self._is_structured:
            return {part: [sendable(text) for text in texts[part]] for part in Part}
        objects = self._document.items(short)
        return {
            part: [
                f"{sendable(text)}{_ASIDE}{_json(_lean(json.loads(one)))}"
                for text, one in zip(texts[part], objects[part], strict=True)
            ]
            for part in Part
        }

    def page(self, contents: Contents) -> str:
        """Return both forms as one document, of which no part is parsed: it is written many times while it is packed.

        It does not name its own size, so it is the same when it is asked for again with that.
        """
        if not self._is_structured:
            return _PAGE.format(text=_json(self._text.page(contents)), structure="")
        if self._written[0] is not contents.items:
            parted = {part: [item.split(_ASIDE) for item in items] for part, items in contents.items.items()}
            text = self._text.page(replace(contents, items={part: [one[0] for one in parted[part]] for part in Part}))
            lists = [f'"{part}":[{",".join(one[1] for one in parted[part])}]' for part in Part if parted[part]]
            omitted = {part.value: number for part, number in contents.omitted.items() if number}
            structure = ",".join((*lists, f'"omitted":{_json(omitted)}'))
            self._written = contents.items, _PAGE.format(text=_json(text), structure=structure)
        return self._written[1]

    def _shortened(self, one: ContextLearning) -> ContextLearning:
        stored = one.result.stored
        learning = replace(stored.learning, content=brief(stored.learning.content, self._longest))
        return replace(one, result=replace(one.result, stored=replace(stored, learning=learning)))


def _lean(item: Shape) -> Shape:
    """Return an item of a page without what says nothing: a whole confidence, what is not so."""
    found: Shape = lean(item)
    if found.get("confidence") == 1.0:
        del found["confidence"]
    return {name: one for name, one in found.items() if one is not False and name not in _NEEDLESS}


def _json(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@tool(
    "context",
    also={"text": "query task"},
    takes="text files run include_staged hub",
    noting="run",
    adding=_paged,
    gives="files learnings facts sections partners tasks elsewhere",
)
def tx_context(call: Call, page: Page | Review) -> Reply:
    """Call before starting work: what was learned and whether it holds, files to look at, what is
    easily forgotten.
    """  # noqa: D205 - one sentence, as clients are told
    if isinstance(page, Review):
        return call.packed(_review_draft(call, page))
    reply = Reply(**json.loads(page.text), is_structured=call.is_structured)
    return noted(reply, (*page.shown.notices, *call.graph_notices()), budget=call.budget)


@tool("search", takes="query=question kinds limit", gives="hits")
def tx_search(call: Call, answer: AnyAnswer) -> Draft:
    """Ask everything at once: learnings, sections, facts, files, symbols, commits."""
    return Draft(
        head="" if answer.hits else "Nothing found.",
        items=[_hit(one, call.longest) for one in answer.hits],
        plural="hits",
        named=("hit", "hits"),
        notices=call.graph_notices(*answer.notices),
    )


def _hit(one: AnyHit, longest: int) -> Item:
    name = f"{one.uid} ({one.ref})" if one.kind is HitKind.LEARNING else one.ref
    line = f"line {one.line}" if one.line else ""
    told = [
        f"{one.kind} **{code(name)}**",
        line,
        one.verdict or "",
        f"{one.score:.2f}",
        quoted_line(one.why),  # it may name what others wrote
    ]
    text = brief(one.text, longest)
    fields = picked(one, "kind ref uid path line score verdict drift text", text=text)
    return Item(BETWEEN.join(filter(None, told)) + (f"\n{quoted(text)}" if text else ""), fields)


_SHARE_OF_THE_FOCUS = 3  # of the reply's characters a third at most is the focus itself
_SHORTEST_TITLE = 20


@tool(
    "focus",
    takes="ref",
    also={"ref": "id"},
    adding=lambda call, _: {"budget": call.budget, "tokens_by": FocusTokensBy.CHARS},
    gives="related",
)
def tx_focus(call: Call, view: FocusView) -> Reply:
    """Read one thing whole, and what is near."""
    longest = (2 if call.is_structured else 4) * call.budget // _SHARE_OF_THE_FOCUS
    while longest:
        with suppress(UsageError):
            return call.packed(_focus_draft(view, longest, call))
        longest //= 2
    return call.packed(_focus_draft(view, 0, call))


def _focus_draft(view: FocusView, longest: int, call: Call) -> Draft:
    """Return the reply with at most so many characters of what the focus itself says."""
    note = view.focus
    details, title = brief(note.details, longest), brief_line(note.title, max(_SHORTEST_TITLE, longest))
    is_cut = note.is_cut or len(details) < len(note.details)
    view = replace(view, focus=replace(note, details=details, title=title, is_cut=is_cut))
    entries = [
        BETWEEN.join((heading(one.relationship).lower(), related_entry(one.note, view.focus))) for one in view.related
    ]
    return Draft(
        head=focus_entry(view),
        fields={"focus": _focus_shape(Related(note=view.focus, relationship=Relationship.SELF))},
        items=[Item(entry, _focus_shape(one)) for entry, one in zip(entries, view.related, strict=True)],
        plural="related",
        named=("related", "related"),
        found=len(view.related) + view.omitted,
        notices=call.notices(),
    )


def _focus_shape(one: Related) -> Shape:
    """Return a note as `--json` has it; of others that it speaks of, their references."""
    found = shape(one)
    return found | {end: {"ref": found[end]["ref"]} for end in ("parent", "target") if end in found}


_SHORTEST = 40  # characters of each learning where a reply has no room for more: better its beginning than nothing


def _asking(_: Call, given: Given) -> Given:
    if not given.get("query", "").strip() and not given.get("files"):
        raise UsageError("There is nothing to search for.", hint="Give a query, or open files.")
    return {}


@tool(
    "learning:search",
    takes="query files expand category status include_stale limit hub",
    adding=_asking,
    gives="results",
)
def tx_learning_search(call: Call, answer: SearchAnswer) -> Reply:
    """Find what was learned, with verdicts on code."""
    reply = call.packed(_search_draft(answer, call, longest=call.longest))
    is_empty = answer.results and not reply.structure["results"]
    return call.packed(_search_draft(answer, call, longest=_SHORTEST)) if is_empty else reply


def _search_draft(answer: SearchAnswer, call: Call, *, longest: int) -> Draft:
    query, stats, remarks = answer.query, answer.stats, []
    if stats.dropped:
        remarks.append(
            f"The retriever '{stats.retriever}' gave {sum(stats.dropped.values()):,} hits that mean nothing."
        )
    if stats.model is None and stats.lacking_vectors:
        remarks.append("By words alone: there are no vectors ('tx model install', then 'tx sync').")
    elif stats.lacking_vectors:
        lacking = counted(stats.lacking_vectors, "learning")
        remarks.append(f"{lacking} without a vector; run 'tx sync'.")
    nothing = "Nothing found." if query.expansion else "Nothing found; expand also looks at what is related."
    left = stats.stale_left_out
    return Draft(
        head="" if answer.results or answer.elsewhere else nothing,
        items=[
            *(_result_item(result, longest) for result in answer.results),
            *(_elsewhere_item(one, longest) for one in answer.elsewhere),
        ],
        plural="results",
        named=("learning", "learnings"),
        found=stats.matched,
        tail=f"{left:,} left out that may be wrong by now." if left else "",
        notices=(call.graph_notices if query.expansion or query.context_files else call.notices)(
            *remarks, *stats.remarks
        ),
    )


def _elsewhere_item(one: Elsewhere, longest: int) -> Item:
    """Return what another repository knows, with its commit and its age."""
    text = brief("\n".join(filter(None, (one.title, one.text))), longest)
    told = [f"**{code(one.ref)}**", one.told, f"score {one.score:.2f}"]
    fields = picked(one, "repository commit as_of kind ref score published verdict text", text=text)
    return Item(BETWEEN.join(told) + (f"\n{quoted(text)}" if text else ""), fields)


def _result_item(result: SearchResult, longest: int) -> Item:
    hops = [f"{counted(result.hops, 'hop')} from {code(result.path[0])}"] if result.hops else []
    return learning_item(
        result.stored,
        result.standing,
        result.anchors,
        most=longest,
        reasons=[f"score {result.relevance:.2f}", *hops],
        extra={"relevance_score": result.relevance, "expansion_path": list(result.path) if result.hops else None},
    )


_LONGEST_WARNING = 100
_MOST_PEOPLE = 3
_LONGEST_SPEC = 100


@tool(
    "learning:add",
    takes="content anchors category keywords links task run confidence",
    also={"content": "text", "anchors": "anchor", "links": "link"},
    # None: what looks like a secret is for a person to force, not for an agent
    adding=lambda _, given: (
        {"force": None} | ({} if given.keys() & {"task", "run"} else {"source_type": SourceType.AGENT})
    ),
    is_reading=False,
    gives="anchors",
)
def tx_learning_add(_: Call, added: Added) -> Draft:
    """Keep one thing worth knowing next time.

    Anchor it to the code it is about.
    """
    stored, learning = added.stored, added.stored.learning
    verb = "Already known:" if added.existed else "Restored" if added.revived else "Added"
    return Draft(
        head=f"{verb} {stored.name}, {learning.status.value}.",
        fields=picked(
            added,
            "id uid status source_type source_ref existed revived",
            source_ref=learning.source_ref and brief_line(learning.source_ref, _LONGEST_SPEC),
            revived=added.revived or None,
        ),
        items=[Item(f"anchored to {code(anchor.spec)}", {"anchor": anchor.spec}) for anchor in learning.anchors],
        plural="anchors",
        named=("anchor", "anchors"),
        between="\n",
        tail=brief("\n".join(filter(None, (added.warning, *added.advice))), _LONGEST_WARNING),
        is_quoting=False,
    )


@tool(
    "faces.mcp.loop:correct",
    also={"learning": "ref id learningId", "content": "text"},
    is_reading=False,
    is_destructive=True,
    gives="anchors",
)
def tx_learning_edit(_: Call, corrected: Corrected) -> Draft:
    """Correct a learning: change, confirm or replace it."""
    stored = corrected.stored
    done = ", ".join(corrected.done)
    return Draft(
        head=f"{stored.name}: {done}.",
        fields=picked(stored, "id uid status superseded_by") | {"done": list(corrected.done)},
        items=[Item(f"confirmed: {code(spec)}", {"anchor": spec}) for spec in corrected.confirmed],
        plural="anchors",
        named=("anchor", "anchors"),
        between="\n",
        is_quoting=False,
    )


@tool("faces.mcp.loop:vote", is_reading=False, gives="learnings")
def tx_run_feedback(_: Call, voted: Voted) -> Draft:
    """At the end: what helped and what did not."""
    items = []
    for vote in voted.votes:
        status = vote.stored.learning.status.value
        told = f"{vote.stored.name}{'' if status == 'active' else f' ({status})'} "
        told += "helped" if vote.helpful else "did not help"
        told += "" if vote.position is not None or not voted.run else ", though it was not shown in this run"
        items.append(Item(told, picked(vote, "id status helpful previous position")))
    return Draft(
        head=f"Noted for {voted.run.ref}:" if voted.run else "Noted:",
        fields={"run": voted.run.id if voted.run else None},
        items=items,
        plural="learnings",
        named=("vote", "votes"),
        between="\n",
        is_quoting=False,
    )


_LONGEST_TITLE = 120
_SHORT_HASH = 10
_MOST_CANDIDATES = 3


@tool(
    "graph:verify",
    takes="places since",
    also={"places": "refs paths"},
    adding=lambda call, _: {"keep": not call.is_read_only},
    gives="anchors",
)
def tx_graph_verify(call: Call, report: Report) -> Draft:
    """After code changed: learnings it may have made wrong; correct them."""
    summary = {name: count for name, count in report.summary().items() if count}
    outcomes = ", ".join(f"{count:,} {name}" for name, count in summary.items())
    # The findings, then what went elsewhere: that is none, but whoever looks for the code wants to know.
    told = [one for one in report.checked if one.judgement.is_finding or one.judgement.verdict is Verdict.RELOCATED]
    anchors = counted(len(report.checked), "anchor")
    return Draft(
        head=f"{anchors}: {outcomes}." if report.checked else "No anchors to verify.",
        fields={"summary": summary},
        items=[_verified_item(one) for one in sorted(told, key=lambda one: not one.judgement.is_finding)],
        plural="anchors",
        named=("anchor", "anchors"),
        notices=call.notices(*report.notices),
    )


@tool("review", takes="since staged", gives="findings")
def tx_review(call: Call, found: Review) -> Draft:
    """Before a commit: what the change makes untrue, files it lacks, who knows."""
    return _review_draft(call, found)


def _review_draft(call: Call, found: Review) -> Draft:
    people = [f"{inert_line(one.name)} {one.share:.0%}" for one in found.who.authors[:_MOST_PEOPLE]]
    people = [*(inert_line(one.name) for one in found.who.owners[:_MOST_PEOPLE]), *people]
    who = f" Who: {', '.join(map(quoted_line, people))}." if people else ""
    return Draft(
        head=f"{headline(found)}{who}",
        fields={"changed": len(found.changed), "summary": found.summary, "who": people},
        items=[
            *(_untrue_item(one, call.longest) for one in found.untrue),
            *(_known_item(one, call.longest) for one in found.known),
            *(_companion_item(one) for one in found.companions),
        ],
        plural="findings",
        named=("finding", "findings"),
        notices=call.graph_notices(*found.notices),
    )


def _untrue_item(one: Untrue, longest: int) -> Item:
    verdict = outcome(one.checked.judgement) if one.checked else "untrue"
    place = f"{one.path}:{one.line}" + (f" {one.symbol}" if one.symbol else "")
    told = [f"**{verdict}**", f"concern {one.concern:.2f}", code(place), brief_line(one.detail, _LONGEST_TITLE)]
    told += [f"touches {', '.join(map(code, one.terms[:_MOST_CANDIDATES]))}"] if one.terms else []
    told += [f"{one.uid} ({one.ref})"] if one.uid else []
    text = brief_line(one.text, longest)
    fields = picked(one, "kind ref path line symbol verdict concern terms text", text=text)
    return Item(f"{BETWEEN.join(told)}\n{quoted(text)}", {"part": "untrue"} | fields)


def _known_item(one: Known, longest: int) -> Item:
    told = [
        f"**know** {code(one.path)}",
        *map(inert_line, one.reasons),
        f"{one.uid} ({one.ref})" if one.uid else one.ref,
    ]
    text = brief_line(one.text, longest)
    fields = picked(one, "kind ref path line symbol reasons text", text=text)
    return Item(f"{BETWEEN.join(told)}\n{quoted(text)}", {"part": "know"} | fields)


def _companion_item(one: Companion) -> Item:
    place = f"{one.path}:{one.line}" if one.line else one.path
    told = [f"**missing** {code(place)}", f"{one.likely:.0%}", *map(inert_line, one.reasons)]
    return Item(BETWEEN.join(told), {"part": "missing"} | picked(one, "path line kind likely reasons"))


def _verified_item(one: Checked) -> Item:
    """Return an anchor that does not hold, or holds elsewhere, and what its learning says."""
    judgement, change = one.judgement, one.change
    told = [f"**{outcome(judgement)}**", code(judgement.anchor.spec), f"{one.learning.uid} ({one.learning.ref})"]
    told += [STAGED] if one.learning.status is Status.STAGED else []
    told += [brief_line(judgement.detail, _LONGEST_TITLE)] if judgement.detail else []
    subject = brief_line(change.subject, _LONGEST_TITLE) if change else None
    told += (
        [f"by {change.commit[:_SHORT_HASH]} {quoted_line(subject or '')}"]
        if change
        else ["not committed yet"]
        if one.is_uncommitted
        else []
    )
    told += [f"now {code(judgement.relocated_to.spec)}"] if judgement.relocated_to else []
    if judgement.candidates:
        told.append(f"it might be {', '.join(map(code, judgement.candidates[:_MOST_CANDIDATES]))}")
    title = brief_line(one.learning.content.strip().partition("\n")[0], _LONGEST_TITLE)
    fields = picked(
        one,
        "learning status content anchor verdict drift reason detail line_start line_end relocated_to candidates commit "
        "commit_subject uncommitted",
        content=title,
        detail=brief_line(judgement.detail, _LONGEST_TITLE),
        candidates=list(judgement.candidates[:_MOST_CANDIDATES]),
        commit=change.commit[:_SHORT_HASH] if change else None,
        commit_subject=subject,
    )
    return Item(f"{BETWEEN.join(told)}\n{quoted(title)}", fields)


_LONGEST_NODE = 90  # characters of a name in a line that is always there
_LONGEST_EXCERPT = 200


@tool(
    "graph:link",
    takes="learningId=learning filePath=path anchorType=anchor_type",
    also={"learningId": "learning ref id", "filePath": "path anchor file_path", "anchorType": "anchor_type"},
    is_reading=False,
)
def tx_graph_link(_: Call, tied: linking.Linked) -> Draft:
    """Tie a learning to a file, PATH::SYMBOL (best), lines or a glob."""
    verb = "Already anchored" if tied.existed else "Anchored"
    spec = brief_line(tied.anchor.spec, _LONGEST_NODE)
    anchor = {"anchor": spec, "type": tied.anchor.type.value}
    return Draft(
        head=f"{verb} {tied.learning.name} to {code(spec)} ({tied.anchor.type}).",
        fields={"learning": tied.learning.id, "anchor": anchor, "existed": tied.existed},
        is_quoting=False,
    )


@tool(
    "graph:neighbors",
    takes="id=node type=kind depth edge_types limit hub",
    also={"id": "ref"},
    adding=lambda *_: {"words_first": True},
    gives="neighbors",
)
def tx_graph_neighbors(call: Call, around: Neighborhood) -> Draft:
    """What imports, co-changes, anchors, links tie to a node."""
    node = around.node
    ref, status = brief_line(node.ref, _LONGEST_NODE), node.status.value if node.status else None
    heading = f"{code(ref)}{BETWEEN + STAGED if status == 'staged' else ''}"
    return Draft(
        head=f"Near {heading}:" if around.neighbors or around.elsewhere else f"Nothing is near {heading}.",
        fields={"node": {"ref": ref, "kind": node.kind.value, "status": status}},
        items=[
            *(_neighbor(one, around.texts[one.ref], min(_LONGEST_EXCERPT, call.longest)) for one in around.neighbors),
            *(_elsewhere_item(one, min(_LONGEST_EXCERPT, call.longest)) for one in around.elsewhere),
        ],
        plural="neighbors",
        named=("node", "nodes"),
        found=around.reached + len(around.elsewhere),
        notices=call.graph_notices(*around.notices, path=node.reference.path),
    )


def _neighbor(one: Neighbor, text: str, longest: int) -> Item:
    """Return a node that is near, with the way that leads there (`IMPORTS src/jwt.ts ANCHORED_TO`) and its excerpt."""
    about = brief_line(text, longest)
    trail = " ".join(list(chain.from_iterable((step.source, step.name) for step in one.steps))[1:])
    told = [f"**{code(one.ref)}**", f"{one.score:.2f}", *([verdict(one.standing)] if one.standing else [])]
    line = BETWEEN.join((*told, f"by {code(trail)}"))
    types = [step.type for step in one.steps]
    fields = picked(one, "ref kind score hops verdict path", types=types, about=about)
    return Item(f"{line}\n{quoted(about)}" if about else line, fields)


_INEXACT = {Match.CASE: "in other case", Match.BEGINNING: "as a beginning", Match.PART: "as a part"}


@tool(
    "graph:symbols",
    takes="name path kind limit",
    also={"name": "query symbol find"},
    adding=lambda _, given: {} if given.keys() & {"name", "path"} else _nothing_to_find(),
    gives="symbols",
)
def tx_graph_symbols(call: Call, found: Declared | SymbolsFound) -> Draft:
    """Find where a name is declared, or what a path declares."""
    total, match = max(found.total, len(found.symbols)), found.match if isinstance(found, SymbolsFound) else None
    nearest = found.nearest if isinstance(found, SymbolsFound) else ()
    nothing = "Nothing found."
    if nearest:
        nothing += f" Did you mean {', '.join(map(code, nearest))}?"
    elif isinstance(found, Declared) and found.remark:
        nothing = found.remark
    return Draft(
        head=nothing
        if not found.symbols
        else f"Nothing has exactly this name; {_INEXACT[match]}:"
        if match in _INEXACT
        else "",
        items=[_symbol(one) for one in found.symbols],
        plural="symbols",
        named=("symbol", "symbols"),
        found=total,
        between="\n",
        notices=call.graph_notices(path=found.symbols[0].path if found.symbols else None),
    )


@tool("graph:impact", takes="subject", also={"subject": "symbol path file"}, gives="files")
def tx_graph_impact(call: Call, found: Impact) -> Draft:
    """Before changing code: who uses it; tests."""
    names = ", ".join(code(one) for one in found.changed[:_MOST_CHANGED])
    rest = len(found.changed) - _MOST_CHANGED
    about = f"{names}{f' and {rest} more' if rest > 0 else ''}"
    none = f"Nothing here depends on {about}, as far as can be told."
    return Draft(
        head=found.remark or (f"What depends on {about}:" if found.files else none),
        fields={
            "changed": list(found.changed[:_MOST_CHANGED]),
            "learnings": [one.ref for one in found.learnings[:_MOST_CHANGED]],
        },
        items=[_impacted(one) for one in found.files],
        plural="files",
        named=("file", "files"),
        found=found.total,
        between="\n",
        notices=call.graph_notices(),
    )


_MOST_CHANGED = 5  # names of changed symbols


def _impacted(one: Impacted) -> Item:
    told = [f"**{code(one.path)}**", one.certainty, f"{one.hops} hops" if one.hops > 1 else ""]
    told += ["test" if one.is_test else "", ", ".join(code(name.rpartition("::")[2]) for name in one.symbols)]
    return Item(BETWEEN.join(filter(None, told)), picked(one, "path hops certainty is_test symbols via"))


@tool("faces.mcp.loop:uses", also={"subject": "symbol path name"}, update="files", gives="references calls unused")
def tx_graph_uses(call: Call, found: UsersOf | Calls | Unused) -> Draft:
    """Who uses or calls a symbol, what it calls; what is unused."""
    head = found.remark
    if isinstance(found, Unused):
        plural, named, items = "unused", ("symbol", "symbols"), [_unused(one) for one in found]
        head = head or ("" if items else f"Nothing in {code(found.place.name)} is unused, as far as can be told.")
    elif isinstance(found, Calls):
        plural, named, items = "calls", ("call", "calls"), [_called(one) for one in found]
    else:
        plural, named, items = "references", ("reference", "references"), [_used(one) for one in found]
    return Draft(
        head=head,
        items=items,
        plural=plural,
        named=named,
        found=found.total,
        between="\n",
        notices=call.graph_notices(),
    )


def _used(one: Reference) -> Item:
    told = [f"**{code(f'{one.path}:{one.line}')}**", one.kind, "" if one.certainty == EXACT else one.certainty]
    told.append(quoted_line(brief_line(one.text, _LONGEST_EXCERPT)))
    return Item(BETWEEN.join(filter(None, told)), picked(one, "path line kind certainty inside"))


def _called(one: SymbolCall) -> Item:
    told = [f"**{code(one.symbol)}**", f"line {one.line}", "" if one.certainty == EXACT else one.certainty]
    told += [f"{one.hops} hops, by {code(one.of.rpartition('::')[2])}"] if one.hops > 1 else []
    return Item(BETWEEN.join(filter(None, told)), picked(one, "symbol of path line hops certainty"))


def _unused(one: UnusedSymbol) -> Item:
    told = [f"**{code(one.symbol.fqname)}**", one.symbol.kind, f"line {one.symbol.line_start}"]
    return Item(BETWEEN.join(told), picked(one.symbol, "fqname path kind line_start"))


def _nothing_to_find() -> Given:
    raise UsageError("There is nothing to find.", hint="Give a name, or a path.")


def _symbol(one: Symbol) -> Item:
    signature = brief_line(one.signature, _LONGEST_EXCERPT)
    told = [f"**{code(one.fqname)}**", one.kind, f"lines {one.line_start}-{one.line_end}"]
    told += [quoted_line(signature)] if signature else []
    return Item(BETWEEN.join(told), picked(one, "ref kind line_start line_end", signature=signature or None))


@tool("graph:analyze-imports", also={"path": "directory"}, is_reading=False, gives="skipped")
def tx_graph_analyze_imports(_: Call, report: IndexReport) -> Draft:
    """Read changed code again, or below path."""
    gone = f", {report.removed:,} gone" if report.removed else ""
    found = f"{counted(report.imports, 'import')}, {counted(report.symbols, 'symbol')}"
    skipped = [*report.skipped, *report.manifests]
    return Draft(
        head=f"{counted(report.files, 'file')}, {report.read:,} read{gone}; {found}.",
        fields=picked(report, "files read removed imports symbols", unresolved=sum(report.unresolved.values())),
        items=[
            *(Item(notice, {"reason": notice}) for notice in report.notices),
            *(Item(f"{code(path)} {reason}.", {"path": path, "reason": reason}) for path, reason in skipped),
        ],
        plural="skipped",
        named=("file", "files"),
        between="\n",
    )


_LONGEST_NAME = 60
_TOKENS_OF_A_FACT = (20, 60)
"""What one takes at least, as a line, and as an object too: no more of them are told than there is room for."""


@tool(
    "recall",
    takes="query=text hops as_of hub",
    adding=lambda call, _: {
        "max_facts": max(
            1, min(call.kernel.one(Recall).limits.max_facts, call.budget // _TOKENS_OF_A_FACT[call.is_structured])
        ),
        "is_counted": not call.is_read_only,
    },
    gives="anchors facts",
)
def tx_recall(call: Call, answer: RecallAnswer) -> Draft:
    """Facts, with sources, on what a question names."""
    names = [brief_line(one.entity.name, _LONGEST_NAME) for one in answer.anchors]
    about = f"about {', '.join(map(quoted_line, names))}"
    head = f"A{about[1:]}:" if answer.facts or answer.elsewhere else f"Nothing is known {about}."
    items = []
    for one in answer.facts:
        state = {"hops": one.hops, "verdict": one.state.value if one.state else None}
        fields = _fact_shape(one.stored, longest=call.longest) | state | {"conflicting": one.is_conflicting or None}
        items.append(Item(quoted(f"{_sentence(one.stored, call.longest)}{marked(one.marks)}"), fields))
    items += [_elsewhere_item(one, call.longest) for one in answer.elsewhere]
    matched = [one.matched_by.value for one in answer.anchors]
    who = [f"{code(one.place)}: {quoted_line('; '.join(one.sentences()))}" for one in answer.who]
    head = head if names else "" if who or answer.elsewhere else "No entity is named or meant."
    return Draft(
        head="\n".join(filter(None, [head, *who])),
        fields={"anchors": [{"name": name, "matched_by": by} for name, by in zip(names, matched, strict=True)]},
        items=items,
        plural="facts",
        named=("fact", "facts"),
        found=answer.found + len(answer.elsewhere),
        between="\n",
        notices=call.notices(*answer.notices),
    )


def _sentence(stored: StoredFact, longest: int) -> str:
    told = brief_line(stored.told, longest)
    return f"{inert_line(stored.subject_name)} {inert_line(stored.fact.predicate)}: {told}"


def _fact_shape(stored: StoredFact, *, longest: int) -> Shape:
    value = stored.fact.value
    return picked(
        stored,
        "id subject predicate object value status confidence source source_ref valid_until",
        value=None if value is None else brief_line(value, longest),
    )


@tool(
    "fact:add",
    takes="subject predicate object value confidence source_ref",
    adding=lambda *_: {"source": FactSource.CONVERSATION, "force": None},
    is_reading=False,
    gives="others",
)
def tx_fact_add(call: Call, added: FactAdded) -> Draft:
    """Keep a statement about an entity.

    It is staged until a person confirms it.
    """
    verb = "Already known:" if added.existed else "Added again" if added.revived else "Added"
    stored, status = added.stored, added.stored.fact.status.value
    # facts that say something else, and what became of them
    others = [("superseded", one) for one in added.superseded] + [("conflicting", one) for one in added.conflicting]
    return Draft(
        head=f"{verb} {stored.ref} ({status}).",
        fields=picked(added, "id uid status existed"),
        items=[
            Item(
                f"{how}: {one.ref}\n{quoted(_sentence(one, call.longest))}",
                _fact_shape(one, longest=call.longest) | {how: True},
            )
            for how, one in others
        ],
        plural="others",
        named=("fact", "facts"),
        tail=brief_line(added.warning, _LONGEST_NAME),
    )


_STATES = {"fresh": "fresh", "changed": "changed since it was read", "gone": "its document is gone"}
_LONGEST_HEADINGS = 200
_LONGEST_DESCRIPTION = 100


@tool("doc:search", takes="query source since where tag hops limit hub", gives="results")
def tx_doc_search(call: Call, answer: DocAnswer) -> Draft:
    """Find sections of documents, and what these need."""
    return Draft(
        head="" if answer.results or answer.elsewhere else "Nothing found.",
        items=[
            *(_section(result, call) for result in answer.results),
            *(_elsewhere_item(one, call.longest) for one in answer.elsewhere),
        ],
        plural="results",
        named=("section", "sections"),
        found=answer.stats.matched,
        notices=call.notices(*answer.stats.notices),
    )


def _section(result: DocResult, call: Call) -> Item:
    unit, excerpt, tie = result.unit, result.excerpt, next(iter(result.ties), None)
    content = brief(excerpt.text.strip("\n"), call.longest)
    told = [f"**{code(unit.ref)}**", f"line {excerpt.line_start}", _STATES[result.state.value]]
    told += [f"superseded by {code(result.superseded_by)}"] if result.superseded_by else []
    told += [f"score {result.score:.2f}"]
    if tie:  # how a relation led there
        described = f" {quoted_line(brief_line(tie.description, _LONGEST_DESCRIPTION))}" if tie.description else ""
        told += [f"{tie.relation} {'from' if tie.forward else 'to'} {code(tie.other)}{described}"]
    headings: list[str] = []  # together no longer than those of the text: of many, those next to the section
    room = _LONGEST_HEADINGS
    for one in reversed(unit.headings):
        if room <= 1:
            break
        headings.insert(0, brief_line(one, room))
        room -= size(headings[0])
    fields = picked(
        result,
        "ref headings line_start line_end score hops text is_whole state superseded_by context",
        headings=headings,
        hops=result.hops or None,
        text=content,
        is_whole=excerpt.is_whole and len(content) >= len(excerpt.text.strip("\n")),
        context=[{"from": tie.other, "relation": tie.relation}] if tie else [],
    )
    line = brief_line(HEADINGS_PART.join(unit.headings), _LONGEST_HEADINGS)
    return Item(f"{BETWEEN.join(told)}\n{quoted(chr(10).join(filter(None, (line, content))))}", fields)


TOOLS = (
    tx_context,
    tx_search,
    tx_learning_search,
    tx_learning_add,
    tx_learning_edit,
    tx_graph_link,
    tx_graph_neighbors,
    tx_graph_symbols,
    tx_graph_impact,
    tx_graph_uses,
    tx_graph_analyze_imports,
    tx_graph_verify,
    tx_review,
    tx_focus,
    tx_recall,
    tx_fact_add,
    tx_doc_search,
    tx_run_feedback,
)


def offered(*, is_read_only: bool) -> dict[str, Tool]:
    """Return the tools by name, with `is_read_only` only those that change nothing."""
    if not is_read_only:
        return {tool.name: tool for tool in TOOLS}
    return {tool.name: tool.for_readers() for tool in TOOLS if tool.is_reading}


def described(tool: Tool, *, is_structured: bool = False) -> dict[str, Any]:
    """Return a tool as clients are told of it; where the structure is sent, with its schema."""
    told = {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
    told |= {"outputSchema": tool.output} if is_structured else {}
    return told | {
        "annotations": {"readOnlyHint": True} if tool.is_reading else {"destructiveHint": tool.is_destructive}
    }
