"""Whatever git is in the middle of, or lacks: a right answer, or a sentence of ours; nothing that was said is lost."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.attack.conftest import Copied, share, within, withstood
from tests.attack.world import READ, WRITE, present, records_of
from tests.faces.cli.terminal import CommandLine
from tx_graph.core.labels import is_unicode
from tx_graph.history import authors

CONFLICT = """
for branch in other main; do
  git checkout -q $branch || git checkout -qb $branch
  sed -i "s/login/$branch/; s/constant/$branch/" src/auth.py .tx/learnings/*compare*; git commit -qam $branch
done
! git {} other
"""
REPLAYED = """
for commit in $(git rev-list --reverse HEAD); do
  git --work-tree=../clone checkout -q $commit -- .; git -C ../clone add -A
  git -C ../clone commit -qm "$(git log -1 --format=%s $commit)" --allow-empty
done
git reset -q --hard
"""
NAMES = (
    b"new\nline.py", b"tab\there.py", b'"quoted".py', b"back\\slash.py", b"\xff\xfe.py", b"-rf.py", b" .py", b"*.py",
    "caf\u00e9.py".encode(), "cafe\u0301.py".encode(), b"Case.py", b"case.py", b":(glob)x.py", b"a::b.py", b"#1.py",
    b"\x1b[31m.py", b"%s.py", b"{0}.py", b"con\rreturn.md", b"HEAD", b"..py", b"src/:.md", b"x\n##[error]forged.md",
)  # fmt: skip
SETTINGS = """
core.fsmonitor=true color.ui=always log.showSignature=true core.quotePath=false diff.external=false core.pager=false
log.follow=true diff.noprefix=true diff.renames=copies log.date=relative format.pretty=oneline core.abbrev=4
log.decorate=full status.short=true diff.orderFile=gone core.attributesFile=gone core.hooksPath=gone log.mailmap=true
i18n.logOutputEncoding=utf-16 diff.algorithm=patience diff.ignoreSubmodules=none core.untrackedCache=true
"""
SUBMODULE = "git clone -q . ../other; git submodule -q add file://$PWD/../other inner;"
PARTIAL = "git config uploadpack.allowFilter true; git clone -q --filter=blob:none file://$PWD ../clone;"
DAMAGE = (
    "damaged() { chmod u+w $1; printf 'xxxxxxxxxxxxxxxxxx' | dd of=$1 bs=1 seek=${2:-2} conv=notrunc status=none; }\n"
)
OBJECT = "of() { name=$(git rev-parse $1); echo .git/objects/${name:0:2}/${name:2}; }\n"
ALLOWED = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.file.allow", "GIT_CONFIG_VALUE_0": "always"}
STATES = {
    "shallow": "git clone -q --depth=2 file://$PWD ../clone",
    "a linked worktree": "git worktree add -q -b linked ../clone",
    "a submodule": "git init -q ../up; git -C ../up submodule -q add file://$PWD inner; ln -s up/inner ../clone",
    "with a submodule": SUBMODULE,
    "with a submodule that is broken": SUBMODULE + "rm -r .git/modules",
    "merge": CONFLICT.format("merge"),
    "rebase": CONFLICT.format("rebase"),
    "cherry-pick": CONFLICT.format("cherry-pick"),
    "detached": "git checkout -q HEAD~2",
    "unborn": "git checkout -q --orphan new",
    "bisecting": "git bisect start -q HEAD HEAD~3",
    "no index": "rm .git/index",
    "sha256": "git init -q --object-format=sha256 -b main ../clone" + REPLAYED,
    "reftable": "git init -q --ref-format=reftable -b main ../clone || exit 77" + REPLAYED,
    "partial": PARTIAL,
    "partial, its remote gone": PARTIAL + "rm -r .git",
    "partial, its remote silent": PARTIAL + "git -C ../clone remote set-url origin https://192.0.2.1/gone.git",
    "alternates": "git clone -q --shared . ../clone",
    "a file became a directory": "rm src/auth.py; mkdir src/auth.py; echo 'def verify(): pass' > src/auth.py/inner.py",
    "a directory became a file": "rm -r src; echo verify > src",
    "10,000 tags": "id=$(git rev-parse @); for n in {00001..10000}; do echo $id refs/tags/$n; done > .git/packed-refs",
    "replaced": "git replace HEAD~1 HEAD~3",
    "replaced in a circle": "git replace --graft HEAD~3 HEAD",
    "grafts": "mkdir -p .git/info; git rev-parse HEAD~1 > .git/info/grafts",
    "sparse": "git sparse-checkout set docs .tx",
    "locked": "touch .git/index.lock .git/HEAD.lock .git/config.lock",
    "pipes": "rm src/auth.py; mkfifo src/auth.py .tx/learnings/pipe.md README.rst",
    "loops": "ln -s . loop; rm src/keys.py; ln -s keys.py src/keys.py; ln -s loop.md .tx/learnings/loop.md",
    "settings": "".join(f"git config {one.replace('=', ' ')};" for one in SETTINGS.split()),
    "names": "",
    "variables": "git clone -q . ../other; git -C ../other rm -qr .",
    "missing blob": OBJECT + "rm -f $(of HEAD~2:src/auth.py)",
    "corrupt blob": OBJECT + DAMAGE + "damaged $(of HEAD~2:src/auth.py)",
}
"""By a name for each, what brings the project into a state; a ../clone, if it makes one, is attacked instead of it."""
BROKEN = {
    "bare": "git clone -q --bare . ../clone",
    "a pruned worktree": "git worktree add -q -b linked ../clone; rm -r .git/worktrees",
    "a worktree without its repository": "git worktree add -q -b linked ../clone; rm -r .git",
    "missing tree": OBJECT + "rm -f $(of HEAD~2^{tree})",
    "corrupt commit": OBJECT + DAMAGE + "damaged $(of HEAD~2)",
    "corrupt head": OBJECT + DAMAGE + "damaged $(of HEAD)",
    "corrupt pack": "git gc -q\n" + DAMAGE + "damaged .git/objects/pack/*.pack 40",
    "truncated pack": "git gc -q; chmod u+w .git/objects/pack/*; truncate -s -200 .git/objects/pack/*.pack",
    "corrupt index": "echo DIRC nonsense > .git/index",
    "alternates gone": "git clone -q --shared . ../clone; rm -r .git",
    "HEAD is nonsense": "echo nonsense > .git/HEAD",
    "HEAD is nothing": "echo 0123456789012345678901234567890123456789 > .git/refs/heads/main",
    "foreign owner": "[ $EUID = 0 ] || exit 77; chown -R 12345 .",
}
"""The same, where what asks git may be refused."""


def is_known(path: bytes) -> bool:
    """Whether a name is that of code, and text."""
    return path.endswith(b".py") and is_unicode(os.fsdecode(path))


@pytest.mark.parametrize("name", [*STATES, *BROKEN])
def test_in_any_state_of_git_commands_answer_or_say_why_not(
    copied: Copied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(authors, "_SECONDS", 2.0)  # git never says who wrote what, where history goes in a circle
    git = copied(tmp_path / "project")
    script = f"set -e\n{ {**STATES, **BROKEN}[name] }"
    made = subprocess.run(
        ["bash", "-c", script], cwd=git.root, env=os.environ | ALLOWED, capture_output=True, text=True, check=False
    )
    if made.returncode == 77:
        pytest.skip(f"not to be had here: {made.stderr}")
    assert made.returncode == 0, made.stderr
    root = tmp_path / "clone" if (tmp_path / "clone").exists() else git.root
    if name == "names":
        for path in NAMES * 2:
            with (root / os.fsdecode(path)).open("a") as stream:
                stream.write("def login():\n    return 2\n")
            git.commit()
    if name == "variables":
        monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
        monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
        monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    before = records_of(root)
    tx = CommandLine(root)
    for command in ["index", "graph:analyze-cochanges", *share(READ, name)]:
        with within(command):
            outcome = tx(command)
        withstood(outcome, command)
        assert outcome.status in ((0, 1, 2, 3, 6) if name in BROKEN else (0, 1, 2, 3)), (command, outcome)
        assert not [line for line in (outcome.out + outcome.err).splitlines() if line.startswith("##[error]")], command
    assert records_of(root) == before
    if name in STATES and (root / "src" / "auth.py").is_file() and "<<<<" not in (root / "src/auth.py").read_text():
        found = {one["path"] for one in tx.json("graph:symbols --all")["symbols"]}
        assert {"src/auth.py", *(os.fsdecode(one) for one in NAMES if name == "names" and is_known(one))} <= found
    for command in ["learning:add Added --keyword a", "learning:import -", *share(WRITE, name)]:
        with within(command):
            outcome = tx(command, stdin=b'{"content": "Imported"}\n')
        withstood(outcome, command)
        assert outcome.status in ((0, 1, 2, 3, 6) if name in BROKEN else (0, 1, 2, 3)), (command, outcome)
    if name != "bare":
        told = [json.loads(line)["content"] for line in tx.ok("learning:export").out.splitlines()]
        assert {"Added", "Imported"} <= set(told)
        skipped = [name for name in before if name in str(tx("doctor").out)]
        assert {name[:12] for name in before if name not in skipped} <= present(root)
