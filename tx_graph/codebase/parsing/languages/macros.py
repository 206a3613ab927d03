"""Macros of C and C++: source text without those that only a preprocessor could make sense of."""

from __future__ import annotations

import re

from tx_graph.codebase.parsing.languages.preprocessor import between
from tx_graph.codebase.parsing.masking import blanked, without

# Possessive throughout: long names in capitals would have these try exponentially many ways to fail.
_ARGUMENTS = r"\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)"
_MACRO = r"[A-Z_][A-Z0-9_]{3,}+"
_LINE = rf"[ \t]*+(?:{_MACRO}(?:{_ARGUMENTS})?+[ \t]*+)++\r?"
_ALONE = re.compile(rf"\n{_LINE}(?:\n+{_LINE})*(?=\n(?!\s*(?!{_MACRO})[\w:~]+\s*\())")
"""Lines between declarations: `FMT_BEGIN_NAMESPACE`, `Q_PROPERTY(…)`. Before a function they might be its type."""
_PREFIX = re.compile(rf"\n(?P<mask>{_MACRO}[ \t]+)(?=(?:const[ \t]+)?[A-Za-z_]\w*[\s*]+[A-Za-z_]\w*[ \t]*\()")
"""How a function is exported: `CORE_API Engine *engine(`."""
_PROMISE = re.compile(
    rf"\)(?:\s+(?:const|noexcept|override|final))*\s*(?P<mask>(?:{_MACRO}{_ARGUMENTS}\s*){{1,9}})(?=[;{{])"
)
"""What a function promises: `LOCKS_EXCLUDED(mutex_)`."""
_DEPRECATION = re.compile(rf"\b[A-Z0-9_]*DEPRECATED[A-Z0-9_]*{_ARGUMENTS}(?!\s*\{{)")
"""What becomes of a name: `OLD_ONE CORE_DEPRECATED(1.2, "no use")`."""
_EXPORT = re.compile(
    rf"\b(?:class|struct|union)\s+(?P<mask>{_MACRO}(?:{_ARGUMENTS})?\s+)"
    r"(?=[A-Za-z_]\w*\s*(?:final\s*)?(?:\{|:\s*[A-Za-z_:]))"
)
"""How a class is exported: `class CORE_API Engine`."""
_CPP_WORDS = ("class", "namespace", "template", "using", "public:", "private:", "protected:")
_IS_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+[^;*({]{0,300}\{|namespace\b|template\s*<|using\s+\w|(?:public|private|protected)\s*:)",
    re.MULTILINE,
)


def is_cpp(text: str) -> bool:
    """Return whether a header is written in C++; code that is only meant for C++ should be gone from it."""
    return any(word in text for word in _CPP_WORDS) and bool(_IS_CPP.search(text))


def without_class_macros(text: str) -> str:
    """Return a text of C++ in which classes have their names right after `class`."""
    return without(_EXPORT, text)


def without_macros(text: str) -> str:
    """Return a text without macros that stand for something else than a name or a value."""
    if "DEPRECATED" in text:
        text = without(_DEPRECATION, text)
    return without(_PROMISE, without(_PREFIX, _without_lines(text)))


def _without_lines(text: str) -> str:
    """Return a text with the lines of macros blanked that stand between declarations or after other such lines."""
    pieces, position = [], 0
    for match in _ALONE.finditer(text):
        if between(text, match.start(), position):
            pieces += [text[position : match.start()], blanked(match[0])]
            position = match.end()
    return "".join([*pieces, text[position:]])
