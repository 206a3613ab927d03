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
from tx_graph.history.past import Journey, Past, Revision

LONG = "".join(f"line {number}\n" for number in range(40))
"""Enough text for git to know a file again that was changed a little."""

ODD = (' sp"ace', "\n", "b\n/0 1", "-O", ":(glob)*", ":top", "*", "[a]", "a\\b", "a\tb", "ünï", "0" * 40 + " blob 3")
"""Names that mean something to git, or to who reads its answers."""


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


@pytest.fixture
def past(sandbox: GitSandbox) -> Iterator[Past]:
    with Past(GitRepository(sandbox.root)) as opened:
        yield opened


@pytest.fixture
def clone(sandbox: GitSandbox, tmp_path: Path) -> Callable[..., Path]:
    def make(*options: str) -> Path:
        sandbox.git("clone", "--quiet", *options, f"file://{sandbox.root}", str(tmp_path / "clone"))
        return tmp_path / "clone"

    return make


def commits(past: Past, path: str) -> list[str]:
    return [revision.commit for revision in past.revisions([path])[path]]


def replace_text(sandbox: GitSandbox, path: str, text: str) -> None:
    (sandbox.root / path).write_text(text, encoding="utf-8")


def move(sandbox: GitSandbox, old: str, new: str) -> str:
    sandbox.git("mv", old, new)
    return sandbox.commit()


def merge(sandbox: GitSandbox, branch: str, *options: str) -> None:
    """Merge without committing; a conflict is left to the caller."""
    command = ("git", "merge", "--quiet", "--no-commit", "--no-ff", *options, branch)
    subprocess.run(command, cwd=sandbox.root, check=False, capture_output=True)


# --- revisions ----------------------------------------------------------------------------------


