"""Texts that others wrote: made inert, quoted, cut to their best lines, and counted in tokens."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from enum import StrEnum

from tx_graph.core.identifiers import content_words

_ASCII_CONTROL = tuple(code for code in (*range(0x20), 0x7F) if code not in b"\t\n")
_LATE_CONTROL = range(0x80, 0xA0)  # control characters that some terminals obey like those of ASCII
_DIRECTION_MARKS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that show a text in another order than it has."""
_LINE_BREAKS = (0x2028, 0x2029)
"""Many programs begin a new line here, which the text's author may have meant to be taken for somebody else's."""
_INVISIBLE = (0x200B, 0x2060, *range(0x2061, 0x2065), 0xFEFF, *range(0xE0000, 0xE0080))
"""Characters that nobody sees and a language model reads; those that join emoji or letters are not among them."""
_SHOWN = {code: f"\\x{code:02x}" for code in (*_ASCII_CONTROL, *_LATE_CONTROL)}
_SHOWN |= {code: f"\\u{code:04x}" for code in (*_DIRECTION_MARKS, *_LINE_BREAKS)}
_SHOWN |= {code: f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}" for code in _INVISIBLE}  # noqa: PLR2004
_ESCAPED = {
    code: json.dumps(chr(code))[1:-1] for code in (*_LATE_CONTROL, *_DIRECTION_MARKS, *_LINE_BREAKS, *_INVISIBLE)
} | {0x7F: "\\u007f"}
"""What JSON lets stand as it is, and a terminal had better not see; JSON itself escapes the rest."""

_ONE_WORD = re.compile(r"[\w.:/#@+-]{1,300}")


def in_tag(text: str, tag: str) -> str | None:
    """Return what stands in the first `<tag>` up to `</tag>`; None where there is no such part."""
    _, found, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside if found and closed else None


def without_tag(text: str, tag: str) -> str:
    """Return a text without the parts from `<tag>` to `</tag>`. An expression would look for each one's end anew."""
    opening, closing = f"<{tag}>", f"</{tag}>"
    kept, place = [], 0
    while (start := text.find(opening, place)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[place:start])
        place = end + len(closing)
    return "".join((*kept, text[place:]))


def inert(text: str) -> str:
    """Return `text` with control and hidden characters made visible; line ends and tabs stay."""
    return text if text.isprintable() else text.translate(_SHOWN)


def inert_json(document: str) -> str:
    """Return a JSON document that says the same, with control and hidden characters escaped."""
    return document if document.isascii() and "\x7f" not in document else document.translate(_ESCAPED)


def inert_line(text: str) -> str:
    """Return `text` as one line: line ends, tabs and runs of blanks become one blank each."""
    return " ".join(inert(text).split())


