"""Verifies what prose claims about the repository: documents, the files agents are given, and learnings."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.core.shape import Answer
from tx_graph.core.text import counted
from tx_graph.core.tracing import span
from tx_graph.documents.claims.aged import AgedPassage
from tx_graph.documents.claims.aged import aged as aged_passages
from tx_graph.documents.claims.commands import Commands
from tx_graph.documents.claims.ground import Fate, Ground, Kind, Said
from tx_graph.documents.claims.names import SHORTLY, Names
from tx_graph.documents.claims.paths import Paths, written_anew
from tx_graph.documents.claims.reading import Claim, ClaimKind, Prose, is_checked
from tx_graph.documents.claims.sections import Sections
from tx_graph.history.departed import Moment
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_record import record_content, rewritten
from tx_graph.records.learning_store import LearningStore

_MOST_NAMED = 3  # files in a notice


class ClaimVerdict(StrEnum):
    """What is to be said of a claim: it `moved` or is `gone` for certain, or it is `doubtful`; all others hold."""

    HOLDS = "holds"
    MOVED = "moved"
    GONE = "gone"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFinding(Answer):
    """One claim that does not hold, where it stands, and the commit that made it untrue (None: not committed yet).

    `moved_to` is what it names now, `replacement` what is to stand in the place of `written` where that is certain;
    `perhaps` is where git has what it named that is gone, under another name. `last` is what that was called at last
    where it went after it had been renamed, `end` the commit that took it away then.
    `learning` is the reference of the learning that says so, where it is one.
    """

    document: str
    line: int
    kind: ClaimKind
    written: str
    target: str
    verdict: ClaimVerdict
    moved_to: str | None = None
    replacement: str | None = None
    perhaps: str | None = None
    removal: Moment | None = None
    last: str | None = None
    end: Moment | None = None
    learning: str | None = None
    mended: bool = False

    JSON: ClassVar = (
        "document line kind written target verdict moved_to replacement perhaps commit=removal.commit "
        "commit_subject=removal.subject last last_commit=end.commit learning mended"
    )

    @property
    def told(self) -> str:
        """What is wrong, as a sentence."""
        what = {ClaimKind.SECTION: "section", ClaimKind.COMMAND: "command"}.get(self.kind, "")
        named = f"{what} '{self.target}'".strip()
        by, then = (f", {one.commit[:10]} {one.subject}" if one else "" for one in (self.removal, self.end))
        if self.verdict is ClaimVerdict.MOVED:
            return f"{named} is '{self.moved_to}' now{by}"
        if self.verdict is ClaimVerdict.DOUBTFUL:
            return f"{named} is not known here"
        perhaps = f"; perhaps it is '{self.perhaps}' now" if self.perhaps else ""
        return f"{named} is gone{by}{perhaps}" + (f"; so is '{self.last}', which it became{then}" if self.last else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProseReport(Answer):
    """What prose says that does not hold, by document and line; `documents` and `claims` count what was looked at.

    `doubts` is how many claims are doubtful, `doubtful` are these where they are asked for.
    """

    findings: tuple[ClaimFinding, ...]
    doubtful: tuple[ClaimFinding, ...] = ()
    documents: int = 0
    claims: int = 0
    doubts: int = 0
    aged: tuple[AgedPassage, ...] = ()
    notices: tuple[str, ...] = ()

    JSON: ClassVar = "summary findings doubtful aged notices"

    @property
    def summary(self) -> dict[str, int]:
        """How many documents and claims there are, and how many claims of each verdict."""
        counts = Counter(one.verdict.value for one in self.findings)
        untrue = {"moved": counts["moved"], "gone": counts["gone"], "doubtful": self.doubts}
        return {
            "documents": self.documents,
            "claims": self.claims,
            "holds": self.claims - sum(untrue.values()),
            **untrue,
        }

    @property
    def unmended(self) -> list[ClaimFinding]:
        """What is still untrue."""
        return [one for one in self.findings if not one.mended]


def _verdict(claim: Claim, fate: Fate | None) -> ClaimVerdict:
    """Return what is said of a claim: what may be another's is doubtful, and so is a name that was removed."""
    if fate is None or fate.is_unsure or (claim.kind is ClaimKind.NAME and not (fate.now or fate.perhaps)):
        return ClaimVerdict.DOUBTFUL
    return ClaimVerdict.MOVED if fate.now else ClaimVerdict.GONE


