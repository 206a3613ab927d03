"""Paths and links that leave the repository: nothing outside is read or written, whatever names it.

A word stands in files outside, and in what belongs to git and to tx. No output and no database ever has it. What a
user hands to a command as a file to read (`learning:import FILE`, `transcript:ingest FILE`) may lie anywhere, and so
may the new file that `tx export FILE` or `tx graph:export --out FILE` is to write.
"""

from __future__ import annotations

import json
import os
import shutil
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, surrounded, survived, within, withstood
from tests.attack.values import VALUES, flag_of
from tests.faces.cli.terminal import CommandLine, Outcome
from tx_graph.core.arguments import REQUIRED, Parameter, Reads, parameters_of
from tx_graph.core.kernel import find
from tx_graph.core.ports import no_progress
from tx_graph.faces.mcp.server import Answering
from tx_graph.faces.mcp.tool import Tool
from tx_graph.faces.mcp.tools import TOOLS
from tx_graph.faces.operations import COMMANDS, Operation

CANARY = "quetzalcoatlus"
SECRET = f"# {CANARY}\n\n\ndef {CANARY}():\n    '''{CANARY}'''\n"
LINKS = {  # each leads to the directory beside the repository, or to a file in it
    "out": "../outside",
    "src/out.py": "../../outside/secret.py",
    "docs/out.md": "../../outside/secret.md",
    "docs/far.md": "chain.md",
    "docs/chain.md": "../out/secret.md",
    "src/absolute.py": "{root}/../outside/secret.py",
    "loop": "loop",
    "up": "..",
}
WITHIN = (".git", ".GIT", ".tx", ".TX")
"""How those paths begin that lead nowhere but to what belongs to git and to tx."""
NAMES_A_FILE = {"PATH", "FILE", "DIR", "PATH[::SYMBOL][:L1-L2]"}
PLAIN = {"NAME": "x", "QUERY": "x", "ENTITY": "Sessions"}
MEANT = {
    ("transcript:ingest", "paths"),
    ("setup", "command"),
    ("doc:extract", "model"),
    ("export", "file"),
    ("graph:export", "out"),
}
"""What a user names on purpose, wherever it lies."""


