"""Votes that are shared: records that merge, and count once in every clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A project with one learning, committed."""
    sandbox = GitSandbox(tmp_path / "here", monkeypatch)
    tx = CommandLine(sandbox.root)
    tx.ok("init")
    tx.ok("config set embedder none")
    tx.ok("learning:add", "First")
    sandbox.commit(message="What was learned")
    return sandbox


def use(tx: CommandLine) -> tuple[int, float]:
    learning = tx.json("learning:show 1")
    learning = learning.get("learning", learning)
    return learning["usage_count"], round(learning["feedback_score"], 3)


def votes(tx: CommandLine) -> int:
    assert tx.directory is not None
    return len(list((tx.directory / ".tx" / "feedback").glob("*.md")))


def test_votes_of_two_clones_merge_and_count_in_both(here: GitSandbox, tmp_path: Path) -> None:
    here.git("clone", "--quiet", ".", str(tmp_path / "there"))
    one, two = CommandLine(here.root), CommandLine(tmp_path / "there")
    one.ok("learning:helpful 1 --share-feedback")
    one.ok("learning:helpful 1 --score 0.5")
    two.ok("run:start")
    two.ok("run:feedback 1 --unhelpful 1 --share-feedback")
    assert (use(one), use(two)) == ((2, 0.625), (1, 0.333))
    for message in ("One", "Two"):
        here.git("-C", str(here.root if message == "One" else tmp_path / "there"), "add", ".tx")
        here.git("-C", str(here.root if message == "One" else tmp_path / "there"), "commit", "--quiet", "-m", message)
    here.git("pull", "--quiet", "--no-rebase", "--no-edit", str(tmp_path / "there"), "HEAD")
    assert votes(one) == 2
    assert use(one) == (3, 0.5)
    for file in (here.root / ".tx").glob("graph.db*"):
        file.unlink()
    assert use(one) == (3, 0.5)
    here.git("reset", "--quiet", "--hard", "HEAD~1")
    assert use(one) == (2, 0.625)


def test_another_vote_in_a_run_takes_the_place_of_its_record(here: GitSandbox) -> None:
    tx = CommandLine(here.root)
    tx.ok("run:start")
    tx.ok("run:feedback 1 --helpful 1")
    assert (use(tx), votes(tx)) == ((1, 0.667), 0)
    tx.ok("run:feedback 1 --helpful 1 --share-feedback")
    assert (use(tx), votes(tx)) == ((1, 0.667), 1)
    tx.ok("run:feedback 1 --unhelpful 1")
    assert (use(tx), votes(tx)) == ((1, 0.333), 1)
    assert tx("doctor").status == 0


@pytest.mark.parametrize("change", ["helpful: 2", "learning: nobody", "created_at: never", "wish: 1"])
def test_a_vote_that_says_nothing_is_skipped_and_told(here: GitSandbox, change: str) -> None:
    tx = CommandLine(here.root)
    tx.ok("learning:helpful 1 --share-feedback")
    (record,) = (here.root / ".tx" / "feedback").glob("*.md")
    key = change.split(":", maxsplit=1)[0]
    kept = [line for line in record.read_text().splitlines() if not line.startswith(f"{key}:")]
    record.write_text("\n".join([kept[0], change, *kept[1:]]) + "\n")
    assert "it is skipped" in tx("learning:list").err
    assert use(tx) == (0, 0.5)
