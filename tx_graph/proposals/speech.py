"""Statements: which sentences of a user say how things are done here, and not only what is to be done now."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from hashlib import sha256
from math import prod
from typing import NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.text import cut, inert_line
from tx_graph.proposals.commits import bounded
from tx_graph.proposals.prose import certainty, clean, words
from tx_graph.proposals.values import Reason

_LONGEST_TOLD = 200  # characters of a line that still tells something; a longer one is cut
_MOST_READ, _LONGEST_LINE = 400, 1000  # lines of an output that are looked at, and characters of each
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def pattern(text: str) -> str:
    """Return a pattern that is written on several lines: line ends and what a line begins with are no part of it."""
    return re.sub(r"\n\s*", "", text)


_MISSING = pattern(r"""
    (?:command|task|config\w*|module|package|file|image)\b.*\bnot found|: not found$|no module|no rule to make
    |missing script|(?:cannot|no such|no) (?:find )?(?:module|package|tasks?|target|command|service|image|container
    |configuration)\b|unknown command|not (?:yet )?installed""")
_SURROUNDINGS = re.compile(
    pattern(rf"""
        {_MISSING}|(?:unknown|unrecognized) (?:flag|option|argument)|(?:is|are) not (?:trusted|set|logged in|running)
        |eacces|permission denied|(?:connection |econn)refused|(?:address already |eaddr)in ?use|updates to go\.mod
        |missing go\.sum|out of date|outdated|unsupported engine|version mismatch|please (?:run|install)|docker daemon
        |requires? (?:a )?(?:node|python|go|rustc?|java|ruby)\b|environment variable|no space left|unable to resolve
        |submodule|failed to (?:build|resolve|fetch|download|load|find)|executable doesn't exist"""),
    re.IGNORECASE,
)
"""Trouble with what is around the code, which whoever works here next meets again."""
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
        return bool(re.search(_MISSING, self.line, re.IGNORECASE))

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
    stripped = (line[:_LONGEST_LINE].strip() for line in clean(_ANSI.sub("", output)).split("\n")[:_MOST_READ])
    lines = [line for line in stripped if line and not _NOISE.match(line)]
    around = next((line for line in lines if _SURROUNDINGS.search(line)), None)
    placed = next((found["rest"] for line in lines if (found := _PLACED.match(line))), None)
    told = around or placed or next((line for line in lines if _TOLD.match(line)), None)
    if told is None:
        return None
    told = inert_line(told).replace("`", "'").replace("“", '"').replace("”", '"')
    return Trouble(cut(told, _LONGEST_TOLD), is_around=around is not None)


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
    Where it `is_unsure`, it is a whole message of which no rule is sure that it teaches anything.
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
    is_unsure: bool = False

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


_REFERENCE = re.compile(rf"(?P<rule>{'|'.join(Rule)})(?:-by-[\w.-]+)?:[\w.-]*#L\d+:(?P<identity>[0-9a-f]{{{_DIGITS}}})")


def identity_of(reference: str) -> str | None:
    """Return the identity of the lesson that a record says it comes from; None where it comes from none."""
    found = _REFERENCE.fullmatch(reference)
    return found["identity"] if found else None


def judged_by(reference: str, judge: str) -> str:
    """Return a reference with who judged what it stands for: `correction-by-agent:4f35e220#L120:3fa29c11de70`."""
    rule, _, rest = reference.partition(":")
    return f"{rule}-by-{_ODD.sub('-', judge).strip('-')[:_LONGEST_SESSION]}:{rest}"


def is_users_word(reference: str) -> bool:
    """Whether a record says that it comes from what a user said."""
    found = _REFERENCE.fullmatch(reference)
    return found is not None and Rule(found["rule"]).is_users_word


_SPELT = [
    (re.compile(r"(?<![*_])[*_]++(\w+)[*_]+"), r"\1"),
    (re.compile(r"\b(ca|do|does|did|is|are|was|wo|should|must|has|have|would|could)n['’]?t\b"), r"\1 not"),
    (re.compile(r"\bca not\b|\bcannot\b"), "can not"),
    (re.compile(r"\b(it|that|there)(?:['’]s|(?<=that)s)\b"), r"\1 is"),
]
"""How people write short, in lower case, what the patterns below write out."""


