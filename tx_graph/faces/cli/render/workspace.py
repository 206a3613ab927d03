"""The workspace as a whole: what was read of it, how it is, what is wrong with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tx_graph.core.text import counted
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.documents import followed, print_brief, print_vectors
from tx_graph.faces.cli.render.terminal import echo, is_terminal, note, print_fields, printable, styled, width, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tx_graph.code.indexing import IndexReport
    from tx_graph.core.moving import Exported, Imported
    from tx_graph.workspace.doctor import CheckUp
    from tx_graph.workspace.health import Status
    from tx_graph.workspace.maintaining import Maintenance
    from tx_graph.workspace.renewal import Initialised, Renewed


_MOST_NAMED = 3  # files to name of those that were left out for the same reason
_IN_LINE = re.compile(r" in line \d+")
_MARKS = {"ok": ("ok", "green"), "advice": ("advice", "yellow"), "problem": ("PROBLEM", "red")}
_BARS = {
    "fresh": ("█", "green"),
    "drifted": ("▓", "yellow"),
    "gone": ("▒", "red"),
    "unverified": ("░", "bright_black"),
    "pinned": ("░", "bright_black"),
}
_CELLS = 20
_INDENT = 22
_LEAST_ROOM = 20
_NO_MODEL = " (not installed: search is by words alone; 'tx model install')"


def exported(done: Exported) -> None:
    """Print what was written."""
    echo(printable(f"Wrote {_counts(done.rows)} to {done.file}"))


def imported(done: Imported) -> None:
    """Print what came."""
    echo(f"Took in {_counts(done.added)}; {sum(done.known.values()):,} known already.")
    if done.renumbered:
        note(f"{done.renumbered:,} got another number than they had: theirs were taken.")


def _counts(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} of {table}" for table, number in rows.items()) or "nothing"


def print_index(report: IndexReport) -> None:
    """Print what an index run did."""
    gone = f", {report.removed:,} gone" if report.removed else ""
    imports, symbols = counted(report.imports, "import"), counted(report.symbols, "symbol")
    echo(f"{counted(report.files, 'file')}, {report.read:,} read{gone}; {imports} between them, {symbols}.")
    for notice in report.notices:
        note(notice)
    skipped = [*report.skipped, *report.manifests]
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, reason in skipped:
        groups.setdefault(_IN_LINE.sub("", reason), []).append((name, reason))
    for common, those in groups.items():
        if len(those) == 1:
            note(f"'{those[0][0]}' {those[0][1]}.")
            continue
        note(f"{len(those):,} files, each of which {common}: {_first([name for name, _ in those])}.")
    if report.kept:
        note(f"Marked as generated and read all the same: {_first(report.kept)}. See 'index.generated'.")
    if any(len(those) > _MOST_NAMED for those in (*groups.values(), report.kept)):
        note("'tx index --json' names them all.")


def _first(names: Sequence[str]) -> str:
    """Return the first of some names, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(f"'{name}'" for name in names[:_MOST_NAMED]) + more


def renewed(done: Renewed) -> None:
    """Print what was read; of commit messages how many are new: who indexes daily need not hear of the others."""
    print_index(done.index)
    print_brief(done.documents)
    print_vectors(done.chunks, "document piece")
    if done.commits.read:
        echo(f"{counted(done.commits.read, 'commit message')} read.")
    if done.history_problem:
        note(f"tx: warning: {done.history_problem}")
    print_vectors(done.learnings, "learning")
    print_vectors(done.entities, "entity")
    print_vectors(done.facts, "fact")
    print_vectors(done.cards, "source file")
    followed(done.relations)


