"""What a repository's configuration and attributes name, git does not start for tx, which reads nothing outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox
from tests.isolation import ROOT
from tests.templates import write_workspace

TRAPS = """
[core]
	fsmonitor = {trap} fsmonitor
	hooksPath = {hooks}
	pager = {trap} pager
	editor = {trap} editor
	askPass = {trap} askpass
	sshCommand = {trap} ssh
	gitProxy = {trap} proxy
[pager]
	log = {trap} pager
	diff = {trap} pager
[diff]
	external = {trap} external
[diff "x"]
	command = {trap} command
[diff "y"]
	textconv = {trap} textconv
[filter "x"]
	clean = {trap} clean
	smudge = {trap} smudge
	required = true
[filter "a=b"]
	process = {trap} process
[log]
	showSignature = true
[gpg]
	program = {hooks}/gpg
[credential]
	helper = !{trap} credential
[alias]
	log = !{trap} alias
[protocol]
	allow = always
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::{trap} transport
	promisor = true
	uploadpack = {trap} uploadpack
	vcs = trap
"""
HOOKS = "post-index-change pre-commit post-checkout reference-transaction fsmonitor-watchman gpg".split()
SIGNATURE = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n"
COMMANDS = """init
index
status
doctor
learning:add 'Who logs in' --anchor src/auth.py::login
learning:search login --expand
learning:show 1
graph:verify
graph:verify --since HEAD~1
graph:verify --since HEAD --fix
graph:history 1
graph:analyze-cochanges
graph:cochanges src/auth.py
graph:check-changes
context 'who logs in' --files src/auth.py
focus src/auth.py
learning:propose --dry-run
doc:ingest
doc:search login
run:start
bench --samples 2"""


@pytest.fixture
def traps(tmp_path: Path) -> Path:
    """A directory in which every program that was started leaves its name."""
    (tmp_path / "traps").mkdir()
    return tmp_path / "traps"


@pytest.fixture
def hostile(tmp_path: Path, traps: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A repository that has git start a program wherever it can."""
    sandbox = GitSandbox(tmp_path / "hostile", monkeypatch)
    monkeypatch.delenv("TX_DB", raising=False)
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    write_workspace(sandbox.root)
    sandbox.write("src/auth.py", text="def login():\n    return True\n")
    sandbox.write("docs/guide.md", text="# Guide\n\nSee src/auth.py.\n")
    sandbox.write(".gitattributes", text="*.py filter=x diff=x\n*.md filter=a=b\n*.txt diff=y\n")
    sandbox.write("notes.txt", "plain.cfg", text="one\n")
    sandbox.commit(message="first")
    sandbox.write("src/auth.py", text="\n\ndef logout():\n    return False\n")
    sandbox.commit(message="second")
    (sandbox.root / "nested").mkdir()
    sandbox.git("init", "--quiet", "--bare", at=sandbox.root / "nested")
    (sandbox.root / "module").mkdir()  # a submodule, in which git would ask whether it is clean
    sandbox.git("init", "--quiet", at=sandbox.root / "module")
    sandbox.git("commit", "--quiet", "--allow-empty", "--message=one", at=sandbox.root / "module")
    sandbox.git("add", "--all")
    written = sandbox.git("cat-file", "commit", "HEAD").replace("\n\n", f"\n{SIGNATURE}\n", 1) + "\n"
    (tmp_path / "commit").write_text(written)
    sandbox.git("reset", "--soft", sandbox.git("hash-object", "-t", "commit", "-w", str(tmp_path / "commit")))
    trap, hooks = tmp_path / "trap.sh", tmp_path / "hooks"
    trap.write_text(f'#!/bin/sh\ntouch "{traps}/$1"\nexit 1\n')
    trap.chmod(0o755)
    hooks.mkdir()
    for place in (hooks, sandbox.root / ".git" / "hooks"):
        place.mkdir(exist_ok=True)
        for hook in HOOKS:
            (place / hook).write_text(f"#!/bin/sh\ntouch '{traps}/hook-{hook}'\n")
            (place / hook).chmod(0o755)
    for directory in (sandbox.root / ".git", sandbox.root / "nested", sandbox.root / "module" / ".git"):
        with (directory / "config").open("a") as lines:
            lines.write(TRAPS.format(trap=trap, hooks=hooks))
    # Of another size and time than the index has them: git has to look into the files to compare them.
    sandbox.write("src/auth.py", "docs/guide.md", "plain.cfg", text="# touched\n")
    # Of another time alone: git notes that in its index, and calls the hook for that.
    os.utime(sandbox.root / "notes.txt", (0, 0))
    return sandbox


