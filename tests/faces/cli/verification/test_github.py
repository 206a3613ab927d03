"""--format github: annotations at file and line, escaped as workflow commands are, no more than GitHub shows."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.faces.cli.verification.checkout import Checkout
from tests.faces.cli.verification.workflow_commands import annotated


def test_a_drift_is_a_warning_at_the_lines_of_the_code(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    outcome = tx("graph:verify", "--format", "github")
    (found,) = annotated(outcome.out)
    assert outcome.status == 1
    assert (found.level, found.file, found.lines) == ("warning", "src/auth.py", (4, 6))
    assert found.title == "Anchored code changed"
    assert "“Only adults may enter”" in found.message
    assert "\n-    return age >= 18\n+    return age < 18\n" in found.message
    assert outcome.out.splitlines()[-1] == "1 anchor: 1 drifted."
    assert outcome.err == ""


def test_what_moved_is_a_notice_where_it_is_now(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    (found,) = annotated(tx.ok("graph:verify", "--format", "github").out)
    assert (found.level, found.file, found.lines) == ("notice", "src/auth.py", (4, 6))
    assert "it is src/auth.py::enter now" in found.message


def test_a_file_that_is_gone_is_an_error_at_the_record(tx: CommandLine, checkout: Checkout) -> None:
    (checkout.root / "src" / "auth.py").unlink()
    (found,) = annotated(tx("graph:verify", "--format", "github").out)
    record = checkout.record().relative_to(checkout.root).as_posix()
    assert (found.level, found.file, found.lines) == ("error", record, (1, 1))


def test_a_symbol_that_is_gone_is_an_error_in_its_file(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("src/auth.py", "import os\n")
    (found,) = annotated(tx("graph:verify", "--format", "github").out)
    assert (found.level, found.file, found.lines) == ("error", "src/auth.py", (1, 1))


def test_what_holds_gets_no_annotation(tx: CommandLine, checkout: Checkout) -> None:
    assert tx.ok("graph:verify", "--format", "github").out == "1 anchor: 1 holds.\n"


def test_signs_with_a_meaning_are_escaped(tx: CommandLine, checkout: Checkout) -> None:
    path = "src/100%, or: not.py"
    checkout.write(path, "def f():\n    return 1\n")
    tx.add("50% off::error::\nSecond line", "--anchor", f"{path}::f")
    checkout.commit()
    checkout.edit("1", "'%0A'", path=path)
    line = tx("graph:verify", path, "--format", "github").out.splitlines()[0]
    assert line.startswith("::warning file=src/100%25%2C or%3A not.py,line=1,endLine=2,title=")
    assert "“50%25 off::error::”" in line
    assert "+    return '%250A'%0A" in line


def test_ten_of_a_level_are_shown_and_the_rest_stands_in_the_log(tx: CommandLine, checkout: Checkout) -> None:
    for number in range(13):
        tx.add(f"##[error]Rule {number}", "--anchor", "src/auth.py::logout")
    checkout.edit(">= 18", "< 18")
    checkout.edit('"USER"', '"HOME"')
    lines = tx("graph:verify", "--format", "github").out.splitlines()
    assert len(annotated("\n".join(lines))) == 10
    plain = [line for line in lines if line.startswith("- warning: src/auth.py:9: ")]
    assert len(plain) == 4
    assert not any("##[" in line for line in plain), "the runner would read a command"
    assert lines[-2:] == [
        "14 anchors: 14 drifted.",
        "GitHub shows 10 annotations of each level; 4 more stand in this log alone.",
    ]


@pytest.mark.parametrize("odd", ["\x1b[31mred", "a\rb"])
def test_nothing_drives_the_terminal_of_who_reads_the_log(tx: CommandLine, checkout: Checkout, odd: str) -> None:
    tx.add(f"Odd {odd}", "--anchor", "src/auth.py::logout")
    checkout.edit('"USER"', '"HOME"')
    out = tx("graph:verify", "--format", "github").out
    assert out.replace("\n", "").isprintable()
