"""Speech: the sentences that a user typed, without what programs put into the same message and what was pasted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tx_graph.analysis.proposals.prose import clean, words

_LONGEST_MESSAGE = 1_500
_MOST_LINES = 14
"""Characters and lines of a message beyond which it is a plan, a review or a log that somebody pasted."""
_LONGEST = 400
"""Characters of a sentence."""
_FEWEST_WORDS = 4
_LETTERS = 0.6
"""Share of letters and blanks that a sentence has at least."""
_MEMORY = re.compile(r"<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
"""How Claude Code keeps what somebody typed after `#`."""
_MEMORY_LINE = re.compile(r"#\s*(?!#)(\S[^\n]{3,399})")
_WRAPPED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*)\b[^<>]*>.*?(?:</(?P=tag)>|\Z)", re.DOTALL)
"""What stands in tags: reminders, commands and their output, what an editor has open; and markup that was pasted."""
_FENCED = re.compile(r"^[ \t]*(?P<fence>```+|~~~+).*?(?:^[ \t]*(?P=fence)`*~*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_NOT_TYPED = re.compile(
    r"""\s*(?: [/!]\S
      | this\ session\ is\ being\ continued | caveat:\ the\ messages | \[request\ interrupted | \[image
      | implement\ the\ following\ plan | base\ directory\ for\ this\ skill | operation\ stopped\ by\ hook
      | stop\ hook\ feedback | you\ are\ (?:a|an|the|now)\b | \#\s*agents\.md\ instructions | \#\#
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""How messages begin that a program wrote, or that call one."""
_PASTED = re.compile(
    r"""^\s*(?: [>|│┃╭╰⎿⏺\u276f›$%•●✓✗✔✘] | \+ | -(?![-\s\d]) | -\s{2,} | [-+=*_]{3} | @@\s | \d+[→|:] | at\s\S+\(
      | File\s" | Traceback\b | \d{4}-\d\d-\d\d[T ]\d | \[?\d\d:\d\d:\d\d | [\w./-]+:\d+ | https?://\S+$
      | (?:ERROR|WARN|INFO|DEBUG|FAIL|PASS|ok|---)\b[:\s\[] | (?:error|warning|fatal|panic|npm\ ERR!)(?:\[\w+\])?:\s
      | (?:[A-Z][\w-]*\ ){0,3}[A-Z][\w-]*:\ +\W*\w+\W*$
    )
    | [{};]\s*$ | \s=\s.*[({] | \)\s*\{""",
    re.VERBOSE,
)
"""Lines that no person types: quotes, diffs, logs, traces and code."""
_BULLET = re.compile(r"^\s*(?:[-*]|\(?\d{1,2}[.)])\s+")
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[`@A-Za-z])|\s+[-\u2013\u2014]{1,2}\s+(?=(?:and|but|so)\b)")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.$", re.IGNORECASE)
_QUESTION = re.compile(
    r"""(?:(?:and|but|so|ok(?:ay)?|also|hmm+|well|or|then|yes|yeah|no|now),?\s+)*
        (?:can|could|would|will|shall|should|is|are|was|were|do(?!\s+not)|does|did|has|have\s+(?:we|you|i)|had|what|why|how|where
          |when\s+(?:do|does|did|is|are|will|can|should)|who|which|whose|isn'?t|aren'?t|don'?t\s+(?:we|you|i)
          |doesn'?t|didn'?t|shouldn'?t|wouldn'?t|couldn'?t|can'?t\s+(?:we|you|i)|any\s+(?:way|idea|reason|chance)
          |question|q)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKING_END = re.compile(r"(?:\?|,\s*(?:right|or|yeah|yes|no|correct|ok|huh)\s*[?.!]*|\?[\"')\]]*)\s*$", re.IGNORECASE)


class Sentence(NamedTuple):
    """One sentence that a user typed; `is_first` where the message begins with it."""

    text: str
    is_first: bool


def memories(text: str) -> list[str]:
    """Return what a message asks an agent to keep in its memory, as Claude Code notes it down."""
    found = _MEMORY.findall(text) or [match[1] for match in [_MEMORY_LINE.fullmatch(text.strip())] if match]
    return [line for one in found if (line := " ".join(clean(one).split())) and len(words(line)) >= _FEWEST_WORDS]


def sentences(text: str) -> list[Sentence]:
    """Return the sentences of a message that a user typed, none where it was pasted or a program wrote it.

    Questions are among them: what comes before and after one matters.
    """
    typed = clean(_WRAPPED.sub("\n", text)).strip()
    if not typed or _NOT_TYPED.match(typed) or _FENCED.match(typed):
        return []
    typed = _FENCED.sub("\n", typed)
    lines = typed.split("\n")
    if len(typed) > _LONGEST_MESSAGE or len(lines) > _MOST_LINES:
        return []
    kept = [line for line in lines if not _PASTED.search(line)]
    if len(kept) < len([line for line in lines if line.strip()]) / 2:
        return []
    found = (one for line in kept for one in _split(_BULLET.sub("", line, count=1)))
    return [Sentence(one, is_first=place == 0) for place, one in enumerate(found)]


def is_question(text: str) -> bool:
    """Whether a sentence asks, or asks for something, rather than says how things are."""
    return bool(_ASKING_END.search(text) or _QUESTION.match(text))


def is_sayable(text: str, *, fewest: int = _FEWEST_WORDS) -> bool:
    """Whether a sentence is prose of a length that one can learn from."""
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return len(text) <= _LONGEST and len(words(text)) >= fewest and letters >= _LETTERS * len(text)


def _split(line: str) -> Iterator[str]:
    """Yield the sentences of a line: people who chat do not break lines within one."""
    pending = ""
    for part in _END.split(line):
        pending = f"{pending} {part}".strip()
        if pending and not _ABBREVIATED.search(pending):
            yield " ".join(pending.split())
            pending = ""
    if pending:
        yield " ".join(pending.split())
