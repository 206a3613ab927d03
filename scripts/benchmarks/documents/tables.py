"""How a comparison reads: a table for the questions that are tuned on, one for those held out, and one for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scripts.benchmarks.documents.questions import QuestionSet
from scripts.benchmarks.documents.scoring import FIRST, Score, Summary, summary
from scripts.benchmarks.documents.variants import Variant
from tx_graph.history.sampling import Gain

TOGETHER = "together"
"""What the questions of all sets are called."""
_PARTS: Mapping[str, tuple[bool, ...]] = {"tuned on": (False,), "held out": (True,), "all": (False, True)}

Scores = Mapping[str, Sequence[Score]]
"""By the name of a set, a score for each of its questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """How one way of searching did in one part: in each set, and in all of them together."""

    variant: Variant
    sets: Mapping[str, Summary]


def parts(sets: Sequence[QuestionSet], asked: Sequence[tuple[Variant, Scores]]) -> Mapping[str, Sequence[Line]]:
    """Return the lines of each part of the questions, in the order in which the ways were asked."""
    by_name = {variant.name: scores for variant, scores in asked}
    return {
        part: [_line(variant, sets, scores, by_name.get(variant.against), held_out) for variant, scores in asked]
        for part, held_out in _PARTS.items()
    }


def as_markdown(found: Mapping[str, Sequence[Line]]) -> str:
    """Return a table for each part, under a line that says which."""
    return "\n".join(line for part, lines in found.items() for line in ["", f"**{part}**", "", *_table(lines)])


def as_document(found: Mapping[str, Sequence[Line]]) -> dict[str, Any]:
    """Return all parts as one JSON document."""
    return {part.replace(" ", "_"): [_document(line) for line in lines] for part, lines in found.items()}


def _line(
    variant: Variant, sets: Sequence[QuestionSet], scores: Scores, baseline: Scores | None, held_out: tuple[bool, ...]
) -> Line:
    groups = {one.name: [one] for one in sets} | {TOGETHER: sets}
    return Line(
        variant=variant,
        sets={
            name: summary(
                _chosen(group, scores, held_out),
                None if baseline is None else _chosen(group, baseline, held_out),
            )
            for name, group in groups.items()
        },
    )


def _chosen(sets: Sequence[QuestionSet], scores: Scores, held_out: tuple[bool, ...]) -> list[Score]:
    pairs = ((question, score) for one in sets for question, score in zip(one.questions, scores[one.name], strict=True))
    return [score for question, score in pairs if question.held_out in held_out]


def _table(lines: Sequence[Line]) -> Iterator[str]:
    counted = [f"{name} ({one.count})" for name, one in lines[0].sets.items()]
    head = ("searched by", *(f"recall@{FIRST}: {name}" for name in counted), "MRR", f"recall@{FIRST} gained over")
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 2)} --- |"
    for line in lines:
        yield f"| {' | '.join(_cells(line))} |"


def _cells(line: Line) -> Iterator[str]:
    yield line.variant.name
    for name, one in line.sets.items():
        recall = f"{one.recall.value:.3f}"
        yield recall if name != TOGETHER else f"**{recall}** [{one.recall.low:.2f}, {one.recall.high:.2f}]"
    together = line.sets[TOGETHER]
    yield f"{together.reciprocal_rank.value:.3f}"
    yield f"{line.variant.against}: {_gain(together.gain)}" if together.gain else ""


def _gain(gain: Gain) -> str:
    points = gain.points
    return f"{points.value:+.3f} [{points.low:+.3f}, {points.high:+.3f}], {gain.effect}"


def _document(line: Line) -> dict[str, Any]:
    return {
        "name": line.variant.name,
        "options": dict(line.variant.options),
        "against": line.variant.against or None,
        "sets": {name: asdict(one) for name, one in line.sets.items()},
    }
