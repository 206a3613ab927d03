"""What an agent does in one call where people have several commands: correct a learning, vote, look at a symbol."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

from tx_graph.anchors.anchors import Anchors
from tx_graph.code.references import Calls, SymbolUses, Unused, UsersOf
from tx_graph.core.arguments import Arg, LearningRef, Ref
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.learnings.learnings import Learnings
from tx_graph.learnings.merging import Merging
from tx_graph.records.learning import CONTENT_LIMIT, StoredLearning
from tx_graph.work.runs import Runs, told_apart
from tx_graph.work.values import Run, Vote


class Corrected(NamedTuple):
    """A learning as it is now, what was done with it, and the anchors that took the code as it is."""

    stored: StoredLearning
    done: tuple[str, ...]
    confirmed: tuple[str, ...] = ()


def correct(
    kernel: Kernel,
    learning: LearningRef,
    *,
    content: Annotated[str | None, Arg(mcp="new text, whole", most=CONTENT_LIMIT)] = None,
    category: Annotated[str | None, Arg(mcp="")] = None,
    confidence: Annotated[float | None, Arg(mcp="")] = None,
    confirm: Annotated[bool, Arg(mcp="true of the code as it is")] = False,
    superseded_by: Annotated[Ref | None, Arg(mcp="what answers instead")] = None,
) -> Corrected:
    """Change a learning, confirm it, or say what took its place; all that was asked, or nothing."""
    is_edited = any(one is not None for one in (content, category, confidence))
    if superseded_by is not None and (is_edited or confirm):
        raise UsageError("What another learning took the place of is neither changed nor confirmed.")
    if superseded_by is not None:
        found = kernel.one(Merging).supersede(learning, superseded_by)
        return Corrected(found.old, (f"superseded by {found.new.ref}",))
    if not is_edited and not confirm:
        raise UsageError("What is to become of it?", hint="Give new content, confirm it, or say superseded_by.")
    done, confirmed, learnings = [], tuple[str, ...](), kernel.one(Learnings)
    with kernel.database.transaction():
        if is_edited:
            learnings.edit(learning, content=content, category=category, confidence=confidence)
            done.append("changed")
        if confirm:
            acted = kernel.one(Anchors).confirm(learning)
            confirmed = tuple(one.new.spec for one in acted.steps if one.new)
            done.append("confirmed")
    return Corrected(learnings.get(learning), tuple(done), confirmed)


class Voted(NamedTuple):
    """The votes, and the run that they were given in, if in any."""

    run: Run | None
    votes: tuple[Vote, ...]


def vote(
    kernel: Kernel,
    run: Annotated[Ref | None, Arg(mcp="")] = None,
    *,
    helpful: Annotated[Sequence[Ref], Arg(mcp="")] = (),
    unhelpful: Annotated[Sequence[Ref], Arg(mcp="")] = (),
) -> Voted:
    """Say which learnings helped and which did not, in a run or without one."""
    if not helpful and not unhelpful:
        raise UsageError("Which learnings?", hint="Name them as helpful or as unhelpful, such as ['3', '7'].")
    if run is not None:
        found = kernel.one(Runs).feedback(run, helpful=helpful, unhelpful=unhelpful)
        return Voted(found.run, found.votes)
    with kernel.database.transaction():
        good, bad = told_apart(kernel, helpful, unhelpful)
        counted = [kernel.one(Learnings).helpful(one, score=float(one in good)) for one in (*good, *bad)]
    return Voted(None, tuple(Vote(stored=one, helpful=one.id in good, position=None, previous=None) for one in counted))


class Way(StrEnum):
    """What may be asked about who uses what."""

    REFERENCES = "references"
    CALLERS = "callers"
    CALLEES = "callees"
    UNUSED = "unused"


def uses(
    kernel: Kernel,
    subject: Annotated[str | None, Arg(mcp="")] = None,
    *,
    way: Annotated[Way, Arg(mcp="")] = Way.REFERENCES,
    depth: Annotated[int, Arg(mcp="", least=1)] = 1,
) -> UsersOf | Calls | Unused:
    """Say where a symbol is used, who calls it or what it calls, or what of a path nobody uses."""
    asked = kernel.one(SymbolUses)
    if way is Way.UNUSED:
        return asked.unused(subject)
    if subject is None:
        raise UsageError("Which symbol?", hint="Name it, such as AuthService.login or PATH::NAME.")
    if way is Way.REFERENCES:
        return asked.references(subject)
    return (asked.callers if way is Way.CALLERS else asked.callees)(subject, depth=depth)
