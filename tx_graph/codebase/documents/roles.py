"""Roles, `:ref:` and its like, as links: reStructuredText has them, and Markdown by MyST as {ref}`…`."""

from __future__ import annotations

import re

from tx_graph.codebase.documents.draft import Found
from tx_graph.codebase.documents.names import code_target
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.domain.document import LinkKind

TITLED = re.compile(r"(?P<text>.*?)\s*<(?P<target>[^<>]+)>\Z", re.DOTALL)
_QUALIFIED = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#|/)[^\W\d][\w$]*)*")
_LABELS = frozenset("ref numref".split())
_PAGES = frozenset("doc download".split())
_LITERALS = frozenset("code literal file samp".split())
_NOT_NAMES = frozenset(
    """abbr abbreviation command cve cwe dfn emphasis enumref eq envvar ghc gh guilabel index issue kbd keyword
    mailheader makevar manpage math menuselection mimetype newsgroup option pep pr pull program regexp rfc strong sub
    subscript sup superscript t term title title-reference token user commit""".split()
)


def by_role(place: int, role: str, body: str) -> Found | None:
    """Return what a role points at, given without its domain; None for one that names no place here."""
    titled = TITLED.match(body)
    text, target = (titled["text"], titled["target"]) if titled else ("", body)
    if role in _LABELS:
        return (place, LinkKind.LABEL, target, text, "")
    if role in _PAGES:
        return (place, LinkKind.LINK, target, text, "") if may_be_here(target) else None
    if role in _NOT_NAMES:
        return None
    if role in _LITERALS:
        name = code_target(target)
    else:
        qualified = _QUALIFIED.match(target.lstrip("~.!"))
        name = qualified[0] if qualified else ""
    return (place, LinkKind.CODE, name, text, "") if name else None
