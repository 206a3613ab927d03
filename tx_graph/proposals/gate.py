"""What people say to staged learnings: promote those with the evidence it takes, or reject them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from tx_graph.anchors.linking import Linking
from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Judgement
from tx_graph.core.arguments import Arg, Ref
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import ModelError, TxError, UsageError
from tx_graph.core.guard import described, suspected, without_secrets
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import clean_label
from tx_graph.core.shape import Answer
from tx_graph.graph.diversify import overlap
from tx_graph.learnings.learnings import Learnings
from tx_graph.learnings.similar import SAME_MEANING, SAME_WORDS
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.proposals.prose import may_be_same
from tx_graph.proposals.speech import is_users_word
from tx_graph.proposals.values import LEAST_CONFIDENCE, LEAST_OF_REPOSITORY, standing
from tx_graph.records.learning import SourceType, Status, StoredLearning, unit_interval
from tx_graph.records.learning_record import LEARNING_FORMAT, learning_sync
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.references import LearningReferences
from tx_graph.vectors.embedding import Embedding

_MOST_COMPARED = 5  # nearest by meaning that are looked at: the words of the first may speak against it


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookalike:
    """A learning that says much the same; `basis` is `cosine` or `words`, and `weight` in (0, 1] is by that."""

    stored: StoredLearning
    weight: float
    basis: str


class Lookalikes:
    """Compares texts with the learnings there are when it is made."""

    def __init__(self, kernel: Kernel) -> None:
        self._learnings = LearningStore(kernel.database)
        self._embedding = kernel.one(Embedding)
        self._texts = {number: content for number, _, content in self._learnings.labels()}
        self._words: dict[int, frozenset[str]] = {}

    def of(self, text: str, *, among: Collection[int] | None = None) -> Lookalike | None:
        """Return the learning that is most like a text and near enough to say the same; None where there is none.

        `among` are the local numbers of those that count; without it, all do, also those that were removed.
        """
        allowed = self._texts.keys() if among is None else self._texts.keys() & set(among)
        found: list[tuple[float, int, str]] = []
        with suppress(ModelError):  # a model that does not load is no reason to forget the words
            if asked := self._embedding.asked(text) if allowed else None:
                nearest = asked.nearest(allowed, _MOST_COMPARED)
                found = [(min(1.0, cosine), number, "cosine") for number, cosine in nearest if cosine >= SAME_MEANING]
        if not self._words:
            self._words = {number: content_words(content) for number, content in self._texts.items()}
        words = content_words(text)
        alike = ((overlap(words, self._words[number]), number, "words") for number in allowed)
        found += [one for one in alike if one[0] >= SAME_WORDS]
        same = [one for one in found if may_be_same(text, self._texts[one[1]])]
        if not same:
            return None
        weight, number, basis = max(same, key=lambda one: (one[0], -one[1]))
        return Lookalike(stored=self._learnings.by_numbers([number])[0], weight=weight, basis=basis)


_OF_REPOSITORY = frozenset({SourceType.COMMIT, SourceType.COMMENT, SourceType.DOCUMENT})


class Demand(StrEnum):
    """What the gate asks of a learning."""

    ANCHORS = "anchors"
    """Its code stands as it did, or a person said it."""
    ORIGINALITY = "originality"
    """No active learning says much the same."""
    CONFIDENCE = "confidence"
    SECRETS = "secrets"
    """Nothing in it looks like one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Whether one demand is met; `detail` says by what, or what is missing, and `hint` what can be done about it."""

    JSON: ClassVar = "demand met detail hint~"

    demand: Demand
    met: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Answer):
    """A learning, staged or just promoted, with what the gate found, in the order of the demands."""

    JSON: ClassVar = (
        "id=stored.id uid=stored.learning.uid ref=stored.ref content status=stored.learning.status passes "
        "promoted=is_promoted forced=is_forced evidence"
    )

    stored: StoredLearning
    evidence: tuple[Evidence, ...]

    @property
    def passes(self) -> bool:
        """Whether all demands are met."""
        return all(one.met for one in self.evidence)

    @property
    def content(self) -> str:
        """What it says, without what looks like a secret."""
        return without_secrets(self.stored.learning.content)

    @property
    def is_promoted(self) -> bool:
        """Whether it answers now."""
        return self.stored.learning.status is Status.ACTIVE

    @property
    def is_forced(self) -> bool:
        """Whether it does though it lacks evidence."""
        return self.is_promoted and not self.passes


def gate(kernel: Kernel, staged: Sequence[StoredLearning], *, least: float | None = None) -> tuple[Checked, ...]:
    """Return what staged learnings have and lack, as the code and the other learnings are now.

    Of two that say the same, the second one is no news. `least` is the confidence that all of them need; None stands
    for a standard by where they come from.
    """
    if least is not None:
        unit_interval(least, what="minimum confidence")
    judged = Standings(kernel).judgements([stored.node for stored in staged])
    told = {number for number, _, _ in SimilarityStore(kernel.database).shown_contents()}
    lookalikes = Lookalikes(kernel)
    checked = []
    for stored in staged:
        like = lookalikes.of(stored.learning.content, among=told - {stored.id})
        checked.append(Checked(stored=stored, evidence=tuple(_evidence(stored, judged[stored.node], like, least))))
        if checked[-1].passes:
            told.add(stored.id)
    return tuple(checked)


def _evidence(
    stored: StoredLearning, judged: Sequence[Judgement], like: Lookalike | None, least: float | None
) -> Iterator[Evidence]:
    """Yield what one learning has or lacks, demand by demand."""
    learning, demand = stored.learning, Demand.ANCHORS
    is_said = learning.source_type is SourceType.TRANSCRIPT and is_users_word(learning.source_ref or "")
    if bad := [one for one in judged if one.is_finding]:
        detail = ", ".join(
            f"{one.anchor.spec} {one.standing.value}{f' ({one.detail})' if one.detail else ''}" for one in bad
        )
        if learning.source_type is SourceType.COMMIT:
            detail = f"the code changed since commit {(learning.source_ref or '').rpartition(':')[2][:12]}: {detail}"
        yield Evidence(
            demand=demand, met=False, detail=detail, hint=f"if it is still true: tx graph:confirm {stored.id}"
        )
    elif judged:
        yield Evidence(demand=demand, met=True, detail=f"{', '.join(one.anchor.spec for one in judged)} as it was")
    elif is_said or learning.source_type is SourceType.MANUAL:
        yield Evidence(demand=demand, met=True, detail="not tied to code, but a person said it")
    else:
        hint = f"tie it to what it is about: tx graph:link {stored.id} PATH"
        yield Evidence(demand=demand, met=False, detail="not tied to code", hint=hint)

    if like is None:
        yield Evidence(demand=Demand.ORIGINALITY, met=True, detail="no active learning says much the same")
    else:
        by = "meaning" if like.basis == "cosine" else "words"
        yield Evidence(
            demand=Demand.ORIGINALITY,
            met=False,
            detail=f"{like.stored.ref} says much the same ({like.weight:.2f} by {by})",
            hint=f"tx learning:merge {like.stored.id} {stored.id}",
        )

    if least is None:
        least = LEAST_OF_REPOSITORY if learning.source_type in _OF_REPOSITORY else LEAST_CONFIDENCE
    met = learning.confidence >= least
    yield Evidence(
        demand=Demand.CONFIDENCE,
        met=met,
        detail=f"{learning.confidence:g}, {'at least' if met else 'below'} {least:g}",
        hint="" if met else f"tx learning:promote {stored.id} --min-confidence {learning.confidence:g}",
    )

    told = LEARNING_FORMAT.told(learning)
    detail = next((f"may hold {described(text, found)}" for text in told if (found := suspected(text))), "")
    yield Evidence(
        demand=Demand.SECRETS,
        met=not detail,
        detail=detail or "none is seen in it",
        hint=f"say where it is kept, not what it is: tx learning:edit {stored.id}" if detail else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion(Answer):
    """What became of staged learnings: `forced` ones lack evidence, and were promoted all the same."""

    JSON: ClassVar = "learnings=promoted checked held_back=kept_out"

    promoted: tuple[StoredLearning, ...]
    held_back: tuple[Checked, ...]
    forced: tuple[Checked, ...]
    checked: tuple[Checked, ...]

    @property
    def kept_out(self) -> list[str]:
        """What names those that were held back."""
        return [one.stored.ref for one in self.held_back]


class Reviewing:
    """What people say to staged learnings: `workspace.learnings.promote` and the like."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = LearningStore(kernel.database)
        self._sync = kernel.one(learning_sync)

    def staged(self) -> tuple[StoredLearning, ...]:
        """Return the learnings that wait for somebody to look at them, the surest first."""
        found = self._store.listed(status=Status.STAGED, limit=-1)
        return tuple(sorted(found, key=lambda stored: (-stored.learning.confidence, stored.id)))

    def check(self, *learnings: Ref, min_confidence: float | None = None) -> tuple[Checked, ...]:
        """Return what staged learnings have and lack to be promoted; nothing is changed.

        Raises:
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1.
        """
        return gate(self._kernel, self._named(learnings), least=min_confidence)

    def promote(self, *learnings: Ref, min_confidence: float | None = None, force: bool = False) -> Promotion:
        """Return what became of staged learnings: those with the evidence answer from now on, with `force` all.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1; nothing was changed.
        """
        with self._sync.exclusively():
            checked = self.check(*learnings, min_confidence=min_confidence)
            chosen = [one.stored for one in checked if force or one.passes]
            done = self._changed(chosen, status=Status.ACTIVE)
        now = {stored.id: stored for stored in done}
        checked = tuple(replace(one, stored=now.get(one.stored.id, one.stored)) for one in checked)
        return Promotion(
            promoted=done,
            held_back=tuple(one for one in checked if not one.is_promoted),
            forced=tuple(one for one in checked if one.is_forced),
            checked=checked,
        )

    def reject(self, *learnings: Ref, reason: str = "") -> tuple[StoredLearning, ...]:
        """Return staged learnings after turning them down: they are removed, and not proposed again. All or none.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the reason is too long; nothing was changed.
        """
        why = clean_label(reason, what="reason") if reason else None
        with self._sync.exclusively():
            return self._changed(self._named(learnings), removed_at=self._kernel.now(), removal_reason=why)

    def _named(self, refs: Sequence[Ref]) -> list[StoredLearning]:
        """Return each learning that is named, once; all must be staged."""
        found = list(
            {stored.id: stored for stored in map(self._kernel.one(LearningReferences).learning, refs)}.values()
        )
        if others := [stored for stored in found if standing(stored) != Status.STAGED]:
            named = ", ".join(f"{stored.ref} is {standing(stored)}" for stored in others)
            removed = next((stored for stored in others if stored.learning.removed_at), None)
            hint = f"Restore it first: tx learning:remove {removed.id} --restore" if removed else ""
            raise UsageError(f"Only staged learnings can be reviewed: {named}; nothing was changed.", hint=hint)
        return found

    def _changed(self, found: Sequence[StoredLearning], **changes: Any) -> tuple[StoredLearning, ...]:  # noqa: ANN401
        changed = {stored.record: replace(stored.learning, **changes) for stored in found}
        self._sync.write_many((), changed, progress=lambda _: None)
        return tuple(self._store.by_numbers([stored.id for stored in found]))


