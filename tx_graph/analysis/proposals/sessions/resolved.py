"""Errors that were resolved: what failed, what was done, and that the same thing worked then.

Most failures are those of code that is being written, and whoever wrote it mended it: nothing to learn. Worth knowing
is what has its cause around the code, and what comes again in session after session.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tx_graph.analysis.proposals.sessions.calls import Call
from tx_graph.analysis.proposals.sessions.commands import known, purpose_of
from tx_graph.analysis.proposals.sessions.failures import Trouble, trouble_in
from tx_graph.analysis.proposals.sessions.lesson import Lesson, Rule
from tx_graph.domain.inert import inert_line
from tx_graph.domain.proposal import Reason

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
            yield _lesson(several[0][1], len(runs)), runs
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


def _lesson(found: _Resolved, sessions: int) -> Lesson:
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
