"""The one table of edges: their types, where they stand, what is said of them, and the relations they may have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Self

from tx_graph.core.dataclass import dataclass
from tx_graph.graph.references import NodeKind

NodeId = int
"""Local number of a node in the registry; meaningless outside one database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeWords:
    """What is said of the edges of one type, `{}` being the other end.

    A type without words `against` it has no direction: it is stored once, and followed both ways whatever the
    direction asked for.
    """

    leads: str
    """From what to what it leads, for the documentation."""
    weighs: str = "1"
    """What its weight says, for the documentation."""
    along: str
    """What its source does to its target: `imports {}`."""
    against: str = ""
    """What its target does to its source: `is imported by {}`."""
    which_against: str = ""
    """How a sentence about its target goes on, where that is not `which` and the words against it."""
    came_by: tuple[str, str] = ("tied to {}", "tied to {}")
    """Why a page shows the target of an edge that was walked along, then the source of one walked against."""
    made_by: str = "documents and facts"
    """What derives such edges, in the names of the SDK."""
    is_named_by_relation: bool = False
    """Whether its relation says more than its type, and stands in the place of its name."""
    is_explained: bool = False
    """Whether its description says why it is there; that of an anchor names its place."""
    has_arrow: bool = True
    """Whether it is told which way it points; an anchor reads the same from both ends."""


class EdgeType(StrEnum):
    """The closed set of edge types (PRD-014: fixed ontology), each with its words."""

    words: EdgeWords

    def __new__(cls, value: str, words: EdgeWords | None = None) -> Self:
        """Make a member; one without words is refused."""
        if words is None:
            raise TypeError(f"The edge type {value} needs words.")
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words
        return member

    ANCHORED_TO = (
        "ANCHORED_TO",
        EdgeWords(
            leads="a learning to a file or symbol",
            weighs="1; 0.5 for each file that a glob matches",
            along="is anchored to {}",
            against="is what {} is anchored to",
            which_against="to which {} is anchored",
            came_by=("where {} is anchored", "anchored to {}"),
            has_arrow=False,
        ),
    )
    DERIVED_FROM = (
        "DERIVED_FROM",
        EdgeWords(
            leads="a learning to the task, run or learning it comes from",
            along="is derived from {}",
            against="is what {} is derived from",
            which_against="from which {} is derived",
            made_by="learnings.add(…, task=…) or (…, run=…)",
        ),
    )
    IMPORTS = (
        "IMPORTS",
        EdgeWords(
            leads="a file to a file that it imports",
            along="imports {}",
            against="is imported by {}",
            came_by=("imported by {}", "which imports {}"),
            made_by="graph.analyze_imports()",
        ),
    )
    CO_CHANGES_WITH = (
        "CO_CHANGES_WITH",
        EdgeWords(
            leads="between two files that changed in the same commits",
            weighs="Jaccard index of their commits",
            along="changes together with {}",
            came_by=("which changes with {}", "which changes with {}"),
            made_by="graph.analyze_cochanges()",
            has_arrow=False,
        ),
    )
    SIMILAR_TO = (
        "SIMILAR_TO",
        EdgeWords(
            leads="between learnings or sections that say much the same",
            weighs="likeness",
            along="is similar to {}",
            came_by=("similar to {}", "similar to {}"),
            made_by="graph.analyze_similar()",
            has_arrow=False,
            is_explained=True,
        ),
    )
    LINKS_TO = (
        "LINKS_TO",
        EdgeWords(
            leads="a learning to a learning, a section to what it refers to, an entity to an entity, "
            "a text to an entity it speaks of",
            weighs="as given",
            along="{relation} {}",
            against="is what {} {relation}",
            which_against="which {} {relation}",
            came_by=("linked from {}", "links to {}"),
            is_named_by_relation=True,
            is_explained=True,
        ),
    )
    USED_IN_RUN = (
        "USED_IN_RUN",
        EdgeWords(
            leads="a learning to a run in which somebody said whether it helped",
            weighs="1 if it did, else 0",
            along="was used in {}",
            against="used {}",
            made_by="context(…, run=…) and runs.feedback(…)",
        ),
    )
    INVALIDATED_BY = (
        "INVALIDATED_BY",
        EdgeWords(
            leads="a learning to the commit that changed the code under it",
            along="is invalidated by {}",
            against="invalidates {}",
            made_by="anchors.invalidate(…, commit=…)",
        ),
    )


