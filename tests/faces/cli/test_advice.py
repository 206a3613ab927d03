"""What `learning:add` says beside what it did, what `learning:edit` takes, and `init` that nobody else sees."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox

LONG = "def long():\n" + "    pass\n" * 200
FILES = {"src/long.py": LONG, "src/tokens.py": "class TokenStore:\n    def read_token(self):\n        pass\n"}


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    return prepared(["learning:add", "Tokens are compared in constant time, never by equality"], "index", files=FILES)


ADVICE = {
    ("Tokens are compared in constant time, never by equality here",): [
        "(learning:1) says much the same: tx learning:merge"
    ],
    ("`read_token` and src/long.py lock TokenStore",): [
        "It names src/tokens.py::TokenStore::read_token: tx link ",
        "It names src/tokens.py::TokenStore: tx link ",
        "It names src/long.py: tx link ",
    ],
    ("`read_token` locks", "--anchor", "src/tokens.py"): [],
    ("It is long", "--anchor", "src/long.py::long"): ["src/long.py::long has 201 lines"],
    ("Both are", "--anchor", "src/{long,tokens}.py"): ["src/{long,tokens}.py matches 2 files."],
    ("Nothing to say of ../../etc/passwd or and/or",): [],
}


@pytest.mark.parametrize("words", ADVICE, ids=str)
def test_what_may_be_done_better_is_said(tx: CommandLine, words: tuple[str, ...]) -> None:
    told = tx.json("learning:add", *words)["advice"]
    assert len(told) == len(ADVICE[words])
    assert all(part in sentence for part, sentence in zip(ADVICE[words], told, strict=True))
    assert tx.ok("learning:add", f"Again: {words[0]}", *words[1:]).out.startswith("Added ")


def test_a_text_can_be_changed_in_one_line(tx: CommandLine) -> None:
    tx.ok("learning:edit", "1", "Never by equality")
    assert tx.json("learning:show 1")["content"] == "Never by equality"
    tx.ok("learning:edit 1 -", stdin=b"From stdin")
    assert tx.json("learning:show 1")["content"] == "From stdin"
    assert tx("learning:edit", "1", "one", "--content", "other").status == 2


def test_a_stealthy_workspace_is_ignored_by_git_in_this_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = GitSandbox(tmp_path / "project", monkeypatch)
    sandbox.write("a.py", text="x = 1\n")
    sandbox.commit()
    tx = CommandLine(sandbox.root)
    for _ in range(2):
        tx.ok("init --stealth")
    assert (sandbox.root / ".git/info/exclude").read_text().splitlines().count("/.tx/") == 1
    tx.ok("learning:add Kept")
    assert sandbox.git("status", "--porcelain") in ("", b"")
    assert tx.ok("learning:list").out.rstrip().endswith("Kept")


def test_what_git_tracks_already_cannot_be_hidden(tx: CommandLine, home: Path) -> None:
    subprocess.run(["git", "add", ".tx"], cwd=home, check=True)
    outcome = tx("init --stealth")
    assert (outcome.status, "Git tracks .tx/ already." in outcome.err) == (2, True)
