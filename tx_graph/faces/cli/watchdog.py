"""Work under a time cap that holds whatever hangs: a lock, git, code in C that never lets Python have its turn.

Where there is `fork`, a child does the work and this process only watches: that costs a millisecond, where a second
interpreter would cost as much again as the first. Nothing but the operating system is needed to end the child, and all
that it started ends with it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType

Work = Callable[[], str]

_WHOLE = b"\0"  # ends an answer that is whole; JSON never has it
_CHUNK = 1 << 16
_MERCY_S = 0.5  # seconds after the cap at which a child ends by itself, should nobody watch it any more
_ENDING = ("SIGTERM", "SIGINT", "SIGHUP")


class Ended(Exception):
    """Somebody wants this process to end."""


def within(seconds: float, work: Work) -> str | None:
    """Return what the work gives, None when it takes longer or fails to say. Nothing of it goes on afterwards."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with suppress(OSError):
                os.setsid()
            for name in _ENDING:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, seconds + _MERCY_S)
            data = work().encode("utf-8", "replace") + _WHOLE
            while data:
                data = data[os.write(sender, data) :]
        finally:
            os._exit(0)
    os.close(sender)

    def end(_number: int, _frame: FrameType | None) -> None:
        raise Ended

    # A signal that would end this process ends its child first.
    handlers = {number: signal.signal(number, end) for number in (getattr(signal, name) for name in _ENDING)}
    try:
        return _heard(receiver, time.monotonic() + seconds)
    except Ended:
        return None
    finally:
        with suppress(OSError):
            os.killpg(child, signal.SIGKILL)  # not yet reaped, so its number is nobody else's
        with suppress(OSError):
            os.kill(child, signal.SIGKILL)  # it may not have come to its own group yet
        with suppress(OSError):
            os.waitpid(child, 0)
        os.close(receiver)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def within_another(seconds: float, command: Sequence[str]) -> str | None:
    """Return what a command prints, None when it takes longer: for systems without `fork`."""
    import subprocess

    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            printed, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            if sys.platform == "win32":
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
            process.kill()
            return None
    return printed.decode("utf-8", "replace") if process.returncode == 0 else None


def _heard(receiver: int, deadline: float) -> str | None:
    """Return the answer if it comes whole and in time."""
    import select

    heard = b""
    while not heard.endswith(_WHOLE):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([receiver], [], [], left)[0]:
            return None
        if not (chunk := os.read(receiver, _CHUNK)):
            return None
        heard += chunk
    return heard.removesuffix(_WHOLE).decode("utf-8")
