"""Relations that people state and take back, and the records by which git carries these and replies of models.

A record is a JSON file that nobody ever changes, named by its content: what two clones write merges by itself. What
people said of two sections is the last of what the records say of them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from operator import itemgetter
from typing import Annotated, Any, ClassVar

from tx_graph.core.arguments import Arg, Ref, choices, ref_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, RELATIONS
from tx_graph.core.shape import Answer
from tx_graph.core.text import inert_line
from tx_graph.documents.edge_store import MANUAL, NOBODY, SectionEdgeStore
from tx_graph.documents.links import Linking
from tx_graph.documents.store import SectionStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.graph.resolving import References
from tx_graph.records.learning import unit_interval
from tx_graph.records.watch import RecordDirectory, record_directory

REPLY, WORD = "reply", "word"  # begin the names of records: what a model replied, what a person said
_RELATED, _TAKEN_BACK, _RESTORED = "related", "unrelated", "restored"
_NEEDED = {
    REPLY: {*"model prompt at windowing texts edges".split()},
    WORD: {*"at event source source_hash target target_hash relation weight description number".split()},
}
_LONGEST = 300  # characters of a description


@dataclass(frozen=True, slots=True, kw_only=True)
class Resettled(Answer):
    """What became of the relations from one section to another: `event` is related, unrelated or restored."""

    JSON: ClassVar = "source target relations event"

    source: str
    target: str
    relations: tuple[str, ...]
    event: str


class Relating:
    """Lets people state relations between sections, and take back what anybody said of them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def relate(
        self,
        source: Annotated[Ref, Arg("SECTION", "A section such as docs/a.md#setup, or a document.")],
        target: Annotated[Ref, Arg("OTHER", "The section that it leads to.")],
        *,
        relation: Annotated[Relation | None, Arg("NAME", f"What it means: {choices(Relation)}.")] = None,
        weight: Annotated[float | None, Arg("F", "How strong it is, 0 to 1.")] = None,
        description: Annotated[str, Arg("TEXT", "Why somebody who reads one should look at the other.")] = "",
    ) -> Resettled:
        """State that one section is related to another, or bring back what was taken back.

        It holds whatever becomes of their texts, and is written to .tx/relations/, which git carries.

        Example:
          tx doc:relate docs/deploy.md docs/auth.md#tokens --relation depends_on
        """
        strength = unit_interval(1.0 if weight is None else weight, what="weight")
        if not strength:
            raise UsageError("The weight must be above 0.")
        told = inert_line(description).strip()
        if told != without_secrets(told) or len(told) > _LONGEST:
            hint = f"At most {_LONGEST} characters, and no secret: git carries it."
            raise UsageError("The description cannot be kept.", hint=hint)
        one, other = self._ends(source, target)
        rows = self._said(one[0], other[0])
        wanted = {relation.value} if relation else {row[1] for row in rows if row[0] == NOBODY}
        taken = {row[1] for row in rows if row[0] == NOBODY and row[1] in {"", *wanted}}
        if taken and weight is None and not told:
            self._write(_RESTORED, one, other, wanted if "" not in taken else {""})
            again = {row[1] for row in self._said(one[0], other[0]) if row[0] not in (NOBODY, "structure", "link")}
            return Resettled(source=one[1], target=other[1], relations=tuple(sorted(again)), event=_RESTORED)
        name = (relation or Relation.REFERENCES).value
        self._write(_RELATED, one, other, [name], strength, told)
        return Resettled(source=one[1], target=other[1], relations=(name,), event=_RELATED)

    def unrelate(
        self,
        source: Annotated[Ref, Arg("SECTION", "The section that the relation leaves.")],
        target: Annotated[Ref, Arg("OTHER", "The section that it leads to.")],
        *,
        relation: Annotated[Relation | None, Arg("NAME", "Only relations of this meaning.")] = None,
    ) -> Resettled:
        """Take back for good what a model, an agent, vectors or a person said of two sections; doc:relate restores it.

        The next extraction does not bring it back. What a document says itself is changed there.

        Example:
          tx doc:unrelate docs/deploy.md docs/auth.md#tokens
          tx doc:unrelate docs/deploy.md docs/auth.md#tokens --relation contradicts
        """
        one, other = self._ends(source, target)
        found, written = set[tuple[bool, str]](), []
        for is_turned, ends in ((False, (one, other)), (True, (other, one))):
            for origin, name, *_ in self._said(ends[0][0], ends[1][0]):
                if (is_turned and name != Relation.SIMILAR_TO) or (relation and name != relation.value):
                    continue  # alike are two sections whichever is named first
                if origin in ("structure", "link"):
                    written.append(name)
                elif origin != NOBODY:
                    found.add((is_turned, name))
        if not found and written:
            hint = f"Edit {one[1].partition('#')[0]}, which relates them by a link or by its headings."
            raise UsageError(f"'{one[1]}' says itself that it is related to '{other[1]}'.", hint=hint)
        if not found:
            hint = f"'tx doc:show {one[1]}' shows what it is related to."
            raise NotFound(f"Nobody said that '{one[1]}' is related so to '{other[1]}'.", hint=hint)
        names = tuple(sorted({name for _, name in found}))
        forward = [relation.value if relation else ""] if any(not turned for turned, _ in found) else []
        self._write(_TAKEN_BACK, one, other, forward)
        self._write(_TAKEN_BACK, other, one, [name for turned, name in sorted(found) if turned])
        return Resettled(source=one[1], target=other[1], relations=names, event=_TAKEN_BACK)

    def _said(self, source: NodeId, target: NodeId) -> list[tuple[str, str, float, str]]:
        return SectionEdgeStore(self._kernel.database).said(source, target)

    def _ends(self, source: Ref, target: Ref) -> tuple[tuple[NodeId, str, str], tuple[NodeId, str, str]]:
        """Return node, reference and content hash of both sections."""
        found = []
        for typed in (source, target):
            node = self._kernel.one(References).node(ref_of(typed))
            digest = SectionStore(self._kernel.database).hashes([node.id] if node.id else []).get(node.id or 0)
            if node.id is None or digest is None:
                hint = "'tx doc:list' names documents, 'tx doc:show' their sections."
                raise NotFound(f"'{ref_of(typed)}' is no section of a document that was read.", hint=hint)
            found.append((node.id, node.ref, digest))
        if found[0][0] == found[1][0]:
            raise UsageError("A section cannot be related to itself.")
        return found[0], found[1]

    def _write(
        self,
        event: str,
        one: tuple[NodeId, str, str],
        other: tuple[NodeId, str, str],
        relations: Iterable[str],
        weight: float = 1.0,
        description: str = "",
    ) -> None:
        directory = record_directory(self._kernel, RELATIONS)
        ends = {"source": one[1], "source_hash": one[2], "target": other[1], "target_hash": other[2]}
        said = {"at": self._kernel.now(), "event": event, **ends, "weight": weight, "description": description}
        with self._kernel.database.transaction():
            # Two words of one second have an order too.
            said["number"] = sum(1 for _ in directory.path.glob(f"{WORD}-*.json"))
            before = is_noted(self._kernel, directory)
            write_records(directory, WORD, [said | {"relation": name} for name in relations])
            settle_by_hand(self._kernel)
            if before:
                note_records(self._kernel, directory)


