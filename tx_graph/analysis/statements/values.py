"""Values: what stands behind a key, as its readers see it, taken apart where it is several."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from tx_graph.analysis.statements.keys import PEOPLE, is_list

LONGEST = 300
"""Characters; what is longer is prose and says more than one thing."""
_LONGEST_IN_LINE = 160
_MOST_WORDS = 20
_MOST_PARTS = 30
_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPTY_LINK = re.compile(r"\[\s*\](?:\([^()]*\)|\[[^\[\]]*\])")
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_LINK = re.compile(r"\[([^\[\]]+)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])")
_MAIL = re.compile(r"[<(][^<>()\s]+@[^<>()\s]+[>)]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_URL = re.compile(r"<?(?:[a-z][a-z0-9+.-]{1,15}://|www\.|mailto:)\S*>?", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\{.*\}|<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|[A-Z]?\.{3}|…|.*(?:YYYY|NNNN|\$\{|\{\{).*", re.DOTALL
)
_NOTHING = frozenset("none n/a na nil null ~ - -- — tbd tba todo ? ?? unknown empty undefined".split())
_COMMAS = re.compile(r"\s*[,;]\s*")
_ANDS = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s+&\s+")


def plain(text: str) -> str:
    """Return a line as its readers see it, without markup, comments and addresses of mail."""
    text = _COMMENT.sub("", text)
    if "[" in text:
        text = _EMPTY_LINK.sub("", _IMAGE.sub("", text))
        text = _LINK.sub(r"\1", _WIKI.sub(r"\1", text))
    text = _TAG.sub(" ", _MAIL.sub("", text)) if "<" in text or "@" in text else text
    text = _EMPHASIS.sub(r"\2", text).replace("`", "")
    return " ".join(html.unescape(text).split()).strip("*\\| ")


def values_of(predicate: str, written: str, *, longest: int = _LONGEST_IN_LINE) -> Iterator[str]:
    """Yield the values that a text behind a key gives; none where it is a placeholder, a bare address or prose."""
    if len(written) > longest * 4 or is_blank(_COMMENT.sub("", written).strip().strip("\"'`*")):
        return
    text = plain(written)
    parts = _parts(predicate, text)
    for part in parts if len(parts) <= _MOST_PARTS else ():
        value = part.strip(" ,;").removesuffix(".") if part.count(".") == 1 else part.strip(" ,;")
        is_slot = value.lower() == predicate.replace("_", " ")
        if not is_slot and not is_blank(value) and _is_short(value, longest):
            yield value


def _parts(predicate: str, text: str) -> list[str]:
    if not is_list(predicate):
        return [text]
    return (_ANDS if predicate in PEOPLE else _COMMAS).split(text)


def is_blank(value: str) -> bool:
    """Whether a value says nothing: `N/A`, a placeholder, a bare address."""
    if value.lower() in _NOTHING or not any(map(str.isalnum, value)):
        return True
    return bool(_PLACEHOLDER.fullmatch(value) or _URL.fullmatch(value))


def _is_short(value: str, longest: int) -> bool:
    return len(value) <= longest and (longest >= LONGEST or value.count(" ") < _MOST_WORDS)
