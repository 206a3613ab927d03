"""tx_graph_link, tx_graph_neighbors, tx_graph_analyze_imports, as PRD-014 names them and what they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from tx_graph.domain.anchor import AnchorType, parse_anchor
from tx_graph.domain.inert import quoted
from tx_graph.domain.references import NodeKind
from tx_graph.mcp.parameters import choice, names, number_or_text, text, whole
from tx_graph.mcp.replies import Draft, Item, Reply, Shape, packed
from tx_graph.mcp.replies.words import BETWEEN, brief_line, code, counted
from tx_graph.mcp.tools.values import MOST_RESULTS, Call, Tool, parameter
from tx_graph.retrieval.expansion import MAX_DEPTH, Limits, chosen_types
from tx_graph.services.context.wording import STAGED, verdict
from tx_graph.services.indexing import IndexReport
from tx_graph.services.paths import Neighbor, Step
from tx_graph.services.references import Node

_LONGEST_NAME = 90
"""Characters of a name in a line that is always there."""
_LONGEST_EXCERPT = 200


def _link(call: Call) -> Reply:
    given = call.given
    request = replace(parse_anchor(given["filePath"]), type=given.get("anchorType"))
    tied = call.workspace.linking.link(given["learningId"], request)
    verb = "Already anchored" if tied.existed else "Anchored"
    spec = brief_line(tied.anchor.spec, _LONGEST_NAME)
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
    return f"{code(brief_line(node.ref, _LONGEST_NAME))}{BETWEEN + STAGED if is_staged else ''}"


def _node(node: Node) -> Shape:
    return {
        "ref": brief_line(node.ref, _LONGEST_NAME),
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
    workspace, path = call.workspace, call.given.get("path")
    below = workspace.references.directory(path) if path is not None else ""
    report = workspace.indexing.run(below=below, progress=call.progress)
    call.caveats.forget()
    draft = Draft(
        head=_summary(report),
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


def _summary(report: IndexReport) -> str:
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
