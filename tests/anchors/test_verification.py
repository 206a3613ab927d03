"""Verification: anchors are judged by what changed, followed where that is certain, and never guessed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import EventKind, Standing, Verdict
from tx_graph.anchors.verify import Checked, Report, Scope, Verification
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.records.anchor import AnchorType, Drift, Reason

SOURCE = '''\
class Account:
    """A person's account."""

    def may_vote(self, age):
        # the law says so
        return age >= 18

    def close(self):
        self.balance = 0
        self.open = False
        return self.receipt()


def interest(balance, rate):
    total = balance
    for month in range(12):
        total += total * rate / 12
    return round(total - balance, 2)
'''

Edit = Callable[[str], str]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("bank.py", SOURCE)
    project.git.commit()
    return project


def replaced(old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return edit


def edit(project: Project, change: Edit, path: str = "bank.py") -> None:
    project.write(path, change((project.root / path).read_text(encoding="utf-8")))


def verify(project: Project, *places: str, fix: bool = False, since: str | None = None) -> Report:
    with project.open() as workspace:
        return workspace.kernel.one(Verification).run(Scope(places=places, since=since), fix=fix)


def one(project: Project, *, fix: bool = False) -> Checked:
    [checked] = verify(project, fix=fix).checked
    return checked


def place(checked: Checked) -> str | None:
    there = checked.judgement.relocated_to
    return there.spec if there else None


def outcome(checked: Checked) -> tuple[Verdict, Drift | None, Reason | None, str | None]:
    judgement = checked.judgement
    return (judgement.verdict, judgement.drift, judgement.reason, place(checked))


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize(
    ("old", "new", "drift"),
    [
        ("age >= 18", "(age   >=   18)", Drift.FORMAT),
        ("the law says so", "nobody knows why", Drift.COMMENT),
        ("        # the law says so\n", "", Drift.COMMENT),
        (">= 18", "< 18", Drift.BODY),
        (">= 18", "> 18", Drift.BODY),
        ("18", "21", Drift.BODY),
        ("(self, age)", "(self, age=0)", Drift.SIGNATURE),
        ("    def may_vote", "    @staticmethod\n    def may_vote", Drift.SIGNATURE),
    ],
)
def test_a_symbol_drifts_as_far_as_its_worst_change(
    project: Project, old: str, new: str, drift: Drift, *, committed: bool
) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced(old, new))
    if committed:
        project.git.commit()
    assert outcome(one(project)) == (Verdict.DRIFTED, drift, None, None)
    assert one(project).judgement.is_finding is drift.counts


def test_what_stands_around_a_symbol_is_not_its_business(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, lambda text: "import os\n\n\n" + text.replace("A person's", "Somebody's").replace("12", "13"))
    assert outcome(one(project)) == (Verdict.VALID, None, None, None)
    assert one(project).judgement.lines == (7, 9)


@pytest.mark.parametrize("spec", ["bank.py", "bank.py::interest", "bank.py:L13-L17", "bank.py::Account", "*.py"])
def test_windows_line_ends_are_no_more_than_format(project: Project, spec: str) -> None:
    project.add("About interest.", spec)
    (project.root / "bank.py").write_bytes(SOURCE.replace("\n", "\r\n").encode())
    verdict, drift, _, _ = outcome(one(project))
    assert (verdict, drift) in {(Verdict.VALID, None), (Verdict.DRIFTED, Drift.FORMAT)}


@pytest.mark.parametrize("committed", [True, False])
def test_a_renamed_function_keeps_its_learning(project: Project, *, committed: bool) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    edit(project, replaced("def interest", "def monthly_interest"))
    if committed:
        project.git.commit()
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "bank.py::monthly_interest")


@pytest.mark.parametrize("with_git", [True, False])
def test_a_moved_file_keeps_its_learnings(project: Project, *, with_git: bool) -> None:
    for spec in ("bank.py::interest", "bank.py", "bank.py::Account::may_vote"):
        project.add(f"About {spec}.", spec)
    (project.root / "money").mkdir()
    if with_git:
        project.git.git("mv", "bank.py", "money/bank.py")
    else:
        (project.root / "bank.py").rename(project.root / "money" / "bank.py")
    assert [outcome(checked)[0] for checked in verify(project).checked] == [Verdict.RELOCATED] * 3
    assert {place(checked) for checked in verify(project).checked} == {
        "money/bank.py",
        "money/bank.py::interest",
        "money/bank.py::Account::may_vote",
    }


def test_a_file_that_was_renamed_twice_and_edited_is_followed(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    project.git.git("mv", "bank.py", "money.py")
    project.git.git("commit", "--quiet", "--message=move")
    project.git.git("mv", "money.py", "cash.py")
    edit(project, replaced("range(12)", "range(13)"), path="cash.py")
    project.git.commit()
    assert outcome(one(project)) == (Verdict.DRIFTED, Drift.BODY, None, "cash.py::interest")


def test_a_method_follows_its_class_under_a_new_name(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced("class Account", "class Person"))
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "bank.py::Person::may_vote")


def test_code_that_was_moved_to_another_file_is_found_there(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    head, _, tail = SOURCE.partition("def interest")
    project.write("bank.py", head)
    project.write("rates.py", f"import math\n\n\ndef interest{tail}")
    project.git.commit()
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "rates.py::interest")


def test_a_symbol_that_was_there_before_takes_nobodys_place(project: Project) -> None:
    twin = "def {}(rows):\n    total = 0\n    for row in rows:\n        total += row.price\n    return total\n"
    project.write("a.py", twin.format("price_of"))
    project.write("b.py", twin.format("price_of"))
    project.write("c.py", twin.format("cost_of"))
    project.git.commit()
    project.add("Prices are summed.", "a.py::price_of")
    (project.root / "a.py").unlink()
    project.git.commit()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.FILE_DELETED, None)


def test_two_places_that_may_be_meant_are_named_and_neither_is_chosen(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    head, _, tail = SOURCE.partition("def interest")
    project.write("bank.py", head)
    project.write("a.py", f"def interest{tail}")
    project.write("b.py", f"def interest{tail}")
    checked = one(project)
    assert outcome(checked) == (Verdict.INVALID, None, Reason.SYMBOL_MISSING, None)
    assert checked.judgement.candidates == ("a.py::interest", "b.py::interest")


def test_an_overload_that_goes_is_not_replaced_by_the_next(project: Project) -> None:
    first = "  int size(int a) {\n    return a * 2 + 1;\n  }\n"
    second = "  int size(String text) {\n    return text.length();\n  }\n"
    project.write("Box.java", f"class Box {{\n{first}{second}}}\n")
    project.git.commit()
    project.add("Sizes are odd.", "Box.java::Box::size")
    project.write("Box.java", f"class Box {{\n{second}}}\n")
    project.git.commit()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.SYMBOL_MISSING, None)


def test_overloads_that_change_places_keep_their_learnings(project: Project) -> None:
    first = "  int size(int a) {\n    return a * 2 + 1;\n  }\n"
    second = "  int size(String text) {\n    return text.length();\n  }\n"
    project.write("Box.java", f"class Box {{\n{first}{second}}}\n")
    project.git.commit()
    project.add("Sizes are odd.", "Box.java::Box::size")
    project.write("Box.java", f"class Box {{\n{second}{first}}}\n")
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "Box.java::Box::size#2")


@pytest.mark.parametrize(
    ("name", "longer"), [("pay", "$pay"), ("pay", "pay$"), ("pay", "_pay"), ("pay", "pay_"), ("$pay", "$payAll")]
)
def test_a_name_is_not_confused_with_a_longer_one(project: Project, name: str, longer: str) -> None:
    body = "(sum) {\n  const fee = sum * 0.03;\n  return sum + fee;\n}\n"
    other = "(sum) {\n  return sum;\n}\n"
    project.write("pay.js", f"function {name}{body}function {longer}{other}")
    project.git.commit()
    project.add("Paying costs a fee.", f"pay.js::{name}")
    assert outcome(one(project)) == (Verdict.VALID, None, None, None)
    project.write("pay.js", f"function {longer}{other}")
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.SYMBOL_MISSING, None)


def test_a_deleted_file_that_returns_heals_its_anchors(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    (project.root / "bank.py").unlink()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.FILE_DELETED, None)
    project.git.commit()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.FILE_DELETED, None)
    project.write("bank.py", SOURCE)
    assert outcome(one(project)) == (Verdict.VALID, None, None, None)


@pytest.mark.parametrize("forged", [True, False])
def test_a_save_in_the_same_second_with_the_same_size_is_noticed(project: Project, *, forged: bool) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    assert one(project).judgement.verdict is Verdict.VALID
    before = (project.root / "bank.py").stat()
    edit(project, replaced("18", "21"))
    if forged:
        os.utime(project.root / "bank.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert outcome(one(project))[:2] == (Verdict.DRIFTED, Drift.BODY)


def test_only_what_differs_from_a_revision_is_checked(project: Project) -> None:
    project.write("other.py", "def other():\n    return 1\n")
    project.add("Interest is monthly.", "bank.py::interest")
    project.add("Other returns one.", "other.py::other")
    base = project.git.commit()
    edit(project, replaced("return 1", "return 2"), path="other.py")
    project.git.commit()
    assert [one.learning.content for one in verify(project, since=base).checked] == ["Other returns one."]


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("1", ["a.py::f", "src/b.py::g"]),
        ("a.py", ["a.py::f", "a.py", "*.py"]),
        ("a.py::f", ["a.py::f"]),
        ("src", ["src/b.py::g"]),
        ("learning:2", ["a.py", "*.py"]),
    ],
)
def test_what_is_named_is_checked_alone(project: Project, named: str, expected: list[str]) -> None:
    project.write("a.py", "def f():\n    return 1\n")
    project.write("src/b.py", "def g():\n    return 1\n")
    project.git.commit()
    project.add("One.", "a.py::f", "src/b.py::g")
    project.add("Two.", "a.py", "*.py")
    found = [checked.judgement.anchor.spec for checked in verify(project, named).checked]
    assert sorted(found) == sorted(expected)


def test_a_place_that_is_gone_can_be_named(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    (project.root / "bank.py").unlink()
    assert [outcome(checked)[2] for checked in verify(project, "bank.py").checked] == [Reason.FILE_DELETED]


@pytest.mark.parametrize(
    ("scope", "error"),
    [
        (Scope(places=["nowhere.py"]), NotFound),
        (Scope(places=["99"]), NotFound),
        (Scope(places=["../outside.py"]), UsageError),
        (Scope(since="no-such-branch"), NotFound),
        (Scope(since=" "), UsageError),
    ],
)
def test_what_is_unknown_is_refused(project: Project, scope: Scope, error: type[Exception]) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    with project.open() as workspace, pytest.raises(error):
        workspace.kernel.one(Verification).run(scope)


def test_a_finding_names_the_commit_and_the_lines(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced(">= 18", "< 18"))
    breaking = project.git.commit()
    edit(project, replaced("range(12)", "range(13)"))
    project.git.commit()
    checked = one(project)
    assert checked.change is not None
    assert checked.change.commit == breaking
    assert "-        return age >= 18" in checked.difference
    assert "+        return age < 18" in checked.difference


def test_a_change_that_is_not_committed_has_no_commit(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced(">= 18", "< 18"))
    checked = one(project)
    assert (checked.change, "+        return age < 18" in checked.difference) == (None, True)


def test_reformatting_on_the_way_is_not_blamed(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced("age >= 18", "(age >= 18)"))
    project.git.commit()
    edit(project, replaced("(age >= 18)", "(age < 18)"))
    breaking = project.git.commit()
    change = one(project).change
    assert change is not None
    assert change.commit == breaking


def record(project: Project) -> str:
    [path] = (project.root / ".tx" / "learnings").iterdir()
    return path.read_text(encoding="utf-8")


def test_fixing_follows_what_was_relocated(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    edit(project, replaced("def interest", "def monthly_interest"))
    assert one(project, fix=True).mended
    assert "symbol: monthly_interest" in record(project)
    assert outcome(one(project)) == (Verdict.VALID, None, None, None)


def test_fixing_refreshes_what_drifted_mildly(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced("age >= 18", "(age >= 18)"))
    assert one(project, fix=True).mended
    assert outcome(one(project)) == (Verdict.VALID, None, None, None)


def test_fixing_does_not_touch_what_people_must_look_at(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced(">= 18", "< 18"))
    before = record(project)
    assert not one(project, fix=True).mended
    assert record(project) == before


def test_without_fixing_no_record_changes(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    edit(project, replaced("def interest", "def monthly_interest"))
    before = record(project)
    verify(project)
    assert record(project) == before


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", "src/../../outside.py"])
def test_a_record_that_leads_out_of_the_repository_is_invalid(project: Project, path: str) -> None:
    project.add("Interest is monthly.", "bank.py")
    [file] = (project.root / ".tx" / "learnings").iterdir()
    file.write_text(record(project).replace("path: bank.py", f"path: {path}"), encoding="utf-8")
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.OUTSIDE_REPOSITORY, None)


def test_lines_found_again_by_hash_alone(project: Project) -> None:
    with project.open() as workspace:
        from tx_graph.records.anchor import AnchorRequest

        stored = project.add("Interest is monthly.")
        request = AnchorRequest(path="bank.py", lines=(14, 18), type=AnchorType.HASH)
        workspace.kernel.one(Linking).link(str(stored.id), request)
    edit(project, lambda text: f"import os\n\n{text}")
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "bank.py:L16-L20")
    edit(project, replaced("total * rate / 12", "(total * rate / 12)"))
    assert outcome(one(project)) == (Verdict.RELOCATED, Drift.FORMAT, None, "bank.py:L16-L20")


def test_outside_git_verification_works_without_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path, monkeypatch)
    project.write("bank.py", SOURCE)
    (project.root / ".git").rename(tmp_path / "git")
    project.add("Interest is monthly.", "bank.py::interest")
    edit(project, replaced("def interest", "def monthly_interest"))
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "bank.py::monthly_interest")
    with project.open() as workspace, pytest.raises(RepositoryError):
        workspace.kernel.one(Verification).run(Scope(since="HEAD"))


def test_every_anchor_counts_once(project: Project) -> None:
    for spec in ("bank.py", "bank.py::interest", "bank.py::Account::may_vote", "bank.py::Account::close"):
        project.add(f"About {spec}.", spec)
    edit(project, replaced(">= 18", "< 18"))
    edit(project, replaced("def close", "def shut"))
    edit(project, replaced("total = balance", "total = (balance)"))
    summary = verify(project).summary()
    assert summary == {"valid": 0, "relocated": 1, "drifted": 2, "invalid": 0, "pinned": 0, "format": 1, "comment": 0}


def test_where_history_cannot_be_read_verdicts_do_without_and_say_so(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    edit(project, replaced("range(12)", "range(13)"))
    project.git.commit()
    for file in (project.root / ".git" / "objects").glob("??/*"):
        file.chmod(0o644)
        file.write_bytes(b"damaged")
    report = verify(project)
    assert [outcome(checked)[:2] for checked in report.checked] == [(Verdict.DRIFTED, Drift.BODY)]
    assert any("History could not be read" in notice for notice in report.notices)


def test_a_file_with_several_new_copies_is_not_known_to_be_one_of_them(project: Project) -> None:
    project.add("About the bank.", "bank.py")
    for copy in ("a.py", "b.py", "c.py"):
        project.write(f"copies/{copy}", SOURCE)
    (project.root / "bank.py").unlink()
    project.git.commit()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.FILE_DELETED, None)


def test_the_only_copy_with_the_same_name_is_where_a_file_went(project: Project) -> None:
    project.add("About the bank.", "bank.py")
    for copy in ("a.py", "bank.py", "c.py"):
        project.write(f"copies/{copy}", SOURCE)
    (project.root / "bank.py").unlink()
    project.git.commit()
    assert outcome(one(project)) == (Verdict.RELOCATED, None, None, "copies/bank.py")


def test_a_whole_file_that_changed_often_has_its_breaking_commit(project: Project) -> None:
    project.add("About the bank.", "bank.py")
    breaking = ""
    for number in range(25):
        edit(project, lambda text: text.replace("import", "# import") + f"\n\nRATE_{number} = {number}\n")  # noqa: B023
        breaking = breaking or project.git.commit()
        project.git.commit()
    change = one(project).change
    assert change is not None
    assert change.commit == breaking


def test_learnings_that_a_branch_brings_are_checked_too(project: Project) -> None:
    project.add("Interest is monthly.", "bank.py::interest")
    base = project.git.commit()
    project.add("Adults vote.", "bank.py::Account::may_vote")
    assert [one.learning.content for one in verify(project, since=base).checked] == ["Adults vote."]
    project.git.commit()
    assert [one.learning.content for one in verify(project, since=base).checked] == ["Adults vote."]


def test_a_copy_that_was_there_before_is_not_where_a_file_went(project: Project) -> None:
    project.write("copy.py", SOURCE)
    project.git.commit()
    project.add("About the bank.", "bank.py")
    (project.root / "bank.py").unlink()
    assert outcome(one(project)) == (Verdict.INVALID, None, Reason.FILE_DELETED, None)


def test_readers_are_told_what_verification_found_out(project: Project) -> None:
    project.add("About the bank.", "bank.py")
    project.git.git("mv", "bank.py", "money.py")
    edit(project, replaced("range(12)", "range(13)"), path="money.py")
    project.git.commit()

    def told() -> Standing:
        with project.open() as workspace:
            return workspace.learnings.show("1").standing

    assert told() is Standing.GONE
    verify(project)
    assert told() is Standing.DRIFTED_BODY


def test_the_size_of_the_graph_tells_what_did_not_hold(project: Project) -> None:
    for spec in ("bank.py", "bank.py::interest", "bank.py::Account::close"):
        project.add(f"About {spec}.", spec)
    edit(project, lambda text: text.partition("def interest")[0])

    def findings() -> dict[str, int]:
        with project.open() as workspace:
            return workspace.graph.stats().findings

    assert findings() == {}
    verify(project)
    assert findings() == {"drifted": 1, "invalid": 1}


def test_symbols_of_a_file_in_utf_16_can_be_anchored(project: Project) -> None:
    (project.root / "wide.py").write_bytes(SOURCE.encode("utf-16"))
    project.git.commit()
    project.add("Interest is monthly.", "wide.py::interest")
    (project.root / "wide.py").write_bytes(SOURCE.replace("range(12)", "range(13)").encode("utf-16"))
    assert outcome(one(project))[:2] == (Verdict.DRIFTED, Drift.BODY)
    assert "+    for month in range(13):" in one(project).difference


def test_what_is_no_text_is_not_shown(project: Project) -> None:
    (project.root / "image.dat").write_bytes(bytes(range(256)))
    project.git.commit()
    project.add("About the image.", "image.dat")
    (project.root / "image.dat").write_bytes(bytes(range(255)))
    checked = one(project)
    assert (outcome(checked)[0], checked.difference) == (Verdict.DRIFTED, ())


def test_a_commit_that_was_made_later_is_blamed_and_told_once(project: Project) -> None:
    project.add("Adults vote.", "bank.py::Account::may_vote")
    edit(project, replaced(">= 18", "< 18"))
    verify(project)
    commit = project.git.commit()
    verify(project)
    verify(project)
    with project.open() as workspace:
        told = [(one.event.kind, one.event.commit) for one in workspace.anchors.history("1")]
        steps = workspace.graph.show("1").steps
    assert told == [(EventKind.DRIFTED, commit)]
    assert [step.target for step in steps if step.type == "INVALIDATED_BY"] == [f"commit:{commit[:12]}"]
