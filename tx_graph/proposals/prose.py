"""Sameness: whether two texts that share their words can still say different things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from math import prod
from typing import NamedTuple

from tx_graph.core.identifiers import content_words
from tx_graph.proposals.values import Reason

_WORDS: dict[Reason, tuple[str, ...]] = {
    Reason("because", 0.22): (
        "because", "due to", "owing to", "the reason", "that is why", "that's why", "as a result", "hence",
    ),
    Reason("regression", 0.22): (
        r"regress(?:ion|ed|es)(?!\s+(?:tests?|coverage))", "(?:broken?|introduced|caused) (?:by|in|since|when)",
    ),
    Reason("otherwise", 0.2): ("otherwise", "or else", "lest"),
    Reason("workaround", 0.2): ("work-?arounds?", "work(?:s|ed|ing)? around", "quirks?"),
    Reason("race", 0.2): (
        "race conditions?", "rac(?:e|y|ing)", r"dead-?lock\w*", "toctou", r"thread-?saf\w+", r"re-?entran\w+",
    ),
    Reason("cause", 0.2): (
        "root cause", "turn(?:s|ed) out", "the (?:actual |real |underlying )?(?:problem|issue|culprit|bug) (?:is|was)",
    ),
    Reason("intent", 0.2): ("deliberate(?:ly)?", "intentional(?:ly)?", "on purpose", "by design", "not a bug"),
    Reason("consequence", 0.18): (
        r"which (?:then |in turn )?(?:mean|caus|lead|result|break|make|fail)\w*",
        "which (?:then |in turn )?(?:meant|led|broke|made)",
        r"(?:this|that|it) (?:would|could|can|may|might) (?:\w+ )?(?:fail|break|crash|hang|lead|cause|result|lose)\w*",
    ),
    Reason("danger", 0.14): (
        "undefined behaviou?r", "leak(?:s|ed|ing)", "memory leak", "use[- ]after[- ]free", r"overflow\w*",
        r"segfault\w*", r"corrupt\w*", "data loss", "security", r"vulnerab\w+", r"cve-\d+", "out of bounds",
        "infinite (?:loop|recursion)",
    ),
    Reason("constraint", 0.14): (
        "(?:must|should|can|may) (?:not|never|only)", "cannot", "never", "only works?", "relies on", "depends on",
        "requires?", r"guarantee\w*", r"assum\w+", r"compatib\w+",
    ),
    Reason("so that", 0.12): ("so that", "in order to", "to (?:avoid|prevent|ensure|make sure|keep)"),
    Reason("instead of", 0.12): (
        "instead of", "rather than", "in favou?r of", "as opposed to", "trade-?offs?",
    ),
    Reason("contrast", 0.08): (
        "however", "unfortunately", "although", "even though", "despite", "but", "unlike", "contrary to",
    ),
    Reason("before", 0.06): (
        "previously", "used to", "formerly", "no longer", "before this", "until now", "currently",
    ),
}  # fmt: skip
"""Words, by what they tell. Each counts once however often it stands there: a long text is no better for that."""
_CUES = [(reason, re.compile(rf"\b(?:{'|'.join(words)})\b")) for reason, words in _WORDS.items()]
_STRONG = 0.12  # the weight from which on a word alone makes an explanation; weaker ones only make it a better one


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
    | \.(?:md|mdx|rst|txt|adoc|po|pot|lock|svg|png|snap|1|3)$
    | (?:^|/)(?:
          test_[^/]* | [^/]*[._-](?:test|spec)\.\w+ | t\d{4}[^/]* | change(?:log|s)[^/]* | readme[^/]* | \.[\w.-]+
        | [\w.-]*lock[\w.-]*\.(?:json|yaml|toml)
      )$
    """,
    re.VERBOSE,
)


def is_side_path(path: str) -> bool:
    """Whether a file is no part of the program itself: tests, pages, what builds and checks it."""
    return bool(_SIDE_PATH.search(path.lower()))


def code_paths(paths: Sequence[str]) -> list[str]:
    """Return the paths that are part of the program; all of them when none is."""
    return [path for path in paths if not is_side_path(path)] or list(paths)


