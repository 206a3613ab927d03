"""Takes anchors from the working tree and says whether they still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.anchor import Anchor, AnchorRequest, AnchorType, Verdict, looks_like_glob
from tx_graph.domain.languages import language_of
from tx_graph.errors import NotFound, UsageError

if TYPE_CHECKING:
    from tx_graph.domain.symbols import Symbol

_WORST_FIRST = (Verdict.GONE, Verdict.DRIFTED, Verdict.RELOCATED, Verdict.FRESH)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorVerdict:
    """Whether one anchor holds, why, and where it points now (lines for people)."""

    anchor: Anchor
    verdict: Verdict
    reason: str = ""
    lines: tuple[int, int] | None = None


class Anchoring:
    """Looks anchors up in the working tree as it is now; each file is read and parsed once."""

    def __init__(self, *, tree: WorkingTree, listed_files: Callable[[], PathMatcher]) -> None:
        self._tree = tree
        self._listed_files = listed_files
        self._texts: dict[str, str | None] = {}
        self._symbols: dict[str, tuple[Symbol, ...]] = {}

    def take(self, request: AnchorRequest) -> Anchor:
        """Return the anchor that is asked for, with the fingerprint of what it ties to now.

        Raises:
            NotFound: The file, symbol or lines do not exist; a glob matches nothing.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        kind = self._kind(request)
        if kind is AnchorType.GLOB:
            return self._take_glob(request)
        path = self.path(request.path)
        if kind is AnchorType.SYMBOL:
            return self._take_symbol(path, request.symbol or "")
        if kind is AnchorType.LINES:
            return self._take_lines(path, request.lines or (1, 1))
        return Anchor(path=path, type=kind, fingerprint=fingerprint(self._text(path) or ""))

    def path(self, typed: str) -> str:
        """Return the repository-relative path of an existing file.

        Raises:
            NotFound: There is none; the nearest are named.
            UsageError: It leads out of the repository, or is a directory.
        """
        found = self._tree.existing(typed)
        if found is None:
            raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))
        if self._tree.is_directory(found):
            raise UsageError(f"'{typed}' is a directory.", hint=f"To mean all files in it, use the glob '{found}/**'.")
        if self._text(found) is None:
            raise UsageError(f"'{typed}' cannot be read as a file.")
        return found

    def candidates(self, typed: str) -> list[str]:
        """Return the repository-relative paths that a typed path may mean.

        Raises:
            UsageError: It leads out of the repository.
        """
        return self._tree.candidates(typed)

    def files_matching(self, pattern: str) -> list[str]:
        """Return the repository's files that a glob matches."""
        return self._listed_files().matching(pattern)

    def verify(self, anchor: Anchor) -> AnchorVerdict:
        """Return whether `anchor` holds in the working tree."""
        if anchor.type is AnchorType.GLOB:
            found = self._listed_files().matching(anchor.path)
            return _judged(anchor, holds=bool(found), reason=_matches(len(found)))
        text = self._text(anchor.path)
        if text is None:
            return AnchorVerdict(anchor=anchor, verdict=Verdict.GONE, reason="the file is gone")
        if anchor.type is AnchorType.SYMBOL:
            return self._verify_symbol(anchor, text)
        if anchor.type is AnchorType.LINES:
            return _verify_lines(anchor, text)
        same = anchor.fingerprint is None or fingerprint(text) == anchor.fingerprint
        return _judged(anchor, holds=same, reason="" if same else "the file has changed", otherwise=Verdict.DRIFTED)

    def verdict(self, anchors: Iterable[Anchor]) -> Verdict:
        """Return the verdict on a learning: the worst of its anchors', `unanchored` when it has none."""
        found = {self.verify(anchor).verdict for anchor in anchors}
        return next((verdict for verdict in _WORST_FIRST if verdict in found), Verdict.UNANCHORED)

    def _kind(self, request: AnchorRequest) -> AnchorType:
        given = _inferred(request, exists=self._exists(request.path))
        kind = request.type or given
        needs = {AnchorType.SYMBOL: request.symbol, AnchorType.LINES: request.lines}
        if kind in needs and needs[kind] is None:
            raise UsageError(
                f"An anchor of type '{kind}' needs {'a symbol' if kind is AnchorType.SYMBOL else 'lines'}."
            )
        if kind is not given and given in needs:
            raise UsageError(
                f"An anchor of type '{kind}' has no {'symbol' if given is AnchorType.SYMBOL else 'lines'}."
            )
        if request.symbol and request.lines:
            raise UsageError("An anchor names a symbol or lines, not both; add two anchors.")
        return kind

    def _exists(self, typed: str) -> bool:
        return self._tree.existing(typed) is not None

    def _take_glob(self, request: AnchorRequest) -> Anchor:
        pattern = request.path.strip()
        if pattern.startswith(("/", "../")) or "/../" in pattern:
            raise UsageError(f"'{pattern}' is outside the repository.", hint="Globs start at the repository's root.")
        if not self._listed_files().matching(pattern):
            raise NotFound(f"The glob '{pattern}' matches no file.", hint="Globs start at the repository's root.")
        return Anchor(path=pattern, type=AnchorType.GLOB)

    def _take_symbol(self, path: str, name: str) -> Anchor:
        symbol = self._find_symbol(path, name)
        text = "\n".join((self._text(path) or "").split("\n")[symbol.line_start - 1 : symbol.line_end])
        return Anchor(path=path, type=AnchorType.SYMBOL, symbol=symbol.name, fingerprint=fingerprint(text))

    def _find_symbol(self, path: str, name: str) -> Symbol:
        symbols = self._symbols_of(path)
        exact = [symbol for symbol in symbols if symbol.name == name]
        found = exact or [symbol for symbol in symbols if symbol.name.endswith(f"::{name}")]
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{name}' names several symbols of {path}.", candidates=[s.fqname for s in found])
        if language_of(path) is None:
            raise UsageError(f"tx reads no symbols in '{path}'.", hint="Anchor to lines instead: PATH:L10-L20.")
        names = [symbol.name for symbol in symbols]
        from difflib import get_close_matches

        near = get_close_matches(name, names, cutoff=0.4) or names[:5]
        raise NotFound(f"There is no symbol '{name}' in {path}.", candidates=[f"{path}::{one}" for one in near])

    def _take_lines(self, path: str, lines: tuple[int, int]) -> Anchor:
        all_lines = _lines_of(self._text(path) or "")
        if lines[1] > len(all_lines):
            raise NotFound(f"{path} ends at line {len(all_lines)}; there is no line {lines[1]}.")
        return Anchor(path=path, type=AnchorType.LINES, lines=lines, fingerprint=_of_lines(all_lines, lines))

    def _verify_symbol(self, anchor: Anchor, text: str) -> AnchorVerdict:
        symbol = next((one for one in self._symbols_of(anchor.path) if one.name == anchor.symbol), None)
        if symbol is None:
            return AnchorVerdict(anchor=anchor, verdict=Verdict.GONE, reason=f"'{anchor.symbol}' is gone")
        lines = (symbol.line_start, symbol.line_end)
        now = fingerprint("\n".join(text.split("\n")[lines[0] - 1 : lines[1]]))
        same = anchor.fingerprint in (None, now)
        reason = "" if same else f"'{anchor.symbol}' has changed"
        return _judged(anchor, holds=same, reason=reason, otherwise=Verdict.DRIFTED, lines=lines)

    def _symbols_of(self, path: str) -> tuple[Symbol, ...]:
        if path not in self._symbols:
            from tx_graph.codebase.parsing import read_symbols

            self._symbols[path] = read_symbols(path, (self._text(path) or "").encode("utf-8", "surrogateescape"))
        return self._symbols[path]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            data = self._tree.read(path)
            # Lossless, so that a change of bytes that are no text shows too.
            text = None if data is None else data.decode("utf-8-sig", "surrogateescape")
            self._texts[path] = None if text is None else text.replace("\r\n", "\n")
        return self._texts[path]


