"""Files that tx reads: records, settings, documents, transcripts, sources. Mutated, huge, deep, or no files at all."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, lost, survived, withstood
from tests.attack.values import ATTACKS, DEEP, VALUES, distorted, mutated
from tests.corpora import corpora, load
from tests.faces.cli.terminal import CommandLine, Program
from tx_graph.code.languages import LANGUAGES
from tx_graph.faces.setup.clients import Client
from tx_graph.work.values import TranscriptFormat

AT_ONCE, BATCHES = 12, 4
"""Files of one kind that are wrong at the same time, and how often that is tried."""
BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 8)}]\n" for a, b in pairwise("abcdefghijkl"))
"""Ten lines of YAML that stand for billions of values."""


READING = """learning:list --verify|learning:search tokens --expand|graph:verify|doctor|entity:list|fact:list|status"""
RECORD = "---\nuid: 0yt2t4p2wzk{0}\ncreated_at: '2026-11-21T06:31:24Z'\nstatus: active\n{1}\n---\nText {0}\n"


@pytest.mark.parametrize("directory", ["learnings", "facts", "entities"])
def test_no_record_breaks_what_reads_the_others(victim: Path, directory: str, chance: Random) -> None:
    tx, place = CommandLine(victim), victim / ".tx" / directory
    tx.ok("entity:edit Sessions --type service")
    seeds = [one.read_bytes() for one in sorted(place.glob("*.md"))]
    for _ in range(BATCHES * ROUNDS):
        wrong = [place / f"zzz-{number}.md" for number in range(AT_ONCE)]
        for number, path in enumerate(wrong):
            odd = RECORD.format("0123456789abcdef"[number], chance.choice([*VALUES["fields"], BOMB])).encode()
            path.write_bytes(chance.choice([odd, mutated(odd, chance), mutated(chance.choice(seeds), chance)]))
        survived(tx, READING.split("|"), [one.read_bytes()[:300] for one in wrong])
        for path in wrong:
            path.unlink()
    assert lost(victim) == []


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))  # a long name does not fit


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target or path)


NO_FILES: list[Callable[[Path], object]] = [
    Path.mkdir,
    os.mkfifo,
    a_socket,
    *map(link, ("", "/dev/zero", "/etc/passwd", "nowhere", "..")),
]
NAMING = "focus|doc:ingest|learning:add x --anchor|transcript:ingest|graph:verify|doc:show|context x --files"


@pytest.mark.parametrize("place", [".tx/learnings", ".tx/facts", ".tx/entities", "docs", "src", "."])
def test_what_is_no_file_is_waited_for_by_nobody(victim: Path, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(victim)
    (victim / place).mkdir(exist_ok=True)
    paths = [f"{place}/zzz-{number}.{end}" for number in range(len(NO_FILES)) for end in ("md", "py", "jsonl")]
    for number, path in enumerate(paths):
        NO_FILES[number // 3](Path(path))
    tx = CommandLine(victim)
    survived(tx, ["index", "doc:ingest .", "transcript:ingest . --everywhere", *READING.split("|"), "context tokens"])
    for number, command in enumerate(NAMING.split("|")):  # each kind with one of the endings
        survived(tx, [f"{command} {path}" for path in paths[number % 3 :: 3]])


@pytest.mark.parametrize("file", ["config.toml", "graph.db", "learnings", "errors.log", ".config.toml.tmp", ""])
def test_what_is_no_file_stands_where_tx_keeps_its_own(
    victim: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(victim)
    path = victim / ".tx" / file
    for number, make in enumerate(NO_FILES):
        if os.path.lexists(path):
            path.rename(victim / f"old-{number}")
        make(path)
        commands = ("status", "learning:list", "index", "config set embedder none", "doctor", "init")
        survived(CommandLine(victim), commands, (file, number))
        for left in [path, *(victim / ".tx").glob("graph.db-*")]:
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink(missing_ok=True)


ODD_VALUES = [
    *("''", "0", "-1", "1e400", "nan", "[]", "[[]]", "{}", "true", "'\\x1b'", "9" * 30, "9" * 5_000, "2026-01-01"),
    *(f"'{'x' * DEEP}'", "['../..']", "['*', 5]", "'/etc'", "'\"'", '"\\u0000"', "'[a'", "['[', '!']"),
]


def test_no_settings_break_a_command(victim: Path, chance: Random) -> None:
    tx, path = CommandLine(victim), victim / ".tx" / "config.toml"
    keys = sorted(tx.json("config")["settings"])
    whole = path.read_bytes() + b'[telemetry]\nkeep = "30d"\n[cochanges]\nexclude = ["*.lock"]\n'
    commands = ["status", "config", "context tokens", "index", "doc:ingest", "config set embedder none", "graph:verify"]
    for _ in range(20 * ROUNDS):
        lines = [f"{chance.choice(keys)} = {chance.choice(ODD_VALUES)}" for _ in range(chance.choice((1, 1, 3)))]
        deep = [b"a = " + b"[" * DEEP, b"a." * 3_000 + b"a = 1"]
        path.write_bytes(chance.choice(["\n".join(lines).encode(), mutated(whole, chance), chance.choice(deep)]))
        survived(tx, chance.sample(commands, 2), path.read_bytes()[:300])
    path.write_bytes(whole)
    assert lost(victim) == []


@pytest.mark.parametrize("client", [one for one in Client if one is not Client.CRON])  # its table is no file of ours
def test_no_settings_of_others_break_what_edits_them(victim: Path, client: str, chance: Random) -> None:
    tx = CommandLine(victim)
    base = victim / ".git" / "hooks" if client == Client.GIT_HOOKS else victim
    told = tx.json(f"setup {client} --hooks --write")["files"]
    paths = [base / Path(one["path"]).expanduser() for one in told]
    whole = {path: path.read_bytes() for path in paths}
    deep = [b"[" * DEEP, b'{"a":' * DEEP, b"a = " + b"[" * DEEP, b"a." * 3_000 + b"a = 1", b"<!-- tx:begin -->\n" * 3]
    deep += [b"\xff\xfe settings", b"#!/usr/bin/perl\nprint 1"]
    refusals = 0
    for _ in range(8 * ROUNDS):
        for path, data in whole.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(chance.choice([*(mutated(data, chance) for _ in deep), *deep]))
        before = {path: path.read_bytes() for path in paths}
        outcome = tx(f"setup {client} {chance.choice(['--hooks', '--write', '--undo', '--hooks --write'])}")
        withstood(outcome, client)
        if outcome.status:  # what cannot be read is named, and all is kept
            refusals += 1
            assert any(one["path"] in outcome.err for one in told), outcome.err
            assert {path: path.read_bytes() for path in paths} == before
    assert refusals


CANARY = "quetzalcoatlus"
"""A word that stands in no file of the repository, but in one outside."""
DIRECTIVES = """include:: {0}|literalinclude:: {0}|csv-table:: x\n   :file: {0}|csv-table:: x\n   :url: file://{0}
|raw:: html\n   :file: {0}|raw:: html\n   :url: file://{0}|image:: {0}|figure:: {0}\n\n   x"""
INCLUDING = f"# T\n\n.. {DIRECTIVES.replace('|', chr(10) * 2 + '.. ')}\n\n![x]({{0}}) [x]({{0}}) #include {{0}}\n"
SEEDS = {path.suffix: path.read_bytes() for path in ATTACKS.glob("document.*")}
DEEP_DOCUMENTS = [
    *(*VALUES["documents"], f"---\n{BOMB}---\n# T\n", "|a" * 30_000 + "\n" + "|-" * 30_000, "a b " * 500_000),
    *("\n".join(f"{step * depth}- a" for depth in range(600)) for step in (" ", "  ", "    ", "> ")),
    *("\n\n".join("#" * (1 + number % 6) + f" H{number}" for number in range(10_000)), "x" * 2_000_000),
    *("\n".join(f"{' ' * depth}a\n{' ' * depth} b" for depth in range(500)), "+-" * 5_000 + "+\n" + "| " * 5_000),
    *(".. a::\n" + "\n".join(f"{'   ' * depth}.. note::\n" for depth in range(1, 300)), "a\r" * 50_000),
]  # fmt: skip


