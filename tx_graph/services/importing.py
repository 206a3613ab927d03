"""Imports learnings from JSON lines, all or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.learning import Learning, StoredLearning
from tx_graph.errors import TxError, UsageError
from tx_graph.ports import Progress, no_progress
from tx_graph.records.format import canonical, distinct_links
from tx_graph.services.import_lines import parse_line
from tx_graph.services.learnings import Learnings, merged
from tx_graph.services.record_sync import RecordSync
from tx_graph.storage.learnings import LearningStore

_MOST_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What an import did; each of its `lines` counts once.

    `added` lines brought a new learning; `updated` ones gave a known one anchors, keywords or links; `revived` ones
    brought a removed one back; `duplicates` changed nothing.
    """

    added: int
    duplicates: int
    lines: int
    updated: int = 0
    revived: int = 0


class _Outcome(Enum):
    """What one line does."""

    ADDED = auto()
    UPDATED = auto()
    REVIVED = auto()
    DUPLICATE = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line as it was read; the anchors that were `carried` came with their fingerprints."""

    learning: Learning
    carried: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    """A learning as it will stand after the import, and as it is stored, if it is."""

    stored: StoredLearning | None
    learning: Learning


class Importing:
    """Adds many learnings at once, by the rule of adding one: known content is not added but gains what it lacks."""

    def __init__(self, *, learnings: Learnings, store: LearningStore, sync: RecordSync[Learning]) -> None:
        self._learnings = learnings
        self._store = store
        self._sync = sync

    def run(self, lines: Iterable[str], *, progress: Progress = no_progress) -> ImportReport:
        """Take in one learning per line of JSON, as if they were added one after the other.

        Content that is known keeps its fields, gains the line's anchors, keywords and links, and comes back if it was
        removed. A line that says that it was removed comes in removed, and does nothing to content that is known.

        Raises:
            UsageError: Some lines are no learnings; nothing was added. The message names the lines.
            StorageError: The records or the database cannot be written; nothing was added.
        """
        read = self._read(lines)
        with self._sync.exclusively():
            plan = self._known(read)
            _check_uids_of_lines(read)
            read = _by_their_names_here(read, plan)
            outcomes = Counter(_take(line, plan) for line in read)
            self._check_uids(plan.values())
            self._write(plan.values(), progress)
        return ImportReport(
            added=outcomes[_Outcome.ADDED],
            updated=outcomes[_Outcome.UPDATED],
            revived=outcomes[_Outcome.REVIVED],
            duplicates=outcomes[_Outcome.DUPLICATE],
            lines=len(read),
        )

    def _read(self, lines: Iterable[str]) -> list[_Line]:
        read: list[_Line] = []
        problems: list[str] = []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                read.append(self._line(line))
            except TxError as error:
                problems.append(f"line {number}: {error.message.removesuffix('.')}")
        _refuse(problems, len(read) + len(problems))
        return read

    def _write(self, planned: Iterable[_Planned], progress: Progress) -> None:
        new: list[Learning] = []
        changed: dict[str, Learning] = {}
        for one in planned:
            if one.stored is None:
                new.append(one.learning)
            elif one.learning != canonical(one.stored.learning):
                changed[one.stored.record] = one.learning
        total = len(new) + len(changed)
        self._sync.write_many(new, changed, progress=lambda done: progress(done, total))

    def _known(self, lines: list[_Line]) -> dict[str, _Planned]:
        """Return what is stored of the lines' contents, by content."""
        existing = {content for _, _, content in self._store.labels()}
        known: dict[str, _Planned] = {}
        for content in dict.fromkeys(line.learning.content for line in lines):
            if content in existing and (stored := self._learnings.same_content(content)):
                known[content] = _Planned(stored=stored, learning=canonical(stored.learning))
        return known

    def _line(self, text: str) -> _Line:
        line = parse_line(text)
        prepared = self._learnings.prepared(line.draft)
        learning = replace(
            prepared,
            uid=line.uid or prepared.uid,
            created_at=line.created_at or prepared.created_at,
            anchors=(*prepared.anchors, *line.carried),
            links=line.links,
            superseded_by=line.superseded_by,
            removed_at=line.removed_at,
            removal_reason=line.removal_reason,
        )
        return _Line(learning=canonical(learning), carried=line.carried)

    def _check_uids(self, planned: Iterable[_Planned]) -> None:
        """Refuse uids that exist already, and links to learnings that neither exist nor come with this import."""
        new, gained = set(), set()
        for one in planned:
            if one.stored is None:
                new.add(one.learning.uid)
            known = one.stored.learning.links if one.stored else ()
            gained |= {link.target for link in one.learning.links} - {link.target for link in known}
        for uid in sorted(new):
            if self._store.by_uid_prefix(uid):
                raise UsageError(f"Two learnings would have the uid {uid}; nothing was imported.")
        for target in sorted(gained - new):
            if not self._store.by_uid_prefix(target):
                raise UsageError(f"A link leads to '{target}', which is no learning's uid; nothing was imported.")


def _check_uids_of_lines(lines: list[_Line]) -> None:
    """Refuse one uid for two contents."""
    contents: dict[str, str] = {}
    for line in lines:
        uid, content = line.learning.uid, line.learning.content
        if contents.setdefault(uid, content) != content:
            raise UsageError(f"Two learnings would have the uid {uid}; nothing was imported.")


def _by_their_names_here(lines: list[_Line], plan: Mapping[str, _Planned]) -> list[_Line]:
    """Return the lines with uids as they are here, where a content may be known by another one than in the file."""
    uids = {content: planned.learning.uid for content, planned in plan.items()}
    for line in lines:
        uids.setdefault(line.learning.content, line.learning.uid)
    here = {line.learning.uid: uids[line.learning.content] for line in lines}
    return [replace(line, learning=_renamed(line.learning, here)) for line in lines]


def _renamed(learning: Learning, here: Mapping[str, str]) -> Learning:
    uid = here[learning.uid]
    links = [replace(link, target=here.get(link.target, link.target)) for link in learning.links]
    superseded_by = here.get(learning.superseded_by or "", learning.superseded_by)
    return replace(
        learning,
        uid=uid,
        links=distinct_links(link for link in links if link.target != uid),
        superseded_by=superseded_by if superseded_by != uid else None,
    )


def _take(line: _Line, plan: dict[str, _Planned]) -> _Outcome:
    """Let one line change the plan; return what it did."""
    learning = line.learning
    if learning.content not in plan:
        plan[learning.content] = _Planned(stored=None, learning=learning)
        return _Outcome.ADDED
    planned = plan[learning.content]
    if learning.removed_at is not None:
        return _Outcome.DUPLICATE
    after = replace(merged(planned.learning, learning, carried=line.carried), removed_at=None, removal_reason=None)
    plan[learning.content] = replace(planned, learning=after)
    if planned.learning.removed_at is not None:
        return _Outcome.REVIVED
    return _Outcome.UPDATED if after != planned.learning else _Outcome.DUPLICATE


def _refuse(problems: list[str], count: int) -> None:
    if not problems:
        return
    shown = problems[:_MOST_SHOWN]
    if len(problems) > len(shown):
        shown.append(f"… and {len(problems) - len(shown)} more")
    listing = "\n  ".join(shown)
    raise UsageError(f"{len(problems)} of {count} lines cannot be imported, so nothing was:\n  {listing}")
