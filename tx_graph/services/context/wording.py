"""The words of a page, the same in every layout. What comes from the repository is inert and one line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tx_graph.domain.inert import inert_line, label, quoted_line
from tx_graph.domain.references import NodeKind
from tx_graph.domain.section import HEADINGS_PART
from tx_graph.domain.verdict import Standing
from tx_graph.retrieval.recall import marked
from tx_graph.services.context.values import ContextLearning, ContextPartner, ContextSection, Material, Part
from tx_graph.services.doc_search import State
from tx_graph.services.file_ranking import Because, RankedFile
from tx_graph.services.recall import RecalledFact
from tx_graph.work.values import Run, Task

HEADINGS: Mapping[Part, str] = {
    Part.TASK: "The task",
    Part.LEARNINGS: "What we learned",
    Part.FACTS: "What is known",
    Part.SECTIONS: "What is written",
    Part.FILES: "Where to look",
    Part.PARTNERS: "Easily forgotten",
    Part.TASKS: "Open tasks",
    Part.RUNS: "Last runs",
}
NOTHING = "Nothing is known about this yet."
_OTHERS = {
    Part.TASK: ("the task itself", "the task itself"),
    Part.LEARNINGS: ("learning", "learnings"),
    Part.FACTS: ("fact", "facts"),
    Part.SECTIONS: ("section", "sections"),
    Part.FILES: ("file", "files"),
    Part.PARTNERS: ("partner", "partners"),
    Part.TASKS: ("task", "tasks"),
    Part.RUNS: ("run", "runs"),
}
_CARE = {
    Standing.RELOCATED: "its code moved",
    Standing.DRIFTED_COMMENT: "its code does what it did",
    Standing.DRIFTED_BODY: "code changed since, check before relying on it",
    Standing.DRIFTED_SIGNATURE: "code changed since, check before relying on it",
    Standing.GONE: "its code is gone, check before relying on it",
}
_STATES = {
    State.CHANGED: "its document changed since it was read",
    State.GONE: "its document is gone",
}
STAGED = "staged: proposed, confirmed by nobody"
_COMMIT, _COMMIT_DIGITS = f"{NodeKind.COMMIT}:", 12
_VALUE = 200
"""Characters of what a fact says that a page shows."""
_REASONS = 3
"""Reasons to give for one file: the first says why, the others that it is no accident."""


class Line(NamedTuple):
    """An item of one line: what it is about, and what is to say of it."""

    subject: str
    text: str


def facts(one: ContextLearning) -> tuple[str, ...]:
    """Return what is to know of a learning before reading it: its state, where it came from, why it is here."""
    learning = one.result.stored.learning
    told = [label(learning.category)] if learning.category else []
    told.append(verdict(one.result.standing))
    if one.is_staged:
        told.append(STAGED)
    if learning.confidence < 1:
        told.append(f"confidence {learning.confidence:.2g}")
    told.append(f"{_source(one)}, {learning.created_at[:10]}")
    return (*told, *(inert_line(reason) for reason in one.reasons))


def verdict(standing: Standing) -> str:
    """Return what is said of a learning's code, and what follows from it."""
    return f"{standing.value} ({_CARE[standing]})" if standing in _CARE else standing.value


def _source(one: ContextLearning) -> str:
    """Return where a learning came from: `agent`, `task GH-123`, `commit 1a2b3c4d5e6f`."""
    learning = one.result.stored.learning
    kind = learning.source_type.value
    ref = inert_line(learning.source_ref or "").removeprefix(f"{kind}:")
    return f"{kind} {label(ref[:_COMMIT_DIGITS] if kind == 'commit' else ref)}" if ref else kind


def section_facts(one: ContextSection) -> tuple[str, ...]:
    """Return what is to know of a section before reading it: where it stands, whether it holds, why it is here."""
    lines = f"line {one.line_start}" if one.line_start == one.line_end else f"lines {one.line_start}-{one.line_end}"
    told = [lines]
    if one.superseded_by:
        told.append(f"superseded by {inert_line(one.superseded_by)}")
    if one.state in _STATES:
        told.append(_STATES[one.state])
    return (*told, *(inert_line(reason) for reason in one.reasons))


