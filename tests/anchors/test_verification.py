"""Verification: anchors are judged by what changed, followed where that is certain, and never guessed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.anchors.bank import Bank
from tx_graph.anchors.verdict import EventKind, Standing, Verdict
from tx_graph.anchors.verify import Checked
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.records.anchor import AnchorRequest, AnchorType, Drift, Reason

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

Outcome = tuple[Verdict, Drift | None, Reason | None, str | None]
VALID: Outcome = (Verdict.VALID, None, None, None)
FILE_GONE: Outcome = (Verdict.INVALID, None, Reason.FILE_DELETED, None)
SYMBOL_GONE: Outcome = (Verdict.INVALID, None, Reason.SYMBOL_MISSING, None)


def relocated(place: str, drift: Drift | None = None) -> Outcome:
    return (Verdict.RELOCATED, drift, None, place)


def drifted(drift: Drift, place: str | None = None) -> Outcome:
    return (Verdict.DRIFTED, drift, None, place)


@pytest.fixture(scope="session")
def first_project(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return Bank(tmp_path_factory.mktemp("bank"), monkeypatch, SOURCE)


@pytest.fixture
def project(first_project: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank about which nothing was learned yet."""
    return first_project.copied(tmp_path, monkeypatch)


def one(project: Bank, *, fix: bool = False) -> Checked:
    [checked] = project.verify(fix=fix).checked
    return checked


def place(checked: Checked) -> str | None:
    there = checked.judgement.relocated_to
    return there.spec if there else None


def outcome(project: Bank) -> Outcome:
    checked = one(project)
    judgement = checked.judgement
    return (judgement.verdict, judgement.drift, judgement.reason, place(checked))


HEAD, _, TAIL = SOURCE.partition("def interest")
TWIN = "def {}(rows):\n    total = 0\n    for row in rows:\n        total += row.price\n    return total\n"
INT_SIZE = "  int size(int a) {\n    return a * 2 + 1;\n  }\n"
TEXT_SIZE = "  int size(String text) {\n    return text.length();\n  }\n"
BOX = "class Box {{\n{}}}\n"
Files = Mapping[str, str | None]


def write(project: Bank, files: Files) -> None:
    """Write files, and delete those without text."""
    for path, text in files.items():
        if text is None:
            (project.root / path).unlink()
        else:
            project.write(path, text)


GONE, AFTER_CLASS = {"bank.py": None}, {"bank.py": HEAD}
SIZES = {"Box.java": BOX.format(INT_SIZE + TEXT_SIZE)}
SIZE, MAY_VOTE, INTEREST = "Box.java::Box::size", "bank.py::Account::may_vote", "bank.py::interest"
PRICES = {"a.py": TWIN.format("price_of"), "b.py": TWIN.format("price_of"), "c.py": TWIN.format("cost_of")}
FOLLOWED: dict[str, tuple[Files, str, Files, Outcome]] = {
    "a renamed function keeps its learning": (
        *({}, INTEREST, {"bank.py": SOURCE.replace("def interest", "def gain")}),
        relocated("bank.py::gain"),
    ),
    "a method follows its class under a new name": (
        *({}, MAY_VOTE, {"bank.py": SOURCE.replace("class Account", "class Person")}),
        relocated("bank.py::Person::may_vote"),
    ),
    "code that was moved to another file is found there": (
        *({}, INTEREST, AFTER_CLASS | {"rates.py": f"import math\n\n\ndef interest{TAIL}"}),
        relocated("rates.py::interest"),
    ),
    "a symbol that was there before takes nobody's place": (PRICES, "a.py::price_of", {"a.py": None}, FILE_GONE),
    "an overload that goes is not replaced by the next": (
        SIZES,
        SIZE,
        {"Box.java": BOX.format(TEXT_SIZE)},
        SYMBOL_GONE,
    ),
    "overloads that change places keep their learnings": (
        *(SIZES, SIZE, {"Box.java": BOX.format(TEXT_SIZE + INT_SIZE)}),
        relocated(f"{SIZE}#2"),
    ),
    "a deleted file is gone": ({}, INTEREST, GONE, FILE_GONE),
    "with several new copies no one is known to be the file": (
        *({}, "bank.py", GONE | {"copies/a.py": SOURCE, "copies/b.py": SOURCE}),
        FILE_GONE,
    ),
    "a copy that was there before is not where a file went": ({"copy.py": SOURCE}, "bank.py", GONE, FILE_GONE),
}


