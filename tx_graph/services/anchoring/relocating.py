"""Finds where lost code went: through git's renames, by equal code, by similar code; or says that it cannot tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tx_graph.analysis.relocation import Candidate, Choice, Way, choose, mutual
from tx_graph.analysis.symbol_names import simple_name
from tx_graph.domain.anchor import Anchor, AnchorType
from tx_graph.domain.verdict import Drift, Judgement, Reason, Verdict
from tx_graph.services.anchoring.evidence import Evidence
from tx_graph.services.anchoring.judging import Judging, compared, moved, relocated
from tx_graph.services.anchoring.lookalikes import Lookalikes, Lost, OtherFiles
from tx_graph.services.anchoring.refreshing import taken_from
from tx_graph.services.anchoring.sources import Sources, SourceText

_LOST = (Reason.FILE_DELETED, Reason.SYMBOL_MISSING)
_WORDS = {Way.MOVED: "with the same code", Way.RENAMED: "renamed, with the same code"}

Choices = Mapping[Anchor, Choice]
"""Where lost symbols went."""


class Relocating:
    """Looks for everything that is lost at once: two that are lost must not both be found at one place.

    Without `evidence`, as outside git, nothing can be known to be new, so less is recognised.
    """

    def __init__(
        self, *, sources: Sources, judging: Judging, other_files: OtherFiles, evidence: Evidence | None
    ) -> None:
        self._sources = sources
        self._judging = judging
        self._evidence = evidence
        self._lookalikes = Lookalikes(sources=sources, other_files=other_files, evidence=evidence)

    def settle(self, judgements: Sequence[Judgement], *, hints: Mapping[str, str]) -> list[Judgement]:
        """Return the judgements in their order, with what is lost found where that is certain.

        `hints` are new names of files that an earlier look found; they are told where history is not asked.
        """
        suspects = [one.anchor.path for one in judgements if one.reason in _LOST or one.drift is Drift.SIGNATURE]
        if self._evidence and suspects:
            self._evidence.prepare(suspects)
            self._evidence.follow([one.anchor.path for one in judgements if one.reason is Reason.FILE_DELETED])
        gone = [one.anchor for one in judgements if one.reason is Reason.FILE_DELETED]
        paths = {anchor: path for anchor in gone if (path := self._new_path(anchor, hints))}
        followed = [self._unstolen(self._followed(one, paths.get(one.anchor))) for one in judgements]
        lost = [Lost(one.anchor, _homes(one.anchor, paths)) for one in followed if _is_lost_symbol(one)]
        choices = self._choices(lost)
        return [self._settled(one, choices) for one in followed]

    def _followed(self, judgement: Judgement, path: str | None) -> Judgement:
        """Return the verdict from the file's new name if it has one."""
        source = self._sources.get(path) if path else None
        if path is None or source is None:
            return judgement
        there = self._judging.judge_in(replace(judgement.anchor, path=path), source)
        if there.verdict is Verdict.INVALID:
            detail = f"{judgement.anchor.path} is {path} now, without it"
            return replace(judgement, reason=there.reason, detail=detail, candidates=there.candidates)
        return _at_new_path(judgement.anchor, there, source)

    def _new_path(self, anchor: Anchor, hints: Mapping[str, str]) -> str | None:
        """Return the name that git knows, or that of the only file with the very same content."""
        path = self._evidence.new_path(anchor.path) if self._evidence else hints.get(anchor.path)
        if path is None and anchor.type is AnchorType.HASH and anchor.lines is None:
            same = self._lookalikes.same_content(anchor)
            path = same[0] if len(same) == 1 else None
        return path

    def _unstolen(self, judgement: Judgement) -> Judgement:
        """Return a drifted overload as missing if what bears its name now is another one, which moved up."""
        anchor = judgement.anchor
        if judgement.drift is not Drift.SIGNATURE or anchor.type is not AnchorType.SYMBOL or judgement.relocated_to:
            return judgement
        if not self._is_stolen(anchor):
            return judgement
        detail = f"'{anchor.symbol}' is gone; what is called so now is another overload"
        return Judgement(anchor=anchor, verdict=Verdict.INVALID, reason=Reason.SYMBOL_MISSING, detail=detail)

    def _is_stolen(self, anchor: Anchor) -> bool:
        held = self._evidence.last_held(anchor) if self._evidence else None
        source = self._sources.get(anchor.path)
        now = source.symbol(anchor.symbol or "") if source else None
        if held is None or source is None or now is None:
            return False
        tokens, name = source.of_symbol(now).tokens, simple_name(now.name)
        others = (one for one in held.source.symbols if simple_name(one.name) == name and one.name != now.name)
        return any(held.source.of_symbol(other).tokens == tokens for other in others)

    def _choices(self, lost: Sequence[Lost]) -> Choices:
        """Return where each lost symbol went; other files are looked at for those that are not certain at home."""
        near = dict(zip(lost, self._lookalikes.at_home(lost), strict=True))
        choices = {one: _chosen(one, found) for one, found in near.items()}
        far = [one for one, choice in choices.items() if choice.way not in _WORDS]
        for one, found in zip(far, self._lookalikes.elsewhere(far), strict=True):
            choices[one] = _chosen(one, [*near[one], *found])
        agreed = mutual(choices, symbol_of=lambda one: one.anchor.spec)
        return {one.anchor: choice for one, choice in agreed.items()}

    def _settled(self, judgement: Judgement, choices: Choices) -> Judgement:
        choice = choices.get(judgement.anchor) if _is_lost_symbol(judgement) else None
        if choice is None:
            return judgement
        source = self._sources.get(choice.found.path) if choice.found else None
        symbol = source.symbol(choice.found.symbol) if source and choice.found else None
        if source is None or symbol is None or choice.way is None:
            return replace(judgement, candidates=tuple(dict.fromkeys((*judgement.candidates, *choice.candidates))))
        there = moved(judgement.anchor, symbol=symbol, source=source)
        if choice.way is not Way.SIMILAR:
            return relocated(judgement.anchor, there, symbol=symbol, how=_WORDS[choice.way])
        judged = compared(judgement.anchor, source.of_symbol(symbol), lines=symbol.lines)
        detail = f"{judged.detail}; it is probably {there.spec} now ({choice.likeness:.0%} alike)"
        return replace(judged, detail=detail, relocated_to=there)


def _at_new_path(anchor: Anchor, there: Judgement, source: SourceText) -> Judgement:
    """Return the verdict on an anchor whose file was renamed, from the one on the same anchor in the new file."""
    place = there.relocated_to or replace(there.anchor, fingerprints=taken_from(there.anchor, source))
    if there.is_finding:
        return replace(there, anchor=anchor, relocated_to=place, detail=f"{there.detail}; it is {place.spec} now")
    return Judgement(
        anchor=anchor,
        verdict=Verdict.RELOCATED,
        drift=there.drift,
        detail=f"it is {place.spec} now, its file was renamed",
        lines=there.lines,
        relocated_to=place,
    )


def _chosen(lost: Lost, candidates: Sequence[Candidate]) -> Choice:
    taken = lost.anchor.fingerprints
    return choose(lost.name, taken, candidates) if taken else Choice()


def _homes(anchor: Anchor, new_paths: Mapping[Anchor, str]) -> tuple[str, ...]:
    new = new_paths.get(anchor)
    return (anchor.path, new) if new else (anchor.path,)


def _is_lost_symbol(judgement: Judgement) -> bool:
    return judgement.reason in _LOST and judgement.anchor.type is AnchorType.SYMBOL
