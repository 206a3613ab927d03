"""A file and a word are enough to find what to anchor to: its symbol, else its lines, else the whole file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.anchors.bank import Anchored
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
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Anchored:
    project = Anchored(tmp_path, monkeypatch)
    project.write("src/auth.py", SOURCE)
    project.git.commit()
    project.add("One.")
    return project


def suggest(project: Anchored, word: str, path: str = "src/auth.py", *, below: str = "") -> Suggestion:
    with project.open(below) as workspace:
        return workspace.kernel.one(Linking).suggest_anchor(path, word)


def spec(project: Anchored, word: str, path: str = "src/auth.py") -> str:
    """Return where the suggestion for a word leads; nothing is written."""
    return project.link(suggest(project, word, path).request, dry_run=True).anchor.spec


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
def test_a_symbol_that_is_meant_without_doubt_is_suggested(project: Anchored, word: str, symbol: str, why: str) -> None:
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
def test_what_stands_in_one_place_alone_is_suggested_by_its_lines(project: Anchored, word: str, lines: str) -> None:
    assert spec(project, word) == f"src/auth.py:{lines}"
    assert suggest(project, word).why == f"the only place with '{word}' in it"


def test_where_lines_are_suggested_symbols_are_named_too(project: Anchored) -> None:
    project.write("pay.py", "def pay(): ...\ndef payee(): ...\n\n# nothing more to pa\n")
    suggested = suggest(project, "pa", "pay.py")
    assert suggested.request.lines == (4, 4)
    assert suggested.alternatives == ("pay.py::pay", "pay.py::payee")


@pytest.mark.parametrize(
    ("text", "word", "lines"),
    [
        pytest.param("first\nabout tea\nmore tea\nlast\n", "tea", "L2-L3", id="lines without a gap are one place"),
        pytest.param("steam\n\ntea\n\nteapot\n", "tea", "L3-L3", id="a whole word is meant before a part of one"),
        pytest.param("steam\n\ntea\n\nteapot\n", "Tea", "L3-L3", id="also in other case"),
        pytest.param("steam\n\ntea\n\nteapot\n", "pot", "L5-L5", id="a part where there is no whole word"),
    ],
)
def test_lines_are_suggested_by_their_words(project: Anchored, text: str, word: str, lines: str) -> None:
    project.write("notes.txt", text)
    assert spec(project, word, "notes.txt") == f"notes.txt:{lines}"


@pytest.mark.parametrize(
    ("word", "why", "alternatives"),
    [
        ("log", "'log' is in the names of 2 symbols and on 3 lines", ["src/auth.py::Login", "src/auth.py::log_out"]),
        ("secrets", "'secrets' is on 3 lines", ["src/auth.py:L1-L1", "src/auth.py:L10-L10", "src/auth.py:L13-L13"]),
    ],
)
def test_what_is_in_several_places_means_the_file_and_they_are_named(
    project: Anchored, word: str, why: str, alternatives: list[str]
) -> None:
    suggested = suggest(project, word)
    assert spec(project, word) == "src/auth.py"
    assert suggested.why == f"{why}, so the whole file"
    assert list(suggested.alternatives[: len(alternatives)]) == alternatives


def test_no_more_than_a_few_alternatives_are_named(project: Anchored) -> None:
    project.write("many.py", "".join(f"def tea_{number}():\n    pass\n\n\n" for number in range(20)))
    suggested = suggest(project, "tea", "many.py")
    assert suggested.request.symbol is None
    assert len(suggested.alternatives) == 5


@pytest.mark.parametrize(
    ("path", "text", "word", "symbol", "alternatives"),
    [
        pytest.param(
            "pay.js",
            "function pay() { return 1 }\nfunction payAll() { return 2 }\nfunction $pay() { return 3 }\n",
            *("pay", "pay", ["payAll", "$pay"]),
            id="an exact name wins over its longer kin",
        ),
        pytest.param(
            "pay.js",
            "function pay() { return 1 }\nfunction $pay() { return 3 }\n",
            *("$pay", "$pay", []),
            id="a sign is part of a name",
        ),
        pytest.param(
            "Box.java",
            "class Box {\n  Box(int size) {}\n  int boxed() { return 1; }\n}\n",
            *("Box", "Box", ["Box::Box"]),
            id="a constructor is not confused with its class",
        ),
        pytest.param(
            "Box.java",
            "class Box {\n  int size(int a) { return 1; }\n\n  int size(long a) { return 2; }\n}\n",
            *("size", None, ["Box::size", "Box::size#2"]),
            id="overloads are not chosen among",
        ),
        pytest.param(
            "v.py",
            "class Verifier:\n    def verify(self):\n        return 1\n\n    verify_all = verify\n",
            *("verif", None, ["Verifier", "Verifier::verify"]),
            id="a class and its method that both have the word are two",
        ),
    ],
)
def test_among_kin_only_what_is_meant_is_suggested(
    project: Anchored, path: str, text: str, word: str, symbol: str | None, alternatives: list[str]
) -> None:
    project.write(path, text)
    suggested = suggest(project, word, path)
    assert suggested.request.symbol == symbol
    assert list(suggested.alternatives[: len(alternatives)]) == [f"{path}::{name}" for name in alternatives]


@pytest.mark.parametrize("word", ["nothing", "::", "()", "[unbalanced", ".*"])
def test_what_is_not_there_is_not_found(project: Anchored, word: str) -> None:
    with pytest.raises(NotFound) as error:
        spec(project, f"{word}{word}")
    assert "whole file" in error.value.hint


def test_a_misspelled_symbol_is_named(project: Anchored) -> None:
    with pytest.raises(NotFound) as error:
        suggest(project, "verify_tokn")
    assert "src/auth.py::Session::verify_token" in error.value.candidates


@pytest.mark.parametrize(
    ("word", "path", "error"),
    [
        ("", "src/auth.py", UsageError),
        ("  ", "src/auth.py", UsageError),
        ("login", "nowhere.py", NotFound),
        ("login", "../outside.py", UsageError),
        ("login", "src", UsageError),
    ],
)
def test_a_word_is_needed_and_a_file_of_the_project(
    project: Anchored, word: str, path: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        suggest(project, word, path)


def test_the_path_may_be_spelled_from_the_working_directory(project: Anchored) -> None:
    assert suggest(project, "renew", "auth.py", below="src").request.path == "src/auth.py"


def test_a_suggestion_can_be_linked(project: Anchored) -> None:
    tied = project.link(suggest(project, "renew").request)
    assert (tied.anchor.type, tied.existed) == (AnchorType.SYMBOL, False)
    assert project.link(suggest(project, "renew").request, dry_run=True).existed


def test_a_workspace_that_lives_long_suggests_from_what_is_there_now(project: Anchored) -> None:
    with project.open() as workspace:
        linking = workspace.kernel.one(Linking)
        assert linking.suggest_anchor("src/auth.py", "renew").request.symbol == "Session::renew"
        project.write("src/auth.py", f"# a line\n{SOURCE.replace('def renew', 'def freshen')}")
        assert linking.suggest_anchor("src/auth.py", "freshen").request.symbol == "Session::freshen"
        assert linking.suggest_anchor("src/auth.py", "TIMEOUT").request.lines == (4, 4)
