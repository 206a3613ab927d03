"""A workspace in which something of everything is known, some of it hostile, and the page of it, served once."""

from __future__ import annotations

import http.client
import json
import signal
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest

from tests.faces.cli.terminal import CommandLine, Program
from tests.git_sandbox import GitSandbox

HOSTILE = "</script><script>alert(1)</script><!-- & ' \" \u202e\u2066 \u2028 \\u003c"
LONG = "x" * 10_000
ODD_FILE = "src/<script>alert(1)</script>.py"
AUTH = """\
from src import tokens


def login():
    return tokens.make()


def logout():
    return 1
"""
GUIDE = """\
---
status: accepted
---
# Guide

See [auth](../src/auth.py).

## Tokens

Made in `src/tokens.py`.
"""
FILES = {
    "src/app.py": "from src import auth, web\n\n\ndef main():\n    return auth.login()\n",
    "src/auth.py": AUTH,
    "src/tokens.py": "from src import auth\n\n\ndef make():\n    return auth\n",
    "src/web/__init__.py": "from src.store import rows\n",
    "src/store/__init__.py": "",
    "src/store/rows.py": "from src import web\n",
    "src/__init__.py": "",
    ODD_FILE: f"import json\n\n\ndef {LONG}():\n    return 1\n",
    "docs/guide.md": GUIDE,
    f"docs/{'n' * 200}.md": f"# {HOSTILE}\n\n{LONG}\n",
}
LEARNINGS = (
    ("Login compares tokens in constant time", "--anchor", "src/auth.py::login", "--category", "security"),
    ("Logout returns one", "--anchor", "src/auth.py::logout", "--category", "security"),
    ("What goes with the store", "--anchor", "src/store/rows.py"),
    ("All of the code is typed", "--anchor", "src/**"),
    (f"{HOSTILE} of the page", "--anchor", f"{ODD_FILE}::{LONG}", "--category", "<script>&'"),
    ("It was so once",),
    ("It is so now", "--category", "security"),
)
"""Contents, each with its options; afterwards the second drifts, the third loses its file, the sixth is superseded."""


class Answered(NamedTuple):
    """What the server said."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:  # noqa: ANN401 - whatever JSON can hold
        return json.loads(self.body)


class Served:
    """The page of a workspace, served by a process of its own, and the command line beside it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tx = CommandLine(root)
        self.process = Program(root).start("view --json")
        assert self.process.stdout
        lines = list(iter(self.process.stdout.readline, b"}\n"))
        self.started = json.loads(b"".join([*lines, b"}"]))
        self.url = self.started["url"]
        self.port = urlsplit(self.url).port
        self.secret = urlsplit(self.url).path.strip("/")

    def get(self, path: str = "", *, method: str = "GET", **headers: str) -> Answered:
        """Ask for what lies below the secret; of `headers`, `Host` and others stand in for what a browser says."""
        return self.ask(f"/{self.secret}/{path}", method=method, **headers)

    def ask(self, path: str, *, method: str = "GET", **headers: str) -> Answered:
        """Ask for a path."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers={name.replace("_", "-"): one for name, one in headers.items()})
            response = connection.getresponse()
            return Answered(
                response.status, {name.lower(): one for name, one in response.getheaders()}, response.read()
            )
        finally:
            connection.close()

    def data(self, name: str, **given: object) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Return a document, which must be there."""
        answered = self.get(f"data/{name}.json?{urlencode(given)}")
        assert answered.status == 200, answered.body
        return answered.document

    def end(self) -> int:
        """Interrupt the server; return its status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(30)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream
            stream.close()
        return status


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The root of the workspace."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        directory = tmp_path_factory.mktemp("view")
        monkeypatch.setenv("TX_MODEL_DIR", str(directory / "no-model"))
        monkeypatch.delenv("TX_DB", raising=False)
        git = GitSandbox(directory / "project", monkeypatch)
        for path, text in FILES.items():
            git.write(path, text=text)
        git.commit()
        for _ in range(3):
            git.commit("src/auth.py", "src/tokens.py", "docs/guide.md")
        tx = CommandLine(git.root)
        tx.ok("init")
        for number, (content, *options) in enumerate(LEARNINGS, 1):
            assert tx.add(content, *options) == f"learning:{number}"
        tx.ok("learning:supersede", "6", "7")
        tx.ok("graph:relate", "1", "2", "--relation", "depends_on")
        tx.ok("fact:add", "Login", "uses", "--value", HOSTILE, "--source-ref", "src/auth.py::login")
        tx.ok("fact:add", "src/app.py", "depends_on", "<b>\"Login\" & 'more'")
        tx.ok("fact:add", "Login", "looks", "--value", LONG)
        tx.ok("fact:add", "Ada", "distrusts", "Login", "--private")
        tx.ok("learning:import", "-", stdin=json.dumps({"content": "A rumour", "status": "staged"}).encode())
        auth = git.root / "src/auth.py"
        auth.write_text(auth.read_text().replace("return 1", "return 2"), encoding="utf-8")
        git.git("rm", "--quiet", "src/store/rows.py")
        tx("graph:verify")
        tx.ok("graph:confirm", "1")
        tx.ok("index")
        yield git.root


@pytest.fixture(scope="session")
def served(workspace: Path) -> Iterator[Served]:
    """The page, served."""
    found = Served(workspace)
    yield found
    found.end()
