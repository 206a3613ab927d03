"""What is ours comes into people's JSON and goes out of it, and theirs stays byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from tests.faces.setup.json_texts import settings_files
from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import Hook, JsonFile, Server
from tx_graph.faces.setup.json_settings import with_ours, without_ours

SERVER = Server(table="mcpServers", args=("mcp",))
START = Hook(event="SessionStart", called="hook claude-code session-start", more={"timeout": 5}, group={})
OPENED = Hook(event="PostToolUse", called="hook claude-code file-opened", group={"matcher": "Read"})
FLAT = Hook(event="PostToolUse", called="hook claude-code file-opened")
FILE = JsonFile(path="settings.json", server=SERVER, hooks=(START, OPENED), caller="hook claude-code")
FLAT_FILE = JsonFile(path="settings.json", hooks=(FLAT,), caller="hook claude-code")
files = pytest.mark.parametrize("file", [FILE, FLAT_FILE], ids=["groups", "flat"])


@given(text=settings_files())
@files
def test_writing_twice_is_writing_once_and_taking_back_leaves_no_trace(file: JsonFile, text: str) -> None:
    written = with_ours(text, file)
    assert with_ours(written, file) == written
    assert without_ours(written, file) == text


@given(text=settings_files())
def test_nothing_of_theirs_is_lost_and_all_of_ours_is_there(text: str) -> None:
    before, after = json.loads(text), json.loads(with_ours(text, FILE))
    assert after["mcpServers"] == {**before.get("mcpServers", {}), "tx": {"command": "tx", "args": ["mcp"]}}
    for hook in FILE.hooks:
        assert after["hooks"][hook.event] == [hook.entry, *before.get("hooks", {}).get(hook.event, [])]
    assert {name for name in after if name not in ("mcpServers", "hooks")} == before.keys() - {"mcpServers", "hooks"}


@given(text=settings_files())
def test_lines_of_theirs_that_are_lines_stay_as_they_are(text: str) -> None:
    written = with_ours(text, FILE)
    at = 0
    for character in text:
        at = written.index(character, at) + 1


@given(text=settings_files())
def test_what_is_not_there_cannot_be_taken_out(text: str) -> None:
    assert without_ours(text, FILE) == text


@files
def test_a_file_of_our_own_goes_whole(file: JsonFile) -> None:
    assert without_ours(with_ours(None, file), file) is None


def test_strict_json_stays_strict() -> None:
    for text in ("{}", '{"a": 1}', '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n', '{"hooks": {"SessionStart": []}}'):
        json.loads(with_ours(text, FILE))


def test_it_looks_like_the_rest_of_the_file() -> None:
    assert with_ours('{\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}\n', JsonFile(path="a", server=SERVER)) == (
        '{\n\t"mcpServers": {\n\t\t"tx": {\n\t\t\t"command": "tx",\n\t\t\t"args": ["mcp"]\n\t\t},'
        '\n\t\t"other": {}\n\t}\n}\n'
    )


def test_a_diff_touches_no_line_but_ours() -> None:
    before = '{\n  "mcpServers": {\n    "other": {}\n  }\n}\n'
    after = with_ours(before, FILE).splitlines()
    assert set(before.splitlines()) <= set(after)


def test_what_people_added_to_our_entry_stays_and_goes_with_it() -> None:
    text = '{"mcpServers": {"tx": {"command": "/opt/tx", "args": ["mcp", "--read-only"], "env": {"A": "1"}}}}'
    file = JsonFile(path="a", server=SERVER)
    assert with_ours(text, file) == text
    assert without_ours(text, file) == "{}"


def test_another_program_takes_the_place_of_the_one_that_is_there() -> None:
    file = JsonFile(path="a", server=Server(table="mcpServers", args=("mcp",), command="/opt/my tx/tx"))
    text = '{"mcpServers": {"tx": {"args": ["mcp"], "command": "tx", "disabled": true}}}'
    assert with_ours(text, file) == text.replace('"tx",', '"/opt/my tx/tx",')


def test_a_hook_of_another_program_is_known_again() -> None:
    hook = Hook(event="SessionStart", called=START.called, command="C:\\Program Files\\tx.exe", group={})
    written = with_ours("{}", JsonFile(path="a", hooks=(hook,), caller="hook claude-code"))
    assert json.loads(written)["hooks"]["SessionStart"][0]["hooks"][0]["command"].startswith('"C:\\Program Files')
    only_hooks = JsonFile(path="a", hooks=(START,), caller="hook claude-code")
    assert with_ours(written, only_hooks) == written
    assert without_ours(written, only_hooks) == "{}"


def test_a_handler_among_those_of_others_goes_alone() -> None:
    ours, theirs = {"type": "command", "command": "tx hook claude-code file-opened"}, {"command": "lint"}
    text = json.dumps({"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [theirs, ours]}]}})
    left: Any = json.loads(without_ours(text, FILE) or "")
    assert left == {"hooks": {"PostToolUse": [{"matcher": "*", "hooks": [theirs]}]}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("// nothing", "is not plain JSON, without comments and trailing commas (line 1)"),
        ('{\n"a": 1,\n}', "is not plain JSON, without comments and trailing commas (line 3)"),
        ("[]", "holds a list where an object belongs"),
        ('{"mcpServers": []}', "'mcpServers' is a list where an object belongs"),
        ('{"mcpServers": null}', "'mcpServers' is null"),
        ('{"mcpServers": {"tx": {"command": "node", "args": ["tx.js"]}}}', "another server named 'tx'"),
        ('{"mcpServers": {"tx": {"url": "http://localhost"}}}', "another server named 'tx'"),
        ('{"mcpServers": {"tx": 1}}', "another server named 'tx'"),
        ('{"hooks": "none"}', "'hooks' is a text"),
        ('{"hooks": {"SessionStart": {}}}', "'SessionStart' is an object where a list belongs"),
    ],
)
def test_where_something_else_stands_nothing_is_changed(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        with_ours(text, FILE)
    assert said in refused.value.message
    assert refused.value.hint.startswith("Nothing was written")


def test_what_the_client_asks_of_every_file_is_not_put_in_silently() -> None:
    file = JsonFile(path="a", hooks=(FLAT,), always={"version": 1}, caller="hook claude-code")
    assert json.loads(with_ours(None, file))["version"] == 1
    with pytest.raises(UsageError, match='no "version": 1'):
        with_ours("{}", file)