def initialised(done: Initialised) -> None:
    """Print what was made, and what was read."""
    verb = "Initialised" if done.prepared.created else "Already initialised:"
    echo(f"{verb} {done.prepared.root / '.tx'}")
    renewed(done.renewed)
    if not done.prepared.is_git:
        note("This is not a git repository: there are no co-changes, and nothing carries the learnings to others.")
    elif done.prepared.created:
        if done.lacks_model:
            note("Search is by words alone; by meaning, too, after 'tx model install' and 'tx sync'.")
        note('Next: tx context "what you are about to do" · tx learning:add "what you learned" --anchor PATH')
        if done.lessons:
            found = counted(done.lessons, "lesson")
            note(
                f"The latest commits seem to teach {found}: tx learning:propose, then tx learning:review asks of each."
            )


def status(found: Status) -> None:
    """Print the workspace at a glance."""
    graph, embedding, documents = found.graph, found.embedding, found.documents
    languages = ", ".join(f"{count} {name}" for name, count in graph.languages.items())
    wrong = [f"{len(documents.unread):,} unread"] if documents.unread else []
    wrong += [counted(len(documents.broken), "broken link")] if documents.broken else []
    facts = " · ".join(f"{count:,} {status}" for status, count in found.facts.items())
    lacking = [f"{embedding.lacking:,}"]
    lacking += [f"{counted(found.lacking_chunks, 'chunk')} of documents"] if found.lacking_chunks else []
    lacking += [counted(embedding.lacking_entities, "entity")] if embedding.lacking_entities else []
    rows = [
        ("root", str(found.root)),
        ("commit", (found.head or "none yet")[:12] if found.is_git else "not a git repository"),
        ("learnings", ", ".join(f"{count} {name}" for name, count in graph.learnings.items()) or "none"),
        ("anchors", f"{graph.anchors:,}"),
        ("last verified", " · ".join(f"{graph.verdicts[one]:,} {one}" for one in _BARS if one in graph.verdicts)),
        ("files", f"{graph.files:,}" + (f" ({languages})" if languages else "")),
        ("documents", " · ".join([words.documents(graph.documents), *wrong])),
        ("facts", f"{facts} (of {counted(found.entities, 'entity')})" if facts else "none"),
        ("edges", " · ".join(f"{count:,} {name}" for name, count in graph.edges.items()) or "none"),
        ("model", embedding.model + ("" if embedding.installed or embedding.model == "none" else _NO_MODEL)),
        ("without a vector", " · ".join(lacking)),
    ]
    rows += [(f"last {name}", run.finished_at if run else "never") for name, run in graph.analyses.items()]
    print_fields(rows, before={"last verified": _bars(graph.verdicts)})
    for notice in found.notices:
        note(notice)


def _bars(verdicts: Mapping[str, int]) -> str:
    """Return a bar of all anchors, parted by what was last said of them; nothing where stdout is no terminal."""
    total = sum(verdicts.values())
    parts = [
        (sign * max(1, round(_CELLS * verdicts[one] / total)), fg)
        for one, (sign, fg) in _BARS.items()
        if one in verdicts
    ]
    return "".join(styled(part, fg=fg) for part, fg in parts) + " " if parts and is_terminal() else ""


def check_up(found: CheckUp) -> None:
    """Print what was mended, and each finding."""
    for action in found.done:
        note(f"fixed: {action}")
    room = max(_LEAST_ROOM, width() - _INDENT)
    for finding in found.findings:
        word, colour = _MARKS[finding.level.value]
        lines = wrapped(finding.detail, room)
        if finding.hint and word != "ok":
            lines += wrapped(finding.hint, room)
        echo(f"{styled(f'{word:9}', fg=colour)}{finding.check:{_INDENT - 9}}{lines[0]}")
        for line in lines[1:]:
            echo(f"{'':{_INDENT}}{line}")


def maintained(done: Maintenance) -> None:
    """Print what each part of the weekly job did, as the command of its own does."""
    from tx_graph.faces.cli.render import facts, verify, work

    renewed(done.renewed)
    facts.maintained(done.facts)
    work.pruned(done.telemetry)
    if waiting := len(done.proposals.proposed) + done.proposals.more:
        echo(f"{counted(waiting, 'learning')} could be proposed: 'tx learning:propose'.")
    verify.listing(done.verified)
