"""Strings of Python that stand side by side, which are one string, and those with holes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from tx_graph.codebase.parsing.canonical import literals
from tx_graph.codebase.parsing.canonical.parts import Part, Source

_PREFIX = re.compile(r"[a-z]*")
_SHORTEST_LONG = 6
"""Characters of an empty string in three quotes."""


def with_holes(part: Part, source: Source) -> None:
    """Spell what is between the holes like a string; a hole with `=` shows how it is written."""
    parts = part.parts or []
    prefix = parts[0].text if parts else ""
    for one in parts:
        if one.kind == "string_start":
            one.text = literals.python_start(one.text)
        elif one.kind == "string_end":
            one.text = '"' * len(one.text)
        elif one.kind == "string_content":
            one.text, one.parts = literals.python_content(source.text[one.start : one.end], prefix), None
        elif any(inner.text == "=" for inner in one.parts or ()):
            one.text, one.parts = source.text[one.start : one.end], None


def side_by_side(part: Part, source: Source) -> None:
    """Make one string of several, as formatters break long ones; not of strings in three quotes or unlike prefixes."""
    strings = part.parts or []
    begins = {_begin(one).replace("f", "") for one in strings}
    begin = next(iter(begins), "")
    if len(begins) != 1 or begin.endswith('"""'):
        return
    part.kind = "string"
    if all(one.parts is None for one in strings):
        source.seams[part.start, part.end] = [(one.text, one.start, one.end, True) for one in strings]
        part.text, part.parts = f'{begin}{"".join(one.text[len(begin) : -1] for one in strings)}"', None
    else:
        start = Part("string_start", part.start, part.start, f"f{begin}")
        end = Part("string_end", part.end, part.end, '"')
        part.parts = [start, *_merged([piece for one in strings for piece in _pieces(one, begin)], source), end]


def _begin(string: Part) -> str:
    """Return a string's prefix and the quotes that open it."""
    if string.parts:
        return string.parts[0].text
    match = _PREFIX.match(string.text)
    prefix = match[0] if match else ""
    quoted = string.text[len(prefix) :]
    is_long = quoted.startswith('"""') and len(quoted) >= _SHORTEST_LONG
    return prefix + ('"""' if is_long else '"')


def _pieces(string: Part, begin: str) -> Sequence[Part]:
    """Return what is between a string's quotes, as it is written in a string with holes."""
    if string.parts:
        return string.parts[1:-1]
    content = string.text[len(begin) : -1].replace("{", "{{").replace("}", "}}")
    return [Part("string_content", string.start, string.end, content)] if content else []


def _merged(pieces: Iterable[Part], source: Source) -> Iterator[Part]:
    """Yield the pieces, contents that follow one another as one."""
    for are_contents, run in groupby(pieces, key=lambda piece: piece.parts is None):
        parts = list(run)
        if not are_contents or len(parts) == 1:
            yield from parts
            continue
        first, last = parts[0], parts[-1]
        source.seams[first.start, last.end] = [(one.text, one.start, one.end, True) for one in parts]
        yield Part(first.kind, first.start, last.end, "".join(one.text for one in parts))
