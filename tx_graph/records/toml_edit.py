"""Sets one value in a TOML text and leaves all other lines as people wrote them."""

from __future__ import annotations

import json
import re
from typing import Any

_LIST = r"""\[(?:[^]"'\#]|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*\]"""
"""A list of texts, over several lines too, unless there is a comment in it: that would be lost."""

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]")
_ASSIGNMENT = re.compile(
    rf"""(\s*([\w.\"-]+)\s*=\s*)  # the key
    ({_LIST}|"[^"\\\n]*"|'[^'\n]*'|[^\s#]+)  # its value, as tx writes it
    ([^\S\n]*(?:\#.*)?)$""",
    re.VERBOSE,
)
_LINE = re.compile(rf"""[^\S\n]*[\w."-]+[^\S\n]*=[^\S\n]*{_LIST}[^\n]*\n?|[^\n]*\n|[^\n]+""")
"""A line, or the lines of one list."""


def literal(value: Any) -> str:
    """Return a value as TOML writes it: JSON's numbers, texts and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def with_value(text: str, key: str, value: Any) -> str:
    """Return the TOML text with `key` set: where it stands, else in its table, else as the first line."""
    lines, table, home = _LINE.findall(text), "", None
    for place, line in enumerate(lines):
        if header := _HEADER.match(line):
            table = f"{header[1].strip()}."
            home = (place, key.removeprefix(table)) if key.startswith(table) else home
        elif (found := _ASSIGNMENT.match(line)) and f"{table}{found[2]}".replace('"', "") == key:
            lines[place] = f"{found[1]}{literal(value)}{found[4]}\n"
            return "".join(lines)
    place, name = (home[0] + 1, home[1]) if home else (0, key)
    if place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += "\n"
    return "".join([*lines[:place], f"{name} = {literal(value)}\n", *lines[place:]])
