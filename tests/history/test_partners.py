"""The surest partners of files are those that sorting all of them would put first."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.core.database import Database
from tx_graph.history.cochange import CoChange
from tx_graph.history.cochange_store import CoChangeStore

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
