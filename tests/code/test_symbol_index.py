"""What files declare, and where a name is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.code.symbol_index import Found, SymbolIndex
from tx_graph.code.symbols import Match
from tx_graph.core.errors import NotFound, UsageError

AUTH = """
class AuthService:
    def login(self):
        pass

    def logout(self):
        pass


def Login():
    pass
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("src/auth.py", AUTH.lstrip())
    project.write("src/user.py", "class User:\n    def login(self):\n        pass\n")
    project.write("README.md")
    project.git.commit()
    project.index()
    return project


def find(project: Project, typed: str, *, within: str | None = None, kind: str | None = None) -> Found:
    with project.open() as workspace:
        return workspace.kernel.one(SymbolIndex).find_symbol(typed, within=within, kind=kind)


def names(found: Found) -> list[str]:
    return [symbol.fqname for symbol in found.symbols]


def test_a_file_declares_its_symbols_in_source_order(project: Project) -> None:
    with project.open() as workspace:
        found = workspace.kernel.one(SymbolIndex).symbols("src/auth.py").symbols
    assert [(one.name, one.kind, one.line_start, one.line_end) for one in found] == [
        ("AuthService", "class", 1, 6),
        ("AuthService::login", "method", 2, 3),
        ("AuthService::logout", "method", 5, 6),
        ("Login", "function", 9, 10),
    ]


def test_a_directory_declares_what_its_files_do(project: Project) -> None:
    with project.open() as workspace:
        below = workspace.kernel.one(SymbolIndex).symbols("src").symbols
        assert [one.path for one in below] == ["src/auth.py"] * 4 + ["src/user.py"] * 2
        assert workspace.kernel.one(SymbolIndex).symbols().symbols == below
        classes = workspace.kernel.one(SymbolIndex).symbols("src", kind="class").symbols
        assert [one.name for one in classes] == ["AuthService", "User"]


def test_an_exact_name_wins(project: Project) -> None:
    found = find(project, "login")
    assert (names(found), found.match) == (["src/auth.py::AuthService::login", "src/user.py::User::login"], Match.EXACT)
    assert names(find(project, "Login")) == ["src/auth.py::Login"]


@pytest.mark.parametrize(
    "typed", ["AuthService::login", "AuthService.login", "src/auth.py::AuthService::login", "symbol:AuthService::login"]
)
def test_a_qualified_name_is_narrower(project: Project, typed: str) -> None:
    assert names(find(project, typed)) == ["src/auth.py::AuthService::login"]


def test_without_an_exact_one_the_next_best_are_found_and_named_so(project: Project) -> None:
    assert (names(find(project, "authservice")), find(project, "authservice").match) == (
        ["src/auth.py::AuthService"],
        Match.CASE,
    )
    assert find(project, "log").match is Match.BEGINNING
    assert [name.rpartition("::")[2] for name in names(find(project, "log"))] == ["login", "Login", "login", "logout"]
    assert (names(find(project, "out")), find(project, "out").match) == (
        ["src/auth.py::AuthService::logout"],
        Match.PART,
    )


def test_a_name_is_found_within_a_place_and_of_a_kind(project: Project) -> None:
    assert names(find(project, "login", within="src/user.py")) == ["src/user.py::User::login"]
    assert names(find(project, "login", kind="function")) == ["src/auth.py::Login"]


def test_what_is_nowhere_names_the_nearest(project: Project) -> None:
    found = find(project, "logni")
    assert (found.symbols, found.match, found.nearest[0]) == ((), None, "login")


def test_characters_of_patterns_mean_themselves(project: Project) -> None:
    assert find(project, "%").symbols == ()
    assert find(project, "log_n").symbols == ()


@pytest.mark.parametrize("typed", ["", "::", " "])
def test_an_empty_name_is_a_usage_error(project: Project, typed: str) -> None:
    with pytest.raises(UsageError):
        find(project, typed)


def test_an_unknown_kind_names_those_there_are(project: Project) -> None:
    with pytest.raises(UsageError) as error:
        find(project, "login", kind="klass")
    assert error.value.hint == "Choose from class, function, method."


def test_an_unknown_place_is_not_found(project: Project) -> None:
    with pytest.raises(NotFound):
        find(project, "nowhere.py::login")


def test_a_file_in_no_language_says_so(project: Project) -> None:
    with project.open() as workspace:
        assert (
            workspace.kernel.one(SymbolIndex).symbols("README.md").remark
            == "README.md is in no language whose symbols are read."
        )
