"""Errors as agents read them: the sentence and the hint that people get, and no more of it than a budget holds."""

from __future__ import annotations

from tx_graph.errors import TxError
from tx_graph.mcp.replies.reply import Reply, Shape
from tx_graph.mcp.replies.words import brief_line

_LENGTHS = (2_000, 500, 120, 50)
"""Characters of each sentence and candidate, the first that fit; with the last any budget holds an error."""
_MOST_CANDIDATES = 5


def explained(error: TxError, *, budget: int) -> Reply:
    """Return what happened, what is near and what to do, as a reply of at most `budget` tokens."""
    replies = (_reply(error, length) for length in _LENGTHS)
    return next((reply for reply in replies if reply.fits(budget)), _reply(error, _LENGTHS[-1]))


def explanation(error: TxError, *, most: int = 500) -> Shape:
    """Return the error as one object, each text of at most so many characters."""
    fields = {"code": error.code, "message": brief_line(error.message, most), "hint": brief_line(error.hint, most)}
    told = {name: value for name, value in (fields | {"candidates": _candidates(error, most)}).items() if value}
    return {"message": ""} | told


def _reply(error: TxError, most: int) -> Reply:
    shape = explanation(error, most=most)
    near = [f"  {candidate}" for candidate in shape.get("candidates", ())]
    lines = [shape["message"], *(["Did you mean:", *near] if near else []), shape.get("hint", "")]
    return Reply(text="\n".join(filter(None, lines)), structure={"error": shape}, is_error=True)


def _candidates(error: TxError, most: int) -> list[str]:
    number = _MOST_CANDIDATES if most > _LENGTHS[-1] else 2
    return [brief_line(candidate, most) for candidate in error.candidates[:number]]
