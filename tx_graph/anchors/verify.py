"""Verifies anchors: which to look at, what became of each, and writing down what that means."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches, unified_diff
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, ClassVar

from tx_graph.anchors.blame import Blame, Cause
from tx_graph.anchors.evidence import Change, evidence
from tx_graph.anchors.judging import refreshed
from tx_graph.anchors.log import Life, lives, tell
from tx_graph.anchors.recorded import Chosen, Unread, recorded, rows_of, shown, unread
from tx_graph.anchors.relocating import about, check, everywhere
from tx_graph.anchors.severity import Finding, Severities, Severity, finding_of, read_baseline
from tx_graph.anchors.severity import write_baseline as save_baseline
from tx_graph.anchors.sources import Contents, SymbolLookup, sources
from tx_graph.anchors.store import AnchoredFileStore, AnchorLog
from tx_graph.anchors.verdict import AnchorEvent, EventKind, Judgement, Verdict, whereabouts
from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, StorageError, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import Root
from tx_graph.core.shape import Answer, Rows
from tx_graph.core.snapshot import looking_at
from tx_graph.core.tracing import span
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Reason, distinct_anchors, parse_anchor
from tx_graph.records.anchor_store import AnchorRow, AnchorState, AnchorStore
from tx_graph.records.learning_record import rewritten
from tx_graph.records.learning_store import Label, LearningStore
from tx_graph.records.references import LearningReferences

_LONGEST_TITLE = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Answer):
    """One anchor with its verdict.

    For a finding, `change` is the commit that brought it, if history knows; `is_uncommitted` says that none has yet.
    `difference` are lines of a unified diff from what was anchored to what is there, as far as both are known.
    `mended` says that the record was updated. `severity` says what it does, if it is a finding, and `is_known` that it
    was one before, in what the verification was compared with. What is said otherwise than of a learning has a
    `statement` and `advice`.
    """

    learning: Label
    judgement: Judgement
    change: Change | None = None
    is_uncommitted: bool = False
    difference: tuple[str, ...] = ()
    mended: bool = False
    severity: Severity = Severity.ERROR
    is_known: bool = False
    statement: str = ""
    advice: str = ""

    JSON: ClassVar = (
        "learning=learning.id uid=learning.uid learning_node=learning.uid@learning content=headline "
        "status=learning.status category=learning.category anchor=judgement.anchor.spec "
        "anchor_type=judgement.anchor.type "
        "node=judgement.reference verdict=judgement.word drift=judgement.drift old_verdict!=judgement.verdict "
        "reason=judgement.reason detail=judgement.detail file_path=judgement.place.path "
        "line_start=judgement.line_start line_end=judgement.line_end "
        "relocated_to=judgement.relocated_to.spec held_by=judgement.held_by.spec "
        "candidates=judgement.candidates commit=change.commit commit_node=change.commit@commit "
        "commit_subject=change.subject uncommitted=is_uncommitted diff=difference mended "
        "severity=severity_told known=is_known"
    )

    @property
    def severity_told(self) -> Severity | None:
        """What it does, None where it is no finding."""
        return self.severity if self.judgement.is_finding else None

    @property
    def is_error(self) -> bool:
        """Whether it is a finding that may fail the gate: neither known nor made less serious."""
        return self.judgement.is_finding and self.severity is Severity.ERROR and not self.is_known

    @property
    def headline(self) -> str:
        """The first line of the learning, cut where it is long."""
        line = self.learning.content.strip().partition("\n")[0].rstrip()
        return line if len(line) <= _LONGEST_TITLE else f"{line[: _LONGEST_TITLE - 1].rstrip()}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many anchors there are of each outcome; what is mild counts by its drift alone."""

    JSON: ClassVar = (
        "fresh=counts.valid relocated=counts.relocated drifted=counts.drifted gone=counts.invalid pinned=counts.pinned "
        "format=counts.format comment=counts.comment reserve=counts.reserve valid!=counts.valid invalid!=counts.invalid"
    )

    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How many findings there are, and how many of them fail the gate, are told, or counted; `new` if that is known."""

    JSON: ClassVar = "all errors warnings off new"

    all: int
    errors: int
    warnings: int
    off: int
    new: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Rows[Checked]):
    """What a verification found, by learning and anchor.

    `unread` are the records that are damaged: nobody knows what they are anchored to. `against` is what its findings
    were compared with: a branch, or a file; nothing where they were not.
    `notices` are sentences about what limited it. `command` made it.
    """

    checked: tuple[Checked, ...]
    root: Root
    command: str = "graph:verify"
    unread: tuple[Unread, ...] = ()
    against: str = ""
    notices: tuple[str, ...] = ()

    ROWS: ClassVar = "checked"
    JSON: ClassVar = "summary=tally anchors=checked unread findings=found against? notices"

    @property
    def found(self) -> Found:
        """How many findings there are, as JSON has it."""
        told = self.findings
        return Found(
            all=len(told),
            errors=sum(one.is_error for one in told),
            warnings=sum(one.severity is Severity.WARNING for one in told),
            off=sum(one.severity is Severity.OFF for one in told),
            new=sum(not one.is_known for one in told) if self.against else None,
        )

    @property
    def tally(self) -> Tally:
        """The summary, as JSON has it."""
        return Tally(counts=self.summary())

    @property
    def findings(self) -> list[Checked]:
        """What somebody has to look at."""
        return [one for one in self.checked if one.judgement.is_finding]

    def summary(self) -> dict[str, int]:
        """Return how many anchors there are of each outcome; every anchor counts once.

        What drifted in format or comments alone stands apart from `drifted`, for it is no finding.
        """
        counts: Counter[str] = Counter()
        for judgement in (one.judgement for one in self.checked):
            is_mild = judgement.verdict is Verdict.DRIFTED and not judgement.is_finding
            counts[(judgement.drift if is_mild else None) or judgement.verdict] += 1
        return {name: counts[name] for name in (*Verdict, Drift.FORMAT.value, Drift.COMMENT.value)}


class Gate(StrEnum):
    """What stops a build: every finding, only anchors that are invalid, or nothing."""

    DRIFTED = "drifted"
    INVALID = "invalid"
    NEVER = "never"

    def stops_at(self, report: Report) -> bool:
        """Whether a report has something to stop at; a record that cannot be read may hide anything."""
        return self.is_blind(report) or any(map(self.stops, report.checked))

    def is_blind(self, report: Report) -> bool:
        """Whether there is a record that cannot be read, and nobody said that it does not matter."""
        return bool(report.unread) and self is not Gate.NEVER

    def stops(self, checked: Checked) -> bool:
        """Whether this is something to stop at."""
        if self is Gate.DRIFTED:
            return checked.is_error
        return self is Gate.INVALID and checked.is_error and checked.judgement.verdict is Verdict.INVALID


def chosen_anchors(kernel: Kernel, places: Sequence[str], *, since: str | None = None, every: bool = False) -> Chosen:
    """Return anchors with their learnings, by learning and anchor: all that answers show, or those at some places.

    These are learnings, files, directories and symbols as one types them. With `since` only what differs from a
    revision; `every` takes in superseded, retracted and removed learnings.
    """
    if places:
        found = {row.id: (label, row) for place in places for label, row in _chosen_at(kernel, place, every=every)}
        chosen = list(found.values())
    else:
        chosen = shown(kernel, every=every)
    if since is not None:
        changed = PathMatcher(kernel.checkout.changed_since(since))
        records = frozenset(kernel.checkout.records_changed_since(since))
        chosen = [
            (label, row)
            for label, row in chosen
            if label.record in records
            or row.anchor.path in changed
            or (row.anchor.type is AnchorType.GLOB and changed.matching(row.anchor.path))
        ]
    return sorted(chosen, key=_order)


def _order(one: tuple[Label, AnchorRow]) -> tuple[int, str, str]:
    label, row = one
    return label.id, row.anchor.spec, row.anchor.type


def with_kin(kernel: Kernel, chosen: Chosen) -> Chosen:
    """Return anchors with the others of those of their learnings that have a fallback: they are judged together."""
    labels = {label.node: label for label, _ in chosen}
    rows = rows_of(kernel, labels.keys())
    kin = {row.learning for row in rows if row.anchor.fallback}
    there = {row.id for _, row in chosen}
    others = [row for row in rows if row.learning in kin and row.id not in there]
    return sorted([*chosen, *((labels[row.learning], row) for row in others)], key=_order)


def anchors_in(kernel: Kernel, paths: Collection[str]) -> Chosen:
    """Return the anchors in these files with their learnings, as far as answers show these; globs that match one."""
    files = PathMatcher(paths)
    rows = None if kernel.checkout.is_snapshot else AnchorStore(kernel.database).rows(places=files.paths)
    return [
        (label, row)
        for label, row in shown(kernel, rows, every=False)
        if row.anchor.path in files or (row.anchor.type is AnchorType.GLOB and files.matching(row.anchor.path))
    ]


def _chosen_at(kernel: Kernel, place: str, *, every: bool) -> Chosen:
    """Return the anchors of a learning, or those in a file or directory, or at a symbol, also one that is gone."""
    references, tree, store = kernel.one(LearningReferences), kernel.checkout.tree, AnchorStore(kernel.database)
    if references.is_learning(place):
        stored = references.learning(place)
        if kernel.checkout.is_snapshot:
            return [(label, row) for label, row in shown(kernel, every=True) if label.uid == stored.learning.uid]
        told = stored.learning
        label = Label(
            node=stored.node,
            id=stored.id,
            uid=told.uid,
            content=told.content,
            record=stored.record,
            status=told.status,
            category=told.category,
        )
        return [(label, row) for row in store.rows([stored.node])]
    typed = kernel.one(SymbolLookup).spelled_out(parse_anchor(place).spec)
    path = parse_anchor(typed).path
    paths = tree.candidates(path)
    wanted = [f"{candidate}{typed[len(path) :]}" for candidate in paths]
    rows = store.rows() if "." in paths else store.rows(places=[one.rstrip("/") for one in (*paths, *wanted)])

    def is_there(anchor: Anchor) -> bool:
        if anchor.type is AnchorType.GLOB and kernel.checkout.tracked_files().matches_any(anchor.path, wanted):
            return True
        return any(
            spec in (anchor.spec, anchor.path)
            or anchor.path.startswith("" if spec == "." else f"{spec.rstrip('/')}/")
            or anchor.spec.startswith(f"{spec}::")
            for spec in wanted
        )

    here = shown(kernel, [row for row in rows if is_there(row.anchor)], every=every)
    if not here and not any(tree.existing(parse_anchor(spec).path) for spec in wanted):
        anchored = sorted({row.anchor.path for _, row in shown(kernel, store.rows(), every=every)})
        near = get_close_matches(place, anchored, n=3, cutoff=0.5)
        raise NotFound(f"There is no '{place}', and nothing is anchored there.", candidates=near)
    return here


def _difference(kernel: Kernel, judgement: Judgement, cause: Cause) -> tuple[str, ...]:
    """Return lines of a unified diff from what was anchored to what is there."""
    anchor = judgement.anchor
    old = cause.before if anchor.text is None else anchor.text.split("\n")
    if old is None:
        return ()
    source, now = kernel.one(sources).get((judgement.relocated_to or anchor).path), list[str]()
    if source and judgement.drift:
        first, last = judgement.lines or (1, len(source.lines))
        now = source.lines[first - 1 : last]
    lines = list(unified_diff(old, now, n=1, lineterm=""))[3:]
    if any("\0" in line for line in lines):  # it is no text
        lines = []
    # The changed lines with their signs, and `@@` between places that lie apart.
    return tuple("@@" if line.startswith("@@") else line for line in lines)


def _keep(kernel: Kernel, chosen: Chosen, judgements: Sequence[Judgement], causes: Sequence[Cause]) -> None:
    now, database, contents = kernel.now(), kernel.database, kernel.one(Contents)
    changed: list[tuple[int, AnchorState]] = []
    events: dict[NodeId, list[AnchorEvent]] = defaultdict(list)
    proven: list[tuple[AnchorRow, str]] = []
    for (_, row), judgement, (change, *_) in zip(chosen, judgements, causes, strict=True):
        state, there = replace(row.state, verified_at=now), judgement.relocated_to
        if judgement.verdict is Verdict.RESERVE:
            state = AnchorState(verified_at=now)
        elif judgement.verdict is not Verdict.PINNED:
            # What lies elsewhere is looked for again each time.
            settled = judgement.verdict in (Verdict.VALID, Verdict.DRIFTED) and there is None
            content = contents.known(row.anchor.path) if settled else None
            is_valid = judgement.verdict in (Verdict.VALID, Verdict.RELOCATED)
            state = AnchorState(
                status="valid" if is_valid else judgement.verdict.value,
                drift=judgement.drift,
                reason=judgement.reason,
                found_at=there.spec if there else None,
                found_lines=judgement.lines,
                verified_at=now,
                verified_hash=about(content) if content else None,
            )
        if kind := _happened(row.state, judgement, state):
            event = AnchorEvent(
                at=now,
                kind=kind,
                anchor=judgement.anchor,
                detected_by="graph:verify",
                old_status=row.state.status,
                new_status=state.status,
                drift=judgement.drift,
                reason=judgement.reason,
                detail=judgement.detail,
                commit=change.commit if change else None,
                **whereabouts(there),
            )
            events[row.learning].append(event)
        elif change:
            proven.append((row, change.commit))
        if row.state.verified_at is None or _told(row.state) != _told(state):
            changed.append((row.id, state))
    # Findings of before whose commits the log does not name yet, as when they were made since.
    log = AnchorLog(database)
    told = {node: lives(log.of(node)) for node in {row.learning for row, _ in proven}}
    unnamed = [
        (row, commit) for row, commit in proven if told[row.learning].get(row.anchor.key, Life()).broken_by != commit
    ]
    if not changed and not unnamed and not contents.has_news:
        return
    with database.transaction():
        AnchorStore(database).save_states(changed)
        AnchoredFileStore(database).save(contents.seen())
        for learning, happened in events.items():
            tell(database, learning, happened, at=now)
        for row, commit in unnamed:
            log.explain(row.learning, row.anchor, commit)
            tell(database, row.learning, (), at=now)


def _mend(kernel: Kernel, chosen: Chosen, judgements: Sequence[Judgement]) -> set[int]:
    """Write the anchors of each learning as they should be now; return the ids of those that changed."""
    new: dict[NodeId, dict[Anchor, Anchor]] = defaultdict(dict)
    mended: set[int] = set()
    for (_, row), judgement in zip(chosen, judgements, strict=True):
        there = None  # where all is right, or only people can tell
        if judgement.verdict is Verdict.RELOCATED:
            there = judgement.relocated_to
        elif judgement.verdict is Verdict.DRIFTED and not judgement.is_finding:
            there = refreshed(judgement.anchor, kernel.one(sources))
        if there is not None:
            new[row.learning][row.anchor] = there
            mended.add(row.id)
    if new and kernel.database.read_only:
        raise StorageError(
            "The records cannot be written here, so nothing was mended.",
            hint="Run it where they can be, or leave --fix out.",
        )
    with kernel.database.transaction():
        for node, anchors in new.items():
            (stored,) = LearningStore(kernel.database).by_nodes([node])
            kept = distinct_anchors(anchors.get(anchor, anchor) for anchor in stored.learning.anchors)
            rewritten(kernel, stored, replace(stored.learning, anchors=kept))
            now = kernel.now()
            events = [
                AnchorEvent(
                    at=now,
                    kind=EventKind.REFRESHED,
                    anchor=old,
                    detected_by="graph:verify --fix",
                    old_status="valid",
                    new_status="valid",
                    **whereabouts(there),
                )
                for old, there in anchors.items()
            ]
            tell(kernel.database, node, events, at=now)
    return mended


_told = attrgetter("status", "drift", "reason", "found_at", "found_lines", "verified_hash")
"""What a state says, but for when somebody looked."""


def _happened(before: AnchorState, judgement: Judgement, after: AnchorState) -> EventKind | None:
    """Return what happened since the last look; None when all is as it was, or only formatting changed."""
    if judgement.verdict in (Verdict.PINNED, Verdict.RESERVE) or _essence(before) == _essence(after):
        return None
    if judgement.is_finding or judgement.verdict is Verdict.RELOCATED:
        return EventKind(judgement.verdict.value)
    counts = before.drift is not None and before.drift.counts
    return EventKind.HEALED if before.status == "invalid" or counts or before.found_at is not None else None


def _essence(state: AnchorState) -> tuple[object, ...]:
    """Return what makes two states differ for the log."""
    drift = state.drift if state.drift and state.drift.counts else None
    return (state.status if drift or state.status == "invalid" else "valid", drift, state.reason, state.found_at)


@span("verify")
def verify(
    kernel: Kernel,
    places: Annotated[
        Sequence[str],
        Arg(
            "[REF|PATH]...",
            "Only these learnings, files, directories or symbols.",
            is_split=False,
            mcp="learnings, files, symbols",
        ),
    ] = (),
    *,
    since: Annotated[
        str | None,
        Arg("REV", "Only what changed since HEAD and REV parted.", mcp="a revision"),
    ] = None,
    staged: Annotated[bool, Arg(help="Judge what git's index holds, not the working tree.")] = False,
    every: Annotated[bool, Arg(help="Also superseded, retracted and removed learnings.", flag="--all")] = False,
    fix: Annotated[bool, Arg(help="Let anchors follow code that went elsewhere, in the records.")] = False,
    new_only: Annotated[bool, Arg(help="What was a finding where this branch began does not fail.")] = False,
    base: Annotated[
        str | None, Arg("REV", "The branch that --new-only compares with; else --since, or the default branch.")
    ] = None,
    baseline: Annotated[str | None, Arg("FILE", "What this file lists does not fail.")] = None,
    write_baseline: Annotated[bool, Arg(help="Write all findings to the file of --baseline.")] = False,
    fail_on: Annotated[Gate, Arg("WHAT", f"What ends in status 1: {choices(Gate)}.")] = Gate.DRIFTED,
    keep: bool = True,
) -> Report:
    """Verify that anchors hold: exit status 1 when code changed under a learning, or is gone.

    Formatting, comments and code that merely went elsewhere are no findings; --fix writes them into the records, for
    'git diff' to show. Pinned anchors are skipped. --since looks at what 'git diff REV...' names and at what is not
    committed yet. --staged is for hooks: it judges the index with the records that it has, as they will be
    committed. What fails and what is only told, by category and path, say the settings verify.error, verify.warn and
    verify.off. A finding is for people to settle: 'tx graph:confirm' where the learning is still true, 'tx
    learning:edit' where it is not. github, gitlab, sarif and junit are for CI; see docs/ci-gate.md.

    Example:
      tx graph:verify
      tx graph:verify src/auth.py 12 --fix
      tx graph:verify --since origin/main --format github
      tx graph:verify --staged --since HEAD
      tx graph:verify --new-only --base origin/main
      tx graph:verify --baseline .tx/baseline.json --write-baseline
      tx graph:verify --fail-on invalid --format junit > anchors.xml
    """
    del fail_on  # what the caller does with the report
    if staged and fix:
        raise UsageError("--fix writes records of the working tree, which --staged does not look at.")
    if base is not None and not new_only:
        raise UsageError("--base is what --new-only compares with.", hint="Give both.")
    if write_baseline and baseline is None:
        raise UsageError("--write-baseline writes to the file of --baseline.", hint="Give both.")
    file = None if baseline is None else kernel.cwd / baseline
    known = frozenset[Finding]() if file is None or write_baseline else read_baseline(file)
    with looking_at(kernel, staged=staged) as seen:
        report = _report(seen, places, since=since, every=every, fix=fix, keep=keep)
        found = [one for one in report.checked if one.judgement.is_finding]
        prints = {one: finding_of(one.learning, one.judgement, seen.one(sources)) for one in found}
        branch = (base or since or kernel.checkout.default_branch()) if new_only else ""
        if branch and found:
            known |= _found_before(kernel, seen.checkout.parting_from(branch), {one.learning.uid for one in found})
    if file is not None and write_baseline:
        save_baseline(file, prints.values())
        known |= frozenset(prints.values())
    against = " and ".join(filter(None, (branch, baseline or "")))
    checked = tuple(replace(one, is_known=prints.get(one) in known) for one in report.checked)
    return replace(report, checked=checked, against=against)


def _found_before(kernel: Kernel, commit: str | None, uids: Collection[str]) -> frozenset[Finding]:
    """Return the findings that a commit had about these learnings; without a commit there were none."""
    if commit is None:
        return frozenset()
    with looking_at(kernel, revision=commit) as seen:
        chosen = [(label, row) for label, row in shown(seen, every=True) if label.uid in uids]
        seen.one(Contents).look({row.anchor.path for _, row in chosen})
        judged = check(seen, seen.one(everywhere), [row for _, row in chosen])
        return frozenset(
            finding_of(label, judgement, seen.one(sources))
            for (label, _), judgement in zip(chosen, judged, strict=True)
            if judgement.is_finding
        )


def _report(kernel: Kernel, places: Sequence[str], *, since: str | None, every: bool, fix: bool, keep: bool) -> Report:
    kernel.one(sources).forget()
    history, chosen = kernel.one(evidence), chosen_anchors(kernel, places, since=since, every=every)
    if places or since is not None:
        chosen = with_kin(kernel, chosen)
    kernel.one(Contents).look({row.anchor.path for _, row in chosen})
    judgements = check(kernel, kernel.one(everywhere), [row for _, row in chosen])
    # Of some reasons history has nothing to say.
    evident = (Reason.OUTSIDE_REPOSITORY, Reason.INVALIDATED)
    found = [one for one in judgements if one.is_finding and one.reason not in evident]
    if history:
        history.prepare([one.anchor.path for one in found if one.anchor.fingerprints])
    blame = Blame(history, kernel.one(sources)) if history else None
    found.sort(key=lambda one: one.anchor.path)  # so that no version of a file is read twice
    by_anchor = {one.anchor: blame.cause(one) if blame else Cause() for one in found}
    causes = [by_anchor.get(one.anchor, Cause()) for one in judgements]
    if keep and not kernel.database.read_only and not kernel.checkout.is_snapshot:
        _keep(kernel, chosen, judgements, causes)
    mended = _mend(kernel, chosen, judgements) if fix else set()
    severities = Severities(kernel.config)
    checked = tuple(
        Checked(
            learning=label,
            judgement=judgement,
            change=cause.change,
            is_uncommitted=cause.is_uncommitted,
            difference=_difference(kernel, judgement, cause) if judgement.anchor in by_anchor else (),
            mended=row.id in mended,
            severity=severities.of(label, judgement) if judgement.is_finding else Severity.ERROR,
        )
        for (label, row), judgement, cause in zip(chosen, judgements, causes, strict=True)
    )
    told, damaged = kernel.one(recorded) if kernel.checkout.is_snapshot else None, unread(kernel)
    records, they = ("A record", "it is") if len(damaged) == 1 else (f"{len(damaged):,} records", "they are")
    skipped = f"{records} cannot be read, so what {they} anchored to was not verified; 'tx doctor' says why."
    is_unexplained = any(one.judgement.is_finding and not (one.change or one.is_uncommitted) for one in checked)
    ignorance = history.caveat if history and is_unexplained else ""
    notices = filter(None, (kernel.checkout.caveat, skipped if damaged else "", told.caveat if told else "", ignorance))
    said = tuple(dict.fromkeys(notices))
    return Report(checked=checked, root=kernel.place.root, unread=damaged, notices=said)
