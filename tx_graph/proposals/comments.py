"""Comments that give reasons, and decision records: what they propose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256

from tx_graph.code.comments import Comment
from tx_graph.code.symbols import simple_name
from tx_graph.proposals import prose
from tx_graph.proposals.commits import LEAST, bounded
from tx_graph.proposals.prose import Kind, Paragraph
from tx_graph.proposals.values import Proposal, Reason
from tx_graph.records.anchor import AnchorRequest
from tx_graph.records.learning import SourceType

MARKS = re.compile(
    r"(?P<mark>\b(?:WHY|HACK|HACKS|KLUDGE|WORKAROUND|XXX|FIXME|TODO|NOTE|NB|WARNING|CAUTION|GOTCHA|IMPORTANT)\b"
    r"|\b(?:Why|Hack|Workaround|Note|Warning|Caution|Important|Gotcha|NOTE TO SELF)(?=:))"
    r"(?:\((?P<aside>[^)\n]{0,80})\))?(?:\s*[:\-\u2013\u2014!]+(?!\w*>)|\b)\s*"
)
"""What a comment begins with, or a line of it, when it has something to say; with `(…)` behind, as in TODO(why)."""
_WORTH = {
    mark: worth
    for worth, marks in (
        (0.45, "why workaround gotcha"),
        (0.4, "hack hacks kludge"),
        (0.3, "warning caution"),
        (0.25, "xxx"),
        (0.24, "important"),
        (0.22, "note nb"),
        (0.15, "fixme"),
        (0.05, "todo"),
    )
    for mark in marks.split()
}
_PITFALLS = frozenset("hack hacks kludge workaround gotcha warning caution xxx fixme".split())
_NEEDS_WHY = frozenset("todo fixme xxx".split())
"""Marks of work to be done: worth knowing only if it is said why it was not done yet."""
_FEWEST_WORDS = 9
_FEW_WORDS = 30  # words before a mark that still go with it; more of them describe what the code does
_LONG_TEXT = 400  # words of a comment beyond which it is a document of its own
_LEGAL = re.compile(r"copyright|licen[cs]e|spdx|warranty|all rights reserved|@generated|do not edit", re.IGNORECASE)
_SIDE_SHARE = 0.7
_TAGS = re.compile(r"^[ \t]*[@\\][a-z]\w+\b.*(?:\n|\Z)", re.MULTILINE)  # lines that documentation tools read


def propose_comment(comments: Sequence[Comment]) -> Proposal | None:
    """Return what comments of the same words propose, None when they do not explain; each place is an anchor.

    A paragraph that begins with a mark says it, and those before it in the same comment say what it is about.
    """
    comment = comments[0]
    found = marked(comment)
    if found is None:
        return None
    mark, body = found
    said = "\n".join(one.text for one in body)
    reasons = [Reason(mark.upper(), _WORTH[mark]), *prose.cues(said)]
    if mark in _NEEDS_WHY and not prose.explains(reasons[1:]):
        return None
    side = all(prose.is_side_path(one.path) for one in comments)
    confidence = bounded(prose.certainty(reasons) * (_SIDE_SHARE if side else 1))
    content = prose.brief(body)
    if confidence < LEAST or not content:
        return None
    # A comment need not repeat the name of what it is about.
    symbol = comment.symbol if len(comments) == 1 else None
    name = symbol.rpartition("#")[0] or symbol if symbol else ""
    if name and simple_name(name) not in content:
        content = f"{name.replace('::', '.')}: {content}"
    return Proposal(
        content=content,
        category="pitfall" if mark in _PITFALLS else "rationale",
        confidence=confidence,
        reasons=tuple(reason.name for reason in reasons),
        source_type=SourceType.COMMENT,
        source_ref=reference(comment),
        anchors=tuple(
            AnchorRequest(path=one.path, symbol=one.symbol, lines=None if one.symbol else one.code) for one in comments
        ),
    )


def marked(comment: Comment) -> tuple[str, list[Paragraph]] | None:
    """Return the mark of a comment, in lower case, and what it says; None if that is too little."""
    if _LEGAL.search(comment.text):
        return None
    body = prose.paragraphs(_TAGS.sub("", prose.clean(comment.text)))
    for index, one in enumerate(body):
        match = MARKS.match(one.text) if one.kind is not Kind.CODE else None
        if match:
            told = [
                Paragraph(Kind.PROSE, part.text) if part.kind is Kind.HEADING else part
                for part in _around(body, index, match)
                if part.text
            ]
            is_whole = _FEWEST_WORDS <= prose.size(told) <= _LONG_TEXT and not told[-1].text.endswith(":")
            return (match["mark"].lower(), told) if is_whole else None
    return None


def _around(body: Sequence[Paragraph], index: int, match: re.Match[str]) -> list[Paragraph]:
    """Return the paragraph without its mark, and what belongs to it: what follows at the top, few words before it."""
    aside, text = match["aside"] or "", body[index].text[match.end() :]
    kept = f"{aside}: {text}" if len(aside.split()) > 1 else text  # one word in brackets is often a name
    one = Paragraph(body[index].kind, kept[:1].upper() + kept[1:])
    if index == 0:
        return [one, *body[1:]]
    before = body[:index] if prose.size(body[:index]) <= _FEW_WORDS else []
    below = body[index + 1 : index + 2]
    its_list = below if one.text.endswith(":") and below and below[0].kind is not Kind.PROSE else []
    return [*before, one, *its_list]


def reference(comment: Comment) -> str:
    """Return what makes a comment the same one again, wherever its file is moved to: a digest of its words."""
    words = " ".join(prose.clean(comment.text).split())
    return f"comment:{sha256(words.encode('utf-8', 'replace')).hexdigest()[:16]}"


_PLACE = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|decision[-_]?(?:records?|log)|architecture[-_]?decisions?(?:[-_]?records?)?)/"
    r"(?:[^/]+/)?(?!readme|index|[^/]*template)[^/]+\.(?:md|markdown|rst|adoc|txt)$",
    re.IGNORECASE,
)
_FRONT_MATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n", re.DOTALL)
_NUMBER = re.compile(
    r"^(?:(?:adr|decision)?[-\s#]*+\d++\s*+[.:)\u2013\u2014-]+\s*|(?:adr|decision)[-\s]*+\d*+\s*+[.:]\s*)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^(?:#\s+(?P<marked>\S.*)|(?P<plain>\S.*)\n={3,}\s*$|=\s+(?P<dotted>\S.*))", re.MULTILINE)
_HEADING = re.compile(
    r"^(?:#{2,6}\s+(?P<marked>\S.*)|={2,6}\s+(?P<dotted>\S.*)|(?P<plain>[^\n#*-][^\n]*)\n[-~^]{3,}[ \t]*)$",
    re.MULTILINE,
)
_RUN_IN = re.compile(
    r"^(?:\*\*|__)(?P<name>status|context|problem|decision(?: outcome)?|consequences|alternatives|rationale)[.:]?"
    r"(?:\*\*|__)[.:]?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_LINE = re.compile(
    r"^[*\-| \t]*(?:\*\*)?status(?:\*\*)?\s*(?:\*\*)?[:|](?:\*\*)?\s*(?P<status>.+)$", re.IGNORECASE | re.MULTILINE
)
_DECISION = re.compile(
    r"^(?:the\s+)?(?:decisions?(?:\s+outcome|\s+made)?|outcome|resolution|solution|what we decided)\b", re.IGNORECASE
)
_OVER = re.compile(
    r"\b(?:superseded|deprecated|rejected|obsolete|replaced|withdrawn|abandoned|declined)\b", re.IGNORECASE
)
_OPEN = re.compile(r"\b(?:proposed|draft|pending|under discussion|in review|tbd)\b", re.IGNORECASE)
_CODE = re.compile(r"`([^`\s]+)`")
_FILE_NAME = re.compile(r"\w\.\w+$")
_MOST_FILES = 4
_SURE, _UNDECIDED = 0.85, 0.45
"""Confidence in a decision that stands, and in one that its page calls open."""


def is_decision_page(path: str) -> bool:
    """Whether a file is a decision record, by where it is."""
    return bool(_PLACE.search(path))


def propose_decision(path: str, text: str, *, files: Collection[str]) -> Proposal | None:
    """Return what a decision record proposes, None when it decides nothing, or nothing that stands.

    It is tied to its page and to those of the project's `files` that it names as code.
    """
    cleaned = prose.clean(text)
    match = _TITLE.search(_FRONT_MATTER.sub("", cleaned))
    title = next(filter(None, match.groups()), "") if match else ""
    title = " ".join(_NUMBER.sub("", title.strip().strip("#*` ")).split())
    sections = dict(_sections(cleaned))
    # A page says of its standing in front matter, on a line of its own or in a section.
    section = next((body for name, body in sections.items() if name.lower() == "status"), "")
    line = _STATUS_LINE.search(cleaned)
    status = f"{section}\n{line['status'] if line else ''}"
    decision = prose.paragraphs(next((body for name, body in sections.items() if _DECISION.match(name)), ""))
    said = [Paragraph(Kind.PROSE, one.text) if one.kind is Kind.LIST else one for one in decision]
    first = next((one.text for one in said if one.kind is Kind.PROSE), "")
    told = prose.brief(said) or first[: prose.ROOM].rpartition(" ")[0]
    if not title or not told or _OVER.search(status):
        return None
    is_open = bool(_OPEN.search(status))
    # Files that are named as code, by their whole paths or by ends of which there is only one.
    names = [name for name in dict.fromkeys(_CODE.findall(cleaned)) if _FILE_NAME.search(name)]
    ends = ([path for path in files if f"/{path}".endswith(f"/{name}")] for name in names)
    named = list(dict.fromkeys(found[0] for found in ends if len(found) == 1))[:_MOST_FILES]
    return Proposal(
        content=f"{title}\n\n{told}",
        category="decision",
        confidence=_UNDECIDED if is_open else _SURE,
        reasons=("decision record", "still open") if is_open else ("decision record",),
        source_type=SourceType.DOCUMENT,
        source_ref=path,
        anchors=tuple(AnchorRequest(path=one) for one in (path, *named)),
    )


def _sections(text: str) -> Iterable[tuple[str, str]]:
    """Yield name and text of each section, by its heading or by bold words that a paragraph begins with."""
    starts = sorted(
        (match.start(), match.end(), next(filter(None, match.groups()), ""))
        for pattern in (_HEADING, _RUN_IN)
        for match in pattern.finditer(text)
    )
    for number, (_, start, name) in enumerate(starts, start=1):
        end = starts[number][0] if number < len(starts) else len(text)
        yield name.rstrip("# \t").strip("*_:. "), text[start:end].strip("\n")
