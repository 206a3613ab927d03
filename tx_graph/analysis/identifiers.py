"""Words of texts about code: identifiers and paths split into what people would type to find them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MAX_TERMS = 64
"""Most distinct terms of one query; more would not change what is found, only how long it takes."""

_SPELLED = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
"""Names that are nothing but punctuation to a tokenizer."""
_SPELLED_PATTERN = re.compile(r"(?<![\w+#])(?:c\+\+|[cf]#|\.net)(?![\w+#])", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_COMMON = frozenset(
    """a an and are as at be but by can do does for from has have how i if in into is it its not of on or our should so
    that the their then there this to was we what when where which who why will with you your""".split()
)


def searchable(text: str) -> str:
    """Return the words of `text` with identifiers also split (`validateToken` → `validateToken validate Token`)."""
    return " ".join(word for words in _spellings(text) for word in words)


def query_terms(text: str) -> list[list[str]]:
    """Return the distinct words a query asks for, each as the spellings that may stand for it.

    The first spelling is the word itself; a second one is the phrase of its parts. Common words count only
    when there is nothing else. Any text is safe: no term holds a character that FTS5 gives a meaning to.
    """
    terms: dict[str, list[str]] = {}
    for whole, *parts in _spellings(text):
        spellings = [whole.lower()]
        if len(parts) > 1:
            spellings.append(" ".join(part.lower() for part in parts))
        terms.setdefault(spellings[0], spellings)
    telling = [spellings for word, spellings in terms.items() if word not in _COMMON]
    return (telling or list(terms.values()))[:MAX_TERMS]


def _spellings(text: str) -> Iterator[list[str]]:
    """Yield each word of `text`, followed by its parts where it has more than one."""
    clean = text.encode("utf-8", "ignore").decode()
    spelled = _SPELLED_PATTERN.sub(lambda match: f" {_SPELLED[match[0].lower()]} ", clean)
    for match in _WORD.finditer(_separated(spelled)):
        word = match[0].strip("_")
        if word:
            parts = _HUMPS.findall(word)
            yield [word, *parts] if len(parts) > 1 else [word]


def _separated(text: str) -> str:
    """Return `text` with each ideograph and each symbol such as an emoji as a word of its own."""
    if text.isascii():
        return text
    text = _CJK.sub(lambda match: f" {match[0]} ", text)
    return "".join(f" ux{ord(char):x} " if unicodedata.category(char) == "So" else char for char in text)
