"""Sections of documents are nodes like any other: walks pass through them, and answers name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.graph import Neighborhood
from tx_graph.context.search import Query
from tx_graph.core.errors import UsageError
from tx_graph.documents.ingesting import Ingesting
from tx_graph.graph.edge_store import HUB
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.references import NodeKind
from tx_graph.records.learning import Status

TOKENS = "docs/auth.md#tokens"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A guide whose section on tokens speaks of jwt.py and of how keys rotate; nothing imports anything."""
    found = Project(tmp_path, monkeypatch)
    found.write("src/jwt.py", "def decode():\n    return True\n")
    found.write("src/vault.py", "def seal():\n    return True\n")
    found.write(
        "docs/auth.md",
        "# Authentication\n\n## Tokens\n\nDecoded in `src/jwt.py`; see [how keys rotate](keys.md#rotation).\n\n"
        "## Logins\n\n- depends_on:: [[keys]]\n",
    )
    found.write("docs/keys.md", "# Keys\n\n## Rotation\n\nWeekly.\n\n## Storage\n\nSealed by `src/vault.py`.\n")
    found.git.commit()
    read(found)
    return found


def read(project: Project) -> None:
    project.index()
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def around(project: Project, ref: str, *, depth: int = 2, profile: Profile = Profile.DECAY) -> Neighborhood:
    with project.open() as workspace:
        return workspace.graph.neighbors(ref, depth=depth, profile=profile)


def refs(hood: Neighborhood) -> list[str]:
    return [one.ref for one in hood.neighbors]


def sentence(project: Project, source: str, target: str) -> str:
    with project.open() as workspace:
        return workspace.graph.path(source, target, max_hops=6).sentence


def test_a_section_is_tied_to_what_it_stands_in_what_follows_and_what_it_speaks_of(project: Project) -> None:
    hood = around(project, TOKENS, depth=1)
    assert {(one.ref, one.kind, one.steps[0].relation) for one in hood.neighbors} == {
        ("docs/auth.md#authentication", NodeKind.SECTION, "part_of"),
        ("docs/auth.md#logins", NodeKind.SECTION, "sequence"),
        ("docs/keys.md#rotation", NodeKind.SECTION, "references"),
        ("src/jwt.py", NodeKind.FILE, "references"),
    }


def test_everything_tied_to_a_document_is_shown(project: Project) -> None:
    with project.open() as workspace:
        shown = workspace.graph.show("docs/keys.md")
        words = workspace.references.text("docs/keys.md"), workspace.references.text("docs/keys.md#rotation")
    assert {(step.target, step.relation, bool(step.forward)) for step in shown.steps} == {
        ("docs/keys.md#keys", "part_of", False),
        ("docs/auth.md#logins", "depends_on", False),
        ("entity:Keys", "references", True),
    }
    assert words == ("Keys", "Rotation")


@pytest.mark.parametrize("profile", Profile)
def test_walks_of_every_profile_pass_through_sections(project: Project, profile: Profile) -> None:
    project.add("Sealing takes a minute", "src/vault.py")
    hood = around(project, "src/jwt.py", depth=5, profile=profile)
    (learning,) = (one for one in hood.neighbors if one.kind is NodeKind.LEARNING)
    assert learning.path[1:] == (TOKENS, "docs/keys.md#rotation", "docs/keys.md#storage", "src/vault.py", "learning:1")


def test_a_path_through_sections_reads_as_a_sentence(project: Project) -> None:
    assert sentence(project, "src/jwt.py", "docs/keys.md#storage") == (
        f"src/jwt.py is referenced by {TOKENS} (0.90), "
        'which references docs/keys.md#rotation ("how keys rotate"), which precedes docs/keys.md#storage.'
    )
    assert sentence(project, "docs/auth.md", "docs/keys.md") == (
        "docs/auth.md contains docs/auth.md#authentication, which contains docs/auth.md#logins, "
        "which depends on docs/keys.md."
    )
    assert sentence(project, "docs/keys.md#storage", "docs/keys.md#rotation") == (
        "docs/keys.md#storage follows docs/keys.md#rotation."
    )


@pytest.mark.parametrize("status", [Status.STAGED, Status.SUPERSEDED, Status.RETRACTED])
def test_what_is_withheld_is_not_reached_through_sections_either(project: Project, status: Status) -> None:
    project.add("Rotation is manual", "docs/auth.md", status=status)
    assert "learning:1" not in refs(around(project, TOKENS, depth=4))


def test_of_a_file_that_very_many_sections_mention_only_some_are_followed(project: Project) -> None:
    many = "".join(f"## Part {number}\n\nSee `src/vault.py`.\n\n" for number in range(HUB + 50))
    project.write("docs/many.md", f"# Many\n\n{many}")
    project.git.commit()
    read(project)
    with project.open() as workspace:
        hood = workspace.graph.neighbors("src/vault.py", depth=1, max_nodes=1_000, limit=1_000)
    assert hood.stats is not None
    assert (len(refs(hood)), hood.stats.fan_out_reached) == (HUB, 1)


def test_a_learning_is_found_through_the_sections_that_tie_its_file_to_another(project: Project) -> None:
    project.add("Decoding never raises", "src/jwt.py")
    project.add("Colours come from the theme", "docs/keys.md")
    project.add("Sealing takes a minute", "src/vault.py")
    query = Query(text="decoding", expansion=Limits(depth=5))
    found = {one.stored.learning.content: one for one in project.search("", query).results}
    assert [step.relation for step in found["Sealing takes a minute"].steps] == [
        "references", "references", "sequence", "references", "hash",
    ]  # fmt: skip
    assert found["Sealing takes a minute"].path[:3] == ("src/jwt.py", TOKENS, "docs/keys.md#rotation")
    assert "docs/keys.md" in found["Colours come from the theme"].path


def test_a_ranking_of_files_does_not_rest_on_what_documents_say(project: Project) -> None:
    with project.open() as workspace:
        ranked = workspace.file_ranking.rank("", open_files=["src/jwt.py"])
    reasons = [reason.text for one in ranked for reason in one.reasons]
    assert [text for text in reasons if "linked" in text or "docs/auth.md#" in text] == []


def test_an_anchor_to_a_section_is_refused_with_what_to_do(project: Project) -> None:
    with pytest.raises(UsageError, match="names a section") as refused:
        project.add("Tokens expire", TOKENS)
    assert "tx doc:show docs/auth.md" in (refused.value.hint or "")
