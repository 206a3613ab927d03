"""The documentation that the program writes about itself: command tables, help texts, exit statuses."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tx_graph import errors
from tx_graph.cli.registry import COMMANDS
from tx_graph.domain.languages import LANGUAGES

_WIDTH = "100"
_OTHER_STATUSES = (
    (0, "Fine; also when the reader of a pipe left early."),
    (
        1,
        "Findings: of `tx graph:verify`, `tx doctor` and `tx model status`, and of a command with `--strict`.",
    ),
    (70, "A bug in tx: one line, and a log file with the details."),
    (130, "Interrupted."),
)


def command_table() -> str:
    """Return every command with its summary, as Markdown tables by panel."""
    lines: list[str] = []
    for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
        lines += ["", f"| {panel} | |", "|---|---|"]
        lines += [f"| `tx {one.name}` | {one.summary} |" for one in COMMANDS.values() if one.panel == panel]
    return "\n".join([*lines, ""])


def status_table() -> str:
    """Return the exit statuses as a Markdown table."""
    rows = [(kind.status, (kind.__doc__ or "").split("\n")[0]) for kind in errors.TxError.__subclasses__()]
    table = [f"| {status} | {meaning} |" for status, meaning in sorted([*rows, *_OTHER_STATUSES])]
    return "\n".join(["", "| status | meaning |", "|---|---|", *table, ""])


def language_table() -> str:
    """Return every language with its file names and what is read of it, as a Markdown table."""
    lines = ["", "| language | files | symbols | imports |", "|---|---|---|---|"]
    for language in LANGUAGES.values():
        files = " ".join(f"`{name}`" for name in (*language.extensions.split(), *language.names.split()))
        lines.append(f"| {language.name} | {files} | yes | {'yes' if language.resolver else ''} |")
    return "\n".join([*lines, ""])


def help_texts() -> str:
    """Return the help of every command, as Markdown sections."""
    os.environ["COLUMNS"] = _WIDTH
    return "\n".join(_sections())


def _sections() -> Iterator[str]:
    import typer.main

    from tx_graph.cli.app import app

    group = typer.main.get_command(app)
    with group.make_context("tx", ["status"], resilient_parsing=True) as context:
        for name in COMMANDS:
            command = group.get_command(context, name)  # type: ignore[attr-defined]
            with command.make_context(name, [], parent=context, resilient_parsing=True) as inner:
                yield f"\n## tx {name}\n\n```text\n{command.get_help(inner)}\n```"
    yield ""
