"""What is looked for is found by equal code, whatever its name, and by similar code as long as that says something."""

from __future__ import annotations

from tx_graph.anchors.fingerprints import fingerprints, word_hashes
from tx_graph.anchors.relocation import Wanted
from tx_graph.code.passages import Passage
from tx_graph.records.anchor import Fingerprints

BODY = tuple(f"step{number}" for number in range(30))


def code(name: str, body: tuple[str, ...] = BODY) -> Fingerprints:
    tokens = ("def", name, *body)
    return fingerprints(Passage(text=" ".join(tokens), tokens=tokens, head=("def", name)), name=name)


def words(*parts: str) -> frozenset[int]:
    return word_hashes(" ".join(parts))


def test_equal_code_is_found_under_its_name_and_under_others() -> None:
    wanted = Wanted([code("one", ("pass",)), code("two")])
    assert list(wanted.matches(code("two"), words())) == [1]
    assert list(wanted.matches(code("three"), words())) == [1]
    assert list(wanted.matches(code("four", ("return", "None")), words())) == []


def test_similar_code_is_found_by_its_words() -> None:
    wanted = Wanted([code("one")])
    edited = code("one", (*BODY[:25], "other"))
    assert list(wanted.matches(edited, words(*BODY[:25], "other"))) == [0]
    assert list(wanted.matches(edited, words("other"))) == []


def test_what_has_none_of_the_words_need_not_be_parsed() -> None:
    wanted = Wanted([code("one")])
    assert wanted.is_any_in(words(*BODY))
    assert not wanted.is_any_in(words("nothing", "of", "it"))


def test_beyond_fifty_similar_places_only_equal_ones_count() -> None:
    wanted = Wanted([code("one")])
    similar = [code("one", (*BODY[:25], f"other{number}")) for number in range(60)]
    assert sum(bool(list(wanted.matches(each, words(*BODY)))) for each in similar) == 50
    assert list(wanted.matches(code("two"), words(*BODY))) == [0]


def test_without_fingerprints_nothing_is_like_it() -> None:
    wanted = Wanted([Fingerprints(content="")])
    assert not wanted.is_any_in(words(*BODY))
    assert list(wanted.matches(Fingerprints(content="1"), words(*BODY))) == []
