"""What a terminal shows: styles when it can, columns that fit it, and JSON as one document."""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from tx_graph.core.errors import TxError
from tx_graph.core.shape import SCHEMA
from tx_graph.core.text import inert, inert_json, quoted, quoted_field
from tx_graph.faces.cli.render import pager

if TYPE_CHECKING:
    from tx_graph.core.ports import Progress

T = TypeVar("T")
_NO_TERMINAL = 10_000  # columns of a pipe: plenty, so that programs get whole lines
_READABLE = 100  # columns beyond which prose gets hard to read
_GAP = "  "
_MARGIN = " " * 4
_MARKED = re.compile(r"[*_`#>|~&<\[\\]|\n|^\s*(?:[-+]|\d+[.)]) ")
_MOST_MARKDOWN = 100_000  # characters: more is no text to be read here
_BRISK = 10  # units a second from which on a rate is told without a fraction


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text at once; in UTF-8 too where the locale was left at ASCII, which Typer knows how to."""
    stream = sys.stderr if err else sys.stdout
    if pager.screen and (not err or sys.stderr.isatty()):
        pager.screen.write(stream, text + "\n" * nl)
    elif codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name == "ascii":
        import typer

        typer.echo(text, err=err, nl=nl)
    else:
        print(text, end="\n" if nl else "", file=stream, flush=True)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document, with the version of its schema."""
    echo(json_text({"schema": SCHEMA, **document}, indent=2))


def json_text(document: Any, *, indent: int | None = None) -> str:  # noqa: ANN401 - whatever JSON can hold
    """Return JSON that is valid whatever the encoding of stdout."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    return inert_json(json.dumps(document, ensure_ascii=not is_unicode, indent=indent))


def printable(text: str) -> str:
    """Return `text`, a piece of one line, with control characters made visible: nothing must steer the terminal.

    Line ends are such too: a file may be called so that part of its name looks like a line of the answer.
    """
    return inert(text).replace("\n", "\\x0a")


def as_printed(text: str) -> str:
    """Return `text` as stdout will have it: with what stands in for the characters that it does not know."""
    name = getattr(sys.stdout, "encoding", None) or "utf-8"
    errors = getattr(sys.stdout, "errors", None) or "strict"
    return text.encode(name, errors).decode(name, "surrogateescape")


def set_apart(text: str, *, is_markdown: bool = False) -> str:
    """Return what somebody wrote, indented: nothing in it can pass for a line of the answer."""
    if is_markdown and is_terminal():
        return "\n".join(f"{_MARGIN}{line}".rstrip() for line in as_markdown(text, reading_width() - len(_MARGIN)))
    return quoted(text, mark=_MARGIN)


def as_markdown(text: str, length: int) -> list[str]:
    """Return `text` in lines of at most `length` columns, on a terminal without the marks of Markdown."""
    if not is_terminal() or len(text) > _MOST_MARKDOWN or not _MARKED.search(text):
        return wrapped(text, length)
    from tx_graph.faces.cli.render.markdown import rendered

    return rendered(text, length)


def print_page(text: str, *, is_markdown: bool = True) -> None:
    """Print a page as it stands, its Markdown for a terminal as a terminal shows it."""
    if is_markdown and is_terminal():
        from tx_graph.faces.cli.render.markdown import page

        echo(page(text), nl=False)
    else:
        echo(text, nl=False)


def styled(text: str, **style: Any) -> str:  # noqa: ANN401 - passed through to Typer
    """Return `text` in a style where stdout is a terminal that wants one (NO_COLOR is honoured)."""
    if not has_style():
        return printable(text)
    import typer

    return typer.style(printable(text), **style)


def is_terminal() -> bool:
    """Whether people read stdout: then there are signs and bars, and Markdown is rendered."""
    return sys.stdout.isatty()


def has_style() -> bool:
    """Whether stdout takes colours."""
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Return the columns of the terminal; plenty when stdout is none."""
    if not sys.stdout.isatty():
        return _NO_TERMINAL
    import shutil

    return shutil.get_terminal_size().columns


def reading_width() -> int:
    """Return the columns for prose, in a pipe too."""
    return min(width(), _READABLE)


def columns(text: str) -> int:
    """Return how many columns `text` takes: two for each wide character, none for each that combines."""
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def shortened(text: str, length: int) -> str:
    """Return the first line of `text` in at most `length` columns, marked when something was left out."""
    line, _, rest = inert(text).partition("\n")
    if columns(line) > length:
        return f"{_head(line, length - 1)}…"
    return f"{_head(line, length - 1)}…" if rest.strip() else line


