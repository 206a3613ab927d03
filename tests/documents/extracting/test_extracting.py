"""Relations by a model: what is asked, what is kept, and that nothing is paid for twice."""

from __future__ import annotations

import json
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import BLOCKING, MODEL, Answer, OpenAIServer
from tests.documents.extracting.writings import Writings, chained, document, edge, ids_in, saying
from tx_graph.core.errors import ModelError, ModelUnusable, NotFound, StorageError, UsageError
from tx_graph.core.reply_store import open_replies
from tx_graph.documents.documents import Documents
from tx_graph.documents.extracting import recall
from tx_graph.documents.relations import PROMPT_VERSION, AskingOptions, Dropped, ExtractOptions, Pruning

A = "docs/a.md#"
PATIENT = AskingOptions(workers=1, timeout=10)


@pytest.fixture
def writings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writings:
    return Writings(tmp_path, monkeypatch)


@pytest.fixture
def two(writings: Writings) -> Writings:
    """Two documents of two sections each."""
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    return writings


@pytest.fixture
def server(serve: Serve) -> OpenAIServer:
    """Answers that each passage depends on the next one."""
    return serve(chained)


def line(batch: str, reply: object) -> str:
    """Return an agent's reply as a line."""
    return json.dumps({"batch": batch, "reply": reply})


def delete_database(writings: Writings, *, with_journal: bool) -> None:
    """Delete the database; unless its journal goes too, what was said of sections is there again at once."""
    told = writings.edges()
    for file in (writings.root / ".tx").glob("graph.db*"):
        file.unlink()
    if with_journal:
        shutil.rmtree(writings.root / ".tx" / "local")
    writings.ingest()
    assert writings.edges() == (set() if with_journal else told)


def test_sections_are_asked_about_in_the_order_of_the_source(writings: Writings, server: OpenAIServer) -> None:
    writings.ingest(a=document(*"edcba"), b=document("x", "y"), c=document("alone"))
    done = writings.extract(ExtractOptions(size=4, asking=PATIENT))
    asked = [[f"{A}e", f"{A}d", f"{A}c", f"{A}b"], [f"{A}b", f"{A}a"], ["docs/b.md#x", "docs/b.md#y"]]
    assert [ids_in(question) for question in server.questions] == asked
    assert (done.batches, done.answered, done.documents, done.edges) == (3, 3, 2, 5)


def test_edges_that_are_stored_are_exactly_the_valid_ones(two: Writings, serve: Serve) -> None:
    good = edge(f"{A}one", f"{A}two", weight=0.9, description="it needs two")
    half = edge(f"{A}two", f"{A}one", description="\ud800!")  # half a character is no reason to fail
    alike = [edge(f"{A}two", f"{A}one", "similar_to", 0.6), edge(f"{A}one", f"{A}two", "similar_to", 0.7)]
    bad = [
        edge(f"{A}one", "docs/b.md#one"),
        edge(f"{A}one", f"{A}one"),
        edge(f"{A}one", f"{A}two", "explains"),
        edge(f"{A}two", f"{A}one", weight=0),
        edge(f"{A}two", f"{A}one", weight=1.5),
        "no edge",
        edge(f"{A}one", f"{A}two", "references", 0.1),
    ]
    said = saying([good, half, *alike, *bad]).text
    serve(lambda question, number: Answer(text=f"Sure!\n```json\n{said}\n```\nHope it helps."))
    some = ExtractOptions(documents=("docs/a.md",), pruning=Pruning(min_weight=0.2))
    done = two.extract(some)
    assert two.edges() == {
        (f"{A}one", "depends_on", f"{A}two", 0.9, "it needs two", MODEL),
        (f"{A}two", "depends_on", f"{A}one", 0.8, "?!", MODEL),
        (f"{A}one", "similar_to", f"{A}two", 0.7, "so", MODEL),  # once, from the smaller node
    }
    assert done.edges == 3
    counts = {Dropped.UNKNOWN_ID: 1, Dropped.ITSELF: 1, Dropped.UNKNOWN_RELATION: 1, Dropped.BAD_WEIGHT: 2}
    assert done.dropped == counts | {Dropped.MALFORMED: 1, Dropped.TOO_LIGHT: 1, Dropped.DUPLICATE: 1}
    assert two.extract(some).cached == 1