@pytest.fixture(scope="module")
def tempted(intact: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with links that lead out, to a directory with secrets beside it."""
    root = Path(shutil.copytree(intact, tmp_path_factory.mktemp("tempted") / "project", symlinks=True))
    outside = root.parent / "outside"
    outside.mkdir()
    for name in ("secret.py", "secret.md", "tsconfig.json", "0123-x.md"):
        (outside / name).write_text(SECRET, encoding="utf-8")
    for path, target in LINKS.items():
        (root / path).symlink_to(target.replace("{root}", str(root)))
    (root / "src" / "tsconfig.json").write_text(
        '{"extends": "../../outside/tsconfig.json", "include": ["../../outside"]}'
    )
    (root / "src" / "a.ts").write_text("import x from '../../outside/secret'\nimport y from '../out/secret'\n")
    with (root / ".git" / "config").open("a") as config, (root / ".tx" / "config.toml").open("a") as settings:
        config.write(f"[tempting]\n\tword = {CANARY}\n")
        settings.write(f"# {CANARY}\n")
    with pytest.MonkeyPatch.context() as monkeypatch:
        surrounded(monkeypatch, root.parent)
        survived(CommandLine(root), ["index", "doc:ingest"])
    return root


@pytest.fixture
def root(tempted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(tempted.parent, tmp_path, symlinks=True, dirs_exist_ok=True)
    surrounded(monkeypatch, tmp_path)
    (tmp_path / "project" / "src" / "absolute.py").unlink()
    (tmp_path / "project" / "src" / "absolute.py").symlink_to(tmp_path / "outside" / "secret.py")
    return tmp_path / "project"


def paths(root: Path) -> list[str]:
    return [path.format(root=root, canary=CANARY[:-2]) for path in VALUES["outside"]]


def tried(root: Path, chance: Random, names_a_file: bool) -> list[str]:
    """Return all of them for what names a file, and a few for what does not."""
    every = paths(root)
    return every if names_a_file else chance.sample(every, min(len(every), 5 * ROUNDS))


def secrets(root: Path) -> dict[str, bytes]:
    """Return what lies outside."""
    outside = root.parent / "outside"
    return {str(one): one.read_bytes() if one.is_file() else b"" for one in sorted(outside.rglob("*"))}


def leaked(root: Path) -> list[str]:
    """Return the files that tx keeps, and that have the word."""
    kept = [*(root / ".tx").rglob("*"), *(root / ".git" / "tx").rglob("*")]
    own = [one for one in kept if one.is_file() and not one.is_symlink() and one.name != "config.toml"]
    return [one.name for one in own if CANARY.encode() in one.read_bytes()]


def kept_in(outcome: Outcome, words: object) -> None:
    withstood(outcome, words)
    assert CANARY not in outcome.out + outcome.err, words


def plain(one: Parameter) -> str:
    """Return something that a parameter may be given and that names no file."""
    return str(next(iter(one.choices))) if one.choices else PLAIN.get(one.arg.metavar if one.arg else "", "1")


def takes_text(one: Parameter) -> bool:
    return one.arg is not None and one.kind is str and one.arg.reads is not Reads.FILE


@pytest.mark.parametrize("command", [name for name, one in COMMANDS.items() if isinstance(one, Operation)])
def test_no_argument_leads_out(root: Path, command: str, chance: Random) -> None:
    tx, before, operation = CommandLine(root), secrets(root), COMMANDS[command]
    assert isinstance(operation, Operation)
    told = [one for one in parameters_of(find(operation.use_case).function) if one.arg]
    arguments = [one for one in told if not one.is_keyword and not (one.arg and one.arg.flag)]
    for one in told:
        metavar = one.arg.metavar if one.arg else ""
        if not takes_text(one) or (command, one.name) in MEANT:
            continue
        earlier = arguments[: arguments.index(one)] if one in arguments else []
        given = [other for other in told if other is one or other in earlier or other.default is REQUIRED]
        for path in tried(root, chance, metavar in NAMES_A_FILE):
            values = {other.name: plain(other) for other in given} | {one.name: path}
            words = [
                values[other.name] if other in arguments else f"{flag_of(other)}={values[other.name]}"
                for other in given
            ]
            with within([command, *words]):
                outcome = tx(command, *words)
            kept_in(outcome, [command, *words])
            if metavar in NAMES_A_FILE and not path.startswith(WITHIN):
                assert outcome.status in (2, 3), (command, words, outcome.out)
    assert leaked(root) == []
    assert secrets(root) == before


@pytest.mark.parametrize("command", [["export"], ["graph:export", "--out"]])
def test_an_export_goes_where_the_user_says_but_over_nothing_and_through_no_link(
    root: Path, command: list[str]
) -> None:
    tx, before = CommandLine(root), secrets(root)
    (root / ".x.part").symlink_to("../outside/secret.md")
    names = [
        "x",
        "../outside/secret.py",
        "out/x",
        "up/x",
        "out/../x",
        "src/out.py",
        "loop",
        "../outside",
        "src/auth.py",
    ]
    own = [".git/x", ".tx/x", ".TX/x", ".tx/local/journal.jsonl", ".tx/graph.db"]
    kept = {path: path.read_bytes() for path in (root / "src/auth.py", root / ".tx/local/journal.jsonl")}
    told = {name: tx(*command, name) for name in [*names, *own, "x"]}
    assert {name: outcome.status for name, outcome in told.items()} == dict.fromkeys([*names, *own], 2) | {"x": 0}
    assert secrets(root) == before
    assert {path: path.read_bytes() for path in kept} == kept
    tx.ok(*command, "../outside/new")
    assert secrets(root).keys() - before.keys() == {str(root.parent / "outside" / "new")}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_argument_of_a_tool_leads_out(root: Path, tool: Tool, chance: Random) -> None:
    answering, before = Answering(root, {}, is_read_only=False, is_structured=True), secrets(root)
    needed = {one.name: "1" for one in tool.parameters if one.declared.default is REQUIRED}
    for one in tool.parameters:
        names_a_file = one.name.lower().endswith(("path", "files", "anchors"))
        for path in tried(root, chance, names_a_file) if one.declared.kind is str else ():
            given = needed | {one.name: [path] if one.declared.is_many else path}
            reply = answering.call(tool, given, progress=no_progress)
            assert CANARY not in reply.text + json.dumps(reply.structure), given
            assert "Unexpected" not in reply.text, given
            if names_a_file and not path.startswith(WITHIN):
                assert reply.is_error, given
    answering.close()
    assert leaked(root) == []
    assert secrets(root) == before


READING = """learning:list --verify|graph:verify --fix|graph:verify --all --json|learning:search zebra --expand
|context zebra|doctor|index|graph:analyze-cochanges|learning:propose --dry-run --no-model|entity:list|fact:list
|doc:prune|doc:ingest|doc:ingest out|doc:ingest up|learning:export|graph:history 4 --json|focus 4|learning:show 4
|graph:show 4"""
KEPT = "/learnings /facts /entities /graph.db /config.toml /.gitignore /errors.log"


@pytest.mark.parametrize("directory", ["learnings", "facts", "entities"])
def test_no_field_of_a_record_leads_out(root: Path, directory: str) -> None:
    tx, before, place = CommandLine(root), secrets(root), root / ".tx" / directory
    place.mkdir(exist_ok=True)
    for number, (path, field) in enumerate(product(paths(root), VALUES["record fields with a path"])):
        head = f"uid: {number:04d}zzzzzzzz\ncreated_at: '2026-11-21T06:31:24Z'\nstatus: active\nconfidence: 1.0"
        said = f"subject: Ada\npredicate: uses\nobject: '{path}'\nname: '{path}'\naliases: ['{path}']\n"
        text = f"---\n{field.format(path)}\n{head[17 * field.startswith('uid') :]}\n{said}---\nzebra {number}\n"
        (place / f"{number:04d}zzzzzzzz-x.md").write_text(text, encoding="utf-8")
    (place / "zzz.md").symlink_to("../../../outside/secret.md")
    for command in READING.split("|"):
        with within(command):
            kept_in(tx(command.strip()), command)
    assert leaked(root) == []
    assert secrets(root) == before


@pytest.mark.parametrize("link", ["", *KEPT.split()])
def test_no_link_in_the_place_of_what_tx_keeps_has_it_written_outside(root: Path, link: str) -> None:
    outside, path = root.parent / "outside", root / f".tx{link}"
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for target in ("", "secret.md", "nowhere"):
        path.symlink_to(os.path.relpath(outside / target, path.parent))
        before = secrets(root)
        for command in "init|status|learning:add x|index|config set embedder none|doctor --fix".split("|"):
            with within((link, command)):
                kept_in(CommandLine(root)(command), (link, command))
        assert secrets(root) == before
        path.unlink()
