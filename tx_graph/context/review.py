"""The review of a change: what it makes untrue, what to know of it, what it lacks, and who should see it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Annotated, ClassVar, NamedTuple

from tx_graph.anchors.evidence import Evidence, evidence
from tx_graph.anchors.judging import judge_in
from tx_graph.anchors.recorded import unread
from tx_graph.anchors.relocating import check, everywhere
from tx_graph.anchors.severity import Severities, Severity
from tx_graph.anchors.sources import Contents, SourceText, sources
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Checked, Report, anchors_in, with_kin
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import read_symbols, why_skipped
from tx_graph.code.references import Target, Users
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.code.symbols import simple_name
from tx_graph.context.companions import Candidate, Candidates, Companion, Mention, companions, to_run
from tx_graph.context.concern import CONCERNED, concern
from tx_graph.context.impact import ImpactAnalysis, ToldOf, touched_by
from tx_graph.context.open_files import OpenFiles
from tx_graph.context.page import LEAST_BUDGET, STANDARD_BUDGET, code
from tx_graph.context.partners import why_silent
from tx_graph.context.who import Owner, Ownership
from tx_graph.core.arguments import Arg, choices
from tx_graph.core.changes import Change, FileChange, Hunk, change_of, conflicts, narrowed
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY
from tx_graph.core.repository import GitRepository
from tx_graph.core.revisions import TREE
from tx_graph.core.shape import Answer, NodeReference, reference_to
from tx_graph.core.snapshot import looking_at
from tx_graph.core.text import counted
from tx_graph.core.tracing import span
from tx_graph.documents.document import tells_of_the_past
from tx_graph.history.authors import Author, Authors
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.places import anchor_of, judged
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Reason
from tx_graph.records.learning import Status
from tx_graph.records.learning_store import Label

_CONTEXT_LINES = 3  # lines around a hunk whose authors count, as a diff shows them
_MOST_BLAMED = 20  # files in which authors are looked for, those that changed most
_MOST_SEEDS = 100  # changed symbols whose users are looked at
_THROUGH = 2  # uses between a test and what changed, at most
_MOST_KNOWN = 60
_MOST_NAMED = 3  # files in conflict
_MOST_REMOVED = 300  # names of symbols that went to look for
_MOST_MENTIONS = 200
_SHORTEST_NAME = 4
_COMPOUND = re.compile(r".*[A-Za-z0-9]_[A-Za-z0-9]|.*[a-z0-9][A-Z]|.*[A-Z]{2}[a-z]")
_OF_A_DIRECTORY = ("index", "main", "__init__", "__main__")
"""Files that go by the name of their directory."""
_OF_DECISIONS = re.compile(r"(?:^|/)(?:decisions?|adrs?|rfcs?)/", re.IGNORECASE)


class FailOn(StrEnum):
    """What ends a review in status 1: all that became untrue, only what is likely concerned, or nothing."""

    UNTRUE = "untrue"
    CONCERNED = "concerned"
    NEVER = "never"


class Kind(StrEnum):
    """What says something of code."""

    LEARNING = "learning"
    FACT = "fact"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Untrue:
    """Something that is said of code which this change makes doubtful.

    `path` and `line` are where the change did it, in `hunk`; `symbol` what it is said of. Of a document they are where
    it says so. `detail` is why, `concern` how likely that matters, in [0, 1], and `terms` the names and numbers of it
    that the change touches.
    """

    kind: Kind
    ref: str
    text: str
    path: str
    line: int
    detail: str
    concern: float
    uid: str = ""
    symbol: str = ""
    hunk: str = ""
    terms: tuple[str, ...] = ()
    checked: Checked | None = None
    JSON: ClassVar = (
        "kind ref uid? node text path line symbol~ hunk~ verdict?=checked.judgement.word "
        "drift?=checked.judgement.drift severity?=checked.severity detail concern terms"
    )

    @property
    def node(self) -> NodeReference | None:
        """What says it, where the graph has it."""
        if self.kind is Kind.DOCUMENT:
            return reference_to("file", self.path, line=self.line)
        return reference_to(self.kind.value, self.uid, ref=self.ref)

    @property
    def is_concerned(self) -> bool:
        """Whether the change likely concerns what is said."""
        return self.concern >= CONCERNED

    @property
    def stops(self) -> bool:
        """Whether a gate stops at it."""
        return self.checked is not None and self.checked.severity is Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Something to know before merging: a learning, or a decision in a document; `score` orders them, in [0, 1]."""

    kind: str
    ref: str
    text: str
    path: str
    reasons: tuple[str, ...]
    score: float
    uid: str = ""
    line: int | None = None
    symbol: str = ""
    JSON: ClassVar = "kind ref uid? text path line symbol~ reasons score"


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who should see a change: its owners by CODEOWNERS, and the authors of the lines around its hunks."""

    owners: tuple[Owner, ...] = ()
    authors: tuple[Author, ...] = ()
    JSON: ClassVar = "owners authors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(Answer):
    """What there is to say of a change, most important first in each part.

    `changed` are its files, `what` says which change it is, `tests` are those to run. `unread` counts the records that
    are damaged: nobody knows what they say. `notices` are sentences about what limited it.
    """

    what: str
    changed: tuple[str, ...]
    untrue: tuple[Untrue, ...] = ()
    known: tuple[Known, ...] = ()
    companions: tuple[Companion, ...] = ()
    tests: tuple[str, ...] = ()
    who: Audience = Audience()
    report: Report | None = None
    notices: tuple[str, ...] = ()
    unread: int = 0
    JSON: ClassVar = "what changed summary untrue known companions tests who notices"

    @property
    def summary(self) -> dict[str, int]:
        """How much there is of each."""
        return {
            "files": len(self.changed),
            "untrue": len(self.untrue),
            "concerned": sum(one.is_concerned for one in self.untrue),
            "known": len(self.known),
            "companions": len(self.companions),
            "unread": self.unread,
        }

    def fails(self, on: FailOn) -> bool:
        """Whether a gate stops at it; a record that cannot be read may hide anything."""
        if on is FailOn.NEVER:
            return False
        return bool(self.unread) or any(one.stops for one in self.untrue)


class _Said(NamedTuple):
    """A text about code, and the verdict on its anchor."""

    kind: Kind
    ref: str
    uid: str
    text: str
    judgement: Judgement
    label: Label | None = None


class Reviewing:
    """One review: what several of its parts ask for is found out once."""

    def __init__(self, kernel: Kernel, change: Change, *, fail_on: FailOn = FailOn.CONCERNED) -> None:
        self._kernel, self._fail_on = kernel, fail_on
        self._severities = Severities(kernel.config)
        own = f"{DIRECTORY}/"
        self._records = {one.path for one in change.files if one.path.startswith(own)}
        files = tuple(one for one in change.files if not one.path.startswith(own))
        self._change = replace(change, files=files)
        self._past: Evidence | None = kernel.one(evidence)
        self._notices: list[str] = []

    def review(self) -> Review:
        """Return all of it."""
        kernel, change = self._kernel, self._change
        damaged = len(unread(kernel))
        if damaged:
            records, they = ("A record", "it says") if damaged == 1 else (f"{damaged:,} records", "they say")
            self._notices.append(f"{records} cannot be read, so nobody knows what {they}; 'tx doctor' says why.")
        if not change.files and not self._records:
            return Review(
                what=change.what, changed=(), unread=damaged, notices=tuple(self._notices), report=self._report()
            )
        repository = kernel.checkout.repository
        if repository and change.seen == TREE and (unfinished := {*conflicts(repository)} & change.by_path.keys()):
            few, rest = sorted(unfinished)[:_MOST_NAMED], len(unfinished) - _MOST_NAMED
            named = ", ".join([*few, *([f"{rest:,} more"] if rest > 0 else [])])
            self._notices.append(f"In conflict, so what is said of it is said of both sides: {named}.")
        untrue, holding = self._judged()
        untrue += self._untold([one for one in self._mentions if sort_of(one.path) is FileSort.DOCUMENT])
        kinds = list(Kind)  # what people wrote down for this before passages that name something
        untrue.sort(
            key=lambda one: (not one.is_concerned, kinds.index(one.kind), -one.concern, one.path, one.line, one.ref)
        )
        if silence := why_silent(kernel):
            self._notices.append(silence)
        found = self.candidates()
        return Review(
            what=change.what,
            changed=tuple(one.path for one in change.files),
            untrue=tuple(untrue),
            known=tuple(self._known(holding)),
            companions=tuple(companions(found)),
            tests=tuple(to_run(found, self._testing)),
            who=self._audience(),
            report=self._report(untrue),
            notices=tuple(dict.fromkeys(self._notices)),
            unread=damaged,
        )

    def candidates(self) -> dict[str, Candidate]:
        """Return the files that may go with the change, with what speaks for each."""
        documents = {one.ref.partition("#")[0] for one in self._sections}
        telling = {path for path in documents if not tells_of_the_past(path)}
        others = [one for one in self._mentions if sort_of(one.path) is not FileSort.DOCUMENT]
        return Candidates(self._kernel, self._change).of(
            self._users, self._touched[0], mentions=others, telling=telling
        )

    @cached_property
    def _users(self) -> Users:
        return Users(self._kernel.database)

    @cached_property
    def _touched(self) -> tuple[list[Target], list[str]]:
        """The symbols in whose lines the change lies, and the files of which none is known."""
        return touched_by(self._users, self._change)

    @property
    def _testing(self) -> dict[str, int]:
        """The tests that use what changed, themselves or through one other, with the number of uses."""
        seeds, files = self._touched
        reached = self._kernel.one(ImpactAnalysis).reached(self._users, seeds[:_MOST_SEEDS], files, depth=_THROUGH)
        here = self._change.by_path
        return {one.path: one.hops for one in reached if one.is_test and one.path not in here}

    @cached_property
    def _sections(self) -> list[ToldOf]:
        """The sections of documents that lead to what changed, and name it."""
        return [*self._kernel.one(ImpactAnalysis).sections(*self._touched)]

    def _report(self, untrue: Sequence[Untrue] = ()) -> Report:
        """Return what became untrue as verification reports it."""
        checked = tuple(one.checked for one in untrue if one.checked)
        return Report(
            checked=checked,
            root=self._kernel.place.root,
            unread=unread(self._kernel),
            notices=tuple(self._notices),
            command="review",
        )

    # What became untrue: verdicts that are worse than they were before the change.

    def _judged(self) -> tuple[list[Untrue], list[tuple[Label, Judgement]]]:
        """Return what the change made untrue, and the anchors of learnings in its files that hold."""
        kernel, change = self._kernel, self._change
        kernel.one(sources).forget()
        chosen = anchors_in(kernel, change.paths)
        whole, mine = with_kin(kernel, chosen), {row.id for _, row in chosen}
        kernel.one(Contents).look({row.anchor.path for _, row in whole})
        verdicts = check(kernel, kernel.one(everywhere), [row for _, row in whole])
        said = [
            _Said(Kind.LEARNING, label.ref, label.uid, label.content, judgement, label)
            for (label, row), judgement in zip(whole, verdicts, strict=True)
            if row.id in mine
        ]
        holding = [(one.label, one.judgement) for one in said if one.label and not one.judgement.is_finding]
        found = [one for each in (*said, *self._facts()) if each.judgement.is_finding and (one := self._untrue(each))]
        before = sum(one.judgement.is_finding for one in said) - sum(one.kind is Kind.LEARNING for one in found)
        found = [one for one in found if one.checked and one.checked.severity is not Severity.OFF]
        if before:
            self._notices.append(
                f"{counted(before, 'anchor')} in these files did not hold before this change; see 'tx graph:verify'."
            )
        return found, holding

    def _facts(self) -> Iterator[_Said]:
        """Yield the facts that places in the changed files say, with the verdicts on these."""
        store = FactStore(self._kernel.database)
        if not store.version():
            return
        stored = {
            one.fact.uid: one
            for one in store.live()
            if (anchor := anchor_of(one.fact)) and anchor.path in self._change.by_path
        }
        for uid, judgement in judged(self._kernel, [one.fact for one in stored.values()]).items():
            one = stored[uid]
            told = f"{one.subject_name} {one.fact.predicate}: {one.told}"
            yield _Said(Kind.FACT, one.ref, uid, told, judgement)

    def _untrue(self, said: _Said) -> Untrue | None:
        """Return what a verdict says of the change; None where it was so before."""
        judgement, anchor = said.judgement, said.judgement.anchor
        file = self._change.by_path.get(anchor.path)
        source = self._before(file) if file else None
        before = judge_in(anchor, source) if source and anchor.type is not AnchorType.GLOB else None
        if before and before.is_finding and _badness(before) >= _badness(judgement):
            return None
        is_gone = judgement.verdict is Verdict.INVALID
        hunks = _touching(file, before.lines if before else None) if file else []
        size = before.lines[1] - before.lines[0] + 1 if before and before.lines else len(source.lines) if source else 1
        how = concern(
            said.text,
            [line for hunk in hunks for line in hunk.removed],
            [line for hunk in hunks for line in hunk.added],
            extent=max(sum(one.old_count for one in hunks), sum(one.new_count for one in hunks)) / max(1, size),
            is_signature=judgement.drift is Drift.SIGNATURE,
            is_gone=is_gone,
        )
        place = judgement.relocated_to or anchor
        first = hunks[0] if hunks else None
        return Untrue(
            kind=said.kind,
            ref=said.ref,
            uid=said.uid,
            text=said.text,
            path=place.path,
            line=first.lines[0] if first and not (file and file.is_gone) else judgement.line_start or 1,
            symbol=place.symbol or "",
            hunk=first.header if first else "",
            detail=judgement.detail,
            concern=how.score,
            terms=how.terms,
            checked=replace(_checked(said, difference=_lines_of(hunks)), severity=self._severity(said, how.score)),
        )

    def _severity(self, said: _Said, score: float) -> Severity:
        """Return what a finding does: no more than the settings say, and nothing to stop at where it hardly matters."""
        asked = self._severities.of(said.label, said.judgement) if said.label else Severity.ERROR
        is_mild = self._fail_on is not FailOn.UNTRUE and score < CONCERNED
        return Severity.WARNING if is_mild and asked is Severity.ERROR else asked

    def _before(self, file: FileChange) -> SourceText | None:
        """Return a file as it was before the change."""
        if self._past is None or self._change.base is None or file.old_path is None:
            return None
        return self._past.version(self._change.base, file.old_path)

    # What still names what the change takes away.

    @cached_property
    def _removed(self) -> dict[str, str]:
        """The names that no symbol has any more, and the paths of files that went, each with its file."""
        names: dict[str, str] = {}
        current = self._kernel.one(sources)
        for file in self._change.files:
            if file.is_gone or file.is_renamed:
                names |= dict.fromkeys(_called(file.old_path or file.path), file.path)
            if not (file.is_gone or any(hunk.removed for hunk in file.hunks)) or not language_of(file.path):
                continue
            old, new = self._before(file), None if file.is_gone else current.get(file.path)
            if old is None:
                continue
            gone = {simple_name(one) for one in _declared(old)} - {simple_name(one) for one in _declared(new)}
            names |= {name: file.path for name in gone if len(name) >= _SHORTEST_NAME and name.isidentifier()}
        symbols = [name for name in names if name.isidentifier()][:_MOST_REMOVED]
        still = SymbolStore(self._kernel.database).by_last_names(symbols)
        elsewhere = {name for name, places in still.items() if any(self._stands(path, name) for path, _ in places)}
        return {name: path for name, path in names.items() if name not in elsewhere}

    def _stands(self, path: str, name: str) -> bool:
        """Whether a file still declares a name: the index may be older than the change."""
        source = self._kernel.one(sources).get(path)
        return source is not None and any(simple_name(one) == name for one in _declared(source))

    @cached_property
    def _mentions(self) -> list[Mention]:
        """The lines that name what is gone, as far as it cannot be another word."""
        repository, removed = self._kernel.checkout.askable, self._removed
        if not removed or repository is None:
            return []
        found = []
        for path, line, text in _grepped(repository, [*removed], self._change):
            is_document = sort_of(path) is FileSort.DOCUMENT
            is_record = path.startswith(f"{DIRECTORY}/") or (is_document and tells_of_the_past(path))
            if is_record or sort_of(path) is FileSort.GENERATED:
                continue
            for name in removed:
                if name in text and _is_meant(name, text, is_document=is_document):
                    found.append(Mention(path, line, name, text.strip()))
                    break
        return found[:_MOST_MENTIONS]

    def _untold(self, mentions: Sequence[Mention]) -> Iterator[Untrue]:
        """Yield the lines of documents that name what is gone."""
        removed = self._change.by_path
        for one in mentions:
            by = removed[self._removed[one.name]]
            what = "symbol" if one.name.isidentifier() else "file"
            reason = Reason.SYMBOL_MISSING if what == "symbol" else Reason.FILE_DELETED
            gone = f"{by.old_path} is {by.path} now" if what == "file" and by.is_renamed else f"'{one.name}' is gone"
            yield Untrue(
                kind=Kind.DOCUMENT,
                ref=f"{one.path}:{one.line}",
                text=one.text,
                path=one.path,
                line=one.line,
                symbol=one.name if what == "symbol" else "",
                detail=gone,
                concern=1.0,
                terms=(one.name,),
                checked=Checked(
                    learning=_called_by(one.path, f"{one.path}:{one.line}", one.text),
                    judgement=Judgement(
                        anchor=Anchor(path=one.path, type=AnchorType.LINES, lines=(one.line, one.line)),
                        verdict=Verdict.INVALID,
                        reason=reason,
                        detail=gone,
                        lines=(one.line, one.line),
                    ),
                    statement=f"{one.path}:{one.line} names what this change takes away: {gone}.",
                    advice="Say what is there now, or take the sentence out.",
                ),
            )

    # What to know.

    def _known(self, holding: Sequence[tuple[Label, Judgement]]) -> list[Known]:
        """Return learnings tied to what is changed, then to what uses it, and decisions that tell of it."""
        best: dict[str, Known] = {}

        def add(one: Known) -> None:
            if one.ref not in best or best[one.ref].score < one.score:
                best[one.ref] = one

        for label, judgement in holding:
            file = self._change.by_path.get(judgement.anchor.path)
            hunks = file.hunks if file else ()
            score, reason = _tie(judgement, file)
            lines = [line for hunk in hunks for line in (*hunk.removed, *hunk.added)]
            likely = concern(label.content, lines, (), extent=0.0).score
            add(_learning(label, judgement, round(score * (0.8 + 0.2 * likely), 2), reason))
        using: dict[str, str] = {}
        for seed in self._touched[0][:_MOST_SEEDS]:
            for used in self._users.depending(seed):
                inside = self._users.inside(used.path, used.line)
                if used.path not in self._change.by_path:
                    using.setdefault(inside.fqname, seed.name.replace("::", "."))
                    using.setdefault(used.path, seed.name.replace("::", "."))
        for label, row in anchors_in(self._kernel, {one.partition("::")[0] for one in using}) if using else ():
            spec = row.anchor.spec
            if spec in using and row.anchor.type is not AnchorType.GLOB and not row.anchor.invalidated:
                score = 0.5 if row.anchor.symbol else 0.3
                reason = f"tied to {code(spec)}, which uses {code(using[spec])}"
                add(_learning(label, Judgement(anchor=row.anchor, verdict=Verdict.VALID), score, reason))
        for one in self._sections:
            if _OF_DECISIONS.search(one.ref):
                path, why = one.ref.partition("#")[0], ("a decision that tells of what changed",)
                add(Known(kind="decision", ref=one.ref, text=one.text, path=path, reasons=why, score=0.4))
        return sorted(best.values(), key=lambda one: (-one.score, one.ref))[:_MOST_KNOWN]

    # Who.

    def _audience(self) -> Audience:
        """Return the owners of the changed files, and who wrote the lines around the hunks."""
        ownership = self._kernel.one(Ownership)
        owners = ownership.owners([one.path for one in self._change.files])
        old = [one for one in self._change.files if one.old_path and one.hunks]
        old.sort(key=lambda one: (-sum(hunk.size for hunk in one.hunks), one.path))
        places = {str(one.old_path): _around(one.hunks) for one in old[:_MOST_BLAMED]}
        if len(old) > _MOST_BLAMED:
            self._notices.append(f"Authors are those of the {_MOST_BLAMED} files that changed most, of {len(old):,}.")
        base = self._change.base
        written = ownership.authors(places, commit=base) if base else Authors()
        if written.unanswered:
            self._notices.append(written.silence)
        return Audience(owners=owners, authors=written.people)


def _called(path: str) -> Iterator[str]:
    """Yield what others call a file by: its path, and as imports have it the end of that without its ending."""
    yield path
    above, _, name = path.rpartition("/")
    first = name.partition(".")[0]
    if above and len(first) >= _SHORTEST_NAME and first not in _OF_A_DIRECTORY and language_of(path):
        yield f"{above.rpartition('/')[2]}/{first}"
        yield f"{above.rpartition('/')[2]}.{first}"


def _checked(said: _Said, *, difference: tuple[str, ...]) -> Checked:
    """Return a finding as reports have it."""
    if said.label:
        return Checked(learning=said.label, judgement=said.judgement, difference=difference)
    where = said.judgement.anchor.spec
    return Checked(
        learning=_called_by("", said.uid, said.text),
        judgement=said.judgement,
        difference=difference,
        statement=f"“{said.text}” ({said.uid}) is what {where} says: {said.judgement.detail}.",
        advice=f"If it is still so, run 'tx fact:confirm {said.uid}'; if not, 'tx fact:retract {said.uid}'.",
    )


def _called_by(record: str, name: str, text: str) -> Label:
    """Return what names a finding that is about no learning."""
    return Label(node=-1, id=0, uid=name, content=text, record=record)


def _learning(label: Label, judgement: Judgement, score: float, reason: str) -> Known:
    place = judgement.relocated_to or judgement.anchor
    marks = ("staged: confirmed by nobody",) if label.status is Status.STAGED else ()
    return Known(
        kind=Kind.LEARNING.value,
        ref=label.ref,
        uid=label.uid,
        text=label.content,
        path=place.path,
        line=judgement.line_start,
        symbol=place.symbol or "",
        reasons=(reason, *marks),
        score=score,
    )


def _tie(judgement: Judgement, file: FileChange | None) -> tuple[float, str]:
    """Return how closely an anchor that holds is tied to a change, in (0, 1], and why in words."""
    anchor = judgement.anchor
    if anchor.type is AnchorType.GLOB:
        return 0.3, f"tied to {code(anchor.path)}"
    spans = file.spans if file else []
    lines = judgement.lines
    if lines and any(first <= lines[1] and lines[0] <= last for first, last in spans):
        return 1.0, f"tied to {code(anchor.spec)}, which this change touches"
    if anchor.type is AnchorType.HASH and not anchor.lines:
        return 0.7, f"tied to the file {code(anchor.path)}"
    return 0.5, f"tied to {code(anchor.spec)}, in a file that changed"


def _badness(judgement: Judgement) -> int:
    """Return how bad a finding is; what is gone is worse than any drift."""
    return len(Drift) if judgement.verdict is Verdict.INVALID else [*Drift].index(judgement.drift or Drift.BODY)


def _touching(file: FileChange, lines: tuple[int, int] | None) -> list[Hunk]:
    """Return the hunks of a file that touch lines as they were before; all where none of them does."""
    near = [one for one in file.hunks if lines and one.old_lines[0] <= lines[1] and lines[0] <= one.old_lines[1]]
    return near or [*file.hunks]


def _lines_of(hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """Return hunks as lines of a diff, with a sign between those that lie apart."""
    found = list[str]()
    for hunk in hunks:
        found += ["@@"] if found else []
        found += [f"-{line}" for line in hunk.removed] + [f"+{line}" for line in hunk.added]
    return tuple(line for line in found if "\0" not in line)


def _declared(source: SourceText | None) -> list[str]:
    """Return the names that a file declares; none of one that is not read as source, such as a minified script."""
    if source is None:
        return []
    content = source.text.encode("utf-8", "surrogateescape")
    is_skipped = why_skipped(source.path, language_of(source.path) or "", content)
    return [] if is_skipped else [one.name for one in read_symbols(source.path, content)]


def _grepped(repository: GitRepository, names: Sequence[str], change: Change) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and text of the lines that have one of these words, in the state after the change."""
    patterns = [word for name in names for word in ("-e", name)]
    seen = change.seen
    where = ["--untracked"] if seen == TREE else seen.options
    options = ("grep", "-n", "-I", "-w", "-F", "-z", "--no-color", "--full-name", "--no-recurse-submodules", *where)
    tree = filter(None, [seen.commit])
    answer = ask_git(repository.root, *options, *patterns, *tree, "--", ".", fine=(0, 1), index=seen.index_file)
    for line in answer.output.split(b"\n"):
        path, _, rest = line.partition(b"\0")
        number, _, text = rest.partition(b"\0")
        if number.isdigit():
            yield decode_path(path).removeprefix(f"{seen.commit}:"), int(number), text.decode("utf-8", "replace")


