"""Relations by a model: what is asked, what is kept, and that nothing is paid for twice."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import BLOCKING, MODEL, Answer
from tests.documents.extracting.writings import Writings, chained, document, edge, ids_in, saying
from tx_graph.core.errors import ModelError, ModelUnusable, NotFound, StorageError, UsageError
from tx_graph.core.reply_store import open_replies
from tx_graph.documents.documents import Documents
from tx_graph.documents.extracting import recall
from tx_graph.documents.relations import PROMPT_VERSION, AskingOptions, Dropped, ExtractOptions, Pruning, name_from

A = "docs/a.md#"
PATIENT = AskingOptions(workers=1, timeout=10)


@pytest.fixture
def writings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writings:
    return Writings(tmp_path, monkeypatch)


def test_sections_are_asked_about_in_the_order_of_the_source(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document(*"edcba"), b=document("x", "y"))
    done = writings.extract(ExtractOptions(size=4, asking=PATIENT))
    asked = [["docs/a.md#e", "docs/a.md#d", "docs/a.md#c", "docs/a.md#b"], ["docs/a.md#b", "docs/a.md#a"]]
    assert [ids_in(question) for question in server.questions] == [*asked, ["docs/b.md#x", "docs/b.md#y"]]
    assert (done.batches, done.answered, done.documents, done.edges) == (3, 3, 2, 5)


def test_edges_that_are_stored_are_exactly_the_valid_ones(writings: Writings, serve: Serve) -> None:
    good = edge(f"{A}one", f"{A}two", weight=0.9, description="it needs two")
    bad = [
        edge(f"{A}one", "docs/b.md#one"),
        edge(f"{A}one", f"{A}one"),
        edge(f"{A}one", f"{A}two", "explains"),
        edge(f"{A}two", f"{A}one", weight=0),
        edge(f"{A}two", f"{A}one", weight=1.5),
        "no edge",
    ]
    serve(lambda question, number: Answer(text=f"Sure!\n```json\n{saying([good, *bad]).text}\n```\nHope it helps."))
    writings.ingest(a=document("one", "two"))
    done = writings.extract()
    assert writings.edges() == {(f"{A}one", "depends_on", f"{A}two", 0.9, "it needs two", MODEL)}
    assert done.edges == 1
    assert done.dropped == {
        Dropped.UNKNOWN_ID: 1,
        Dropped.ITSELF: 1,
        Dropped.UNKNOWN_RELATION: 1,
        Dropped.BAD_WEIGHT: 2,
        Dropped.MALFORMED: 1,
    }


def test_a_second_run_asks_nothing(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    writings.extract()
    edges = writings.edges()
    again = writings.extract()
    assert (again.cached, again.answered, len(server.questions)) == (2, 0, 2)
    assert writings.edges() == edges


def test_a_kept_reply_that_can_no_longer_be_read_is_asked_for_again(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"))
    writings.extract()
    with writings.open() as workspace:
        [question] = workspace.kernel.one(Documents).questions()
        name = name_from(question.batch)
        assert name
        replies = open_replies(workspace.kernel, prompt_version=PROMPT_VERSION)
        replies.keep([(name.key, "of another time")], model=MODEL, now=workspace.kernel.now())
    again = writings.extract()
    assert (again.cached, again.answered, len(server.questions)) == (0, 1, 2)


def test_what_cannot_be_stored_is_not_paid_for(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"))
    with writings.open() as workspace:
        workspace._database.freeze()
        with pytest.raises(StorageError):
            workspace.kernel.one(Documents).extract(model=MODEL)
    assert server.questions == []


def test_a_database_that_was_deleted_costs_nothing(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"))
    writings.extract()
    edges = writings.edges()
    for file in (writings.root / ".tx").glob("graph.db*"):
        file.unlink()
    writings.ingest()
    assert writings.edges() == set()
    assert writings.extract().cached == 1
    assert (writings.edges(), len(server.questions)) == (edges, 1)


def test_another_worktree_asks_nothing_again(
    writings: Writings, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"))
    writings.extract()
    writings.git.commit()
    writings.git.git("worktree", "add", "--quiet", str(tmp_path / "other"))
    monkeypatch.setattr(writings, "root", tmp_path / "other")
    writings.ingest()
    assert writings.extract().cached == 1
    assert len(server.questions) == 1


def test_only_what_changed_is_asked_about_again(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two", "three", "four"))
    pairs = ExtractOptions(size=2, asking=PATIENT)
    writings.extract(pairs)
    writings.ingest(a=document("one", "two", "three", "four").replace("about three", "about 3"))
    done = writings.extract(pairs)
    assert (done.cached, done.answered) == (1, 1)
    assert ids_in(server.questions[-1]) == [f"{A}three", f"{A}four"]


def test_what_one_model_said_is_not_taken_for_what_another_would_say(writings: Writings, serve: Serve) -> None:
    serve(chained)
    writings.ingest(a=document("one", "two"))
    writings.extract()
    assert writings.extract(model=BLOCKING).answered == 1


def test_what_is_said_of_a_section_that_changes_or_goes_meanwhile_is_not_stored(
    writings: Writings, serve: Serve
) -> None:
    def answer(question: str, number: int) -> Answer:
        writings.ingest(a=document("one", "two", "three").replace("about two", "but two"))
        return chained(question, number)

    serve(answer)
    writings.ingest(a=document("one", "two", "three", "four"))
    done = writings.extract()
    assert (done.answered, done.edges, done.dropped) == (1, 0, {Dropped.OUTDATED: 3})
    assert writings.edges() == set()


def test_a_failing_batch_is_tried_thrice_then_left_out_and_the_others_land(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return Answer(status=500, text="overloaded") if "All about x" in question else chained(question, number)

    server = serve(answering)
    writings.ingest(a=document("one", "two"), b=document("x", "y"), c=document("p", "q"))
    done = writings.extract(ExtractOptions(asking=PATIENT))
    assert (done.answered, done.edges, len(server.questions)) == (2, 2, 5)
    assert writings.pauses == [1.0, 2.0]
    [failure] = done.failures
    assert writings.failures == [failure]
    assert failure.document == "docs/b.md"
    assert "overloaded" in failure.reason
    assert writings.extract(ExtractOptions(asking=replace(PATIENT, tries=1))).cached == 2


@pytest.mark.parametrize("bad", [Answer(status=500), Answer(drop=True), Answer(text="I would rather not.")])
def test_a_batch_that_fails_once_is_tried_again(writings: Writings, serve: Serve, bad: Answer) -> None:
    failed: set[str] = set()

    def answering(question: str, number: int) -> Answer:
        if "x" not in failed:
            failed.add("x")
            return bad
        return chained(question, number)

    serve(answering)
    writings.ingest(a=document("one", "two"))
    done = writings.extract(ExtractOptions(asking=PATIENT))
    assert (done.answered, done.failures, done.edges) == (1, (), 1)


def test_a_batch_that_is_never_answered_runs_out_of_time_and_the_others_land(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return Answer(hold=threading.Event()) if "All about x" in question else chained(question, number)

    serve(answering)
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    done = writings.extract(ExtractOptions(asking=AskingOptions(workers=2, timeout=3, tries=1)))
    [failure] = done.failures
    assert "no answer within 3 s" in failure.reason
    assert (done.answered, done.edges) == (1, 1)


def test_a_refused_question_is_not_repeated(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return Answer(status=400, text="too long") if "All about x" in question else chained(question, number)

    server = serve(answering)
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    done = writings.extract(ExtractOptions(asking=PATIENT))
    assert (done.answered, len(done.failures), len(server.questions)) == (1, 1, 2)


def test_where_nothing_will_be_answered_the_run_ends_and_what_was_answered_stays(
    writings: Writings, serve: Serve
) -> None:
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


def test_a_run_in_which_nothing_is_answered_fails(writings: Writings, serve: Serve) -> None:
    serve(lambda question, number: Answer(status=500, text="overloaded"))
    writings.ingest(a=document("one", "two"))
    with pytest.raises(ModelError, match=r"No batch was answered.*overloaded"):
        writings.extract()


@pytest.mark.parametrize("model", [MODEL, BLOCKING])
@pytest.mark.parametrize("workers", [1, 3])
def test_never_more_is_asked_at_a_time_than_there_are_workers(
    writings: Writings, serve: Serve, workers: int, model: str
) -> None:
    together = threading.Barrier(workers)

    def answering(question: str, number: int) -> Answer:
        together.wait(timeout=10)  # answers only once as many are asked as may be
        return chained(question, number)

    server = serve(answering)
    writings.ingest(a=document(*map(str, range(24))))
    writings.extract(ExtractOptions(size=2, asking=AskingOptions(workers=workers, timeout=10)), model=model)
    assert len(server.questions) == 12
    assert server.most_at_once == workers


def test_what_overlapping_batches_both_say_is_stored_once_with_the_higher_weight(
    writings: Writings, serve: Serve
) -> None:
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


def test_light_edges_are_pruned_before_anything_is_stored(writings: Writings, serve: Serve) -> None:
    serve(chained)
    writings.ingest(a=document("one", "two"))
    done = writings.extract(ExtractOptions(pruning=Pruning(min_weight=0.9)))
    assert (done.edges, done.dropped, writings.edges()) == (0, {Dropped.TOO_LIGHT: 1}, set())


def test_similarity_is_stored_once_from_the_smaller_node(writings: Writings, serve: Serve) -> None:
    one, two = f"{A}one", f"{A}two"
    serve(lambda *_: saying([edge(two, one, "similar_to", 0.6), edge(one, two, "similar_to", 0.7)]))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    assert writings.edges() == {(one, "similar_to", two, 0.7, "so", MODEL)}


def test_half_a_character_in_a_reply_is_no_reason_to_fail(writings: Writings, serve: Serve) -> None:
    serve(lambda *_: saying([edge(f"{A}one", f"{A}two", description="\ud800!")]))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    assert {description for *_, description, _ in writings.edges()} == {"?!"}
    assert writings.extract().cached == 1


@pytest.mark.parametrize("typed", ["docs/b.md", "b.md", "docs/b*", "docs/sub/../b.md"])
def test_documents_are_chosen_by_path_or_glob(writings: Writings, serve: Serve, typed: str) -> None:
    server = serve(chained)
    writings.write("docs/sub/keep.py", "x")
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    writings.extract(ExtractOptions(documents=(typed,)))
    assert [ids_in(question) for question in server.questions] == [["docs/b.md#x", "docs/b.md#y"]]


def test_a_name_that_means_no_document_is_told_the_nearest(writings: Writings, serve: Serve) -> None:
    serve(chained)
    with pytest.raises(NotFound, match="No documents were read yet"):
        writings.extract()
    writings.ingest(a=document("one", "two"))
    with pytest.raises(NotFound) as missing:
        writings.extract(ExtractOptions(documents=("docs/aa.md",)))
    assert missing.value.candidates == ("docs/a.md",)


def test_a_document_of_one_section_is_not_asked_about(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one"))
    assert writings.extract().batches == 0
    assert server.questions == []


def test_a_plan_says_what_is_left_to_ask(writings: Writings, serve: Serve) -> None:
    server = serve(chained)
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    writings.extract(ExtractOptions(documents=("docs/a.md",)))
    with writings.open() as workspace:
        plan = workspace.kernel.one(Documents).plan_extraction(model=MODEL)
    assert (plan.batches, plan.cached, plan.documents) == (2, 1, 2)
    assert plan.tokens > 100
    assert len(server.questions) == 1


def test_outside_git_replies_are_kept_beside_the_database(
    writings: Writings, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(chained)
    (writings.root / ".git").rename(tmp_path / "gone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    assert (writings.root / ".tx" / "replies.db").exists()
    assert writings.extract().cached == 1
    assert len(server.questions) == 1


@pytest.mark.parametrize("options", [{"workers": 0}, {"tries": 0}, {"timeout": 0}, {"timeout": float("inf")}])
def test_impossible_ways_of_asking_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        AskingOptions(**options)  # type: ignore[arg-type]


def test_an_agents_replies_are_taken_by_the_rules_that_hold_for_a_models(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    first, second = writings.questions()
    good = edge(f"{A}one", f"{A}two")
    lines = [
        json.dumps({"batch": first.batch, "reply": {"edges": [good, edge(f"{A}one", "docs/b.md#x")]}}),
        "",
        json.dumps({"batch": second.batch, "reply": f"Here: {saying([]).text}"}),
    ]
    done = writings.apply(*lines)
    assert (done.applied, done.edges, done.dropped) == (2, 1, {Dropped.UNKNOWN_ID: 1})
    assert writings.edges() == {(f"{A}one", "depends_on", f"{A}two", 0.8, "so", "agent")}
    assert writings.questions() == ()
    assert writings.questions(every=True) == (first, second)


def test_what_an_agent_replied_outlives_the_database(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    first, _ = writings.questions()
    writings.apply(json.dumps({"batch": first.batch, "reply": [edge(f"{A}one", f"{A}two")]}))
    told = writings.edges()
    for file in (writings.root / ".tx").glob("graph.db*"):
        file.unlink()
    writings.ingest()
    assert writings.edges() == set()
    with writings.open() as workspace:
        assert [recall(workspace.kernel, ExtractOptions()) for _ in range(2)] == [1, 0]
    assert writings.edges() == told


def test_replies_find_their_batches_however_these_were_put_together(writings: Writings) -> None:
    writings.ingest(a=document("one", "two", "three"))
    [first, _] = writings.questions(ExtractOptions(size=2, overlap=1))
    reply = {"edges": [edge(f"{A}one", f"{A}two")]}
    assert writings.apply(json.dumps({"batch": first.batch, "reply": reply})).edges == 1


def test_replies_to_what_has_changed_or_never_was_are_counted_and_not_stored(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    [batch] = writings.questions()
    writings.ingest(a=document("one", "two", "three"))
    reply = {"edges": [edge(f"{A}one", f"{A}two")]}
    done = writings.apply(*(json.dumps({"batch": name, "reply": reply}) for name in (batch.batch, "nonsense")))
    assert (done.applied, done.outdated, done.unknown, done.edges) == (0, 1, 1, 0)
    assert writings.edges() == set()


def test_a_reply_that_cannot_be_read_is_named_and_the_others_land(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"), b=document("x", "y"))
    first, second = writings.questions()
    done = writings.apply(
        json.dumps({"batch": first.batch, "reply": "no idea"}),
        json.dumps({"batch": second.batch, "reply": [edge("docs/b.md#x", "docs/b.md#y")]}),
    )
    [failure] = done.unreadable
    assert failure.document == "docs/a.md"
    assert "line 1" in failure.reason
    assert (done.applied, done.edges) == (1, 1)
    assert [batch.batch for batch in writings.questions()] == [first.batch]


def test_a_bare_list_is_a_reply_also_where_it_is_empty(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    [batch] = writings.questions()
    done = writings.apply(json.dumps({"batch": batch.batch, "reply": []}))
    assert (done.applied, done.edges, done.unreadable) == (1, 0, ())
    assert writings.questions() == ()


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"batch": 1, "reply": ""}', '{"batch": "x"}', '{"batch": "x", "reply": 3}']
)
def test_a_malformed_line_is_named_and_nothing_is_stored(writings: Writings, line: str) -> None:
    writings.ingest(a=document("one", "two"))
    [batch] = writings.questions()
    good = json.dumps({"batch": batch.batch, "reply": {"edges": [edge(f"{A}one", f"{A}two")]}})
    with pytest.raises(UsageError, match="Line 2"):
        writings.apply(good, line)
    assert writings.edges() == set()
    assert len(writings.questions()) == 1
