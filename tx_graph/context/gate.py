"""The gate: whether a learning that was found is likely to help, by all that speaks for it."""

from __future__ import annotations

from math import exp

_FITTED = {
    (True, True): (6.5, 5.9, 4.0, -6.6),
    (True, False): (7.0, 6.9, 0.0, -5.6),
    (False, True): (0.0, 8.5, 4.2, -5.6),
    (False, False): (0.0, 9.7, 0.0, -4.4),
}
"""The coefficients of a logistic regression, by whether there are vectors, and whether files say anything. Fitted on 60
questions about four repositories, where all learnings that commits propose were judged before any search."""
LIKELY = 0.25
"""The least probability with which a learning is shown to somebody who did not ask for learnings: about half of those
above it help."""


def likely(*, meaning: float | None, words: float, file: float | None = None, others: int = 1) -> float:
    """Return the probability in (0, 1) that a learning helps.

    `meaning` is its cosine with the question, None where there are no vectors; `words` the share in [0, 1] of what the
    question's words tell that it has. `file` says in [0, 1] how much the best of its files has to do with the question,
    None where it has none or nobody ranked them. With `others` tied to that file it has less to do with each question.
    """
    evidence = (meaning or 0.0, words, (file or 0.0) / others**0.5, 1.0)
    weights = _FITTED[meaning is not None, file is not None]
    return 1 / (1 + exp(-sum(weight * one for weight, one in zip(weights, evidence, strict=True))))
