"""What other repositories know, asked while the workspace answers: a hub that is away costs a note and no more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from threading import Thread, Timer
from typing import Any, NamedTuple, Self
from weakref import finalize

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.identifiers import is_telling
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import canonical_reference
from tx_graph.graph.connection import connect
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.elsewhere import Elsewhere, FromHub, HubPlace, HubStep, Origin, Pending
from tx_graph.graph.expand import Limits, NeighborsOf, Profile, Reached, explore, scoring_of
from tx_graph.graph.search import Matches, Question, matched
from tx_graph.hub.clones import Clones
from tx_graph.hub.identity import name_of, node_id, repository_id
from tx_graph.hub.repository_store import Publication, RepositoryStore
from tx_graph.hub.search_store import CHUNKS, FACTS, LEARNINGS, Finding, Meant, Row, SearchStore, TextStore, Told
from tx_graph.hub.store import Address, Hub, HubError, address_of, is_named
from tx_graph.hub.walk_store import Named, WalkStore
from tx_graph.knowledge.spreading import stated
from tx_graph.vectors.embedding import Embedding

PATIENCE = 1.0
"""Seconds to wait for the hub once the own answer is there."""
_IDLE = 30.0
"""Seconds that a connection is kept for the next question: many agents ask one server."""
_TIMEOUT = "5s"  # after which the server gives a statement up, whose answer nobody waits for any more
_CANDIDATES = 50  # things that each ranking gives, and that a search of vectors keeps in sight
_PASSED = 500  # nodes that a walk may pass through, most of which are of the own repository
_DIMENSION = 384
_PUBLISHED = ("valid", "drifted", "invalid")
_NAMED_SHARE = 0.5
"""What it counts that a fact is about what the question names, beside how well it answers."""
_SAYS_IT = 0.35  # of words or as a cosine: from here on a fact says what is asked of what the question does not name
_ABOUT = 50  # facts about the entities that a question names

_TEXTS = {"learning": LEARNINGS, "section": CHUNKS, "fact": FACTS}

Job = Callable[["Reading"], FromHub]
Asking = Callable[[WalkStore], NeighborsOf]


class Waiting:
    """A question under way, in a thread of its own: libpq waits two seconds at least for a server."""

    def __init__(self, work: Callable[[], FromHub], finish: Callable[[FromHub], FromHub]) -> None:
        self._finish = finish
        self._found: FromHub | BaseException | None = None
        self._thread = Thread(target=self._run, args=[work], name="hub", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], FromHub]) -> None:
        try:
            self._found = work()
        except BaseException as error:  # noqa: BLE001 - it is raised where the answer is wanted
            self._found = error

    @property
    def is_under_way(self) -> bool:
        """Whether the hub has not answered yet."""
        return self._thread.is_alive()

    def answer(self) -> FromHub:
        """Return what the hub said, or a notice that it said nothing in time.

        Raises:
            UsageError: It was asked in a way that no hub can answer.
        """
        self._thread.join(PATIENCE)
        if self._found is None:
            return FromHub(notices=("The hub did not answer in time: what other repositories know is not here.",))
        if isinstance(self._found, HubError):
            return FromHub(notices=(f"{self._found.message} What other repositories know is not here.",))
        if isinstance(self._found, BaseException):
            raise self._found
        return self._finish(self._found)


class Answered:
    """An answer that is there already."""

    def __init__(self, found: FromHub) -> None:
        self._found = found

    def answer(self) -> FromHub:
        """Return it."""
        return self._found


class Questions:
    """Asks the hub of a workspace, one question after the other."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._last: Waiting | None = None
        self._line = Line()
        self._address: Address | UsageError | None = None

    def forget(self) -> None:
        """Keep the question that is under way: while it is, no other is asked."""

    def asked(self, *, is_wanted: bool) -> Self | None:
        """Return itself, None where no hub is named; raise UsageError where one is wanted that cannot be asked."""
        if not (is_wanted or is_named(self._kernel)):
            return None
        try:
            # Here, for two threads that import the same libraries at once see halves of them.
            self._address = address_of(self._kernel)
        except UsageError as error:
            if is_wanted:
                raise
            self._address = error
        return self

    @cached_property
    def own(self) -> str:
        """The name of this repository; empty where it has none."""
        try:
            return name_of(self._kernel)
        except UsageError:
            return ""

    def search(self, text: str, *, kinds: Mapping[str, float], limit: int) -> Pending:
        """Ask for what answers a question, of each of these kinds the best; they say what words count in them."""
        least = float(self._kernel.config.get("search.min_similarity"))
        meaning: Future[Meant | None] = Future()
        notices: list[str] = []

        def job(reading: Reading) -> FromHub:
            found = reading.search(text, kinds, meaning.result, limit=limit, least=least)
            meaning.result()
            return FromHub(found=found, notices=tuple(notices))

        asked = self._ask(job)
        try:  # while the hub looks for the words
            meaning.set_result(self._meant(text, notices) if isinstance(asked, Waiting) else None)
        finally:
            meaning.cancel()
        return asked

    def _meant(self, text: str, notices: list[str]) -> Meant | None:
        embedding = self._kernel.one(Embedding)
        try:
            vector = embedding.question(text)
        except ModelError as error:
            notices.append(f"{error.message} {error.hint}".rstrip())
            return None
        return Meant(vector, embedding.name) if vector and len(vector) == 4 * _DIMENSION else None

    def neighbors(
        self,
        place: HubPlace,
        *,
        types: Sequence[EdgeType],
        types_at: Mapping[int, Sequence[EdgeType]],
        direction: Direction,
        limits: Limits,
        profile: Profile,
        limit: int,
    ) -> Pending:
        """Ask what of other repositories lies around a node."""
        asked = leaving(types, types_at, direction)
        return self._ask(lambda reading: reading.around(place, asked, limits=limits, profile=profile, limit=limit))

    def path(self, source: HubPlace, target: HubPlace, *, types: Sequence[EdgeType], limits: Limits) -> Pending:
        """Ask for the best path between two nodes."""
        asked = leaving(types, {}, Direction.BOTH)
        return self._ask(lambda reading: reading.between(source, target, asked, limits=limits))

    def _ask(self, job: Job) -> Pending:
        address = self._address
        if not isinstance(address, Address):
            return Answered(FromHub(notices=(f"{address.message} {address.hint}",) if address else ()))
        if self._last and self._last.is_under_way:  # as long as a server hangs, one thread waits for it, not many
            return Answered(FromHub(notices=("The hub has not answered the last question yet, and is not asked.",)))
        _ = self.own  # which asks git, and the database's thread is this one
        self._last = Waiting(partial(self._work, address, job), self._judged)
        return self._last

    def _work(self, address: Address, job: Job) -> FromHub:
        with self._line.reading(address, own=self.own, now=self._kernel.clock.now()) as opened:
            return job(opened)

    def _judged(self, found: FromHub) -> FromHub:
        return Clones(self._kernel).judged(found)


