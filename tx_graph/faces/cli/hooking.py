"""Answers the hooks of clients. Whatever happens, a hook ends in time, with status 0, and prints its answer or nothing.

Nothing heavy is imported here, and no command line is refused: an exit status of 2 would keep some clients from going
on, so a hook that a newer tx wrote into a shared file must not disturb an older one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, NamedTuple, cast

from tx_graph.faces.cli import watchdog

TIMEOUT_S = 2.0
DEBUG = "TX_HOOK_DEBUG"
_LONGEST_S = 600.0


class Call(NamedTuple):  # dataclasses take longer to import than all of this
    """How a hook was called. `timeout` is in seconds; 0 is no cap."""

    client: str
    event: str
    timeout: float = TIMEOUT_S
    is_debugging: bool = False


def respond(arguments: Sequence[str]) -> int:
    """Answer a hook by the words that follow `tx hook`; return 0."""
    words, timeout, is_debugging = list(arguments), TIMEOUT_S, bool(os.environ.get(DEBUG))
    names: list[str] = []
    while words:  # what means nothing is passed over
        word = words.pop(0)
        if word == "--debug":
            is_debugging = True
        elif word == "--timeout" or word.startswith("--timeout="):
            timeout = seconds(word.partition("=")[2] if "=" in word else words.pop(0) if words else "")
        elif not word.startswith("-"):
            names.append(word.rstrip(";"))  # of the guard against a missing tx, which cmd.exe takes for words of ours
    client, event, *_ = [*names, "", ""]
    return answer(Call(client=client, event=event, timeout=timeout, is_debugging=is_debugging))


def answer(call: Call) -> int:
    """Print what a client wants to hear, if there is anything; return 0."""
    try:
        told = _told(call)
        if told is None:
            _explain(call, f"no answer within {call.timeout:g} s")
        elif told:
            sys.stdout.write(told + "\n")
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the client must not be disturbed
        _explain(call, f"{type(error).__name__}: {error}")
        with suppress(OSError, ValueError):  # else the interpreter's last flush fails again: the client is gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _told(call: Call) -> str | None:
    if not call.timeout:
        return _worked(call)
    if call.event == "session-end":
        _leave_behind(call)
        return ""
    if hasattr(os, "fork"):
        return watchdog.within(call.timeout, lambda: _worked(call, is_child=True))
    # -P: nothing is imported from the working directory, which is that of a repository.
    command = [sys.executable, "-P", "-m", "tx_graph", "hook", call.client, call.event, "--timeout", "0"]
    printed = watchdog.within_another(call.timeout, [*command, *(["--debug"] if call.is_debugging else [])])
    return printed.strip() if printed is not None else None


def _leave_behind(call: Call) -> None:
    """Have a process of its own do the work: clients wait a second for the last hook, or not at all."""
    import subprocess

    command = [sys.executable, "-P", "-m", "tx_graph", "hook", call.client, call.event, "--timeout", "0"]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True)
    with cast("IO[bytes]", process.stdin) as stream:
        stream.write(sys.stdin.buffer.read())
    process.returncode = 0  # nobody waits for it


def _worked(call: Call, *, is_child: bool = False) -> str:
    """Return what to print, empty for nothing; why it is nothing is said to whoever debugs."""
    try:
        if is_child:
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 1)
            if not call.is_debugging:
                os.dup2(nowhere, 2)
        from tx_graph.faces.cli.hook_work import response

        return response(call.client, call.event, explain=lambda why: _explain(call, why))
    except BaseException as error:  # noqa: BLE001 - of a panic in Rust neither
        _explain(call, f"{type(error).__name__}: {error}")
        return ""


def seconds(value: str) -> float:
    """Return a number of seconds that a hook may take; the standard where it is none."""
    try:
        number = float(value)
    except ValueError:
        return TIMEOUT_S
    return number if 0 <= number <= _LONGEST_S else TIMEOUT_S


def _explain(call: Call, why: str) -> None:
    if call.is_debugging:
        with suppress(OSError, ValueError):
            print(f"tx hook {call.client} {call.event}: {why}", file=sys.stderr, flush=True)  # noqa: T201
