"""Where a plain regular expression sees a name defined, whatever the language."""

from __future__ import annotations

import re

_KEYWORDS = """actor class data def defmacro defmodule defp defprotocol enum fn fun func function interface macro module
    namespace newtype object protocol record struct trait type typealias"""
_BETWEEN = r"(?:\s+(?:class|inline|interface|object|rec|struct|[A-Z][A-Z0-9_]+(?:\([^)]*\))?))*"
"""What may stand between a keyword and the name: `enum class Status`, `class ABSL_LOCKABLE Mutex`."""
_OWNER = r"\s+(?:<[^>]*>\s*)?(?:\([^)]*\)\s*)?(?:[\w$<>]+(?:\.|::))*"
"""Type parameters, a receiver, whatever the name belongs to: `func (c *Command) Run`, `class Rails::Engine`."""
_ASSIGNED = r"^\s*(?:(?:export|public|static|const|let|val|var|type|using)\s+)*(?:[\w$]+\.)*"
_COMMENT = re.compile(r"\s*(?://|/?\*|#(?!\s*define\b)|--)")


def defining_lines(text: str, name: str) -> list[int]:
    """Return the numbers, from 1, of the lines that define a name: behind a keyword, as a macro, or assigned to.

    Of `Rails::Engine` the last part counts. Several words are no name.
    """
    own = re.escape(re.split(r"::|\.|#", name)[-1])
    if not own or " " in own:
        return []
    forms = (
        rf"(?<![\w.])(?:{'|'.join(_KEYWORDS.split())})\b{_BETWEEN}{_OWNER}{own}(?![\w$])",
        rf"^\s*#\s*define\s+{own}\b",
        rf"{_ASSIGNED}{own}\s*(?::[^=;]+)?=(?![=>])",
    )
    defines = re.compile("|".join(forms))
    lines = enumerate(text.split("\n"), start=1)
    return [number for number, line in lines if defines.search(line) and not _COMMENT.match(line)]
