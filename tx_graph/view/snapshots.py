"""What the page is given: documents of JSON over the whole repository, each made when it is asked for."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from tx_graph.code.import_graph import ImportGraph
from tx_graph.context.graph import Graph
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.text import inert_json
from tx_graph.documents.store import DocumentStore
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.resolving import References
from tx_graph.records.watch import Records
from tx_graph.version import __version__
from tx_graph.view.graph import DIGITS, graph
from tx_graph.view.look import Look, fact_place, title
from tx_graph.view.store import PictureStore
from tx_graph.view.structure import structure
from tx_graph.view.time import time
from tx_graph.workspace.health import Health

_MOST_PAIRS = 20_000


def about(kernel: Kernel) -> dict[str, Any]:
    """Return what the page is of, how old it is, and how much there is."""
    look, stats, age = kernel.one(Look), kernel.one(Graph).stats(), kernel.one(Health).age()
    repository = kernel.checkout.repository
    head = repository.head() if repository else None
    problems = len(kernel.one(Records).problems())
    skipped = f"Records that cannot be read: {problems:,}; see 'tx doctor'." if problems else ""
    left_out = {
        "learnings that nobody has confirmed": stats.learnings.get("staged", 0),
        "facts that are private": look.private,
    }
    return {
        "tx": __version__,
        "repository": kernel.root.name,
        "commit": head,
        "commit_at": iso(datetime.fromtimestamp(repository.time_of(head), UTC)) if repository and head else None,
        "indexed_at": age.freshness and age.freshness.indexed_at,
        "now": kernel.now(),
        "is_file": False,
        "start": "",
        "counts": {
            "files": stats.files,
            "learnings": len(look.learnings),
            "facts": len(look.facts),
            "documents": stats.documents["documents"],
            "sections": stats.documents["sections"],
            "entities": len(look.entities),
            "edges": sum(stats.edges.values()),
        },
        "verdicts": Counter(one.standing.word.value for one in look.learnings),
        "left_out": [f"Left out: {what}, {count:,} of them." for what, count in left_out.items() if count],
        "languages": stats.languages,
        "notices": [*filter(None, [kernel.caveat, skipped]), *age.notices],
    }


def map_(kernel: Kernel) -> dict[str, Any]:
    """Return every file with its size, and all that is known with the files that it is about.

    The places of what is lost may be no files any more: they are told by name, as `lost`.
    """
    look = kernel.one(Look)
    number = {file.path: place for place, file in enumerate(look.files)}
    known = [*_learnings(look), *_documents(look), *_facts(look, number)]
    for one in known:
        paths = one.pop("paths")
        one["places"] = sorted(number[path] for path in paths if path in number)
        one["lost"] = sorted(path for path in paths if path not in number)
    return {"files": look.files, "known": known}


def _learnings(look: Look) -> Iterator[dict[str, Any]]:
    for one in look.learnings:
        yield {
            "ref": one.stored.ref,
            "kind": "learning",
            "title": title(one.stored.learning.content),
            "verdict": one.standing.word,
            "drift": one.standing.drift,
            "paths": {*one.paths},
            "at": one.stored.learning.created_at,
        }


def _documents(look: Look) -> Iterator[dict[str, Any]]:
    """Yield documents, each with its own file and those that its sections speak of."""
    told = defaultdict[str, set[str]](set)
    for edge in look.edges:
        ends = [look.names[end] for end in edge[:2] if end in look.names]
        if edge.type == EdgeType.LINKS_TO and len(ends) == len(edge[:2]):
            source, target = (end.reference.path for end in ends)
            if source and target:
                told[source].add(target)
    for path, name in DocumentStore(look.kernel.database).titles().items():
        yield {
            "ref": path,
            "kind": "document",
            "title": title(name),
            "verdict": look.documents.get(path),
            "drift": None,
            "paths": {path, *told[path]},
            "at": None,
        }


def _facts(look: Look, files: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield facts, each with the file that says it and those that it is about."""
    for stored, state in look.facts:
        fact = stored.fact
        about = {name for name in (stored.subject_name, stored.object_name) if name in files}
        yield {
            "ref": stored.ref,
            "subject": f"entity:{stored.subject_name}",
            "kind": "fact",
            "title": title(f"{stored.subject_name} {fact.predicate}: {stored.told}"),
            "verdict": state,
            "drift": None,
            "paths": about.union(filter(None, [fact_place(fact)])),
            "at": fact.created_at,
        }


def together(kernel: Kernel) -> dict[str, Any]:
    """Return the pairs of files that change together, the best first, and whether one of both imports the other."""
    pairs = kernel.one(CoChanges).all_cochanges()
    shown, imports = pairs[:_MOST_PAIRS], {(one.source, one.target) for one in kernel.one(ImportGraph).all_imports()}
    files = sorted({path for pair in shown for path in (pair.file_a, pair.file_b)})
    number = {path: place for place, path in enumerate(files)}
    rest = len(pairs) - len(shown)
    return {
        "files": files,
        "pairs": [
            [
                number[one.file_a],
                number[one.file_b],
                round(one.score, DIGITS),
                one.shared,
                int(bool({(one.file_a, one.file_b), (one.file_b, one.file_a)} & imports)),
            ]
            for one in shown
        ],
        "left_out": [f"Left out: {rest:,} pairs with the lowest scores."] if rest else [],
    }


SNAPSHOTS: dict[str, Callable[[Kernel], dict[str, Any]]] = {
    "about": about,
    "map": map_,
    "graph": graph,
    "together": together,
    "time": time,
    "structure": structure,
}
"""Every snapshot by its name."""


class Snapshots:
    """Makes snapshots, and keeps each for as long as nothing it rests on has changed."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._kept: dict[str, tuple[object, str]] = {}

    def forget(self) -> None:
        """Keep what is here: it is known of what state it is."""

    def text(self, name: str) -> str:
        """Return a snapshot as JSON."""
        kernel = self._kernel
        if name == "about":  # it says what time it is
            return as_text(about(kernel))
        repository = kernel.checkout.repository
        head = repository.head() if repository else None
        state = (PictureStore(kernel.database).state(), head, kernel.one(Look).verdicts())
        if name not in self._kept or self._kept[name][0] != state:
            self._kept[name] = (state, as_text(SNAPSHOTS[name](kernel)))
        return self._kept[name][1]


def as_text(document: Mapping[str, Any]) -> str:
    """Return a document as JSON in which nothing hides."""
    return inert_json(json.dumps(document, ensure_ascii=False, separators=(",", ":")))


def selection(kernel: Kernel, node: Ref | None) -> str:
    """Return the part of the page's address that selects a node; empty for none.

    Raises:
        NotFound: The reference names nothing, or more than one thing.
    """
    return "" if node is None else f"#/around/{quote(kernel.one(References).node(ref_of(node)).ref)}"
