"""Names of files and symbols, told by their looks from everything else that stands in code font or in a sentence."""

from __future__ import annotations

import pytest

from tx_graph.documents.reading import code_target, is_path, names_in


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("src/auth.py", "src/auth.py"),
        ("./setup.py", "./setup.py"),
        ("../lib/a.ts", "../lib/a.ts"),
        ("path/to/file.py:12", "path/to/file.py"),
        ("path/to/file.py:12-20", "path/to/file.py"),
        ("a.py#L12-L14", "a.py"),
        ("src/a.py::Foo::bar", "src/a.py::Foo::bar"),
        ("src/a.py::test_it()", "src/a.py::test_it"),
        ("docker/Dockerfile", "docker/Dockerfile"),
        ("login()", "login"),
        ("login(user, password)", "login"),
        ("AuthService.login", "AuthService.login"),
        ("std::vector", "std::vector"),
        ("Array#map", "Array#map"),
        ("read_document", "read_document"),
        ("MAX_TERMS", "MAX_TERMS"),
        ("Workspace", "Workspace"),
        ("validateToken", "validateToken"),
        ("LICENSE", "LICENSE"),
        ("größe_von", "größe_von"),
    ],
)
def test_inline_code_may_name_a_file_or_symbol(code: str, target: str) -> None:
    assert code_target(code) == target


@pytest.mark.parametrize(
    "code",
    [
        "--verbose",
        "-c/a.py",
        "pip install tx",
        "https://example.org/a.py",
        "v1.2.3",
        "3.11",
        "24/7",
        "name",
        "true",
        "True",
        "GET",
        "src/",
        "*.py",
        "$HOME/a.py",
        "a = b",
        "{id}",
        "",
        "x" * 500,
    ],
)
def test_what_can_be_neither_is_no_target(code: str) -> None:
    assert code_target(code) == ""


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("It lives in src/auth.py.", ["src/auth.py"]),
        ("See (docs/adr/003.md), then call login().", ["docs/adr/003.md", "login"]),
        (
            "The AuthService's cache_key is read by AuthService.login!",
            ["AuthService", "cache_key", "AuthService.login"],
        ),
        ("“validateToken” and HTTPServer", ["validateToken", "HTTPServer"]),
        ("Set MAX_TERMS in settings.toml", ["MAX_TERMS", "settings.toml"]),
    ],
)
def test_a_sentence_may_name_files_and_symbols(sentence: str, names: list[str]) -> None:
    assert [name for _, name in names_in(sentence)] == names


@pytest.mark.parametrize(
    "sentence",
    [
        "A plain sentence, e.g. this one; and/or that, i.e. client/server.",
        "Version 1.2.3 of https://example.org/a.py at 12:30 costs 3.50.",
        "HTTP, GET and APIs: Capitalised Words are none.",
        "end.Of course",
        "_" * 1000 + "a_b" * 1000,
    ],
)
def test_ordinary_words_are_no_names(sentence: str) -> None:
    assert [name for _, name in names_in(sentence) if name != "end.Of"] == []


def test_a_name_comes_with_the_number_of_lines_before_it() -> None:
    assert names_in("é\nfoo_bar\n\nbar_baz foo_bar") == [(1, "foo_bar"), (3, "bar_baz"), (3, "foo_bar")]


@pytest.mark.parametrize(("text", "expected"), [("docs/x.md#part", True), ("x.md", True), ("x", False), ("1.2", False)])
def test_a_path_may_have_a_part(text: str, expected: bool) -> None:
    assert is_path(text) is expected
