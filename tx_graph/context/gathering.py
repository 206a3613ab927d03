"""The context room: the page that somebody reads before starting, within a budget of tokens."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil, log2
from typing import Annotated, NamedTuple

from tx_graph.context.graph_view import Step
from tx_graph.context.open_files import OpenFiles, OpenPlace
from tx_graph.context.page import (
    LEAST_BUDGET,
    STANDARD_BUDGET,
    ContextLearning,
    ContextPartner,
    ContextRequest,
    ContextSection,
    Format,
    Layout,
    Markdown,
    Material,
    Page,
    Part,
    code,
    laid_out,
)
from tx_graph.context.partners import usual_partners
from tx_graph.context.ranking import FileRanking
from tx_graph.context.ranking_evidence import RankedFile
from tx_graph.context.recall import AnchorSearch, Recall, RecalledFact
from tx_graph.context.search import OpenFilesNamed, Query, RetrieverName, Search, SearchResult
from tx_graph.core.arguments import Arg, Reads, Ref, choices, ref_of
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import CountTokens, TokensBy, best_lines, by_bytes, by_characters
from tx_graph.documents.document import Unit
from tx_graph.documents.edge_store import SectionTie, SectionWalk
from tx_graph.documents.search import DocQuery, DocResult, DocSearch, DocTie, states_of
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId, Relation
from tx_graph.graph.expand import Limits, Profile, ProfileName
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.mention_store import MentionStore
from tx_graph.knowledge.spreading import RecallLimits
from tx_graph.records.learning import Status
from tx_graph.work.references import WorkReferences
from tx_graph.work.runs import record_shown
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import Run, Task

_LEARNING = "learning:"
_MOST_SPOKEN = 2
"""Open files to name that one section speaks of."""


def reasons(result: SearchResult, open_files: Collection[str]) -> tuple[str, ...]:
    """Return each reason why a search found a learning: matched words or meaning, then the way through the graph."""
    found = []
    if matched := _matched(result):
        found.append(f"matches by {matched}")
    if result.steps:
        found.append(_way(result.steps, open_files))
    found += _open_anchors(result, open_files) if not result.steps else []
    return tuple(found)


def _matched(result: SearchResult) -> str:
    by = [(result.bm25, "words"), (result.vector, "meaning"), (result.retrieved, "the retriever")]
    return " and ".join(name for score, name in by if score)


def _open_anchors(result: SearchResult, open_files: Collection[str]) -> list[str]:
    anchored = dict.fromkeys(anchor.path for anchor in result.stored.learning.anchors)
    return [f"anchored to the open {code(path)}" for path in anchored if path in open_files][:1]


def _way(steps: Sequence[Step], open_files: Collection[str]) -> str:
    """Return the way from the learning back to where the walk began: `anchored to x.py, imported by the open y.py`."""
    return ", ".join(_step(step, open_files) for step in reversed(steps))


def _step(step: Step, open_files: Collection[str]) -> str:
    came_from = step.source if step.source.startswith(_LEARNING) else code(step.source)
    if step.source in open_files:
        came_from = f"the open {came_from}"
    words = EdgeType(step.type).words
    relation = f" ({step.relation})" if step.relation and words.is_named_by_relation else ""
    along, against = words.came_by
    return f"{(along if step.forward else against).format(came_from)}{relation}"


def answering(result: DocResult) -> tuple[str, ...]:
    """Return why a search in documents found a section: matched words or meaning, or what led there."""
    if result.ties:
        return (_tie(result.ties[0]),)
    by = [(result.keyword_score, "words"), (result.similarity, "meaning")]
    return (f"matches by {' and '.join(name for score, name in by if score)}",)


def speaking_of(ties: Sequence[tuple[SectionTie, OpenPlace]]) -> tuple[str, ...]:
    """Return what a section says of open places: `mentions the open src/auth.py`.

    What speaks of a symbol speaks of its file, which need not be told then.
    """
    of_symbols = {place.path for _, place in ties if place.kind is NodeKind.SYMBOL}
    told = (
        f"{Relation(tie.relation).of_section} the open {code(place.ref)}"
        for tie, place in ties
        if place.kind is NodeKind.SYMBOL or place.path not in of_symbols
    )
    return tuple(dict.fromkeys(told))[:_MOST_SPOKEN]


def _tie(tie: DocTie) -> str:
    """Return an edge that led to a section: `depends on docs/b.md#setup: "needs a token"`, or from there to it."""
    is_told = tie.description.replace(" ", "_") not in ("", tie.relation)
    why = ': "{}"'.format(tie.description.replace('"', "'")) if is_told else ""
    if not tie.forward:
        return f"{Relation(tie.relation).of_section} {code(tie.other)}{why}"
    return f"related to {code(tie.other)}{why} ({tie.relation})"


_NAMED = 5
"""Entities that a text is about at most, and as many that other things speak of."""
_OF_ONE = 4
"""Facts of one entity: who wants all of them asks for them."""
_MENTIONED = 0.5
"""What an entity counts that only an open file, a learning or a section speaks of, beside one that the text names."""

_DATES = frozenset("date created created_at updated updated_at last_updated last_modified modified decided_on".split())
"""Predicates that only date a thing. On a page of few lines they would take the place of what it says."""


class Known:
    """Finds the facts worth reading before starting."""

    def __init__(self, kernel: Kernel) -> None:
        self._database = kernel.database
        self._recall = kernel.one(Recall)
        self._anchors = kernel.one(AnchorSearch)

    def about(
        self, text: str, nodes: Sequence[NodeId], sections: Sequence[ContextSection], *, limit: int
    ) -> list[RecalledFact]:
        """Return facts about the entities that a text names, or that these nodes and sections speak of, best first."""
        if not FactStore(self._database).version():  # nobody ever said anything
            return []
        worth = dict(self._mentioned([*nodes, *self._sections(sections)]))
        worth |= dict.fromkeys(self._anchors.stated(text, most=_NAMED), 1.0)
        limits = RecallLimits(hops=1, per_entity=_OF_ONE, max_facts=2 * limit)
        known = self._recall.known_of(list(worth), limits) if worth else []
        telling = [one for one in known if one.fact.fact.predicate not in _DATES]
        best = sorted(telling, key=lambda one: (-one.score * worth[one.fact.subject], one.fact.id))
        return _side_by_side(self._recall.told(best[:limit]))

    def _sections(self, sections: Sequence[ContextSection]) -> list[NodeId]:
        refs = [one.ref for one in sections]
        nodes = NodeStore(self._database)
        paths = {one.path for one in sections}
        return [*nodes.find(NodeKind.SECTION, refs).values(), *nodes.find(NodeKind.FILE, paths).values()]

    def _mentioned(self, nodes: Sequence[NodeId]) -> Mapping[NodeId, float]:
        """Return the entities that several of the nodes speak of, or one of them much, and hardly anybody else."""
        found: dict[NodeId, float] = defaultdict(float)
        for mention in MentionStore(self._database).by(nodes) if nodes else ():
            found[mention.entity] += mention.weight / log2(2 + mention.mentions)
        best = sorted(found, key=lambda entity: (-found[entity], entity))[:_NAMED]
        top = found[best[0]] if best else 1.0
        return {entity: _MENTIONED * found[entity] / top for entity in best}


def _side_by_side(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """Return the facts, those about one entity together, where the best of them was."""
    subjects = list(dict.fromkeys(one.stored.subject for one in facts))
    return sorted(facts, key=lambda one: subjects.index(one.stored.subject))


STRUCTURE = (Relation.PART_OF, Relation.SEQUENCE)
"""Relations that only say where a section stands: what stands beside an answer is found by whoever reads that."""
_TELLING = tuple(relation for relation in Relation if relation not in (*STRUCTURE, Relation.REFERENCES))
_SPEAKING = tuple(relation for relation in Relation if relation not in STRUCTURE)
_EXCERPT = 240
"""Characters of a section that a page shows: who wants more reads the document."""
_WRITTEN_WORTH_READING = 0.7
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

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._documents = DocumentStore(kernel.database)
        self._sections = SectionStore(kernel.database)
        self._walk = SectionWalk(kernel.database)
        self._search = kernel.one(DocSearch)

    def about(self, text: str, open_places: Sequence[OpenPlace], *, limit: int) -> list[ContextSection]:
        """Return the sections that answer a question or speak of open files, best first; none without documents."""
        if not self._documents.count():
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
        units = self._sections.units_by_nodes(spoken)
        states = states_of(self._kernel, {unit.document for unit in units.values()})
        superseded = self._walk.superseded_by(list(units))
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
        strands = self._walk.leaving(places, relations=_SPEAKING, direction=Direction.IN)
        weights: dict[NodeId, list[float]] = defaultdict(list)
        for strand in strands:
            for place, section, weight in strand.rows:
                weights[section].append(weight * places[place].score)
        best = sorted(weights, key=lambda node: (-max(weights[node]), -len(weights[node]), node))[: 2 * limit]
        ties = self._ties(best, places)
        speakers = self._walk.speakers(best)
        found: dict[NodeId, _Spoken] = {}
        for node in best:
            found.setdefault(speakers.get(node, node), _Spoken(max(weights[node]), ties[node]))
        return found

    def _ties(
        self, sections: Sequence[NodeId], places: Mapping[NodeId, OpenPlace]
    ) -> dict[NodeId, list[tuple[SectionTie, OpenPlace]]]:
        found: dict[NodeId, list[tuple[SectionTie, OpenPlace]]] = defaultdict(list)
        for tie in self._walk.ties(sections, list(places)):
            if tie.target in places and tie.relation in _SPEAKING:
                found[tie.source].append((tie, places[tie.target]))
        return found


class _Worth:
    """Judges what a search in documents found: it returns the best there is, whether that answers or not."""

    def __init__(self, results: Sequence[DocResult], words: Collection[str]) -> None:
        self._words = words
        self._similarity = _WRITTEN_WORTH_READING * max((one.similarity or 0.0 for one in results), default=0.0)
        self._strength = _WRITTEN_WORTH_READING * max((one.keyword_score or 0.0 for one in results), default=0.0)
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


_TOKENS_OF_A_LEARNING, _TOKENS_OF_A_FILE = 125, 200
"""For so many tokens of the budget one is looked for, about as many as find room: of 2,000 tokens 16 learnings and 10
files, which is where the ranking of files is good."""
_TOKENS_OF_A_FACT, _FEWEST_FACTS, _MOST_FACTS = 250, 4, 30
_TOKENS_OF_A_SECTION, _FEWEST_SECTIONS, _MOST_SECTIONS = 400, 3, 20
_FEWEST, _MOST = 10, 200
_GATHERING_WORTH_READING = 0.5
"""Of the best one's relevance. A walk reaches much, and who reads a page pays for every line of it: what lies two
imports away from the open file, 0.7² of what is tied to the file itself, is not worth it."""
_LEAST_RELEVANCE = 0.2
"""Even the best one may have little to do with the question."""
_PARTNERS, _TASKS, _RUNS = 8, 5, 3
_TOP_FILES = 3
"""Without open files, partners of the best files are told: those are what will be opened."""
_LEAST_CONFIDENCE, _LEAST_SHARED = 0.4, 3
"""A partner is worth a word when it came along nearly every second time."""
_EXTERNAL_ID = re.compile(r"([A-Za-z][A-Za-z0-9_]*-|#)\d+")
_TASKS_COMPARED = 1_000
_QUESTION_LENGTH = 4_000
"""Characters of a question or task that are searched for; what matters in a longer one stands in its beginning."""


class _Subject(NamedTuple):
    """What the page is about; `notice` says how a doubtful text was taken."""

    task: Task | None
    text: str
    notice: str = ""


_MARKDOWN = Markdown()


class Context:
    """Writes the page that somebody reads before starting; everybody is asked who knows something."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._search = kernel.one(Search)
        self._written = Written(kernel)
        self._known = Known(kernel)
        self._work = kernel.one(WorkReferences)
        self._tasks = TaskStore(kernel.database)
        self._runs = RunStore(kernel.database)

    def page(self, request: ContextRequest, layout: Layout, *, count: CountTokens) -> Page:
        """Return the page, of at most `request.budget` tokens as `count` counts them.

        With a run, the learnings it shows are recorded there: their positions on the page and their scores.
        """
        page = laid_out(self.gathered(request), layout, budget=request.budget, count=count)
        if request.run is not None:
            shown = [(one.stored.node, one.result.relevance) for one in page.shown.learnings]
            record_shown(self._kernel, request.run, shown)
        return page

    def gathered(self, request: ContextRequest) -> Material:
        """Return what there is to tell, best first in each part."""
        subject = self._subject(request.text)
        places = self._kernel.one(OpenFiles).named(request.files)
        open_files = tuple(dict.fromkeys(place.path for place in places))
        learnings, found = self._learnings(request, subject.text, open_files)
        files = self._files(request, subject.text, open_files)
        nodes = [one.result.stored.node for one in learnings]
        sections = self._written.about(subject.text, places, limit=_sections(request.budget))
        opened = [place.node for place in places if place.node is not None]
        return Material(
            task=subject.task,
            open_files=open_files,
            learnings=tuple(learnings),
            facts=tuple(self._known.about(subject.text, [*opened, *nodes], sections, limit=_facts(request.budget))),
            sections=tuple(sections),
            files=tuple(files),
            partners=tuple(self._forgotten(open_files, [one.path for one in files])),
            tasks=tuple(self._other_tasks(nodes, subject.task)),
            runs=tuple(self._last_runs(nodes, subject.task, request.run)),
            found={Part.LEARNINGS: found},
            notices=(subject.notice,) if subject.notice else (),
        )

    def _subject(self, text: str) -> _Subject:
        """Return the task that a text names, and what to search for.

        `task:7` and a bare number mean a task; so does what is the external id of one. All else is a question, but for
        what looks like an external id where other tasks have such ids: that is a mistake.
        """
        name = text.strip()
        is_explicit = name.startswith(f"{NodeKind.TASK}:") or (name.isascii() and name.isdigit())
        task = self._work.task(name) if is_explicit else self._work.find_task(name) if name else None
        if task:
            return _Subject(task, f"{task.title}\n{task.description}"[:_QUESTION_LENGTH])
        if not (looks := _EXTERNAL_ID.fullmatch(name)):
            return _Subject(None, text[:_QUESTION_LENGTH])
        if any((one.external_id or "").startswith(looks[1]) for one in self._tasks.listed(None, limit=_TASKS_COMPARED)):
            self._work.task(name)  # which raises, and names the nearest
        return _Subject(None, text, f"There is no task '{name}'; it was taken for a question.")

    def _learnings(
        self, request: ContextRequest, text: str, open_files: Collection[str]
    ) -> tuple[list[ContextLearning], int]:
        """Return the learnings to tell, and how many there are."""
        query = Query(
            text=text,
            limit=_number(request.budget, _TOKENS_OF_A_LEARNING),
            expansion=Limits() if request.expand else None,
            profile=request.profile,
            context_files=request.files,
            retriever=request.retriever,
        )
        answers = [self._search.run(query)]
        if request.include_staged:
            answers.append(self._search.run(replace(query, status=Status.STAGED)))
        everything = [result for answer in answers for result in answer.results]
        results = _relevant(everything, near_open_files=bool(open_files))
        found = sum(answer.stats.matched for answer in answers) if len(results) >= query.limit else len(results)
        return [ContextLearning(result=one, reasons=reasons(one, open_files)) for one in results[: query.limit]], found

    def _files(self, request: ContextRequest, text: str, open_files: Sequence[str]) -> Sequence[RankedFile]:
        limit = _number(request.budget, _TOKENS_OF_A_FILE) if request.limit_files is None else request.limit_files
        return self._kernel.one(FileRanking).rank(text, open_files=open_files, limit=limit) if limit else ()

    def _forgotten(self, open_files: Sequence[str], ranked: Sequence[str]) -> list[ContextPartner]:
        """Return the usual partners of the open files, else of the best files, that are not among those told."""
        missing = usual_partners(
            self._kernel,
            open_files or ranked[:_TOP_FILES],
            min_confidence=_LEAST_CONFIDENCE,
            min_support=_LEAST_SHARED,
            limit=len(ranked) + _PARTNERS,
        )
        told = {*open_files, *ranked}
        strongest = [(one.path, one.evidence[0]) for one in missing if one.path not in told]
        return [
            ContextPartner(path=path, file=best.file, shared=best.shared, commits=best.commits)
            for path, best in strongest[:_PARTNERS]
        ]

    def _other_tasks(self, learnings: Collection[NodeId], task: Task | None) -> list[Task]:
        found = self._tasks.open(near=learnings, limit=_TASKS + 1)
        return [one for one in found if task is None or one.id != task.id][:_TASKS]

    def _last_runs(self, learnings: Collection[NodeId], task: Task | None, current: str | None) -> list[Run]:
        """Return the last runs for the task, then those in which the learnings were of use, without the current one."""
        own = self._runs.listed(task=task.id, limit=_RUNS + 1) if task else []
        near = self._runs.touching(learnings, limit=_RUNS + 1) if learnings else []
        runs = {run.id: run for run in (*own, *near)}
        if current is not None:
            runs.pop(self._work.run(current).id, None)
        return list(runs.values())[:_RUNS]


