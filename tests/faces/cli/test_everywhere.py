"""What holds of every command: one JSON document, nothing steers a terminal, nothing staged goes unmarked."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.faces.cli.calls import READING, WRITING
from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine, Outcome
from tests.faces.hostile import ESCAPES, HAZARDS, HOSTILE, HOSTILE_LINE, ORDER, is_quoted
from tests.isolation import READ_ONLY, in_namespace
from tx_graph.faces.cli.completion.candidates import things
from tx_graph.faces.operations import COMMANDS
from tx_graph.graph.edges import EdgeType

MARKER, REF = "zebrafish", "learning:2"
"""A word that only the staged learning has, and that learning."""
TEXT = HOSTILE.replace(MARKER, "okapi")
DOCUMENT = f"# tokens {ESCAPES}\n\nStatus: {HOSTILE_LINE}\n\n## {HOSTILE_LINE}\n\ntokens\n\n~~~\n{TEXT}\n~~~\n"
FILES = {
    "README.md": DOCUMENT,
    "docs/tokens \x1b[31m # `x`.md": DOCUMENT,
    "src/evil\x1b]0;x\x07.py": "import gone\ndef tokens():\n    return 1\n",
    "session.jsonl": json.dumps({"role": "user", "content": TEXT, "timestamp": "2026-11-20T10:00:00Z"}) + "\n",
}
STEPS = (
    ["task:add", f"tokens {ORDER} ``` # {ORDER}", "--description", TEXT],
    "run:start --task 1 --agent tokens",
    ["learning:add", TEXT, "--anchor", "src/auth.py::login", "--run", "1"],
    ["learning:add", HOSTILE, "--anchor", "src/auth.py", "--run", "1", "--category", "zoo"],
    ["learning:add", f"third {TEXT}", "--keyword", ORDER, "--anchor", "README.md"],
    "graph:relate 1 2",
    "graph:relate 2 1",
    "run:feedback 1 --helpful 1,2",
    "graph:invalidate 2 --reason wrong",
    "graph:restore 2",
    ["graph:invalidate", "3", "--reason", ORDER],
    "learning:edit 2 --status staged",
    ["fact:add", "tokens", "depends_on", f"{ORDER} ``` #"],
    ["fact:add", "tokens", "note", f"{ORDER} ``` # > {ORDER}"],
    ["fact:add", "tokens", "says", "--value", TEXT],
    "transcript:ingest session.jsonl --keep 36500d --everywhere",
    "graph:analyze-cochanges",
    "index",
    "doc:ingest",
)
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Answer(NamedTuple):
    """What a command says: for people, asked from elsewhere by -C, and with --json."""

    text: Outcome
    json: Outcome

    @property
    def documents(self) -> list[Any]:
        return [json.loads(self.json.out)] if self.json.status in (0, 1) else []


Ask = Callable[[str], Answer]


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """A workspace whose every text is hostile, with a staged learning that is tied to all there is."""
    return prepared(*STEPS, files=FILES, message=TEXT)


@pytest.fixture(scope="module")
def answers(origin: Path) -> Ask:
    tx = CommandLine(origin)
    return cache(lambda command: Answer(CommandLine()(f"-C '{origin}' {command}"), tx(f"{command} --json")))


@pytest.fixture(params=READING)
def asked(request: pytest.FixtureRequest, shared: CommandLine, answers: Ask) -> tuple[str, Answer]:
    """A command and what it answered."""
    return request.param, answers(request.param)


def test_every_command_is_looked_at() -> None:
    asked = {line.split()[0] for line in [*READING, *WRITING]}
    own = {
        "mcp",
        "lsp",
        "hook",
        "bench",
        "import",
        "doc:link",
        "doc:relate",
        "doc:unrelate",
        "help",
        "learning:review",
        "sync",
        "maintain",
    }
    own |= {name for name in COMMANDS if name.startswith("hub:")}
    assert COMMANDS.keys() - asked == own, "these have their own tests"


def test_no_answer_steers_a_terminal_or_stands_at_its_margin(asked: tuple[str, Answer]) -> None:
    _, (text, document) = asked
    assert text.status in (0, 1, 3), text.err
    for printed in (text.out, text.err, document.out, document.err):
        assert not HAZARDS.findall(printed)
    assert [line for line in text.out.splitlines() if line.startswith((ORDER, "```", f"# {ORDER}"))] == []
    assert not re.search(r"[ \t]+$", text.out, re.MULTILINE)


@pytest.mark.parametrize("command", [line for line in READING if line.startswith(("context", "focus"))])
def test_no_page_lets_its_material_speak(shared: CommandLine, answers: Ask, command: str) -> None:
    lines = answers(command).text.out.splitlines()
    assert [line for line in lines if ORDER in line and not is_quoted(line)] == []
    assert [line for line in lines if line.lstrip().startswith(("```", "~~~", "<!--", "</"))] == []


def test_with_json_there_is_one_document_with_names_and_times_alike(asked: tuple[str, Answer]) -> None:
    _, answer = asked
    assert answer.json.status == answer.text.status
    for document in answer.documents:
        assert_well_formed(document)


def test_what_changes_something_prints_one_document_too(tx: CommandLine) -> None:
    for command in WRITING:
        outcome = tx(f"{command} --json", stdin=b'{"content": "Imported"}\n')
        assert outcome.status in (0, 1), (command, outcome.err)
        assert_well_formed(outcome.document)


def assert_well_formed(document: object) -> None:
    assert isinstance(document, dict)
    for key, value in _entries(document):
        assert key == key.lower() or key in set(EdgeType)
        assert not (key.endswith("_at") and isinstance(value, str)) or UTC.fullmatch(value)


def _entries(value: object) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from value.items()
        value = list(value.values())
    for inner in value if isinstance(value, list) else []:
        yield from _entries(inner)


def test_what_is_shown_of_a_staged_learning_is_marked(asked: tuple[str, Answer]) -> None:
    command, answer = asked
    told = answer.text.out.replace("zebrafish tokens", "")
    for word in command.split()[1:]:  # without the question
        told = told.replace(word, "") if len(word) > 1 and word not in (MARKER, "staged") else told
    assert "staged" in told or (MARKER not in told and REF not in told)
    for document in answer.documents:
        assert list(_unmarked(document, is_named=_is_marked(document))) == []


@pytest.mark.parametrize("command", ["learning:show 99", "learning:show zzzzzzzz", "graph:neighbors 99"])
def test_what_is_suggested_instead_is_marked(shared: CommandLine, command: str) -> None:
    outcome = shared(command)
    assert (outcome.status, f"staged: {MARKER} tokens" in outcome.err) == (3, True)


def test_what_a_shell_completes_is_marked(origin: Path) -> None:
    assert [text.split()[:2] for _, _, text in things("learning", origin) if MARKER in text] == [["staged:", MARKER]]


ONE_OF_EACH = list({line.split()[0]: line for line in READING}.values())
RUN = f"""
import contextlib, io, os, shlex
from tx_graph.faces.cli.main import run
os.chdir(directory)
def status(command):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run(shlex.split(command))
print(json.dumps({{command: status(command) for command in {ONE_OF_EACH!r}}}))
"""


def test_what_only_reads_can_be_asked_where_nothing_can_be_written(home: Path, answers: Ask) -> None:
    found = in_namespace(READ_ONLY, RUN, home)
    assert found == {command: answers(command).text.status for command in ONE_OF_EACH}


def _is_staged(value: dict[str, Any]) -> bool:
    return "staged" in (value.get("status"), value.get("state")) or value.get("staged") is True


def _is_marked(value: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether a document says somewhere that the staged learning is one: then it may refer to it."""
    if isinstance(value, dict):
        is_it = REF in (value.get("ref"), value.get("learning")) or str(value.get("id")) == REF[-1]
        return (is_it and _is_staged(value)) or any(map(_is_marked, value.values()))
    return any(map(_is_marked, value)) if isinstance(value, list) else False


def _unmarked(value: Any, *, is_named: bool, inside: bool = False) -> Iterator[object]:  # noqa: ANN401 - JSON
    """Yield what tells of the staged learning where nothing around it says that it is staged."""
    if isinstance(value, dict):
        inside = inside or _is_staged(value) or (is_named and value.get("ref") == REF)
        value = [one for name, one in value.items() if name not in ("query", "question", "task")]
    if isinstance(value, list):
        for one in value:
            yield from _unmarked(one, is_named=is_named, inside=inside)
    elif isinstance(value, str) and not inside and (MARKER in value or (value == REF and not is_named)):
        yield value
