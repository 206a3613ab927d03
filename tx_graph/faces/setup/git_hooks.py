"""Puts one line of ours into a hook of git, and takes it out again; what else is in the hook stays as it is."""

from __future__ import annotations

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import HookScript

_SHELL = "#!/bin/sh\n"


def with_ours(text: str | None, file: HookScript) -> str:
    """Return the script with the line, right below its first one: what follows may end it; None is a missing file."""
    text = text or _SHELL
    first, _, rest = text.partition("\n")
    if file.line in text.split("\n"):
        return text
    if first.startswith("#!") and not first.rstrip().endswith("sh"):
        raise UsageError(f"{file.path} is no shell script.", hint=f"Have it run this: {file.line}")
    return f"{first}\n{file.line}\n{rest}" if first.startswith("#!") else f"{file.line}\n{text}"


def without_ours(text: str, file: HookScript) -> str | None:
    """Return the script without the line; None if there was nothing else and the file goes."""
    rest = text.replace(f"{file.line}\n", "")
    return None if rest == _SHELL and rest != text else rest
