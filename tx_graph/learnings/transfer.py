"""Learnings many at once: imported from JSON lines, exported, embedded; a part of `workspace.learnings`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

from tx_graph.anchors.linking import parse_link, parse_relation
from tx_graph.core.arguments import Arg, Force, Reads
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import TxError, UsageError
from tx_graph.core.guard import SecretSuspected, refuse
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import clean_label, is_uid
from tx_graph.core.ports import Progress, Stages, alike, no_progress
from tx_graph.core.shape import Answer, as_json
from tx_graph.learnings.learnings import Draft, merged, prepared, same_content
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, parse_anchor, parse_lines
from tx_graph.records.front_matter import ANCHOR_KEYS, choice, read_anchor, unit, utc_time
from tx_graph.records.learning import FIELDS, Learning, Link, SourceType, Status, StoredLearning
from tx_graph.records.learning_record import LEARNING_FORMAT, canonical, distinct_links, learning_sync
from tx_graph.records.learning_store import LearningStore
from tx_graph.vectors.embedding import Embedding, EmbeddingStatus

_DRAFTED = frozenset("content category keywords status confidence source_type source_ref anchors links".split())
"""What anybody may say who adds a learning; the rest comes with one that was made elsewhere."""
_LOCAL = frozenset(
    """id updated_at usage_count helpful_score last_used_at feedback_score record verdict stale existed
    revived""".split()
)
"""What `learning:list --json` also prints, and an import leaves behind."""


def parse_line(text: str) -> tuple[Draft, dict[str, Any], tuple[Anchor, ...]]:
    """Return what one line of JSON says: a draft, what one made elsewhere has beyond that, anchors with fingerprints.

    What was superseded is so unless the line has another status. The targets of links are uids.
    """

    def refused(constant: str) -> float:
        raise UsageError(f"{constant} is not JSON")

    try:
        fields = json.loads(text, parse_constant=refused)
    except json.JSONDecodeError as error:
        raise UsageError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except ValueError as error:
        raise UsageError(f"it has a number that is too long: {error}") from None
    except RecursionError:
        raise UsageError("it is nested too deeply") from None
    if not isinstance(fields, dict):
        raise UsageError("it is not a JSON object")
    if unknown := sorted({key for key in fields if not f"_{key}".endswith("_node")} - set(FIELDS) - _LOCAL):
        raise UsageError(f"unknown field '{unknown[0]}'")
    anchors = [_anchor(entry) for entry in _list(fields, "anchors")]
    status = fields.get("status") or (Status.SUPERSEDED if fields.get("superseded_by") else Status.ACTIVE)
    content, category, keywords = _text(fields, "content"), _text(fields, "category"), _list(fields, "keywords")
    if not all(isinstance(word, str) for word in keywords):
        raise UsageError("each of the 'keywords' must be text")
    draft = Draft(
        content=content or "",
        category=category,
        keywords=keywords,
        status=choice(Status, status, "status"),
        confidence=_number(fields.get("confidence", 1.0), "confidence"),
        source_type=choice(SourceType, fields.get("source_type") or SourceType.MANUAL, "source type"),
        source_ref=_text(fields, "source_ref"),
        anchors=[anchor for anchor in anchors if isinstance(anchor, AnchorRequest)],
    )
    given: dict[str, Any] = {
        name: _READ.get(name, _label)(_text(fields, name) or "", name)
        for name in FIELDS
        if name not in _DRAFTED and fields.get(name) is not None
    }
    given["links"] = tuple(_link(entry) for entry in _list(fields, "links"))
    return draft, given, tuple(anchor for anchor in anchors if isinstance(anchor, Anchor))


def _text(fields: Mapping[str, Any], key: str) -> str | None:
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"'{key}' must be text")
    return value


def _list(fields: Mapping[str, Any], key: str) -> list[Any]:
    value = fields.get(key)
    if value is not None and not isinstance(value, list):
        raise UsageError(f"'{key}' must be a list")
    return value or []


def _number(value: object, what: str) -> float:
    """Return a number of JSON's; a record's, which `unit` reads too, may be spelled as text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"The {what} must be a number from 0 to 1.")
    return unit(value, what)


