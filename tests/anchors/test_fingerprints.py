"""Fingerprints: graded drift, and similarity that a short sketch can tell."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.anchors.fingerprints import (
    MARK,
    content_hash,
    drift,
    fingerprints,
    flat,
    flat_sketch,
    similarity,
    sketch_of,
    word_hashes,
)
from tx_graph.code.passages import Passage
from tx_graph.records.anchor import Drift, Fingerprints

PASSAGE = Passage(
    text="def login(user):\n    return user  # always",
    tokens=("def", "login", "user", "return", "user"),
    head=("def", "login", "user"),
    comments=("always",),
)


def taken(**changes: object) -> Fingerprints:
    return fingerprints(replace(PASSAGE, **changes), name="login")  # type: ignore[arg-type]


def test_the_same_text_has_not_drifted() -> None:
    assert drift(taken(), taken()) is None


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"text": "x"}, Drift.FORMAT),
        ({"text": "x", "comments": ("never",)}, Drift.COMMENT),
        ({"text": "x", "comments": ()}, Drift.COMMENT),
        ({"text": "x", "tokens": ("def", "login", "user", "return", "None")}, Drift.BODY),
        ({"text": "x", "tokens": ("def", "login", "return", "user"), "head": ("def", "login")}, Drift.SIGNATURE),
        ({"text": "x", "tokens": ("def",), "head": ("def",), "comments": ("never",)}, Drift.SIGNATURE),
    ],
)
def test_the_worst_that_changed_is_the_grade(changes: dict[str, object], expected: Drift) -> None:
    assert drift(taken(), taken(**changes)) is expected


def test_what_cannot_be_graded_counts_as_a_change_of_the_body() -> None:
    assert drift(Fingerprints(content="1"), taken()) is Drift.BODY


def test_windows_line_ends_are_no_change() -> None:
    assert content_hash("a\r\nb") == content_hash("a\nb") != content_hash("a\rb")


def test_another_name_changes_all_but_the_nameless_fingerprints() -> None:
    renamed = replace(PASSAGE, tokens=("def", "sign_in", "user", "return", "user"), head=("def", "sign_in", "user"))
    old, new = taken(), fingerprints(renamed, name="sign_in")
    assert (old.unnamed, old.signature, old.sketch) == (new.unnamed, new.signature, new.sketch)
    assert old.tokens != new.tokens


@pytest.mark.parametrize("longer", ["login2", "login_", "$login", "_login", "loginUser"])
def test_a_name_within_a_longer_one_is_not_that_name(longer: str) -> None:
    tokens = ("def", "login", longer)
    old = fingerprints(replace(PASSAGE, tokens=tokens), name="login")
    new = fingerprints(replace(PASSAGE, tokens=("def", "other", longer)), name="other")
    swallowed = fingerprints(replace(PASSAGE, tokens=("def", "other", "other")), name="other")
    assert old.unnamed == new.unnamed != swallowed.unnamed


@pytest.mark.parametrize(("one", "other"), [(("a", "b"), ("ab",)), (("a", ""), ("a",)), (("a", "b"), ("b", "a"))])
def test_tokens_do_not_run_together(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert taken(tokens=one).tokens != taken(tokens=other).tokens


def test_the_sketch_of_an_anchor_survives_its_encoding() -> None:
    sketch = sketch_of(fingerprints(PASSAGE, name="login", twins=3))
    assert sketch is not None
    assert (sketch.twins, sketch.size, len(sketch.bins)) == (3, 5, 64)
    assert set(sketch.words) <= word_hashes(PASSAGE.text)


@pytest.mark.parametrize("damaged", ["", "abc", "\u00e4", "A" * 138 + "B"])
def test_a_damaged_sketch_is_none(damaged: str) -> None:
    assert sketch_of(Fingerprints(content="1", sketch=damaged)) is None


def test_structure_is_no_part_of_a_sketch() -> None:
    marked = [f"{MARK}call", "f", "x", f"{MARK}"]
    assert flat(marked) == ["f", "x"]
    assert taken(tokens=tuple(marked)).sketch == taken(tokens=("f", "x")).sketch


@given(st.lists(st.sampled_from("abcdefgh"), max_size=200))
def test_code_is_wholly_like_itself(tokens: list[str]) -> None:
    assert similarity(flat_sketch(tokens), flat_sketch(tokens)) == 1.0


@pytest.mark.parametrize("changed", [0, 10, 30, 60, 100])
def test_estimated_similarity_is_near_the_true_one(changed: int) -> None:
    chance = random.Random(7)
    errors = []
    for _ in range(40):
        one = [f"t{chance.randrange(500)}" for _ in range(200)]
        other = [f"u{place}" if chance.randrange(100) < changed else token for place, token in enumerate(one)]
        shingles = [{tuple(code[i : i + 3]) for i in range(len(code) - 2)} for code in (one, other)]
        true = len(shingles[0] & shingles[1]) / len(shingles[0] | shingles[1])
        errors.append(similarity(flat_sketch(one), flat_sketch(other)) - true)
    assert abs(sum(errors) / len(errors)) < 0.03
    assert max(map(abs, errors)) < 0.25
