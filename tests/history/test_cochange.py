"""The rules of co-change, and their agreement with the definition."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.core.database import Database
from tx_graph.core.errors import UsageError
from tx_graph.history.cochange import CoChange, CoChangeOptions, Commit, count_cochanges, under_present_names
from tx_graph.history.cochange_store import CoChangeStore

DAY = 86_400
ALIVE = ("a", "b", "c", "d")


def commit(*paths: str, time: int = 0) -> Commit:
    return Commit(sha="", time=time, paths=paths)


def options(*, max_files: int = 30, min_support: int = 1, half_life: timedelta | None = None) -> CoChangeOptions:
    return CoChangeOptions(max_files=max_files, min_support=min_support, half_life=half_life)


def test_the_score_is_the_share_of_commits_that_touch_both() -> None:
    history = [commit("b", "a")] * 3 + [commit("a")] * 2 + [commit("b")]
    [pair] = count_cochanges(history, alive=ALIVE).pairs
    assert pair == CoChange(file_a="a", file_b="b", score=3 / 6, shared=3, commits_a=5, commits_b=4)


def test_two_shared_commits_are_chance_by_default() -> None:
    assert count_cochanges([commit("a", "b")] * 2, alive=ALIVE).pairs == ()


def test_a_commit_with_too_many_files_is_dropped_whole_before_any_filter() -> None:
    wide = commit("a", "b", *(f"dead{number}" for number in range(29)))
    result = count_cochanges([wide, commit("a", "b", *wide.paths[3:])], alive=ALIVE, options=options())
    assert [(pair.shared, pair.commits_a) for pair in result.pairs] == [(1, 1)]
    assert (result.commits, result.dropped, result.touched) == (2, 1, {"a": 1, "b": 1})


def test_both_files_must_be_alive() -> None:
    result = count_cochanges([commit("a", "gone"), commit("a", "b")], alive=ALIVE, options=options())
    assert [(pair.file_a, pair.file_b) for pair in result.pairs] == [("a", "b")]


def test_the_best_come_first_and_ties_go_by_name() -> None:
    history = [commit("c", "d"), commit("a", "b"), commit("a", "c"), commit("a", "c")]
    pairs = count_cochanges(history, alive=ALIVE[::-1], options=options()).pairs
    assert [(pair.file_a, pair.file_b) for pair in pairs] == [("a", "c"), ("a", "b"), ("c", "d")]


def test_an_old_commit_weighs_less_in_the_score_and_as_much_in_the_counts() -> None:
    history = [commit("a", "b", time=2 * DAY), commit("a", time=DAY), commit("a", "b", time=0)]
    [pair] = count_cochanges(history, alive=ALIVE, options=options(half_life=timedelta(days=1))).pairs
    assert pair.score == pytest.approx((1 + 0.25) / (1 + 0.5 + 0.25))
    assert (pair.shared, pair.commits_a, pair.commits_b) == (2, 3, 2)


def test_a_commit_dated_after_head_counts_as_now() -> None:
    history = [commit("a", "b", time=9 * DAY), commit("a", time=DAY)]
    decay = options(half_life=timedelta(days=1))
    [pair] = count_cochanges(history, alive=ALIVE, options=decay, head_time=DAY).pairs
    assert pair.score == pytest.approx(1 / 2)


def test_ages_beyond_all_floats_still_give_a_score() -> None:
    history = [commit("a", "b", time=0), commit("a", time=1), commit("c", time=2_000_000_000)]
    [pair] = count_cochanges(history, alive=ALIVE, options=options(half_life=timedelta(seconds=1))).pairs
    assert pair.score == pytest.approx(1 / 2)


def test_no_history_has_no_pairs() -> None:
    result = count_cochanges([], alive=ALIVE, options=options(half_life=timedelta(days=1)))
    assert (result.pairs, result.commits, result.dropped, result.touched) == ((), 0, 0, {})


@pytest.mark.parametrize(
    ("max_files", "min_support", "half_life"), [(1, 1, None), (2, 0, None), (2, 1, timedelta()), (2, 1, -timedelta(1))]
)
def test_options_without_meaning_are_refused(max_files: int, min_support: int, half_life: timedelta | None) -> None:
    with pytest.raises(UsageError):
        CoChangeOptions(max_files=max_files, min_support=min_support, half_life=half_life)


def naive(history: list[Commit], alive: set[str], rules: CoChangeOptions) -> dict[tuple[str, str], CoChange]:
    """The definition, word by word, over every pair of living files."""
    kept = [one for one in history if len(one.paths) <= rules.max_files]
    newest = max((one.time for one in kept), default=0)

    def mass(indexes: set[int]) -> float:
        if rules.half_life is None:
            return len(indexes)
        ages = [timedelta(seconds=newest - kept[index].time) / rules.half_life for index in indexes]
        return sum(float(0.5**age) for age in ages)

    touched = {file: {index for index, one in enumerate(kept) if file in one.paths} for file in alive}
    return {
        (a, b): CoChange(
            file_a=a,
            file_b=b,
            score=mass(touched[a] & touched[b]) / mass(touched[a] | touched[b]),
            shared=len(touched[a] & touched[b]),
            commits_a=len(touched[a]),
            commits_b=len(touched[b]),
        )
        for a, b in combinations(sorted(alive), 2)
        if len(touched[a] & touched[b]) >= rules.min_support
    }


histories = st.lists(
    st.builds(
        Commit,
        sha=st.just(""),
        time=st.integers(0, 100 * DAY),
        paths=st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6).map(tuple),
    ),
    max_size=40,
)
rules = st.builds(
    CoChangeOptions,
    max_files=st.integers(2, 6),
    min_support=st.integers(1, 4),
    half_life=st.none() | st.timedeltas(timedelta(days=1), timedelta(days=400)),
)


@given(history=histories, alive=st.sets(st.sampled_from("abcdefghij")), rules=rules)
def test_counting_equals_the_definition(history: list[Commit], alive: set[str], rules: CoChangeOptions) -> None:
    pairs = count_cochanges(history, alive=alive, options=rules).pairs
    expected = naive(history, alive, rules)
    assert {(pair.file_a, pair.file_b) for pair in pairs} == expected.keys()
    for pair in pairs:
        twin = expected[pair.file_a, pair.file_b]
        assert (pair.shared, pair.commits_a, pair.commits_b) == (twin.shared, twin.commits_a, twin.commits_b)
        assert pair.score == pytest.approx(twin.score)
        assert 0 < pair.score <= 1
    assert list(pairs) == sorted(pairs, key=lambda pair: (-pair.score, -pair.shared, pair.file_a, pair.file_b))


@given(
    history=histories.flatmap(lambda commits: st.tuples(st.just(commits), st.permutations(commits))),
    half_life=st.none() | st.just(timedelta(days=7)),
)
def test_the_order_of_commits_does_not_matter(
    history: tuple[list[Commit], list[Commit]], half_life: timedelta | None
) -> None:
    rules = options(half_life=half_life)
    one, other = (count_cochanges(commits, alive=ALIVE, options=rules) for commits in history)
    assert one == other, "to the last bit: sums of floats are taken in one order"


# --- under which names ---------------------------------------------------------------------------


def renamed(old: str, new: str) -> Commit:
    return Commit(sha="", time=0, paths=(new,), renames=((old, new),))


MOVE = Commit(sha="", time=0, paths=("new/a", "new/b"), renames=(("old/a", "new/a"), ("old/b", "new/b")))


@pytest.mark.parametrize(
    ("history", "alive", "names"),
    [
        ((commit("b"), renamed("a", "b"), commit("a")), "b", ["b", "b", "b"]),
        ((renamed("b", "c"), commit("b"), renamed("a", "b"), commit("a", "x")), "c x", ["c", "c", "c", "c x"]),
        ((commit("a"), commit("a"), renamed("a", "b"), commit("a")), "a b", ["a", "a", "b", "b"]),
        ((renamed("b", "c"), renamed("a", "b"), commit("b"), commit("a")), "b c", ["c", "c", "b", "c"]),
        (
            (renamed("t", "b"), renamed("b", "a"), renamed("a", "t"), commit("a"), commit("b")),
            "a b",
            ["b", "a", "b", "b", "a"],
        ),
        ((renamed("b", "a"), commit("b"), renamed("a", "b"), commit("a")), "a", ["a"] * 4),
        ((commit("b"), renamed("a", "b"), commit("a")), "a", ["b", "b", "a"]),
        ((commit("a"), renamed("a", "b"), commit("a")), "b", ["b", "b", "b"]),
        ((renamed("a", "b"), commit("a"), commit("a")), "b", ["b", "b", "b"]),
        ((MOVE, commit("old/a", "old/b")), "new/a new/b", ["new/a new/b"] * 2),
        ((renamed("b", "c"), renamed("a", "b"), commit("a", "x")), "c x", ["c", "c", "c x"]),
    ],
    ids=[
        "older commits count for the present name", "chains are followed to the end",
        "a name that is taken again belongs to another file", "what bore the new name before was another file",
        "two files may swap their names", "a rename taken back changes nothing",
        "a rename into a file that is gone is not followed", "a line beside the rename counts for the new name",
        "also where it is listed later", "several files move at once", "two old names stay two paths",
    ],
)  # fmt: skip
def test_each_commit_has_the_names_of_today(history: tuple[Commit, ...], alive: str, names: list[str]) -> None:
    assert [" ".join(one.paths) for one in under_present_names(history, alive=set(alive.split()))] == names


# --- the surest partners -------------------------------------------------------------------------

FILES = [f"src/{letter}.py" for letter in "abcdefgh"]


@st.composite
def pairs(draw: st.DrawFn) -> list[CoChange]:
    """Pairs with so few different counts that many are equally sure."""
    chosen = draw(
        st.sets(st.tuples(st.sampled_from(FILES), st.sampled_from(FILES)).filter(lambda two: two[0] < two[1]))
    )
    counts = st.integers(min_value=0, max_value=2)
    return [
        _pair(a, b, draw(st.integers(min_value=1, max_value=3)), draw(counts), draw(counts)) for a, b in sorted(chosen)
    ]


def _pair(a: str, b: str, shared: int, more_of_a: int, more_of_b: int) -> CoChange:
    return CoChange(
        file_a=a, file_b=b, score=0.5, shared=shared, commits_a=shared + more_of_a, commits_b=shared + more_of_b
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(
    known=pairs(),
    asked=st.sets(st.sampled_from(FILES), min_size=1, max_size=3),
    limit=st.integers(min_value=1, max_value=9),
    min_support=st.integers(min_value=1, max_value=3),
    min_confidence=st.sampled_from([0.0, 0.4, 0.5, 1.0]),
)
def test_the_surest_partners_are_the_first_of_all(
    database: Database, known: list[CoChange], asked: set[str], limit: int, min_support: int, min_confidence: float
) -> None:
    store = CoChangeStore(database)
    with database.transaction():
        store.replace_all(known)
    partners = store.partners_of(sorted(asked), min_confidence=min_confidence, min_support=min_support)
    every = [
        (-one.confidence, -one.shared, one.path, file)
        for file, those in partners.items()
        for one in those
        if one.path not in asked
    ]
    strongest = store.strongest(sorted(asked), min_confidence=min_confidence, min_support=min_support, limit=limit)
    found = [(-one.confidence, -one.shared, one.path, file) for file, one in strongest]
    assert found == sorted(every)[:limit]
    assert all(one[0] <= -min_confidence and one[1] <= -min_support for one in every)
