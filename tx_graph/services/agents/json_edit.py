"""Puts an element into a JSON text, or takes one out, and leaves every other character as people wrote it.

An element comes first in what holds it: no line that somebody wrote changes, not even by a comma. What comes into
something empty stands behind one blank on the same line, as nothing else here does: so taking it out again knows what
was there before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tx_graph.services.agents.jsonc import Node, past_blank

_INDENT = "  "
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a text is laid out: its line end, and what each level is indented by."""

    line_end: str = "\n"
    indent: str = _INDENT


def style_of(text: str, root: Node) -> Style:
    """Return how a text is laid out, as its first line inside says."""
    _, lead = _front(text, root)
    line_end = "\r\n" if "\r\n" in text else "\n"
    return Style(line_end=line_end, indent=lead.rpartition("\n")[2] or _INDENT if "\n" in lead else _INDENT)


def written(value: Any, style: Style, indent: str = "") -> str:  # noqa: ANN401 - any JSON
    """Return a value over several lines, all but the first indented; a list of plain values stays on its line."""
    if isinstance(value, Mapping) and value:
        inner = indent + style.indent
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {written(one, style, inner)}" for key, one in value.items()]
        return _block("{", rows, "}", style, indent)
    if isinstance(value, list) and any(isinstance(one, (Mapping, list)) for one in value):
        return _block("[", [written(one, style, indent + style.indent) for one in value], "]", style, indent)
    return on_one_line(value)


def on_one_line(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return a value on one line."""
    return json.dumps(value, ensure_ascii=False)


def with_first(text: str, holder: Node, value: Any, style: Style, *, key: str = "") -> str:  # noqa: ANN401 - any JSON
    """Return the text with a value put first into `holder`, an object (where it has a key) or a list."""
    name = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    if not (holder.members or holder.items):
        at, new = holder.start + 1, f" {name}{on_one_line(value)}"
    else:
        at, lead = _front(text, holder)
        indent = lead.rpartition("\n")[2]
        if "\n" in lead:
            new = f"{style.line_end}{indent}{name}{written(value, style, indent)},"
        else:
            new = f"{lead}{name}{on_one_line(value)},{'' if lead else ' '}"
    return text[:at] + new + text[at:]


def without(text: str, start: int, end: int, *, before: int | None) -> str:
    """Return the text without the element `text[start:end]`, without its comma, and without the blank before it.

    `before` is where the element before it ends: its comma goes if the element is the last and has none of its own.
    """
    is_tight = text[start - 1] not in _BLANKS
    while text[start - 1] in _BLANKS:
        start -= 1
    comma = past_blank(text, end)
    if text[comma] == ",":
        rest = text[comma + 1 :]
        return text[:start] + text[end:comma] + (rest.removeprefix(" ") if is_tight else rest)
    if before is None:
        return text[:start] + text[end:]
    comma = past_blank(text, before)
    return text[:comma] + text[comma + 1 : start] + text[end:]


def is_as_written(text: str, node: Node, style: Style) -> bool:
    """Whether a value looks as we would have written it, with all that is in it."""
    line = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return text[node.start : node.end] in (written(node.value, style, indent), on_one_line(node.value))


def _front(text: str, holder: Node) -> tuple[int, str]:
    """Return where a first element goes, and the blank that stands before what is there now.

    A comment behind the opening bracket, on its line, stays there.
    """
    at = holder.start + 1
    blank = at + len(text[at:]) - len(text[at:].lstrip(" \t"))
    if text.startswith("//", blank):
        at = blank + len(text[blank:].split("\n", 1)[0].rstrip())
    first = at + len(text[at:]) - len(text[at:].lstrip(_BLANKS))
    return at, text[at:first]


def _block(opening: str, rows: list[str], closing: str, style: Style, indent: str) -> str:
    inner = style.line_end + indent + style.indent
    return f"{opening}{inner}{f',{inner}'.join(rows)}{style.line_end}{indent}{closing}"
