"""Commits as rows: found by what they say, tied to the files that are indexed now, and kept small."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.core.database import Database
from tx_graph.graph.edges import NodeId
from tx_graph.history.cochange import Commit
from tx_graph.history.commit_store import (
    MOST_FILES,
    MOST_PATHS,
    CommitStore,
    HistoryState,
    HistoryStore,
    Ledger,
)
from tx_graph.history.commits import CommitMessage


def commit(text: str, *paths: str, sha: str = "", time: int = 100) -> CommitMessage:
    return CommitMessage(sha=sha or text.partition("\n")[0], time=time, author="Ada", text=text, paths=paths)


def keep(database: Database, *commits: CommitMessage) -> CommitStore:
    store = CommitStore(database)
    with database.transaction():
        store.add(commits)
    return store


def index(database: Database, *paths: str) -> dict[str, NodeId]:
    with database.transaction():
        return FileStore(database).save(
            FileRow(path=path, language=None, size=1, mtime_ns=1, content_hash=None) for path in paths
        )


def found(store: CommitStore, text: str, *, limit: int = 10) -> list[str]:
    """Return the subjects of the commits that a text finds."""
    hits = store.search(text, limit=limit)
    scores = [score for _, score in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)
    briefs = store.briefs([number for number, _ in hits])
    return [briefs[number].subject for number, _ in hits]


def test_commits_are_found_by_their_words_however_these_are_written(database: Database) -> None:
    store = keep(database, commit("Fix validateToken", "a.py"), commit("Change the colours", "b.py"))
    for question in ("validateToken", "token validating", "FIXED", "a validate_token thing"):
        assert found(store, question) == ["Fix validateToken"]
    assert found(store, "nothing of it") == []


def test_a_word_in_the_subject_counts_more_than_one_in_the_body(database: Database) -> None:
    body = commit("Change something here\n\nThe cache.", "a.py")
    subject = commit("Change the cache here\n\nSomething.", "a.py")
    filler = [commit(f"Unrelated {number}", "a.py") for number in range(9)]
    assert found(keep(database, subject, body, *filler), "cache") == [subject.subject, body.subject]


def test_of_equal_matches_the_later_commit_comes_first(database: Database) -> None:
    store = keep(database, commit("Fix it", "a.py", sha="1"), commit("Fix it", "a.py", sha="2"))
    numbers = [number for number, _ in store.search("fix", limit=9)]
    assert [store.briefs([number])[number].sha for number in numbers] == ["2", "1"]


def test_lines_that_tools_add_are_not_searched(database: Database) -> None:
    store = keep(database, commit("Fix it\n\nSigned-off-by: Grace <g@example.org>", "a.py"))
    assert found(store, "Grace") == []


def test_the_far_end_of_an_endless_body_is_not_searched(database: Database) -> None:
    store = keep(database, commit(f"Begin\n\nnear {'log ' * 5_000} far", "a.py"))
    assert (found(store, "near"), found(store, "far")) == (["Begin"], [])


def test_a_commit_that_touches_no_file_or_too_many_is_not_kept(database: Database) -> None:
    many = [f"{number}.py" for number in range(MOST_FILES + 1)]
    store = keep(
        database, commit("Nothing"), commit("Everything", *many), commit("As wide as may be", *many[:MOST_FILES])
    )
    assert store.count() == 1
    assert found(store, "nothing everything wide") == ["As wide as may be"]


def test_commits_lead_to_the_files_that_are_indexed_now(database: Database) -> None:
    nodes = index(database, "a.py", "b.py")
    store = keep(database, commit("One", "a.py", "b.py", "gone.py", time=7), commit("Two", "gone.py"))
    one, two = (number for word in ("one", "two") for number, _ in store.search(word, limit=1))
    touched = store.touched_by([one, two])
    assert touched.keys() == {one}
    assert [(touch.file, touch.time, touch.files) for touch in touched[one]] == [
        (nodes["a.py"], 7, 3),
        (nodes["b.py"], 7, 3),
    ]
    with database.transaction():
        FileStore(database).remove(["a.py"])
    assert [touch.file for touch in store.touched_by([one])[one]] == [nodes["b.py"]]


def test_a_file_leads_to_its_last_commits(database: Database) -> None:
    nodes = index(database, "a.py", "b.py", "new.py")
    store = keep(database, *(commit(f"Number {number}", "a.py", time=number) for number in range(5)))
    with database.transaction():
        store.add([commit("Both", "b.py", "a.py", time=9)])
    times = [(file, time) for file, _, time in store.touching(list(nodes.values()), most=3)]
    a, b = nodes["a.py"], nodes["b.py"]
    assert times == [(a, 9), (a, 4), (a, 3), (b, 9)]


def test_names_that_are_no_unicode_are_counted_and_lead_nowhere(database: Database) -> None:
    nodes = index(database, "a.py")
    store = keep(database, commit("Café", "caf\udce9", "a.py"))
    [[touch]] = store.touched_by([1]).values()
    assert (touch.file, touch.files) == (nodes["a.py"], 2)


def test_what_is_removed_is_not_found_again(database: Database) -> None:
    nodes = index(database, "a.py")
    store = keep(database, commit("Leave", "a.py", sha="1"), commit("Stay", "a.py", sha="2"))
    with database.transaction():
        store.remove(["1", "unknown"])
    assert (store.count(), found(store, "leave stay")) == (1, ["Stay"])
    assert len(store.touching(list(nodes.values()), most=9)) == 1


def test_clearing_forgets_commits_and_how_far_they_were_read(database: Database) -> None:
    store = keep(database, commit("One", "a.py"))
    assert store.state() is None
    with database.transaction():
        store.remember(HistoryState("h1", "s"))
        store.remember(HistoryState("h2", "s"))
    assert store.state() == HistoryState("h2", "s")
    with database.transaction():
        store.clear()
    assert (store.state(), store.count(), found(store, "one")) == (None, 0, [])


def test_a_word_that_thousands_of_commits_share_is_not_looked_for(database: Database) -> None:
    store = keep(database, *(commit(f"chore {number}", "a.py") for number in range(5_001)))
    with database.transaction():
        store.add([commit("Mend the cache", "a.py")])
    assert found(store, "chore: cache") == ["Mend the cache"]
    assert found(store, "chore") == []


@pytest.mark.parametrize("question", ["", " ", '"', "(", "a OR", "NEAR(", "*", "-x", "subject:", "\0", "\ud800", "🚀"])
def test_a_question_that_is_no_words_finds_nothing_and_breaks_nothing(database: Database, question: str) -> None:
    store = keep(database, commit("Fix it", "a.py"))
    assert found(store, question) == []


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=300))
def test_any_message_is_kept_and_any_question_is_safe(database: Database, text: str) -> None:
    store = CommitStore(database)
    with database.transaction():
        store.clear()
        store.add([commit(text.encode("utf-8", "replace").decode(), "a.py", sha="1")])
    assert store.count() == 1
    assert len(store.search(text, limit=9)) <= 1


# --- the commits that were read ---------------------------------------------------------------------

STATE = HistoryState(head="ab" * 20, shape="as it is", with_renames=True)
LATER = HistoryState(head="cd" * 20, shape="as it is", with_renames=True)

FIRST = Commit(sha="01" * 20, time=1_700_000_000, paths=("b.py", "ünï.py", "caf\udce9", "a\n\t.py"))
SECOND = Commit(sha="02" * 20, time=-5, paths=("c.py",), renames=(("b.py", "c.py"),))
EMPTY = Commit(sha="03" * 20, time=2**40, paths=())


def record(store: HistoryStore, *commits: Commit, state: HistoryState = STATE, database: Database) -> None:
    ledger = store.load()
    list(ledger.recording(commits))
    with database.transaction():
        store.save(ledger, state)


def test_what_is_recorded_comes_back_and_what_is_new_is_added(database: Database) -> None:
    store = HistoryStore(database)
    assert (store.state(), list(store.load().commits()), store.counts(max_files=1)) == (None, [], (0, 0))
    record(store, FIRST, SECOND, EMPTY, database=database)
    assert list(store.load().commits()) == [FIRST, SECOND, EMPTY]
    assert store.state() == STATE
    record(store, SECOND, state=LATER, database=database)
    assert list(store.load().commits()) == [FIRST, SECOND, EMPTY, SECOND]
    assert store.state() == LATER


def test_a_new_ledger_takes_the_place_of_the_old(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, database=database)
    fresh = Ledger(stored=None)
    list(fresh.recording([SECOND]))
    with database.transaction():
        store.save(fresh, LATER)
    assert list(store.load().commits()) == [SECOND]


def test_two_processes_that_read_the_same_commit_keep_it_once(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, database=database)
    one, other = store.load(), store.load()
    for ledger in (one, other):
        list(ledger.recording([SECOND]))
        with database.transaction():
            store.save(ledger, LATER)
    assert list(store.load().commits()) == [FIRST, SECOND]


def test_a_commit_of_many_paths_stays_too_large_and_keeps_its_renames(database: Database) -> None:
    store = HistoryStore(database)
    wide = Commit(
        sha="04" * 20, time=0, paths=tuple(f"{number}" for number in range(MOST_PATHS + 1)), renames=(("a", "b"),)
    )
    record(store, wide, FIRST, database=database)
    found, _ = store.load().commits()
    assert len(found.paths) == MOST_PATHS + 1
    assert found.renames == wide.renames
    assert store.counts(max_files=MOST_PATHS) == (2, 1)
    assert store.counts(max_files=3) == (2, 2)
