"""Habits: commands that come again and again, over sessions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tx_graph.analysis.proposals.sessions.calls import Call, plain_command
from tx_graph.analysis.proposals.sessions.commands import Purpose, purpose_of
from tx_graph.analysis.proposals.sessions.lesson import Lesson, Rule
from tx_graph.domain.inert import inert_line
from tx_graph.domain.proposal import Reason

_FEWEST_SESSIONS = 3
_FEWEST_TIMES = 8
"""Sessions, or calls, from which on a command is a habit rather than a try."""
_WORKS = 0.5
"""The least share of calls that ended well: what mostly fails is nothing to recommend."""
_MOST_OF_A_KIND = 2
"""Commands for one purpose: the most usual ones."""
_USUAL = 0.1
"""The least share of the sessions of the most usual one that another one needs: less is somebody's detour."""
_PER_SESSION, _MOST_SESSIONS = 0.05, 8
_BASE = 0.55


@dataclass(slots=True)
class _Uses:
    """Where a command was called, and how often it ended well."""

    purpose: Purpose
    last: Call
    runs: dict[int, None] = field(default_factory=dict)
    times: int = 0
    well: int = 0


class Habits:
    """Counts commands, session by session."""

    def __init__(self) -> None:
        self._uses: dict[str, _Uses] = {}

    def count(self, run: int, calls: Iterable[Call]) -> None:
        """Count what was called in a run."""
        for call in calls:
            for command in _parts(call):
                if purpose := purpose_of(command):
                    uses = self._uses.setdefault(command, _Uses(purpose=purpose, last=call))
                    uses.runs[run] = None
                    uses.times += 1
                    uses.well += not call.failed

    def lessons(self) -> Iterator[tuple[Lesson, tuple[int, ...]]]:
        """Yield what comes again and again, most usual first, with its runs in the order they were counted."""
        told: dict[str, list[str]] = defaultdict(list)
        for command, uses in sorted(self._uses.items(), key=lambda item: (-len(item[1].runs), -item[1].times, item[0])):
            before = told[uses.purpose.doing]
            if _is_habit(uses) and self._adds_to(before, command):
                before.append(command)
                yield _lesson(command, uses), tuple(uses.runs)

    def _adds_to(self, before: Sequence[str], command: str) -> bool:
        """Whether a command is worth telling beside more usual ones for the same purpose."""
        if len(before) >= _MOST_OF_A_KIND or any(_is_variant(command, one) for one in before):
            return False
        return not before or len(self._uses[command].runs) >= _USUAL * len(self._uses[before[0]].runs)


def _parts(call: Call) -> list[str]:
    """Return the commands of a call: of several that depend on each other, each is known to have run if all did."""
    parts = [plain_command(part) for part in call.command.split("&&")]
    return parts if len(parts) == 1 or not call.failed else []


def _is_variant(command: str, other: str) -> bool:
    """Whether a command is another one with other arguments."""
    one, two = command.split(), other.split()
    return one[:2] == two[:2] and any(word.startswith((".", "-")) or "/" in word for word in [*one[2:], *two[2:]])


def _is_habit(uses: _Uses) -> bool:
    is_usual = len(uses.runs) >= _FEWEST_SESSIONS or uses.times >= _FEWEST_TIMES
    return is_usual and uses.well >= _WORKS * uses.times


def _lesson(command: str, uses: _Uses) -> Lesson:
    sessions = len(uses.runs)
    counts = f"{uses.times:,} times in {sessions:,} session{'' if sessions == 1 else 's'}; {uses.well:,} ended well"
    weight = _BASE + _PER_SESSION * min(sessions, _MOST_SESSIONS)
    return Lesson(
        rule=Rule.COMMAND,
        content=f"To {uses.purpose.doing}: `{inert_line(command)}` ({counts})",
        category="workflow",
        reasons=(Reason(f"{sessions:,} session{'' if sessions == 1 else 's'}", weight),),
        said=command,
        line=uses.last.line,
        at=uses.last.at,
        patterns=uses.purpose.found_in,
        evidence=(f"{command} ({counts})",),
    )