def section_text(one: ContextSection) -> str:
    """Return the headings of a section in one line, and below them what of it matters."""
    return f"{inert_line(HEADINGS_PART.join(one.headings))}\n{one.excerpt}".strip("\n")


def task_name(task: Task) -> str:
    """Return what a task is called: `GH-123 (task:7)`."""
    return f"{task.external_id} ({task.ref})" if task.external_id else task.ref


def task_text(task: Task) -> str:
    """Return all that a task says, its title first."""
    return f"{task.title}\n\n{task.description}" if task.description else task.title


def file_lines(files: Sequence[RankedFile]) -> list[Line]:
    """Return the files to look at, with the best reasons; what a commit says is said once."""
    told: set[str] = set()
    return [Line(inert_line(one.path), "; ".join(_reasons(one, told))) for one in files]


def _reasons(file: RankedFile, told: set[str]) -> list[str]:
    reasons = [_briefer(one) if one.ref in told else one for one in file.reasons[:_REASONS]]
    told |= {one.ref for one in reasons if one.ref.startswith(_COMMIT)}
    return [inert_line(text) for text in _joined(reasons)]


def _briefer(one: Because) -> Because:
    """Return a reason without the subject of its commit: `changed in 1a2b3c4`."""
    return replace(one, text=one.text.partition(": ")[0])


def _joined(reasons: Sequence[Because]) -> list[str]:
    """Return the reasons; those that speak of the same thing name it once: `named like and imported by b.py`."""
    said: dict[str, list[str]] = {}
    for one in reasons:
        is_about = one.ref and one.text.endswith(f" {one.ref}")
        said.setdefault(one.ref if is_about else "", []).append(one.text.removesuffix(f" {one.ref}"))
    return [text for ref, words in said.items() for text in ([f"{' and '.join(words)} {label(ref)}"] if ref else words)]


def fact_line(one: RecalledFact) -> Line:
    """Return a fact: whom it is about, and what it says, with what must be said with it."""
    stored, told = one.stored, inert_line(one.stored.told)
    cut = told if len(told) <= _VALUE else f"{told[: _VALUE - 1].rstrip()}…"
    told = f"{inert_line(stored.fact.predicate)}: {quoted_line(cut)}{marked(one.marks)}"
    return Line(inert_line(stored.subject_name), told)


def partner_line(one: ContextPartner) -> Line:
    """Return a file that is easily forgotten."""
    return Line(
        inert_line(one.path), f"changed in {one.shared:,} of {one.commits:,} commits to `{inert_line(one.file)}`"
    )


def task_line(task: Task) -> Line:
    """Return an open task."""
    return Line(task_name(task), quoted_line(task.title))


def run_line(run: Run) -> Line:
    """Return a run: how it ended, when, by whom and for what."""
    who = f" by {label(run.agent)}" if run.agent else ""
    what = f", for {task_name(run.task)} {quoted_line(run.task.title)}" if run.task else ""
    return Line(run.ref, f"{run.outcome or 'running'}, {run.started_at[:10]}{who}{what}")


def lines(material: Material) -> dict[Part, list[Line]]:
    """Return the items that are one line each."""
    return {
        Part.FACTS: [fact_line(one) for one in material.facts],
        Part.FILES: file_lines(material.files),
        Part.PARTNERS: [partner_line(one) for one in material.partners],
        Part.TASKS: [task_line(one) for one in material.tasks],
        Part.RUNS: [run_line(one) for one in material.runs],
    }


def left_out(omitted: Mapping[Part, int], *, option: str = "--budget") -> str:
    """Return the line that says what did not get in, and by which option to see it; empty when everything did."""
    names = [f"{_amount(part, number)}" for part, number in omitted.items() if number]
    return f"… and {', '.join(names)} more; a bigger {option} shows more." if names else ""


def _amount(part: Part, number: int) -> str:
    if part is Part.TASK:
        return _OTHERS[part][0]
    one, many = _OTHERS[part]
    return f"{number:,} {one if number == 1 else many}"
