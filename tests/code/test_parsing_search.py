"""Searching trees by words."""

from __future__ import annotations

import re

from tx_graph.code.tree import around, parse

WORD = re.compile("here")


def kinds(text: str, *leaves: str) -> list[str]:
    return [node.kind() for node in around(parse(text, "python"), WORD, leaves=leaves)]


def test_only_what_stands_around_a_word_is_visited_outer_nodes_first() -> None:
    assert kinds("a = 1\nf(here)\nb = 2\n") == ["expression_statement", "call", "argument_list", "identifier"]
    assert kinds("a = 1\nthere = 2\n")[-1] == "identifier"
    assert kinds("a = 1\n") == []


def test_leaves_are_not_looked_into() -> None:
    assert kinds("f(here)\nhere\n", "call") == ["expression_statement", "call", "expression_statement", "identifier"]


def test_places_are_counted_in_characters() -> None:
    assert kinds("# 日本語 ünïcode 🎉\nhere\n") == ["expression_statement", "identifier"]
