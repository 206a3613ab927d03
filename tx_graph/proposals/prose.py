"""Sameness: whether two texts that share their words can still say different things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from math import prod
from typing import NamedTuple

from tx_graph.core.identifiers import content_words
from tx_graph.documents.chunking import sentence_ends
from tx_graph.proposals.values import Reason

_WORDS: dict[Reason, tuple[str, ...]] = {
    Reason("because", 0.3): (
        "because", "due to", "owing to", "the reason", "that is why", "that's why", "hence", "as a result",
        "since (?:an?|it|its|no|that|the|there|these|they|this|we|you)", "(?<=, )since",
    ),
    Reason("so", 0.3): (
        r"(?<=, )so(?! far| on| called|-called)", "so that", "to (?:avoid|prevent)", "(?:avoid|prevent)s",
    ),
    Reason("otherwise", 0.3): (r"(?:(?<=[.;:(] )|(?<=^)|would |could |will |because )otherwise", "or else", "lest"),
    Reason("intent", 0.3): ("(?:deliberate|intentional)ly", "on purpose", "by design", "not a bug"),
    Reason("constraint", 0.25): (
        "(?:must|should|can|may|could|need) (?:not|never|only)", "cannot", "mustn't", "must", "never", "only works?",
        "(?<=^)(?:do not|don't)", "rel(?:y|ies) on", "depends? on", "requires",
        "not (?:support(?:ed)?|allow(?:ed)?|safe|possible|work)",
    ),
    Reason("workaround", 0.25): ("work-?arounds? for", "work(?:s|ed|ing)? around", "quirks?", "gotchas?"),
    Reason("cause", 0.2): (
        r"regress(?:ion|ed|es)(?!\s+(?:tests?|coverage))", "(?:broken?|introduced|caused) (?:by|in|since|when)",
        "root cause", "turn(?:s|ed) out", "the (?:actual |real |underlying )?(?:problem|issue|culprit|bug) (?:is|was)",
    ),
    Reason("consequence", 0.2): (
        r"which (?:then |in turn )?(?:mean|caus|lead|led|result|break|broke|make|made)\w*",
        "leads? to", "results? in", "causes?", "(?:fail|break|crashe|hang|raise|throw|panic)s",
        r"(?:would|could|can|may|might|will) (?:\w+ )?(?:fail|break|crash|hang|lead|cause|result|lose|block|panic)\w*",
    ),
    Reason("danger", 0.2): (
        r"race conditions?|rac(?:e|y|ing)|dead-?lock\w*|toctou|thread-?saf\w+|re-?entran\w+|undefined behaviou?r",
        r"leak(?:s|ed|ing)?|use[- ]after[- ]free|overflow\w*|segfault\w*|corrupt\w*|data loss|security|vulnerab\w+",
        r"cve-\d+|out of bounds|infinite (?:loop|recursion)",
    ),
    Reason("instead of", 0.12): ("instead of", "rather than", "in favou?r of", "as opposed to", "trade-?offs?"),
    Reason("guarantee", 0.1): (r"guarantees?", r"assum\w+", r"(?:in)?compatib\w+", "always"),
    Reason("contrast", 0.08): (
        "however", "unfortunately", "although", "even though", "despite", "but", "unlike", "contrary to", "otherwise",
    ),
}  # fmt: skip
"""Words, by what they tell. Each counts once however often it stands there: a long text is no better for that."""
_CUES = [(reason, re.compile(rf"(?<![\"'`\u201c])\b(?:{'|'.join(words)})\b")) for reason, words in _WORDS.items()]
_HARM = ("cause", "consequence", "danger")
_MENDS = re.compile(r"\b(?:fix|correct|prevent|avoid|handle|resolve|restore|clean)", re.IGNORECASE)
"""What tells how it was before a commit, or would be: it makes no sense without what was done about it."""
_STRONG = 0.2  # the weight from which on a word alone makes an explanation; weaker ones only make it a better one


def cues(text: str) -> list[Reason]:
    """Return what tells that a text explains something, strongest first; each name once."""
    low = text.lower()  # five times as fast as patterns that ignore case
    return [reason for reason, pattern in _CUES if pattern.search(low)]


def explains(reasons: Iterable[Reason]) -> bool:
    """Whether these reasons make an explanation, rather than an ordinary sentence."""
    return any(reason.weight >= _STRONG for reason in reasons)


def certainty(reasons: Iterable[Reason]) -> float:
    """Return how sure several independent reasons make together, in [0, 1): noisy or."""
    return 1 - prod(1 - reason.weight for reason in reasons)


_SIDE_PATH = re.compile(
    r"""
      (?:^|/)(?:
          docs?|documentation|tests?|testing|specs?|__tests__|__mocks__|mocks|fixtures|testdata|examples?
        | \.github|\.gitlab|ci|po|contrib|scripts|changes|news|changelog\.d|website
      )/
    | \.(?:md|mdx|rst|adoc|po|pot|lock|svg|png|snap|1|3)$
    | (?:^|/)(?:
          test_[^/]* | [^/]*[._-](?:test|spec)\.\w+ | t\d{4}[^/]* | change(?:log|s)[^/]* | readme[^/]* | \.[\w.-]+
        | (?=[\w.-]*lock)[\w.-]*\.(?:json|yaml|toml)
      )$
    """,
    re.VERBOSE,
)


_FOREIGN_PATH = re.compile(
    r"(?:^|/)(?:vendor(?:ed)?|third[-_]?party|(?:node|bower)_(?:modules|components)|externals?|extern|dist|deps)/"
    r"|[.-]min\.(?:js|css|mjs)$|(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.dart|\.designer\.cs)$|(?:^|/)gradlew(?:\.bat)?$",
    re.IGNORECASE,
)


def is_foreign(path: str) -> bool:
    """Whether somebody else, or a tool, wrote a file, as far as its path tells (after GitHub's Linguist)."""
    return bool(_FOREIGN_PATH.search(path))


def is_side_path(path: str) -> bool:
    """Whether a file is no part of the program itself: tests, pages, what builds and checks it."""
    return bool(_SIDE_PATH.search(path.lower()))


def code_paths(paths: Sequence[str]) -> list[str]:
    """Return the paths that are part of the program; all of this project's when none is."""
    ours = [path for path in paths if not is_foreign(path)]
    return [path for path in ours if not is_side_path(path)] or ours


_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff]")
"""Characters that a terminal obeys, that show text in another order than it has, or that are no text."""
_MARKUP_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TRAILER = re.compile(
    r"""\s*(?:[A-Z]\w+(?:-\w+)+:\s | \w+(?:\s\w+)?(?:-by:?|\sby:)\s | (?i:cc|thanks(?:\ to)?):\s
      | (?:(?:[A-Z][\w-]*|(?i:closes?|fix(?:es|ed)?|refs?|pr|issue))[:\s]+(?:\w+[:\s]+){0,2})?
        (?:\#\d|[\w.-]+/[\w.-]+\#\d|GH-?\d|https?://|<?[\w.+-]+@|[0-9a-f]{7,40}\b|[A-Z]{2,}-\d)\S*$
      | \(cherry\ picked\ from | git-svn-id: | \[skip\ ci\] | \N{ROBOT FACE} | Generated\ with\ \[
      | (?:\#\ )?(?i:conflicts):)""",
    re.VERBOSE,
)
"""Lines for machines and for the polite: who was there, and what else to look at."""
_BULLET = re.compile(r"\s{0,6}(?:[-*+\u2022]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_HEADING = re.compile(r"#{1,6}\s+\S|\*\*[^*]{1,60}\*\*:?$|[A-Z]\w+(?: \w+)?:$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


class Kind(Enum):
    """What a paragraph is."""

    PROSE = auto()
    LIST = auto()
    CODE = auto()
    HEADING = auto()


class Paragraph(NamedTuple):
    """A piece of a text: prose and headings on one line, each item of a list on its own, code as it was written."""

    kind: Kind
    text: str


def clean(text: str) -> str:
    """Return somebody else's text with Unix line ends and without characters that are not meant to be read."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)
    return _UNSEEN.sub("", _MARKUP_COMMENT.sub("", text)).strip("\n")


def paragraphs(text: str) -> list[Paragraph]:
    """Return the paragraphs of a text that `clean` returned; trailers are cut out wherever they stand."""
    return [one for block in _blocks(text) for one in _pieces(block) if one.text]


def words(text: str) -> list[str]:
    """Return the words of a text; numbers and signs are none."""
    return _WORD.findall(text)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the runs of lines between blank ones; what stands in a fence is one of its own."""
    block: list[str] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            if not fenced and block:
                yield block
                block = []
            fenced = not fenced
        elif not line.strip() and not fenced:
            if block:
                yield block
            block = []
            continue
        block.append(line.rstrip())
        if block[1:] and not fenced and _FENCE.match(line):
            yield block
            block = []
    if block:
        yield block


def _pieces(block: list[str]) -> Iterator[Paragraph]:
    """Yield what a block is made of: lists often follow prose without a blank line."""
    indented = sum(line.startswith("  ") for line in block)
    if _FENCE.match(block[0]) or (2 * indented >= len(block) and not any(map(_BULLET.match, block))):
        yield Paragraph(Kind.CODE, "\n".join(block))
        return
    kept: list[str] = []
    dropping = False
    for line in block:  # what a trailer is continued with, indented, goes with it
        dropping = bool(_TRAILER.match(line)) or (dropping and line.startswith((" ", "\t")))
        if not dropping and not line.startswith(">"):  # what is quoted
            kept.append(line)
    start = next((index for index, line in enumerate(kept) if _BULLET.match(line)), len(kept))
    if len(kept[:start]) == 1 and _HEADING.match(kept[0].strip()):
        yield Paragraph(Kind.HEADING, kept[0].strip("#* :"))
    elif start:
        yield Paragraph(Kind.PROSE, " ".join(" ".join(kept[:start]).split()))
    items: list[str] = []
    for line in kept[start:]:
        if _BULLET.match(line):
            items.append(line.strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}"
    if items:
        yield Paragraph(Kind.LIST, "\n".join(items))


ROOM = 280  # characters of what is proposed: two sentences
_SAYABLE = range(5, 51)  # words of a sentence that says something, and one thing
_STORY_SHARE = 0.5
_ASIDE = 0.02  # how much less a sentence is worth for each before it: the point comes first, then come asides
_CUT = re.compile(r"(?:[:…]|\b(?:because|since|so|that|to|of|the|with|for|and|or|requires?|is|are))$")
"""How a sentence ends that goes on in a list or in code."""
_LETTERS = 0.8  # share of letters and blanks that a sentence has: logs, tables and dumps have fewer
_NAME = re.compile(
    r"""`(?P<quoted>[^`\n]+)`|(?<![\w/.-])(?:(?P<called>[A-Za-z_][\w.:#]{0,200})\(|(?P<plain>_*[A-Za-z]\w*+(?:(?:::|\.|\#)[A-Za-z_]\w++)+
    |(?=\w*[a-z]_[A-Za-z])\w++|[a-z]++[A-Z]\w*+|[A-Z]++[a-z0-9]++[A-Z]\w*+|__\w+__)(?![\w/]))""",
    re.VERBOSE,
)
"""What stands for code: in backticks, called, dotted, with an underscore, or with capitals inside."""
_WHOLE_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.|#)[A-Za-z_]\w*)*")
_LEANS = re.compile(
    r"""\W*(?:th(?:is|at|ese|ose|ey|en|erefore|us)|its?|he|she|so|hence|also|instead|however|otherwise|but|and|or|which
    |here|such|both|as\ well|another|similar|unfortunately|now|for\ example|(?:because|since)\b(?![^,]*,)
    |(?:as|in|for|with(?:out)?|after|before|by|given|doing|because|due)\ (?:\w+\ )?(?:this|that|these|it|so)
    |(?:\w+\W+){0,3}(?:this|it|these|they)\ (?:\w+s|will|would|should|can|could|may)|namely|essentially|specifically
    |in\ (?:effect|particular|fact|practice|short|other|the\ above|an\ effort)|to\ reproduce|finally|then|again
    |the\ (?:former|latter|same|problem|issue|reason|change|fix|idea|old|new|other|second))\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""How sentences begin that go on from something."""
_ADDRESSED = re.compile(
    r"\b(?:I(?:'\w+)?|my|me|myself|let me|let's|you're|your|please|thanks?|sorry|here's|TODO)\b|[?]\W*$"
)
"""What is said by somebody to somebody, or asked: an opinion, an order."""
_TALK = re.compile(
    r"\b(?:I(?:'ll| will| can| apologi[sz]e)|let(?: me|'s)|here(?:'s| is)|you're|please|certainly|(?:sure|great)[,!])",
    re.IGNORECASE,
)
"""What is said in a conversation."""
_STORY = re.compile(
    r"""\b(?:(?:this|the|these|provided)\ (?:\w+\ )?(?:commit|pr|pull\ request|patch|change|release)(?:e?s)?
    |(?:previous|upstream|next|earlier|last|following|latest)\ (?:\w+\ )?(?:commit|pr|patch|release|version|step)s?
    |^\w+[^e]ed|we\ \w+ed|newly|previously|used\ to|no\ longer|any\s?more|was|were|had|did(?:n't)?|wasn't|has\ been
    |probably|maybe|perhaps|not\ sure|seems?|appears?|apparently|somehow|suspect)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What tells a story, or a guess, rather than how things are."""


def code_names(text: str) -> list[str]:
    """Return what a text names as code, in its order and each once: `login`, `Auth.login`, without brackets."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        found |= dict.fromkeys(_WHOLE_NAME.findall(match[match.lastgroup or 0]))
    return list(found)


class Point(NamedTuple):
    """One thing that a text says, why included, what tells that, and which share of its worth is left, in (0, 1]."""

    text: str
    reasons: tuple[Reason, ...]
    share: float

    @property
    def worth(self) -> float:
        """How sure it is that this is worth knowing, in [0, 1)."""
        return certainty(self.reasons) * self.share


def begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with code."""
    return text if _NAME.match(text) else text[:1].upper() + text[1:]


def is_chat(text: str) -> bool:
    """Whether more than a third of a text's sentences are said to somebody, as to an agent, or by one."""
    said = sentences(text)
    return sum(bool(_TALK.search(one)) for one in said) > len(said) / 3


def sentences(text: str) -> list[str]:
    """Return the sentences of a paragraph of prose."""
    ends = [0, *sentence_ends(text), len(text)]
    return [said for start, end in pairwise(ends) if (said := text[start:end].strip())]


def point(found: Sequence[Paragraph], *, about: str = "") -> Point | None:
    """Return the sentence of a text that says most by its reason, None where none gives one.

    One that goes on from something has the sentence before it with it. One that opens a text so, names no code or
    tells of harm stands behind what the text is `about`.
    """
    points: list[Point] = []
    before = ""
    said_all = [one for paragraph in found if paragraph.kind is Kind.PROSE for one in sentences(paragraph.text)]
    for place, said in enumerate(said_all):
        reasons, text, leans = cues(said), said, bool(_LEANS.match(said) or said[0].islower())
        if leans and before:
            text, leans = f"{before} {said}", bool(_LEANS.match(before))
        is_of_then = bool(_MENDS.search(about)) or any(one.name in _HARM for one in reasons)
        if about and (leans or is_of_then or not _NAME.search(text)):
            text, leans = f"{about.rstrip('.')}: {text}", leans and place > 0
        is_sayable = _is_sayable(said)
        before = said if is_sayable else ""
        if is_sayable and not leans and len(text) <= ROOM and explains(reasons):
            share = (_STORY_SHARE if _STORY.search(said) else 1) / (1 + _ASIDE * place)
            points.append(Point(text, tuple(reasons), share))
    return max(points, key=lambda one: one.worth, default=None)


def brief(found: Sequence[Paragraph]) -> str:
    """Return what is short enough as it is, lists included, else its sentence that says most; empty where none does."""
    whole = "\n\n".join(one.text for one in found if one.kind in (Kind.PROSE, Kind.LIST))
    best = point(found) if len(whole) > ROOM else None
    return best.text if best else "" if len(whole) > ROOM else whole


def _is_sayable(said: str) -> bool:
    """Whether a sentence can stand in a record: not too long, no question, no dump, no half of a bracket."""
    plain = _NAME.sub("code", said)
    is_text = sum(letter.isalpha() or letter == " " for letter in plain) >= _LETTERS * len(plain)
    is_whole = said.count("(") == said.count(")") and not said.count("`") % 2 and not _CUT.search(said)
    return is_text and is_whole and len(words(said)) in _SAYABLE and not _ADDRESSED.search(said)


def size(found: Sequence[Paragraph]) -> int:
    """Return how many words of prose there are."""
    return sum(len(words(one.text)) for one in found if one.kind is Kind.PROSE)


_SPAN = re.compile(r"`([^`]+)`")
_AGAINST = re.compile(
    r"\b(?:not|never|no|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|cannot|mustn'?t|shouldn'?t|stop|avoid|without|except"
    r"|instead\s+of|rather\s+than)\b(?P<rest>(?:\W+[\w./-]+){1,4})",
    re.IGNORECASE,
)
"""Words that turn round what comes behind them."""


def may_be_same(one: str, other: str) -> bool:
    """Whether nothing speaks against two texts of much the same words saying the same.

    They do not if they quote different code, or if what is ruled out in one is not in the other: `use tabs, not blanks`
    and `use blanks, not tabs` have the same words.
    """
    spans, others = set(_SPAN.findall(one)), set(_SPAN.findall(other))
    if spans and others and not (spans <= others or others <= spans):
        return False
    against, for_ = _ruled_out(one), _ruled_out(other)
    return not against.isdisjoint(for_) if against or for_ else True


def _ruled_out(text: str) -> set[str]:
    return {word for found in _AGAINST.finditer(text) for word in content_words(found["rest"])}