def _fates(ground: Ground, said: Sequence[Said]) -> dict[Said, Fate | None]:
    """Return what became of what does not hold, None where history does not prove that it ever did."""
    kinds: dict[ClaimKind, Kind] = {
        ClaimKind.PATH: (paths := Paths(ground)),
        ClaimKind.SECTION: Sections(ground),
        ClaimKind.COMMAND: Commands(ground),
        ClaimKind.NAME: (names := Names(ground)),
        ClaimKind.OPTION: names,
    }
    missing = [one for one in said if not one.prose.is_retired and not kinds[one.claim.kind].holds(one.claim)]
    timeless = (one for one in missing if not one.claim.is_record)
    excuses = {(one.prose, one.claim.written) for one in timeless if one.prose.excuses(one.claim)}
    # What a text once says to be the reader's, it means all along; of paths that went it is in doubt.
    excused = {one for one in missing if one.claim.is_record or (one.prose, one.claim.written) in excuses}
    missing = [one for one in missing if one not in excused or one.claim.kind is ClaimKind.PATH]
    found: dict[Said, Fate | None] = dict.fromkeys(missing)
    begun = ground.begun(missing) if missing and ground.has_history else {}
    for kind in dict.fromkeys(kinds.values()) if begun else ():
        lost = kind.lost({one: commit for one, commit in begun.items() if kinds[one.claim.kind] is kind})
        # So it was true for a while: what went before a text spoke of it is not what that means.
        found |= {
            one: fate
            for one, fate in lost.items()
            if not fate.removal or fate.removal.time >= begun[one].time - SHORTLY
        }
    may_hold = (one for one, fate in found.items() if fate is None and one.claim.kind is ClaimKind.PATH)
    held = {one for one in may_hold if one in excused or paths.is_elsewhere(one.claim)}
    told = [(one, fate.removal) for one, fate in found.items() if fate and not one.learning]
    doubted = excused | {
        one
        for one, removal in told
        if not ground.is_mended(one.prose.path) or (removal and not ground.is_kept(one.prose.path, one.claim, removal))
    }
    sure = {one: fate for one, fate in found.items() if fate and not fate.is_unsure and one not in doubted}
    doubted |= paths.made({one: fate for one, fate in sure.items() if one.claim.kind is ClaimKind.PATH})
    return {
        one: fate._replace(is_unsure=True) if fate and one in doubted else fate
        for one, fate in found.items()
        if one not in held
    }


def mended_text(text: str, findings: Iterable[ClaimFinding]) -> tuple[str, list[ClaimFinding]]:
    """Return a text with what is certain written into its lines, and the findings that this mended."""
    lines, done = text.split("\n"), []
    for one in findings:
        if one.replacement is not None and one.line <= len(lines):
            pattern = rf"(?<![\w/.-]){re.escape(one.written)}(?![\w-]|/\w|\.\w)"
            if one.kind is ClaimKind.NAME:
                pattern = rf"(?<![\w-]){re.escape(one.written)}(?![\w-])"
            new, count = re.compile(pattern).subn(lambda _, one=one: one.replacement, lines[one.line - 1])  # type: ignore[misc]
            if count:
                lines[one.line - 1] = new
                done.append(one)
    return "\n".join(lines), done


@span("doc:verify")
def verify(
    kernel: Kernel,
    places: Annotated[
        Sequence[str], Arg("PATH...", "Only these documents, directories or globs.", is_split=False)
    ] = (),
    *,
    fix: Annotated[bool, Arg(help="Write new paths and names where they are certain.")] = False,
    since: Annotated[str | None, Arg("REV", "Only what was written or went since HEAD and REV parted.")] = None,
    doubtful: Annotated[bool, Arg(help="Also what is not known here, and what is not proven to have gone.")] = False,
    aged: Annotated[bool, Arg(help="Also passages whose code changed much since they were written.")] = False,
) -> ProseReport:
    """Verify what prose claims: exit status 1 when it names what moved or is gone.

    Looked at are links, paths, sections, commands of npm, make, just and Python, and names of code, in documents, in
    the files that agents are given, and in learnings. What is told was in this repository when the text began to speak
    of it and is nowhere any more; a name is told only where it was renamed. Doubtful at most is what tells of the past,
    and what went long ago from a document that nobody keeps.

    Example:
      tx doc:verify
      tx doc:verify README.md docs --fix
      tx doc:verify --since origin/main --format github
    """
    ground = Ground(kernel)
    texts = _texts(ground, places)
    said = [Said(prose, claim, learning) for prose, learning in texts for claim in prose.claims()]
    fates = _fates(ground, said)
    changed = frozenset(kernel.checkout.changed_since(since)) if since else frozenset()
    commits = _commits_since(kernel, since) if since else frozenset()
    found: list[ClaimFinding] = []
    for one, fate in fates.items():
        claim, path = one.claim, one.prose.path
        is_new = not since or path in changed or not fate or not fate.removal or fate.removal.commit in commits
        if not is_new or (fate is None and claim.is_loose):
            continue
        replacement = fate.now if fate else ""
        if fate and claim.kind is ClaimKind.PATH and fate.now:
            replacement = written_anew(claim, fate, path) or ""
        found.append(
            ClaimFinding(
                document=path,
                line=claim.line,
                kind=claim.kind,
                written=claim.written,
                target=claim.target,
                verdict=_verdict(claim, fate),
                moved_to=(fate and fate.now) or None,
                replacement=None if claim.kind is ClaimKind.SECTION else replacement or None,
                perhaps=(fate and fate.perhaps) or None,
                removal=fate.removal if fate else None,
                last=fate.end.was if fate and fate.end else None,
                end=fate.end.removal if fate and fate.end else None,
                learning=one.learning.ref if one.learning else None,
            )
        )
    found.sort(key=lambda one: (one.document, one.line, one.written))
    certain = [one for one in found if one.verdict is not ClaimVerdict.DOUBTFUL]
    if fix:
        mended = {one for prose, learning in texts for one in _mend(kernel, prose, learning, certain)}
        certain = [replace(one, mended=one in mended) for one in certain]
    unknown = [one for one in found if one.verdict is ClaimVerdict.DOUBTFUL]
    return ProseReport(
        findings=tuple(certain),
        doubtful=tuple(unknown if doubtful else ()),
        documents=len(texts),
        claims=len(said) - len(fates) + len(found),
        doubts=len(unknown),
        aged=tuple(aged_passages(ground, said) if aged and ground.has_history else ()),
        notices=tuple(filter(None, (kernel.checkout.caveat, *_caveats(ground)))),
    )


