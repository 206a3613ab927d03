"""The page as one JSON document, one item a line: for programs, which pay for tokens too."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from tx_graph.domain.inert import inert_json
from tx_graph.domain.tokens import TokensBy
from tx_graph.services.context.layout import Contents, Items
from tx_graph.services.context.values import ContextLearning, ContextPartner, ContextSection, Material, Part
from tx_graph.services.file_ranking import RankedFile
from tx_graph.services.recall import RecalledFact
from tx_graph.work.values import Run, Task

_Thing = TypeVar("_Thing")
_DIGITS = 4
"""Of a score: more say nothing."""


class Document:
    """Writes JSON. Where `only_ascii`, other characters are escaped, and counted as that."""

    def __init__(self, *, tokens_by: TokensBy, notices: Sequence[str] = (), only_ascii: bool = False) -> None:
        self._tokens_by = tokens_by
        self._notices = list(notices)
        self._only_ascii = only_ascii

    def items(self, material: Material) -> Items:
        """Return each item as one line of JSON."""
        return {
            Part.TASK: self._lines(_task, [material.task] if material.task else []),
            Part.LEARNINGS: self._lines(_learning, material.learnings),
            Part.FACTS: self._lines(_fact, material.facts),
            Part.SECTIONS: self._lines(_section, material.sections),
            Part.FILES: self._lines(_file, material.files),
            Part.PARTNERS: self._lines(_partner, material.partners),
            Part.TASKS: self._lines(_task, material.tasks),
            Part.RUNS: self._lines(_run, material.runs),
        }

    def page(self, contents: Contents) -> str:
        """Return the document; its keys are always all there."""
        task, *lists = Part
        fields = [
            ("tokens", self._json(contents.tokens)),
            ("budget", self._json(contents.budget)),
            ("tokens_by", self._json(self._tokens_by)),
            ("omitted", self._json({part: number for part, number in contents.omitted.items() if number})),
            (task, "".join(contents.items[task]) or "null"),
            *((part, _list(contents.items[part])) for part in lists),
            ("notices", self._json(self._notices)),
        ]
        return "{\n" + ",\n".join(f'  "{name}": {value}' for name, value in fields) + "\n}\n"

    def _lines(self, shape: Callable[[_Thing], dict[str, Any]], many: Iterable[_Thing]) -> list[str]:
        return [self._json(shape(one)) for one in many]

    def _json(self, value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
        return inert_json(json.dumps(value, ensure_ascii=self._only_ascii))


def _list(items: Sequence[str]) -> str:
    return "[\n    " + ",\n    ".join(items) + "\n  ]" if items else "[]"


def _learning(one: ContextLearning) -> dict[str, Any]:
    stored, learning = one.result.stored, one.result.stored.learning
    return {
        "id": stored.id,
        "uid": learning.uid,
        "content": learning.content,
        "category": learning.category,
        "status": learning.status.value,
        "confidence": learning.confidence,
        "verdict": one.result.standing.value,
        "stale": one.result.is_stale,
        "source_type": learning.source_type.value,
        "source_ref": learning.source_ref,
        "created_at": learning.created_at,
        "anchors": [anchor.spec for anchor in learning.anchors],
        "score": round(one.result.relevance, _DIGITS),
        "reasons": list(one.reasons),
    }


def _fact(one: RecalledFact) -> dict[str, Any]:
    stored, fact = one.stored, one.stored.fact
    return {
        "id": stored.id,
        "uid": fact.uid,
        "subject": stored.subject_name,
        "predicate": fact.predicate,
        "object": stored.object_name,
        "value": fact.value,
        "confidence": fact.confidence,
        "status": fact.status.value,
        "source": fact.source.value,
        "source_ref": fact.source_ref,
        "verdict": one.state.value if one.state else None,
        "conflicting": one.is_conflicting,
        "score": round(one.score, _DIGITS),
    }


def _section(one: ContextSection) -> dict[str, Any]:
    return {
        "ref": one.ref,
        "path": one.path,
        "line_start": one.line_start,
        "line_end": one.line_end,
        "headings": list(one.headings),
        "excerpt": one.excerpt,
        "state": one.state.value,
        "superseded_by": one.superseded_by,
        "score": round(one.score, _DIGITS),
        "reasons": list(one.reasons),
    }


def _file(one: RankedFile) -> dict[str, Any]:
    return {"path": one.path, "score": round(one.score, _DIGITS), "reasons": [reason.text for reason in one.reasons]}


def _partner(one: ContextPartner) -> dict[str, Any]:
    return {"path": one.path, "file": one.file, "shared": one.shared, "commits": one.commits}


def _task(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "external_id": task.external_id,
        "title": task.title,
        "description": task.description,
        "status": task.status.value,
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "id": run.id,
        "task": run.task.id if run.task else None,
        "agent": run.agent,
        "outcome": run.outcome.value if run.outcome else None,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
    }
