"""A replay of history in words and as a JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypedDict

from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import BASELINE, ReplayReport, Row, Tuning
from tx_graph.core.shape import as_json
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import echo, print_table
from tx_graph.history.sampling import Effect, Gain, Interval, Measure, Variant
from tx_graph.workspace.replaying import Benched

_THIN = 20  # commits below which the intervals are so wide that hardly anything can be told
_HEADINGS = {
    Variant.WORDS: "From the subject of a commit alone:",
    Variant.OPEN_FILE: "With one of the commit's files open:",
}
_KNOWING = {Variant.WORDS: "from words", Variant.OPEN_FILE: "with an open file"}
_MEASURES = {Measure.RECALL_AT_5: "recall@5", Measure.RECALL_AT_10: "recall@10", Measure.MRR: "MRR"}
_DIGITS = 6


class CaseShape(TypedDict):
    """A replayed commit: its parent, at which it was asked about, what was asked, and the files to be found."""

    commit: str
    parent: str
    query: str
    targets: list[str]
    open_file: str | None


class BenchShape(TypedDict):
    """What a replay measured; of rows and gains each measure has a key of its own."""

    sampled: int
    qualified: int
    commits: int
    seed: int
    shallow: bool
    results: list[dict[str, Any]]
    gains: list[dict[str, Any]]
    signals: list[dict[str, Any]]
    tuning: dict[str, Any] | None
    cases: list[CaseShape]


def shape(done: Benched) -> BenchShape:
    """Return a replay."""
    found = done.report
    return {
        "sampled": len(found.cases),
        "qualified": found.qualified,
        "commits": found.commits,
        "seed": found.seed,
        "shallow": found.is_shallow,
        "results": [_row(row) for row in found.rows],
        "gains": [
            {
                "variant": one.variant.value,
                "method": one.method.value,
                "over": BASELINE.value,
                "measure": Measure.RECALL_AT_10.value,
                **_gain(one.gain),
            }
            for one in found.comparisons
        ],
        "signals": [
            {
                "variant": one.variant.value,
                "signal": one.signal,
                Measure.RECALL_AT_10.value: _gain(one.recall),
                Measure.MRR.value: _gain(one.mrr),
            }
            for one in found.worth
        ],
        "tuning": _tuning(found.tuning, written=done.written) if found.tuning else None,
        "cases": [
            {
                "commit": case.changeset.sha,
                "parent": case.changeset.parent,
                "query": case.changeset.subject,
                "targets": list(case.changeset.existing),
                "open_file": case.open_file,
            }
            for case in found.cases
        ],
    }


def report(done: Benched) -> None:
    """Print how the methods did, what their signals are worth, and what tuning brought."""
    found = done.report
    echo(f"Replayed {counted(len(found.cases), 'commit')} of {found.qualified:,} that qualify, each at its parent.")
    for variant, heading in _HEADINGS.items():
        echo(f"\n{heading}")
        rows = [row for row in found.rows if row.variant is variant]
        names = ["method", *_MEASURES.values()]
        cells = [[row.method.value, *(_measured(row.measures[measure]) for measure in _MEASURES)] for row in rows]
        print_table(names, cells, right=names[1:])
    if found.worth:
        _print_worth(found)
    if found.tuning:
        _print_tuning(found.tuning)


def notices(done: Benched, samples: int, write: bool, fail_under: float | None) -> Iterator[str]:  # noqa: FBT001 - the option
    """Yield what must be known to read the numbers, each as a sentence; let the command fail below `fail_under`."""
    found = done.report
    sampled, thin = len(found.cases), found.qualified < _THIN
    several = "commit qualifies" if found.qualified == 1 else "commits qualify"
    if thin:
        yield f"The history is too thin to tell much: {found.qualified} {several}."
    elif sampled < samples:
        yield f"Only {sampled:,} {several}; {samples:,} were asked for."
    if found.is_shallow:
        yield "This is a shallow clone: only the commits that are here count."
    if not found.is_workspace:
        yield "There is no .tx here, so the default settings counted."
    if write:
        yield _about_writing(found, done.written)
    if fail_under is not None:
        row = found.row(Variant.WORDS, Method.RANKING)
        recall = row.measures[Measure.RECALL_AT_10].value if row else 0.0
        if recall < fail_under:
            yield f"recall@10 of ranking from words is {recall:.3f}, less than {fail_under:g}."
            raise SystemExit(1)


def _about_writing(found: ReplayReport, written: str) -> str:
    """Return whether the weights were stored, and why not."""
    tuning = found.tuning
    if written and tuning and tuning.overall.effect is Effect.UNCLEAR:
        return f"The weights were written to {written}; that they are better is likelier than not, and no more."
    if written:
        return f"The weights were written to {written}."
    if tuning and tuning.after == tuning.before:
        return "Nothing was written: no other weights did better on the older half."
    return "Nothing was written: the weights found did no better on the newer half."


def _measured(interval: Interval) -> str:
    return f"{interval.value:.3f} [{interval.low:.2f}, {interval.high:.2f}]"


def _print_worth(found: ReplayReport) -> None:
    """Print what each kind of evidence is worth: what helps first, then what hurts, then what cannot be told."""
    echo("\nWhat each signal is worth here, the ranking with it beside the ranking without it:")
    order = {effect: place for place, effect in enumerate(Effect)}
    rows = [
        (one.signal, _KNOWING[one.variant], one.recall.effect.value, _points(one.recall), _points(one.mrr))
        for variant in Variant
        for one in sorted(found.worth, key=lambda one: order[one.recall.effect])
        if one.variant is variant
    ]
    print_table(("signal", "known", "effect", "recall@10", "MRR"), rows)


def _points(gain: Gain) -> str:
    value, low, high = (
        f"{one:+.{digits}f}".replace("-", "−")
        for one, digits in ((gain.points.value, 3), (gain.points.low, 2), (gain.points.high, 2))
    )
    return f"{value} [{low}, {high}]"


def _gained(gain: Gain) -> str:
    """Return a gain in percent of what was there, or in points where there was nothing."""
    if gain.relative is None:
        return f"{gain.points.value:+.3f} from nothing"
    value, low, high = (
        f"{round(one * 100):+d}".replace("-", "−").replace("+0", "0")
        for one in (gain.relative.value, gain.relative.low, gain.relative.high)
    )
    return f"{value} % [{low}, {high}]"


def _print_tuning(tuning: Tuning) -> None:
    echo(
        f"\nWeights: {tuning.tried} tried on the older {tuning.tuned_on}, the best of them"
        f" on the newer {tuning.judged_on}, by recall@10:"
    )
    if tuning.after == tuning.before:
        echo("  none did better than those in force.")
        return
    old = tuning.before.as_dict()
    for name, value in tuning.changes.items():
        echo(f"  ranking.{name} = {value:g} (now {old[name]:g})")
    for variant, (before, after, gained) in tuning.recall.items():
        echo(f"  {_KNOWING[variant]:<18}{_measured(before)} now, {_measured(after)} then: {_gained(gained)}")


def _rounded(value: Any) -> Any:  # noqa: ANN401 - what JSON can hold
    """Return a value as JSON has it, with six digits of each number."""
    shape = as_json(value)
    if isinstance(shape, dict):
        return {key: _rounded(one) for key, one in shape.items()}
    return round(shape, _DIGITS) if isinstance(shape, float) else shape


def _row(row: Row) -> dict[str, Any]:
    found = {measure.value: _rounded(row.measures[measure]) for measure in Measure}
    ends = {name: [one["low"], one["high"]] for name, one in found.items()}
    values = {name: one["value"] for name, one in found.items()}
    return {"variant": row.variant.value, "method": row.method.value, **values, "intervals": ends}


def _gain(gain: Gain) -> dict[str, Any]:
    points, relative = _rounded(gain.points), _rounded(gain.relative)
    return {"effect": gain.effect.name.lower(), "points": points, "relative": relative}


def _tuning(tuning: Tuning, *, written: str) -> dict[str, Any]:
    recall = [
        {"variant": variant.value, "before": _rounded(before), "after": _rounded(after), **_gain(gained)}
        for variant, (before, after, gained) in tuning.recall.items()
    ]
    return {
        "before": tuning.before.as_dict(),
        "after": tuning.after.as_dict(),
        "tried": tuning.tried,
        "tuned_on": tuning.tuned_on,
        "judged_on": tuning.judged_on,
        "recall_at_10": recall,
        "better": tuning.is_better,
        "written_to": written or None,
    }
