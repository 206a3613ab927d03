"""The context room: the page that somebody reads before starting, within a budget of tokens."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import ceil, log2
from typing import Annotated, NamedTuple

from tx_graph.context.gate import CANDIDATES, LIKELY, Direct, direct_matches, least_likely, likely
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
from tx_graph.context.purpose import Purpose
from tx_graph.context.ranking import rank_files
from tx_graph.context.ranking_evidence import RankedFile
from tx_graph.context.recall import Recall, RecalledFact
from tx_graph.context.search import (
    RANKED,
    OpenFilesNamed,
    Query,
    RetrieverName,
    Search,
    SearchResult,
    WithProfile,
)
from tx_graph.core.arguments import Arg, Reads, Ref, WithHubFirst, choices, ref_of
from tx_graph.core.guard import without_secrets
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.core.text import CountTokens, TokensBy, best_lines, by_bytes, by_characters
from tx_graph.documents.document import Unit
from tx_graph.documents.edge_store import SectionTie, SectionWalk
from tx_graph.documents.search import KEYWORD_WEIGHT, DocQuery, DocResult, DocSearch, states_of
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId, Relation
from tx_graph.graph.elsewhere import Elsewhere, FromHub, hub_of
from tx_graph.graph.expand import Limits
from tx_graph.graph.fuse import WORDS_SHARE
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.mention_store import MentionStore
from tx_graph.knowledge.spreading import RecallLimits
from tx_graph.records.learning import Status
from tx_graph.work.references import WorkReferences
from tx_graph.work.runs import record_shown
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import Task

_MOST_SPOKEN = 2  # open files to name that one section speaks of


def reasons(result: SearchResult, open_files: Collection[str]) -> tuple[str, ...]:
    """Return each reason why a search found a learning: matched words or meaning, then the way through the graph.

    The way is told back to where the walk began: `anchored to x.py, imported by the open y.py`.
    """
    by = [(result.bm25, "words"), (result.vector, "meaning"), (result.retrieved, "the retriever")]
    matched = " and ".join(name for score, name in by if score)
    found = [f"matches by {matched}"] if matched else []
    way = []
    for step in reversed(result.steps):
        came_from = step.source if step.source.startswith(f"{NodeKind.LEARNING}:") else code(step.source)
        came_from = f"the open {came_from}" if step.source in open_files else came_from
        words = EdgeType(step.type).words
        along, against = words.came_by
        relation = f" ({step.relation})" if step.relation and words.is_named_by_relation else ""
        way.append(f"{(along if step.forward else against).format(came_from)}{relation}")
    if way:
        return (*found, ", ".join(way))
    anchored = dict.fromkeys(anchor.path for anchor in result.stored.learning.anchors)
    return (*found, *[f"anchored to the open {code(path)}" for path in anchored if path in open_files][:1])


def _answering(result: DocResult) -> tuple[str, ...]:
    """Return why a search in documents found a section: matched words or meaning, or the edge that led there."""
    if not result.ties:
        by = [(result.keyword_score, "words"), (result.similarity, "meaning")]
        return (f"matches by {' and '.join(name for score, name in by if score)}",)
    tie = result.ties[0]
    is_told = tie.description.replace(" ", "_") not in ("", tie.relation)
    why = ': "{}"'.format(tie.description.replace('"', "'")) if is_told else ""
    if not tie.forward:
        return (f"{Relation(tie.relation).of_section} {code(tie.other)}{why}",)
    return (f"related to {code(tie.other)}{why} ({tie.relation})",)


_NAMED = 5  # entities that a text is about at most, and as many that other things speak of
_OF_ONE = 4  # facts of one entity: who wants all of them asks for them
_MENTIONED = 0.5
"""What an entity counts that only an open file, a learning or a section speaks of, beside one that the text names."""
_DATES = frozenset("date created created_at updated updated_at last_updated last_modified modified decided_on".split())
"""Predicates that only date a thing. On a page of few lines they would take the place of what it says."""


def known(
    kernel: Kernel, text: str, nodes: Sequence[NodeId], sections: Sequence[ContextSection], *, limit: int
) -> list[RecalledFact]:
    """Return facts about the entities that a text names, or that these nodes and sections speak of, what answers first.

    Those about one entity stand together, where the best of them was.
    """
    database = kernel.database
    if not FactStore(database).version():  # nobody ever said anything
        return []
    store, recall = NodeStore(database), kernel.one(Recall)
    speaking = [
        *nodes,
        *store.find(NodeKind.SECTION, [one.ref for one in sections]).values(),
        *store.find(NodeKind.FILE, {one.path for one in sections}).values(),
    ]
    # What several of these speak of, or one of them much, and hardly anybody else.
    spoken: dict[NodeId, float] = defaultdict(float)
    for mention in MentionStore(database).by(speaking) if speaking else ():
        spoken[mention.entity] += mention.weight / log2(2 + mention.mentions)
    most = sorted(spoken, key=lambda entity: (-spoken[entity], entity))[:_NAMED]
    worth = {entity: _MENTIONED * spoken[entity] / spoken[most[0]] for entity in most}
    worth |= dict.fromkeys(recall.stated(text, most=_NAMED), 1.0)
    limits = RecallLimits(hops=1, per_entity=_OF_ONE, max_facts=2 * limit)
    found = recall.known_of(text, worth, limits) if worth else []
    facts = recall.told([one for one in found if one.fact.fact.predicate not in _DATES][:limit])
    subjects = list(dict.fromkeys(one.stored.subject for one in facts))
    return sorted(facts, key=lambda one: subjects.index(one.stored.subject))


STRUCTURE = (Relation.PART_OF, Relation.SEQUENCE)
"""Relations that only say where a section stands: what stands beside an answer is found by whoever reads that."""
_SPEAKING = tuple(relation for relation in Relation if relation not in STRUCTURE)
_TELLING = tuple(relation for relation in _SPEAKING if relation is not Relation.REFERENCES)
_EXCERPT = 240  # characters of a section that a page shows: who wants more reads the document
_WRITTEN_WORTH_READING = 0.7  # of what the best match has: who reads a page pays for every line of it
_LEAST_SIMILARITY = 0.35
"""Cosine below which a section has little to do with the question, though no other one is nearer. With
all-MiniLM-L6-v2 the best of a repository has .30 to .37 where nothing is written about it, and .5 to .7 where it is."""
_LEAST_WORDS, _SHARE_OF_WORDS = 3, 0.6
"""Of the question's words so many, or such a share of fewer, must stand in a section that only words speak for."""
_SHORTEST_STEM, _LONG = 4, 7
_NO_LETTERS = re.compile(r"[\W_]+")
_OF_ONE_DOCUMENT = 2  # sections of one document to show: whoever opens it finds the others
_UNDERLINES = "=-~^\"'`#*+:._ "  # what stands below a heading, in Markdown or reStructuredText
_TIED = 0.5
"""What speaking of an open file counts beside an answer to the question: popular files are mentioned everywhere."""


