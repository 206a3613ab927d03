"""Says which commit brought a finding: the code is followed back through renames of files and moves of symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tx_graph.anchors.evidence import Change, Evidence
from tx_graph.anchors.fingerprints import similarity, sketch_of, word_hashes
from tx_graph.anchors.judging import judge_in
from tx_graph.anchors.relocation import Wanted
from tx_graph.anchors.sources import Sources, SourceText
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.code.symbols import simple_name
from tx_graph.history.past import Revision
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, leads_outside

_GONE = len(Drift)
"""How bad it is that there is no such code: worse than any drift, which counts by its place in `Drift`. -1 holds."""
_ALIKE = 0.5  # from here on, code of the same name that left one file and came to another is the same, edited


class Cause(NamedTuple):
    """What brought a finding: a commit, or what is not committed yet, or neither where history does not tell.

    `before` are the lines as they were before that, None if they are unknown.
    """

    change: Change | None = None
    is_uncommitted: bool = False
    before: Sequence[str] | None = None


class Blame:
    """Follows anchored code from the working tree back to where a finding was none yet.

    Only what the verdict is about counts: the commit that renamed the file, moved the symbol or reformatted it has
    changed no body.
    """

    def __init__(self, evidence: Evidence, sources: Sources) -> None:
        self._evidence, self._sources = evidence, sources

    def cause(self, judgement: Judgement) -> Cause:
        """Return what brought a finding."""
        anchor, there = judgement.anchor, judgement.relocated_to or judgement.anchor
        if anchor.fingerprints is None or leads_outside(anchor.path):
            return Cause()
        now, bad = replace(anchor, path=there.path, symbol=there.symbol), _badness(judgement, anchor, there.symbol)
        if bad == _GONE:
            return self._lost(anchor)
        for at in (now, replace(now, path=self._evidence.origin(now.path) or now.path), anchor):
            source = self._evidence.version(self._evidence.head, at.path)
            lines = _lines(at, source) if source else None
            if source and lines:
                if _bad_in(anchor, at, source, bad) < bad:
                    return Cause(is_uncommitted=True, before=lines)
                found = self._since(anchor, at, bad)
                current = self._sources.get(now.path)
                is_other = current is not None and _lines(now, current) != lines
                # What was anchored before it was ever committed has changed since it was last committed, or by that.
                return found or Cause(is_uncommitted=is_other and not self._evidence.caveat)
        return Cause()

    def _since(self, anchor: Anchor, at: Anchor, bad: int) -> Cause | None:
        """Return since when the code at a place of HEAD is so bad. A whole file is looked for by its content first.

        To read each of its versions takes much longer; that is needed where the first other one was only reformatted.
        """
        revisions, taken = self._evidence.revisions(at.path), anchor.fingerprints
        if taken and at.type is AnchorType.HASH and at.lines is None:
            exact = replace(anchor, fingerprints=Fingerprints(content=taken.content))
            found = self._followed(exact, replace(at, fingerprints=exact.fingerprints), bad, revisions)
            after = self._evidence.version(found.change.commit, at.path) if found and found.change else None
            if after and _bad_in(anchor, at, after, bad) >= bad:
                return found
        return self._followed(anchor, at, bad, revisions)

    def _lost(self, anchor: Anchor) -> Cause:
        """Return what took away code that is gone, wherever it had been taken to before."""
        at, found, seen = anchor, Cause(), set[str]()
        while at.spec not in seen:
            seen.add(at.spec)
            source = self._evidence.version(self._evidence.head, at.path)
            if source and (lines := _lines(at, source)):
                now = self._sources.get(at.path)
                return found if now and _lines(at, now) else Cause(is_uncommitted=True, before=lines)
            lost = self._followed(anchor, at, _GONE, self._evidence.revisions(at.path))
            if lost is None or lost.change is None:
                break
            found, before = lost, self._evidence.version(f"{lost.change.commit}^", at.path)
            at = (before and self._counterpart(anchor, lost.change.commit, at, before, onward=True)) or at
        return found

    def _followed(self, anchor: Anchor, at: Anchor, bad: int, revisions: Sequence[Revision]) -> Cause | None:
        """Return the last of these changes, newest first, that made the code so bad; None where they end before."""
        content = revisions[0].after if revisions else None
        text = ""  # of the symbol in this content, if that has it once: where it is as well, nothing has to be parsed
        rewritten: Change | None = None
        for one in revisions:
            if one.after != content:
                continue
            change, after = Change(one.commit, one.time, one.subject), self._evidence.blob(at.path, one.after)
            parents = [
                (oid, source)
                for oid in (one.before, *one.merged)
                if oid and (source := self._evidence.blob(at.path, oid))
            ]
            text = text or _unique_text(at, after)
            if untouched := [oid for oid, source in parents if text and source.text.count(text) == 1]:
                content = untouched[0]
                continue
            if text and after:  # what contains it may have had another name until here
                names = (each.name for each in after.symbols if after.text_of(each.lines) == text)
                at = replace(at, symbol=next(names, at.symbol))
            text = ""
            known = [
                (oid, source, _bad_in(anchor, at, source, bad))
                for oid, source in parents
                if bad == _GONE or _lines(at, source)
            ]
            if as_bad := [oid for oid, _, badness in known if badness >= bad]:
                content = as_bad[0]  # what one of its parents had already, no merge has brought
            elif known:
                return Cause(rewritten or change, before=_lines(at, known[0][1]))
            else:
                origin = None
                if after and not rewritten:
                    origin = self._counterpart(anchor, one.commit, at, after, onward=False)
                if origin:
                    earlier = self._evidence.revisions_before(one.commit, origin.path)
                    source = self._evidence.version(f"{one.commit}^", origin.path)
                    if source and _bad_in(anchor, origin, source, bad) < bad:
                        return Cause(change, before=_lines(origin, source))
                    return self._followed(anchor, origin, bad, earlier)
                # Written anew: that counts if the code had held before it was taken away.
                rewritten = rewritten or change
                content = parents[0][0] if parents else None
                if not parents:  # the path may have been another file's before
                    found = self._followed(anchor, at, bad, self._evidence.revisions_before(one.commit, at.path))
                    return found._replace(change=rewritten) if found and bad < _GONE else found
        return None

    def _counterpart(
        self, anchor: Anchor, commit: str, at: Anchor, source: SourceText, *, onward: bool
    ) -> Anchor | None:
        """Return the place that a commit brought the code to (`onward`) or from, if that is certain enough.

        That is the same place in the file that git calls the same, or the only symbol that came (or went) with this
        commit and has the same code or, failing that, the same name and similar code.
        """
        sides = [(old, new) if onward else (new, old) for old, new in self._evidence.altered(commit)]
        before, after = (f"{commit}^", commit)[:: 1 if onward else -1]
        for here, there in sides:
            if here == at.path and there and there != here and (twin := self._evidence.version(after, there)):
                moved = replace(at, path=there)
                if _lines(moved, twin):
                    return moved
        symbol = source.symbol(at.symbol) if at.symbol else None
        if symbol is None:
            return None
        taken, name, found = source.of_symbol(symbol), simple_name(symbol.name), list[tuple[int, Anchor]]()
        sketch, wanted = sketch_of(taken), Wanted([taken])
        has_words = sketch is not None and bool(sketch.words)
        for here, there in sides:
            other = self._evidence.version(after, there) if there else None
            if there is None or other is None or not (there in (at.path, anchor.path) or other.may_declare(name)):
                continue
            stayed = self._evidence.version(before, here) if here else None
            for each in other.symbols:
                if stayed and stayed.symbol(each.name):
                    continue
                is_namesake = simple_name(each.name) == name
                if not is_namesake and has_words and not wanted.is_any_in(word_hashes(other.text_of(each.lines))):
                    continue  # the same code has the same words
                fingerprints = other.of_symbol(each)
                is_same = fingerprints.unnamed == taken.unnamed
                place = replace(at, path=there, symbol=each.name)
                is_like = is_namesake and (place.spec == anchor.spec or _likeness(taken, fingerprints) >= _ALIKE)
                if is_same or is_like:
                    found.append((2 * is_same + is_namesake, place))
        best = [place for rank, place in found if rank == max(rank for rank, _ in found)]
        best = [place for place in best if place.spec == anchor.spec] or best
        return best[0] if len(best) == 1 else None


def _likeness(one: Fingerprints, other: Fingerprints) -> float:
    first, second = sketch_of(one), sketch_of(other)
    return similarity(first, second) if first and second else 0.0


def _badness(judgement: Judgement, anchor: Anchor, symbol: str | None) -> int:
    """Return how bad a verdict is. Of a symbol that is called otherwise, the declaration's head always differs."""
    if judgement.verdict is Verdict.INVALID:
        return _GONE
    is_renamed = simple_name(symbol or "") != simple_name(anchor.symbol or "")
    drift = Drift.BODY if is_renamed and judgement.drift is Drift.SIGNATURE else judgement.drift
    return list(Drift).index(drift) if drift else -1


