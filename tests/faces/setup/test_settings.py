"""What is ours comes into people's files and goes out of them, and theirs stays byte for byte."""

from __future__ import annotations

import json
import tomllib
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.faces.setup.json_texts import Texts, settings_files
from tx_graph.core.errors import UsageError
from tx_graph.faces.setup import files as marked_text
from tx_graph.faces.setup import json_settings, toml_settings
from tx_graph.faces.setup.clients import Hook, JsonFile, MarkedFile, Server, TomlFile

CALLER = "hook claude-code"
SERVER = Server(table="mcpServers", args=("mcp",))
START = Hook(event="SessionStart", called=f"{CALLER} session-start", more={"timeout": 5}, group={})
OPENED = Hook(event="PostToolUse", called=f"{CALLER} file-opened", group={"matcher": "Read"})
FLAT = Hook(event="PostToolUse", called=f"{CALLER} file-opened")
FILE = JsonFile(path="settings.json", server=SERVER, hooks=(START, OPENED), caller=CALLER)
ONLY_SERVER = JsonFile(path="a", server=SERVER)
ENTRY = {"command": "tx", "args": ["mcp"]}
TOML = TomlFile(path="config.toml", server=Server(table="mcp_servers", args=("mcp",)))
MARKED = MarkedFile(path="AGENTS.md", block="Ask tx.\n\nTwice.\n")
BEGIN, END = MARKED.marks

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
LINE_ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def toml_files(draw: st.DrawFn) -> str:
    """Random TOML, with other servers in it or not."""
    lines = draw(st.lists(st.sampled_from(_LINES), unique=True))
    for table in draw(st.lists(st.sampled_from(_TABLES), unique=True)):
        lines += [table, *draw(st.lists(st.sampled_from(_LINES), unique=True))]
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(LINE_ENDS))


MARKDOWN = st.builds(str.replace, st.text("ab #\n<!->é", max_size=40), st.just("\n"), LINE_ENDS)


class Kind(NamedTuple):
    """A kind of file: what edits it, what is wanted in it, texts that people have there."""

    editor: ModuleType
    file: Any
    texts: Texts

    def with_ours(self, text: str | None) -> str:
        """Return the text with ours."""
        return str(self.editor.with_ours(text, self.file))

    def without_ours(self, text: str) -> str | None:
        """Return the text without ours."""
        found: str | None = self.editor.without_ours(text, self.file)
        return found


KINDS = {
    "groups": Kind(json_settings, FILE, settings_files()),
    "flat": Kind(json_settings, JsonFile(path="settings.json", hooks=(FLAT,), caller=CALLER), settings_files()),
    "server": Kind(json_settings, ONLY_SERVER, settings_files()),
    "toml": Kind(toml_settings, TOML, toml_files()),
    "marked": Kind(marked_text, MARKED, MARKDOWN),
}
kinds = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@kinds
@given(data=st.data())
def test_writing_twice_is_writing_once_and_taking_back_leaves_no_trace(kind: Kind, data: st.DataObject) -> None:
    text = data.draw(kind.texts)
    written = kind.with_ours(text)
    assert "tx" in written
    assert kind.with_ours(written) == written
    assert kind.without_ours(written) == text
    assert kind.without_ours(text) == text


@kinds
def test_a_file_of_our_own_goes_whole(kind: Kind) -> None:
    assert kind.without_ours(kind.with_ours(None)) is None


def test_a_file_of_our_own_has_nothing_but_what_is_wanted() -> None:
    assert KINDS["toml"].with_ours(None) == '[mcp_servers.tx]\ncommand = "tx"\nargs = ["mcp"]\n'
    assert KINDS["marked"].with_ours(None) == f"{BEGIN}\nAsk tx.\n\nTwice.\n{END}\n"