def written(kernel: Kernel, text: str, open_places: Sequence[OpenPlace], *, limit: int) -> list[ContextSection]:
    """Return the sections that answer a question or speak of open files, best first; none without documents."""
    if not DocumentStore(kernel.database).count():
        return []
    results = kernel.one(DocSearch).run(DocQuery(text=text, limit=2 * limit)).results if text.strip() else ()
    found = {
        one.unit.ref: replace(
            _section(one.unit, one.score, one.excerpt.text, text, _answering(one)),
            state=one.state,
            superseded_by=one.superseded_by,
        )
        for one in _worth_reading(results, content_words(text))
    }
    factor = _TIED if found else 1.0
    for section in _speaking(kernel, text, open_places, limit):
        score, answer = section.score * factor, found.get(section.ref)
        if answer:
            both = (*answer.reasons, *section.reasons)
            found[section.ref] = replace(answer, score=min(1.0, answer.score + score), reasons=both)
        else:
            found[section.ref] = replace(section, score=score)
    opened = {place.path for place in open_places}
    seen: Counter[str] = Counter()
    worth = []
    for section in sorted(found.values(), key=lambda one: (-one.score, one.ref)):
        if section.excerpt and section.path not in opened:
            seen[section.path] += 1
            worth += [section] if seen[section.path] <= _OF_ONE_DOCUMENT else []
    return worth[:limit]


def _worth_reading(results: Sequence[DocResult], words: Collection[str]) -> list[DocResult]:
    """Return the sections that answer, or to which something that does is tied in a way that tells.

    A search in documents returns the best there is, whether that answers or not.
    """
    least_similar = _WRITTEN_WORTH_READING * max((one.similarity or 0.0 for one in results), default=0.0)
    least_strong = _WRITTEN_WORTH_READING * max((one.keyword_score or 0.0 for one in results), default=0.0)
    least_words = min(_LEAST_WORDS, ceil(_SHARE_OF_WORDS * len(words)))
    # What a word has in common with others of its kind: `decod` of `decoding`.
    stems = [word[: max(_SHORTEST_STEM, len(word) - (3 if len(word) > _LONG else 2))] for word in words]

    def answers(one: DocResult) -> bool:
        is_spoken_for = any(tie.relation not in STRUCTURE for tie in one.ties)
        if one.similarity is not None:
            return one.similarity >= max(_LEAST_SIMILARITY, 0.0 if is_spoken_for else least_similar)
        said = f" {_NO_LETTERS.sub(' ', ' '.join((*one.unit.headings, one.unit.text)).lower())}"
        has_words = sum(f" {stem}" in said for stem in stems) >= least_words
        return has_words and (is_spoken_for or (one.keyword_score or 0.0) >= least_strong)

    certain = {one.unit.ref.partition("~")[0] for one in results if not one.ties and answers(one)}
    return [
        one
        for one in results
        if any(tie.relation in _TELLING and tie.other.partition("~")[0] in certain for tie in one.ties) or answers(one)
    ]