def started(traps: Path) -> set[str]:
    return {path.name for path in traps.iterdir()}


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("status", "fsmonitor"),
        ("-c core.fsmonitor=false status", "hook-post-index-change"),
        ("diff HEAD -- plain.cfg", "external"),
        ("-c filter.x.required=false diff HEAD -- src", "command"),
        ("diff --no-ext-diff HEAD -- src", "clean"),
        ("diff --no-ext-diff HEAD -- docs", "process"),
        ("show --no-ext-diff HEAD^ -- notes.txt", "textconv"),
        ("log", "hook-gpg"),
        ("fetch", "transport"),
    ],
)
def test_git_alone_falls_into_the_traps(hostile: GitSandbox, traps: Path, question: str, name: str) -> None:
    """Else what follows would show nothing."""
    subprocess.run(["git", *question.split()], cwd=hostile.root, capture_output=True, check=False)
    assert name in started(traps)


def test_tx_falls_into_none(hostile: GitSandbox, traps: Path) -> None:
    tx = CommandLine(hostile.root)
    for command in COMMANDS.splitlines():
        outcome = tx(command)
        assert outcome.status in (0, 1) or command.startswith("bench"), (command, outcome.err)
        assert started(traps) == set(), command
    CommandLine(hostile.root / "nested")("status")
    assert tx("graph:verify --since nothing").status == 3  # which asks GitPython for names like it
    assert started(traps) == set()


