"""The reports of `tx review` for CI: valid by the schemas of graph:verify, whatever a change has in it."""

from __future__ import annotations

import json

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.faces.cli.verification.test_severity import checked_junit, reports
from tests.faces.cli.verification.workflow_commands import annotated

STRANGE = "src/größe, maß: 100% und mehr.py"
SIZE = "def size():\n    return 14\n"


@pytest.fixture
def changed(checkout: Checkout, tx: CommandLine) -> Checkout:
    """A change of a file with CRLF, of a strange path, of one that moves, of one that goes and of a binary one."""
    for path, text in {STRANGE: SIZE, "src/moving.py": SIZE, "src/going.py": f"import os, sys\n\n\n{SIZE}"}.items():
        checkout.write(path, text)
    checkout.write("src/windows.py", SIZE.replace("\n", "\r\n"))
    (checkout.root / "logo.png").write_bytes(b"\x89PNG\r\n\0\xff")
    checkout.write("README.md", "Call `going.size` of src/going.py.\n")
    checkout.git("add", "--all")
    for path in (STRANGE, "src/moving.py", "src/going.py", "src/windows.py"):
        tx.ok("learning:add", f"A size is 14 in {path}", "--anchor", f"{path}::size")
    checkout.commit("Learn more")
    for path in (STRANGE, "src/windows.py"):
        checkout.edit("14", "15", path=path)
    checkout.git("mv", "src/moving.py", "src/moved to.py")
    checkout.git("rm", "--quiet", "src/going.py")
    (checkout.root / "logo.png").write_bytes(b"\x89PNG\r\n\0\xfe")
    checkout.git("add", "--all")
    return checkout


@pytest.mark.parametrize("way", [(), ("--staged",), ("--since", "HEAD")], ids=["tree", "staged", "since"])
def test_every_form_is_valid_and_names_the_same_places(
    tx: CommandLine, changed: Checkout, way: tuple[str, ...]
) -> None:
    told = reports(tx, *way, command="review")
    assert told["status"] == 1
    untrue = {one["path"]: one["concern"] for one in told["json"]["untrue"]}
    assert untrue.keys() == {STRANGE, "src/windows.py", "src/going.py", "README.md"}
    (record,) = (changed.root / ".tx" / "learnings").glob("*going-py.md")  # no line of a file that is gone can be shown
    shown = (untrue.keys() - {"src/going.py"}) | {f".tx/learnings/{record.name}"}
    assert {one.file for one in annotated(told["github"])} == shown
    assert len(told["gitlab"]) == len(told["sarif"]) == told["failures"] == len(untrue)
    assert len(told["json"]["changed"]) == 5
    assert all("\r" not in told[form] for form in ("text", "github"))


def test_a_record_that_cannot_be_read_is_a_failure_in_every_form(tx: CommandLine, checkout: Checkout) -> None:
    record = checkout.record
    record.write_text(record.read_text(encoding="utf-8").replace("uid:", "yuid:"), encoding="utf-8")
    told = reports(tx, command="review")
    assert (told["status"], told["failures"], told["gitlab"]) == (1, 1, [("tx/unreadable-record", "blocker")])
    (command,) = annotated(told["github"])
    assert (command.level, command.file) == ("error", f".tx/learnings/{record.name}")
    assert told["sarif"] == [("tx/unreadable-record", "error", None)]
    assert told["json"]["summary"]["unread"] == 1


def test_a_clean_tree_is_an_empty_report_in_every_form(tx: CommandLine, checkout: Checkout) -> None:
    told = reports(tx, command="review")
    assert (told["status"], told["gitlab"], told["sarif"], told["failures"]) == (0, [], [], 0)
    assert checkout.git("status", "--porcelain") == ""
    assert json.loads(tx("review", "--format", "gitlab").out) == []
    assert checked_junit(tx("review", "--format", "junit").out).attrib["tests"] == "0"
