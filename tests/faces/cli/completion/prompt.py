"""An interactive shell in a pseudo-terminal: keys go in, the line being edited comes out."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect

ROOT = Path(__file__).resolve().parents[4]
TAB = "\t"
_SHOW_LINE = "\x18\x10"  # Ctrl-X Ctrl-P, which START binds to printing the line
_PROMPT = "ready> "
_LINE = re.compile(r"<<(.*?)\|(.*?)>>", re.DOTALL)
_TERMINAL_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[\r\x07\x08]")

_START = {
    "bash": r"""bind -x '"\C-x\C-p": printf "<<%s|%s>>\n" "${READLINE_LINE:0:READLINE_POINT}" """
    r""""${READLINE_LINE:READLINE_POINT}"'; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'""",
    "zsh": r"""show() { zle -I; print -r -- "<<$LBUFFER|$RBUFFER>>" }; zle -N show; bindkey '^X^P' show; """
    r"""unsetopt zle_bracketed_paste prompt_sp 2>/dev/null; unset zle_bracketed_paste""",
}
_COMMANDS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}


class Prompt:
    """A bash or zsh without the user's settings, its working directory `cwd`."""

    def __init__(self, shell: str, *, cwd: Path, environment: Mapping[str, str]) -> None:
        self._child = pexpect.spawn(
            shell,
            _COMMANDS[shell],
            cwd=str(cwd),
            env={**environment, "PS1": _PROMPT, "TERM": "dumb"},
            dimensions=(60, 400),
            encoding="utf-8",
            timeout=20,
        )
        self._child.delaybeforesend = None
        self._child.expect_exact(_PROMPT)
        self.run(_START[shell])

    def run(self, command: str) -> str:
        """Run a command; return what it printed, and its echo."""
        self._child.sendline(f"{command}; echo do''ne")
        self._child.expect_exact("done")
        printed = str(self._child.before)
        self._child.expect_exact(_PROMPT)
        return printed

    def press(self, keys: str) -> str:
        """Press keys on an empty line; return the line as it then stands, up to the cursor."""
        return self.watch(keys)[0]

    def watch(self, keys: str) -> tuple[str, str]:
        """Press keys on an empty line; return the line up to the cursor, and what the terminal showed meanwhile."""
        self._child.send(keys + _SHOW_LINE)
        self._child.expect(_LINE)
        line, shown = self._child.match[1], _TERMINAL_CODES.sub("", str(self._child.before))
        self._clear()
        return line, shown

    def _clear(self) -> None:
        """Go to the end of the line and take it away; wait until it is gone, or the next keys would meet it."""
        self._child.send("\x05\x15" + _SHOW_LINE)
        while True:
            self._child.expect(_LINE)
            if self._child.match[1] == self._child.match[2] == "":
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.close(force=True)


def install_tx(directory: Path) -> dict[str, str]:
    """Put the `tx` of this checkout into `directory`; return an environment that finds it first."""
    directory.mkdir()
    program = directory / "tx"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tx_graph "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("LC_", "LANG", "GIT_"))}
    return {
        "LC_ALL": "C.UTF-8",
        **kept,
        "HOME": str(directory),
        "PATH": f"{directory}:{os.environ.get('PATH', os.defpath)}",
        "PYTHONPATH": str(ROOT),
    }
