"""--format github: annotations at file and line, escaped as workflow commands are, no more than GitHub shows."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine
from tests.faces.cli.verification.conftest import AUTH
from tests.faces.cli.verification.workflow_commands import annotated


def test_a_drift_is_a_warning_at_the_lines_of_the_code(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(">= 18", "< 18")
    outcome = tx("graph:verify --format github")
    (found,) = annotated(outcome.out)
    assert outcome.status == 1
    assert (found.level, found.file, found.lines) == ("warning", "src/auth.py", (4, 6))
    assert found.title == "Anchored code changed"
    assert "“Only adults may enter”" in found.message
    assert "\n-    return age >= 18\n+    return age < 18\n" in found.message
    assert outcome.out.splitlines()[-1] == "1 anchor: 1 drifted."
    assert outcome.err == ""


@pytest.mark.parametrize(
    ("path", "old", "new", "level", "place", "lines"),
    [
        ("src/auth.py", "def login", "def enter", "notice", "src/auth.py", (4, 6)),
        ("src/auth.py", AUTH, "import os\n", "error", "src/auth.py", (1, 1)),
        ("", "", "", "error", "record", (1, 1)),
    ],
    ids=["what moved", "a symbol that is gone", "a file that is gone"],
)
def test_the_level_says_how_bad_it_is_and_the_place_where_to_look(
    tx: CommandLine, checkout: Checkout, path: str, old: str, new: str, level: str, place: str, lines: tuple[int, int]
) -> None:
    assert tx.ok("graph:verify --format github").out == "1 anchor: 1 holds.\n", "what holds gets no annotation"
    if path:
        checkout.edit(old, new, path=path)
    else:
        (checkout.root / "src" / "auth.py").unlink()
    (found,) = annotated(tx("graph:verify --format github").out)
    expected = checkout.record.relative_to(checkout.root).as_posix() if place == "record" else place
    assert (found.level, found.file, found.lines) == (level, expected, lines)
    assert level != "notice" or "it is src/auth.py::enter now" in found.message


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
    lines = tx("graph:verify --format github").out.splitlines()
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
    out = tx("graph:verify --format github").out
    assert out.replace("\n", "").isprintable()
