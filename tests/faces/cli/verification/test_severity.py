"""What fails the gate and what is only told: severities, what was known before, records that cannot be read."""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import fastjsonschema
import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.faces.cli.verification.test_sarif import SCHEMA
from tests.faces.cli.verification.workflow_commands import annotated

LOGOUT = "src/auth.py::logout"
FORMS = ("text", "json", "github", "gitlab", "sarif", "junit")

CODE_QUALITY: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "pattern": "^tx/[a-z-]+$"},
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^/]"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {
                            "begin": {"type": "integer", "minimum": 1},
                            "end": {"type": "integer", "minimum": 1},
                        },
                    },
                },
            },
        },
    },
}
"""What GitLab reads of a report of code quality, by its documentation."""


def checked_junit(text: str) -> ET.Element:
    """Return a report whose elements, attributes and counts are those of the usual JUnit schema."""
    suites = ET.fromstring(text)
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    assert {"name", "tests", "failures", "errors", "skipped"} <= suite.attrib.keys()
    cases = suite.findall("testcase")
    assert all({"name", "classname"} <= case.attrib.keys() for case in cases)
    told = [child for case in cases for child in case]
    assert {child.tag for child in told} <= {"failure", "skipped", "system-out"}
    assert all(child.get("message") for child in told if child.tag != "system-out")
    counts = [len(cases), *(sum(child.tag == tag for child in told) for tag in ("failure", "skipped"))]
    assert counts == [int(suite.attrib[name]) for name in ("tests", "failures", "skipped")]
    assert [child.tag for child in suite][len(cases) :] == ["system-out"]
    return suite


@cache
def validators() -> Any:  # noqa: ANN401 - generated functions
    """Return what validates a report of GitLab and one of SARIF; to make the latter takes seconds."""
    official = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return fastjsonschema.compile(CODE_QUALITY), fastjsonschema.compile(official)


def reports(tx: CommandLine, *options: str, command: str = "graph:verify") -> dict[str, Any]:
    """Return what each form says, valid by its schema, all with the same exit status."""
    told = {form: tx(command, "--format", form, *options) for form in FORMS}
    assert len({one.status for one in told.values()}) == 1
    gitlab, sarif = (json.loads(told[form].out) for form in ("gitlab", "sarif"))
    validators()[0](gitlab)
    validators()[1](sarif)
    return {
        "status": told["text"].status,
        "text": told["text"].out,
        "json": told["json"].document,
        "github": told["github"].out,
        "gitlab": [(one["check_name"], one["severity"]) for one in gitlab],
        "sarif": [(one["ruleId"], one["level"], one.get("baselineState")) for one in sarif["runs"][0]["results"]],
        "failures": int(checked_junit(told["junit"].out).attrib["failures"]),
    }


def test_a_record_that_cannot_be_read_is_a_failure_in_every_form(tx: CommandLine, checkout: Checkout) -> None:
    record = checkout.record
    record.write_text(record.read_text(encoding="utf-8").replace("uid:", "yuid:"), encoding="utf-8")
    told = reports(tx)
    assert told["status"] == 1
    (command,) = annotated(told["github"])
    assert (command.level, command.file) == ("error", f".tx/learnings/{record.name}")
    assert told["gitlab"] == [("tx/unreadable-record", "blocker")]
    assert told["sarif"] == [("tx/unreadable-record", "error", None)]
    assert told["failures"] == 1
    assert [one["path"] for one in told["json"]["unread"]] == [f".tx/learnings/{record.name}"]
    assert "1 record cannot be read." in told["text"]
    told = reports(tx, "--fail-on", "never")
    assert (told["status"], told["failures"]) == (0, 0)


@pytest.mark.parametrize("selector", ["category:gotcha", "src/*.py"])
def test_a_warning_is_told_and_fails_nothing_and_what_is_off_is_counted(
    tx: CommandLine, checkout: Checkout, selector: str
) -> None:
    tx.ok("learning:edit", "1", "--category", "gotcha")
    checkout.edit(">= 18", "< 18")
    told = reports(tx)
    assert (told["status"], told["gitlab"], told["failures"]) == (1, [("tx/drifted-body", "major")], 1)
    tx.ok("config", "set", "verify.warn", selector)
    told = reports(tx)
    assert (told["status"], told["failures"]) == (0, 0)
    assert told["gitlab"] == [("tx/drifted-body", "info")]
    assert told["sarif"] == [("tx/drifted-body", "note", None)]
    assert "drifted:body  src/auth.py::login  (warning)" in told["text"]
    assert told["text"].endswith("1 finding: 1 warning.\n")
    assert [one.level for one in annotated(told["github"])] == ["notice"]
    assert told["json"]["anchors"][0]["severity"] == "warning"
    tx.ok("config", "set", "verify.off", selector)
    assert reports(tx)["text"].endswith("1 finding: 1 warning.\n"), "the most serious counts"
    tx.ok("config", "set", "verify.warn", "[]")
    told = reports(tx)
    assert (told["status"], told["gitlab"], told["sarif"], annotated(told["github"])) == (0, [], [], [])
    assert told["text"] == "1 anchor: 1 drifted.\n1 finding: 1 off.\n"
    assert told["json"]["findings"] == {"all": 1, "errors": 0, "warnings": 0, "off": 1, "new": None}
    tx.ok("config", "set", "verify.error", "category:gotcha")
    assert reports(tx)["status"] == 1


def test_only_what_is_new_against_the_base_branch_fails(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Out is out", "--anchor", LOGOUT)
    checkout.commit()
    checkout.edit(">= 18", "< 18")
    checkout.commit("Merged past the gate")
    checkout.git("branch", "base")
    checkout.write("src/note.py", "# something else\n")
    checkout.commit()
    told = reports(tx, "--new-only", "--base", "base")
    assert (told["status"], told["failures"]) == (0, 0)
    assert told["text"].endswith("1 finding, 0 new against base.\n")
    assert "drifted:body  src/auth.py::login  (known)" in told["text"]
    assert told["sarif"] == [("tx/drifted-body", "warning", "unchanged")]
    assert annotated(told["github"]) == []
    checkout.edit('"USER"', '"NAME"')
    told = reports(tx, "--new-only", "--base", "base")
    assert (told["status"], told["failures"]) == (1, 1)
    assert told["text"].endswith("2 findings, 1 new against base: 1 error.\n")
    checkout.edit('"NAME"', '"USER"')
    checkout.edit("< 18", "< 16")
    assert reports(tx, "--new-only", "--base", "base")["status"] == 1, "this change touched it once more"
    checkout.git("add", "--all")
    checkout.edit("< 16", "< 18")
    assert tx("graph:verify", "--staged", "--new-only", "--base", "base").status == 1
    assert tx("graph:verify", "--new-only", "--base", "base").status == 0


def test_a_baseline_is_a_file_of_what_is_known(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    options = ("--baseline", "known.json")
    assert tx("graph:verify", *options).status == 3
    assert tx("graph:verify", *options, "--write-baseline").status == 0
    outcome = tx("graph:verify", *options)
    assert (outcome.status, outcome.out.splitlines()[-1]) == (0, "1 finding, 0 new against known.json.")
    checkout.edit("age < 18", "age<18")
    assert tx("graph:verify", *options).status == 0, "formatting makes no other finding of it"
    checkout.edit("age<18", "age < 17")
    assert tx("graph:verify", *options).status == 1
    checkout.write("known.json", "[]")
    assert (tx("graph:verify", *options).status, tx("graph:verify", "--write-baseline").status) == (2, 2)
    assert tx("graph:verify", "--base", "main").status == 2
