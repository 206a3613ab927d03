"""Learnings are tied to code and to each other, and untied again."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.linking import Linking, parse_link, parse_relation
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import iso
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, parse_anchor
from tx_graph.records.learning import Link

SOURCE = "export class Auth {\n  login() {\n    return 1;\n  }\n}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.ts", SOURCE)
    project.git.git("add", "--all")
    project.add("One")
    return project


def test_a_link_that_is_removed_is_kept_as_history_until_it_is_made_again(project: Project) -> None:
    def rows() -> list[tuple[object, ...]]:
        with Database.open(project.root / ".tx" / "graph.db") as database:
            return database.rows("SELECT created_at, invalidated_at FROM learning_edges")

    project.add("Two")
    with project.open() as workspace:
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=1.0)
    made = rows()[0][0]
    project.clock.pass_by(timedelta(hours=1))
    with project.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts"))
        assert rows() == [(made, None)]
        workspace.kernel.one(Linking).unrelate("1", "2", relation=None)
    assert rows() == [(made, iso(project.clock.now()))]
    with project.open() as workspace:
        assert workspace.learnings.show("1").stored.learning.links == ()
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=1.0)
    assert rows() == [(made, None)]


def specs(project: Project, ref: str = "1") -> list[str]:
    with project.open() as workspace:
        return [anchor.spec for anchor in workspace.learnings.show(ref).stored.learning.anchors]


@pytest.mark.parametrize(
    ("spec", "kind", "stored"),
    [
        ("src/auth.ts", AnchorType.HASH, "src/auth.ts"),
        ("src/auth.ts::Auth::login", AnchorType.SYMBOL, "src/auth.ts::Auth::login"),
        ("src/auth.ts::login", AnchorType.SYMBOL, "src/auth.ts::Auth::login"),
        ("src/auth.ts:L2-L4", AnchorType.LINES, "src/auth.ts:L2-L4"),
        ("src/*.ts", AnchorType.GLOB, "src/*.ts"),
    ],
)
def test_the_type_of_an_anchor_follows_from_what_is_given(
    project: Project, spec: str, kind: AnchorType, stored: str
) -> None:
    with project.open() as workspace:
        tied = workspace.kernel.one(Linking).link("1", parse_anchor(spec))
    assert (tied.anchor.type, tied.anchor.spec, tied.existed) == (kind, stored, False)
    assert specs(project) == [stored]


def content_of(anchor: Anchor) -> str:
    assert anchor.fingerprints is not None
    return anchor.fingerprints.content


def test_a_fingerprint_is_of_what_was_anchored(project: Project) -> None:
    with project.open() as workspace:
        lines = workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts:L2-L3")).anchor
        symbol = workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts::login")).anchor
        whole = workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts")).anchor
    text = SOURCE.split("\n")
    assert content_of(lines) == hashlib.sha256("\n".join(text[1:3]).encode()).hexdigest()
    assert content_of(symbol) == hashlib.sha256("\n".join(text[1:4]).encode()).hexdigest()
    assert content_of(whole) == hashlib.sha256(SOURCE.removesuffix("\n").encode()).hexdigest()


@pytest.mark.parametrize(
    "request_",
    [
        AnchorRequest(path="src/auth.ts", type=AnchorType.SYMBOL),
        AnchorRequest(path="src/auth.ts", type=AnchorType.LINES),
        AnchorRequest(path="src/auth.ts", type=AnchorType.HASH, symbol="login"),
        AnchorRequest(path="src/auth.ts", type=AnchorType.GLOB, lines=(1, 2)),
        AnchorRequest(path="src/auth.ts", symbol="login", lines=(1, 2)),
        AnchorRequest(path="src/auth.ts", type=AnchorType.LINES, symbol="login", lines=(1, 2)),
        AnchorRequest(path="src"),
        AnchorRequest(path="README", symbol="x"),
    ],
)
def test_a_request_that_contradicts_itself_is_a_usage_error(project: Project, request_: AnchorRequest) -> None:
    project.write("README", "text")
    with project.open() as workspace, pytest.raises(UsageError):
        workspace.kernel.one(Linking).link("1", request_)
    assert specs(project) == []


@pytest.mark.parametrize(
    ("spec", "candidate"),
    [
        ("auth.ts", "src/auth.ts"),
        ("src/auth.ts::logni", "src/auth.ts::Auth::login"),
        ("src/auth.ts:L4-L90", None),
        ("lib/*.ts", None),
    ],
)
def test_what_does_not_exist_is_not_found_and_the_nearest_is_named(
    project: Project, spec: str, candidate: str | None
) -> None:
    with project.open() as workspace, pytest.raises(NotFound) as error:
        workspace.kernel.one(Linking).link("1", parse_anchor(spec))
    assert candidate is None or candidate in error.value.candidates


def test_a_name_of_several_symbols_lists_them(project: Project) -> None:
    project.write("a.ts", "class A { f() {} }\nclass B { f() {} }\n")
    with project.open() as workspace, pytest.raises(NotFound) as error:
        workspace.kernel.one(Linking).link("1", parse_anchor("a.ts::f"))
    assert error.value.candidates == ("a.ts::A::f", "a.ts::B::f")


@pytest.mark.parametrize("path", ["../outside.ts", "src/../../outside.ts", "link.ts", "dir/outside.ts"])
def test_a_path_outside_the_repository_is_refused(project: Project, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.ts").touch()
    (project.root / "link.ts").symlink_to(tmp_path / "outside.ts")
    (project.root / "dir").symlink_to(tmp_path)
    with project.open() as workspace, pytest.raises(UsageError, match="outside the repository"):
        workspace.kernel.one(Linking).link("1", parse_anchor(path))


def test_linking_twice_changes_nothing_until_the_code_changes(project: Project) -> None:
    with project.open() as workspace:
        first = workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts"))
        assert workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts")).existed
    project.write("src/auth.ts", "changed\n")
    with project.open() as workspace:
        again = workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts"))
    assert not again.existed
    assert again.anchor.fingerprints != first.anchor.fingerprints
    assert specs(project) == ["src/auth.ts"]


def test_unlinking_takes_the_anchor_as_it_is_written_or_all_of_a_file(project: Project) -> None:
    with project.open() as workspace:
        for spec in ("src/auth.ts:L1-L2", "src/auth.ts::login", "src/*.ts"):
            workspace.kernel.one(Linking).link("1", parse_anchor(spec))
        gone = workspace.kernel.one(Linking).unlink("1", "src/*.ts")
        assert [anchor.spec for anchor in gone] == ["src/*.ts"]
    with project.open("src") as workspace:
        gone = workspace.kernel.one(Linking).unlink("1", "auth.ts:L1-L2")
        assert [anchor.spec for anchor in gone] == ["src/auth.ts:L1-L2"]
        workspace.kernel.one(Linking).link("1", parse_anchor("auth.ts:L1-L1"))
        gone = workspace.kernel.one(Linking).unlink("1", "auth.ts")
        assert {anchor.spec for anchor in gone} == {"src/auth.ts::Auth::login", "src/auth.ts:L1-L1"}
    assert specs(project) == []


def test_unlinking_works_after_the_file_is_gone(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts::login"))
    (project.root / "src/auth.ts").unlink()
    with project.open() as workspace:
        workspace.kernel.one(Linking).unlink("1", "src/auth.ts::Auth::login")
    assert specs(project) == []


def test_unlinking_what_is_not_there_lists_what_is(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Linking).link("1", parse_anchor("src/auth.ts"))
        with pytest.raises(NotFound) as error:
            workspace.kernel.one(Linking).unlink("1", "src/jwt.ts")
    assert error.value.candidates == ("src/auth.ts",)


def test_relating_again_takes_the_new_weight_and_other_relations_stay(project: Project) -> None:
    project.add("Two")
    with project.open() as workspace:
        assert not workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=0.5).existed
        assert workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=0.5).existed
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=0.9)
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.CONTRADICTS, weight=1)
        links = workspace.learnings.show("1").stored.learning.links
        assert {(link.relation, link.weight) for link in links} == {("elaborates", 0.9), ("contradicts", 1.0)}
        assert workspace.kernel.one(Linking).unrelate("1", "2", relation=Relation.CONTRADICTS) == 1
        assert workspace.kernel.one(Linking).unrelate("1", "2", relation=None) == 1
        with pytest.raises(NotFound):
            workspace.kernel.one(Linking).unrelate("1", "2", relation=None)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_weight_lies_between_nought_and_one(project: Project, weight: float) -> None:
    project.add("Two")
    with project.open() as workspace, pytest.raises(UsageError):
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.REFERENCES, weight=weight)


def test_a_learning_is_not_related_to_itself_or_to_nothing(project: Project) -> None:
    with project.open() as workspace:
        with pytest.raises(UsageError):
            workspace.kernel.one(Linking).relate("1", "learning:1", relation=Relation.REFERENCES, weight=1)
        with pytest.raises(NotFound):
            workspace.kernel.one(Linking).relate("1", "2", relation=Relation.REFERENCES, weight=1)


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("12", Link(target="12")),
        ("learning:12", Link(target="learning:12")),
        ("12:depends_on", Link(target="12", relation=Relation.DEPENDS_ON)),
        ("learning:12:Depends-On", Link(target="learning:12", relation=Relation.DEPENDS_ON)),
        ("k7f3q:elaborates", Link(target="k7f3q", relation=Relation.ELABORATES)),
    ],
)
def test_a_link_is_written_as_reference_and_relation(text: str, link: Link) -> None:
    assert parse_link(text) == link


def test_an_unknown_relation_lists_the_known() -> None:
    with pytest.raises(UsageError) as error:
        parse_relation("likes")
    assert "contradicts" in error.value.hint
