"""graph:verify works wherever the records and the code can be read: that is what makes it a gate."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.faces.cli.terminal import PROGRAM, Checkout, CommandLine
from tests.faces.cli.verification.conftest import AUTH
from tests.faces.cli.verification.workflow_commands import annotated
from tests.isolation import READ_ONLY, in_namespace

DRIFTED = "1 anchor: 1 drifted."


def broken(checkout: Checkout) -> Checkout:
    """Commit a change that no learning agrees with."""
    checkout.edit(">= 18", "< 18")
    checkout.commit("Let children in")
    return checkout


def test_a_fresh_clone_builds_what_it_needs_from_the_text(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = broken(checkout).clone("fresh")
    assert not (clone.root / ".tx" / "graph.db").exists()
    outcome = CommandLine(clone.root)("graph:verify")
    assert outcome.status == 1
    assert "Let children in" in outcome.out
    assert outcome.out.endswith(f"{DRIFTED}\n")
    (clone.root / ".tx" / "graph.db").unlink()
    monkeypatch.setenv("TX_DB", str(tmp_path / "ci.db"))
    assert CommandLine(clone.root)("graph:verify").status == 1
    assert (tmp_path / "ci.db").exists()
    assert not (clone.root / ".tx" / "graph.db").exists()


def test_a_shallow_clone_finds_the_same_and_says_what_it_cannot_know(checkout: Checkout) -> None:
    clone = broken(checkout).clone("shallow", "--depth=1")
    outcome = CommandLine(clone.root)("graph:verify --format github")
    (found,) = annotated(outcome.out)
    assert (outcome.status, found.file, found.lines) == (1, "src/auth.py", (4, 6))
    assert "This clone is shallow" in outcome.err


def test_a_shallow_clone_follows_a_rename_within_a_file(checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    checkout.commit()
    outcome = CommandLine(checkout.clone("shallow", "--depth=1").root)("graph:verify")
    assert (outcome.status, outcome.err) == (0, "'tx graph:verify --fix' lets the anchors follow.\n")
    assert "src/auth.py::login → src/auth.py::enter" in outcome.out


def test_outside_git_too(elsewhere: CommandLine, tmp_path: Path) -> None:
    plain = Checkout(tmp_path)
    plain.write("src/auth.py", AUTH)
    elsewhere.ok("init")
    elsewhere.add("Only adults may enter", "--anchor", "src/auth.py::login")
    assert elsewhere.ok("graph:verify").out == "1 anchor: 1 holds.\n"
    plain.edit(">= 18", "< 18")
    outcome = elsewhere("graph:verify")
    assert outcome.status == 1
    assert outcome.out.endswith(f"{DRIFTED}\n")
    plain.edit("< 18", ">= 18")
    plain.edit("def login", "def enter")
    assert elsewhere.ok("graph:verify --fix").err == "Mended 1 anchor in the records.\n"


def test_outside_git_nothing_is_known_to_have_changed_since(elsewhere: CommandLine) -> None:
    elsewhere.ok("init")
    outcome = elsewhere("graph:verify --since main")
    assert (outcome.status, outcome.out) == (6, "")
    assert outcome.err.startswith("tx: There is no git repository here to ask what has changed.")


def test_from_a_directory_below(checkout: Checkout, tx: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(checkout)
    monkeypatch.chdir(checkout.root / "src")
    (found,) = annotated(tx("graph:verify auth.py --format github").out)
    assert found.file == "src/auth.py"


RUN = f"""
def tx(*arguments):
    done = subprocess.run([*{PROGRAM!r}, *arguments], cwd=directory, capture_output=True, text=True)
    return [done.returncode, done.stdout, done.stderr]
print(json.dumps({{
    "text": tx("graph:verify"),
    "json": tx("graph:verify", "--json"),
    "fix": tx("graph:verify", "--fix"),
    "files": sorted(os.listdir(directory / ".tx")),
}}))
"""


def test_without_permission_to_write(checkout: Checkout) -> None:
    checkout.edit("def login", "def enter")
    checkout.commit()
    clone = checkout.clone("fresh")
    found = in_namespace(READ_ONLY, RUN, clone.root)
    assert found["text"] == [
        0,
        (
            f"relocated  src/auth.py::login → src/auth.py::enter  ({checkout.record.name[:12]}, learning:1)\n\n"
            "1 anchor: 1 relocated.\n"
        ),
        "'tx graph:verify --fix' lets the anchors follow.\n",
    ]
    assert '"relocated": 1' in json.dumps(found["json"]).replace('\\"', '"')
    refusal = "The records cannot be written here, so nothing was mended."
    hint = "Run it where they can be, or leave --fix out."
    assert found["fix"] == [5, "", f"tx: {refusal}\n{hint}\n"]
    assert found["files"] == sorted({".gitignore", "config.toml", "learnings"})


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_in_a_directory_without_the_right_to_write(checkout: Checkout) -> None:
    clone = broken(checkout).clone("fresh")
    directories = [clone.root, clone.root / ".tx", clone.root / ".tx" / "learnings"]
    for directory in directories:
        directory.chmod(0o555)
    try:
        assert CommandLine(clone.root)("graph:verify").out.endswith(f"{DRIFTED}\n")
    finally:
        for directory in directories:
            directory.chmod(0o755)


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_nothing_but_the_answer_is_on_stdout(checkout: Checkout, form: str) -> None:
    """A pipe that gets the answer gets nothing else, also where there is a notice."""
    done = CommandLine(broken(checkout).clone("shallow", "--depth=1").root)(f"graph:verify --format {form}")
    assert (done.status, "This clone is shallow" in done.err) == (1, True)
    assert re.match({"text": r"\w{12}  learning:", "github": "::", "junit": "<"}.get(form, "{"), done.out)
    assert done.out.endswith("\n")
