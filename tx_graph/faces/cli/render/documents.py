"""Documents and their sections in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.core.text import counted
from tx_graph.documents.document import HEADINGS_PART
from tx_graph.documents.search import DocAnswer, State
from tx_graph.faces.cli.render import elsewhere, words
from tx_graph.faces.cli.render.terminal import (
    as_markdown,
    echo,
    note,
    print_table,
    printable,
    reading_width,
    set_apart,
    shortened,
    styled,
    wrapped,
)
from tx_graph.graph.elsewhere import Elsewhere

if TYPE_CHECKING:
    from tx_graph.documents.documents import Ingested, ListedDocument, ShownDocument, ShownRelation, ShownSection
    from tx_graph.documents.following import Followed
    from tx_graph.documents.ingesting import DocumentPruning, IngestReport
    from tx_graph.documents.relating import Resettled
    from tx_graph.vectors.embedding import CaughtUp


_MOST_NAMED = 3
_INDENT = "  "


def ingested(done: Ingested) -> None:
    """Print what reading documents did, what was refused, and which links lead nowhere."""
    report = done.report
    gone = f", {report.removed:,} gone" if report.removed else ""
    sections, chunks = counted(report.sections, "section"), counted(report.chunks, "chunk")
    echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}, {chunks}.")
    for path, reason in report.refused:
        note(f"'{path}' {reason}.")
    for link in report.broken[:_MOST_NAMED]:
        note(f"{link.document}:{link.line}: {link.problem}.")
    if len(report.broken) > _MOST_NAMED:
        rest = counted(len(report.broken) - _MOST_NAMED, "more link")
        note(f"{rest} to places that do not exist; 'tx doc:ingest --json' names them all.")
    print_vectors(done.chunks, "chunk")
    print_vectors(done.entities, "entity")
    print_vectors(done.facts, "fact")
    followed(done.relations)


def followed(done: Followed | None) -> None:
    """Print what a model was asked after documents were read, and what that took; nothing where it was not asked."""
    if done and done.calls:
        edges = counted(sum(one.edges for one in done.several), "edge")
        left = sum(one.unasked for one in done.several)
        more = f"; {left:,} more wait for the next run" if left else ""
        asked = f"{counted(done.calls, 'question')} of about {done.tokens:,} tokens to {done.several[0].model}"
        echo(printable(f"Relations: {edges} by {asked}{more}."))
        failures = [failure for one in done.several for failure in one.failures]
        if failures:
            note(printable(f"tx: warning: {counted(len(failures), 'question')} failed: {failures[0].reason}"))
    if done and done.problem:
        note(printable(f"tx: warning: relations are not complete. {done.problem}"))


def pruned(done: DocumentPruning) -> None:
    """Print how much was removed."""
    echo(
        f"Removed {counted(done.documents, 'document')}, {counted(done.edges, 'edge')}, "
        f"{counted(done.nodes, 'node')} and {counted(done.vectors, 'vector')}."
    )


def print_brief(report: IngestReport) -> None:
    """Print how much writing there is, if any; what is wrong with it is said by 'tx doc:ingest'."""
    if report.documents or report.removed:
        gone = f", {report.removed:,} gone" if report.removed else ""
        sections = counted(report.sections, "section")
        echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}.")


def listed(found: Sequence[ListedDocument], globs: Sequence[str]) -> None:
    """Print documents as a table, or what to do where there are none."""
    if not found:
        note("There is no such document." if globs else "No document was read yet: run 'tx sync'.")
        return
    lines = [(one.document.path, f"{one.sections:,}", f"{one.facts:,}", one.document.title) for one in found]
    print_table(("document", "sections", "facts", "title"), lines, right=("sections", "facts"))


def document(found: ShownDocument) -> None:
    """Print the headings of a document; of a section its text, and what it points at."""
    echo(styled(found.node.ref, bold=True))
    if found.headings:
        echo(printable(" › ".join(found.headings)))
    if found.facts and found.node.ref == found.document.path:
        echo(f"states {counted(found.facts, 'fact')}")
    if found.node.ref != found.document.path:
        echo(f"\n{set_apart(found.text, is_markdown=True)}")
        own = [pair for one in found.sections if one is found.sections[0] or one.section.part for pair in one.links]
        told = dict.fromkeys(
            f"{link.predicate.replace('_', ' ') or 'references'} {target}" for link, target in own if target
        )
        if told:
            echo("")
        for line in told:
            echo(printable(f"→ {line}"))
        for link, _ in own:
            if link.problem:
                note(f"line {link.line}: {link.problem}.")
    _print_relations([one for one in found.relations if one.section == found.node.ref])
    for one in found.taken_back:
        ends = (one.section, one.other) if one.forward else (one.other, one.section)
        name = one.relation.replace("_", " ") or "is related to"
        note(f"Taken back: {ends[0]} {name} {ends[1]}; 'tx doc:relate {ends[0]} {ends[1]}' brings it back.")
    _print_outline(found.sections)
    for problem in found.document.problems:
        note(f"{found.document.path}: {problem}.")


_MOST_RELATIONS = 10


def _print_relations(relations: Sequence[ShownRelation]) -> None:
    """Print what somebody said of a section, and from where links lead to it; where its own lead stands above."""
    several = [one for one in relations if one.origin != "link" or not one.forward]
    for one in several[:_MOST_RELATIONS]:
        mark = "→" if one.forward else "←"
        who = "" if one.origin == "link" else f" ({one.weight:.2f}, {one.origin})"
        why = f": {one.description}" if one.description and who else ""
        echo(printable(f"{mark} {one.relation.replace('_', ' ')} {one.other}{who}{why}"))
    if len(several) > _MOST_RELATIONS:
        note(f"{len(several) - _MOST_RELATIONS:,} more relations; --json has them all.")


def resettled(done: Resettled) -> None:
    """Print what holds between two sections now."""
    names = " and ".join(name.replace("_", " ") for name in done.relations)
    if done.event == "unrelated":
        echo(printable(f"Taken back: {done.source} {names} {done.target}; 'tx doc:relate' brings it back."))
    else:
        again = " again" if done.event == "restored" else ""
        echo(printable(f"{done.source} {names} {done.target}{again}."))


def _print_outline(sections: Sequence[ShownSection]) -> None:
    """Print the sections below the first one, each below what it stands in."""
    below = [one for one in sections[1:] if not one.section.part]
    if not below:
        return
    echo("")
    lines = max(len(_lines(one)) for one in below)
    top = min(one.section.level for one in below)
    for one in below:
        head = f"{_lines(one):>{lines}}  {_INDENT * (one.section.level - top)}"
        title, slug = f"{one.section.title}  ", f"#{one.section.slug}"
        told = shortened(title + slug, reading_width() - len(head))
        echo(f"{head}{printable(told[: len(title)])}{styled(told[len(title) :], dim=True)}")


def _lines(one: ShownSection) -> str:
    first, last = one.section.line_start, one.section.line_end
    return str(first) if first == last else f"{first}-{last}"


def print_vectors(vectors: CaughtUp, thing: str) -> None:
    """Print how many things were embedded, if any, and why not all."""
    if vectors.embedded:
        echo(f"{counted(vectors.embedded, thing)} embedded.")
    if vectors.problem:
        note(f"tx: warning: {vectors.problem}")


_COLOURS = {State.FRESH: "green", State.CHANGED: "yellow", State.GONE: "red"}
_LINES_SHOWN = 6
_MARGIN = " " * 6
_MORE = " …"


def answer(found: DocAnswer, full: bool) -> None:  # noqa: FBT001 - the option
    """Print an answer."""
    for result in elsewhere.among(found.results, [one.score for one in found.results], found.elsewhere):
        if isinstance(result, Elsewhere):
            elsewhere.show(result)
            continue
        hops = f"  +{counted(result.hops, 'hop')}" if result.hops else ""
        state = styled(words.signed(result.state.value), fg=_COLOURS[result.state])
        echo(f"{words.meter(result.score)}  {styled(result.unit.ref, bold=True)}  {state}{hops}")
        place = f"line {result.excerpt.line_start}, {HEADINGS_PART.join(result.unit.headings)}".removesuffix(", ")
        for line in wrapped(place, reading_width() - len(_MARGIN)):
            echo(f"{_MARGIN}{styled(line, fg='bright_black')}")
        if result.superseded_by:
            echo(f"{_MARGIN}{styled(f'superseded by {result.superseded_by}', fg='yellow')}")
        lines = as_markdown(result.excerpt.text, reading_width() - len(_MARGIN) - len(_MORE))
        while lines and not lines[-1]:
            lines.pop()
        shown = lines if full else lines[:_LINES_SHOWN]
        if shown and not full and (len(shown) < len(lines) or not result.excerpt.is_whole):
            shown[-1] += _MORE
        echo("\n".join(f"{_MARGIN}{line}".rstrip() for line in shown))
        for tie in result.ties[:1]:
            reason = f'"{tie.description}"' if tie.description else f"{'from' if tie.forward else 'to'} {tie.other}"
            echo(printable(f"   ↳ Related: {reason} ({tie.relation})"))
        if result.beside:
            echo(printable(f"   ↳ Beside: {result.beside}"))
    if not found.results and not found.elsewhere:
        note("Nothing found.")
    elif found.stats.matched > len(found.results):
        note(f"{found.stats.matched - len(found.results):,} more are related; show them with -n.")
