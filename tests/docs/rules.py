"""What becomes of a block of each language: the rules by which the documentation is held to its word."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from typing import Any

import yaml

from scripts.reference import help_texts
from tests.docs.blocks import ROOT, Block
from tests.docs.expectation import ANYTHING, difference
from tests.docs.python import check_python
from tests.docs.runner import Runner, is_well
from tests.docs.sandbox import CommandFailed, Sandbox, console_steps, script_steps
from tx_graph.core.errors import TxError
from tx_graph.core.sqlite import binding
from tx_graph.knowledge.records import ENTITY_FORMAT, FACT_FORMAT
from tx_graph.records.front_matter import MalformedRecord
from tx_graph.records.learning_record import LEARNING_FORMAT

# --- commands: those of a terminal, whose output the page shows, and scripts ----------------------

_NEVER = (70, 126, 127)
"""Exit statuses that no page may show: a bug in tx, and commands that are not there."""
_STATUS = re.compile(r"#.*\bstatus (?P<status>\d+)\b")


def check_console(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield each command that prints something else than the page shows."""
    try:
        steps = list(console_steps(block.text))
    except ValueError as error:
        yield f"{block.place()}: {error}"
        return
    for step in steps:
        result = sandbox.run(step.command)
        place = f"{block.place(step.line)}: $ {step.command}"
        shows_something = step.expected.replace(ANYTHING, "").strip()  # a command that fails must show what it says
        is_told = not (sandbox.untold and step.command.startswith(sandbox.untold))
        found = difference(step.expected, sandbox.shown(result.printed), sandbox.names)
        if found and is_told:
            yield f"{place}\n{found}\n(exit status {result.status})"
        elif result.status in _NEVER or (result.status and not shows_something):
            yield f"{place}\nIt ends in status {result.status}, and prints\n{result.end}"


