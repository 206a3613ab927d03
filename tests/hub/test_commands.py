"""The commands of the hub at a terminal and in scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import NAME, named
from tx_graph.core.errors import NotInitialised
from tx_graph.hub.store import VARIABLE, HubError


@pytest.fixture
def tx(project: GitSandbox, hub_url: str) -> CommandLine:
    """The command line in a repository that has a name, and a database that is no hub yet."""
    named(project)
    return CommandLine(project.root)


def test_a_hub_from_its_making_to_its_end(tx: CommandLine, project: GitSandbox) -> None:
    assert "is ready (schema 3)" in tx.ok("hub:init").out
    assert tx.ok("hub:repositories").err.startswith("The hub shows no repository that you may read.")
    assert "would show" in tx.ok("hub:publish --dry-run").out
    assert "never published" in tx.ok("hub:status").out
    said = tx.ok("hub:publish").out
    assert f"shows {NAME} as of {project.git('rev-parse', 'HEAD')[:12]}." in said
    assert "New: 1 file." in said
    assert "Nothing has changed since the last time." in tx.ok("hub:publish").out
    assert NAME in tx.ok("hub:repositories").out
    project.commit("src/new.py")
    assert "1 commit behind HEAD" in tx.ok("hub:status").out
    project.git("checkout", "--quiet", "--orphan", "other")
    project.git("commit", "--quiet", "--message=other")
    assert tx.ok("hub:status").out.count("behind HEAD") == 1
    assert tx(f"hub:forget {NAME}").status == 2
    assert tx.ok(f"hub:forget {NAME} --yes").out.endswith(f"has forgotten {NAME}.\n")


def test_rights_in_words(tx: CommandLine) -> None:
    tx.ok("hub:init")
    assert tx.ok("hub:rights").err.endswith("Grant something: tx hub:grant ROLE --repositories GLOB --read\n")
    assert tx.ok("hub:grant postgres --repositories 'github.com/acme/*' --read").out == (
        "postgres may read github.com/acme/*.\n"
    )
    assert "as before" in tx.ok("hub:grant postgres --repositories 'github.com/acme/*' --read").out
    assert tx.ok("hub:rights --tsv").out.splitlines()[1] == "postgres\tgithub.com/acme/*\tFalse"
    assert "owns the hub" in tx.ok("hub:rights").err
    tx.ok("hub:revoke postgres --repositories 'github.com/acme/*'")
    assert tx.ok("hub:rights --json").document["rights"] == []


def test_a_hub_is_kept_from_where_there_is_no_workspace(
    tx: CommandLine, hub_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tx.ok("hub:init")
    tx.ok("hub:publish")
    (nowhere := tmp_path / "nowhere").mkdir()
    at = CommandLine(nowhere)
    assert "up to date" in at.ok("hub:init").out
    assert NAME in at.ok("hub:repositories").out
    assert "has no name there" in at.ok("hub:status").out
    at.ok("hub:grant postgres --repositories '*' --read")
    assert len(at.ok("hub:rights --json").document["rights"]) == 1
    at.ok("hub:revoke postgres --repositories '*'")
    at.ok("hub:conflicts")
    at.ok(f"hub:forget {NAME} --yes")
    assert "no .tx directory" in at("hub:publish").err
    monkeypatch.delenv(VARIABLE)
    assert at("hub:rights").status == NotInitialised.status
    assert [*nowhere.iterdir()] == []


def test_json(tx: CommandLine, project: GitSandbox) -> None:
    tx.ok("hub:init")
    done = tx.ok("hub:publish --json").document
    head = project.git("rev-parse", "HEAD")
    assert (done["repository"], done["commit"], done["added"], done["dry_run"]) == (NAME, head, {"file": 1}, False)
    assert done["held_back"] == []
    (one,) = tx.ok("hub:repositories --json").document["repositories"]
    assert (one["name"], one["commit"], one["rows"]["files"]) == (NAME, head, 1)
    found = tx.ok("hub:status --json").document
    assert (found["repository"], found["shown"]["commit"], found["behind"], found["vectors"]) == (NAME, head, 0, True)
    assert tx.ok(f"hub:forget {NAME} --yes --json").document["repository"] == NAME


def test_where_there_is_no_hub(tx: CommandLine) -> None:
    for command in ("publish", "repositories", "status", "rights", f"forget {NAME} --yes"):
        refused = tx(f"hub:{command}")
        assert (refused.status, refused.out) == (HubError.status, "")
        assert "There is no hub" in refused.err
        assert "tx hub:init" in refused.err
