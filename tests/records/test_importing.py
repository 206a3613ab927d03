"""Many learnings at once, all or none of them."""

from __future__ import annotations

import json

import pytest

from scripts.opened import Workspace
from tests.fakes import uid_of
from tests.record_texts import add, contents, record_path, records
from tests.support import Project
from tx_graph.anchors.verdict import Standing
from tx_graph.core.errors import StorageError, UsageError
from tx_graph.core.shape import as_json
from tx_graph.graph.edges import Relation
from tx_graph.learnings.learnings import Draft
from tx_graph.learnings.transfer import ImportReport, Transfer
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation, parse_anchor
from tx_graph.records.learning import Link, SourceType, Status
from tx_graph.records.learning_record import LEARNING_FORMAT


def line(content: str = "Learning", **fields: object) -> str:
    return json.dumps({"content": content, **fields})


def run(workspace: Workspace, *lines: str) -> ImportReport:
    return workspace.kernel.one(Transfer).import_(lines)


def test_each_line_becomes_a_learning(workspace: Workspace) -> None:
    progress: list[tuple[int, int | None]] = []
    lines = [line("One"), "", "  \n", line("Two") + "\r\n"]
    report = workspace.kernel.one(Transfer).import_(lines, progress=lambda done, total: progress.append((done, total)))
    assert report == ImportReport(added=2, duplicates=0, lines=2)
    assert contents(workspace) == ["One", "Two"]
    assert progress == [(1, 2), (2, 2)]
    assert run(workspace) == ImportReport(added=0, duplicates=0, lines=0)


def test_every_field_is_taken(project: Project, workspace: Workspace) -> None:
    kept = {"path": "gone.py", "type": "lines", "lines": "3-9", "fingerprints": {"content": "ab" * 32}}
    run(
        workspace,
        line(
            "One\r\nline",
            uid=uid_of(1),
            created_at="2020-01-01T00:00:00Z",
            category="ops",
            keywords=["a", "no"],
            status="staged",
            confidence=0,
            source_type="run",
            source_ref="run 7",
            anchors=["src/auth.py::login", kept],
            links=[{"target": uid_of(2), "relation": "part-of", "weight": 0.5}, f"{uid_of(2)}:elaborates"],
        ),
        line("Two", uid=uid_of(2)),
    )
    one = workspace.learnings.show(uid_of(1)).stored.learning
    assert (one.content, one.created_at, one.category) == ("One\nline", "2020-01-01T00:00:00Z", "ops")
    assert (one.keywords, one.status, one.confidence) == (("a", "no"), Status.STAGED, 0.0)
    assert (one.source_type, one.source_ref) == (SourceType.RUN, "run 7")
    assert set(one.links) == {
        Link(target=uid_of(2), relation=Relation.PART_OF, weight=0.5),
        Link(target=uid_of(2), relation=Relation.ELABORATES),
    }
    assert {anchor.spec for anchor in one.anchors} == {"gone.py:L3-L9", "src/auth.py::login"}
    assert (
        Anchor(path="gone.py", type=AnchorType.LINES, lines=(3, 9), fingerprints=Fingerprints(content="ab" * 32))
        in one.anchors
    )
    assert {LEARNING_FORMAT.parse(data) for data in records(project.root).values()} == {
        one,
        workspace.learnings.show(uid_of(2)).stored.learning,
    }


