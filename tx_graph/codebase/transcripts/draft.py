"""What an adapter makes of a record: things that were said and done, as yet with their secrets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tx_graph.domain.telemetry import EventKind

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing that happened; `text` is whole, and `named` are paths as the call names them.

    `words` is a command line of which some words may be paths.
    """

    kind: EventKind
    text: str
    tool: str | None = None
    call: str | None = None
    failed: bool = False
    named: tuple[str, ...] = ()
    words: str = ""


@dataclass(slots=True, kw_only=True)
class Session:
    """What a transcript has said so far of the session: what the agent calls it, and where the agent stands."""

    id: str | None = None
    cwd: str | None = None

    def note(self, *, id: Any = None, cwd: Any = None) -> None:  # noqa: A002, ANN401 - as records call it; anything
        """Take in what a record says, where that is text. The session's name is the first one."""
        if isinstance(id, str) and id and self.id is None:
            self.id = id
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
