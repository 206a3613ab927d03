"""What sessions teach: habits, errors that were resolved, and what users said, in their own words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.text import inert_line
from tx_graph.proposals import speech
from tx_graph.proposals.calls import EDITORS, Call, Purpose, known, plain_command, purpose_of
from tx_graph.proposals.prose import cues, explains
from tx_graph.proposals.speech import Lesson, Rule, Trouble
from tx_graph.proposals.values import Reason
from tx_graph.work.values import Event, EventKind

_FEWEST_SESSIONS = 3
_FEWEST_TIMES = 8  # sessions, or calls, from which on a command is a habit rather than a try
_WORKS = 0.5  # the least share of calls that ended well: what mostly fails is nothing to recommend
_MOST_OF_A_KIND = 2  # commands for one purpose: the most usual ones
_USUAL = 0.1  # the least share of the sessions of the most usual one that another one needs: less is somebody's detour
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
            # Of several commands that depend on each other, each is known to have run if all did.
            parts = [plain_command(part) for part in call.command.split("&&")]
            for command in parts if len(parts) == 1 or not call.failed else ():
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
            is_usual = len(uses.runs) >= _FEWEST_SESSIONS or uses.times >= _FEWEST_TIMES
            if not is_usual or uses.well < _WORKS * uses.times or len(before) >= _MOST_OF_A_KIND:
                continue
            if any(_is_variant(command, one) for one in before):
                continue
            if before and len(uses.runs) < _USUAL * len(self._uses[before[0]].runs):
                continue
            before.append(command)
            sessions = f"{len(uses.runs):,} session{'' if len(uses.runs) == 1 else 's'}"
            counts = f"{uses.times:,} times in {sessions}; {uses.well:,} ended well"
            lesson = Lesson(
                rule=Rule.COMMAND,
                content=f"To {uses.purpose.doing}: `{inert_line(command)}` ({counts})",
                category="workflow",
                reasons=(Reason(sessions, _BASE + _PER_SESSION * min(len(uses.runs), _MOST_SESSIONS)),),
                said=command,
                line=uses.last.line,
                at=uses.last.at,
                patterns=uses.purpose.found_in,
                evidence=(f"{command} ({counts})",),
            )
            yield lesson, tuple(uses.runs)


def _is_variant(command: str, other: str) -> bool:
    """Whether a command is another one with other arguments."""
    one, two = command.split(), other.split()
    return one[:2] == two[:2] and any(word.startswith((".", "-")) or "/" in word for word in [*one[2:], *two[2:]])


_SOON = 40  # calls after a failure among which its remedy is looked for
_AT_ONCE = 4  # calls after a failure among which another way to do the same is a remedy, and not the next thing to do
_OFTEN = 3  # sessions from which on an error of the code is one that people here make again and again
_MOST_PATHS = 3  # files of a lesson: what follows on work in more of them is about none in particular
_REMEDY = re.compile(
    speech.pattern(r"""
        (?:sudo )?(?!(?:git (?!submodule|lfs)|rg|grep|ls|cat|echo|find|which)\b)[\w./-]+ (?:[\w./-]+ ){0,2}
        (?:install|ci|i|add|sync|lock|update|upgrade|restore|fetch|get|pull|download|up|start|trust|use|init|generate|tidy
        |clean|venv|migrate)\b|yarn$|cp \S*\.env\S* |(?:sudo )?(?:chmod|mkdir|createdb|systemctl
        |service) |rm -rf \S*(?:node_modules|cache|\.next|dist|build|target)"""),
    re.IGNORECASE,
)
"""Commands that change what is around the code, rather than look at it."""
_MAKES = frozenset({"generate code", "build", "format the code"})
"""What a command may be for that is a remedy of another one's failure."""
_SETTINGS = re.compile(
    r"""(?:^|/)(?:[\w.-]*\.(?:toml|ya?ml|json|jsonc|ini|cfg|conf|env|lock|mod|sum|gradle|properties)|\.[\w.-]+|makefile|dockerfile[^\s/]*
        |justfile|gemfile|procfile|requirements[\w-]*\.txt)$""",
    re.IGNORECASE | re.VERBOSE,
)
_AROUND = Reason("around the code", 0.4)
_BY_COMMAND = Reason("a command helped", 0.3)
_BY_SETTINGS = Reason("settings were changed", 0.28)
_OTHERWISE = Reason("another way worked", 0.35)


