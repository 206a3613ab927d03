"""Reading the past of files out of real repositories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.git_sandbox import DAY, NEW_YEAR_2024, GitSandbox
from tx_graph.core.errors import RepositoryError
from tx_graph.core.repository import GitRepository
from tx_graph.history.past import Journey, Past, Revision, renames_in

LONG = "".join(f"line {number}\n" for number in range(40))
"""Enough text for git to know a file again that was changed a little."""

ODD = (' sp"ace', "\n", "b\n/0 1", "-O", ":(glob)*", ":top", "*", "[a]", "a\\b", "a\tb", "ünï", "0" * 40 + " blob 3")
"""Names that mean something to git, or to who reads its answers."""


@pytest.fixture
def past(git: GitSandbox) -> Iterator[Past]:
    with Past(GitRepository(git.root)) as opened:
        yield opened


@pytest.fixture
def clone(git: GitSandbox, tmp_path: Path) -> Callable[..., Path]:
    def make(*options: str) -> Path:
        git.git("clone", "--quiet", *options, f"file://{git.root}", str(tmp_path / "clone"))
        return tmp_path / "clone"

    return make


@pytest.fixture
def partial(git: GitSandbox, clone: Callable[..., Path]) -> Callable[[], Past]:
    """Opens the past of a clone that lacks the contents of all but the newest files."""
    git.git("config", "uploadpack.allowFilter", "true")
    return lambda: Past(GitRepository(clone("--filter=blob:none")))


def commits(past: Past, path: str) -> list[str]:
    return [revision.commit for revision in past.revisions([path])[path]]


def replace_text(git: GitSandbox, path: str, text: str) -> None:
    (git.root / path).write_text(text, encoding="utf-8")


def move(git: GitSandbox, old: str, new: str) -> str:
    git.git("mv", old, new)
    return git.commit()


def renamed(git: GitSandbox) -> str:
    """Commit `a.py`, and that it is `b.py` now."""
    git.write("a.py", text=LONG)
    git.commit()
    return move(git, "a.py", "b.py")


def merge(git: GitSandbox, branch: str, *options: str) -> None:
    """Merge without committing; a conflict is left to the caller."""
    command = ("git", "merge", "--quiet", "--no-commit", "--no-ff", *options, branch)
    subprocess.run(command, cwd=git.root, check=False, capture_output=True)


# --- revisions ----------------------------------------------------------------------------------


def test_revisions_come_newest_first_with_what_the_file_held(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    git.commit("b.py")
    second = git.commit("a.py")
    old, new = (git.git("rev-parse", f"{commit}:a.py") for commit in (first, second))
    assert past.revisions(["a.py"]) == {
        "a.py": [
            Revision(commit=second, time=NEW_YEAR_2024 + 2 * DAY, subject="change", path="a.py", before=old, after=new),
            Revision(commit=first, time=NEW_YEAR_2024, subject="change", path="a.py", before=None, after=old),
        ]
    }


def test_a_deletion_is_a_revision(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    git.git("rm", "--quiet", "a.py")
    second = git.commit("b.py")
    [deletion, creation] = past.revisions(["a.py"])["a.py"]
    assert (deletion.commit, deletion.after, creation.commit, creation.before) == (second, None, first, None)
    assert deletion.before == creation.after
    below = git.commit("a.py/b.py")
    assert commits(past, "a.py") == [second, first], "a directory at the path is not the file"
    assert past.revisions([below, below]) == {below: []}, "and what no commit had has none"
    assert past.revisions([]) == {}
    git.git("rm", "--quiet", "-r", "a.py")
    git.commit()
    again = git.commit("a.py")
    with Past(GitRepository(git.root)) as later:
        assert commits(later, "a.py") == [again], "a list ends where the file was created last"


def test_no_more_revisions_than_wanted_are_kept(git: GitSandbox, past: Past) -> None:
    made = [git.commit("a.py") for _ in range(4)]
    assert [revision.commit for revision in past.revisions(["a.py"], limit=2)["a.py"]] == made[:1:-1]


def test_a_change_of_mode_alone_is_no_revision(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    (git.root / "a.py").chmod(0o755)
    git.commit()
    assert commits(past, "a.py") == [first]


def test_a_file_replaced_by_a_symbolic_link_is_gone(git: GitSandbox, past: Past) -> None:
    git.commit("a.py", "b.py")
    (git.root / "a.py").unlink()
    (git.root / "a.py").symlink_to("b.py")
    linked = git.commit()
    newest = past.revisions(["a.py"])["a.py"][0]
    assert (newest.commit, newest.after) == (linked, None)


def test_without_a_commit_there_is_no_past(past: Past) -> None:
    assert past.revisions(["a.py"]) == {"a.py": []}
    assert past.journeys(["a.py"]) == {}
    assert past.origins(["a.py"]).get("a.py") is None
    assert not past.is_cut_off


def test_a_detached_head_is_where_history_starts(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    git.commit("a.py")
    git.git("checkout", "--quiet", "--detach", first)
    assert commits(past, "a.py") == [first]


def test_odd_names_mean_themselves(git: GitSandbox, past: Past) -> None:
    first = git.commit(*ODD, "plain")
    for path in ODD:  # git is asked by name about one path, but not about many
        assert commits(past, path) == [first]
        assert past.at(first, path) == f"{NEW_YEAR_2024}\n".encode()
    assert {path: len(found) for path, found in past.revisions(ODD).items()} == dict.fromkeys(ODD, 1)


def test_names_that_are_not_utf8_are_found(git: GitSandbox, past: Past) -> None:
    name = os.fsdecode(b"caf\xe9")
    try:
        (git.root / name).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    first = git.commit()
    assert commits(past, name) == [first]
    assert past.at(first, name) == b""


def test_thousands_of_paths_are_read_at_once(git: GitSandbox, past: Past) -> None:
    paths = [f"{'long' * 50}/{number}.py" for number in range(3000)]
    first = git.commit(*paths)
    found = past.revisions(paths)
    assert len(found) == len(paths)
    assert all([one.commit for one in revisions] == [first] for revisions in found.values())


def test_the_users_settings_change_nothing(git: GitSandbox, past: Past) -> None:
    made = [git.commit("a.py"), git.commit("a.py"), move(git, "a.py", "b.py")]
    for setting in ("log.follow=true", "log.showRoot=false", "diff.renames=copies", "color.ui=always"):
        git.git("config", *setting.split("="))
    for setting in ("diff.orderFile=nowhere", "log.showSignature=true", "core.abbrev=5", "diff.relative=true"):
        git.git("config", *setting.split("="))
    assert commits(past, "b.py") == [made[2]]
    assert commits(past, "a.py") == made[::-1]
    assert past.follow("a.py") == "b.py"


def test_a_subject_survives_whatever_it_says(git: GitSandbox, past: Past) -> None:
    git.write("a.py")
    git.git("add", "--all")
    git.git("commit", "--quiet", "--message=/0 1 ünï :100644")
    [revision] = past.revisions(["a.py"])["a.py"]
    assert revision.subject == "/0 1 ünï :100644"


# --- merges -------------------------------------------------------------------------------------


@pytest.fixture
def fork(git: GitSandbox) -> GitSandbox:
    """A repository with `a.py`, on the branch `side`; `main` has gone one commit further."""
    git.write("a.py", text=LONG)
    git.commit()
    git.git("branch", "side")
    git.commit("main.py")
    git.git("checkout", "--quiet", "side")
    return git


def merged(git: GitSandbox, *options: str) -> str:
    git.git("checkout", "--quiet", "main")
    merge(git, "side", *options)
    return git.commit()


def test_a_change_on_a_side_branch_is_told_by_its_own_commit(fork: GitSandbox, past: Past) -> None:
    change = fork.commit("a.py")
    merged(fork)
    assert commits(past, "a.py")[0] == change


def test_a_deletion_on_a_side_branch_is_found(fork: GitSandbox, past: Past) -> None:
    fork.git("rm", "--quiet", "a.py")
    deletion = fork.commit()
    merged(fork)
    assert commits(past, "a.py")[0] == deletion
    assert past.journeys(["a.py"]) == {}


def test_a_file_that_the_first_parent_never_had_was_deleted_nevertheless(git: GitSandbox, past: Past) -> None:
    git.commit("first.py")
    git.git("branch", "side")
    creation = git.commit("a.py")
    git.git("rm", "--quiet", "a.py")
    deletion = git.commit()
    git.git("checkout", "--quiet", "side")
    git.commit("side.py")
    merge(git, "main")
    git.commit()
    assert commits(past, "a.py") == [deletion, creation]


def test_a_rename_on_a_side_branch_is_followed(fork: GitSandbox, past: Past) -> None:
    rename = move(fork, "a.py", "b.py")
    merged(fork)
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="b.py", commits=(rename,))}
    assert past.origins(["b.py"]).get("b.py") == "a.py"


def test_a_merge_that_resolves_a_conflict_tells_what_all_parents_had(fork: GitSandbox, past: Past) -> None:
    replace_text(fork, "a.py", "side\n")
    side = fork.commit()
    fork.git("checkout", "--quiet", "main")
    replace_text(fork, "a.py", "main\n")
    main = fork.commit()
    merge(fork, "side")
    replace_text(fork, "a.py", "both\n")
    both = fork.commit()
    newest, *others = past.revisions(["a.py"])["a.py"]
    assert newest.commit == both
    assert [past.blob(oid or "") for oid in (newest.after, newest.before, *newest.merged)] == [
        b"both\n",
        b"main\n",
        b"side\n",
    ]
    assert {revision.commit for revision in others[:2]} == {side, main}


def test_what_was_slipped_into_a_merge_is_its_own_change(fork: GitSandbox, past: Past) -> None:
    fork.commit("side.py")
    fork.git("checkout", "--quiet", "main")
    merge(fork, "side")
    fork.git("mv", "a.py", "b.py")
    slipped = fork.commit()
    assert commits(past, "a.py")[0] == slipped
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="b.py", commits=(slipped,))}


def test_a_merge_renames_nothing_that_came_in_under_its_new_name(fork: GitSandbox, past: Past) -> None:
    rename = move(fork, "a.py", "b.py")
    merge_commit = merged(fork)
    assert renames_in(fork.root, {merge_commit, rename}) == {rename: {"a.py": "b.py"}}


def test_a_change_that_a_merge_threw_away_does_not_count(fork: GitSandbox, past: Past) -> None:
    thrown_away = fork.commit("a.py")
    merged(fork, "--strategy=ours")
    kept = fork.commit("a.py")
    found = commits(past, "a.py")
    assert found[0] == kept
    assert thrown_away not in found


def test_commits_of_the_same_second_form_a_line(git: GitSandbox, past: Past) -> None:
    git.write("a.py")
    made = []
    for number in range(6):
        replace_text(git, "a.py", f"{number}\n")
        git.git("add", "--all")
        git.git("commit", "--quiet", "--message=change")
        made.append(git.git("rev-parse", "HEAD"))
        git.git("tag", f"t{number}")
    git.git("checkout", "--quiet", "-b", "side", "t0")
    for number in (2, 4, 5):
        git.git("merge", "--quiet", "--no-ff", "--message=merge", f"t{number}")
    assert commits(past, "a.py") == made[::-1]


# --- renames ------------------------------------------------------------------------------------


def test_a_file_is_followed_through_a_chain_of_renames_and_edits(git: GitSandbox, past: Past) -> None:
    first = renamed(git)
    git.commit("b.py")
    second = move(git, "b.py", "c.py")
    git.commit("c.py")
    assert past.journeys(["a.py", "b.py", "c.py"]) == {
        "a.py": Journey(path="c.py", commits=(first, second)),
        "b.py": Journey(path="c.py", commits=(second,)),
        "c.py": Journey(path="c.py"),
    }


def test_a_file_deleted_after_its_rename_is_nowhere(git: GitSandbox, past: Past) -> None:
    renamed(git)
    git.git("rm", "--quiet", "b.py")
    git.commit()
    git.commit("d.py")
    (git.root / "d.py").unlink()
    assert past.follow("a.py") is past.follow("never.py") is None
    assert past.follow("d.py") is None, "it was removed since HEAD"


def test_a_name_used_again_leads_nobody_astray(git: GitSandbox, past: Past) -> None:
    renamed(git)
    move(git, "b.py", "c.py")
    git.commit("b.py")
    assert past.follow("a.py") == "c.py"
    assert past.follow("b.py") == "b.py"


def test_a_file_that_came_back_under_its_first_name_is_followed_from_its_last_life(git: GitSandbox, past: Past) -> None:
    renamed(git)
    move(git, "b.py", "a.py")
    last = move(git, "a.py", "c.py")
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="c.py", commits=(last,))}


def test_a_move_that_is_only_staged_is_followed(git: GitSandbox, past: Past) -> None:
    git.write("a.py", text=LONG)
    git.commit("other.py")
    rename = move(git, "a.py", "b.py")
    git.git("mv", "b.py", "c.py")
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="c.py", commits=(rename,))}
    assert past.origins(["c.py"]).get("c.py") == "b.py"


def test_odd_names_are_followed(git: GitSandbox, past: Past) -> None:
    for path in ODD:
        git.write(path, text=path + LONG)
    git.commit()
    (git.root / "to").mkdir()
    for path in ODD:
        new = git.root / "to" / path
        new.parent.mkdir(exist_ok=True)
        (git.root / path).rename(new)
    git.commit()
    assert {old: journey.path for old, journey in past.journeys(ODD).items()} == {old: f"to/{old}" for old in ODD}


# --- contents -----------------------------------------------------------------------------------


def test_what_a_commit_had_at_a_path_is_its_content(git: GitSandbox, past: Past) -> None:
    git.write("dir/a.py", text="old\n")
    first = git.commit()
    replace_text(git, "dir/a.py", "")
    second = git.commit()
    assert (past.at(first, "dir/a.py"), past.at(second, "dir/a.py")) == (b"old\n", b"")
    assert past.at(f"{second}^", "dir/a.py") == b"old\n"
    assert past.at(f"{first}^", "dir/a.py") is None
    assert past.at(first, "dir") is None
    assert past.at(first, "no\nsuch\nfile") is None
    assert past.blob("0" * 40) is None
    assert past.at(first, "dir/a.py") == b"old\n"


def test_binary_and_large_contents_come_whole(git: GitSandbox, past: Past) -> None:
    content = bytes(range(256)) * 20_000
    (git.root / "a.bin").write_bytes(content)
    assert past.at(git.commit(), "a.bin") == content


def test_the_process_ends_with_the_past_whatever_happens(git: GitSandbox) -> None:
    first = git.commit("a.py")
    with suppress(KeyError), Past(GitRepository(git.root)) as past:
        past.at(first, "a.py")
        process = past._objects._process
        raise KeyError
    assert process is not None
    assert process.returncode is not None
    past.close()


def test_a_process_that_died_is_an_error_and_replaced(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    past.at(first, "a.py")
    process = past._objects._process
    assert process is not None
    process.kill()
    process.wait()
    with pytest.raises(RepositoryError, match="cat-file"):
        past.at(first, "a.py")
    assert past.at(first, "a.py") is not None


@pytest.mark.parametrize("keep", [0, 20])
def test_a_damaged_object_is_an_error_and_hurts_no_other(git: GitSandbox, past: Past, keep: int) -> None:
    commit = git.commit("a.py")
    (git.root / "b.bin").write_bytes(os.urandom(5000))
    oid = git.git("hash-object", "-w", "b.bin")
    damaged = git.root / ".git" / "objects" / oid[:2] / oid[2:]
    damaged.chmod(0o600)
    damaged.write_bytes(damaged.read_bytes()[:keep] + b"damaged")
    with pytest.raises(RepositoryError, match="cat-file"):
        past.blob(oid)
    assert past.at(commit, "a.py") is not None


def test_a_sha256_repository_has_a_past(tmp_path: Path, git: GitSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    other = GitSandbox(tmp_path / "sha256", monkeypatch)
    (other.root / ".git").rename(tmp_path / "sha1")
    other.git("init", "--quiet", "--initial-branch=main", "--object-format=sha256")
    other.write("a.py", text=LONG)
    other.commit()
    rename = move(other, "a.py", "b.py")
    with Past(GitRepository(other.root)) as past:
        [deletion, creation] = past.revisions(["a.py"])["a.py"]
        assert len(deletion.commit) == 64
        assert past.blob(creation.after or "") == LONG.encode()
        assert past.journeys(["a.py"])["a.py"].commits == (rename,)


# --- clones that lack something -----------------------------------------------------------------


def test_a_shallow_clone_adds_nothing_and_says_that_it_is_cut_off(git: GitSandbox, clone: Callable[..., Path]) -> None:
    git.commit("a.py", "b.py")
    change = git.commit("a.py")
    with Past(GitRepository(clone("--depth=2"))) as past:
        assert past.is_cut_off
        assert [one.commit for one in past.revisions(["a.py"])["a.py"]] == [change]
        assert past.revisions(["b.py"]) == {"b.py": []}


def test_a_shallow_clone_follows_what_it_knows(git: GitSandbox, clone: Callable[..., Path]) -> None:
    renamed(git)
    last = move(git, "b.py", "c.py")
    with Past(GitRepository(clone("--depth=2"))) as past:
        assert past.journeys(["a.py", "b.py"]) == {"b.py": Journey(path="c.py", commits=(last,))}


def test_a_partial_clone_knows_the_changes_but_not_all_contents(git: GitSandbox, partial: Callable[[], Past]) -> None:
    first = git.commit("a.py")
    git.commit("a.py")
    with partial() as past:
        newest, oldest = past.revisions(["a.py"])["a.py"]
        for _ in range(2):
            assert past.blob(oldest.after or "") is None
            assert past.blob(newest.after or "") == f"{NEW_YEAR_2024}\n{NEW_YEAR_2024 + DAY}\n".encode()
            assert past.at(first, "a.py") is None
            assert past.at(newest.commit, "a.py") is not None


def test_a_partial_clone_follows_what_was_only_moved(git: GitSandbox, partial: Callable[[], Past]) -> None:
    renamed(git)
    git.commit("c.py")
    with partial() as past:
        assert past.follow("a.py") == "b.py"


def test_a_partial_clone_that_lacks_what_a_rename_needs_says_so(git: GitSandbox, partial: Callable[[], Past]) -> None:
    git.write("a.py", text=LONG)
    git.commit()
    git.git("mv", "a.py", "b.py")
    git.commit("b.py")
    git.commit("b.py")
    with partial() as past, pytest.raises(RepositoryError, match="promisor"):
        past.follow("a.py")


def test_damaged_history_is_an_error(git: GitSandbox, past: Past) -> None:
    first = git.commit("a.py")
    git.commit("a.py")
    (git.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(RepositoryError, match="git log"):
        past.revisions(["a.py"])
