"""What a notebook shows of answers, and what it makes of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import pytest

from tests.git_sandbox import GitSandbox
from tx_graph import (
    Answer,
    Corpus,
    ExtractOptions,
    Hit,
    Network,
    Query,
    Rows,
    StoredLearning,
    UsageError,
    Workspace,
    open_workspace,
)
from tx_graph.core.errors import ModelError

ASK: list[Callable[[Workspace], Any]] = [
    lambda memory: memory.search("tokens"),
    lambda memory: memory.search_all("tokens"),
    lambda memory: memory.documents.search("tokens"),
    lambda memory: memory.documents.show("docs/guide.md"),
    lambda memory: memory.learnings.show(1),
    lambda memory: memory.context("tokens", files="src/auth.py"),
    lambda memory: memory.focus("src/auth.py"),
    lambda memory: memory.recall("Billing"),
    lambda memory: memory.graph.neighbors("src/auth.py"),
    lambda memory: memory.graph.show("src/tokens.py"),
    lambda memory: memory.graph.path("src/auth.py", 1),
    lambda memory: memory.graph.imports("src/auth.py"),
    lambda memory: memory.graph.symbols("src/auth.py"),
    lambda memory: memory.tasks.show(memory.tasks.add("Repair `the` login")),
    lambda memory: memory.runs.show(memory.runs.start()),
    lambda memory: memory.anchors.verify(),
    lambda memory: memory.status(),
]


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("ask", ASK, ids=map(str, range(len(ASK))))
def test_an_answer_is_shown_as_its_command_prints_it(memory: Workspace, ask: Callable[[Workspace], Any]) -> None:
    memory.facts.add("Billing", "uses", "DuckDB")
    answer = ask(memory)
    shown = answer._repr_markdown_()
    assert shown.startswith(("#", "```"))
    assert "\x1b" not in shown
    assert answer.to_dict()["schema"] == 2
    if isinstance(answer, Rows):
        told = [one for one in answer.to_dict().values() if isinstance(one, list)]
        frame = answer.to_pandas()
        assert any(set(frame.columns) == {*chain(*rows)} and len(frame) == len(rows) for rows in told)


def test_a_fence_is_longer_than_what_it_holds(memory: Workspace) -> None:
    memory.learnings.add("Write\n\n````\ncode\n````\n\nlike this")
    shown = memory.learnings.show(1)._repr_markdown_() or ""
    assert shown.startswith("`````text\n")
    assert shown.endswith("\n`````")


def test_what_no_command_prints_is_left_to_python(memory: Workspace) -> None:
    assert memory.tasks.add("Repair the login")._repr_markdown_() is None


@pytest.mark.parametrize("ask", ["tasks", "runs", "facts", "entities"])
def test_what_comes_in_lists_are_answers_too(memory: Workspace, ask: str) -> None:
    memory.facts.add("Billing", "uses", "DuckDB")
    memory.runs.start(task=memory.tasks.add("Repair the login"))
    first = getattr(memory, ask).list()[0]
    assert isinstance(first, Answer)
    assert {"schema", "node"} <= first.to_dict().keys()


def test_edges_point_as_they_are_stored(memory: Workspace, stored: StoredLearning) -> None:
    answers: list[Network] = [
        memory.graph.neighbors("src/tokens.py"),
        memory.graph.show("src/tokens.py"),
        memory.graph.path("src/tokens.py", "src/auth.py"),
        memory.graph.imports("src/auth.py"),
    ]
    for answer in answers:
        graph = answer.to_networkx()
        assert ("src/tokens.py", "src/auth.py", ("IMPORTS", "static")) not in graph.edges
        assert graph.nodes["src/auth.py"] == {"kind": "file", "path": "src/auth.py", "line": None}
    around = memory.graph.show("src/tokens.py").to_networkx()
    assert around.edges["src/auth.py", "src/tokens.py", ("IMPORTS", "static")]["weight"] == 1.0
    assert {told["type"] for _, _, told in around.edges(stored.ref, data=True)} == {"ANCHORED_TO"}
    together = memory.graph.cochanges("src/tokens.py").to_networkx()
    assert [told["type"] for *_, told in together.edges(data=True)] == ["CO_CHANGES_WITH"]


@pytest.mark.parametrize(("method", "library"), [("to_pandas", "pandas"), ("to_networkx", "networkx")])
def test_a_library_that_lacks_is_named_with_its_extra(
    memory: Workspace, monkeypatch: pytest.MonkeyPatch, method: str, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=library) as refused:
        getattr(memory.graph.neighbors("src/auth.py"), method)()
    assert refused.value.hint == "pip install 'tx-graph[notebook]'"


class Backwards:
    """Finds everything, the newest learning best."""

    def __init__(self, corpus: Corpus) -> None:
        self._uids = [one.uid for one in corpus.texts]

    def retrieve(self, text: str, *, limit: int, allowed: Iterable[str]) -> list[Hit]:
        """Return all of them, the last one first."""
        return [Hit(uid, (place + 1) / len(self._uids)) for place, uid in enumerate(self._uids)][::-1]


class Silent:
    """A model that answers nobody."""

    name = "silent"

    async def ask(self, question: str, *, system: str, within: float) -> str:
        """Return nothing."""
        raise ModelError("I say nothing.")


@pytest.mark.usefixtures("stored", "other")
def test_an_own_retriever_answers_where_none_is_named(memory: Workspace, signing_in: GitSandbox) -> None:
    (signing_in.root / ".tx/config.toml").write_text(
        'embedder = "none"\n[search]\nretriever = "bm25"\n', encoding="utf-8"
    )
    with open_workspace(signing_in.root, retriever=Backwards) as own:
        answer = own.search("xyzzy")
        assert {one.stored.id for one in answer} == {1, 2}
        assert answer.stats.retriever == "own"
        assert not own.search(Query(text="xyzzy", retriever="bm25")).results
    with pytest.raises(Exception, match="no retriever 'own'"):
        memory.search(Query(text="tokens", retriever="own"))


def test_an_own_model_is_asked_where_none_is_named(memory: Workspace, signing_in: GitSandbox) -> None:
    memory.close()
    with open_workspace(signing_in.root, model=Silent()) as own:
        assert own.documents.plan_extraction(ExtractOptions()).model == "silent"
        with pytest.raises(ModelError, match="I say nothing"):
            own.documents.extract()
