"""Documents and sections in focus: the tree of their headings, what they say of each other, and the order of it all."""

from __future__ import annotations

import pytest

from tests.context.focus.conftest import View, order, read
from tests.documents.support import LONG
from tests.support import Project
from tx_graph.core.errors import NotFound

CONFIGURE = "docs/guide.md#configure"
TOKENS = "docs/auth.md#tokens"
ORDER = [
    # Layer 1: the section around, then above it the document (one with its first heading) and the directory.
    ("docs/guide.md#setup", "Parent"),
    ("docs/guide.md", "ContextAncestor"),
    ("docs", "ContextAncestor"),
    # Layer 2: the first child is the typed line, before the sections below.
    ("docs/guide.md#configure^depends_on", "Child"),
    ("docs/guide.md#install", "OlderSibling"),
    ("docs/guide.md#run", "YoungerSibling"),
    # Layer 3: where the typed line leads. It also mentions the focus, and will not come a second time for that.
    (TOKENS, "TargetOfRelationship"),
    # Layer 4 asks what else points at that, which is nothing but the line itself. Round 2, layer 1: the root is left.
    (".", "ContextAncestor"),
    # Layer 2: the next child; the siblings are dry; of what points here the bare link of Tokens is there already,
    # which leaves the typed line of Users; then the sibling before Setup.
    ("docs/guide.md#secrets", "Child"),
    ("docs/auth.md#users^configured_by", "ReferenceBy"),
    ("docs/guide.md#before", "ParentSibling"),
    # Layer 3: the subject of that line. Layer 4: what is above it, and a cousin.
    ("docs/auth.md#users", "ReferencingNote"),
    ("docs/auth.md", "ReferenceContextAncestor"),
    ("docs/guide.md#ancient", "ParentSiblingChild"),
    # Round 3: the sibling after Setup. Layer 4: beside Users stand Tokens (there already) and Sessions; another cousin.
    ("docs/guide.md#after", "ParentSibling"),
    ("docs/auth.md#sessions", "SiblingOfReferencingNote"),
    ("docs/guide.md#modern", "ParentSiblingChild"),
]


@pytest.mark.parametrize("budget", [0, 3, len(ORDER), 1_000])
def test_a_section_and_all_around_it_in_the_order_worked_out_by_hand(view: View, budget: int) -> None:
    seen = view(CONFIGURE, budget=budget)
    assert order(seen) == ORDER[:budget]
    assert seen.tokens == min(budget, len(ORDER))
    assert seen.path == (".", "docs", "docs/guide.md", "docs/guide.md#setup")
    if budget >= len(ORDER):
        assert seen.children == ("docs/guide.md#configure^depends_on", "docs/guide.md#secrets")
        assert (seen.older_siblings, seen.younger_siblings) == (("docs/guide.md#install",), ("docs/guide.md#run",))
        assert seen.inbound_references == (TOKENS, "docs/auth.md#users^configured_by")


def test_the_focus_says_all_of_its_own_text_and_nothing_of_its_children(view: View, project: Project) -> None:
    text = "Words. " * 100
    project.write("docs/a.md", f"# A\n\n## B\n\n{text.strip()}\n\n### C\n\nOther.\n")
    read(project)
    assert view("docs/a.md#b").focus.details == text.strip()
    related = {one.note.ref: one.note for one in view("docs/a.md").related}
    assert related["docs/a.md#b"].details == text[:250] + "..."
    assert related["docs/a.md#b"].is_cut


def test_a_typed_line_is_a_note_of_its_own(view: View) -> None:
    seen = view("docs/auth.md#users^configured_by")
    assert (seen.focus.kind, seen.focus.title) == ("relation", "configured_by")
    assert seen.focus.parent == ("docs/auth.md#users", "Users")
    assert seen.focus.target == (CONFIGURE, "Configure")
    assert order(seen)[:9] == [
        # The subject, where it leads, and above the subject.
        ("docs/auth.md#users", "Parent"),
        (CONFIGURE, "RelationshipTarget"),
        ("docs/auth.md", "ContextAncestor"),
        # It has no children, no siblings, and nothing points at it: above the target, and beside the subject.
        ("docs/guide.md#setup", "TargetContextAncestor"),
        (TOKENS, "ParentSibling"),
        ("docs/guide.md#before", "TargetParentSibling"),
        # Layer 4: below these.
        ("docs/auth.md#rotation", "ParentSiblingChild"),
        ("docs/guide.md#ancient", "TargetParentSiblingChild"),
        # Round 2.
        ("docs", "ContextAncestor"),
    ]


