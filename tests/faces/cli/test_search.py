"""`tx search`: one question to all that is known, each kind by its own search."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine

FILES = {
    "src/tokens.py": "def verify_token(token):\n    return token\n\n\nclass TokenStore:\n    pass\n",
    "docs/tokens.md": "# Tokens\n\n## Verifying tokens\n\nTokens are verified in constant time.\n",
}
STEPS = (
    ["learning:add", "Verify tokens in constant time", "--anchor", "src/tokens.py::verify_token"],
    ["fact:add", "Tokens", "verified_by", "--value", "the gateway"],
    "index",
    "doc:ingest",
)
OF_EACH = {
    "learning": "src/tokens.py",
    "section": "docs/tokens.md",
    "file": "src/tokens.py",
    "symbol": "src/tokens.py",
}


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    return prepared(*STEPS, files=FILES, message="Verify tokens at the gateway")


def test_one_question_finds_something_of_every_kind(shared: CommandLine) -> None:
    found = shared.json("search", "verify_token tokens verified")["hits"]
    by_kind = {one["kind"]: one for one in reversed(found)}
    assert list(dict.fromkeys(one["kind"] for one in found)) == [
        *("learning", "section", "fact", "file", "symbol", "commit")
    ]
    assert {kind: by_kind[kind]["path"] for kind in OF_EACH} == OF_EACH
    assert (by_kind["symbol"]["ref"], by_kind["symbol"]["line"]) == ("src/tokens.py::verify_token", 1)
    assert (by_kind["learning"]["ref"], by_kind["learning"]["verdict"]) == ("learning:1", "fresh")
    assert all(one["why"] and one["score"] > 0 for one in found)
    text = shared.ok("search", "verify_token tokens verified").out
    assert by_kind["learning"]["uid"] in text
    assert len(text.splitlines()) == len(found) <= 18


@pytest.mark.parametrize("kinds", [["--kind", "file,symbol"], ["--kind", "symbol", "--kind", "file"]])
def test_kinds_choose_and_a_limit_is_of_each(shared: CommandLine, kinds: list[str]) -> None:
    found = shared.json("search", "TokenStore", *kinds, "-n", "1")["hits"]
    assert [one["kind"] for one in found] == ["file", "symbol"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("where is verify_token called", "verify_token"),
        ("verify token", "verify_token"),
        ("token store", "TokenStore"),
        ("tokenst", "TokenStore"),
    ],
)
def test_symbols_are_found_by_the_names_in_a_question(shared: CommandLine, question: str, name: str) -> None:
    found = shared.json("search", question, "--kind", "symbol")["hits"]
    assert [one["ref"] for one in found] == [f"src/tokens.py::{name}"]


def test_what_was_not_found_is_said(shared: CommandLine) -> None:
    outcome = shared.ok("search xylophone --kind symbol,fact")
    assert not outcome.out
    assert "Nothing found in facts, symbols." in outcome.err.splitlines()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("search tokens --kind files", "'files' is no kind"),
        ("search ' '", "The query is empty"),
        ("search x -n 0", "limit must be"),
    ],
)
def test_bad_questions_are_refused(shared: CommandLine, line: str, said: str) -> None:
    outcome = shared(line)
    assert outcome.status == 2
    assert said in outcome.err
