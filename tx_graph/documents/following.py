"""What follows reading documents where the settings say so: a language model relates their sections, within limits."""

from __future__ import annotations

from typing import ClassVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import ModelError, ModelUnusable
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Stages
from tx_graph.documents.extracting import Extracting, pruning_of
from tx_graph.documents.relations import (
    AskingOptions,
    CrossLinked,
    CrossLinkOptions,
    Extracted,
    ExtractOptions,
    Pruning,
)
from tx_graph.documents.store import DocumentStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What a model was asked after documents were read: inside of them (`extracted`), and across (`linked`).

    `problem` says as a sentence why one of them, or both, are None.
    """

    extracted: Extracted | None = None
    linked: CrossLinked | None = None
    problem: str = ""

    JSON: ClassVar = "calls tokens extracted linked problem"

    @property
    def several(self) -> list[Extracted]:
        """What became of the batches of each."""
        return [one for one in (self.extracted, self.linked and self.linked.extracted) if one]

    @property
    def calls(self) -> int:
        """How many questions were asked."""
        return sum(one.answered + len(one.failures) for one in self.several)

    @property
    def tokens(self) -> int:
        """How many tokens these had, by estimate."""
        return sum(one.tokens for one in self.several)


def follow(kernel: Kernel, *, stages: Stages) -> Followed | None:
    """Have a model relate sections as the settings say; None where nothing is to follow.

    Both share one limit of questions and one of tokens. What was answered before is not asked again, so what a limit
    leaves is asked the next time. Whatever keeps the model from answering is told, and ends nothing else.
    """
    get = kernel.config.get
    wanted = get("documents.relate")
    if wanted == "off" or not DocumentStore(kernel.database).count():
        return None
    name, extracting = str(get("documents.model")), kernel.one(Extracting)
    model = None if name == "default" else name
    calls, tokens, size = (int(get(f"documents.{one}")) for one in ("max_calls", "max_tokens", "batch_size"))
    workers = int(get("documents.workers"))
    done = Followed()
    try:
        if wanted in ("extract", "both"):
            asking = AskingOptions(workers=workers, most_calls=calls, most_tokens=tokens)
            inside = ExtractOptions(size=size, pruning=pruning_of(kernel), asking=asking)
            with stages("Asking", unit="batches") as progress:
                done = Followed(extracted=extracting.extract(inside, model=model, progress=progress))
        # A limit of 0 is none; one that is used up is no longer any.
        if (calls and done.calls >= calls) or (tokens and done.tokens >= tokens):
            told = "The limit was reached before near sections of different documents were looked at."
            return Followed(extracted=done.extracted, problem=told if wanted == "both" else "")
        if wanted in ("link", "both"):
            asking = AskingOptions(
                workers=workers, most_calls=calls and calls - done.calls, most_tokens=tokens and tokens - done.tokens
            )
            across = CrossLinkOptions(
                threshold=float(get("documents.link_threshold")),
                most_pairs=int(get("documents.link_pairs")),
                size=size,
                pruning=Pruning(
                    min_weight=float(get("documents.link_min_weight")), most=int(get("documents.link_max_edges"))
                ),
                asking=asking,
            )
            with stages("Asking", unit="batches") as progress:
                linked = extracting.link(across, model=model, progress=progress)
            done = Followed(extracted=done.extracted, linked=linked)
    except ModelError as error:
        where = "Here the setting documents.model names it" if isinstance(error, ModelUnusable) else ""
        sentences = (f"{one.rstrip('.')}." for one in (error.message, error.hint, where) if one)
        return Followed(extracted=done.extracted, problem=" ".join(sentences))
    return done
