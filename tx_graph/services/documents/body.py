"""What a section says below its heading: what is cut, searched and embedded. The heading stands above every chunk."""

from __future__ import annotations

import re
from typing import NamedTuple

from tx_graph.domain.document import Block, BlockKind, ReadSection

_SAYS_NOTHING = re.compile(
    r"""(?:
        \s++
        | \([^()\s]+\)=            # a label of MyST
        | \.\.\ _[^:\n]+:\s*\n     # one of reStructuredText
        | <a\s[^<>]*>\s*(?:</a>)?  # an anchor
        | ([-=*_~^"'+\#.:])\1{2,}+  # a rule
    )*+""",
    re.VERBOSE,
)


class Body(NamedTuple):
    """The text below a heading, its blocks by their places in it, and the line that it begins in."""

    text: str
    blocks: tuple[Block, ...]
    line_start: int


def body_of(section: ReadSection) -> Body:
    """Return what a section says; the text is empty where that is nothing but labels, anchors and rules."""
    blocks = section.blocks
    start = blocks[0].end if blocks and blocks[0].kind is BlockKind.HEADING else 0
    text = section.text[start:].lstrip("\n")
    cut = len(section.text) - len(text)
    if _SAYS_NOTHING.fullmatch(f"{text}\n"):
        return Body("", (), section.line_start)
    own = tuple(Block(kind, first - cut, last - cut) for kind, first, last in blocks if first >= cut)
    return Body(text, own, section.line_start + section.text.count("\n", 0, cut))