def wrapped(text: str, length: int) -> list[str]:
    """Return `text` in lines of at most `length` columns, broken at blanks where there are any."""
    return [part for line in inert(text).expandtabs(4).split("\n") for part in _wrapped_line(line, length)]


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table for people, its last column wrapped to the terminal; `right` names columns to align there."""
    widths = [max(map(columns, cells)) for cells in zip(headings, *rows, strict=True)]
    room = max(20, width() - sum(widths[:-1]) - len(_GAP) * (len(widths) - 1))
    echo(styled(_aligned(headings, widths, headings, right).rstrip(), bold=True))
    for row in rows:
        first, *more = wrapped(row[-1], room)
        echo(_aligned([*row[:-1], first], widths, headings, right).rstrip())
        for line in more:
            echo(f"{_aligned([''] * (len(row) - 1), widths, headings, right)}{_GAP}{line}")


def print_each(
    things: Sequence[T],
    columns: Mapping[str, Callable[[T], str]],
    *,
    right: Sequence[str] = (),
    filled: Collection[str] | None = (),
) -> None:
    """Print a table with a row for each thing. Columns that are `filled`, None for all, go where they say nothing."""
    cells = {name: [get(one) for one in things] for name, get in columns.items()}
    names = [name for name, column in cells.items() if any(column) or (filled is not None and name not in filled)]
    print_table(names, list(zip(*(cells[name] for name in names), strict=True)), right=right)


def print_fields(fields: Sequence[tuple[str, str]], *, before: Mapping[str, str] | None = None) -> None:
    """Print names and values below each other, values wrapped to the terminal; empty ones are left out.

    What stands `before` a value, by its name, is a text of ours in a style.
    """
    indent = max((columns(name) for name, value in fields if value), default=0) + len(_GAP)
    for name, value in fields:
        lines = wrapped(value, max(20, width() - indent)) if value else []
        for place, line in enumerate(lines):
            label = styled(f"{'' if place else name:{indent}}", fg="bright_black")
            echo(f"{label}{'' if place else (before or {}).get(name, '')}{line}")


def note(message: str, *, is_dim: bool = False) -> None:
    """Print a message that is not a result, to stderr."""
    echo(styled(message, dim=True) if is_dim and sys.stderr.isatty() else printable(message), err=True)


@contextmanager
def progress(what: str, *, unit: str) -> Iterator[Progress]:
    """Yield a reporter that draws a bar with a rate on stderr; on anything but a terminal it draws nothing."""
    from tx_graph.core.ports import no_progress

    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    parts = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, rate="")

        def report(done: int, total: int | None) -> None:
            speed = bar.tasks[0].speed
            rate = f"{speed:,.{0 if speed >= _BRISK else 1}f} {unit}/s" if speed else ""
            bar.update(task, completed=done, total=total, rate=rate)

        yield report


def _aligned(cells: Sequence[str], widths: Sequence[int], headings: Sequence[str], right: Sequence[str]) -> str:
    padded = []
    for cell, size, heading in zip(cells, widths, headings, strict=False):
        blanks = " " * (size - columns(cell))
        padded.append(f"{blanks}{printable(cell)}" if heading in right else f"{printable(cell)}{blanks}")
    return _GAP.join(padded)


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _head(text: str, length: int) -> str:
    """Return as much of the beginning of `text` as fits into `length` columns."""
    if text.isascii():
        return text[: max(0, length)]
    used = 0
    for place, character in enumerate(text):
        used += _columns_of(character)
        if used > length:
            return text[:place]
    return text


def _wrapped_line(line: str, length: int) -> list[str]:
    lines: list[str] = []
    rest = line.rstrip()
    while (head := _head(rest, length)) != rest:
        head = head or rest[0]
        at_blank = len(head) if rest[len(head)] == " " else head.rfind(" ")
        cut = at_blank if rest[:at_blank].strip() and at_blank > 0 else len(head)
        lines.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [*lines, rest]


def as_lines(error: TxError) -> str:
    """Return the error as lines: what happened, what is near, what to do."""
    lines = [f"tx: {error.message}"]
    if error.candidates:
        lines += ["Did you mean:", *(f"  {printable(candidate)}" for candidate in error.candidates)]
    if error.hint:
        lines.append(error.hint)
    return inert("\n".join(lines))


def as_document(error: TxError) -> str:
    """Return the error as one JSON document."""
    fields = {"code": error.code, "message": error.message, "hint": error.hint, "candidates": list(error.candidates)}
    return json_text({"schema": SCHEMA, "error": fields})


def print_tsv(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a header line and the rows, every field as `quoted_field` returns it."""
    echo("\n".join("\t".join(quoted_field(str(field)) for field in row) for row in (headings, *rows)))