AGE = "class Voter:\n    def age(self):\n        return 18\n"
LIGHT: dict[str, tuple[Files, str, Files]] = {
    "a number that is returned": (
        *({"a.py": AGE}, "a.py::Voter::age"),
        {"a.py": None, "b.py": AGE.replace("Voter", "Page").replace("age(", "margin(")},
    ),
    "a body that does nothing": (
        *({"a.py": "class Job:\n    def stop(self):\n        pass\n"}, "a.py::Job::stop"),
        {"a.py": None, "b.py": "class Door:\n    def knock(self):\n        pass\n"},
    ),
    "an empty constructor, which has the same name everywhere": (
        *({"a.py": "class Cart:\n    def __init__(self):\n        pass\n"}, "a.py::Cart::__init__"),
        {"a.py": None, "b.py": "class Kite:\n    def __init__(self):\n        pass\n"},
    ),
    "what is alike in many places": (
        {"a.py": TWIN.format("cost"), "b.py": TWIN.format("fee"), "c.py": TWIN.format("sum_of")},
        *("a.py::cost", {"a.py": None, "d.py": "LIMIT = 3\n" * 9 + TWIN.format("weight")}),
    ),
}


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("rule", LIGHT)
def test_light_code_is_not_found_under_another_name_in_another_file(
    project: Bank, rule: str, *, committed: bool
) -> None:
    before, spec, after = LIGHT[rule]
    write(project, before)
    project.git.commit()
    project.add("Something.", spec)
    records = project.records()
    write(project, after)
    if committed:
        project.git.commit()
    checked = one(project, fix=True)
    assert (checked.judgement.verdict, checked.mended, project.records()) == (Verdict.INVALID, False, records)
    assert [candidate.partition("::")[0] for candidate in checked.judgement.candidates] == [list(after)[1]]


def test_light_code_is_found_in_its_file_and_under_its_whole_name(project: Bank) -> None:
    write(project, {"a.py": AGE, "b.py": AGE.replace("Voter", "Driver")})
    project.git.commit()
    project.add("Eighteen.", "a.py::Voter::age", "b.py::Driver::age")
    write(project, {"a.py": None, "c.py": AGE, "b.py": AGE.replace("Voter", "Driver").replace("age", "least")})
    project.git.commit()
    assert {place(checked) for checked in project.verify().checked} == {"c.py::Voter::age", "b.py::Driver::least"}


INTEREST_CODE = f"def interest{TAIL}"


@pytest.mark.parametrize("known", ["committed", "uncommitted", "not at all"])
def test_code_that_was_copied_and_then_deleted_is_found_unless_the_copy_is_older_than_the_anchor(
    project: Bank, known: str
) -> None:
    project.add("Interest is monthly.", INTEREST)
    if known != "uncommitted":
        project.git.commit()
    if known == "not at all":
        rewritten = "\n".join(line for line in record(project).splitlines() if "commit:" not in line)
        project.rewrite_record(record(project), f"{rewritten}\n")
    for files in ({"rates.py": INTEREST_CODE}, AFTER_CLASS):
        write(project, files)
        project.git.commit()
    assert outcome(project) == (SYMBOL_GONE if known == "not at all" else relocated("rates.py::interest"))


def record(project: Bank) -> str:
    [text] = project.records().values()
    return text.decode()


def test_a_copy_that_was_there_when_the_anchor_was_taken_is_not_where_code_went(project: Bank) -> None:
    write(project, {"rates.py": INTEREST_CODE})
    project.git.commit()
    project.add("Interest is monthly.", INTEREST)
    write(project, {"other.py": "LIMIT = 3\n"})
    project.git.commit()
    project.git.git("mv", "rates.py", "money.py")
    project.git.commit()
    project.git.git("mv", "money.py", "cash.py")
    write(project, AFTER_CLASS)
    project.git.commit()
    assert outcome(project) == SYMBOL_GONE


EDITED = INTEREST_CODE.replace("range(12)", "range(steps)").replace("(balance, rate)", "(balance, rate, steps=12)")
REWRITTEN = "def interest(account):\n    yearly = account.yearly()\n    return sum(map(account.bonus, yearly))\n"


