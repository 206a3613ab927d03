"""What happens to the unexpected: one line for the user, everything else into a log file."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tx_graph import __version__


def report(error: Exception, arguments: Sequence[str]) -> str:
    """Write the traceback to a log file and return the line that says where it is."""
    text = (
        f"{datetime.now(UTC).isoformat()} tx {__version__} Python {platform.python_version()} {sys.platform}\n"
        f"tx {' '.join(arguments)}\n{''.join(traceback.format_exception(error))}\n"
    )
    where = _log_to(text)
    return f"tx: unexpected {type(error).__name__}: {error}. This is a bug; details are in {where}."


def _log_to(text: str) -> str:
    for path in (Path(".tx") / "errors.log", Path(tempfile.gettempdir()) / "tx-errors.log"):
        try:
            if not path.parent.is_dir():
                continue
            with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(text)
        except OSError:
            continue
        return str(path.resolve())
    return "no file: none could be written"
