"""Where each page is worked through: what its reader has before the first block, and the page does not show."""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.docs import checkout
from tests.docs.blocks import ROOT
from tests.docs.sandbox import Sandbox, script_steps
from tests.docs.sessions import leave_transcripts
from tests.docs.signing_in import Project, signing_in
from tests.hub.conftest import started
from tx_graph.vectors.models import default_directory, has_expected_sizes


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A repository, and what happened in it before."""

    make: Callable[[Path], Path]
    """Makes the repository below the home directory and returns where the reader stands."""
    script: str = ""
    """What the reader has done there already."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What services give their jobs, too."""
    of_history: tuple[str, ...] = ()
    """Beginnings of commands that tell of this repository's history. A checkout for a service may not have it."""


def this_repository(home: Path) -> Path:
    """Make a clone of this very repository, with what `scripts/bootstrap` would have installed."""
    target = home / "tx"
    checkout.clone(target)
    checkout.equip(target, programs=home.parent / "bin")
    return target


def empty(home: Path) -> Path:
    """Make a directory with nothing in it but a git repository."""
    target = home / "project"
    target.mkdir()
    checkout.git("init", "--quiet", at=target)
    return target


def with_transcripts(home: Path) -> Path:
    """Make the project about signing in, and what agents have written down of their work on it."""
    project = signing_in(home)
    leave_transcripts(home, project)
    return project


def with_project(home: Path) -> Path:
    """Make the project about signing in, and beside it a clone of this repository."""
    signing_in(home)
    return this_repository(home)


def with_neighbours(home: Path) -> Path:
    """Make a clone of this repository, and stand-ins for the repositories that benchmarks take from GitHub."""
    example = Project(home.parent / "example")
    for number in range(4):
        changes = {path: f"+{text}V = {number}\n" for path, text in _learned_about().items()}
        example.commit(f"Change what is learned about ({number})", changes)
    for name in (
        "pre-commit/pre-commit",
        "simonw/llm",
        "sverweij/dependency-cruiser",
        "pallets/flask",
        "nevindra/oasis",
    ):
        checkout.git(
            "clone", "--quiet", "--bare", str(example.root), str(home.parent / "remotes" / name), at=home.parent
        )
    return this_repository(home)


def _learned_about() -> dict[str, str]:
    """Return the files that the learnings name which benchmarks import, with the code in them that is named."""
    lines = (ROOT / "fixtures" / "learnings" / "llm.jsonl").read_text(encoding="utf-8").splitlines()
    anchors = [anchor.partition("::") for line in lines for anchor in json.loads(line)["anchors"]]
    return {path: "" for path, _, _ in anchors} | {path: f"def {name}(): ...\n" for path, _, name in anchors if name}


def with_hub(home: Path) -> Path:
    """Make the project about signing in, and a server with the roles of the page, which libpq knows as a service."""
    stack = ExitStack()
    server = stack.enter_context(started())
    atexit.register(stack.close)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("CREATE ROLE agents LOGIN")
        connection.execute("CREATE ROLE ci_shop LOGIN")
        parts = psycopg.conninfo.conninfo_to_dict(connection.info.dsn)
    settings = "".join(f"{name}={value}\n" for name, value in parts.items())
    (home / ".pg_service.conf").write_text(f"[hub]\n{settings}", encoding="utf-8")
    return signing_in(home)


def with_model(home: Path) -> Path:
    """Make a clone of this repository on a machine that has the embedding model, if this one has it."""
    if has_expected_sizes(default_directory()):
        (home.parent / "no-model").symlink_to(default_directory())
    return this_repository(home)


_OF_HISTORY = ("tx context", "tx graph:analyze-cochanges", "tx graph:cochanges")

_REMEMBERING = """
tx init
tx graph:analyze-cochanges
git add .tx
git commit --quiet --message "Remember things with tx"
git clone --quiet --bare . ../origin.git
git remote add origin ../origin.git
git fetch --quiet
"""

_BRANCH = """
git checkout --quiet -b feature
perl -pi -e 's/minutes": 15/minutes": 10/' src/jwt.py
git commit --quiet --all --message "Shorter lives"
echo "# Children may look around." >> src/auth.py
git add src/auth.py
"""

_GATE = """
tx learning:add "Only adults may enter" --anchor src/auth.py::login
tx learning:add "Logging out ends every session of the user" --anchor src/auth.py::logout
tx learning:add "A refreshed token must keep the session id, or the audit log loses the thread" \\
    --anchor src/refresh.py::renew
git add .tx
git commit --quiet --message "What we know of logging in"
git checkout --quiet -b feature
perl -0777 -ne 'print "from src.jwt import verify\\n\\n\\n", /(def logout.*?\\n)\\n\\n/s' src/auth.py > src/session.py
perl -0777 -pi -e 's/def logout.*?\\n\\n\\n//s' src/auth.py
git add src
git commit --quiet --message "Sessions have a file of their own"
perl -pi -e 's/age < 18/age < 12/' src/auth.py
git commit --quiet --all --message "Let children in"
"""

