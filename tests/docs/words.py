"""Blocks of text: diagrams, formulas, and what the program says of itself; no command hides among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from scripts.reference import help_texts
from tests.docs.blocks import Block
from tests.docs.sandbox import Sandbox

_COMMAND = re.compile(r"\s*(?:\$ |(?:tx|git|pip|python|scripts/\w+) [\w./-]+)")


def check_text(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield lines that are commands, and help that is not what the command prints."""
    if block.text.startswith("Usage: tx "):
        with sandbox.inhabited():
            if block.text not in _help():
                yield f"{block.place()}: this is not what --help prints."
        return
    for number, line in enumerate(block.text.splitlines()):
        if _COMMAND.match(line):
            yield f"{block.place(number)}: a command belongs into a block of 'console' or 'sh', where it is run: {line}"


@cache
def _help() -> str:
    return help_texts()
