"""Predicates: the words by which documents relate to each other, and which of the closed relations each comes nearest.

A predicate is kept as it was written, in snake_case; the relation is what a walk over the graph understands. Words that
turn a relation around (`required_by`, `enables`) are references: an edge leaves the section that speaks.
"""

from __future__ import annotations

import re

from tx_graph.domain.edges import Relation

_WORDS = {
    Relation.REFERENCES: """references reference refs ref related related_to relates_to related_docs related_documents
        relates see see_also see_further cf cites cited_by mentions mentioned_by links links_to linked_to read_also
        further_reading read_more source sources based_on_document documents documented_by documented_in documentation
        required_by needed_by blocks enables used_by referenced_by follows preceded_by previous discussed_in discussion
        implemented_by implemented_in tracked_in tracked_by tests tested_by""",
    Relation.ELABORATES: """elaborates elaborates_on details detailed_by detailed_in extends extended_by extended_in
        refines refined_by explains explained_by explained_in clarifies clarified_by amends amended_by amended_in
        updates updated_by specifies implements summarizes summarises summary_of example_of examples""",
    Relation.DEPENDS_ON: """depends_on depends dependency dependencies depend_on requires require required needs
        prerequisite prerequisites prereq prereqs builds_on built_on based_on assumes uses blocked_by relies_on""",
    Relation.CONTRADICTS: """contradicts contradicted_by conflicts conflicts_with disagrees_with opposes refutes
        supersedes superseded_by superseded superceded_by supercedes replaces replaced_by obsoletes obsoleted_by
        deprecates deprecated_by invalidates invalidated_by overrides overridden_by alternative_to alternatives""",
    Relation.PART_OF: "part_of parent parents belongs_to child_of section_of member_of contained_in up",
    Relation.SIMILAR_TO: "similar_to similar same_as like duplicates duplicate_of duplicated_by equivalent_to",
    Relation.SEQUENCE: "sequence next followed_by precedes continued_in continues_in",
    Relation.CAUSED_BY: "caused_by because_of due_to motivated_by result_of results_from consequence_of triggered_by",
}

PREDICATES = {word: relation for relation, words in _WORDS.items() for word in words.split()}
"""Known predicates, each with the relation that comes nearest. Any other means that something is referred to."""

_APART = re.compile(r"[\W_]+")


def predicate_of(words: str) -> str:
    """Return words as a predicate, in snake_case: `Depends on` is `depends_on`."""
    return _APART.sub("_", words.lower()).strip("_")


def relation_of(predicate: str) -> Relation:
    """Return which of the closed relations a predicate comes nearest."""
    return PREDICATES.get(predicate, Relation.REFERENCES)
