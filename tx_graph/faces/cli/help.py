"""What `tx --help`, `tx help` and the name of a group print, from the register alone: Typer explains one command."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.faces.operations import ALIASES, COMMANDS, EVERYDAY, GROUPS, spelled_out

if TYPE_CHECKING:
    from typing import Any

_OF_ALL = """\
Before the command:
  -C DIR      Run as if started in DIR.
  -v          Say on stderr what is done; -vv, what git is asked too.
  --no-pager  Print what is longer than the screen, too ('TX_PAGER', 'PAGER').
  --profile   Say on stderr where the time went.
  --version   Show the version.

Exit status:
  0 fine        2 usage        4 not initialised    6 repository or git
  1 findings    3 not found    5 storage            7 model
  70 a bug in tx               130 interrupted
"""
_MOST_COLUMNS = 100


def overview() -> str:
    """Return one screen of help: the commands of every day, the groups, and where the others are."""
    groups = {", ".join(name for name in GROUPS if GROUPS[name] == text): text for text in GROUPS.values()}
    others = " ".join(one for one in COMMANDS if ":" not in one and one not in (*EVERYDAY, "help"))
    return (
        "Usage: tx [-C DIR] COMMAND ...   The memory of a codebase, tied to its code.\n\n"
        + _table("Every day", [(name, COMMANDS[ALIASES.get(name, name)].summary) for name in EVERYDAY])
        + "\n"
        + _table("Groups, such as 'tx learning', which lists its commands", groups.items())
        + "\n"
        + textwrap.fill(f"Also: {others}", width=_columns(), subsequent_indent="  ")
        + "\n'tx help COMMAND' explains a command, 'tx help --all' lists all of them.\n"
    )


def group(name: str) -> str:
    """Return the commands of a group."""
    also = {full: f" Also: tx {short}." for short, full in ALIASES.items()}
    members = [one for one in COMMANDS.values() if one.name.startswith(f"{name}:")]
    rows = [(one.name, one.summary + also.get(one.name, "")) for one in members]
    same = f"'{rows[0][0].replace(':', ' ')}' is the same as '{rows[0][0]}'"
    return f"{_table(f'{name}: {GROUPS[name]}', rows)}\n'tx help COMMAND' explains a command; {same}.\n"


def every_command() -> str:
    """Return all commands by panel, and what the exit statuses mean."""
    widest = max(map(len, COMMANDS))
    panels = dict.fromkeys(one.panel for one in COMMANDS.values())
    tables = [
        _table(panel, [(one.name, one.summary) for one in COMMANDS.values() if one.panel == panel], widest=widest)
        for panel in panels
    ]
    short = ", ".join(f"'tx {short}' is {name}" for short, name in ALIASES.items())
    return "\n".join([*tables, f"{textwrap.fill(f'Short: {short}.', width=_columns())}\n", _OF_ALL])


def as_json(name: str = "") -> dict[str, Any]:
    """Return the commands, those of a group, or one, as JSON."""
    short = {full: alias for alias, full in ALIASES.items()}
    rows = [
        {"name": one.name, "alias": short.get(one.name), "summary": one.summary, "panel": one.panel}
        for one in COMMANDS.values()
        if name in ("", one.name, one.name.partition(":")[0])
    ]
    return {"commands": rows}


def at_once(words: list[str]) -> str:
    """Return the help that words ask for which need no Typer; empty for any others."""
    if words in ([], ["-h"], ["--help"], ["help"]):
        return overview()
    match spelled_out(words):
        case ["help", name] if name in GROUPS:
            return group(name)
    return ""


def _columns() -> int:
    return max(40, min(_MOST_COLUMNS, shutil.get_terminal_size().columns) - 1)


def _table(title: str, rows: Iterable[tuple[str, str]], *, widest: int = 0) -> str:
    rows = list(rows)
    widest = widest or max(len(name) for name, _ in rows)
    lines = [textwrap.fill(f"{title}:", width=_columns())]
    for name, text in rows:
        lead = f"  {name:{widest}}  "
        below = " " * len(lead)
        lines.append(textwrap.fill(f"{lead}{text}", _columns(), subsequent_indent=below, break_on_hyphens=False))
    return "\n".join([*lines, ""])
