"""Which declarations Universal Ctags and tx both know, by language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What of a language both know: kinds of ctags and of tx.

    `title` is what ctags calls it.
    `keywords` stand before a name where it is declared. `optional` are kinds of ctags in kinds of scopes that tx lists
    in part: right where it does, not missed where it does not. A tag in a line like `mistaken` is no declaration.
    Without `judged` ctags is too rough to judge by.
    """

    title: str
    kinds: frozenset[str]
    ours: frozenset[str]
    keywords: str
    optional: frozenset[tuple[str, str]] = frozenset()
    mistaken: str = "(?!)"
    extensions: tuple[str, ...] = ("",)
    judged: bool = False

    def declares(self, line: str, name: str) -> bool:
        """Whether a line of the source has this name after a word that declares."""
        if line.lstrip().startswith(_COMMENTS):
            return False
        return re.search(rf"(?:{self.keywords})\s*\b{re.escape(name)}\b", line) is not None


_COMMENTS = ("//", "/*", "*", "#", "--")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LANGUAGES: Mapping[str, Language] = {
    "go": Language(
        title="Go",
        kinds=_words("func struct interface type talias"),
        ours=_words("function method struct interface type"),
        keywords=r"func|func\s*\([^)]*\)|type",
        judged=True,
    ),
    "java": Language(
        title="Java",
        kinds=_words("class interface enum annotation method"),
        ours=_words("class interface enum annotation record method constructor"),
        keywords=r"^|class|interface|enum|record|[\w>\]]",
        mistaken=r"^\s*[A-Z][A-Z0-9_]*\s*[({]",  # a constant of an enum that has a body
        judged=True,
    ),
    "rust": Language(
        title="Rust",
        kinds=_words("struct interface function enum typedef method"),
        ours=_words("struct trait function enum type method"),
        keywords="fn|struct|enum|trait|type",
        optional=frozenset({("method", "interface")}),
        mistaken=r"^\s+type\b|\bfn\b[^{]*;\s*$",  # an associated type; a signature in a trait
        judged=True,
    ),
    "c": Language(
        title="C",
        kinds=_words("function struct union enum typedef"),
        ours=_words("function struct union enum type"),
        keywords=r"[\w*]",
        mistaken=r"^\s*[A-Z][A-Z0-9_]*\s*\(",  # a macro
        extensions=(".c",),
    ),
    "cpp": Language(
        title="C++",
        kinds=_words("function class struct union enum"),
        ours=_words("function method class struct union enum"),
        keywords=r"[\w*&:>]",
        mistaken=r"^\s*[A-Z][A-Z0-9_]*\s*\(",
    ),
    "ruby": Language(
        title="Ruby",
        kinds=_words("class module method singletonMethod"),
        ours=_words("class module method function"),
        keywords=r"def|class|module|def self\.",
    ),
    "php": Language(
        title="PHP",
        kinds=_words("class interface trait function"),
        ours=_words("class interface trait function method"),
        keywords="class|interface|trait|function",
    ),
    "csharp": Language(
        title="C#",
        kinds=_words("class method struct interface enum"),
        ours=_words("class method constructor struct interface enum"),
        keywords=r"class|struct|interface|enum|[\w>\]]",
    ),
    "lua": Language(title="Lua", kinds=_words("function"), ours=_words("function method"), keywords="function"),
    "bash": Language(title="Sh", kinds=_words("function"), ours=_words("function"), keywords="function"),
}
