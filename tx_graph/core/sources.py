"""Folders of documents outside the repository, which the setting `documents.sources` names: read, never written.

Their files are called `@NAME/path/from/the/folder.md`, wherever the folder lies on a machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.errors import UsageError

_SOURCE = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]*)=(.+)")


class Sources(NamedTuple):
    """The folders that can be read, by what their files' paths begin with (`@NAME`), and what is wrong with others.

    Each problem is a sentence.
    """

    folders: dict[str, Path]
    problems: tuple[str, ...] = ()


def parsed(text: str) -> tuple[str, str]:
    """Return the name and the folder of an entry as it is written.

    Raises:
        UsageError: It is none.
    """
    found = _SOURCE.fullmatch(text.strip())
    if found is None:
        raise UsageError(
            f"'{text}' names no folder of documents: it must be NAME=FOLDER.",
            hint="A name has letters, digits, '.', '_' and '-', as in notes=~/notes.",
        )
    return found[1], found[2].strip()


def parsed_clone(text: str) -> tuple[str, str]:
    """Return the repository and the folder of an entry as it is written.

    Raises:
        UsageError: It is none.
    """
    name, mark, folder = (part.strip() for part in text.partition("="))
    if not (mark and "/" in name and folder):
        hint = "Write github.com/owner/name=../name, for example."
        raise UsageError(f"'{text}' names no clone: it must be REPOSITORY=FOLDER.", hint=hint)
    return name, folder


def sources_of(root: Path, entries: Iterable[str]) -> Sources:
    """Return the folders that the setting names; relative ones are seen from the root of the repository."""
    folders: dict[str, Path] = {}
    problems = []
    for entry in entries:
        name, written = parsed(entry)
        folder = Path(os.path.realpath(root / os.path.expanduser(written)))
        if f"@{name}" in folders:
            problem = f"names two folders '{name}'"
        elif os.path.lexists(root / f"@{name}"):
            problem = f"cannot call a folder '{name}', for the repository has a @{name} of its own"
        elif not os.path.lexists(folder):
            problem = f"names a folder that is not there: {name} ({written})"
        elif not os.path.isdir(folder):
            problem = f"names what is no folder: {name} ({written})"
        elif folder.is_relative_to(root):
            problem = f"names a folder inside the repository: {name} ({written})"
        elif root.is_relative_to(folder):
            problem = f"names a folder that the repository lies in: {name} ({written})"
        elif not os.access(folder, os.R_OK | os.X_OK):
            problem = f"names a folder that may not be read: {name} ({written})"
        else:
            folders[f"@{name}"] = folder
            continue
        problems.append(f"documents.sources {problem}.")
    return Sources(folders, tuple(problems))