@given(text=settings_files())
def test_nothing_of_theirs_is_lost_and_all_of_ours_is_there(text: str) -> None:
    written = json_settings.with_ours(text, FILE)
    before, after = json.loads(text), json.loads(written)
    assert after["mcpServers"] == {**before.get("mcpServers", {}), "tx": ENTRY}
    for hook in FILE.hooks:
        assert after["hooks"][hook.event] == [hook.entry, *before.get("hooks", {}).get(hook.event, [])]
    assert {name for name in after if name not in ("mcpServers", "hooks")} == before.keys() - {"mcpServers", "hooks"}
    at = 0
    for character in text:
        at = written.index(character, at) + 1


@given(text=toml_files())
def test_our_table_is_read_as_it_is_meant(text: str) -> None:
    assert tomllib.loads(toml_settings.with_ours(text, TOML))["mcp_servers"]["tx"] == ENTRY


@given(MARKDOWN, MARKDOWN)
def test_a_newer_block_takes_the_place_of_the_older_where_that_stands(before: str, after: str) -> None:
    text = marked_text.with_ours(before, MARKED) + "\n" + after
    newer = marked_text.with_ours(text, MarkedFile(path="AGENTS.md", block="Ask again."))
    assert "Ask again." in newer
    assert "Ask tx." not in newer
    assert marked_text.with_ours(newer, MARKED).split() == text.split()


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', '{"hooks": {"SessionStart": []}}'])
def test_strict_json_stays_strict(text: str) -> None:
    json.loads(json_settings.with_ours(text, FILE))


def test_it_looks_like_the_rest_of_the_file_and_a_diff_touches_no_line_but_ours() -> None:
    before = '{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n'
    assert json_settings.with_ours(before, ONLY_SERVER) == (
        '{\n\t"mcpServers": {\n\t\t"tx": {\n\t\t\t"command": "tx",\n\t\t\t"args": ["mcp"]\n\t\t},'
        '\n\t\t"other": {}\n\t}\n}\n'
    )
    assert set(before.splitlines()) <= set(json_settings.with_ours(before, FILE).splitlines())


_ADDED = '{"mcpServers": {"tx": {"command": "/opt/tx", "args": ["mcp", "--read-only"], "env": {"A": "1"}}}}'
_ADDED_TO_TABLE = 'a = 1\n\n[mcp_servers.tx]\ncommand = "tx"\nargs = ["mcp"]\n\n[mcp_servers.tx.env]\nB = "2"\n'
_INLINE = '[mcp_servers]\ntx = { command = "tx", args = ["mcp"] }\n'


@pytest.mark.parametrize(
    ("kind", "text", "without"),
    [("server", _ADDED, "{}"), ("toml", _ADDED_TO_TABLE, "a = 1\n\n"), ("toml", _INLINE, "[mcp_servers]\n")],
    ids=["json", "table", "inline"],
)
def test_what_people_added_to_our_entry_stays_and_goes_with_it(kind: str, text: str, without: str) -> None:
    assert KINDS[kind].with_ours(text) == text
    assert KINDS[kind].without_ours(text) == without


def test_another_program_takes_the_place_of_the_one_that_is_there() -> None:
    file = JsonFile(path="a", server=Server(table="mcpServers", args=("mcp",), command="/opt/my tx/tx"))
    text = '{"mcpServers": {"tx": {"args": ["mcp"], "command": "tx", "disabled": true}}}'
    assert json_settings.with_ours(text, file) == text.replace('"tx",', '"/opt/my tx/tx",')
    table = TomlFile(path="c", server=Server(table="mcp_servers", args=("mcp",), command="/opt/tx"))
    written = toml_settings.with_ours("", TOML)
    assert toml_settings.with_ours(written, table) == written.replace('"tx"', '"/opt/tx"')


def test_a_hook_of_another_program_is_known_again() -> None:
    hook = Hook(event="SessionStart", called=START.called, command="C:\\Program Files\\tx.exe", group={})
    written = json_settings.with_ours("{}", JsonFile(path="a", hooks=(hook,), caller=CALLER))
    assert json.loads(written)["hooks"]["SessionStart"][0]["hooks"][0]["command"].startswith('"C:\\Program Files')
    only_hooks = JsonFile(path="a", hooks=(START,), caller=CALLER)
    assert json_settings.with_ours(written, only_hooks) == written
    assert json_settings.without_ours(written, only_hooks) == "{}"


