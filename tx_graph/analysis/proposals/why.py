"""Why-words: what tells an explanation from a description of the change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod

from tx_graph.domain.proposal import Reason

_WORDS: dict[Reason, tuple[str, ...]] = {
    Reason("because", 0.22): (
        "because", "due to", "owing to", "the reason", "that is why", "that's why", "as a result", "hence",
    ),
    Reason("regression", 0.22): (
        r"regress(?:ion|ed|es)(?!\s+(?:tests?|coverage))", "(?:broken?|introduced|caused) (?:by|in|since|when)",
    ),
    Reason("otherwise", 0.2): ("otherwise", "or else", "lest"),
    Reason("workaround", 0.2): ("work-?arounds?", "work(?:s|ed|ing)? around", "quirks?"),
    Reason("race", 0.2): (
        "race conditions?", "rac(?:e|y|ing)", r"dead-?lock\w*", "toctou", r"thread-?saf\w+", r"re-?entran\w+",
    ),
    Reason("cause", 0.2): (
        "root cause", "turn(?:s|ed) out", "the (?:actual |real |underlying )?(?:problem|issue|culprit|bug) (?:is|was)",
    ),
    Reason("intent", 0.2): ("deliberate(?:ly)?", "intentional(?:ly)?", "on purpose", "by design", "not a bug"),
    Reason("consequence", 0.18): (
        r"which (?:then |in turn )?(?:mean|caus|lead|result|break|make|fail)\w*",
        "which (?:then |in turn )?(?:meant|led|broke|made)",
        r"(?:this|that|it) (?:would|could|can|may|might) (?:\w+ )?(?:fail|break|crash|hang|lead|cause|result|lose)\w*",
    ),
    Reason("danger", 0.14): (
        "undefined behaviou?r", "leak(?:s|ed|ing)", "memory leak", "use[- ]after[- ]free", r"overflow\w*",
        r"segfault\w*", r"corrupt\w*", "data loss", "security", r"vulnerab\w+", r"cve-\d+", "out of bounds",
        "infinite (?:loop|recursion)",
    ),
    Reason("constraint", 0.14): (
        "(?:must|should|can|may) (?:not|never|only)", "cannot", "never", "only works?", "relies on", "depends on",
        "requires?", r"guarantee\w*", r"assum\w+", r"compatib\w+",
    ),
    Reason("so that", 0.12): ("so that", "in order to", "to (?:avoid|prevent|ensure|make sure|keep)"),
    Reason("instead of", 0.12): (
        "instead of", "rather than", "in favou?r of", "as opposed to", "trade-?offs?",
    ),
    Reason("contrast", 0.08): (
        "however", "unfortunately", "although", "even though", "despite", "but", "unlike", "contrary to",
    ),
    Reason("before", 0.06): (
        "previously", "used to", "formerly", "no longer", "before this", "until now", "currently",
    ),
}  # fmt: skip
"""Words, by what they tell. Each counts once however often it stands there: a long text is no better for that."""
_CUES = [(reason, re.compile(rf"\b(?:{'|'.join(words)})\b")) for reason, words in _WORDS.items()]
_STRONG = 0.12
"""The weight from which on a word alone makes an explanation; weaker ones only make it a better one."""


def cues(text: str) -> list[Reason]:
    """Return what tells that a text explains something, strongest first; each name once."""
    low = text.lower()  # five times as fast as patterns that ignore case
    return [reason for reason, pattern in _CUES if pattern.search(low)]


def explains(reasons: Iterable[Reason]) -> bool:
    """Whether these reasons make an explanation, rather than an ordinary sentence."""
    return any(reason.weight >= _STRONG for reason in reasons)


def certainty(reasons: Iterable[Reason]) -> float:
    """Return how sure several independent reasons make together, in [0, 1): noisy or."""
    return 1 - prod(1 - reason.weight for reason in reasons)
