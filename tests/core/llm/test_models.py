"""Language models through llm, against a server of our own that speaks the protocol for real."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import BLOCKING, MODEL, Answer
from tests.isolation import run_without
from tx_graph.core.errors import ModelError, ModelUnusable, QuestionRefused
from tx_graph.core.language_models import open_model

EITHER = pytest.mark.parametrize("name", [MODEL, BLOCKING])


def answer_of(name: str, *, within: float = 10.0) -> str:
    model = open_model(name)
    return asyncio.run(model.ask("the question", system="the rules", within=within))


@EITHER
def test_a_question_and_what_holds_for_all_of_them_reach_the_model(serve: Serve, name: str) -> None:
    server = serve(lambda question, number: Answer(text="the answer"))
    assert answer_of(name) == "the answer"
    assert "the rules" in server.questions[-1]
    assert "the question" in server.questions[-1]


def test_a_model_is_found_by_its_alias_and_called_by_its_id(serve: Serve) -> None:
    serve(lambda question, number: Answer())
    assert open_model("local").name == MODEL


def test_the_users_choice_stands_in_for_a_name(serve: Serve, llm_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(lambda question, number: Answer())
    (llm_home / "default_model.txt").write_text(BLOCKING, encoding="utf-8")
    assert open_model().name == BLOCKING
    monkeypatch.setenv("LLM_MODEL", "local")
    assert open_model().name == MODEL


def test_a_choice_that_cannot_be_read_matters_to_nobody_who_names_a_model(serve: Serve, llm_home: Path) -> None:
    serve(lambda question, number: Answer())
    (llm_home / "default_model.txt").write_bytes(b"\xff")
    assert open_model("local").name == MODEL
    with pytest.raises(ModelUnusable, match="llm cannot list its models"):
        open_model()


def test_nothing_is_chosen_for_somebody_who_chose_nothing(serve: Serve) -> None:
    serve(lambda question, number: Answer())
    with pytest.raises(ModelUnusable, match="No language model is chosen") as refused:
        open_model()
    assert "llm models default" in refused.value.hint


def test_an_unknown_name_is_told_the_nearest_ones(serve: Serve) -> None:
    serve(lambda question, number: Answer())
    with pytest.raises(ModelUnusable, match="llm knows no model 'locl-model'") as refused:
        open_model("locl-model")
    assert MODEL in refused.value.candidates


def test_broken_settings_of_llm_are_explained(llm_home: Path) -> None:
    llm_home.mkdir()
    (llm_home / "extra-openai-models.yaml").write_text("- {model_id: [", encoding="utf-8")
    with pytest.raises(ModelUnusable, match="llm cannot list its models"):
        open_model("any")


def test_a_missing_key_says_where_keys_are_kept(llm_home: Path) -> None:
    llm_home.mkdir()
    with pytest.raises(ModelUnusable, match="needs a key") as refused:
        answer_of("gpt-4o-mini")
    assert "llm keys set" in refused.value.hint


@EITHER
@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, ModelUnusable), (404, ModelUnusable), (400, QuestionRefused), (413, QuestionRefused), (500, ModelError)],
)
def test_a_status_tells_whether_to_ask_again(serve: Serve, name: str, status: int, kind: type[ModelError]) -> None:
    serve(lambda question, number: Answer(status=status, text="because"))
    with pytest.raises(ModelError, match="because") as failure:
        answer_of(name)
    assert type(failure.value) is kind


def test_an_answer_that_takes_too_long_is_given_up_and_its_connection_closed(serve: Serve) -> None:
    server = serve(lambda question, number: Answer(hold=threading.Event()))
    with pytest.raises(ModelError, match=r"no answer within 0\.2 s"):
        answer_of(MODEL, within=0.2)
    assert server.hung_up.acquire(timeout=10)


def test_a_dropped_connection_is_an_error_like_any_other(serve: Serve) -> None:
    serve(lambda question, number: Answer(drop=True))
    with pytest.raises(ModelError, match="gave no answer"):
        answer_of(MODEL)


def test_to_cancel_a_question_closes_its_connection(serve: Serve) -> None:
    server = serve(lambda question, number: Answer(hold=threading.Event()))

    async def ask_and_cancel() -> None:
        asked = asyncio.create_task(open_model(MODEL).ask("?", system="", within=60))
        await asyncio.to_thread(server.asked.wait, 10)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(ask_and_cancel())
    assert server.hung_up.acquire(timeout=10)


def test_a_blocking_question_that_is_given_up_keeps_its_place(serve: Serve) -> None:
    hold = threading.Event()
    server = serve(lambda question, number: Answer(text="late", hold=hold if number == 1 else None))
    model = open_model(BLOCKING, most_at_once=1)

    async def ask_thrice() -> str:
        for _ in range(2):
            with pytest.raises(ModelError, match="no answer within"):
                await model.ask("?", system="", within=0.3)
        hold.set()
        return await model.ask("?", system="", within=10)

    # The first one is refused its system prompt before anything is sent, and sends it with the question.
    assert asyncio.run(ask_thrice()) == "late"
    assert server.most_at_once == 1
    assert len(server.questions) == 2


def test_without_the_library_the_error_says_how_to_get_it() -> None:
    code = """
from tx_graph.core.errors import ModelUnusable
from tx_graph.core.language_models import open_model
try:
    open_model("any")
except ModelUnusable as error:
    print(json.dumps([error.status, error.hint]))
"""
    assert run_without(["llm"], code) == [7, "pip install 'tx-graph[llm]'"]


def test_the_door_imports_no_library() -> None:
    code = (
        "import tx_graph.core.language_models\n"
        "print(json.dumps([name for name in ('llm', 'openai', 'asyncio') if name in sys.modules]))"
    )
    assert run_without([], code) == []
