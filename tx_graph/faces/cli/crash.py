"""What happens to the unexpected: one line for the user, everything else into a log file."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from tx_graph import __version__

_LOG = "errors.log"


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """Write the traceback to a log file and return the line that says where it is."""
    text = (
        f"{datetime.now(UTC).isoformat()} tx {__version__} Python {platform.python_version()} {sys.platform}\n"
        f"tx {' '.join(arguments)}\n{''.join(traceback.format_exception(error))}\n"
    )
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"tx: unexpected {what}. This is a bug; details are in {_log_to(text)}."


def _log_to(text: str) -> str:
    """Append to the log of the workspace, else write a file of its own; return its path."""
    with suppress(OSError):
        here = Path.cwd()
        for directory in (here, *here.parents):
            if (directory / ".tx").is_dir():
                path = directory / ".tx" / _LOG
                with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                    stream.write(text)
                return str(path)
    try:
        # A name nobody can guess: in a shared directory, a known one could be somebody's link to another file.
        with tempfile.NamedTemporaryFile(
            "w", prefix="tx-", suffix=f"-{_LOG}", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as stream:
            stream.write(text)
            return stream.name
    except OSError:
        return "no file: none could be written"
