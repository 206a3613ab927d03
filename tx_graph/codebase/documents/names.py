"""Names of files and symbols, told from other words by their looks alone; whether there are such is not asked here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tx_graph.domain.languages import LANGUAGES

_LONGEST = 200
"""Characters; nobody calls a file or symbol by more."""
_ENDINGS = "|".join(
    re.escape(ending.removeprefix("."))
    for ending in sorted(
        {ending for language in LANGUAGES.values() for ending in language.extensions.split()}.union(
            """.adoc .bat .cfg .cmake .conf .css .csv .dart .env .erl .fs .gradle .graphql .hcl .hs .html .ini .ipynb
            .jl .json .jsonc .less .lock .md .mdx .mjs .ml .nix .pl .pm .proto .ps1 .r .rst .sass .scss .sol .sql
            .svelte .svg .template .tf .tmpl .toml .tsv .txt .xml .yaml .yml .zig .zsh""".split()
        ),
        key=len,
        reverse=True,
    )
)
_SEGMENT = r"[\w@.+~-]*[\w+]"
_LINES = r"(?::\d+(?:-\d+)?(?::\d+)?|\#L\d+(?:-L?\d+)?)?"
_IDENTIFIER = r"[^\W\d]\w*"
_QUALIFIED = rf"{_IDENTIFIER}(?:(?:\.|::|\#){_IDENTIFIER})*"

_PATH = re.compile(
    rf"(?!-)(?P<path>(?:\.{{0,2}}/)?(?:(?:{_SEGMENT}/)+{_SEGMENT}|[\w.+~-]*[\w+]\.(?:{_ENDINGS})))"
    rf"(?:(?P<symbol>::{_IDENTIFIER}(?:(?:::|\.){_IDENTIFIER})*)(?:\(\))?|{_LINES})"
)
_CALL = re.compile(rf"(?P<name>{_QUALIFIED})!?\([^()]*\)")
_SYMBOL = re.compile(_QUALIFIED)
_DOTTED = re.compile(r"[^\W\d]\w+(?:(?:\.|::|\#)[^\W\d]\w+)+")
"""Shorter parts would make a name of every abbreviation."""
_TWO_WORDS = re.compile(
    r"(?=[^\W\d])(?:[A-Z]?[a-z\d]+(?:[A-Z][a-z\d]*)+|[A-Z]{2,}[a-z]{2,}\w*|_*[^\W_]+(?:_+[^\W_]+)+_*)"
)
"""CamelCase with two humps, and snake_case."""
_BOTH_PLAIN = re.compile(r"[^\W\d_]+/[^\W\d_]+(?:/[^\W\d_]+)?")
"""`and/or`: as a path it would be a directory."""
_VERSION = re.compile(r"[vV]?\d+(?:[.\-]\w+)*\+?")
_FILES = frozenset("README LICENSE CHANGELOG CONTRIBUTING AUTHORS CODEOWNERS NOTICE COPYING".split())
_LITERALS = frozenset("True False None Null Nil Self String Number Boolean Integer Object Array".split())
_OPENING = "([{<\"'“\u2018*`|"
_CLOSING = ".,;:!?]}>\"'”’…*`|"

_LOWER = b"abcdefghijklmnopqrstuvwxyz0123456789" + bytes(range(0x80, 0x100))
_UPPER = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WHITE = b" \t\n\x0b\x0c\r\0"


def _shapes(*kinds: tuple[bytes, bytes]) -> bytes:
    """Return the table that writes one sign for each of some characters."""
    signs = {char: kind[0] for chars, kind in kinds for char in chars}
    return bytes(signs.get(char, char) for char in range(0x100))


_SEPARATED = _shapes((_LOWER + _UPPER, b"a"), (b"_/.:#", b"."), (_WHITE, b" "))
_SEPARATOR = re.compile(rb"\.(?:a(?<=a\.a)|\.a(?<=a\.\.a))")
_HUMPED = _shapes((_LOWER, b"a"), (_UPPER, b"A"), (_WHITE, b" "))
_HUMP = re.compile(rb"A(?:(?<=aA)|Aaa)")
_CALLED = re.compile(rb"\(\)")


@lru_cache(maxsize=65_536)
def code_target(code: str) -> str:
    """Return the file or symbol that inline code may name, without line numbers and arguments; else nothing."""
    if len(code) > _LONGEST:
        return ""
    if code.isidentifier():
        return code if _is_telling(code) else ""
    if path := _path(code):
        return path
    if "(" in code:
        call = _CALL.fullmatch(code)
        return call["name"] if call else ""
    return code if _SYMBOL.fullmatch(code) else ""


def _is_telling(word: str) -> bool:
    """Return whether a word in code font is more than a keyword, a value or the name of an option."""
    if word.isalpha() and (word.islower() or word.isupper()):
        return word in _FILES
    return word not in _LITERALS


def names_in(text: str) -> list[tuple[int, str]]:
    """Return what looks like names of files and symbols in running text, each with the number of lines before it.

    Names are looked for by their shapes, in bytes: that takes a tenth of what a regular expression does.
    """
    data = text.encode()
    separated, humped = data.translate(_SEPARATED), data.translate(_HUMPED)
    words: set[tuple[int, int]] = set()
    for shapes, sign in ((separated, _SEPARATOR), (humped, _HUMP), (separated, _CALLED)):
        found = sign.search(shapes)
        while found:
            place = found.start()
            end = separated.find(b" ", place)
            end = len(data) if end < 0 else end
            start = separated.rfind(b" ", max(place - _LONGEST, 0), place) + 1
            if end - start <= _LONGEST:
                words.add((start, end))
            found = sign.search(shapes, end)
    return list(_named(data, sorted(words)))


def _named(data: bytes, words: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    line = place = 0
    for start, end in words:
        if name := _name_of(data[start:end].decode()):
            line += data.count(b"\n", place, start)
            place = start
            yield line, name


@lru_cache(maxsize=65_536)
def _name_of(word: str) -> str:
    name = _bare(word)
    if name.isalpha() and (name.islower() or name.istitle() or name.isupper()):
        return ""
    if path := _path(name):
        return "" if _BOTH_PLAIN.fullmatch(name) else path
    if name.endswith(")"):
        call = _CALL.fullmatch(name)
        return call["name"] if call else ""
    is_symbol = _TWO_WORDS.fullmatch(name) or _DOTTED.fullmatch(name)
    return name if is_symbol and (not name.isupper() or "_" in name) else ""


def _bare(word: str) -> str:
    """Return a word without what punctuation is around it; the brackets of a call stay."""
    name = word.lstrip(_OPENING).rstrip(_CLOSING)
    while name.endswith(")") and name.count(")") > name.count("("):
        name = name[:-1].rstrip(_CLOSING)
    return name.removesuffix("'s").removesuffix("’s")


def _path(text: str) -> str:
    found = _PATH.fullmatch(text) if "/" in text or "." in text else None
    if not found or _VERSION.fullmatch(text) or not any(map(str.isalpha, text)):
        return ""
    return found["path"] + (found["symbol"] or "")


def is_path(text: str) -> bool:
    """Return whether a text is a path of a file, or one with a part of it: `docs/adr/003.md#decision`."""
    return bool(_path(text.partition("#")[0]))
