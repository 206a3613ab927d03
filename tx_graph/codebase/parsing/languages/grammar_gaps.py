"""JavaScript and TypeScript that the grammars do not know, spelled so that they do, every character in its place.

Only what is parsed is spelled anew: offsets hold, and everything people read is taken from the source itself.
"""

from __future__ import annotations

import re

_IMPORT_TYPE = re.compile(
    r"""import\([ \t]*(?P<quote>["'])(?P<module>[^"'\n]+)(?P=quote)[ \t]*\)"""
    r"""(?=\s*\.\s*(?!(?:then|catch|finally)\b)[\w$.\s]+[<\[]|\s*>)"""
)
_TYPE_ALL = re.compile(r"(type)\s+\*\s*(?=from\b|as\b)")
_EXPORT_REQUIRE = re.compile(r"(export)\s+import\s+(?:type\s+)?[\w$]+\s*=\s*require\b")
_ATTRIBUTES = re.compile(r"""from\s*(?:"[^"\n]*"|'[^'\n]*')\s*((?:with|assert)\s*\{[^{}]*\})""")
_VARIANT = (re.compile(r"in [A-Z]\w*\s*[,>=]"), re.compile(r"out [A-Z]\w*(?:\s*[,>=]|\s+extends\b)"))
_VARIANT_HEAD = re.compile(r"(?:class|interface|type)\s+[\w$]+\s*<[^;{}()]*?\b(?:in|out)\s[^;{}()]*?>")
_VARIANCE = re.compile(r"(?<=[<,\s])((?:in\s+out|in|out)\s)\s*[A-Z]\w*(?=\s*[,>=]|\s+extends\b)")
_CALL_SIGNATURES = (re.compile(r" <(?=\s*(?:const\s+)?[A-Z])"), re.compile(r"\t<(?=\s*(?:const\s+)?[A-Z])"))
_VISIBLE = re.compile(r"\S")
_MEMBER_ENDS = ("]", ")", "}", ">", "'", '"')


def understood(text: str, grammar: str) -> str:
    """Return the text, as long as before, without what the grammar stumbles over.

    Patterns that start with plain letters are found many times faster than others; those others wait for a sign.
    """
    if grammar == "javascript":  # whose elements have no attributes called like keywords
        return text.replace(" class=", " klass=").replace(" for=", " fro=")
    text = _IMPORT_TYPE.sub(_as_name, text)
    text = _ATTRIBUTES.sub(_blanked, _TYPE_ALL.sub(_exported, text))
    if "export import" in text:
        text = _EXPORT_REQUIRE.sub(_blanked, text)
    if any(variant.search(text) for variant in _VARIANT):
        text = _VARIANT_HEAD.sub(lambda head: _VARIANCE.sub(_blanked, head[0]), text)
    if grammar != "tsx":  # in which `<` at a line's start opens an element
        for signature in _CALL_SIGNATURES:
            text = signature.sub(_ended, text)
    return text


def imported_type(text: str, start: int) -> str | None:
    """Return the module of an `import('…').Type<…>` that stands at an offset of the source."""
    match = _IMPORT_TYPE.match(text, start)
    return match["module"] if match else None


def _as_name(match: re.Match[str]) -> str:
    """Return a name in place of `import('…')`, which the grammar takes for a call."""
    return "i" + "_" * (len(match[0]) - 1)


def _blanked(match: re.Match[str]) -> str:
    first, last = (place - match.start() for place in match.span(1))
    return f"{match[0][:first]}{_VISIBLE.sub(' ', match[1])}{match[0][last:]}"


def _exported(match: re.Match[str]) -> str:
    """Return the `*` of `export type *` without its `type`; `import type *` is known."""
    before = match.string[max(match.start() - 80, 0) : match.start()].rstrip()
    return _blanked(match) if before.endswith("export") else match[0]


def _ended(match: re.Match[str]) -> str:
    """Return a line's start with `<` after a semicolon that ends the member of an interface before it."""
    text, start = match.string, match.start()
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return match[0]
    before = _code_before(text, line)
    ends = before[-1:].isalnum() or before.endswith(_MEMBER_ENDS)
    return ";<" if ends and not before.endswith("=>") else match[0]


def _code_before(text: str, line: int) -> str:
    """Return the last line above the one at this offset that is neither empty nor a comment."""
    while line:
        start = text.rfind("\n", 0, line - 1) + 1
        code = text[start:line].partition("//")[0].strip()
        if code and not code.startswith(("*", "/*")) and not code.endswith("*/"):
            return code
        line = start
    return ""
