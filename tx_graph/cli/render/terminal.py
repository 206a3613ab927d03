"""What a terminal shows: styles when it can, tables that fit it, and JSON as one document."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer

from tx_graph.ports import Progress, no_progress


def print_json(document: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
    """Print one JSON document."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2))


def styled(text: str, **style: Any) -> str:  # noqa: ANN401 - passed through to Typer
    """Return `text` in a style where stdout is a terminal that wants one (NO_COLOR is honoured)."""
    return typer.style(text, **style) if has_style() else text


def has_style() -> bool:
    """Whether stdout takes colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def width() -> int:
    """Return the columns of the terminal; plenty when stdout is none, so that pipes get whole lines."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000


def shortened(text: str, length: int) -> str:
    """Return the first line of `text`, at most `length` characters, marked when something was left out."""
    line, _, rest = text.partition("\n")
    short = line if len(line) <= length else line[: length - 1]
    return f"{short}…" if rest.strip() or short != line else short


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table for people; `right` names the columns to align to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console(width=width() if sys.stdout.isatty() else 200, highlight=False, markup=False, emoji=False).print(table)


def note(message: str) -> None:
    """Print a message that is not a result, to stderr."""
    typer.echo(message, err=True)


@contextmanager
def progress(what: str, *, unit: str) -> Iterator[Progress]:
    """Yield a reporter that draws a bar with a rate on stderr; on anything but a terminal it draws nothing."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def report(done: int, total: int | None) -> None:
            speed = bar.tasks[0].speed
            rate = f"{speed:,.0f} {unit}/s" if speed else ""
            bar.update(task, completed=done, total=total, rate=rate)

        yield report
