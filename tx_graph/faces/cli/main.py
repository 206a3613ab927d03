"""The entry point, and the one boundary where errors become words and exit statuses."""

from __future__ import annotations

import atexit
import codecs
import errno
import gc
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

from tx_graph.core.errors import StorageError, TxError, UsageError
from tx_graph.faces.operations import spelled_out

_INTERRUPTED = 130
_OBJECTS_PER_COLLECTION = 50_000
_UNEXPECTED = 70
_LOG = "errors.log"
_READABLE = "tx-readable"  # name of the error handler for streams that do not know all characters
_LOOK_ALIKES = {"─": "-", "→": ">", "←": "<", "…": "...", "·": "|", "×": "x", "–": "-", "’": "'"}
_LOOK_ALIKES |= {"│": "|", "█": "#", "✓": "+", "✗": "!", "•": "*", **dict.fromkeys("▏▎▍▌▋▊▉", "-")}
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main() -> None:
    """Run the command line and exit with its status."""
    status = run(sys.argv[1:])
    import threading

    if threading.active_count() == 1:  # to take a process apart that ends anyway took a sixth of a cold command
        atexit._run_exitfuncs()  # noqa: SLF001 - as mypy does
        os._exit(status)
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit status. Nothing but the status leaves this function."""
    _prepare_streams()
    # A command makes much and drops little: collecting rarely saves 5 % of it, and long work still gets its turn.
    gc.set_threshold(_OBJECTS_PER_COLLECTION)
    try:
        if wanted := os.environ.get("TX_LOG"):
            from tx_graph.core.tracing import listen

            listen(wanted)
        status = _status_of(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        status = 0
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except TxError as error:
        status = _explain(error, arguments)
    except BaseException as error:  # noqa: BLE001 - no traceback ever reaches a user, of a panic in Rust neither
        status = _explain_unexpected(error, arguments)
    if status == _INTERRUPTED:
        _say("Interrupted.")
    return status


def _status_of(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit status, or raise what has to be explained."""
    try:
        if (status := _answered_at_once(arguments)) is not None:
            return status
        import typer.main

        from tx_graph.faces.cli.app import app

        # Typer keeps its own copy of click and exports only this child of its UsageError.
        usage_error: type[Exception] = typer.BadParameter.__bases__[0]
        try:
            result = typer.main.get_command(app)(args=list(arguments), prog_name="tx", standalone_mode=False)
            return result if isinstance(result, int) else 0
        except typer.Exit as stopped:
            return int(stopped.exit_code)
        except typer.Abort:
            return _INTERRUPTED
        except usage_error as error:
            return _explain_usage(error, arguments)
    except SystemExit as stopped:
        # Typer turns a closed pipe into status 1, but 'tx … | head' is no failure.
        if isinstance(stopped.__context__, BrokenPipeError):
            raise stopped.__context__ from None
        return stopped.code if isinstance(stopped.code, int) else 0


def _answered_at_once(arguments: Sequence[str]) -> int | None:
    """Answer programs that ask often, help and plain commands, before Typer is imported; None is for Typer."""
    first, *rest = arguments or [""]
    if first == "--complete":  # from a completion script, at every Tab
        from tx_graph.faces.cli.completion.line import respond

        return respond(rest)
    if first == "hook" and not {"-h", "--help"} & set(rest):  # from an agent's client, which no refusal may reach
        from tx_graph.faces.cli.hooking import respond as respond_to_hook

        return respond_to_hook(rest)
    from tx_graph.faces.cli.help import at_once

    if text := at_once(list(arguments)):
        sys.stdout.write(text)
        return 0
    if first[:1].isalpha():
        from tx_graph.faces.cli.options import answered

        return answered(spelled_out(arguments))
    return None


def _prepare_streams() -> None:
    """Let a missing stream read and write nothing, and any encoding take any text."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # In this order each takes the lowest free descriptor, its own: no file of ours becomes stdout by accident.
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - it lasts
    codecs.register_error(_READABLE, _readable)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A name that is no Unicode, or a terminal that knows only ASCII, is no reason to fail.
            stream.reconfigure(errors=_READABLE)


def _readable(error: UnicodeError) -> tuple[str | bytes, int]:
    """Return look-alikes for our own signs, escapes for the rest."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    escaped = character.encode("ascii", "backslashreplace").decode("ascii")
    return _LOOK_ALIKES.get(character, escaped), error.start + 1


def _explain_unexpected(error: BaseException, arguments: Sequence[str]) -> int:
    if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
        _silence_stdout()
        return _explain(StorageError(f"The output cannot be written: {error.strerror}."), arguments)
    _say(report(error, arguments))
    return _UNEXPECTED


def _explain(error: TxError, arguments: Sequence[str]) -> int:
    from tx_graph.faces.cli.render.terminal import as_document, as_lines

    _say(as_document(error) if _wants_json(arguments) else as_lines(error))
    return error.status


def _explain_usage(error: Exception, arguments: Sequence[str]) -> int:
    """Explain what Typer refused: a missing argument, an unknown option, a word where a number belongs."""
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context is not None:
        print(context.get_help())  # noqa: T201
        return 0
    message = getattr(error, "format_message", error.__str__)()
    for jargon, plain in (("a valid int", "a whole number"), ("a valid float", "a number")):
        message = message.replace(f"is not {jargon}", f"is not {plain}")
    hint = f"See '{context.command_path} --help'." if context is not None else ""
    if "extra argument" in message:
        hint = f"Put a text of several words in quotes. {hint}"
    return _explain(UsageError(message if message.endswith((".", "?")) else f"{message}.", hint=hint), arguments)


def _wants_json(arguments: Sequence[str]) -> bool:
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if "--json" in options or any(one.partition("=")[0] == "--fields" for one in options):
        return True
    return "--format=json" in options or ("--format", "json") in pairwise(options)


def _say(message: str) -> None:
    """Print a message to stderr, if anybody still reads it."""
    try:
        print(message, file=sys.stderr, flush=True)  # noqa: T201
    except OSError:
        sys.stderr = None


def _silence_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def report(error: BaseException, arguments: Sequence[str]) -> str:
    """Write the traceback of the unexpected to a log file and return the line that says where it is."""
    import platform
    import traceback
    from datetime import UTC, datetime

    from tx_graph import __version__

    text = (
        f"{datetime.now(UTC).isoformat()} tx {__version__} Python {platform.python_version()} {sys.platform}\n"
        f"tx {' '.join(arguments)}\n{''.join(traceback.format_exception(error))}\n"
    )
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"tx: unexpected {what}. This is a bug; details are in {_log_to(text)}."


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)


def _log_to(text: str) -> str:
    """Append to the log of the workspace, else write a file of its own; return its path."""
    import tempfile
    from contextlib import suppress
    from pathlib import Path

    with suppress(OSError):
        here = Path.cwd()
        for directory in (here, *here.parents):
            if (directory / ".tx").is_dir() and not (directory / ".tx").is_symlink():
                path = directory / ".tx" / _LOG
                # A link that a repository brought may lead to any file of the user's.
                with open(path, "a", encoding="utf-8", errors="backslashreplace", opener=_open_no_link) as stream:
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
