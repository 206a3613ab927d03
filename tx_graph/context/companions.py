"""Files that a change lacks: what speaks for each, and how likely it belongs to the change."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import exp
from posixpath import commonprefix
from typing import ClassVar, NamedTuple

from tx_graph.code.import_store import ImportStore
from tx_graph.code.languages import language_of
from tx_graph.code.references import Target, Users
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.context.page import code
from tx_graph.context.ranking import rank_files
from tx_graph.core.changes import Change
from tx_graph.core.dataclass import dataclass
from tx_graph.core.identifiers import stem
from tx_graph.core.kernel import Kernel
from tx_graph.history.cochange import Partner
from tx_graph.history.cochange_store import CoChangeStore

LEAST = 0.2
"""How likely a file must belong to a change to be named: on what this was fitted by, every third one does."""
MOST = 8
"""Files that are named at most."""
_RANKED = 30  # of the files ranked near the changed ones, so many may be named
_MOST_FILES = 100  # changed files whose partners and importers are looked for: a larger change is no piece of work
_LEAST_SHARE = 0.05  # of a file's commits in which a partner changed, too
_MOST_SEEDS = 200  # changed symbols whose users are looked for
_WEIGHTS = (1.25, 0.55, 6.0, 0.44, 3.79, -0.47)
_BIAS = -5.07


class Features(NamedTuple):
    """What speaks for a file, each in [0, 1].

    `confidence`: how often it changed when the changed file did that it goes with best; `twin`: shares its name with
    one; `names`: names a symbol or file that went; `tells`: a section of it leads to a changed file and names what
    changed; `rank`: its score among the files ranked near the changed ones; `is_test`: whether it is a test.
    """

    confidence: float = 0.0
    twin: float = 0.0
    names: float = 0.0
    tells: float = 0.0
    rank: float = 0.0
    is_test: float = 0.0


def likelihood(features: Features) -> float:
    """Return how likely a file belongs to the change, in (0, 1).

    That is a logistic regression, fitted on merged changes of five repositories of which one file, or half of them, was
    left out (`benchmarks/review.py`). Only what naming something that went counts was set by hand: there were few such
    files, and all of them belonged to the change. Who imports or uses what changed is told, and adds nothing to these.
    """
    points = _BIAS + sum(weight * one for weight, one in zip(_WEIGHTS, features, strict=True))
    return 1 / (1 + exp(-points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Companion:
    """A file that usually goes with a change and is not in it; the reasons are in words, strongest first.

    `line` is where it names what went, if it does. It changed in `shared` of the `commits` to `file`, if in any.
    """

    path: str
    likely: float
    kind: str
    reasons: tuple[str, ...]
    line: int | None = None
    file: str | None = None
    shared: int = 0
    commits: int = 0
    JSON: ClassVar = "node=path@file:line path line kind likely reasons file shared commits"


class Mention(NamedTuple):
    """A line that names what a change took away: `name` was a symbol or the path of a file."""

    path: str
    line: int
    name: str
    text: str


class Candidate(NamedTuple):
    """A file with what speaks for it, and what of it is told; `ties` are the kinds of the reasons."""

    features: Features
    reasons: tuple[str, ...]
    ties: frozenset[str] = frozenset()
    partner: tuple[str, Partner] | None = None
    mention: Mention | None = None


class Candidates:
    """Gathers the files that may go with a change, with what speaks for each."""

    def __init__(self, kernel: Kernel, change: Change) -> None:
        self._kernel = kernel
        self._listed = frozenset(kernel.checkout.tracked_files().paths)
        self._changed = [one.old_path or one.path for one in change.files][:_MOST_FILES]
        self._here = {*change.by_path}
        self._features: dict[str, dict[str, float]] = defaultdict(dict)
        self._why: dict[str, dict[str, str]] = defaultdict(dict)
        self._partners: dict[str, tuple[str, Partner]] = {}
        self._mentions: dict[str, Mention] = {}

    def of(
        self, users: Users, seeds: Sequence[Target], *, mentions: Iterable[Mention] = (), telling: Collection[str] = ()
    ) -> dict[str, Candidate]:
        """Return all of them, by path.

        `seeds` are the symbols that changed, `telling` the documents with sections that lead there and name them.
        """
        self._look_into_history()
        self._look_at_names()
        self._look_at_code(users, seeds)
        for mention in mentions:
            self._mentions.setdefault(mention.path, mention)
            reason = f"still names {code(mention.name)}, which this change takes away"
            self._note(mention.path, "names", 1.0, reason)
        for path in telling:
            self._note(path, "tells", 1.0, "tells of what changed")
        for ranked in rank_files(self._kernel, "", open_files=self._changed, limit=_RANKED):
            self._note(ranked.path, "rank", ranked.score, next(iter(ranked.texts), ""))
        return {
            path: Candidate(
                Features(**self._features.get(path, {}))._replace(is_test=float(sort_of(path) is FileSort.TEST)),
                _told(self._why[path]),
                frozenset(self._why[path]),
                self._partners.get(path),
                self._mentions.get(path),
            )
            for path in self._features.keys() | self._why.keys()
            if path in self._listed and path not in self._here
        }

    def _note(self, path: str, feature: str, value: float, reason: str) -> None:
        if value > self._features[path].get(feature, 0.0):
            self._features[path][feature] = value
            self._why[path][feature] = reason

    def _tell(self, path: str, what: str, reason: str) -> None:
        """Note a reason that makes no file likelier than the others do."""
        self._why[path].setdefault(what, reason)

    def _look_into_history(self) -> None:
        """Note what changed with the changed files before."""
        store = CoChangeStore(self._kernel.database)
        for file, those in store.partners_of(self._changed, min_confidence=_LEAST_SHARE, min_support=2).items():
            for one in those:
                best = self._partners.get(one.path)
                if best is None or (one.confidence, one.shared) > (best[1].confidence, best[1].shared):
                    self._partners[one.path] = file, one
                    times = f"changed in {one.shared:,} of {one.commits:,} commits to {code(file)}"
                    self._features[one.path]["confidence"], self._why[one.path]["confidence"] = one.confidence, times

    def _look_at_names(self) -> None:
        """Note what is called like a changed file: a test of it, or what lies beside it."""
        stems: dict[str, list[str]] = defaultdict(list)
        for path in self._changed:
            if name := stem(path).lower():
                stems[name].append(path)
        for path in self._listed:
            for twin in sorted(stems.get(stem(path).lower(), ()), key=lambda twin: -len(commonprefix((path, twin)))):
                is_beside = path.rpartition("/")[0] == twin.rpartition("/")[0]
                if is_beside or FileSort.TEST in (sort_of(path), sort_of(twin)):
                    self._note(path, "twin", 1.0, f"shares its name with {code(twin)}")

    def _look_at_code(self, users: Users, seeds: Sequence[Target]) -> None:
        """Note what imports the changed files, what these import, and what uses the symbols that changed."""
        imports = ImportStore(self._kernel.database)
        for path in self._changed:
            for edge in imports.edges(into_file=path):
                self._tell(edge.source, "imports", f"imports {code(path)}")
            for edge in imports.edges(out_of_file=path):
                self._tell(edge.target, "imported", f"imported by {code(path)}")
        for seed in seeds[:_MOST_SEEDS]:
            reason = f"uses {code(seed.name.replace('::', '.'))}, which changed"
            for used in users.depending(seed):
                self._tell(used.path, "uses", reason)


_TOLD = ("names", "confidence", "uses", "tells", "twin", "imports", "imported", "rank")
_MOST_REASONS = 3


def _told(why: Mapping[str, str]) -> tuple[str, ...]:
    """Return the reasons, the strongest first; what ranks it is told where nothing else is."""
    told = [why[name] for name in _TOLD if why.get(name)]
    return tuple(told[: max(1, min(_MOST_REASONS, len(told) - ("rank" in why)))])


def companions(found: Mapping[str, Candidate], *, least: float = LEAST, most: int = MOST) -> list[Companion]:
    """Return the likely ones, likeliest first."""
    chances = {path: likelihood(one.features) for path, one in found.items()}
    best = sorted((path for path in found if chances[path] >= least), key=lambda path: (-chances[path], path))[:most]
    told = []
    for path in best:
        one, sort = found[path], sort_of(path)
        partner = one.partner[1] if one.partner else None
        told.append(
            Companion(
                path=path,
                likely=round(chances[path], 2),
                kind=sort.value if sort in (FileSort.TEST, FileSort.DOCUMENT) else "file",
                reasons=one.reasons,
                line=one.mention.line if one.mention else None,
                file=one.partner[0] if one.partner else None,
                shared=partner.shared if partner else 0,
                commits=partner.commits if partner else 0,
            )
        )
    return told


_NEARNESS = {1: 8, 2: 4}
_TIES = {"twin": 2, "imports": 1}
"""What makes a test one of a change, and how much it counts: by how many uses it reaches what changed, and its ties."""
_RUN = re.compile(r"test|spec", re.IGNORECASE)
_HELPER = re.compile(
    r"(?:.*/)?(?!test_[^/]*\.py)(?:[^/]*[_.-])?(?:conftest|common|fixtures?|helpers?|mocks?|support|utils?)\.\w+",
    re.IGNORECASE,
)
"""Paths of what tests use, unless a runner looks for them: `test_utils.py`."""


def to_run(found: Mapping[str, Candidate], reached: Mapping[str, int], *, most: int = MOST) -> list[str]:
    """Return the tests to run: those that use what changed, share a name with it or import it, in this order.

    `reached` has the tests that use it, with the number of uses between. What tests use is left out, and of the others
    what no runner of tests looks for by its name.
    """
    ties = dict.fromkeys(reached, 0)
    ties |= {path: sum(_TIES.get(tie, 0) for tie in one.ties) for path, one in found.items() if _is_run(path, one)}
    ties = {path: tied + _NEARNESS.get(reached.get(path, 0), 0) for path, tied in ties.items()}
    ran = (path for path, tied in ties.items() if tied and not _HELPER.fullmatch(path))
    return sorted(ran, key=lambda path: (-ties[path], path))[:most]


def _is_run(path: str, one: Candidate) -> bool:
    language = language_of(path)
    return bool(one.features.is_test and language) and (
        language == "rust" or bool(_RUN.search(path.rpartition("/")[2]))
    )
