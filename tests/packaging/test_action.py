"""The action and the hooks that others use from this repository do what their YAML says, in a fresh clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from socketserver import ThreadingUnixStreamServer
from threading import Thread
from typing import Any

import pytest
import yaml

from tests.git_sandbox import GitSandbox
from tests.local_server import Handler
from tx_graph.faces.operations import COMMANDS, spelled_out
from tx_graph.faces.setup.pipelines import HOOKS, gitlab_job, workflow

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
COMMENT = "Comment on the pull request"


def test_the_workflow_that_is_written_runs_what_the_action_runs() -> None:
    written = yaml.safe_load(workflow("tx-graph"))["jobs"]["review"]["steps"]
    steps = {step.get("name", step.get("uses")): step for step in written}
    for name in (COMMENT, "Read the repository"):
        assert steps[name]["run"].replace('"origin/$GITHUB_BASE_REF"', '"$SINCE"') == STEPS[name]["run"]


def test_the_component_runs_what_the_written_job_runs() -> None:
    _, component = yaml.safe_load_all((ROOT / "templates" / "review.yml").read_text(encoding="utf-8"))
    (job,) = yaml.safe_load(gitlab_job("PACKAGE")).values()
    text = json.dumps(component["tx-review"]).replace('\\"$[[ inputs.package ]]\\"', "PACKAGE")
    told = json.loads(text.replace("$[[ inputs.options ]] ", ""))
    del told["stage"]
    assert told == job


def test_hooks_call_commands_that_there_are() -> None:
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (local,) = yaml.safe_load(HOOKS)
    for hook in (*offered, *local["hooks"]):
        program, *words = hook["entry"].split()
        assert program == "tx"
        assert spelled_out(words)[0] in COMMANDS


class _GitHub(Handler):
    """Keeps the comments of one pull request, as GitHub's interface for programs does."""

    def do_GET(self) -> None:  # noqa: N802 (the base class's name)
        assert self.path.startswith("/repos/someone/demo/issues/7/comments")
        self.reply_json(self.server.owner)

    def do_POST(self) -> None:  # noqa: N802 (the base class's name)
        assert self.path == "/repos/someone/demo/issues/7/comments"
        self.server.owner.append({"id": 100 + len(self.server.owner), **self._sent()})
        self.reply_json({})

    def do_PATCH(self) -> None:  # noqa: N802 (the base class's name)
        (found,) = [one for one in self.server.owner if self.path.endswith(f"/issues/comments/{one['id']}")]
        found.update(self._sent())
        self.reply_json({})

    def reply_json(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.begin(200, "application/json", len(data))
        self.wfile.write(data)

    def _sent(self) -> dict[str, Any]:
        return dict(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def address_string(self) -> str:
        return "a socket"


class _SocketServer(ThreadingUnixStreamServer):
    daemon_threads = True
    owner: list[dict[str, Any]]


class Runner:
    """Runs the steps of the action as GitHub's runner does: bash, files for what is handed on, expressions."""

    def __init__(self, checkout: Path, home: Path) -> None:
        self._checkout = checkout
        self._path = home / "path"
        self._path.touch()
        action = home / "action"
        subprocess.run(["git", "clone", "--quiet", ROOT, action], check=True)
        self._environment = {
            **os.environ,
            "RUNNER_TEMP": str(home),
            "GITHUB_PATH": str(self._path),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_REPOSITORY": "someone/demo",
            "GH_CONFIG_DIR": str(home),
        }
        self._values = {"inputs.command": "review", "inputs.since": "origin/main", "inputs.options": ""}
        self._values |= {"inputs.token": "token", "github.event.pull_request.number": "7"}

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """Run one step by its name."""
        step = STEPS[name]
        filled = {
            key: re.sub(r"\$\{\{ (.*?) \}\}", lambda found: self._values[found[1]], value)
            for key, value in step.get("env", {}).items()
        }
        added = os.pathsep.join(reversed(self._path.read_text(encoding="utf-8").split()))
        path = {"PATH": f"{added}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self._checkout,
            env={**self._environment, **path, **filled},
            capture_output=True,
            text=True,
            check=False,
        )

    def must(self, name: str) -> str:
        """Run one step that succeeds; return what it prints."""
        done = self.run(name)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gh") is None, reason="GitHub's gh is not installed")
def test_each_step_does_its_work_and_the_comment_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = GitSandbox(tmp_path / "origin", monkeypatch)
    origin.write("auth.py", text="def login(name, age):\n    if age < 18:\n        raise PermissionError(name)\n")
    origin.commit()
    origin.git("branch", "-M", "main")
    checkout = tmp_path / "checkout"
    origin.git("clone", "--quiet", str(origin.root), str(checkout))
    origin.git("checkout", "--quiet", "--detach")  # so that its main can be pushed to
    runner = Runner(checkout, tmp_path)
    socket = tmp_path / "gh.sock"
    (tmp_path / "config.yml").write_text(f"http_unix_socket: {socket}\n", encoding="utf-8")
    comments: list[dict[str, Any]] = [{"id": 1, "body": "Looks good"}]
    with _SocketServer(str(socket), _GitHub) as server:
        server.owner = comments
        Thread(target=server.serve_forever, daemon=True).start()
        runner.must("Install tx")
        tx = tmp_path / "tx" / "bin" / "tx"
        for words in (["init"], ["learning:add", "Only people of 18 may log in", "--anchor", "auth.py::login"]):
            subprocess.run([tx, *words], cwd=checkout, check=True, capture_output=True)
        origin.git("add", ".tx", at=checkout)
        origin.git("commit", "--quiet", "--message", "What we know", at=checkout)
        origin.git("push", "--quiet", "origin", "HEAD:main", at=checkout)
        origin.git("checkout", "--quiet", "-b", "younger", at=checkout)
        for age in (12, 14):
            (checkout / "auth.py").write_text(f"def login(name, age):\n    if age < {age}:\n        raise ValueError\n")
            origin.git("commit", "--quiet", "--all", "--message", "Let younger people in", at=checkout)
            runner.must("Read the repository")
            runner.must(COMMENT)
            found = [one["body"] for one in comments if one["body"].startswith("<!-- tx-review -->")]
            assert len(found) == 1
            assert "Only people of 18" in found[0]
        runner.must("Find what does not hold, for code scanning")
        sarif = json.loads((tmp_path / "tx.sarif").read_text(encoding="utf-8"))
        assert sarif["runs"][0]["results"]
        done = runner.run("Review")
        assert done.returncode == 1
        assert "auth.py" in done.stdout
        server.shutdown()
    assert len(comments) == 2
