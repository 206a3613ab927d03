"""How likely a change concerns what a text says of the code that it changes. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp
from typing import NamedTuple

from tx_graph.core.identifiers import content_words, spellings

CONCERNED = 0.2
"""From here on a gate takes a text for concerned: every sixth comment is rewritten with its code, of those above this
nearly every second, and these are half of all that are rewritten."""
_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d[\d_]*(?:\.\d+)?")
_SPAN = re.compile(r"(`{1,3})(.{1,200}?)\1", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CODE_LIKE = re.compile(
    r".*(?:_.|[a-z0-9][A-Z]|[A-Za-z]\d)|[A-Z][A-Z0-9]+$|[a-z]+\(|(?:None|True|False|null|nil|undefined)$"
)
_NUMBER = re.compile(r"(?<![\w.-])\d[\d_,]*(?:\.\d+)?(?![\w]*-\d)")
_SHORTEST = 2  # characters of a name: `x` says nothing
_WEIGHTS = (1.2, 2.0, 0.6, 0.5, 1.9, 1.4, 0.7)
_BIAS = -2.6


class Concern(NamedTuple):
    """How likely a text is concerned, in [0, 1], and the names and numbers of it that the change touches."""

    score: float
    terms: tuple[str, ...] = ()


class Evidence(NamedTuple):
    """What speaks for it, each in [0, 1].

    `taken`: names of the text that the change takes away, and numbers of which there are fewer; `numbers` only those;
    `changed`: names that more or fewer lines have than before; `touched`: names in lines that changed otherwise;
    `words`: the share of the text's words among the parts of changed names and in changed comments; `extent`: how much
    of the anchored code changed; `signature`: whether its head did.
    """

    taken: float
    numbers: float
    changed: float
    touched: float
    words: float
    extent: float
    signature: float


def spoken_of(text: str) -> tuple[set[str], set[str]]:
    """Return the names of code that a text speaks of, and its numbers.

    Names stand in backticks, or look like no word of prose: `get_x`, `fetchAll`, `HTTP2`, `run(`.
    """
    quoted = [match[2] for match in _SPAN.finditer(text)]
    names = {name for span in quoted for name in _NAME.findall(span)}
    plain = _SPAN.sub(" ", text)
    names |= {word.rstrip("(") for word in re.findall(r"[A-Za-z_$][\w$]*\(?", plain) if _CODE_LIKE.match(word)}
    numbers = {_plain_number(found) for found in _NUMBER.findall(text)}
    return {name for name in names if len(name) >= _SHORTEST}, numbers


def evidence_of(
    text: str, removed: Iterable[str], added: Iterable[str], *, extent: float, is_signature: bool
) -> tuple[Evidence, tuple[str, ...]]:
    """Return what speaks for a text being concerned by lines that go and come, and its terms that are touched.

    `extent` is the share in [0, 1] of the code that the text is about which changed.
    """
    names, numbers = spoken_of(text)
    before, after = _counted(removed), _counted(added)
    differing = {token for token in before.keys() | after.keys() if before[token] != after[token]}
    gone = {token for token in differing if not after[token]}
    # A number often stands in a comment too, which nobody thinks of: `15 * DAY  # 14 days`.
    taken_numbers, taken_names = {one for one in numbers if before[one] > after[one]}, names & gone
    changed, touched = (names & differing) - gone, (names & (before.keys() | after.keys())) - differing
    said = content_words(text)
    met = said & {part.lower() for token in differing for parts in spellings(token) for part in parts}
    evidence = Evidence(
        taken=_several(len(taken_names | taken_numbers)),
        numbers=float(bool(taken_numbers)),
        changed=_several(len(changed)),
        touched=_several(len(touched)),
        words=len(met) / len(said) if said else 0.0,
        extent=min(1.0, extent),
        signature=float(is_signature),
    )
    return evidence, (*sorted(taken_names | taken_numbers), *sorted(changed))


def concern(
    text: str,
    removed: Sequence[str],
    added: Sequence[str],
    *,
    extent: float,
    is_signature: bool = False,
    is_gone: bool = False,
) -> Concern:
    """Return how likely a change to its code concerns what a text says.

    That is a logistic regression on what `Evidence` has: how many of the text's words stand in what changed, how much
    of the code did, whether the change takes away a name or number that the text speaks of, and whether the head of the
    code is another one. It was fitted on comments of functions: whether these were rewritten with the commit that
    changed the code. What numbers count was set by hand, comments have few (decision 0058). Of code that is gone, all
    that is said is concerned.
    """
    evidence, terms = evidence_of(text, removed, added, extent=extent, is_signature=is_signature)
    if is_gone:
        return Concern(1.0, terms)
    return Concern(round(likelihood(evidence), 2), terms)


def likelihood(evidence: Evidence) -> float:
    """Return how likely a text is concerned that so much speaks for, in (0, 1)."""
    points = _BIAS + sum(weight * one for weight, one in zip(_WEIGHTS, evidence, strict=True))
    return 1 / (1 + exp(-points))


def _several(count: int) -> float:
    """Return how much so many count: one half, two three quarters, and so on."""
    return 1 - 0.5**count


def _counted(lines: Iterable[str]) -> Counter[str]:
    return Counter(
        _plain_number(token) if token[0].isdigit() else token for line in lines for token in _TOKEN.findall(line)
    )


def _plain_number(written: str) -> str:
    """Return a number as both prose and code write it: `3,600` and `3_600` are one."""
    return written.rstrip(".,").replace(",", "").replace("_", "")
