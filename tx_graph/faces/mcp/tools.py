"""The tools, in the order in which clients list them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

from tx_graph.anchors.linking import Linking
from tx_graph.anchors.reports import anchor_shape, outcome
from tx_graph.anchors.verdict import Verdict
from tx_graph.anchors.verify import Checked, Scope, Verification
from tx_graph.code.indexing import ImportAnalysis, IndexReport
from tx_graph.context.focus.focus import focus_entry, heading, related_entry
from tx_graph.context.focus.rules import Related, Relationship, shape
from tx_graph.context.focus.rules import TokensBy as FocusTokensBy
from tx_graph.context.focus.values import FocusRequest, FocusView
from tx_graph.context.graph_view import Neighbor, Step
from tx_graph.context.page import (
    STAGED,
    Contents,
    ContextLearning,
    ContextRequest,
    Document,
    Items,
    Markdown,
    Material,
    Part,
    verdict,
)
from tx_graph.context.recall import Recall, RecallAnswer, RecalledFact, RecallRequest
from tx_graph.context.search import Query, SearchAnswer, SearchResult
from tx_graph.core.errors import UsageError
from tx_graph.core.text import CHARACTERS_PER_TOKEN, TokensBy, inert_line, quoted, quoted_line
from tx_graph.core.times import moment_of
from tx_graph.documents.document import HEADINGS_PART
from tx_graph.documents.search import DocQuery, DocResult, DocSearch, DocTie
from tx_graph.faces.mcp.deriving import tool_of
from tx_graph.faces.mcp.parameters import choice, flag, fraction, names, number_or_text, reference, text, whole
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
    counted,
    lean,
    learning_item,
    noted,
    packed,
    reserve,
    sendable,
    size,
)
from tx_graph.faces.mcp.tool import MOST_RESULTS, Call, Tool, parameter
from tx_graph.graph.expand import MAX_DEPTH, Limits, chosen_types
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import Node
from tx_graph.knowledge.fact import FactSource, StoredFact
from tx_graph.knowledge.facts import Added as FactsAdded
from tx_graph.knowledge.facts import Facts
from tx_graph.knowledge.spreading import MAX_HOPS, RecallLimits, marked
from tx_graph.learnings.learnings import Added, Learnings
from tx_graph.records.anchor import AnchorType, parse_anchor
from tx_graph.records.learning import CONTENT_LIMIT, SourceType, Status
from tx_graph.work.runs import Runs
from tx_graph.work.values import Feedback, Vote

_ASIDE = "\0"
"""Parts an item as text from the same as JSON: neither can have it."""
_SMALL = 600
"""Tokens below which one long learning would find no room at all."""
_NEEDLESS = ("uid", "score")
"""What no agent needs of an item on a page that is ranked: it would take the room of other items."""
_SURE = ("confidence", 1.0)
_PAGE = '{{"text":{text},"structure":{{{structure}}}}}'


def _context_run(call: Call) -> Reply:
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
    run=_context_run,
)


_SHARE_OF_THE_FOCUS = 3
"""Of the reply's characters, in text and structure, a third at most is the focus itself."""
_SHORTEST_TITLE = 20


def _focus_run(call: Call) -> Reply:
    view = call.workspace.focus.view(
        FocusRequest(ref=call.given["ref"], budget=call.budget, tokens_by=FocusTokensBy.CHARS)
    )
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
        fields={"focus": _focus_shape(Related(note=view.focus, relationship=Relationship.SELF))},
        items=[_focus_item(one, view) for one in view.related],
        plural="related",
        named=("related", "related"),
        found=len(view.related) + view.omitted,
        notices=call.notices(),
    )


def _focus_item(one: Related, view: FocusView) -> Item:
    entry = BETWEEN.join((heading(one.relationship).lower(), related_entry(one.note, view.focus)))
    return Item(text=entry, shape=_focus_shape(one))


def _focus_shape(one: Related) -> Shape:
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
    run=_focus_run,
)


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
        items=[_learnings_item(result, longest) for result in answer.results],
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


def _learnings_item(result: SearchResult, longest: int) -> Item:
    hops = f"{result.hops} {'hop' if result.hops == 1 else 'hops'} from {code(result.path[0])}" if result.hops else ""
    return learning_item(
        result.stored,
        result.standing,
        result.anchors,
        most=longest,
        reasons=[f"score {result.relevance:.2f}", *filter(None, [hops])],
        extra={"relevance_score": result.relevance, "expansion_path": list(result.path) if result.hops else None},
    )


