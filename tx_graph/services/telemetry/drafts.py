"""From what a line tells to events that may be stored: without secrets, short enough, with paths of the repository."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tx_graph.codebase.redaction import Clean, Redactor
from tx_graph.codebase.transcripts import Draft, SessionPaths, Told
from tx_graph.domain.telemetry import Event

TEXT_LIMIT = 10_000
"""Characters that an event keeps of its text: half of them from the beginning, half from the end."""
_NAME_LIMIT = 1_000
"""Characters of the name of a tool, call or session, or of a directory."""
_REMEMBERED = 4_096


class Drafts:
    """Makes events. Secrets go before anything is cut: half a key would be no key to a detector."""

    def __init__(self, *, redactor: Redactor, paths: SessionPaths) -> None:
        self._redactor = redactor
        self._paths = paths
        self._short = lru_cache(maxsize=_REMEMBERED)(redactor.clean)

    def events(self, told: Told) -> Iterator[tuple[Event, int]]:
        """Yield the events of a line, each with how many secrets were taken out of its text."""
        for draft in told.drafts:
            clean = self._redactor.clean(draft.text)
            yield self._event(draft, clean, told), clean.secrets

    def name(self, name: str | None) -> str | None:
        """Return a name, or whatever else is short, without secrets."""
        return None if name is None else self._short(name).text[:_NAME_LIMIT]

    def _event(self, draft: Draft, clean: Clean, told: Told) -> Event:
        return Event(
            kind=draft.kind,
            text=cut(clean.text),
            line=told.number,
            at=told.at,
            tool=self.name(draft.tool),
            call=self.name(draft.call),
            failed=draft.failed,
            paths=self._named(draft, told.cwd),
        )

    def _named(self, draft: Draft, cwd: str | None) -> tuple[str, ...]:
        named = [path for path in (self._paths.named(name, cwd) for name in draft.named) if path]
        found = [*named, *(self._paths.in_command(draft.words, cwd) if draft.words else ())]
        return tuple(dict.fromkeys(self._short(path).text for path in found))


def cut(text: str) -> str:
    """Return a text as it is kept: one over the limit loses its middle, which is said in its place."""
    if len(text) <= TEXT_LIMIT:
        return text
    half = TEXT_LIMIT // 2
    return f"{text[:half]}\n… ({len(text) - 2 * half:,} characters left out) …\n{text[-half:]}"