_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd\ud800-\udfff]")
"""Characters that a terminal obeys, that show text in another order than it has, or that are no text."""
_MARKUP_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TRAILER = re.compile(
    r"""\s*(?:
        [A-Z]\w+(?:-\w+)+:\s                                          # Signed-off-by: and its many relatives
      | (?:closes?|fix(?:es|ed)?|resolves?|refs?|references?|see(?:\s+also)?|part\s+of|follow-?up(?:\s+to)?|related\s+to
          |reverts?|bug|issue|ticket|pr|re|cc|link|url|thanks\s+to|reported|reviewed|approved|acked|tested|signed
          |assisted|differential\s+revision|backport(?:\s+of)?|cherry[- ]picked\s+from|introduced\s+in|discussion)
        (?:\s*:)?\s*(?:in\s+|by\s+|commit\s+)?
        (?:\#\d|[\w.-]+/[\w.-]+\#\d|GH-?\d|https?://|<?[\w.+-]+@|[0-9a-f]{7,40}\b|[A-Z]{2,}-\d).{0,90}$
      | (?:reported|suggested|assisted|reviewed|pointed\s+out|inspired|helped|spotted|found|analyzed|noticed|mentioned
          |approved|tested|acked)\s*-?by:?\s
      | (?:cc|thanks(?:\s+to)?):\s
      | \(cherry\ picked\ from | git-svn-id: | \[skip\ ci\] | \N{ROBOT FACE} | generated\ with\ \[
      | \#\ conflicts | conflicts:$ | https?://\S+$
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BULLET = re.compile(r"\s{0,6}(?:[-*+\u2022]|\(?(?:\d{1,3}|[a-z])[.)])\s+\S")
_HEADING = re.compile(r"#{1,6}\s+\S|\*\*[^*]{1,60}\*\*:?$|[A-Z]\w+(?: \w+)?:$")
_UNDERLINE = re.compile(r"[=\-~^*_]{3,}$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_TABLE = re.compile(r"\s*\|.*\||\s*\+[-=+]+\+")
_DEAF = re.compile(r"test plan|how to test|checklist|screenshots?|type of change|related issues?", re.IGNORECASE)
"""Headings of sections that forms ask for, and that explain nothing."""
_INDENT = 4  # blanks from which on a line is no prose
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
    kept: list[Paragraph] = []
    deaf = False
    for one in (one for block in _blocks(text) for one in _pieces(block)):
        if one.kind is Kind.HEADING:
            deaf = bool(_DEAF.search(one.text))
        if not deaf and one.text:
            kept.append(one)
    return kept


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
    if _FENCE.match(block[0]) or all(line.startswith(" " * _INDENT) or _TABLE.match(line) for line in block):
        yield Paragraph(Kind.CODE, "\n".join(block))
        return
    kept: list[str] = []
    dropping = False
    for line in block:  # what a trailer is continued with, indented, goes with it
        dropping = bool(_TRAILER.match(line)) or (dropping and line.startswith((" ", "\t")))
        if not dropping and not _UNDERLINE.match(line.strip()):
            kept.append(line)
    start = next((index for index, line in enumerate(kept) if _starts_item(line)), len(kept))
    if len(kept[:start]) == 1 and _HEADING.match(kept[0].strip()):
        yield Paragraph(Kind.HEADING, kept[0].strip("#* :"))
    elif start:
        yield Paragraph(Kind.PROSE, " ".join(" ".join(line.lstrip("> ") for line in kept[:start]).split()))
    items: list[str] = []
    for line in kept[start:]:
        if _starts_item(line):
            items.append(line.strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}"
    if items:
        yield Paragraph(Kind.LIST, "\n".join(items))


def _starts_item(line: str) -> bool:
    return bool(_BULLET.match(line) or _TABLE.match(line))


_ROOM = 900  # characters of an explanation: three paragraphs, which people still read
_OPENING = 450  # characters of the first paragraph where others explain more: it says what it is all about
_LONGEST = {Kind.LIST: 400, Kind.CODE: 200}  # characters of a list or an example that still goes with its sentence
_LEFT_OUT = "…"
_ODD = 0.3
_LETTERS = 0.6  # share of letters that sentences have at least
_LEAST_WORTH = 0.05
_SENTENCE_ENDS = (". ", "! ", "? ", "; ")


def extract(found: Sequence[Paragraph], *, room: int = _ROOM) -> str:
    """Return the paragraphs that explain most, in their order, in about `room` characters; gaps are marked.

    The first one is always there. A list goes with the sentence that announces it.
    """
    prose = [index for index, one in enumerate(found) if one.kind is Kind.PROSE]
    if not prose:
        return ""
    texts: dict[int, str] = {}
    for index in prose:
        texts[index] = found[index].text
        below = found[index + 1] if index + 1 < len(found) else None
        if texts[index].endswith(":") and below and len(below.text) <= _LONGEST.get(below.kind, 0):
            texts[index] += f"\n\n{below.text}"
    if sum(map(len, texts.values())) <= room:
        return "\n\n".join(texts.values())
    texts[prose[0]] = shortened(texts[prose[0]], _OPENING if len(prose) > 1 else room)
    chosen = {prose[0]}
    room -= len(texts[prose[0]])
    worth: dict[int, float] = {}
    for index in prose[1:]:
        text = texts[index]
        # It announces what is not there, or is a drawing or a log.
        is_odd = text.endswith(":") or sum(map(str.isalpha, text)) < _LETTERS * len(text)
        worth[index] = certainty(cues(text)) * (_ODD if is_odd else 1)
    for index in sorted(worth, key=lambda index: (-worth[index], index)):
        if len(texts[index]) <= room and worth[index] >= _LEAST_WORTH:
            chosen.add(index)
            room -= len(texts[index])
    told: list[str] = []
    for index, text in texts.items():
        if index in chosen:
            told.append(text)
        elif index < max(chosen) and not told[-1].endswith(_LEFT_OUT):
            told.append(_LEFT_OUT)
    return "\n\n".join(told)


def shortened(text: str, length: int) -> str:
    """Return whole sentences of `text` in at most `length` characters, marked when something was left out."""
    if len(text) <= length:
        return text
    head = text[: length - 1]
    cut = max(head.rfind(end) for end in _SENTENCE_ENDS) + 1
    cut = cut if cut > length // 2 else head.rfind(" ")
    return f"{head[: cut if cut > 0 else length - 1].rstrip()} {_LEFT_OUT}"


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
