"""What is committed is what is judged: `graph:verify --staged` in real hooks and indexes."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.faces.cli.terminal import PROGRAM, Checkout, CommandLine
from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Standing
from tx_graph.core.database import Database
from tx_graph.core.snapshot import looking_at

VERIFY = ("graph:verify", "--staged")


@pytest.fixture
def hooked(checkout: Checkout) -> Checkout:
    """A checkout whose hook judges what is staged, as docs/pre-commit.md says."""
    hook = Path(checkout.git("rev-parse", "--absolute-git-dir")) / "hooks" / "pre-commit"
    command = f'"{PROGRAM[0]}" -m tx_graph graph:verify --staged --since HEAD'
    hook.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    hook.chmod(0o755)
    return checkout


def commits(checkout: Checkout, *options: str) -> bool:
    """Whether `git commit` with these options makes a commit."""
    before = checkout.git("rev-parse", "HEAD")
    with suppress(subprocess.CalledProcessError):
        checkout.git("commit", "--quiet", "--message=Change", *options)
    return checkout.git("rev-parse", "HEAD") != before


def test_unfinished_work_in_the_tree_blocks_no_other_commit(hooked: Checkout, tx: CommandLine) -> None:
    hooked.edit(">= 18", "< 18")
    hooked.write("README.md", "# Read me\n")
    hooked.git("add", "README.md")
    assert commits(hooked)
    hooked.write("README.md", "# Read me again\n")
    assert commits(hooked, "--only", "README.md"), "git builds the index of such a commit aside"
    assert not commits(hooked, "--all")
    assert "1 drifted" in tx("graph:verify").out


def test_a_breaking_change_that_was_staged_and_taken_back_in_the_tree_fails(hooked: Checkout, tx: CommandLine) -> None:
    hooked.edit(">= 18", "< 18")
    hooked.git("add", "--all")
    hooked.edit("< 18", ">= 18")
    assert not commits(hooked)
    outcome = tx(*VERIFY)
    assert (outcome.status, "not committed yet" in outcome.out, "+    return age < 18" in outcome.out) == (
        1,
        True,
        True,
    )
    assert tx("graph:verify").status == 0, "nothing of that was kept as true of the tree"
    assert tx("graph:history").out.count("drifted") == 0


def test_a_part_of_a_file_that_was_staged_is_judged_alone(hooked: Checkout, tx: CommandLine) -> None:
    hooked.edit(">= 18", "< 18")
    hooked.edit('"USER"', '"NAME"')
    subprocess.run(
        ["git", "add", "--patch", "src/auth.py"], cwd=hooked.root, input="s\nn\ny\n", text=True, check=True,
        capture_output=True,
    )  # fmt: skip
    assert '"NAME"' in hooked.git("diff", "--cached")
    assert "< 18" not in hooked.git("diff", "--cached")
    assert commits(hooked)
    hooked.git("add", "--all")
    assert tx(*VERIFY).status == 1


def test_code_that_was_moved_in_the_index_is_found_there_and_not_in_the_tree(
    checkout: Checkout, tx: CommandLine
) -> None:
    checkout.git("mv", "src/auth.py", "src/door.py")
    checkout.edit("def login", "def enter", path="src/door.py")
    checkout.write("src/other.py", (checkout.root / "src/door.py").read_text(encoding="utf-8"))
    outcome = tx(*VERIFY)
    assert (outcome.status, "src/door.py::login" in outcome.out) == (0, True), outcome.out
    checkout.git("add", "--all")
    checkout.git("rm", "--quiet", "--cached", "src/door.py", "src/other.py")
    outcome = tx(*VERIFY)
    assert (outcome.status, "invalid  src/auth.py::login" in outcome.out) == (1, True), outcome.out


def test_the_records_of_the_index_are_judged_and_not_those_of_the_tree(checkout: Checkout, tx: CommandLine) -> None:
    tx.add("Out is out", "--anchor", "src/auth.py::logout")
    outcome = tx(*VERIFY)
    assert outcome.out == "1 anchor: 1 holds.\n"
    assert "A learning that is in the working tree alone was not verified" in outcome.err
    checkout.git("add", "--all")
    assert tx(*VERIFY).out == "2 anchors: 2 hold.\n"
    checkout.edit(">= 18", "< 18")
    tx.ok("graph:confirm", "1")
    checkout.git("add", "src")
    assert tx(*VERIFY).status == 1, "the confirmation is not part of the commit"
    checkout.git("add", ".tx")
    assert tx(*VERIFY).status == 0
    (record,) = (one for one in (checkout.root / ".tx/learnings").glob("*.md") if "adults" in one.name)
    whole = record.read_text(encoding="utf-8")
    record.write_text(whole.replace("---", "===", 1), encoding="utf-8")
    checkout.git("add", ".tx")
    record.write_text(whole, encoding="utf-8")
    outcome = tx(*VERIFY)
    assert (outcome.status, "A record cannot be read" in outcome.err) == (1, True)
    record.unlink()
    checkout.git("checkout", "--quiet", "HEAD", "--", ".tx")
    record.unlink()
    assert tx(*VERIFY).status == 1, "what was deleted in the tree alone is still committed"


def test_a_repository_without_commits_has_a_hook_that_works(tx: CommandLine, checkout: Checkout) -> None:
    checkout.git("update-ref", "-d", "HEAD")
    checkout.git("add", "--all")
    options = (*VERIFY, "--since", "HEAD")
    assert tx(*options).out == "1 anchor: 1 holds.\n"
    checkout.edit(">= 18", "< 18")
    checkout.git("add", "--all")
    checkout.edit("< 18", ">= 18")
    assert tx(*options).status == 1


def test_an_index_with_conflicts_is_refused_by_name(checkout: Checkout, tx: CommandLine) -> None:
    checkout.git("switch", "--quiet", "--create", "other")
    checkout.edit(">= 18", ">= 16")
    checkout.commit("Sixteen")
    checkout.git("switch", "--quiet", "-")
    checkout.edit(">= 18", ">= 21")
    checkout.commit("Twenty-one")
    with pytest.raises(subprocess.CalledProcessError):
        checkout.git("merge", "other")
    outcome = tx(*VERIFY)
    assert (outcome.status, outcome.out) == (6, "")
    assert "conflicts" in outcome.err
    assert "src/auth.py" in outcome.err


def test_sections_links_and_what_is_only_meant_to_be_added(checkout: Checkout, tx: CommandLine) -> None:
    text = "Whoever is to be let in has to be old enough, which the passport says and nobody else can.\n"
    checkout.write("docs/rules.md", f"# Rules\n\n## Age\n\n{text}")
    (checkout.root / "rules.md").symlink_to("docs/rules.md")
    tx.ok("doc:ingest", "docs/rules.md")
    tx.add("Passports count", "--anchor", "docs/rules.md#age")
    checkout.git("add", ".tx")
    checkout.git("add", "--intent-to-add", "docs/rules.md")
    assert "invalid  docs/rules.md#age" in tx(*VERIFY).out, "git would not commit it"
    checkout.git("add", "--all")
    checkout.edit("passport", "birth certificate", path="docs/rules.md")
    assert tx(*VERIFY).status == 0
    assert tx("graph:verify").status == 1
    checkout.git("add", "--all")
    checkout.edit("birth certificate", "passport", path="docs/rules.md")
    assert "drifted:body  docs/rules.md#age" in tx(*VERIFY).out


def test_what_git_was_told_not_to_look_at_is_judged_by_what_it_would_commit(
    checkout: Checkout, tx: CommandLine
) -> None:
    for option in ("--assume-unchanged", "--skip-worktree"):
        checkout.git("update-index", option, "src/auth.py")
        checkout.edit(">= 18", "< 18")
        assert (tx(*VERIFY).status, tx("graph:verify").status) == (0, 1)
        (checkout.root / "src/auth.py").unlink()
        assert tx(*VERIFY).status == 0
        checkout.git("update-index", option.replace("--", "--no-"), "src/auth.py")
        checkout.git("checkout", "--", "src/auth.py")


def test_staging_mends_nothing_and_outside_git_nothing_is_staged(checkout: Checkout, tx: CommandLine) -> None:
    assert tx(*VERIFY, "--fix").status == 2
    with Database.open(checkout.root / ".tx" / "graph.db") as database:
        before = database.rows("SELECT * FROM file_anchors")
    checkout.edit(">= 18", "< 18")
    checkout.git("add", "--all")
    assert tx(*VERIFY).status == 1
    with Database.open(checkout.root / ".tx" / "graph.db") as database:
        assert database.rows("SELECT * FROM file_anchors") == before
    (checkout.root / ".git").rename(checkout.root.parent / "git")
    assert "There is no git repository here" in tx(*VERIFY).err


def test_what_reads_verdicts_sees_the_index_in_the_same_way(checkout: Checkout, tx: CommandLine) -> None:
    checkout.edit(">= 18", "< 18")
    checkout.git("add", "--all")
    checkout.edit("< 18", ">= 18")
    tx.ok("status")
    with open_workspace(checkout.root) as workspace:
        node = workspace.learnings.get("1").node
        with looking_at(workspace.kernel, staged=True) as seen:
            assert Standings(seen).standings([node]) == {node: Standing.DRIFTED_BODY}
        with looking_at(workspace.kernel, revision="HEAD") as seen:
            assert Standings(seen).standings([node]) == {node: Standing.FRESH}
        assert Standings(workspace.kernel).standings([node]) == {node: Standing.FRESH}
