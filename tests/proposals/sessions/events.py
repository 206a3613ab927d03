"""Sessions made by hand: who said and did what, in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from tx_graph.proposals.calls import Call, calls_of
from tx_graph.work.values import Event, EventKind


class Session:
    """Writes down events; each is on a line of its own."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._lines = count(1)

    def user(self, text: str) -> Session:
        """The user says something."""
        self.events.append(Event(kind=EventKind.USER, text=text, line=next(self._lines)))
        return self

    def agent(self, text: str = "Done.") -> Session:
        """The agent says something."""
        self.events.append(Event(kind=EventKind.AGENT, text=text, line=next(self._lines)))
        return self

    def edit(self, *paths: str) -> Session:
        """The agent changes files."""
        return self._call("Edit", '{"old_string": "a"}', paths=paths)

    def run(self, command: str, *, failed: str | None = None) -> Session:
        """The agent runs a command, which fails with an output, if one is given."""
        return self._call("Bash", command, output=failed)

    def _call(self, tool: str, text: str, *, paths: tuple[str, ...] = (), output: str | None = None) -> Session:
        line = next(self._lines)
        self.events += [
            Event(kind=EventKind.CALL, text=text, line=line, tool=tool, call=f"c{line}", paths=paths),
            Event(
                kind=EventKind.RESULT,
                text=output or "ok",
                line=next(self._lines),
                call=f"c{line}",
                failed=output is not None,
            ),
        ]
        return self

    @property
    def calls(self) -> list[Call]:
        """What was called."""
        return list(calls_of(self.events))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)
