"""How a node is related to the one in focus."""

from __future__ import annotations

from enum import StrEnum


class Relationship(StrEnum):
    """What a node is to the focus (Doughnut, Graph RAG)."""

    SELF = "Self"
    PARENT = "Parent"
    RELATIONSHIP_TARGET = "RelationshipTarget"
    CONTEXT_ANCESTOR = "ContextAncestor"
    CHILD = "Child"
    OLDER_SIBLING = "OlderSibling"
    YOUNGER_SIBLING = "YoungerSibling"
    REFERENCE_BY = "ReferenceBy"
    TARGET_CONTEXT_ANCESTOR = "TargetContextAncestor"
    PARENT_SIBLING = "ParentSibling"
    TARGET_PARENT_SIBLING = "TargetParentSibling"
    TARGET_OF_RELATIONSHIP = "TargetOfRelationship"
    REFERENCING_NOTE = "ReferencingNote"
    PARENT_SIBLING_CHILD = "ParentSiblingChild"
    TARGET_PARENT_SIBLING_CHILD = "TargetParentSiblingChild"
    REFERENCE_CONTEXT_ANCESTOR = "ReferenceContextAncestor"
    SIBLING_OF_REFERENCING_NOTE = "SiblingOfReferencingNote"
    REFERENCED_TARGET_OF_RELATIONSHIP = "ReferencedTargetOfRelationship"