def _is_meant(name: str, line: str, *, is_document: bool) -> bool:
    """Whether a line means what was called so: a name that is no word of prose, or one that is marked as code."""
    if not name.isidentifier() or _COMPOUND.match(name):
        return True
    return is_document and bool(re.search(rf"`[^`]*(?<!\w){re.escape(name)}(?!\w)[^`]*`", line))


def _around(hunks: Sequence[Hunk]) -> list[tuple[int, int]]:
    """Return the lines of hunks as they were before, with some around them."""
    found: dict[int, int] = defaultdict(int)
    for hunk in hunks:
        first, last = hunk.old_lines
        start = max(1, first - _CONTEXT_LINES)
        found[start] = max(found[start], last + _CONTEXT_LINES)
    return [*found.items()]


@span("review")
def review(
    kernel: Kernel,
    between: Annotated[
        str | None, Arg("[REV..REV]", "From one commit to another; A...B since B left the line of A.", mcp="A..B")
    ] = None,
    *,
    staged: Annotated[bool, Arg(help="What is staged, as the commit will have it.", mcp="")] = False,
    since: Annotated[
        str | None,
        Arg("REV", "What came since HEAD and REV parted, and is not committed yet.", mcp="a revision"),
    ] = None,
    files: Annotated[
        Sequence[str],
        Arg("FILES", "Only these files; one without a change counts as a whole.", is_split=False, mcp=""),
    ] = (),
    budget: Annotated[int, Arg("TOKENS", f"Most tokens of the page, at least {LEAST_BUDGET}.")] = STANDARD_BUDGET,
    fail_on: Annotated[FailOn, Arg("WHAT", f"What ends in status 1: {choices(FailOn)}.")] = FailOn.CONCERNED,
) -> Review:
    """Review a change: what it makes untrue, what to know before merging it, what it lacks, and who should see it.

    The change is what differs from HEAD, or is --staged, or came --since a revision, or lies between two commits. What
    was said of code is untrue where this change broke what it rests on; how likely that matters is told by the names
    and numbers that the change touches, and only that ends in status 1 unless --fail-on says otherwise. The files that
    a change lacks come with the reasons why they usually go along. A record that cannot be read fails, too. markdown is
    fit for a comment on a pull request; github, gitlab, sarif and junit are for CI. The settings verify.warn and
    verify.off count as for 'tx graph:verify'.

    Example:
      tx review
      tx review --staged --fail-on untrue
      tx review --since origin/main --format markdown
      tx review v1.2..HEAD --json

    Raises:
        NotFound: There is no such revision or file.
        RepositoryError: There is no git here, or it fails.
        UsageError: Two different changes are asked for, or the budget is too small.
    """
    if budget < LEAST_BUDGET:
        raise UsageError(f"The budget must be at least {LEAST_BUDGET} tokens, not {budget:,}.")
    repository = kernel.checkout.in_git("it has no changes to review")
    change = change_of(repository, staged=staged, since=since, between=between)
    with looking_at(kernel, staged=staged, revision=change.seen.commit) as seen:
        return _reviewed(seen, change, files, fail_on)


def _reviewed(kernel: Kernel, change: Change, files: Sequence[str], fail_on: FailOn) -> Review:
    if files:
        tree = kernel.checkout.tree
        gone = [
            path for one in files for path in tree.candidates(one) if path in change.by_path and not tree.exists(path)
        ]
        there = [one for one in files if not any(path in gone for path in tree.candidates(one))]
        change = narrowed(change, [*gone, *(one.path for one in kernel.one(OpenFiles).named(there))])
    return Reviewing(kernel, change, fail_on=fail_on).review()
