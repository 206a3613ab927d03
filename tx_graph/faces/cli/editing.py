"""A text in the user's editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tx_graph.core.errors import TxError, UsageError
from tx_graph.faces.cli.command import decoded


@contextmanager
def editing(text: str) -> Iterator[str]:
    """Yield a text as the user has changed it in an editor; where that is refused, it is kept in a file."""
    editor = next((one for name in ("VISUAL", "EDITOR") if (one := os.environ.get(name, "").strip())), "")
    if not editor and not sys.stdin.isatty():
        raise UsageError("Nothing to change was given, and there is no $EDITOR.", hint="See 'tx learning:edit --help'.")
    editor = editor or "vi"
    directory = Path(tempfile.mkdtemp(prefix="tx-"))
    path = directory / "learning.md"
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
        try:
            status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise UsageError(f"The editor '{editor}' cannot be started: {reason}.", hint="Set $EDITOR.") from None
        if status != 0:
            raise UsageError(f"The editor '{editor}' ended with status {status}; nothing was changed.")
        after = decoded(path.read_bytes(), "The edited text").rstrip() if path.is_file() else ""
        if not after:
            raise UsageError(
                "The edited text is empty; nothing was changed.", hint="'tx learning:remove' hides a learning."
            )
        yield after
    except TxError as error:
        left = path.read_bytes().strip() if path.is_file() else b""
        if left in (b"", text.encode().strip()):  # nothing of the user's to keep
            shutil.rmtree(directory, ignore_errors=True)
            raise
        error.hint = f"{error.hint} Nothing was changed; your text is kept in {path}.".lstrip()
        raise
    shutil.rmtree(directory, ignore_errors=True)
