"""Phrases: what in a sentence tells that it says how things are done, and what makes it one of the moment."""

from __future__ import annotations

import re

from tx_graph.domain.proposal import Reason

_OPENERS = "please|also|and|but|so|ok(?:ay)?|no|nope|yes|yep|yeah|oh|hmm+|well|actually|btw|fyi|then|because|plus"
_SO = rf"(?:(?:{_OPENERS}),?\s+)*"
"""What sentences of chats begin with before they say something."""
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
