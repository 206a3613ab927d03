"""graph:verify says what became of each anchor, and ends in status 1 where somebody has to look."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine, bare
from tests.faces.cli.verification.conftest import AUTH

BODY = (">= 18", "< 18")


def test_what_holds_is_only_counted(tx: CommandLine, checkout: Checkout) -> None:
    outcome = tx.ok("graph:verify")
    assert (outcome.out, outcome.err) == ("1 anchor: 1 holds.\n", "")
    tx.ok("graph:unlink 1 src/auth.py::login")
    assert tx.ok("graph:verify").out == "No anchors to verify.\n", "and nothing is wrong"


def test_a_finding_names_the_learning_the_anchor_the_commit_and_the_lines(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(*BODY)
    assert "    the code changed, not committed yet\n" in tx("graph:verify").out
    commit = checkout.commit("Let children in")
    outcome = tx("graph:verify --fix")
    assert outcome.status == 1, "findings are left to people"
    uid = checkout.record.name.partition("-")[0]
    assert outcome.out.splitlines() == [
        f"{uid}  learning:1",
        "  Only adults may enter",
        "  drifted:body  src/auth.py::login",
        "    the code changed",
        f"    {commit[:10]} Let children in (just now)",
        "           # The law says so.",
        "      -    return age >= 18",
        "      +    return age < 18",
        "",
        "1 anchor: 1 drifted.",
    ]
    assert outcome.err == "Still true? 'tx graph:confirm LEARNING'. Not any more? 'tx learning:edit LEARNING'.\n"


def test_a_long_change_is_cut_and_says_how_much_more_there_is(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("    return age", "".join(f"    age += {n}\n" for n in range(30)) + "    return age")
    shown = tx("graph:verify").out
    assert "      +    age += 5\n" in shown
    assert "+    age += 29" not in shown
    assert "      … 20 more lines\n" in shown


@pytest.mark.parametrize(
    ("edit", "summary"),
    [
        (("    return age >= 18", "    return (age\n            >= 18)"), "1 holds (1 with other formatting)"),
        (("The law", "The house"), "1 holds (1 with other comments)"),
        (("def login", "def enter"), "1 relocated"),
        (("age: int", "years: int"), "1 drifted"),
        (("def login(age: int) -> bool:\n    # The law says so.\n    return age >= 18\n", ""), "1 invalid"),
    ],
)
def test_each_outcome_is_counted_by_its_name(
    tx: CommandLine, checkout: Checkout, edit: tuple[str, str], summary: str
) -> None:
    checkout.edit(*edit)
    assert tx("graph:verify").out.endswith(f"1 anchor: {summary}.\n")


def test_what_went_elsewhere_takes_one_line_and_is_no_finding(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    outcome = tx.ok("graph:verify")
    line = f"relocated  src/auth.py::login → src/auth.py::enter  ({checkout.record.name[:12]}, learning:1)"
    assert outcome.out.splitlines() == [line, "", "1 anchor: 1 relocated."]
    assert outcome.err == "'tx graph:verify --fix' lets the anchors follow.\n"


def test_code_that_is_gone_may_be_tied_elsewhere(tx: CommandLine, checkout: Checkout) -> None:
    (checkout.root / "src" / "auth.py").unlink()
    outcome = tx("graph:verify")
    assert "  invalid  src/auth.py::login\n    the file is gone, not committed yet\n" in outcome.out
    assert outcome.err.startswith("Gone? Tie the learning to other code with 'tx graph:link'")


def test_where_several_places_might_be_meant_the_first_are_named(tx: CommandLine, checkout: Checkout) -> None:
    login = AUTH[AUTH.index("def login") : AUTH.index("def logout")]
    checkout.edit(login, "")
    for name in "abcde":
        checkout.write(f"src/{name}.py", login)
    checkout.commit()
    outcome = tx("graph:verify")
    assert "    it might be src/a.py::login, src/b.py::login, src/c.py::login or 2 others\n" in outcome.out
    assert len(tx("graph:verify --json").document["anchors"][0]["candidates"]) == 5


def test_an_anchor_that_leads_out_of_the_repository_is_invalid(tx: CommandLine, checkout: Checkout) -> None:
    record = checkout.record
    text = record.read_text(encoding="utf-8")
    record.write_text(text.replace("path: src/auth.py", "path: ../auth.py"), encoding="utf-8")
    checkout.write("../auth.py", "import os\n")
    outcome = tx("graph:verify")
    assert outcome.status == 1
    assert "  invalid  ../auth.py::login\n    it leads out of the repository\n" in outcome.out
    result = tx("graph:verify --format sarif").document["runs"][0]["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == f".tx/learnings/{record.name}"


def test_many_findings_are_listed_by_file_without_their_lines(tx: CommandLine, checkout: Checkout) -> None:
    names = [f"f{n:02}" for n in range(24)]
    checkout.write("src/many.py", "\n\n".join(f"def {name}():\n    return {name!r}\n" for name in names))
    for name in names:
        tx.add(f"About {name}", "--anchor", f"src/many.py::{name}")
    checkout.edit("return", "yield", path="src/many.py")
    lines = tx("graph:verify").out.splitlines()
    assert lines[0] == "src/many.py  24 findings"
    assert lines[1] == "  drifted:body       f00  learning:2  About f00"
    assert lines[6] == "  … 19 more; 'tx graph:verify src/many.py' has them all"
    assert lines[-1] == "25 anchors: 1 holds, 24 drifted."
    assert len(lines) == 9


def test_a_place_narrows_what_is_looked_at(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Never twice", "--anchor", "src/auth.py::logout")
    checkout.edit(*BODY)
    assert tx("graph:verify src").status == 1
    assert tx("graph:verify src/auth.py::logout README.md").out == "1 anchor: 1 holds.\n"
    assert tx("graph:verify 1").status == 1
    assert tx("graph:verify 2").status == 0


def test_withheld_learnings_are_looked_at_when_asked_for(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit(*BODY)
    tx.ok("learning:edit 1 --status retracted")
    assert tx.ok("graph:verify").out == "No anchors to verify.\n"
    assert tx("graph:verify --all").status == 1


@pytest.mark.parametrize(("fail_on", "drifted", "invalid"), [("drifted", 1, 1), ("invalid", 0, 1), ("never", 0, 0)])
def test_what_ends_in_status_1_is_a_matter_of_choice(
    tx: CommandLine, checkout: Checkout, fail_on: str, drifted: int, invalid: int
) -> None:
    checkout.edit(*BODY)
    assert tx("graph:verify", "--fail-on", fail_on).status == drifted
    (checkout.root / "src" / "auth.py").unlink()
    assert tx("graph:verify", "--fail-on", fail_on).status == invalid


def test_fix_writes_the_new_place_into_the_record_and_then_all_is_well(tx: CommandLine, checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    checkout.commit()
    outcome = tx.ok("graph:verify --fix")
    assert f"→ src/auth.py::enter  ({checkout.record.name[:12]}, learning:1, mended)" in outcome.out
    assert outcome.err == "Mended 1 anchor; 'git diff .tx' shows what changed in the records.\n"
    assert "+  symbol: enter" in checkout.git("diff", ".tx")
    assert tx.ok("graph:verify").out == "1 anchor: 1 holds.\n"


def test_the_document_has_every_anchor_and_all_that_is_known_of_it(tx: CommandLine, checkout: Checkout) -> None:
    tx.add("Never twice", "--anchor", "src/auth.py::logout")
    checkout.edit(*BODY)
    commit = checkout.commit("Let children in")
    outcome = tx("graph:verify --json")
    assert outcome.status == 1
    counts = dict.fromkeys(("relocated", "gone", "invalid", "pinned", "reserve", "format", "comment"), 0)
    assert outcome.document["summary"] == {"fresh": 1, "valid": 1, "drifted": 1, **counts}
    node = {"kind": "symbol", "id": "src/auth.py::login", "ref": "src/auth.py::login", "path": "src/auth.py", "line": 4}
    assert outcome.document["anchors"][0]["node"] == node
    drifted, valid = bare(outcome.document["anchors"])
    assert drifted.pop("uid") in checkout.git("ls-files", ".tx")
    assert drifted == {
        "learning": 1,
        "content": "Only adults may enter",
        "status": "active",
        "category": None,
        "anchor": "src/auth.py::login",
        "anchor_type": "symbol",
        "verdict": "drifted",
        "drift": "body",
        "old_verdict": "drifted",
        "reason": None,
        "detail": "the code changed",
        "file_path": "src/auth.py",
        "line_start": 4,
        "line_end": 6,
        "relocated_to": None,
        "held_by": None,
        "candidates": [],
        "commit": commit,
        "commit_subject": "Let children in",
        "uncommitted": False,
        "diff": ["     # The law says so.", "-    return age >= 18", "+    return age < 18"],
        "mended": False,
        "severity": "error",
        "known": False,
    }
    assert (valid["verdict"], valid["old_verdict"], valid["line_start"]) == ("fresh", "valid", 9)
    assert outcome.document["findings"] == {"all": 1, "errors": 1, "warnings": 0, "off": 0, "new": None}
    assert (outcome.document["notices"], outcome.document["unread"]) == ([], [])
    assert tx("graph:verify --format json").document == tx("graph:verify --json --format json").document
    assert tx("graph:verify nothing.py --format=json").error["code"] == "not_found"


def test_a_place_in_the_document_is_where_the_code_is_now(tx: CommandLine, checkout: Checkout) -> None:
    checkout.git("mv", "src/auth.py", "src/doors.py")
    checkout.commit()
    (anchor,) = tx.json("graph:verify")["anchors"]
    told = (anchor["anchor"], anchor["verdict"], anchor["relocated_to"], anchor["file_path"], anchor["line_start"])
    assert told == ("src/auth.py::login", "relocated", "src/doors.py::login", "src/doors.py", 4)


def test_a_record_that_cannot_be_read_stops_the_gate(tx: CommandLine, home: Path) -> None:
    tx.add("Everybody may log in", "--anchor", "src/auth.py::login")
    (home / ".tx" / "learnings" / "broken.md").write_text("no front matter\n", encoding="utf-8")
    outcome = tx("graph:verify --json")
    assert outcome.status == 1
    assert outcome.document["notices"] == [
        "A record cannot be read, so what it is anchored to was not verified; 'tx doctor' says why."
    ]
    assert "broken.md" in outcome.err
    assert tx("graph:verify --fail-on never").status == 0
