"""Makes any Python string safe for a tokenizer."""

from __future__ import annotations

# 256 tokens of prose are about 1,200 characters; beyond this only padding with blanks could still matter.
MAX_CHARACTERS = 20_000


def speakable(text: str) -> str:
    """Return the text's first 20,000 characters with lone surrogates, which UTF-8 cannot hold, as `?`."""
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
