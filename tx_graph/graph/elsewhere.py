"""What other repositories know, as a hub tells it: the values that answers carry, and how rooms ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from tx_graph.core.dataclass import dataclass
from tx_graph.core.shape import Answer
from tx_graph.core.text import inert_line

if TYPE_CHECKING:
    from enum import StrEnum

    from tx_graph.core.kernel import Kernel
    from tx_graph.graph.edges import Direction, EdgeType
    from tx_graph.graph.expand import Limits, Profile

_COMMIT_DIGITS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The repository that something is from, the commit at which it was published, and how old that is."""

    repository: str
    commit: str
    age: str

    @property
    def as_of(self) -> str:
        """The commit and its age, `1a2b3c4, 3 days ago`."""
        return f"{self.commit[:_COMMIT_DIGITS]}, {self.age}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HubStep:
    """One edge of a path through a hub, as `Step` is one of a workspace; what is elsewhere bears its repository."""

    source: str
    target: str
    type: str
    weight: float
    relation: str
    description: str
    forward: bool

    JSON: ClassVar = "source target type weight relation~ description~ forward"


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """Something that another repository knows: a learning, a section, a fact or a node. `score` lies in [0, 1].

    `ref` is how commands name it in its repository. `words` is the share of the question that it has, `meaning` the
    cosine with it, None where nobody looked. `published` is the verdict at the commit that was published, None of what
    has no anchors; `verdict` the one taken in a clone on this machine, None where there is none. `steps` lead to it.
    """

    JSON: ClassVar = (
        "repository=origin.repository commit=origin.commit as_of=origin.as_of kind ref title text score words meaning "
        "published verdict contradicts? edges?=steps"
    )

    origin: Origin
    kind: str
    ref: str
    title: str = ""
    text: str = ""
    score: float
    words: float | None = None
    meaning: float | None = None
    published: str | None = None
    verdict: StrEnum | None = None
    contradicts: str | None = None
    steps: tuple[HubStep, ...] = ()

    @property
    def told(self) -> str:
        """Where it is from, as of when, and what is known of whether it holds, in one line."""
        origin = self.origin
        held = f"{self.published} as of" if self.published else "as of"
        here = f"; {self.verdict} in the clone here" if self.verdict else ""
        return inert_line(f"{origin.repository}, {held} {origin.as_of}{here}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FromHub(Answer):
    """What a hub answered; `notices` say why it did not, or not wholly."""

    found: tuple[Elsewhere, ...] = ()
    notices: tuple[str, ...] = ()
    score: float = 0.0
    steps: tuple[HubStep, ...] = ()


class HubPlace(NamedTuple):
    """A node as it is asked for: of the own repository unless another one is named, of any kind unless one is."""

    key: str
    kind: str = ""
    repository: str = ""


def place_elsewhere(ref: str) -> HubPlace | None:
    """Return the node of another repository that `github.com/owner/name:REF` names, None of what names none."""
    repository, colon, rest = ref.strip().partition(":")
    host, slash, _ = repository.partition("/")
    if not (colon and rest and slash and "." in host) or rest.startswith(":"):
        return None
    kind, _, key = rest.partition(":")
    return HubPlace(key, kind, repository.lower()) if key and kind.isalpha() else HubPlace(rest, "", repository.lower())


class Pending(Protocol):
    """A question that a hub is asked while the workspace answers it."""

    def answer(self) -> FromHub:
        """Return the answer; whoever has done their own part waits for it no longer than a second."""


class HubQuestions(Protocol):
    """Asks the hub that a workspace uses."""

    def search(self, text: str, *, kinds: Mapping[str, float], limit: int) -> Pending:
        """Ask for what answers a question, of each of these kinds the best; they say what words count in them."""

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

    def path(self, source: HubPlace, target: HubPlace, *, types: Sequence[EdgeType], limits: Limits) -> Pending:
        """Ask for the best path between two nodes."""


def hub_of(kernel: Kernel, *, is_asked: bool) -> HubQuestions | None:
    """Return what asks the hub, where somebody wants that now or the setting hub.read says so; else None."""
    if not is_asked and kernel.config.get("hub.read") != "on":
        return None
    questions: HubQuestions | None = kernel.registered("hub", "questions").asked(is_wanted=is_asked)
    return questions


def among_best(found: Sequence[Elsewhere], own: Sequence[float], *, limit: int) -> tuple[Elsewhere, ...]:
    """Return what ranks among the best `limit` of all, given the scores of the own results: of equals the own first."""
    best = sorted([*((-score, 0) for score in own), *((-one.score, 1) for one in found)])[:limit]
    return tuple(found[: sum(place for _, place in best)])
