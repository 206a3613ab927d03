"""What names mean does not depend on the order in which they are heard, and nobody loses a name of their own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import uid_of
from tx_graph.knowledge.entity import Entity, entity_key, naming

NAMES = st.sampled_from(["Ada", "ADA", "Duck DB", "DuckDB", "Bob", "ADR 3", "adr 3", "Use DuckDB"])


def record(number: int, name: str, **fields: object) -> Entity:
    return Entity(name=name, uid=uid_of(number), created_at=f"2026-11-20T12:00:{number % 60:02}Z", **fields)  # type: ignore[arg-type]


def document(name: str, *aliases: str) -> Entity:
    return Entity(uid="", name=name, created_at="", type="decision", aliases=aliases)


records = st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=2), st.none() | NAMES), max_size=5).map(
    lambda rows: [
        record(number, name, aliases=tuple(aliases), merged_into=into)
        for number, (name, aliases, into) in enumerate(rows, start=1)
    ]
)
documents = st.lists(st.tuples(NAMES, st.lists(NAMES, max_size=2)), max_size=4).map(
    lambda rows: [document(name, *aliases) for name, aliases in rows]
)


@given(records, documents, st.randoms())
def test_the_order_of_claims_makes_no_difference(given: list[Entity], titles: list[Entity], random: object) -> None:
    first = naming(given, titles)
    random.shuffle(given)  # type: ignore[attr-defined]
    random.shuffle(titles)  # type: ignore[attr-defined]
    assert naming(given, titles) == first


@given(records, documents)
def test_every_name_means_one_entity_that_is_there(given: list[Entity], titles: list[Entity]) -> None:
    found = naming(given, titles)
    assert set(found.names.values()) <= found.heads.keys()
    assert all(found.names[key] == key for key in found.heads)
    assert {entity_key(claim.name) for claim in [*given, *titles]} <= found.names.keys()
    for key, head in found.heads.items():
        assert all(found.names[alias] == key for alias in head.aliases)


@given(records, documents)
def test_a_record_that_no_other_one_claims_keeps_its_own_name(given: list[Entity], titles: list[Entity]) -> None:
    found = naming(given, titles)
    for claim in given:
        key = entity_key(claim.name)
        others = [one for one in given if entity_key(one.name) != key and one.merged_into is None]
        is_claimed = any(entity_key(alias) == key for one in others for alias in one.aliases)
        is_merged = any(entity_key(one.name) == key and one.merged_into for one in given)
        if not is_claimed and not is_merged:
            assert found.names[key] == key


def test_a_record_that_gives_the_name_of_another_one_makes_them_one() -> None:
    described = record(1, "Duck DB", description="OLAP", type="tool")
    found = naming([described, record(2, "DuckDB", aliases=("duck db", "DDB"))], [])
    (head,) = found.heads.values()
    assert (head.name, head.description, head.type) == ("DuckDB", "OLAP", "tool")
    assert found.names == dict.fromkeys(("duckdb", "duck db", "ddb"), "duckdb")


def test_opposite_mergers_on_two_branches_are_one_entity() -> None:
    found = naming([record(1, "B", aliases=("A",)), record(2, "A", aliases=("B",), description="x")], [])
    assert set(found.names.values()) == {"a"}
    assert found.heads["a"].description == "x"


def test_entities_merged_in_a_circle_are_one_with_what_leads_into_it() -> None:
    circle = [record(2, "B", merged_into="A"), record(3, "A", merged_into="B")]
    for claims in (circle, [record(1, "0", merged_into="B"), *circle]):
        assert set(naming(claims, []).names.values()) == {"a"}


def test_several_claims_of_one_name_add_up_and_the_older_one_is_heard_first() -> None:
    found = naming(
        [
            record(2, "duckdb", description="later", type="tool", aliases=("duck",)),
            record(1, "DuckDB", description="first", aliases=("DDB",)),
        ],
        [],
    )
    (head,) = found.heads.values()
    assert (head.name, head.type, head.description, head.uid) == ("DuckDB", "tool", "first", uid_of(1))
    assert head.aliases == {"duck": "duck", "ddb": "DDB"}


def test_a_merged_entity_gives_all_its_names_away_however_long_the_chain() -> None:
    found = naming(
        [record(1, "A", merged_into="B", aliases=("a1",)), record(2, "B", merged_into="C"), record(3, "C")], []
    )
    assert list(found.heads) == ["c"]
    assert {key: found.names[key] for key in ("a", "a1", "b", "c")} == dict.fromkeys(("a", "a1", "b", "c"), "c")


def test_what_a_record_calls_itself_counts_more_than_how_a_document_is_called() -> None:
    found = naming([record(1, "DuckDB", aliases=("Use DuckDB",))], [document("Use DuckDB")])
    assert found.names["use duckdb"] == "duckdb"
    assert found.heads["duckdb"].type == "decision"


def test_another_name_that_two_documents_claim_is_nobodys() -> None:
    one, two = (document(name, "ADR 3", f"{name.lower()}.md") for name in ("One", "Two"))
    found = naming([], [one, two])
    assert "adr 3" not in found.names
    assert found.names["one.md"] == "one"