class ResolvedErrors:
    """Collects errors that were resolved, session by session."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[int, Lesson]]] = defaultdict(list)
        self._mended: dict[tuple[str, str], list[tuple[int, Call, Trouble]]] = defaultdict(list)

    def count(self, run: int, calls: Sequence[Call]) -> None:
        """Take in what was called in a run."""
        for place, call in enumerate(calls):
            trouble = speech.trouble_in(call.output) if call.failed and call.command else None
            if trouble is None:
                continue
            later = calls[place + 1 : place + 1 + _SOON]
            again = next((n for n, one in enumerate(later) if one.command == call.command), None)
            edited: tuple[str, ...] = ()
            found = None
            if again is None:
                found = _another_way(call, trouble, later[:_AT_ONCE]) if trouble.is_missing else None
            elif not later[again].failed:
                between = later[:again]
                edited = tuple(dict.fromkeys(path for one in between if one.edits for path in one.paths))
                found = _by_settings(call, trouble, edited) if edited else _by_command(call, trouble, between)
            if found:
                self._found[found.said].append((run, found))
            elif edited and trouble.linter and (checked := known(call.command)):
                self._mended[checked.head, trouble.linter].append((run, call, trouble))

    def lessons(self) -> Iterator[tuple[Lesson, tuple[int, ...]]]:
        """Yield what was resolved, and what comes again and again, each with its runs as they were counted."""
        for several in self._found.values():
            runs, lesson = tuple(dict.fromkeys(run for run, _ in several)), several[0][1]
            again = [Reason(f"{len(runs):,} sessions", min(0.2 * len(runs), 0.7))] if len(runs) > 1 else []
            yield replace(lesson, reasons=(*lesson.reasons, *again)), runs
        for (command, linter), mended in self._mended.items():
            runs = tuple(dict.fromkeys(run for run, *_ in mended))
            if len(runs) < _OFTEN:
                continue
            _, call, trouble = mended[0]
            checked, sessions = known(call.command), f"{len(runs):,} sessions"
            lesson = Lesson(
                rule=Rule.ERROR,
                content=f"{_code(command)} often fails for `{linter}`, in {sessions} so far: “{trouble.line}”.",
                category="pitfall",
                reasons=(Reason(sessions, min(0.4 + 0.06 * len(runs), 0.9)),),
                said=f"{command} {linter}",
                line=call.line,
                at=call.at,
                patterns=checked.found_in if checked else (),
                evidence=tuple(dict.fromkeys(one.line for _, _, one in mended[:_MOST_PATHS])),
            )
            yield lesson, runs


def _another_way(call: Call, trouble: Trouble, later: Iterable[Call]) -> Lesson | None:
    """Return how the same was done another way right after it failed for want of something around it."""
    tried = known(call.command)
    for one in later:
        done = known(one.command) if one.command and not one.failed else None
        if tried and done and done.doing == tried.doing and done.head != tried.head:
            use, fails = _code(done.head), _code(tried.head)
            content = f"To {done.doing}, use {use}: {fails} fails with “{trouble.line}”."
            lesson = _resolved(call, trouble, content, done.head, (_AROUND, _OTHERWISE), done.found_in)
            return replace(lesson, said=f"{tried.head} → {done.head}")
    return None


def _by_command(call: Call, trouble: Trouble, between: Sequence[Call]) -> Lesson | None:
    commands = [one.command for one in between if one.command and not one.failed]
    remedies = [one for one in commands if _REMEDY.match(one) or _is_made(one)]
    if not remedies or (not trouble.is_around and (len(remedies) > 1 or not _is_made(remedies[-1]))):
        return None
    purpose = purpose_of(call.command)
    content = f"{_code(call.command)} failed with “{trouble.line}”; after {_code(remedies[-1])} it worked."
    reasons = (_AROUND, _BY_COMMAND) if trouble.is_around else (_BY_COMMAND,)
    return _resolved(call, trouble, content, remedies[-1], reasons, purpose.found_in if purpose else ())


def _by_settings(call: Call, trouble: Trouble, edited: tuple[str, ...]) -> Lesson | None:
    if len(edited) > _MOST_PATHS or not trouble.is_around or not all(map(_SETTINGS.search, edited)):
        return None
    changed = ", ".join(map(_code, edited))
    content = f"{_code(call.command)} failed with “{trouble.line}” until {changed} was changed."
    return replace(_resolved(call, trouble, content, changed, (_AROUND, _BY_SETTINGS)), paths=edited)


def _resolved(
    failed: Call, trouble: Trouble, content: str, done: str, reasons: tuple[Reason, ...], patterns: tuple[str, ...] = ()
) -> Lesson:
    """Return the lesson of a failure that something `done` resolved."""
    return Lesson(
        rule=Rule.ERROR,
        content=content,
        category="pitfall",
        reasons=reasons,
        said=f"{trouble.kind} → {done}",
        line=failed.line,
        at=failed.at,
        patterns=patterns,
        evidence=(f"{failed.command}: {trouble.line}", f"then: {done}"),
    )


def _is_made(command: str) -> bool:
    purpose = purpose_of(command)
    return purpose is not None and purpose.doing in _MAKES


def _code(text: str) -> str:
    return f"`{inert_line(text).replace('`', chr(39))}`"


_PATH = re.compile(r"(?<![\w/.-])@?(?P<path>(?:[\w.-]+/)+[\w.-]+|[\w-]+\.\w{1,5})(?![\w/])")
_LONGEST_TURN = 1_000  # characters of a message that somebody else is to judge
_CONTEXT = 300  # characters of what came before it
_ANSWERED = Reason("answers an agent", 0.05)
_NOTED = Reason("noted as memory", 0.85)
_BRIEF = 400  # characters of a message that corrects; a longer one is a task, a review, or somebody else's words
_SUBJECTS = re.compile(r"^(?:no|nope|nah|yes|ok(?:ay)?|also|and|but|so|btw|fyi|hmm+)[,.!:]*\s+", re.IGNORECASE)
"""What a sentence of a chat begins with that says nothing by itself."""


def lessons_of(events: Iterable[Event]) -> Iterator[Lesson]:
    """Yield what the user of one session asked to remember, and said of how things are done, in order.

    What answers an agent and teaches nothing by any rule is among it too, marked as unsure.
    """
    worked_on: dict[str, None] = {}
    before: Event | None = None
    for event in events:
        if event.kind is EventKind.USER:
            yield from _lessons_in(event, tuple(worked_on), before)
            worked_on, before = {}, None
        elif event.kind is not EventKind.RESULT:
            before = event
            if event.kind is EventKind.CALL and (event.tool or "").lower() in EDITORS:
                worked_on |= dict.fromkeys(event.paths)


def _lessons_in(event: Event, worked_on: Sequence[str], before: Event | None) -> Iterator[Lesson]:
    """Yield what one message teaches; `worked_on` are the files that were changed since the one before it."""
    is_sure = False
    noted = speech.memories(event.text)
    for text in noted:
        yield _lesson(event, text, Rule.REMEMBER, (_NOTED,), paths=_named(text))
    said = [] if noted else speech.sentences(event.text)
    for place, one in enumerate(said):
        statement = speech.asked_to_remember(one.text)
        if statement is None and len(event.text) <= _BRIEF:
            statement = speech.corrected(one.text, is_answer=before is not None)
        if statement is None:
            continue
        is_sure = True
        text = one.text
        for following in said[place + 1 : place + 2]:  # it goes with it where it says why
            why = following.text
            if explains(cues(why.lower())) and speech.is_sayable(why) and not speech.is_question(why):
                text = f"{text}{'' if text.endswith(('.', '!', '?', '…', ':')) else '.'} {why}"
        paths = _named(text) or (() if statement.is_general else tuple(worked_on))
        yield _lesson(
            event, text, statement.rule, statement.reasons, paths=paths[: _MOST_PATHS + 1], share=statement.share
        )
    text = " ".join(one.text for one in said)
    if before and not is_sure and speech.is_sayable(text, longest=_LONGEST_TURN):
        weak = [speech.corrected(one.text, is_answer=True, least=0) for one in said]
        best = max(filter(None, weak), key=lambda one: one.confidence, default=None)
        reasons, share = (best.reasons, best.share) if best else ((_ANSWERED,), 1.0)
        paths = (_named(text) or tuple(worked_on))[: _MOST_PATHS + 1]
        turn = _lesson(event, text, Rule.CORRECTION, reasons, paths=paths, share=share)
        told = inert_line(f"{before.tool}: {before.text}" if before.tool else before.text)
        yield replace(turn, is_unsure=True, evidence=(turn.said, told[-_CONTEXT:]))


def _lesson(
    event: Event, text: str, rule: Rule, reasons: tuple[Reason, ...], *, paths: tuple[str, ...], share: float = 1.0
) -> Lesson:
    said = inert_line(text).replace("“", '"').replace("”", '"')
    # As a sentence begins that stands by itself.
    begun = said[1:-1] if said.startswith("(") and said.endswith(")") and ")" not in said[:-1] else said
    while (shorter := _SUBJECTS.sub("", begun, count=1)) != begun and len(shorter) > len(begun) // 2:
        begun = shorter
    return Lesson(
        rule=rule,
        content=f"“{begun[:1].upper()}{begun[1:]}”",
        category="convention",
        reasons=reasons,
        said=said,
        line=event.line,
        at=event.at,
        paths=paths if len(paths) <= _MOST_PATHS else (),
        evidence=(said,),
        share=share,
    )


def _named(text: str) -> tuple[str, ...]:
    """Return what looks like paths in a text; whether they exist is for others to say."""
    return tuple(dict.fromkeys(found["path"].rstrip(".") for found in _PATH.finditer(text)))
