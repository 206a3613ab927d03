"""Words of texts, identifiers and file names, as full-text search and comparisons see them. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

MAX_TERMS = 64
"""Most distinct terms of one query; more would not change what is found, only how long it takes."""

_SPELLED = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
"""Names that are nothing but punctuation to a tokenizer."""
_SPELLED_PATTERN = re.compile(r"[cCfF.](?<![\w+#][cCfF.])(?:(?<=[cC])\+\+|(?<=[cCfF])#|(?<=\.)[nN][eE][tT])(?![\w+#])")
"""One set of letters first, each in both cases: the search skips ahead to it in C."""
_WORD = re.compile(r"\w+")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w+")
_ENDINGS = """c cc cfg cjs conf cpp cs css cts go h hpp htm html ini java js json jsx kt less lock lua md mdx mjs mts
    php pl py pyi rb rs rst scala scss sh sql svelte swift toml ts tsx txt vue xml yaml yml""".split()
_FILE_NAME = re.compile(rf"(?<!\w)(\w+)\.({'|'.join(_ENDINGS)})(?!\w)", re.IGNORECASE)
"""A name with an ending that half of a repository's files share: as a word of its own it would match them all."""
_ENDING = rf"\.({'|'.join(_ENDINGS)})(?!\w)"  # compiled where it occurs
_LAST_WORD = re.compile(r"\w+$")
_LONGEST_NAME = 64
_SOURCE_ROOT = re.compile(
    r"(?<![\w.])(?:\.{0,2}/){0,4}(?:src|source|sources|lib|app|apps|packages|pkg)/", re.IGNORECASE
)
"""The same holds for the directories that all sources lie in."""
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_HUMPED = re.compile(
    r"""
    [^a-z_ ]                                              # one set first: the search skips ahead to it in C
    (?:
        (?<=[^A-Z_ ][A-Z])                                # authToken, utf8String
      | (?<=[A-Z]{2})(?=[a-z])                            # HTTPServer
      | (?<=[^A-Z])(?:(?<=[^_ 0-9].)|(?=[^_ 0-9]))        # v2, 3D, and whatever has letters beyond ASCII
    )
    [^ ]*
    """,
    re.VERBOSE,
)
"""The rest of a word, between blanks, that may have parts."""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_MARKS_AS_BLANKS = bytes(code if _WORD.match(chr(code)) else ord(" ") for code in range(256))
_LETTERS = str.maketrans("0123456789", "ghijklmnop")
_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
"""Ideographs; compiled where they occur, which takes 3 ms."""
_BEGINNING = 4000  # characters by which a text is compared with others
_COMMON = frozenset(
    """a about also am an and any are as at be been being but by can could did do does for from had has have he her
    hers herself him himself his how i if in into is it its itself just let lets many me might mine more most
    much must my myself not of on or our ourselves s shall she should so some such t than that the their them
    themselves then there these they this those to us very was we were what when where which who whom whose why
    will with would you your yourself""".split()
)
"""Words that questions are asked with, and no text is about; `s` and `t` are what is left of `it's` and `don't`."""


def searchable(text: str) -> str:
    """Return the words of `text` with identifiers also split (`validateToken` → `validateToken validate Token`)."""
    return " ".join(filter(None, map(_with_parts, _WORD.findall(_separated(_spelled(text))))))


def searchable_prose(text: str, *, splits: dict[str, str]) -> str:
    """Return the words of a long text, followed by the parts of each identifier in it, each identifier once.

    Finds what `searchable` finds, three times as fast: prose has few identifiers, and has them again and again.
    `splits` remembers the parts of words from one text to the next.
    """
    spelled = _spelled(text)
    separated = _separated(spelled)
    if separated.isascii() or not any(map(str.isalnum, _beyond_ascii(separated))):
        plain = separated.encode("ascii", "replace").translate(_MARKS_AS_BLANKS).decode()
    else:
        plain = " ".join(_WORD.findall(separated))
    # The words of `plain`, which holds nothing but words and blanks, that may have parts.
    words = {plain[plain.rfind(" ", 0, match.start()) + 1 : match.end()] for match in _HUMPED.finditer(plain)}
    for word in words.difference(splits):
        found = _HUMPS.findall(word)
        # Full-text search takes an underscore for a blank, so it sees these parts by itself.
        splits[word] = "" if found == word.replace("_", " ").split() else " ".join(found)
    parts = sorted(filter(None, map(splits.__getitem__, words)))
    return " ".join([plain, *parts, *_parts_of_files(spelled, splits)]) if parts else plain


