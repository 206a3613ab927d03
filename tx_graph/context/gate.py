"""The gate: whether a learning that was found is likely to help, by all that speaks for it."""

from __future__ import annotations

from math import exp
from typing import NamedTuple


class Evidence(NamedTuple):
    """What speaks for a learning.

    `meaning` is its cosine with the question, None where there are no vectors; `words` the share in [0, 1] of what the
    question's words tell that it has. `file` says in [0, 1] how much the best of its files has to do with the question,
    None where it has none or nobody ranked them, and `others` how many learnings are tied to that file.
    """

    meaning: float | None
    words: float
    file: float | None = None
    others: int = 1


class _Weights(NamedTuple):
    """The coefficients of a logistic regression."""

    meaning: float
    words: float
    file: float
    only: float
    bias: float


_FITTED = {
    (True, True): _Weights(5.7, 5.3, 0.7, 2.7, -6.3),
    (True, False): _Weights(6.7, 6.8, 0.0, 0.0, -5.5),
    (False, True): _Weights(0.0, 7.6, 1.3, 2.6, -5.6),
    (False, False): _Weights(0.0, 9.4, 0.0, 0.0, -4.3),
}
"""By whether there are vectors, and whether files say anything. Fitted on 60 questions about four repositories, where
all learnings that commits propose were judged before any search."""
LIKELY = 0.2
"""The least probability with which a learning is shown to somebody who did not ask for learnings: about half of those
above it help, and where it is set higher hardly more."""


def likely(one: Evidence) -> float:
    """Return the probability that a learning helps, in (0, 1)."""
    file = one.file or 0.0
    # One of many that are tied to a file has less to do with each question about it.
    evidence = _Weights(one.meaning or 0.0, one.words, file, file / one.others**0.5, 1.0)
    weights = _FITTED[one.meaning is not None, one.file is not None]
    return 1 / (1 + exp(-sum(weight * value for weight, value in zip(weights, evidence, strict=True))))
