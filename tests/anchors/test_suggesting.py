"""A file and a word are enough to find what to anchor to: its symbol, else its lines, else the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.taking import Suggestion
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.records.anchor import AnchorType

SOURCE = '''\
import secrets

TIMEOUT = 30


class Session:
    """What a login leaves."""

    def verify_token(self, token):
        return secrets.compare_digest(token, self.token)

    def renew(self):
        self.token = secrets.token_hex()
        self.age = 0


def Login(name):
    # one attempt only
    # then the account is locked
    return Session()


def log_out(session):
    session.token = None
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.py", SOURCE)
    project.git.commit()
    project.add("One.")
    return project


def suggest(project: Project, word: str, path: str = "src/auth.py", *, below: str = "") -> Suggestion:
    with project.open(below) as workspace:
        return workspace.kernel.one(Linking).suggest_anchor(path, word)


def spec(project: Project, word: str, path: str = "src/auth.py") -> str:
    """Return where the suggestion for a word leads; nothing is written."""
    with project.open() as workspace:
        suggested = workspace.kernel.one(Linking).suggest_anchor(path, word)
        return workspace.kernel.one(Linking).link("1", suggested.request, dry_run=True).anchor.spec


@pytest.mark.parametrize(
    ("word", "symbol", "why"),
    [
        ("renew", "Session::renew", "the only symbol named 'renew'"),
        ("renew()", "Session::renew", "the only symbol named 'renew()'"),
        ("Session.renew", "Session::renew", "the only symbol named 'Session.renew'"),
        ("Session::renew", "Session::renew", "the only symbol named 'Session::renew'"),
        ("login", "Login", "the only symbol named 'login', but for case"),
        ("SESSION", "Session", "the only symbol named 'SESSION', but for case"),
        ("verify", "Session::verify_token", "the only symbol with 'verify' in its name"),
        ("out", "log_out", "the only symbol with 'out' in its name"),
        (" renew ", "Session::renew", "the only symbol named 'renew'"),
    ],
)
def test_a_symbol_that_is_meant_without_doubt_is_suggested(project: Project, word: str, symbol: str, why: str) -> None:
    assert spec(project, word) == f"src/auth.py::{symbol}"
    assert suggest(project, word).why == why


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("TIMEOUT = 30", "L3-L3"),
        ("compare_digest", "L10-L10"),
        ("attempt", "L18-L18"),
        ("hex", "L13-L13"),
        ("LOCKED", "L19-L19"),
    ],
)
def test_what_stands_in_one_place_alone_is_suggested_by_its_lines(project: Project, word: str, lines: str) -> None:
    assert spec(project, word) == f"src/auth.py:{lines}"
    assert suggest(project, word).why == f"the only place with '{word}' in it"


def test_where_lines_are_suggested_symbols_are_named_too(project: Project) -> None:
    project.write("pay.py", "def pay(): ...\ndef payee(): ...\n\n# nothing more to pa\n")
    suggested = suggest(project, "pa", "pay.py")
    assert suggested.request.lines == (4, 4)
    assert suggested.alternatives == ("pay.py::pay", "pay.py::payee")


def test_lines_without_a_gap_are_one_place(project: Project) -> None:
    project.write("notes.txt", "first\nabout tea\nmore tea\nlast\n")
    assert spec(project, "tea", "notes.txt") == "notes.txt:L2-L3"


def test_a_whole_word_is_meant_before_a_part_of_one(project: Project) -> None:
    project.write("notes.txt", "steam\n\ntea\n\nteapot\n")
    assert spec(project, "tea", "notes.txt") == "notes.txt:L3-L3"
    assert spec(project, "Tea", "notes.txt") == "notes.txt:L3-L3"
    assert spec(project, "pot", "notes.txt") == "notes.txt:L5-L5"


def test_what_is_in_several_places_means_the_file_and_they_are_named(project: Project) -> None:
    suggested = suggest(project, "log")
    assert spec(project, "log") == "src/auth.py"
    assert suggested.why == "'log' is in the names of 2 symbols and on 3 lines, so the whole file"
    assert suggested.alternatives[:2] == ("src/auth.py::Login", "src/auth.py::log_out")


def test_several_lines_mean_the_file(project: Project) -> None:
    suggested = suggest(project, "secrets")
    assert spec(project, "secrets") == "src/auth.py"
    assert suggested.why == "'secrets' is on 3 lines, so the whole file"
    assert suggested.alternatives == ("src/auth.py:L1-L1", "src/auth.py:L10-L10", "src/auth.py:L13-L13")


def test_no_more_than_a_few_alternatives_are_named(project: Project) -> None:
    project.write("many.py", "".join(f"def tea_{number}():\n    pass\n\n\n" for number in range(20)))
    suggested = suggest(project, "tea", "many.py")
    assert suggested.request.symbol is None
    assert len(suggested.alternatives) == 5


def test_an_exact_name_wins_over_its_longer_kin(project: Project) -> None:
    project.write(
        "pay.js", "function pay() { return 1 }\nfunction payAll() { return 2 }\nfunction $pay() { return 3 }\n"
    )
    suggested = suggest(project, "pay", "pay.js")
    assert suggested.request.symbol == "pay"
    assert suggested.alternatives[:2] == ("pay.js::payAll", "pay.js::$pay")
    assert suggest(project, "$pay", "pay.js").request.symbol == "$pay"


def test_a_constructor_is_not_confused_with_its_class(project: Project) -> None:
    project.write("Box.java", "class Box {\n  Box(int size) {}\n  int boxed() { return 1; }\n}\n")
    suggested = suggest(project, "Box", "Box.java")
    assert (suggested.request.symbol, suggested.why) == ("Box", "the outermost symbol named 'Box'")
    assert suggested.alternatives[0] == "Box.java::Box::Box"


def test_overloads_are_not_chosen_among(project: Project) -> None:
    project.write("Box.java", "class Box {\n  int size(int a) { return 1; }\n\n  int size(long a) { return 2; }\n}\n")
    suggested = suggest(project, "size", "Box.java")
    assert suggested.request.symbol is None
    assert suggested.alternatives[:2] == ("Box.java::Box::size", "Box.java::Box::size#2")


def test_a_class_and_its_method_that_both_have_the_word_are_two(project: Project) -> None:
    project.write("v.py", "class Verifier:\n    def verify(self):\n        return 1\n\n    verify_all = verify\n")
    suggested = suggest(project, "verif", "v.py")
    assert suggested.request.symbol is None
    assert suggested.alternatives[:2] == ("v.py::Verifier", "v.py::Verifier::verify")


@pytest.mark.parametrize("word", ["nothing", "::", "()", "[unbalanced", ".*"])
def test_what_is_not_there_is_not_found(project: Project, word: str) -> None:
    with pytest.raises(NotFound) as error:
        spec(project, f"{word}{word}")
    assert "whole file" in error.value.hint


def test_a_misspelled_symbol_is_named(project: Project) -> None:
    with pytest.raises(NotFound) as error:
        suggest(project, "verify_tokn")
    assert "src/auth.py::Session::verify_token" in error.value.candidates


@pytest.mark.parametrize("word", ["", "  "])
def test_an_empty_word_is_a_usage_error(project: Project, word: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        suggest(project, word)


def test_the_file_must_exist_and_be_of_the_project(project: Project) -> None:
    with pytest.raises(NotFound):
        suggest(project, "login", "nowhere.py")
    with pytest.raises(UsageError):
        suggest(project, "login", "../outside.py")
    with pytest.raises(UsageError):
        suggest(project, "login", "src")


def test_the_path_may_be_spelled_from_the_working_directory(project: Project) -> None:
    assert suggest(project, "renew", "auth.py", below="src").request.path == "src/auth.py"


def test_a_dry_run_writes_nothing_and_the_suggestion_can_be_linked(project: Project) -> None:
    spec(project, "renew")
    with project.open() as workspace:
        assert workspace.learnings.show("1").stored.learning.anchors == ()
        tied = workspace.kernel.one(Linking).link(
            "1", workspace.kernel.one(Linking).suggest_anchor("src/auth.py", "renew").request
        )
        assert (tied.anchor.type, tied.existed) == (AnchorType.SYMBOL, False)
        again = workspace.kernel.one(Linking).link(
            "1", workspace.kernel.one(Linking).suggest_anchor("src/auth.py", "renew").request, dry_run=True
        )
    assert again.existed


def test_a_workspace_that_lives_long_suggests_from_what_is_there_now(project: Project) -> None:
    with project.open() as workspace:
        linking = workspace.kernel.one(Linking)
        assert linking.suggest_anchor("src/auth.py", "renew").request.symbol == "Session::renew"
        project.write("src/auth.py", f"# a line\n{SOURCE.replace('def renew', 'def freshen')}")
        assert (
            workspace.kernel.one(Linking).suggest_anchor("src/auth.py", "freshen").request.symbol == "Session::freshen"
        )
        assert workspace.kernel.one(Linking).suggest_anchor("src/auth.py", "TIMEOUT").request.lines == (4, 4)