def _inferred(request: AnchorRequest, *, exists: bool) -> AnchorType:
    if request.symbol:
        return AnchorType.SYMBOL
    if request.lines:
        return AnchorType.LINES
    return AnchorType.GLOB if looks_like_glob(request.path) and not exists else AnchorType.HASH


def fingerprint(text: str) -> str:
    """Return the SHA-256 of `text` in hexadecimal; Windows line ends count as Unix ones."""
    import hashlib

    return hashlib.sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()


def _lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _of_lines(lines: list[str], span: tuple[int, int]) -> str:
    return fingerprint("\n".join(lines[span[0] - 1 : span[1]]))


def _verify_lines(anchor: Anchor, text: str) -> AnchorVerdict:
    lines, (first, last) = _lines_of(text), anchor.lines or (1, 1)
    if last <= len(lines) and anchor.fingerprint in (None, _of_lines(lines, (first, last))):
        return AnchorVerdict(anchor=anchor, verdict=Verdict.FRESH, lines=(first, last))
    length = last - first + 1
    for start in range(1, len(lines) - length + 2):
        span = (start, start + length - 1)
        if _of_lines(lines, span) == anchor.fingerprint:
            reason = f"moved to lines {span[0]}-{span[1]}"
            return AnchorVerdict(anchor=anchor, verdict=Verdict.RELOCATED, reason=reason, lines=span)
    return AnchorVerdict(anchor=anchor, verdict=Verdict.DRIFTED, reason="the lines have changed")


def _matches(count: int) -> str:
    return "matches 1 file" if count == 1 else f"matches {count or 'no'} files"


def _judged(
    anchor: Anchor,
    *,
    holds: bool,
    reason: str,
    otherwise: Verdict = Verdict.GONE,
    lines: tuple[int, int] | None = None,
) -> AnchorVerdict:
    return AnchorVerdict(anchor=anchor, verdict=Verdict.FRESH if holds else otherwise, reason=reason, lines=lines)
