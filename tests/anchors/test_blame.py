"""The commit that is named is the one that brought the finding, whatever harmless happened before and since."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.anchors.bank import SOURCE, Bank
from tx_graph.anchors.verify import Checked

INTEREST = "bank.py::interest"
FUNCTION = SOURCE[SOURCE.index("def interest") :]


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bank:
    bank = Bank(tmp_path, monkeypatch)
    bank.write("shop.py", "def sell(price):\n    return price\n")
    bank.add("Interest is monthly.", INTEREST)
    bank.git.commit(message="learn")
    return bank


def act(bank: Bank, name: str, path: str) -> str:
    """Do one thing to the code and return the path where it is then."""
    match name:
        case "body":
            bank.edit("range(12)", "range(13)", path)
        case "more":
            bank.edit("range(13)", "range(14)", path)
        case "back":
            bank.edit("range(13)", "range(12)", path)
        case "signature":
            bank.edit("(balance, rate)", "(balance, rate, fee)", path)
        case "comment":
            bank.edit("What a year brings.", "What a year costs.", path)
        case "format":
            bank.edit("total * rate", "(total * rate)", path)
        case "elsewhere":
            bank.edit(">= 18", ">= 21", path)
        case "name":
            bank.edit("def interest", "def yearly_interest", path)
        case "file":
            new = "money.py" if path == "bank.py" else "cash.py"
            bank.git.git("mv", path, new)
            return new
        case "mv":  # as an editor does it, git is not told
            (bank.root / path).rename(bank.root / "money.py")
            return "money.py"
        case "symbol":
            text = (bank.root / path).read_text(encoding="utf-8")
            function = text[text.index("def interest") :]
            bank.write(path, text.replace(function, ""))
            bank.git.write("shop.py", text="\n\n" + function)
            return "shop.py"
        case "drop":
            text = (bank.root / path).read_text(encoding="utf-8")
            bank.write(path, text[: text.index("def interest")])
        case "return":
            bank.write(path, SOURCE)
        case "again":  # another file takes the old path
            bank.write("bank.py", "def account():\n    return None\n")
        case "delete":
            (bank.root / path).unlink()
        case _:
            raise AssertionError(name)
    return path


def blamed(bank: Bank) -> Checked:
    [checked] = bank.verify().checked
    return checked


@pytest.mark.parametrize(
    "acts",
    [
        "BODY",
        "BODY file",
        "file BODY",
        "file+BODY",
        "file BODY file",
        "BODY format",
        "format BODY",
        "comment BODY elsewhere",
        "file comment BODY format file elsewhere",
        "body back BODY",
        "body back BODY file",
        "BODY more",
        "body SIGNATURE",
        "SIGNATURE body",
        "symbol BODY",
        "BODY symbol",
        "symbol+BODY",
        "file symbol BODY file",
        "name BODY",
        "BODY name",
        "file name comment BODY",
        "DROP",
        "body DROP",
        "file DROP",
        "body file DROP elsewhere",
        "file DELETE",
        "symbol DROP",
        "drop return BODY",
        "file again DROP",
        "body file again DROP",
    ],
)
def test_the_commit_in_capitals_is_named(bank: Bank, acts: str) -> None:
    path, guilty = "bank.py", ""
    for step in acts.split():
        for name in step.split("+"):
            path = act(bank, name.lower(), path)
        commit = bank.git.commit(message=step)
        guilty = commit if step.upper() == step or "+" in step else guilty
    checked = blamed(bank)
    assert checked.judgement.is_finding
    assert checked.change is not None
    assert (checked.change.commit, checked.is_uncommitted) == (guilty, False), checked.change.subject


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    "acts",
    [
        "/ BODY",
        "file elsewhere / BODY",
        "body back / BODY",
        "format / BODY",
        "body / SIGNATURE",
        "BODY / more",
        "BODY / format",
        "BODY / file",
        "BODY / mv",
        "BODY / mv elsewhere",
        "/ file BODY",
        "/ mv BODY",
        "/ DROP",
        "/ DELETE",
        "file / DELETE",
        "DROP / elsewhere",
        "symbol / BODY",
        "symbol / DROP",
    ],
)
def test_what_is_not_committed_yet_is_said_to_be_that(bank: Bank, acts: str, *, staged: bool) -> None:
    """After the stroke nothing is committed."""
    committed, _, loose = acts.partition("/")
    path, guilty = "bank.py", None
    for step in committed.split():
        path = act(bank, step.lower(), path)
        commit = bank.git.commit(message=step)
        guilty = commit if step.isupper() else guilty
    for step in loose.split():
        path = act(bank, step.lower(), path)
    if staged:
        bank.git.git("add", "--all")
    checked = blamed(bank)
    assert checked.judgement.is_finding
    assert (checked.change and checked.change.commit, checked.is_uncommitted) == (guilty, guilty is None)


@pytest.mark.parametrize("where", ["side", "main", "merge"])
@pytest.mark.parametrize("rename", [False, True])
def test_a_merge_brings_only_what_none_of_its_parents_had(bank: Bank, where: str, *, rename: bool) -> None:
    git, guilty = bank.git, ""
    git.git("checkout", "-q", "-b", "side")
    bank.edit("return age", "return  age")
    if where == "side":
        bank.edit("range(12)", "range(13)")
        guilty = git.commit(message="side")
    git.commit(message="of side")
    git.git("checkout", "-q", "-")
    if where == "main":
        bank.edit("range(12)", "range(13)")
        guilty = git.commit(message="main")
    bank.edit("class Account", "import os\n\nclass Account")
    git.commit(message="of main")
    git.git("merge", "-q", "--no-commit", "side")
    if where == "merge":
        bank.edit("range(12)", "range(13)")
    merge = git.commit(message="merge")
    if rename:
        act(bank, "file", "bank.py")
        git.commit(message="rename")
    change = blamed(bank).change
    assert change is not None
    assert change.commit == (guilty or merge), change.subject


def test_what_was_never_committed_as_it_was_anchored_has_no_culprit(bank: Bank) -> None:
    bank.edit("range(12)", "range(13)")
    bank.confirm()
    bank.edit("range(13)", "range(12)")
    assert (blamed(bank).change, blamed(bank).is_uncommitted) == (None, False)
    bank.edit("range(12)", "range(14)")
    assert (blamed(bank).change, blamed(bank).is_uncommitted) == (None, True)


def test_a_shallow_clone_says_that_history_ends(bank: Bank, tmp_path: Path) -> None:
    path = act(bank, "body", "bank.py")
    bank.git.commit()
    bank.git.commit(path, message="elsewhere")
    clone = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{bank.root}", clone], check=True)
    bank.root = clone
    report = bank.verify()
    [checked] = report.checked
    assert checked.judgement.is_finding
    assert (checked.change, checked.is_uncommitted) == (None, False)
    assert any("shallow" in notice for notice in report.notices)


@pytest.mark.parametrize("spec", ["bank.py", "bank.py:L5-L10"])
def test_files_and_lines_are_followed_through_renames_too(bank: Bank, spec: str) -> None:
    bank.add("Another.", spec)
    bank.git.commit()
    act(bank, "file", "bank.py")
    bank.git.commit()
    act(bank, "body", "money.py")
    guilty = bank.git.commit()
    act(bank, "format", "money.py")
    bank.git.commit()
    [checked] = [one for one in bank.verify().checked if one.judgement.anchor.spec == spec]
    assert checked.judgement.is_finding
    assert checked.change is not None
    assert checked.change.commit == guilty
