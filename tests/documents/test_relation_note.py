"""How relation notes are named."""

from __future__ import annotations

import pytest

from tx_graph.documents.document import NoteName, note_named, numbers


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ("docs/a.md#decision^depends_on", NoteName("docs/a.md#decision", "depends_on")),
        ("docs/a.md#decision^depends_on-2", NoteName("docs/a.md#decision", "depends_on", 2)),
        ("docs/a.md#^depends_on", NoteName("docs/a.md#", "depends_on")),
        ("12^elaborates", NoteName("12", "elaborates")),
        ("odd^path.md#x^löst_ab", NoteName("odd^path.md#x", "löst_ab")),
    ],
)
def test_a_reference_and_its_name_are_the_same(ref: str, name: NoteName) -> None:
    assert note_named(ref) == name
    assert name.ref == ref


@pytest.mark.parametrize("text", ["docs/a.md", "^depends_on", "docs/a.md^", "a^b/c.md", "a ^ b", "HEAD^^"])
def test_other_texts_name_none(text: str) -> None:
    assert note_named(text) is None


def test_the_first_goes_without_a_number() -> None:
    assert NoteName("12", "elaborates", 1).ref == "12^elaborates"


def test_predicates_are_numbered_each_for_itself() -> None:
    assert numbers(["a", "b", "a", "a", "b"]) == [1, 1, 2, 3, 2]
