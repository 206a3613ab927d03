"""What is known of one file, at its lines as the editor has them, and whether it holds. It knows no protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.reports import candidates
from tx_graph.anchors.sources import SourceText, sources
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.code.references import Target, Users
from tx_graph.code.symbols import is_section, simple_name, unnumbered
from tx_graph.context.partners import usual_partners
from tx_graph.core.dataclass import dataclass
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.core.text import inert_line
from tx_graph.documents.chunking import sentence_ends
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.places import judged as judged_facts
from tx_graph.records.anchor import AnchorType
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import LearningStore

_MOST_HEAD = 20  # lines of a declaration in which its name is looked for, decorators before it
_MOST_PARTNERS = 5
_PARTNER_CONFIDENCE, _PARTNER_SUPPORT = 0.4, 3
_MOST_COUNTED = 1_000  # definitions of which it is remembered how often they are used
_NAME = re.compile(r"[^\W\d]\w*")
_is_finding = attrgetter("is_finding")


class Mark(NamedTuple):
    """A stretch of text: from (line, character) up to (line, character), all counted from 0, in code points."""

    line: int
    start: int
    last_line: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A learning or a fact, and where in the file its anchor lies now.

    `lines` count from 1 and are those that it is about, `mark` is where an editor points to it. What is about the whole
    file, and what is lost, stands at the first line. `record` is the path of its text, if it has one.
    """

    ref: str
    says: str
    record: str | None
    judgement: Judgement
    lines: tuple[int, int]
    mark: Mark

    @property
    def is_finding(self) -> bool:
        """Whether somebody has to look."""
        return self.judgement.is_finding

    @property
    def why(self) -> str:
        """Why it may not hold any more, with what might be meant; empty where it holds."""
        if not self.is_finding:
            return ""
        might = f" It might be {candidates(self.judgement)}." if self.judgement.candidates else ""
        return f"{self.judgement.anchor.spec}: {self.judgement.detail}.{might}"


def known_of(kernel: Kernel, path: str) -> list[Known]:
    """Return what answers would tell of a file, by its lines: learnings at code in it, at all of it, and facts."""
    source = kernel.one(sources).get(path)
    if source is None:
        return []
    is_it = PathMatcher([path])
    rows = AnchorStore(kernel.database).rows(places=[path])
    rows = [
        row
        for row in rows
        if row.anchor.path == path or (row.anchor.type is AnchorType.GLOB and is_it.matching(row.anchor.path))
    ]
    labels = {one.node: one for one in LearningStore(kernel.database).labelled({row.learning for row in rows})}
    shown = [(labels[row.learning], row.anchor) for row in rows if row.learning in labels]
    holding = [Judgement(anchor=anchor, verdict=Verdict.VALID) for _, anchor in shown if anchor.type is AnchorType.GLOB]
    judged = Standings(kernel).judged([anchor for _, anchor in shown if anchor.type is not AnchorType.GLOB])
    by_anchor = {one.anchor: one for one in (*holding, *judged)}
    found = [
        _known(source, label.ref, label.content, f"{DIRECTORY}/{LEARNINGS}/{label.record}", by_anchor[anchor])
        for label, anchor in shown
    ]
    facts = {one.fact.uid: one for one in FactStore(kernel.database).said_in(path)}
    for uid, judgement in judged_facts(kernel, [one.fact for one in facts.values()]).items():
        stored = facts[uid]
        says = f"{stored.subject_name} {stored.fact.predicate}: {stored.told}"
        found.append(_known(source, stored.ref, says, stored.path, judgement))
    return sorted(found, key=lambda one: (one.lines, one.ref))


def _known(source: SourceText, ref: str, text: str, record: str | None, judgement: Judgement) -> Known:
    anchor, place = judgement.anchor, judgement.place
    lines = judgement.lines if place.path == source.path and anchor.type is not AnchorType.HASH else None
    if lines is None and anchor.lines and judgement.verdict is Verdict.PINNED:
        lines = anchor.lines
    lines = (min(lines[0], len(source.lines)), min(lines[1], len(source.lines))) if lines else None
    if lines is None:
        mark = Mark(0, 0, 0, len(source.lines[0]))
    elif place.symbol:
        mark = mark_of(source, place.symbol, lines)
    else:
        mark = Mark(lines[0] - 1, _indent(source, lines[0] - 1), lines[1] - 1, len(source.lines[lines[1] - 1]))
    return Known(
        ref=ref, says=first_sentence(text), record=record, judgement=judgement, lines=lines or (1, 1), mark=mark
    )


def first_sentence(text: str) -> str:
    """Return what a text says first, on one line."""
    line = inert_line(text.strip().partition("\n\n")[0])
    return line[: next(iter(sentence_ends(line)), len(line))].strip()


