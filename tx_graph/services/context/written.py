"""What is written about a question and about open files: sections of documents, and why each is worth a line."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil
from typing import NamedTuple

from tx_graph.analysis.excerpts import best_lines
from tx_graph.analysis.identifiers import content_words
from tx_graph.domain.edges import Direction, NodeId, Relation
from tx_graph.domain.section import Unit
from tx_graph.services.context.reasons import answering, speaking_of
from tx_graph.services.context.values import ContextSection
from tx_graph.services.doc_search import DocQuery, DocResult, DocSearch
from tx_graph.services.doc_search.telling import States
from tx_graph.services.open_files import OpenPlace
from tx_graph.storage.section_walk import SectionTie
from tx_graph.storage.stores import Stores

STRUCTURE = (Relation.PART_OF, Relation.SEQUENCE)
"""Relations that only say where a section stands: what stands beside an answer is found by whoever reads that."""
_TELLING = tuple(relation for relation in Relation if relation not in (*STRUCTURE, Relation.REFERENCES))
_SPEAKING = tuple(relation for relation in Relation if relation not in STRUCTURE)
_EXCERPT = 240
"""Characters of a section that a page shows: who wants more reads the document."""
_WORTH_READING = 0.7
"""Of what the best match has: who reads a page pays for every line of it."""
_LEAST_SIMILARITY = 0.35
"""Cosine below which a section has little to do with the question, though no other one is nearer. With
all-MiniLM-L6-v2 the best of a repository has .30 to .37 where nothing is written about it, and .5 to .7 where it is."""
_LEAST_WORDS, _SHARE_OF_WORDS = 3, 0.6
"""Of the question's words so many, or such a share of fewer, must stand in a section that only words speak for."""
_SHORTEST_STEM, _LONG = 4, 7
_NO_LETTERS = re.compile(r"[\W_]+")
_OF_ONE_DOCUMENT = 2
"""Sections of one document to show: whoever opens it finds the others."""
_UNDERLINES = "=-~^\"'`#*+:._ "
"""What stands below a heading, in Markdown or reStructuredText."""
_TIED = 0.5
"""What speaking of an open file counts beside an answer to the question: popular files are mentioned everywhere."""


class _Spoken(NamedTuple):
    """What a section says of open places: how much that counts, in (0, 1], and by which edges."""

    score: float
    ties: Sequence[tuple[SectionTie, OpenPlace]]


class Written:
    """Finds the sections worth reading before starting."""

    def __init__(self, *, stores: Stores, search: DocSearch, states: States) -> None:
        self._stores = stores
        self._search = search
        self._states = states

    def about(self, text: str, open_places: Sequence[OpenPlace], *, limit: int) -> list[ContextSection]:
        """Return the sections that answer a question or speak of open files, best first; none without documents."""
        if not self._stores.documents.count():
            return []
        found = {one.ref: one for one in self._answering(text, limit)} if text.strip() else {}
        factor = _TIED if found else 1.0
        for one in self._speaking(text, open_places, limit):
            found[one.ref] = _joined(found.get(one.ref), one, factor)
        opened = {place.path for place in open_places}
        worth = [one for one in found.values() if one.excerpt and one.path not in opened]
        return list(islice(_few_of_each_document(sorted(worth, key=lambda one: (-one.score, one.ref))), limit))

    def _answering(self, text: str, limit: int) -> list[ContextSection]:
        results = self._search.run(DocQuery(text=text, limit=2 * limit)).results
        worth = _Worth(results, content_words(text))
        return [
            replace(
                _section(one.unit, one.score, one.excerpt.text, text, answering(one)),
                state=one.state,
                superseded_by=one.superseded_by,
            )
            for one in results
            if worth.reading(one)
        ]

    def _speaking(self, text: str, open_places: Sequence[OpenPlace], limit: int) -> list[ContextSection]:
        """Return the sections with edges to what is open, those with the heaviest edges first."""
        places = {place.node: place for place in open_places if place.node is not None}
        spoken = self._spoken(places, limit) if places else {}
        units = self._stores.sections.units_by_nodes(spoken)
        states = self._states.of({unit.document for unit in units.values()})
        superseded = self._stores.section_lines.superseded_by(list(units))
        return [
            replace(
                _section(units[node], told.score, units[node].text, f"{text} {_names(told)}", speaking_of(told.ties)),
                state=states[units[node].document],
                superseded_by=superseded.get(node),
            )
            for node, told in spoken.items()
            if node in units
        ]

    def _spoken(self, places: Mapping[NodeId, OpenPlace], limit: int) -> dict[NodeId, _Spoken]:
        walk = self._stores.section_walk
        strands = walk.leaving(places, relations=_SPEAKING, direction=Direction.IN)
        weights: dict[NodeId, list[float]] = defaultdict(list)
        for strand in strands:
            for place, section, weight in strand.rows:
                weights[section].append(weight * places[place].score)
        best = sorted(weights, key=lambda node: (-max(weights[node]), -len(weights[node]), node))[: 2 * limit]
        ties = self._ties(best, places)
        speakers = self._stores.section_lines.speakers(best)
        found: dict[NodeId, _Spoken] = {}
        for node in best:
            found.setdefault(speakers.get(node, node), _Spoken(max(weights[node]), ties[node]))
        return found

    def _ties(
        self, sections: Sequence[NodeId], places: Mapping[NodeId, OpenPlace]
    ) -> dict[NodeId, list[tuple[SectionTie, OpenPlace]]]:
        found: dict[NodeId, list[tuple[SectionTie, OpenPlace]]] = defaultdict(list)
        for tie in self._stores.section_walk.ties(sections, list(places)):
            if tie.target in places and tie.relation in _SPEAKING:
                found[tie.source].append((tie, places[tie.target]))
        return found


