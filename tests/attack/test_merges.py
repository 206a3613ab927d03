"""Random edits of records on two branches, merged by git: what git merges is what a fresh clone would read."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from subprocess import CalledProcessError

import pytest

from tests.attack.conftest import ROUNDS, SEED, Copied
from tests.attack.world import present, problems
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox
from tx_graph.core.database import Database

MERGES, RECORDS, EDITS = 10, 24, 10
"""How often git merges, of how many records, and how many edits each branch makes: 100 merges of edits a round."""
LOCAL = ("id", "ref", "usage_count", "last_used_at", "feedback_score", "updated_at")
"""What a database says of a learning, and no record."""
WORDS = ("tokens", "expire", "login", "zebra", "weekly", "rotate", "constant", "time")
ANCHORS = ("src/auth.py", "src/auth.py::verify", "src/keys.py::rotate", "README.md", "src/app.py:1-2")


def records(root: Path) -> list[Path]:
    # Uids are chance that no seed decides.
    return sorted((root / ".tx" / "learnings").glob("*.md"), key=lambda path: path.read_text().partition("\n---\n")[2])


def uids(root: Path) -> list[str]:
    """Return what the records say that can be read; git may give a record the content of one that is like it."""
    texts = [path.read_text(encoding="utf-8") for path in records(root)]
    return [text.partition("\nuid: ")[2].lstrip("'")[:12] for text in texts if "<<<<<<<" not in text]


def edited(tx: CommandLine, chance: Random, root: Path, side: str) -> None:
    """Make one random change, as somebody does by commands, in an editor or with git."""
    one, other = chance.sample(records(root), 2)
    uid, target = one.name[:12], other.name[:12]
    text = " ".join(chance.choices(WORDS, k=4))
    match chance.randrange(12):
        case 0 | 1:
            tx.ok("learning:add", f"{text} {side} {chance.random()}", "--anchor", chance.choice(ANCHORS))
        case 2 | 3:
            tx("learning:edit", uid, "--content", f"{text} {side} {chance.random()}")
        case 4:
            tx("learning:edit", uid, "--category", chance.choice(WORDS), "--add-keyword", text)
        case 5:
            tx("learning:remove", uid)
        case 6:
            one.unlink()
        case 7:
            tx(chance.choice(["learning:supersede", "learning:merge", "graph:relate"]), uid, target)
        case 8:
            tx("graph:link", uid, chance.choice(ANCHORS))
        case 9:
            one.rename(one.with_name(f"{uid}-{text.replace(' ', '-')}.md"))
        case 10:
            one.write_text(one.read_text(encoding="utf-8") + f"{text}\n", encoding="utf-8")
        case _:
            tx("fact:add", chance.choice(WORDS), "depends_on", chance.choice(WORDS).upper())


def state(root: Path) -> set[str]:
    """Return what a workspace knows from its records and files, a line for each learning, edge and fact."""
    tx = CommandLine(root)
    for command in ("index", "doc:ingest"):
        tx.ok(command)
    learnings = [json.loads(line) for line in tx.ok("learning:export").out.splitlines()]
    told = [json.dumps({key: value for key, value in one.items() if key not in LOCAL}) for one in learnings]
    with Database.open(root / ".tx" / "graph.db") as database:
        edges = database.rows("SELECT * FROM graph_edges_text WHERE valid AND edge_type <> 'USED_IN_RUN'")
    facts = tx.json("fact:list -n 1000")["facts"]
    return {*told, *map(str, edges), *(f"{one['uid']} {one['subject']} {one['object']}" for one in facts)}


@pytest.fixture
def many(copied: Copied, tmp_path: Path) -> GitSandbox:
    """The project with many learnings."""
    git = copied(tmp_path / "project")
    lines = (json.dumps({"content": f"{WORDS[n % 8]} {n}", "anchors": [ANCHORS[n % 5]]}) for n in range(RECORDS))
    CommandLine(git.root).ok("learning:import -", stdin="\n".join(lines).encode())
    git.commit()
    return git


@pytest.mark.parametrize("number", range(MERGES * ROUNDS))
def test_what_two_branches_say_is_merged_or_named(many: GitSandbox, tmp_path: Path, number: int) -> None:
    chance, tx = Random(f"{SEED} merge {number}"), CommandLine(many.root)
    base, touched = many.git("rev-parse", "HEAD"), []
    for side in ("hers", "his"):
        many.git("checkout", "--quiet", "-b", side, base)
        for _ in range(EDITS):
            edited(tx, chance, many.root, side)
        many.commit()
        touched.append(set(many.git("diff", "--name-only", "--no-renames", base, side).splitlines()))
    try:
        many.git("merge", "--quiet", "--no-edit", "hers")
    except CalledProcessError:
        entries = many.git("ls-files", "--unmerged", "-z").split("\0")
        disputed = sorted({entry.partition("\t")[2] for entry in entries if entry})
        assert disputed
        marked = [path for path in disputed if "<<<<<<<" in (text_of(many.root / path))]
        told = tx("status").err
        for path in marked:
            assert f"tx: warning: {path}:" in told or "more records are skipped" in told
        assert present(many.root) == set(uids(many.root))
        for path in disputed:
            side = chance.choice(["--ours", "--theirs"])
            try:
                many.git("checkout", "--quiet", side, "--", path)
                many.git("add", "--", path)
            except CalledProcessError:  # that side deleted it
                many.git("rm", "--quiet", "--force", "--ignore-unmatch", "--", path)
        many.git("commit", "--quiet", "--no-edit")
        assert touched[0] & touched[1], "branches that touch different records merge without a conflict"
    many.git("clone", "--quiet", str(many.root), str(tmp_path / "fresh"))
    every = uids(many.root)
    twins = {uid for uid in every if every.count(uid) > 1}
    # Of two records with one uid, which two names made of one, the one that was there first counts; both are named.
    differing = state(many.root) ^ state(tmp_path / "fresh")
    assert [one for one in differing if not any(uid in one for uid in twins)] == []
    assert len(problems(many.root)) == len(problems(tmp_path / "fresh"))
    assert len(problems(many.root)) == len(every) - len(set(every))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
