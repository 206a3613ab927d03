"""Our table comes to the end of people's TOML and goes again, and theirs stays byte for byte."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import Server, TomlFile
from tx_graph.faces.setup.toml_settings import with_ours, without_ours

FILE = TomlFile(path="config.toml", server=Server(table="mcp_servers", args=("mcp",)))
ENTRY = {"command": "tx", "args": ["mcp"]}
_LINES = (
    "",
    "# a comment with [brackets]",
    'model = "o"  # why',
    "many = [\n  [1, 2],\n\n  # [x]\n]",
    "text = '''\n[not.a.table]\n'''",
    "when = 1979-05-27T07:32:00Z",
    "number = nan",
)
_TABLES = ("[mcp_servers.other]", "[ profiles . fast ]", "[[hooks.Stop]]", '[projects."/a b"]')


@st.composite
def toml_files(draw: st.DrawFn) -> str:
    """Random TOML, with other servers in it or not."""
    lines = draw(st.lists(st.sampled_from(_LINES), unique=True))
    for table in draw(st.lists(st.sampled_from(_TABLES), unique=True)):
        lines += [table, *draw(st.lists(st.sampled_from(_LINES), unique=True))]
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(toml_files())
def test_writing_twice_is_writing_once_and_taking_back_leaves_no_trace(text: str) -> None:
    written = with_ours(text, FILE)
    assert tomllib.loads(written)["mcp_servers"]["tx"] == ENTRY
    assert with_ours(written, FILE) == written
    assert without_ours(written, FILE) == text
    assert without_ours(text, FILE) == text


def test_a_file_of_our_own_goes_whole() -> None:
    written = with_ours(None, FILE)
    assert written == '[mcp_servers.tx]\ncommand = "tx"\nargs = ["mcp"]\n'
    assert without_ours(written, FILE) is None


def test_what_was_added_behind_stays() -> None:
    text = with_ours("a = 1\n", FILE) + "\n# Theirs.\n[mcp_servers.other]\ncommand = 'x'\n"
    assert without_ours(text, FILE) == "a = 1\n\n# Theirs.\n[mcp_servers.other]\ncommand = 'x'\n"


def test_what_people_added_to_our_table_goes_with_it() -> None:
    text = 'a = 1\n\n[mcp_servers.tx]\ncommand = "tx"\nargs = ["mcp"]\n\n[mcp_servers.tx.env]\nB = "2"\n'
    assert with_ours(text, FILE) == text
    assert without_ours(text, FILE) == "a = 1\n\n"


def test_another_program_takes_the_place_of_the_one_that_is_there() -> None:
    file = TomlFile(path="c", server=Server(table="mcp_servers", args=("mcp",), command="/opt/tx"))
    text = with_ours("", FILE)
    assert with_ours(text, file) == text.replace('"tx"', '"/opt/tx"')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", "is not valid TOML"),
        ("mcp_servers = 1", "'mcp_servers' is no table"),
        ('[mcp_servers.tx]\nurl = "http://localhost"', "another server named 'tx'"),
        ('[mcp_servers]\ntx = { command = "node", args = ["x.js"] }', "another server named 'tx'"),
    ],
)
def test_where_something_else_stands_nothing_is_changed(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        with_ours(text, FILE)
    assert said in refused.value.message


def test_an_entry_in_another_form_is_fine_and_taken_out() -> None:
    text = '[mcp_servers]\ntx = { command = "tx", args = ["mcp"] }\n'
    assert with_ours(text, FILE) == text
    assert without_ours(text, FILE) == "[mcp_servers]\n"


def test_servers_between_braces_get_ours_between_braces() -> None:
    written = with_ours("a = 1  # one\nmcp_servers = {}\n", FILE)
    assert tomllib.loads(written)["mcp_servers"]["tx"] == ENTRY
    assert without_ours(written, FILE) == "a = 1  # one\nmcp_servers = {}\n"


def test_a_comment_behind_a_table_that_people_changed_is_not_lost() -> None:
    text = with_ours("a = 1\n", FILE) + 'env = { A = "1" }\n\n# Theirs.\n[mcp_servers.other]\ncommand = "x"\n'
    with pytest.raises(UsageError, match="a comment that would go"):
        without_ours(text, FILE)


def test_a_table_that_only_looks_like_ours_is_not_touched() -> None:
    text = "note = '''\n[mcp_servers.tx]\n'''\n"
    written = with_ours(text, FILE)
    assert tomllib.loads(written)["mcp_servers"]["tx"] == ENTRY
    assert without_ours(written, FILE) == text


@pytest.mark.parametrize("text", ["[mcp_servers]\n", "a = 1\n[mcp_servers]\n\n[other]\n"])
def test_a_table_of_servers_that_was_empty_is_empty_again(text: str) -> None:
    assert without_ours(with_ours(text, FILE), FILE) == text