def test_exact_duplicates_are_left_out_and_counted(workspace: Workspace) -> None:
    add(workspace, "Known")
    report = run(workspace, line("Known"), line("New"), line("New\n"), line("new"))
    assert report == ImportReport(added=2, duplicates=2, lines=4)
    assert run(workspace, line("New"), line("new")) == ImportReport(added=0, duplicates=2, lines=2)
    assert contents(workspace) == ["Known", "New", "new"]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "not JSON: Expecting property name"),
        ("Just a text", "not JSON"),
        ("[1]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"content": "a", "confidence": NaN}', "NaN is not JSON"),
        ('{"content": "a", "confidence": -Infinity}', "-Infinity is not JSON"),
        ('{"content": "a", "confidence": ' + "9" * 400 + "}", "from 0 to 1"),
        ('{"content": "a", "confidence": ' + "9" * 5000 + "}", "too long"),
        ("{}", "needs content"),
        (line(""), "needs content"),
        ('{"content": "\\ud800"}', "not valid UTF-8"),
        (line(flavour="sweet"), "unknown field 'flavour'"),
        ('{"content": 7}', "'content' must be text"),
        (line(category=7), "'category' must be text"),
        (line(category=" "), "category is empty"),
        (line(keywords="a"), "'keywords' must be a list"),
        (line(keywords=[["a"]]), "'keywords' must be text"),
        (line(keywords=[7]), "'keywords' must be text"),
        (line(status="done"), "'done' is no status; choose from staged"),
        (line(status=["active"]), "is no status"),
        (line(source_type="rumour"), "'rumour' is no source type"),
        (line(confidence=-1), "from 0 to 1"),
        (line(confidence="1"), "from 0 to 1"),
        (line(confidence=True), "from 0 to 1"),
        (line(confidence=None), "from 0 to 1"),
        (line(uid="abc"), "'abc' is no uid"),
        (line(created_at="yesterday"), "must be a UTC time"),
        (line(removed_at="yesterday"), "'removed_at' must be a UTC time"),
        (line(superseded_by="12"), "'12' is no uid"),
        (line("<<<<<<< HEAD\n>>>>>>> x"), "conflict markers"),
        (line(anchors="src/auth.py"), "'anchors' must be a list"),
        (line(anchors=[7]), "an anchor must be"),
        (line(anchors=[{}]), "an anchor must be"),
        (line(anchors=["none.py"]), "no file 'none.py'"),
        (line(anchors=["../outside.py"]), "outside the repository"),
        (line(anchors=[{"path": "src/auth.py", "lines": "9-3"}]), "not a range of lines"),
        (line(anchors=[{"path": "src/auth.py", "type": "magic"}]), "is no anchor type"),
        (line(anchors=[{"path": "src/auth.py", "symbol": 7}]), "'symbol' must be text"),
        (line(anchors=[{"path": "a", "type": "symbol", "fingerprints": {"content": "00"}}]), "needs a 'symbol'"),
        (line(links=[7]), "a link must be"),
        (line(links=[{"target": 12}]), "is a uid"),
        (line(links=["12"]), "a link must be"),
        (line(links=[uid_of(1)[:6]]), "a link must be"),
        (line(links=[f"{uid_of(1)}:likes"]), "'likes' is no relation"),
        (line(links=[{"target": uid_of(1), "weight": "heavy"}]), "from 0 to 1"),
    ],
)
def test_one_bad_line_is_named_and_nothing_is_imported(
    project: Project, workspace: Workspace, bad: str, said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        run(workspace, line("Good"), "", bad)
    assert caught.value.message.startswith("1 of 2 lines cannot be imported, so nothing was:")
    assert "line 3: " in caught.value.message
    assert said in caught.value.message
    assert contents(workspace) == []
    assert records(project.root) == {}


def test_many_bad_lines_are_counted_and_the_first_are_named(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        run(workspace, *["{"] * 30)
    assert "30 of 30 lines" in caught.value.message
    assert "line 10:" in caught.value.message
    assert "line 11:" not in caught.value.message
    assert "… and 20 more" in caught.value.message


def test_a_link_must_lead_to_a_learning_that_is_here_or_comes_along(workspace: Workspace) -> None:
    known = add(workspace, "Known")
    twice = [known.learning.uid, uid_of(2)] * 2
    run(workspace, line("One", links=twice, anchors=["src/auth.py"] * 2), line("Two", uid=uid_of(2)))
    one = workspace.learnings.show("2").stored.learning
    assert (len(one.links), len(one.anchors)) == (2, 1)
    with pytest.raises(UsageError, match=f"'{uid_of(3)}', which is no learning's uid"):
        run(workspace, line("Three", links=[uid_of(3)]))
    assert contents(workspace) == ["Known", "One", "Two"]


def test_a_uid_that_is_taken_is_refused(project: Project, workspace: Workspace) -> None:
    run(workspace, line("One", uid=uid_of(1)))
    before = records(project.root)
    for lines in ([line("Two", uid=uid_of(1))], [line("Two", uid=uid_of(2)), line("Three", uid=uid_of(2))]):
        with pytest.raises(UsageError, match="Two learnings would have the uid"):
            run(workspace, *lines)
    assert records(project.root) == before


def test_what_is_listed_as_json_can_be_imported_elsewhere(project: Project) -> None:
    with project.open() as workspace:
        run(workspace, line("Two", uid=uid_of(2), keywords=["no"]))
        run(workspace, line("One", uid=uid_of(1), anchors=["src/auth.py::login", "src/*.py"], links=[uid_of(2)]))
        listed = [json.dumps(as_json(workspace.learnings.show(number).stored)) for number in ("1", "2")]
    before = records(project.root)
    for name in before:
        (project.root / ".tx" / "learnings" / name).unlink()
    with project.open() as workspace:
        assert run(workspace, *listed).added == 2
    assert records(project.root) == before


def test_known_content_gains_what_the_line_has(project: Project, workspace: Workspace) -> None:
    workspace.learnings.add_draft(Draft(content="Known", category="a", keywords=["one"]))
    other = add(workspace, "Other").learning.uid
    known = line("Known", category="b", keywords=["two"], anchors=["src/auth.py"], links=[other], confidence=0.1)
    assert run(workspace, known, line("Other")) == ImportReport(added=0, updated=1, duplicates=1, lines=2)
    one = workspace.learnings.show("1").stored.learning
    assert (one.category, one.keywords, one.confidence) == ("a", ("one", "two"), 1.0)
    assert ([anchor.spec for anchor in one.anchors], one.links) == (["src/auth.py"], (Link(target=other),))
    assert one in {LEARNING_FORMAT.parse(data) for data in records(project.root).values()}
    before = records(project.root)
    assert run(workspace, known) == ImportReport(added=0, duplicates=1, lines=1)
    assert records(project.root) == before


def test_a_later_line_adds_to_an_earlier_one(workspace: Workspace) -> None:
    report = run(workspace, line("One", keywords=["a"]), line("One", keywords=["b"]), line("One"))
    assert report == ImportReport(added=1, updated=1, duplicates=1, lines=3)
    assert workspace.learnings.show("1").stored.learning.keywords == ("a", "b")


def test_content_of_a_removed_learning_is_revived(project: Project, workspace: Workspace) -> None:
    add(workspace, "Removed")
    workspace.learnings.remove("1")
    assert run(workspace, line("Removed", keywords=["new"])) == ImportReport(added=0, revived=1, duplicates=0, lines=1)
    one = workspace.learnings.show("1").stored.learning
    assert (one.removed_at, one.keywords) == (None, ("new",))
    assert len(records(project.root)) == 1


def test_a_line_that_says_it_was_removed_comes_in_removed(workspace: Workspace) -> None:
    add(workspace, "Alive")
    gone = {"removed_at": "2026-01-01T00:00:00Z", "keywords": ["old"]}
    report = run(workspace, line("Gone", **gone), line("Alive", **gone))
    assert report == ImportReport(added=1, duplicates=1, lines=2)
    assert contents(workspace) == ["Alive"]
    assert workspace.learnings.show("1").stored.learning.keywords == ()
    assert workspace.learnings.show("2").stored.learning.removed_at == "2026-01-01T00:00:00Z"
    assert run(workspace, line("Gone", **gone)).duplicates == 1
    assert run(workspace, line("Gone")).revived == 1
    assert contents(workspace) == ["Alive", "Gone"]


@pytest.mark.parametrize(("fields", "status"), [({}, Status.SUPERSEDED), ({"status": "active"}, Status.ACTIVE)])
def test_what_was_superseded_stays_so(workspace: Workspace, fields: dict[str, object], status: Status) -> None:
    run(workspace, line("Old", uid=uid_of(1), superseded_by=uid_of(2), **fields), line("New", uid=uid_of(2)))
    old = workspace.learnings.show(uid_of(1)).stored.learning
    assert (old.superseded_by, old.status) == (uid_of(2), status)


def test_links_lead_to_known_content_whatever_its_uid_is_here(workspace: Workspace) -> None:
    here = add(workspace, "Known").learning.uid
    run(
        workspace,
        line("Known", uid=uid_of(1), links=[uid_of(3)]),
        line("Again", uid=uid_of(2), links=[uid_of(1), uid_of(4)], superseded_by=uid_of(1)),
        line("New", uid=uid_of(3)),
        line("Again", uid=uid_of(4)),
    )
    assert workspace.learnings.show(here).stored.learning.links == (Link(target=uid_of(3)),)
    again = workspace.learnings.show(uid_of(2)).stored.learning
    assert (again.links, again.superseded_by) == ((Link(target=here),), here)


def test_a_fingerprint_from_here_replaces_one_from_elsewhere_and_not_the_other_way_round(
    workspace: Workspace,
) -> None:
    one = workspace.learnings.add_draft(Draft(content="One", anchors=[parse_anchor("src/auth.py")])).stored.learning
    old = {"path": "src/auth.py", "type": "hash", "fingerprints": {"content": "ab" * 32}}
    assert run(workspace, line("One", anchors=[old]), line("Two", anchors=[old])).duplicates == 1
    assert workspace.learnings.show(one.uid).stored.learning == one
    assert run(workspace, line("Two", anchors=["src/auth.py"])).updated == 1
    assert workspace.learnings.show("2").standing is Standing.FRESH


def test_what_people_said_of_an_anchor_comes_along(workspace: Workspace) -> None:
    dead = {"reason": "moved to Go", "at": "2026-11-20T12:00:00Z"}
    glob = {"path": "gone/*.py", "type": "glob", "pinned": True}
    run(workspace, line("One", anchors=[glob, {"path": "gone.py", "type": "hash", "invalidated": dead}]))
    assert set(workspace.learnings.show("1").stored.learning.anchors) == {
        Anchor(path="gone/*.py", type=AnchorType.GLOB, pinned=True),
        Anchor(path="gone.py", type=AnchorType.HASH, invalidated=Invalidation(**dead)),
    }


def test_a_refused_import_changes_no_known_learning(project: Project, workspace: Workspace) -> None:
    add(workspace, "Known")
    before = records(project.root)
    with pytest.raises(UsageError, match="no learning's uid"):
        run(workspace, line("Known", keywords=["a"]), line("New"), line("Known", links=[uid_of(9)]))
    workspace._database.write(
        "CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
    )
    with pytest.raises(StorageError, match="disk is full"):
        run(workspace, line("Known", keywords=["a"]), line("New"))
    assert records(project.root) == before
    assert workspace.learnings.show("1").stored.learning.keywords == ()


def test_a_record_that_changed_since_it_was_read_refuses_the_import(project: Project, workspace: Workspace) -> None:
    path = record_path(project.root, add(workspace, "Known"))
    path.write_text(path.read_text().replace("status: active", "status: staged"))
    before = records(project.root)
    with pytest.raises(StorageError, match="changed by somebody else"):
        run(workspace, line("New"), line("Known", keywords=["a"]))
    assert records(project.root) == before
