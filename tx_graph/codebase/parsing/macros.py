"""Macros of C and C++: source text without those that only a preprocessor could make sense of."""

from __future__ import annotations

import re

from tx_graph.codebase.parsing.masking import blanked, without
from tx_graph.codebase.parsing.preprocessor import NEVER, NEVER_IN_C, between, one_reading

# Possessive throughout: long names in capitals would have these try exponentially many ways to fail.
_ARGUMENTS = r"\((?:[^()]++|\([^()]*+\))*+\)"
_MACRO = r"[A-Z_][A-Z0-9_]{3,}+"
_LINE = rf"[ \t]*+(?:{_MACRO}(?:{_ARGUMENTS})?+[ \t]*+)++\r?"
_ALONE = re.compile(rf"\n{_LINE}(?:\n+{_LINE})*(?=\n(?!\s*[\w:~]+\s*\())")
"""Lines between declarations: `FMT_BEGIN_NAMESPACE`, `Q_PROPERTY(…)`. Before a function they might be its type."""
_PREFIX = re.compile(rf"\n(?P<mask>{_MACRO}[ \t]+)(?=(?:const[ \t]+)?[A-Za-z_]\w*[ \t*]+[A-Za-z_]\w*[ \t]*\()")
"""How a function is exported: `CORE_API Engine *engine(`."""
_PROMISE = re.compile(rf"\)(?:\s+(?:const|noexcept|override|final))*\s*(?P<mask>(?:{_MACRO}{_ARGUMENTS}\s*)+)(?=[;{{])")
"""What a function promises: `LOCKS_EXCLUDED(mutex_)`."""
_EXPORT = re.compile(
    rf"\b(?:class|struct|union)\s+(?P<mask>{_MACRO}(?:{_ARGUMENTS})?\s+)"
    r"(?=[A-Za-z_]\w*\s*(?:final\s*)?(?:\{|:\s*[A-Za-z_:]))"
)
"""How a class is exported: `class CORE_API Engine`."""
_CPP_WORDS = ("class", "namespace", "template", "using", "public:", "private:", "protected:")
_IS_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+[^;*(]*\{|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)",
    re.MULTILINE,
)


def readable_c(text: str) -> str:
    """Return what a grammar of C can read of a text."""
    return _without_macros(one_reading(text, NEVER_IN_C))


def readable_cpp(text: str) -> str:
    """Return what a grammar of C++ can read of a text."""
    return without(_EXPORT, _without_macros(one_reading(text, NEVER)))


def is_cpp(readable: str) -> bool:
    """Whether a header is written in C++, even with all that is only meant for C++ gone."""
    return any(word in readable for word in _CPP_WORDS) and bool(_IS_CPP.search(readable))


def _without_macros(text: str) -> str:
    return without(_PROMISE, without(_PREFIX, _ALONE.sub(_alone, text)))


def _alone(match: re.Match[str]) -> str:
    """Return a line blanked that stands between declarations, and as it is elsewhere."""
    return blanked(match[0]) if between(match.string, match.start()) else match[0]
