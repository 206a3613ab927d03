"""graph:symbols."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any

import typer

from tx_graph.code.symbol_index import Declared, Found, SymbolIndex
from tx_graph.code.symbols import Match, Symbol
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import as_json as as_shape
from tx_graph.faces.cli.options import Json, Tsv, opened
from tx_graph.faces.cli.render.answers import Answer, deliver, one_form
from tx_graph.faces.cli.render.terminal import print_table, printable, reading_width, shortened, styled
from tx_graph.faces.cli.render.words import more

_MOST_FOUND = 20
_HEADINGS = ("path", "qname", "kind", "start", "end", "signature")
_INEXACT = {
    Match.CASE: "differ from it in upper and lower case",
    Match.BEGINNING: "begin with it",
    Match.PART: "contain it",
}


def symbols(
    path: Annotated[str | None, typer.Argument(metavar="PATH", help="A file or a directory.")] = None,
    *,
    name: Annotated[
        str | None, typer.Option("--find", metavar="NAME", help="Where this is declared; AuthService.login will do.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All files instead of one.")] = False,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="Only these, such as class.")] = None,
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", metavar="N", help="Most to show; otherwise all, or 20 with --find.")
    ] = None,
    as_tsv: Tsv = False,
    as_json: Json = False,
) -> None:
    """Show what a file or directory declares, or where a name is declared.

    --find looks for exactly this name first, then for the same in other case, then for names that begin with it, then
    for names that contain it. JSON and --tsv have all that is found unless told otherwise. The columns of --tsv are
    path, qname, kind, start, end and signature.

    Example:
      tx graph:symbols src/auth.py
      tx graph:symbols --find AuthService::login
      tx graph:symbols src/ --find Service --kind class
      tx graph:symbols --all --tsv
    """
    one_form(as_json=as_json, as_tsv=as_tsv)
    if sum(given is not None for given in (path, name)) == everything:
        raise UsageError("Name a PATH or a name to --find, or ask for --all.", hint="See 'tx graph:symbols --help'.")
    if limit is None and name is not None and not (as_json or as_tsv):
        limit = _MOST_FOUND
    most = None if limit is None else checked_limit(limit)
    with opened() as workspace:
        declared = workspace.kernel.one(SymbolIndex)
        found: Declared | Found = (
            declared.symbols(path, kind=kind) if name is None else declared.find_symbol(name, within=path, kind=kind)
        )
        age = workspace.health.age(path=found.place.path, with_cochanges=False)
    deliver(_answer(found, name or "", kind=kind, most=most), age, as_json=as_json, as_tsv=as_tsv)


def _answer(found: Declared | Found, name: str, *, kind: str | None, most: int | None) -> Answer:
    shown = found.symbols[:most]
    shape: dict[str, Any] = {"symbols": as_shape(shown)}
    if isinstance(found, Found):
        shape["match"] = found.match and found.match.value
    return Answer(
        shape=shape | {"stats": {"found": len(found.symbols), "shown": len(shown)}},
        show=lambda: _print_found(shown) if isinstance(found, Found) else _print_outlines(shown, found),
        headings=_HEADINGS,
        rows=[(one.path, one.fqname, one.kind, one.line_start, one.line_end, one.signature) for one in shown],
        remarks=_remarks(found, name, kind=kind, shown=len(shown)),
    )


def _remarks(found: Declared | Found, name: str, *, kind: str | None, shown: int) -> list[str]:
    remarks = []
    if isinstance(found, Declared) and not found.symbols:
        place = found.place.path or "The repository"
        remarks.append(found.remark or f"{place} declares {f'no {kind}' if kind else 'nothing'}.")
    if isinstance(found, Found) and not found.symbols:
        alike = f" Did you mean {', '.join(found.nearest)}?" if found.nearest else ""
        remarks.append(f"Nothing is named '{name}'.{alike}")
    if isinstance(found, Found) and found.match in _INEXACT:
        remarks.append(f"Nothing is named exactly '{name}'; these {_INEXACT[found.match]}.")
    return [*remarks, more(len(found.symbols), shown=shown)]


def _print_found(found: Sequence[Symbol]) -> None:
    if found:
        rows = [(one.fqname, one.kind, _lines(one), one.signature) for one in found]
        print_table(("symbol", "kind", "lines", "signature"), rows)


def _print_outlines(found: Sequence[Symbol], declared: Declared) -> None:
    """Print one outline per file, below its name unless it is the one that was asked about."""
    for number, (path, own) in enumerate(groupby(found, key=lambda one: one.path)):
        if declared.place.is_directory:
            typer.echo(f"{'' if number == 0 else chr(10)}{styled(path, bold=True)}")
        _print_outline(list(own))


def _print_outline(own: Sequence[Symbol]) -> None:
    """Print the declarations of a file, each below what it stands in."""
    lines, kinds = max(len(_lines(one)) for one in own), max(len(one.kind) for one in own)
    around: list[Symbol] = []
    for one in own:
        while around and not _holds(around[-1], one):
            around.pop()
        short = one.name[len(around[-1].name) + 2 :] if around else one.name
        # What belongs to something that stands elsewhere, such as a method of Rust, says to what.
        text = f"{short}  {one.signature}" if "::" in short and one.signature else one.signature or short
        head = f"{_lines(one):>{lines}}  {one.kind:{kinds}}  {'  ' * len(around)}"
        typer.echo(printable(f"{head}{shortened(text, reading_width() - len(head))}"))
        around.append(one)


def _holds(outer: Symbol, inner: Symbol) -> bool:
    """Whether one declaration stands inside another; a method of Go does not stand in its type."""
    return inner.name.startswith(f"{outer.name}::") and inner.line_end <= outer.line_end


def _lines(symbol: Symbol) -> str:
    first, last = symbol.line_start, symbol.line_end
    return str(first) if first == last else f"{first}-{last}"
