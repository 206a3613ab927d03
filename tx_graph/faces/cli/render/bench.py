"""A replay of history in words."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import ReplayReport, Tuning
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import echo, print_table
from tx_graph.history.sampling import Effect, Gain, Interval, Measure, Variant

_THIN = 20  # commits below which the intervals are so wide that hardly anything can be told
_HEADINGS = {
    Variant.WORDS: "From the subject of a commit alone:",
    Variant.OPEN_FILE: "With one of the commit's files open:",
}
_KNOWING = {Variant.WORDS: "from words", Variant.OPEN_FILE: "with an open file"}
_MEASURES = {Measure.RECALL_AT_5: "recall@5", Measure.RECALL_AT_10: "recall@10", Measure.MRR: "MRR"}


def report(found: ReplayReport) -> None:
    """Print how the methods did, what their signals are worth, and what tuning brought."""
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


def notices(found: ReplayReport, samples: int, write: bool, fail_under: float | None) -> Iterator[str]:  # noqa: FBT001 - the option
    """Yield what must be known to read the numbers, each as a sentence; let the command fail below `fail_under`."""
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
        yield _about_writing(found.tuning)
    if fail_under is not None:
        row = found.row(Variant.WORDS, Method.RANKING)
        recall = row.measures[Measure.RECALL_AT_10].value if row else 0.0
        if recall < fail_under:
            yield f"recall@10 of ranking from words is {recall:.3f}, less than {fail_under:g}."
            raise SystemExit(1)


def _about_writing(tuning: Tuning | None) -> str:
    """Return whether the weights were stored, and why not."""
    if tuning and tuning.written:
        doubt = "; that they are better is likelier than not, and no more" * (tuning.overall.effect is Effect.UNCLEAR)
        return f"The weights were written to {tuning.written}{doubt}."
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
    for one in tuning.recall:
        before, after = _measured(one.before), _measured(one.after)
        echo(f"  {_KNOWING[one.variant]:<18}{before} now, {after} then: {_gained(one.gain)}")
