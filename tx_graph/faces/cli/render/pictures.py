"""What answers look like: each as a picture, printed for Mermaid or for Graphviz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import singledispatch
from itertools import chain

from tx_graph.anchors.verdict import Standing
from tx_graph.code.import_graph import AllImports, DeadEnds, ImportCycles, Imports, ImportStep
from tx_graph.code.imports import ImportEdge, ImportType
from tx_graph.context.focus.focus import marks
from tx_graph.context.focus.rules import Note, Relationship
from tx_graph.context.focus.values import FocusView, Kind
from tx_graph.context.graph import Connection, Neighborhood
from tx_graph.context.graph_view import Step
from tx_graph.core.shape import Answer, reference_to
from tx_graph.core.text import counted
from tx_graph.faces.cli.render import drawing
from tx_graph.faces.cli.render.drawing import Item, Picture, Tie
from tx_graph.faces.cli.render.terminal import echo
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.elsewhere import HubStep
from tx_graph.graph.references import Node
from tx_graph.records.learning import Status

_ELSEWHERE = "other"
_TO_FOCUS = {Relationship.REFERENCE_BY: "refers to", Relationship.IMPORTER: "imports"}
_FROM_FOCUS = {
    Relationship.IMPORT: "imports",
    Relationship.LINK_TARGET: "links to",
    Relationship.DESCRIBED_RELATION: "",
    Relationship.MENTION: "mentions",
}
"""What binds a note to the focus besides the tree that everything hangs in."""


def mermaid(found: Answer) -> None:
    """Print an answer as a flowchart of Mermaid."""
    echo(drawing.mermaid(picture(found)))


def dot(found: Answer) -> None:
    """Print an answer as a graph for Graphviz."""
    echo(drawing.dot(picture(found)))


@singledispatch
def picture(found: Answer) -> Picture:
    """Return what an answer looks like."""
    raise NotImplementedError(type(found))


@picture.register
def _(found: Neighborhood) -> Picture:
    steps: list[Step | HubStep] = [step for one in found.neighbors for step in one.steps]
    steps += [step for one in found.elsewhere for step in one.steps]
    standings = {one.ref: one.standing for one in found.neighbors if one.standing}
    more = _more(found.reached - found.shown, "node")
    return _walked([found.node], steps, found.texts, standings, [more])


@picture.register
def _(found: Connection) -> Picture:
    steps: list[Step | HubStep] = [*found.steps, *(found.elsewhere.steps if found.elsewhere else ())]
    nothing = f"Nothing connects {found.source.ref} and {found.target.ref}."
    remarks = [*found.remarks, "" if steps or found.is_connected else nothing]
    return _walked([found.source, found.target], steps, found.texts, found.standings, remarks)


def _walked(
    starts: Sequence[Node],
    steps: Sequence[Step | HubStep],
    texts: Mapping[str, str],
    standings: Mapping[str, Standing],
    remarks: Sequence[str],
) -> Picture:
    """Return the picture of paths, from where they start."""
    items = [
        Item(
            ref=one.ref,
            kind=one.kind,
            path=one.reference.path or "",
            text=texts.get(one.ref, ""),
            mark="" if one.status in (None, Status.ACTIVE) else str(one.status),
            is_start=True,
        )
        for one in starts
    ]
    for step in steps:
        if isinstance(step, HubStep):
            items += [Item(ref=end, kind=_ELSEWHERE) for end in (step.source, step.target)]
            continue
        for end in (step.source_node, step.target_node):
            standing, path = standings.get(end.ref), end.path or ""
            mark = standing.value if standing and standing.is_stale else ""
            items.append(Item(ref=end.ref, kind=end.kind, path=path, text=texts.get(end.ref, ""), mark=mark))
    return Picture(items, map(_tie, steps), remarks)


def _tie(step: Step | HubStep) -> Tie:
    """Return an edge as it is stored: `imports`, `depends on`, `co changes with 0.62`."""
    words = EdgeType(step.type).words
    name = step.relation if step.relation and words.is_named_by_relation else step.type.lower()
    ends = (step.source, step.target) if step.forward else (step.target, step.source)
    label = name.replace("_", " ") + (f" {step.weight:.2f}" if step.weight < 1 else "")
    return Tie(source=ends[0], target=ends[1], label=label, has_arrow=bool(words.against))


@picture.register
def _(found: Imports) -> Picture:
    place = found.place
    start = [] if place.is_directory else [Item(ref=place.path, kind="file", path=place.path, is_start=True)]
    inside = [f"{counted(found.inside, 'import')} between files inside it."] if found.inside else []
    return _importing(found.steps, start, total=found.total, remarks=inside)


@picture.register
def _(found: AllImports) -> Picture:
    return _importing(found.steps, [], total=found.total)


def _importing(
    steps: Sequence[ImportStep | ImportEdge], start: Sequence[Item], *, total: int, remarks: Sequence[str] = ()
) -> Picture:
    """Return the picture of imports: from where they start, else those files first that have most of them."""
    ends = [end for one in steps for end in (one.source, one.target)]
    names = ends if start else [name for name, _ in Counter(ends).most_common()]
    ties = [_import(one.source, one.target, one.type) for one in steps]
    return Picture([*start, *map(_file, names)], ties, [*remarks, _more(total - len(steps), "import")])


@picture.register
def _(found: DeadEnds) -> Picture:
    ends = found.dead_ends
    pairs = [(_file(one.source), Item(ref=one.module, kind=_ELSEWHERE, text=one.reason)) for one in ends]
    ties = [_import(one.source, one.module, one.type) for one in ends]
    return Picture(chain(*pairs), ties, [_more(found.total - len(ends), "import")])


@picture.register
def _(found: ImportCycles) -> Picture:
    files = [_file(path) for cycle in found.cycles for path in cycle.nodes]
    closing = {cycle.closed_by for cycle in found.cycles}
    pairs = [pair for cycle in found.cycles for pair in cycle.edges]
    ties = [_import(*pair, found.types[pair], stands_out=pair in closing) for pair in pairs]
    none = "" if found.cycles else "No import cycle."
    return Picture(files, ties, [none, _more(found.found - len(found.cycles), "cycle")])


def _file(path: str) -> Item:
    return Item(ref=path, kind="file", path=path)


def _import(source: str, target: str, kind: ImportType, *, stands_out: bool = False) -> Tie:
    label = "" if kind is ImportType.STATIC else kind.value
    return Tie(source=source, target=target, label=label, stands_out=stands_out)


def _more(number: int, thing: str) -> str:
    return f"{counted(number, f'more {thing}')}, which a greater limit shows." if number > 0 else ""


@picture.register
def _(found: FocusView) -> Picture:
    focus = found.focus.ref
    items, ends, ties = [_noted(found.focus, is_start=True)], list[Item](), list[Tie]()
    for one in found.related:
        note, relationship = one.note, one.relationship
        if note.target and note.parent:  # a note that is a relation is drawn as one
            ends += [Item(ref=end.ref, kind=_ELSEWHERE, text=end.title) for end in (note.parent, note.target)]
            ties.append(Tie(source=note.parent.ref, target=note.target.ref, label=note.title))
        elif not (note.kind == Kind.DIRECTORY and note.ref in found.path):  # those are the frames
            items.append(_noted(note))
            if relationship in _TO_FOCUS:
                ties.append(Tie(source=note.ref, target=focus, label=_TO_FOCUS[relationship]))
            elif relationship in _FROM_FOCUS:
                label = _FROM_FOCUS[relationship] or str(note.tie.get("relation", ""))
                ties.append(Tie(source=focus, target=note.ref, label=label.replace("_", " ")))
            if note.parent and (note.parent.ref != focus or relationship is Relationship.CHILD):
                ties.append(Tie(source=note.parent.ref, target=note.ref))
    more = f"{counted(found.omitted, 'more node')}, which a bigger budget shows." if found.omitted else ""
    return Picture([*items, *ends], ties, [more])


def _noted(note: Note, *, is_start: bool = False) -> Item:
    path = reference_to("file" if note.kind == Kind.DOCUMENT else note.kind, note.ref).path or ""
    is_told = note.ref.endswith(note.title.rstrip("/"))
    mark = ", ".join(marks(note.marks)) if note.marks.keys() - {"verdict", "drift"} else ""
    text = "" if is_told else note.title
    return Item(ref=note.ref, kind=note.kind, path=path, text=text, mark=mark, is_start=is_start)