_SO = pattern(r"""
    (?:(?:no|nope|nah|hm+|u[hm]+|ok|okay|oh|hey|please|pl[sz]|also|and|but|so|well|yes|yeah|actually|then|just|wrong|btw
    |fyi|wait|sorry|only|plus)\b[,.!]? ){0,4}""")  # what sentences of chats begin with before they say something
_START = rf"(?:^|[,;:(–—.] ?| -+ |\b(?:because|but|since|so|and|as) ){_SO}"
_ONE = pattern(r"""
    (?:the|th(?:is|at|ese|ose)|an?|my|your|i|you|we|they|it|s?he|there|wh\w+|let|if|as|one|them|any ?thing|me|us
    |ours|yours|mine)\b""")
"""How something begins that is one thing at hand, and no kind of things."""
_PAST = pattern(r"""
    (?:\w+ed|thought|knew|understood|felt|came|went|saw|made|ran|left|found|told|took|broke|lost|met|wrote|forgot|built
    |sent|gave|began|did|got|had|said|was|were)\b""")
_HABIT = pattern(rf"""
    (?!(?:mind|been|seen|heard|again|the|these|those|an?|be|gonna|going|change|used|my|your|in|so|at|on|good|nice
    |great|happy)\b|{_PAST})[a-z][\w-]*""")
"""What stands behind `always` where it tells what to do."""
_DUTY = r"(?:must|should|shall|(?:has|have|needs?) to|can|may)"
_IS = pattern(r"""
    (?:is|are|do|has|have|needs?|goe?s?|lives?|comes?|belongs?|follows?|uses?|takes?|gets?|stays?|runs?|expires?
    |listens?|returns?|expects?|never|always|only|means?)""")
_KIND = pattern(rf"""
    (?:[`\w.-]*[`/_][^ ,;]*|(?:(?!{_ONE})[\w`.@-]+ ){{0,2}}(?!(?:looks|works|seems|sounds|needs|thanks|yes|its|was|is
    |has|does|always|things)\b)[\w`.-]*[a-z](?<!s)s)
    (?: (?:in|on|of|over|under|from|for|with|below|outside) [^ ,]+(?: \w+)?)?""")
"""A name of code, or several things that no word points at: `tests in tests/e2e`."""
_NOTHING = pattern(r"""
    (?:bother|worry|forget|mind|need|problem|worries|rush|idea|way|use|not|luck|changes|for|here|errors?
    |warnings?|output|results?|matches|conflicts?|failures?|logs?|response|effect|difference)\b""")