SYMMETRIC = tuple(kind for kind in EdgeType if not kind.words.against)
"""Edge types without a direction: stored once, and followed both ways whatever the direction asked for."""


class Relation(StrEnum):
    """What a LINKS_TO edge between two learnings, or an edge between two sections, means.

    Behind the name stand what the source does to the target, the same in reverse where there is a word for it, and
    what a section does that speaks of something.
    """

    along: str
    against: str
    of_section: str

    def __new__(cls, value: str, along: str = "", against: str = "", of_section: str = "") -> Self:
        """Make a member."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.along, member.against, member.of_section = along, against, of_section or along
        return member

    REFERENCES = "references", "references", "is referenced by", "mentions"
    ELABORATES = "elaborates", "elaborates", "", "elaborates on"
    DEPENDS_ON = "depends_on", "depends on"
    CONTRADICTS = "contradicts", "contradicts"
    PART_OF = "part_of", "is part of", "contains"
    SIMILAR_TO = "similar_to", "is similar to"
    SEQUENCE = "sequence", "precedes", "follows", "comes before"
    CAUSED_BY = "caused_by", "is caused by"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSource:
    """A table that holds edges, one a row; its columns and conditions are expressions of SQL over the row.

    Ends are node ids, so that no walk needs a join. A table of edges of several `types` says which each is in its
    column `edge_type`. A table with edges of two sorts, such as anchors to files and to symbols, has a source for each.
    """

    layer: str
    """Name in the view `graph_edges`."""
    types: tuple[EdgeType, ...]
    table: str
    start: str
    end: str
    starts_at: frozenset[NodeKind]
    """The kinds of nodes that its edges lead from, and below those that they lead to."""
    ends_at: frozenset[NodeKind]
    weight: str = "1.0"
    relation: str = "''"
    description: str = "''"
    is_edge: str = ""
    """Condition on rows that are edges, in the words of an index where there is one for it; empty: all are."""
    is_valid: str = "1"
    """Condition on edges that hold now."""
    waits_for_files: bool = False
    """Whether an edge of a file that is gone from the working tree waits for the file to come back."""
    is_counted: bool = False
    """Whether `file_degrees` counts it, so that a walk knows beforehand which files have very many such edges."""

    @property
    def edge_type(self) -> str:
        """The type of a row, as an expression."""
        return "edge_type" if len(self.types) > 1 else f"'{self.types[0]}'"

    @property
    def is_weighted(self) -> bool:
        """Whether not all of its edges weigh 1."""
        return self.weight != "1.0"

    @property
    def is_between_files(self) -> bool:
        """Whether a file is at both ends."""
        return self.starts_at == self.ends_at == {NodeKind.FILE}

    @property
    def is_beyond_code(self) -> bool:
        """Whether each edge has a section or an entity at one end at least."""
        return self.starts_at <= _OF_DOCUMENTS or self.ends_at <= _OF_DOCUMENTS

    @property
    def touches_learnings(self) -> bool:
        """Whether a learning may be at one end."""
        return NodeKind.LEARNING in self.starts_at | self.ends_at


_OF_DOCUMENTS = frozenset({NodeKind.SECTION, NodeKind.ENTITY})
_LEARNING = frozenset({NodeKind.LEARNING})
_FILE = frozenset({NodeKind.FILE})
_ENTITY = frozenset({NodeKind.ENTITY})

EDGE_SOURCES = (
    *(
        EdgeSource(
            layer="anchor",
            types=(EdgeType.ANCHORED_TO,),
            table="file_anchors",
            start="learning",
            end=end,
            starts_at=_LEARNING,
            ends_at=kinds,
            weight="weight",
            relation="anchor_type",
            description="anchor_value",
            is_edge=f"{end} IS NOT NULL",
            is_valid="status <> 'invalid'",
        )
        for end, kinds in (
            ("file_node", frozenset({NodeKind.FILE})),
            ("symbol_node", frozenset({NodeKind.SYMBOL, NodeKind.SECTION})),
        )
    ),
    EdgeSource(
        layer="import",
        types=(EdgeType.IMPORTS,),
        table="file_imports",
        start="source_file",
        end="target_file",
        starts_at=_FILE,
        ends_at=_FILE,
        relation="import_type",
        is_counted=True,
    ),
    EdgeSource(
        layer="cochange",
        types=(EdgeType.CO_CHANGES_WITH,),
        table="file_cochanges",
        start="file_a",
        end="file_b",
        starts_at=_FILE,
        ends_at=_FILE,
        weight="correlation_score",
        waits_for_files=True,
        is_counted=True,
    ),
    EdgeSource(
        layer="asserted",
        types=(
            EdgeType.DERIVED_FROM,
            EdgeType.SIMILAR_TO,
            EdgeType.LINKS_TO,
            EdgeType.USED_IN_RUN,
            EdgeType.INVALIDATED_BY,
        ),
        table="learning_edges",
        start="source",
        end="target",
        starts_at=_LEARNING,
        ends_at=frozenset({NodeKind.LEARNING, NodeKind.TASK, NodeKind.RUN, NodeKind.COMMIT}),
        weight="weight",
        relation="relation",
        description="description",
        is_valid="invalidated_at IS NULL",
    ),
    EdgeSource(
        layer="section",
        types=(EdgeType.LINKS_TO, EdgeType.SIMILAR_TO),
        table="section_edges",
        start="source",
        end="target",
        starts_at=frozenset({NodeKind.SECTION}),
        ends_at=frozenset({NodeKind.SECTION, NodeKind.FILE, NodeKind.SYMBOL}),
        weight="weight",
        relation="relation",
        description="description",
    ),
    EdgeSource(
        layer="fact",
        types=(EdgeType.LINKS_TO,),
        table="facts",
        start="subject",
        end="object",
        starts_at=_ENTITY,
        ends_at=_ENTITY,
        weight="confidence",
        relation="relation",
        description="predicate || iif(status = 'staged', ' (staged)', '')",
        is_edge="object IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed')",
    ),
    EdgeSource(
        layer="mention",
        types=(EdgeType.LINKS_TO,),
        table="mentions",
        start="node",
        end="entity",
        starts_at=frozenset({NodeKind.SECTION, NodeKind.LEARNING, NodeKind.FILE}),
        ends_at=_ENTITY,
        weight="weight",
        relation=f"'{Relation.REFERENCES}'",
        description="origin",
    ),
)
"""Every edge there is. Rows as the view `graph_edges` gives them:

