"""What formatters change without changing the program, undone: quotes, trailing commas, and orders that say nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from scripts.benchmarks.survival.code import LITERAL

_CLOSING = frozenset(")]}")
_PLAIN_STRING = re.compile(r"\"'([^'\"\\]*)'")
_BEFORE_IMPORTS = frozenset((";", "{", "}", "]", ")", "pub"))
_JAVA_MODIFIERS = frozenset(
    "public protected private abstract default static final transient volatile synchronized native strictfp".split()
)


def settled(language: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Return tokens as any formatter of the language would have left them."""
    settle = _SETTLING.get(language)
    return tuple(settle(tokens) if settle else tokens)


def _script(tokens: Sequence[str]) -> Iterator[str]:
    """Yield a script's tokens with plain strings in double quotes, without commas that only trail, `>>` in two."""
    for before, said, after in zip(("", *tokens), tokens, (*tokens[1:], ""), strict=False):
        if said != "," or after not in _CLOSING or before in ("[", ","):
            yield from said if set(said) == {">"} else (_PLAIN_STRING.sub(rf'{LITERAL}"\1"', said),)


def _java(tokens: Iterable[str]) -> Iterator[str]:
    """Yield Java's tokens with the modifiers of each declaration in one order."""
    for are_modifiers, run in groupby(tokens, key=_JAVA_MODIFIERS.__contains__):
        words = list(run)
        yield from sorted(words) if are_modifiers else words


def _rust(tokens: Sequence[str]) -> Iterator[str]:
    """Yield Rust's tokens, those of imports in a row one for each name, sorted."""
    names: list[str] = []
    place = 0
    while place < len(tokens):
        if end := _import_end(tokens, place):
            names += _used(tokens[place + 1 : end])
            place = end + 1
        else:
            yield from (*sorted(names), tokens[place])
            names = []
            place += 1
    yield from sorted(names)


def _import_end(tokens: Sequence[str], place: int) -> int | None:
    """Return where the import that begins here ends, None when none does."""
    begins = tokens[place] == "use" and (place == 0 or tokens[place - 1] in _BEFORE_IMPORTS)
    return tokens.index(";", place) if begins and ";" in tokens[place:] else None


def _used(tokens: Iterable[str]) -> Iterator[str]:
    """Yield the whole path of each name that one import brings in."""
    prefixes: list[list[str]] = [[]]
    path: list[str] = []
    for said in (*tokens, ","):
        if said == "{":
            prefixes.append(path)
        elif said not in ("}", ","):
            path = [*path, said]
            continue
        elif path != prefixes[-1]:
            yield f"use {' '.join(path)}"
        if said == "}":
            prefixes.pop()
        path = prefixes[-1]


_SETTLING: Mapping[str, Callable[[Sequence[str]], Iterable[str]]] = {
    **dict.fromkeys(("javascript", "jsx", "typescript", "tsx", "vue"), _script),
    "java": _java,
    "rust": _rust,
}
