"""What a user taught in one session, in the user's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tx_graph.analysis.proposals.sessions.calls import is_edit
from tx_graph.analysis.proposals.sessions.lesson import Lesson, Rule
from tx_graph.analysis.proposals.sessions.speech import Sentence, is_question, is_sayable, memories, sentences
from tx_graph.analysis.proposals.sessions.statements import Statement, asked_to_remember, corrected
from tx_graph.analysis.proposals.why import cues, explains
from tx_graph.domain.inert import inert_line
from tx_graph.domain.proposal import Reason
from tx_graph.domain.telemetry import Event, EventKind

_MOST_PATHS = 3
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
        yield _lesson(event, text, Rule.REMEMBER, (_NOTED,), paths=_named(text))
    if noted:
        return
    said = sentences(event.text)
    for place, one in enumerate(said):
        statement = _statement(one, is_answer=is_answer)
        if statement:
            text = _with_its_reason(statement, said[place + 1 :])
            paths = _named(text) or (() if statement.is_general else tuple(worked_on))
            yield _lesson(
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


def _lesson(
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
