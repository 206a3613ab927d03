"""Other languages' code as Pygments sees it: a stream of tokens without white space and comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, String, _TokenType
from pygments.util import ClassNotFound

from scripts.benchmarks.survival.code import LITERAL, Code, comment_words
from scripts.benchmarks.survival.formatters import settled
from tx_graph.code.languages import language_of

_OPENING, _CLOSING = frozenset(("(", "[", "{", "${", "#{", "#[", "#![")), frozenset(")]}")
_ARROWS = frozenset("-=")
"""After these `>` ends an arrow, in the lexers that cut it in two."""
_SAID_AT_ONCE = frozenset({"type", "macro_rules!"})
"""Begin what has no body to tell from its head."""
_MODIFIERS = frozenset("export declare pub ( crate super )".split())
_OTHER_LEXERS = {".vue": "typescript", ".mts": "typescript", ".cts": "typescript", ".mjs": "javascript", ".h": "cpp"}
"""What to read symbols of a kind of file with where its name leads to another lexer, or to none."""
_LEADING_NOWHERE = frozenset(": | & < , ? keyof extends implements".split())
"""After these a brace opens a type, not a body."""
_GO_TYPES = frozenset({"interface", "struct"})
"""After these a brace opens a type if a function's head is where they stand."""
_NAMED_TYPES = frozenset({"go"})
"""Languages in which `type` begins a type of its own, not a name for another."""
_Piece = tuple[_TokenType, str]


def lexed_code(path: str, text: str) -> Code:
    """Return the code of a symbol's lines; not sure of it where the lexer loses its way."""
    pieces = list(_pieces(path, text))
    code = [piece for piece in pieces if not _is_comment(*piece)]
    language = language_of(path) or ""
    tokens = settled(language, tuple(_joined(code)))
    return Code(
        tokens=tokens,
        head=_head(language, tokens),
        comments=tuple(word for kind, said in pieces if _is_comment(kind, said) for word in comment_words(said)),
        sure=not any(_is_stumble(kind, said) for kind, said in code),
    )


def _pieces(path: str, text: str) -> Iterator[_Piece]:
    lexer = _lexer(path[path.rfind(".") :], path)
    return ((kind, said) for kind, said in lexer.get_tokens(text) if said.strip() or kind in String)


@cache
def _lexer_named(name: str) -> Any:  # noqa: ANN401 - Pygments has no types
    return get_lexer_by_name(name)


def _lexer(suffix: str, path: str) -> Any:  # noqa: ANN401 - Pygments has no types
    if name := _OTHER_LEXERS.get(suffix):
        return _lexer_named(name)
    return _lexer_of(suffix if "." in suffix else path)


@cache
def _lexer_of(suffix: str) -> Any:  # noqa: ANN401 - Pygments has no types
    try:
        return get_lexer_for_filename(f"any{suffix}" if suffix.startswith(".") else suffix)
    except ClassNotFound:
        return get_lexer_by_name("text")


def _is_comment(kind: _TokenType, said: str) -> bool:
    """Whether a piece is a comment; Pygments counts attributes and directives (`#[derive]`, `#if`) among them."""
    if kind in Comment:
        return kind not in Comment.Preproc and kind not in Comment.PreprocFile
    return kind in String.Doc and said.lstrip().startswith(("/", "*"))


def _is_stumble(kind: _TokenType, said: str) -> bool:
    """Whether the lexer met what it does not know, or took a quote for the beginning of a long string."""
    return kind in Error or (kind in (String.Single, String.Double) and "\n" in re.sub(r"\\\n", "", said))


def _joined(pieces: Iterable[_Piece]) -> Iterator[str]:
    """Yield the text of each piece, pieces of one string as one, marked so that it cannot be taken for a name."""
    for is_string, group in groupby(pieces, key=lambda piece: piece[0] in String and piece[0] not in String.Interpol):
        said = [text for _, text in group]
        yield from [LITERAL + "".join(said)] if is_string else (" ".join(text.split()) for text in said)


def _head(language: str, tokens: Sequence[str]) -> tuple[str, ...] | None:
    """Return the tokens before the body; None if it is not plain where that begins."""
    begin = next((said for said in tokens if said not in _MODIFIERS), "")
    if begin in _SAID_AT_ONCE and language not in _NAMED_TYPES:
        return None
    end = _body_begins(tokens)
    return tuple(tokens[:end]) if end is not None else None


def _body_begins(tokens: Sequence[str]) -> int | None:
    depth = 0
    for place, said in enumerate(tokens):
        if depth == 0 and said == "=" and not _holds_function(tokens, place + 1):
            return place
        if depth == 0 and said in ("{", "=>"):
            return place if _may_begin(tokens, place) else None
        depth += _deeper(tokens, place)
    return None


def _deeper(tokens: Sequence[str], place: int) -> int:
    """Return how many brackets a token opens; less than none if it closes some. Angles count as such."""
    said = tokens[place]
    if set(said) <= {"<", ">"}:
        ends_arrow = said == ">" and place > 0 and tokens[place - 1] in _ARROWS
        return 0 if ends_arrow else said.count("<") - said.count(">")
    return (said in _OPENING) - (said in _CLOSING)


def _may_begin(tokens: Sequence[str], place: int) -> bool:
    """Whether it is plain that a body begins here, and not a type."""
    before = tokens[place - 1] if place else ":"
    return before not in _LEADING_NOWHERE and not (tokens[0] == "func" and before in _GO_TYPES)


def _holds_function(tokens: Sequence[str], place: int) -> bool:
    """Whether the value that begins here is a function, whose parameters belong to the head."""
    if tokens[place : place + 1] == ("async",):
        place += 1
    if tokens[place : place + 1] in (("function",), ("function*",)):
        return True
    if tokens[place : place + 1] == ("<",):
        place = _after_brackets(tokens, place)
    after = _after_brackets(tokens, place) if tokens[place : place + 1] == ("(",) else place + 1
    return tokens[after : after + 1] in (("=>",), (":",))


def _after_brackets(tokens: Sequence[str], place: int) -> int:
    depth = 0
    for after in range(place, len(tokens)):
        depth += _deeper(tokens, after)
        if depth == 0:
            return after + 1
    return len(tokens)
