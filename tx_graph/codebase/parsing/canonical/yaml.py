"""YAML: nesting stays, and what a scalar says; its quotes and its indentation are free."""

from __future__ import annotations

import re

from tx_graph.codebase.parsing.canonical.lexing import HASHED, between
from tx_graph.codebase.parsing.canonical.parts import Rules
from tx_graph.codebase.parsing.canonical.shapes import unlisted

_BREAKS = re.compile(r"[ \t]*\n\s*")
_ESCAPED_QUOTE = re.compile(r"\\([\\\"])")


def _folded(text: str) -> str:
    """Return a scalar over several lines on one, as it is read: a break is a blank, an empty line is a break."""
    return _BREAKS.sub(lambda match: "\n" * (match[0].count("\n") - 1) or " ", text) if "\n" in text else text


def _single_quoted(text: str) -> str:
    return '"' + _folded(text[1:-1]).replace("''", "'").replace("\\", "\\\\") + '"'


def _double_quoted(text: str) -> str:
    content = _ESCAPED_QUOTE.sub(lambda match: '"' if match[1] == '"' else match[0], text[1:-1])
    return f'"{_folded(content)}"'


def _block(text: str) -> str:
    """Return a scalar that is a block of lines without the indentation they share."""
    header, _, body = text.partition("\n")
    header = header.partition("#")[0].strip()
    lines = body.split("\n")
    shared = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if any(one.isdigit() for one in header):
        shared = 0
    content = "\n".join(line[shared:] if line.strip() else "" for line in lines)
    return f"{header}\n{content}" if "+" in header else f"{header}\n{content.rstrip()}"


RULES = Rules(
    spellings={
        "plain_scalar": _folded,
        "single_quote_scalar": _single_quoted,
        "double_quote_scalar": _double_quoted,
        "block_scalar": _block,
    },
    every=unlisted,
    verbatim=frozenset({"ERROR"}),
    between=between(HASHED),
)