def test_no_document_breaks_the_others_or_brings_in_what_lies_outside(victim: Path, chance: Random) -> None:
    tx, docs, outside = CommandLine(victim), victim / "docs", victim.parent / "outside.md"
    outside.write_text(f"# {CANARY}\n\n{CANARY}, {CANARY}\n", encoding="utf-8")
    for end in SEEDS:
        for number, path in enumerate((outside, "../../outside.md", outside.as_uri())):
            (docs / f"out-{number}{end}").write_text(INCLUDING.format(path), encoding="utf-8")
    assert f"{3 * len(SEEDS)} read" in tx.ok("doc:ingest", *(str(one) for one in docs.iterdir())).out
    kept = [one for one in (victim / ".tx").rglob("*") if one.is_file()]
    assert [one.name for one in kept if CANARY.encode() in one.read_bytes()] == []
    for _ in range(BATCHES * ROUNDS):
        paths = [docs / f"zzz-{number}{chance.choice(list(SEEDS))}" for number in range(AT_ONCE)]
        for path in paths:
            path.write_bytes(mutated(SEEDS[path.suffix] * chance.choice((1, 1, 20)), chance))
        reading = ("doc:list", "doc:search tokens --full", "context tokens", "doc:show docs/guide.md")
        survived(tx, (f"doc:ingest {' '.join(map(str, paths))}", *reading), [one.read_bytes() for one in paths])
        for path in paths:
            path.unlink()
    assert lost(victim) == []