def _learnings_add(call: Call) -> Reply:
    given = dict(call.given)
    given.pop("budget", None)
    is_agents = given.get("task") is None and given.get("run") is None
    learnings = call.workspace.kernel.one(Learnings)
    return _learnings_told(learnings.add(**given, source_type=SourceType.AGENT if is_agents else None), call)


def _learnings_told(added: Added, call: Call) -> Reply:
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
    run=_learnings_add,
    is_reading=False,
)


def _reply(call: Call, feedback: Feedback) -> Reply:
    draft = Draft(
        head=f"Noted for {feedback.run.ref}:",
        fields={"run": feedback.run.id},
        items=[_runs_item(vote) for vote in feedback.votes],
        plural="learnings",
        named=("vote", "votes"),
        between="\n",
        is_quoting=False,
    )
    return packed(draft, budget=call.budget)


def _runs_item(vote: Vote) -> Item:
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


_LONGEST_TITLE = 120
_SHORT_HASH = 10
_MOST_CANDIDATES = 3
_TOLD_KEYS = (
    "learning status content anchor verdict drift reason detail line_start line_end relocated_to candidates commit "
    "commit_subject"
).split()
"""What of an anchor's JSON agents need."""


def _verification_run(call: Call) -> Reply:
    scope = Scope(places=call.given.get("places", ()), since=call.given.get("since"))
    report = call.workspace.kernel.one(Verification).run(scope, keep=not call.is_read_only)
    # A relocation is no finding, but whoever looks for the code wants to know.
    told = [one for one in report.checked if one.judgement.is_finding or one.judgement.verdict is Verdict.RELOCATED]
    outcomes = ", ".join(f"{count:,} {name}" for name, count in report.summary().items() if count)
    anchors = f"{counted(len(report.checked), 'anchor', 'anchors')}: {outcomes}."
    draft = Draft(
        head=anchors if report.checked else "No anchors to verify.",
        fields={"summary": {name: count for name, count in report.summary().items() if count}},
        items=[_verification_item(one) for one in sorted(told, key=lambda one: not one.judgement.is_finding)],
        plural="anchors",
        named=("anchor", "anchors"),
        notices=call.notices(*report.notices),
    )
    return packed(draft, budget=call.budget)


def _verification_item(one: Checked) -> Item:
    """Return an anchor that does not hold, or holds elsewhere, and what its learning says."""
    judgement, change = one.judgement, one.change
    told = [f"**{outcome(judgement)}**", code(judgement.anchor.spec), one.learning.ref]
    told += [STAGED] if one.learning.status is Status.STAGED else []
    told += [brief_line(judgement.detail, _LONGEST_TITLE)] if judgement.detail else []
    subject = brief_line(change.subject, _LONGEST_TITLE) if change else None
    told += [f"by {change.commit[:_SHORT_HASH]} {quoted_line(subject or '')}"] if change else []
    told += [f"now {code(judgement.relocated_to.spec)}"] if judgement.relocated_to else []
    if judgement.candidates:
        told.append(f"it might be {', '.join(map(code, judgement.candidates[:_MOST_CANDIDATES]))}")
    title = brief_line(one.learning.content.strip().partition("\n")[0], _LONGEST_TITLE)
    whole = anchor_shape(one)
    shape = {key: whole[key] for key in _TOLD_KEYS} | {
        "content": title,
        "detail": brief_line(judgement.detail, _LONGEST_TITLE),
        "candidates": list(judgement.candidates[:_MOST_CANDIDATES]),
        "commit": change.commit[:_SHORT_HASH] if change else None,
        "commit_subject": subject,
    }
    return Item(text=f"{BETWEEN.join(told)}\n{quoted(title)}", shape=shape)


VERIFY = Tool(
    name="tx_graph_verify",
    description="After code changed: which learnings it may have made wrong. Correct those, or tell the user.",
    parameters=(
        parameter("places", names(), "only these: learnings, files, directories, symbols", also=("refs", "paths")),
        parameter("since", text(), "only what changed since this git revision"),
    ),
    run=_verification_run,
)


_GRAPH_LONGEST_NAME = 90
"""Characters of a name in a line that is always there."""
_LONGEST_EXCERPT = 200


