"""Says whether anchors hold at their own place: what was edited there, and what is no longer there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tx_graph.anchors.fingerprints import drift
from tx_graph.anchors.relocation import Found, find_lines
from tx_graph.anchors.sources import Sources, SourceText, sources
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.code.symbols import Symbol, unnumbered
from tx_graph.core.kernel import Kernel
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Reason, leads_outside


def refreshed(anchor: Anchor, sources: Sources) -> Anchor | None:
    """Return an anchor with fingerprints of what is at its place now; None when its place is gone."""
    if anchor.type is AnchorType.GLOB:
        return anchor
    source = sources.get(anchor.path)
    taken = taken_from(anchor, source) if source else None
    if source is None or taken is None:
        return None
    text = source.text_of(anchor.lines) if anchor.text is not None and anchor.lines else None
    return replace(anchor, fingerprints=taken, text=text)


def taken_from(anchor: Anchor, source: SourceText) -> Fingerprints | None:
    """Return the fingerprints of an anchor's place in one version of its file; None where it has no such place."""
    if anchor.type is AnchorType.SYMBOL:
        symbol = source.symbol(anchor.symbol or "")
        return source.anchored(symbol) if symbol else None
    if anchor.lines is None:
        return source.whole()
    return source.of_lines(anchor.lines) if anchor.lines[1] <= len(source.lines) else None


CHANGED = {
    Drift.FORMAT: "only the formatting changed",
    Drift.COMMENT: "only comments changed",
    Drift.BODY: "the code changed",
    Drift.SIGNATURE: "the signature changed",
}
"""What a drift is in words, as a sentence's end."""
_OUTSIDE = "it leads out of the repository"


class Judging:
    """Looks at one anchor after the other."""

    def __init__(self, kernel: Kernel) -> None:
        self._tree = kernel.checkout.tree
        self._sources = kernel.one(sources)
        self._glob_files = kernel.checkout.tracked_files

    def forget(self) -> None:
        """Know nothing but the files, which are read anew when they are asked for."""

    def judge(self, anchor: Anchor) -> Judgement:
        """Return the verdict on an anchor from its own file alone; what went elsewhere is invalid here."""
        if anchor.invalidated:
            return _invalid(anchor, Reason.INVALIDATED, anchor.invalidated.reason or "somebody said so")
        if anchor.pinned:
            return Judgement(anchor=anchor, verdict=Verdict.PINNED, detail="pinned, not looked at")
        if leads_outside(anchor.path):
            return _invalid(anchor, Reason.OUTSIDE_REPOSITORY, _OUTSIDE)
        if anchor.type is AnchorType.GLOB:
            return self._glob(anchor)
        source = self._sources.get(anchor.path)
        return self.judge_in(anchor, source) if source else self._unreadable(anchor)

    def _unreadable(self, anchor: Anchor) -> Judgement:
        if self._tree.links_outside(anchor.path):
            return _invalid(anchor, Reason.OUTSIDE_REPOSITORY, _OUTSIDE)
        detail = "it is a directory now" if self._tree.is_directory(anchor.path) else "the file is gone"
        return _invalid(anchor, Reason.FILE_DELETED, detail)

    def judge_in(self, anchor: Anchor, source: SourceText) -> Judgement:
        """Return the verdict on an anchor from one version of its file."""
        if anchor.type is AnchorType.SYMBOL:
            return _symbol(anchor, source)
        return _lines(anchor, source) if anchor.lines else _file(anchor, source)

    def _glob(self, anchor: Anchor) -> Judgement:
        count = len(self._glob_files().matching(anchor.path))
        if not count:
            return _invalid(anchor, Reason.PATTERN_MATCHES_NOTHING, "it matches no file")
        files = "1 file" if count == 1 else f"{count:,} files"
        return Judgement(anchor=anchor, verdict=Verdict.VALID, detail=f"matches {files}")


def moved(anchor: Anchor, *, symbol: Symbol, source: SourceText) -> Anchor:
    """Return an anchor as it is for this symbol of this file."""
    return replace(anchor, path=source.path, symbol=symbol.name, fingerprints=source.anchored(symbol))


def compared(anchor: Anchor, now: Fingerprints, *, lines: tuple[int, int] | None) -> Judgement:
    """Return the verdict on code that was found at the anchor's place."""
    found = drift(anchor.fingerprints, now) if anchor.fingerprints else None
    if found is None:
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=lines)
    return Judgement(anchor=anchor, verdict=Verdict.DRIFTED, drift=found, detail=CHANGED[found], lines=lines)