def _uid(text: str, key: str) -> str:  # noqa: ARG001 - how fields are read
    if not is_uid(text):
        raise UsageError(f"'{text}' is no uid")
    return text


def _label(text: str, key: str) -> str:
    return clean_label(text, what=key)


_READ = {"uid": _uid, "superseded_by": _uid, "created_at": utc_time, "removed_at": utc_time}
"""How those fields are read that are no line of text."""


def _anchor(entry: object) -> Anchor | AnchorRequest:
    """Return an anchor with the fingerprints it came with, or the request to take one now."""
    if isinstance(entry, str):
        return parse_anchor(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
        raise UsageError("an anchor must be PATH[::SYMBOL][:L1-L2] or an object with a 'path'")
    if entry.get("type") and any(entry.get(key) for key in ("fingerprints", "pinned", "invalidated")):
        return read_anchor({key: entry.get(key) for key in ANCHOR_KEYS if entry.get(key) is not None})
    symbol = _text(entry, "symbol")
    lines = parse_lines(str(entry["lines"])) if entry.get("lines") else None
    kind = choice(AnchorType, entry["type"], "anchor type") if entry.get("type") else None
    is_fallback = entry.get("fallback") is True
    return AnchorRequest(path=entry["path"], symbol=symbol, lines=lines, type=kind, fallback=is_fallback)


def _link(entry: object) -> Link:
    link = parse_link(entry) if isinstance(entry, str) else None
    if link is None and isinstance(entry, dict):
        relation = parse_relation(str(entry.get("relation", "references")))
        weight = _number(entry.get("weight", 1.0), "weight")
        link = Link(target=str(entry.get("target", "")), relation=relation, weight=weight)
    if link is None or not is_uid(link.target):
        raise UsageError("a link must be UID[:relation] or an object whose 'target' is a uid")
    return link


_MOST_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport(Answer):
    """What an import did; each of its `lines` counts once.

    `added` lines brought a new learning; `updated` ones gave a known one anchors, keywords or links; `revived` ones
    brought a removed one back; `duplicates` changed nothing.
    """

    added: int
    duplicates: int
    lines: int
    updated: int = 0
    revived: int = 0


_Planned = tuple[StoredLearning | None, Learning]
"""A learning as it is stored, if it is, and as it will stand after the import."""
_Line = tuple[Learning, tuple[Anchor, ...]]
"""A learning as it was read, and those of its anchors that came with their fingerprints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded(Answer):
    """How many learnings, entities, facts and source files got a vector."""

    learnings: int = 0
    entities: int = 0
    facts: int = 0
    cards: int = 0


class Transfer:
    """Learnings many at once.

    Lines that are no learnings are named by a UsageError; a StorageError tells that records or database cannot be
    written, a ModelError that the model is not installed or cannot be loaded.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)

    def import_(self, lines: Iterable[str], *, force: bool = False, progress: Progress = no_progress) -> ImportReport:
        """Return what came of taking in learnings, one JSON object a line as `export_lines` gives them; all or none.

        Content that is known keeps its fields, gains the line's anchors, keywords and links, and comes back if it was
        removed. A line that says that it was removed comes in removed, and does nothing to content that is known.
        What may be a secret is refused, unless with `force`.
        """
        read = self._read(lines, force=force)
        with self._kernel.database.transaction():
            existing = {content for _, _, content in self._store.labels()}
            plan: dict[str, _Planned] = {}
            for content in dict.fromkeys(learning.content for learning, _ in read):
                if content in existing and (stored := same_content(self._kernel, content)):
                    plan[content] = (stored, canonical(stored.learning))
            outcomes = Counter(_take(*line, plan) for line in _by_their_names_here(read, plan))
            self._check_uids(plan.values())
            new = [learning for stored, learning in plan.values() if stored is None]
            changed = {
                stored.record: learning
                for stored, learning in plan.values()
                if stored and learning != canonical(stored.learning)
            }
            total = len(new) + len(changed)
            sync = self._kernel.one(learning_sync)
            sync.write_many(new, changed, progress=lambda done: progress(done, total), force=force)
        names = ("added", "duplicates", "updated", "revived")
        return ImportReport(lines=len(read), **{name: outcomes[name] for name in names})

    def export(self, *, force: Force = False) -> tuple[StoredLearning, ...]:
        """Print all learnings that were not removed, one JSON object a line (with --json: one document).

        Where one may hold a secret nothing is printed: an export leaves the repository.

        Example:
          tx learning:export > learnings.jsonl
        """
        found = tuple(reversed(self._store.listed(limit=-1)))
        for one in found:
            refuse(LEARNING_FORMAT.told(one.learning), what=one.ref, force=force)
        return found

    def export_lines(self, *, force: bool = False) -> tuple[str, ...]:
        """Return what `export` does, each as a line of JSON that `import_` takes elsewhere."""
        return tuple(json.dumps(as_json(one), ensure_ascii=False) for one in self.export(force=force))

    def embed(self, *, again: bool = False, progress: Progress = no_progress) -> Embedded:
        """Return how many learnings and entities got the vector they lacked, or with `again` all of them a new one."""
        return _embedded(self._kernel, alike(progress), again=again)

    def embedding_status(self) -> EmbeddingStatus:
        """Return which model is in force, what vectors there are, and what lacks one."""
        return self._kernel.one(Embedding).status()

    def _read(self, lines: Iterable[str], *, force: bool) -> list[_Line]:
        read: list[_Line] = []
        problems: list[str] = []
        hint = ""
        for number, text in enumerate(lines, start=1):
            if not text.strip():
                continue
            try:
                draft, given, carried = parse_line(text)
                made = prepared(self._kernel, draft)
                learning = replace(made, **given, anchors=(*made.anchors, *carried))
                if not same_content(self._kernel, learning.content):
                    refuse([learning.content], what="The content", force=force)
                read.append((canonical(learning), carried))
            except TxError as error:
                problems.append(f"line {number}: {error.message.removesuffix('.')}")
                hint = hint or error.hint if isinstance(error, SecretSuspected) else hint
        if problems:
            shown = problems[:_MOST_SHOWN]
            if len(problems) > len(shown):
                shown.append(f"… and {len(problems) - len(shown)} more")
            count, listing = len(read) + len(problems), "\n  ".join(shown)
            raise UsageError(
                f"{len(problems)} of {count} lines cannot be imported, so nothing was:\n  {listing}", hint=hint
            )
        return read

    def _check_uids(self, planned: Iterable[_Planned]) -> None:
        """Refuse uids that exist already, and links to learnings that neither exist nor come with this import."""
        new, gained = set(), set()
        for stored, learning in planned:
            if stored is None:
                new.add(learning.uid)
            known = stored.learning.links if stored else ()
            gained |= {link.target for link in learning.links} - {link.target for link in known}
        for uid in sorted(new):
            if self._store.by_uid_prefix(uid):
                raise UsageError(f"Two learnings would have the uid {uid}; nothing was imported.")
        for target in sorted(gained - new):
            if not self._store.by_uid_prefix(target):
                raise UsageError(f"A link leads to '{target}', which is no learning's uid; nothing was imported.")


