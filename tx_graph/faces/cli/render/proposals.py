"""Proposals: as a page to read through, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tx_graph.core.errors import UsageError
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import (
    echo,
    json_text,
    note,
    printable,
    reading_width,
    shortened,
    styled,
    wrapped,
)
from tx_graph.proposals.gate import Promoted, Reviewed
from tx_graph.proposals.proposing import TurnQuestions
from tx_graph.proposals.speech import identity_of
from tx_graph.proposals.values import Proposals
from tx_graph.records.learning import Status, StoredLearning

_INDENT = "  "
_WIDTH = 70  # columns of a learning where it is only named
_BY = {"cosine": "meaning", "words": "words"}


def check_propose(
    _: str,
    *,
    origin: Sequence[str],
    model: str | None,
    dry_run: bool,
    print_turns: bool,
    every: bool,
    apply: str | None,
) -> None:
    """Refuse what cannot go together."""
    judging = print_turns or apply is not None
    if print_turns and (dry_run or apply is not None):
        raise UsageError("--print, --dry-run and --apply: --print goes with none of the others.")
    if model is not None and judging:
        raise UsageError("With --print and --apply an agent is the model.", hint="Leave --model out.")
    if judging and any(name.strip().lower() != "transcripts" for name in origin):
        raise UsageError("--print and --apply are about transcripts.", hint="Leave --from out.")
    if every and not print_turns:
        raise UsageError("--all is for --print.")


def show(found: Proposals | TurnQuestions) -> None:
    """Print each proposal with its reasons, and what to do next, or the questions about turns, one a line."""
    if isinstance(found, TurnQuestions):
        for question in found.questions:
            echo(json_text(asdict(question)))
        if found.more:
            note(f"… and {counted(found.more, 'more turn')}; raise --limit, or print again when these are judged.")
        if not found.questions:
            note("There is nothing to ask about.")
        return
    for one in found.proposed:
        proposal = one.proposal
        name = f"{one.stored.ref}  " if one.stored else ""
        head = f"{name}{proposal.confidence:.2f}  {proposal.category}"
        echo(f"{styled(head, bold=True)}  {printable(_source(proposal.source_ref))}")
        for line in wrapped(proposal.content, reading_width() - len(_INDENT)):
            echo(f"{_INDENT}{line}".rstrip())
        places = ", ".join(anchor.spec for anchor in one.anchors)
        at = f"at {places}" if places else "not tied to code"
        echo(styled(f"{_INDENT}{at}; reasons: {', '.join(proposal.reasons)}", fg="bright_black"))
        if one.changed:
            what = ", ".join(f"{each.anchor.spec} ({each.detail})" for each in one.changed)
            echo(styled(f"{_INDENT}the code changed since {_source(proposal.source_ref)}: {what}", fg="yellow"))
        echo()
    for known in found.recognised:
        mark = "" if known.status == Status.ACTIVE else f"{known.status}, "
        same = f"{known.stored.ref} ({mark}{known.weight:.2f} by {_BY[known.basis]})"
        echo(styled(f"known already: {same}: {shortened(known.proposal.content, _WIDTH)}", fg="bright_black"))
    count = len(found.proposed)
    parts = [f"{counted(count, 'proposal')}{'; nothing was written' if found.dry_run else ''}."]
    if not count:
        parts = ["Nothing new to propose."]
    if found.more:
        parts.append(f"… and up to {found.more:,} more; raise --limit, or propose again.")
    if found.dropped:
        parts.append(f"{found.dropped:,} dropped by {found.model}.")
    if found.known:
        parts.append(f"{found.known:,} had been proposed before.")
    if found.staged:
        parts.append(
            f"{counted(found.staged, 'staged learning')}, hidden from search until promoted: "
            "tx learning:review, or tx learning:promote N and tx learning:reject N."
        )
    note(" ".join(parts))


def rejected(done: Sequence[StoredLearning]) -> None:
    """Say which learnings were turned down."""
    echo(f"Rejected {', '.join(stored.ref for stored in done)}.")


def reviewed(done: Reviewed) -> None:
    """Say what became of what was looked at."""
    for verb, many in (("Promoted", done.promoted), ("Rejected", done.rejected)):
        if many:
            echo(f"{verb} {', '.join(one.name for one in many)}.")
    note(f"{counted(done.waiting, 'learning')} still staged." if done.waiting else "No learning is staged.")


def check_promote(_: str, *, refs: Sequence[str], every: bool, force: bool, why: bool) -> None:
    """Refuse what cannot go together."""
    if not refs and not every:
        raise UsageError("Which learnings?", hint="See those that wait: tx learning:list --status staged")
    if refs and every:
        raise UsageError("--all and single learnings exclude each other.")
    if why and force:
        raise UsageError("--why promotes nothing, and --force everything.", hint="Give one of them.")


def promoted(result: Promoted, *, why: bool) -> None:
    """Print what was promoted, and of what was not, or of all with `why`, what it has and lacks."""
    done = result.promotion
    forced = [one.stored.id for one in done.forced]
    if willing := [stored.ref for stored in done.promoted if stored.id not in forced]:
        echo(f"Promoted {', '.join(willing)}.")
    for one in done.forced:
        lacking = ", ".join(each.demand.value for each in one.evidence if not each.met)
        echo(f"Promoted {one.stored.ref} by force, without {lacking}.")
    for one in done.checked if why else done.held_back:
        verdict = styled("passes", fg="green") if one.passes else styled("held back", fg="yellow")
        status = one.stored.learning.status.value
        content = shortened(one.content, _WIDTH)
        echo(f"{styled(one.stored.ref, bold=True)}  {status}: {verdict}  {content}")
        for each in one.evidence:
            mark = styled("yes", fg="green") if each.met else styled("no ", fg="red")
            echo(f"{_INDENT}{mark}  {each.demand.value:12}{printable(each.detail)}")
            if each.hint:
                echo(styled(f"{_INDENT}{'':17}{each.hint}", fg="bright_black"))
    if done.held_back and not why:
        note(f"{counted(len(done.held_back), 'learning')} held back. Promote all the same: --force.")
    if not done.checked:
        note("No learning is staged.")


def vectors(result: Promoted) -> Iterator[str]:
    """Yield how many learnings lack a vector now; let the command fail where something was held back."""
    if result.lacking:
        yield f"{counted(result.lacking, 'learning')} without a vector; run 'tx sync'."
    if result.promotion.held_back:
        raise SystemExit(1)


def _source(ref: str) -> str:
    kind, _, name = ref.partition(":")
    if kind == "commit":
        return f"commit {name[:12]}"
    return "comment" if kind == "comment" else ref.rpartition(":")[0] if identity_of(ref) else ref
