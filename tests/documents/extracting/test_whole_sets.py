"""What is said of a document is said as a whole, can be taken back, is not paid for twice, and travels with git."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from socketserver import StreamRequestHandler

import pytest

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import BLOCKING, MODEL, OpenAIServer
from tests.documents.extracting.writings import Writings, chained, document, edge, ids_in, saying
from tests.local_server import Handler
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.documents.documents import Documents
from tx_graph.documents.extracting import AGENT
from tx_graph.documents.relating import Relating, Resettled
from tx_graph.documents.relations import AskingOptions, ExtractOptions, Pruning
from tx_graph.graph.edges import Relation

A = "docs/a.md#"
NAMES = [f"n{number}" for number in range(13)]


@pytest.fixture
def writings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writings:
    return Writings(tmp_path, monkeypatch)


@pytest.fixture
def server(serve: Serve) -> OpenAIServer:
    return serve(chained)


def pairs(writings: Writings) -> set[tuple[str, str, str]]:
    return {(source.partition("#")[2], name, target.partition("#")[2]) for source, name, target, *_ in writings.edges()}


def unrelate(writings: Writings, one: str, other: str, relation: Relation | None = None) -> Resettled:
    with writings.open() as workspace:
        return workspace.kernel.one(Relating).unrelate(f"{A}{one}", f"{A}{other}", relation=relation)


def relate(
    writings: Writings, one: str, other: str, relation: Relation | None = None, description: str = ""
) -> Resettled:
    with writings.open() as workspace:
        relating = workspace.kernel.one(Relating)
        return relating.relate(f"{A}{one}", f"{A}{other}", relation=relation, description=description)


def test_a_second_run_states_the_whole_set(writings: Writings, serve: Serve) -> None:
    weights = {"one": 0.9, "two": 0.4, "three": 0.6}
    serve(
        lambda question, number: saying(
            edge(one, other, weight=weights[one.partition("#")[2]])
            for one, other in zip(ids_in(question), ids_in(question)[1:], strict=False)
        )
    )
    writings.ingest(a=document("one", "two", "three", "four"))
    assert writings.extract().edges == 3
    assert writings.extract(ExtractOptions(pruning=Pruning(min_weight=0.5))).edges == 2
    assert {(one, weight) for one, *_, weight, _, _ in writings.edges()} == {(f"{A}one", 0.9), (f"{A}three", 0.6)}
    assert writings.extract().edges == 3


def test_another_model_and_force_replace_what_was_there(writings: Writings, serve: Serve) -> None:
    said = ["depends_on"]
    server = serve(lambda question, number: saying([edge(ids_in(question)[0], ids_in(question)[1], said[0])]))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    said[0] = "elaborates"
    writings.extract(model=BLOCKING)
    assert {(name, by) for _, name, *_, by in writings.edges()} == {("elaborates", BLOCKING)}
    writings.extract()
    assert {(name, by) for _, name, *_, by in writings.edges()} == {("depends_on", MODEL)}
    said[0] = "contradicts"
    writings.extract(ExtractOptions(asking=AskingOptions(is_anew=True)))
    assert (pairs(writings), len(server.questions)) == ({("one", "contradicts", "two")}, 3)
    assert writings.extract().cached == 1
    assert pairs(writings) == {("one", "contradicts", "two")}


def test_where_a_document_is_not_wholly_answered_the_rest_stays(writings: Writings, server: OpenAIServer) -> None:
    writings.ingest(a=document("one", "two", "three", "four"))
    pair = ExtractOptions(size=2)
    writings.extract(pair)
    one_call = AskingOptions(is_anew=True, most_calls=1)
    done = writings.extract(ExtractOptions(size=2, asking=one_call, pruning=Pruning(min_weight=1)), model=MODEL)
    assert (done.answered, done.unasked, done.edges) == (1, 1, 0)
    assert pairs(writings) == {("three", "depends_on", "four")}


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        pytest.param(lambda w: w.ingest(a=document("new", *NAMES)), 1, id="a section on top"),
        pytest.param(lambda w: w.ingest(a=document(*NAMES[:6], "new", *NAMES[6:])), 1, id="a section between"),
        pytest.param(lambda w: w.ingest(a=document(*NAMES[6:], *NAMES[:6])), 0, id="moved sections"),
        pytest.param(lambda w: w.ingest(a=document(*NAMES[:3], *NAMES[4:])), 0, id="a section gone"),
        pytest.param(lambda w: w.ingest(a="# Under a title\n\n" + document(*NAMES)), 0, id="other headings above"),
        pytest.param(lambda w: (w.root / "docs/a.md").rename(w.root / "docs/z.md"), 0, id="a renamed file"),
        pytest.param(lambda w: w.ingest(copy=document(*NAMES)), 0, id="a copy of it"),
    ],
)
def test_a_question_is_known_by_what_it_says_not_by_where(
    writings: Writings, server: OpenAIServer, change: object, asked: int
) -> None:
    writings.ingest(a=document(*NAMES))
    writings.extract()
    before, edges = len(server.questions), pairs(writings)
    change(writings)  # type: ignore[operator]
    writings.ingest()
    done = writings.extract()
    assert (before, len(server.questions) - before) == (3, asked)
    kept = edges - {edge for edge in edges if "n3" in edge}
    assert pairs(writings) >= kept
    assert done.unasked == 0
    assert writings.extract().answered == 0


def test_the_same_texts_in_two_documents_are_asked_about_once(writings: Writings, server: OpenAIServer) -> None:
    writings.ingest(a=document("one", "two"), b=document("one", "two"))
    done = writings.extract()
    assert (len(server.questions), done.batches, done.answered, done.cached, done.edges) == (1, 2, 1, 1, 2)
    assert {source for source, *_ in writings.edges()} == {f"{A}one", "docs/b.md#one"}


def test_what_was_answered_before_replies_were_known_by_content_is_not_asked_again(
    writings: Writings, server: OpenAIServer
) -> None:
    from tx_graph.core.reply_store import open_replies
    from tx_graph.documents.relations import PROMPT_VERSION, former_key_of

    writings.ingest(a=document("one", "two"))
    with writings.open() as workspace:
        documents = workspace.kernel.one(Documents)
        [(batch, _)] = documents._laid(ExtractOptions(), None)
        reply = saying([edge(f"{A}one", f"{A}two")]).text
        replies = open_replies(workspace.kernel, prompt_version=PROMPT_VERSION)
        replies.keep([(former_key_of(batch), reply)], model=MODEL, now=workspace.kernel.now())
    assert (writings.extract().cached, server.questions) == (1, [])


@pytest.mark.parametrize(
    ("options", "asked"), [(AskingOptions(most_calls=2), 2), (AskingOptions(most_tokens=1), 0), (AskingOptions(), 3)]
)
def test_no_more_is_spent_than_was_allowed(
    writings: Writings, server: OpenAIServer, options: AskingOptions, asked: int
) -> None:
    writings.ingest(a=document(*NAMES))
    done = writings.extract(ExtractOptions(asking=options))
    assert (len(server.questions), done.answered, done.unasked) == (asked, asked, 3 - asked)
    assert (done.tokens > 0) is (asked > 0)


def test_what_is_taken_back_stays_so_until_it_is_brought_back(writings: Writings, server: OpenAIServer) -> None:
    writings.ingest(a=document("one", "two", "three"))
    writings.extract()
    both = pairs(writings)
    assert unrelate(writings, "one", "two").relations == ("depends_on",)
    left = {("two", "depends_on", "three")}
    assert pairs(writings) == left
    writings.extract(ExtractOptions(asking=AskingOptions(is_anew=True)))
    writings.extract(model=BLOCKING)
    writings.ingest(a=document("one", "two", "three").replace("about one", "now about one"))
    writings.extract()
    assert pairs(writings) == left
    assert relate(writings, "one", "two") == Resettled(
        source=f"{A}one", target=f"{A}two", relations=("depends_on",), event="restored"
    )
    assert pairs(writings) == both


def test_one_meaning_can_be_taken_back_and_others_left(writings: Writings, serve: Serve) -> None:
    said = [
        edge(f"{A}one", f"{A}two"),
        edge(f"{A}one", f"{A}two", "elaborates"),
        edge(f"{A}two", f"{A}one", "similar_to"),
    ]
    serve(lambda question, number: saying(said))
    writings.ingest(a=document("one", "two"))
    writings.extract()
    unrelate(writings, "one", "two", Relation.DEPENDS_ON)
    assert {name for _, name, _ in pairs(writings)} == {"elaborates", "similar_to"}
    unrelate(writings, "two", "one", Relation.SIMILAR_TO)  # alike are two sections whichever is named first
    assert {name for _, name, _ in pairs(writings)} == {"elaborates"}
    assert writings.extract().edges == 1


def test_what_people_state_outlives_other_texts_and_the_database(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    relate(writings, "one", "two", Relation.CAUSED_BY, "one follows from two")
    writings.ingest(a=document("one", "two").replace("about", "of"))
    stated = {(f"{A}one", "caused_by", f"{A}two", 1.0, "one follows from two", "manual")}
    assert writings.edges() == stated
    for file in [*(writings.root / ".tx").glob("graph.db*"), *(writings.root / ".tx/local").glob("journal*")]:
        file.unlink()
    writings.ingest()
    assert writings.edges() == stated
    unrelate(writings, "one", "two")
    assert writings.edges() == set()


def test_what_people_state_is_brought_back_too(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    relate(writings, "one", "two", Relation.CAUSED_BY, "one follows from two")
    stated = writings.edges()
    unrelate(writings, "one", "two", Relation.CAUSED_BY)
    relate(writings, "one", "two")
    assert writings.edges() == stated
    unrelate(writings, "one", "two")
    assert relate(writings, "one", "two").relations == ("caused_by",)
    assert writings.edges() == stated


def test_what_cannot_be_taken_back_is_told_why(writings: Writings) -> None:
    writings.ingest(a="## one\n\nSee [two](#two).\n\n## two\n\nText.\n")
    with pytest.raises(UsageError, match="says itself") as refused:
        unrelate(writings, "one", "two", Relation.REFERENCES)
    assert "docs/a.md" in refused.value.hint
    with pytest.raises(NotFound, match="Nobody said"):
        unrelate(writings, "two", "one")
    with pytest.raises(UsageError, match="itself"):
        relate(writings, "two", "two")


def shared(writings: Writings, to: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a clone of what is committed the place of the writings."""
    writings.git.git("add", "--all")
    writings.git.commit()
    subprocess.run(["git", "clone", "--quiet", str(writings.root), str(to)], check=True)
    monkeypatch.setattr(writings, "root", to)


