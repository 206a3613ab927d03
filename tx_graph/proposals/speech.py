"""Statements: which sentences of a user say how things are done here, and not only what is to be done now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from tx_graph.core.identifiers import content_words
from tx_graph.core.text import inert_line
from tx_graph.proposals.commits import bounded
from tx_graph.proposals.prose import certainty, clean, cues, words
from tx_graph.proposals.values import Reason

_LONGEST_TOLD = 200  # characters of a line that still tells something; a longer one is cut
_MOST_READ = 400  # lines of an output that are looked at
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_SURROUNDINGS = re.compile(
    r"""command\ not\ found | :\ not\ found$ | modulenotfounderror | no\ module\ named
      | cannot\ find\ (?:module|package) | missing\ script | no\ rule\ to\ make\ target
      | no\ such\ (?:task|target|command|service|image|container) | no\ tasks?\ (?:named|found|matches)
      | unknown\ (?:command|flag|option|argument) | unrecognized\ (?:arguments|option)
      | (?:is|are)\ not\ (?:installed|trusted|set|logged\ in|running) | not\ (?:yet\ )?installed
      | permission\ denied | eacces | econnrefused | connection\ refused | eaddrinuse | address\ already\ in\ use
      | docker\ daemon | updates\ to\ go\.mod\ needed | missing\ go\.sum
      | (?:lock\ ?file|go\.mod|go\.sum)\b.*(?:out\ of\ date|outdated|update)
      | unsupported\ engine | requires?\ (?:a\ )?(?:node|python|go|rustc?|java|ruby)\b | version\ mismatch
      | executable\ doesn't\ exist | please\ (?:run|install) | run\ [`'"][\w./-]+\ [^`'"]+[`'"]\ (?:to|first)
      | environment\ variable | no\ space\ left | unable\ to\ resolve\ host
      | failed\ to\ (?:build|resolve|fetch|download) | build\ constraints\ exclude
      | failed\ to\ (?:load|find)\ config | no\ configuration\ file | submodule""",
    re.IGNORECASE | re.VERBOSE,
)
"""Trouble with what is around the code, which whoever works here next meets again."""
_MISSING = re.compile(
    r"""not\ found | no\ module\ named | missing\ script | no\ such\ (?:task|target|command|file)
      | no\ rule\ to\ make | no\ tasks?\  | not\ installed | unknown\ command""",
    re.IGNORECASE | re.VERBOSE,
)
_PLACED = re.compile(r"^(?:\.{0,2}/)?[\w./@+-]+\.\w+:\d+(?::\d+)?:?\s+(?P<rest>\S.*)$")
"""A compiler's or linter's finding."""
_TOLD = re.compile(r"^\s*(?:\w*(?:Error|Exception)\b|error(?:\[\w+\])?:|fatal:|panic:|ERR!|E\s{2,}\w)", re.IGNORECASE)
_NOISE = re.compile(
    r"""^(?: exit\ code\ \d+ | \[[\w:.-]+\]\ (?:\$|error\ task\ failed|finished) | \#\ | ---\ fail | fail\b | ===
      | ok\s | \?\s | npm\ err!\ (?:code|errno|a\ complete|lifecycle) | traceback | make(?:\[\d+\])?:\ \*\*\*
      | \d+\ (?:issues|errors|problems) )""",
    re.IGNORECASE | re.VERBOSE,
)
_REFUSED = re.compile(
    r"the user (?:doesn't|does not) want|user rejected|permission to use|tool use was rejected|interrupted",
    re.IGNORECASE,
)
"""Somebody said no to the call: its output is no program's."""
_QUOTED = re.compile(
    r"""`[^`]*` | "[^"]*" | '[^']*' | \b[\w./-]*[./_]\w[\w./-]* | \d+ | \b[a-z]+[A-Z]\w*
      | \b[A-Z]\w*[a-z]\w*[A-Z]\w*""",
    re.VERBOSE,
)
_LINTER = re.compile(r"\((?P<name>[a-z][\w-]{2,20})\)$")


class Trouble(NamedTuple):
    """What went wrong, in one inert line; `is_around` where it is not the code that was wrong."""

    line: str
    is_around: bool

    @property
    def is_missing(self) -> bool:
        """Whether what was called is not there, or not under this name."""
        return bool(_MISSING.search(self.line))

    @property
    def kind(self) -> str:
        """What is the same in errors of one kind: the line without names, places and numbers."""
        return " ".join(_QUOTED.sub("…", self.line).casefold().split())

    @property
    def linter(self) -> str | None:
        """Which check of a linter says so, if it names one."""
        found = _LINTER.search(self.line)
        return found["name"] if found else None


def trouble_in(output: str) -> Trouble | None:
    """Return what the output of a failed call tells; None where it tells nothing, or somebody stopped the call."""
    if _REFUSED.search(output[:500]):
        return None
    stripped = (line.strip() for line in clean(_ANSI.sub("", output)).split("\n")[:_MOST_READ])
    lines = [line for line in stripped if line and not _NOISE.match(line)]
    around = next((line for line in lines if _SURROUNDINGS.search(line)), None)
    placed = next((found["rest"] for line in lines if (found := _PLACED.match(line))), None)
    told = around or placed or next((line for line in lines if _TOLD.match(line)), None)
    if told is None:
        return None
    told = inert_line(told).replace("`", "'").replace("“", '"').replace("”", '"')
    cut = told if len(told) <= _LONGEST_TOLD else f"{told[: _LONGEST_TOLD - 1]}…"
    return Trouble(cut, is_around=around is not None)


_DIGITS = 12  # hexadecimal digits of an identity: 48 bits, so that no two lessons of a repository share one by chance
_LONGEST_SESSION = 80
_ODD = re.compile(r"[^\w.-]+")


class Rule(StrEnum):
    """How a lesson was found."""

    ERROR = "error"
    """A call failed, and later the same call did not."""
    CORRECTION = "correction"
    """The user said how things are done here."""
    COMMAND = "command"
    """A command came again and again."""
    REMEMBER = "remember"
    """The user asked to remember something."""

    @property
    def is_users_word(self) -> bool:
        """Whether such a lesson is what a user said, in the user's own words."""
        return self in (Rule.CORRECTION, Rule.REMEMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a session may teach.

    `said` is what makes it the same lesson in another session. `line` is where the transcript shows it, `paths` are
    the files it is about, surest first, and `patterns` those that it holds as long as they exist. `evidence` quotes
    what it rests on, for somebody who judges it. `share`, in (0, 1], is what is left of its worth by how it was said.
    """

    rule: Rule
    content: str
    category: str
    reasons: tuple[Reason, ...]
    said: str
    line: int
    at: str | None = None
    paths: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    share: float = 1.0

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(certainty(self.reasons) * self.share)

    @property
    def identity(self) -> str:
        """What is the same wherever the same lesson is taught: a digest of its rule and of what was said."""
        words = " ".join(self.said.casefold().split())
        return sha256(f"{self.rule}\n{words}".encode("utf-8", "replace")).hexdigest()[:_DIGITS]

    def reference(self, session: str) -> str:
        """Return what a record says of where it comes from: `correction:4f35e220#L120:3fa29c11de70`."""
        session = _ODD.sub("-", session).strip("-")[:_LONGEST_SESSION]
        return f"{self.rule}:{session}#L{self.line}:{self.identity}"


_REFERENCE = re.compile(rf"(?P<rule>{'|'.join(Rule)}):[\w.-]*#L\d+:(?P<identity>[0-9a-f]{{{_DIGITS}}})")


def identity_of(reference: str) -> str | None:
    """Return the identity of the lesson that a record says it comes from; None where it comes from none."""
    found = _REFERENCE.fullmatch(reference)
    return found["identity"] if found else None


def is_users_word(reference: str) -> bool:
    """Whether a record says that it comes from what a user said."""
    found = _REFERENCE.fullmatch(reference)
    return found is not None and Rule(found["rule"]).is_users_word


_OPENERS = "please|also|and|but|so|ok(?:ay)?|no|nope|yes|yep|yeah|oh|hmm+|well|actually|btw|fyi|then|because|plus"
_SO = rf"(?:(?:{_OPENERS}),?\s+)*"  # what sentences of chats begin with before they say something
_CLAUSE = rf"(?:^{_SO}|[,;:(]\s*{_SO}|\s[-\u2013\u2014]+\s+{_SO}|\b(?:because|but|as|since|and)\s+)"
"""Where a clause begins that stands by itself: not one behind `if`, `that` or `what`."""
_DUTY = r"(?:should|must|need\s+to|have\s+to|has\s+to|ought\s+to)"
_CUES: dict[Reason, str] = {
    Reason("always or never", 0.62): rf"""
        ^{_SO}(?:always|never)\s+(?!mind|been|had|seen|got|did|again|the|a|be\b|gonna)(?!\w+ed\b)\w+
        | \b(?:we|you|i|one|it|they|tests?|code|commits?|claude|agents?)\s+{_DUTY}\s+(?:always|never|not\s+ever)\b
        | {_CLAUSE}(?:we|you)\s+(?:always|never)\s+(?!been|had|seen|got|did|actually)(?!\w+ed\b)\w+""",
    Reason("what we do not do", 0.44): rf"""
        {_CLAUSE}(?:we|you)\s+
        (?:don'?t|do\s+not|shouldn'?t|should\s+not|mustn'?t|must\s+not|can'?t|cannot|won'?t)\s+(?:want\s+to\s+|ever\s+)?
        (?!have\s+to|need|think|know|care|see|seem|get|really|even|yet)\w+""",
    Reason("must not be", 0.3): r"\b(?:must|should)\s+(?:not|never)\s+be\s+\w+",
    Reason("what we do", 0.38): rf"""
        {_CLAUSE}(?:(?:for|in|on|with)\s+[\w`./-]+(?:\s+[\w`./-]+)?,?\s+)?we\s+(?:only\s+)?
        (?:use|prefer|require|keep|follow|avoid|name|write|run|support|target|deploy|pin|store|treat|test|mock|log|return
          |expect|handle|rely\s+on|standardi[sz]ed?\s+on|moved|switched|renamed|removed|dropped|deprecated|chose
          |decided)\b""",
    Reason("on purpose", 0.45): r"\bon\s+purpose\b|\bintentional(?:ly)?\b|\bby\s+design\b|\bdeliberate(?:ly)?\b",
    Reason("in general", 0.4): r"""
        \bfrom\s+now\s+on\b | \bgoing\s+forward\b | \beverywhere\b | \bwherever\b | \b(?:every|each)\s+time\b
        | \bin\s+(?:this|our|the)\s+(?:repo(?:sitory)?|project|code\s?base)\b | \bas\s+a\s+(?:general\s+)?rule\b
        | \bacross\s+the\s+(?:code\s?base|repo|project)\b | \bconventions?\b | \b(?:all|any)\s+new\b | \bwhenever\b
        | \bour\s+(?:style|standard|policy|rule)\b""",
    Reason("this instead of that", 0.36): rf"""
        {_CLAUSE}(?:(?:we|you|i|it)\s+(?:should\s+(?:be\s+)?|must\s+|need\s+to\s+|want\s+to\s+)?)?
        (?:use|using|prefer|run|call|write)\b[^.?]{{2,80}}\b(?:instead\s+of|rather\s+than|,?\s+not)\b
        | ^{_SO}instead\s+of\b[^.?]{{2,60}}\b(?:use|prefer|run|call|write)\b
        | ^{_SO}(?:don'?t|do\s+not)\s+use\b[^.?]{{2,60}}[,;.]\s*use\b""",
    Reason("this and not that", 0.3): r"""
        [,;]\s+(?:and\s+)?not\s+(?:in\s+|the\s+|a\s+|on\s+|by\s+|with\s+)*[\w`./@-]+\W*$""",
    Reason("actually", 0.25): r"^(?:no,?\s+|hmm+,?\s+)?actually\b",
    Reason("no", 0.34): r"^(?:no|nope|nah)(?:[,.!]|\s+-)\s",
    Reason("not right", 0.38): r"""
        \b(?:that'?s|that\s+is|this\s+is|it'?s|which\s+is|part\s+is|is)\s+
        (?:not\s+(?:quite\s+)?(?:correct|right|true|how\s+\w+)|wrong|incorrect)\b""",
    Reason("do not", 0.24): rf"^{_SO}(?:don'?t|do\s+not|stop|avoid)\s+\w+",
    Reason("make sure", 0.2): r"\b(?:make|making|be)\s+sure\b|\bensure\b",
    Reason("wish", 0.2): rf"""
        {_CLAUSE}(?:i|we)(?:'d|\s+would)?\s+(?:really\s+)?(?:like|prefer|rather|want|don'?t\s+(?:want|like))\b""",
    Reason("duty", 0.22): r"\b(?:must|has\s+to|have\s+to|should|needs?\s+to)\b",
}  # fmt: skip
"""Patterns for lower case, by what they tell; each counts once."""
CUES = [(reason, re.compile(pattern, re.VERBOSE)) for reason, pattern in _CUES.items()]
WEAK = frozenset({"make sure", "wish", "duty", "do not", "no", "actually"})
"""Cues of what is wished, or to be done: it holds only for now unless the sentence says more."""
ANSWERS = frozenset({"no", "actually"})
"""Cues that only mean something right after an agent did something."""
GENERAL = frozenset({"always or never", "in general"})
"""Cues of what holds beyond the files at hand."""

ASKED = re.compile(
    rf"""^{_SO}(?:
        (?P<strong>remember\b(?!\s+(?:when|how\s+we|i\b|we\b)) | for\s+future\s+reference | from\s+now\s+on
          | going\s+forward | in\s+(?:the\s+)?future\b(?=,) | keep\s+in\s+mind | bear\s+in\s+mind
          | don'?t\s+forget\s+that | note\s+(?:to\s+self|for\s+(?:the\s+)?future))
        | (?P<weak>note\s*(?::|that\b) | fyi\b | for\s+your\s+information | important\s*: | heads[-\ ]up\b
          | be\s+aware)
    )[\s,:.\u2013\u2014-]*(?:also\s+)?(?:(?:that|to)\s+)?(?P<rest>\S.*)$""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""A sentence that asks to remember something."""

_MOMENT = r"""\b(?:
    for\s+now | this\s+time | right\s+now | just\s+(?:now|this) | never\s?mind | at\s+the\s+moment | yet | today
    | let'?s\s+(?:see|try|do|go|start|first|leave|keep|add|remove|roll|put|move)
    | (?:in|to|on)\s+th(?:is|e)\s+(?:pr|mr|commit|branch|plan|diff|test|function|file|method))\b"""
_GUESS = r"""\b(?:
    i\s+(?:think|guess|suppose|believe|wonder|mean|assume) | maybe | perhaps | probably | possibly | seems? | might
    | could | (?:i'?m\s+)?not\s+sure | wondering | (?:as\s+)?a\s+suggestion | why\s+not | how\s+about)\b"""
_POINTING = r"""\b(?:
    above | below | same\s+here | as\s+well | too | again | back | th(?:is|at)\s+one
    | the\s+(?:first|second|last|other|new|old)\s+(?:one|part))\b[.!]?$"""
_STORY = r"""\b(?:
    you\s+(?:just|did|have|had|were|are|removed|added|changed|forgot)
    | i\s+(?:just|did|got|see|saw|have|had|ran|tried|found|noticed|was|am|tested)
    | i'?(?:m|ve) | it'?s\s+(?:still|now|again))\b"""
_NAMELESS = rf"^{_SO}(?:this|that|it|these|those|they)\s+(?!repo|project|code|package|module|file)"
_CONDITION = r"^(?:if|when|so\s+if|and\s+if|but\s+if|assuming|what\s+if)\b"
DISCOUNTS = [
    (share, re.compile(pattern, re.VERBOSE))
    for share, pattern in (
        (0.55, _MOMENT),
        (0.6, _GUESS),
        (0.6, _POINTING),
        (0.45, _STORY),
        (0.6, _NAMELESS),
        (0.5, _CONDITION),
    )
]
"""What makes a sentence one of the moment, a guess, or a piece of a story, and what that leaves of its worth."""
OF_THE_MOMENT = DISCOUNTS[:1]

NAMES = re.compile(
    r"""`[^`]+` | \b[\w-]+/[\w./-]+ | \b\w+\.(?:py|ts|js|go|rs|md|json|toml|ya?ml|sh|tsx|jsx|java|rb|c|h)\b
      | \b\w+_\w+\b | \b[a-z]+[A-Z]\w*\b | "[^"]+" | --\w[\w-]+""",
    re.VERBOSE,
)
"""Names of code."""
DEICTIC = re.compile(
    r"""\b(?:it|them|they|here|there)\b
      | \b(?:this|that|these|those)\b(?=\s*(?:$|[.,;!?]|(?:is|was|are|were|should|must|can|will|to|and|or|in|at|on|for
          |with|again|now|first|then)\b))""",
    re.VERBOSE,
)
"""Words that point at what only the chat knows."""
EMPTY = frozenset(
    """this that these those them they there here with from have does should could would want need make sure like just
    also then than will what when where which into your some more been only very really please instead always never
    still about thing things stuff actually think know no yes we're i'd don t s d use using new please ok must run them
    not fyi note remember keep mind sure""".split()
)
"""Words that do not tell what a sentence is about."""


_LONGEST_MESSAGE = 1_500
_MOST_LINES = 14  # characters and lines of a message beyond which it is a plan, a review or a log that somebody pasted
_LONGEST_SENTENCE = 400  # characters of a sentence
_FEWEST_WORDS = 4
_LETTERS = 0.6  # share of letters and blanks that a sentence has at least
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
    found: list[str] = []
    for line in kept:  # people who chat do not break lines within a sentence
        pending = ""
        for part in _END.split(_BULLET.sub("", line, count=1)):
            pending = f"{pending} {part}".strip()
            if pending and not _ABBREVIATED.search(pending):
                found.append(" ".join(pending.split()))
                pending = ""
        if pending:
            found.append(" ".join(pending.split()))
    return [Sentence(one, is_first=place == 0) for place, one in enumerate(found)]


def is_question(text: str) -> bool:
    """Whether a sentence asks, or asks for something, rather than says how things are."""
    return bool(_ASKING_END.search(text) or _QUESTION.match(text))


def is_sayable(text: str, *, fewest: int = _FEWEST_WORDS) -> bool:
    """Whether a sentence is prose of a length that one can learn from."""
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return len(text) <= _LONGEST_SENTENCE and len(words(text)) >= fewest and letters >= _LETTERS * len(text)


LEAST = 0.5
"""The confidence below which a sentence is an order for now, or chatter."""
_ASKED_STRONGLY, _ASKED = Reason("asked to remember", 0.75), Reason("asked to note", 0.58)
_NAMES_CODE = Reason("names code", 0.12)
_OTHERWISE_TOLD = frozenset({"instead of", "constraint", "before"})
"""Words that explain a commit, and are everyday words of a chat or told by its own cues."""
_MOST_WHY = 2
_FEWEST_TO_REMEMBER = 3
_FEWEST_TELLING = 2
_UNCLEAR = 0.5  # what is left of the worth of a sentence that does not say what it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence worth learning from; `is_general` where it holds beyond the files at hand.

    `share`, in (0, 1], is what is left of its worth by how it was said.
    """

    text: str
    rule: Rule
    reasons: tuple[Reason, ...]
    share: float
    is_general: bool

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(certainty(self.reasons) * self.share)


def asked_to_remember(text: str) -> Statement | None:
    """Return what a sentence asks to remember, None where it asks for no such thing."""
    found = ASKED.match(text)
    if not found or is_question(text) or not is_sayable(found["rest"], fewest=_FEWEST_TO_REMEMBER):
        return None
    low = text.lower()
    statement = Statement(
        text=text,
        rule=Rule.REMEMBER,
        reasons=(_ASKED_STRONGLY if found["strong"] else _ASKED, *_why(low)),
        share=_share(low, OF_THE_MOMENT),
        is_general=True,
    )
    return statement if statement.confidence >= LEAST else None


def corrected(text: str, *, is_answer: bool) -> Statement | None:
    """Return how a sentence says that things are done here, None where it does not.

    `is_answer` says whether it comes right after an agent did or said something, and its message begins with it.
    """
    if is_question(text) or not is_sayable(text):
        return None
    low = text.lower()
    found = [reason for reason, cue in CUES if (is_answer or reason.name not in ANSWERS) and cue.search(low)]
    names = {reason.name for reason in found}
    # What is wished, or to be done, holds only for now unless it says more.
    weak, strong = WEAK & names, names - WEAK
    if not strong and not ("no" in weak and ("do not" in weak or _why(low))):
        return None
    if strong == {"in general"} and not weak:
        return None
    statement = Statement(
        text=text,
        rule=Rule.CORRECTION,
        reasons=(*found, *_why(low), *([_NAMES_CODE] if NAMES.search(text) else [])),
        share=_share(low, DISCOUNTS),
        is_general=not names.isdisjoint(GENERAL),
    )
    return statement if statement.confidence >= LEAST else None


def _why(low: str) -> list[Reason]:
    return [reason for reason in cues(low) if reason.name not in _OTHERWISE_TOLD][:_MOST_WHY]


def _share(low: str, discounts: Sequence[tuple[float, re.Pattern[str]]]) -> float:
    """Return what is left of a sentence's worth: little where it speaks of the moment, or of what only a chat knows."""
    share = 1.0
    for discount, pattern in discounts:
        if pattern.search(low):
            share *= discount
    telling = len(content_words(low) - EMPTY)
    is_pointing = telling < 2 * _FEWEST_TELLING and DEICTIC.search(low)
    return share * _UNCLEAR if is_pointing or telling < _FEWEST_TELLING else share