def _file(anchor: Anchor, source: SourceText) -> Judgement:
    if anchor.fingerprints is None or anchor.fingerprints.content == source.whole_content:
        return Judgement(anchor=anchor, verdict=Verdict.VALID)
    return compared(anchor, source.whole(), lines=None)


def _symbol(anchor: Anchor, source: SourceText) -> Judgement:
    symbol = source.symbol(anchor.symbol or "")
    if symbol is None:
        candidates = tuple(one.fqname for one in _overloads(anchor, source))
        missing = replace(_invalid(anchor, Reason.SYMBOL_MISSING, f"'{anchor.symbol}' is gone"), candidates=candidates)
        return _other_overload(anchor, source) or missing
    if anchor.fingerprints is None or source.content_of(symbol.lines) == anchor.fingerprints.content:
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=symbol.lines)
    judged = compared(anchor, source.of_symbol(symbol), lines=symbol.lines)
    return (_other_overload(anchor, source) if judged.is_finding else None) or judged


def _other_overload(anchor: Anchor, source: SourceText) -> Judgement | None:
    """Return where the code went among overloads, which are numbered in their order: one may have come or gone."""
    old = anchor.fingerprints
    others = [symbol for symbol in _overloads(anchor, source) if symbol.name != anchor.symbol]
    if old is None or not old.tokens or not others:
        return None
    same = [symbol for symbol in others if source.of_symbol(symbol).tokens == old.tokens]
    if len(same) == 1:
        return relocated(anchor, moved(anchor, symbol=same[0], source=source), symbol=same[0], how="as an overload")
    own = source.symbol(anchor.symbol or "")
    alike = [symbol for symbol in others if source.of_symbol(symbol).signature == old.signature]
    if same or len(alike) != 1 or (own and source.of_symbol(own).signature == old.signature):
        return None
    there = moved(anchor, symbol=alike[0], source=source)
    judged = compared(anchor, source.of_symbol(alike[0]), lines=alike[0].lines)
    return replace(judged, relocated_to=there, detail=f"{judged.detail}; it is {there.spec} now")


def relocated(anchor: Anchor, there: Anchor, *, symbol: Symbol, how: str) -> Judgement:
    """Return the verdict on a symbol whose code was found elsewhere, with what else changed in it."""
    found = compared(anchor, there.fingerprints, lines=symbol.lines).drift if there.fingerprints else None
    mild = found if found and not found.counts else None
    return Judgement(
        anchor=anchor,
        verdict=Verdict.RELOCATED,
        drift=mild,
        detail=f"it is {there.spec} now, {how}",
        lines=symbol.lines,
        relocated_to=there,
    )


def _overloads(anchor: Anchor, source: SourceText) -> Iterator[Symbol]:
    name = unnumbered(anchor.symbol or "")
    return (symbol for symbol in source.symbols if unnumbered(symbol.name) == name)


def _lines(anchor: Anchor, source: SourceText) -> Judgement:
    first, last = anchor.lines or (1, 1)
    if anchor.fingerprints is None:
        if last <= len(source.lines):
            return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=(first, last))
        return _invalid(anchor, Reason.CONTENT_MISSING, f"the file ends at line {len(source.lines)}")
    if last <= len(source.lines) and source.content_of((first, last)) == anchor.fingerprints.content:
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=(first, last))
    found = find_lines(anchor, source.lines, content_of=source.content_of, tokens_of=source.flat_tokens)
    if found is None:
        return _invalid(anchor, Reason.CONTENT_MISSING, "the lines are not in the file any more")
    return _found_lines(anchor, source, found)


def _found_lines(anchor: Anchor, source: SourceText, found: Found) -> Judgement:
    now = source.of_lines(found.lines)
    judged = compared(anchor, now, lines=found.lines)
    if found.lines == anchor.lines:
        return judged
    text = source.text_of(found.lines) if anchor.text is not None else None
    there = replace(anchor, lines=found.lines, fingerprints=now, text=text)
    if judged.is_finding:
        return replace(judged, relocated_to=there)
    return Judgement(
        anchor=anchor,
        verdict=Verdict.RELOCATED,
        drift=judged.drift,
        detail=f"moved to lines {found.lines[0]}-{found.lines[1]}",
        lines=found.lines,
        relocated_to=there,
    )


def _invalid(anchor: Anchor, reason: Reason, detail: str) -> Judgement:
    return Judgement(anchor=anchor, verdict=Verdict.INVALID, reason=reason, detail=detail)
