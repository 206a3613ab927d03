"""What recall costs among 100,000 facts, and what facts add to a page of `tx context`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scripts.benchmarks import facts_workspace, vocabulary
from scripts.benchmarks.report import Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import percentile, timed
from scripts.opened import Workspace, open_workspace
from tx_graph.context.page import ContextRequest, Markdown
from tx_graph.context.recall import Recall
from tx_graph.core.place import DATABASE_VARIABLE
from tx_graph.core.text import by_characters
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.facts import Facts
from tx_graph.knowledge.spreading import RecallLimits

_QUESTIONS = 200
_POPULAR = 2_000
"""Entities to ask about: those with most facts."""
_REPEATS = 3
"""Times that each question is asked, the best of which counts, as in `graph`."""
_P95 = 0.95
_ASKED = 20


def rows(settings: Settings) -> Iterator[Row]:
    """Yield recall by names, by words and by vectors, by one process that stays open, no question asked twice."""
    root = settings.workdir.made("facts", facts_workspace.make)
    with open_workspace(root) as workspace:
        known = [entity.name for entity in workspace.kernel.one(Entities).list(limit=_POPULAR)]
        yield from _recalls(workspace, "names, without vectors", _named(known))
        yield from _recalls(workspace, "words, without vectors", vocabulary.questions(_QUESTIONS))
        yield _walks(workspace, known)
        yield _pages(workspace, known)
    small = settings.workdir.made("few-facts", facts_workspace.make_few)
    yield from _growth(small, root)
    with _opened_with(root, facts_workspace.with_vectors(root)) as workspace:
        yield from _recalls(workspace, "names and vectors", _named(known))
        yield from _recalls(workspace, "vectors alone", vocabulary.questions(_QUESTIONS))


def _growth(small: Path, large: Path) -> Iterator[Row]:
    """Yield what commands cost among all facts, against a hundredth of them: the median of a few."""
    walls: dict[str, list[float]] = {}
    for root in (small, large):
        with open_workspace(root) as workspace:
            facts, recall = workspace.kernel.one(Facts), workspace.kernel.one(Recall)
            names = [entity.name for entity in workspace.kernel.one(Entities).list(limit=_ASKED)]

            def page(name: str, workspace: Workspace = workspace) -> None:
                workspace.context.page(ContextRequest(text=f"what does {name} use?"), Markdown(), count=by_characters)

            def add(name: str, facts: Facts = facts) -> None:
                stored = facts.add(name, "noted", value=os.urandom(8).hex(), private=True).stored
                facts.retract(stored.ref)

            def ask(name: str, recall: Recall = recall) -> None:
                recall.ask(f"what does {name} use?")

            def grep(name: str, facts: Facts = facts) -> None:
                facts.list(grep=name)

            asked: dict[str, Callable[[str], None]] = {
                "recall of a question that names an entity": ask,
                "fact:list --grep of a name": grep,
                "fact:add and fact:retract, private": add,
                "context of a question that names an entity": page,
            }
            for what, action in asked.items():
                action(names[0])
                walls.setdefault(what, []).append(percentile([timed(action, name) for name in names], 0.5))
    for what, (few, many) in walls.items():
        yield Row(
            what=f"{what}, {facts_workspace.FACTS:,} facts",
            measured=ms(many),
            baseline=f"{facts_workspace.FACTS // facts_workspace.PART:,} facts",
            against=ms(few),
            note=f"p50 of {_ASKED}; warm",
        )


def _opened_with(root: Path, database: Path) -> Workspace:
    os.environ[DATABASE_VARIABLE] = str(database)
    try:
        return open_workspace(root)
    finally:
        del os.environ[DATABASE_VARIABLE]


def _named(names: Sequence[str]) -> list[str]:
    """Return questions that name one entity each, the popular ones among them."""
    generator = np.random.default_rng(15)
    chosen = generator.choice(len(names), _QUESTIONS, replace=False).tolist()
    return [f"what does {names[number]} use, and who owns it?" for number in chosen]


def _recalls(workspace: Workspace, how: str, questions: Sequence[str]) -> Iterator[Row]:
    for hops, budget in ((2, 30), (3, None)):
        recall = _Recall(workspace, RecallLimits(hops=hops))
        recall("warm up")
        recall("warm up again")
        row = _row(f"recall by {how}, {hops} hops", recall, questions, budget=budget)
        yield replace(row, note=f"{row.note}; {recall.told / len(questions) / _REPEATS:.0f} facts each")


class _Recall:
    """Recalls, and counts the facts that are told."""

    def __init__(self, workspace: Workspace, limits: RecallLimits) -> None:
        self._recall = workspace.kernel.one(Recall)
        self._limits = limits
        self.told = 0

    def __call__(self, text: str) -> None:
        self.told += len(self._recall.ask(text, limits=self._limits).facts)


def _walks(workspace: Workspace, names: Sequence[str]) -> Row:
    def walk(name: str) -> None:
        workspace.graph.neighbors(f"entity:{name}")

    hubs = names[:_QUESTIONS]
    return _row("graph:neighbors of the entities most is tied to, 2 hops", walk, hubs, budget=None)


def _pages(workspace: Workspace, names: Sequence[str]) -> Row:
    def page(text: str) -> None:
        workspace.context.page(ContextRequest(text=text), Markdown(), count=by_characters)

    page("warm up")
    return _row("context of a question that names an entity", page, _named(names), budget=50)


def _row(what: str, action: Callable[[str], None], asked: Sequence[str], *, budget: float | None) -> Row:
    # Blanks make it another question, which no cache has the answer to.
    walls = [min(timed(action, f"{text}{' ' * number}") for number in range(_REPEATS)) for text in asked]
    return Row(
        what=f"{what}, p95",
        measured=ms(percentile(walls, _P95)),
        budget=at_most(budget, "ms") if budget else None,
        note=f"p50 {percentile(walls, 0.5):.1f} ms, most {max(walls):.1f}; warm; the best of {_REPEATS} times",
    )
