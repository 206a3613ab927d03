"""Functions, types and methods of compiled and other languages, beside those that Universal Ctags finds.

Compared are simple names and the lines they stand in, of kinds that both know. What stands in a function is left out.
Ctags reads lines, not trees: it loses the rest of a file to a literal that it misunderstands, and looks into no macro.
What tx lists and ctags does not counts against tx only if the text has no such keyword and name.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.accuracy.comparison import Comparison, Subject, Unmeasured
from benchmarks.accuracy.ctags_languages import LANGUAGES, Language
from benchmarks.accuracy.indexed import Indexed, unnumbered
from benchmarks.accuracy.node import documents, run
from scripts.benchmarks.settings import Settings
from tx_graph.code.symbols import Symbol

PROGRAM = "ctags"
_TOOL = "ctags"
_FUNCTIONS = frozenset({"func", "function", "method", "singletonMethod"})
_INVENTED = ("__anon", "anonymous", "AnonymousFunction")
"""How names begin that ctags gives to what has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tag:
    """One line of ctags."""

    path: str
    name: str
    kind: str
    line: int
    end: int
    scope: str
    scope_kind: str


def compare(tree: Indexed, _settings: Settings) -> Iterator[Comparison | Unmeasured]:
    """Yield a comparison for each language that there are files of."""
    for name, language in LANGUAGES.items():
        paths = [path for path in tree.of_languages(name) if path.endswith(language.extensions)]
        if paths:
            yield _compared(tree, language, paths)


def _compared(tree: Indexed, language: Language, paths: Sequence[str]) -> Comparison | Unmeasured:
    if not shutil.which(PROGRAM):
        return _unmeasured(language, "there is no ctags on PATH")
    by_file: dict[str, list[_Tag]] = defaultdict(list)
    try:
        for tag in _tags(tree, language, paths):
            by_file[tag.path].append(tag)
    except RuntimeError as error:
        return _unmeasured(language, str(error))
    files = [_File(tree, path, by_file[path], language) for path in paths]
    pairs = [pair for file in files for pair in file.alike]
    qualified = sum(_is_named_alike(tag, symbol) for tag, symbol in pairs)
    return Comparison(
        language=language.title,
        subject=Subject.SYMBOLS,
        tool=_TOOL,
        both=len(pairs),
        only_tx=tuple(line for file in files for line in file.only_tx(in_text=False)),
        only_tool=tuple(line for file in files for line in file.only_tool()),
        beyond=tuple(line for file in files for line in file.only_tx(in_text=True)),
        remark=f"{len(paths):,} files; {qualified / max(1, len(pairs)):.2%} of those alike are qualified alike",
        judged=language.judged,
    )


class _File:
    """One file: which tag and which symbol are the same declaration."""

    def __init__(self, tree: Indexed, path: str, tags: Sequence[_Tag], language: Language) -> None:
        self._path = path
        self._lines = (tree.root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        self._language = language
        self._tags = _outside_functions(tags)
        self._symbols = [symbol for symbol in tree.symbols.get(path, ()) if symbol.kind in language.ours]
        self.alike = list(self._matched())

    def only_tx(self, *, in_text: bool) -> Iterator[str]:
        """Yield the symbols that ctags does not know: those that the text declares, or the others."""
        known = {id(symbol) for _, symbol in self.alike}
        for symbol in self._symbols:
            if id(symbol) not in known and self._is_in_text(symbol) is in_text:
                yield f"{self._path}:{symbol.line_start} {symbol.kind} {symbol.name}"

    def only_tool(self) -> Iterator[str]:
        """Yield the tags that tx does not know and should."""
        known = {id(tag) for tag, _ in self.alike}
        for tag in self._tags:
            if id(tag) not in known and self._is_due(tag):
                yield f"{self._path}:{tag.line} {tag.kind} {tag.scope} {tag.name}"

    def _is_due(self, tag: _Tag) -> bool:
        if (tag.kind, tag.scope_kind) in self._language.optional or _is_of_parameter(tag):
            return False
        return not re.search(self._language.mistaken, self._lines[tag.line - 1])

    def _is_in_text(self, symbol: Symbol) -> bool:
        lines = self._lines[symbol.line_start - 1 : symbol.line_end]
        return any(self._language.declares(line, _simple(symbol.name)) for line in lines)

    def _matched(self) -> Iterator[tuple[_Tag, Symbol]]:
        """Yield each tag with the smallest symbol of its name around its line; a symbol is one tag's only."""
        free: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in sorted(self._symbols, key=lambda one: one.line_end - one.line_start):
            free[_simple(symbol.name)].append(symbol)
        for tag in self._tags:
            around = [one for one in free[_simple(tag.name)] if one.line_start <= tag.line <= one.line_end]
            if around:
                free[_simple(tag.name)].remove(around[0])
                yield tag, around[0]


def _tags(tree: Indexed, language: Language, paths: Iterable[str]) -> Iterator[_Tag]:
    """Yield the tags of kinds that both know, and of all functions."""
    command = [PROGRAM, f"--language-force={language.title}", "--output-format=json", "--fields=+neKsS"]
    printed = run([*command, "--extras=-q", "-f", "-", "-L", "-"], tree.root, question="\n".join(paths))
    for tag in documents(printed):
        if tag.get("kind") in language.kinds and not tag["name"].startswith(_INVENTED):
            yield _Tag(
                path=tag["path"],
                name=tag["name"],
                kind=tag["kind"],
                line=tag["line"],
                end=tag.get("end", tag["line"]),
                scope=tag.get("scope", ""),
                scope_kind=tag.get("scopeKind", ""),
            )


def _outside_functions(tags: Sequence[_Tag]) -> list[_Tag]:
    """Return the tags by line, without those in a function, by what ctags says of scopes and of functions' ends."""
    functions = {tuple(_parts(f"{tag.scope}.{tag.name}")) for tag in tags if tag.kind in _FUNCTIONS}
    kept: list[_Tag] = []
    end = 0
    for tag in sorted(tags, key=lambda one: one.line):
        around = _parts(tag.scope)
        if tag.line > end and not any(tuple(around[:length]) in functions for length in range(1, len(around) + 1)):
            kept.append(tag)
            end = max(end, tag.end) if tag.kind in _FUNCTIONS else end
    return kept


def _is_of_parameter(tag: _Tag) -> bool:
    """Whether a tag stands in an implementation for whatever type: those are nobody's members."""
    return tag.scope_kind == "implementation" and re.fullmatch(r"[A-Z]\d?", tag.scope) is not None


def _is_named_alike(tag: _Tag, symbol: Symbol) -> bool:
    """Whether a tag in its scope has the qualified name of a symbol; ctags adds packages before it."""
    theirs, ours = _parts(f"{tag.scope}.{tag.name}"), _parts(symbol.name)
    return theirs[-len(ours) :] == ours


def _parts(name: str) -> list[str]:
    """Return the names in a qualified name, whatever stands between them."""
    return [part for part in re.split(r"[.:\\]+", unnumbered(name).replace(" ", "")) if part]


def _simple(name: str) -> str:
    return _parts(name)[-1]


def _unmeasured(language: Language, reason: str) -> Unmeasured:
    return Unmeasured(language=language.title, subject=Subject.SYMBOLS, tool=_TOOL, reason=reason)
