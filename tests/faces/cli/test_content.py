"""What people and programs type: huge, broken and foreign texts, and questions in any spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine, Program

LIMIT = 1_000_000
FOUND = {
    "C++": "Never throw across C++ boundaries",
    "constant-time": "Compare in constant-time",
    "auth.py": "See src/auth.py",
    "src/auth.py": "See src/auth.py",
    "validate token": "validateToken caches",
    "validate_token": "validateToken caches",
    "carefully signed": "carefullySigned by hand",
    "carefullySigned": "carefullySigned by hand",
    "🦄": "Beware of the 🦄",
    "中文": "中文 is tokenised",
    "-Werror": "Builds use -Werror",
    "leopards " * 1_500: "Compare leopards",
}
"""Questions and what they find first."""
ODD = [
    '"', "'", "foo-bar", "NEAR(", "*", "常量时间比较", "AND", "a AND", "NOT", "(", ")", "^x", "col:x", "{", "\\", "%",
    "_", ";--", "a\0b", "-", "--", "x" * 10_000, "\u202e", "\U0010ffff",
]  # fmt: skip


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    contents = [*dict.fromkeys(FOUND.values()), "Nothing to do with it"]
    return prepared(*(["learning:add", one, "--anchor", "src/auth.py"] for one in contents))


@pytest.mark.parametrize("query", [*FOUND, *ODD], ids=lambda query: ascii(query[:12]))
def test_no_question_fails_and_spellings_find_what_they_should(shared: CommandLine, query: str) -> None:
    results = shared.ok("learning:search", "--json", "--no-diversify", "--", query).document["results"]
    assert query not in FOUND or results[0]["content"] == FOUND[query]
    shared.ok("learning:search", "--expand", "--verbose", "--", query)


def test_a_megabyte_of_bytes_is_the_most(tx: CommandLine) -> None:
    assert len(tx.json("learning:add -", stdin=b"x" * LIMIT)["content"]) == LIMIT
    assert tx("learning:add", stdin="é".encode() * (LIMIT // 2)).status == 0
    for text, size in ((b"y" * (LIMIT + 1), "1,000,001"), ("é".encode() * (LIMIT // 2 + 1), "1,000,002")):
        outcome = tx("learning:add", stdin=text)
        assert (outcome.status, f"{size} bytes" in outcome.err) == (2, True)


def test_a_megabyte_does_not_flood_the_terminal(tx: CommandLine) -> None:
    ref = tx.json("learning:add -", stdin=b"start " + b"word\n" * 190_000)["id"]
    for command in ("learning:list -n 1", "learning:search start -n 1", f"graph:show {ref}"):
        out = tx.ok(command).out
        assert out.count("\n") < 8
        assert "…" in out


@pytest.mark.parametrize(
    ("stdin", "said"), [(b"a\0b", "NUL byte"), (b"fine\n\xff\xfe\n", "stdin is not valid UTF-8 (line 2).")]
)
def test_what_is_no_text_is_refused(tx: CommandLine, stdin: bytes, said: str) -> None:
    tx.ok("run:start")
    for command in ("learning:add -", "learning:edit 1 --content -"):
        outcome = tx(command, stdin=stdin)
        assert (outcome.status, said in outcome.err) == (2, True)
    assert tx("run:finish 1 --outcome failed --transcript -", stdin=b"ok\n\xff\n").status == 2


@pytest.mark.parametrize(
    ("words", "statuses"),
    [
        (["learning:add", b"caf\xe9"], [2]), (["learning:add", b"fine", b"--category", b"caf\xe9"], [2]),
        (["learning:search", b"caf\xe9"], [2]), (["graph:show", b"caf\xe9"], [2, 3]),
    ],
    ids=str,
)  # fmt: skip
def test_an_argument_that_is_not_utf8_is_no_bug(
    program: Program, words: list[str | bytes], statuses: list[int]
) -> None:
    outcome = program(*words)
    assert outcome.status in statuses
    assert "unexpected" not in outcome.err


def test_a_text_may_come_from_stdin_its_line_ends_become_unix_and_a_byte_order_mark_goes(tx: CommandLine) -> None:
    assert tx.json("learning:add", stdin="from a pipe: ünï".encode())["content"] == "from a pipe: ünï"
    added = tx.json("learning:add -", stdin=b"\xef\xbb\xbfone\r\ntwo\rthree\r\n")
    assert added["content"] == "one\ntwo\nthree"
    assert tx.json("learning:edit 1 --content -", stdin=b"piped\r\n")["content"] == "piped"