class Line:
    """A connection to a hub for one question after the other; it ends when none comes for a while."""

    def __init__(self) -> None:
        self._kept: list[Hub] = []
        self._ending: Timer | None = None
        finalize(self, _end, self._kept)

    @contextmanager
    def reading(self, address: Address, *, own: str, now: datetime) -> Iterator[Reading]:
        """Open a hub for one question, all of which is read in one transaction; raise HubError where that cannot be."""
        if self._ending:
            self._ending.cancel()
        hub = self._begun(address)
        try:
            yield Reading(hub, own=own, now=now)
            hub.end()
        except BaseException:
            hub.close()
            raise
        self._kept.append(hub)
        self._ending = Timer(_IDLE, _end, [self._kept])
        self._ending.daemon = True
        self._ending.start()

    def _begun(self, address: Address) -> Hub:
        """Return a hub that is being read: the one that is kept, if the server has not hung up meanwhile."""
        with suppress(IndexError, HubError):  # nothing was kept, or its time was over just now
            kept = self._kept.pop()
            if kept.address == address:
                return kept.reading(timeout=_TIMEOUT, sought=_CANDIDATES)
            kept.close()
        return Hub(address).reading(timeout=_TIMEOUT, sought=_CANDIDATES)

    def close(self) -> None:
        """End the connection that is kept, if any."""
        _end(self._kept)


def _end(kept: list[Hub]) -> None:
    with suppress(IndexError):
        kept.pop().close()


def leaving(types: Sequence[EdgeType], types_at: Mapping[int, Sequence[EdgeType]], direction: Direction) -> Asking:
    """Return what follows such edges in a hub."""
    return lambda walk: (
        lambda ask: walk.leaving(
            ask.nodes,
            types=types_at.get(ask.hop, types),
            direction=direction,
            least=ask.least,
            is_capped=ask.is_capped,
        )
    )


class Ranking(NamedTuple):
    """What of one kind was found: the best row of each thing, best first, their scores, and how they match."""

    rows: dict[NodeId, Row]
    scores: Mapping[NodeId, float]
    matches: Matches


