"""What files and commits say is kept equal to the working tree and to HEAD, whatever happens to either."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scripts.opened import open_workspace
from tests.developer import Developer
from tests.support import Project, let_stamps_settle
from tx_graph.code.chunk_store import CodeChunkStore
from tx_graph.code.chunks import refresh_chunks
from tx_graph.core.database import Database
from tx_graph.core.errors import RepositoryError
from tx_graph.history.commit_store import MOST_FILES
from tx_graph.history.evidence import CommitReport, refresh_messages
from tx_graph.workspace import prepare


def read(project: Project) -> CommitReport:
    """Read what is new of history."""
    with project.open() as workspace:
        return refresh_messages(workspace.kernel)


def kept(project: Project) -> list[str]:
    """Return the names of the commits that are kept, the earliest first."""
    with Database.open(project.root / ".tx" / "graph.db") as database:
        return [sha for (sha,) in database.rows("SELECT sha FROM commits ORDER BY id")]


def history(project: Project) -> list[str]:
    """Return what git says: the commits with files that HEAD builds on, without merges, the earliest first."""
    question = ("rev-list", "--no-merges", "--full-history", "--topo-order", "--reverse", "HEAD", "--", ".")
    return project.git.git(*question).split()


def assert_none_comes_before_what_it_builds_on(project: Project) -> None:
    place = {sha: number for number, sha in enumerate(kept(project))}
    for line in project.git.git("rev-list", "--parents", "HEAD").splitlines():
        sha, *parents = line.split()
        assert all(place[parent] < place[sha] for parent in parents if parent in place and sha in place)


def having(project: Project, *words: str) -> list[list[str]]:
    """Return for each word the files that have it."""
    with Database.open(project.root / ".tx" / "graph.db") as database:
        paths = dict(database.rows("SELECT node_id, path FROM files"))
        store = CodeChunkStore(database)
        return [sorted({paths[piece.file] for piece in store.search(word, limit=99)}) for word in words]


def test_all_commits_are_read_once_and_then_what_is_new(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py")
    assert read(project) == CommitReport(read=3, left=0, kept=3)
    assert read(project) == CommitReport(read=0, left=0, kept=3)
    project.git.commit("a.py")
    assert read(project) == CommitReport(read=1, left=0, kept=4)
    assert kept(project) == history(project)


def test_where_nothing_is_new_git_is_not_asked_and_what_cannot_be_read_leaves_what_is_known(project: Project) -> None:
    project.git.commit("a.py")
    read(project)
    objects = project.root / ".git" / "objects"
    objects.rename(objects.with_name("hidden"))
    objects.mkdir()  # git log would fail now
    assert read(project) == CommitReport(kept=1)
    objects.rmdir()
    objects.with_name("hidden").rename(objects)
    project.git.commit("a.py")
    objects.rename(objects.with_name("hidden"))
    objects.mkdir()
    with pytest.raises(RepositoryError):
        read(project)
    assert len(kept(project)) == 1


def test_commits_leave_and_come_back_with_their_branch(project: Project) -> None:
    project.git.commit("a.py")
    project.git.git("switch", "--quiet", "--create", "topic")
    project.git.commit("b.py")
    read(project)
    project.git.git("switch", "--quiet", "main")
    assert read(project) == CommitReport(read=0, left=1, kept=1)
    assert kept(project) == history(project)
    project.git.git("switch", "--quiet", "topic")
    assert read(project) == CommitReport(read=1, left=0, kept=2)
    assert kept(project) == history(project)
    project.git.git("commit", "--quiet", "--amend", "--message=other")
    assert read(project) == CommitReport(read=1, left=1, kept=2)
    assert kept(project) == history(project)
    project.git.git("checkout", "--quiet", "--orphan", "empty")
    assert read(project) == CommitReport()
    assert kept(project) == []


def test_after_commits_were_pruned_all_are_read_again(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py")
    read(project)
    project.git.git("reset", "--quiet", "--hard", "HEAD~1")
    project.git.git("reflog", "expire", "--expire=now", "--all")
    project.git.git("gc", "--quiet", "--prune=now")
    assert read(project) == CommitReport(read=2, left=0, kept=2)
    assert kept(project) == history(project)


def test_replaced_commits_are_another_history(project: Project) -> None:
    for _ in range(4):
        project.git.commit("a.py")
    read(project)
    project.git.git("replace", "HEAD~1", "HEAD~3")
    assert read(project).kept == 2
    project.git.git("replace", "--delete", project.git.git("rev-parse", "HEAD~1"))
    assert read(project).kept == 4
    assert kept(project) == history(project)


def test_a_deepened_clone_is_read_again(project: Project) -> None:
    for _ in range(5):
        project.git.commit("a.py")
    shallow = project.root.parent / "shallow"
    project.git.git("clone", "--quiet", "--depth=3", project.root.as_uri(), str(shallow))
    prepare(shallow)
    project.root = shallow
    assert read(project).kept == 2  # what the last one changed is unknown
    project.git.git("fetch", "--quiet", "--unshallow", at=shallow)
    assert read(project).kept == 5


def test_commits_without_files_or_with_too_many_are_read_and_not_kept(project: Project) -> None:
    project.git.commit("b.py")
    project.git.commit(*(f"{number}.py" for number in range(MOST_FILES + 1)))
    project.git.commit("a.py")
    project.git.commit()
    assert read(project) == CommitReport(read=4, left=0, kept=2)
    assert read(project) == CommitReport(kept=2)


def test_before_the_first_commit_and_without_git_there_is_nothing(project: Project, tmp_path: Path) -> None:
    project.git.git("checkout", "--quiet", "--orphan", "empty")
    assert read(project) == CommitReport()
    plain = tmp_path / "plain"
    plain.mkdir()
    prepare(plain)
    with open_workspace(plain) as workspace:
        assert (refresh_chunks(workspace.kernel), refresh_messages(workspace.kernel)) == (0, CommitReport())


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
def test_whatever_happens_to_history_just_its_commits_are_kept(project: Project, seed: int) -> None:
    developer = Developer(project, seed)
    random = Random(seed)
    for _ in range(10):
        done = [developer.act() for _ in range(random.randint(1, 3))]
        read(project)
        assert sorted(kept(project)) == sorted(history(project)), done
        assert_none_comes_before_what_it_builds_on(project)


def test_the_words_of_indexed_files_are_read_once_and_when_they_change(project: Project) -> None:
    project.write("a.py", "def validateToken(): pass")
    project.write("b.md", "数据库 and tokens")
    project.index()
    assert having(project, "validate", "token", "数据库", "other") == [["a.py"], ["a.py", "b.md"], ["b.md"], []]
    project.write("a.py", "other = 1  # of another length")
    project.index()
    assert having(project, "validate", "token", "other") == [[], ["b.md"], ["a.py"]]
    (project.root / "b.md").unlink()
    project.index()
    assert having(project, "token") == [[]]


def test_a_change_of_equal_size_right_after_reading_is_seen(project: Project) -> None:
    for word in ("first", "other", "third"):
        project.write("a.txt", word)
        project.index()
        assert having(project, word) == [["a.txt"]]


def test_a_file_that_did_not_change_is_not_read_again(project: Project) -> None:
    project.write("a.py", "word")
    let_stamps_settle()
    with project.open() as workspace:
        workspace.indexing.run()
        assert [refresh_chunks(workspace.kernel) for _ in range(2)] == [1, 0]


def test_what_is_no_text_or_written_by_a_program_has_no_words_and_what_is_large_those_of_its_head(
    project: Project,
) -> None:
    (project.root / "image.bin").write_bytes(b"word\0word")
    project.write("package-lock.json", "word")
    project.write("made.py", "# Code generated by a compiler. DO NOT EDIT.\nword = 1\n")
    project.write("data.json", "head " * 50_000 + "word")
    project.write("latin.txt", "").write_bytes(b"word caf\xe9")
    project.write("empty.py", "")
    project.index()
    assert having(project, "word", "head") == [["latin.txt"], ["data.json"]]


def test_a_file_that_went_since_it_was_indexed_has_no_words(project: Project) -> None:
    project.write("a.py", "word")
    with project.open() as workspace:
        workspace.indexing.run()
        (project.root / "a.py").unlink()
        refresh_chunks(workspace.kernel)
    assert having(project, "word") == [[]]


def test_progress_counts_files_to_the_end(project: Project) -> None:
    for name in "abc":
        project.write(f"{name}.py", "word")
    told: list[tuple[int, int | None]] = []
    with project.open() as workspace:
        workspace.indexing.run()
        files = refresh_chunks(workspace.kernel, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (files, files)
