"""A block of our own at the end of a text, put there and taken away without a trace.

A text that ends its last line gets a blank line before the block; one that does not ends without a line end again.
So what stood there before can be told from what stands there now.
"""

from __future__ import annotations


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
