"""Learnings are tied to code and to each other, and untied again."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from tests.anchors.bank import Anchored
from tx_graph.anchors.linking import Linking, parse_link, parse_relation
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.kernel import iso
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import AnchorRequest, AnchorType
from tx_graph.records.learning import Link

SOURCE = "export class Auth {\n  login() {\n    return 1;\n  }\n}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Anchored:
    project = Anchored(tmp_path, monkeypatch)
    project.write("src/auth.ts", SOURCE)
    project.git.git("add", "--all")
    project.add("One")
    return project


def test_a_link_that_is_removed_is_kept_as_history_until_it_is_made_again(project: Anchored) -> None:
    def rows() -> list[tuple[object, ...]]:
        with Database.open(project.root / ".tx" / "graph.db") as database:
            return database.rows("SELECT created_at, invalidated_at FROM learning_edges")

    project.add("Two")
    with project.open() as workspace:
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=1.0)
    made = rows()[0][0]
    project.clock.pass_by(timedelta(hours=1))
    with project.open() as workspace:
        workspace.kernel.one(Linking).link("1", "src/auth.ts")
        assert rows() == [(made, None)]
        workspace.kernel.one(Linking).unrelate("1", "2", relation=None)
    assert rows() == [(made, iso(project.clock.now()))]
    with project.open() as workspace:
        assert workspace.learnings.show("1").stored.learning.links == ()
        workspace.kernel.one(Linking).relate("1", "2", relation=Relation.ELABORATES, weight=1.0)
    assert rows() == [(made, None)]


def specs(project: Anchored, ref: str = "1") -> list[str]:
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
    project: Anchored, spec: str, kind: AnchorType, stored: str
) -> None:
    tied = project.link(spec)
    assert (tied.anchor.type, tied.anchor.spec, tied.existed) == (kind, stored, False)
    assert specs(project) == [stored]


def test_a_fingerprint_is_of_what_was_anchored(project: Anchored) -> None:
    text = SOURCE.split("\n")
    for spec, held in (
        ("src/auth.ts:L2-L3", "\n".join(text[1:3])),
        ("src/auth.ts::login", "\n".join(text[1:4])),
        ("src/auth.ts", SOURCE.removesuffix("\n")),
    ):
        taken = project.link(spec).anchor.fingerprints
        assert taken is not None
        assert taken.content == hashlib.sha256(held.encode()).hexdigest()


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
def test_a_request_that_contradicts_itself_is_a_usage_error(project: Anchored, request_: AnchorRequest) -> None:
    project.write("README", "text")
    with pytest.raises(UsageError):
        project.link(request_)
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
    project: Anchored, spec: str, candidate: str | None
) -> None:
    with pytest.raises(NotFound) as error:
        project.link(spec)
    assert candidate is None or candidate in error.value.candidates


def test_a_name_of_several_symbols_lists_them(project: Anchored) -> None:
    project.write("a.ts", "class A { f() {} }\nclass B { f() {} }\n")
    with pytest.raises(NotFound) as error:
        project.link("a.ts::f")
    assert error.value.candidates == ("a.ts::A::f", "a.ts::B::f")


def test_linking_twice_changes_nothing_until_the_code_changes(project: Anchored) -> None:
    first = project.link("src/auth.ts")
    assert project.link("src/auth.ts").existed
    project.write("src/auth.ts", "changed\n")
    again = project.link("src/auth.ts")
    assert not again.existed
    assert again.anchor.fingerprints != first.anchor.fingerprints
    assert specs(project) == ["src/auth.ts"]


def test_unlinking_takes_the_anchor_as_it_is_written_or_all_of_a_file(project: Anchored) -> None:
    for spec in ("src/auth.ts:L1-L2", "src/auth.ts:L1-L1", "src/auth.ts::login", "src/*.ts"):
        project.link(spec)
    assert [anchor.spec for anchor in project.unlink("src/*.ts")] == ["src/*.ts"]
    with pytest.raises(NotFound) as error:
        project.unlink("src/jwt.ts")
    assert error.value.candidates == ("src/auth.ts::Auth::login", "src/auth.ts:L1-L1", "src/auth.ts:L1-L2")
    (project.root / "src/auth.ts").unlink()
    with project.open("src") as workspace:
        gone = workspace.kernel.one(Linking).unlink("1", "auth.ts:L1-L2")
        assert [anchor.spec for anchor in gone] == ["src/auth.ts:L1-L2"]
        gone = workspace.kernel.one(Linking).unlink("1", "auth.ts")
        assert {anchor.spec for anchor in gone} == {"src/auth.ts::Auth::login", "src/auth.ts:L1-L1"}
    assert specs(project) == []


def test_relating_again_takes_the_new_weight_and_other_relations_stay(project: Anchored) -> None:
    project.add("Two")
    with project.open() as workspace:
        linking = workspace.kernel.one(Linking)
        assert not linking.relate("1", "2", relation=Relation.ELABORATES, weight=0.5).existed
        assert linking.relate("1", "2", relation=Relation.ELABORATES, weight=0.5).existed
        linking.relate("1", "2", relation=Relation.ELABORATES, weight=0.9)
        linking.relate("1", "2", relation=Relation.CONTRADICTS, weight=1)
        links = workspace.learnings.show("1").stored.learning.links
        assert {(link.relation, link.weight) for link in links} == {("elaborates", 0.9), ("contradicts", 1.0)}
        assert linking.unrelate("1", "2", relation=Relation.CONTRADICTS) == 1
        assert linking.unrelate("1", "2", relation=None) == 1
        with pytest.raises(NotFound):
            linking.unrelate("1", "2", relation=None)


@pytest.mark.parametrize(
    ("target", "weight", "error"),
    [
        *(("2", weight, UsageError) for weight in (-0.1, 1.1, float("nan"), float("inf"))),
        ("learning:1", 1, UsageError),
        ("3", 1, NotFound),
    ],
)
def test_a_learning_is_related_to_another_one_with_a_weight(
    project: Anchored, target: str, weight: float, error: type[Exception]
) -> None:
    project.add("Two")
    with project.open() as workspace, pytest.raises(error):
        workspace.kernel.one(Linking).relate("1", target, weight=weight)


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