_LEARNED = """
tx learning:add "A refreshed token must keep the session id, or the audit log loses the thread" \\
    --category auth --source-type agent --anchor src/refresh.py::renew
tx learning:add "Rotate the key of the digest every month" --category operations
perl -pi -e 's/return sign/print(claims)\\n    return sign/' src/refresh.py
tx index
"""

_NAMED = """
tx init
tx config set hub.repository github.com/acme/shop
git add .tx
git commit --quiet --message "Remember things with tx"
"""

_REVIEWED = """
printf 'src/ @identity\\n' > CODEOWNERS
tx learning:add "Tokens live 15 minutes: the law says so" --anchor src/jwt.py
tx learning:add "A refreshed token must keep the session id, or the audit log loses the thread" \\
    --anchor src/refresh.py::renew
git add .tx CODEOWNERS
git commit --quiet --message "What we know of tokens"
tx sync
perl -pi -e 's/minutes": 15/minutes": 5/' src/jwt.py
"""

_EXPLAINED = """
printf 'RETRIES = 3\\n\\n\\ndef store(token):\\n    return RETRIES\\n' > src/store.py
git add src
git commit --quiet --message "Take the lock before the first write

The lock is taken first, because two writers would otherwise overwrite each other's first record."
"""

_WRITTEN = """
mv docs ../docs
tx init
mv ../docs .
printf '\\nAll words are in the [glossary](glossary.md).\\n' >> docs/guide.md
"""

_JACQ = """
mkdir docs
printf -- '---\\nlicense: MIT\\n---\\n# DuckDB\\n\\nA database.\\n' > docs/duckdb.md
git add docs
git commit --quiet --message "What DuckDB is"
tx init
tx fact:add "JACQ Project" uses DuckDB --status confirmed
tx fact:add "JACQ Project" status --value "active development" --status confirmed
tx fact:add "JACQ Project" uses "Next.js 16" --confidence 0.8
tx fact:add DuckDB type --value "embedded OLAP database" --status confirmed
tx fact:add DuckDB version --value 1.1 --status confirmed
tx fact:add DuckDB version --value 1.2 --confidence 0.5
"""

PLACES: Mapping[str, Place] = {
    "README.md": Place(make=with_project, script="scripts/quickstart() { cd ~/tx && ./scripts/quickstart; }"),
    "CONTRIBUTING.md": Place(make=this_repository, script="export PYTHONS="),  # trying a release needs the registry
    "docs/terminal.md": Place(make=this_repository, script="mkdir -p ~/.config/fish/completions"),
    "docs/tour.md": Place(make=this_repository, of_history=_OF_HISTORY),
    "docs/tutorial.md": Place(make=this_repository, of_history=_OF_HISTORY),
    "docs/graph.md": Place(make=this_repository, of_history=("tx graph:stats",)),
    "docs/agents.md": Place(make=signing_in, script=_REMEMBERING + _LEARNED),
    "docs/automation.md": Place(make=signing_in, script=_REMEMBERING + _BRANCH),
    "docs/benchmarks.md": Place(make=with_neighbours, script="tx model install"),
    "docs/ci-gate.md": Place(make=signing_in, script=_REMEMBERING + _GATE),
    "docs/context.md": Place(make=signing_in, script=_REMEMBERING + _LEARNED),
    "docs/documents.md": Place(make=signing_in, script=_WRITTEN),
    "docs/facts.md": Place(make=empty, script="tx init"),
    "docs/focus.md": Place(make=signing_in, script=f"{_REMEMBERING}tx sync\n"),
    "docs/hub.md": Place(make=with_hub, script=_NAMED, variables={"TX_HUB": "service=hub"}),
    "docs/offline.md": Place(make=with_model),
    "docs/proposing.md": Place(make=with_transcripts, script=_EXPLAINED + "tx init"),
    "docs/review.md": Place(make=signing_in, script=_REMEMBERING + _REVIEWED),
    "docs/recall.md": Place(make=empty, script=_JACQ),
    "docs/retrievers.md": Place(make=signing_in, script=_REMEMBERING + _LEARNED),
    "docs/sdk.md": Place(make=signing_in),
    "docs/settings.md": Place(make=this_repository, script="tx config set embedder fastembed:BAAI/bge-small-en-v1.5"),
    "docs/view.md": Place(make=signing_in, script=_REMEMBERING + _LEARNED),
    "docs/transcripts.md": Place(make=with_transcripts, script="tx init"),
}
"""By the page's path; the others have a clone of this repository."""


def place_of(page: str) -> Place:
    """Return the place in which a page is worked through."""
    return PLACES.get(page, Place(make=this_repository))


def untold(place: Place) -> tuple[str, ...]:
    """Return the beginnings of commands whose output cannot be what the page shows, in this checkout."""
    return () if checkout.has_history() else place.of_history


def prepare(sandbox: Sandbox, script: str) -> None:
    """Do what the reader did before the page begins."""
    for step in script_steps(script):
        result = sandbox.run(step.command)
        assert result.status == 0, f"{step.command}\n{result.end}"