def expanded(text: str, splits: dict[str, str]) -> str:
    """Return the words of a piece of code as often as they come, identifiers also split; single ASCII letters are none.

    `splits` remembers the words of identifiers from one piece to the next.
    """
    words = _IDENTIFIER.findall(text) if text.isascii() else _WORD.findall(text)
    for word in {*words}.difference(splits):
        splits[word] = searchable(word)
    return " ".join(map(splits.__getitem__, words))


def query_terms(text: str) -> list[list[str]]:
    """Return the distinct words a query asks for, each as the spellings that may stand for it.

    The first spelling is the word itself; the others are phrases: its parts, and for `src/auth.ts` the file's
    name, whose ending and source root are no words of their own. Common words count only when there is nothing
    else. Any text is safe: no term holds a character that FTS5 gives a meaning to.
    """
    endings = {match[1].strip("_").lower(): match[2].lower() for match in _FILE_NAME.finditer(text)}
    terms = _terms(_SOURCE_ROOT.sub(" ", _FILE_NAME.sub(r"\1 ", text)), endings) or _terms(text, {})
    telling = [spellings for word, spellings in terms.items() if word not in _COMMON]
    return (telling or list(terms.values()))[:MAX_TERMS]


def content_words(text: str) -> frozenset[str]:
    """Return the words that tell what a text is about, in lower case and not split: what two texts may share.

    A long text is known by its beginning; a text of common words alone by those.
    """
    words = frozenset(_WORD.findall(_separated(text[:_BEGINNING]).lower()))
    return words - _COMMON or words


def is_telling(text: str) -> bool:
    """Whether a text has any word that is not as common as `the`."""
    return any(word not in _COMMON for word in _WORD.findall(text.lower()))


def _terms(text: str, endings: Mapping[str, str]) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {}
    for whole, *parts in spellings(text):
        word, phrase = whole.lower(), " ".join(parts or [whole]).lower()
        named = [f"{phrase} {endings[word]}"] if word in endings else []
        terms.setdefault(word, [word, *([phrase] if parts else []), *named])
    return terms


def spellings(text: str) -> Iterator[list[str]]:
    """Yield each word of `text`, followed by its parts where it has more than one."""
    for word in filter(None, map(_with_parts, _WORD.findall(_separated(_spelled(text))))):
        yield word.split(" ")


@lru_cache(maxsize=16_384)
def _with_parts(word: str) -> str:
    """Return a word and its parts, where it has more than one; nothing of underscores alone."""
    bare = word.strip("_")
    parts = _HUMPS.findall(bare)
    return " ".join([bare, *parts]) if len(parts) > 1 else bare


def _spelled(text: str) -> str:
    """Return `text` as UTF-8 can hold it, with words for names that are nothing but punctuation."""
    clean = text if text.isascii() else text.encode("utf-8", "ignore").decode()
    return _SPELLED_PATTERN.sub(lambda match: f" {_SPELLED[match[0].lower()]} ", clean)


def _parts_of_files(text: str, splits: Mapping[str, str]) -> Iterator[str]:
    """Yield the parts of the name of each file in `text` with its ending, which a query asks for side by side."""
    for match in re.finditer(_ENDING, text):
        name = _LAST_WORD.search(text, max(0, match.start() - _LONGEST_NAME), match.start())
        if name and (parts := splits.get(name[0])):
            yield f"{parts} {match[1]}"


def _separated(text: str) -> str:
    """Return `text` with each ideograph and each symbol such as an emoji as a word of its own."""
    if text.isascii():
        return text
    words = {ord(char): word for char in _beyond_ascii(text) if (word := _apart(char)) != char}
    return _BEYOND_ASCII.sub(lambda run: run[0].translate(words), text) if words else text


def _beyond_ascii(text: str) -> set[str]:
    return set("".join(_BEYOND_ASCII.findall(text)))


@lru_cache(maxsize=4096)
def _apart(char: str) -> str:
    """Return a character between blanks where it is a word of its own, or that word."""
    if re.match(_CJK, char):
        return f" {char} "
    # A symbol becomes a word of letters alone, so that it is not split further.
    return f" {f'ux{ord(char):x}'.translate(_LETTERS)} " if unicodedata.category(char) == "So" else char


_TEST_BEFORE = re.compile(r"^(?:tests?|spec)[_-]", re.IGNORECASE)
_TEST_BEHIND = re.compile(r"(?:[_-](?:tests?|spec)|(?<=[a-z0-9])(?:Tests?|Spec))$")
_SHORTEST = 3  # letters of a name that is no mere accident


def stem(path: str) -> str:
    """Return what the name of a file shares with that of its test (`a/test_auth.py`, `auth.spec.ts` → `auth`).

    Empty for a name that says too little.
    """
    first = path.rpartition("/")[2].partition(".")[0]
    found = _TEST_BEHIND.sub("", _TEST_BEFORE.sub("", first))
    return found if len(found) >= _SHORTEST else ""
