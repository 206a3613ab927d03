"""Predicates: how the words of a relation are written down, and which of the closed relations they come nearest."""

from __future__ import annotations

import pytest

from tx_graph.graph.edges import PREDICATES, Relation, predicate_of, relation_of


@pytest.mark.parametrize(
    ("written", "predicate"),
    [
        ("Depends on", "depends_on"),
        ("depends_on", "depends_on"),
        ("Superseded-By", "superseded_by"),
        ("  See  also ", "see_also"),
        ("**Related to**", "related_to"),
    ],
)
def test_a_predicate_is_written_in_snake_case(written: str, predicate: str) -> None:
    assert predicate_of(written) == predicate


@pytest.mark.parametrize(
    ("predicate", "relation"),
    [
        ("supersedes", Relation.CONTRADICTS),
        ("superseded_by", Relation.CONTRADICTS),
        ("amends", Relation.ELABORATES),
        ("requires", Relation.DEPENDS_ON),
        ("part_of", Relation.PART_OF),
        ("because_of", Relation.CAUSED_BY),
        ("similar_to", Relation.SIMILAR_TO),
        ("next", Relation.SEQUENCE),
        ("related", Relation.REFERENCES),
    ],
)
def test_a_known_predicate_has_the_relation_that_comes_nearest(predicate: str, relation: Relation) -> None:
    assert relation_of(predicate) is relation


def test_an_unknown_predicate_refers_to_its_target() -> None:
    assert relation_of("eats") is Relation.REFERENCES


def test_a_predicate_that_turns_a_relation_around_is_not_that_relation() -> None:
    assert relation_of("required_by") is not Relation.DEPENDS_ON


def test_every_relation_is_a_predicate_of_itself() -> None:
    assert all(PREDICATES[relation.value] is relation for relation in Relation)


def test_every_known_predicate_is_written_as_one() -> None:
    assert all(predicate_of(predicate) == predicate for predicate in PREDICATES)
