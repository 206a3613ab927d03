"""JSON with comments and trailing commas, read with the place of every value, so that edits leave the rest alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

_BLANK = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_DEPTH = 100
"""Values in values; no settings are as deep, and deeper ones would exhaust the stack."""


class NotJson(Exception):
    """A text is no JSON: at which character, and what is missing there."""

    def __init__(self, at: int, missing: str) -> None:
        super().__init__(missing)
        self.at = at
        self.missing = missing


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value and its place, `text[start:end]`; `members` are those of an object, `items` those of a list."""

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()

    def get(self, key: str) -> Node | None:
        """Return the value of a member; the last one where a key stands twice, as every reader has it."""
        return next((one.node for one in reversed(self.members) if one.key == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of an object; its key begins at `start`."""

    start: int
    key: str
    node: Node


def parsed(text: str) -> Node:
    """Return the value that a text is, with the places of all that is in it.

    Raises:
        NotJson: It is none.
    """
    reader = _Reader(text)
    node = reader.value(reader.blank(0), depth=0)
    if (end := reader.blank(node.end)) != len(text):
        raise NotJson(end, "nothing more can follow")
    return node


def past_blank(text: str, at: int) -> int:
    """Return where the next thing stands that is neither blank nor comment."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._scalars = json.JSONDecoder(parse_constant=_refuse_constant)

    def blank(self, at: int) -> int:
        return past_blank(self._text, at)

    def value(self, at: int, *, depth: int) -> Node:
        if depth > _DEPTH:
            raise NotJson(at, "values are nested too deeply")
        opening = self._text[at : at + 1]
        if opening == "{":
            return self._object(at, depth)
        return self._list(at, depth) if opening == "[" else self._scalar(at)

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = self.blank(start + 1)
        while self._text[at : at + 1] != "}":
            if self._text[at : at + 1] != '"':
                raise NotJson(at, 'a name in quotes or "}" is missing')
            key = self._scalar(at)
            colon = self._expected(":", self.blank(key.end))
            node = self.value(self.blank(colon), depth=depth + 1)
            members.append(Member(start=at, key=key.value, node=node))
            at = self._next(node.end, "}")
        value = {one.key: one.node.value for one in members}
        return Node(start=start, end=at + 1, value=value, members=tuple(members))

    def _list(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        at = self.blank(start + 1)
        while self._text[at : at + 1] != "]":
            items.append(self.value(at, depth=depth + 1))
            at = self._next(items[-1].end, "]")
        return Node(start=start, end=at + 1, value=[one.value for one in items], items=tuple(items))

    def _next(self, at: int, closing: str) -> int:
        """Return where the next element begins, or where what it is in closes."""
        at = self.blank(at)
        return at if self._text[at : at + 1] == closing else self.blank(self._expected(",", at, closing))

    def _expected(self, sign: str, at: int, other: str = "") -> int:
        if self._text[at : at + 1] != sign:
            signs = " or ".join(f'"{one}"' for one in (sign, other) if one)
            raise NotJson(at, f"{signs} is missing")
        return at + 1

    def _scalar(self, at: int) -> Node:
        try:
            value, end = self._scalars.raw_decode(self._text, at)
        except (ValueError, RecursionError):
            raise NotJson(at, "a value is missing") from None
        return Node(start=at, end=end, value=value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