@pytest.mark.parametrize("end", ["md", "rst"])
def test_no_document_is_too_deep_or_too_long(victim: Path, end: str) -> None:
    for number, text in enumerate(DEEP_DOCUMENTS):
        (victim / "docs" / f"zzz-{number}.{end}").write_text(text, encoding="utf-8")
    outcome = Program(victim, patience=400)(
        "doc:ingest", *(f"docs/{one.name}" for one in (victim / "docs").glob("zzz-*"))
    )
    withstood(outcome, end)
    assert f"{len(DEEP_DOCUMENTS) - 1} read" in outcome.out, "all but the one of NUL bytes"
    assert lost(victim) == []


def test_no_transcript_breaks_what_reads_it(victim: Path, chance: Random) -> None:
    tx, path = CommandLine(victim), victim / "session.jsonl"
    seeds = [[json.loads(line) for line in one.read_text().splitlines()] for one in sorted(ATTACKS.glob("*.jsonl"))]
    forms = ["", "", *(f"--format {form}" for form in TranscriptFormat)]
    for _ in range(20 * ROUNDS):
        records = [distorted(one, chance) for one in chance.choice(seeds) * chance.choice((1, 5))]
        data = "\n".join(json.dumps(one).replace("{root}", str(victim)) for one in records).encode()
        special = [b"[" * DEEP, b'{"a":' * DEEP, b'{"role":"user","content":"' + b"x" * 2_000_000, b"", b"\n" * DEEP]
        special.append(b"\xff\xfe" + data)
        odd = mutated(data, chance)
        path.write_bytes(chance.choice([data, data, odd, odd, chance.choice(special)]))
        commands = [f"transcript:ingest session.jsonl --everywhere --keep 36500d {chance.choice(forms)}"]
        reading = ["transcript:list", "telemetry:list --limit 1000", "run:list", "run:show 2 --transcript"]
        reading.append("learning:propose --from transcripts --no-model --dry-run")
        survived(tx, commands + chance.choice([[], [], [], reading]), path.read_bytes()[:1_000])
    assert lost(victim) == []


OPENERS = (
    "( [ { <a> a. ! - + ' \" ` /* `${ &a a< a?b: x=> not* if(x){ f( class*A{ def*f():\n lambda: fn( begin\n case*x*of*"
)
MANIFESTS = (
    "package.json tsconfig.json jsconfig.json go.mod go.work Cargo.toml pyproject.toml pnpm-workspace.yaml pom.xml"
)
MANIFEST = b'{"compilerOptions": {"paths": {"a/*": ["../../*"]}}, "workspaces": ["../*"], "extends": "./tsconfig.json"}'
ASKING = "index|graph:symbols zzz --json|graph:imports --all|graph:cycles|learning:propose --dry-run --no-model"


def test_no_source_breaks_the_index(victim: Path, chance: Random) -> None:
    program, place = Program(victim, patience=400), victim / "zzz"
    files = [one for kind in ("symbols", "imports") for corpus in corpora(kind) for one in load(corpus).files.items()]
    endings = [end for one in LANGUAGES.values() for end in one.extensions.split()]
    wrong = [
        *(b"[" * DEEP, b'{"a":' * DEEP, BOMB.encode(), b"a = " + b"[" * DEEP, b"[workspace]\nmembers = ['/etc']\n")
    ]
    for number in range(ROUNDS):
        shutil.rmtree(place, ignore_errors=True)
        for count in range(150):
            path, text = chance.choice(files)
            deep = (chance.choice(OPENERS.split(" ")).replace("*", " ") * chance.choice((100, 5_000, 50_000))).encode()
            odd = [chance.randbytes(2_000), deep, deep + text.encode(), text.encode("utf-16"), text.encode("utf-8-sig")]
            odd += [text.encode("latin-1", "replace"), text.replace("\n", "\r").encode(), b"\0" * 5_000]
            file = place / str(count % 20) / f"{count}{chance.choice([Path(path).suffix, chance.choice(endings)])}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(chance.choice([*(mutated(text.encode(), chance) for _ in odd), *odd]))
        for count, name in enumerate(MANIFESTS.split()):
            (place / str(count) / name).write_bytes(chance.choice([mutated(MANIFEST, chance), *wrong]))
        (place / "long.py").write_bytes(b"x = '" + b"y" * 1_000_000 + b"'\n")
        (place / "long.js").write_bytes(b"a(1);" * 200_000)
        for command in ASKING.split("|"):
            withstood(program(command), (number, command))
    assert lost(victim) == []