def _link(call: Call) -> Reply:
    given = call.given
    request = replace(parse_anchor(given["filePath"]), type=given.get("anchorType"))
    tied = call.workspace.kernel.one(Linking).link(given["learningId"], request)
    verb = "Already anchored" if tied.existed else "Anchored"
    spec = brief_line(tied.anchor.spec, _GRAPH_LONGEST_NAME)
    anchor = {"anchor": spec, "type": tied.anchor.type.value}
    draft = Draft(
        head=f"{verb} {tied.learning.ref} to {code(spec)} ({tied.anchor.type}).",
        fields={"learning": tied.learning.id, "anchor": anchor, "existed": tied.existed},
        is_quoting=False,
    )
    return packed(draft, budget=call.budget)


def neighborhood(call: Call, ref: str, *, depth: int, limit: int) -> Draft:
    """Return what lies around a node, best first."""
    around = call.workspace.graph.neighbors(
        ref, limits=Limits(depth=depth), types=chosen_types(call.given.get("edge_types", ()), ()), limit=limit
    )
    return Draft(
        head=f"Near {_heading(around.node)}:" if around.neighbors else f"Nothing is near {_heading(around.node)}.",
        fields={"node": _node(around.node)},
        items=[_neighbor(call, one) for one in around.neighbors],
        plural="neighbors",
        named=("node", "nodes"),
        found=around.reached,
        notices=call.graph_notices(path=_path_of(around.node)),
    )


def _path_of(node: Node) -> str:
    """Return the file that a node is or lies in."""
    return node.key.rpartition("#")[0] if node.kind is NodeKind.SECTION else node.key.partition("::")[0]


def _neighbors(call: Call) -> Reply:
    given = call.given
    draft = neighborhood(
        call, _reference(given["id"], given.get("type")), depth=given.get("depth", 2), limit=given.get("limit", 20)
    )
    return packed(draft, budget=call.budget)


def _reference(name: str, kind: NodeKind | None) -> str:
    """Return a reference that says of what kind it is, if that was said."""
    return name if kind is None or name.startswith(f"{kind}:") else f"{kind}:{name}"


def _heading(node: Node) -> str:
    is_staged = node.status is not None and node.status.value == "staged"
    return f"{code(brief_line(node.ref, _GRAPH_LONGEST_NAME))}{BETWEEN + STAGED if is_staged else ''}"


def _node(node: Node) -> Shape:
    return {
        "ref": brief_line(node.ref, _GRAPH_LONGEST_NAME),
        "kind": node.kind.value,
        "status": node.status.value if node.status else None,
    }


def _neighbor(call: Call, one: Neighbor) -> Item:
    """Return a node that is near, with the way that leads there and what it is about."""
    about = brief_line(call.workspace.references.text(one.ref), min(_LONGEST_EXCERPT, call.longest))
    told = [f"**{code(one.ref)}**", f"{one.score:.2f}"]
    told += [verdict(one.standing)] if one.standing else []
    line = BETWEEN.join((*told, f"by {code(_trail(one.steps))}"))
    shape = {
        "ref": one.ref,
        "kind": one.kind.value,
        "score": one.score,
        "hops": one.hops,
        "verdict": one.standing.value if one.standing else None,
        "path": list(one.path),
        "types": [step.type for step in one.steps],
        "about": about,
    }
    return Item(text=f"{line}\n{quoted(about)}" if about else line, shape=shape)


def _trail(steps: tuple[Step, ...]) -> str:
    """Return what lies between the ends of a path: `IMPORTS src/jwt.ts ANCHORED_TO`."""
    return " ".join(list(chain.from_iterable((step.source, step.name) for step in steps))[1:])


def _analyze(call: Call) -> Reply:
    analysis = call.kernel.one(ImportAnalysis)
    report = analysis.analyze_imports(call.given.get("path"), progress=call.progress)
    call.caveats.forget()
    draft = Draft(
        head=_graph_summary(report),
        fields={
            "files": report.files,
            "read": report.read,
            "removed": report.removed,
            "imports": report.imports,
            "symbols": report.symbols,
            "unresolved": sum(report.unresolved.values()),
        },
        items=list(_skipped(report)),
        plural="skipped",
        named=("file", "files"),
        between="\n",
    )
    return packed(draft, budget=call.budget)


