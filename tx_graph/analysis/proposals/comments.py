"""Comments: which of them tell what the code beside them cannot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from tx_graph.analysis.proposals.commits import LEAST, bounded
from tx_graph.analysis.proposals.extract import extract, size
from tx_graph.analysis.proposals.prose import Kind, Paragraph, clean, paragraphs
from tx_graph.analysis.proposals.routine import is_side_path
from tx_graph.analysis.proposals.why import certainty, cues, explains
from tx_graph.analysis.symbol_names import simple_name
from tx_graph.domain.anchor import AnchorRequest
from tx_graph.domain.comment import Comment
from tx_graph.domain.learning import SourceType
from tx_graph.domain.proposal import Proposal, Reason

MARKS = re.compile(
    r"(?P<mark>\b(?:WHY|HACK|HACKS|KLUDGE|WORKAROUND|XXX|FIXME|TODO|NOTE|NB|WARNING|CAUTION|GOTCHA|IMPORTANT)\b"
    r"|\b(?:Why|Hack|Workaround|Note|Warning|Caution|Important|Gotcha|NOTE TO SELF)(?=:))"
    r"(?:\((?P<aside>[^)\n]{0,80})\))?(?:\s*[:\-\u2013\u2014!]+(?!\w*>)|\b)\s*"
)
"""What a comment begins with, or a line of it, when it has something to say; with `(…)` behind, as in TODO(why)."""
_WORTH = {
    "why": 0.45,
    "hack": 0.4,
    "hacks": 0.4,
    "kludge": 0.4,
    "workaround": 0.45,
    "gotcha": 0.45,
    "warning": 0.3,
    "caution": 0.3,
    "important": 0.24,
    "note": 0.22,
    "nb": 0.22,
    "xxx": 0.25,
    "fixme": 0.15,
    "todo": 0.05,
}
_PITFALLS = frozenset("hack hacks kludge workaround gotcha warning caution xxx fixme".split())
_NEEDS_WHY = frozenset("todo fixme xxx".split())
"""Marks of work to be done: worth knowing only if it is said why it was not done yet."""
_FEWEST_WORDS = 9
_FEW_WORDS = 30
"""Words before a mark that still go with it; more of them describe what the code does."""
_LONG_TEXT = 400
"""Words of a comment beyond which it is a document of its own."""
_LEGAL = re.compile(r"copyright|licen[cs]e|spdx|warranty|all rights reserved|@generated|do not edit", re.IGNORECASE)
_SIDE_SHARE = 0.7
_TAGS = re.compile(r"^[ \t]*[@\\][a-z]\w+\b.*(?:\n|\Z)", re.MULTILINE)
"""Lines that documentation tools read."""


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
    reasons = [Reason(mark.upper(), _WORTH[mark]), *cues(said)]
    if mark in _NEEDS_WHY and not explains(reasons[1:]):
        return None
    side = all(is_side_path(one.path) for one in comments)
    confidence = bounded(certainty(reasons) * (_SIDE_SHARE if side else 1))
    if confidence < LEAST:
        return None
    return Proposal(
        content=_with_place(comments, extract(body)),
        category="pitfall" if mark in _PITFALLS else "rationale",
        confidence=confidence,
        reasons=tuple(reason.name for reason in reasons),
        source_type=SourceType.COMMENT,
        source_ref=reference(comment),
        anchors=tuple(anchor_of(one) for one in comments),
    )


def _with_place(comments: Sequence[Comment], text: str) -> str:
    """Return the text with the name of what it is about, which a comment need not repeat."""
    symbol = comments[0].symbol if len(comments) == 1 else None
    name = symbol.rpartition("#")[0] or symbol if symbol else ""
    return text if not name or simple_name(name) in text else f"{name.replace('::', '.')}: {text}"


def marked(comment: Comment) -> tuple[str, list[Paragraph]] | None:
    """Return the mark of a comment, in lower case, and what it says; None if that is too little."""
    if _LEGAL.search(comment.text):
        return None
    body = paragraphs(_TAGS.sub("", clean(comment.text)))
    for index, one in enumerate(body):
        match = MARKS.match(one.text) if one.kind is not Kind.CODE else None
        if match:
            told = [_as_prose(part) for part in _around(body, index, match) if part.text]
            is_whole = _FEWEST_WORDS <= size(told) <= _LONG_TEXT and not told[-1].text.endswith(":")
            return (match["mark"].lower(), told) if is_whole else None
    return None


def _around(body: Sequence[Paragraph], index: int, match: re.Match[str]) -> list[Paragraph]:
    """Return the paragraph with the mark, and what belongs to it: what follows it at the top, few words before it."""
    one = _without_mark(body[index], match)
    if index == 0:
        return [one, *body[1:]]
    before = list(body[:index]) if size(body[:index]) <= _FEW_WORDS else []
    its_list = [
        below for below in body[index + 1 : index + 2] if below.kind is not Kind.PROSE and one.text.endswith(":")
    ]
    return [*before, one, *its_list]


def reference(comment: Comment) -> str:
    """Return what makes a comment the same one again, wherever its file is moved to: a digest of its words."""
    words = " ".join(clean(comment.text).split())
    return f"comment:{sha256(words.encode('utf-8', 'replace')).hexdigest()[:16]}"


def anchor_of(comment: Comment) -> AnchorRequest:
    """Return where a comment ties a learning to."""
    if comment.symbol:
        return AnchorRequest(path=comment.path, symbol=comment.symbol)
    return AnchorRequest(path=comment.path, lines=comment.code)


def _without_mark(one: Paragraph, match: re.Match[str]) -> Paragraph:
    """Return the paragraph without its mark; what stands in brackets behind it is often a name, and goes too."""
    aside = match["aside"] or ""
    text = one.text[match.end() :]
    kept = f"{aside}: {text}" if len(aside.split()) > 1 else text
    return Paragraph(one.kind, kept[:1].upper() + kept[1:])


def _as_prose(one: Paragraph) -> Paragraph:
    return Paragraph(Kind.PROSE, one.text) if one.kind is Kind.HEADING else one
