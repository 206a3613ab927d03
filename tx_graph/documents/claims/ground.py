"""What claims are held against: the working tree, and what git knows of what was there before."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

from tx_graph.anchors.evidence import Evidence, evidence
from tx_graph.anchors.sources import sources
from tx_graph.anchors.tracing import Place, trace
from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.kernel import Kernel
from tx_graph.core.revisions import left_out_files
from tx_graph.documents.claims.reading import MOST_HEAD, Claim, ClaimKind, Prose
from tx_graph.history.departed import Moment, begun, blobs_of, document_changes, removed_paths
from tx_graph.history.past import Past
from tx_graph.records.learning import StoredLearning

_MOST_OTHERS = 20  # commits to each that changes what is kept, where there are few
_LEAST_CHANGES = 3  # commits that change what is kept
_MOST_BESIDE = 10  # documents that one of these changes together
_DAY = 24 * 3600  # seconds
_RECENT, _OF_LATE, _LONG_AGO = 30 * _DAY, 60 * _DAY, 90 * _DAY  # before the last commit
_ARCHIVED = re.compile(
    r"^#+ (?:archived|deprecated|unmaintained)\b"
    r"|\bthis (?:package|project|repo(?:sitory)?|tool) (?:is|was|has been)\b.{0,40}"
    r"\b(?:archived|deprecated|discontinued|unmaintained|no longer (?:actively )?(?:developed|maintained|supported))\b",
    re.IGNORECASE | re.MULTILINE,
)
_REMOTE = re.compile(r"[:/]([\w.-]+/[\w.-]+?)(?:\.git)?/?$")


class Said:
    """One claim of one document, or of the content of a learning."""

    __slots__ = ("claim", "learning", "prose")

    def __init__(self, prose: Prose, claim: Claim, learning: StoredLearning | None = None) -> None:
        self.prose = prose
        self.claim = claim
        self.learning = learning


class Fate(NamedTuple):
    """What became of what a claim names; `now` is the path or name that it has, `was` what history called it.

    `removal` is the commit that took it away, None where that is not committed yet. What `is_unsure` went, but may be
    meant as it is elsewhere. `perhaps` is where what it held went, under another name, which the text may not mean.
    `end` is what became of that where it is not here either.
    """

    removal: Moment | None
    now: str = ""
    was: str = ""
    is_unsure: bool = False
    perhaps: str = ""
    end: Fate | None = None


class Kind(Protocol):
    """How claims of one kind are held against the repository."""

    def holds(self, claim: Claim) -> bool:
        """Whether what a claim names is there, or may well be."""

    def lost(self, missing: Mapping[Said, Moment]) -> Mapping[Said, Fate]:
        """Return what became of what does not hold, as far as history proves that it did.

        With each claim comes the commit since which its document makes it.
        """


class Ground:
    """The working tree and its history, each looked at once, and only when asked."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.root: Path = kernel.place.root.path
        self.tree = kernel.checkout.tree
        self.evidence: Evidence | None = kernel.one(evidence)
        self.lacking: set[str] = set()  # paths of whose history some is not here
        self._trees: dict[str, frozenset[str]] = {}

    @cached_property
    def has_history(self) -> bool:
        """Whether git can be asked, and has a commit."""
        repository = self.kernel.checkout.askable
        return repository is not None and repository.head() is not None

    @cached_property
    def project(self) -> str:
        """`owner/name` of the remote that the repository came from, empty where it has none."""
        if self.kernel.checkout.askable is None:
            return ""
        answer = ask_git(self.root, "config", "--get", "remote.origin.url", fine=(0, 1))
        found = _REMOTE.search(decode_path(answer.output).strip())
        return found[1] if found else ""

    @cached_property
    def files(self) -> frozenset[str]:
        """The paths of all files that are here, or that a sparse checkout keeps out of the working tree."""
        listed = frozenset(self.kernel.checkout.listed_files().paths)
        repository = self.kernel.checkout.askable
        if repository is None or not self.has_history or not repository.may_be_sparse():
            return listed
        return listed | left_out_files(repository, blobs_of(self.root, "HEAD").keys() - listed)

    @cached_property
    def directories(self) -> frozenset[str]:
        """The directories that hold them."""
        return frozenset(above(self.files))

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Files and directories by the last part of their paths."""
        return by_last({*self.files, *self.directories})

    @cached_property
    def removed(self) -> dict[str, Moment | None]:
        """Every path that is not here any more, with the commit that removed it, None where none has yet."""
        if not self.has_history:
            return {}
        committed = removed_paths(self.root)
        not_yet = dict.fromkeys(blobs_of(self.root, "HEAD"))
        return {path: one for path, one in {**committed, **not_yet}.items() if path not in self.files}

    @cached_property
    def past(self) -> Past:
        """The contents of commits."""
        repository = self.kernel.checkout.askable
        if repository is None:
            raise RepositoryError("There is no git repository here to ask for what was there.")
        return self.kernel.enter(Past(repository))

    def is_changed_often(self, document: str, often: int) -> bool:
        """Whether so many commits changed a document, or one in twenty of a history that is short."""
        return len(self._changes[document]) >= min(often, self._count / _MOST_OTHERS)

    def is_kept(self, document: str, claim: Claim, removal: Moment) -> bool:
        """Whether somebody keeps true what a document says of something that went: else it is a record, or forgotten.

        The document is changed often, by itself or with few others, as what a program writes is not. It was changed
        since then, unless that was not long ago; but for links, which somebody follows, it was changed of late as well.
        What just went, somebody is still at.
        """
        changes = self._changes[document]
        age, last = (self._now - time for time in (removal.time, max((time for time, _ in changes), default=0)))
        is_followed = (claim.kind is ClaimKind.PATH and claim.is_link) or last < _OF_LATE
        is_by_hand = any(beside <= _MOST_BESIDE for _, beside in changes)
        is_kept = self.is_changed_often(document, _LEAST_CHANGES) and (last < age or age < _LONG_AGO)
        return age < _RECENT or (is_followed and is_kept and is_by_hand)

    @cached_property
    def _changes(self) -> defaultdict[str, list[tuple[int, int]]]:
        """When commits changed documents, in seconds since the epoch, and how many of them each did; newest first."""
        return document_changes(self.root)

    @cached_property
    def _count(self) -> int:
        """How many commits HEAD builds on."""
        return int(ask_git(self.root, "rev-list", "--count", "--no-merges", "HEAD").output)

    @cached_property
    def _now(self) -> int:
        """When the last commit was made, in seconds since the epoch."""
        return int(ask_git(self.root, "log", "-1", "--format=%ct", "HEAD").output)

    @cached_property
    def _is_archived(self) -> bool:
        """Whether the project says of itself that it is archived."""
        own = (path for path in self.files if "/" not in path and path.lower().startswith("readme"))
        heads = ((self.tree.read_text(path) or "").split("\n")[:MOST_HEAD] for path in own)
        return any(_ARCHIVED.search("\n".join(head)) for head in heads)

    def is_mended(self, document: str) -> bool:
        """Whether what a document says is mended here: the project goes on, and has it of no other one.

        A copy of another project is known by settings of a host in a directory where no host reads them.
        """
        return not (self._is_archived or any(f"{one}/.github" in self.directories for one in above([document])))

    def had(self, asked: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return those of some commits and paths of which the one has the other."""
        pairs = sorted({one for one in asked if "\n" not in one[1]})
        question = "".join(f"{commit}:{path}\n" for commit, path in pairs).encode("utf-8", "surrogateescape")
        answer = ask_git(self.root, "cat-file", "--batch-check", question=question).output if pairs else b""
        return {pair for pair, line in zip(pairs, answer.split(b"\n"), strict=False) if not line.endswith(b" missing")}

    def leads_to(self, first: str, then: str) -> bool:
        """Whether a commit builds on another one."""
        return ask_git(self.root, "merge-base", "--is-ancestor", first, then, fine=(0, 1)).status == 0

    def has_elsewhere(self, branch: str, path: str) -> bool:
        """Whether a branch that this checkout does not contain, of a remote or one's own, has a file or directory."""
        if branch not in self._trees and self.has_history:
            named = (f"refs/heads/{branch}", f"refs/remotes/*/{branch}")
            answer = ask_git(self.root, "for-each-ref", "--no-merged=HEAD", "--format=%(refname)", *named)
            refs = decode_path(answer.output).split()
            files = blobs_of(self.root, max(refs)) if refs else {}
            self._trees[branch] = frozenset({*files, *above(files)})
        return path in self._trees.get(branch, ())

    def begun(self, said: Iterable[Said]) -> dict[Said, Moment]:
        """Return the commit since which each text says something without a break, where that is known."""
        wanted: defaultdict[str, set[str]] = defaultdict(set)
        found: dict[Said, Moment] = {}
        asked = []
        for one in said:
            if one.learning:
                written = datetime.fromisoformat(one.learning.learning.created_at).timestamp()
                found[one] = Moment("", int(written), "")
            else:
                wanted[one.prose.path].add(one.claim.written)
                asked.append(one)
        texts = {one.prose.path: one.prose.lines for one in asked}
        first = begun(self.root, wanted, texts, self.lacking) if wanted else {}
        return found | {one: commit for one in asked if (commit := first.get((one.prose.path, one.claim.written)))}

    def renamed(self, paths: Collection[str], commit: str) -> set[str]:
        """Return what some files were called after a commit that renamed them."""
        altered = self.evidence.altered(commit) if self.evidence else []
        return {new for old, new in altered if old in paths and new and new != old}

    def commit_named(self, commit: str) -> Moment | None:
        """Return a commit, None for what is not committed yet."""
        if commit == "HEAD":
            return None
        line = decode_path(ask_git(self.root, "log", "-1", "--format=%H %ct %s", commit).output).strip("\n")
        full, time, subject = line.split(" ", 2)
        return Moment(full, int(time), subject)

    def traced(self, lost: Iterable[Place]) -> dict[Place, Place]:
        """Return where symbols and sections are now that are not where they were."""
        if self.evidence is None:
            return {}
        uncommitted = lambda: self.kernel.checkout.changed_since("HEAD")  # noqa: E731
        return trace(
            self.evidence, dict.fromkeys(lost, False), sources=self.kernel.one(sources), uncommitted=uncommitted
        )


def above(paths: Iterable[str]) -> set[str]:
    """Return all directories that paths are in."""
    found: set[str] = set()
    for path in paths:
        directory = posixpath.dirname(path)
        while directory and directory not in found:
            found.add(directory)
            directory = posixpath.dirname(directory)
    return found


def by_last(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return paths by their last part."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[posixpath.basename(path)].append(path)
    return found
