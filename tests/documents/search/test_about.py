"""A question that nothing is about is told so, and which documents answer can be narrowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.extracting.writings import Writings
from tests.fakes import WordEmbedder
from tx_graph.core.errors import NotFound, TxError, UsageError
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch
from tx_graph.graph.edges import Relation
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.models import DEFAULT_MODEL


def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *queries: DocQuery, settings: str = "") -> list[DocAnswer]:
    """Return what is answered about two documents whose vectors have the name of the standard model's."""
    writings = Writings(tmp_path, monkeypatch, embedder=WordEmbedder(model=DEFAULT_MODEL))
    writings.configure(f'embedder = "{DEFAULT_MODEL}"', settings)
    writings.ingest(
        auth="---\ntitle: Access\nstatus: Accepted\ntags: [security, login]\nowner: '[[ann]]'\n---\n\n"
        "## Tokens\n\nTokens rotate daily.\n\n## Sessions\n\nSessions live in Redis.\n",
        old="+++\ntitle = 'Attic'\nstatus = 'superseded'\nlabels = ['login']\n+++\n\n"
        "## Tokens of before\n\nTokens never rotate.\n",
    )
    with writings.open() as workspace:
        workspace.kernel.one(Embedding).catch_up("chunks")
        return [workspace.kernel.one(DocSearch).run(query) for query in queries]


def test_a_question_that_nothing_is_about_gets_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nonsense = "purple elephants dancing"
    none, every, some = asked(
        tmp_path,
        monkeypatch,
        DocQuery(text=nonsense),
        DocQuery(text=nonsense, anything=True),
        DocQuery(text="tokens rotate"),
    )
    assert none.results == ()
    assert any("Nothing here is about that" in notice for notice in none.stats.notices)
    assert len(every.results) >= 3
    assert some.results[0].unit.title in ("Tokens", "Tokens of before")


def test_one_section_that_is_close_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "sessions live in redis unmentioned unheard unspoken unwritten unread"
    [answer] = asked(tmp_path, monkeypatch, DocQuery(text=text, hops=0))
    assert answer.results[0].unit.title == "Sessions"


@pytest.mark.parametrize(
    "narrowed",
    [
        {"exclude": ("docs/old.md",)},
        {"exclude": ("**/o*",)},
        {"title": "acc"},
        {"where": ("status=accepted",)},
        {"where": ("Owner = ann",), "tag": ("login",)},
        {"tag": ("login", "Security")},
        {"tag": ("login",), "source": ("docs/auth.md",)},
    ],
)
def test_documents_are_left_out_by_path_and_chosen_by_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, narrowed: dict[str, object]
) -> None:
    query = DocQuery(text="tokens rotate", hops=0, **narrowed)  # type: ignore[arg-type]
    [answer] = asked(tmp_path, monkeypatch, query)
    assert {one.unit.document for one in answer.results} == {"docs/auth.md"}
    assert answer.stats.searched == 1


@pytest.mark.parametrize(
    ("narrowed", "error", "hint"),
    [
        ({"where": ("stats=accepted",)}, NotFound, "status, tags, labels, owner"),
        ({"where": ("status=draft",)}, NotFound, "Accepted, superseded"),
        ({"tag": ("secrets",)}, NotFound, "login, security"),
        ({"where": ("status",)}, UsageError, "status=accepted"),
    ],
)
def test_what_no_document_says_is_refused_with_what_they_say(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    narrowed: dict[str, object],
    error: type[TxError],
    hint: str,
) -> None:
    with pytest.raises(error) as refused:
        asked(tmp_path, monkeypatch, DocQuery(text="tokens rotate", **narrowed))  # type: ignore[arg-type]
    assert hint in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("off", "followed"),
    [
        ((), {"part_of", "sequence"}),
        (("structure",), set()),
        (("part_of",), {"sequence"}),
        (("sequence",), {"part_of"}),
        (("part_of", "sequence"), set()),
    ],
)
def test_walks_can_do_without_where_sections_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: tuple[str, ...], followed: set[str]
) -> None:
    queries = [
        DocQuery(text="tokens rotate daily", seeds=1, limit=10, relations=(relation,))
        for relation in (Relation.PART_OF, Relation.SEQUENCE)
    ]
    settings = "\n".join(f'documents.{name} = "off"' for name in off)
    answers = asked(tmp_path, monkeypatch, *queries, settings=settings)
    assert {one.relation for answer in answers for result in answer.results for one in result.ties} == followed
