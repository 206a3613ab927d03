"""What people and programs type: empty, huge, broken and foreign texts, and questions in any spelling."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import CommandLine, Program

LIMIT = 1_000_000


@pytest.mark.parametrize("text", ["", " ", "\n\t \r\n", "\u3000"])
def test_an_empty_learning_is_refused(tx: CommandLine, text: str) -> None:
    outcome = tx("learning:add", text)
    assert outcome.status == 2
    assert "this one is empty" in outcome.err
    assert tx.json("learning:list") == {"learnings": []}


def test_a_megabyte_is_the_most(tx: CommandLine) -> None:
    assert len(tx.json("learning:add", "-", stdin=b"x" * LIMIT)["content"]) == LIMIT
    outcome = tx("learning:add", "-", stdin=b"y" * (LIMIT + 1))
    assert outcome.status == 2
    assert "1,000,001 bytes" in outcome.err


def test_the_megabyte_counts_bytes_not_characters(tx: CommandLine) -> None:
    assert tx("learning:add", stdin="é".encode() * (LIMIT // 2)).status == 0
    assert tx("learning:add", stdin="é".encode() * (LIMIT // 2 + 1)).status == 2


@pytest.mark.parametrize("command", [["learning:list"], ["learning:search", "start"], ["graph:show", "1"]])
def test_a_megabyte_does_not_flood_the_terminal(
    tx: CommandLine, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    tx.ok("learning:add", "-", stdin=b"start " + b"word\n" * 190_000)
    out = tx.ok(*command).out
    assert out.count("\n") < 8
    assert "…" in out


def test_nul_bytes_are_no_text(tx: CommandLine) -> None:
    assert "NUL byte" in tx("learning:add", "-", stdin=b"a\0b").err


def test_stdin_that_is_not_utf8_names_its_line(tx: CommandLine) -> None:
    outcome = tx("learning:add", "-", stdin=b"fine\n\xff\xfe\n")
    assert (outcome.status, outcome.err.splitlines()[0]) == (2, "tx: stdin is not valid UTF-8 (line 2).")


def test_an_argument_that_is_not_utf8_is_refused(program: Program) -> None:
    outcome = program("learning:add", b"caf\xe9")
    assert (outcome.status, outcome.err.splitlines()[0]) == (2, "tx: The content is not valid UTF-8.")
    assert program("learning:add", b"fine", b"--category", b"caf\xe9").status == 2
    assert program("learning:search", b"caf\xe9").status == 0
    assert program("graph:show", b"caf\xe9").status in (2, 3)
    assert program("graph:link", b"1", b"caf\xe9").status in (2, 3)


def test_line_ends_become_unix_and_a_byte_order_mark_goes(tx: CommandLine) -> None:
    assert tx.json("learning:add", "-", stdin=b"\xef\xbb\xbfone\r\ntwo\rthree\r\n")["content"] == "one\ntwo\nthree"


def test_text_without_an_argument_comes_from_stdin(tx: CommandLine) -> None:
    assert tx.json("learning:add", stdin="from a pipe: ünï".encode())["content"] == "from a pipe: ünï"


@pytest.mark.parametrize(
    "options",
    [
        ["--category", ""], ["--category", "a\nb"], ["--keyword", ""], ["--keyword", "x" * 201],
        ["--source-ref", "\x1b[31m"], ["--link", "1:likes"], ["--anchor", ""], ["--anchor", "../../etc/passwd"],
        ["--source-type", "rumour"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_bad_field_adds_nothing(tx: CommandLine, options: list[str]) -> None:
    outcome = tx("learning:add", "Text", *options)
    assert outcome.status == 2, outcome
    assert tx.json("learning:list") == {"learnings": []}


@pytest.mark.parametrize(
    "options", [["--anchor", "missing.py"], ["--link", "9999999"], ["--anchor", "src/auth.py::logout"]]
)
def test_a_field_that_names_nothing_adds_nothing(tx: CommandLine, options: list[str]) -> None:
    assert tx("learning:add", "Text", *options).status == 3
    assert tx.json("learning:list") == {"learnings": []}


QUERIES = [
    "C++", '"', "'", "foo-bar", "src/auth.py", "NEAR(", "*", "🦄", "常量时间比较", "AND", "a AND", "NOT", "(", ")",
    "^x", "col:x", "{", "\\", "%", "_", ";--", "\t", "a\0b", "-", "--", "x" * 10_000, "word " * 2_000,
    "\u202e", "\U0010ffff",
]  # fmt: skip


@pytest.mark.parametrize("expand", [[], ["--expand", "--verbose"]], ids=["direct", "expanded"])
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: ascii(query[:12]))
def test_no_question_fails(tx: CommandLine, query: str, expand: list[str]) -> None:
    tx.add("One", "--anchor", "src/auth.py")
    outcome = tx("learning:search", *expand, "--", query)
    assert outcome.status == (2 if not query.strip() else 0), outcome


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("C++", "Never throw across C++ boundaries"),
        ("constant-time", "Compare in constant-time"),
        ("constant-time", "Compare in constant time"),
        ("auth.py", "See src/auth.py"),
        ("src/auth.py", "See src/auth.py"),
        ("validate token", "validateToken caches"),
        ("validateToken", "We validate token by token"),
        ("validate_token", "validateToken caches"),
        ("🦄", "Beware of the 🦄"),
        ("中文", "中文 is tokenised"),
        ("-Werror", "Builds use -Werror"),
        ("tokens " * 1_500, "Compare tokens"),
    ],
    ids=lambda value: ascii(value[:20]),
)
def test_a_question_finds_what_it_should(tx: CommandLine, query: str, content: str) -> None:
    tx.add(content)
    tx.add("Nothing to do with it")
    results = tx.ok("learning:search", "--json", "--", query).document["results"]
    assert results[0]["content"] == content