def check_script(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield each line that fails, but for those whose comment tells the status; a file with `#!` is made and run."""
    if block.text.startswith("#!"):
        yield from _check_executable(block, sandbox)
        return
    for step in script_steps(block.text):
        result = sandbox.run(step.command)
        told = _STATUS.search(step.command)
        expected = int(told["status"]) if told else 0
        if result.status != expected:
            said = f"It ends in status {result.status}, not {expected}, and prints\n{result.end}"
            yield f"{block.place(step.line)}: {step.command}\n{said}"


def _check_executable(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Run a hook as git would: it may refuse, but neither fail nor be missing a command."""
    if not block.file:
        yield f"{block.place()}: the text before must say which file this is."
        return
    path = sandbox.directory / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    path.chmod(0o755)
    result = sandbox.aside(f"./{block.file}")
    if result.status not in (0, 1):
        yield f"{block.place()}: {block.file} ends in status {result.status}, and prints\n{result.end}"


# --- files that a page shows: written where it says, read by the program that they are for ---------

_RECORDS = {"learnings": LEARNING_FORMAT.parse, "facts": FACT_FORMAT.parse, "entities": ENTITY_FORMAT.parse}


def check_toml(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a file of settings; those of tx are read by tx."""
    try:
        document = tomllib.loads(block.text)
    except tomllib.TOMLDecodeError as error:
        yield f"{block.place()}: {error}"
        return
    yield from _given_to_clients(block, document, sandbox)
    if block.file.endswith(".tx/config.toml"):
        result = sandbox.aside("tx config && tx status")
        if result.status:
            yield f"{block.place()}: tx does not take these settings:\n{result.end}"


def check_json(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a file of JSON; one that a command prints belongs below that command."""
    try:
        document = json.loads(block.text)
    except json.JSONDecodeError as error:
        yield f"{block.place(error.lineno - 1)}: {error}"
        return
    yield from _given_to_clients(block, document, sandbox)


def _given_to_clients(block: Block, document: Any, sandbox: Sandbox) -> Iterator[str]:  # noqa: ANN401 - any JSON
    yield from _written(block, sandbox)
    yield from (f"{block.place()}: {problem}" for problem in problems_of_clients(document, sandbox))


def check_markdown(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with a document or record; records are read as tx reads them."""
    yield from _written(block, sandbox)
    directory = Path(block.file).parent
    if directory.parent.name == ".tx" and directory.name in _RECORDS:
        try:
            _RECORDS[directory.name](block.text.encode())
        except (MalformedRecord, TxError) as error:
            yield f"{block.place()}: this is no record: {error}"


def check_sql(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what the database of the page's workspace says against these statements."""
    connection = binding().module.connect(str(sandbox.directory / ".tx" / "graph.db"))
    try:
        for statement in block.text.split(";"):
            connection.execute(statement).fetchall()
    except binding().module.Error as error:
        yield f"{block.place()}: {error}"
    finally:
        connection.close()


def _written(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Write a block where the page says it belongs; yield the complaint where it does not say."""
    if not block.file:
        yield f"{block.place()}: the text before must end in the name of the file that this is, as in `name`."
        return
    path = Path(sandbox.home, block.file[2:]) if block.file.startswith("~/") else sandbox.directory / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")


# --- the servers and hooks in the settings of agents, started as a client would --------------------

_SERVERS = ("mcpServers", "mcp_servers", "servers")
"""What the clients call their list of servers."""

_HELLO = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "documentation", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


def problems_of_clients(document: Mapping[str, Any], sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with the servers and hooks that a file of settings names; most name none."""
    for key in _SERVERS:
        for server in document.get(key, {}).values():
            yield from _server([server["command"], *server.get("args", [])], sandbox)
    for command in _commands(document.get("hooks", {})):
        result = sandbox.aside(f"echo '{{}}' | {command}")
        if result.status:
            yield f"the hook '{command}' ends in status {result.status}, and prints\n{result.end}"


def _server(command: Sequence[str], sandbox: Sandbox) -> Iterator[str]:
    """Ask a server which tools it has."""
    with Popen(
        command, cwd=sandbox.directory, env=sandbox.environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps({"jsonrpc": "2.0"} | message) + "\n" for message in _HELLO)
        server.stdin.flush()
        said: list[str] = []
        for line in server.stdout:
            said.append(line)
            if '"tools":[' in line.replace(" ", ""):
                return
    yield f"'{shlex.join(command)}' lists no tools, and says\n{''.join(said)}"


def _commands(hooks: object) -> Iterator[str]:
    """Yield every command in a client's hooks, however deep it stands."""
    if isinstance(hooks, Mapping):
        if isinstance(command := hooks.get("command"), str):
            yield command
        hooks = list(hooks.values())
    if isinstance(hooks, list):
        for one in hooks:
            yield from _commands(one)


# --- what services and timers run: jobs of GitHub and GitLab, hooks of pre-commit, lines for cron --

_CRON = re.compile(r"(?:[\d*,/-]+\s+){5}(?P<command>\S.*)")


def check_yaml(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield what fails when the services that such a file is for do what it says."""
    try:
        document = yaml.safe_load(block.text)
    except yaml.YAMLError as error:
        yield f"{block.place()}: {error}"
        return
    jobs = list(_jobs(document))
    hooks = [hook for repository in document.get("repos", []) for hook in repository["hooks"]]
    if not jobs and not hooks:
        yield f"{block.place()}: neither a job of GitHub or GitLab, nor a hook of pre-commit."
    for job in jobs:
        yield from (f"{block.place()}: {problem}" for problem in Runner(sandbox=sandbox).problems_of(job))
    for hook in hooks:
        yield from (f"{block.place()}: {problem}" for problem in _hook(hook, sandbox))


def _jobs(document: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield the steps of each job; a part of a job is one, too."""
    if "steps" in document:
        yield document["steps"]
    for job in document.get("jobs", {}).values():
        yield job["steps"]
    for job in (one for one in document.values() if isinstance(one, dict) and "script" in one):
        variables = {key: str(value) for key, value in job.get("variables", {}).items()}
        reports = job.get("artifacts", {}).get("reports", {})
        depth = {"fetch-depth": int(variables.get("GIT_DEPTH", "20"))}
        checkout = {"uses": "actions/checkout@gitlab", "with": depth}
        yield [checkout, *({"run": line} for line in job["script"]), {"reports": reports}]


def _hook(hook: dict[str, Any], sandbox: Sandbox) -> Iterator[str]:
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    hook = next((one for one in offered if hook.keys() == {"id"} and one["id"] == hook["id"]), hook)
    missing = {"id", "name", "entry", "language"} - hook.keys()
    if missing:
        yield f"the hook lacks {', '.join(sorted(missing))}"
    result = sandbox.aside(hook["entry"])
    if not is_well(hook["entry"], result):
        yield f"{hook['entry']} ends in status {result.status}, and prints\n{result.end}"


def check_cron(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield the lines that are none of cron's, and those whose command fails at home, where cron begins."""
    for number, line in enumerate(block.text.splitlines()):
        if not line.strip() or line.startswith("#"):
            continue
        found = _CRON.fullmatch(line)
        if found is None or "%" in line:
            yield f"{block.place(number)}: cron wants five fields and a command, without '%': {line}"
            continue
        result = sandbox.aside(f"sh -c '{found['command']}'", directory=sandbox.home)
        if result.status:
            yield f"{block.place(number)}: it ends in status {result.status}, and prints\n{result.end}"


# --- text: diagrams, formulas, what the program says of itself; no command hides among it ----------

_HIDDEN = re.compile(r"\s*(?:\$ |(?:tx|git|pip|python|scripts/\w+) [\w./-]+)")


def check_text(block: Block, sandbox: Sandbox) -> Iterator[str]:
    """Yield lines that are commands, and help that is not what the command prints."""
    if block.text.startswith("Usage: tx "):
        with sandbox.inhabited():
            if block.text not in _help():
                yield f"{block.place()}: this is not what --help prints."
        return
    for number, line in enumerate(block.text.splitlines()):
        if _HIDDEN.match(line):
            yield f"{block.place(number)}: a command belongs into a block of 'console' or 'sh', where it is run: {line}"


@cache
def _help() -> str:
    return help_texts()


Rule = Callable[[Block, Sandbox], Iterator[str]]
"""Yields what is wrong with a block, each sentence with its place."""

RULES: Mapping[str, Rule] = {
    "console": check_console,
    "bash": check_script,
    "sh": check_script,
    "python": check_python,
    "toml": check_toml,
    "json": check_json,
    "yaml": check_yaml,
    "cron": check_cron,
    "sql": check_sql,
    "markdown": check_markdown,
    "text": check_text,
}


def problems_of(block: Block, sandbox: Sandbox) -> list[str]:
    """Return what is wrong with a block, having run it."""
    rule = RULES.get(block.language)
    if rule is None:
        named = f"'{block.language}' is none that the tests run" if block.language else "none is named"
        return [f"{block.place()}: a block needs a language, and {named}: {', '.join(RULES)}."]
    try:
        return list(rule(block, sandbox))
    except CommandFailed as failure:
        return [f"{block.place()}: {failure}"]
