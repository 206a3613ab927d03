"""--format junit: one test for each anchor, in a form that viewers load."""

from __future__ import annotations

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from tests.faces.cli.terminal import CommandLine, Program
from tests.faces.cli.verification.checkout import Checkout


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
    uid = checkout.record().name.partition("-")[0]
    assert (case.classname, case.name) == (f"learnings.{uid}", "src/auth.py::login (symbol): Only adults may enter")
    assert case.is_passed


def test_a_finding_is_a_failure_with_the_lines_that_broke_it(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    suite = suite_of(tx)
    (case,) = suite
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert not isinstance(failure, Error)
    assert (failure.type, failure.message) == ("tx/drifted-body", "the code changed")
    assert "-    return age >= 18\n+    return age < 18\n" in failure.text
    assert (suite.tests, suite.failures, suite.skipped) == (1, 1, 0)


def test_failures_are_what_ends_in_status_1(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    case = case_of(tx, "--fail-on", "invalid")
    assert case.is_passed
    assert "“Only adults may enter”" in case.system_out


def test_what_moved_passed_and_says_where_it_is(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    case = case_of(tx)
    assert case.is_passed
    assert "it is src/auth.py::enter now" in case.system_out


def test_what_is_pinned_was_skipped(tx: CommandLine, checkout: Checkout) -> None:
    record = checkout.record()
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("  symbol: login\n", "  pinned: true\n  symbol: login\n"), encoding="utf-8")
    checkout.edit(">= 18", "< 18")
    suite = suite_of(tx)
    (case,) = suite
    (skipped,) = case.result
    assert isinstance(skipped, Skipped)
    assert (suite.skipped, suite.failures) == (1, 0)


def test_no_character_of_a_learning_or_of_code_breaks_the_document(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("src/odd.py", "def f():\n    return '\x01 ]]> <&\" ü'\n")
    tx.add("A \x0b tab, ]]> & <b> “ü” \U0001f642", "--anchor", "src/odd.py::f")
    checkout.edit("return", "yield", path="src/odd.py")
    names = [case.name for case in suite_of(tx)]
    assert names[1].startswith("src/odd.py::f (symbol): A ")
    assert names[1].endswith(" tab, ]]> & <b> “ü” \U0001f642")


def test_the_encoding_of_stdout_does_not_matter(checkout: Checkout, program: Program) -> None:
    checkout.edit(">= 18", "< 18")
    outcome = program("graph:verify", "--format", "junit", environment={"PYTHONIOENCODING": "latin-1"})
    ((case,),) = JUnitXml.fromstring(outcome.out.encode("ascii"))
    assert "“Only adults may enter”" in case.result[0].text
