"""What sort of file a path is, told by its name, and whether a text says that a program wrote it. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from tx_graph.code.languages import language_of


class FileSort(StrEnum):
    """What a file is there for."""

    CODE = "code"
    TEST = "test"
    DOCUMENT = "document"
    EXAMPLE = "example"
    CONFIG = "config"
    GENERATED = "generated"


_GENERATED = re.compile(
    r"""
    (?:^|/)(?:node_modules|vendor|third[-_]party|dist|__generated__|generated|__snapshots__)/
    | (?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|[^/]*\.lock)$
    | [.-]min\.\w+$ | [._]generated\.\w+$ | _pb2?\.\w+$
    | \.(?:api|csv|tsv|svg|snap|map|po|pot|pbxproj|xcscheme|storyboard|xib|sln|ipynb|patch|diff|pem|crt|golden)$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MARK = re.compile(
    r"@generated\b|\bdo not (?:edit|modify)\b|\b(?:auto-?)?generated (?:by|from|file|code)\b", re.IGNORECASE
)
_MARKED_WITHIN = 1_000  # characters at the beginning of a file in which programs say that they wrote it
_SAYS = re.compile(
    r"""
    (?:this|the)\ (?:file|code|module|source|header)\b.{0,40}?\bgenerated\b
    | this\ is\ an?\ (?:[\w-]{1,20}\ )?generated\b
    | (?:(?:code|file|source|auto(?:matically)?|machine)[- ]?|[\w/-]+\.\w+\.?[ ]{1,3})?
      generated(?:\b[- ]*$|\ (?:by|from|with|using|file|code)\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How a comment about the whole file begins that a program wrote."""
_ORDERS = re.compile(r"(?<![\w@])@generated\b|\b(?:do not|don't) (?:edit|modify)\b", re.IGNORECASE)
_SIGNS = " \t/*#-;!<%{'\"(="
_COMMENTS = ("//", "/*", "*", "#", "--", ";", "<!", "<?", "{-", "%", '"""', "'''", '"use ')
_BLOCKS = {"/*": "*/", "<!--": "-->", "{-": "-}", '"""': '"""', "'''": "'''"}
_HEADED_WITHIN = 200  # lines: licences may come first
_LONGEST_LINE = 200
_BUNDLED = (
    *("typeofexports==='object'&&typeofmodule", "exports,'__esModule'", "__webpack_require__", "__commonJS("),
    *("webpackUniversalModuleDefinition", "commonjsGlobal=", "sourcemap-register.js", "parcelRequire"),
)
"""What bundlers and transpilers put at the beginning of what they write, without white space."""
_BEGINNING, _END = 4_000, 1_000  # characters in which they do so, and have the address of a source map
_NO_COMMENT = 10_000  # characters from which nobody writes code without a single comment
_TEST = re.compile(
    r"""
    (?:^|/)(?:[\w.-]*[-_.])?(?:tests?|__tests__|specs?|testing|testdata|e2e|fixtures?|__fixtures__|(?:__)?mocks?(?:__)?)/
    | (?:^|/)(?:test[-_][\w.-]*|[a-z]+(?:Test|Tests|AndroidTest))/
    | (?:^|/)(?:test_|conftest\.|tests?\.\w+$|test[-_]?helpers?[^/]*$)
    | (?:[_.-](?:tests?|spec)|[a-z0-9](?:Tests?|Spec|TestCase|Suite))\.\w+$ | \.bats$
    """,
    re.VERBOSE,
)
_DOCUMENT = re.compile(
    r"""
    \.(?:md|mdx|rst|txt|adoc|html?|org|tex|[1-9]|texi|pod|rdoc|textile)$
    | (?:^|/)(?:changelog|changes|history|news|readme|licen[cs]e|authors|contributors|copying|release|thanks|todo)[^/]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CONFIG = re.compile(
    r"""
    \.(?:json|ya?ml|toml|ini|cfg|conf|xml|properties|gradle|cmake|css|s[ac]ss|less|csproj|plist|cabal|mod|in|bat|ps1|cmd
        |m4|nix|env|mk)$
    | (?:^|/)(?:Makefile|Dockerfile|CMakeLists\.txt|configure|Gemfile|Rakefile|\.[^/]*)$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"""
    (?:^|/)(?:_?examples?|samples?|demos?|docs?(?:_src)?|documentation|website|site|(?:micro)?bench(?:es|marks?)?|perf
        |tutorials?|playground|sandbox|templates?|experiments|ci|\.github|scripts?|legacy|_?compat)/
    """,
    re.VERBOSE | re.IGNORECASE,
)


def is_marked_generated(text: str) -> bool:
    """Return whether a file says at its beginning that a program wrote it."""
    start = text[:_MARKED_WITHIN].lower()  # to look for plain words first takes a tenth of the time
    return ("generated" in start or "do not" in start) and _MARK.search(text, 0, _MARKED_WITHIN) is not None


def looks_generated(text: str, *, is_script: bool = False, is_marked: bool = False) -> bool:
    """Return whether the comment that a source begins with says that a program wrote it, or bundlers write so.

    Of one that the project marks it is enough to be long and to have no comment at all.
    """
    if any(_SAYS.match(line) or _ORDERS.search(line) for line in _heading(text)):
        return True
    if is_script:
        dense = "".join(text[:_BEGINNING].split()).replace('"', "'")
        if any(sign in dense for sign in _BUNDLED) or "# sourceMappingURL=" in text[-_END:]:
            return True
    is_long = is_marked and len(text) >= _NO_COMMENT
    return is_long and not any(line.lstrip().startswith(_COMMENTS) for line in text.split("\n"))


def _heading(text: str) -> Iterator[str]:
    """Yield the lines of the comments that stand before all code, without the signs that make them comments."""
    closing = ""
    for line in islice(text.split("\n"), _HEADED_WITHIN):
        said = line.strip()
        if not closing and said and not said.startswith(_COMMENTS):
            return
        yield said[:_LONGEST_LINE].lstrip(_SIGNS)
        opening = "" if closing else next((sign for sign in _BLOCKS if said.startswith(sign)), "")
        closing = closing or _BLOCKS.get(opening, "")
        if closing and closing in said[len(opening) :]:
            closing = ""


@lru_cache(maxsize=16_384)
def sort_of(path: str) -> FileSort:
    """Return what sort of file this is; what is tested for first counts, so an example's test is a test."""
    for sort, pattern in (
        (FileSort.GENERATED, _GENERATED),
        (FileSort.TEST, _TEST),
        (FileSort.DOCUMENT, _DOCUMENT),
        (FileSort.CONFIG, _CONFIG),
        (FileSort.EXAMPLE, _EXAMPLE),
    ):
        if pattern.search(path):
            return sort
    return FileSort.CODE if language_of(path) else FileSort.CONFIG
