"""What a repository's files ask for counts only once the user of this machine allowed it, and is said until then."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine, Program
from tests.isolation import run_without
from tx_graph import open_workspace
from tx_graph.core.settings import SETTINGS
from tx_graph.core.sqlite import binding
from tx_graph.core.trust import state_home

ASKED = {
    "embedder": "fastembed:BAAI/bge-small-en",
    "search.retriever": "marker",
    "search.retriever_options": ["address=http://example.invalid"],
    "context.tokenizer": "../elsewhere/tokenizer.json",
}
PLUG_IN = """
from pathlib import Path
Path(__file__).with_name("loaded").touch()

class Retriever:
    def __init__(self, corpus):
        Path(__file__).with_name("options").write_text(repr(dict(corpus.options)))

    def retrieve(self, text, *, limit, allowed):
        return []
"""


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where an installed plug-in leaves a file once it is loaded, and one with the options it was opened with."""
    site = tmp_path / "site"
    info = site / "marker-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: marker\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tx_graph.retrievers]\nmarker = marker_plug_in:Retriever\n")
    (site / "marker_plug_in.py").write_text(PLUG_IN)
    with pytest.MonkeyPatch.context() as path:
        path.syspath_prepend(site)
        yield site


def committed(checkout: Checkout, **others: object) -> None:
    """Let settings come with the repository."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in (ASKED | others).items()]
    checkout.write(".tx/config.toml", "\n".join(lines) + "\n")


def in_force(tx: CommandLine) -> dict[str, Any]:
    found = tx.json("config")["settings"]
    return {key: found[key] for key in ASKED}


DEFAULTS = {key: list(one) if isinstance(one := SETTINGS[key].default, tuple) else one for key in ASKED}


def test_nothing_counts_before_it_is_allowed_and_each_value_is_asked_about(tx: CommandLine, checkout: Checkout) -> None:
    committed(checkout)
    assert in_force(tx) == DEFAULTS
    assert tx.json("config")["withheld"] == ASKED
    assert tx.json("allow")["asked"] == ASKED
    assert (in_force(tx), tx.json("config")["withheld"]) == (ASKED, {})
    committed(checkout, embedder="fastembed:other")
    assert in_force(tx) == DEFAULTS
    committed(checkout)
    assert in_force(tx) == ASKED
    assert "search.retriever" in tx.ok("allow --revoke").out
    assert in_force(tx) == DEFAULTS
    assert tx("allow --revoke").status == 3


def test_it_is_said_once_on_stderr_and_in_json_in_status_and_by_the_doctor(tx: CommandLine, checkout: Checkout) -> None:
    committed(checkout)
    tx.ok("learning:add", "The zebra is striped")
    for command in ("status", "learning:search zebra", "task:list", "context zebra"):
        assert tx.ok(command).err.count("until the user of this machine allows them with 'tx allow'") == 1
        assert "tx allow" in tx.json(command)["notices"][0]
    assert tx.json("status")["withheld"] == ASKED
    [found] = [one for one in tx.json("doctor")["findings"] if one["check"] == "allowed"]
    assert found["level"] == "advice"
    assert all(key in found["detail"] for key in ASKED)
    assert "not allowed" in tx.ok("config").out
    tx.ok("allow")
    assert "tx allow" not in tx.ok("status").err


def test_a_plug_in_that_a_repository_names_is_not_loaded_and_its_options_are_not_passed_on(
    tx: CommandLine, checkout: Checkout, plug_in: Path
) -> None:
    tx.ok("learning:add", "The zebra is striped")
    committed(checkout, embedder="none", **{"context.tokenizer": "none"})
    assert tx.json("learning:search zebra")["stats"]["retriever"] == "hybrid"
    tx.ok("context zebra")
    assert not (plug_in / "loaded").exists()
    tx.ok("learning:search zebra --retriever marker")  # the user's word, which says nothing of options
    assert (plug_in / "options").read_text() == "{}"
    tx.ok("allow")
    tx.ok("learning:search zebra")
    assert "example.invalid" in (plug_in / "options").read_text()


def test_harmless_settings_need_no_word(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write(".tx/config.toml", 'embedder = "none"\nsearch.retriever = "bm25"\ncochanges.min_support = 7\n')
    assert "allow" not in tx.ok("config get search.retriever").err
    assert tx.json("config get cochanges.min_support")["value"] == 7
    assert "nothing to allow" in tx.ok("allow").out
    assert not (state_home() / "allowed").exists()


def test_what_the_user_sets_is_allowed_unless_something_else_waits(tx: CommandLine, checkout: Checkout) -> None:
    tx.ok("config set search.retriever marker")
    assert tx.json("config get search.retriever")["value"] == "marker"
    checkout.write(".tx/config.toml", 'search.retriever = "other"\n')
    tx.ok("config set context.tokenizer tokenizer.json")
    assert in_force(tx) == DEFAULTS
    tx.ok("allow")
    tx.ok("config set context.tokenizer none")
    assert tx.json("config get search.retriever")["value"] == "other"


def test_another_clone_waits_for_its_own_word_and_ci_allows_all(
    tx: CommandLine, checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed(checkout)
    tx.ok("allow")
    shutil.copytree(checkout.root, tmp_path / "clone", symlinks=True)
    clone = CommandLine(tmp_path / "clone")
    assert (in_force(tx), in_force(clone)) == (ASKED, DEFAULTS)
    (tmp_path / "link").symlink_to(checkout.root)
    assert in_force(CommandLine(tmp_path / "link")) == ASKED
    [entry] = tx.json("allow --list")["repositories"]
    assert (entry["root"], entry["names"]) == (str(checkout.root.resolve()), sorted(ASKED))
    for value, expected in (("0", DEFAULTS), ("1", ASKED)):
        monkeypatch.setenv("TX_ALLOW", value)
        assert in_force(clone) == expected
    assert tx("allow --list --revoke").status == 2
    assert CommandLine(tmp_path)("allow").status == 4


def test_the_state_lies_where_no_repository_reaches(tmp_path: Path) -> None:
    assert state_home({"XDG_STATE_HOME": ".tx"}, platform="linux") == Path.home() / ".local/state/tx"
    assert state_home({"LOCALAPPDATA": str(tmp_path)}, platform="win32") == tmp_path / "tx"
    assert "Application Support" in str(state_home({}, platform="darwin"))


def test_a_damaged_entry_allows_nothing(tx: CommandLine, checkout: Checkout) -> None:
    committed(checkout)
    tx.ok("allow")
    [entry] = (state_home() / "allowed").iterdir()
    for text in ("", "[]", "{", '{"settings": ""}'):
        entry.write_text(text)
        assert in_force(tx) == DEFAULTS


def test_a_workspace_that_lives_long_hears_of_the_word(tx: CommandLine, checkout: Checkout) -> None:
    committed(checkout)
    waits = partial(pytest.warns, UserWarning, match="tx allow")
    with waits():
        workspace = open_workspace(checkout.root)
    with workspace:
        assert workspace.config.get("search.retriever") == "hybrid"
        assert workspace.status().withheld
        tx.ok("allow")
        with pytest.warns(UserWarning, match="'marker' of the settings is not installed"):
            assert workspace.config.get("search.retriever") == "marker"
        tx.ok("allow --revoke")
        with waits():
            assert workspace.config.get("search.retriever") == "hybrid"


@pytest.mark.parametrize("name", ["", "learnings", "facts", "graph.db", "config.toml", ".gitignore"])
def test_a_link_that_leads_out_is_refused_until_it_is_allowed(
    tx: CommandLine, checkout: Checkout, tmp_path: Path, name: str
) -> None:
    there, outside = checkout.root / ".tx" / name, tmp_path / "outside"
    if there.exists():
        there.rename(outside)
    there.symlink_to(outside)
    before = sorted(tmp_path.joinpath("outside").rglob("*"))
    for command in ("init", "status", "learning:add hello", "doctor"):
        outcome = tx(command)
        assert (outcome.status, "leads out of the repository" in outcome.err) == (5, True)
    assert sorted(tmp_path.joinpath("outside").rglob("*")) == before
    if name in ("", "learnings"):
        assert tx.json("allow")["asked"] == {f".tx/{name}".rstrip("/"): str(outside)}
        tx.ok("learning:add hello")


def test_the_log_of_errors_is_not_written_through_a_link(
    home: Path, tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (home / ".tx" / "errors.log").symlink_to(victim)
    code = "import os\nos.chdir(sys.argv[2])\nfrom tx_graph.faces.cli.main import report\n"
    said = run_without([], code + "print(json.dumps(report(ValueError('x'), [])))", str(home))
    assert "errors.log" in said
    assert victim.read_text() == "mine"


def test_a_database_that_came_with_a_clone_runs_nothing_but_sql(tx: CommandLine, checkout: Checkout) -> None:
    tx.ok("learning:add hello")
    with closing(binding().module.connect(checkout.root / ".tx" / "graph.db")) as database:
        database.execute("CREATE TRIGGER evil BEFORE INSERT ON learnings BEGIN SELECT load_extension('/tmp/evil'); END")
        database.commit()
    outcome = tx("learning:add", "Another one")
    assert (outcome.status, "unsafe use of load_extension" in outcome.err) == (5, True)


def test_nothing_of_this_is_loaded_for_help() -> None:
    code = "from tx_graph.faces.cli.main import run\nimport io\nreal, sys.stdout = sys.stdout, io.StringIO()\n"
    code += "run(['--help'])\nsys.stdout = real\nprint(json.dumps('tx_graph.core.trust' in sys.modules))"
    assert run_without([], code) is False
