"""What a model is asked after documents were read, by the settings: nothing unless they say so, and within limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import MODEL
from tests.documents.extracting.writings import Writings, chained, document
from tests.fakes import WordEmbedder
from tx_graph.core.ports import alike, no_progress
from tx_graph.core.settings import SETTINGS
from tx_graph.documents.documents import Documents
from tx_graph.documents.following import Followed
from tx_graph.workspace.maintaining import maintain
from tx_graph.workspace.renewal import Renewal

TEXTS = {"a": document("one", "two"), "b": document("one", "six")}
MODEL_LINE = f'documents.model = "{MODEL}"'


@pytest.fixture
def writings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writings:
    monkeypatch.setenv("TX_ALLOW", "1")
    return Writings(tmp_path, monkeypatch, embedder=WordEmbedder(dimension=256))


def followed(writings: Writings, *settings: str) -> Followed | None:
    writings.configure(*settings)
    for name, text in TEXTS.items():
        writings.write(f"docs/{name}.md", text)
    with writings.open() as workspace:
        return workspace.kernel.one(Documents).ingest("docs/a.md", "docs/b.md").relations


@pytest.mark.parametrize(
    ("wanted", "limit", "calls", "are_linked"),
    [
        ("off", "", 0, False),
        ("extract", "", 2, False),
        ("link", "", 1, True),
        ("both", "", 3, True),
        ("both", "documents.max_calls = 1", 1, False),
        ("both", "documents.max_calls = 2", 2, False),
        ("extract", "documents.max_tokens = 1", 0, False),
    ],
)
def test_a_model_is_asked_what_the_settings_say_and_no_more(
    writings: Writings, serve: Serve, wanted: str, limit: str, calls: int, are_linked: bool
) -> None:
    server = serve(chained)
    settings = ["documents.workers = 1", MODEL_LINE, f'documents.relate = "{wanted}"', limit]
    done = followed(writings, *settings)
    assert len(server.questions) == calls
    assert (done is None) is (wanted == "off")
    if done:
        assert (done.calls, done.linked is not None) == (calls, are_linked)
        assert (done.tokens > 0) is (calls > 0)
    again = followed(writings, *settings[:-1], "documents.max_calls = 0")
    assert len(server.questions) == {"off": 0, "extract": 2, "link": 1, "both": 3}[wanted]
    assert (again is None) is (wanted == "off")


def test_only_who_asks_for_the_heavy_work_asks_the_model(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(**TEXTS)
    writings.configure(MODEL_LINE, 'documents.relate = "extract"')
    with writings.open() as workspace:
        maintain(workspace.kernel, stages=alike(no_progress))
        assert server.questions == []
        done = workspace.kernel.one(Renewal).run(stages=alike(no_progress)).relations
    assert done is not None
    assert (len(server.questions), done.calls, done.problem) == (2, 2, "")


@pytest.mark.usefixtures("llm_home")
@pytest.mark.parametrize("name", ["default", "unheard-of"])
def test_where_no_model_can_be_asked_that_is_said_and_documents_are_read(writings: Writings, name: str) -> None:
    done = followed(writings, f'documents.model = "{name}"', 'documents.relate = "both"')
    assert done is not None
    assert "model" in done.problem
    with writings.open() as workspace:
        assert len(workspace.kernel.one(Documents).list()) == 2


def test_a_clone_cannot_spend_what_its_user_did_not_allow(
    writings: Writings, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TX_ALLOW", "")
    server = serve(chained)
    assert followed(writings, MODEL_LINE, 'documents.relate = "both"') is None
    assert server.questions == []
    spending = ("relate", "model", "max_calls", "max_tokens")
    assert all(SETTINGS[f"documents.{one}"].safe == (SETTINGS[f"documents.{one}"].default,) for one in spending)