class _Worth:
    """Judges what a search in documents found: it returns the best there is, whether that answers or not."""

    def __init__(self, results: Sequence[DocResult], words: Collection[str]) -> None:
        self._words = words
        self._similarity = _WORTH_READING * max((one.similarity or 0.0 for one in results), default=0.0)
        self._strength = _WORTH_READING * max((one.keyword_score or 0.0 for one in results), default=0.0)
        self._answers = {_whole(one.unit.ref) for one in results if not one.ties and self.reading(one)}

    def reading(self, one: DocResult) -> bool:
        """Whether a section answers, or something that does is tied to it in a way that tells."""
        if any(tie.relation in _TELLING and _whole(tie.other) in self._answers for tie in one.ties):
            return True
        is_spoken_for = any(tie.relation not in STRUCTURE for tie in one.ties)
        if one.similarity is not None:
            return one.similarity >= max(_LEAST_SIMILARITY, 0.0 if is_spoken_for else self._similarity)
        return self._has_words(one) and (is_spoken_for or (one.keyword_score or 0.0) >= self._strength)

    def _has_words(self, one: DocResult) -> bool:
        text = f" {_NO_LETTERS.sub(' ', ' '.join((*one.unit.headings, one.unit.text)).lower())}"
        least = min(_LEAST_WORDS, ceil(_SHARE_OF_WORDS * len(self._words)))
        return sum(f" {_stem(word)}" in text for word in self._words) >= least


def _whole(ref: str) -> str:
    """Return the section that a part belongs to."""
    return ref.partition("~")[0]


def _stem(word: str) -> str:
    """Return what a word has in common with others of its kind: `decod` of `decoding`."""
    return word[: max(_SHORTEST_STEM, len(word) - (3 if len(word) > _LONG else 2))]


def _few_of_each_document(sections: Iterable[ContextSection]) -> Iterator[ContextSection]:
    seen: Counter[str] = Counter()
    for one in sections:
        seen[one.path] += 1
        if seen[one.path] <= _OF_ONE_DOCUMENT:
            yield one


def _section(unit: Unit, score: float, text: str, question: str, reasons: tuple[str, ...]) -> ContextSection:
    return ContextSection(
        ref=unit.ref,
        path=unit.document,
        line_start=unit.line_start,
        line_end=unit.line_end,
        headings=unit.headings,
        excerpt=_brief(_without_heading(text, unit.title), question),
        reasons=reasons,
        score=score,
    )


def _brief(text: str, question: str) -> str:
    """Return the few lines of a text that say most of the question, marked where they are cut."""
    first, end = best_lines(text, question, most=_EXCERPT)
    lines = "\n".join(line for line in text.split("\n")[first:end] if line.strip())
    return lines if len(lines) <= _EXCERPT else f"{lines[: _EXCERPT - 1].rstrip()}…"


def _without_heading(text: str, title: str) -> str:
    """Return a text without the heading that it begins with: that stands among the titles that lead to it."""
    first, _, rest = text.lstrip("\n").partition("\n")
    if not title or first.strip("#= ").casefold() != title.casefold():
        return text
    underline, _, below = rest.partition("\n")
    return (below if underline.strip() and not underline.strip(_UNDERLINES) else rest).lstrip("\n")


def _names(told: _Spoken) -> str:
    """Return the words by which a text may name the places that it speaks of."""
    return " ".join(place.ref.rpartition("/")[2] for _, place in told.ties)


def _joined(known: ContextSection | None, one: ContextSection, factor: float) -> ContextSection:
    """Return a section that speaks of an open file, with what is known of it as an answer."""
    if known is None:
        return replace(one, score=one.score * factor)
    return replace(known, score=min(1.0, known.score + one.score * factor), reasons=(*known.reasons, *one.reasons))