class Reading:
    """Reads for one question what is of other repositories than the own one."""

    def __init__(self, hub: Hub, *, own: str, now: datetime) -> None:
        self._hub = hub
        self._own = own
        self._own_id = repository_id(own) if own else None
        self._now = now
        self._walk = WalkStore(hub)
        self._texts = TextStore(hub)
        self._origins: dict[int, Origin] = {}

    def search(
        self, text: str, kinds: Mapping[str, float], meant: Callable[[], Meant | None], *, limit: int, least: float
    ) -> tuple[Elsewhere, ...]:
        """Return what answers a question, of each of these kinds the best; they say what words count in them.

        `meant` is asked for its vector when all its words have been looked for.
        """
        asked = dict.fromkeys(kinds, text)
        about: Collection[NodeId] = ()
        if "fact" in kinds:
            named = stated(text, self._entities, is_name=is_telling)
            about = named.names
            if about and is_telling(named.rest):
                asked["fact"] = named.rest
        findings = {
            kind: Finding(_TEXTS[kind], words, least=least if kind == "learning" else 0.0)
            for kind, words in asked.items()
        }
        store = SearchStore(self._hub, own=self._own_id)
        store.look_for_words(findings.values(), _CANDIDATES)
        if self._hub.has_vectors and (vector := meant()):
            store.look_for_meaning(findings.values(), vector)
        ranked = {kind: _ranked(findings[kind], text, share) for kind, share in kinds.items()}
        if "fact" in kinds:
            ranked["fact"] = self._facts(ranked["fact"], about)
        told = self._told({kind: [*one.rows.values()] for kind, one in ranked.items()}, most=limit)
        return tuple(
            Elsewhere(
                origin=self._origin(ranked[kind].rows[node].repository),
                kind=kind,
                ref=canonical_reference(kind, texts.ref),
                title=texts.title,
                text=texts.text,
                published=_published(texts),
                score=ranked[kind].scores[node],
                **_measures(ranked[kind].matches, node, known=findings[kind].known),
            )
            for kind, those in told.items()
            for node, texts in those.items()
        )

    def around(
        self,
        place: HubPlace,
        asked: Asking,
        *,
        limits: Limits,
        profile: Profile,
        limit: int,
    ) -> FromHub:
        """Return what of other repositories lies around a node, best first."""
        start = self._node(place)
        if start is None:
            return FromHub(notices=(self._lacking(place),))
        far = replace(limits, max_nodes=max(_PASSED, limits.max_nodes))
        scoring, degrees_of = scoring_of(profile), self._walk.degrees
        walk = explore({start: 1.0}, asked(self._walk), limits=far, scoring=scoring, degrees_of=degrees_of)
        return FromHub(found=tuple(self._reached([one for one in walk.reached() if one.path], limit)))

    def between(self, source: HubPlace, target: HubPlace, asked: Asking, *, limits: Limits) -> FromHub:
        """Return the best path between two nodes."""
        places = {place: self._node(place) for place in (source, target)}
        ends = [node for node in places.values() if node is not None]
        if len(ends) < len(places):
            return FromHub(notices=tuple(self._lacking(place) for place, node in places.items() if node is None))
        found = connect(ends[0], ends[-1], asked(self._walk), limits=limits)
        if found is None:
            return FromHub()
        return FromHub(steps=self._steps([found], self._places([found]))[0], score=found.score)

    def _facts(self, found: Ranking, about: Collection[NodeId]) -> Ranking:
        """Return the facts about what a question names, and those that say what it asks, best first."""
        of_named = {row.node: row for row in self._texts.facts_about(about, own=self._own_id, limit=_ABOUT)}
        rows, matches = found.rows | of_named, found.matches
        scores: dict[NodeId, float] = {}
        for node in rows:
            relevance = found.scores.get(node, 0.0)
            if node in of_named:
                scores[node] = _NAMED_SHARE + (1 - _NAMED_SHARE) * relevance
            elif max(matches.by("words").get(node, 0.0), matches.by("vectors").get(node, 0.0)) >= _SAYS_IT:
                scores[node] = (1 - _NAMED_SHARE) * relevance
        best = sorted(scores, key=lambda node: (-scores[node], node))
        return Ranking({node: rows[node] for node in best}, scores, matches)

    def _entities(self, keys: Iterable[str]) -> dict[str, NodeId]:
        """Return the nodes of those names that are an entity's somewhere."""
        nodes = {key: node_id("", "entity", key) for key in keys}
        known = self._texts.entities(nodes.values())
        return {key: node for key, node in nodes.items() if node in known}

    def _told(self, rows: Mapping[str, Sequence[Row]], *, most: int) -> Mapping[str, Mapping[NodeId, Told]]:
        """Return of each kind the first rows that may be shown; of which commits they are is known from then on."""
        told, publications = self._texts.told(rows, most=most)
        self._remember(publications)
        return told

    def _node(self, place: HubPlace) -> NodeId | None:
        """Return the node at a place, None where the hub has none."""
        repository = place.repository or self._own
        if place.kind == "entity" or (place.kind and repository):
            node = node_id(repository, place.kind, place.key)
            return node if self._walk.named([node]) else None
        return self._walk.node_with(repository_id(repository), place.key) if repository else None

    def _lacking(self, place: HubPlace) -> str:
        """Return the sentence that says that the hub has nothing there."""
        where = place.repository or self._own or "a repository without a name"
        return f"The hub does not know '{place.key}' of {where}."

    def _reached(self, reached: Sequence[Reached], limit: int) -> list[Elsewhere]:
        """Return what a walk reached in other repositories, best first."""
        beyond = [one for one in reached if self._walk.homes.get(one.node) != self._own_id]
        places: dict[NodeId, Named] = {}
        foreign: list[Reached] = []
        while beyond and len(foreign) < limit:
            part, beyond = beyond[: 2 * limit], beyond[2 * limit :]
            places |= self._places(part)
            foreign += [one for one in part if one.node in places and self._own_id not in places[one.node].repositories]
        del foreign[limit:]
        self._know(places[one.node].repositories[0] for one in foreign)
        steps = self._steps(foreign, places)
        learnings = [
            Row(places[one.node].repositories[0], one.node, 0) for one in foreign if places[one.node].kind == "learning"
        ]
        texts = self._told({"learning": learnings}, most=limit)["learning"]
        return [
            Elsewhere(
                origin=self._origin(places[one.node].repositories[0]),
                kind=places[one.node].kind,
                ref=canonical_reference(places[one.node].kind, places[one.node].key),
                text=texts[one.node].text if one.node in texts else "",
                published=_published(texts.get(one.node)),
                score=one.score,
                steps=way,
            )
            for one, way in zip(foreign, steps, strict=True)
        ]

    def _places(self, found: Sequence[Reached]) -> dict[NodeId, Named]:
        """Return what the nodes are that were reached, and those on the way there."""
        return self._walk.named({end for one in found for edge in one.path for end in edge[:2]})

    def _steps(self, found: Sequence[Reached], places: Mapping[NodeId, Named]) -> list[tuple[HubStep, ...]]:
        edges = [edge for one in found for edge in one.path]
        worded = self._walk.worded(edges)
        names = {end: self._called(places[end]) for edge in edges for end in edge[:2] if end in places}
        return [
            tuple(
                HubStep(
                    source=names.get(edge.source, "?"),
                    target=names.get(edge.target, "?"),
                    type=edge.type,
                    weight=edge.weight,
                    relation=worded[edge].relation,
                    description=worded[edge].description,
                    forward=bool(edge.forward),
                )
                for edge in one.path
            )
            for one in found
        ]

    def _called(self, place: Named) -> str:
        """Return how a node is named: with its repository, unless that is the own one or it is an entity's."""
        ref = canonical_reference(place.kind, place.key)
        if place.kind == "entity" or self._own_id in place.repositories:
            return ref
        return f"{self._origin(place.repositories[0]).repository}:{ref}"

    def _know(self, repositories: Iterable[int]) -> None:
        """Read of which commit these are, all at once."""
        new = set(repositories) - self._origins.keys()
        self._remember(RepositoryStore(self._hub).publications(new) if new else {})

    def _remember(self, publications: Mapping[int, Publication]) -> None:
        for number, one in publications.items():
            self._origins[number] = Origin(repository=one.name, commit=one.commit, age=one.age(self._now))

    def _origin(self, repository: int) -> Origin:
        self._know([repository])
        return self._origins.get(repository) or Origin(repository="", commit="", age="of unknown age")


def _ranked(finding: Finding, text: str, share: float) -> Ranking:
    """Return the best row of each thing that answers, best first, and how it does."""
    matches = matched(finding.source(words_share=share), Question(text=text, words=text), count=_CANDIDATES)
    best = sorted(matches.relevance, key=lambda node: (-matches.relevance[node], node))
    numbers = {**matches.rows.get("words", {}), **matches.rows.get("vectors", {})}
    return Ranking({node: finding.rows[numbers[node]] for node in best}, matches.relevance, matches)


def _measures(found: Matches, node: NodeId, *, known: float) -> dict[str, Any]:
    """Return what words and meaning say of a thing; `known` is the share of the question that any has."""
    meaning, words = found.by("vectors").get(node), found.by("words").get(node)
    return {
        "words": None if words is None else words * known,
        "meaning": None if meaning is None else max(0.0, min(1.0, meaning)),
    }


def _published(told: Told | None) -> str | None:
    """Return the verdict that was published, None of what has none."""
    return _PUBLISHED[told.verdict - 1] if told and told.verdict else None
