"""What a file was called before, and whose history that name's is."""

from __future__ import annotations

from tx_graph.history.cochange import Commit, under_present_names


def commit(*paths: str, renames: tuple[tuple[str, str], ...] = ()) -> Commit:
    return Commit(sha="", time=0, paths=paths, renames=renames)


def renamed(old: str, new: str) -> Commit:
    return commit(new, renames=((old, new),))


def names(*newest_first: Commit, alive: str) -> list[str]:
    return [" ".join(one.paths) for one in under_present_names(newest_first, alive=set(alive.split()))]


def test_older_commits_count_for_the_present_name() -> None:
    assert names(commit("b"), renamed("a", "b"), commit("a"), alive="b") == ["b", "b", "b"]


def test_chains_of_renames_are_followed_to_the_end() -> None:
    history = (renamed("b", "c"), commit("b"), renamed("a", "b"), commit("a", "x"))
    assert names(*history, alive="c x") == ["c", "c", "c", "c x"]


def test_a_name_that_is_taken_again_belongs_to_another_file() -> None:
    history = (commit("a"), commit("a"), renamed("a", "b"), commit("a"))
    assert names(*history, alive="a b") == ["a", "a", "b", "b"]


def test_what_bore_the_new_name_before_was_another_file() -> None:
    history = (renamed("b", "c"), renamed("a", "b"), commit("b"), commit("a"))
    assert names(*history, alive="b c") == ["c", "c", "b", "c"]


def test_two_files_may_swap_their_names() -> None:
    history = (renamed("t", "b"), renamed("b", "a"), renamed("a", "t"), commit("a"), commit("b"))
    assert names(*history, alive="a b") == ["b", "a", "b", "b", "a"]


def test_a_rename_taken_back_changes_nothing() -> None:
    assert names(renamed("b", "a"), commit("b"), renamed("a", "b"), commit("a"), alive="a") == ["a"] * 4


def test_a_rename_into_a_file_that_is_gone_is_not_followed() -> None:
    assert names(commit("b"), renamed("a", "b"), commit("a"), alive="a") == ["b", "b", "a"]


def test_a_line_of_history_beside_the_rename_counts_for_the_new_name() -> None:
    beside = commit("a")
    assert names(beside, renamed("a", "b"), commit("a"), alive="b") == ["b", "b", "b"]
    assert names(renamed("a", "b"), beside, commit("a"), alive="b") == ["b", "b", "b"]


def test_several_files_move_at_once() -> None:
    move = commit("new/a", "new/b", renames=(("old/a", "new/a"), ("old/b", "new/b")))
    assert names(move, commit("old/a", "old/b"), alive="new/a new/b") == ["new/a new/b", "new/a new/b"]


def test_two_old_names_of_one_file_stay_two_paths_of_a_commit() -> None:
    history = (renamed("b", "c"), renamed("a", "b"), commit("a", "x"))
    assert [len(one.paths) for one in under_present_names(history, alive={"c", "x"})] == [1, 1, 2]
