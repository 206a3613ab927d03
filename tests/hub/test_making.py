"""Making a hub."""

from __future__ import annotations

import psycopg
import pytest

from scripts.opened import Workspace
from tx_graph.core.errors import UsageError
from tx_graph.core.migrations import migration_directory, read_migrations
from tx_graph.hub import store
from tx_graph.hub.identity import like, node_id, repository_name
from tx_graph.hub.making import init
from tx_graph.hub.repositories import repositories
from tx_graph.hub.store import Hub, HubError, read_address


def test_a_hub_is_made_once(hub_url: str, workspace: Workspace) -> None:
    made = init(workspace.kernel)
    assert made.is_changed
    assert made.has_vectors
    assert not init(workspace.kernel).is_changed


def test_a_hub_of_an_older_tx_is_upgraded(hub_url: str, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *later = read_migrations(migration_directory() / "hub")
    with monkeypatch.context() as patch:
        patch.setattr(store, "read_migrations", lambda _: [first])
        assert init(workspace.kernel).schema == 1
        assert repositories(workspace.kernel) == ()
    with pytest.raises(HubError, match=r"older tx \(schema 1, this one needs") as raised:
        repositories(workspace.kernel)
    assert "tx hub:init" in raised.value.hint
    made = init(workspace.kernel)
    assert (made.is_changed, made.schema) == (True, later[-1].version)
    assert repositories(workspace.kernel) == ()
    monkeypatch.setattr(store, "read_migrations", lambda _: [first])
    with pytest.raises(HubError, match="made by a newer tx"):
        repositories(workspace.kernel)


def test_a_schema_of_somebody_else_is_left_alone(hub_url: str, workspace: Workspace) -> None:
    with psycopg.connect(hub_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA tx")
    with pytest.raises(HubError, match="not of a hub"):
        init(workspace.kernel)
    with psycopg.connect(hub_url) as connection:
        assert connection.execute("SELECT to_regclass('tx.nodes')").fetchone() == (None,)


@pytest.mark.parametrize(
    "origin",
    [
        "git@github.com:Simonw/llm.git",
        "https://github.com/simonw/llm",
        "https://token@github.com/simonw/llm.git/",
        "ssh://git@github.com:22/simonw/llm.git",
    ],
)
def test_ways_to_write_an_origin_are_one_name(origin: str) -> None:
    assert repository_name(origin) == "github.com/simonw/llm"


def test_a_path_names_no_repository() -> None:
    with pytest.raises(UsageError, match="by which name"):
        repository_name("/srv/git/llm.git")


def test_globs() -> None:
    assert like("github.com/acme/*") == "github.com/acme/%"
    assert like("a_b?c%") == r"a\_b_c\%"


def test_an_entity_is_the_same_everywhere() -> None:
    assert node_id("a", "entity", "billing") == node_id("b", "entity", "billing")
    assert node_id("a", "file", "x") != node_id("b", "file", "x")


def test_there_is_no_hub_before_it_is_made(hub_url: str) -> None:
    for look in (Hub.prepared, Hub.reading):
        with Hub(read_address(hub_url)) as hub, pytest.raises(HubError, match="There is no hub"):
            look(hub)
