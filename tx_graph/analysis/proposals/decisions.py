"""Decision records: what was decided, from the pages that architecture decisions are written on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from tx_graph.analysis.proposals.extract import extract, shortened
from tx_graph.analysis.proposals.prose import Kind, Paragraph, clean, paragraphs
from tx_graph.domain.anchor import AnchorRequest
from tx_graph.domain.learning import SourceType
from tx_graph.domain.proposal import Proposal

_PLACE = re.compile(
    r"(?:^|/)(?:adrs?|decisions?|decision[-_]?(?:records?|log)|architecture[-_]?decisions?(?:[-_]?records?)?)/"
    r"(?:[^/]+/)?(?!(?:readme|index|template|.*template)[^/]*$)[^/]+\.(?:md|markdown|rst|adoc|txt)$",
    re.IGNORECASE,
)
_FRONT_MATTER = re.compile(r"\A---\n(?P<fields>.*?)\n---\n", re.DOTALL)
_NUMBER = re.compile(
    r"^(?:(?:adr|decision)?[-\s#]*\d+\s*[.:)\u2013\u2014-]+\s*|(?:adr|decision)[-\s]*\d*\s*[.:]\s*)", re.IGNORECASE
)
_TITLE = re.compile(r"^(?:#\s+(?P<marked>\S.*)|(?P<plain>\S.*)\n={3,}\s*$|=\s+(?P<dotted>\S.*))", re.MULTILINE)
_HEADING = re.compile(
    r"^(?:#{2,6}\s+(?P<marked>\S.*?)\s*#*|={2,6}\s+(?P<dotted>\S.*)|(?P<plain>[^\n#*-][^\n]*)\n[-~^]{3,})\s*$",
    re.MULTILINE,
)
_RUN_IN = re.compile(
    r"^(?:\*\*|__)(?P<name>status|context|problem|decision(?: outcome)?|consequences|alternatives|rationale)[.:]?"
    r"(?:\*\*|__)[.:]?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_STATUS_LINE = re.compile(
    r"^[*\-\s|]*(?:\*\*)?status(?:\*\*)?\s*(?:\*\*)?[:|](?:\*\*)?\s*(?P<status>.+)$", re.IGNORECASE | re.MULTILINE
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
_ROOM = 900
_SURE, _UNDECIDED = 0.85, 0.45
"""Confidence in a decision that stands, and in one that its page calls open."""


def is_decision_page(path: str) -> bool:
    """Whether a file is a decision record, by where it is."""
    return bool(_PLACE.search(path))


def propose_decision(path: str, text: str, *, files: Collection[str]) -> Proposal | None:
    """Return what a decision record proposes, None when it decides nothing, or nothing that stands.

    It is tied to its page and to those of the project's `files` that it names as code.
    """
    cleaned = clean(text)
    title, sections = _title(cleaned), dict(_sections(cleaned))
    status = _status(cleaned, sections)
    decision = next((body for name, body in sections.items() if _DECISION.match(name)), "")
    told = extract([_as_told(one) for one in paragraphs(decision)], room=_ROOM)
    if not title or not told or _OVER.search(status):
        return None
    is_open = bool(_OPEN.search(status))
    named = _named_files(cleaned, files)
    return Proposal(
        content=f"{title}\n\n{shortened(told, _ROOM)}",
        category="decision",
        confidence=_UNDECIDED if is_open else _SURE,
        reasons=("decision record", "still open") if is_open else ("decision record",),
        source_type=SourceType.DOCUMENT,
        source_ref=path,
        anchors=tuple(AnchorRequest(path=one) for one in (path, *named)),
    )


def _title(text: str) -> str:
    match = _TITLE.search(_FRONT_MATTER.sub("", text))
    title = next(filter(None, match.groups()), "") if match else ""
    return " ".join(_NUMBER.sub("", title.strip().strip("#*` ")).split())


def _sections(text: str) -> Iterable[tuple[str, str]]:
    """Yield name and text of each section, by its heading or by bold words that a paragraph begins with."""
    starts = sorted(
        (match.start(), match.end(), next(filter(None, match.groups()), ""))
        for pattern in (_HEADING, _RUN_IN)
        for match in pattern.finditer(text)
    )
    for number, (_, start, name) in enumerate(starts, start=1):
        end = starts[number][0] if number < len(starts) else len(text)
        yield name.strip("*_:. "), text[start:end].strip("\n")


def _status(text: str, sections: dict[str, str]) -> str:
    """Return what a page says of its standing: in front matter, on a line of its own or in a section."""
    section = next((body for name, body in sections.items() if name.lower() == "status"), "")
    line = _STATUS_LINE.search(text)
    return f"{section}\n{line['status'] if line else ''}"


def _as_told(one: Paragraph) -> Paragraph:
    return Paragraph(Kind.PROSE, one.text) if one.kind is Kind.LIST else one


def _named_files(text: str, files: Collection[str]) -> Sequence[str]:
    """Return the files that are named as code, by their whole paths or by ends of which there is only one."""
    names = [name for name in dict.fromkeys(_CODE.findall(text)) if _FILE_NAME.search(name)]
    ends = {name: [path for path in files if f"/{path}".endswith(f"/{name}")] for name in names}
    return list(dict.fromkeys(found[0] for found in ends.values() if len(found) == 1))[:_MOST_FILES]
