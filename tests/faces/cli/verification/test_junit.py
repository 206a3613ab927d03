"""--format junit: one test for each anchor, in a form that viewers load."""

from __future__ import annotations

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from tests.faces.cli.terminal import Checkout, CommandLine, Program


def suite_of(tx: CommandLine, *options: str) -> TestSuite:
    """Return the one suite of the report."""
    report = JUnitXml.fromstring(tx("graph:verify", "--format", "junit", *options).out.encode("ascii"))
    (suite,) = report
    assert (report.tests, report.failures, report.errors) == (suite.tests, suite.failures, suite.errors)
    return suite


def case_of(tx: CommandLine, *options: str) -> TestCase:
    """Return the one test of the report."""
    (case,) = suite_of(tx, *options)
    return case


def test_what_holds_is_a_test_that_passed(tx: CommandLine, checkout: Checkout) -> None:
    case = case_of(tx)
    uid = checkout.record.name.partition("-")[0]
    assert (case.classname, case.name) == (f"learnings.{uid}", "src/auth.py::login (symbol): Only adults may enter")
    assert case.is_passed


def test_a_finding_is_a_failure_with_the_lines_that_broke_it(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    suite = suite_of(tx)
    (case,) = suite
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert not isinstance(failure, Error)
    assert (failure.type, failure.message) == ("tx/drifted-body", "the code changed (not committed yet)")
    assert "-    return age >= 18\n+    return age < 18\n" in failure.text
    assert (suite.tests, suite.failures, suite.skipped) == (1, 1, 0)


@pytest.mark.parametrize(
    ("old", "new", "options", "said"),
    [
        (">= 18", "< 18", ["--fail-on", "invalid"], "“Only adults may enter”"),
        ("def login", "def enter", [], "it is src/auth.py::enter now"),
    ],
    ids=["what does not end in status 1", "what moved"],
)
def test_what_is_no_failure_passed_and_says_what_is_known(
    tx: CommandLine, checkout: Checkout, old: str, new: str, options: list[str], said: str
) -> None:
    checkout.edit(old, new)
    case = case_of(tx, *options)
    assert case.is_passed
    assert said in case.system_out


def test_what_is_pinned_was_skipped(tx: CommandLine, checkout: Checkout) -> None:
    tx.ok("graph:pin 1")
    checkout.edit(">= 18", "< 18")
    suite = suite_of(tx)
    (case,) = suite
    (skipped,) = case.result
    assert isinstance(skipped, Skipped)
    assert (suite.skipped, suite.failures) == (1, 0)


def test_no_character_of_a_learning_or_of_code_breaks_the_document(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("src/odd.py", "def f():\n    return '\x01 ]]> <&\" ü'\n")
    tx.add("A \x0b\x7f tab, ]]> & <b> “ü” \U0001f642", "--anchor", "src/odd.py::f")
    checkout.edit("return", "yield", path="src/odd.py")
    names = [case.name for case in suite_of(tx)]
    assert "\x7f" not in tx("graph:verify", "--format", "junit").out
    assert names[1].startswith("src/odd.py::f (symbol): A ")
    assert names[1].endswith(" tab, ]]> & <b> “ü” \U0001f642")


def test_the_encoding_of_stdout_does_not_matter(checkout: Checkout, program: Program) -> None:
    checkout.edit(">= 18", "< 18")
    outcome = program("graph:verify", "--format", "junit", environment={"PYTHONIOENCODING": "latin-1"})
    ((case,),) = JUnitXml.fromstring(outcome.out.encode("ascii"))
    assert "“Only adults may enter”" in case.result[0].text
