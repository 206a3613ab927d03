"""What was read of files and of history, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.code.import_graph import AllImports, DeadEnds, ImportCycles, Imports
from tx_graph.code.symbol_index import Declared, Found
from tx_graph.context.partners import ChangeCheck, FilePartners, Pairs, Told
from tx_graph.core.errors import UsageError
from tx_graph.core.labels import checked_limit
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import (
    columns,
    echo,
    note,
    print_table,
    printable,
    reading_width,
    shortened,
    styled,
    width,
    wrapped,
)
from tx_graph.faces.cli.render.words import bar, more
from tx_graph.faces.cli.render.workspace import print_index

if TYPE_CHECKING:
    from tx_graph.code.cycles import Cycle, Pair
    from tx_graph.code.indexing import IndexReport
    from tx_graph.code.symbols import Symbol
    from tx_graph.history.cochanges import CoChangeReport

Table = tuple[Sequence[str], Iterable[Sequence[object]]]

_WHY = {
    "stdlib": "ships with the language",
    "external": "somebody else's package",
    "missing": "no file here answers to it",
    "ambiguous": "several files it may mean",
    "not code": "a file, but no source code",
}
_INEXACT = {
    "case": "differ from it in upper and lower case",
    "beginning": "begin with it",
    "part": "contain it",
}


def read(report: IndexReport) -> None:
    """Print what was read of files, and where their imports lead nowhere."""
    print_index(report)
    if report.unresolved:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in report.unresolved.items())
        echo(f"Imports that lead to no file here: {reasons}.")


def counted_together(done: CoChangeReport) -> None:
    """Print what was read of history."""
    dropped = f" ({done.dropped:,} left out: more than {done.max_files} files)" if done.dropped else ""
    pairs = "1 pair of files changes" if done.pairs == 1 else f"{done.pairs:,} pairs of files change"
    echo(f"{pairs} together, from {counted(done.commits, 'commit')}{dropped}.")
    if done.head is None:
        note("There is no commit yet.")
    elif done.shallow:
        note("This is a shallow clone: only the commits that are here were counted ('git fetch --unshallow').")
    if done.how == "incremental":
        note(f"Incremental: {counted(done.new, 'new commit')} read, the others were known.")
    elif done.why:
        note(f"Full pass: {done.why}.")


def check_limit(_: str, limit: int | None) -> None:
    """Refuse a limit that is out of range."""
    if limit is not None:
        checked_limit(limit)


def check_imports(
    command: str,
    file: str | None,
    *,
    everything: bool,
    unresolved: bool,
    reverse: bool,
    depth: int,
    limit: int | None,
) -> None:
    """Refuse what makes no question, or cannot go together."""
    check_limit(command, limit)
    if (file is None) != everything:
        raise UsageError("Name one FILE, or ask for --all.", hint="See 'tx graph:imports --help'.")
    if (everything or unresolved) and (reverse or depth != 1):
        raise UsageError("--reverse and --depth need a FILE, and go without --unresolved.")


def check_symbols(command: str, path: str | None, name: str | None, *, everything: bool, limit: int | None) -> None:
    """Refuse what makes no question, or cannot go together."""
    if sum(given is not None for given in (path, name)) == everything:
        raise UsageError("Name a PATH or a name to --find, or ask for --all.", hint="See 'tx graph:symbols --help'.")
    check_limit(command, limit)


def imports(found: Imports | DeadEnds | AllImports, depth: int) -> None:
    """Print imports as a table; of dead ends of one file the lines alone say where."""
    rows: list[tuple[str, ...]]
    if isinstance(found, DeadEnds):
        is_file = not found.place.is_directory
        headings: Sequence[str] = ("line" if is_file else "place", "module", "names", "why")
        rows = [
            (
                str(end.line) if is_file else f"{end.source}:{end.line}",
                end.module,
                ", ".join(end.names),
                f"{end.reason}: {_WHY[end.reason]}" if end.reason in _WHY else end.reason,
            )
            for end in found.dead_ends
        ]
    elif isinstance(found, Imports) and not found.place.is_directory:
        headings = ("file", "type", "hops", "by way of") if depth > 1 else ("file", "type")
        ends = [(one.source, one.target) if found.reverse else (one.target, one.source) for one in found.steps]
        rows = [
            (end, one.type.value, str(one.hops), way)[: len(headings)]
            for (end, way), one in zip(ends, found.steps, strict=True)
        ]
    else:
        headings, rows = ("source", "target", "type"), [(one.source, one.target, one.type.value) for one in found.steps]
    if rows:
        print_table(headings, rows, right=["line"])
    if cut := more(found.total, shown=len(rows)):
        note(cut)


def import_rows(found: Imports | DeadEnds | AllImports) -> Table:
    """Return imports as lines for scripts."""
    if isinstance(found, DeadEnds):
        return ("source", "line", "module", "names", "import_type", "reason"), [
            (end.source, end.line, end.module, ",".join(end.names), end.type.value, end.reason)
            for end in found.dead_ends
        ]
    return ("source", "target", "import_type"), [(one.source, one.target, one.type.value) for one in found.steps]


def import_remarks(found: Imports | DeadEnds | AllImports) -> list[str]:
    """Return why there is nothing, and what is not in the list."""
    if isinstance(found, AllImports):
        return [] if found.steps else ["No file here imports another."]
    path = found.place.path or "the repository"
    if isinstance(found, DeadEnds):
        return [] if found.dead_ends else [found.remark or f"Every import of {path} leads to a file here."]
    none = f"Nothing here imports {path}." if found.reverse else f"{path} imports no file here."
    if found.place.is_directory:
        none = f"No import {'enters' if found.reverse else 'leaves'} {path}."
    remarks = [] if found.steps else [found.remark or none]
    if found.inside:
        remarks.append(f"{counted(found.inside, 'import')} between files inside it.")
    if found.missing:
        verb = "leads" if found.missing == 1 else "lead"
        remarks.append(f"{counted(found.missing, 'import')} {verb} to no file here, but should; see --unresolved.")
    return remarks


def symbols(found: Declared | Found) -> None:
    """Print where a name is declared as a table, what a place declares as one outline for each file."""
    if isinstance(found, Found):
        if found.symbols:
            rows = [(one.fqname, one.kind, _lines(one), one.signature) for one in found.symbols]
            print_table(("symbol", "kind", "lines", "signature"), rows)
        return
    for number, (path, own) in enumerate(groupby(found.symbols, key=lambda one: one.path)):
        if found.place.is_directory:  # the name of the one that was asked about needs no saying
            echo(f"{'' if number == 0 else chr(10)}{styled(path, bold=True)}")
        _print_outline(list(own))


def _print_outline(own: Sequence[Symbol]) -> None:
    """Print the declarations of a file, each below what it stands in."""
    lines, kinds = max(len(_lines(one)) for one in own), max(len(one.kind) for one in own)
    around: list[Symbol] = []
    for one in own:
        # A method of Go does not stand in its type, although its name says so.
        while around and not (one.name.startswith(f"{around[-1].name}::") and one.line_end <= around[-1].line_end):
            around.pop()
        short = one.name[len(around[-1].name) + 2 :] if around else one.name
        # What belongs to something that stands elsewhere, such as a method of Rust, says to what.
        text = f"{short}  {one.signature}" if "::" in short and one.signature else one.signature or short
        head = f"{_lines(one):>{lines}}  {one.kind:{kinds}}  {'  ' * len(around)}"
        echo(printable(f"{head}{shortened(text, reading_width() - len(head))}"))
        around.append(one)


def _lines(symbol: Symbol) -> str:
    first, last = symbol.line_start, symbol.line_end
    return str(first) if first == last else f"{first}-{last}"


def symbol_remarks(found: Declared | Found, name: str | None, kind: Sequence[str]) -> list[str]:
    """Return why there is nothing, how well a name is met, and that there is more."""
    remarks = []
    if isinstance(found, Declared):
        if not found.symbols:
            what = f"no {' or '.join(kind)}" if kind else "nothing"
            nothing = f"{found.place.path or 'The repository'} declares {what}."
            remarks.append(found.remark or nothing)
    elif not found.symbols:
        alike = f" Did you mean {', '.join(found.nearest)}?" if found.nearest else ""
        remarks.append(f"Nothing is named '{name}'.{alike}")
    elif found.match in _INEXACT:
        remarks.append(f"Nothing is named exactly '{name}'; these {_INEXACT[found.match]}.")
    folded = found.folded if isinstance(found, Declared) else 0
    if folded:
        remarks.append(
            f"{counted(folded, 'detail')} folded; --details shows fields, constants and what is inside functions."
        )
    return [*remarks, more(found.total, shown=len(found.symbols))]


def cycles(found: ImportCycles) -> None:
    """Print how many import cycles there are, and each on a line as far as it fits."""
    if found.cycles:
        total = counted(found.total, "import cycle")
        echo(styled(f"{total}; {counted(found.files, 'file')} on cycles", bold=True))
    for cycle in found.cycles:
        steps = [f"{_arrow(pair, cycle, found)} {pair[1]}" for pair in cycle.edges]
        line = printable(" ".join([cycle.nodes[0], *steps]))
        fits = columns(line) <= reading_width()
        for part in [line] if fits else [printable(cycle.nodes[0]), *(printable(f"  {step}") for step in steps)]:
            echo(part)


def _arrow(pair: Pair, cycle: Cycle, found: ImportCycles) -> str:
    """Return the arrow of an import: its type if it is not plain, and a star where it closes the cycle."""
    kind = found.types[pair].value
    return f"─{'' if kind == 'static' else kind}{'*' if pair == cycle.closed_by else ''}→"


def cycle_remarks(found: ImportCycles) -> list[str]:
    """Return that there is none, that there are more, and what only type checkers go round in."""
    others = counted(found.with_types, "more cycle")
    return [
        "" if found.cycles else "No import cycle.",
        more(found.total, shown=len(found.cycles)),
        f"{others} only for the type checker; show them with --include-type-only." if found.with_types else "",
    ]


def cochanges(told: Told) -> None:
    """Print the partners of a file, or the pairs of all files, each in words."""
    found = told.answer
    if isinstance(found, Pairs):
        for pair in found.pairs:
            times = f"{counted(pair.shared, 'commit')} together, of {pair.commits_a:,} and {pair.commits_b:,}"
            _with_bar(pair.score, f"{pair.score:.2f}  `{pair.file_a}` and `{pair.file_b}`: {times}")
    elif isinstance(found, FilePartners):
        for one in found.partners:
            share = f"{one.shared:,} of {counted(one.commits, 'commit')} that touched `{found.file}`"
            part = one.shared / one.commits
            _with_bar(part, f"`{one.path}` changed in {share} ({part:.0%})")
        if cut := more(found.total, shown=len(found.partners)):
            note(cut)


def check_cochanges(_: str, *, file: str | None, every: bool, as_tsv: bool, as_json: bool) -> None:
    """Refuse what makes no question, or cannot go together."""
    if file is None and not every:
        raise UsageError("Which file?", hint="Name a FILE, or ask for the pairs of all files with --all.")
    if file is not None and every:
        raise UsageError("A FILE and --all are different questions.", hint="Give one of them.")
    if as_tsv and not every:
        raise UsageError("--tsv is for --all.", hint="The partners of one file come as JSON with --json.")
    if as_tsv and as_json:
        raise UsageError("--json and --tsv cannot go together.")


def lacking(told: Told) -> None:
    """Print the usual partners that a change lacks, each with its best evidence."""
    for one in told.answer.missing if isinstance(told.answer, ChangeCheck) else ():
        best, others = one.best, len(one.evidence) - 1
        rest = f", and with {counted(others, 'more changed file')}" if others else ""
        share = f"{best.shared:,} of {counted(best.commits, 'commit')} ({best.confidence:.0%})"
        _with_bar(best.confidence, f"`{one.path}` usually changes with `{best.file}`: {share}{rest}")


def _with_bar(share: float, text: str) -> None:
    """Print a sentence behind a bar, wrapped to the terminal."""
    before = bar(share)
    first, *more_ = wrapped(printable(text), width() - len(before))
    echo("\n".join([f"{styled(before, fg='cyan')}{first}", *(f"{'':{len(before)}}{line}" for line in more_)]))
