"""What a parsing process does: it is sent files, as (path, content), and answers what they say.

An answer is the encoded contents, or None, and the problem.
"""

from __future__ import annotations

from tx_graph.codebase.parsing import read_source
from tx_graph.codebase.parsing.encoding import encode
from tx_graph.codebase.processes import serve

Parsed = tuple[bytes | None, str]
"""What a file says, encoded, or None and why it could not be parsed."""


def parsed(path: str, content: bytes) -> Parsed:
    """Return what one file says; whatever goes wrong with it is its problem alone."""
    try:
        return encode(read_source(path, content)), ""
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException; one file is no reason to stop
        return None, f"cannot be parsed: {type(error).__name__}"


def run() -> None:
    """Parse what is asked for until nobody asks any more."""
    serve(lambda source: parsed(*source))