def _number(budget: int, tokens: int) -> int:
    """Return how many items to look for that take so many tokens."""
    return max(_FEWEST, min(_MOST, budget // tokens))


def _facts(budget: int) -> int:
    return max(_FEWEST_FACTS, min(_MOST_FACTS, budget // _TOKENS_OF_A_FACT))


def _sections(budget: int) -> int:
    return max(_FEWEST_SECTIONS, min(_MOST_SECTIONS, budget // _TOKENS_OF_A_SECTION))


def _relevant(results: Sequence[SearchResult], *, near_open_files: bool) -> list[SearchResult]:
    """Return the results that are worth reading, in the order they came; staged ones after those that are confirmed.

    What only the graph ties to open files is measured against what is tied to the files themselves, even where there
    is no such learning: otherwise the best would be whatever half of the repository reaches through a common module.
    """
    least = max(_LEAST_RELEVANCE, _GATHERING_WORTH_READING * max((one.relevance for one in results), default=0.0))
    by_walk = _GATHERING_WORTH_READING if near_open_files else least
    return [one for one in results if one.relevance >= (max(least, by_walk) if one.hops else least)]


def counter(kernel: Kernel, by: TokensBy) -> CountTokens:
    """Return what counts tokens as asked."""
    if by is TokensBy.TOKENIZER:
        from tx_graph.vectors.minilm import configured_counter

        return configured_counter(str(kernel.config.get("context.tokenizer")), root=kernel.root)
    return by_characters if by is TokensBy.CHARS else by_bytes


def context(
    kernel: Kernel,
    text: Annotated[
        str | None,
        Arg(
            "[TASK|TEXT]",
            "A task (task:7, GH-123), or what you are about to do; '-' reads stdin.",
            reads=Reads.DASH,
            mcp="what you are about to do, or a task: task:7, GH-123",
        ),
    ] = None,
    *,
    files: OpenFilesNamed = (),
    budget: Annotated[int, Arg("TOKENS", f"Most tokens to print, at least {LEAST_BUDGET}.")] = STANDARD_BUDGET,
    tokens_by: Annotated[TokensBy, Arg("NAME", f"Who counts tokens: {choices(TokensBy)}.")] = TokensBy.CHARS,
    form: Annotated[  # noqa: ARG001 - of what is printed
        Format, Arg("NAME", f"How to write the page: {choices(Format)}.", flag="--format")
    ] = Format.MARKDOWN,
    expand: Annotated[
        bool, Arg(help="Whether to follow the graph beyond what matches.", flag="--expand/--no-expand")
    ] = True,
    profile: ProfileName = Profile.DECAY,
    retriever: RetrieverName = None,
    limit_files: Annotated[int | None, Arg("N", "Most files to name; 0 for none.")] = None,
    include_staged: Annotated[
        bool, Arg(help="Show proposed learnings too, marked as such.", mcp="also what nobody confirmed")
    ] = False,
    run: Annotated[
        Ref | None,
        Arg("RUN", "Record in this run which learnings were shown.", mcp="record in this run what was shown"),
    ] = None,
    layout: Layout = _MARKDOWN,
    count: CountTokens | None = None,
) -> Page:
    """Print what to know, and where to look, before starting on something.

    One page: what was learned, whether it still holds and why it is here; what is written about it in documents; the
    files to look at; those that usually change along and are easily forgotten; open tasks and last runs. It never has
    more tokens than the budget, as characters / 4 (chars), as bytes / 3.75 (bytes) or as the tokenizer in the setting
    context.tokenizer counts them; the last line says what did not get in. What people wrote is quoted, so that it
    informs and instructs nobody.

    A number, task:7 or the external id of a task means that task; everything else is a question.

    Example:
      tx context "make token refresh retry"
      tx context GH-123 --run 9 --budget 4000
      tx context --files "src/auth/**/*.ts,src/jwt.ts" --format plain
    """
    request = ContextRequest(
        text=text or "",
        files=tuple(files),
        run=None if run is None else ref_of(run),
        budget=budget,
        expand=expand,
        profile=profile,
        retriever=retriever,
        include_staged=include_staged,
        limit_files=limit_files,
    )
    return kernel.one(Context).page(request, layout, count=count or counter(kernel, tokens_by))