def test_a_second_run_asks_nothing(two: Writings, server: OpenAIServer) -> None:
    two.extract()
    edges = two.edges()
    again = two.extract()
    assert (again.cached, again.answered, len(server.questions)) == (2, 0, 2)
    assert two.edges() == edges
    assert two.extract(model=BLOCKING).answered == 2  # what one said is not what another one would say


def test_a_kept_reply_that_can_no_longer_be_read_is_asked_for_again(two: Writings, server: OpenAIServer) -> None:
    two.extract()
    with two.open() as workspace:
        replies = open_replies(workspace.kernel, prompt_version=PROMPT_VERSION)
        [*_, (key, _, reply, _)] = replies.every("sections:", model=MODEL)
        unreadable = json.loads(reply) | {"reply": "of another time"}
        replies.keep([(key, json.dumps(unreadable))], model=MODEL, now=workspace.kernel.now())
    again = two.extract()
    assert (again.cached, again.answered, len(server.questions)) == (1, 1, 3)


def test_what_cannot_be_stored_is_not_paid_for(two: Writings, server: OpenAIServer) -> None:
    with two.open() as workspace:
        workspace._database.freeze()
        with pytest.raises(StorageError):
            workspace.kernel.one(Documents).extract(model=MODEL)
    assert server.questions == []


@pytest.mark.parametrize("with_journal", [False, True])
def test_a_database_that_was_deleted_costs_nothing(two: Writings, server: OpenAIServer, *, with_journal: bool) -> None:
    two.extract()
    edges = two.edges()
    delete_database(two, with_journal=with_journal)
    assert two.extract().cached == 2
    assert (two.edges(), len(server.questions)) == (edges, 2)


