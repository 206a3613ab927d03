"""The status of a decision, as records write it: a word or a few, often with what took its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from tx_graph.analysis.statements.decisions import referred_number
from tx_graph.analysis.statements.keys import STATUS, predicate_of
from tx_graph.analysis.statements.values import plain, values_of
from tx_graph.domain.document import BlockKind, ReadSection

_MOST_WORDS = 8
_LONGEST = 500
_MOST_LINES = 50
_RELATED = re.compile(
    r"(?P<verb>(?:partially\s+)?(?P<stem>supers\w+|superc\w+|replac\w+|obsolet\w+|amend\w+|deprecat\w+|updat\w+|extend\w+|"
    r"clarif\w+|refin\w+)(?:\s+(?:by|in|with))?)[\s:]+(?=[\[`<#(]|ADR|\d+\b)",
    re.IGNORECASE,
)
_STILL_SAID = re.compile(r"[^\W\d_]+ed\b", re.IGNORECASE)
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]+")


def status_said(written: str) -> Iterator[tuple[str, str]]:
    """Yield what a text behind `Status` says, as (predicate, value).

    That is the status, and to which record by number it leads; what it leads to by a link is said by that link.
    """
    written = written[:_LONGEST]
    related = _RELATED.search(written)
    before = written[: related.start()] if related else written
    words = plain(before).strip(" ,;.(–—-") or (_participle(related["verb"]) if related else "")
    if words.count(" ") < _MOST_WORDS:
        yield from ((STATUS, value) for value in values_of(STATUS, words))
    if related and (number := referred_number(written[related.end() :])) is not None:
        yield predicate_of(related["verb"]), f"ADR-{number}"


def status_below(section: ReadSection) -> list[tuple[str, str]]:
    """Return what a section says whose heading is `Status`: the first of its lines that gives one, and what follows."""
    found: list[tuple[str, str]] = []
    for line in islice(_lines(section), _MOST_LINES):
        has_status = any(predicate == STATUS for predicate, _ in found)
        said = status_said(_ITEM.sub("", line, count=1))
        found += [one for one in said if not (has_status and one[0] == STATUS)]
    return found


def _lines(section: ReadSection) -> Iterator[str]:
    for block in section.blocks:
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            yield from section.text[block.start : block.end].split("\n")


def _participle(verb: str) -> str:
    """Return what a decision is of which it is said that it was superseded; empty where it supersedes another one."""
    found = _STILL_SAID.search(verb)
    return found[0] if found else ""
