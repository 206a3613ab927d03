"""What a context is asked, what was found for it, and the page that came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tx_graph.domain.learning import Status
from tx_graph.errors import UsageError
from tx_graph.retrieval.expansion import Profile
from tx_graph.services.doc_search import State
from tx_graph.services.file_ranking import RankedFile
from tx_graph.services.recall import RecalledFact
from tx_graph.services.search import SearchResult
from tx_graph.work.values import Run, Task

STANDARD_BUDGET = 2_000
"""Tokens of a page where nothing else is asked for."""
LEAST_BUDGET = 100
"""Tokens below which a page could hold little more than its own frame."""


class Part(StrEnum):
    """The parts of a page, in their order; also the order in which they take their shares of the budget."""

    TASK = "task"
    LEARNINGS = "learnings"
    FACTS = "facts"
    SECTIONS = "sections"
    FILES = "files"
    PARTNERS = "partners"
    TASKS = "tasks"
    RUNS = "runs"


_SHARES: Mapping[Part, float] = {
    Part.TASK: 0.15,
    Part.LEARNINGS: 0.45,
    Part.FACTS: 0.0,
    Part.SECTIONS: 0.0,
    Part.FILES: 0.2,
    Part.PARTNERS: 0.1,
    Part.TASKS: 0.05,
    Part.RUNS: 0.05,
}
"""Of the budget. Nobody else tells what was learned; where to look comes next. What a part leaves goes to others."""
_SHARE_OF_SECTIONS = 0.2
"""What all others give for what is written, where anything is: who wants to know more can read it there."""
_SHARE_OF_FACTS = 0.1
"""The same for facts: each is a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What somebody is about to do.

    Attributes:
        text: A question in words, or what names a task: `task:7`, its number, or its external id.
        files: Open files and symbols, as one types them.
        run: The run in which the page is read; what it shows is recorded there.
        expand: Whether to follow the graph beyond what matches and what is near the open files.
        retriever: Who finds direct matches; None for the one in the settings.
        include_staged: Whether to show proposed learnings that nobody has confirmed, marked as such.
        limit_files: Most files to look at; None for as many as the budget is good for.
    """

    text: str = ""
    files: tuple[str, ...] = ()
    run: str | None = None
    budget: int = STANDARD_BUDGET
    expand: bool = True
    profile: Profile = Profile.DECAY
    retriever: str | None = None
    include_staged: bool = False
    limit_files: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.budget < LEAST_BUDGET:
            raise UsageError(
                f"The budget must be at least {LEAST_BUDGET} tokens, not {self.budget:,}.",
                hint=f"Leave it out for {STANDARD_BUDGET:,}.",
            )
        if not self.text.strip() and not self.files:
            raise UsageError(
                "There is nothing to give context for.",
                hint="Name a task, say in words what you are about to do, or name open files with --files.",
            )
        if self.limit_files is not None and self.limit_files < 0:
            raise UsageError(f"The most files to look at must be at least 0, not {self.limit_files}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLearning:
    """A learning and, in words, each reason why it is on the page."""

    result: SearchResult
    reasons: tuple[str, ...]

    @property
    def is_staged(self) -> bool:
        """Whether it was only proposed."""
        return self.result.stored.learning.status is Status.STAGED


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextSection:
    """A section of a document and, in words, each reason why it is on the page; `score` lies in [0, 1].

    `headings` lead down to it, `excerpt` is what of it matters. Lines count from 1 in the document. `state` says
    whether that still is what was read, `superseded_by` what took the section's place.
    """

    ref: str
    path: str
    line_start: int
    line_end: int
    headings: tuple[str, ...]
    excerpt: str
    reasons: tuple[str, ...]
    score: float
    state: State = State.FRESH
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextPartner:
    """A file that is easily forgotten: it changed in `shared` of the `commits` that touched `file`."""

    path: str
    file: str
    shared: int
    commits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """All that was found, best first in each part, before anything is left out for want of room.

    `found` says of a part how much there is, where that is more than was looked at; `notices` are sentences for
    whoever asked.
    """

    task: Task | None = None
    open_files: tuple[str, ...] = ()
    learnings: tuple[ContextLearning, ...] = ()
    facts: tuple[RecalledFact, ...] = ()
    sections: tuple[ContextSection, ...] = ()
    files: tuple[RankedFile, ...] = ()
    partners: tuple[ContextPartner, ...] = ()
    tasks: tuple[Task, ...] = ()
    runs: tuple[Run, ...] = ()
    found: Mapping[Part, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[Part, int]:
        """How much was gathered for each part."""
        return {
            Part.TASK: 1 if self.task else 0,
            Part.LEARNINGS: len(self.learnings),
            Part.FACTS: len(self.facts),
            Part.SECTIONS: len(self.sections),
            Part.FILES: len(self.files),
            Part.PARTNERS: len(self.partners),
            Part.TASKS: len(self.tasks),
            Part.RUNS: len(self.runs),
        }

    @property
    def shares(self) -> dict[Part, float]:
        """Which share of the budget each part has."""
        given = {
            Part.FACTS: _SHARE_OF_FACTS if self.facts else 0.0,
            Part.SECTIONS: _SHARE_OF_SECTIONS if self.sections else 0.0,
        }
        return {part: share * (1 - sum(given.values())) for part, share in _SHARES.items()} | given


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What is to be printed, and nothing else with it: `tokens` counts all of `text`, and is at most `budget`.

    `shown` holds what found room, `omitted` counts what did not, by part.
    """

    text: str
    tokens: int
    budget: int
    shown: Material
    omitted: Mapping[Part, int]
