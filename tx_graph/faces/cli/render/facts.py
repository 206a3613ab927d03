"""Facts and entities in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.verdict import Standing
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import echo, note, print_each, print_fields, printable, set_apart, shortened
from tx_graph.knowledge.fact import FactStatus

if TYPE_CHECKING:
    from tx_graph.knowledge.entities import Changed, EntityShown
    from tx_graph.knowledge.entity import StoredEntity
    from tx_graph.knowledge.fact import StoredFact
    from tx_graph.knowledge.facts import Added, Conflict, Maintained, Scored


_TOLD = 60  # columns of what a fact says in a table
_ORIGIN = _ALSO = 40  # columns of who says so, and of the other names of an entity


def added(one: Added) -> None:
    """Print the fact that was added, and what it means for others."""
    stored = one.stored
    verb = "Already known" if one.existed else "Added again" if one.revived else "Added"
    private = ", private" if stored.private else ""
    echo(f"{verb} {stored.ref} ({stored.fact.status}{private}): {_sentence(stored)}")
    for other in one.superseded:
        echo(f"It supersedes {other.ref}: {_sentence(other)}")
    for other in one.conflicting:
        note(f"tx: {other.ref} says otherwise ({_origin(other)}): {_sentence(other)}. See 'tx fact:conflicts'.")
    if one.warning:
        note(f"tx: warning: {printable(one.warning)}")


def listed(facts: Sequence[Scored], command: str) -> None:
    """Print facts as a table, or how to add one."""
    if not facts:
        unsaid = "Nothing was ever said about it."
        note(
            unsaid if command == "fact:history" else 'No such facts. Add one: tx fact:add "Billing service" uses DuckDB'
        )
        return
    print_each(
        facts,
        {
            "#": lambda one: str(one.stored.id),
            "score": lambda one: f"{one.score:.2f}",
            "status": lambda one: one.stored.fact.status.value + (", private" if one.stored.private else ""),
            "fact": lambda one: shortened(_sentence(one.stored), _TOLD),
            "source": lambda one: shortened(_origin(one.stored), _ORIGIN) + _became(one),
            "since": lambda one: one.stored.fact.created_at[:10],
            "until": lambda one: (one.stored.fact.valid_until or "")[:10],
        },
        right=["#", "score"],
        filled=["until"],
    )


def _became(one: Scored) -> str:
    """Return what became of the section or symbol that says so, where that is not what it was."""
    if one.place is None or one.place.standing is Standing.FRESH:
        return ""
    return f" ({one.place.standing.value})"


def settled(facts: Sequence[StoredFact], command: str) -> None:
    """Print the facts that were confirmed or retracted."""
    verb = "Confirmed" if command == "fact:confirm" else "Retracted"
    for one in facts:
        echo(f"{verb} {one.ref}: {_sentence(one)}")


def conflicts(found: Sequence[Conflict]) -> None:
    """Print where facts contradict each other."""
    for one in found:
        echo(printable(f"{one.subject} {one.predicate}:"))
        for fact in one.facts:
            stored = fact.stored
            marks = f"({stored.fact.status}, {fact.score:.2f}, {_origin(stored)})"
            echo(printable(f"  {stored.ref}  {' '.join(stored.told.split())}  {marks}"))
    note("Keep one of each: tx fact:retract FACT" if found else "No conflicts.")


def maintained(done: Maintained) -> None:
    """Print which facts were retracted, or would be, and which wait for somebody."""
    for told, facts in (("Faded" if done.dry_run else "Retracted", done.retracted), ("In use", done.waiting)):
        for one in facts:
            used = counted(one.stored.accesses, "recall")
            echo(f"{told}: {one.stored.ref} (score {one.score:.3f}, {used}): {_sentence(one.stored)}")
    if done.waiting:
        note("Nobody confirmed what is in use: tx fact:confirm FACT, or tx fact:retract FACT")
    if done.retracted and done.dry_run:
        note("Nothing was changed; retract what has faded: tx fact:maintain --apply")
    if not done.waiting and not done.retracted:
        note(f"Nothing to do: {counted(done.looked_at, 'fact')} looked at.")


def entity(shown: EntityShown) -> None:
    """Print an entity with what is said of it, and what names it."""
    one = shown.entity
    echo(printable(f"{one.name} ({one.type})"))
    if one.description:
        echo(f"\n{set_apart(one.description)}\n")
    mentions = str(one.mentions) if one.mentions else ""
    print_fields([("also", ", ".join(one.aliases)), ("mentions", mentions), ("uid", one.uid or "")])
    for fact in shown.facts:
        echo(printable(f"- {fact.fact.predicate}: {' '.join(fact.told.split())}{_mark(fact)}"))
    for fact in shown.named_by:
        echo(printable(f"- {fact.fact.predicate} of {fact.subject_name}{_mark(fact)}"))


def entities(found: Sequence[StoredEntity]) -> None:
    """Print entities as a table, or how they come to be."""
    if not found:
        note('No entities. They come with facts: tx fact:add "Billing service" uses DuckDB')
        return
    print_each(
        found,
        {
            "type": lambda one: one.type,
            "name": lambda one: shortened(one.name, _TOLD),
            "also": lambda one: shortened(", ".join(one.aliases), _ALSO),
            "facts": lambda one: str(one.facts),
            "mentions": lambda one: str(one.mentions),
        },
        right=["facts", "mentions"],
    )


def changed(one: Changed) -> None:
    """Print an entity by all its names."""
    also = f", also {', '.join(one.entity.aliases)}" if one.entity.aliases else ""
    echo(printable(f"{one.entity.name} ({one.entity.type}){also}"))


def _sentence(stored: StoredFact) -> str:
    """Return what a fact says on one line: `DuckDB depends_on: SQLite`."""
    return printable(f"{stored.subject_name} {stored.fact.predicate}: {' '.join(stored.told.split())}")


def _origin(stored: StoredFact) -> str:
    """Return who says so: `user_edit`, or `file docs/adr/003.md`."""
    return " ".join(part for part in (stored.fact.source.value, stored.fact.source_ref) if part)


def _mark(one: StoredFact) -> str:
    staged = "staged, " if one.fact.status is FactStatus.STAGED else ""
    return f"  ({staged}{_origin(one)}, {one.ref})"
