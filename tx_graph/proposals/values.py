"""Values of proposing: what is asked for, what may come of it, and what did."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, TypedDict

from tx_graph.anchors.verdict import Judgement
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.shape import Answer, as_json, shaped
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Anchor, AnchorRequest
from tx_graph.records.learning import SourceType, StoredLearning


class Origin(StrEnum):
    """Where proposals come from."""

    COMMITS = "commits"
    COMMENTS = "comments"
    ADR = "adr"
    TRANSCRIPTS = "transcripts"


STANDARD = (Origin.COMMITS, Origin.COMMENTS, Origin.ADR)
"""What is read unless something else is asked for: what everybody sees. What an agent was told, somebody must ask for:
a staged learning is a file that git carries."""


LEAST_CONFIDENCE = 0.6
"""Confidence that a learning needs unless somebody asks for another one."""
LEAST_OF_REPOSITORY = 0.25
"""The same for what stands in the repository. It was read by people when it came in: how sure a proposal from it is
says how much it explains, not whether it is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRequest:
    """What to propose from; `since` leaves out older commits. With `only_look`, nothing is written.

    `refine` has a language model judge what transcripts propose, and what users said of which the rules are not sure:
    `model`, or the one that the user has set. `replies` are those of an agent, and only what it would keep is proposed.
    """

    origins: Collection[Origin] = STANDARD
    since: str | None = None
    limit: int = 20
    only_look: bool = False
    refine: bool = False
    model: str | None = None
    replies: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.refine and Origin.TRANSCRIPTS not in self.origins:
            raise UsageError("--model looks through what transcripts propose.", hint="Add --from transcripts.")


class Reason(NamedTuple):
    """Why something is worth proposing, and how much that counts: from 0, not at all, to 1, beyond doubt."""

    name: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A learning to propose.

    `source_ref` is what makes it the same proposal again, whatever became of the learning. `confidence` lies in (0, 1)
    and comes from the `reasons`, which are named. `found` is code that it speaks of, as it was, and what is said of it
    now; `anchors` are taken of code as it is now. `time` is when it was written, in seconds since the epoch, None
    where that is not known. One that `stands_alone` is worth knowing also where nothing ties it to code. `derived_from`
    are the nodes of the runs it comes from, and `evidence` quotes what it rests on. One that `is_unsure` is what a user
    said, and then what came before it: somebody else is to say whether it is worth knowing.
    """

    content: str
    category: str
    confidence: float
    reasons: tuple[str, ...]
    source_type: SourceType
    source_ref: str
    anchors: tuple[AnchorRequest, ...] = ()
    found: tuple[Judgement, ...] = ()
    time: int | None = None
    stands_alone: bool = False
    derived_from: tuple[NodeId, ...] = ()
    evidence: tuple[str, ...] = ()
    is_unsure: bool = False

    @property
    def rank(self) -> tuple[float, int, str]:
        """What proposals are sorted by: the surest first, of equals the youngest."""
        return (-self.confidence, -(self.time or 0), self.source_ref)


_DRAFT = (
    "content=proposal.content category=proposal.category confidence=proposal.confidence "
    "source_type=proposal.source_type source_ref=proposal.source_ref anchors"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A proposal with its anchors as they were taken; `stored` is the staged learning, None if nothing was written."""

    proposal: Proposal
    anchors: tuple[Anchor, ...]
    stored: StoredLearning | None = None

    @property
    def changed(self) -> tuple[Judgement, ...]:
        """Its code that says something else now than when the proposal was written."""
        return tuple(one for one in self.proposal.found if one.is_finding)

    def as_json(self) -> dict[str, Any]:
        """Return the staged learning, or what would be staged, with what speaks for it."""
        stands = as_json(self.stored) if self.stored else shaped(self, _DRAFT)
        return stands | shaped(self, "reasons=proposal.reasons evidence=proposal.evidence changed_since=changed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """A proposal that a learning says already; `weight` in (0, 1] is how alike they are, by `cosine` or `words`."""

    JSON: ClassVar = (
        "content=proposal.content source_ref=proposal.source_ref learning=stored.ref status similarity=weight basis"
    )

    proposal: Proposal
    stored: StoredLearning
    weight: float
    basis: str

    @property
    def status(self) -> str:
        """Where the learning stands."""
        return standing(self.stored)


def standing(stored: StoredLearning) -> str:
    """Return the status of a learning, or that it was removed."""
    return "removed" if stored.learning.removed_at else stored.learning.status.value


class Withheld(TypedDict):
    """What may hold a secret, or is of a transcript, and is not told."""

    source_ref: str | None
    may_hold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals(Answer):
    """What was proposed, the surest first.

    `more` candidates were not looked at closely any more, `known` ones had been proposed before, and `staged` learnings
    wait for review now. `recognised` ones say what a learning says already, and `dropped` ones `model`, or an agent,
    found not worth keeping. Those that `withheld` names by their sources may hold a secret. `notices` say what could
    not be read. With `dry_run`, nothing was staged.
    """

    JSON: ClassVar = "proposals=proposed more known staged dry_run notices recognised dropped model withheld=suspects"

    proposed: tuple[Proposed, ...]
    more: int
    known: int
    staged: int
    notices: tuple[str, ...] = ()
    recognised: tuple[Recognised, ...] = ()
    dropped: int = 0
    withheld: tuple[tuple[str, str], ...] = ()
    model: str | None = None
    dry_run: bool = False

    @property
    def suspects(self) -> list[Withheld]:
        """What is withheld, as JSON has it."""
        return [Withheld(source_ref=source, may_hold=what) for source, what in self.withheld]
