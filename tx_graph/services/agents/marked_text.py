"""Puts a block between our marks into a Markdown text, and takes it out again.

At the end of a text it leaves no trace: a text that ends its last line gets a blank line before the block; one that
does not ends without a line end again. So what stood there before can be told from what stands there now.
"""

from __future__ import annotations

import re

from tx_graph.errors import UsageError
from tx_graph.services.agents.wanted import MarkedFile

BEGIN, END = "<!-- tx:begin -->", "<!-- tx:end -->"
_BY_HAND = "Nothing was written; put the marks right by hand."


def with_ours(text: str | None, file: MarkedFile) -> str:
    """Return the text with the block: where it stands now, else at the end; None stands for a file that is not there.

    Raises:
        UsageError: The marks are not one pair.
    """
    span = _span(text or "", file)
    block = f"{BEGIN}\n{file.block.strip()}\n{END}\n"
    if text is None or span is None:
        return with_tail(text, block)
    own = text[span[0] : span[1]]
    new = block.replace("\n", "\r\n") if "\r\n" in own else block
    return text[: span[0]] + (new if own.endswith("\n") else new.rstrip()) + text[span[1] :]


def without_ours(text: str, file: MarkedFile) -> str | None:
    """Return the text without the block; None if there was nothing else and the file goes.

    Raises:
        UsageError: The marks are not one pair.
    """
    span = _span(text, file)
    return text if span is None else without_tail(text, *span, is_alone=True)


def _span(text: str, file: MarkedFile) -> tuple[int, int] | None:
    """Return where the block stands with its marks and the line end behind them, None if it does not."""
    begins = [found.start() for found in re.finditer(rf"^{BEGIN}", text, re.MULTILINE)]
    ends = [found.end() for found in re.finditer(rf"^{END}[ \t]*\r?(?:\n|\Z)", text, re.MULTILINE)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or ends[0] <= begins[0]:
        raise UsageError(f"{file.path} has {BEGIN} and {END} not just once, in this order.", hint=_BY_HAND)
    return begins[0], ends[0]


def with_tail(text: str | None, block: str) -> str:
    """Return the text with a block of whole lines behind it; None stands for a file that is not there."""
    if text is None:
        return block
    line_end = "\r\n" if "\r\n" in text else "\n"
    block = block.replace("\n", line_end)
    if text and not text.endswith("\n"):
        return f"{text}{line_end}{block.removesuffix(line_end)}"
    return f"{text}{line_end}{block}"


def without_tail(text: str, start: int, end: int, *, is_alone: bool) -> str | None:
    """Return the text without its lines `text[start:end]`; None if it was made for them (`is_alone`) and holds no more.

    The blank line before them goes too, and where they end without a line end, that of the line before.
    """
    if is_alone and start == 0 and end == len(text):
        return None
    before = text[:start]
    shorter = before.removesuffix("\n").removesuffix("\r")
    is_unended = end == len(text) and not text.endswith("\n")
    if is_unended or not shorter or shorter.endswith("\n"):
        before = shorter
    return before + text[end:]
