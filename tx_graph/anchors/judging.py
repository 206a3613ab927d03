"""Says whether anchors hold at their own place: what was edited there, and what is no longer there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tx_graph.anchors.fingerprints import drift
from tx_graph.anchors.relocation import Span, find_lines
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
    if (old := anchor.fingerprints) and old.commit and old.content == taken.content:
        taken = replace(taken, commit=old.commit)  # or each look would leave a line in 'git diff'
    return replace(anchor, fingerprints=taken, text=text)


def taken_from(anchor: Anchor, source: SourceText) -> Fingerprints | None:
    """Return the fingerprints of an anchor's place in one version of its file; None where it has no such place."""
    if anchor.type is AnchorType.SYMBOL:
        symbol = source.symbol(anchor.symbol or "")
        return source.anchored(symbol) if symbol else None
    if anchor.lines is None:
        return source.anchored_whole()
    return source.of_lines(anchor.lines) if anchor.lines[1] <= len(source.lines) else None


CHANGED = {
    Drift.FORMAT: "only the formatting changed",
    Drift.COMMENT: "only comments changed",
    Drift.BODY: "the code changed",
    Drift.SIGNATURE: "the signature changed",
}
"""What a drift is in words, as a sentence's end."""


def of_its_kind(anchor: Anchor, words: str) -> str:
    """Return what is said of code as it is said of what an anchor ties to: a section has a text."""
    return words.replace("code", "text") if anchor.is_section else words


def judge(kernel: Kernel, anchor: Anchor) -> Judgement:
    """Return the verdict on an anchor from its own file alone; what went elsewhere is invalid here."""
    tree, is_outside = kernel.checkout.tree, leads_outside(anchor.path)
    if anchor.invalidated:
        return _invalid(anchor, Reason.INVALIDATED, anchor.invalidated.reason or "somebody said so")
    if anchor.pinned:
        return Judgement(anchor=anchor, verdict=Verdict.PINNED, detail="pinned, not looked at")
    if anchor.type is AnchorType.GLOB and not is_outside:
        count = len(kernel.checkout.tracked_files().matching(anchor.path))
        matching = f"matches {'1 file' if count == 1 else f'{count:,} files'}"
        valid = Judgement(anchor=anchor, verdict=Verdict.VALID, detail=matching)
        return valid if count else _invalid(anchor, Reason.PATTERN_MATCHES_NOTHING, "it matches no file")
    if not is_outside and (source := kernel.one(sources).get(anchor.path)):
        return judge_in(anchor, source)
    if is_outside or tree.links_outside(anchor.path):
        return _invalid(anchor, Reason.OUTSIDE_REPOSITORY, "it leads out of the repository")
    detail = "it is a directory now" if tree.is_directory(anchor.path) else "the file is gone"
    return _invalid(anchor, Reason.FILE_DELETED, detail)


def judge_in(anchor: Anchor, source: SourceText) -> Judgement:
    """Return the verdict on an anchor from one version of its file."""
    if anchor.type is AnchorType.SYMBOL:
        return _symbol(anchor, source)
    if anchor.lines:
        return _lines(anchor, anchor.lines, source)
    if anchor.fingerprints is None or anchor.fingerprints.content == source.whole_content:
        return Judgement(anchor=anchor, verdict=Verdict.VALID)
    return compared(anchor, source.whole(), lines=None)


def _lines(anchor: Anchor, lines: Span, source: SourceText) -> Judgement:
    taken, lies_inside = anchor.fingerprints, lines[1] <= len(source.lines)
    if taken is None and not lies_inside:
        return _invalid(anchor, Reason.CONTENT_MISSING, f"the file ends at line {len(source.lines)}")
    if lies_inside and (taken is None or source.content_of(lines) == taken.content):
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=lines)
    found = find_lines(anchor, source.lines, content_of=source.content_of, tokens_of=source.flat_tokens)
    if found is None:
        return _invalid(anchor, Reason.CONTENT_MISSING, "the lines are not in the file any more")
    now = source.of_lines(found)
    judged = compared(anchor, now, lines=found)
    if found == lines:
        return judged
    text = source.text_of(found) if anchor.text is not None else None
    there = replace(anchor, lines=found, fingerprints=now, text=text)
    if judged.is_finding:
        return replace(judged, relocated_to=there)
    return replace(
        judged,
        verdict=Verdict.RELOCATED,
        detail=f"moved to lines {found[0]}-{found[1]}",
        relocated_to=there,
    )


def moved(anchor: Anchor, symbol: Symbol, source: SourceText) -> Anchor:
    """Return an anchor as it is for this symbol of this file."""
    return replace(anchor, path=source.path, symbol=symbol.name, fingerprints=source.anchored(symbol))


def compared(anchor: Anchor, now: Fingerprints, *, lines: tuple[int, int] | None) -> Judgement:
    """Return the verdict on code that was found at the anchor's place."""
    found = drift(anchor.fingerprints, now) if anchor.fingerprints else None
    if found is None:
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=lines)
    return Judgement(
        anchor=anchor, verdict=Verdict.DRIFTED, drift=found, detail=of_its_kind(anchor, CHANGED[found]), lines=lines
    )


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
    how = "as another of its name" if anchor.is_section else "as an overload"
    same = [symbol for symbol in others if source.of_symbol(symbol).tokens == old.tokens]
    if len(same) == 1:
        return relocated(anchor, same[0], source, how=how)
    own = source.symbol(anchor.symbol or "")
    alike = [symbol for symbol in others if source.of_symbol(symbol).signature == old.signature]
    if same or len(alike) != 1 or not old.signature or (own and source.of_symbol(own).signature == old.signature):
        return None
    there = moved(anchor, alike[0], source)
    judged = compared(anchor, source.of_symbol(alike[0]), lines=alike[0].lines)
    return replace(judged, relocated_to=there, detail=f"{judged.detail}; it is {there.spec} now")


def relocated(anchor: Anchor, symbol: Symbol, source: SourceText, *, how: str) -> Judgement:
    """Return the verdict on an anchor whose code was found elsewhere, with what else changed in it."""
    there = moved(anchor, symbol, source)
    found = drift(anchor.fingerprints, there.fingerprints) if anchor.fingerprints and there.fingerprints else None
    return Judgement(
        anchor=anchor,
        verdict=Verdict.RELOCATED,
        drift=None if found and found.counts else found,
        detail=f"it is {there.spec} now, {how}",
        lines=symbol.lines,
        relocated_to=there,
    )


def _overloads(anchor: Anchor, source: SourceText) -> Iterator[Symbol]:
    name = unnumbered(anchor.symbol or "")
    return (symbol for symbol in source.symbols if unnumbered(symbol.name) == name)


def _invalid(anchor: Anchor, reason: Reason, detail: str) -> Judgement:
    return Judgement(anchor=anchor, verdict=Verdict.INVALID, reason=reason, detail=detail)
