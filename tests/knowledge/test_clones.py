"""A year in three clones: facts that people confirmed stay, conflicts wait for people, and git merges what tx wrote."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from tests.knowledge.bank import opened
from tests.support import Project
from tx_graph.knowledge.fact import FactSource, FactStatus
from tx_graph.knowledge.fact_store import FactStore

_ROUNDS = 26  # of two weeks


def _commit(clone: Project) -> None:
    clone.git.git("add", "-A")
    if clone.git.git("status", "--porcelain"):
        clone.git.git("commit", "-q", "-m", "facts")


def _merge(into: Project, others: Sequence[Project]) -> None:
    """Take in what others have; a conflict is an error of git's, which ends the test."""
    _commit(into)
    for other in others:
        _commit(other)
        into.git.git("fetch", "-q", str(other.root), "HEAD")
        into.git.git("merge", "-q", "--no-edit", "FETCH_HEAD")


def _work(clone: Project, chance: random.Random, number: int) -> tuple[set[str], set[str]]:
    """Do what people, agents and a weekly job do in one clone; return what was confirmed, and whose value disputed."""
    confirmed: set[str] = set()
    disputed: set[str] = set()
    with opened(clone) as bank:
        doings = ["say", "dispute", "use", "confirm", "maintain", "maintain"]
        chance.shuffle(doings)
        for doing in doings:
            staged = [one.stored for one in bank.facts.list(status=FactStatus.STAGED, limit=1000)]
            if doing == "say":
                sure = chance.choice([0.2, 0.3, 0.9])
                bank.add(
                    f"Part {chance.randrange(5)}", "note", f"{number}", confidence=sure, source=FactSource.CONVERSATION
                )
            elif doing == "dispute" and chance.random() < 0.2:
                subject = f"Service {number}"
                for owner in ("Ada", "Bob"):
                    bank.add(subject, "owner", owner, confidence=0.3, source=FactSource.CONVERSATION)
                disputed.add(subject)
            elif doing == "use" and (every := bank.facts.list(limit=1000)):
                used = [one.stored.id for one in every if chance.random() < 0.3]
                database = bank.workspace.kernel.database
                with database.transaction():
                    for _ in range(chance.randrange(5)):
                        FactStore(database).count_accesses(used, now=bank.workspace.kernel.now())
            elif doing == "confirm" and staged and chance.random() < 0.5:
                one = chance.choice(staged)
                if one.fact.predicate == "note":
                    bank.facts.confirm(one.ref)
                    confirmed.add(one.fact.uid)
            elif doing == "maintain":
                bank.facts.maintain(apply=True)
    return confirmed, disputed


@pytest.mark.parametrize("seed", range(3))
def test_a_year_of_maintenance_in_three_clones_loses_nothing_and_settles_nothing(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    with opened(project) as bank:
        bank.add("Part 0", "note", "known to all", status=FactStatus.CONFIRMED)
    _commit(project)
    clones = [project]
    for name in ("second", "third"):
        (tmp_path / name).mkdir()
        clones.append(project.copied(tmp_path / name, monkeypatch))
    confirmed: set[str] = set()
    disputed: set[str] = set()
    number = 0
    for _ in range(_ROUNDS):
        chance.shuffle(clones)
        for clone in clones:
            clone.clock.pass_by(timedelta(weeks=2))
            number += 1
            if chance.random() < 0.5:
                new = _work(clone, chance, number)
                confirmed |= new[0]
                disputed |= new[1]
        if chance.random() < 0.3:
            _merge(clones[0], [clones[1]])
    _merge(clones[0], clones[1:])
    for clone in clones[1:]:
        _merge(clone, [clones[0]])
    told: list[set[str]] = []
    for clone in clones:
        with opened(clone) as bank:
            facts = [one.stored for one in bank.facts.list(limit=1000)]
            assert confirmed <= {one.fact.uid for one in facts if one.fact.status is FactStatus.CONFIRMED}
            assert {one.subject for one in bank.facts.conflicts()} == disputed
            told.append({one.fact.uid for one in facts})
            past = bank.facts.list(status=FactStatus.RETRACTED, limit=1000)
            assert past
    assert told[0] == told[1] == told[2]
    assert confirmed
    assert disputed
