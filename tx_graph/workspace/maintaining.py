"""The weekly job: what is worth doing while nobody waits, as one command."""

from __future__ import annotations

from typing import ClassVar

from tx_graph.anchors.verify import Report, verify
from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Stages
from tx_graph.core.shape import Answer
from tx_graph.knowledge.facts import Facts, Maintained
from tx_graph.proposals.proposing import Proposing
from tx_graph.proposals.values import ProposalRequest, Proposals
from tx_graph.vectors.embedding import SYNCED
from tx_graph.work.transcripts import Pruned, Telemetry
from tx_graph.workspace.renewal import FEW, Renewal, Renewed


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintenance(Answer):
    """What the weekly job did: each part as the command of its own has it."""

    renewed: Renewed
    facts: Maintained
    telemetry: Pruned
    proposals: Proposals
    verified: Report

    JSON: ClassVar = "sync=renewed facts telemetry proposals=waiting verify=verified"

    @property
    def waiting(self) -> int:
        """How many proposals there are."""
        return len(self.proposals.proposed) + self.proposals.more


def maintain(kernel: Kernel, *, stages: Stages) -> Maintenance:
    """Do the week's work: sync, look at facts, forget old telemetry, count proposals, verify anchors.

    It is 'tx sync', 'tx fact:maintain', 'tx telemetry:prune', 'tx learning:propose --dry-run' and 'tx graph:verify
    --fail-on never' in a row, asks no language model, and stops at nothing that it finds. Of what git carries nothing
    is changed.

    Example:
      tx maintain
    """
    limits = dict.fromkeys(FEW, SYNCED)
    renewed = kernel.one(Renewal).run(stages=stages, with_cochanges=True, with_relations=False, limits=limits)
    facts, telemetry = kernel.one(Facts).maintain(), kernel.one(Telemetry).prune()
    with stages("Reading", unit="texts") as report:
        proposals = kernel.one(Proposing).propose(ProposalRequest(only_look=True), progress=report)
    return Maintenance(renewed=renewed, facts=facts, telemetry=telemetry, proposals=proposals, verified=verify(kernel))
