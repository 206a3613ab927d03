"""The rules of the focus view: which relationships there are, in which order they speak, and what they lead to.

A new relationship is one more line here, and one more name in `relationship`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tx_graph.retrieval.focus import kin
from tx_graph.retrieval.focus.relationship import Relationship as Is

QUOTAS = (3, 3, 2, 2)
"""Nodes that each layer may give in one visit, before the next has its turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Gives the nodes that stand in a relationship to the focus, starting from one of them or from the focus itself.

    A rule that `starts` begins at the focus. Whenever it gives a node, those that it `opens` begin there. What comes
    in no natural order is shuffled if anybody wants that.
    """

    relationship: Is
    layer: int
    gives: Callable[[Any, Any], Sequence[Any]]
    starts: bool = True
    opens: tuple[Is, ...] = ()
    is_ordered: bool = True


RULES = (
    Rule(relationship=Is.PARENT, layer=1, gives=kin.parents),
    Rule(relationship=Is.RELATIONSHIP_TARGET, layer=1, gives=kin.targets),
    Rule(relationship=Is.CONTEXT_ANCESTOR, layer=1, gives=kin.ancestors),
    Rule(relationship=Is.CHILD, layer=2, gives=kin.children, opens=(Is.TARGET_OF_RELATIONSHIP,)),
    Rule(relationship=Is.OLDER_SIBLING, layer=2, gives=kin.older),
    Rule(relationship=Is.YOUNGER_SIBLING, layer=2, gives=kin.younger),
    Rule(
        relationship=Is.REFERENCE_BY,
        layer=2,
        gives=kin.references,
        opens=(Is.REFERENCING_NOTE, Is.REFERENCE_CONTEXT_ANCESTOR),
        is_ordered=False,
    ),
    Rule(relationship=Is.TARGET_CONTEXT_ANCESTOR, layer=2, gives=kin.targets_ancestors),
    Rule(relationship=Is.PARENT_SIBLING, layer=2, gives=kin.parents_siblings, opens=(Is.PARENT_SIBLING_CHILD,)),
    Rule(
        relationship=Is.TARGET_PARENT_SIBLING,
        layer=2,
        gives=kin.targets_parents_siblings,
        opens=(Is.TARGET_PARENT_SIBLING_CHILD,),
    ),
    Rule(
        relationship=Is.TARGET_OF_RELATIONSHIP,
        layer=3,
        gives=kin.targets,
        starts=False,
        opens=(Is.REFERENCED_TARGET_OF_RELATIONSHIP,),
    ),
    Rule(
        relationship=Is.REFERENCING_NOTE,
        layer=3,
        gives=kin.parents,
        starts=False,
        opens=(Is.SIBLING_OF_REFERENCING_NOTE,),
    ),
    Rule(relationship=Is.PARENT_SIBLING_CHILD, layer=4, gives=kin.children, starts=False),
    Rule(relationship=Is.TARGET_PARENT_SIBLING_CHILD, layer=4, gives=kin.children, starts=False),
    Rule(relationship=Is.REFERENCE_CONTEXT_ANCESTOR, layer=4, gives=kin.ancestors, starts=False),
    Rule(relationship=Is.SIBLING_OF_REFERENCING_NOTE, layer=4, gives=kin.around, starts=False),
    Rule(
        relationship=Is.REFERENCED_TARGET_OF_RELATIONSHIP,
        layer=4,
        gives=kin.references,
        starts=False,
        is_ordered=False,
    ),
)

RULE_OF = {rule.relationship: rule for rule in RULES}
