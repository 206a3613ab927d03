"""What is given on a command line beside plain values: the directory, stdin, files, lists of names."""

from __future__ import annotations

import sys
from pathlib import Path

from tx_graph.errors import RepositoryError, UsageError


def here() -> Path:
    """Return the working directory.

    Raises:
        RepositoryError: It was removed.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise RepositoryError("The working directory no longer exists.", hint="Change to another one.") from None


def split_names(values: list[str] | None) -> list[str]:
    """Return names that may be given by repeating an option or separated by commas."""
    return [name for value in values or () for name in value.split(",") if name.strip()]


def text_from(argument: str | None) -> str:
    """Return an argument's text, or what stands on stdin when it is '-' or missing.

    Raises:
        UsageError: There is neither, or stdin is not valid UTF-8.
    """
    if argument is not None and argument != "-":
        return argument
    if argument is None and sys.stdin.isatty():
        raise UsageError("The text is missing.", hint="Pass it as an argument, or '-' to read it from stdin.")
    return decoded(sys.stdin.buffer.read(), "stdin")


def text_of_file(name: str, *, most: int, what: str, command: str, flag: str) -> str:
    """Return the text of a file, or of stdin for '-'; not more of it is read than tells that it is too long.

    Raises:
        UsageError: It cannot be read, is too long, or is not valid UTF-8.
    """
    source = "stdin" if name == "-" else name
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(most + 1)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.") from None
    if len(data) > most:
        raise UsageError(
            f"{source} has more than {most:,} bytes, the most that a {what} may have.",
            hint=f"Keep its end: tail -c {most} FILE | tx {command} … {flag} -",
        )
    return decoded(data, source)


def decoded(data: bytes, source: str) -> str:
    """Return bytes as text.

    Raises:
        UsageError: They are not valid UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{source} is not valid UTF-8 (line {line}).", hint="Convert it to UTF-8 first.") from None
