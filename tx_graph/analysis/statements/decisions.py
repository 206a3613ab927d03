"""Decision records: which documents and headings are some, and by what numbers people call them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

_PLACES = re.compile(
    r"(?:^|/)(?:adrs?|(?:arch(?:itecture|itectural)?[-_ ]?)?decisions?(?:[-_ ]?(?:records?|logs?))?)/", re.IGNORECASE
)
_NO_RECORDS = frozenset({"readme", "index", "_index", "template", "contributing", "changelog", "toc", "summary"})
_TEMPLATE = re.compile(r"(?:^|[-_. /])templates?(?=[-_. /]|$)", re.IGNORECASE)
_NAMED = re.compile(r"adrs?[-_ ]?(?P<number>\d{1,5})(?!\d)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?P<written>\d{1,5})(?=[-_. ])")
_YEAR = re.compile(r"(?:19|20)\d\d[-_. ]?(?:0[1-9]|1[0-2])(?!\d*[a-z])")
_TITLED = re.compile(r"(?:ADR[- #]?(?P<adr>\d{1,5})\b|(?P<bare>\d{1,5})[.:)](?=\s))[\s.:)–—-]*", re.IGNORECASE)
_HEADING = re.compile(r"(?:ADR|Decision)[- #]?\d{1,5}\b\s*[:.)–—-]\s*\S", re.IGNORECASE)
_REFERENCE = re.compile(r"\bADR[- #]?0*(\d{1,5})\b", re.IGNORECASE)


def is_template(path: str) -> bool:
    """Whether a document is there to be copied, so that what it says holds of nothing."""
    return bool(_TEMPLATE.search(posixpath.splitext(path)[0]))


def is_decision(path: str, title: str) -> bool:
    """Whether a document records a decision: by where it lies, by its name, or by its title."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if stem.lower() in _NO_RECORDS or is_template(path):
        return False
    return bool(_PLACES.search(path) or _NAMED.match(stem) or (title[:3].upper() == "ADR" and _TITLED.match(title)))


def number_of(path: str, title: str) -> str:
    """Return the number of a decision record as it is written, `0003`; empty for one that has none, such as a date."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if named := _NAMED.match(stem):
        return named["number"]
    if (numbered := _NUMBERED.match(stem)) and not _YEAR.match(stem):
        return numbered["written"]
    titled = _TITLED.match(title)
    return (titled["adr"] or titled["bare"]) if titled else ""


def number_names(number: str) -> tuple[str, ...]:
    """Return what people call the record of a number: `ADR-3`, `ADR 0003` and the like."""
    written = dict.fromkeys((str(int(number)), number))
    return tuple(f"ADR{mark}{one}" for one in written for mark in "- ")


def without_number(title: str) -> str:
    """Return a title without the number that it begins with."""
    found = _TITLED.match(title)
    return title[found.end() :] if found else title


def referred_number(text: str) -> int | None:
    """Return the number of the only record that a text refers to as `ADR-3`, `ADR 0003`; None if there is none."""
    found = {int(number) for number in _REFERENCE.findall(text)}
    return found.pop() if len(found) == 1 else None


def decisions_within(title: str, headings: Sequence[tuple[str, int | None]]) -> list[int | None]:
    """Return for each section, given as (title, place of its parent), the place of the decision that it is part of.

    Some documents hold several records: each has a heading such as `ADR-3: Use SQLite` and is an entity of its own.
    None where a section speaks of the document; a document's own title is none of them.
    """
    records = {place for place, (text, _) in enumerate(headings) if _HEADING.match(text)}
    if len(records) == 1 and headings[next(iter(records))][0] == title:
        records = set()
    found: list[int | None] = []
    for place, (_, parent) in enumerate(headings):
        found.append(place if place in records else None if parent is None else found[parent])
    return found