def cut(text: str, most: int) -> str:
    """Return a text of at most so many characters: one that is longer ends in an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def counted(count: int, thing: str) -> str:
    """Return `1 learning`, `2,000 learnings`, `3 entities` or `4 batches`."""
    if count == 1:
        return f"1 {thing}"
    if thing.endswith("y") and thing[-2] not in "aeiou":
        return f"{count:,} {thing[:-1]}ies"
    return f"{count:,} {thing}{'es' if thing.endswith('ch') else 's'}"


def quoted(text: str, *, mark: str = "> ") -> str:
    """Return `text` inert, with every line behind a mark. A fence that is open at its end ends with it."""
    return "\n".join(f"{mark}{line}".rstrip() for line in inert(text).split("\n"))


def quoted_line(text: str) -> str:
    """Return `text` as one line in quotes, which nothing in it can end."""
    line = inert_line(text).replace('"', "'")
    return f'"{line}"'


_ODD = re.compile(r'[\x00-\x1f"\\]')
_ESCAPES = {"\a": r"\a", "\b": r"\b", "\t": r"\t", "\n": r"\n", "\v": r"\v", "\f": r"\f", "\r": r"\r"}
_ESCAPES |= {'"': r"\"", "\\": r"\\"}


def quoted_field(field: str) -> str:
    """Return a field as `git ls-files` prints a path with core.quotePath off.

    One with a tab, line break, other control or hidden character, double quote or backslash stands in double quotes,
    with the escapes of C in it; all others stand as they are.
    """
    is_plain = not _ODD.search(field) and inert(field) == field
    return field if is_plain else f'"{"".join(map(_escaped, field))}"'


def _escaped(one: str) -> str:
    if inert(one) == one and not _ODD.match(one):
        return one
    return _ESCAPES.get(one) or "".join(f"\\{byte:03o}" for byte in one.encode())


def label(text: str) -> str:
    """Return a name of one word as it is, and any other in quotes: several words may be a sentence that orders."""
    return text if _ONE_WORD.fullmatch(text) else quoted_line(text)


_SHORTEST_STEM = 4  # letters from which on a word of the question is found in a longer word too: `token` in `tokens`
_BLANK = -1  # what a beginning at a blank line is worth: less than any other


def best_lines(text: str, question: str, *, most: int) -> tuple[int, int]:
    """Return (first, end) of the lines, counted from 0 and no more than `most` characters long, that answer best.

    These are the lines that have most words of the question, the first among equals, from where its words begin to
    occur: what follows says more about them than what comes before. At least one line is returned, however long;
    blank lines at both ends are left out.
    """
    lines, asked = text.split("\n"), content_words(question)
    having = [_said(line, asked) for line in lines]
    ends, end, used = [], 0, 0  # where the lines end that fit from each on, at least one
    for first, line in enumerate(lines):
        if end == first:
            end, used = first + 1, len(line)
        while end < len(lines) and used + 1 + len(lines[end]) <= most:
            used += 1 + len(lines[end])
            end += 1
        ends.append(end)
        used -= len(line) + 1
    # How many words of the question these lines have.
    worth = [
        len(set[str]().union(*having[first:end])) if lines[first].strip() else _BLANK for first, end in enumerate(ends)
    ]
    best = worth.index(max(worth))
    if ends[best] < len(lines) and worth[best]:
        # The last line from `best` on that is worth as much, with none between that is worth less but blanks.
        latest = best
        for place in range(best, len(worth)):
            if worth[place] == worth[best]:
                latest = place
            elif worth[place] != _BLANK:
                break
        best = latest
    end = ends[best]
    while end > best + 1 and not lines[end - 1].strip():
        end -= 1
    return best, end


def _said(line: str, asked: frozenset[str]) -> set[str]:
    """Return which words of a question a line has; a look for each of them is quicker than to take the line apart."""
    low = line.lower()
    met = {word for word in asked if word in low} if line.isascii() else asked
    if met and any(len(word) < _SHORTEST_STEM or word not in low for word in met):
        there = content_words(line)
        return {word for word in met if word in there or (len(word) >= _SHORTEST_STEM and word in low)}
    return set(met)


CHARACTERS_PER_TOKEN = 4
"""The rule of thumb for English prose."""
BYTES_PER_TOKEN = 3.75
"""Counts text beyond ASCII for what it costs: three bytes of UTF-8 for each Chinese character, four for an emoji."""

QUARTERS = 4
"""Of a token."""
MOST_QUARTERS = 5
"""That one character counts."""

_CHEAP = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + bytes(range(33)) + b"\x7f"
"""Letters and blanks of ASCII: four to a token."""
_NO_MARKS = bytes(range(0x80, 0x100))  # what to leave out of UTF-8, besides the cheap, to count the rest of ASCII
_NOT_WIDE = bytes(range(0xE0))
"""What to leave out to count characters of three or four bytes: ideographs, kana, hangul, signs, emoji. Those of two
are the alphabets: Latin with accents, Greek, Cyrillic, Hebrew, Arabic."""

CountTokens = Callable[[str], int]
"""Says how many tokens a text has."""


class TokensBy(StrEnum):
    """Who counts tokens: two rules of thumb, and a model's own tokenizer, which is exact."""

    CHARS = "chars"
    BYTES = "bytes"
    TOKENIZER = "tokenizer"


def by_characters(text: str) -> int:
    """Return the characters of `text` divided by 4, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def by_bytes(text: str) -> int:
    """Return the bytes of `text` in UTF-8 divided by 3.75, rounded up."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN)


def by_script(text: str) -> int:
    """Return what an embedding model may take for `text` at most, nearly always, in time that hardly counts.

    Word pieces are cheap for words and dear for everything else: a letter or blank counts a quarter, a letter of
    another alphabet a half, an ideograph, sign or emoji 1, a digit or punctuation mark 5/4 (it also breaks a word);
    the sum is rounded up. Of 12,000 excerpts from the documentation of 88 projects, code and tables included, that
    this fills with 256 tokens, 2% have more than 254 by the tokenizer of all-MiniLM-L6-v2; by characters, 84%.
    """
    return -(-quarters(text) // QUARTERS)


def quarters(text: str) -> int:
    """Return what `by_script` rounds up, in quarters of a token: that of a text is the sum of that of its parts."""
    if text.isascii():
        return len(text) + 4 * len(text.encode().translate(None, _CHEAP))
    encoded = text.encode("utf-8", "surrogatepass")
    dear = encoded.translate(None, _CHEAP)
    characters = len(text) - len(encoded) + len(dear)
    marks, wide = len(dear.translate(None, _NO_MARKS)), len(dear.translate(None, _NOT_WIDE))
    return len(text) + characters + 3 * marks + 2 * wide


def fits(text: str, size: int) -> bool:
    """Return whether `text` has at most `size` tokens by script; a short one is not even counted."""
    return len(text) * MOST_QUARTERS <= size * QUARTERS or quarters(text) <= size * QUARTERS
