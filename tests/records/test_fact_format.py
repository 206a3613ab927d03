"""Records of facts and entities are canonical text: what is rendered is read back, and what is wrong names its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes import uid_of
from tests.records.strategies import TRICKY, contents, labels, times, uids, units
from tx_graph.core.errors import UsageError
from tx_graph.knowledge.entity import Entity, clean_aliases, clean_name
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, clean_value
from tx_graph.knowledge.records import ENTITY_FORMAT, FACT_FORMAT, record_description, record_value
from tx_graph.records.front_matter import MalformedRecord


def stays(clean: Callable[[str], str]) -> Callable[[str], bool]:
    """Whether a text is what it would be cleaned to."""

    def is_clean(text: str) -> bool:
        try:
            return clean(text) == text
        except UsageError:
            return False

    return is_clean


names = (labels | st.sampled_from(TRICKY)).filter(stays(clean_name))
values = (contents | st.sampled_from(TRICKY)).filter(stays(record_value))
told = st.one_of(
    names.map(lambda name: {"object": name, "value": None}), values.map(lambda text: {"object": None, "value": text})
)
facts = st.builds(
    lambda said, **fields: Fact(**said, **fields),
    told,
    uid=uids,
    subject=names,
    predicate=st.sampled_from(["uses", "works_on", "größer_als", "1", "no", "null"]),
    created_at=times,
    confidence=units.filter(bool),
    status=st.sampled_from(FactStatus),
    source=st.sampled_from(FactSource),
    source_ref=st.none() | labels,
    valid_until=st.none() | times,
    superseded_by=st.none() | uids,
)
entities = st.builds(
    lambda name, aliases, **fields: Entity(name=name, aliases=clean_aliases(aliases, name=name), **fields),
    names,
    st.lists(names, max_size=3),
    uid=uids,
    created_at=times,
    type=st.sampled_from(["concept", "person", "no", "null"]),
    description=st.just("") | contents.map(str.strip).filter(stays(record_description)),
    merged_into=st.none() | names,
)


@given(facts, entities)
def test_what_is_rendered_is_read_back(fact: Fact, entity: Entity) -> None:
    text, of_entity = FACT_FORMAT.render(fact), ENTITY_FORMAT.render(entity)
    assert (FACT_FORMAT.parse(text.encode()), ENTITY_FORMAT.parse(of_entity.encode())) == (fact, entity)
    assert FACT_FORMAT.render(FACT_FORMAT.parse(text.encode())) == text
    assert ENTITY_FORMAT.render(ENTITY_FORMAT.parse(of_entity.encode())) == of_entity


HEAD = f"---\nuid: {uid_of(1)}\nsubject: Ada\npredicate: uses\ncreated_at: '2026-11-20T12:00:00Z'\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (f"{HEAD}---\n", 7, "value is empty"),
        (f"{HEAD}object: Bob\n---\nvalue\n", 6, "both an object and a value"),
        (f"{HEAD}status: true\n---\nx\n", 6, "'true' is no status"),
        (f"{HEAD}confidence: 2\n---\nx\n", 6, "from 0 to 1"),
        (f"{HEAD}source: {{type: rumour}}\n---\nx\n", 6, "no source type"),
        (f"{HEAD}valid_until: tomorrow\n---\nx\n", 6, "UTC time"),
        (f"{HEAD}colour: red\n---\nx\n", 6, "unknown key 'colour'"),
        (HEAD.replace("Ada", "''") + "---\nx\n", 3, "name of an entity is empty"),
        (HEAD.replace("uses", "'--'") + "---\nx\n", 4, "predicate"),
        (HEAD + "---\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", 7, "unresolved merge conflict"),
        ("subject: a\n", 1, "does not start with"),
    ],
)
def test_what_is_no_fact_names_the_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(MalformedRecord, match=reason) as error:
        FACT_FORMAT.parse(text.encode())
    assert error.value.line == line


def test_predicates_and_names_written_by_hand_are_cleaned() -> None:
    fact = FACT_FORMAT.parse((HEAD.replace("uses", "Works on").replace("Ada", "'Ada  Lovelace'") + "---\nx\n").encode())
    assert (fact.subject, fact.predicate, fact.status) == ("Ada Lovelace", "works_on", FactStatus.STAGED)
    text = f"---\nuid: {uid_of(1)}\nname: Duck\nmerged_into: 'entity:DuckDB'\ncreated_at: '2026-11-20T12:00:00Z'\n---\n"
    assert ENTITY_FORMAT.parse(text.encode()).merged_into == "DuckDB"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("name: DuckDB", "name: ''"), "name of an entity"),
        (("type: tool", "type: 9"), "no type"),
        (("aliases: [a]", "aliases: a"), "list"),
    ],
)
def test_what_is_no_entity_says_why(change: tuple[str, str], reason: str) -> None:
    text = f"---\nuid: {uid_of(1)}\nname: DuckDB\ntype: tool\naliases: [a]\ncreated_at: '2026-11-20T12:00:00Z'\n---\n"
    assert ENTITY_FORMAT.parse(text.encode()).aliases == ("a",)
    with pytest.raises(MalformedRecord, match=reason):
        ENTITY_FORMAT.parse(text.replace(*change).encode())


def test_the_file_is_named_by_what_is_said() -> None:
    fact = FACT_FORMAT.parse(f"{HEAD}object: Duck DB\n---\n".encode())
    assert FACT_FORMAT.file_name(fact) == f"{uid_of(1)}-ada-uses-duck-db.md"
    entity = Entity(uid=uid_of(1), name="日本", created_at="2026-11-20T12:00:00Z")
    assert ENTITY_FORMAT.file_name(entity) == f"{uid_of(1)}-entity.md"
    assert clean_value(" x ") == "x"
