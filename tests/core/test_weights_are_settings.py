"""The weights, decay, grace and quotas of the sources are settings: each within its range, with its formula shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.context.recall import recall
from tx_graph.core.errors import UsageError
from tx_graph.core.settings import FORMULAS, SETTINGS, AllSettings, configure
from tx_graph.documents.search import scoring_of
from tx_graph.graph.expand import Hops
from tx_graph.knowledge.facts import Facts


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("key", "value", "score"),
    [
        ("facts.user_edit", "4", 4.0),
        ("facts.conversation", "4", 2.0),  # not its source
        ("facts.confirmed", "3", 2.0),  # nobody did
    ],
)
def test_a_fact_scores_as_the_settings_say(project: Project, key: str, value: str, score: float) -> None:
    with project.open() as workspace:
        workspace.kernel.config.set(key, value)
    with project.open() as workspace:
        facts = workspace.kernel.one(Facts)
        facts.add("JACQ", "uses", value="DuckDB", confidence=1.0)
        assert [one.score for one in facts.list()] == [pytest.approx(score)]


def test_sections_score_as_in_the_source_unless_set(project: Project) -> None:
    with project.open() as workspace:
        assert scoring_of(workspace.kernel) == Hops()
        workspace.kernel.config.set("documents.hop_decay", "1, 0.5")
        workspace.kernel.config.set("documents.vector_weight", "0.6")
        assert scoring_of(workspace.kernel) == Hops(vector_weight=0.6, hop_decay=(1.0, 0.5))
        assert scoring_of(workspace.kernel, vector=0.1, decay="0.2") == Hops(vector_weight=0.1, hop_decay=(0.2,))


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("recall.max_facts", "2", ["uses", "runs_on"]),
        ("recall.per_entity", "1", ["uses", "owner"]),
        ("recall.hops", "1", ["uses", "runs_on", "status"]),
        ("recall.hops", "0", []),
        ("recall.score", "10", ["uses", "runs_on", "status", "owner"]),
    ],
)
def test_recall_goes_as_far_as_the_settings_say_unless_told(
    project: Project, key: str, value: str, told: list[str]
) -> None:
    with project.open() as workspace:
        workspace.kernel.config.set(key, value)
    with project.open() as workspace:
        facts = workspace.kernel.one(Facts)
        for subject, predicate, confidence in (
            ("JACQ", "uses", 1.0),
            ("JACQ", "runs_on", 0.9),
            ("JACQ", "status", 0.8),
        ):
            facts.add(subject, predicate, "DuckDB", confidence=confidence)
        facts.add("DuckDB", "owner", value="Ada", confidence=0.7)
        assert [one.stored.fact.predicate for one in recall(workspace.kernel, "JACQ")] == told
        assert len(recall(workspace.kernel, "JACQ", hops=2, max_facts=30, per_entity=10).facts) == 4


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("recall.anchors", "0"),
        ("recall.hops", "11"),
        ("search.recent_half_life_days", "0"),
        ("facts.decay", "1"),
        ("facts.grace_weeks", "-1"),
        ("documents.graph_weight", "1.1"),
        ("documents.hop_decay", "1,2"),
        ("documents.hop_decay", "nan"),
        ("focus.cochange", "11"),
    ],
)
def test_a_weight_out_of_its_range_is_refused(project: Project, key: str, value: str) -> None:
    with project.open() as workspace, pytest.raises(UsageError):
        workspace.kernel.config.set(key, value)


def test_every_number_of_a_formula_is_a_setting_of_its_group(project: Project) -> None:
    with project.open() as workspace:
        shown = configure(workspace.kernel)
        assert isinstance(shown, AllSettings)
        assert shown.formulas == FORMULAS
    for group, formula in FORMULAS.items():
        weights = [key.partition(".")[2] for key, one in SETTINGS.items() if key.startswith(f"{group}.")]
        assert sum(weight in formula for weight in weights) >= 3