def _graph_summary(report: IndexReport) -> str:
    gone = f", {report.removed:,} gone" if report.removed else ""
    found = f"{counted(report.imports, 'import', 'imports')}, {counted(report.symbols, 'symbol', 'symbols')}"
    return f"{counted(report.files, 'file', 'files')}, {report.read:,} read{gone}; {found}."


def _skipped(report: IndexReport) -> Iterator[Item]:
    for notice in report.notices:
        yield Item(text=notice, shape={"reason": notice})
    for path, reason in (*report.skipped, *report.manifests):
        yield Item(text=f"{code(path)} {reason}.", shape={"path": path, "reason": reason})


LINK = Tool(
    name="tx_graph_link",
    description="Tie a learning to code: a file, PATH::SYMBOL (best: it survives edits around it), lines or a glob.",
    parameters=(
        parameter("learningId", number_or_text(), "number or uid", is_required=True, also=("learning", "ref", "id")),
        parameter("filePath", text(), is_required=True, also=("path", "anchor", "file_path")),
        parameter("anchorType", choice(AnchorType), also=("anchor_type",)),
    ),
    run=_link,
    is_reading=False,
)
NEIGHBORS = Tool(
    name="tx_graph_neighbors",
    description="What is tied to a node by imports, co-changes, anchors and links: best first, with the way there.",
    parameters=(
        parameter(
            "id",
            number_or_text(),
            "12, a uid, PATH, PATH::SYMBOL, docs/a.md#part, entity:NAME, task:7 or run:9",
            is_required=True,
            also=("ref",),
        ),
        parameter("type", choice(NodeKind)),
        parameter("depth", whole(least=0, most=MAX_DEPTH)),
        parameter("edge_types", names(), "such as IMPORTS, CO_CHANGES_WITH"),
        parameter("limit", whole(least=1, most=MOST_RESULTS)),
    ),
    run=_neighbors,
)
ANALYZE_IMPORTS = Tool(
    name="tx_graph_analyze_imports",
    description="Read again which files import which and what they declare, after code changed; all, or below path.",
    parameters=(parameter("path", text(), also=("directory",)),),
    run=_analyze,
    is_reading=False,
)


_FACTS_LONGEST_NAME = 60
_TOKENS_OF_A_FACT = 60
"""What one takes at least, as a line and as an object: no more of them are told than there is room for."""