def _speaking(kernel: Kernel, text: str, open_places: Sequence[OpenPlace], limit: int) -> list[ContextSection]:
    """Return the sections with edges to what is open, those with the heaviest edges first."""
    places = {place.node: place for place in open_places if place.node is not None}
    if not places:
        return []
    walk = SectionWalk(kernel.database)
    weights: dict[NodeId, list[float]] = defaultdict(list)
    for strand in walk.leaving(places, relations=_SPEAKING, direction=Direction.IN):
        for place, section, weight in strand.rows:
            weights[section].append(weight * places[place].score)
    best = sorted(weights, key=lambda node: (-max(weights[node]), -len(weights[node]), node))[: 2 * limit]
    ties: dict[NodeId, list[tuple[SectionTie, OpenPlace]]] = defaultdict(list)
    for tie in walk.ties(best, list(places)):
        if tie.target in places and tie.relation in _SPEAKING:
            ties[tie.source].append((tie, places[tie.target]))
    speakers = walk.speakers(best)
    spoken: dict[NodeId, NodeId] = {}  # who speaks, by the section that says it
    for node in best:
        spoken.setdefault(speakers.get(node, node), node)
    units = SectionStore(kernel.database).units_by_nodes(spoken)
    states = states_of(kernel, {unit.document for unit in units.values()})
    superseded = walk.superseded_by(list(units))
    found = []
    for speaker, node in spoken.items():
        if (unit := units.get(speaker)) is None:
            continue
        # What speaks of a symbol speaks of its file, which need not be told then.
        of_symbols = {place.path for _, place in ties[node] if place.kind is NodeKind.SYMBOL}
        told = dict.fromkeys(
            f"{Relation(tie.relation).of_section} the open {code(place.ref)}"
            for tie, place in ties[node]
            if place.kind is NodeKind.SYMBOL or place.path not in of_symbols
        )
        names = " ".join(place.ref.rpartition("/")[2] for _, place in ties[node])
        shown = _section(unit, max(weights[node]), unit.text, f"{text} {names}", tuple(told)[:_MOST_SPOKEN])
        found.append(replace(shown, state=states[unit.document], superseded_by=superseded.get(speaker)))
    return found


def _section(unit: Unit, score: float, text: str, question: str, reasons: tuple[str, ...]) -> ContextSection:
    """Return a section with the few lines that say most of a question, marked where they are cut."""
    # Without the heading that the text begins with: that stands among the titles that lead to it.
    first, _, rest = text.lstrip("\n").partition("\n")
    if unit.title and first.strip("#= ").casefold() == unit.title.casefold():
        underline, _, below = rest.partition("\n")
        text = (below if underline.strip() and not underline.strip(_UNDERLINES) else rest).lstrip("\n")
    return ContextSection(
        ref=unit.ref,
        path=unit.document,
        line_start=unit.line_start,
        line_end=unit.line_end,
        headings=unit.headings,
        excerpt=_excerpt(text, question),
        reasons=reasons,
        score=score,
    )


def _excerpt(text: str, question: str) -> str:
    """Return the few lines of a text that say most of a question, marked where they are cut."""
    start, end = best_lines(text, question, most=_EXCERPT)
    lines = "\n".join(line for line in text.split("\n")[start:end] if line.strip())
    lines = without_secrets(lines, quick=True)
    return lines if len(lines) <= _EXCERPT else f"{lines[: _EXCERPT - 1].rstrip()}…"