def test_typed_lines_of_one_kind_are_numbered_and_those_of_the_document_keep_the_mark_of_sections(
    view: View, project: Project
) -> None:
    lines = "- needs:: [[auth#tokens]]\n- needs:: [[auth#users]], [[guide#run]]\n"
    project.write("docs/a.md", f"---\ndepends_on: auth.md\n---\n\n# A\n\nText.\n\n## B\n\n{lines}")
    read(project)
    assert view("docs/a.md#b").children == ("docs/a.md#b^needs", "docs/a.md#b^needs-2", "docs/a.md#b^needs-3")
    assert view("docs/a.md#b^needs-3").focus.target == ("docs/guide.md#run", "Run")
    assert view("docs/a.md").children == ("docs/a.md#^depends_on", "docs/a.md#b")
    assert view("docs/a.md#^depends_on").focus.parent == ("docs/a.md", "A")
    assert view("docs/a.md^depends_on").focus.ref == "docs/a.md#^depends_on"
    with pytest.raises(NotFound) as caught:
        view("docs/a.md#b^requires")
    assert caught.value.candidates[0] == "docs/a.md#b^needs"


def test_a_document_is_one_with_its_only_heading_unless_it_says_something_before(view: View, project: Project) -> None:
    seen = view("docs/guide.md")
    assert seen.focus.details == "What to know."
    assert seen.children == ("docs/guide.md#before", "docs/guide.md#setup", "docs/guide.md#after")
    assert seen.older_siblings == ("docs/auth.md",)
    assert view("docs/guide.md#guide").focus == seen.focus
    assert view("README.md").younger_siblings == ("docs", "src")
    project.write("docs/a.md", "Before everything.\n\n# A\n\nText.\n")
    project.write("docs/b.md", "# B\n\nText.\n\n# C\n\nText.\n")
    read(project)
    assert view("docs/a.md").children == ("docs/a.md#a",)
    assert view("docs/b.md").children == ("docs/b.md#b", "docs/b.md#c")


def test_a_long_section_is_one_with_its_parts(view: View, project: Project) -> None:
    project.write("docs/a.md", f"# A\n\n{LONG}\n## Next\n\nText.\n")
    read(project)
    seen = view("docs/a.md#long~2")
    assert seen.focus.ref == "docs/a.md#long"
    assert seen.focus.details == LONG.removeprefix("## Long\n\n").rstrip("\n")
    assert seen.children == ()
    assert seen.younger_siblings == ("docs/a.md#next",)


def test_a_document_that_changed_is_gone_or_superseded_is_marked(view: View, project: Project) -> None:
    project.write("docs/adr/1.md", "# Old\n\n## Status\n\nSuperseded by [New](2.md)\n\n## Decision\n\nText.\n")
    project.write("docs/adr/2.md", "# New\n\nText.\n")
    read(project)
    for ref in ("docs/adr/1.md", "docs/adr/1.md#decision"):
        assert view(ref).focus.marks == {"superseded_by": "docs/adr/2.md"}
    project.write("docs/auth.md", "# Auth\n\nNothing is as it was.\n")
    marked = {one.note.ref for one in view(CONFIGURE).related if one.note.marks.get("state") == "changed"}
    assert marked == {TOKENS, "docs/auth.md", "docs/auth.md#users", "docs/auth.md#sessions"}
    assert view(TOKENS).focus.marks == {"verdict": "changed", "state": "changed"}
    (project.root / "docs" / "auth.md").unlink()
    assert view(TOKENS).focus.marks == {"verdict": "gone", "state": "gone"}


def test_a_seed_shuffles_what_points_here_and_nothing_else(view: View, project: Project) -> None:
    for number in range(8):
        project.write(f"notes/{number}.md", f"# N{number}\n\nSee [it](../docs/guide.md#run).\n")
    read(project)
    plain, first, again = (view("docs/guide.md#run", seed=seed) for seed in (None, 7, 7))
    assert order(first) == order(again)
    assert plain.inbound_references != first.inbound_references
    assert set(plain.inbound_references) == set(first.inbound_references)
    assert plain.older_siblings == first.older_siblings
