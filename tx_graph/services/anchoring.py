"""Takes anchors from the working tree and says whether they still hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.anchor import Anchor, AnchorRequest, AnchorType, Verdict, looks_like_glob
from tx_graph.errors import NotFound, UsageError
from tx_graph.services.sources import Sources

_OTHERS_LACK_IT = "An anchor is shared with the learning: tie it to a file that others have too."
_SINGLY = 20
"""Files that git is asked about one by one, 3 ms each: beyond, listing all of them takes less."""
_WORST_FIRST = (Verdict.GONE, Verdict.DRIFTED, Verdict.RELOCATED, Verdict.FRESH)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorVerdict:
    """Whether one anchor holds, why, and where it points now (lines for people)."""

    anchor: Anchor
    verdict: Verdict
    reason: str = ""
    lines: tuple[int, int] | None = None


class Anchoring:
    """Looks anchors up in the working tree as it is now; each file is read and parsed once.

    Globs match tracked files; without `tracked_files`, as outside git, every listed one.
    """

    def __init__(
        self,
        *,
        tree: WorkingTree,
        listed_files: Callable[[], PathMatcher],
        tracked_files: Callable[[], PathMatcher] | None = None,
    ) -> None:
        self._tree = tree
        self._listed_files = listed_files
        self._glob_files = tracked_files or listed_files
        self._sources = Sources(tree)
        self._taken = 0

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
        return Anchor(path=path, type=kind, fingerprint=fingerprint(self._sources.text(path) or ""))

    def path(self, typed: str) -> str:
        """Return the repository-relative path of an existing file that may be anchored.

        Raises:
            NotFound: There is none; the nearest are named.
            UsageError: It leads out of the repository, is a directory, or is no part of the project.
        """
        found = self._tree.existing(typed)
        if found is None:
            raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))
        if foreign := self._why_foreign(found):
            raise UsageError(f"'{typed}' cannot be anchored: {foreign}.", hint=_OTHERS_LACK_IT)
        if self._tree.is_directory(found):
            raise UsageError(f"'{typed}' is a directory.", hint=f"To mean all files in it, use the glob '{found}/**'.")
        if self._sources.text(found) is None:
            raise UsageError(f"'{typed}' cannot be read as a file.")
        return found

    def _why_foreign(self, path: str) -> str:
        """Return why a file is no part of the project; from a list of all files once many are anchored at a time."""
        self._taken += 1
        if self._taken > _SINGLY and path in self._listed_files():
            return ""
        return self._tree.why_foreign(path)

    def candidates(self, typed: str) -> list[str]:
        """Return the repository-relative paths that a typed path may mean.

        Raises:
            UsageError: It leads out of the repository.
        """
        return self._tree.candidates(typed)

    def existing(self, typed: str) -> str | None:
        """Return the repository-relative path of the file or directory that a typed path means, None if there is none.

        Raises:
            UsageError: It leads out of the repository.
        """
        return self._tree.existing(typed)

    def files_matching(self, pattern: str) -> Sequence[str]:
        """Return the repository's files that a glob matches."""
        return self._glob_files().matching(pattern)

    def matches_any(self, pattern: str, paths: Sequence[str]) -> bool:
        """Whether a glob matches one of these files."""
        return self._glob_files().matches_any(pattern, paths)

    def verify(self, anchor: Anchor) -> AnchorVerdict:
        """Return whether `anchor` holds in the working tree."""
        if anchor.type is AnchorType.GLOB:
            found = self.files_matching(anchor.path)
            return _judged(anchor, holds=bool(found), reason=_matches(len(found)))
        text = self._sources.text(anchor.path)
        if text is None:
            return AnchorVerdict(anchor=anchor, verdict=Verdict.GONE, reason="the file is gone")
        if anchor.type is AnchorType.SYMBOL:
            return self._verify_symbol(anchor, text)
        if anchor.type is AnchorType.LINES:
            return _verify_lines(anchor, text)
        same = anchor.fingerprint is None or fingerprint(text) == anchor.fingerprint
        return _judged(anchor, holds=same, reason="" if same else "the file has changed", otherwise=Verdict.DRIFTED)

    def verdict(self, anchors: Iterable[Anchor]) -> Verdict:
        """Return the verdict on a learning, by its anchors."""
        return worst(self.verify(anchor) for anchor in anchors)

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
        if not self.files_matching(pattern):
            raise self._no_match(pattern)
        return Anchor(path=pattern, type=AnchorType.GLOB)

    def _no_match(self, pattern: str) -> NotFound:
        untracked = self._listed_files().matching(pattern)
        if not untracked:
            return NotFound(f"The glob '{pattern}' matches no file.", hint="Globs start at the repository's root.")
        files = untracked[0] if len(untracked) == 1 else f"{untracked[0]} and {len(untracked) - 1} more"
        return NotFound(
            f"The glob '{pattern}' matches only files that git does not track: {files}.",
            hint="Track them first: git add.",
        )

    def _take_symbol(self, path: str, name: str) -> Anchor:
        symbol = self._sources.symbol(path, name)
        lines = (self._sources.text(path) or "").split("\n")
        taken = _of_lines(lines, (symbol.line_start, symbol.line_end))
        return Anchor(path=path, type=AnchorType.SYMBOL, symbol=symbol.name, fingerprint=taken)

    def _take_lines(self, path: str, lines: tuple[int, int]) -> Anchor:
        all_lines = _lines_of(self._sources.text(path) or "")
        if lines[1] > len(all_lines):
            raise NotFound(f"{path} ends at line {len(all_lines)}; there is no line {lines[1]}.")
        return Anchor(path=path, type=AnchorType.LINES, lines=lines, fingerprint=_of_lines(all_lines, lines))

    def _verify_symbol(self, anchor: Anchor, text: str) -> AnchorVerdict:
        symbol = next((one for one in self._sources.symbols(anchor.path) if one.name == anchor.symbol), None)
        if symbol is None:
            return AnchorVerdict(anchor=anchor, verdict=Verdict.GONE, reason=f"'{anchor.symbol}' is gone")
        lines = (symbol.line_start, symbol.line_end)
        same = anchor.fingerprint in (None, _of_lines(text.split("\n"), lines))
        reason = "" if same else f"'{anchor.symbol}' has changed"
        return _judged(anchor, holds=same, reason=reason, otherwise=Verdict.DRIFTED, lines=lines)


def worst(judged: Iterable[AnchorVerdict]) -> Verdict:
    """Return the verdict on a learning: the worst of its anchors', `unanchored` when it has none."""
    found = {one.verdict for one in judged}
    return next((verdict for verdict in _WORST_FIRST if verdict in found), Verdict.UNANCHORED)


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
