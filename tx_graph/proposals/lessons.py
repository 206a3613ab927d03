"""What a user taught in one session, in the user's own words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tx_graph.core.text import inert_line
from tx_graph.proposals.calls import Call, Purpose, is_edit, known, plain_command, purpose_of
from tx_graph.proposals.prose import cues, explains
from tx_graph.proposals.speech import (
    Lesson,
    Rule,
    Sentence,
    Statement,
    Trouble,
    asked_to_remember,
    corrected,
    is_question,
    is_sayable,
    memories,
    sentences,
    trouble_in,
)
from tx_graph.proposals.values import Reason
from tx_graph.work.values import Event, EventKind

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
                yield _habits_lesson(command, uses), tuple(uses.runs)

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


def _habits_lesson(command: str, uses: _Uses) -> Lesson:
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


_SOON = 40
"""Calls after a failure among which its remedy is looked for."""
_AT_ONCE = 4
"""Calls after a failure among which another way to do the same is a remedy, and not the next thing to do."""
_OFTEN = 3
"""Sessions from which on an error of the code is one that people here make again and again."""
_MOST_PATHS = 3
_REMEDY = re.compile(
    r"""(?:sudo\s+)?(?:
        (?:npm|pnpm|yarn|bun)\s+(?:install|ci|i|add)\b | yarn$ | (?:uv\s+)?pip3?\s+install\b
      | python3?\s+-m\s+(?:pip\s+install|venv) | uv\s+(?:sync|add|venv|lock) | poetry\s+(?:install|lock|add)
      | pdm\s+(?:install|sync) | bundle\s+install | composer\s+install | dotnet\s+restore
      | cargo\s+(?:fetch|update|add|install|clean) | go\s+(?:mod\s+\w+|get|install|generate|clean|work\s+sync)
      | brew\s+install | apt(?:-get)?\s+install | docker(?:[\s-]compose)?\s+(?:up|start|pull|build|compose\s+up)
      | mise\s+(?:install|trust|use) | (?:asdf|nvm|pyenv|rbenv|rustup|corepack)\s+\w+ | chmod\s | mkdir\s
      | cp\s+\S*\.env\S*\s | createdb | alembic\s+upgrade | (?:npx\s+)?prisma\s+\w+ | terraform\s+init
      | (?:npx\s+)?playwright\s+install | git\s+(?:submodule\s+update|lfs\s+pull|fetch\s+--unshallow)
      | (?:systemctl|service|redis-server|pg_ctl|colima|open\s+-a\s+docker) | pre-commit\s+install
      | rm\s+-rf\s+\S*(?:node_modules|cache|\.next|dist|build|target)
      | (?:rails|rake|bin/rails|python\s+manage\.py)\s+\S*migrat\w*
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Commands that change what is around the code, rather than look at it."""
_MAKES = frozenset({"generate code", "build", "format the code"})
"""What a command may be for that is a remedy of another one's failure."""
_SETTINGS = re.compile(
    r"""(?:^|/)(?:[\w.-]*\.(?:toml|ya?ml|json|jsonc|ini|cfg|conf|env|lock|mod|sum|gradle|properties)|\.[\w.-]+|makefile|dockerfile\S*
        |justfile|gemfile|procfile|requirements[\w-]*\.txt)$""",
    re.IGNORECASE | re.VERBOSE,
)
_AROUND = Reason("around the code", 0.4)
_BY_COMMAND = Reason("a command helped", 0.3)
_BY_SETTINGS = Reason("settings were changed", 0.28)
_OTHERWISE = Reason("another way worked", 0.35)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resolved:
    """A failure and what came of it: how to put it, what was done, and what it is about."""

    trouble: Trouble
    failed: Call
    content: str
    reasons: tuple[Reason, ...]
    said: str
    done: str
    paths: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


class ResolvedErrors:
    """Collects errors that were resolved, session by session."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[int, _Resolved]]] = defaultdict(list)
        self._mended: dict[tuple[str, str], list[tuple[int, Call, Trouble, tuple[str, ...]]]] = defaultdict(list)

    def count(self, run: int, calls: Sequence[Call]) -> None:
        """Take in what was called in a run."""
        for place, call in enumerate(calls):
            if call.failed and call.command and (trouble := trouble_in(call.output)):
                self._take(run, call, trouble, calls[place + 1 : place + 1 + _SOON])

    def _take(self, run: int, call: Call, trouble: Trouble, later: Sequence[Call]) -> None:
        again = next((n for n, one in enumerate(later) if one.command == call.command), None)
        if again is not None and not later[again].failed:
            self._take_success(run, call, trouble, later[:again])
        elif again is None and trouble.is_missing and (found := _another_way(call, trouble, later[:_AT_ONCE])):
            self._found[found.said].append((run, found))

    def _take_success(self, run: int, call: Call, trouble: Trouble, between: Sequence[Call]) -> None:
        edited = tuple(dict.fromkeys(path for one in between if one.edits for path in one.paths))
        found = _by_command(call, trouble, between) if not edited else _by_settings(call, trouble, edited)
        if found:
            self._found[found.said].append((run, found))
        elif edited and trouble.linter and (checked := known(call.command)):
            self._mended[checked.head, trouble.linter].append((run, call, trouble, edited))

    def lessons(self) -> Iterator[tuple[Lesson, tuple[int, ...]]]:
        """Yield what was resolved, and what comes again and again, each with its runs as they were counted."""
        for several in self._found.values():
            runs = tuple(dict.fromkeys(run for run, _ in several))
            yield _resolved_lesson(several[0][1], len(runs)), runs
        for (command, linter), mended in self._mended.items():
            runs = tuple(dict.fromkeys(run for run, *_ in mended))
            if len(runs) >= _OFTEN:
                yield _often(command, linter, mended, len(runs)), runs


def _another_way(call: Call, trouble: Trouble, later: Iterable[Call]) -> _Resolved | None:
    """Return how the same was done another way right after it failed for want of something around it."""
    tried = known(call.command)
    for one in later:
        done = known(one.command) if one.command and not one.failed else None
        if tried and done and done.purpose.doing == tried.purpose.doing and done.head != tried.head:
            return _Resolved(
                trouble=trouble,
                failed=call,
                content=(
                    f"To {done.purpose.doing}, use {_code(done.head)}: {_code(tried.head)} fails with “{trouble.line}”."
                ),
                reasons=(_AROUND, _OTHERWISE),
                said=f"{tried.head} → {done.head}",
                done=done.head,
                patterns=done.purpose.found_in,
            )
    return None


def _by_command(call: Call, trouble: Trouble, between: Sequence[Call]) -> _Resolved | None:
    remedies = [one.command for one in between if one.command and not one.failed and _is_remedy(one.command)]
    if not remedies or (not trouble.is_around and len(remedies) > 1):
        return None
    remedy = remedies[-1]
    if not trouble.is_around and not _is_made(remedy):
        return None
    purpose = purpose_of(call.command)
    return _Resolved(
        trouble=trouble,
        failed=call,
        content=f"{_code(call.command)} failed with “{trouble.line}”; after {_code(remedy)} it worked.",
        reasons=(_AROUND, _BY_COMMAND) if trouble.is_around else (_BY_COMMAND,),
        said=f"{trouble.kind} → {remedy}",
        done=remedy,
        patterns=purpose.found_in if purpose else (),
    )


def _by_settings(call: Call, trouble: Trouble, edited: tuple[str, ...]) -> _Resolved | None:
    if len(edited) > _MOST_PATHS or not trouble.is_around or not all(map(_SETTINGS.search, edited)):
        return None
    changed = ", ".join(map(_code, edited))
    return _Resolved(
        trouble=trouble,
        failed=call,
        content=f"{_code(call.command)} failed with “{trouble.line}” until {changed} was changed.",
        reasons=(_AROUND, _BY_SETTINGS),
        said=f"{trouble.kind} → {changed}",
        done=changed,
        paths=edited,
    )


def _resolved_lesson(found: _Resolved, sessions: int) -> Lesson:
    again = (Reason(f"{sessions:,} sessions", min(0.2 * sessions, 0.7)),) if sessions > 1 else ()
    return Lesson(
        rule=Rule.ERROR,
        content=found.content,
        category="pitfall",
        reasons=(*found.reasons, *again),
        said=found.said,
        line=found.failed.line,
        at=found.failed.at,
        paths=found.paths,
        patterns=found.patterns,
        evidence=(f"{found.failed.command}: {found.trouble.line}", f"then: {found.done}"),
    )


def _often(
    command: str, linter: str, mended: Sequence[tuple[int, Call, Trouble, tuple[str, ...]]], sessions: int
) -> Lesson:
    _, call, trouble, _ = mended[0]
    purpose = known(call.command)
    return Lesson(
        rule=Rule.ERROR,
        content=f"{_code(command)} often fails for `{linter}`, in {sessions:,} sessions so far: “{trouble.line}”.",
        category="pitfall",
        reasons=(Reason(f"{sessions:,} sessions", min(0.4 + 0.06 * sessions, 0.9)),),
        said=f"{command} {linter}",
        line=call.line,
        at=call.at,
        patterns=purpose.purpose.found_in if purpose else (),
        evidence=tuple(dict.fromkeys(one.line for _, _, one, _ in mended[:_MOST_PATHS])),
    )


def _is_remedy(command: str) -> bool:
    return bool(_REMEDY.match(command)) or _is_made(command)


def _is_made(command: str) -> bool:
    purpose = purpose_of(command)
    return purpose is not None and purpose.doing in _MAKES


def _code(text: str) -> str:
    return f"`{inert_line(text).replace('`', chr(39))}`"


"""Files of a correction: what follows on work in more of them is about none in particular."""
_PATH = re.compile(r"(?<![\w/.])@?(?P<path>(?:[\w.-]+/)+[\w.-]+|[\w-]+\.\w{1,5})(?![\w/])")
_NOTED = Reason("noted as memory", 0.85)
_SUBJECTS = re.compile(r"^(?:no|nope|nah|yes|ok(?:ay)?|also|and|but|so|btw|fyi|hmm+)[,.!:]*\s+", re.IGNORECASE)
"""What a sentence of a chat begins with that says nothing by itself."""


def lessons_of(events: Iterable[Event]) -> Iterator[Lesson]:
    """Yield what the user of one session asked to remember, and said of how things are done, in order."""
    worked_on: dict[str, None] = {}
    has_worked = False
    for event in events:
        if event.kind is EventKind.USER:
            yield from _lessons_in(event, tuple(worked_on), is_answer=has_worked)
            worked_on, has_worked = {}, False
        elif event.kind is not EventKind.RESULT:
            has_worked = True
            if is_edit(event):
                worked_on |= dict.fromkeys(event.paths)


def _lessons_in(event: Event, worked_on: Sequence[str], *, is_answer: bool) -> Iterator[Lesson]:
    """Yield what one message teaches; `worked_on` are the files that were changed since the one before it."""
    noted = memories(event.text)
    for text in noted:
        yield _lessons_lesson(event, text, Rule.REMEMBER, (_NOTED,), paths=_named(text))
    if noted:
        return
    said = sentences(event.text)
    for place, one in enumerate(said):
        statement = _statement(one, is_answer=is_answer)
        if statement:
            text = _with_its_reason(statement, said[place + 1 :])
            paths = _named(text) or (() if statement.is_general else tuple(worked_on))
            yield _lessons_lesson(
                event, text, statement.rule, statement.reasons, paths=paths[: _MOST_PATHS + 1], share=statement.share
            )


def _statement(one: Sentence, *, is_answer: bool) -> Statement | None:
    return asked_to_remember(one.text) or corrected(one.text, is_answer=is_answer and one.is_first)


def _with_its_reason(statement: Statement, following: Sequence[Sentence]) -> str:
    """Return a sentence, with the next one where that says why."""
    for one in following[:1]:
        if explains(cues(one.text.lower())) and is_sayable(one.text) and not is_question(one.text):
            return f"{_stopped(statement.text)} {one.text}"
    return statement.text


def _lessons_lesson(
    event: Event, text: str, rule: Rule, reasons: tuple[Reason, ...], *, paths: tuple[str, ...], share: float = 1.0
) -> Lesson:
    said = inert_line(text).replace("“", '"').replace("”", '"')
    return Lesson(
        rule=rule,
        content=f"“{_begun(said)}”",
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


def _begun(text: str) -> str:
    """Return a sentence as one that stands by itself begins."""
    if text.startswith("(") and text.endswith(")") and ")" not in text[:-1]:
        text = text[1:-1]
    while (shorter := _SUBJECTS.sub("", text, count=1)) != text and len(shorter) > len(text) // 2:
        text = shorter
    return text[:1].upper() + text[1:]


def _stopped(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."
