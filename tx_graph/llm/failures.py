"""What went wrong when a model was asked, and whether it is worth asking again."""

from __future__ import annotations

import llm

from tx_graph.domain.inert import inert_line
from tx_graph.errors import ModelError, ModelUnusable, QuestionRefused

_NO_ACCESS = (401, 402, 403, 404)
"""Statuses of HTTP that every question would meet: no key, no money, no permission, no such model."""
_NOT_THIS_ONE = (400, 413, 422)
"""Statuses that say that this question is too long, or not allowed."""
_LONGEST = 200
"""Characters of a reason; providers send whole pages."""


def explained(error: Exception, *, model: str) -> ModelError:
    """Return what a plugin raised, in words; its kind tells whether asking again makes sense."""
    reason = in_one_line(error)
    if isinstance(error, llm.NeedsKeyException):
        return ModelUnusable(
            f"The model {model} needs a key: {reason}.", hint="Store it with 'llm keys set', or choose another model."
        )
    status = _status_of(error)
    if status in _NO_ACCESS:
        return ModelUnusable(f"The model {model} cannot be used: {reason}.", hint="Check its name and key in llm.")
    if status in _NOT_THIS_ONE:
        return QuestionRefused(f"The model {model} refuses the question: {reason}.")
    return ModelError(f"The model {model} gave no answer: {reason}.")


def in_one_line(error: BaseException) -> str:
    """Return what an exception says, short and without a full stop; its kind where it says nothing."""
    line = inert_line(str(error)).rstrip(".") or type(error).__name__
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _status_of(error: Exception) -> int | None:
    """Return the status of HTTP that the libraries of providers keep in one of two places."""
    for bearer in (error, getattr(error, "response", None)):
        status = getattr(bearer, "status_code", None)
        if isinstance(status, int):
            return status
    return None