_ALWAYS, _IN_GENERAL = Reason("always or never", 0.62), Reason("in general", 0.6)
_ENOUGH: dict[Reason, str] = {
    _ALWAYS: rf"""
        {_START}(?:(?:always|never(?: ever)?) {_HABIT} (?!about)[\w`"'*/.]|(?:we|{_KIND}) (?:are )?(?:always
        |never) {_HABIT})|{_DUTY} (?:not )?(?:only )?(?:always|never|ever)\b|\b(?:only|not) ever\b""",
    Reason("what we do not do", 0.6): rf"""
        {_START}(?:we do not have\b.*\bany ?more\b|[^,;:]*(?<!it)(?<!this) must not (?!have|be|take)
        |(?:we|you) (?:do|must|should|can) not (?!(?:have|need|think|know|care|see|seem|get|really|even|yet
        |want|mind|say|be|waste|do|like)\b)\w+ (?!(?:it|that|them|this)\b))""",
    Reason("on purpose", 0.6): r"^(?!.*\bi\b).*\b(?:on purpose|intentional|by design|deliberate)",
    Reason("how it is", 0.55): rf"""
        ^(?:no\W+)?actually\W+(?:the|our) [\w ]+ (?:{_IS}|named|called) (?:\w+ )?(?:[`\w-]*[\d/_.:`-]\w)
        |\bkeep (?:the|our|all) .*\b(?:sorted|ordered|in sync|up to date|alphabetical)\b""",
    Reason("told before", 0.6): r"\byou forg[eo]t that\b",
}
"""What says by itself that it holds beyond now."""
_NORMS: dict[Reason, str] = {
    Reason("rules out", 0.35): rf"""
        {_START}(?:(?:do not|stop|avoid|never) (?!{_NOTHING})|no (?!{_ONE}|{_NOTHING}|[\w ]*(?:found|created)\b))\w+
        |\bnot allowed\b|\b(?:must|should|may|(?:has|have|needs?) to) not\b""",
    Reason("obliges", 0.35): rf"""
        {_START}(?!(?:\S{{1,40}} )?(?:we|i)\b)[^,;:]*(?<!\bnot)(?<!\bdo) (?:must(?! have\b)|(?:has|have
        |needs?) to(?! be able))\b""",
    Reason("what we do", 0.35): rf"""
        {_START}(?:(?:in|for|on) [\w-]+ (?:\w+ )?)?we (?:only )?(?!need|want|should|can|could|would|will|may|might
        |must|have|get|see|know|think|go|talk|look|are|just|already|still|also|only|really|do\b|never
        |{_PAST})\w+|\bwe (?:moved|dropped|switched|have our own|are (?:only )?(?:on|in)\b)""",
    Reason("states", 0.08): rf"^[^,;:–—]*(?<!\byou) {_IS}\b|\bshould\b|\bcan not\b",
    Reason("tells to", 0.0): rf"""
        {_START}(?:use|prefer|keep|ask|make sure|be sure|check|write|run|call|return|put|retry|edit) \w""",
}
"""What says how something is to be, if only now."""
_LASTING: dict[Reason, str] = {
    _IN_GENERAL: rf"""
        \b(?:from now on|whe[nr]ever|(?:every|each|next) time|in (?:this|our) (?:repo\w*|project|code ?base|package)
        |as a rule|the rule|conventions?|policy|(?:all|any|every|each) new)\b
        |{_START}(?:every|each|any|no|only|nothing|nobody) (?!need|{_ONE})(?:\w+ ){{0,2}}(?:{_DUTY}|needs?|goe?s?)\b""",
    Reason("in which case", 0.4): r"""
        \b(?:everywhere|unless|outside of|in the code|when you (?!are|have|get)\w+|before (?:you|every|each|\w+ing)
        |by hand|manually|in production)\b
        |\b(?:is|are) (?:(?:[^ ,]+ ){1,3}here|(?:\w+ )?(?:not allowed|deprecated|frozen|generated))\b|\bonly(?:$
        | (?:by|for|in|on|from|through|after)\b)""",
    # Also a clause behind another one, without a word between that says how they belong together.
    Reason("why", 0.4): rf"""
        \b(?:because|otherwise|so that|or else|for \w+ reasons|so (?:you|it|they|do not|no|never))\b
        |\b(?:is|are)\b[^,;]*[,;] *(?:so )?(?:do not|never|no)\b
        |^(?!{_SO}(?:while|since|if|when|for|in|after|as|to|although|given|by|using)\b).*\w.*[,;:–—] *(?:and )?
        (?:(?:it|they|that|there|this|we|(?:the|an?|our) \w+|[\w`]+s?) (?:\w+ )?(?!{_ONE})
        (?:is|are|has|have|was|were|does|do|can|will|got|broke|lost|\w+[^s]s|\w{{3,}}ed)\b(?! to)
        |(?!it|he|us)\w+[^s']s [a-z]+ [a-z])""",
    Reason("this and not that", 0.45): r"""
        \binstead of\b|[,;] .*\binstead$|\brather than\b|\b(?:do not|never|stop)\b.*[,;] (?:use|call|prefer|take)\b
        |[,;] (?:and )?(?:not|never) (?:\w+ ){0,2}[\w`./@-]+(?: \w+)?\W*(?:$|[.,;])""",
    Reason("a kind of things", 0.35): rf"""
        {_START}(?:(?!{_ONE}){_KIND} (?:{_IS}|{_DUTY})\b|(?:use|prefer|i prefer) (?:(?!{_ONE}|option|port)\w+
        |.* instead of (?!{_ONE}|\d)\w)|stop \w+ing (?!{_ONE}|in\b|on\b|so\b|and\b)\w+
        |(?:do not|stop|avoid|never|no|keep) (?:\w+ )?(?!{_ONE})(?:\w+ing )?(?:`|[^ ]*[/_.]\w|\w+[^s']s\b))""",
}
"""What says that it holds beyond now, where something else says how it is to be."""
_CUES = [[(reason, re.compile(pattern(cue))) for reason, cue in table.items()] for table in (_ENOUGH, _NORMS, _LASTING)]
_NAMES_CODE = Reason("names code", 0.07)
_NAMES = re.compile(r"`[^`]+`|\d|\w[/_.]\w|\w/(?: |$)|::|--\w")
_DISCOUNTS = {name: (share, re.compile(pattern(said))) for name, share, said in (
    ("of the moment", 0.55, r"""
        \b(?:for now|this (?:time|run|commit|pr|mr|branch|plan|diff|test|function|file|method|module|one)|right now
        |today
        |tomorrow|yesterday|tonight|at the moment|just yet|again[.!]?$|ha(?:ha)+|lol|(?:is|am|are) now|let's|hour|yet$
        |never mind)\b|[:;]-?[)D]"""),
    ("trouble", 0.5, rf"""
        ^{_SO}(?:the (?:problem|bug|error|issue|reason|cause)\b|(?!that is wrong)(?:\w+ ){{0,4}}(?:gone|broken|missing
        |wrong
        |stuck|not running|fail(?:s|ed|ing)?|crash\w*)\b|(?:\w+ ){{0,4}}(?:is|are) (?:still |now |all )?(?:fine|good|ok
        |green|red|empty|done|here|there|up|down|slow|running|being)\b)"""),
    ("a guess", 0.6, r"""
        \b(?:i (?:think|guess|suppose|believe|wonder|mean|assume)|maybe|perhaps|probably|possibly|seems?|might|could
        |not sure|wondering|how about|suggestion|we believe|i(?:['’]ll| will))\b"""),
    ("a story", 0.45, rf"""
        {_START}(?:you (?:just|did|have|had|were|are|removed|added|changed|broke)\b(?! to))
        |\bit is (?:still|now|again|too|just)\b|\bi (?!prefer|would|do not|told)\w+|\bi['’](?:m|ve|d (?!rather
        |prefer))"""),
    ("somebody says", 0.5, r"\b(?:the|\w+er|docs?|error|hook) (?:says?|said|complains?|claims?)\b"),
    ("of nobody knows what", 0.5, rf"""
        ^{_SO}(?!that is (?:wrong|not how))(?:th(?:is|at|ese|ose)|it|they) (?:(?:never|always|only|also) )?(?:is|are|was
        |will|can|does|(?!has)\w+s|\w+ed)\b"""),
    ("a condition", 0.5, rf"^{_SO}(?:if|while|assuming|what if)\b|^[^,;]*\bthere (?:is|are)\b"),
    ("something to do now", 0.6, rf"""
        {_START}(?:show|explain|tell|look|make(?! sure)|delete|remove|rename|fix|create|open|revert|change|set|move
        |put|add|try|wait|commit|push|merge|close|update|install|copy|replace|let|import|call (?:it|the))\b"""),
    ("about one thing", 0.7, rf"""
        {_START}(?:do not|stop|avoid|never) \w+ (?:the|it|that|this|them|any ?thing)\b
        |\b(?:on|with|about|for) (?:this|that|it)[.!]?$"""),
    ("long", 0.6, r"^(?:\S+ +){26}"),  # people who correct are brief
)}  # fmt: skip
"""What makes a sentence one of the moment, a guess, a story or a report, and what that leaves of its worth."""
_ASKED_TO = re.compile(pattern(rf"""
    {_SO}(?:(?P<strong>remember\b(?! (?:when|how we|i\b|we\b))|for future reference|from now on|going forward
    |in (?:the )?future\b(?=,)|(?:keep|bear) in mind|don['’]?t forget that|note (?:to self|for (?:the )?future))
    |(?P<weak>note ?(?::|that\b)|fyi\b|for your information|important ?:|heads[- ]up\b|be aware))
    [\s,:.–—-]*(?:also )?(?:(?:that|to) )?(?P<rest>(?!i\b|it['’]s\b)\S.*)"""), re.IGNORECASE)  # fmt: skip
