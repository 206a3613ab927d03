"""The product itself, in the past: it must know nothing of what it is asked to foresee, or of what came later."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scripts.opened import Workspace, open_workspace
from tests.context.replay.past import write_history
from tests.git_sandbox import GitSandbox
from tx_graph.code.chunks import refresh_chunks
from tx_graph.context.ranking import rank_files
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import ReplayRequest, Way
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Config
from tx_graph.history.commit_store import HistoryStore
from tx_graph.history.evidence import refresh_messages
from tx_graph.history.sampling import Question, Variant
from tx_graph.workspace import prepare
from tx_graph.workspace.replaying import _State, _states_of, open_replay

TELLING = "Zanzibar"
"""A word that only the future, or another branch, knows."""


@contextmanager
def past_of(git: GitSandbox, commit: str) -> Iterator[Workspace]:
    """Open the repository as a replay sees it at a commit."""
    config = Config(git.root / ".tx" / "config.toml")
    with _states_of(GitRepository(git.root), config) as states, states.at(commit) as state:
        assert isinstance(state, _State)
        yield Workspace(state._kernel)


def rankings(git: GitSandbox, commit: str, text: str, *open_files: str) -> dict[str, list[tuple[str, float]]]:
    with past_of(git, commit) as workspace:
        return {
            method: [
                (file.path, file.score)
                for file in rank_files(workspace.kernel, text, open_files=open_files, method=method)
            ]
            for method in Method
        }


def known_commits(workspace: Workspace) -> set[str]:
    return {sha for (sha,) in workspace._database.rows("SELECT sha FROM commits")}


def words_of(workspace: Workspace) -> str:
    """Return all that is in the database: rows, the words of its indexes, and the paths that are kept folded."""
    database = workspace._database
    tables = [name for (name,) in database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    cells = [cell for name in tables for row in database.rows(f'SELECT * FROM "{name}"') for cell in row]
    texts = [cell.decode("latin-1") if isinstance(cell, bytes) else str(cell) for cell in cells]
    return "\n".join([*texts, *map(repr, HistoryStore(workspace._database).load().commits())]).casefold()


def test_what_is_committed_later_or_on_a_branch_that_is_no_ancestor_changes_no_answer(git: GitSandbox) -> None:
    def tell() -> None:
        for _ in range(3):
            git.commit("src/report.py", "src/index.py", message=f"{TELLING} login cache")
        git.write(f"src/{TELLING}.py", text=f"{TELLING} = 'login'\n")
        git.commit(message=TELLING)

    parent = write_history(git)[-1]
    before = rankings(git, parent, f"{TELLING} login", "src/cache.py")
    assert before["ranking"]
    tell()
    assert rankings(git, parent, f"{TELLING} login", "src/cache.py") == before
    git.git("checkout", "--quiet", "-b", "side", f"{parent}~3")
    tell()
    git.git("checkout", "--quiet", "main")
    git.git("merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    git.git("tag", TELLING, "side")
    assert rankings(git, parent, f"{TELLING} login", "src/cache.py") == before


def test_the_telling_word_is_nowhere_in_the_database(git: GitSandbox) -> None:
    parent = write_history(git)[-1]
    sampled = git.commit("src/login.py", "src/cache.py", message=f"{TELLING} in the message")
    git.write("src/report.py", text=f"# {TELLING}\n")
    git.commit(f"src/{TELLING}.py")
    with past_of(git, parent) as workspace:
        assert rank_files(workspace.kernel, "login")
        everything = words_of(workspace)
    assert "login" in everything
    assert TELLING.casefold() not in everything
    assert sampled not in everything


def test_the_commits_known_are_the_ancestors_of_the_parent_at_every_stop(git: GitSandbox) -> None:
    """One database goes along, also from one branch to another that does not build on it."""
    write_history(git, rounds=2)
    git.git("checkout", "--quiet", "-b", "side", "HEAD~4")
    side = [git.commit("src/login.py", "src/cache.py", message=f"{TELLING} {number}") for number in range(2)]
    git.git("checkout", "--quiet", "main")
    main = git.commit("src/index.py", "src/report.py")
    git.git("merge", "--quiet", "--strategy=ours", "--no-edit", "side")
    last = git.commit("src/index.py", "src/report.py")
    with _states_of(GitRepository(git.root), Config(git.root / ".tx" / "config.toml")) as states:
        for commit in (main, side[-1], main, last, side[0]):
            with states.at(commit) as state:
                assert isinstance(state, _State)
                ancestors = git.git("rev-list", "--no-merges", commit).split()
                assert known_commits(Workspace(state._kernel)) == set(ancestors)


def test_the_past_is_as_if_the_product_had_been_used_then(git: GitSandbox, tmp_path: Path) -> None:
    """A replay that came by other commits answers like a fresh workspace at that commit."""
    commits = write_history(git)
    prepare(git.root)
    clone = tmp_path / "clone"
    git.git("clone", "--quiet", str(git.root), str(clone))
    git.git("checkout", "--quiet", "--detach", commits[9], at=clone)
    prepare(clone)
    question = Question(variant=Variant.WORDS, text="Mend the cache", open_files=(), targets=("src/cache.py",))
    with open_workspace(clone) as workspace:
        workspace.indexing.run()
        refresh_chunks(workspace.kernel)
        refresh_messages(workspace.kernel)
        fresh = [file.path for file in rank_files(workspace.kernel, question.text)]
    with _states_of(GitRepository(git.root), Config(git.root / ".tx" / "config.toml")) as states:
        for commit in (commits[-1], commits[4], commits[9]):
            with states.at(commit) as state:
                travelled = state.rank(question, Way(method=Method.RANKING), limit=10)
    assert list(travelled) == fresh


def test_learnings_are_those_that_were_committed_by_then(git: GitSandbox) -> None:
    commits = write_history(git)
    prepare(git.root)
    (git.root / ".git" / "info" / "exclude").write_text("")
    with open_workspace(git.root) as workspace:
        from tx_graph.learnings.learnings import Draft

        workspace.learnings.add_draft(Draft(content=f"{TELLING} is where the cache lives"))
    later = git.commit(message="Learn")
    with past_of(git, commits[-1]) as workspace:
        assert TELLING.casefold() not in words_of(workspace)
    with past_of(git, later) as workspace:
        assert TELLING.casefold() in words_of(workspace)


def test_a_replay_leaves_the_repository_its_workspace_and_a_database_elsewhere_alone(
    git: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_history(git)
    prepare(git.root)
    git.write("src/login.py", "untracked.py")
    before = {path: path.stat().st_mtime_ns for path in git.root.rglob("*") if path.is_file()}
    monkeypatch.setenv("TX_DB", str(tmp_path / "mine.db"))
    report = open_replay(git.root).run(ReplayRequest(samples=3))
    assert len(report.cases) == 3
    assert {path: path.stat().st_mtime_ns for path in git.root.rglob("*") if path.is_file()} == before
    assert not (tmp_path / "mine.db").exists()