def words_are_there(kernel: Kernel) -> bool:
    """Whether people said anything of sections."""
    return any(record_directory(kernel, RELATIONS).path.glob(f"{WORD}-*.json"))


def settle_by_hand(kernel: Kernel) -> None:
    """Make what people said the last that the records say of each pair of sections. Needs a transaction."""
    words = sorted(read_records(record_directory(kernel, RELATIONS), WORD), key=itemgetter("at", "number"))
    store, sections = SectionEdgeStore(kernel.database), SectionStore(kernel.database)
    refs = {said[end] for said in words for end in ("source", "target")}
    texts = {said[f"{end}_hash"] for said in words for end in ("source", "target")}
    nodes, by_text = sections.found(refs), sections.with_text(texts)
    # A section that is called otherwise now is known by what it says, if only one says so.
    node_of = {
        said[end]: nodes.get(said[end]) or by_text.get(said[f"{end}_hash"])
        for said in words
        for end in ("source", "target")
    }
    # By pair of sections and relation: the last word, None where it was taken back, and the last that stated it.
    state: dict[tuple[NodeId, NodeId], dict[str, Mapping[str, Any] | None]] = defaultdict(dict)
    stated: dict[tuple[NodeId, NodeId], dict[str, Mapping[str, Any]]] = defaultdict(dict)
    for said in words:
        source, target, name = node_of[said["source"]], node_of[said["target"]], said["relation"]
        if source is None or target is None:
            continue
        told, before = state[source, target], stated[source, target]
        if said["event"] == _TAKEN_BACK:
            state[source, target] = {n: one for n, one in told.items() if name and n != name} | {name: None}
            continue
        before |= {name: said} if said["event"] == _RELATED else {}
        left = {n: one for n, one in told.items() if one or n not in ("", name)}
        state[source, target] = left | {n: one for n, one in before.items() if n == name or not name}
    store.settle_by_hand(
        (*ends, name, said["weight"], said["description"], MANUAL) if said else (*ends, name, 1.0, "", NOBODY)
        for ends, told in state.items()
        for name, said in told.items()
    )
    Linking(kernel.database).write_outdated()


def write_records(directory: RecordDirectory, kind: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Write those that are not there yet, each under the hash of what it says."""
    for said in records:
        text = json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        name = f"{kind}-{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
        if directory.read(name) is None:
            directory.write(name, text.encode())


def read_records(directory: RecordDirectory, kind: str) -> Iterator[dict[str, Any]]:
    """Yield what the records of one kind say; `problems` names what is none."""
    for path in sorted(directory.path.glob(f"{kind}-*.json")):
        with suppress(ValueError, RecursionError):
            said = json.loads(directory.read(path.name) or b"")
            if isinstance(said, dict) and said.keys() >= _NEEDED[kind]:
                yield said


def problems(kernel: Kernel) -> list[tuple[str, str]]:
    """Return each file that is no record of a relation, with what is wrong with it as a sentence's end."""
    directory = record_directory(kernel, RELATIONS)
    good = {kind: sum(1 for _ in read_records(directory, kind)) for kind in (REPLY, WORD)}
    there = {kind: sum(1 for _ in directory.path.glob(f"{kind}-*.json")) for kind in good}
    return [
        (f"{DIRECTORY}/{RELATIONS}", f"holds {there[kind] - good[kind]} broken records; they are skipped")
        for kind in good
        if there[kind] > good[kind]
    ]


def is_noted(kernel: Kernel, directory: RecordDirectory) -> bool:
    """Whether the graph has what the records say."""
    last = AnalysisStore(kernel.database).last(RELATIONS)
    return (last.options["records"] if last else _listing([])) == _listing(directory.path.glob("*.json"))


def note_records(kernel: Kernel, directory: RecordDirectory) -> None:
    """Take note that the graph has what the records say."""
    options = {"records": _listing(directory.path.glob("*.json"))}
    run = AnalysisRun(name=RELATIONS, finished_at=kernel.now(), head=None, options=options)
    with kernel.database.transaction():
        AnalysisStore(kernel.database).record(run)


def _listing(paths: Iterable[Any]) -> str:
    return hashlib.sha256("\n".join(sorted(path.name for path in paths)).encode()).hexdigest()
