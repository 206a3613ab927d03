"""A model's own tokenizer, from the `tokenizer.json` that models come with: it counts tokens exactly."""

from __future__ import annotations

from pathlib import Path

from tx_graph.domain.tokens import CountTokens
from tx_graph.errors import ModelError, UsageError

NONE = "none"
"""What the setting says where there is no tokenizer."""


def configured_counter(name: str, *, root: Path) -> CountTokens:
    """Return what counts tokens as the tokenizer does that the settings name; `root` is where its path begins.

    Raises:
        UsageError: They name none.
        ModelError: The file is missing, or holds no tokenizer.
    """
    if name == NONE:
        raise UsageError("No tokenizer is configured.", hint=_HINT)
    return token_counter(root / Path(name).expanduser())


def token_counter(path: Path) -> CountTokens:
    """Return what counts tokens as the tokenizer in this file does, without marks for beginning and end.

    Raises:
        ModelError: The file is missing, or holds no tokenizer.
    """
    from tokenizers import Tokenizer

    if not path.is_file():
        raise ModelError(f"There is no tokenizer at {path}.", hint=_HINT)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more specific
        raise ModelError(f"{path} is not a tokenizer.json: {_first_line(error)}", hint=_HINT) from error
    # Models bring limits of their own, which would cut a long text and call it short.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


_HINT = "'tx config set context.tokenizer PATH' names the file; '--tokens-by chars' does without."


def _first_line(error: Exception) -> str:
    return f"{str(error).splitlines()[0] if str(error) else type(error).__name__}."