def test_another_worktree_asks_nothing_again(
    two: Writings, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two.extract()
    two.git.commit()
    two.git.git("worktree", "add", "--quiet", str(tmp_path / "other"))
    monkeypatch.setattr(two, "root", tmp_path / "other")
    two.ingest()
    assert two.extract().cached == 2
    assert len(server.questions) == 2


def test_outside_git_replies_are_kept_beside_the_database(
    writings: Writings, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (writings.root / ".git").rename(tmp_path / "gone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    assert (writings.root / ".tx" / "replies.db").exists()
    assert writings.extract().cached == 1
    assert len(server.questions) == 1


def test_only_what_changed_is_asked_about_again(writings: Writings, server: OpenAIServer) -> None:
    writings.ingest(a=document("one", "two", "three", "four"))
    pairs = ExtractOptions(size=2, asking=PATIENT)
    writings.extract(pairs)
    writings.ingest(a=document("one", "two", "three", "four").replace("about three", "about 3"))
    done = writings.extract(pairs)
    assert (done.cached, done.answered) == (1, 1)
    assert ids_in(server.questions[-1]) == [f"{A}three", f"{A}four"]


def test_what_is_said_of_a_section_that_changes_meanwhile_is_not_stored(writings: Writings, serve: Serve) -> None:
    def answer(question: str, number: int) -> Answer:
        writings.ingest(a=document("one", "two", "three").replace("about two", "but two"))
        return chained(question, number)

    serve(answer)
    writings.ingest(a=document("one", "two", "three", "four"))
    done = writings.extract()
    assert (done.answered, done.edges, done.dropped) == (1, 0, {Dropped.OUTDATED: 3})
    assert writings.edges() == set()


@pytest.mark.parametrize(
    ("bad", "options", "questions", "pauses", "reason"),
    [
        pytest.param(Answer(status=500, text="overloaded"), PATIENT, 5, [1.0, 2.0], "overloaded", id="tried thrice"),
        pytest.param(Answer(status=400, text="too long"), PATIENT, 3, [], "too long", id="refused, so not repeated"),
        pytest.param(
            Answer(hold=threading.Event()),
            AskingOptions(workers=2, timeout=3, tries=1),
            3,
            [],
            "no answer within 3 s",
            id="out of time",
        ),
    ],
)
def test_a_failing_batch_is_left_out_and_the_others_land(
    two: Writings,
    serve: Serve,
    bad: Answer,
    options: AskingOptions,
    questions: int,
    pauses: list[float],
    reason: str,
) -> None:
    server = serve(lambda question, number: bad if "All about x" in question else chained(question, number))
    two.ingest(c=document("p", "q"))
    done = two.extract(ExtractOptions(asking=options))
    assert (done.answered, done.edges, len(server.questions), two.pauses) == (2, 2, questions, pauses)
    [failure] = done.failures
    assert two.failures == [failure]
    assert failure.document == "docs/b.md"
    assert reason in failure.reason
    assert two.extract(ExtractOptions(asking=replace(options, tries=1))).cached == 2


@pytest.mark.parametrize("bad", [Answer(status=500), Answer(drop=True), Answer(text="I would rather not.")])
def test_a_batch_that_fails_once_is_tried_again(two: Writings, serve: Serve, bad: Answer) -> None:
    serve(lambda question, number: bad if number == 1 else chained(question, number))
    done = two.extract(ExtractOptions(asking=PATIENT))
    assert (done.answered, done.failures, done.edges) == (2, (), 2)


def test_where_nothing_will_be_answered_the_run_ends_and_keeps_answers(writings: Writings, serve: Serve) -> None:
    server = serve(lambda question, number: chained(question, number) if number == 1 else Answer(status=401))
    writings.ingest(a=document("one", "two", "three", "four"), b=document("x", "y"))
    with pytest.raises(ModelUnusable):
        writings.extract(ExtractOptions(size=2, asking=PATIENT))
    assert len(server.questions) == 2
    assert {(source, target) for source, _, target, *_ in writings.edges()} == {(f"{A}one", f"{A}two")}


def test_a_provider_that_is_down_is_not_asked_for_ever(writings: Writings, serve: Serve) -> None:
    server = serve(lambda question, number: chained(question, number) if number == 1 else Answer(status=503))
    writings.ingest(a=document(*map(str, range(60))))
    done = writings.extract(ExtractOptions(size=2, asking=replace(PATIENT, tries=1)))
    assert (done.answered, len(done.failures), done.unasked) == (1, 10, 19)
    assert len(server.questions) == 11


def test_a_run_in_which_nothing_is_answered_fails(two: Writings, serve: Serve) -> None:
    serve(lambda question, number: Answer(status=500, text="overloaded"))
    with pytest.raises(ModelError, match=r"No batch was answered.*overloaded"):
        two.extract()


@pytest.mark.parametrize("model", [MODEL, BLOCKING])
@pytest.mark.parametrize("workers", [1, 3])
def test_no_more_is_asked_at_once_than_workers_can(writings: Writings, serve: Serve, workers: int, model: str) -> None:
    together = threading.Barrier(workers)

    def answering(question: str, number: int) -> Answer:
        together.wait(timeout=10)  # answers only once as many are asked as may be
        return chained(question, number)

    server = serve(answering)
    writings.ingest(a=document(*map(str, range(24))))
    writings.extract(ExtractOptions(size=2, asking=AskingOptions(workers=workers, timeout=10)), model=model)
    assert len(server.questions) == 12
    assert server.most_at_once == workers


def test_what_overlapping_batches_both_say_is_stored_once_the_heavier(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return saying([edge(f"{A}two", f"{A}three", weight=number / 10, description=f"said {number}")])

    serve(answering)
    writings.ingest(a=document("one", "two", "three", "four"))
    done = writings.extract(ExtractOptions(size=3, overlap=2, asking=PATIENT))
    assert writings.edges() == {(f"{A}two", "depends_on", f"{A}three", 0.2, "said 2", MODEL)}
    assert (done.edges, done.dropped) == (1, {Dropped.DUPLICATE: 1})


def test_the_cap_of_a_section_counts_over_all_batches(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        targets = [one for one in ids_in(question) if one != f"{A}two"]
        return saying(edge(f"{A}two", one, weight=0.5 + ("four" in one) / 10) for one in targets)

    serve(answering)
    writings.ingest(a=document("one", "two", "three", "four"))
    writings.extract(ExtractOptions(size=3, overlap=2, pruning=Pruning(most=1)))
    assert {target for _, _, target, *_ in writings.edges()} == {f"{A}four"}


@pytest.mark.parametrize("typed", ["docs/b.md", "b.md", "docs/b*", "docs/sub/../b.md"])
def test_documents_are_chosen_by_path_or_glob(two: Writings, server: OpenAIServer, typed: str) -> None:
    two.write("docs/sub/keep.py", "x")
    two.extract(ExtractOptions(documents=(typed,)))
    assert [ids_in(question) for question in server.questions] == [["docs/b.md#x", "docs/b.md#y"]]
    with two.open() as workspace:
        plan = workspace.kernel.one(Documents).plan_extraction(model=MODEL)  # what is left to ask
    assert (plan.batches, plan.cached, plan.documents) == (2, 1, 2)
    assert plan.tokens > 100
    assert len(server.questions) == 1


def test_a_name_that_means_no_document_is_told_the_nearest(writings: Writings, server: OpenAIServer) -> None:
    with pytest.raises(NotFound, match="No documents were read yet"):
        writings.extract()
    writings.ingest(a=document("one", "two"))
    with pytest.raises(NotFound) as missing:
        writings.extract(ExtractOptions(documents=("docs/aa.md",)))
    assert missing.value.candidates == ("docs/a.md",)


@pytest.mark.parametrize("options", [{"workers": 0}, {"tries": 0}, {"timeout": 0}, {"timeout": float("inf")}])
def test_impossible_ways_of_asking_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        AskingOptions(**options)  # type: ignore[arg-type]


def test_an_agents_replies_are_taken_by_the_rules_that_hold_for_a_models(two: Writings) -> None:
    first, second = two.questions()
    reply = {"edges": [edge(f"{A}one", f"{A}two"), edge(f"{A}one", "docs/b.md#x")]}
    done = two.apply(line(first.batch, reply), "", line(second.batch, f"Here: {saying([]).text}"))
    assert (done.applied, done.edges, done.dropped) == (2, 1, {Dropped.UNKNOWN_ID: 1})
    assert two.edges() == {(f"{A}one", "depends_on", f"{A}two", 0.8, "so", "agent")}
    assert two.questions() == ()
    assert two.questions(every=True) == (first, second)


@pytest.mark.parametrize("with_journal", [False, True])
def test_what_an_agent_replied_outlives_the_database(two: Writings, *, with_journal: bool) -> None:
    first, second = two.questions()
    two.apply(line(first.batch, [edge(f"{A}one", f"{A}two")]), line(second.batch, []))  # a bare list will do, or none
    told = two.edges()
    delete_database(two, with_journal=with_journal)
    with two.open() as workspace:
        assert [recall(workspace.kernel, ExtractOptions()) for _ in range(2)] == [int(with_journal), 0]
    assert two.edges() == told
    assert two.questions() == ()


def test_replies_find_their_batches_however_these_were_put_together(writings: Writings) -> None:
    writings.ingest(a=document("one", "two", "three"))
    [first, _] = writings.questions(ExtractOptions(size=2, overlap=1))
    assert writings.apply(line(first.batch, {"edges": [edge(f"{A}one", f"{A}two")]})).edges == 1


def test_replies_to_what_has_changed_or_never_was_are_counted_and_not_stored(two: Writings) -> None:
    batch, _ = two.questions()
    two.ingest(a=document("one", "two").replace("about two", "but two"))
    done = two.apply(*(line(name, {"edges": [edge(f"{A}one", f"{A}two")]}) for name in (batch.batch, "nonsense")))
    assert (done.applied, done.outdated, done.unknown, done.edges) == (0, 1, 1, 0)
    assert two.edges() == set()


def test_a_reply_that_cannot_be_read_is_named_and_the_others_land(two: Writings) -> None:
    first, second = two.questions()
    done = two.apply(line(first.batch, "no idea"), line(second.batch, [edge("docs/b.md#x", "docs/b.md#y")]))
    [failure] = done.unreadable
    assert failure.document == "docs/a.md"
    assert "line 1" in failure.reason
    assert (done.applied, done.edges) == (1, 1)
    assert [batch.batch for batch in two.questions()] == [first.batch]


_MALFORMED = ["{", "[]", '{"batch": 1, "reply": ""}', '{"batch": "x"}', '{"batch": "x", "reply": 3}']


@pytest.mark.parametrize("malformed", _MALFORMED)
def test_a_malformed_line_is_named_and_nothing_is_stored(two: Writings, malformed: str) -> None:
    batch, _ = two.questions()
    with pytest.raises(UsageError, match="Line 2"):
        two.apply(line(batch.batch, {"edges": [edge(f"{A}one", f"{A}two")]}), malformed)
    assert two.edges() == set()
    assert len(two.questions()) == 2