def _bad_in(anchor: Anchor, at: Anchor, source: SourceText, bad: int) -> int:
    """Return how bad one version of a file is at a place; the badness that is asked about says how closely to look."""
    if bad == _GONE:
        return -1 if _lines(at, source) else _GONE
    if at.type is AnchorType.HASH and not at.lines and at.fingerprints and not at.fingerprints.tokens:
        return -1 if at.fingerprints.content == source.whole_content else bad
    symbol = source.symbol(at.symbol) if at.symbol else None
    if symbol and anchor.fingerprints and simple_name(symbol.name) != simple_name(anchor.symbol or ""):
        unnamed = anchor.fingerprints.unnamed
        if unnamed and source.of_symbol(symbol).unnamed == unnamed:
            return -1
    return _badness(judge_in(at, source), anchor, at.symbol)


def _lines(at: Anchor, source: SourceText) -> list[str] | None:
    """Return the lines of a place in one version of its file, None where it has no such place."""
    if at.type is AnchorType.SYMBOL:
        symbol = source.declared(at.symbol or "")
        span = symbol.lines if symbol else None
    elif at.lines is None:
        return source.lines
    else:
        judged = judge_in(at, source)
        span = None if judged.verdict is Verdict.INVALID else judged.lines
    return source.lines[span[0] - 1 : span[1]] if span else None


def _unique_text(at: Anchor, source: SourceText | None) -> str:
    """Return the text of a symbol if its file has that once, else nothing."""
    symbol = source.symbol(at.symbol) if source and at.symbol else None
    text = source.text_of(symbol.lines) if source and symbol else ""
    return text if source and source.text.count(text) == 1 else ""