def test_a_handler_among_those_of_others_goes_alone() -> None:
    ours, theirs = {"type": "command", "command": "tx hook claude-code file-opened"}, {"command": "lint"}
    text = json.dumps({"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [theirs, ours]}]}})
    left: Any = json.loads(json_settings.without_ours(text, FILE) or "")
    assert left == {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [theirs]}]}}


@pytest.mark.parametrize(
    "text",
    [
        "a = 1  # one\nmcp_servers = {}\n",
        "note = '''\n[mcp_servers.tx]\n'''\n",
        "[mcp_servers]\n",
        "a = 1\n[mcp_servers]\n\n[other]\n",
    ],
    ids=["between braces", "only looks like ours", "empty", "empty among others"],
)
def test_tables_of_odd_forms_are_as_they_were(text: str) -> None:
    written = toml_settings.with_ours(text, TOML)
    assert tomllib.loads(written)["mcp_servers"]["tx"] == ENTRY
    assert toml_settings.without_ours(written, TOML) == text


def test_what_was_added_behind_our_table_stays() -> None:
    theirs = "\n# Theirs.\n[mcp_servers.other]\ncommand = 'x'\n"
    written = toml_settings.with_ours("a = 1\n", TOML)
    assert toml_settings.without_ours(written + theirs, TOML) == f"a = 1\n{theirs}"
    with pytest.raises(UsageError, match="a comment that would go"):
        toml_settings.without_ours(f'{written}env = {{ A = "1" }}\n{theirs}', TOML)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("groups", "// nothing", "is not plain JSON, without comments and trailing commas (line 1)"),
        ("groups", '{\n"a": 1,\n}', "is not plain JSON, without comments and trailing commas (line 3)"),
        ("groups", "[]", "holds a list where an object belongs"),
        ("groups", '{"mcpServers": []}', "'mcpServers' is a list where an object belongs"),
        ("groups", '{"mcpServers": null}', "'mcpServers' is null"),
        ("groups", '{"mcpServers": {"tx": {"command": "node", "args": ["tx.js"]}}}', "another server named 'tx'"),
        ("groups", '{"mcpServers": {"tx": {"url": "http://localhost"}}}', "another server named 'tx'"),
        ("groups", '{"mcpServers": {"tx": 1}}', "another server named 'tx'"),
        ("groups", '{"hooks": "none"}', "'hooks' is a text"),
        ("groups", '{"hooks": {"SessionStart": {}}}', "'SessionStart' is an object where a list belongs"),
        ("groups", f'{{"a": {"9" * 5_000}}}', "is not plain JSON"),
        *(("toml", text, "is not valid TOML") for text in ("a = ", "a = " + "[" * 100_000, "a = " + "9" * 5_000)),
        ("toml", "mcp_servers = 1", "'mcp_servers' is no table"),
        ("toml", '[mcp_servers.tx]\nurl = "http://localhost"', "another server named 'tx'"),
        ("toml", '[mcp_servers]\ntx = { command = "node", args = ["x.js"] }', "another server named 'tx'"),
        *(("marked", text, "not just once") for text in (BEGIN, END, f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n" * 2)),
    ],
)
def test_where_something_else_stands_nothing_is_changed(kind: str, text: str, said: str) -> None:
    for act in (KINDS[kind].with_ours, KINDS[kind].without_ours)[: 2 if kind == "marked" else 1]:
        with pytest.raises(UsageError) as refused:
            act(text)
        assert said in refused.value.message
        assert refused.value.hint.startswith("Nothing was written")


def test_what_the_client_asks_of_every_file_is_not_put_in_silently() -> None:
    file = JsonFile(path="a", hooks=(FLAT,), always={"version": 1}, caller=CALLER)
    assert json.loads(json_settings.with_ours(None, file))["version"] == 1
    with pytest.raises(UsageError, match='no "version": 1'):
        json_settings.with_ours("{}", file)
