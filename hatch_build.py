"""Leaves out, on musl, the dependencies that have no wheel there, and writes the page for `man tx`.

No environment marker can see musl.

The wheel built anywhere else is `py3-none-any` and asks for everything. On musl, or when
TX_WHEEL_PLATFORM names a musllinux tag, the wheel asks only for what can be installed and bears
the musllinux tag, which pip prefers over `any`. Why: docs/decisions/0002-platforms-without-wheels.md.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.requirements import Requirement
from packaging.tags import platform_tags

WITHOUT_MUSL_WHEEL = {"ast-grep-py", "fastembed", "kingfisher-secret-scanner", "sqlean-py", "sqlite-vec"}
"""fastembed for its onnxruntime; tx works without each of them and says what is missing."""


def musl_tag() -> str | None:
    """Return the platform the wheel is for if that is musl, such as `musllinux_1_2_x86_64`."""
    named = os.environ.get("TX_WHEEL_PLATFORM")
    tags = [named] if named else platform_tags()
    return next((tag for tag in tags if tag.startswith("musllinux")), None)


def installable(dependencies: Iterable[str]) -> list[str]:
    """Return the dependencies that can be installed where the wheel is for."""
    left_out = WITHOUT_MUSL_WHEEL if musl_tag() else set()
    return [line for line in dependencies if Requirement(line).name not in left_out]


class Dependencies(MetadataHookInterface):
    """Fills in the dependencies when a checkout is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `dependencies` and the extras from this hook's table in pyproject.toml."""
        metadata["dependencies"] = installable(self.config["dependencies"])
        extras = self.config["optional-dependencies"]
        metadata["optional-dependencies"] = {extra: installable(lines) for extra, lines in extras.items()}


def manual(version: str, day: str) -> str:
    """Return the manual page, from the register of operations: what is imported here needs nothing installed."""
    from tx_graph.core import errors
    from tx_graph.faces.operations import ALIASES, COMMANDS, EVERYDAY

    def table(rows: Iterable[tuple[str, str]]) -> list[str]:
        return [line for name, text in rows for line in (".TP", f".B {_roff(name)}", _roff(text))]

    statuses = {kind.status: (kind.__doc__ or "").split("\n")[0] for kind in errors.TxError.__subclasses__()}
    statuses |= {0: "Fine.", 1: "Findings, such as an anchor that no longer holds.", 70: "A bug in tx."}
    lines = [
        f'.TH TX 1 "{day}" "tx {version}" "User Commands"',
        *(".SH NAME", r"tx \- the memory of a codebase, tied to its code"),
        *(".SH SYNOPSIS", r".B tx", r"[\-C DIR] [\-v] [\-\-profile] COMMAND ..."),
        *(".SH DESCRIPTION", "tx keeps what was learned about code as text files in its repository, ties it to files,"),
        "symbols and lines, and says with every answer whether it still holds.",
        _roff("Command 'tx help COMMAND' explains a command with all its options, and shows an example."),
        *(".SH EVERY DAY", *table((name, COMMANDS[ALIASES.get(name, name)].summary) for name in EVERYDAY)),
        *(".SH OPTIONS", "Before the command:"),
        *table([("-C DIR", "Run as if started in DIR."), ("--version", "Show the version.")]),
        *table([("-v", "Say on stderr what is done."), ("--profile", "Say on stderr where the time went.")]),
    ]
    for panel in dict.fromkeys(one.panel for one in COMMANDS.values()):
        lines += [f".SH {panel.upper()}", *table((o.name, o.summary) for o in COMMANDS.values() if o.panel == panel)]
    lines += [".SH EXIT STATUS", *table((str(status), text) for status, text in sorted(statuses.items()))]
    lines += [
        ".SH FILES",
        *table([(".tx/", "Learnings, facts and settings as text; the database beside them can go.")]),
    ]
    return "\n".join([*lines, ""])


def _roff(text: str) -> str:
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{text}" if text.startswith(".") else text


class Wheel(BuildHookInterface[Any]):
    """Adds the manual page, and marks a wheel for musl as such, so that nobody else installs it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatch's signature)
        """Write the page; set the tag, and the dependencies once more: an sdist has those of where it was made."""
        sys.path.insert(0, self.root)
        epoch = os.environ.get("SOURCE_DATE_EPOCH")
        day = time.strftime("%Y-%m-%d", time.gmtime(int(epoch))) if epoch else ""
        self.made = TemporaryDirectory()
        page = Path(self.made.name, "tx.1")
        page.write_text(manual(self.metadata.version, day), encoding="utf-8")
        build_data["shared_data"][str(page)] = "share/man/man1/tx.1"
        if tag := musl_tag():
            build_data["tag"] = f"py3-none-{tag}"
            core = self.metadata.core
            for dependencies in (core.dependencies, *core.optional_dependencies.values()):
                dependencies[:] = installable(dependencies)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Leave nothing behind."""
        self.made.cleanup()