def _caveats(ground: Ground) -> Iterator[str]:
    """Yield what history does not tell here."""
    repository = ground.kernel.checkout.askable
    if repository and repository.is_shallow():
        yield "This clone is shallow, its history ends early: what went before that is not told."
    if ground.evidence and ground.evidence.failure:
        yield f"{ground.evidence.failure} What may have moved as well is doubtful."
    if paths := sorted(ground.lacking):
        first = ", ".join(paths[:_MOST_NAMED]) + (", …" if len(paths) > _MOST_NAMED else "")
        held = f"Not all that {counted(len(paths), 'file')} held is in this clone"
        yield f"{held} ({first}): what it would prove is not told."


def _texts(ground: Ground, places: Sequence[str]) -> list[tuple[Prose, StoredLearning | None]]:
    """Return the documents and learnings to look at."""
    kernel, checkout = ground.kernel, ground.kernel.checkout
    tracked = [file.path for file in checkout.list_tracked(is_checked)]
    records = f"{DIRECTORY}/{LEARNINGS}"
    learnings = {
        f"{records}/{one.record}": one
        for one in LearningStore(kernel.database).every()
        if one.learning.status is Status.ACTIVE and one.learning.removed_at is None
    }
    matcher = PathMatcher([*(path for path in tracked if not path.startswith(f"{DIRECTORY}/")), *learnings])
    asked = set(matcher.paths)
    asked -= {path for one in kernel.config.texts("documents.exclude") for path in matcher.matching(one)}
    if places:
        named: set[str] = set()
        for one in places:
            there = checkout.tree.existing(one)
            pattern = (
                one
                if there is None
                else "**"
                if there == "."
                else f"/{there}/**"
                if checkout.tree.is_directory(there)
                else f"/{there}"
            )
            found = set(matcher.matching(pattern))
            if not found:
                raise NotFound(f"'{one}' names no document that is checked.", candidates=matcher.nearest(one))
            named |= found
        asked &= named
    texts: list[tuple[Prose, StoredLearning | None]] = []
    for path in sorted(asked):
        if learning := learnings.get(path):
            texts.append((Prose(path, learning.learning.content, ground.project), learning))
        elif (text := checkout.tree.read_text(path)) is not None:
            texts.append((Prose(path, text.replace("\r\n", "\n"), ground.project), None))
    return texts


def _commits_since(kernel: Kernel, revision: str) -> frozenset[str]:
    name = kernel.checkout.commit_named(revision)
    return frozenset(decode_path(ask_git(kernel.place.root.path, "rev-list", f"{name}..HEAD").output).split())


def _mend(
    kernel: Kernel, prose: Prose, learning: StoredLearning | None, findings: Iterable[ClaimFinding]
) -> Iterator[ClaimFinding]:
    """Write into a document or the record of a learning what is certain; yield the findings that are mended."""
    own = [one for one in findings if one.document == prose.path and one.replacement is not None]
    if not own:
        return
    if learning:
        content, done = mended_text(prose.text, own)
        rewritten(kernel, learning, replace(learning.learning, content=record_content(content)))
    else:
        path = os.path.join(kernel.place.root.path, prose.path)
        with open(path, "rb") as stream:
            whole = stream.read().decode("utf-8", "surrogateescape")
        mended, done = mended_text(whole, own)
        if done:
            with open(path, "wb") as stream:
                stream.write(mended.encode("utf-8", "surrogateescape"))
    yield from done
