"""The picture in the README: what tx prints on a terminal; `--check` tells whether it still does."""

from __future__ import annotations

import io
import os
import re
import sys
import tempfile
from pathlib import Path

import pexpect
from rich.console import Console
from rich.text import Text

from tests.docs.signing_in import signing_in
from tests.git_sandbox import SETTINGS

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "picture.svg"
_COLUMNS = 96
_LEARNED = """\
---
uid: 7k3fq0m9xz2a
created_at: '2026-11-20T22:00:00Z'
category: auth
anchors:
- path: src/refresh.py
  symbol: renew
---
A refreshed token must keep the **session id**, or the audit log loses the thread
"""
_BEFORE = (
    "tx init",
    "tx config set embedder none",
    "tx graph:confirm 7k3fq0m9xz2a",
    """perl -pi -e 's/, "session": claims."session".//' src/refresh.py""",
    "tx sync",
)
_SHOWN = (
    'tx search "refresh tokens" -n 2',
    'tx context "keep the session when refreshing" --limit-files 1 --budget 330',
    "tx graph:cochanges src/auth.py",
    "tx verify",
)


def picture() -> str:
    """Return the picture as SVG."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        root = signing_in(home)
        (root / ".tx" / "learnings").mkdir(parents=True)
        (root / ".tx" / "learnings" / "7k3fq0m9xz2a-refreshed.md").write_text(_LEARNED, encoding="utf-8")
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = SETTINGS | {"HOME": scratch, "PATH": path, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment |= {"TX_MODEL_DIR": str(home / "none"), "TX_VECTOR_CACHE": "none", "PAGER": "cat"}
        for command in _BEFORE:
            _printed(command, root, environment)
        console = Console(
            record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor", _environ={}
        )
        for command in _SHOWN:
            console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
            console.print(Text.from_ansi(_printed(command, root, environment)))
            console.print()
    svg = re.sub(
        r"@font-face \{.*?\}\s*", "", console.export_svg(title="tx", unique_id="tx"), flags=re.DOTALL
    )  # from the network
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def _printed(command: str, root: Path, environment: dict[str, str]) -> str:
    """Return what a command prints on a terminal."""
    output, _ = pexpect.run(
        f"sh -c {_quoted(command)}",
        cwd=str(root), env=environment, dimensions=(60, _COLUMNS), encoding="utf-8", withexitstatus=True, timeout=120,
    )  # fmt: skip
    return output.replace("\r\n", "\n").rstrip()


def _quoted(command: str) -> str:
    return "'" + command.replace("'", "'\\''") + "'"


if __name__ == "__main__":
    made = picture()
    if "--check" not in sys.argv:
        PICTURE.write_text(made, encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != made:
        sys.exit(f"{PICTURE.name} is not what tx prints. Run scripts/docs.")