def test_revisions_come_newest_first_with_what_the_file_held(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    sandbox.commit("b.py")
    second = sandbox.commit("a.py")
    old, new = (sandbox.git("rev-parse", f"{commit}:a.py") for commit in (first, second))
    assert past.revisions(["a.py"]) == {
        "a.py": [
            Revision(commit=second, time=NEW_YEAR_2024 + 2 * DAY, subject="change", path="a.py", before=old, after=new),
            Revision(commit=first, time=NEW_YEAR_2024, subject="change", path="a.py", before=None, after=old),
        ]
    }


def test_a_deletion_is_a_revision(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    sandbox.git("rm", "--quiet", "a.py")
    second = sandbox.commit("b.py")
    [deletion, creation] = past.revisions(["a.py"])["a.py"]
    assert (deletion.commit, deletion.after, creation.commit, creation.before) == (second, None, first, None)
    assert deletion.before == creation.after


def test_a_list_ends_where_the_file_was_created_last(sandbox: GitSandbox, past: Past) -> None:
    sandbox.commit("a.py")
    sandbox.git("rm", "--quiet", "a.py")
    sandbox.commit("b.py")
    again = sandbox.commit("a.py")
    assert commits(past, "a.py") == [again]


def test_no_more_revisions_than_wanted_are_kept(sandbox: GitSandbox, past: Past) -> None:
    made = [sandbox.commit("a.py") for _ in range(4)]
    assert [revision.commit for revision in past.revisions(["a.py"], limit=2)["a.py"]] == made[:1:-1]


def test_a_change_of_mode_alone_is_no_revision(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    (sandbox.root / "a.py").chmod(0o755)
    sandbox.commit()
    assert commits(past, "a.py") == [first]


def test_a_file_replaced_by_a_symbolic_link_is_gone(sandbox: GitSandbox, past: Past) -> None:
    sandbox.commit("a.py", "b.py")
    (sandbox.root / "a.py").unlink()
    (sandbox.root / "a.py").symlink_to("b.py")
    linked = sandbox.commit()
    newest = past.revisions(["a.py"])["a.py"][0]
    assert (newest.commit, newest.after) == (linked, None)


def test_a_directory_at_the_path_is_not_the_file(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a")
    sandbox.git("rm", "--quiet", "a")
    second = sandbox.commit("a/b.py")
    assert commits(past, "a") == [second, first]


def test_without_a_commit_there_is_no_past(past: Past) -> None:
    assert past.revisions(["a.py"]) == {"a.py": []}
    assert past.journeys(["a.py"]) == {}
    assert past.uncommitted_renames() == {}
    assert past.origins(["a.py"]).get("a.py") is None
    assert not past.is_cut_off


def test_a_path_that_no_commit_had_has_no_revisions(sandbox: GitSandbox, past: Past) -> None:
    sandbox.commit("a.py")
    assert past.revisions(["b.py", "b.py"]) == {"b.py": []}
    assert past.revisions([]) == {}


def test_a_detached_head_is_where_history_starts(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    sandbox.commit("a.py")
    sandbox.git("checkout", "--quiet", "--detach", first)
    assert commits(past, "a.py") == [first]


def test_odd_names_mean_themselves(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit(*ODD, "plain")
    for path in ODD:  # git is asked by name about one path, but not about many
        assert commits(past, path) == [first]
        assert past.at(first, path) == f"{NEW_YEAR_2024}\n".encode()
    assert {path: len(found) for path, found in past.revisions(ODD).items()} == dict.fromkeys(ODD, 1)


def test_names_that_are_not_utf8_are_found(sandbox: GitSandbox, past: Past) -> None:
    name = os.fsdecode(b"caf\xe9")
    try:
        (sandbox.root / name).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    first = sandbox.commit()
    assert commits(past, name) == [first]
    assert past.at(first, name) == b""


def test_thousands_of_paths_are_read_at_once(sandbox: GitSandbox, past: Past) -> None:
    paths = [f"{'long' * 50}/{number}.py" for number in range(3000)]
    first = sandbox.commit(*paths)
    found = past.revisions(paths)
    assert len(found) == len(paths)
    assert all([one.commit for one in revisions] == [first] for revisions in found.values())


def test_the_users_settings_change_nothing(sandbox: GitSandbox, past: Past) -> None:
    made = [sandbox.commit("a.py"), sandbox.commit("a.py"), move(sandbox, "a.py", "b.py")]
    for setting in ("log.follow=true", "log.showRoot=false", "diff.renames=copies", "color.ui=always"):
        sandbox.git("config", *setting.split("="))
    for setting in ("diff.orderFile=nowhere", "log.showSignature=true", "core.abbrev=5", "diff.relative=true"):
        sandbox.git("config", *setting.split("="))
    assert commits(past, "b.py") == [made[2]]
    assert commits(past, "a.py") == made[::-1]
    assert past.follow("a.py") == "b.py"


def test_a_subject_survives_whatever_it_says(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py")
    sandbox.git("add", "--all")
    sandbox.git("commit", "--quiet", "--message=/0 1 ünï :100644")
    [revision] = past.revisions(["a.py"])["a.py"]
    assert revision.subject == "/0 1 ünï :100644"


# --- merges -------------------------------------------------------------------------------------


@pytest.fixture
def fork(sandbox: GitSandbox) -> GitSandbox:
    """A repository with `a.py`, on the branch `side`; `main` has gone one commit further."""
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    sandbox.git("branch", "side")
    sandbox.commit("main.py")
    sandbox.git("checkout", "--quiet", "side")
    return sandbox


def merged(sandbox: GitSandbox, *options: str) -> str:
    sandbox.git("checkout", "--quiet", "main")
    merge(sandbox, "side", *options)
    return sandbox.commit()


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


def test_a_file_that_the_first_parent_never_had_was_deleted_nevertheless(sandbox: GitSandbox, past: Past) -> None:
    sandbox.commit("first.py")
    sandbox.git("branch", "side")
    creation = sandbox.commit("a.py")
    sandbox.git("rm", "--quiet", "a.py")
    deletion = sandbox.commit()
    sandbox.git("checkout", "--quiet", "side")
    sandbox.commit("side.py")
    merge(sandbox, "main")
    sandbox.commit()
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
    assert past.renames({"a.py": merge_commit}) == {}
    assert past.renames({"a.py": rename}) == {"a.py": "b.py"}


def test_a_change_that_a_merge_threw_away_does_not_count(fork: GitSandbox, past: Past) -> None:
    thrown_away = fork.commit("a.py")
    merged(fork, "--strategy=ours")
    kept = fork.commit("a.py")
    found = commits(past, "a.py")
    assert found[0] == kept
    assert thrown_away not in found


def test_commits_of_the_same_second_form_a_line(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py")
    made = []
    for number in range(6):
        replace_text(sandbox, "a.py", f"{number}\n")
        sandbox.git("add", "--all")
        sandbox.git("commit", "--quiet", "--message=change")
        made.append(sandbox.git("rev-parse", "HEAD"))
        sandbox.git("tag", f"t{number}")
    sandbox.git("checkout", "--quiet", "-b", "side", "t0")
    for number in (2, 4, 5):
        sandbox.git("merge", "--quiet", "--no-ff", "--message=merge", f"t{number}")
    assert commits(past, "a.py") == made[::-1]


# --- renames ------------------------------------------------------------------------------------


def test_a_file_is_followed_through_a_chain_of_renames_and_edits(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    first = move(sandbox, "a.py", "b.py")
    sandbox.commit("b.py")
    second = move(sandbox, "b.py", "c.py")
    sandbox.commit("c.py")
    assert past.journeys(["a.py", "b.py", "c.py"]) == {
        "a.py": Journey(path="c.py", commits=(first, second)),
        "b.py": Journey(path="c.py", commits=(second,)),
        "c.py": Journey(path="c.py"),
    }


def test_a_file_deleted_after_its_rename_is_nowhere(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    move(sandbox, "a.py", "b.py")
    sandbox.git("rm", "--quiet", "b.py")
    sandbox.commit()
    assert past.follow("a.py") is None
    assert past.follow("never.py") is None


def test_a_name_used_again_leads_nobody_astray(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    move(sandbox, "a.py", "b.py")
    move(sandbox, "b.py", "c.py")
    sandbox.commit("b.py")
    assert past.follow("a.py") == "c.py"
    assert past.follow("b.py") == "b.py"


def test_a_file_that_came_back_under_its_first_name_is_followed_from_its_last_life(
    sandbox: GitSandbox, past: Past
) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    move(sandbox, "a.py", "b.py")
    move(sandbox, "b.py", "a.py")
    last = move(sandbox, "a.py", "c.py")
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="c.py", commits=(last,))}


def test_a_move_that_is_only_staged_is_followed(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit("other.py")
    rename = move(sandbox, "a.py", "b.py")
    sandbox.git("mv", "b.py", "c.py")
    assert past.uncommitted_renames() == {"b.py": "c.py"}
    assert past.journeys(["a.py"]) == {"a.py": Journey(path="c.py", commits=(rename,), is_committed=False)}
    assert past.origins(["c.py"]).get("c.py") == "b.py"


def test_a_file_removed_since_head_is_nowhere(sandbox: GitSandbox, past: Past) -> None:
    sandbox.commit("a.py", "b.py")
    (sandbox.root / "a.py").unlink()
    assert past.follow("a.py") is None
    assert past.follow("b.py") == "b.py"


def test_odd_names_are_followed(sandbox: GitSandbox, past: Past) -> None:
    for path in ODD:
        sandbox.write(path, text=path + LONG)
    sandbox.commit()
    (sandbox.root / "to").mkdir()
    for path in ODD:
        new = sandbox.root / "to" / path
        new.parent.mkdir(exist_ok=True)
        (sandbox.root / path).rename(new)
    sandbox.commit()
    assert {old: journey.path for old, journey in past.journeys(ODD).items()} == {old: f"to/{old}" for old in ODD}


# --- contents -----------------------------------------------------------------------------------


def test_what_a_commit_had_at_a_path_is_its_content(sandbox: GitSandbox, past: Past) -> None:
    sandbox.write("dir/a.py", text="old\n")
    first = sandbox.commit()
    replace_text(sandbox, "dir/a.py", "")
    second = sandbox.commit()
    assert (past.at(first, "dir/a.py"), past.at(second, "dir/a.py")) == (b"old\n", b"")
    assert past.at(f"{second}^", "dir/a.py") == b"old\n"
    assert past.at(f"{first}^", "dir/a.py") is None
    assert past.at(first, "dir") is None
    assert past.at(first, "no\nsuch\nfile") is None
    assert past.blob("0" * 40) is None
    assert past.at(first, "dir/a.py") == b"old\n"


def test_binary_and_large_contents_come_whole(sandbox: GitSandbox, past: Past) -> None:
    content = bytes(range(256)) * 20_000
    (sandbox.root / "a.bin").write_bytes(content)
    assert past.at(sandbox.commit(), "a.bin") == content


def test_the_process_ends_with_the_past_whatever_happens(sandbox: GitSandbox) -> None:
    first = sandbox.commit("a.py")
    with suppress(KeyError), Past(GitRepository(sandbox.root)) as past:
        past.at(first, "a.py")
        process = past._objects._process
        raise KeyError
    assert process is not None
    assert process.returncode is not None
    past.close()


def test_a_process_that_died_is_an_error_and_replaced(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    past.at(first, "a.py")
    process = past._objects._process
    assert process is not None
    process.kill()
    process.wait()
    with pytest.raises(RepositoryError, match="cat-file"):
        past.at(first, "a.py")
    assert past.at(first, "a.py") is not None


@pytest.mark.parametrize("keep", [0, 20])
def test_a_damaged_object_is_an_error_and_hurts_no_other(sandbox: GitSandbox, past: Past, keep: int) -> None:
    commit = sandbox.commit("a.py")
    (sandbox.root / "b.bin").write_bytes(os.urandom(5000))
    oid = sandbox.git("hash-object", "-w", "b.bin")
    damaged = sandbox.root / ".git" / "objects" / oid[:2] / oid[2:]
    damaged.chmod(0o600)
    damaged.write_bytes(damaged.read_bytes()[:keep] + b"damaged")
    with pytest.raises(RepositoryError, match="cat-file"):
        past.blob(oid)
    assert past.at(commit, "a.py") is not None


def test_a_sha256_repository_has_a_past(tmp_path: Path, sandbox: GitSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_shallow_clone_adds_nothing_and_says_that_it_is_cut_off(
    sandbox: GitSandbox, clone: Callable[..., Path]
) -> None:
    sandbox.commit("a.py", "b.py")
    change = sandbox.commit("a.py")
    with Past(GitRepository(clone("--depth=2"))) as past:
        assert past.is_cut_off
        assert [one.commit for one in past.revisions(["a.py"])["a.py"]] == [change]
        assert past.revisions(["b.py"]) == {"b.py": []}


def test_a_shallow_clone_follows_what_it_knows(sandbox: GitSandbox, clone: Callable[..., Path]) -> None:
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    move(sandbox, "a.py", "b.py")
    last = move(sandbox, "b.py", "c.py")
    with Past(GitRepository(clone("--depth=2"))) as past:
        assert past.journeys(["a.py", "b.py"]) == {"b.py": Journey(path="c.py", commits=(last,))}


def test_a_partial_clone_knows_the_changes_but_not_all_contents(
    sandbox: GitSandbox, clone: Callable[..., Path]
) -> None:
    sandbox.git("config", "uploadpack.allowFilter", "true")
    first = sandbox.commit("a.py")
    sandbox.commit("a.py")
    with Past(GitRepository(clone("--filter=blob:none"))) as past:
        newest, oldest = past.revisions(["a.py"])["a.py"]
        for _ in range(2):
            assert past.blob(oldest.after or "") is None
            assert past.blob(newest.after or "") == f"{NEW_YEAR_2024}\n{NEW_YEAR_2024 + DAY}\n".encode()
            assert past.at(first, "a.py") is None
            assert past.at(newest.commit, "a.py") is not None


def test_a_partial_clone_follows_what_was_only_moved(sandbox: GitSandbox, clone: Callable[..., Path]) -> None:
    sandbox.git("config", "uploadpack.allowFilter", "true")
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    move(sandbox, "a.py", "b.py")
    sandbox.commit("c.py")
    with Past(GitRepository(clone("--filter=blob:none"))) as past:
        assert past.follow("a.py") == "b.py"


def test_a_partial_clone_that_lacks_what_a_rename_needs_says_so(
    sandbox: GitSandbox, clone: Callable[..., Path]
) -> None:
    sandbox.git("config", "uploadpack.allowFilter", "true")
    sandbox.write("a.py", text=LONG)
    sandbox.commit()
    sandbox.git("mv", "a.py", "b.py")
    sandbox.commit("b.py")
    sandbox.commit("b.py")
    with Past(GitRepository(clone("--filter=blob:none"))) as past, pytest.raises(RepositoryError, match="promisor"):
        past.follow("a.py")


def test_damaged_history_is_an_error(sandbox: GitSandbox, past: Past) -> None:
    first = sandbox.commit("a.py")
    sandbox.commit("a.py")
    (sandbox.root / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(RepositoryError, match="git log"):
        past.revisions(["a.py"])