_ELSEWHERE = (250, 3, 20)
"""As below, for what other repositories know; and what words count in each kind of it."""
_ELSEWHERE_KINDS = {"learning": WORDS_SHARE, "section": KEYWORD_WEIGHT, "fact": WORDS_SHARE}
_NAMED_FACT = 0.5  # the score of a fact from elsewhere about what the question names
_LEARNINGS, _FILES, _FACTS, _SECTIONS = (125, 10, 200), (50, 10, 60), (250, 4, 30), (400, 3, 20)
"""For so many tokens of the budget one is looked for, about as many as find room, and how many at least and at most:
of 2,000 tokens 16 learnings and 40 files, of which as many are named as leave room for the rest."""
_BESIDE_ANSWERS = 3
"""Learnings anchored to open files to tell beside a question, though nothing says that they help with it."""
_PARTNERS, _TASKS, _RUNS = 8, 5, 3
_TOP_FILES = 3  # without open files, partners of the best files are told: those are what will be opened
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
        remarks: list[str] = []
        places = self._kernel.one(OpenFiles).named(request.files, remarks)
        open_files = tuple(dict.fromkeys(place.path for place in places))
        kernel, task, text, budget = self._kernel, subject.task, subject.text, request.budget
        most = _number(budget, *_FILES) if request.limit_files is None else request.limit_files
        query = Query(
            text=text,
            limit=_number(budget, *_LEARNINGS),
            expansion=Limits() if request.expand else None,
            profile=request.profile,
            context_files=request.files,
            retriever=request.retriever,
        )
        asking = hub_of(kernel, is_asked=request.hub) if text.strip() else None
        asked = asking and asking.search(text, kinds=_ELSEWHERE_KINDS, limit=_number(budget, *_ELSEWHERE))
        direct = direct_matches(kernel, text, retriever=request.retriever, count=max(CANDIDATES, query.pool))
        files = rank_files(
            kernel,
            text,
            open_files=open_files,
            limit=max(most, RANKED),
            purpose=request.purpose,
            with_places=True,
            direct=direct,
        )
        learnings, found = self._learnings(request, query, open_files, files, direct)
        files = files[:most]
        nodes = [one.result.stored.node for one in learnings]
        sections = written(kernel, text, places, limit=_number(budget, *_SECTIONS))
        speaking = [*(place.node for place in places if place.node is not None), *nodes]
        facts = known(kernel, text, speaking, sections, limit=_number(budget, *_FACTS))
        others = [one for one in self._tasks.open(near=nodes, limit=_TASKS + 1) if task is None or one.id != task.id]
        # The last runs for the task, then those in which the learnings were of use, without the current one.
        own = self._runs.listed(task=task.id, limit=_RUNS + 1) if task else []
        near = self._runs.touching(nodes, limit=_RUNS + 1) if nodes else []
        runs = {run.id: run for run in (*own, *near)}
        if request.run is not None:
            runs.pop(self._work.run(request.run).id, None)
        told = asked.answer() if asked else FromHub()
        return Material(
            task=task,
            open_files=open_files,
            learnings=tuple(learnings),
            facts=tuple(facts),
            sections=tuple(sections),
            files=tuple(files),
            partners=tuple(self._forgotten(open_files, [one.path for one in files])),
            tasks=tuple(others[:_TASKS]),
            runs=tuple(list(runs.values())[:_RUNS]),
            elsewhere=tuple(self._elsewhere(told.found, text, limit=_number(budget, *_ELSEWHERE))),
            found={Part.LEARNINGS: found},
            notices=(*([subject.notice] if subject.notice else []), *remarks, *told.notices),
        )

    def _elsewhere(self, found: Sequence[Elsewhere], text: str, *, limit: int) -> list[Elsewhere]:
        """Return what of other repositories is likely to help, best first, cut to the lines that say most."""
        known = NodeStore(self._kernel.database).find(NodeKind.LEARNING, [one.ref.partition(":")[2] for one in found])
        chances = {one: likely(meaning=one.meaning, words=one.words or 0.0) for one in found if one.kind == "learning"}
        least = least_likely(chances.values())

        def helps(one: Elsewhere) -> bool:
            if one.kind == "learning":
                return chances[one] >= least and one.ref.partition(":")[2] not in known
            if one.kind == "fact":
                return one.score >= _NAMED_FACT
            return one.meaning >= _LEAST_SIMILARITY if one.meaning is not None else (one.words or 0) >= _SHARE_OF_WORDS

        best = sorted((one for one in found if helps(one)), key=lambda one: (-one.score, one.ref))
        return [replace(one, text=_excerpt(one.text, text)) for one in best[:limit]]

    def _subject(self, text: str) -> _Subject:
        """Return the task that a text names, and what to search for.

        `task:7` and a bare number mean a task; so does what is the external id of one. All else is a question, but for
        what looks like an external id where other tasks have such ids: that is a mistake.
        """
        name = text.strip()
        # Subjects such as 'task: say what it does' are questions.
        is_explicit = (name.startswith(f"{NodeKind.TASK}:") and len(name.split()) == 1) or re.fullmatch("[0-9]+", name)
        task = self._work.task(name) if is_explicit else self._work.find_task(name) if name else None
        if task:
            return _Subject(task, f"{task.title}\n{task.description}"[:_QUESTION_LENGTH])
        if not (looks := _EXTERNAL_ID.fullmatch(name)):
            return _Subject(None, text[:_QUESTION_LENGTH])
        if any((one.external_id or "").startswith(looks[1]) for one in self._tasks.listed(None, limit=_TASKS_COMPARED)):
            self._work.task(name)  # which raises, and names the nearest
        return _Subject(None, text, f"There is no task '{name}'; it was taken for a question.")

    def _learnings(
        self,
        request: ContextRequest,
        query: Query,
        open_files: Collection[str],
        files: Sequence[RankedFile],
        direct: Direct,
    ) -> tuple[list[ContextLearning], int]:
        """Return the learnings that are likely to help, and how many there are.

        Beside a question, of what is anchored to open files and does not answer it only the best few are told.
        """
        search = self._kernel.one(Search)
        answers = [search.run(query, files, direct)]
        if request.include_staged:
            answers.append(search.run(replace(query, status=Status.STAGED), files))
        results = [result for answer in answers for result in answer.results]
        least = least_likely(result.likely or 0.0 for result in results) if query.text.strip() else LIKELY
        told, beside = [], _BESIDE_ANSWERS
        for result in results:
            one = ContextLearning(result=result, reasons=reasons(result, open_files))
            if (result.likely or 0.0) >= least:
                told.append(one)
            elif beside and any(anchor.path in open_files for anchor in one.learning.anchors):
                told.append(one)
                beside -= 1
        return told[: query.limit], len(told)

    def _forgotten(self, open_files: Sequence[str], ranked: Sequence[str]) -> Iterator[ContextPartner]:
        """Yield the usual partners of the open files, else of the best files, that are not among those told."""
        missing = usual_partners(
            self._kernel,
            open_files or ranked[:_TOP_FILES],
            min_confidence=_LEAST_CONFIDENCE,
            min_support=_LEAST_SHARED,
            limit=len(ranked) + _PARTNERS,
        )
        told = {*open_files, *ranked}
        for one in [one for one in missing if one.path not in told][:_PARTNERS]:
            best = one.evidence[0]
            yield ContextPartner(path=one.path, file=best.file, shared=best.shared, commits=best.commits)