def test_the_users_own_filters_still_count(
    hostile: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of git-lfs, without which every large file would seem changed."""
    (hostile.root / ".git" / "config").write_text("[core]\n\trepositoryformatversion = 0\n")
    hostile.git("checkout", "--quiet", "HEAD", "--", ".")
    (hostile.root / "src" / "auth.py").write_text(
        "DEF login():\n    return True\n\n\nDEF logout():\n    return False\n"
    )
    tx, verified = CommandLine(hostile.root), "graph:verify --since HEAD --json"
    tx.ok("learning:add 'Who logs out' --anchor src/auth.py")
    tx.ok("config set embedder none")
    hostile.git("add", ".tx")
    hostile.git("commit", "--quiet", "--message=learned", "--", ".tx")
    assert tx(verified).document["summary"]["valid"] == 1
    settings = tmp_path / "gitconfig"
    settings.write_text('[filter "x"]\n\tclean = sed s/DEF/def/\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    changed = [one["anchor"] for one in tx(verified).document["anchors"]]
    assert changed == []


def test_a_missing_object_is_not_fetched(hostile: GitSandbox, traps: Path) -> None:
    tx = CommandLine(hostile.root)
    tx.ok("learning:add 'Who logs in' --anchor src/auth.py::login")
    for blob in hostile.git("-c", "core.fsmonitor=", "rev-list", "--objects", "--no-object-names", "HEAD").split():
        path = hostile.root / ".git" / "objects" / blob[:2] / blob[2:]
        if hostile.git("cat-file", "-t", blob) == "blob":
            path.chmod(0o644)
            path.unlink()
    hostile.write("src/auth.py", text="x = 1\n")
    (hostile.root / "src" / "auth.py").write_text("def login():\n    return False\n")
    assert tx("graph:verify").status == 1
    assert started(traps) == set()


def test_a_repository_of_somebody_else_is_left_to_git(hostile: GitSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for command in ("status", "index", "learning:propose --dry-run"):
        outcome = CommandLine(hostile.root)(command)
        assert outcome.status == 6, outcome.err
        assert "dubious ownership" in outcome.err
        assert f"git config --global --add safe.directory {hostile.root}" in outcome.err
        assert "Traceback" not in outcome.err


AUDIT = """
import io, json, os, sys
secret, home, commands = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
os.chdir(home)
seen = []
def hear(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if not (arguments[2] or 0) & os.O_NOFOLLOW:  # else it fails where the file itself is a link
            path = os.path.realpath(path)
        path = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
        if path.startswith(secret):
            seen.append(path)
    elif event == "subprocess.Popen" and os.path.basename(str(arguments[1][0])) not in ("git", "python", "python3"):
        seen.append(str(arguments[1]))
    elif event in ("socket.connect", "socket.getaddrinfo", "os.system", "os.exec"):
        seen.append(event)
sys.addaudithook(hear)
from tx_graph.faces.cli.main import run
real, sys.stdout = sys.stdout, io.StringIO()
import shlex
for command in commands:
    run(shlex.split(command))
sys.stdout = real
print(json.dumps(seen))
"""


def test_nothing_outside_is_read_nothing_else_started_and_nobody_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TX_DB", raising=False)
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    sandbox, secret = GitSandbox(tmp_path / "hostile", monkeypatch), tmp_path / "secret"
    secret.mkdir()
    for name in ("key.py", "key.md", "package.json", "go.mod", "tsconfig.json", "tokenizer.json"):
        (secret / name).write_text("def key():\n    return 1\n")
    write_workspace(sandbox.root)
    sandbox.write("src/auth.py", text="from ...secret import key\n\n\ndef login():\n    return key\n")
    sandbox.write("src/app.ts", text='import "../../secret/key";\nimport "../linked/key";\n')
    sandbox.write("tsconfig.json", text='{"extends": "../secret/tsconfig.json", "include": ["../secret/**"]}')
    sandbox.write("package.json", text='{"name": "x", "workspaces": ["../secret"], "main": "../secret/key.py"}')
    sandbox.write("go.mod", text="module x\n\nreplace y => ../secret\n")
    sandbox.write(
        "docs/guide.md", text="# Guide\n\n[key](../../secret/key.md) [[../../secret/key]] `../secret/key.py`\n"
    )
    sandbox.write(
        "docs/rules.rst",
        text="Rules\n=====\n\n.. include:: ../../secret/key.md\n.. raw:: html\n   :file: ../../secret/key.md\n",
    )
    (sandbox.root / "linked").symlink_to(secret)
    (sandbox.root / "docs" / "linked.md").symlink_to(secret / "key.md")
    (sandbox.root / ".tx" / "learnings" / "aaaaaaaaaaaa-x.md").symlink_to(secret / "key.md")
    lines = ['context.tokenizer = "../secret/tokenizer.json"', 'documents.exclude = ["../secret/**"]']
    (sandbox.root / ".tx" / "config.toml").write_text("\n".join(lines) + "\n")
    tx = CommandLine(sandbox.root)
    for number, spec in enumerate(("../secret/key.py", f"{secret}/key.py", "linked/key.py", "docs/linked.md")):
        tx.ok("learning:add", f"The zebra is striped {number}", "--anchor", "src/auth.py::login")
        record = max((sandbox.root / ".tx" / "learnings").glob("*zebra*"), key=lambda path: path.stat().st_mtime_ns)
        record.write_text(record.read_text().replace("src/auth.py", spec))
    sandbox.commit()
    for file in (sandbox.root / ".tx").glob("graph.db*"):
        file.unlink()
    commands = [
        "index",
        *(
            f"learning:add 'Of {spec}' --anchor {spec}"
            for spec in ("../secret/key.py", "linked/key.py::key", "src/auth.py")
        ),
        "learning:add 'All' --anchor '../secret/*'",
        *COMMANDS.splitlines(),
        "context login --tokens-by tokenizer",
    ]
    assert audited(sandbox.root, secret, commands) == []
    assert audited(sandbox.root, secret, [f"learning:import {secret}/key.md"]), "what the user names is read, and seen"


def audited(root: Path, secret: Path, commands: list[str]) -> list[str]:
    """Run commands in another process; return what they opened below a directory, started, or called."""
    done = subprocess.run(
        [sys.executable, "-c", AUDIT, str(secret), str(root), json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    seen: list[str] = json.loads(done.stdout)
    return seen
