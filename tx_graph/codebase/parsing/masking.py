"""Masking: source text with parts blanked that a grammar would stumble over, every other character in its place."""

from __future__ import annotations

import re
from dataclasses import replace

from tx_graph.codebase.parsing.tree import Tree, parse_as

_VISIBLE = re.compile(r"[^\r\n]")


def blanked(text: str) -> str:
    """Return as many blanks, with the line breaks where they were."""
    return _VISIBLE.sub(" ", text)


def without(pattern: re.Pattern[str], text: str) -> str:
    """Return a text in which every match is blanked, or only its group `mask` where the pattern has one."""
    return pattern.sub(_masked if "mask" in pattern.groupindex else lambda match: blanked(match[0]), text)


def parse_masked(text: str, masked: str, grammar: str) -> Tree:
    """Return the tree of a masked text over the text as it was written."""
    return replace(parse_as(masked, grammar), text=text)


def _masked(match: re.Match[str]) -> str:
    mask = match["mask"]
    if not mask:
        return match[0]
    start, end = match.start("mask") - match.start(), match.end("mask") - match.start()
    return match[0][:start] + blanked(mask) + match[0][end:]