def _by_their_names_here(lines: list[_Line], plan: Mapping[str, _Planned]) -> Iterator[_Line]:
    """Yield the lines with uids as they are here, where a content may be known by another one than in the file."""
    contents: dict[str, str] = {}
    uids = {content: learning.uid for content, (_, learning) in plan.items()}
    for learning, _ in lines:
        if contents.setdefault(learning.uid, learning.content) != learning.content:
            raise UsageError(f"Two learnings would have the uid {learning.uid}; nothing was imported.")
        uids.setdefault(learning.content, learning.uid)
    here = {uid: uids[content] for uid, content in contents.items()}
    for learning, carried in lines:
        uid = here[learning.uid]
        links = [replace(link, target=here.get(link.target, link.target)) for link in learning.links]
        superseded_by = here.get(learning.superseded_by or "", learning.superseded_by)
        named = replace(
            learning,
            uid=uid,
            links=distinct_links(link for link in links if link.target != uid),
            superseded_by=superseded_by if superseded_by != uid else None,
        )
        yield named, carried


def _take(learning: Learning, carried: tuple[Anchor, ...], plan: dict[str, _Planned]) -> str:
    """Let one line change the plan; return what it did."""
    if learning.content not in plan:
        plan[learning.content] = (None, learning)
        return "added"
    if learning.removed_at is not None:
        return "duplicates"
    stored, before = plan[learning.content]
    after = replace(merged(before, learning, carried=carried), removed_at=None, removal_reason=None)
    plan[learning.content] = (stored, after)
    if before.removed_at is not None:
        return "revived"
    return "updated" if after != before else "duplicates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did, and how many learnings there are now that lack a vector."""

    JSON: ClassVar = "*report"

    report: ImportReport
    lacking: int