@pytest.mark.parametrize("last", ["uncommitted", "moved", "edited again", "moved again"])
def test_the_only_one_of_its_name_that_was_edited_and_moved_is_followed_commit_by_commit(
    project: Bank, last: str
) -> None:
    project.add("Interest is monthly.", INTEREST)
    project.git.commit()
    half = EDITED.replace("total += total * rate / 12", "total += bonus(total, rate)")
    write(project, AFTER_CLASS | {"rates.py": f"def bonus(total, rate):\n    return rate\n\n\n{half}"})
    where = "rates.py"
    if last != "uncommitted":
        project.git.commit()
    if last in ("edited again", "moved again"):
        write(project, {"rates.py": REWRITTEN})
        project.git.commit()
    if last == "moved again":
        write(project, {"rates.py": "LIMIT = 3\n", "money.py": REWRITTEN})
        project.git.commit()
        where = "money.py"
    assert outcome(project) == drifted(Drift.SIGNATURE, f"{where}::interest")


def test_one_that_came_with_what_was_deleted_and_is_nothing_like_it_is_another(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    project.git.commit()
    write(project, AFTER_CLASS | {"rates.py": REWRITTEN})
    project.git.commit()
    assert outcome(project) == SYMBOL_GONE


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("rule", FOLLOWED)
def test_code_is_followed_where_that_is_certain(project: Bank, rule: str, *, committed: bool) -> None:
    before, spec, after, expected = FOLLOWED[rule]
    write(project, before)
    project.git.git("add", "--all")
    project.git.git("commit", "--quiet", "--allow-empty", "--message=before")
    project.add("Something.", spec)
    write(project, after)
    if committed:
        project.git.commit()
    assert outcome(project) == expected


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
    project: Bank, old: str, new: str, drift: Drift, *, committed: bool
) -> None:
    project.add("Adults vote.", MAY_VOTE)
    project.edit(old, new)
    if committed:
        project.git.commit()
    assert outcome(project) == drifted(drift)
    assert one(project).judgement.is_finding is drift.counts


@pytest.mark.parametrize("with_git", [True, False])
def test_a_moved_file_keeps_its_learnings(project: Bank, *, with_git: bool) -> None:
    for spec in (INTEREST, "bank.py", MAY_VOTE):
        project.add(f"About {spec}.", spec)
    (project.root / "money").mkdir()
    if with_git:
        project.git.git("mv", "bank.py", "money/bank.py")
    else:
        (project.root / "bank.py").rename(project.root / "money" / "bank.py")
    assert [checked.judgement.verdict for checked in project.verify().checked] == [Verdict.RELOCATED] * 3
    assert {place(checked) for checked in project.verify().checked} == {
        "money/bank.py",
        "money/bank.py::interest",
        "money/bank.py::Account::may_vote",
    }


