"""The entry point, and the one boundary where errors become words and exit statuses."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tx_graph.errors import TxError

_INTERRUPTED = 130
_UNEXPECTED = 70


def main() -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit status. Nothing but the status leaves this function."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A name that is no Unicode, or a terminal that knows only ASCII, is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except KeyboardInterrupt:
        return _interrupted()
    except TxError as error:
        return _explain(error, as_json="--json" in arguments)
    except Exception as error:  # noqa: BLE001 - no traceback ever reaches a user
        from tx_graph.cli.crash import report

        print(report(error, arguments), file=sys.stderr)  # noqa: T201
        return _UNEXPECTED
    return status


def _dispatch(arguments: Sequence[str]) -> int:
    import typer.main

    from tx_graph.cli.app import app

    # Typer keeps its own copy of click and exports only this child of its UsageError.
    usage_error: type[Exception] = typer.BadParameter.__bases__[0]
    try:
        result = typer.main.get_command(app)(args=list(arguments), prog_name="tx", standalone_mode=False)
    except typer.Exit as stopped:
        return int(stopped.exit_code)
    except typer.Abort:
        return _interrupted()
    except usage_error as error:
        return _explain_usage(error, as_json="--json" in arguments)
    return result if isinstance(result, int) else 0


def _interrupted() -> int:
    print("Interrupted.", file=sys.stderr)  # noqa: T201
    return _INTERRUPTED


def _explain(error: TxError, *, as_json: bool) -> int:
    from tx_graph.cli.render.errors import as_document, as_lines

    print(as_document(error) if as_json else as_lines(error), file=sys.stderr)  # noqa: T201
    return error.status


def _explain_usage(error: Exception, *, as_json: bool) -> int:
    """Explain what Typer refused: a missing argument, an unknown option, a word where a number belongs."""
    from tx_graph.errors import UsageError

    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError" and context is not None:
        print(context.get_help())  # noqa: T201
        return 0
    message = getattr(error, "format_message", error.__str__)()
    hint = f"See '{context.command_path} --help'." if context is not None else ""
    return _explain(UsageError(message, hint=hint), as_json=as_json)


def _silence_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
