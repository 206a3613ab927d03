"""Whatever was edited and published before, a hub holds what a first publish of a fresh clone would put there."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from scripts.opened import Workspace, open_workspace
from tests.attack.conftest import ROUNDS, SEED
from tests.fakes import FixedClock, WordEmbedder
from tests.git_sandbox import GitSandbox
from tests.hub.publishers import NAME, differences, published
from tx_graph.core.errors import TxError
from tx_graph.hub.collect_store import DIMENSION
from tx_graph.hub.store import VARIABLE, Hub, read_address
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.facts import Facts
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Link, Status

_MODULES = ("shop/cart.py", "shop/tax.py", "shop/db.py", "tests/test_cart.py")
_PAGES = ("docs/cart.md", "docs/tax.md", "README.md")
_THINGS = ("DuckDB", "Billing service", "Cart", "TaxTable")


def _module(chance: random.Random) -> str:
    imports = [f"from shop.{name} import {name.title()}" for name in ("cart", "tax", "db") if chance.random() < 0.4]
    body = [
        f"class {name.title()}:\n    def total(self):\n        return {chance.randrange(9)}\n"
        for name in ("cart", "tax", "db")
    ]
    return "\n".join([*imports, "", *chance.sample(body, chance.randrange(1, 4))])


def _page(chance: random.Random) -> str:
    links = [f"See [this]({chance.choice(('tax.md', 'cart.md#totals', '../shop/cart.py'))})." for _ in range(2)]
    front = (
        f"---\ndepends_on: {chance.choice(_PAGES)}\nowner: {chance.choice(('Ada', 'Bob'))}\n---\n"
        if chance.random() < 0.5
        else ""
    )
    told = [
        f"## {title}\n\nThe {chance.choice(_THINGS)} is used. {chance.choice(links)}\n"
        for title in ("Totals", "Rates", "Notes")
    ]
    return f"{front}# A page\n\n" + "\n".join(chance.sample(told, chance.randrange(1, 4)))


class _Editor:
    """Edits a repository and its memory, at random."""

    def __init__(self, project: GitSandbox, workspace: Workspace, chance: random.Random) -> None:
        self._project = project
        self._workspace = workspace
        self._chance = chance

    def act(self) -> None:
        acts: list[Callable[[], object]] = [
            *([self.write] * 4),
            self.rename,
            self.remove,
            *([self.learn] * 3),
            self.unlearn,
            self.supersede,
            *([self.state] * 3),
            self.settle,
        ]
        with suppress(TxError):  # what is to be edited is not there
            self._chance.choice(acts)()

    def write(self) -> None:
        path = self._chance.choice((*_MODULES, *_PAGES))
        file = self._project.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text((_page if path.endswith(".md") else _module)(self._chance), encoding="utf-8")

    def rename(self) -> None:
        old, new = (self._project.root / self._chance.choice(_MODULES) for _ in range(2))
        if old.exists():
            new.parent.mkdir(exist_ok=True)
            old.rename(new)

    def remove(self) -> None:
        (self._project.root / self._chance.choice((*_MODULES, *_PAGES))).unlink(missing_ok=True)

    def learn(self) -> None:
        learnings, chance = self._workspace.learnings, self._chance
        place = chance.choice(
            ("shop/cart.py::Cart", "shop/tax.py", "shop/*.py", "shop/db.py:1-2", "docs/cart.md#totals")
        )
        known = [one.learning.uid for one in learnings.list()]
        learnings.add_draft(
            Draft(
                content=f"{chance.choice(_THINGS)} rounds {chance.randrange(100)} in shop/tax.py.",
                status=chance.choice((Status.ACTIVE, Status.ACTIVE, Status.STAGED)),
                anchors=[parse_anchor(place)] if chance.random() < 0.7 else [],
                links=[Link(target=chance.choice(known))] if known and chance.random() < 0.5 else [],
            )
        )

    def unlearn(self) -> None:
        if known := self._workspace.learnings.list():
            self._workspace.learnings.remove(self._chance.choice(known).learning.uid)

    def supersede(self) -> None:
        known = self._workspace.learnings.list()
        if len(known) > 1:
            old, new = self._chance.sample(known, 2)
            old_record = self._project.root / old.place
            text = old_record.read_text(encoding="utf-8")
            if "superseded_by" not in text:
                said = text.replace("status: active", f"status: superseded\nsuperseded_by: {new.learning.uid}", 1)
                old_record.write_text(said, encoding="utf-8")

    def state(self) -> None:
        chance = self._chance
        object_ = chance.choice((None, *_THINGS))
        self._workspace.kernel.one(Facts).add(
            chance.choice(_THINGS),
            chance.choice(("uses", "owner", "depends_on")),
            object_,
            value=None if object_ else f"about {chance.randrange(9)}",
            status=chance.choice((FactStatus.STAGED, FactStatus.CONFIRMED, FactStatus.CONFIRMED)),
            source_ref=chance.choice((None, "docs/cart.md#totals", "shop/tax.py")),
            private=chance.random() < 0.2,
        )

    def settle(self) -> None:
        facts = self._workspace.kernel.one(Facts)
        if known := facts.list():
            facts.retract(self._chance.choice(known).stored.id)


@pytest.mark.parametrize("number", range(2 * ROUNDS))
def test_a_hub_equals_a_first_publish(
    number: int,
    project: GitSandbox,
    hub_url: str,
    server: str,
    clock: FixedClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(f"{SEED} {number}")
    embedder = WordEmbedder(dimension=DIMENSION)
    (project.root / ".tx/config.toml").write_text(f'hub.repository = "{NAME}"\n', encoding="utf-8")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE fresh")
    fresh = psycopg.conninfo.make_conninfo(server, dbname="fresh")
    try:
        for url in (hub_url, fresh):
            with Hub(read_address(url)) as hub:
                hub.migrate()
        for _ in range(4):
            with open_workspace(project.root, clock=clock, embedder=embedder) as workspace:
                editor = _Editor(project, workspace, chance)
                for _ in range(chance.randrange(1, 9)):
                    editor.act()
            project.commit()
            with open_workspace(project.root, clock=clock, embedder=embedder) as workspace:
                published(workspace)
        project.git("clone", "--quiet", str(project.root), str(tmp_path / "clone"), at=tmp_path)
        monkeypatch.setenv(VARIABLE, fresh)
        with open_workspace(tmp_path / "clone", clock=clock, embedder=embedder) as workspace:
            published(workspace)
        assert differences(hub_url, fresh) == {}
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("DROP DATABASE fresh WITH (FORCE)")