def _recall(call: Call) -> Reply:
    given = call.given
    standard = RecallLimits()
    limits = RecallLimits(
        hops=given.get("hops", standard.hops),
        max_facts=max(1, min(standard.max_facts, call.budget // _TOKENS_OF_A_FACT)),
    )
    request = RecallRequest(
        text=given["query"],
        limits=limits,
        moment=moment_of(given["as_of"]) if "as_of" in given else None,
        is_counted=not call.is_read_only,
    )
    return packed(_answered(call.workspace.kernel.one(Recall).ask(request), call), budget=call.budget)


def _answered(answer: RecallAnswer, call: Call) -> Draft:
    names = [brief_line(one.entity.name, _FACTS_LONGEST_NAME) for one in answer.anchors]
    head = f"About {', '.join(map(quoted_line, names))}:" if names else "No entity is named or meant."
    if names and not answer.facts:
        head = f"Nothing is known {head[0].lower()}{head[1:-1]}."
    return Draft(
        head=head,
        fields={
            "anchors": [
                {"name": name, "matched_by": one.matched_by.value}
                for name, one in zip(names, answer.anchors, strict=True)
            ]
        },
        items=[_fact_item(one, call) for one in answer.facts],
        plural="facts",
        named=("fact", "facts"),
        found=answer.found,
        between="\n",
        notices=call.notices(*answer.notices),
    )


def _fact_item(one: RecalledFact, call: Call) -> Item:
    shape = _facts_shape(one.stored, longest=call.longest) | {
        "hops": one.hops,
        "verdict": one.state.value if one.state else None,
        "conflicting": one.is_conflicting or None,
    }
    return Item(text=quoted(f"{_sentence(one.stored, call.longest)}{marked(one.marks)}"), shape=shape)


def _sentence(stored: StoredFact, longest: int) -> str:
    told = brief_line(stored.told, longest)
    return f"{inert_line(stored.subject_name)} {inert_line(stored.fact.predicate)}: {told}"


def _facts_shape(stored: StoredFact, *, longest: int) -> Shape:
    fact = stored.fact
    return {
        "id": stored.id,
        "subject": stored.subject_name,
        "predicate": fact.predicate,
        "object": stored.object_name,
        "value": brief_line(fact.value, longest) if fact.value is not None else None,
        "status": fact.status.value,
        "confidence": fact.confidence,
        "source": fact.source.value,
        "source_ref": fact.source_ref,
        "valid_until": fact.valid_until,
    }


def _facts_add(call: Call) -> Reply:
    given = {name: value for name, value in call.given.items() if name != "budget"}
    added = call.workspace.kernel.one(Facts).add(**given, source=FactSource.CONVERSATION)
    return packed(_facts_told(added, call), budget=call.budget)


def _facts_told(added: FactsAdded, call: Call) -> Draft:
    verb = "Already known:" if added.existed else "Added again" if added.revived else "Added"
    stored, status = added.stored, added.stored.fact.status.value
    return Draft(
        head=f"{verb} {stored.ref} ({status}).",
        fields={"id": stored.id, "uid": stored.fact.uid, "status": status, "existed": added.existed},
        items=[*_others(added.superseded, "superseded", call), *_others(added.conflicting, "conflicting", call)],
        plural="others",
        named=("fact", "facts"),
        tail=brief_line(added.warning, _FACTS_LONGEST_NAME),
    )


def _others(many: Sequence[StoredFact], how: str, call: Call) -> list[Item]:
    """Return facts that say something else, and what became of them."""
    return [
        Item(
            text=f"{how}: {one.ref}\n{quoted(_sentence(one, call.longest))}",
            shape=_facts_shape(one, longest=call.longest) | {how: True},
        )
        for one in many
    ]


RECALL = Tool(
    name="tx_recall",
    description="What is known of people, projects, decisions and things that a question names: facts, with sources.",
    parameters=(
        parameter("query", text(), is_required=True),
        parameter("hops", whole(least=0, most=MAX_HOPS)),
        parameter("as_of", text(), "what held on a date"),
    ),
    run=_recall,
)
FACT_ADD = Tool(
    name="tx_fact_add",
    description=(
        "Keep one statement about an entity, with object or value. It is staged, as heard in conversation, until a "
        "person confirms it."
    ),
    parameters=(
        parameter("subject", text(), is_required=True),
        parameter("predicate", text(), "such as uses, owner", is_required=True),
        parameter("object", text(), "another entity"),
        parameter("value", text(), "a literal"),
        parameter("confidence", fraction(), "0 to 1"),
        parameter("source_ref", text()),
    ),
    run=_facts_add,
    is_reading=False,
)


_STATES = {"fresh": "fresh", "changed": "changed since it was read", "gone": "its document is gone"}
_LONGEST_HEADINGS = 200
_LONGEST_DESCRIPTION = 100


def _documents_run(call: Call) -> Reply:
    given = call.given
    query = DocQuery(
        text=given["query"],
        limit=given.get("limit", 5),
        hops=given.get("hops", 2),
        source=given.get("source", ()),
        since=given.get("since"),
    )
    answer = call.kernel.one(DocSearch).run(query)
    draft = Draft(
        head="" if answer.results else "Nothing found.",
        items=[_documents_item(result, call) for result in answer.results],
        plural="results",
        named=("section", "sections"),
        found=answer.stats.matched,
        notices=call.notices(*answer.stats.notices),
    )
    return packed(draft, budget=call.budget)


def _documents_item(result: DocResult, call: Call) -> Item:
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
    for one in reversed(headings):
        if room <= 1:
            break
        told.insert(0, brief_line(one, room))
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
    run=_documents_run,
)


TOOLS = (
    CONTEXT,
    SEARCH,
    ADD,
    LINK,
    NEIGHBORS,
    ANALYZE_IMPORTS,
    VERIFY,
    FOCUS,
    RECALL,
    FACT_ADD,
    DOC_SEARCH,
    FEEDBACK,
)


def offered(*, is_read_only: bool) -> dict[str, Tool]:
    """Return the tools by name, with `is_read_only` only those that change nothing."""
    if not is_read_only:
        return {tool.name: tool for tool in TOOLS}
    return {tool.name: tool.for_readers() for tool in TOOLS if tool.is_reading}


def described(tool: Tool) -> dict[str, Any]:
    """Return a tool as clients are told of it."""
    told = {"name": tool.name, "description": tool.description, "inputSchema": tool.schema}
    return told | ({"annotations": {"readOnlyHint": True}} if tool.is_reading else {})
