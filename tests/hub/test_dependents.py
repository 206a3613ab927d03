"""Who uses what in other repositories, as it is told."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.hub.test_crossing import CONSUMER, PROVIDER, below, published
from tx_graph.core.errors import NotFound
from tx_graph.graph.edges import Direction, EdgeType
from tx_graph.hub.crossing_store import CrossingStore
from tx_graph.hub.dependents import Dependents, dependents
from tx_graph.hub.identity import node_id, repository_id
from tx_graph.hub.store import Hub
from tx_graph.hub.walk_store import WalkStore

FILES = {
    "provider/pyproject.toml": '[project]\nname = "shop-kit"\n',
    "provider/shop_kit/__init__.py": "from .db import Database\n",
    "provider/shop_kit/db.py": "class Database:\n    def close(self): ...\nclass Table: ...\n",
    "provider/shop_kit/alone.py": "x = 1\n",
    "consumer/pyproject.toml": '[project]\nname = "shop"\ndependencies = ["shop-kit>=1", "yarn"]\n',
    "consumer/shop/app.py": "from shop_kit import Database\nimport shop_kit.db\nimport yarn\n",
    "consumer/shop/late.py": "from shop_kit.db import Table\nfrom shop_kit.gone import x\n",
    "stranger/play.py": "from shop_kit import Database\n",
}
NAMES = {"provider": PROVIDER, "consumer": CONSUMER, "stranger": "gitlab.com/other/stranger"}


@pytest.fixture
def provider(tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three published repositories; return the directory of the one that the others use."""
    for top, name in NAMES.items():
        published(tmp_path / top, name, below(FILES, f"{top}/"), monkeypatch)
    return tmp_path / "provider"


def asked(root: Path, target: str, limit: int | None = None) -> Dependents:
    """Return who uses something, asked in a repository."""
    with open_workspace(root) as workspace:
        return dependents(workspace.kernel, target, limit=limit)


def told(found: Dependents) -> list[tuple[str, int, tuple[str, ...], str]]:
    """Return what stands in each line."""
    return [(one.path, one.line, one.names, one.certainty) for one in found]


def test_a_file_is_used_by_name_then_as_a_module(provider: Path) -> None:
    found = asked(provider, "shop_kit/db.py")
    assert told(found) == [
        ("shop/app.py", 1, ("Database",), "name"),
        ("shop/late.py", 1, ("Table",), "name"),
        ("play.py", 1, ("Database",), "name"),
        ("shop/app.py", 2, (), "file"),
    ]
    assert [one.is_required for one in found] == [True, True, False, True]
    assert {one.target for one in found} == {"shop_kit/db.py"}
    assert found.repositories == 2
    assert len(next(iter(found)).commit) == 40


def test_a_limit_leaves_the_surest(provider: Path) -> None:
    found = asked(provider, "shop_kit/db.py", limit=1)
    assert ([one.certainty for one in found], found.total) == (["name"], 4)


def test_a_symbol_is_used_by_its_name_or_with_its_module(provider: Path) -> None:
    expected = [("shop/late.py", 1, ("Table",), "name"), ("shop/app.py", 2, (), "file")]
    assert told(asked(provider, "shop_kit/db.py::Table")) == expected
    assert [one.line for one in asked(provider, "shop_kit/db.py::Database::close")] == [1, 1, 2]


@pytest.mark.parametrize("target", ["shop-kit", "Shop_Kit", "pypi:shop-kit"])
def test_a_package_is_used_also_where_no_file_answers(provider: Path, target: str) -> None:
    found = asked(provider, target)
    assert ("shop/late.py", 2, ("x",), "package") in told(found)
    assert [(one.repository, one.path, one.range) for one in found.requirements] == [
        (CONSUMER, "pyproject.toml", ">=1")
    ]


def test_a_package_that_nobody_published_has_users_too(provider: Path) -> None:
    assert told(asked(provider, "yarn")) == [("shop/app.py", 3, (), "package")]


def test_what_stands_elsewhere_is_named_with_its_repository(provider: Path) -> None:
    assert told(asked(provider.parent / "consumer", f"{PROVIDER}:shop_kit/db.py::Table"))[0][0] == "shop/late.py"


def test_what_is_unknown_is_said(provider: Path) -> None:
    assert "pypi:shop-kit" in asked(provider, "shop_kit/alone.py").remark
    for target in (f"{PROVIDER}:gone.py", "github.com/no/where:a.py", "nothing_of_this_name"):
        with pytest.raises(NotFound):
            asked(provider, target)


def crossed(hub: Hub, nodes: list[int], direction: Direction) -> set[tuple[int, int]]:
    """Return the files that a walk reaches from these by imports."""
    strands = WalkStore(hub).leaving(nodes, types=[EdgeType.IMPORTS], direction=direction)
    return {row[:2] for strand in strands for row in strand.rows}


def test_a_walk_crosses_both_ways(provider: Path, hub: Hub) -> None:
    used, using = node_id(PROVIDER, "file", "shop_kit/db.py"), node_id(CONSUMER, "file", "shop/late.py")
    assert (used, using) in crossed(hub, [used], Direction.IN)
    assert crossed(hub, [using], Direction.OUT) == {(using, used)}
    assert crossed(hub, [using], Direction.IN) == set()
    assert crossed(hub, [used, using], Direction.BOTH) > {(used, using), (using, used)}


def test_a_walk_meets_those_that_use_a_file_whoever_else_offers_its_modules(
    provider: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fork = "github.com/other/fork"
    forked = below(FILES, "provider/") | {"pyproject.toml": '[project]\nname = "shop-kit-fork"\n'}
    for names in ([PROVIDER], [PROVIDER, fork]):
        if fork in names:
            published(tmp_path / "fork", fork, forked, monkeypatch)
        for name, path in product(names, ("shop_kit/db.py", "shop_kit/__init__.py")):
            used = node_id(name, "file", path)
            users = {row.source for row in CrossingStore(hub).into(repository_id(name), used)}
            met = {end for _, end in crossed(hub, [used], Direction.IN)}
            assert met - {node_id(name, "file", own) for own in forked} == users
            assert len(users) == (path == "shop_kit/db.py") * (3 if name == PROVIDER else 1)


def test_who_may_not_see_a_repository_sees_none_of_its_uses(provider: Path, hub: Hub) -> None:
    hub.write("CREATE ROLE kept LOGIN")
    hub.write("GRANT USAGE ON SCHEMA tx TO kept")
    hub.write("GRANT SELECT ON ALL TABLES IN SCHEMA tx TO kept")
    hub.write("INSERT INTO tx.grants VALUES ('kept', 'github.com/acme/provider', 'github.com/acme/provider', false)")
    try:
        hub.write("SET ROLE kept")
        used = node_id(PROVIDER, "file", "shop_kit/db.py")
        own = {node_id(PROVIDER, "file", path) for path in below(FILES, "provider/")}
        assert {end for _, end in crossed(hub, [used], Direction.BOTH)} <= own
        assert CrossingStore(hub).into(repository_id(PROVIDER), used) == []
    finally:
        hub.write("RESET ROLE")
        hub.write("DELETE FROM tx.grants")
        hub.write("DROP OWNED BY kept")
        hub.write("DROP ROLE kept")