def import_(
    kernel: Kernel,
    file: Annotated[str, Arg("FILE", "A file of JSON lines; '-' reads stdin.", reads=Reads.FILE)],
    *,
    force: Force = False,
    progress: Progress = no_progress,
) -> Imported:
    """Import learnings, one JSON object a line with at least "content"; all or nothing.

    Other fields: category, keywords, status, confidence, source_type, source_ref, anchors, links. Text that is
    known is not added again: it gains the line's anchors, keywords and links, and comes back if it was removed.
    What 'learning:export' prints can be imported.

    Example:
      tx learning:import learnings.jsonl
      tx learning:export | tx -C ../other learning:import -
    """
    # Not splitlines: JSON may hold a U+2028 or U+0085 as it is, and for that a line would end there.
    report = kernel.one(Transfer).import_(file.split("\n"), force=force, progress=progress)
    embedding = kernel.one(Embedding)
    return Imported(report=report, lacking=embedding.lacking() if embedding.available else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingDone:
    """What was embedded just now, None where only the status was asked for, and how things are."""

    now: EmbeddingStatus
    done: Embedded | None = None

    JSON: ClassVar = "embedded=counts.learnings entities=counts.entities facts=counts.facts cards=counts.cards *now"

    @property
    def counts(self) -> Embedded:
        """How many got a vector."""
        return self.done or Embedded()


def embed(
    kernel: Kernel,
    *,
    again: Annotated[bool, Arg(help="Embed all again, also those that have a vector.", flag="--all")] = False,
    status: Annotated[bool, Arg(help="Only show what is stored.")] = False,
    stages: Stages,
) -> EmbeddingDone:
    """Give every learning, entity, fact and source file that has none its vector; after a change of model, its new one.

    Needs the model ('tx model install'). Search then also finds what says the same in other words.

    Example:
      tx learning:embed
      tx learning:embed --status
    """
    if again and status:
        raise UsageError("--all and --status exclude each other.")
    done = None if status else _embedded(kernel, stages, again=again)
    return EmbeddingDone(done=done, now=kernel.one(Embedding).status())


def _embedded(kernel: Kernel, stages: Stages, *, again: bool) -> Embedded:
    embedding = kernel.one(Embedding)
    with stages("Embedding", unit="learnings") as report:
        learnings = embedding.embed_lacking(again=again, progress=report)
    with stages("Embedding", unit="entities") as report:
        entities = embedding.embed_lacking("entities", again=again, progress=report)
    with stages("Embedding", unit="facts") as report:
        facts = embedding.embed_lacking("facts", again=again, progress=report)
    with stages("Embedding", unit="files") as report:
        cards = embedding.embed_lacking("cards", again=again, progress=report)
    return Embedded(learnings=learnings, entities=entities, facts=facts, cards=cards)
