"""Attacks by machine, nightly (`scripts/test --all`): each has a seed, and TX_ATTACK_ROUNDS multiplies its rounds."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple
from zlib import crc32

import pytest

from tests.attack.forks import Ended, Forks
from tests.attack.world import LINES, built, kept
from tests.faces.cli.terminal import CommandLine, Outcome
from tests.faces.hostile import HAZARDS
from tests.git_sandbox import GitSandbox, use_settings
from tests.templates import write_workspace

SEED = 20261120
"""Every attack draws from a generator with this seed and its own name: what failed fails again."""
ROUNDS = max(1, int(os.environ.get("TX_ATTACK_ROUNDS", "1")))
_SHARES = 5
PATIENCE = 400
"""Seconds: what never ends is to be found, on a machine that does much else too."""
STATUSES = {0, 1, 2, 3, 4, 5, 6, 7, 130}
"""How a command may end; 70 is a bug in tx."""
Copied = Callable[[Path], GitSandbox]
ADDED = ("Compare tokens in constant time", "Sessions end after an hour", "The zebra is striped")
"""What was acknowledged before each attack, and must still be there afterwards."""
FILES = {
    "src/auth.py": "import src.session\n\n\ndef login():\n    return src.session.begin()\n",
    "src/session.py": "class Session:\n    def end(self):\n        pass\n\n\ndef begin():\n    return Session()\n",
    "docs/guide.md": "# Guide\n\n## Tokens\n\nTokens expire, see `src/auth.py`.\n\n- depends_on:: [[rules]]\n",
    "docs/rules.rst": "Rules\n=====\n\nSessions\n--------\n\nSee :doc:`guide`.\n",
}
STEPS = (
    "index",
    f"learning:add '{ADDED[0]}' --anchor src/auth.py::login --category security",
    f"learning:add '{ADDED[1]}' --anchor docs/guide.md --keyword session",
    f"learning:add '{ADDED[2]}' --anchor src/session.py:1-3",
    "graph:relate 1 2",
    "task:add 'Mend the login' --id GH-1",
    "run:start --task 1 --agent claude",
    "fact:add Sessions uses --value cookies",
    "doc:ingest",
)


def share(commands: Sequence[str], of: str) -> list[str]:
    """Return a fifth of the commands, which one is told by what it is a share of; all where rounds are multiplied.

    What goes wrong does so for many commands in one state, or for one command in many states.
    """
    return list(commands) if ROUNDS > 1 else list(commands[crc32(of.encode()) % _SHARES :: _SHARES])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let all that stands here belong to the night."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.slow)


def surrounded(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    """Let nothing of the machine's own settings in: no model, no database elsewhere, no editor, no git settings."""
    use_settings(monkeypatch)
    monkeypatch.setenv("TX_MODEL_DIR", str(directory / "no-model"))
    monkeypatch.setenv("LLM_USER_PATH", str(directory / "no-llm"))
    monkeypatch.setenv("HOME", str(directory))
    for name in ("TX_DB", "VISUAL", "EDITOR", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with something of everything, made once."""
    directory = tmp_path_factory.mktemp("intact")
    with pytest.MonkeyPatch.context() as monkeypatch:
        sandbox = GitSandbox(directory / "project", monkeypatch)
        surrounded(monkeypatch, directory)
        for path, text in FILES.items():
            sandbox.write(path, text=text)
        write_workspace(sandbox.root)
        (sandbox.root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        sandbox.commit(message="Let tokens expire")
        for step in STEPS:
            CommandLine(sandbox.root).ok(step)
        sandbox.commit(message="What was learned")
    return sandbox.root


@pytest.fixture
def victim(intact: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a copy of it, which is attacked."""
    surrounded(monkeypatch, tmp_path)
    return Path(shutil.copytree(intact, tmp_path / "project", symlinks=True))


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> Random:
    """The generator of the attack."""
    return Random(f"{SEED} {request.node.name}")


class TooLong(BaseException):
    """Something takes longer than anything may; nobody who handles errors handles this."""


@contextmanager
def within(asked: object) -> Iterator[None]:
    """Fail where something takes too long."""

    def end(*_: object) -> None:
        raise TooLong(f"more than {PATIENCE} s: {str(asked)[:2_000]}")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def withstood(outcome: Outcome, asked: object) -> None:
    """Fail unless a command ended as one may end, without a traceback, and printed nothing that steers a terminal."""
    assert outcome.status in STATUSES, (asked, outcome.status, outcome.err[:5_000])
    assert "Traceback (most recent call last)" not in outcome.out + outcome.err, (asked, outcome.err)
    assert HAZARDS.findall(outcome.out + outcome.err) == [], asked


def survived(tx: CommandLine, commands: Iterable[str], asked: object = "") -> None:
    """Run commands; fail unless each withstands, in time."""
    for command in commands:
        with within((command, asked)):
            outcome = tx(command)
        withstood(outcome, (command, asked))


def lost(root: Path, added: Sequence[str] = ADDED) -> list[str]:
    """Return what the workspace lacks of that, and what `tx doctor` calls a problem."""
    tx = CommandLine(root)
    kept = [one["content"] for one in tx.json("learning:list --limit 10000")["learnings"]]
    found = tx("doctor --json").document["findings"]
    return [*(set(added) - set(kept)), *(str(one) for one in found if one["level"] == "problem")]


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> GitSandbox:
    """The project of `tests/attack/world.py`, made once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        surrounded(monkeypatch, tmp_path_factory.mktemp("nothing"))
        return built(tmp_path_factory.mktemp("origin") / "project", monkeypatch)


@pytest.fixture
def copied(origin: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Copied:
    """Makes a copy of it where it is told to."""
    surrounded(monkeypatch, tmp_path)
    return lambda root: origin.copied(root, monkeypatch)


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Runs commands in forks of one process."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        surrounded(monkeypatch, tmp_path_factory.mktemp("nothing"))
        forks = Forks(tmp_path_factory.mktemp("streams"))
    with forks:
        yield forks


class Whole(NamedTuple):
    """The project after a command that nothing stopped, how it ended, and what was said before and after it."""

    root: Path
    ended: Ended
    before: dict[str, object]
    after: dict[str, object]


@pytest.fixture(scope="session")
def whole(origin: GitSandbox, forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Whole]:
    """Tells what a command does to a copy of the project; each is run once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        directory = tmp_path_factory.mktemp("whole")
        surrounded(monkeypatch, directory)
        before = kept(origin.copied(directory / "before", monkeypatch).root)

    @cache
    def run(command: str) -> Whole:
        with pytest.MonkeyPatch.context() as monkeypatch:
            root = origin.copied(tmp_path_factory.mktemp("whole") / "project", monkeypatch).root
        ended = forks.run(root, *shlex.split(command), stdin=LINES)
        return Whole(root, ended, before, kept(root))

    return run