| layer | type | relation | source | target | weight | description | valid |
|---|---|---|---|---|---|---|---|
| anchor | ANCHORED_TO | symbol | 7 (a learning) | 31 (a symbol) | 1.0 | src/auth.py::login | 1 |
| import | IMPORTS | static | 12 (src/app.py) | 13 (src/auth.py) | 1.0 | | 1 |
| cochange | CO_CHANGES_WITH | | 12 | 13 | 0.62 | | 1 |
| asserted | LINKS_TO | depends_on | 7 | 8 (a learning) | 0.5 | | 0 |
| fact | LINKS_TO | depends_on | 40 (an entity) | 41 | 0.9 | built_on (staged) | 1 |
"""

BETWEEN_FILES = tuple(
    kind for kind in EdgeType if all(source.is_between_files for source in EDGE_SOURCES if kind in source.types)
)
"""Edge types that lead from a file to a file."""


class Direction(StrEnum):
    """Which way a walk follows edges."""

    BOTH = "both"
    OUT = "out"
    IN = "in"


class Edge(NamedTuple):
    """One edge as a walk sees it, turned so that it leads from `source` to `target`.

    A tuple rather than a dataclass: a walk makes one per edge, and tuples are made five times as fast.
    `weight` lies in [0, 1]; `forward` is False when the stored edge points the other way.
    """

    source: NodeId
    target: NodeId
    type: str
    weight: float = 1.0
    relation: str = ""
    description: str = ""
    forward: bool = True


class Strand(NamedTuple):
    """Edges of one type that are followed one way, as bare rows of (source, target, weight).

    This is all that a walk over thousands of edges needs: their other columns are read for the few that it ends up
    showing. `cut` counts the sources that have more edges than are here: only their heaviest are.
    """

    type: str
    forward: bool
    rows: Sequence[tuple[NodeId, NodeId, float]]
    cut: int = 0

    def edge(self, source: NodeId, target: NodeId, weight: float) -> Edge:
        """Return one of its rows as an edge, without what is not here."""
        return Edge(source, target, self.type, weight, "", "", self.forward)


# The words by which documents relate to each other, and which of the closed relations each comes nearest. Words that
# turn a relation around (`required_by`, `enables`) are references: an edge leaves the section that speaks.
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
