"""Gathers what a page could tell: learnings, facts, what is written, files, usual partners, open tasks, last runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import Status
from tx_graph.domain.references import NodeKind
from tx_graph.retrieval.expansion import Limits
from tx_graph.services.context.known import Known
from tx_graph.services.context.reasons import reasons
from tx_graph.services.context.values import ContextLearning, ContextPartner, ContextRequest, Material, Part
from tx_graph.services.context.written import Written
from tx_graph.services.file_ranking import RankedFile
from tx_graph.services.open_files import OpenFiles
from tx_graph.services.partners import Partners
from tx_graph.services.search import Query, Search, SearchResult
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import Run, Task

_TOKENS_OF_A_LEARNING, _TOKENS_OF_A_FILE = 125, 200
"""For so many tokens of the budget one is looked for, about as many as find room: of 2,000 tokens 16 learnings and 10
files, which is where the ranking of files is good."""
_TOKENS_OF_A_FACT, _FEWEST_FACTS, _MOST_FACTS = 250, 4, 30
_TOKENS_OF_A_SECTION, _FEWEST_SECTIONS, _MOST_SECTIONS = 400, 3, 20
_FEWEST, _MOST = 10, 200
_WORTH_READING = 0.5
"""Of the best one's relevance. A walk reaches much, and who reads a page pays for every line of it: what lies two
imports away from the open file, 0.7² of what is tied to the file itself, is not worth it."""
_LEAST_RELEVANCE = 0.2
"""Even the best one may have little to do with the question."""
_PARTNERS, _TASKS, _RUNS = 8, 5, 3
_TOP_FILES = 3
"""Without open files, partners of the best files are told: those are what will be opened."""
_LEAST_CONFIDENCE, _LEAST_SHARED = 0.4, 3
"""A partner is worth a word when it came along nearly every second time."""
_EXTERNAL_ID = re.compile(r"([A-Za-z][A-Za-z0-9_]*-|#)\d+")
_TASKS_COMPARED = 1_000
_QUESTION_LENGTH = 4_000
"""Characters of a question or task that are searched for; what matters in a longer one stands in its beginning."""


class RankFiles(Protocol):
    """Ranks the files of a repository."""

    def __call__(self, text: str, *, open_files: Sequence[str], limit: int) -> Sequence[RankedFile]:
        """Return the files that a question and the open files are about, best first, without the open ones."""


class _Subject(NamedTuple):
    """What the page is about; `notice` says how a doubtful text was taken."""

    task: Task | None
    text: str
    notice: str = ""


class Gathering:
    """Asks everybody who knows something."""

    def __init__(
        self,
        *,
        search: Search,
        written: Written,
        known: Known,
        open_files: OpenFiles,
        rank_files: RankFiles,
        partners: Partners,
        work: WorkReferences,
        tasks: TaskStore,
        runs: RunStore,
    ) -> None:
        self._search = search
        self._written = written
        self._known = known
        self._open_files = open_files
        self._rank_files = rank_files
        self._partners = partners
        self._work = work
        self._tasks = tasks
        self._runs = runs

    def gathered(self, request: ContextRequest) -> Material:
        """Return what there is to tell, best first in each part.

        Raises:
            NotFound: There is no such task or open file, or a glob matches nothing.
            UsageError: A file is outside the repository.
            ModelError: The retriever fails.
        """
        subject = self._subject(request.text)
        places = self._open_files.named(request.files)
        open_files = tuple(dict.fromkeys(place.path for place in places))
        learnings, found = self._learnings(request, subject.text, open_files)
        files = self._files(request, subject.text, open_files)
        nodes = [one.result.stored.node for one in learnings]
        sections = self._written.about(subject.text, places, limit=_sections(request.budget))
        opened = [place.node for place in places if place.node is not None]
        return Material(
            task=subject.task,
            open_files=open_files,
            learnings=tuple(learnings),
            facts=tuple(self._known.about(subject.text, [*opened, *nodes], sections, limit=_facts(request.budget))),
            sections=tuple(sections),
            files=tuple(files),
            partners=tuple(self._forgotten(open_files, [one.path for one in files])),
            tasks=tuple(self._other_tasks(nodes, subject.task)),
            runs=tuple(self._last_runs(nodes, subject.task, request.run)),
            found={Part.LEARNINGS: found},
            notices=(subject.notice,) if subject.notice else (),
        )

    def _subject(self, text: str) -> _Subject:
        """Return the task that a text names, and what to search for.

        `task:7` and a bare number mean a task; so does what is the external id of one. All else is a question, but for
        what looks like an external id where other tasks have such ids: that is a mistake.
        """
        name = text.strip()
        is_explicit = name.startswith(f"{NodeKind.TASK}:") or (name.isascii() and name.isdigit())
        task = self._work.task(name) if is_explicit else self._work.find_task(name) if name else None
        if task:
            return _Subject(task, f"{task.title}\n{task.description}"[:_QUESTION_LENGTH])
        if not (looks := _EXTERNAL_ID.fullmatch(name)):
            return _Subject(None, text[:_QUESTION_LENGTH])
        if any((one.external_id or "").startswith(looks[1]) for one in self._tasks.listed(None, limit=_TASKS_COMPARED)):
            self._work.task(name)  # which raises, and names the nearest
        return _Subject(None, text, f"There is no task '{name}'; it was taken for a question.")

    def _learnings(
        self, request: ContextRequest, text: str, open_files: Collection[str]
    ) -> tuple[list[ContextLearning], int]:
        """Return the learnings to tell, and how many there are."""
        query = Query(
            text=text,
            limit=_number(request.budget, _TOKENS_OF_A_LEARNING),
            expansion=Limits() if request.expand else None,
            profile=request.profile,
            context_files=request.files,
            retriever=request.retriever,
        )
        answers = [self._search.run(query)]
        if request.include_staged:
            answers.append(self._search.run(replace(query, status=Status.STAGED)))
        everything = [result for answer in answers for result in answer.results]
        results = _relevant(everything, near_open_files=bool(open_files))
        found = sum(answer.stats.matched for answer in answers) if len(results) >= query.limit else len(results)
        return [ContextLearning(result=one, reasons=reasons(one, open_files)) for one in results[: query.limit]], found

    def _files(self, request: ContextRequest, text: str, open_files: Sequence[str]) -> Sequence[RankedFile]:
        limit = _number(request.budget, _TOKENS_OF_A_FILE) if request.limit_files is None else request.limit_files
        return self._rank_files(text, open_files=open_files, limit=limit) if limit else ()

    def _forgotten(self, open_files: Sequence[str], ranked: Sequence[str]) -> list[ContextPartner]:
        """Return the usual partners of the open files, else of the best files, that are not among those told."""
        missing = self._partners.usual(
            open_files or ranked[:_TOP_FILES],
            min_confidence=_LEAST_CONFIDENCE,
            min_support=_LEAST_SHARED,
            limit=len(ranked) + _PARTNERS,
        )
        told = {*open_files, *ranked}
        strongest = [(one.path, one.evidence[0]) for one in missing if one.path not in told]
        return [
            ContextPartner(path=path, file=best.file, shared=best.shared, commits=best.commits)
            for path, best in strongest[:_PARTNERS]
        ]

    def _other_tasks(self, learnings: Collection[NodeId], task: Task | None) -> list[Task]:
        found = self._tasks.open(near=learnings, limit=_TASKS + 1)
        return [one for one in found if task is None or one.id != task.id][:_TASKS]

    def _last_runs(self, learnings: Collection[NodeId], task: Task | None, current: str | None) -> list[Run]:
        """Return the last runs for the task, then those in which the learnings were of use, without the current one."""
        own = self._runs.listed(task=task.id, limit=_RUNS + 1) if task else []
        near = self._runs.touching(learnings, limit=_RUNS + 1) if learnings else []
        runs = {run.id: run for run in (*own, *near)}
        if current is not None:
            runs.pop(self._work.run(current).id, None)
        return list(runs.values())[:_RUNS]


def _number(budget: int, tokens: int) -> int:
    """Return how many items to look for that take so many tokens."""
    return max(_FEWEST, min(_MOST, budget // tokens))


def _facts(budget: int) -> int:
    return max(_FEWEST_FACTS, min(_MOST_FACTS, budget // _TOKENS_OF_A_FACT))


def _sections(budget: int) -> int:
    return max(_FEWEST_SECTIONS, min(_MOST_SECTIONS, budget // _TOKENS_OF_A_SECTION))


def _relevant(results: Sequence[SearchResult], *, near_open_files: bool) -> list[SearchResult]:
    """Return the results that are worth reading, in the order they came; staged ones after those that are confirmed.

    What only the graph ties to open files is measured against what is tied to the files themselves, even where there
    is no such learning: otherwise the best would be whatever half of the repository reaches through a common module.
    """
    least = max(_LEAST_RELEVANCE, _WORTH_READING * max((one.relevance for one in results), default=0.0))
    by_walk = _WORTH_READING if near_open_files else least
    return [one for one in results if one.relevance >= (max(least, by_walk) if one.hops else least)]
