"""The page of a review: as plain text, and as Markdown fit for a comment on a pull request, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from tx_graph.context.companions import Companion
from tx_graph.context.page import code
from tx_graph.context.review import Kind, Known, Review, Untrue
from tx_graph.core.text import by_characters, counted, inert_line
from tx_graph.graph.pack import Chosen, Section, packed

MARKER = "<!-- tx-review -->"
"""The first line of a comment, by which it is found again, so that it is updated and not repeated."""

_LONGEST = 240  # characters of what is said that a page shows
_TITLES = ("Tests to run", "Owners, by files", "Authors of the lines around it")
_MOST_OWNERS, _MOST_AUTHORS, _MOST_PLACES = 8, 5, 6


class Part(StrEnum):
    """The parts of the page, in their order: what matters most first."""

    UNTRUE = "Untrue now"
    KNOWN = "To know before merging"
    COMPANIONS = "Usually changes too"
    WHO = "Who"


_SHARES = {Part.UNTRUE: 0.4, Part.KNOWN: 0.25, Part.COMPANIONS: 0.25, Part.WHO: 0.1}


class Item(NamedTuple):
    """One entry: its place, what is to say of it, and what is quoted below it, if anything."""

    place: str
    symbol: str
    told: tuple[str, ...]
    quote: str = ""


def items(review: Review) -> dict[Part, list[Item]]:
    """Return the entries of each part, the most important first."""
    return {
        Part.UNTRUE: _untrue(review.untrue),
        Part.KNOWN: [*map(_known, review.known)],
        Part.COMPANIONS: [*map(_companion, review.companions), *_tests(review)],
        Part.WHO: _who(review),
    }


def _untrue(found: Sequence[Untrue]) -> list[Item]:
    """Return an entry for each, but one for all lines of documents that name the same thing."""
    entries = dict[object, list[Untrue]]()
    for place, one in enumerate(found):
        entries.setdefault(one.detail if one.kind is Kind.DOCUMENT else place, []).append(one)
    return [_entry(one, others) for one, *others in entries.values()]


def _entry(one: Untrue, others: Sequence[Untrue]) -> Item:
    """Return what is to say of it; the others say the same elsewhere."""
    touches = f"touches {', '.join(map(code, one.terms[:4]))}" if one.terms and one.kind is not Kind.DOCUMENT else ""
    who = f"{one.ref} ({one.uid})" if one.uid else one.kind.value
    lines = dict[str, int]()  # the first of each other document
    for other in others:
        if other.path != one.path:
            lines.setdefault(other.path, other.line)
    named = [code(f"{path}:{line}") for path, line in [*lines.items()][:_MOST_PLACES]]
    named += [f"{len(lines) - _MOST_PLACES:,} more"] if len(lines) > _MOST_PLACES else []
    also = f"also {counted(len(others), 'line')} of {counted(len({one.path, *lines}), 'document')}" if others else ""
    places = ": ".join(filter(None, (also, ", ".join(named))))
    told = (f"concern {one.concern:.2f}", inert_line(one.detail), touches, one.hunk, who, places)
    return Item(f"{one.path}:{one.line}", one.symbol, tuple(filter(None, told)), one.text)


def _known(one: Known) -> Item:
    place = f"{one.path}:{one.line}" if one.line else one.path
    who = f"{one.ref} ({one.uid})" if one.uid else inert_line(one.ref)
    return Item(place, one.symbol, (*map(inert_line, one.reasons), who), one.text)


def _companion(one: Companion) -> Item:
    place = f"{one.path}:{one.line}" if one.line else one.path
    kind = () if one.kind == "file" else (one.kind,)
    return Item(place, "", (f"{one.likely:.0%}", *kind, *map(inert_line, one.reasons)))


def _tests(review: Review) -> list[Item]:
    return [Item(_TITLES[0], "", (", ".join(map(code, review.tests)),))] if review.tests else []


def _who(review: Review) -> list[Item]:
    owners = [f"{code(one.name)} {one.files:,}" for one in review.who.owners[:_MOST_OWNERS]]
    authors = [f"{inert_line(one.name)} {one.share:.0%}" for one in review.who.authors[:_MOST_AUTHORS]]
    return [
        Item(title, "", (", ".join(those),))
        for title, those in zip(_TITLES[1:], (owners, authors), strict=True)
        if those
    ]


def headline(review: Review) -> str:
    """Return the sum of it in one line."""
    if not review.changed:
        return "Nothing has changed." if review.what == "the working tree" else f"Nothing has changed ({review.what})."
    counts = review.summary
    files = counted(counts["files"], "file")
    if counts["untrue"]:
        untrue = f"{counts['untrue']:,} made doubtful, {counts['concerned']:,} likely concerned"
    else:
        untrue = "nothing made untrue"
    return (
        f"{files} changed ({inert_line(review.what)}): {untrue}; {counts['known']:,} to know, "
        f"{counts['companions']:,} easily forgotten."
    )


def text_of(review: Review, *, budget: int) -> str:
    """Return the page for a terminal."""

    def item(one: Item) -> str:
        quote = f"\n      | {_cut(one.quote)}" if one.quote else ""
        place = " ".join(filter(None, (inert_line(one.place), inert_line(one.symbol))))
        return f"  {place}\n      {'; '.join(one.told)}{quote}"

    def part(heading: Part, found: Sequence[str]) -> str:
        return f"{heading}\n" + "\n".join(found)

    return _page(review, item, part, [headline(review)], budget=budget)


def markdown_of(review: Review, *, budget: int) -> str:
    """Return the page as Markdown: nothing in it names anybody, and nothing from the repository ends a section."""

    def item(one: Item) -> str:
        place = " ".join(code(each) for each in (one.place, one.symbol) if each)
        place = f"**{one.place}**" if one.place in _TITLES else place
        quote = f"\n  > {_prose(_cut(one.quote))}" if one.quote else ""
        return f"- {place} · {' · '.join(map(_unnamed, one.told))}{quote}"

    def part(heading: Part, found: Sequence[str]) -> str:
        is_open = " open" if heading is Part.UNTRUE else ""
        title = f"<b>{heading}</b> ({len(found)})" if heading is not Part.WHO else f"<b>{heading}</b>"
        return f"<details{is_open}><summary>{title}</summary>\n\n" + "\n".join(found) + "\n\n</details>"

    frame = [MARKER, f"**tx review** · {_prose(headline(review))}"]
    return _page(review, item, part, frame, budget=budget)


def _page(
    review: Review,
    item: Callable[[Item], str],
    part: Callable[[Part, Sequence[str]], str],
    frame: Sequence[str],
    *,
    budget: int,
) -> str:
    """Return the frame, the parts with as much as the budget holds, how much is left out, and what limited it."""
    found = items(review)
    written = {heading: [item(one) for one in found[heading]] for heading in Part}
    sections = [Section(items=len(written[heading]), share=_SHARES[heading]) for heading in Part]

    def laid_out(chosen: Chosen) -> str:
        blocks = list(frame)
        for heading, places in zip(Part, chosen, strict=True):
            if places:
                blocks.append(part(heading, [written[heading][place] for place in places]))
        left = [len(written[heading]) - len(places) for heading, places in zip(Part, chosen, strict=True)]
        if any(left):
            names = [f"{number:,} under “{heading}”" for heading, number in zip(Part, left, strict=True) if number]
            blocks.append(f"… and {', '.join(names)} more; a bigger --budget shows more.")
        blocks += [inert_line(one) for one in review.notices]
        return "\n\n".join(blocks) + "\n"

    def cost(chosen: Chosen) -> int:
        return by_characters(laid_out(chosen))

    chosen = packed(sections, budget=budget, cost=cost)
    if found[Part.UNTRUE] and not chosen[0]:  # better said in brief than crowded out by what matters less
        written[Part.UNTRUE] = [item(one._replace(told=one.told[:1], quote="")) for one in found[Part.UNTRUE]]
        chosen = packed(sections, budget=budget, cost=cost)
    return laid_out(chosen)


def _cut(text: str) -> str:
    line = inert_line(text)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"


def _prose(text: str) -> str:
    """Return text that is neither markup nor a mention for who shows it."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _unnamed(escaped)


def _unnamed(text: str) -> str:
    """Return text in which an @ calls nobody, but in code spans, where it calls nobody anyway."""
    parts = text.split("`")
    return "`".join(part if place % 2 else part.replace("@", "@\u200b") for place, part in enumerate(parts))