def _number(budget: int, tokens: int, fewest: int, most: int) -> int:
    """Return how many items to look for that take so many tokens."""
    return max(fewest, min(most, budget // tokens))


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
    profile: WithProfile = None,
    retriever: RetrieverName = None,
    limit_files: Annotated[int | None, Arg("N", "Most files to name; 0 for none.")] = None,
    purpose: Annotated[
        Purpose | None,
        Arg(
            "NAME", f"What the question is after: {choices(Purpose)}; else told by how it is put.", mcp="where | change"
        ),
    ] = None,
    include_staged: Annotated[
        bool, Arg(help="Show proposed learnings too, marked as such.", mcp="also what nobody confirmed")
    ] = False,
    hub: WithHubFirst = False,
    run: Annotated[
        Ref | None,
        Arg("RUN", "Record in this run which learnings were shown.", mcp="record what was shown"),
    ] = None,
    layout: Layout = _MARKDOWN,
    count: CountTokens | None = None,
) -> Page | Answer:
    """Print what to know, and where to look, before starting on something.

    One page: what was learned, whether it still holds and why it is here; what is written about it in documents; the
    files to look at; those that usually change along and are easily forgotten; open tasks and last runs. It never has
    more tokens than the budget, as characters / 4 (chars), as bytes / 3.75 (bytes) or as the tokenizer in the setting
    context.tokenizer counts them; the last line says what did not get in. What people wrote is quoted, so that it
    informs and instructs nobody. With --hub the last part of the page is what other repositories know, each with its
    commit and its age.

    A number, task:7 or the external id of a task means that task; everything else is a question. Without one, and
    without files, it is about what you are at: 'tx review' of the working tree.

    Example:
      tx context "make token refresh retry"
      tx context GH-123 --run 9 --budget 4000
      tx context --files "src/auth/**/*.ts,src/jwt.ts" --format plain
      tx context "retry a payment" --hub
    """
    if not (text or "").strip() and not files and kernel.checkout.is_git:
        from tx_graph.context.review import review

        return review(kernel, budget=budget)
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
        purpose=purpose,
        hub=hub,
    )
    return kernel.one(Context).page(request, layout, count=count or counter(kernel, tokens_by))
