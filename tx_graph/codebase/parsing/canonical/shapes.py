"""Shapes: rewritings that several languages share."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from tx_graph.codebase.parsing.canonical.parts import Part, Shape, Source, bare

_CLOSING = frozenset(")]}>")
_NOTHING_BEFORE = frozenset("([{<,")


def texts(part: Part) -> list[str]:
    """Return the texts of a group's own leaves; inner groups count as empty."""
    return [one.text for one in part.parts or ()]


def without(*tokens: str) -> Shape:
    """Return the shape of a group that says the same without these leaves."""
    dropped = frozenset(tokens)

    def shape(part: Part, source: Source) -> None:
        del source
        part.parts = [one for one in part.parts or () if one.text not in dropped]

    return shape


def without_last(*tokens: str) -> Shape:
    """Return the shape of a group that says the same without these leaves at its end."""

    def shape(part: Part, source: Source) -> None:
        del source
        while part.parts and part.parts[-1].text in tokens:
            part.parts.pop()

    return shape


def without_kinds(*kinds: str) -> Shape:
    """Return the shape of a group that says the same without parts of these kinds."""

    def shape(part: Part, source: Source) -> None:
        del source
        part.parts = [one for one in part.parts or () if one.kind not in kinds]

    return shape


def called(kind: str) -> Shape:
    """Return the shape of a group that another kind means the same as."""

    def shape(part: Part, source: Source) -> None:
        del source
        part.kind = kind

    return shape


def all_of(*shapes: Shape) -> Shape:
    """Return several shapes as one, applied in this order."""

    def shape(part: Part, source: Source) -> None:
        for one in shapes:
            one(part, source)

    return shape


def unlisted(part: Part, source: Source) -> None:
    """Drop a comma before a closing bracket, but not one that stands for something left out, as in `[a,,]`."""
    del source
    parts = part.parts
    if (
        parts
        and len(parts) > 2  # noqa: PLR2004 - an opening, a comma and a closing say nothing about lists
        and parts[-1].text in _CLOSING
        and parts[-2].text == ","
        and parts[-3].text not in _NOTHING_BEFORE
    ):
        del parts[-2]


def sorted_parts(*kinds: str, separator: str = "") -> Shape:
    """Return the shape in which the order of parts of these kinds that follow each other means nothing.

    With a separator, everything between the brackets of a list is sorted.
    """

    def shape(part: Part, source: Source) -> None:
        parts = part.parts or []
        if separator and len(parts) > 2:  # noqa: PLR2004 - its brackets
            inner = sorted((one for one in parts[1:-1] if one.text != separator), key=_code(source))
            part.parts = [parts[0], *inner, parts[-1]]
            return
        runs = groupby(parts, key=lambda one: one.kind in kinds)
        part.parts = [one for sorts, run in runs for one in (sorted(run, key=_code(source)) if sorts else run)]

    return shape


def _code(source: Source) -> Callable[[Part], str]:
    return lambda part: "".join(source.text[part.start : part.end].split())


def unbracketed(part: Part, source: Source) -> None:
    """Take the brackets off an expression; what needs them puts them back with `rebracket`."""
    del source
    if part.parts and part.parts[0].text == "(":
        part.parts = [one for one in part.parts if one.text not in {"(", ")"}]


def rebracket(part: Part) -> None:
    """Put the brackets back around an expression that means something else without them."""
    part.parts = [
        Part("(", part.start, part.start + 1, "("),
        *(part.parts or ()),
        Part(")", part.end - 1, part.end, ")"),
    ]


def chained(operators: frozenset[str]) -> Shape:
    """Return the shape of an operation in which it is all the same how its operands are grouped: `a && (b && c)`."""

    def operator_of(part: Part) -> str:
        parts = part.parts
        return parts[1].text if parts and len(parts) > 2 else ""  # noqa: PLR2004 - left, operator, right

    def shape(part: Part, source: Source) -> None:
        del source
        operator = operator_of(part)
        if operator not in operators or part.parts is None:
            return
        joined: list[Part] = []
        for operand in part.parts:
            inner = bare(operand)
            same = inner.kind == part.kind and operator_of(inner) == operator
            if not same or inner.parts is None:
                joined.append(operand)
            elif not joined:
                joined = inner.parts  # grown in place: long chains lean to the left
            else:
                joined += inner.parts
        part.parts = joined

    return shape
