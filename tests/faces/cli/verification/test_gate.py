"""What docs/ci-gate.md promises: a clone, a branch, a pull request that breaks an anchor or does not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import PROGRAM, Checkout, CommandLine, Outcome
from tests.faces.cli.verification.workflow_commands import annotated


@pytest.fixture
def branch(checkout: Checkout, tx: CommandLine) -> Checkout:
    """A clone on a branch; two learnings are about `login` and `logout`, and main has moved on meanwhile."""
    tx.add("Out is out", "--anchor", "src/auth.py::logout")
    checkout.write("src/other.py", "def other():\n    return 1\n")
    checkout.git("add", "--all")
    tx.add("The other", "--anchor", "src/other.py::other")
    checkout.commit("Learn more")
    clone = checkout.clone("pull-request")
    clone.git("switch", "--quiet", "--create", "feature")
    checkout.edit("return 1", "return 2", path="src/other.py")
    checkout.commit("Meanwhile on main")
    clone.git("fetch", "--quiet")
    return clone


def gate(branch: Checkout, *options: str) -> Outcome:
    """Run the command of the recipe."""
    return CommandLine(branch.root)("graph:verify", "--since", "origin/main", *options)


def test_a_commit_that_breaks_an_anchor_fails_and_points_at_the_lines(branch: Checkout) -> None:
    branch.write("src/note.py", "# nothing is anchored here\n")
    branch.edit("import os", "import os\nimport sys")
    branch.edit(">= 18", "< 18")
    commit = branch.commit("Let children in")
    outcome = gate(branch, "--format", "github")
    (found,) = annotated(outcome.out)
    assert outcome.status == 1
    assert (found.level, found.file, found.lines) == ("warning", "src/auth.py", (5, 7))
    assert f"({commit[:10]} “Let children in”)" in found.message
    assert outcome.out.splitlines()[-1] == "2 anchors: 1 holds, 1 drifted."


def test_a_section_that_says_something_else_fails_and_one_that_is_called_otherwise_passes(
    branch: Checkout, tx: CommandLine
) -> None:
    del tx
    text = "Whoever is to be let in has to be old enough, which the passport says and nobody else can.\n"
    branch.write("docs/rules.md", f"# Rules\n\n## Age\n\n{text}")
    CommandLine(branch.root).ok("doc:ingest", "docs/rules.md")
    CommandLine(branch.root).add("Passports count", "--anchor", "docs/rules.md#age")
    branch.commit("Rules")
    branch.edit("## Age", "## How old", path="docs/rules.md")
    branch.commit("Call it otherwise")
    assert gate(branch).status == 0
    branch.edit("passport", "birth certificate", path="docs/rules.md")
    commit = branch.commit("Let others in")
    outcome = gate(branch, "--format", "github")
    (found,) = (one for one in annotated(outcome.out) if one.level == "warning")
    assert (outcome.status, found.file, f"({commit[:10]}" in found.message) == (1, "docs/rules.md", True)


def test_a_commit_that_renames_the_function_passes_and_says_so(branch: Checkout) -> None:
    branch.edit("def login", "def enter")
    branch.commit("Rename")
    outcome = gate(branch, "--format", "github")
    (found,) = annotated(outcome.out)
    assert outcome.status == 0
    assert (found.level, found.file, found.lines) == ("notice", "src/auth.py", (4, 6))
    assert outcome.out.splitlines()[-1] == "2 anchors: 1 holds, 1 relocated."


def test_a_fix_can_be_reviewed_and_makes_the_next_run_clean(branch: Checkout) -> None:
    branch.edit("def login", "def enter")
    branch.commit("Rename")
    assert gate(branch, "--fix").status == 0
    changed = branch.git("diff", "--unified=0", ".tx").splitlines()
    assert "-  symbol: login" in changed
    assert "+  symbol: enter" in changed
    branch.commit("Anchors follow")
    assert gate(branch).out == "2 anchors: 2 hold.\n"
    assert CommandLine(branch.clone("again").root)("graph:verify").out == "3 anchors: 3 hold.\n"


def test_the_merge_that_services_check_out_is_judged_like_the_branch(branch: Checkout) -> None:
    branch.write("src/note.py", "# nothing is anchored here\n")
    branch.commit()
    assert gate(branch).out == "No anchors to verify.\n", "what changed on the target branch alone is not looked at"
    branch.edit(">= 18", "< 18")
    branch.commit("Let children in")
    branch.git("checkout", "--quiet", "--detach", "origin/main")
    branch.git("merge", "--quiet", "--no-ff", "--message=Merge", "feature")
    outcome = gate(branch)
    assert outcome.status == 1
    assert "src/auth.py::login" in outcome.out
    assert "src/other.py" not in outcome.out


def test_a_target_branch_that_was_not_fetched_is_said_to_be_missing(branch: Checkout) -> None:
    clone = branch.clone("narrow", "--depth=1")
    outcome = CommandLine(clone.root)("graph:verify --since origin/main")
    assert (outcome.status, outcome.out) == (3, "")
    assert "There is no revision 'origin/main' here." in outcome.err
    outcome = CommandLine(clone.root)("review HEAD~1..HEAD")
    assert (outcome.status, "git fetch --unshallow" in outcome.err) == (3, True)


def test_a_revision_with_a_typing_error_is_answered_with_its_neighbours(branch: Checkout) -> None:
    branch.git("tag", "release-1")
    branch.git("pack-refs", "--all")
    outcome = CommandLine(branch.root)("graph:verify --json --since relase-1")
    assert outcome.status == 3
    assert json.loads(outcome.err)["error"]["candidates"] == ["release-1"]


def test_the_hook_of_git_refuses_a_commit_that_breaks_an_anchor(branch: Checkout) -> None:
    hook = Path(branch.git("rev-parse", "--absolute-git-dir")) / "hooks" / "pre-commit"
    hook.write_text(f'#!/bin/sh\nexec "{PROGRAM[0]}" -m tx_graph graph:verify --since HEAD\n', encoding="utf-8")
    hook.chmod(0o755)
    branch.edit(">= 18", "< 18")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        branch.commit("Let children in")
    assert "drifted:body  src/auth.py::login" in refused.value.stderr
    branch.edit("< 18", ">= 18")
    branch.edit("The law", "The house")
    branch.commit("Say who says so")