def mark_of(source: SourceText, symbol: str, lines: tuple[int, int]) -> Mark:
    """Return where a symbol's name stands in its declaration; the line that it begins in, where that is not to say."""
    name = re.compile(rf"(?<!\w){re.escape(simple_name(symbol))}(?!\w)")
    for line in range(lines[0] - 1, min(lines[1], lines[0] - 1 + _MOST_HEAD)) if not is_section(symbol) else ():
        if found := name.search(source.lines[line]):
            return Mark(line, found.start(), line, found.end())
    first = lines[0] - 1
    return Mark(first, _indent(source, first), first, len(source.lines[first]))


def _indent(source: SourceText, line: int) -> int:
    text = source.lines[line]
    return len(text) - len(text.lstrip())


def place_at(source: SourceText, first: int, last: int) -> str:
    """Return the anchor that a selection asks for, lines from 1: the innermost symbol that has it, else its lines."""
    inside = [one for one in source.symbols if one.line_start <= first and last <= one.line_end]
    if inside:
        return min(inside, key=lambda one: one.line_end - one.line_start).fqname
    return f"{source.path}:L{first}-L{last}"


def meant_at(kernel: Kernel, source: SourceText, line: int, character: int) -> Target | None:
    """Return the definition that the name at a place means, counted from 0; None where there is none or it is unsure.

    A use is understood as it was indexed: by its name in its file, for lines may have moved since.
    """
    text = source.lines[line] if line < len(source.lines) else ""
    name = next((one[0] for one in _NAME.finditer(text) if one.start() <= character <= one.end()), None)
    if name is None:
        return None
    for symbol in source.symbols:
        if simple_name(symbol.name) == name and symbol.line_start <= line + 1 <= symbol.line_end:
            mark = mark_of(source, symbol.name, symbol.lines)
            if mark.line == line and mark.start <= character <= mark.end:
                return Target(source.path, unnumbered(symbol.name))
    uses = Users(kernel.database).meanings.used(source.path, frozenset((name,)))
    meant = {Target(one.target, one.qualified) for one in uses}
    return meant.pop() if len(meant) == 1 else None


class Hovering:
    """Says what is known at a place; how often a definition is used is counted once in each state of the index."""

    def __init__(self) -> None:
        self._state: object = None
        self._counted: dict[Target, str] = {}

    def text(self, kernel: Kernel, source: SourceText, line: int, character: int) -> str:
        """Return what is known at a place of a file, counted from 0, as Markdown; empty where that is nothing."""
        path = source.path
        known = [one for one in known_of(kernel, path) if one.lines[0] <= line + 1 <= one.lines[1]]
        meant = meant_at(kernel, source, line, character)
        if meant and meant.path != path:
            known += [
                one
                for one in known_of(kernel, meant.path)
                if unnumbered(one.judgement.place.symbol or "") == meant.name
            ]
        # of a learning's anchors the one that does not hold
        said = [_line(one) for one in {one.ref: one for one in sorted(known, key=_is_finding)}.values()]
        if meant and (known or meant.path == path):
            said += self._users_of(kernel, meant)
        if line == 0:
            said += _partners(kernel, path)
        return "\n".join(said)

    def _users_of(self, kernel: Kernel, target: Target) -> Iterator[str]:
        if (state := AnalysisStore(kernel.database).last("index")) != self._state or len(self._counted) > _MOST_COUNTED:
            self._state, self._counted = state, {}
        if target not in self._counted:
            uses = dict.fromkeys(Users(kernel.database).depending(target))
            files = len({one.path for one in uses})
            self._counted[target] = f"- Used in {_many(len(uses), 'place')} of {_many(files, 'file')}." if uses else ""
        yield from filter(None, [self._counted[target]])


def _line(one: Known) -> str:
    return f"- **{one.judgement.word}** {one.says} ({one.ref})" + (f"  \n  {one.why}" if one.why else "")


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def _partners(kernel: Kernel, path: str) -> Iterator[str]:
    found = usual_partners(
        kernel,
        [path],
        min_confidence=_PARTNER_CONFIDENCE,
        min_support=_PARTNER_SUPPORT,
        limit=_MOST_PARTNERS,
    )
    told = [f"`{one.path}` ({one.best.shared} of {one.best.commits} commits)" for one in found]
    yield from [f"- Usually changes too: {', '.join(told)}."] if told else []


def counted(known: Sequence[Known]) -> str:
    """Return how many learnings and facts these are, and how many to look at: `2 learnings, 1 to check`."""
    refs = {one.ref.partition(":")[0]: {other.ref for other in known if other.ref[0] == one.ref[0]} for one in known}
    stale = len({one.ref for one in known if one.is_finding})
    said = [_many(len(refs[kind]), kind) for kind in ("learning", "fact") if kind in refs]
    return ", ".join([*said, *([f"{stale} to check"] if stale else [])])
