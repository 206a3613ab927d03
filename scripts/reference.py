"""The documentation that the program writes about itself: command tables, help texts, exit statuses."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tx_graph.code.languages import LANGUAGES
from tx_graph.code.parsing import reader_of
from tx_graph.core import errors
from tx_graph.faces.operations import COMMANDS
from tx_graph.graph.edges import EDGE_SOURCES, EdgeType

if TYPE_CHECKING:
    from tx_graph.core.settings import Setting


_WIDTH = "100"
_OTHER_STATUSES = (
    (0, "Fine; also when the reader of a pipe left early."),
    (1, "Findings: of `tx graph:verify`, `tx doctor` and `tx model status`, and of a command with `--strict`."),
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


def command_groups() -> str:
    """Return the names of all commands, a line for each panel, as a Markdown table."""
    lines = ["", "| | |", "|---|---|"]
    for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
        groups: dict[str, list[str]] = {}
        for one in (one for one in COMMANDS.values() if one.panel == panel):
            group, _, name = one.name.rpartition(":")
            groups.setdefault(group, []).append(name)
        cells = [f"{group and f'`{group}:` '}{', '.join(names)}" for group, names in groups.items()]
        lines.append(f"| {panel} | {' · '.join(cells)} |")
    return "\n".join([*lines, ""])


def status_table() -> str:
    """Return the exit statuses as a Markdown table."""
    rows = [(kind.status, (kind.__doc__ or "").split("\n")[0]) for kind in errors.TxError.__subclasses__()]
    table = [f"| {status} | {meaning} |" for status, meaning in sorted([*rows, *_OTHER_STATUSES])]
    return "\n".join(["", "| status | meaning |", "|---|---|", *table, ""])


def language_table() -> str:
    """Return every language with its file names and what is read of it, as a Markdown table."""
    lines = ["", "| language | files | symbols | imports | references |", "|---|---|---|---|---|"]
    for language in LANGUAGES.values():
        files = " ".join(f"`{name}`" for name in (*language.extensions.split(), *language.names.split()))
        imports, uses = ("yes" if one else "" for one in (language.resolver, reader_of(language.name).uses))
        lines.append(f"| {language.name} | {files} | yes | {imports} | {uses} |")
    return "\n".join([*lines, ""])


def setting_table() -> str:
    """Return every setting with its default, what it may be and what it does, as a Markdown table."""
    from tx_graph.core.settings import SETTINGS

    lines = ["", "| setting | default | may be | |", "|---|---|---|---|"]
    for one in SETTINGS.values():
        summary = one.summary.replace("<", "&lt;")  # Markdown would take it for HTML
        lines.append(f"| `{one.key}` | {_default(one)} | {_possible(one)} | {summary} |")
    return "\n".join([*lines, ""])


def edge_table() -> str:
    """Return every type of edge with what it leads to, what its weight says and its layers, as a Markdown table."""
    lines = ["", "| type | leads from, to | weight | layer |", "|---|---|---|---|"]
    for kind in EdgeType:
        layers = ", ".join(dict.fromkeys(f"`{source.layer}`" for source in EDGE_SOURCES if kind in source.types))
        lines.append(f"| `{kind}` | {kind.words.leads} | {kind.words.weighs} | {layers} |")
    return "\n".join([*lines, ""])


def _default(setting: Setting) -> str:
    if isinstance(setting.default, tuple):
        return ", ".join(f"`{text}`" for text in setting.default) or "none"
    return f"`{setting.default}`"


def _possible(setting: Setting) -> str:
    """Return in words which values a setting takes."""
    if setting.choices:
        return " or ".join(f"`{choice}`" for choice in setting.choices)
    if isinstance(setting.default, str | tuple):
        return "texts" if isinstance(setting.default, tuple) else "a text"
    kind = "a whole number" if isinstance(setting.default, int) else "a number"
    bounds = [("from", setting.least), ("to", setting.most)]
    return " ".join([kind, *(f"{word} {bound:,.10g}" for word, bound in bounds if math.isfinite(bound))])


def help_texts() -> str:
    """Return the help of every command, as Markdown sections."""
    os.environ["COLUMNS"] = _WIDTH
    return "\n".join(_sections())


def _sections() -> Iterator[str]:
    import typer.main

    from tx_graph.faces.cli.app import app
    from tx_graph.faces.cli.help import overview

    yield f"\n## tx\n\n```text\n{overview()}```"
    group = typer.main.get_command(app)
    with group.make_context("tx", ["status"], resilient_parsing=True) as context:
        for name in COMMANDS:
            command = group.get_command(context, name)  # type: ignore[attr-defined]
            with command.make_context(name, [], parent=context, resilient_parsing=True) as inner:
                yield f"\n## tx {name}\n\n```text\n{command.get_help(inner)}\n```"
    yield ""