"""A sentence that asks to remember something."""


_LONGEST_MESSAGE = 1_500
_MOST_LINES = 14  # characters and lines of a message beyond which it is a plan, a review or a log that somebody pasted
_LONGEST_SENTENCE = 400  # characters of a sentence
_FEWEST_WORDS = 4
_LETTERS = 0.6  # share of letters and blanks that a sentence has at least
_MEMORY = re.compile(r"<user-memory-input>((?:(?!<user-memory-input>).)*?)</user-memory-input>", re.DOTALL)
"""How Claude Code keeps what somebody typed after `#`."""
_MEMORY_LINE = re.compile(r"#\s*(?!#)(\S[^\n]{3,399})")
_WRAPPED = re.compile(r"<(?P<tag>[A-Za-z][\w-]*+)[^<>]*>.*?(?:</(?P=tag)>|\Z)", re.DOTALL)
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
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[`@A-Za-z])|(?<!\s)\s+[-\u2013\u2014]{1,2}\s+(?=(?:and|but|so)\b)")
_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.$", re.IGNORECASE)
_QUESTION = re.compile(
    r"""(?:(?:and|but|so|ok(?:ay)?|also|hmm+|well|or|then|yes|yeah|no|now),?\s+)*
        (?:can|could|would|will|shall|should|is|are|was|were|do(?!\s+not)|does|did|has|have\s+(?:we|you|i)|had|what
        |why|how|where
          |when\s+(?:do|does|did|is|are|will|can|should)|who|which|whose|isn'?t|aren'?t|don'?t\s+(?:we|you|i)
          |doesn'?t|didn'?t|shouldn'?t|wouldn'?t|couldn'?t|can'?t\s+(?:we|you|i)|any\s+(?:way|idea|reason|chance)
          |question|q)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKING_END = re.compile(
    r"(?:\?|,\s*+(?:right|or|yeah|yes|no|correct|ok|huh)\s*+[?.!]*+|\?[\"')\]]*)\s*+$", re.IGNORECASE
)


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


def is_sayable(text: str, *, fewest: int = _FEWEST_WORDS, longest: int = _LONGEST_SENTENCE) -> bool:
    """Whether a sentence is prose of a length that one can learn from."""
    letters = sum(character.isalpha() or character.isspace() for character in text)
    return len(text) <= longest and len(words(text)) >= fewest and letters >= _LETTERS * len(text)


LEAST = 0.5
"""The confidence below which a sentence is an order for now, or chatter."""
_ASKED_STRONGLY, _ASKED = Reason("asked to remember", 0.75), Reason("asked to note", 0.58)
_FEWEST_TO_REMEMBER = 3
_OPENING = 0.9  # what is left of the worth of what no agent's work came before: mostly it says what is to be done


class Statement(NamedTuple):
    """Why a sentence is worth learning from, and what is left of that, in (0, 1], by how it was said."""

    rule: Rule
    reasons: tuple[Reason, ...]
    share: float

    @property
    def is_general(self) -> bool:
        """Whether it holds beyond the files at hand."""
        return self.rule is Rule.REMEMBER or not {_ALWAYS, _IN_GENERAL}.isdisjoint(self.reasons)

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(certainty(self.reasons) * self.share)


def asked_to_remember(text: str) -> Statement | None:
    """Return what a sentence asks to remember, None where it asks for no such thing."""
    found = _ASKED_TO.fullmatch(text)
    if not found or is_question(text) or not is_sayable(found["rest"], fewest=_FEWEST_TO_REMEMBER):
        return None
    reason = _ASKED_STRONGLY if found["strong"] else _ASKED
    statement = Statement(Rule.REMEMBER, (reason,), _share(_spelt(text), among=("of the moment",)))
    return statement if statement.confidence >= LEAST else None


def corrected(text: str, *, is_answer: bool, least: float = LEAST) -> Statement | None:
    """Return how a sentence, in which no two blanks follow each other, says how things are done here; else None.

    It must say how something is to be (forbid, oblige, state), and that this holds beyond now: what kind of things it
    is about, why, what not, or in which case. `is_answer` says whether it comes after an agent did or said something.
    """
    if is_question(text) or not is_sayable(text):
        return None
    low = _spelt(text)
    enough, norms, lasting = ([reason for reason, cue in table if cue.search(low)] for table in _CUES)
    if not enough and not (norms and lasting):
        return None
    names = [_NAMES_CODE] if _NAMES.search(text) else []
    reasons = (*enough, *norms[:1], *lasting, *names)
    statement = Statement(Rule.CORRECTION, reasons, _share(low) * (1 if is_answer else _OPENING))
    return statement if statement.confidence >= least else None


def _spelt(text: str) -> str:
    low = text.lower()
    for short, long in _SPELT:
        low = short.sub(long, low)
    return low


def _share(low: str, among: Collection[str] = _DISCOUNTS) -> float:
    """Return what is left of a sentence's worth: little where it speaks of the moment, or of what only a chat knows."""
    return prod(_DISCOUNTS[name][0] for name in among if _DISCOUNTS[name][1].search(low))
