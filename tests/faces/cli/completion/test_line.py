"""Lines that are still being typed."""

from __future__ import annotations

import pytest

from tx_graph.faces.cli.completion.line import is_redirected_file, split, without_redirections


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", [""]),
        ("tx", ["tx"]),
        ("tx ", ["tx", ""]),
        ("  tx  graph:li", ["tx", "graph:li"]),
        ("tx 'a b", ["tx", "a b"]),
        ('tx "a \\"b\\" \\n', ["tx", 'a "b" \\n']),
        ('tx "a b" c', ["tx", "a b", "c"]),
        ("tx a\\ b:c", ["tx", "a b:c"]),
        ("tx one'two'\"three\"", ["tx", "onetwothree"]),
        ("tx ''", ["tx", ""]),
        ("tx a\\", ["tx", "a"]),
        ("tx 'a\nb' é", ["tx", "a\nb", "é"]),
    ],
)
def test_words_lose_their_quotes_and_the_last_may_be_open(line: str, words: list[str]) -> None:
    assert split(line) == words


def test_what_the_shell_redirects_is_no_argument() -> None:
    assert without_redirections(["graph:show", ">", "out", "2>/dev/null", "ref", "&>>", "log", "<in"]) == [
        "graph:show",
        "ref",
    ]
    assert is_redirected_file(["graph:stats", "2>>"], "")
    assert is_redirected_file(["graph:stats"], ">ou")
    assert not is_redirected_file(["graph:stats", ">out"], "")