def test_a_file_that_was_renamed_twice_and_edited_is_followed(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    project.git.git("mv", "bank.py", "money.py")
    project.git.git("commit", "--quiet", "--message=move")
    project.git.git("mv", "money.py", "cash.py")
    project.edit("range(12)", "range(13)", path="cash.py")
    project.git.commit()
    assert outcome(project) == drifted(Drift.BODY, "cash.py::interest")


def test_two_places_that_may_be_meant_are_named_and_neither_is_chosen(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    write(project, {"bank.py": HEAD, "a.py": f"def interest{TAIL}", "b.py": f"def interest{TAIL}"})
    assert outcome(project) == SYMBOL_GONE
    assert one(project).judgement.candidates == ("a.py::interest", "b.py::interest")


@pytest.mark.parametrize(
    ("name", "longer"), [("pay", "$pay"), ("pay", "pay$"), ("pay", "_pay"), ("pay", "pay_"), ("$pay", "$payAll")]
)
def test_a_name_is_not_confused_with_a_longer_one(project: Bank, name: str, longer: str) -> None:
    body = "(sum) {\n  const fee = sum * 0.03;\n  return sum + fee;\n}\n"
    other = "(sum) {\n  return sum;\n}\n"
    project.write("pay.js", f"function {name}{body}function {longer}{other}")
    project.git.commit()
    project.add("Paying costs a fee.", f"pay.js::{name}")
    assert outcome(project) == VALID
    project.write("pay.js", f"function {longer}{other}")
    assert outcome(project) == SYMBOL_GONE


def test_only_what_differs_from_a_revision_is_checked(project: Bank) -> None:
    project.write("other.py", "def other():\n    return 1\n")
    project.add("Interest is monthly.", INTEREST)
    project.add("Other returns one.", "other.py::other")
    base = project.git.commit()
    project.edit("return 1", "return 2", path="other.py")
    project.git.commit()
    assert [one.learning.content for one in project.verify(since=base).checked] == ["Other returns one."]


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
def test_what_is_named_is_checked_alone(project: Bank, named: str, expected: list[str]) -> None:
    project.write("a.py", "def f():\n    return 1\n")
    project.write("src/b.py", "def g():\n    return 1\n")
    project.git.commit()
    project.add("One.", "a.py::f", "src/b.py::g")
    project.add("Two.", "a.py", "*.py")
    found = [checked.judgement.anchor.spec for checked in project.verify(named).checked]
    assert sorted(found) == sorted(expected)


def test_a_place_that_is_gone_can_be_named(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    (project.root / "bank.py").unlink()
    assert [checked.judgement.reason for checked in project.verify("bank.py").checked] == [Reason.FILE_DELETED]


@pytest.mark.parametrize(
    ("places", "since", "error"),
    [
        (["nowhere.py"], None, NotFound),
        (["99"], None, NotFound),
        (["../outside.py"], None, UsageError),
        ([], "no-such-branch", NotFound),
        ([], " ", UsageError),
    ],
)
def test_what_is_unknown_is_refused(
    project: Bank, places: list[str], since: str | None, error: type[Exception]
) -> None:
    project.add("Interest is monthly.", INTEREST)
    with pytest.raises(error):
        project.verify(*places, since=since)


def test_a_finding_names_the_lines_and_once_there_is_one_the_commit(project: Bank) -> None:
    project.add("Adults vote.", MAY_VOTE)
    project.edit(">= 18", "< 18")
    assert (one(project).change, "+        return age < 18" in one(project).difference) == (None, True)
    breaking = project.git.commit()
    project.edit("range(12)", "range(13)")
    project.git.commit()
    checked = one(project)
    assert checked.change is not None
    assert checked.change.commit == breaking
    assert "-        return age >= 18" in checked.difference
    assert "+        return age < 18" in checked.difference


def test_reformatting_on_the_way_is_not_blamed(project: Bank) -> None:
    project.add("Adults vote.", MAY_VOTE)
    project.edit("age >= 18", "(age >= 18)")
    project.git.commit()
    project.edit("(age >= 18)", "(age < 18)")
    breaking = project.git.commit()
    change = one(project).change
    assert change is not None
    assert change.commit == breaking


@pytest.mark.parametrize(
    ("spec", "old", "new", "mended"),
    [
        pytest.param(INTEREST, "def interest", "def monthly_interest", True, id="what was relocated is followed"),
        pytest.param(MAY_VOTE, "age >= 18", "(age >= 18)", True, id="what drifted mildly is refreshed"),
        pytest.param(MAY_VOTE, ">= 18", "< 18", False, id="what people must look at is left alone"),
    ],
)
def test_fixing_writes_records_and_looking_does_not(
    project: Bank, spec: str, old: str, new: str, *, mended: bool
) -> None:
    project.add("Something.", spec)
    project.edit(old, new)
    before = project.records()
    assert (project.verify().checked[0].mended, project.records()) == (False, before)
    assert one(project, fix=True).mended is mended
    assert (project.records() != before, outcome(project) == VALID) == (mended, mended)


def test_lines_found_again_by_hash_alone(project: Bank) -> None:
    project.add("Interest is monthly.")
    project.link(AnchorRequest(path="bank.py", lines=(14, 18), type=AnchorType.HASH))
    project.write("bank.py", f"import os\n\n{SOURCE}")
    assert outcome(project) == relocated("bank.py:L16-L20")
    project.edit("total * rate / 12", "(total * rate / 12)")
    assert outcome(project) == relocated("bank.py:L16-L20", Drift.FORMAT)


def test_outside_git_verification_works_without_history(project: Bank) -> None:
    (project.root / ".git").rename(project.root.parent / "git")
    project.add("Interest is monthly.", INTEREST)
    project.edit("def interest", "def monthly_interest")
    assert outcome(project) == relocated("bank.py::monthly_interest")
    with pytest.raises(RepositoryError):
        project.verify(since="HEAD")


def test_every_anchor_counts_once(project: Bank) -> None:
    for spec in ("bank.py", INTEREST, MAY_VOTE, "bank.py::Account::close"):
        project.add(f"About {spec}.", spec)
    project.edit(">= 18", "< 18")
    project.edit("def close", "def shut")
    project.edit("total = balance", "total = (balance)")
    summary = project.verify().summary()
    assert summary == {
        "valid": 0,
        "relocated": 1,
        "drifted": 2,
        "invalid": 0,
        "pinned": 0,
        "reserve": 0,
        "format": 1,
        "comment": 0,
    }


def test_where_history_cannot_be_read_verdicts_do_without_and_say_so(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    project.edit("range(12)", "range(13)")
    project.git.commit()
    for file in (project.root / ".git" / "objects").glob("??/*"):
        file.chmod(0o644)
        file.write_bytes(b"damaged")
    assert outcome(project) == drifted(Drift.BODY)
    assert any("History could not be read" in notice for notice in project.verify().notices)


def test_the_only_copy_with_the_same_name_is_where_a_file_went(project: Bank) -> None:
    project.add("About the bank.", "bank.py")
    for copy in ("a.py", "bank.py", "c.py"):
        project.write(f"copies/{copy}", SOURCE)
    (project.root / "bank.py").unlink()
    project.git.commit()
    assert outcome(project) == relocated("copies/bank.py")


def test_a_whole_file_that_changed_often_has_its_breaking_commit(project: Bank) -> None:
    project.add("About the bank.", "bank.py")
    breaking = ""
    for number in range(25):
        project.write("bank.py", f"{SOURCE}\n\nRATE_{number} = {number}\n")
        breaking = breaking or project.git.commit()
        project.git.commit()
    change = one(project).change
    assert change is not None
    assert change.commit == breaking


def test_learnings_that_a_branch_brings_are_checked_too(project: Bank) -> None:
    project.add("Interest is monthly.", INTEREST)
    base = project.git.commit()
    project.add("Adults vote.", MAY_VOTE)
    assert [one.learning.content for one in project.verify(since=base).checked] == ["Adults vote."]
    project.git.commit()
    assert [one.learning.content for one in project.verify(since=base).checked] == ["Adults vote."]


def test_readers_are_told_what_verification_found_out(project: Bank) -> None:
    project.add("About the bank.", "bank.py")
    project.git.git("mv", "bank.py", "money.py")
    project.edit("range(12)", "range(13)", path="money.py")
    project.git.commit()

    def told() -> Standing:
        with project.open() as workspace:
            return workspace.learnings.show("1").standing

    assert told() is Standing.GONE
    project.verify()
    assert told() is Standing.DRIFTED_BODY


def test_the_size_of_the_graph_tells_what_did_not_hold(project: Bank) -> None:
    for spec in ("bank.py", INTEREST, "bank.py::Account::close"):
        project.add(f"About {spec}.", spec)
    project.write("bank.py", HEAD)

    def findings() -> dict[str, int]:
        with project.open() as workspace:
            return workspace.graph.stats().findings

    assert findings() == {}
    project.verify()
    assert findings() == {"drifted": 1, "invalid": 1}


def test_symbols_of_a_file_in_utf_16_can_be_anchored(project: Bank) -> None:
    (project.root / "wide.py").write_bytes(SOURCE.encode("utf-16"))
    project.git.commit()
    project.add("Interest is monthly.", "wide.py::interest")
    (project.root / "wide.py").write_bytes(SOURCE.replace("range(12)", "range(13)").encode("utf-16"))
    assert outcome(project) == drifted(Drift.BODY)
    assert "+    for month in range(13):" in one(project).difference


def test_what_is_no_text_is_not_shown(project: Bank) -> None:
    (project.root / "image.dat").write_bytes(bytes(range(256)))
    project.git.commit()
    project.add("About the image.", "image.dat")
    (project.root / "image.dat").write_bytes(bytes(range(255)))
    checked = one(project)
    assert (checked.judgement.verdict, checked.difference) == (Verdict.DRIFTED, ())


def test_a_commit_that_was_made_later_is_blamed_and_told_once(project: Bank) -> None:
    project.add("Adults vote.", MAY_VOTE)
    project.edit(">= 18", "< 18")
    project.verify()
    commit = project.git.commit()
    project.verify()
    project.verify()
    with project.open() as workspace:
        told = [(one.event.kind, one.event.commit) for one in workspace.anchors.history("1")]
        steps = workspace.graph.show("1").steps
    assert told == [(EventKind.DRIFTED, commit)]
    assert [step.target for step in steps if step.type == "INVALIDATED_BY"] == [f"commit:{commit[:12]}"]
