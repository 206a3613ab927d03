"""HTML that stands in documents: what its tags link to, what names they give, and which headings they make."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)(\s[^<>]*)>")
_ATTRIBUTE = re.compile(r"""(?<![\w-])(href|src|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_HEADING = re.compile(r"<h([1-6])\b[^<>]{0,500}>((?:[^<]|<(?!/?h[1-6]\b)){0,1000})</h\1\s*>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]*>")


class Html(NamedTuple):
    """What a piece of HTML says: destinations, names of places, and headings as level and plain text."""

    targets: tuple[str, ...]
    anchors: tuple[str, ...]
    headings: tuple[tuple[int, str], ...]


def read_html(text: str) -> Html:
    """Return what a piece of HTML links to and names; comments say nothing."""
    if "<!--" in text:
        text = _COMMENT.sub("", text)
    targets: list[str] = []
    anchors: list[str] = []
    for tag in _TAG.finditer(text):
        for attribute in _ATTRIBUTE.finditer(tag[2]):
            name, value = attribute[1].lower(), html.unescape(attribute[2] or attribute[3] or attribute[4] or "")
            if name in {"href", "src"}:
                targets.append(value)
            elif name == "id" or tag[1].lower() == "a":
                anchors.append(value)
    headings = ((int(one[1]), _plain(one[2])) for one in _HEADING.finditer(text)) if "<h" in text.lower() else ()
    return Html(tuple(targets), tuple(anchors), tuple(headings))


def _plain(text: str) -> str:
    return " ".join(html.unescape(_ANY_TAG.sub("", text)).split())