def test_a_clone_pays_nothing(
    writings: Writings, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writings.ingest(a=document("one", "two", "three"), b=document("x", "y"))
    with writings.open() as workspace:
        workspace.kernel.config.set("documents.share_relations", "on")
    writings.extract()
    unrelate(writings, "one", "two")
    edges = writings.edges()
    shared(writings, tmp_path / "clone", monkeypatch)
    writings.ingest()
    assert writings.edges() == edges != set()
    assert (writings.extract().cached, len(server.questions)) == (2, 2)
    assert writings.edges() == edges


def test_records_of_two_clones_never_conflict(
    writings: Writings, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = writings.root
    writings.ingest(a=document("one", "two", "three"))
    writings.extract()
    shared(writings, tmp_path / "clone", monkeypatch)
    writings.ingest()
    writings.extract()
    relate(writings, "one", "two", Relation.REFERENCES, "as they have it")
    writings.git.git("-C", str(writings.root), "add", "--all")
    writings.git.git("-C", str(writings.root), "commit", "-qm", "theirs")
    monkeypatch.setattr(writings, "root", here)
    writings.clock.moment += timedelta(minutes=1)
    unrelate(writings, "one", "two")
    relate(writings, "one", "three", Relation.ELABORATES)
    writings.git.git("add", "--all")
    writings.git.git("commit", "-qm", "ours")
    writings.git.git("pull", "--quiet", "--no-rebase", "--no-edit", str(tmp_path / "clone"), "HEAD")
    writings.ingest()
    assert len([*(here / ".tx/relations").glob("word-*.json")]) == 3
    # What was said last counts.
    assert pairs(writings) == {("one", "elaborates", "three"), ("two", "depends_on", "three")}


def test_a_broken_record_is_named(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    relate(writings, "one", "two")
    writings.write(".tx/relations/word-broken.json", "<<<<<<< ours")
    with writings.open() as workspace:
        [(where, why)] = workspace.kernel.one(Documents).ingest(embed=False).report.refused
    assert (where, "1 broken record" in why) == (".tx/relations", True)
    assert pairs(writings) == {("one", "references", "two")}


class Own:
    """A model of one's own."""

    name = "mine"

    async def ask(self, question: str, *, system: str, within: float) -> str:
        return chained(question, 1).text


def test_a_model_of_ones_own_is_asked_like_any(writings: Writings) -> None:
    writings.ingest(a=document("one", "two"))
    with writings.open() as workspace:
        assert workspace.kernel.one(Documents).extract(model=Own()).answered == 1
    assert {by for *_, by in writings.edges()} == {"mine"} != {AGENT}


def test_two_runs_in_one_process_print_nothing(
    writings: Writings, server: OpenAIServer, llm_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Handler, "protocol_version", "HTTP/1.1")  # connections outlive what was asked by them
    connections: list[Handler] = []

    def counted(self: Handler) -> None:
        connections.append(self)
        StreamRequestHandler.setup(self)

    monkeypatch.setattr(Handler, "setup", counted)
    writings.ingest(**{one: document(*(f"{one}{number}" for number in range(30))) for one in "ab"})
    script = f"""
from tx_graph import open_workspace
from tx_graph.documents.relations import ExtractOptions
with open_workspace({str(writings.root)!r}) as workspace:
    for one in ("docs/a.md", "docs/b.md"):
        workspace.documents.extract(ExtractOptions(documents=(one,)), model={MODEL!r})
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr, len(server.questions)) == ("", "", 12)
    assert len(connections) <= 6, "each run keeps its three"
