"""The workspace as a whole: opened, asked, looked after, and shared with others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fakes import FixedClock, WordEmbedder
from tests.git_sandbox import GitSandbox
from tx_graph import (
    ContextRequest,
    Level,
    NotFound,
    NotInitialised,
    ReplayRequest,
    RepositoryError,
    TokensBy,
    UsageError,
    Workspace,
    init_workspace,
    open_workspace,
)


def test_a_repository_without_a_workspace_says_so_at_once(signing_in: GitSandbox, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    with pytest.raises(NotInitialised, match=r"no \.tx directory"):
        open_workspace(tmp_path / "bare")


def test_no_directory_is_made_to_lie_in(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="no directory"):
        init_workspace(tmp_path / "mistyped")
    assert not (tmp_path / "mistyped").exists()


def test_making_a_workspace_reads_files_documents_and_history(signing_in: GitSandbox) -> None:
    told: list[int] = []
    with init_workspace(signing_in.root, progress=lambda done, total: told.append(done)) as workspace:
        status = workspace.status()
        assert (status.graph.files, status.graph.documents["documents"]) == (3, 1)
        assert status.graph.edges.keys() >= {"CO_CHANGES_WITH", "IMPORTS", "LINKS_TO"}
        assert workspace.root == signing_in.root
    assert told


def test_making_a_workspace_twice_changes_nothing(memory: Workspace) -> None:
    assert repr(memory) == f"Workspace({str(memory.root)!r})"
    stored = memory.learnings.add("Tokens are compared").stored
    with init_workspace(memory.root / "src") as again:
        assert again.learnings.get(stored.id).learning == stored.learning


def test_paths_are_those_of_where_one_stands(memory: Workspace) -> None:
    with open_workspace(memory.root / "src") as below:
        assert below.graph.imports("auth.py").steps[0].target == "src/tokens.py"


def test_a_page_of_context_keeps_to_its_budget(memory: Workspace) -> None:
    memory.learnings.add("Tokens are compared", anchors=["src/tokens.py"])
    page = memory.context("compare tokens", files=("src/auth.py",), budget=300)
    assert page.text.startswith("# Before you start\n")
    assert page.tokens <= 300
    request = ContextRequest(text="compare tokens")
    assert memory.context(request, budget=300, tokens_by=TokensBy.BYTES).budget == 300
    assert memory.context(request) == memory.context("compare tokens")
    with pytest.raises(UsageError, match="nothing to give context for"):
        memory.context()
    with pytest.raises(UsageError, match="tokenizer"):
        memory.context("compare tokens", tokens_by=TokensBy.TOKENIZER)


def test_an_index_takes_in_what_is_new(memory: Workspace, signing_in: GitSandbox) -> None:
    signing_in.commit("src/new.py")
    freshness = memory.age().freshness
    assert freshness is not None
    assert freshness.new == {"src/new.py"}
    assert memory.index().index.read == 1
    assert memory.index(force=True).index.read == 3


def test_settings_count_at_once(memory: Workspace) -> None:
    assert memory.config.get("cochanges.min_support") == memory.config.all()["cochanges.min_support"] == 3
    assert memory.config.is_default("facts.single_valued")
    assert memory.config.set("facts.single_valued", ["owner", "lead"]) == ("owner", "lead")
    memory.facts.add("Billing", "lead", value="Ada")
    memory.facts.add("Billing", "lead", value="Grace", confidence=0.5)
    assert [one.predicate for one in memory.facts.conflicts()] == ["lead"]
    assert memory.config.set("cochanges.min_support", 6) == 6
    assert memory.graph.analyze_cochanges().pairs == 0
    with pytest.raises(NotFound):
        memory.config.get("colour")


def test_the_model_belongs_to_the_machine(memory: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "model"))
    assert memory.model.status(verify=True).state == "missing"
    assert memory.model.remove() == 0
    with pytest.raises(UsageError, match="no embedding model"):
        memory.model.install("word2vec")


def test_a_program_may_bring_its_own_embedder(signing_in: GitSandbox, clock: FixedClock) -> None:
    words = WordEmbedder(synonyms={"contrast": "compare"})
    with init_workspace(signing_in.root, clock=clock, embedder=words) as workspace:
        stored = workspace.learnings.add("compare tokens").stored
        assert workspace.search("contrast").results[0].stored.id == stored.id
        assert workspace.learnings.embed(again=True).learnings == 1


def test_a_damaged_database_is_built_again(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    assert all(one.level is not Level.PROBLEM for one in memory.doctor().findings)
    (memory.root / ".tx/graph.db").write_bytes(b"no database")
    assert any(one.level is Level.PROBLEM for one in memory.doctor().findings)
    assert memory.doctor(fix=True).done
    assert memory.learnings.get(stored.learning.uid).learning == stored.learning


def test_history_is_replayed_and_weights_are_written_on_request_only(memory: Workspace) -> None:
    before = memory.config.all()
    report = memory.bench(ReplayRequest(samples=2))
    assert (len(report.cases), report.is_workspace) == (2, True)
    assert memory.config.all() == before
    with pytest.raises(UsageError, match="tuning"):
        memory.bench(write=True)


def test_records_that_cannot_be_read_are_told(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    (memory.root / ".tx/learnings" / stored.record).write_text("<<<<<<< ours\n")
    assert stored.record in memory.record_problems()[0]


def test_a_closed_workspace_opens_again(memory: Workspace) -> None:
    stored = memory.learnings.add("Tokens are compared").stored
    memory.close()
    assert memory.learnings.get(stored).id == stored.id


def test_threads_that_read_and_write_take_turns(memory: Workspace) -> None:
    def work(number: int) -> None:
        memory.learnings.add(f"Learning {number} of a thread")
        assert memory.search("learning of a thread").results

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(work, range(12)))
    assert len(memory.learnings.list()) == 12