def reject(
    kernel: Kernel,
    learnings: Annotated[
        Sequence[Ref], Arg("LEARNING...", "Their numbers, uids, or the beginnings of their uids.", is_split=False)
    ] = (),
    *,
    reason: Annotated[str, Arg("TEXT", "Why, for those who wonder later.")] = "",
) -> tuple[StoredLearning, ...]:
    """Turn staged learnings down: they are removed, and not proposed again. All or none.

    'tx learning:remove LEARNING --restore' stages one again.

    Example:
      tx learning:reject 13 14 --reason "obvious from the code"
    """
    if not learnings:
        raise UsageError("Which learnings?", hint="See those that wait: tx learning:list --status staged")
    return kernel.one(Reviewing).reject(*learnings, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What became of staged learnings that somebody looked at, and how many still wait."""

    promoted: tuple[StoredLearning, ...] = ()
    rejected: tuple[StoredLearning, ...] = ()
    waiting: int = 0


_QUESTION = "Keep it? [y]es, [n]o, [e]dit, [a]nchor, [s]kip, [q]uit:"


def review(
    kernel: Kernel,
    learnings: Annotated[
        Sequence[Ref], Arg("[LEARNING]...", "Only these; otherwise all that are staged.", is_split=False)
    ] = (),
    *,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    editor: Callable[[str], AbstractContextManager[str]],
) -> Reviewed:
    """Walk through staged learnings at a terminal, the surest first, and say of each what is to become of it.

    Of each is told what the gate finds. Yes confirms it whatever it lacks, no turns it down for good, edit opens its
    text in $EDITOR, anchor ties it to code; then it is asked again. Skip leaves it staged, quit all that follow.

    Example:
      tx learning:review
      tx learning:review 13 14
    """
    reviewing, refs = kernel.one(Reviewing), kernel.one(LearningReferences)
    waiting = [refs.learning(one).learning.uid for one in learnings] or [one.learning.uid for one in reviewing.staged()]
    promoted: list[StoredLearning] = []
    rejected: list[StoredLearning] = []
    for place, uid in enumerate(waiting, start=1):
        key = ""
        while key not in {"y", "n", "s", "q"}:
            [checked] = reviewing.check(uid)
            text = checked.content
            found = [f"  {'yes' if one.met else 'no '}  {one.demand}: {one.detail}" for one in checked.evidence]
            head = f"{place} of {len(waiting)}  {checked.stored.name}"
            key = ask("\n".join(["", head, *(f"    {line}" for line in text.splitlines()), *found, _QUESTION]))[
                :1
            ].lower()
            try:
                if key == "y":
                    promoted += reviewing.promote(uid, force=True).promoted
                elif key == "n":
                    rejected += reviewing.reject(uid, reason=ask("Why, for those who wonder later (may be empty):"))
                elif key == "a":
                    kernel.one(Linking).link(uid, ask("To what, PATH[::SYMBOL]:"))
                elif key == "e":
                    before = checked.stored.learning.content
                    with editor(before) as after:
                        kernel.one(Learnings).edit(uid, content=after, expected=before)
            except TxError as error:
                tell(f"{error.message} {error.hint}".rstrip())
                key = ""
        if key == "q":
            break
    left = len(reviewing.staged())
    return Reviewed(promoted=tuple(promoted), rejected=tuple(rejected), waiting=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """What became of staged learnings, and how many learnings lack a vector now."""

    JSON: ClassVar = "*promotion"

    promotion: Promotion
    lacking: int = 0


def promote(
    kernel: Kernel,
    refs: Annotated[
        Sequence[str], Arg("LEARNING...", "Their numbers, uids, or the beginnings of their uids.", is_split=False)
    ] = (),
    *,
    every: Annotated[bool, Arg(help="Promote all that are staged; asks first.", flag="--all")] = False,
    yes: Annotated[bool, Arg(help="Do not ask.")] = False,
    min_confidence: Annotated[
        float | None,
        Arg(
            "F", f"Least confidence, 0 to 1; else {LEAST_CONFIDENCE}, or {LEAST_OF_REPOSITORY} if from the repository."
        ),
    ] = None,
    force: Annotated[bool, Arg(help="Promote also what lacks evidence.")] = False,
    why: Annotated[bool, Arg(help="Only show what each has and lacks; promote none.")] = False,
    agree: Callable[[str], bool],
) -> Promoted:
    """Confirm staged learnings: search shows them from now on. What lacks evidence is held back, and told.

    Its anchors must hold now, or, where it is tied to no code, a person must have said it: added by hand, or a user's
    correction or request to remember in a transcript. No active learning may say much the same. And its confidence
    must reach the minimum, which is lower for what commits, comments and documents of the repository say. Nothing in
    it may look like a secret.

    Ends with status 1 when something was held back, or with --why would be.

    Example:
      tx learning:promote 12 15
      tx learning:promote --all --why
      tx learning:promote 12 --force
    """
    reviewing, embedding = kernel.one(Reviewing), kernel.one(Embedding)
    chosen = refs or [stored.ref for stored in reviewing.staged()]
    if every and chosen and not (yes or why):
        count = "1 staged learning" if len(chosen) == 1 else f"{len(chosen):,} staged learnings"
        if not agree(f"Promote {count}?"):
            raise UsageError(f"{count} would be promoted.", hint="Agree with --yes.")
    if why:
        checked = reviewing.check(*chosen, min_confidence=min_confidence)
        held_back = tuple(one for one in checked if not one.passes)
        return Promoted(promotion=Promotion(promoted=(), held_back=held_back, forced=(), checked=checked))
    done = reviewing.promote(*chosen, min_confidence=min_confidence, force=force)
    return Promoted(promotion=done, lacking=embedding.lacking() if done.promoted and embedding.available else 0)
