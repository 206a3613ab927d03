"""What is known of one file, at its lines as the editor has them, and whether it holds. It knows no protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.reports import candidates
from tx_graph.anchors.severity import Severities, Severity
from tx_graph.anchors.sources import SourceText, sources
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.code.references import Target, Users
from tx_graph.code.symbols import is_section, simple_name, unnumbered
from tx_graph.code.use_store import UseStore
from tx_graph.context.partners import usual_partners
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.core.text import counted, inert_line
from tx_graph.documents.chunking import sentence_ends
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.places import judged as judged_facts
from tx_graph.records.anchor import Anchor, AnchorType
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import LearningStore

_MOST_HEAD = 20  # lines of a declaration in which its name is looked for, decorators before it
_MOST_USING = 30  # files in which a name stands, up to which its uses are counted: each takes half a millisecond
_USUAL: Mapping[str, Any] = {"min_confidence": 0.4, "min_support": 3, "limit": 5}
"""What a partner is that is worth a word."""
_NAME = re.compile(r"[^\W\d]\w*")


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
    severity: Severity = Severity.ERROR

    @property
    def is_finding(self) -> bool:
        """Whether somebody has to look, as far as the settings want to know."""
        return self.judgement.is_finding and self.severity is not Severity.OFF

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
    matcher = PathMatcher([path])

    def is_here(anchor: Anchor) -> bool:
        return anchor.path == path or (anchor.type is AnchorType.GLOB and bool(matcher.matching(anchor.path)))

    rows = AnchorStore(kernel.database).rows(places=[path])
    labels = LearningStore(kernel.database).labelled({row.learning for row in rows if is_here(row.anchor)})
    judged = Standings(kernel).judgements([one.node for one in labels])
    severities = Severities(kernel.config)
    found = [
        replace(
            _known(source, one.ref, one.content, f"{DIRECTORY}/{LEARNINGS}/{one.record}", judgement),
            severity=severities.of(one, judgement),
        )
        for one in labels
        for judgement in judged[one.node]
        if is_here(judgement.anchor) and judgement.verdict is not Verdict.RESERVE
    ]
    facts = {one.fact.uid: one for one in FactStore(kernel.database).said_in(path)}
    for uid, judgement in judged_facts(kernel, [one.fact for one in facts.values()]).items():
        stored = facts[uid]
        says = f"{stored.subject_name} {stored.fact.predicate}: {stored.told}"
        found.append(_known(source, stored.ref, says, stored.path, judgement))
    return sorted(found, key=lambda one: (one.lines, one.ref))


def _known(source: SourceText, ref: str, text: str, record: str | None, judgement: Judgement) -> Known:
    place = judgement.place
    lines = judgement.lines if place.path == source.path and place.type is not AnchorType.HASH else None
    mark = mark_of(source, place.symbol or "", lines or (1, 1))
    if lines and not place.symbol:
        mark = mark._replace(last_line=lines[1] - 1, end=len(source.lines[lines[1] - 1]))
    return Known(
        ref=ref, says=first_sentence(text), record=record, judgement=judgement, lines=lines or (1, 1), mark=mark
    )


def first_sentence(text: str) -> str:
    """Return what a text says first, on one line."""
    line = inert_line(text.strip().partition("\n\n")[0])
    return line[: next(iter(sentence_ends(line)), len(line))].strip()


def mark_of(source: SourceText, symbol: str, lines: tuple[int, int]) -> Mark:
    """Return where a symbol's name stands in its declaration; the line that it begins in, where that is not to say."""
    first, name = lines[0] - 1, simple_name(symbol)
    for line in range(first, min(lines[1], first + _MOST_HEAD)) if name and not is_section(symbol) else ():
        if found := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source.lines[line]):
            return Mark(line, found.start(), line, found.end())
    text = source.lines[first]
    return Mark(first, len(text) - len(text.lstrip()), first, len(text))


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


def hover(kernel: Kernel, source: SourceText, line: int, character: int) -> str:
    """Return what is known at a place of a file, counted from 0, as Markdown; empty where that is nothing."""
    known = [one for one in known_of(kernel, source.path) if one.lines[0] <= line + 1 <= one.lines[1]]
    meant = meant_at(kernel, source, line, character)
    if meant and meant.path != source.path:
        there = known_of(kernel, meant.path)
        known += [one for one in there if unnumbered(one.judgement.place.symbol or "") == meant.name]
    # of a learning's anchors the one that does not hold
    said = [_line(one) for one in {one.ref: one for one in sorted(known, key=attrgetter("is_finding"))}.values()]
    using = UseStore(kernel.database).files_using({simple_name(meant.name)}) if meant else ()
    if meant and (known or meant.path == source.path) and len(using) <= _MOST_USING:
        uses = dict.fromkeys(Users(kernel.database).depending(meant))
        where = f"{counted(len(uses), 'place')} of {counted(len({one.path for one in uses}), 'file')}"
        said += [f"- Used in {where}."] if uses else []
    partners = usual_partners(kernel, [source.path], **_USUAL) if line == 0 else ()
    told = [f"`{one.path}` ({one.best.shared} of {one.best.commits} commits)" for one in partners]
    return "\n".join([*said, *([f"- Usually changes too: {', '.join(told)}."] if told else [])])


def _line(one: Known) -> str:
    return f"- **{one.judgement.word}** {one.says} ({one.ref})" + (f"  \n  {one.why}" if one.why else "")


def told(known: Sequence[Known]) -> str:
    """Return how many learnings and facts these are, and how many to look at: `2 learnings, 1 to check`."""
    refs = {one.ref.partition(":")[0]: {other.ref for other in known if other.ref[0] == one.ref[0]} for one in known}
    stale = len({one.ref for one in known if one.is_finding})
    said = [counted(len(refs[kind]), kind) for kind in ("learning", "fact") if kind in refs]
    return ", ".join([*said, *([f"{stale} to check"] if stale else [])])
